/* SPDX-License-Identifier: MIT
 *
 * trc stat --certify of shards of ORIGINAL: each reads the records of REDUCED that are of its own
 * references (stage/reduce/certify_join.c). What number the first of these has, only who counts
 * those in front knows: no index has it, and of text nobody does; so a shard reads what is in front
 * of it, but compares nothing there. It takes the fingerprint of that, too, so a state has that of
 * all rows up to its end, whatever the columns are. It is numbers of base/buf.h:
 *
 *   path, records, own count, fingerprint   of REDUCED, with the bytes of the path behind their
 *                                           number
 *   parts                                   as in stage/reduce/certify_join.c
 *   fingerprint                             of ORIGINAL, up to here: batch/fingerprint_part.h
 */
#include "cmd/file/certify.h"

#include <stdlib.h>
#include <string.h>

#include "cmd/file/certified.h"
#include "cmd/stat/stat.h"

/* The question, while it is asked. */
struct asking {
	struct trc_asked asked;
	struct trc_certified x;
	struct trc_err parted; /* how, if they do */
	char *path;            /* of REDUCED, where parts are joined */
	uint64_t refs, insns;  /* in front of the shard */
};

/* The sink. */
struct sink {
	struct trc_sink sink, *rows;
	struct asking *a;
	uint32_t have; /* columns of the original */
};

static int
begin(void *q, const char *input, struct trc_err *err)
{
	struct asking *a = q;

	(void)input;
	a->asked.quiet = trc_stat_of(a->asked.all).quiet;
	a->x.path[1] = a->asked.path;
	if (!a->asked.beside)
		return 0;
	a->x.path[0] = a->asked.beside;
	if (trc_certified_look(&a->x, a->asked.all, err))
		return -1;
	a->asked.beside_rows = a->x.rows;
	a->asked.beside_sum = a->x.fingerprint[0];
	return 0;
}

static void
end(void *q)
{
	struct asking *a = q;

	trc_certified_release(&a->x);
	free(a->path);
}

static int
take_before(void *q, const struct trc_batch *b, struct trc_err *err)
{
	struct asking *a = q;

	for (size_t i = 0; i < b->n; i++) {
		const uint8_t type = b->type ? b->type[i] & TRC_TYPE_MASK : TRC_READ;

		a->refs += trc_batch_is_event(b, i) ? 0 : trc_type_refs(type);
		a->insns += type == TRC_FETCH;
	}
	return trc_certified_rows(&a->x, b, err);
}

/* ---- the sink ---- */

static int
sink_put(struct trc_sink *sink, const struct trc_batch *b, struct trc_err *err)
{
	struct sink *s = (struct sink *)sink;

	trc_sink_inner(sink, s->rows);
	return trc_sink_put(s->rows, b, err);
}

/* That they part is an answer. */
static int
sink_finish(struct trc_sink *sink, const struct trc_meta *meta, struct trc_err *err)
{
	struct sink *s = (struct sink *)sink;

	s->rows->kept = false;
	if (trc_sink_finish(s->rows, meta, err) == 0) {
		s->a->x.r = trc_certify_size(s->rows, &s->a->x.scope);
		return 0;
	}
	if (!s->a->x.c.parted || err->code != TRC_FAILED)
		return -1;
	s->a->x.r = trc_certify_size(s->rows, &s->a->x.scope);
	s->a->parted = *err;
	*err = (struct trc_err){ 0 };
	return 0;
}

static int
sink_save(struct trc_sink *sink, struct trc_buf *state, struct trc_err *err)
{
	struct sink *s = (struct sink *)sink;
	struct trc_certified *x = &s->a->x;

	trc_sink_inner(sink, s->rows);
	if (trc_buf_put_counted(state, x->path[0], strlen(x->path[0]), err) ||
	    trc_buf_put_num(state, x->rows, err) || trc_buf_put_num(state, x->meta.rows, err) ||
	    trc_buf_put_num(state, x->fingerprint[0], err) || s->rows->save(s->rows, state, err))
		return -1;
	return trc_fingerprint_part_save(&x->original, state, err);
}

static int
take_path(struct asking *a, struct trc_view *state, struct trc_err *err)
{
	struct trc_view bytes;
	size_t n;

	if (!trc_view_counted(state, UINT64_MAX, &bytes))
		return trc_sink_damaged(err);
	n = (size_t)(bytes.end - bytes.p);
	free(a->path);
	a->x.path[0] = a->path = trc_alloc(n + 1, 1, err);
	if (!a->path)
		return -1;
	memcpy(a->path, bytes.p, n);
	return 0;
}

static int
sink_append(struct trc_sink *sink, struct trc_view *state, struct trc_err *err)
{
	struct sink *s = (struct sink *)sink;
	struct trc_certified *x = &s->a->x;

	if (take_path(s->a, state, err))
		return -1;
	if (!trc_view_num(state, &x->rows) || !trc_view_num(state, &x->meta.rows) ||
	    !trc_view_num(state, &x->fingerprint[0]))
		return trc_sink_damaged(err);
	if (s->rows->append(s->rows, state, err))
		return -1;
	trc_fingerprint_part_release(&x->original);
	if (trc_fingerprint_part_init(&x->original, s->have, 0, err))
		return -1;
	return trc_fingerprint_part_append(&x->original, state, err);
}

static void
sink_close(struct trc_sink *sink)
{
	trc_sink_close(((struct sink *)sink)->rows);
	free(sink);
}

static struct trc_sink *
open_sink(void *q, struct trc_job *job, struct trc_err *err)
{
	struct asking *a = q;
	const struct trc_asked *asked = &a->asked;
	const struct trc_certify_part part = { .first = asked->beside && asked->first,
		                               .refs = a->refs,
		                               .insns = a->insns };
	struct sink *s = trc_alloc(1, sizeof(*s), err);

	if (!s)
		return NULL;
	s->sink = (struct trc_sink){ .put = sink_put,
		                     .finish = sink_finish,
		                     .close = sink_close,
		                     .save = sink_save,
		                     .append = sink_append };
	s->a = a;
	s->have = job->src->have;
	s->rows = trc_certified_open(&a->x, asked->all, job, part, err);
	if (!s->rows) {
		free(s);
		return NULL;
	}
	return &s->sink;
}

/* ---- the answer ---- */

static int
print(void *q, const struct trc_job *job, struct trc_err *err)
{
	struct asking *a = q;

	(void)job;
	if (!a->x.c.parted)
		return trc_certified_print(&a->x, a->asked.all, err);
	*err = a->parted;
	return trc_certified_print_parted(&a->x, a->asked.all, err);
}

static const struct trc_opts *const shown[] = { &trc_stat_opts_json, &trc_stat_opts_quiet, NULL };

/* Bytes of a page: its places in two memories, twice in what waits for those in front on both sides
 * of them, and in the state. */
enum { PAGE_BYTES = 512 };

const struct trc_question trc_certify_question = { .size = sizeof(struct asking),
	                                           .path = true,
	                                           .beside = true,
	                                           .begin = begin,
	                                           .before = take_before,
	                                           .open = open_sink,
	                                           .print = print,
	                                           .end = end,
	                                           .page_bytes = PAGE_BYTES,
	                                           .shown = shown };
