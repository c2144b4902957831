/* SPDX-License-Identifier: MIT */
#include "stage/simulate/cache/cache_slice.h"
#include "base/map_find.h"

#include <stdlib.h>

/* The fate of an open line: it stayed, was written, or was replaced. The last, and larger numbers,
 * include the type of the reference. */
enum fate { STAYED, WRITTEN, REPLACED };

/* A line that the cache may have held before the slice. */
struct trc_cache_open {
	uint64_t line;
	uint8_t type; /* of its first reference */
	bool whole;   /* whose first reference covered it */
	uint8_t fate;
	uint32_t share, gone; /* share of that reference, and of the one that replaced the line */
};

/* The bits of an open line in a state: type, whole, fate. */
enum { TYPE_BITS = 4, WHOLE = 1 << TYPE_BITS, FATE_SHIFT = 5 };

int
trc_cache_slice_init(struct trc_cache_slice *p, struct trc_ways *ways,
                     struct trc_cache_counts *count, unsigned line_bits, struct trc_err *err)
{
	*p = (struct trc_cache_slice){ .ways = ways, .count = count, .line_bits = line_bits };
	p->staying = trc_alloc((size_t)ways->set_mask + 1, sizeof(*p->staying), err);
	return p->staying ? trc_map_init(&p->map, err) : -1;
}

void
trc_cache_slice_release(struct trc_cache_slice *p)
{
	trc_map_release(&p->map);
	free(p->open);
	free(p->staying);
	*p = (struct trc_cache_slice){ .n = 0 };
}

/* Returns the open line `line`; NULL if it is not open. */
static struct trc_cache_open *
find_open(const struct trc_cache_slice *p, uint64_t line)
{
	const uint32_t at = trc_map_find(&p->map, 0, line)->value;

	return at == TRC_MAP_NONE ? NULL : &p->open[at];
}

static int
add_open(struct trc_cache_slice *p, uint64_t line, bool whole, enum trc_type type, uint32_t share,
         struct trc_err *err)
{
	if (trc_grow(&p->open, &p->cap, p->n + 1, sizeof(*p->open), err) ||
	    trc_map_add(&p->map, 0, line, (uint32_t)p->n, err))
		return -1;
	p->open[p->n++] = (struct trc_cache_open){ .line = line,
		                                   .type = (uint8_t)type,
		                                   .whole = whole,
		                                   .fate = type == TRC_WRITE ? WRITTEN : STAYED,
		                                   .share = share,
		                                   .gone = TRC_CACHE_NOBODY };
	p->staying[line & p->ways->set_mask] += type != TRC_WRITE;
	return 0;
}

/* Sets the fate of a line that is open and still undecided. Most sets soon have none. */
static void
decide_fate(struct trc_cache_slice *p, uint64_t line, uint8_t fate, uint32_t share)
{
	uint32_t *staying = &p->staying[line & p->ways->set_mask];
	struct trc_cache_open *open = *staying ? find_open(p, line) : NULL;

	if (!open || open->fate != STAYED)
		return;
	open->fate = fate;
	--*staying;
	open->gone = share;
}

/* Notes that a reference replaced a line. */
static void
replace(struct trc_cache_slice *p, uint64_t line, bool dirty, uint8_t type, uint32_t share)
{
	struct trc_cache_sum *sum;

	if (dirty && share != TRC_CACHE_WARM) {
		p->count->writebacks[type]++;
		if (p->joining && (sum = trc_cache_share_at(p->shares, share, p->cache)))
			sum->writebacks++;
	}
	decide_fate(p, line, dirty ? WRITTEN : (uint8_t)(REPLACED + type), share);
}

static void
count_miss(struct trc_cache_slice *p, bool whole, uint8_t type, bool evicts, uint32_t share)
{
	struct trc_cache_sum *sum;

	if (share == TRC_CACHE_WARM)
		return;
	p->count->misses[type]++;
	p->count->filled += type != TRC_WRITE || !whole;
	p->count->evictions[type] += evicts;
	if (p->joining && (sum = trc_cache_share_at(p->shares, share, p->cache)))
		sum->misses++;
}

static void
miss(struct trc_cache_slice *p, uint64_t line, bool whole, enum trc_type type, uint32_t share)
{
	const uint64_t gone = trc_ways_add(p->ways, line, type == TRC_WRITE ? TRC_WAY_DIRTY : 0);

	if (gone == 0) {
		if (p->err.code == TRC_OK)
			(void)!add_open(p, line, whole, type, share, &p->err);
		return;
	}
	count_miss(p, whole, (uint8_t)type, true, share);
	replace(p, gone >> TRC_WAY_SHIFT, gone & TRC_WAY_DIRTY, (uint8_t)type, share);
}

void
trc_cache_slice_miss(struct trc_cache_slice *p, uint64_t line, bool whole, enum trc_type type)
{
	miss(p, line, whole, type, p->shares ? p->shares->now : 0);
}

void
trc_cache_slice_finish(struct trc_cache_slice *p)
{
	p->joining = p->shares != NULL;
	for (size_t i = 0; i < p->n; i++)
		count_miss(p, p->open[i].whole, p->open[i].type, false, p->open[i].share);
	p->joining = false;
}

/* ---- the state: counts, open lines, lines in the cache ---- */

/* Lines in a state: their numbers in their spaces, and other data of each. */
struct lines {
	uint64_t *line, *code;

	/* share: two for each line: its share, and that of its replacement; or NULL */
	uint32_t *space, *share;
	size_t n;
};

static void
lines_release(struct lines *l)
{
	free(l->line);
	free(l->code);
	free(l->space);
	free(l->share);
}

static bool
lines_room(struct lines *l, size_t n, struct trc_state *s)
{
	l->line = trc_state_room(s, n, sizeof(*l->line));
	l->code = trc_state_room(s, n, sizeof(*l->code));
	l->space = trc_state_room(s, n, sizeof(*l->space));
	return !s->failed;
}

/* Convert line numbers in `regions` to those in spaces, and back. */
static void
leave_regions(struct lines *l, const struct trc_regions *regions, unsigned bits)
{
	uint32_t of = 0;

	for (size_t i = 0; i < l->n; i++) {
		const uint64_t at = l->line[i] << bits;

		l->line[i] = (regions ? trc_regions_origin(regions, at, &of) : at) >> bits;
		l->space[i] = of;
	}
}

static int
enter_regions(struct lines *l, struct trc_regions *regions, unsigned bits, struct trc_err *err)
{
	for (size_t i = 0; regions && i < l->n; i++) {
		l->line[i] <<= bits;
		if (trc_regions_place(regions, l->space[i], &l->line[i], err))
			return -1;
		l->line[i] >>= bits;
	}
	return 0;
}

static void
lines_state(struct lines *l, struct trc_regions *regions, unsigned bits, struct trc_state *s)
{
	trc_state_count(s, &l->n, UINT32_MAX);
	if (s->failed || (!s->writes && !lines_room(l, l->n, s)))
		return;
	if (s->writes)
		leave_regions(l, regions, bits);
	trc_state_array(s, TRC_STRIDED(l->line, sizeof(*l->line)), l->n,
	                TRC_STATE_DELTA | TRC_STATE_SIGNED, UINT64_MAX >> bits);
	trc_state_array(s, TRC_STRIDED(l->space, sizeof(*l->space)), l->n, 0, UINT32_MAX);
	trc_state_array(s, TRC_STRIDED(l->code, sizeof(*l->code)), l->n, 0, UINT64_MAX);
	if (!s->writes && !s->failed)
		s->failed = enter_regions(l, regions, bits, s->err) != 0;
}

/* Lists the lines of all sets, in each set the most recent last, with whether they are dirty, and 1
 * + the index of the open line that each still is. */
static void
list_held(const struct trc_cache_slice *p, struct lines *l, struct trc_state *s)
{
	const size_t ways = p->ways->ways, all = ((size_t)p->ways->set_mask + 1) * ways;
	uint64_t *entry = trc_state_room(s, all, sizeof(*entry));

	if (!entry || !lines_room(l, all, s)) {
		free(entry);
		return;
	}
	trc_ways_copy(p->ways, entry);
	for (size_t i = 0; i < all; i++) {
		/* Few ways are copied with the most recent first. */
		const size_t set = i / ways * ways, k = i - set;
		const uint64_t e = entry[p->ways->way ? set + ways - 1 - k : i];
		const bool dirty = e & TRC_WAY_DIRTY;
		struct trc_cache_open *open;

		if (e == 0)
			continue;
		open = find_open(p, e >> TRC_WAY_SHIFT);
		if (open && open->fate == STAYED && dirty)
			open->fate = WRITTEN;
		l->line[l->n] = e >> TRC_WAY_SHIFT;
		l->code[l->n++] =
		        dirty | (open && open->fate == STAYED ? (uint64_t)(open - p->open) + 1 : 0)
		                        << 1;
	}
	free(entry);
}

static void
list_open(const struct trc_cache_slice *p, struct lines *l, struct trc_state *s)
{
	if (!lines_room(l, p->n, s))
		return;
	for (; l->n < p->n; l->n++) {
		const struct trc_cache_open *open = &p->open[l->n];

		l->line[l->n] = open->line;
		l->code[l->n] = open->type | (open->whole ? WHOLE : 0) |
		                (uint64_t)open->fate << FATE_SHIFT;
	}
}

/* The number of the first share, after those of the two that are none. */
#define NUMBERED UINT32_C(2)

/* Saves or restores the shares of open lines and of their replacements. */
static void
open_shares_state(const struct trc_cache_slice *p, struct lines *open, struct trc_state *s)
{
	uint32_t *share = open->share = trc_state_room(s, 2 * open->n, sizeof(*share));
	const size_t step = 2 * sizeof(*share);

	if (!share)
		return;
	for (size_t i = 0; s->writes && i < open->n; i++) {
		share[2 * i] = p->open[i].share + NUMBERED;
		share[2 * i + 1] = p->open[i].gone + NUMBERED;
	}
	trc_state_array(s, TRC_STRIDED(share, step), open->n, 0, UINT32_MAX);
	trc_state_array(s, TRC_STRIDED(share + 1, step), open->n, 0, UINT32_MAX);
	for (size_t i = 0; !s->failed && !s->writes && i < 2 * open->n; i++)
		s->failed = trc_cache_shares_number(p->shares, share[i] - NUMBERED, &share[i],
		                                    s->err) != 0;
}

/* Refers to the open lines, in their order. Each set has room for all of its open lines. */
static int
join_open(struct trc_cache_slice *p, const struct lines *open, struct trc_err *err)
{
	for (size_t i = 0; i < open->n; i++) {
		const uint64_t code = open->code[i], type = code & (WHOLE - 1);

		if (type >= TRC_TYPES || code >> FATE_SHIFT >= REPLACED + TRC_TYPES)
			return trc_state_fail(err);
		if (!trc_ways_use(p->ways, open->line[i], type == TRC_WRITE ? TRC_WAY_DIRTY : 0))
			miss(p, open->line[i], code & WHOLE, (enum trc_type)type,
			     open->share ? open->share[2 * i] : 0);
	}
	return 0;
}

/* Counts the fates of open lines, since it is known now whether they were dirty; for those that
 * stayed, their codes are set to this. */
static void
join_fates(struct trc_cache_slice *p, struct lines *open)
{
	for (size_t i = 0; i < open->n; i++) {
		const uint8_t fate = (uint8_t)(open->code[i] >> FATE_SHIFT);
		const bool dirty = trc_ways_is_dirty(p->ways, open->line[i]);

		if (fate == WRITTEN)
			decide_fate(p, open->line[i], WRITTEN, TRC_CACHE_NOBODY);
		else if (fate >= REPLACED)
			replace(p, open->line[i], dirty, (uint8_t)(fate - REPLACED),
			        open->share ? open->share[2 * i + 1] : 0);
		open->code[i] = fate == STAYED && dirty;
	}
}

/* Inserts the lines that the sets of the state held, as the most recent. */
static int
join_held(struct trc_cache_slice *p, const struct lines *held, const struct lines *open,
          struct trc_err *err)
{
	for (size_t i = 0; i < held->n; i++) {
		const uint64_t at = held->code[i] >> 1;
		const bool dirty = held->code[i] & 1;

		if (at > open->n)
			return trc_state_fail(err);
		trc_ways_drop(p->ways, held->line[i]);
		(void)trc_ways_add(p->ways, held->line[i],
		                   dirty || (at && open->code[at - 1]) ? TRC_WAY_DIRTY : 0);
	}
	return 0;
}

static int
join(struct trc_cache_slice *p, const struct lines *held, struct lines *open, struct trc_err *err)
{
	int ret;

	p->joining = p->shares != NULL;
	ret = join_open(p, open, err);
	if (ret == 0) {
		join_fates(p, open);
		ret = join_held(p, held, open, err);
	}
	p->joining = false;
	return ret;
}

void
trc_cache_slice_state(struct trc_cache_slice *p, struct trc_regions *regions, struct trc_state *s)
{
	struct lines held = { .n = 0 }, open = { .n = 0 };

	trc_cache_counts_state(p->count, s);
	/* list_held() may change the fates of open lines, so it comes first. */
	if (s->writes) {
		list_held(p, &held, s);
		list_open(p, &open, s);
	}
	lines_state(&open, regions, p->line_bits, s);
	lines_state(&held, regions, p->line_bits, s);
	if (p->shares)
		open_shares_state(p, &open, s);
	if (!s->writes && !s->failed)
		s->failed = join(p, &held, &open, s->err) != 0;
	if (!s->failed && p->err.code != TRC_OK)
		s->failed = trc_fail_as(s->err, p->err.code, "%s", p->err.text) != 0;
	lines_release(&held);
	lines_release(&open);
}
