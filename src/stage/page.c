/* SPDX-License-Identifier: MIT
 *
 * Converts addresses to pages. Times count the original references, before any is split: the first
 * reference has reference time 1, and the instruction time of a data reference is the number of
 * fetches before it.
 */
#include "batch/page_merge.h"
#include "stage/stage.h"
#include "stage/wrap.h"

enum { STEP = 64 }; /* rows that are checked together, without branches */

#define KEPT (TRC_HAS_TIME | TRC_HAS_ASID | TRC_HAS_TASK | TRC_HAS_CPN | TRC_HAS_EVENT)

/* The stage. */
struct page {
	struct trc_wrap wrap;
	unsigned bits;
	bool ranges;                   /* a row refers to all pages that a reference touches */
	bool merges, merged;           /* neighbours may be merged; some were */
	bool bytes;                    /* a row also has the bytes in its first and its last page */
	uint64_t refs, insns, touches; /* counted so far */
	uint64_t *total;               /* `refs`, for the code that opened the stage */
	uint64_t last_time;
	uint64_t piece; /* next part of row `at`, if that becomes several rows */
};

/* Computes the pages that row `i` touches: *first, and the number of pages after it. For a row that
 * extends past the last address the result is not 0, and the row is then rejected. */
static inline uint64_t
more_pages(const struct page *s, const struct trc_batch *in, size_t i, uint64_t *first)
{
	const uint64_t size = in->size && in->size[i] ? in->size[i] : 1;
	const uint64_t last = (in->addr[i] + (size - 1)) >> s->bits;

	*first = in->addr[i] >> s->bits;
	return (last - *first) & (UINT64_MAX >> s->bits);
}

/* Returns true if an invalidate applies to all pages. */
static bool
is_whole(const struct trc_batch *in, size_t i)
{
	return in->size && !in->size[i] && !in->vpn;
}

/* Returns the number of bytes that row `i` has in the first of its pages and, from bit 32 on, in
 * the last. */
static inline uint64_t
bytes_of(const struct page *s, const struct trc_batch *in, size_t i)
{
	const uint64_t page = UINT64_C(1) << s->bits, size = in->size[i] ? in->size[i] : 1;
	const uint64_t at = in->addr[i] & (page - 1), left = page - at;

	if (size <= left)
		return size | size << 32;
	return left | (((at + size - 1) & (page - 1)) + 1) << 32;
}

static inline void
put_row(const struct page *s, struct trc_batch *b, const struct trc_batch *in, size_t i,
        uint8_t type, uint64_t vpn, uint32_t pages)
{
	const size_t n = b->n++;

	b->type[n] = type;
	b->vpn[n] = vpn;
	if (s->ranges)
		b->size[n] = pages;
	if (s->bytes)
		b->addr[n] = bytes_of(s, in, i);
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

	put_row(s, b, in, i, TRC_EVENT, in->vpn ? in->vpn[i] : 0, 0);
	trc_batch_put_event(b, b->n - 1, text, strlen(text));
}

/* Writes a row that is not a reference, crosses pages, or is a modify: one part at a time, all
 * loads before the stores. */
static void
put_pieces(struct page *s, struct trc_batch *b, uint64_t first, uint64_t more)
{
	const struct trc_batch *in = &s->wrap.in;
	const size_t i = s->wrap.at;
	const uint8_t type = trc_batch_type(in, i);
	const bool deletes = type == TRC_INVALIDATE;
	const uint64_t pages = more + 1, pieces = pages * (deletes ? 1 : trc_type_refs(type));

	while (s->piece < pieces && b->n < b->cap) {
		const bool store = type == TRC_WRITE || (type == TRC_MODIFY && s->piece >= pages);
		const uint64_t at = s->piece % pages, and_more = s->ranges ? more - at : 0;

		if (at == 0 && !deletes) {
			s->refs++;
			s->insns += type == TRC_FETCH;
		}
		put_row(s, b, in, i,
		        deletes ? TRC_INVALIDATE :
		        store   ? TRC_WRITE :
		                  TRC_READ,
		        first + at, deletes && is_whole(in, i) ? 0 : (uint32_t)(and_more + 1));
		s->piece += and_more + 1;
		s->touches += deletes ? 0 : and_more + 1;
	}
	if (s->piece == pieces) {
		s->piece = 0;
		s->wrap.at++;
	}
}

struct trc_page_totals
trc_page_counted(const struct trc_source *pages)
{
	const struct page *s = (const struct page *)pages;

	return (struct trc_page_totals){ s->refs, s->insns,
		                         s->wrap.in.time ? s->last_time : s->refs, s->touches };
}

int
trc_meta_pages(struct trc_meta *meta, unsigned bits, const struct trc_page_totals *totals,
               struct trc_err *err)
{
	if (meta->page_bits && bits && meta->page_bits != bits)
		return trc_fail_as(err, TRC_USAGE, "the trace has pages of %llu bytes, not %llu",
		                   1ull << meta->page_bits, 1ull << bits);
	if (!meta->page_bits)
		meta->page_bits = bits;
	if (!meta->totals && totals) {
		meta->totals = true;
		meta->refs = totals->refs;
		meta->insns = totals->insns;
		meta->last_time = totals->last_time;
		meta->touches = totals->touches == totals->refs ? 0 : totals->touches;
	}
	return 0;
}

static enum trc_flow
end(struct page *s, struct trc_err *err)
{
	const struct trc_page_totals totals = trc_page_counted(&s->wrap.src);

	return trc_meta_pages(&s->wrap.src.meta, s->bits, s->wrap.in.rtime ? NULL : &totals, err) ||
	                       (s->merged && trc_meta_merged(&s->wrap.src.meta, err)) ?
	               TRC_FLOW_FAILED :
	               TRC_FLOW_END;
}

/* Returns true if each of STEP rows is one reference, judging by the types. */
static bool
are_single(const uint8_t *type)
{
	uint8_t others = 0;

	for (size_t i = 0; i < STEP; i++) {
		const uint8_t kind = type[i] & TRC_TYPE_MASK;

		others |= (uint8_t)((kind > TRC_MISC) | (kind == TRC_MODIFY));
	}
	return !others;
}

/* Returns true if none of STEP references appears to cross a page. It may appear so if one is as
 * long as a page, or begins a page and has size 0; and because of 32-bit arithmetic if pages have
 * at least 32 bits. */
static bool
are_within(const uint64_t *addr, const uint32_t *size, unsigned bits)
{
	const uint32_t in_page = (UINT32_C(1) << bits % 32) - 1;
	uint32_t over = 0;

	for (size_t i = 0; i < STEP; i++)
		over |= size[i] | (((uint32_t)addr[i] & in_page) + size[i] - 1);
	return bits < 32 && !(over & ~in_page);
}

/* Returns true if STEP rows from `at` on are plain, and stores their pages in `vpn`. */
static TRC_ALWAYS_INLINE bool
are_plain(const struct trc_batch *in, size_t at, unsigned bits, uint64_t *vpn)
{
	if (!are_single(in->type + at) ||
	    (in->size && !are_within(in->addr + at, in->size + at, bits)))
		return false;
	for (size_t i = 0; i < STEP; i++)
		vpn[i] = in->addr[at + i] >> bits;
	return true;
}

/* Returns how many rows from `at` on, at most `most`, are one reference to one page each, and
 * stores their pages in `vpn`. */
static size_t
plain_rows(const struct page *s, const struct trc_batch *in, size_t at, size_t most, uint64_t *vpn)
{
	const bool steps = in->type && !in->vpn && !in->event;
	size_t n = 0;

	while (steps && most - n >= STEP && are_plain(in, at + n, s->bits, vpn + n))
		n += STEP;
	for (; n < most; n++) {
		const size_t i = at + n;

		if ((in->type && TRC_UNLIKELY(trc_type_refs(in->type[i]) != 1)) ||
		    trc_batch_is_event(in, i))
			break;
		if (in->vpn)
			vpn[n] = in->vpn[i];
		else if (TRC_UNLIKELY(more_pages(s, in, i, &vpn[n]) > 0))
			break;
	}
	return n;
}

/* Merges `n` plain rows of the given types, whose pages begin at row b->n, into runs of the same
 * page, and returns the number of runs. */
static size_t
merge_rows(struct page *s, const uint8_t *type, size_t n, const struct trc_batch *b)
{
	struct trc_page_merge m = {
		type,           b->vpn + b->n, b->vpn + b->n, b->itime + b->n, b->rtime + b->n,
		b->type + b->n, s->insns,      s->refs
	};
	const size_t runs = trc_page_merge_form(0)(&m, n);

	s->insns = m.insns;
	s->refs = m.refs;
	s->merged |= runs < n;
	return runs;
}

/* Sets the types and times of `n` rows from `to` on, which are plain rows from row `at` on. */
static void
stamp_rows(struct page *s, const struct trc_batch *in, size_t at, const struct trc_batch *b,
           size_t to, size_t n)
{
	uint8_t *const dst = b->type + to;
	uint64_t *const itime = b->itime + to, *const rtime = b->rtime + to;
	uint64_t insns = s->insns;

	for (size_t i = 0; i < n; i++) {
		const uint8_t type = trc_batch_type(in, at + i);

		insns += type == TRC_FETCH;
		dst[i] = type == TRC_WRITE ? TRC_WRITE : TRC_READ;
		itime[i] = insns;
		rtime[i] = s->refs + 1 + i;
	}
	if (in->itime)
		memcpy(itime, in->itime + at, n * sizeof(*itime));
	if (in->rtime)
		memcpy(rtime, in->rtime + at, n * sizeof(*rtime));
	s->insns = insns;
	s->refs += n;
}

/* Moves plain rows column by column, as far as there are any. */
static void
put_plain(struct page *s, struct trc_batch *b)
{
	const struct trc_batch in = s->wrap.in;
	const size_t at = s->wrap.at, waiting = in.n - at, room = b->cap - b->n;
	const size_t n = plain_rows(s, &in, at, waiting < room ? waiting : room, b->vpn + b->n);

	s->wrap.at += n;
	s->touches += n;
	if (s->merges && in.type &&
	    !(in.have & (KEPT | TRC_HAS_VPN | TRC_HAS_ITIME | TRC_HAS_RTIME))) {
		b->n += merge_rows(s, in.type + at, n, b);
		return;
	}
	stamp_rows(s, &in, at, b, b->n, n);
	trc_batch_copy(b, &in, KEPT & ~(uint32_t)TRC_HAS_EVENT & in.have, at, n);
	if (b->event)
		memset(b->event + b->n, 0, n * sizeof(*b->event));
	for (size_t i = 0; s->ranges && i < n; i++)
		b->size[b->n + i] = 1;
	for (size_t i = 0; s->bytes && i < n; i++)
		b->addr[b->n + i] = bytes_of(s, &in, at + i);
	b->n += n;
}

/* Handles any row but an event. */
static int
put_references(struct page *s, struct trc_batch *b, struct trc_err *err)
{
	const struct trc_batch *in = &s->wrap.in;
	const size_t i = s->wrap.at;
	const uint8_t type = trc_batch_type(in, i);
	const bool deletes = type == TRC_INVALIDATE, refers = deletes || trc_type_refs(type) > 0;
	uint64_t first, more = 0;

	if (in->vpn)
		first = in->vpn[i];
	else
		more = more_pages(s, in, i, &first);
	if (more > 0 && refers && trc_batch_past_end(in, i))
		return trc_batch_fail_past_end(in, i, err);
	if (deletes && !s->ranges && is_whole(in, i))
		return trc_fail(err, "it has an invalidate of the whole cache (size 0), which a "
		                     "trace of pages cannot hold; use --drop invalidate");
	put_pieces(s, b, first, more);
	return 0;
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
			if (s->piece == 0)
				put_plain(s, b);
			if (w->at == in->n || b->n == b->cap)
				break;
			if (trc_batch_is_event(in, w->at))
				put_event(s, b, w->at++);
			else if (put_references(s, b, err))
				return TRC_FLOW_FAILED;
		}
		*s->total = s->refs;
		if (in->time && w->at > 0)
			s->last_time = in->time[w->at - 1];
	}
	return TRC_FLOW_ROWS;
}

static struct trc_source *
open_pages(struct trc_source *from, unsigned page_bits, bool ranges, bool merges, bool bytes,
           uint64_t *refs, struct trc_err *err)
{
	struct page *s;

	if (!(from->have & (TRC_HAS_ADDR | TRC_HAS_VPN))) {
		trc_fail(err, "the trace has neither addresses nor pages");
		return NULL;
	}
	s = trc_wrap_open(sizeof(*s), from,
	                  TRC_HAS_TYPE | TRC_HAS_VPN | TRC_HAS_ITIME | TRC_HAS_RTIME |
	                          (ranges ? TRC_HAS_SIZE : 0) | (bytes ? TRC_HAS_ADDR : 0) |
	                          (from->have & KEPT),
	                  page_next, err);
	if (!s)
		return NULL;
	s->bits = page_bits;
	s->ranges = ranges;
	s->merges = merges;
	s->bytes = bytes;
	s->total = refs;
	s->wrap.src.meta.page_bits = page_bits;
	return &s->wrap.src;
}

struct trc_source *
trc_stage_page(struct trc_source *from, unsigned page_bits, uint64_t *refs, struct trc_err *err)
{
	return open_pages(from, page_bits, false, false, false, refs, err);
}

struct trc_source *
trc_stage_page_merged(struct trc_source *from, unsigned page_bits, uint64_t *refs,
                      struct trc_err *err)
{
	return open_pages(from, page_bits, false, true, false, refs, err);
}

struct trc_source *
trc_stage_page_ranges(struct trc_source *from, unsigned page_bits, uint64_t *refs,
                      struct trc_err *err)
{
	return open_pages(from, page_bits, from->have & TRC_HAS_SIZE, false, false, refs, err);
}

struct trc_source *
trc_stage_page_requests(struct trc_source *from, unsigned page_bits, uint64_t *refs,
                        struct trc_err *err)
{
	if ((from->have & (TRC_HAS_ADDR | TRC_HAS_SIZE)) != (TRC_HAS_ADDR | TRC_HAS_SIZE) ||
	    page_bits > 30) {
		trc_fail_as(err, TRC_USAGE,
		            "--requests needs addresses and sizes of requests, and "
		            "pages below 2 GiB");
		return NULL;
	}
	return open_pages(from, page_bits, true, false, true, refs, err);
}

size_t
trc_page_rows(const struct trc_batch *b, size_t from, size_t most)
{
	size_t n = 0;

	if (!b->size)
		return most;
	for (; most - n >= STEP; n += STEP) {
		uint32_t any = 0;

		for (size_t i = 0; i < STEP; i++)
			any |= b->size[from + n + i];
		if (any > 1)
			break;
	}
	while (n < most && b->size[from + n] <= 1)
		n++;
	return n;
}
