/* SPDX-License-Identifier: MIT
 * Codes the page of a visit: a new page, a candidate, a near one, or another. */
#include "codec/column/visit_model.h"
#include "codec/entropy/fenwick.h"

/* ---- pages not visited before ---- */

static uint32_t
code_new(struct trc_visit_model *v, uint32_t page)
{
	const uint32_t from = trc_fenwick_below(v->unseen, v->step_from);
	uint32_t to, step = page != TRC_VISIT_UNKNOWN ? trc_visit_step_to(v, page) : 0;
	struct trc_visit_set s;

	trc_visit_step_set(v, &s);
	step = trc_number_code(&v->number[TRC_VISIT_STEP], s.context, 0, s.expected, step);
	v->now.step = step;
	to = step % 2 ? from - (step + 1) / 2 : from + step / 2;
	if (to >= v->unseen_pages)
		return TRC_VISIT_UNKNOWN;
	page = (uint32_t)trc_fenwick_find(v->unseen, v->pages, to);
	trc_fenwick_add(v->unseen, v->pages, page, UINT32_MAX);
	v->unseen_pages--;
	v->step_by = page - v->step_from;
	v->step_from = page;
	return page;
}

/* Codes a single bit, which needs no node. */
static unsigned
code_bit(struct trc_visit_model *v, enum trc_visit_row row, const struct trc_visit_set *s,
         unsigned bit)
{
	trc_predictor_find(trc_visit_bit(v, row), s->context);
	return trc_predictor_code(trc_visit_bit(v, row), 0, &s->select, bit);
}

static unsigned
code_fresh(struct trc_visit_model *v, unsigned fresh)
{
	struct trc_visit_set s;

	trc_visit_new_set(v, &s);
	return code_bit(v, TRC_VISIT_NEW, &s, fresh);
}

/* ---- candidates ---- */

static void
find_successors(struct trc_visit_model *v)
{
	trc_visit_successor_hashes(v, v->hash);
	for (int k = 0; k < TRC_VISIT_SUCCESSORS; k++) {
		uint32_t x = v->hash[k] * UINT32_C(0x85ebca6b);
		uint16_t check;

		x = (x ^ x >> 14) * UINT32_C(0x9e3779b1);
		check = (uint16_t)(x | 1);
		v->successor[k] = &v->table[k][x >> v->successor_shift];
		if (v->successor[k]->check != check)
			*v->successor[k] = (struct trc_visit_successor){ .check = check };
	}
}

void
trc_visit_learn(struct trc_visit_model *v, uint16_t page)
{
	for (int k = 0; k < TRC_VISIT_SUCCESSORS; k++) {
		struct trc_visit_successor *e = v->successor[k];

		if (e->seen == 0) {
			*e = (struct trc_visit_successor){ page, 0, e->check, 1, TRC_HISTORY_NEW };
			continue;
		}
		e->history = (uint8_t)trc_history(e->history, e->last == page);
		if (e->last != page) {
			e->other = e->last;
			e->last = page;
			e->seen = 2;
		}
	}
}

/* Returns how the entry of a successor table is related to a page. */
static inline unsigned
relation_of(const struct trc_visit_successor *e, uint32_t page)
{
	return e->seen == 0                     ? 0 :
	       e->last == page                  ? 1 + e->history * 3u :
	       e->seen == 2 && e->other == page ? 2 + e->history * 3u :
	                                          3 + e->history * 3u;
}

/* Returns true if the page cannot be next, because the reduction would have dropped its visit. */
static bool
is_dropped(const struct trc_visit_model *v, uint32_t page)
{
	return v->history.of[page].before != TRC_NO_ROW &&
	       trc_visit_distance2(&v->history, page) < v->r;
}

/* The candidates tried for this visit. */
struct candidates {
	uint16_t page[TRC_VISIT_CANDIDATES];
	unsigned n;
};

static bool
was_tried(const struct candidates *o, uint32_t page)
{
	for (unsigned i = 0; i < o->n; i++)
		if (o->page[i] == page)
			return true;
	return false;
}

/* Returns true if a prediction of the visit history has this page at this gap. */
static bool
predicts(const struct trc_visit_model *v, int k, uint32_t page)
{
	const struct trc_visit_prediction *x = &v->history.prediction[k];

	return x->gap == v->now.gap[0] && x->page == page;
}

/* Codes whether a candidate page is right. It is the last page of a table (`seen` is 1) or the
 * other one (2). Predictions of the visit history count as one more table. */
static unsigned
code_candidate(struct trc_visit_model *v, struct candidates *o, uint32_t page, unsigned table,
               unsigned seen, unsigned right)
{
	struct trc_predictor *p = trc_visit_bit(v, TRC_VISIT_CANDIDATE);
	struct trc_visit_candidate c = { .page = page, table, seen, .tried = o->n };
	struct trc_counter *relation[TRC_VISIT_SUCCESSORS];
	struct trc_visit_set s;

	for (int e = 0; e < TRC_VISIT_SUCCESSORS; e++) {
		relation[e] = &v->relation[e][o->n][relation_of(v->successor[e], page)];
		p->expert[e] = trc_stretch(v->with.logistic, (uint16_t)trc_counter_p(*relation[e]));
		c.agree += v->successor[e]->seen > 0 && v->successor[e]->last == page;
	}
	for (int k = 0; k < TRC_HISTORY_PREDICTIONS; k++)
		c.predicted_by |= (unsigned)predicts(v, k, page) << k;
	trc_visit_candidate_set(v, &c, &s);
	right = code_bit(v, TRC_VISIT_CANDIDATE, &s, right);
	for (int e = 0; e < TRC_VISIT_SUCCESSORS; e++)
		trc_counter_learn(relation[e], right, TRC_EXPERT_LIMIT);
	if (o->n == 0)
		v->now.hits = v->now.hits << 1 | right;
	o->page[o->n++] = (uint16_t)page;
	return right;
}

/* Tries the candidates; returns true if one is right, which is the last in *o. */
static bool
code_candidates(struct trc_visit_model *v, struct candidates *o, uint32_t page)
{
	for (int k = 0; k < TRC_HISTORY_PREDICTIONS && o->n < TRC_VISIT_CANDIDATES; k++) {
		const uint32_t next = v->history.prediction[k].page;

		if (next == TRC_NO_PAGE || !predicts(v, k, next) || !trc_visit_was_seen(v, next) ||
		    was_tried(o, next) || is_dropped(v, next))
			continue;
		if (code_candidate(v, o, next, TRC_VISIT_SUCCESSORS, 1, next == page))
			return true;
	}
	for (unsigned seen = 1; seen <= 2; seen++)
		for (unsigned k = 0; k < TRC_VISIT_SUCCESSORS && o->n < TRC_VISIT_CANDIDATES; k++) {
			const struct trc_visit_successor *e = v->successor[k];
			const uint16_t next = seen == 1 ? e->last : e->other;

			if (e->seen < seen || was_tried(o, next) || is_dropped(v, next))
				continue;
			if (code_candidate(v, o, next, k, seen, next == page))
				return true;
		}
	return false;
}

/* ---- other pages ---- */

bool
trc_visit_is_near(const struct trc_visit_model *v, uint32_t page)
{
	return trc_visit_was_seen(v, page) && trc_visit_distance(&v->history, page) < v->window;
}

static unsigned
code_near(struct trc_visit_model *v, unsigned near)
{
	struct trc_visit_set s;

	trc_visit_near_set(v, &s);
	return code_bit(v, TRC_VISIT_NEAR, &s, near);
}

/* Codes which near page it is, in the order of last visits. Returns TRC_VISIT_UNKNOWN if the data
 * is invalid. */
static uint32_t
code_walk(struct trc_visit_model *v, const struct candidates *o, uint32_t page)
{
	const struct trc_history_page *known = v->history.of;
	struct trc_visit_candidate c = { .page = known[v->pages].older };
	struct trc_visit_set s;

	for (; c.depth < v->window && c.page != v->pages; c.depth++, c.page = known[c.page].older) {
		if (was_tried(o, c.page) || is_dropped(v, c.page))
			continue;
		trc_visit_walk_set(v, &c, &s);
		if (code_bit(v, TRC_VISIT_WALK, &s, c.page == page))
			return c.page;
		c.tried++;
	}
	return TRC_VISIT_UNKNOWN;
}

static uint32_t
code_far(struct trc_visit_model *v, uint32_t page)
{
	struct trc_visit_set s;

	trc_visit_far_set(v, &s);
	page = trc_number_code_bits(&v->number[TRC_VISIT_FAR], s.context, s.selector,
	                            64 - (unsigned)trc_clz64(v->pages - 1), page);
	return page < v->pages && trc_visit_was_seen(v, page) ? page : TRC_VISIT_UNKNOWN;
}

uint32_t
trc_visit_page(struct trc_visit_model *v, uint32_t page)
{
	const bool known = page != TRC_VISIT_UNKNOWN;
	struct candidates o = { .n = 0 };
	unsigned fresh = v->unseen_pages > 0;

	find_successors(v);
	if (fresh)
		fresh = code_fresh(v, known && !trc_visit_was_seen(v, page));
	v->now.fresh = v->now.fresh << 1 | fresh;
	if (fresh)
		return code_new(v, page);
	if (code_candidates(v, &o, page))
		return o.page[o.n - 1];
	if (code_near(v, known && trc_visit_is_near(v, page)))
		return code_walk(v, &o, page);
	return code_far(v, page);
}
