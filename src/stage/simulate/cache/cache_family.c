/* SPDX-License-Identifier: MIT */
#include "stage/simulate/cache/cache_family.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "stage/simulate/cache/regions.h"

enum {
	WAYS_MOST = 64, /* of a stack, which is searched linearly */
};

/* The caches with one number of sets. A line is stored as its number + 1; 0 is a hole, or
 * unused. */
struct stack {
	uint64_t sets;
	size_t depth;   /* largest number of ways */
	uint64_t *line; /* set by set, the most recently used first */
	uint8_t *dirty; /* least number of ways with which each line is dirty; 0: clean */
	bool holes;     /* lines were deleted */

	/* By position, from 1: references that found their line there, or at depth + 1 if it was
	 * missing; references that moved this many lines down; and by ways, dirty lines that were
	 * pushed out. */
	uint64_t found[WAYS_MOST + 2], moved[WAYS_MOST + 1], pushed[WAYS_MOST + 1];
};

/* The stacks of lines of one size, in order of their number of sets. */
struct lines {
	unsigned bits;
	struct stack *stack;
	size_t n;
	uint64_t first; /* references to the first line of its set in all stacks */
};

/* The sink of a family of caches. */
struct family {
	struct trc_sink sink;
	const struct trc_cache_shape *shape;
	struct trc_cache_totals *totals;
	size_t n;

	struct lines *lines;
	size_t sizes;
	struct trc_regions regions;

	/* Caches that are simulated individually; NULL: in a stack. */
	struct trc_sink **alone;
	struct trc_cache_counts *count;
};

static bool
in_stack(const struct trc_cache_shape *s)
{
	return s->policy == TRC_CACHE_LRU && s->ways <= WAYS_MOST && !s->prefetch.how;
}

static uint64_t
sets_of(const struct trc_cache_shape *s)
{
	return s->size / s->line / s->ways;
}

/* Returns the entry for the line size of a shape, and the stack for its sets; the end if there is
 * none. */
static struct lines *
lines_for(const struct family *f, const struct trc_cache_shape *s)
{
	struct lines *l = f->lines;

	while (l < f->lines + f->sizes && UINT64_C(1) << l->bits != s->line)
		l++;
	return l;
}

static struct stack *
stack_for(const struct lines *l, uint64_t sets)
{
	struct stack *s = l->stack;

	while (s < l->stack + l->n && s->sets != sets)
		s++;
	return s;
}

/* ---- a stack ---- */

/* Returns the position of `line` in its set, from `from` on; the depth if it is not there. */
static size_t
place_of(const struct stack *s, const uint64_t *set, size_t from, uint64_t line)
{
	size_t k = from;

	while (k < s->depth && set[k] != line)
		k++;
	return k;
}

/* Takes `it` out of a set, where it may be at position `from` or later, below a hole. Returns its
 * position, or the depth if it is not there; sets *level to its dirty level. */
static size_t
take_out(const struct stack *s, uint64_t *line, uint8_t *dirty, size_t from, uint64_t it,
         uint8_t *level)
{
	const size_t k = s->holes ? place_of(s, line, from, it) : s->depth;

	if (k == s->depth)
		return k;
	*level = dirty[k];
	line[k] = dirty[k] = 0;
	return k;
}

/* Refers to a line that is not the first of its set: the lines above it, or above a hole, move down
 * by one, which pushes one line out of each cache with fewer ways. */
static void
refer(struct stack *s, uint64_t *line, uint8_t *dirty, uint64_t it, bool write)
{
	uint64_t above = it, here = it;
	uint8_t above_dirty = 0, level = 0;
	size_t k;

	for (k = 0; k < s->depth; k++) {
		here = line[k];
		level = dirty[k];
		line[k] = above;
		dirty[k] = above_dirty;
		if (here == it || here == 0)
			break;
		s->pushed[k + 1] += level - 1u < k + 1;
		above = here;
		above_dirty = level;
	}
	s->moved[k]++;
	if (k == s->depth)
		level = 0;
	else if (here == 0)
		k = take_out(s, line, dirty, k + 1, it, &level);
	s->found[k + 1]++;
	dirty[0] = write ? 1 : level && level < k + 1 ? (uint8_t)(k + 1) : level;
}

static void
line_reference(struct lines *l, uint64_t number, bool write)
{
	const uint64_t it = number + 1;

	for (size_t i = 0; i < l->n; i++) {
		struct stack *s = &l->stack[i];
		const size_t at = (size_t)(number & (s->sets - 1)) * s->depth;

		if (s->line[at] != it) {
			refer(s, s->line + at, s->dirty + at, it, write);
			continue;
		}
		if (!write || s->dirty[at] == 1) {
			/* Then it is the first in all stacks that follow. */
			if (i == 0)
				l->first++;
			for (; i > 0 && i < l->n; i++)
				l->stack[i].found[1]++;
			return;
		}
		s->found[1]++;
		s->dirty[at] = 1;
	}
}

/* ---- orders ---- */

/* Writes back the line at position `k` of a set, if it is dirty, and keeps it. */
static void
clean(struct stack *s, uint8_t *dirty, size_t k)
{
	for (size_t ways = dirty[k] > k + 1 ? dirty[k] : k + 1; dirty[k] && ways <= s->depth;
	     ways++)
		s->pushed[ways]++;
	dirty[k] = 0;
}

/* Deletes or cleans the line `number`. */
static void
order(struct lines *l, uint64_t number, bool deletes)
{
	for (size_t i = 0; i < l->n; i++) {
		struct stack *s = &l->stack[i];
		const size_t at = (size_t)(number & (s->sets - 1)) * s->depth;
		const size_t k = place_of(s, s->line + at, 0, number + 1);

		if (k == s->depth)
			continue;
		s->holes |= deletes;
		if (!deletes)
			clean(s, s->dirty + at, k);
		else
			s->line[at + k] = s->dirty[at + k] = 0;
	}
}

static void
order_all(struct lines *l, bool deletes)
{
	for (size_t i = 0; i < l->n; i++) {
		struct stack *s = &l->stack[i];

		for (size_t k = 0; k < s->sets * s->depth; k++)
			if (deletes)
				s->line[k] = s->dirty[k] = 0;
			else if (s->line[k])
				clean(s, s->dirty + k / s->depth * s->depth, k % s->depth);
	}
}

/* ---- rows ---- */

/* Replaces an address by one of its region, if there are several spaces or small lines. */
static int
place(struct family *f, const struct lines *l, const struct trc_batch *b, size_t i, uint64_t *addr,
      struct trc_err *err)
{
	if (!b->asid && l->bits > 1)
		return 0;
	return trc_regions_place(&f->regions, b->asid ? b->asid[i] : 0, addr, err);
}

/* Processes the references of a row to lines of one size: reads, then writes. */
static int
refer_lines(struct family *f, struct lines *l, const struct trc_batch *b, size_t i, uint64_t addr,
            uint64_t last, struct trc_err *err)
{
	const uint8_t type = trc_batch_type(b, i);

	for (int write = 0; write < 2; write++) {
		if (type != TRC_MODIFY && (type == TRC_WRITE) != write)
			continue;
		for (uint64_t k = addr >> l->bits;; k++) {
			uint64_t at = k << l->bits;

			if (place(f, l, b, i, &at, err))
				return -1;
			line_reference(l, at >> l->bits, write);
			if (k == last >> l->bits)
				break;
		}
	}
	return 0;
}

static int
order_lines(struct family *f, struct lines *l, const struct trc_batch *b, size_t i,
            struct trc_err *err)
{
	const bool deletes = trc_batch_type(b, i) == TRC_INVALIDATE, sized = b->size && b->size[i];
	const uint64_t last = b->addr[i] + (deletes && sized ? b->size[i] - 1 : 0);

	if (b->size && !sized) {
		order_all(l, deletes);
		return 0;
	}
	for (uint64_t k = b->addr[i] >> l->bits;; k++) {
		uint64_t at = k << l->bits;

		if (place(f, l, b, i, &at, err))
			return -1;
		order(l, at >> l->bits, deletes);
		if (k == last >> l->bits)
			return 0;
	}
}

static int
row(struct family *f, const struct trc_batch *b, size_t i, struct trc_err *err)
{
	const uint8_t type = trc_batch_type(b, i);
	const bool orders = type == TRC_COPY_BACK || type == TRC_INVALIDATE;
	const uint64_t addr = b->size ? b->addr[i] : b->addr[i] & ~(uint64_t)(TRC_CACHE_WORD - 1);
	const uint64_t size = !b->size ? TRC_CACHE_WORD : b->size[i] ? b->size[i] : 1;

	if (!orders && trc_type_refs(type) == 0)
		return 0;
	if (type != TRC_COPY_BACK && trc_batch_past_end(b, i))
		return trc_batch_fail_past_end(b, i, err);
	for (size_t k = 0; k < f->sizes; k++)
		if (orders ? order_lines(f, &f->lines[k], b, i, err) :
		             refer_lines(f, &f->lines[k], b, i, addr, addr + (size - 1), err))
			return -1;
	return 0;
}

/* Returns true if row `i` is one reference to one line, which has all words that it touches. */
static inline bool
is_single(const struct lines *l, const struct trc_batch *b, size_t i)
{
	const uint64_t addr = b->addr[i];

	return trc_type_refs(trc_batch_type(b, i) & TRC_TYPE_MASK) == 1 &&
	       (!b->size || (addr + b->size[i] - (b->size[i] > 0)) >> l->bits == addr >> l->bits);
}

/* Processes a row; the most frequent ones, to the first line of its set in all stacks, without
 * branches that depend on the line. */
static inline int
plain_row(struct family *f, const struct trc_batch *b, size_t i, struct trc_err *err)
{
	struct lines *const l = f->lines;
	const bool write = (trc_batch_type(b, i) & TRC_TYPE_MASK) == TRC_WRITE;
	const uint64_t number = b->addr[i] >> l->bits;
	const struct stack *s = l->stack;
	const size_t at = (size_t)(number & (s->sets - 1)) * s->depth;
	const bool single = is_single(l, b, i);
	const bool first = single & (s->line[at] == number + 1) & (!write | (s->dirty[at] == 1));

	l->first += first;
	if (first)
		return 0;
	if (TRC_UNLIKELY(!single))
		return row(f, b, i, err);
	line_reference(l, number, write);
	return 0;
}

static int
family_put(struct trc_sink *sink, const struct trc_batch *b, struct trc_err *err)
{
	struct family *f = (struct family *)sink;
	const bool plain = f->sizes == 1 && f->lines->bits > 1 && !b->asid;

	if (!b->addr)
		return trc_fail(err, "the trace has no addresses, which caches need");
	for (size_t i = 0; i < f->n; i++)
		if (f->alone[i] && trc_sink_put(f->alone[i], b, err))
			return -1;
	if (f->sizes == 0)
		return 0;
	for (size_t i = 0; i < b->n; i++)
		if (!trc_batch_is_event(b, i) &&
		    (plain ? plain_row(f, b, i, err) : row(f, b, i, err)))
			return -1;
	return 0;
}

/* ---- results ---- */

static void
sum_alone(const struct trc_cache_counts *k, struct trc_cache_totals *t)
{
	*t = (struct trc_cache_totals){ .writebacks = k->writebacks_end };
	for (size_t type = 0; type < TRC_TYPES; type++) {
		t->refs += k->refs[type];
		t->misses += k->misses[type];
		t->evictions += k->evictions[type];
		t->writebacks += k->writebacks[type];
		t->prefetches += k->prefetches[type];
		t->prefetched += k->prefetched[type];
		t->useful += k->useful[type];
	}
}

/* Returns the number of dirty lines that a cache with this many ways holds. */
static uint64_t
dirty_at_end(const struct stack *s, size_t ways)
{
	uint64_t n = 0;

	for (size_t i = 0; i < s->sets * s->depth; i++)
		n += i % s->depth < ways && s->dirty[i] - 1u < ways;
	return n;
}

static void
sum_stack(const struct lines *l, const struct stack *s, size_t ways, struct trc_cache_totals *t)
{
	*t = (struct trc_cache_totals){ .refs = l->first, .writebacks = s->pushed[ways] };
	for (size_t k = 1; k <= s->depth + 1; k++) {
		t->refs += s->found[k];
		t->misses += k > ways ? s->found[k] : 0;
	}
	for (size_t n = ways; n <= s->depth; n++)
		t->evictions += s->moved[n];
}

/* Sums up the counts of cache `i`, with or without the write-backs at the `end`. */
static void
total(const struct family *f, size_t i, bool end, struct trc_cache_totals *t)
{
	const struct trc_cache_shape *s = &f->shape[i];
	const struct lines *l = in_stack(s) ? lines_for(f, s) : NULL;
	const struct stack *stack = l ? stack_for(l, sets_of(s)) : NULL;

	if (!l) {
		sum_alone(&f->count[i], t);
		return;
	}
	sum_stack(l, stack, (size_t)s->ways, t);
	t->writebacks += end ? dirty_at_end(stack, (size_t)s->ways) : 0;
}

void
trc_cache_family_totals(const struct trc_sink *sink, struct trc_cache_totals *totals)
{
	const struct family *f = (const struct family *)sink;

	for (size_t i = 0; i < f->n; i++)
		total(f, i, false, &totals[i]);
}

static int
family_finish(struct trc_sink *sink, const struct trc_meta *meta, struct trc_err *err)
{
	struct family *f = (struct family *)sink;

	for (size_t i = 0; i < f->n; i++) {
		if (f->alone[i] && trc_sink_finish(f->alone[i], meta, err))
			return -1;
		total(f, i, true, &f->totals[i]);
	}
	return 0;
}

void
trc_cache_family_forget(struct trc_sink *sink)
{
	struct family *f = (struct family *)sink;

	memset(f->count, 0, f->n * sizeof(*f->count));
	for (size_t i = 0; i < f->sizes; i++) {
		struct lines *l = &f->lines[i];

		l->first = 0;
		for (size_t k = 0; k < l->n; k++) {
			memset(l->stack[k].found, 0, sizeof(l->stack[k].found));
			memset(l->stack[k].moved, 0, sizeof(l->stack[k].moved));
			memset(l->stack[k].pushed, 0, sizeof(l->stack[k].pushed));
		}
	}
}

static void
family_close(struct trc_sink *sink)
{
	struct family *f = (struct family *)sink;

	for (size_t i = 0; f->alone && i < f->n; i++)
		if (f->alone[i])
			trc_sink_close(f->alone[i]);
	for (size_t i = 0; i < f->sizes; i++) {
		for (size_t k = 0; k < f->lines[i].n; k++) {
			free(f->lines[i].stack[k].line);
			free(f->lines[i].stack[k].dirty);
		}
		free(f->lines[i].stack);
	}
	trc_regions_release(&f->regions);
	free(f->lines);
	free(f->alone);
	free(f->count);
	free(f);
}

/* ---- opening ---- */

/* Adds a shape to the stack for its sets; there is room for it. */
static int
add_shape(struct family *f, const struct trc_cache_shape *shape, struct trc_err *err)
{
	const uint64_t sets = sets_of(shape);
	struct lines *l = lines_for(f, shape);
	struct stack *s;

	if (l == f->lines + f->sizes) {
		*l = (struct lines){ .bits = (unsigned)trc_ctz64(shape->line) };
		l->stack = trc_alloc(f->n, sizeof(*l->stack), err);
		if (!l->stack)
			return -1;
		f->sizes++;
	}
	s = stack_for(l, sets);
	l->n += s == l->stack + l->n;
	s->sets = sets;
	s->depth = s->depth > shape->ways ? s->depth : (size_t)shape->ways;
	return 0;
}

static int
by_sets(const void *a, const void *b)
{
	const struct stack *x = a, *y = b;

	return (x->sets > y->sets) - (x->sets < y->sets);
}

static int
open_stacks(struct lines *l, struct trc_err *err)
{
	qsort(l->stack, l->n, sizeof(*l->stack), by_sets);
	for (size_t i = 0; i < l->n; i++) {
		struct stack *s = &l->stack[i];
		const size_t lines = (size_t)s->sets * s->depth;

		s->line = trc_alloc(lines, sizeof(*s->line), err);
		s->dirty = s->line ? trc_alloc(lines, sizeof(*s->dirty), err) : NULL;
		if (!s->dirty)
			return -1;
	}
	return 0;
}

static int
open_family(struct family *f, struct trc_err *err)
{
	f->alone = trc_alloc(f->n, sizeof(*f->alone), err);
	f->count = f->alone ? trc_alloc(f->n, sizeof(*f->count), err) : NULL;
	f->lines = f->count ? trc_alloc(f->n, sizeof(*f->lines), err) : NULL;
	if (!f->lines || trc_regions_init(&f->regions, err))
		return -1;
	for (size_t i = 0; i < f->n; i++) {
		if (in_stack(&f->shape[i])) {
			if (add_shape(f, &f->shape[i], err))
				return -1;
			continue;
		}
		f->alone[i] = trc_cache_sink(&f->shape[i], 1, &f->count[i], err);
		if (!f->alone[i])
			return -1;
	}
	for (size_t i = 0; i < f->sizes; i++)
		if (open_stacks(&f->lines[i], err))
			return -1;
	return 0;
}

struct trc_sink *
trc_cache_family_sink(const struct trc_cache_shape *shape, size_t n,
                      struct trc_cache_totals *totals, struct trc_err *err)
{
	struct family *f = trc_alloc(1, sizeof(*f), err);

	if (!f)
		return NULL;
	f->sink = (struct trc_sink){ .put = family_put,
		                     .finish = family_finish,
		                     .close = family_close };
	f->shape = shape;
	f->totals = totals;
	f->n = n;
	if (open_family(f, err) == 0)
		return &f->sink;
	family_close(&f->sink);
	return NULL;
}
