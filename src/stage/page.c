/* SPDX-License-Identifier: MIT
 *
 * From addresses to pages. Times are counted over the original references, before any is split:
 * the first reference has reference time 1, and a data reference the number of fetches up to and
 * including the one before it.
 */
#include "stage/stage.h"
#include "stage/wrap.h"

struct page {
	struct trc_wrap wrap;
	unsigned bits;
	uint64_t refs, insns; /* counted so far */
	uint64_t *total;      /* `refs`, for whoever opened the stage */
	uint64_t last_time;
	uint64_t piece;       /* of row `at`, which is several references: the next to come */
};

/* The pages that row `i` touches: *first, and how many follow it upwards. Addresses wrap. */
static inline uint64_t
more_pages(const struct page *s, const struct trc_batch *in, size_t i, uint64_t *first)
{
	const uint64_t size = in->size && in->size[i] ? in->size[i] : 1;
	const uint64_t last = (in->addr[i] + (size - 1)) >> s->bits;

	*first = in->addr[i] >> s->bits;
	return (last - *first) & (UINT64_MAX >> s->bits);
}

static inline void
put_row(const struct page *s, struct trc_batch *b, const struct trc_batch *in, size_t i,
        uint8_t type, uint64_t vpn)
{
	const size_t n = b->n++;

	b->type[n] = type;
	b->vpn[n] = vpn;
	b->itime[n] = in->itime ? in->itime[i] : s->insns;
	b->rtime[n] = in->rtime ? in->rtime[i] : s->refs;
	if (b->event)
		b->event[n] = 0;
	if (b->time)
		b->time[n] = in->time[i];
	if (b->asid)
		b->asid[n] = in->asid[i];
	if (b->task)
		b->task[n] = in->task[i];
	if (b->cpn)
		b->cpn[n] = in->cpn[i];
}

static void
put_event(struct page *s, struct trc_batch *b, size_t i)
{
	const struct trc_batch *in = &s->wrap.in;
	const char *text = trc_batch_event(in, i);

	put_row(s, b, in, i, TRC_EVENT, in->vpn ? in->vpn[i] : 0);
	trc_batch_put_event(b, b->n - 1, text, strlen(text));
}

/* A row that is no reference, crosses pages, or is a modify: a piece at a time, all loads before
 * the stores. */
static void
put_pieces(struct page *s, struct trc_batch *b, uint64_t first, uint64_t more)
{
	const struct trc_batch *in = &s->wrap.in;
	const size_t i = s->wrap.at;
	const uint8_t type = in->type ? in->type[i] & TRC_TYPE_MASK : TRC_READ;
	const uint64_t pages = more + 1, pieces = pages * trc_type_refs(type);

	for (; s->piece < pieces && b->n < b->cap; s->piece++) {
		bool store = type == TRC_WRITE || (type == TRC_MODIFY && s->piece >= pages);

		if (s->piece % pages == 0) {
			s->refs++;
			s->insns += type == TRC_FETCH;
		}
		put_row(s, b, in, i, store ? TRC_WRITE : TRC_READ,
		        (first + s->piece % pages) & (UINT64_MAX >> s->bits));
	}
	if (s->piece == pieces) {
		s->piece = 0;
		s->wrap.at++;
	}
}

/* Totals are known once all rows came; those of the original trace stand, and so does its page
 * size, which a trace of pages may tell only here. */
static enum trc_flow
end(struct page *s, struct trc_err *err)
{
	struct trc_meta *meta = &s->wrap.src.meta;

	if (meta->page_bits && s->bits && meta->page_bits != s->bits) {
		trc_fail_as(err, TRC_USAGE, "the trace has pages of %llu bytes, not %llu",
		            1ull << meta->page_bits, 1ull << s->bits);
		return TRC_FLOW_FAILED;
	}
	if (!meta->page_bits)
		meta->page_bits = s->bits;
	if (!meta->totals && !s->wrap.in.rtime) {
		meta->totals = true;
		meta->refs = s->refs;
		meta->insns = s->insns;
		meta->last_time = s->wrap.in.time ? s->last_time : s->refs;
	}
	return TRC_FLOW_END;
}

static enum trc_flow
page_next(struct trc_source *src, struct trc_batch *b, struct trc_err *err)
{
	struct page *s = (struct page *)src;
	struct trc_wrap *w = &s->wrap;
	const struct trc_batch *in = &w->in;

	while (b->n == 0) {
		enum trc_flow flow = trc_wrap_pull(w, err);

		if (flow != TRC_FLOW_ROWS)
			return flow == TRC_FLOW_END ? end(s, err) : flow;
		while (w->at < in->n && b->n < b->cap) {
			const uint8_t type = in->type ? in->type[w->at] & TRC_TYPE_MASK : TRC_READ;
			uint64_t first, more = 0;

			if (TRC_UNLIKELY(trc_batch_is_event(in, w->at))) {
				put_event(s, b, w->at++);
				continue;
			}
			if (in->vpn)
				first = in->vpn[w->at];
			else
				more = more_pages(s, in, w->at, &first);
			if (TRC_UNLIKELY((more > 0) | (trc_type_refs(type) != 1))) {
				put_pieces(s, b, first, more);
				continue;
			}
			s->refs++;
			s->insns += type == TRC_FETCH;
			put_row(s, b, in, w->at++, type == TRC_WRITE ? TRC_WRITE : TRC_READ, first);
		}
		*s->total = s->refs;
		if (in->time && w->at > 0)
			s->last_time = in->time[w->at - 1];
	}
	return TRC_FLOW_ROWS;
}

struct trc_source *
trc_stage_page(struct trc_source *from, unsigned page_bits, uint64_t *refs,
               struct trc_err *err)
{
	const uint32_t kept = TRC_HAS_TIME | TRC_HAS_ASID | TRC_HAS_TASK | TRC_HAS_CPN |
	                      TRC_HAS_EVENT;
	struct page *s;

	if (!(from->have & (TRC_HAS_ADDR | TRC_HAS_VPN))) {
		trc_fail(err, "the trace has neither addresses nor pages");
		return NULL;
	}
	s = trc_wrap_open(sizeof(*s), from,
	                  TRC_HAS_TYPE | TRC_HAS_VPN | TRC_HAS_ITIME | TRC_HAS_RTIME |
	                          (from->have & kept),
	                  page_next, err);
	if (!s)
		return NULL;
	s->bits = page_bits;
	s->total = refs;
	s->wrap.src.meta.page_bits = page_bits;
	return &s->wrap.src;
}
