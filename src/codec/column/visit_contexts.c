/* SPDX-License-Identifier: MIT
 *
 * The table of contexts. [0] is the visit being coded, [1] the one before it. H(x, y) is a hash;
 * by1, by2 and by3 are hashes of the last one, two and three pages. A context by_page() has a cell
 * for each page, and 15 neighbours share a slot; one() is a context with a single cell; contexts of
 * numbers, and of bits of pages and kinds, are hashed with the bits coded so far.
 */
#include "codec/column/visit_contexts.h"

#include <assert.h>
#include <string.h>

#include "codec/column/visit_model.h"
#include "codec/entropy/fenwick.h"

#define H trc_hash

enum { CELL_PAGES = 15 };

/* The numbers of contexts and experts of each row, which must match its lists below for the code to
 * compile. They are at most TRC_CONTEXTS and TRC_EXPERTS (codec/mixing/predictor.h), and a
 * predictor has fewer than TRC_PREDICTOR_INPUTS inputs in total. */
enum {
	GAP_CONTEXTS = 12,
	STEP_CONTEXTS = 2,
	LAG_CONTEXTS = 10,
	FAR_CONTEXTS = 5,
	KIND_CONTEXTS = 9,
	NEW_CONTEXTS = 4,
	CANDIDATE_CONTEXTS = 7,
	NEAR_CONTEXTS = 3,
	WALK_CONTEXTS = 6,

	GAP_EXPERTS = TRC_HISTORY_PREDICTIONS,
	STEP_EXPERTS = 2,
	LAG_RATIOS = 2,
	LAG_EXPERTS = LAG_RATIOS + 8, /* ratios, then the first predictions */
	CANDIDATE_EXPERTS = TRC_VISIT_SUCCESSORS,
};

static_assert((int)GAP_EXPERTS <= (int)TRC_EXPERTS && (int)LAG_EXPERTS <= (int)TRC_EXPERTS &&
                      (int)CANDIDATE_EXPERTS <= (int)TRC_EXPERTS,
              "a predictor takes TRC_EXPERTS experts");
static_assert((int)LAG_EXPERTS - (int)LAG_RATIOS <= (int)TRC_HISTORY_PREDICTIONS, "predictions");

/* Copies the contexts of a row, or the expected values of its experts, from a list. */
#define SET(array, list, number)                                                                   \
	do {                                                                                       \
		static_assert(TRC_COUNT(list) == (number), "the list has another number");         \
		static_assert(sizeof(list) <= sizeof(array), "a predictor does not take so many"); \
		memcpy(array, list, sizeof(list));                                                 \
	} while (0)

/* For each row: contexts, experts, sets of maps; the number of weight sets of each mixer, and of
 * contexts of each APM. */
const struct trc_predictor_row trc_visit_rows[TRC_VISIT_ROWS] = {
	[TRC_VISIT_GAP] = { GAP_CONTEXTS, GAP_EXPERTS, TRC_NUMBER_ROW },
	[TRC_VISIT_STEP] = { STEP_CONTEXTS, STEP_EXPERTS, TRC_NUMBER_ROW },
	[TRC_VISIT_LAG] = { LAG_CONTEXTS, LAG_EXPERTS, TRC_NUMBER_ROW },
	[TRC_VISIT_FAR] = { FAR_CONTEXTS, 0, TRC_NUMBER_ROW },
	[TRC_VISIT_KIND] = { KIND_CONTEXTS, 0, TRC_NUMBER_ROW },
	[TRC_VISIT_NEW] = { NEW_CONTEXTS, 0, 1, { 1, 1, 16 }, { 16, 1 } },
	[TRC_VISIT_CANDIDATE] = { CANDIDATE_CONTEXTS, CANDIDATE_EXPERTS, 4,
	                          .mixers = { 512, 72, 8 }, .apms = { 2048, 2048 } },
	[TRC_VISIT_NEAR] = { NEAR_CONTEXTS, 0, 1, { 16, 64, 1 }, { 256, 16 } },
	[TRC_VISIT_WALK] = { WALK_CONTEXTS, 0, 1, { 128, 256, 16 }, { 1024, 1024 } },
};

static inline uint32_t
by_page(uint32_t page, uint32_t hash)
{
	return trc_context(H(page / CELL_PAGES, hash), 1 + page % CELL_PAGES);
}

static inline uint32_t
one(uint32_t hash)
{
	return trc_context(hash, 1);
}

static inline uint32_t
count_bits(uint32_t v)
{
	return 64 - (uint32_t)trc_clz64(v);
}

static inline unsigned
most(unsigned v, unsigned limit)
{
	return v < limit ? v : limit;
}

/* Returns the number of bits of `v`, with the `n` bits after its first. */
static inline uint32_t
rough(uint32_t v, unsigned n)
{
	const uint32_t k = count_bits(v);

	return k <= n + 1 ? v : k << 8 | (v >> (k - 1 - n));
}

/* ---- numbers ---- */

/* Experts: the gaps predicted by the visit history. */
void
trc_visit_gap_set(const struct trc_visit_model *v, struct trc_visit_set *s)
{
	const struct trc_visit_now *n = &v->now;
	const struct trc_visit_prediction *x = v->history.prediction;
	unsigned alike = 0;
	const uint32_t context[] = {
		0,
		n->by1,
		n->by2,
		H(n->page[4], n->by3),
		H(n->gap[1], n->by1) + 1,
		H(n->gap[1], H(n->gap[2], n->by2)) + 2,
		H(n->kind[1], H(n->near % 4, n->by1)),
		H(x[3].gap, 3),
		H(x[0].gap, n->by1) + 3,
		H(x[1].gap, H(x[2].gap, 4)),
		H(n->fault[0], n->by1) + 4,
		H(n->page[1] - n->page[2], H(n->page[2] - n->page[3], 5)),
	};

	SET(s->context, context, GAP_CONTEXTS);
	for (int k = 0; k < GAP_EXPERTS; k++) {
		s->expected[k] = x[k].gap;
		alike += k > 0 && x[k].gap == x[0].gap;
	}
	s->selector = most(alike, 3) + 4 * (n->hits % 8);
}

/* Returns the page that a sweep reaches after this gap, or TRC_NO_PAGE. */
static uint32_t
swept_page(const struct trc_visit_model *v)
{
	for (int k = TRC_HISTORY_OF_SHIFT; k < TRC_HISTORY_PREDICTIONS; k++)
		if (v->history.prediction[k].gap == v->now.gap[0])
			return v->history.prediction[k].page;
	return TRC_NO_PAGE;
}

uint32_t
trc_visit_step_to(const struct trc_visit_model *v, uint32_t page)
{
	const uint32_t from = trc_fenwick_below(v->unseen, v->step_from);
	const uint32_t to = trc_fenwick_below(v->unseen, page);

	return to >= from ? 2 * (to - from) : 2 * (from - to) - 1;
}

/* Does the same, but returns TRC_NUMBER_NONE if the page was seen. */
static uint32_t
step_to_unseen(const struct trc_visit_model *v, uint32_t page)
{
	return page < v->pages && !trc_visit_was_seen(v, page) ? trc_visit_step_to(v, page) :
	                                                         TRC_NUMBER_NONE;
}

/* Experts: the page that a sweep reaches, and the page as far away as the last new one was. */
void
trc_visit_step_set(const struct trc_visit_model *v, struct trc_visit_set *s)
{
	const struct trc_visit_now *n = &v->now;
	const uint32_t context[] = {
		0,
		H(rough(n->step, 0), 1),
	};
	const uint32_t expected[] = {
		step_to_unseen(v, swept_page(v)),
		step_to_unseen(v, v->step_from + v->step_by),
	};

	SET(s->context, context, STEP_CONTEXTS);
	SET(s->expected, expected, STEP_EXPERTS);
}

/* Returns `gap` times the ratio of two numbers, at most TRC_NUMBER_NONE. */
static uint32_t
in_ratio(uint32_t gap, uint64_t part, uint64_t whole)
{
	const uint64_t v = whole ? gap * part / whole : 0;

	return v < TRC_NUMBER_NONE ? (uint32_t)v : TRC_NUMBER_NONE;
}

/* Experts: the same ratio to the gap as recently, the same ratio as the last time at this page, and
 * the lags of predictions whose gap was right. */
void
trc_visit_lag_set(const struct trc_visit_model *v, struct trc_visit_set *s)
{
	const struct trc_visit_now *n = &v->now;
	const struct trc_visit_history *h = &v->history;
	const uint32_t a = n->gap[0], row = h->of[n->page[0]].last;
	const bool again = row != TRC_NO_ROW;
	const uint32_t lately = in_ratio(a, v->lags_of, v->gaps);
	const uint32_t here = again ? in_ratio(a, h->lag[row] - (row ? h->lag[row - 1] : 0),
	                                       h->time[row] - (row ? h->time[row - 1] : 0)) :
	                              0;
	const uint32_t q = H(n->page[0], 1), pair = H(n->page[1], q);
	const uint32_t context[] = {
		H(n->bits, 0),
		H(rough(lately, 3), H(rough(a, 1), 1)),
		H(rough(here, 3), H(rough(a, 1), 2)),
		H(a / 8, 3),
		H(a, 4),
		H(n->bits, pair) + 5,
		H(a / 4, H(n->page[1], 6)),
		H(a, H(n->page[1], 7)),
		H(a, q) + 8,
		H(a, pair) + 9,
	};

	s->selector = n->bits;
	s->expected[0] = lately;
	s->expected[1] = here;
	SET(s->context, context, LAG_CONTEXTS);
	for (int k = LAG_RATIOS; k < LAG_EXPERTS; k++) {
		const struct trc_visit_prediction *x = &h->prediction[k - LAG_RATIOS];
		const bool holds = x->gap == a && x->lag < TRC_NUMBER_NONE;

		s->expected[k] = holds ? (uint32_t)x->lag : TRC_NUMBER_NONE;
	}
}

/* ---- pages ---- */

void
trc_visit_new_set(const struct trc_visit_model *v, struct trc_visit_set *s)
{
	const struct trc_visit_now *n = &v->now;
	const uint32_t swept = swept_page(v);
	const uint32_t sweep = swept == TRC_NO_PAGE ? 0 : trc_visit_was_seen(v, swept) ? 1 : 2;
	const uint32_t context[] = {
		one(H(n->page[1], 2)),
		one(H(n->page[1], H(n->page[2], 3))),
		one(H(n->fresh % 256, 4)),
		one(H(n->fresh % 4, H(sweep, 5))),
	};

	s->select = (struct trc_select){ .mixer = { 0, 0, n->fresh % 16 },
		                         .apm = { n->fresh % 16, 0 } };
	SET(s->context, context, NEW_CONTEXTS);
}

void
trc_visit_successor_hashes(const struct trc_visit_model *v, uint32_t *hash)
{
	const struct trc_visit_now *n = &v->now;
	const uint32_t by[TRC_VISIT_SUCCESSORS] = {
		H(n->gap[0], n->by2) + 1,
		H(n->gap[0], n->by1) + 2,
		H(n->gap[0] + n->gap[1], H(n->page[2], 3)),
		H(n->gap[0] + n->gap[1] + n->gap[2], H(n->page[3], 4)),
		n->by3,
		n->by2,
		n->by1,
		H(n->page[2], 5),
	};

	memcpy(hash, by, sizeof(by));
}

/* Returns a distance in eighths of the window, at most 14; 15 stands for greater distances and, for
 * d2, for pages that were not visited twice. */
static uint32_t
place(const struct trc_visit_model *v, uint32_t distance)
{
	return most(distance * 8 / v->window, 15);
}

static uint32_t
place1(const struct trc_visit_model *v, uint32_t page)
{
	return place(v, trc_visit_distance(&v->history, page));
}

static uint32_t
place2(const struct trc_visit_model *v, uint32_t page)
{
	return v->history.of[page].before == TRC_NO_ROW ?
	               15 :
	               place(v, trc_visit_distance2(&v->history, page));
}

/* Experts: the relations of the successor tables to the page. */
void
trc_visit_candidate_set(const struct trc_visit_model *v, const struct trc_visit_candidate *c,
                        struct trc_visit_set *s)
{
	const struct trc_visit_now *n = &v->now;
	const uint32_t o = c->page, d1 = place1(v, o), d2 = place2(v, o), *h = v->hash;
	const unsigned set = most(c->tried, 3), other = c->seen - 1;
	const uint32_t context[] = {
		by_page(o, H(d1, H(d2, 2))),
		one(H(d1, H(d2, H(c->table * 2 + c->seen, H(c->tried, 3))))),
		one(H(c->predicted_by, H(c->tried, 4))),
		by_page(o, h[3]),
		by_page(o, h[2]),
		by_page(o, h[1]),
		by_page(o, h[0]),
	};

	s->select = (struct trc_select){
		.map_set = set,
		.mixer = { c->tried * 16 + c->agree + 128 * (n->hits % 4),
		           2 * (set * (TRC_VISIT_SUCCESSORS + 1) + c->table) + other, c->tried },
		.apm = { c->tried * 256 + d2 * 16 + c->agree, (d1 * 16 + d2) * 8 + c->tried },
	};
	SET(s->context, context, CANDIDATE_CONTEXTS);
}

void
trc_visit_near_set(const struct trc_visit_model *v, struct trc_visit_set *s)
{
	const struct trc_visit_now *n = &v->now;
	const uint32_t context[] = {
		one(H(n->bits, H(n->near % 8, 1))),
		one(n->by1),
		one(H(n->bits, n->by1) + 4),
	};

	s->select = (struct trc_select){ .mixer = { n->hits % 16, n->near % 64, 0 },
		                         .apm = { n->near % 256, n->hits % 16 } };
	SET(s->context, context, NEAR_CONTEXTS);
}

void
trc_visit_walk_set(const struct trc_visit_model *v, const struct trc_visit_candidate *c,
                   struct trc_visit_set *s)
{
	const struct trc_visit_now *n = &v->now;
	const struct trc_visit_history *h = &v->history;
	const struct trc_history_page *w = &h->of[c->page];
	const uint32_t o = c->page, d2 = place2(v, o), d = c->depth * 64 / v->window;
	const uint32_t stays = most(w->stays, 3), rank = c->tried;
	const uint32_t rows = count_bits((uint32_t)h->i - w->last);
	const uint64_t ago = h->time[h->i - 1] - h->time[w->last];
	const uint32_t age = 64 - (uint32_t)trc_clz64(ago | 1);
	const uint32_t context[] = {
		one(H(d2, H(stays, H(d / 4, 1)))),
		one(H(d, H(d2, 2))),
		one(H(rows, H(age, H(stays, 3)))),
		by_page(o, H(rows, 5)),
		by_page(o, n->by1),
		by_page(o, H(n->gap[0], 8)),
	};

	s->select = (struct trc_select){
		.mixer = { most(rank, 31) * 4 + stays, d2 * 16 + d / 4, most(rank, 15) },
		.apm = { d * 16 + d2, most(rank, 255) * 4 + stays },
	};
	SET(s->context, context, WALK_CONTEXTS);
}

void
trc_visit_far_set(const struct trc_visit_model *v, struct trc_visit_set *s)
{
	const struct trc_visit_now *n = &v->now;
	const uint32_t f = H(n->fault[0], 2);
	const uint32_t context[] = {
		0, n->by1, f, H(n->bits, n->by1) + 5, H(n->fault[1], f) + 9,
	};

	SET(s->context, context, FAR_CONTEXTS);
	s->selector = 0;
}

/* ---- kinds ---- */

void
trc_visit_kind_set(const struct trc_visit_model *v, struct trc_visit_set *s)
{
	const struct trc_visit_now *n = &v->now;
	const uint32_t page = n->page[0], last = v->last_kind[page], near = n->near % 2;
	const uint32_t beside = page > 0 ? v->last_kind[page - 1] : 0;
	const uint32_t q = H(page, 1), pair = H(n->page[1], q);
	const uint32_t context[] = {
		H(last, H(near, H(n->kind[1], 0))),
		q,
		H(last, H(near, q)) + 1,
		H(n->kind[1], H(n->kind[2], q)) + 2,
		pair,
		H(n->kind[1], pair) + 3,
		H(n->page[2], pair) + 4,
		H(beside, H(last, 5)),
		H(beside, H(last, H(page - n->page[1], 6))),
	};

	s->selector = last * 2 + near;
	SET(s->context, context, KIND_CONTEXTS);
}
