/* SPDX-License-Identifier: MIT
 * Setting up a ranker, and carrying it from one stream to the next. */
#include "codec/rank_state.h"

#include <stdlib.h>

enum {
	WEIGHT = 2867,
	FAR_WEIGHT = 1802,
	CELL_BITS_MOST = 17,
	QUICK_BITS_MOST = 19, /* of the judges that quick decisions look at */
	CELLS_MOST = QUICK_JUDGES * (1 << QUICK_BITS_MOST) +
	             (JUDGES - QUICK_JUDGES + FAR) * (1 << CELL_BITS_MOST),
	BITS_LEAST = 10,
	BITS_MOST = 20,
};

size_t
trc_ranker_memory(size_t n)
{
	return (sizeof(struct trc_rank_entry) + sizeof(uint32_t)) * ((size_t)1 << BITS_MOST) +
	       CELLS_MOST * sizeof(struct trc_cell) +
	       sizeof(struct trc_ranker) +
	       /* Symbols move once to where there is more room for them. */
	       sizeof(uint16_t) * (2 * (size_t)RANK_KEPT + n);
}

static void
fill(uint16_t *p, size_t n, uint16_t v)
{
	for (size_t i = 0; i < n; i++)
		p[i] = v;
}

static void
init_quick(struct trc_ranker *r)
{
	for (int g = 0; g < QUICK_GRADES; g++)
		for (int u = 0; u < QUICK_STEPS; u++)
			for (int v = 0; v < QUICK_STEPS; v++) {
				const int y = 128 * (u + v - 23) + 32 * g;

				r->quick[g][u][v] = (uint16_t)trc_squash(
					&r->logistic,
					trc_keep(y, -TRC_LOGISTIC_MOST, TRC_LOGISTIC_MOST));
			}
}

static void
init_tables(struct trc_ranker *r)
{
	trc_logistic_init(&r->logistic);
	for (int k = 0; k <= CONTEXTS; k++) {
		r->power[k] = 1;
		for (size_t j = 0; j < trc_rank_order[k]; j++)
			r->power[k] *= TRC_RANK_M;
	}
	for (unsigned len = 0; len < TRC_COUNT(r->grade); len++)
		r->grade[len] = (uint8_t)trc_grade(len);
	init_quick(r);
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
	const unsigned quick = bits < QUICK_BITS_MOST ? bits : QUICK_BITS_MOST;
	const unsigned other = bits < CELL_BITS_MOST ? bits : CELL_BITS_MOST;
	const size_t n = ((size_t)QUICK_JUDGES << quick) +
	                 ((size_t)(JUDGES - QUICK_JUDGES + FAR) << other);
	struct trc_cell *cell;

	r->cells = trc_alloc(n + LINE, sizeof(*cell), err);
	if (!r->cells)
		return -1;
	cell = r->cells;
	while ((uintptr_t)cell % (LINE * sizeof(*cell)) != 0)
		cell++;
	for (int k = 0; k < JUDGES; k++)
		deal_cells(&r->judge[k], &cell, k < JUDGES - QUICK_JUDGES ? other : quick);
	for (int k = 0; k < FAR; k++)
		deal_cells(&r->far[k], &cell, other);
	for (struct trc_cell *c = r->judge[0].line; c < cell; c++)
		*c = TRC_CELL_NEW;
	return 0;
}

static int
make_tables(struct trc_ranker *r, size_t n, struct trc_err *err)
{
	unsigned bits = BITS_LEAST;

	while (bits < BITS_MOST && (size_t)1 << bits < n)
		bits++;
	r->shift = 32 - bits;
	r->table = trc_alloc((size_t)1 << bits, sizeof(*r->table), err);
	r->noted = trc_alloc((size_t)1 << bits, sizeof(*r->noted), err);
	if (!r->table || !r->noted)
		return -1;
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
	free(r->noted);
	free(r->cells);
	free(r);
}

/* Forgets all but the symbols that are kept, and what was noted of them. */
static void
forget(struct trc_ranker *r)
{
	const size_t gone = r->i - RANK_KEPT;

	memmove(r->x + MATCH_LEAST, r->x + MATCH_LEAST + gone, RANK_KEPT * sizeof(*r->x));
	for (size_t k = 0; k < (size_t)1 << (32 - r->shift); k++)
		r->noted[k] = (r->noted[k] & (RANK_PLACES - 1)) > gone ?
		                      r->noted[k] - (uint32_t)gone :
		                      0;
	if (r->match.at > gone)
		r->match.at -= gone;
	else
		r->match = (struct trc_rank_match){ 0 };
	r->i = RANK_KEPT;
}

static int
make_room(struct trc_ranker *r, size_t n, struct trc_err *err)
{
	uint16_t *x;

	if (n <= r->cap)
		return 0;
	x = trc_alloc(n + MATCH_LEAST, sizeof(*x), err);
	if (!x)
		return -1;
	if (r->x)
		memcpy(x + MATCH_LEAST, r->x + MATCH_LEAST, r->i * sizeof(*x));
	free(r->x);
	r->x = x;
	r->cap = n;
	return 0;
}

int
trc_rank_begin(struct trc_ranker *r, size_t n, struct trc_err *err)
{
	if (r->i > RANK_KEPT)
		forget(r);
	r->hashed = SIZE_MAX - 1; /* nothing before is */
	if (n > TRC_RANK_MOST)
		return trc_fail(err, "a ranked stream of %zu symbols, %d are the most", n,
		                TRC_RANK_MOST);
	return make_room(r, r->i + n, err);
}
