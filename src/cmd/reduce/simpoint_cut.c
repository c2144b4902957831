/* SPDX-License-Identifier: MIT
 *
 * Cuts the regions out of the trace in one pass. Regions may overlap: the warm-up of one may be
 * part of another. Their bounds are in instructions; records after an instruction, up to the next
 * one, belong to it.
 */
#include <stdio.h>
#include <stdlib.h>

#include "cmd/reduce/simpoint.h"

/* A sink that writes the regions. */
struct cutting {
	struct trc_sink sink;
	struct trc_simpoint *s;
	const struct trc_job *job;
	const struct trc_simpoint_to *to;
	uint64_t insns, rows; /* instructions and records read */
	uint64_t piece, next; /* instructions before the current piece, and before the next */
	struct trc_batch part;
};

static int
open_misses(const struct trc_simpoint *s, struct trc_misses **m, struct trc_err *err)
{
	*m = trc_alloc(1, sizeof(**m), err);
	return *m ? trc_misses_init(*m, TRC_SIMPOINT_LINE_BITS, s->lines, s->sizes, err) : -1;
}

static void
close_misses(struct trc_misses **m)
{
	if (*m)
		trc_misses_release(*m);
	free(*m);
	*m = NULL;
}

/* ---- a region ---- */

static int
open_file(struct cutting *c, struct trc_simpoint_region *r, struct trc_err *err)
{
	struct trc_job_out out = *c->to->out;
	char name[64], *path;

	out.publish.no_sync = true; /* the whole folder is synchronised instead */
	trc_simpoint_name(r, c->to->format, &out, name, sizeof(name));
	path = trc_folder_path(c->to->folder, name, err);
	r->sink = path ? trc_job_sink(c->job, path, c->to->format, &out, err) : NULL;
	free(path);
	return r->sink ? 0 : -1;
}

static int
note_region(const struct cutting *c, const struct trc_simpoint_region *r, struct trc_buf *list,
            struct trc_err *err)
{
	const struct trc_simpoint *s = c->s;
	char text[128];

	snprintf(text, sizeof(text), "region=interval %llu of %llu, instructions %llu to %llu",
	         (ull)r->interval, (ull)s->intervals, (ull)r->from + 1, (ull)r->to);
	if (trc_provenance_text(list, "note", text, err))
		return -1;
	snprintf(text, sizeof(text), "weight=%.9g", (double)r->weight / (double)s->insns);
	if (trc_provenance_text(list, "note", text, err))
		return -1;
	if (!s->keeps_warmup)
		return 0;
	snprintf(text, sizeof(text), "warmup=the first %llu instructions",
	         (ull)(r->from - r->warm));
	return trc_provenance_text(list, "note", text, err);
}

static int
end_file(struct cutting *c, struct trc_simpoint_region *r, struct trc_err *err)
{
	struct trc_meta meta = c->job->src->meta;
	struct trc_buf list = { 0 };
	int ret;

	meta.guarantee = c->to->known->guarantee;
	meta.page_bits = c->to->known->page_bits;
	trc_meta_excerpt(&meta);
	ret = trc_buf_put(&list, meta.provenance.p,
	                  (size_t)(meta.provenance.end - meta.provenance.p), err) ||
	                      note_region(c, r, &list, err) ?
	              -1 :
	              0;
	meta.provenance = trc_buf_view(&list);
	ret = ret ? ret : trc_sink_finish(r->sink, &meta, err);
	trc_sink_close(r->sink);
	r->sink = NULL;
	trc_buf_release(&list);
	return ret;
}

static int
begin_warming(struct cutting *c, struct trc_simpoint_region *r, struct trc_err *err)
{
	r->state = TRC_SIMPOINT_WARMING;
	return open_misses(c->s, &r->warming, err) || (c->s->keeps_warmup && open_file(c, r, err)) ?
	               -1 :
	               0;
}

static int
begin_region(struct cutting *c, struct trc_simpoint_region *r, struct trc_err *err)
{
	r->state = TRC_SIMPOINT_INSIDE;
	if (trc_misses_settle(r->warming, err) || open_misses(c->s, &r->alone, err) ||
	    (!r->sink && open_file(c, r, err)))
		return -1;
	r->warming->count = (struct trc_misses_count){ 0 };
	return 0;
}

static int
end_region(struct cutting *c, struct trc_simpoint_region *r, struct trc_err *err)
{
	r->state = TRC_SIMPOINT_DONE;
	if (trc_misses_settle(r->alone, err) || trc_misses_settle(r->warming, err))
		return -1;
	r->cold = r->alone->count;
	r->warmed = r->warming->count;
	close_misses(&r->alone);
	close_misses(&r->warming);
	return end_file(c, r, err);
}

/* ---- pieces: no region begins or ends within a piece ---- */

static void
take_least(uint64_t *least, uint64_t v, uint64_t above)
{
	if (v > above && v < *least)
		*least = v;
}

/* Begins a piece after `insns` instructions, where regions begin or end. */
static int
begin_piece(struct cutting *c, uint64_t insns, struct trc_err *err)
{
	c->piece = insns;
	c->next = UINT64_MAX;
	for (size_t i = 0; i < c->s->n; i++) {
		struct trc_simpoint_region *r = &c->s->region[i];

		if ((r->state == TRC_SIMPOINT_AHEAD && r->warm <= insns &&
		     begin_warming(c, r, err)) ||
		    (r->state == TRC_SIMPOINT_WARMING && r->from <= insns &&
		     begin_region(c, r, err)) ||
		    (r->state == TRC_SIMPOINT_INSIDE && r->to <= insns && end_region(c, r, err)))
			return -1;
		take_least(&c->next, r->warm, insns);
		take_least(&c->next, r->from, insns);
		take_least(&c->next, r->to, insns);
	}
	return 0;
}

/* Writes rows [from, to) of a batch to a region. If these are not the whole batch, c->part has a
 * copy of them. */
static int
put_rows(struct cutting *c, struct trc_simpoint_region *r, const struct trc_batch *b, size_t from,
         size_t to, struct trc_err *err)
{
	const struct trc_batch *rows = from == 0 && to == b->n ? b : &c->part;

	if (r->state != TRC_SIMPOINT_WARMING && r->state != TRC_SIMPOINT_INSIDE)
		return 0;
	if (r->state == TRC_SIMPOINT_INSIDE) {
		r->first = r->records ? r->first : c->rows + from;
		r->records += to - from;
		if (trc_misses_put(r->alone, b, from, to, err))
			return -1;
	}
	if (trc_misses_put(r->warming, b, from, to, err))
		return -1;
	return r->sink ? trc_sink_put(r->sink, rows, err) : 0;
}

static int
put_piece(struct cutting *c, const struct trc_batch *b, size_t from, size_t to, struct trc_err *err)
{
	if (to - from < b->n) {
		trc_batch_clear(&c->part);
		trc_batch_append(&c->part, b, from, to - from);
	}
	for (size_t i = 0; i < c->s->n; i++)
		if (put_rows(c, &c->s->region[i], b, from, to, err))
			return -1;
	return 0;
}

static int
cutting_put(struct trc_sink *sink, const struct trc_batch *b, struct trc_err *err)
{
	struct cutting *c = (struct cutting *)sink;
	size_t from = 0;

	for (size_t i = 0; i < b->n; i++) {
		if ((b->type[i] & TRC_TYPE_MASK) != TRC_FETCH || trc_batch_is_event(b, i))
			continue;
		if (c->insns == c->next) {
			if ((i > from && put_piece(c, b, from, i, err)) ||
			    begin_piece(c, c->insns, err))
				return -1;
			from = i;
		}
		c->insns++;
	}
	if (from < b->n && put_piece(c, b, from, b->n, err))
		return -1;
	c->rows += b->n;
	return 0;
}

static int
cutting_finish(struct trc_sink *sink, const struct trc_meta *meta, struct trc_err *err)
{
	struct cutting *c = (struct cutting *)sink;

	(void)meta;
	if (begin_piece(c, c->insns, err))
		return -1;
	for (size_t i = 0; i < c->s->n; i++)
		if (c->s->region[i].state != TRC_SIMPOINT_DONE)
			return trc_fail(err, "the input changed between two readings");
	return 0;
}

int
trc_simpoint_cut(struct trc_simpoint *s, struct trc_job *job, uint64_t insns, uint64_t rows,
                 const struct trc_simpoint_to *to, struct trc_err *err)
{
	struct cutting c = { .sink = { .put = cutting_put, .finish = cutting_finish },
		             .s = s,
		             .job = job,
		             .to = to,
		             .insns = insns,
		             .rows = rows };
	int ret = -1;

	if (trc_batch_init(&c.part, job->src->have, TRC_BATCH_ROWS, err) == 0 &&
	    begin_piece(&c, insns, err) == 0)
		ret = trc_job_pump(job, &c.sink, to->out->quiet, err);
	for (size_t i = 0; i < s->n; i++) {
		close_misses(&s->region[i].alone);
		close_misses(&s->region[i].warming);
		trc_sink_close(s->region[i].sink);
		s->region[i].sink = NULL;
	}
	trc_batch_release(&c.part);
	return ret;
}
