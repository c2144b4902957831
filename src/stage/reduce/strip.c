/* SPDX-License-Identifier: MIT
 *
 * A trace through a cache: its misses, for simulations of other caches, or its traffic with the
 * memory below it.
 *
 * Stripping (T. R. Puzak, "Analysis of cache replacement algorithms", PhD thesis, University of
 * Massachusetts 1985; W.-H. Wang and J.-L. Baer, "Efficient trace-driven simulation methods for
 * cache performance analysis", ACM TOCS 1991). Let the filter be a direct-mapped cache with s sets.
 * Let the cache to simulate have lines of the same size, a power-of-two multiple of s sets,
 * selected by the low bits of the line number, and any number of ways. A reference that hits in the
 * filter is to the most recently used line of its set in the filter, and so of its set in the
 * cache, which contains a subset of these lines. So it hits there, too, and does not change which
 * line is the most recent. LRU, FIFO, random, and every policy that ignores repeated uses of the
 * most recent line give the same result without it. Only the dirty state of the line could change:
 * so the first write to a clean line of the filter is kept, which is a write to a clean line there.
 *
 *   So if all kept rows retain their types, the misses, the replaced lines, and the write-backs are
 *   exact, in every such cache that allocates on writes.
 *
 * For more ways it does not suffice to keep the misses: in a larger cache the hits that were left
 * out change what is replaced. trc_stage_drop() with a memory for each set handles that.
 *
 * Below a cache. A miss reads its line, whatever its type, but not if it writes all of it. Then the
 * replaced line is written if it was dirty. Lines in the cache at the end stay there. This is the
 * order of cache.h, and the traffic that memory, or the next cache, sees, for any ways and policy.
 */
#include "stage/reduce/strip.h"

#include <stdlib.h>

#include "base/bytes.h"
#include "stage/simulate/cache/cache_ways.h"
#include "stage/reduce/guarantee.h"
#include "stage/simulate/cache/regions.h"
#include "stage/wrap.h"

enum { WORD = 4 /* bytes of a reference in a trace without sizes, as in cache.h */ };

/* A row to output, with the stamps of the current row. */
struct due {
	uint64_t addr;
	uint32_t asid;
	uint8_t type;
	bool whole; /* covers the line */
};

/* The stage. */
struct strip {
	struct trc_wrap wrap;
	bool below, split;
	struct trc_ways ways[2]; /* for fetches and data; only one if not split */
	unsigned line_bits;
	uint64_t line;
	struct trc_regions regions;
	struct trc_guarantee guarantee;
	uint64_t *total, refs, insns, last_time; /* of the trace; refs is stored to *total */

	/* The rest of row `at`: pieces of `type`, and for a modify, pieces of a write after
	 * that. */
	bool begun;
	uint8_t type;
	uint64_t addr, left;
	struct due *due;
	size_t dues, due_at, due_cap;
};

static struct trc_ways *
ways_for(struct strip *s, uint8_t type)
{
	return &s->ways[s->split && type != TRC_FETCH];
}

static int
put_due(struct strip *s, uint64_t addr, uint32_t asid, uint8_t type, bool whole,
        struct trc_err *err)
{
	const struct trc_batch *in = &s->wrap.in;
	const uint8_t kernel = in->type ? in->type[s->wrap.at] & TRC_KERNEL : 0;

	if (trc_grow(&s->due, &s->due_cap, s->dues + 1, sizeof(*s->due), err))
		return -1;
	s->due[s->dues++] = (struct due){ addr, asid, type | kernel, whole };
	return 0;
}

/* Outputs the write-back of a line. */
static int
put_back(struct strip *s, uint64_t line, struct trc_err *err)
{
	uint64_t addr = line << s->line_bits;
	uint32_t asid = 0;

	if (s->wrap.in.asid)
		addr = trc_regions_origin(&s->regions, addr, &asid);
	return put_due(s, addr, asid, TRC_WRITE, true, err);
}

/* Refers to the line at `at`, which is `addr` in its space. */
static int
reference(struct strip *s, uint64_t at, uint64_t addr, bool whole, uint8_t type,
          struct trc_err *err)
{
	struct trc_ways *w = ways_for(s, type);
	const uint32_t asid = s->wrap.in.asid ? s->wrap.in.asid[s->wrap.at] : 0;
	const uint64_t line = at >> s->line_bits, dirty = type == TRC_WRITE ? TRC_WAY_DIRTY : 0;
	const bool was_dirty = w->recent[(line & w->set_mask) * w->stride] & TRC_WAY_DIRTY;
	const bool hit = trc_ways_use(w, line, dirty);
	uint64_t gone = 0;

	addr = addr >> s->line_bits << s->line_bits;
	if (!hit)
		gone = trc_ways_add(w, line, dirty);
	if (!s->below)
		return !hit || (dirty && !was_dirty) ? put_due(s, addr, asid, type, whole, err) : 0;
	if (!hit && !(type == TRC_WRITE && whole) && put_due(s, addr, asid, TRC_READ, true, err))
		return -1;
	return gone & TRC_WAY_DIRTY ? put_back(s, gone >> TRC_WAY_SHIFT, err) : 0;
}

/* Processes the next piece of the row; a piece lies in one region. */
static int
piece(struct strip *s, struct trc_err *err)
{
	const struct trc_batch *in = &s->wrap.in;
	const uint64_t room = s->line - (s->addr & (s->line - 1));
	const uint64_t n = s->left < room ? s->left : room, addr = s->addr;
	uint64_t at = addr;

	if (in->asid && trc_regions_place(&s->regions, in->asid[s->wrap.at], &at, err))
		return -1;
	s->addr += n;
	s->left -= n;
	return reference(s, at, addr, n == s->line, s->type, err);
}

/* Writes back all dirty lines of a cache, which keeps them. */
static int
put_all_back(struct strip *s, struct trc_ways *w, struct trc_err *err)
{
	for (uint64_t set = w->set_mask + 1; set-- > 0;) {
		uint64_t entry;
		size_t at = 0;

		while ((entry = trc_ways_clean_next(w, set, &at)))
			if (s->below && put_back(s, entry >> TRC_WAY_SHIFT, err))
				return -1;
	}
	return 0;
}

/* Processes a copy-back of a line, or an invalidate of the lines of its bytes; with size 0, of the
 * whole cache. Other caches get the row itself; the traffic below this cache has only the
 * write-backs that it causes. */
static int
order(struct strip *s, uint8_t type, struct trc_err *err)
{
	const struct trc_batch *in = &s->wrap.in;
	const size_t i = s->wrap.at;
	const bool all = in->size && in->size[i] == 0;
	struct trc_ways *data = ways_for(s, TRC_READ);
	uint64_t at = in->addr[i], line, last;

	if (type == TRC_INVALIDATE && trc_batch_past_end(in, i))
		return trc_batch_fail_past_end(in, i, err);
	if (in->asid && trc_regions_place(&s->regions, in->asid[i], &at, err))
		return -1;
	line = at >> s->line_bits;
	if (!s->below && put_due(s, in->addr[i], in->asid ? in->asid[i] : 0, type, false, err))
		return -1;
	if (type == TRC_COPY_BACK) {
		if (all)
			return put_all_back(s, data, err);
		return trc_ways_clean(data, line) && s->below ? put_back(s, line, err) : 0;
	}
	for (int k = 0; k <= s->split && all; k++)
		trc_ways_drop_all(&s->ways[k]);
	last = in->addr[i] + (in->size && !all ? in->size[i] - 1 : 0);
	for (line = in->addr[i] >> s->line_bits; !all && line <= last >> s->line_bits; line++) {
		at = line << s->line_bits;
		if (in->asid && trc_regions_place(&s->regions, in->asid[i], &at, err))
			return -1;
		for (int k = 0; k <= s->split; k++)
			trc_ways_drop(&s->ways[k], at >> s->line_bits);
	}
	return 0;
}

/* Begins with row `at`. */
static int
begin(struct strip *s, struct trc_err *err)
{
	const struct trc_batch *in = &s->wrap.in;
	const size_t i = s->wrap.at;
	const uint8_t type = trc_batch_type(in, i);

	s->begun = true;
	s->left = 0;
	s->type = type == TRC_MODIFY ? TRC_READ : type;
	s->refs += trc_type_refs(type);
	s->insns += type == TRC_FETCH;
	if (in->time)
		s->last_time = in->time[i];
	if (type == TRC_COPY_BACK || type == TRC_INVALIDATE)
		return order(s, type, err);
	if (trc_type_refs(type) == 0)
		return 0;
	if (trc_batch_past_end(in, i))
		return trc_batch_fail_past_end(in, i, err);
	s->addr = in->size ? in->addr[i] : in->addr[i] & ~(uint64_t)(WORD - 1);
	s->left = in->size ? (uint64_t)in->size[i] + (in->size[i] == 0) : WORD;
	return 0;
}

/* Continues with the second half of a modify, or the next row. */
static void
finish(struct strip *s)
{
	const struct trc_batch *in = &s->wrap.in;
	const size_t i = s->wrap.at;

	if (in->type && (in->type[i] & TRC_TYPE_MASK) == TRC_MODIFY && s->type == TRC_READ) {
		s->type = TRC_WRITE;
		s->addr = in->size ? in->addr[i] : in->addr[i] & ~(uint64_t)(WORD - 1);
		s->left = in->size ? (uint64_t)in->size[i] + (in->size[i] == 0) : WORD;
		return;
	}
	s->begun = false;
	s->wrap.at++;
}

/* Sets the instruction and reference time of row b->n if the trace has none. */
static void
put_times(const struct strip *s, struct trc_batch *b)
{
	const struct trc_batch *in = &s->wrap.in;
	const bool load_of_modify = s->begun && s->type == TRC_READ && in->type &&
	                            (in->type[s->wrap.at] & TRC_TYPE_MASK) == TRC_MODIFY;

	if (b->itime && !in->itime)
		b->itime[b->n] = s->insns;
	if (b->rtime && !in->rtime)
		b->rtime[b->n] = s->refs - load_of_modify;
}

static void
put_row(struct strip *s, struct trc_batch *b)
{
	const struct trc_batch *in = &s->wrap.in;
	const struct due *due = &s->due[s->due_at++];
	const size_t i = s->wrap.at, n = b->n;

	trc_batch_copy(b, in,
	               b->have & in->have & ~(uint32_t)(TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_SIZE),
	               i, 1);
	put_times(s, b);
	b->type[n] = due->type;
	b->addr[n] = due->addr;
	if (b->size)
		b->size[n] = (due->type & TRC_TYPE_MASK) == TRC_INVALIDATE ||
		                             (due->type & TRC_TYPE_MASK) == TRC_COPY_BACK ?
		                     in->size[i] :
		             due->whole ? (uint32_t)s->line :
		                          trc_strip_part(s->line);
	if (b->asid)
		b->asid[n] = due->asid;
	b->n++;
}

static int
end(struct strip *s, struct trc_err *err)
{
	struct trc_meta *meta = &s->wrap.src.meta;

	if (!meta->totals) {
		meta->totals = true;
		meta->refs = s->refs;
		meta->insns = s->insns;
		meta->last_time = s->wrap.in.time ? s->last_time : s->refs;
	}
	return trc_guarantee_cache(&meta->guarantee, &s->guarantee, err);
}

/* Continues with row `at` until there are rows to output, or it is done. */
static int
step(struct strip *s, struct trc_batch *b, struct trc_err *err)
{
	const struct trc_batch *in = &s->wrap.in;

	if (trc_batch_is_event(in, s->wrap.at)) {
		trc_batch_copy(b, in, b->have & in->have, s->wrap.at, 1);
		put_times(s, b);
		b->type[b->n++] = TRC_EVENT;
		s->wrap.at++;
		return 0;
	}
	if (!s->begun && begin(s, err))
		return -1;
	while (s->left > 0 && s->dues == 0)
		if (piece(s, err))
			return -1;
	if (s->left == 0 && s->dues == 0)
		finish(s);
	return 0;
}

/* Returns true if row `i` hits the most recently used line of its set, and changes nothing. */
static inline bool
passes(struct strip *s, const struct trc_batch *in, size_t i, uint8_t type, uint64_t at)
{
	const uint64_t more = in->size && in->size[i] ? in->size[i] - 1 : 0;
	const uint64_t clean = type == TRC_WRITE ? 0 : TRC_WAY_DIRTY;
	const uint64_t line = at >> s->line_bits;
	const struct trc_ways *w = ways_for(s, type);
	const uint64_t recent = w->recent[(line & w->set_mask) * w->stride];

	return trc_type_refs(type) == 1 &&
	       (recent | clean) == (line << TRC_WAY_SHIFT | TRC_WAY_HELD | TRC_WAY_DIRTY) &&
	       (at + more) >> s->line_bits == line;
}

/* Skips rows that only hit. */
static int
pass_hits(struct strip *s, struct trc_err *err)
{
	const struct trc_batch *in = &s->wrap.in;
	size_t i = s->wrap.at;

	if (s->begun)
		return 0;
	for (; i < in->n; i++) {
		const uint8_t type = trc_batch_type(in, i);
		uint64_t at = in->addr[i];

		if (trc_batch_is_event(in, i))
			break;
		if (in->asid && trc_regions_place(&s->regions, in->asid[i], &at, err))
			return -1;
		if (!passes(s, in, i, type, at))
			break;
		s->insns += type == TRC_FETCH;
	}
	s->refs += i - s->wrap.at;
	if (in->time && i > s->wrap.at)
		s->last_time = in->time[i - 1];
	s->wrap.at = i;
	return 0;
}

static enum trc_flow
strip_next(struct trc_source *src, struct trc_batch *b, struct trc_err *err)
{
	struct strip *s = (struct strip *)src;
	struct trc_wrap *w = &s->wrap;

	while (b->n < b->cap) {
		if (s->due_at < s->dues) {
			put_row(s, b);
			continue;
		}
		if (s->dues > 0) {
			s->dues = s->due_at = 0;
			if (s->left == 0)
				finish(s);
		}
		if (w->at == w->in.n) {
			const enum trc_flow flow = trc_wrap_pull(w, err);

			if (flow == TRC_FLOW_FAILED || (flow == TRC_FLOW_END && end(s, err)))
				return TRC_FLOW_FAILED;
			if (flow == TRC_FLOW_END)
				break;
		}
		if (pass_hits(s, err) || (w->at < w->in.n && step(s, b, err)))
			return TRC_FLOW_FAILED;
	}
	*s->total = s->refs;
	return b->n ? TRC_FLOW_ROWS : TRC_FLOW_END;
}

static void
strip_close(struct trc_source *src)
{
	struct strip *s = (struct strip *)src;

	trc_ways_release(&s->ways[0]);
	trc_ways_release(&s->ways[1]);
	trc_regions_release(&s->regions);
	free(s->due);
	trc_wrap_close(src);
}

struct trc_source *
trc_stage_strip(struct trc_source *from, const struct trc_cache_shape *shape, size_t shapes,
                bool below, uint64_t *refs, struct trc_err *err)
{
	const uint32_t kept = TRC_HAS_ADDR | TRC_HAS_SIZE | TRC_HAS_TIME | TRC_HAS_ASID |
	                      TRC_HAS_TASK | TRC_HAS_PC | TRC_HAS_ITIME | TRC_HAS_RTIME |
	                      TRC_HAS_EVENT;
	const uint32_t times = TRC_HAS_RTIME | (from->have & TRC_HAS_TYPE ? TRC_HAS_ITIME : 0);
	const uint32_t have = TRC_HAS_TYPE | (from->have & kept);
	struct strip *s;

	if (!(from->have & TRC_HAS_ADDR)) {
		trc_fail(err, "the trace has no addresses, which caches need");
		return NULL;
	}
	s = trc_wrap_open(sizeof(*s), from, have | times, strip_next, err);
	if (!s)
		return NULL;
	s->wrap.src.spare |= times & ~have;
	s->wrap.src.close = strip_close;
	s->below = below;
	s->split = shapes > 1;
	s->line = shape[0].line;
	s->line_bits = (unsigned)trc_ctz64(s->line);
	s->total = refs;
	s->guarantee = trc_cache_guarantee(shape, shapes, below);
	if (trc_regions_init(&s->regions, err) || trc_ways_init(&s->ways[0], &shape[0], err) ||
	    (shapes > 1 && trc_ways_init(&s->ways[1], &shape[1], err)))
		return trc_wrap_fail(&s->wrap.src);
	return &s->wrap.src;
}
