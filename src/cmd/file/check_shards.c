/* SPDX-License-Identifier: MIT
 *
 * trc stat --check of shards: what each finds in its rows, compared with its neighbours where they
 * are joined (stage/check.c), with the fingerprint of the whole, and its counts where there is an
 * index to compare them with. The state of a shard is numbers of base/buf.h:
 *
 *   flags       whether the last are there, the trace was several, its last line has no newline
 *   repaired    sectors, of the whole file: whoever meets a damaged one repairs all
 *   check       as in stage/check.c
 *   bytes, ...  and a state of batch/fingerprint_part.h
 *   counts      those of the index, and a state of batch/counts.h
 *   r, ...      of a reduced trace: the memory, whether pages are canonical, and a state of
 *               stage/reduce/again.h
 */
#include "cmd/file/check.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "batch/counts.h"
#include "batch/fingerprint_part.h"
#include "cmd/file/finding.h"
#include "cmd/stat/stat.h"
#include "stage/reduce/again.h"
#include "stage/reduce/join.h"

/* The sink: all that is looked at while rows pass. */
struct sink {
	struct trc_sink sink, *rows;
	const struct trc_job *job;
	struct trc_fingerprint_part fingerprint;
	bool indexed; /* there are counts: */
	struct trc_counts index;
	struct trc_tally *counter;
	uint64_t repaired;
	bool joined;  /* the trace was several */
	bool unended; /* its last line has no newline */
	bool any;     /* something was appended */

	struct trc_reduction how; /* of a reduced trace, or of what was appended of it: */
	struct trc_again *again;  /* NULL: it is not reduced again, */
	bool apart;               /* or not all of it, or not all alike */
};

/* The question, while it is asked. */
struct asking {
	struct trc_asked asked;
	struct trc_check check;
	struct sink *sink;
};

static int
begin(void *q, const char *input, struct trc_err *err)
{
	struct asking *a = q;

	(void)input;
	a->asked.quiet = trc_stat_of(a->asked.all).quiet;
	a->asked.numbered = UINT64_MAX;
	if (trc_check_usage(a->asked.all, err))
		return -1;
	if (trc_settings_named(a->asked.all, "jobs") || trc_settings_named(a->asked.all, "null"))
		return trc_fail_as(err, TRC_USAGE, "--jobs and --null: shards are of one trace");
	return 0;
}

/* ---- the sink ---- */

static int
sink_put(struct trc_sink *sink, const struct trc_batch *b, struct trc_err *err)
{
	struct sink *s = (struct sink *)sink;

	if (trc_fingerprint_part_add(&s->fingerprint, b, err) ||
	    (s->again && trc_again_put(s->again, b, err)) ||
	    (s->indexed && trc_tally_add(s->counter, b, err)))
		return -1;
	return trc_sink_put(s->rows, b, err);
}

static int
sink_finish(struct trc_sink *sink, const struct trc_meta *meta, struct trc_err *err)
{
	return trc_sink_finish(((struct sink *)sink)->rows, meta, err);
}

enum { INDEXED = 1, JOINED = 2, UNENDED = 4, AGAIN = 8, FLAGS_MOST = 15, DISTINCT = 1 };

/* The numbers of an index that counts are compared with. */
enum { COUNTS = TRC_TYPES + 10 };

static void
counts_of(struct trc_counts *c, uint64_t **number)
{
	uint64_t *const all[] = { &c->rows,      &c->by_kernel,  &c->refs,      &c->addr_first,
		                  &c->addr_last, &c->time_first, &c->time_last, &c->pages,
		                  &c->spaces,    &c->tasks };

	static_assert(TRC_COUNT(all) + TRC_TYPES == COUNTS, "a place for each");
	memcpy(number, all, sizeof(all));
	for (size_t i = 0; i < TRC_TYPES; i++)
		number[TRC_COUNT(all) + i] = &c->by_type[i];
}

static int
save_counts(struct sink *s, struct trc_buf *state, struct trc_err *err)
{
	uint64_t *number[COUNTS];

	counts_of(&s->index, number);
	if (trc_buf_put_num(state, s->index.distinct, err))
		return -1;
	for (size_t i = 0; i < COUNTS; i++)
		if (trc_buf_put_num(state, *number[i], err))
			return -1;
	return trc_tally_save(s->counter, state, err);
}

static int
save_fingerprint(const struct sink *s, struct trc_buf *state, struct trc_err *err)
{
	struct trc_buf b = { 0 };
	int ret = trc_fingerprint_part_save(&s->fingerprint, &b, err);

	if (ret == 0)
		ret = trc_buf_put_counted(state, b.p, b.n, err);
	trc_buf_release(&b);
	return ret;
}

static int
save_again(struct sink *s, struct trc_buf *state, struct trc_err *err)
{
	return trc_buf_put_num(state, s->how.r, err) ||
	                       trc_buf_put_num(state, s->how.scope.canonical, err) ?
	               -1 :
	               trc_again_save(s->again, state, err);
}

static int
sink_save(struct trc_sink *sink, struct trc_buf *state, struct trc_err *err)
{
	struct sink *s = (struct sink *)sink;
	const struct trc_meta *meta = &s->job->src->meta;
	const bool joined = s->joined || meta->joined, unended = s->unended || meta->unended;
	const uint64_t repaired = meta->repaired > s->repaired ? meta->repaired : s->repaired;

	const bool again = s->again && !s->apart;
	const uint64_t flags = (s->indexed ? INDEXED : 0) | (joined ? JOINED : 0) |
	                       (unended ? UNENDED : 0) | (again ? AGAIN : 0);

	if (trc_buf_put_num(state, flags, err) || trc_buf_put_num(state, repaired, err) ||
	    s->rows->save(s->rows, state, err) || save_fingerprint(s, state, err) ||
	    (s->indexed && save_counts(s, state, err)))
		return -1;
	return again ? save_again(s, state, err) : 0;
}

static int
append_fingerprint(struct sink *s, struct trc_view *state, struct trc_err *err)
{
	struct trc_view part;

	if (!trc_view_counted(state, UINT64_MAX, &part))
		return trc_sink_damaged(err);
	return trc_fingerprint_part_append(&s->fingerprint, &part, err);
}

static int
append_counts(struct sink *s, struct trc_view *state, struct trc_err *err)
{
	uint64_t *number[COUNTS], distinct;

	counts_of(&s->index, number);
	if (!trc_view_num(state, &distinct) || distinct > DISTINCT)
		return trc_sink_damaged(err);
	s->index.distinct = distinct;
	for (size_t i = 0; i < COUNTS; i++)
		if (!trc_view_num(state, number[i]))
			return trc_sink_damaged(err);
	return trc_tally_append(s->counter, state, err);
}

static int
append_again(struct sink *s, struct trc_view *state, struct trc_err *err)
{
	struct trc_reduction how = { .r = 0 };
	uint64_t canonical;

	if (!trc_view_num(state, &how.r) || !trc_view_num(state, &canonical) || canonical > 1 ||
	    how.r == 0 || (canonical && !(s->job->src->have & TRC_HAS_CPN)))
		return trc_sink_damaged(err);
	how.scope.canonical = canonical;
	if (!s->again) {
		s->how = how;
		s->again = trc_again_open(s->job->src->have, &how, err);
	}
	if (!s->again)
		return -1;
	s->apart |= s->how.r != how.r || s->how.scope.canonical != how.scope.canonical;
	return trc_again_append(s->again, state, err);
}

static int
sink_append(struct trc_sink *sink, struct trc_view *state, struct trc_err *err)
{
	struct sink *s = (struct sink *)sink;
	uint64_t flags, repaired;

	if (!trc_view_num(state, &flags) || flags > FLAGS_MOST || !trc_view_num(state, &repaired) ||
	    (s->any && s->indexed != ((flags & INDEXED) != 0)))
		return trc_sink_damaged(err);
	s->indexed = flags & INDEXED;
	s->joined |= (flags & JOINED) != 0;
	s->unended |= (flags & UNENDED) != 0;
	s->any = true;
	s->repaired = repaired > s->repaired ? repaired : s->repaired;
	s->apart |= !(flags & AGAIN);
	if (s->rows->append(s->rows, state, err) || append_fingerprint(s, state, err) ||
	    (s->indexed && append_counts(s, state, err)))
		return -1;
	return flags & AGAIN ? append_again(s, state, err) : 0;
}

static void
sink_close(struct trc_sink *sink)
{
	struct sink *s = (struct sink *)sink;

	trc_sink_close(s->rows);
	trc_fingerprint_part_release(&s->fingerprint);
	trc_tally_close(s->counter);
	trc_again_close(s->again);
	free(s);
}

/* What is left by windows, or for LRU alone, is not known of parts. */
static int
refuse_reduction(struct trc_err *err)
{
	return trc_fail(err, "the trace was reduced with --window or --olr, and --check reduces it "
	                     "again, which takes all of its records at once: check the whole");
}

/* Whether the shard is to be reduced again. */
static int
open_again(struct sink *s, const struct trc_guarantee *p, struct trc_err *err)
{
	const uint32_t have = s->job->src->have;

	if (!p || !trc_check_again(p, have, &s->how))
		return 0;
	if (!trc_drop_settles(&s->how))
		return refuse_reduction(err);
	s->again = trc_again_open(have, &s->how, err);
	return s->again ? 0 : -1;
}

static struct trc_sink *
open_sink(void *q, struct trc_job *job, struct trc_err *err)
{
	struct asking *a = q;
	struct sink *s;

	s = trc_alloc(1, sizeof(*s), err);
	if (!s)
		return NULL;
	s->sink = (struct trc_sink){ .put = sink_put,
		                     .finish = sink_finish,
		                     .close = sink_close,
		                     .save = sink_save,
		                     .append = sink_append };
	s->job = job;
	s->indexed = a->asked.index;
	if (a->asked.index)
		s->index = *a->asked.index;
	s->rows = trc_check_sink(&a->check, false, err);
	s->counter = s->rows ? trc_tally_open(TRC_COUNTS_PAGE_BITS, 0, err) : NULL;
	if (!s->counter || open_again(s, a->asked.guarantee, err) ||
	    trc_fingerprint_part_init(&s->fingerprint, job->src->have, a->asked.before, err)) {
		sink_close(&s->sink);
		return NULL;
	}
	a->sink = s;
	return &s->sink;
}

/* ---- the answer ---- */

/* Of a reduced trace, how many records the same reduction would drop. */
static int
find_dropped(const struct sink *s, const struct trc_guarantee *p, struct trc_finding *v,
             struct trc_err *err)
{
	struct trc_reduction how;
	uint64_t rows;

	if (!trc_check_again(p, v->have, &how))
		return 0;
	if (!trc_drop_settles(&how))
		return refuse_reduction(err);
	if (!s->again || s->apart || how.r != s->how.r ||
	    how.scope.canonical != s->how.scope.canonical)
		return trc_fail(err, "not all shards know how the trace was reduced, which --check "
		                     "does again: check the whole");
	if (trc_again_rows(s->again, &rows, err))
		return -1;
	trc_finding_dropped(v, rows);
	return 0;
}

static int
find_all(const struct asking *a, const struct trc_job *job, struct trc_finding *v,
         struct trc_err *err)
{
	const struct sink *s = a->sink;

	v->format = job->format->name;
	v->rows = a->check.rows;
	v->have = job->src->have;
	v->whole = true;
	v->claim = trc_claim_of(job->src->meta.provenance);
	v->claim.same = v->claim.same && !s->joined;
	v->fingerprint = trc_fingerprint_part_all(&s->fingerprint);
	if (s->indexed) {
		const struct trc_counts counts = trc_tally_counts(s->counter);

		trc_finding_counts(v, &s->index, &counts);
	}
	trc_finding_rows(v, &a->check, s->repaired);
	if (find_dropped(s, &job->src->meta.guarantee, v, err))
		return -1;
	trc_finding_end(v, &a->check, a->asked.name, trc_settings_named(a->asked.all, "from"),
	                s->unended || job->src->meta.unended);
	return 0;
}

static int
print(void *q, const struct trc_job *job, struct trc_err *err)
{
	struct asking *a = q;
	const struct trc_finding_form *form = trc_settings_of(a->asked.all, &trc_stat_opts_finding);
	const bool json = trc_stat_of(a->asked.all).json;
	struct trc_finding v = { .outcome = TRC_OUTCOME_GOOD };
	struct trc_out *out;
	int ret;

	if (find_all(a, job, &v, err))
		return -1;
	if (form->strict && v.outcome == TRC_OUTCOME_ODD)
		v.outcome = TRC_OUTCOME_WRONG;
	out = trc_out_open("-", false, err);
	ret = out ? 0 : -1;
	if (ret == 0 && form->tap)
		ret = trc_finding_begin_tap(1, out, err);
	if (ret == 0)
		ret = trc_finding_print(&v, a->asked.name, 0, form->tap, json, out, err);
	if (ret == 0)
		ret = trc_out_commit(out, err);
	trc_out_close(out);
	return ret ? ret : trc_finding_fail(v.outcome == TRC_OUTCOME_WRONG, 1, err);
}

static const struct trc_opts *const shown[] = { TRC_STAT_SHOWN, &trc_stat_opts_finding, NULL };

/* Bytes of a page in the counter, and of a row in fingerprints: 64 of 1024 of each column, in a
 * list with room to grow, and packed behind it. */
enum { PAGE_BYTES = 128, ROW_BYTES = 4 };

const struct trc_question trc_check_question = { .size = sizeof(struct asking),
	                                         .path = true,
	                                         .begin = begin,
	                                         .open = open_sink,
	                                         .print = print,
	                                         .page_bytes = PAGE_BYTES,
	                                         .row_bytes = ROW_BYTES,
	                                         .shown = shown };
