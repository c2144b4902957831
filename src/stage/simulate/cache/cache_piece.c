/* SPDX-License-Identifier: MIT */
#include "stage/simulate/cache/cache_piece.h"

#include <stdlib.h>

#include "base/numbers.h"
#include "batch/flow.h"

/* What became of an open line: the last, and more, are by the type of the reference. */
enum fate { STAYED, WRITTEN, REPLACED };

/* A line that may have been there. */
struct trc_cache_open {
	uint64_t line;
	uint8_t type; /* of its first reference */
	bool whole;   /* which was to all of it */
	uint8_t fate;
	uint32_t share, gone; /* whose that was, and what replaced it */
};

/* Bits of an open line in a state: type, whole, fate. */
enum { TYPE_BITS = 4, WHOLE = 1 << TYPE_BITS, FATE_SHIFT = 5 };

int
trc_cache_piece_init(struct trc_cache_piece *p, struct trc_ways *ways,
                     struct trc_cache_counts *count, unsigned line_bits, struct trc_err *err)
{
	*p = (struct trc_cache_piece){ .ways = ways, .count = count, .line_bits = line_bits };
	p->staying = trc_alloc((size_t)ways->set_mask + 1, sizeof(*p->staying), err);
	return p->staying ? trc_map_init(&p->map, err) : -1;
}

void
trc_cache_piece_release(struct trc_cache_piece *p)
{
	trc_map_release(&p->map);
	free(p->open);
	free(p->staying);
	*p = (struct trc_cache_piece){ .n = 0 };
}

/* The open line `line`; NULL if it is none. */
static struct trc_cache_open *
find_open(const struct trc_cache_piece *p, uint64_t line)
{
	const uint32_t at = trc_map_find(&p->map, 0, line)->value;

	return at == TRC_MAP_NONE ? NULL : &p->open[at];
}

static int
add_open(struct trc_cache_piece *p, uint64_t line, bool whole, enum trc_type type, uint32_t share,
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

/* An open line whose fate is not known gets one. Most sets soon have none. */
static void
settle(struct trc_cache_piece *p, uint64_t line, uint8_t fate, uint32_t share)
{
	uint32_t *staying = &p->staying[line & p->ways->set_mask];
	struct trc_cache_open *open = *staying ? find_open(p, line) : NULL;

	if (!open || open->fate != STAYED)
		return;
	open->fate = fate;
	--*staying;
	open->gone = share;
}

/* A line went because of a reference. */
static void
replace(struct trc_cache_piece *p, uint64_t line, bool dirty, uint8_t type, uint32_t share)
{
	p->count->writebacks[type] += dirty;
	if (dirty && p->joining)
		trc_cache_shares_write_back(p->shares, share, p->cache, type);
	settle(p, line, dirty ? WRITTEN : (uint8_t)(REPLACED + type), share);
}

static void
count_miss(struct trc_cache_piece *p, bool whole, uint8_t type, uint32_t share)
{
	const bool filled = type != TRC_WRITE || !whole;

	p->count->misses[type]++;
	p->count->filled += filled;
	if (p->joining)
		trc_cache_shares_miss(p->shares, share, p->cache, type, filled);
}

static void
miss(struct trc_cache_piece *p, uint64_t line, bool whole, enum trc_type type, uint32_t share)
{
	const uint64_t gone = trc_ways_add(p->ways, line, type == TRC_WRITE ? TRC_WAY_DIRTY : 0);

	if (gone == 0) {
		if (p->err.code == TRC_OK)
			(void)!add_open(p, line, whole, type, share, &p->err);
		return;
	}
	count_miss(p, whole, (uint8_t)type, share);
	replace(p, gone >> TRC_WAY_SHIFT, gone & TRC_WAY_DIRTY, (uint8_t)type, share);
}

void
trc_cache_piece_miss(struct trc_cache_piece *p, uint64_t line, bool whole, enum trc_type type)
{
	miss(p, line, whole, type, p->shares ? p->shares->now : 0);
}

void
trc_cache_piece_finish(struct trc_cache_piece *p)
{
	p->joining = p->shares != NULL;
	for (size_t i = 0; i < p->n; i++)
		count_miss(p, p->open[i].whole, p->open[i].type, p->open[i].share);
	p->joining = false;
}

/* ---- a state: counts, open lines, lines that are there ---- */

/* Lines of a state: their numbers in their spaces, and what else there is of each. */
struct lines {
	uint64_t *line, *code;
	uint32_t *share; /* of each, two: whose, and what replaced it; NULL: there are none */
	size_t n;
};

static void
lines_release(struct lines *l)
{
	free(l->line);
	free(l->code);
	free(l->share);
}

static int
lines_room(struct lines *l, size_t n, struct trc_err *err)
{
	l->line = trc_alloc_room(n + 1, sizeof(*l->line), err);
	l->code = l->line ? trc_alloc_room(n + 1, sizeof(*l->code), err) : NULL;
	return l->code ? 0 : -1;
}

static int
save_lines(const struct lines *l, const struct trc_regions *regions, unsigned bits,
           struct trc_buf *state, struct trc_err *err)
{
	struct trc_numbers_out line = { .to = state }, space = { .to = state },
	                       code = { .to = state };
	uint64_t before = 0;
	uint32_t of = 0;

	if (trc_buf_put_num(state, l->n, err))
		return -1;
	for (size_t i = 0; i < l->n; i++) {
		const uint64_t at = l->line[i] << bits;
		const uint64_t v = (regions ? trc_regions_origin(regions, at, &of) : at) >> bits;

		if (trc_numbers_put(&line, trc_zigzag(v - before), err))
			return -1;
		before = v;
	}
	if (trc_numbers_end(&line, err))
		return -1;
	for (size_t i = 0; i < l->n; i++) {
		if (regions)
			(void)trc_regions_origin(regions, l->line[i] << bits, &of);
		if (trc_numbers_put(&space, of, err))
			return -1;
	}
	if (trc_numbers_end(&space, err))
		return -1;
	for (size_t i = 0; i < l->n; i++)
		if (trc_numbers_put(&code, l->code[i], err))
			return -1;
	return trc_numbers_end(&code, err);
}

/* Reads lines, as `regions` here has them. */
static int
load_lines(struct lines *l, struct trc_regions *regions, unsigned bits, struct trc_view *state,
           struct trc_err *err)
{
	struct trc_numbers_in in;
	uint64_t n, before = 0;

	if (!trc_view_num(state, &n) || n > trc_numbers_most(state) || n > UINT32_MAX)
		return trc_sink_damaged(err);
	if (lines_room(l, (size_t)n, err))
		return -1;
	trc_numbers_begin(&in, state, n);
	for (l->n = 0; l->n < n; l->n++) {
		before += trc_unzigzag(trc_numbers_get(&in));
		l->line[l->n] = before << bits;
		in.damaged |= before > UINT64_MAX >> bits;
	}
	if (in.damaged)
		return trc_sink_damaged(err);
	trc_numbers_begin(&in, state, n);
	for (size_t i = 0; i < n; i++) {
		const uint64_t space = trc_numbers_get(&in);

		if (regions && trc_regions_place(regions, (uint32_t)space, &l->line[i], err))
			return -1;
		l->line[i] >>= bits;
	}
	if (in.damaged)
		return trc_sink_damaged(err);
	trc_numbers_begin(&in, state, n);
	for (size_t i = 0; i < n; i++)
		l->code[i] = trc_numbers_get(&in);
	return in.damaged ? trc_sink_damaged(err) : 0;
}

/* The lines of all sets, in each that used last behind the others; with whether they are dirty, and
 * 1 + the number of the open line that each still is. */
static int
list_held(const struct trc_cache_piece *p, struct lines *l, struct trc_err *err)
{
	const size_t ways = p->ways->ways, all = ((size_t)p->ways->set_mask + 1) * ways;
	uint64_t *entry = trc_alloc_room(all, sizeof(*entry), err);

	if (!entry || lines_room(l, all, err)) {
		free(entry);
		return -1;
	}
	trc_ways_copy(p->ways, entry);
	for (size_t i = 0; i < all; i++) {
		/* Few ways are copied with that used last in front. */
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
	return 0;
}

static int
list_open(const struct trc_cache_piece *p, struct lines *l, struct trc_err *err)
{
	if (lines_room(l, p->n, err))
		return -1;
	for (; l->n < p->n; l->n++) {
		const struct trc_cache_open *open = &p->open[l->n];

		l->line[l->n] = open->line;
		l->code[l->n] = open->type | (open->whole ? WHOLE : 0) |
		                (uint64_t)open->fate << FATE_SHIFT;
	}
	return 0;
}

/* That of the first share, behind the two of none. */
#define NUMBERED UINT32_C(2)

/* Whose the open lines are, and what replaced them. */
static int
save_shares(const struct trc_cache_piece *p, struct trc_buf *state, struct trc_err *err)
{
	for (int gone = 0; gone < 2; gone++) {
		struct trc_numbers_out out = { .to = state };

		for (size_t i = 0; i < p->n; i++)
			if (trc_numbers_put(&out,
			                    (gone ? p->open[i].gone : p->open[i].share) + NUMBERED,
			                    err))
				return -1;
		if (trc_numbers_end(&out, err))
			return -1;
	}
	return 0;
}

static int
load_shares(const struct trc_cache_piece *p, struct lines *open, struct trc_view *state,
            struct trc_err *err)
{
	open->share = trc_alloc_room(2 * open->n + 1, sizeof(*open->share), err);
	if (!open->share)
		return -1;
	for (int gone = 0; gone < 2; gone++) {
		struct trc_numbers_in in;

		trc_numbers_begin(&in, state, open->n);
		for (size_t i = 0; i < open->n; i++)
			if (trc_cache_shares_number(p->shares,
			                            (uint32_t)trc_numbers_get(&in) - NUMBERED,
			                            &open->share[2 * i + gone], err))
				return -1;
		if (in.damaged)
			return trc_sink_damaged(err);
	}
	return 0;
}

int
trc_cache_piece_save(const struct trc_cache_piece *p, const struct trc_regions *regions,
                     struct trc_buf *state, struct trc_err *err)
{
	struct lines held = { .n = 0 }, open = { .n = 0 };
	int ret;

	if (p->err.code != TRC_OK)
		return trc_fail_as(err, p->err.code, "%s", p->err.text);
	ret = trc_cache_counts_save(p->count, state, err);
	/* What is held has the last word on what became of open lines. */
	if (ret == 0)
		ret = list_held(p, &held, err) || list_open(p, &open, err) ||
		                      save_lines(&open, regions, p->line_bits, state, err) ||
		                      save_lines(&held, regions, p->line_bits, state, err) ||
		                      (p->shares && save_shares(p, state, err)) ?
		              -1 :
		              0;
	lines_release(&held);
	lines_release(&open);
	return ret;
}

/* Refers to the open lines, in their order. Each set has room for all of its. */
static int
join_open(struct trc_cache_piece *p, const struct lines *open, struct trc_err *err)
{
	for (size_t i = 0; i < open->n; i++) {
		const uint64_t code = open->code[i], type = code & (WHOLE - 1);

		if (type >= TRC_TYPES || code >> FATE_SHIFT >= REPLACED + TRC_TYPES)
			return trc_sink_damaged(err);
		if (!trc_ways_use(p->ways, open->line[i], type == TRC_WRITE ? TRC_WAY_DIRTY : 0))
			miss(p, open->line[i], code & WHOLE, (enum trc_type)type,
			     open->share ? open->share[2 * i] : 0);
	}
	return 0;
}

/* What became of them counts, now that it is known whether they were dirty; of those that stayed,
 * their codes become this. */
static void
join_fates(struct trc_cache_piece *p, struct lines *open)
{
	for (size_t i = 0; i < open->n; i++) {
		const uint8_t fate = (uint8_t)(open->code[i] >> FATE_SHIFT);
		const bool dirty = trc_ways_is_dirty(p->ways, open->line[i]);

		if (fate == WRITTEN)
			settle(p, open->line[i], WRITTEN, TRC_CACHE_NOBODY);
		else if (fate >= REPLACED)
			replace(p, open->line[i], dirty, (uint8_t)(fate - REPLACED),
			        open->share ? open->share[2 * i + 1] : 0);
		open->code[i] = fate == STAYED && dirty;
	}
}

/* The sets hold what they held there, on top. */
static int
join_held(struct trc_cache_piece *p, const struct lines *held, const struct lines *open,
          struct trc_err *err)
{
	for (size_t i = 0; i < held->n; i++) {
		const uint64_t at = held->code[i] >> 1;
		const bool dirty = held->code[i] & 1;

		if (at > open->n)
			return trc_sink_damaged(err);
		trc_ways_drop(p->ways, held->line[i]);
		(void)trc_ways_add(p->ways, held->line[i],
		                   dirty || (at && open->code[at - 1]) ? TRC_WAY_DIRTY : 0);
	}
	return 0;
}

int
trc_cache_piece_append(struct trc_cache_piece *p, struct trc_regions *regions,
                       struct trc_view *state, struct trc_err *err)
{
	struct lines held = { .n = 0 }, open = { .n = 0 };
	int ret;

	if (trc_cache_counts_append(p->count, state, err))
		return -1;
	ret = load_lines(&open, regions, p->line_bits, state, err) ||
	                      load_lines(&held, regions, p->line_bits, state, err) ||
	                      (p->shares && load_shares(p, &open, state, err)) ?
	              -1 :
	              0;
	p->joining = p->shares != NULL;
	ret = ret || join_open(p, &open, err) ? -1 : 0;
	if (ret == 0) {
		join_fates(p, &open);
		ret = join_held(p, &held, &open, err);
	}
	p->joining = false;
	if (ret == 0 && p->err.code != TRC_OK)
		ret = trc_fail_as(err, p->err.code, "%s", p->err.text);
	lines_release(&held);
	lines_release(&open);
	return ret;
}
