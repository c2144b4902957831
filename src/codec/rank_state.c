/* SPDX-License-Identifier: MIT
 * Setting up a ranker, and carrying it from one stream to the next. */
#include "codec/rank_state.h"

#include <stdlib.h>

enum {
	WEIGHT = 2867,
	LIKELY_WEIGHT = 2000,
	FAR_WEIGHT = 1802,
	CELL_BITS_MOST = 17,
	WIDE_BITS_MOST = 19, /* of the judges that know most */
	CELLS_MOST = WIDE_JUDGES * (1 << WIDE_BITS_MOST) +
	             (JUDGES - WIDE_JUDGES + FAR) * (1 << CELL_BITS_MOST),
	BITS_MOST = 20,
};

size_t
trc_ranker_memory(size_t n)
{
	return (sizeof(struct trc_rank_entry) + MATCH_ORDERS * sizeof(uint32_t)) *
	               ((size_t)1 << BITS_MOST) +
	       CELLS_MOST * sizeof(struct trc_cell) +
	       sizeof(struct trc_ranker) +
	       (sizeof(uint16_t) + sizeof(uint8_t)) * ((size_t)RANK_KEPT + n);
}

static void
fill(uint16_t *p, size_t n, uint16_t v)
{
	p[0] = v;
	for (size_t have = 1; have < n; have *= 2)
		memcpy(p + have, p, (have < n - have ? have : n - have) * sizeof(*p));
}

static unsigned
grade_of(unsigned len)
{
	return len < 16           ? len / 4 :
	       len < 32           ? 4 + (len - 16) / 8 :
	       len < 64           ? 6 :
	       len < MATCH_GRADED ? 7 :
	                            8;
}

/* At first a match is wrong once in `part`, or as often as its record says, if that is more; less
 * often if it was right since. */
static uint32_t
first_trust(uint32_t part, unsigned record)
{
	enum { SEEN = 4, ONE = 1 << TRUST_BITS };
	uint32_t n = 0, wrong = 0, since = 0, miss = 0;

	for (unsigned v = record; v > 1; v >>= 1, n++) {
		wrong += !(v & 1);
		since += wrong == 0;
	}
	if (wrong > 0)
		miss = ONE / ((n + 1) * (4 + since)) * 2 * (2 * wrong + 1);
	return (ONE - (miss > ONE / part ? miss : ONE / part)) << 10 | SEEN;
}

static void
fill_trust(uint32_t trust[TRIED], uint32_t v)
{
	for (int k = 0; k < TRIED; k++)
		trust[k] = v;
}

/* How far a match is trusted at first, the longer the more. */
static void
init_trust(struct trc_ranker *r)
{
	static const uint8_t part[MATCH_GRADES] = { 2, 3, 4, 6, 10, 20, 50, 80, 100 };

	for (int g = 0; g < MATCH_GRADES; g++) {
		for (unsigned h = 0; h < TRC_HISTORIES; h++)
			fill_trust(r->trust[g][0][h], first_trust(part[g], h));
		for (unsigned m = 1; m < MISSES; m++)
			memcpy(r->trust[g][m], r->trust[g][0], sizeof(r->trust[g][0]));
	}
	for (int k = 0; k < TRUST_STEPS; k++)
		r->step[k] = (uint16_t)(131072 / (2 * k + 3));
}

static void
init_tables(struct trc_ranker *r)
{
	trc_logistic_init(&r->logistic);
	for (unsigned len = 0; len <= MATCH_GRADED; len++) {
		r->grade[len] = (uint8_t)grade_of(len);
		r->fine[len] = (uint8_t)trc_grade(len);
	}
	init_trust(r);
	trc_num_init(r->gap, RUNS);
	fill((uint16_t *)&r->by_grade[0][0][0], sizeof(r->by_grade) / 2, LIKELY_WEIGHT);
	fill((uint16_t *)&r->by_record[0][0], sizeof(r->by_record) / 2, LIKELY_WEIGHT);
	for (int k = 0; k < TRC_HISTORIES; k++)
		memcpy(r->likely_row[k], r->logistic.row, sizeof(r->logistic.row));
	fill(&r->map[0][0][0], sizeof(r->map) / 2, 32768);
	fill(&r->match_map[0][0], sizeof(r->match_map) / 2, 32768);
	fill((uint16_t *)&r->by_offer[0][0], sizeof(r->by_offer) / 2, WEIGHT);
	fill((uint16_t *)&r->by_match[0][0][0], sizeof(r->by_match) / 2, WEIGHT);
	fill((uint16_t *)&r->far_weight[0][0], sizeof(r->far_weight) / 2, FAR_WEIGHT);
	for (int k = 0; k < FAR; k++)
		memcpy(r->far_map[k], r->logistic.map, sizeof(r->far_map[k]));
	for (int i = 0; i < OFFERS * ROWS; i++)
		memcpy(r->refined[i / ROWS][i % ROWS], r->logistic.row, sizeof(r->logistic.row));
}

/* Takes 2^bits cells for a table. */
static void
deal_cells(struct trc_rank_cells *to, struct trc_cell **from, unsigned bits)
{
	to->line = *from;
	to->shift = 32 - bits + LINE_BITS;
	*from += (size_t)1 << bits;
}

/* The tables of cells, all in one, the first of which begins a line of the cache; -1 without
 * memory. */
static int
make_cells(struct trc_ranker *r, unsigned bits, struct trc_err *err)
{
	enum { LINE = 1 << LINE_BITS };
	const unsigned quick = bits < WIDE_BITS_MOST ? bits : WIDE_BITS_MOST;
	const unsigned other = bits < CELL_BITS_MOST ? bits : CELL_BITS_MOST;
	const size_t n = ((size_t)WIDE_JUDGES << quick) +
	                 ((size_t)(JUDGES - WIDE_JUDGES + FAR) << other);
	struct trc_cell *cell;

	r->cells = trc_alloc(n + LINE, sizeof(*cell), err);
	if (!r->cells)
		return -1;
	cell = r->cells;
	while ((uintptr_t)cell % (LINE * sizeof(*cell)) != 0)
		cell++;
	for (int k = 0; k < JUDGES; k++)
		deal_cells(&r->judge[k], &cell, k < JUDGES - WIDE_JUDGES ? other : quick);
	for (int k = 0; k < FAR; k++)
		deal_cells(&r->far[k], &cell, other);
	for (struct trc_cell *c = r->judge[0].line; c < cell; c++)
		*c = TRC_CELL_NEW;
	return 0;
}

static int
make_tables(struct trc_ranker *r, size_t n, struct trc_err *err)
{
	const unsigned bits = trc_table_bits(n, BITS_MOST);

	r->shift = 32 - bits;
	r->table = trc_alloc((size_t)1 << bits, sizeof(*r->table), err);
	if (!r->table)
		return -1;
	for (int k = 0; k < MATCH_ORDERS; k++) {
		r->noted[k] = trc_alloc((size_t)1 << bits, sizeof(*r->noted[k]), err);
		if (!r->noted[k])
			return -1;
	}
	return make_cells(r, bits, err);
}

struct trc_ranker *
trc_ranker_open(size_t n, struct trc_err *err)
{
	struct trc_ranker *r = trc_alloc(1, sizeof(*r), err);

	if (!r)
		return NULL;
	if (make_tables(r, n, err)) {
		trc_ranker_close(r);
		return NULL;
	}
	init_tables(r);
	return r;
}

void
trc_ranker_close(struct trc_ranker *r)
{
	if (!r)
		return;
	free(r->x);
	free(r->table);
	for (int k = 0; k < MATCH_ORDERS; k++)
		free(r->noted[k]);
	free(r->record);
	free(r->gone);
	free(r->cells);
	free(r);
}

/* Forgets all but the symbols that are kept, and what was noted of them. */
static void
forget(struct trc_ranker *r)
{
	const size_t gone = r->i - RANK_KEPT;

	memmove(r->x + MATCH_LEAST, r->x + MATCH_LEAST + gone, RANK_KEPT * sizeof(*r->x));
	memmove(r->record, r->record + gone, RANK_KEPT);
	for (int o = 0; o < MATCH_ORDERS; o++)
		for (size_t k = 0; k < (size_t)1 << (32 - r->shift); k++) {
			uint32_t *note = &r->noted[o][k];

			*note = (*note & (RANK_PLACES - 1)) > gone ? *note - (uint32_t)gone : 0;
		}
	if (r->match.at > gone)
		r->match.at -= gone;
	else
		r->match = (struct trc_rank_match){ 0 };
	r->i = RANK_KEPT;
}

/* Makes room for symbols and their records. Mappings grow without being copied. */
static int
make_room(struct trc_ranker *r, size_t n, struct trc_err *err)
{
	const bool first = r->x == NULL;

	if (trc_grow(&r->x, &r->x_cap, n + MATCH_LEAST, sizeof(*r->x), err) ||
	    trc_grow(&r->record, &r->record_cap, n, 1, err))
		return -1;
	if (first)
		memset(r->x, 0, MATCH_LEAST * sizeof(*r->x));
	return 0;
}

int
trc_rank_begin(struct trc_ranker *r, size_t n, struct trc_err *err)
{
	if (r->i > RANK_KEPT)
		forget(r);
	if (n > TRC_RANK_MOST)
		return trc_fail(err, "a ranked stream of %zu symbols, %d are the most", n,
		                TRC_RANK_MOST);
	return make_room(r, r->i + n, err);
}
