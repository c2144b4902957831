/* SPDX-License-Identifier: MIT
 * The functions that every call to a source or sink passes through, and the loop that connects the
 * two. */
#include "batch/flow.h"

#include <assert.h>
#include <stdlib.h>

#include "base/interrupt.h"
#include "batch/index.h"

bool
trc_meta_alike(const struct trc_meta *a, const struct trc_meta *b)
{
	return (a->page_bits == b->page_bits || !a->page_bits || !b->page_bits) &&
	       trc_guarantee_joins(&a->guarantee, &b->guarantee);
}

/* Keeps the facts that both traces have. */
static void
join_facts(struct trc_meta *meta, const struct trc_meta *next)
{
	size_t kept = 0;

	for (size_t i = 0; i < meta->facts; i++) {
		bool both = false;

		for (size_t k = 0; k < next->facts; k++)
			both |= meta->fact[i].number == next->fact[k].number &&
			        meta->fact[i].value == next->fact[k].value;
		if (both)
			meta->fact[kept++] = meta->fact[i];
	}
	meta->facts = kept;
}

void
trc_meta_join(struct trc_meta *meta, const struct trc_meta *next)
{
	if (meta->page_bits != next->page_bits)
		meta->page_bits = 0;
	trc_guarantee_join(&meta->guarantee, &next->guarantee);
	meta->rows += next->rows;
	meta->joined = true;
	meta->totals = meta->totals && next->totals;
	if (meta->touches || next->touches)
		meta->touches = trc_meta_touches(meta) + trc_meta_touches(next);
	meta->refs += next->refs;
	meta->insns += next->insns;
	meta->last_time = next->last_time;
	join_facts(meta, next);
}

void
trc_caveat_add(struct trc_caveat *caveat, const struct trc_caveat *more)
{
	size_t i = 0;

	if (more->rows == 0)
		return;
	while (i + 1 < TRC_CAVEATS && caveat[i].rows && strcmp(caveat[i].text, more->text) != 0)
		i++;
	caveat[i].text = more->text;
	caveat[i].columns = more->columns;
	caveat[i].rows += more->rows;
}

int
trc_meta_add_gaps(struct trc_meta *meta, const struct trc_meta *from, const char *of,
                  struct trc_gap **gap, size_t *cap, struct trc_err *err)
{
	if (trc_grow(gap, cap, meta->gaps + from->gaps, sizeof(**gap), err))
		return -1;
	for (size_t i = 0; i < from->gaps; i++) {
		(*gap)[meta->gaps] = from->gap[i];
		(*gap)[meta->gaps++].of = of;
	}
	meta->gap = *gap;
	return 0;
}

void
trc_meta_excerpt(struct trc_meta *meta)
{
	meta->totals = false;
	meta->refs = meta->insns = meta->last_time = meta->touches = 0;
}

void
trc_meta_filtered(struct trc_meta *meta)
{
	if (trc_guarantee_none(&meta->guarantee))
		trc_meta_excerpt(meta);
	else
		meta->guarantee.reduced |= TRC_PART;
}

bool
trc_meta_own_totals(const struct trc_meta *meta)
{
	return meta->totals && !(meta->guarantee.reduced & TRC_PART);
}

int
trc_meta_fail_cut(const char *name, uint64_t rows, struct trc_err *err)
{
	return trc_fail(err,
	                "%s: was cut at its start or end; the remaining %llu records are intact, "
	                "but other traces may have been joined to them; --salvage accepts these "
	                "records",
	                name, (ull)rows);
}

/* Checks, in every build, what every source must guarantee: it delivers rows with TRC_FLOW_ROWS,
 * and only then. A stage once delivered none, so the trace seemed to end and an empty file was
 * written. */
static enum trc_flow
check_flow(enum trc_flow flow, const struct trc_batch *b, struct trc_err *err)
{
	const bool rows = flow == TRC_FLOW_ROWS;

	if (flow == TRC_FLOW_FAILED || (rows == (b->n > 0) && b->n <= b->cap))
		return trc_batch_check(b, err) ? TRC_FLOW_FAILED : flow;
	trc_fail(err, "this trc is faulty: a source or a stage %s (stage/wrap.h)",
	         b->n > b->cap ? "gave more rows than fit" :
	         rows          ? "promised rows but gave none" :
	                         "gave rows after its end");
	return TRC_FLOW_FAILED;
}

static enum trc_flow
none_next(struct trc_source *src, struct trc_batch *b, struct trc_err *err)
{
	(void)src, (void)b, (void)err;
	return TRC_FLOW_END;
}

static void
none_close(struct trc_source *src)
{
	free(src);
}

struct trc_source *
trc_source_none(uint32_t have, const struct trc_meta *meta, struct trc_err *err)
{
	struct trc_source *src = trc_alloc(1, sizeof(*src), err);

	if (src)
		*src = (struct trc_source){
			.have = have, .meta = *meta, .next = none_next, .close = none_close
		};
	return src;
}

enum trc_flow
trc_source_next(struct trc_source *src, struct trc_batch *b, struct trc_err *err)
{
	assert(b->have == src->have && b->cap > 0);
	trc_batch_clear(b);
	if (trc_interrupted(err))
		return TRC_FLOW_FAILED;
	return check_flow(src->next(src, b, err), b, err);
}

enum trc_flow
trc_source_take(struct trc_source *src, size_t want, struct trc_slice *slice, struct trc_err *err)
{
	slice->lines = slice->before = 0;
	slice->again = false;
	return trc_interrupted(err) ? TRC_FLOW_FAILED : src->slices->take(src, want, slice, err);
}

enum trc_flow
trc_source_parse(struct trc_source *src, struct trc_slice *slice, struct trc_batch *b,
                 struct trc_err *err)
{
	assert(b->have == src->have && b->cap > 0);
	trc_batch_clear(b);
	if (trc_interrupted(err))
		return TRC_FLOW_FAILED;
	return check_flow(src->slices->parse(src, slice, b, err), b, err);
}

void
trc_slice_release(struct trc_slice *slice)
{
	if (slice->own)
		slice->release(slice->own);
	*slice = (struct trc_slice){ 0 };
}

int
trc_source_index(struct trc_source *src, const struct trc_index **index, struct trc_err *err)
{
	*index = NULL;
	return src->seek && src->seek->index ? src->seek->index(src, index, err) : 0;
}

struct trc_view
trc_source_provenance(struct trc_source *src)
{
	const struct trc_index *index = NULL;
	struct trc_err none;

	if (src->meta.provenance.p < src->meta.provenance.end ||
	    trc_source_index(src, &index, &none) || !index)
		return src->meta.provenance;
	return index->meta.provenance;
}

uint64_t
trc_source_left(const struct trc_source *src)
{
	return src->slices->left ? src->slices->left(src) : 0;
}

void
trc_source_close(struct trc_source *src)
{
	if (src)
		src->close(src);
}

int
trc_sink_put(struct trc_sink *sink, const struct trc_batch *b, struct trc_err *err)
{
	assert(b->n <= b->cap);
	if (trc_batch_check(b, err))
		return -1;
	return b->n ? sink->put(sink, b, err) : 0;
}

int
trc_sink_finish(struct trc_sink *sink, const struct trc_meta *meta, struct trc_err *err)
{
	return sink->partial || !sink->finish ? 0 : sink->finish(sink, meta, err);
}

int
trc_sink_save(struct trc_sink *sink, struct trc_buf *to, struct trc_err *err)
{
	struct trc_state s = { .writes = true, .to = to, .err = err };

	sink->state(sink, &s);
	return s.failed ? -1 : 0;
}

int
trc_sink_append(struct trc_sink *sink, struct trc_view from, struct trc_err *err)
{
	struct trc_state s = { .from = &from, .err = err };

	sink->state(sink, &s);
	if (from.p < from.end)
		trc_state_damaged(&s);
	return s.failed ? -1 : 0;
}

void
trc_sink_close(struct trc_sink *sink)
{
	if (sink && sink->close)
		sink->close(sink);
}

/* ---- one loop ---- */

enum trc_flow
trc_pump_some(struct trc_source *src, struct trc_sink *sink, size_t rows, uint64_t batches,
              struct trc_watch *watch, struct trc_err *err)
{
	enum trc_flow flow = TRC_FLOW_ROWS;
	struct trc_batch b;

	if (trc_batch_init(&b, src->have, rows, err))
		return TRC_FLOW_FAILED;
	while (flow == TRC_FLOW_ROWS && batches-- > 0) {
		flow = trc_source_next(src, &b, err);
		if (flow == TRC_FLOW_ROWS &&
		    (trc_sink_put(sink, &b, err) || (watch && watch->batch(watch, b.n, err))))
			flow = TRC_FLOW_FAILED;
	}
	trc_batch_release(&b);
	return flow;
}

int
trc_pump(struct trc_source *src, struct trc_sink *sink, size_t rows, struct trc_watch *watch,
         struct trc_err *err)
{
	return trc_pump_some(src, sink, rows, UINT64_MAX, watch, err) == TRC_FLOW_END ?
	               trc_sink_finish(sink, &src->meta, err) :
	               -1;
}
