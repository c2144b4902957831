/* SPDX-License-Identifier: MIT
 * Which page was visited: a new one, one that a context offers, one in memory, or another. */
#include "codec/entropy/fenwick.h"
#include "codec/column/visit_model.h"

#define H trc_hash

/* ---- pages that no row had ---- */

static inline bool
was_seen(const struct trc_visit_model *v, uint32_t page)
{
	return v->past.what[page].last != TRC_NO_ROW;
}

/* The page that a sweep comes to now, if any does. */
static uint32_t
swept_page(const struct trc_visit_model *v)
{
	for (int k = TRC_PAST_OF_SHIFT; k < TRC_PAST_SAYINGS; k++)
		if (v->past.saying[k].ahead == v->now.gap)
			return v->past.saying[k].page;
	return TRC_NO_PAGE;
}

/* How many unseen pages a page is from the last one that was new, as a number. */
static uint32_t
step_to(const struct trc_visit_model *v, uint32_t page)
{
	const uint32_t from = trc_fenwick_below(v->unseen, v->step_from);
	const uint32_t to = trc_fenwick_below(v->unseen, page);

	return to >= from ? 2 * (to - from) : 2 * (from - to) - 1;
}

static uint32_t
hint_step(const struct trc_visit_model *v, uint32_t page)
{
	return page < v->pages && !was_seen(v, page) ? step_to(v, page) : TRC_NO_HINT;
}

/* Codes how far a new page is from the last one that was new. */
static uint32_t
code_step(struct trc_visit_model *v, uint32_t page)
{
	const uint32_t from = trc_fenwick_below(v->unseen, v->step_from);
	const uint32_t context[] = { 0, H(trc_visit_rough(v->last_step, 0), 1), H(v->fresh % 4, 2),
		                     H(v->last_step, 3) };
	const uint32_t hint[] = { hint_step(v, swept_page(v)),
		                  hint_step(v, v->step_from + v->step_by) };
	uint32_t to, step = page != TRC_VISIT_UNKNOWN ? step_to(v, page) : 0;

	step = trc_decide_number(&v->panel[TRC_ASK_STEP], context, 0, hint, step);
	v->last_step = step;
	to = step % 2 ? from - (step + 1) / 2 : from + step / 2;
	return to < v->unseen_pages ? (uint32_t)trc_fenwick_find(v->unseen, v->pages, to) :
	                              TRC_VISIT_UNKNOWN;
}

static void
note_seen(struct trc_visit_model *v, uint32_t page)
{
	trc_fenwick_add(v->unseen, v->pages, page, UINT32_MAX);
	v->unseen_pages--;
	v->step_by = page - v->step_from;
	v->step_from = page;
}

static unsigned
code_fresh(struct trc_visit_model *v, unsigned fresh)
{
	const struct trc_visit_now *n = &v->now;
	const uint32_t swept = swept_page(v);
	const uint32_t sweep = swept == TRC_NO_PAGE ? 0 : was_seen(v, swept) ? 1 : 2;
	const uint32_t context[] = { v->fresh % 16,        H(n->bits, 1),
		                     H(n->p[0], 2),        H(n->p[0], H(n->p[1], 3)),
		                     H(v->fresh % 256, 4), H(v->fresh % 4, H(sweep, 5)) };
	const struct trc_select s = { 0, { 0, 0, v->fresh % 16 }, { v->fresh % 16, 0 }, { 0 } };

	return trc_decide(&v->panel[TRC_ASK_FRESH], context, &s, fresh);
}

/* ---- pages that contexts offer ---- */

static void
find_entries(struct trc_visit_model *v)
{
	const struct trc_visit_now *n = &v->now;
	const uint32_t c = H(n->p[0], 1), cc = H(n->p[1], c), ccc = H(n->p[2], cc);
	const uint32_t hash[TRC_VISIT_ENTRIES] = {
		H(n->gap, cc) + 1,
		H(n->gap, c) + 2,
		H(n->gap + n->g[0], H(n->p[1], 3)),
		H(n->gap + n->g[0] + n->g[1], H(n->p[2], 4)),
		ccc,
		cc,
		c,
		H(n->p[1], 5),
	};

	for (int k = 0; k < TRC_VISIT_ENTRIES; k++) {
		uint32_t x = hash[k] * UINT32_C(0x85ebca6b);
		uint16_t check;

		v->hash[k] = hash[k];
		x = (x ^ x >> 14) * UINT32_C(0x9e3779b1);
		check = (uint16_t)(x | 1);
		v->entry[k] = &v->table[k][x >> v->entry_shift];
		if (v->entry[k]->check != check)
			*v->entry[k] = (struct trc_visit_entry){ .check = check };
	}
}

void
trc_visit_learn(struct trc_visit_model *v, uint16_t page)
{
	for (int k = 0; k < TRC_VISIT_ENTRIES; k++) {
		struct trc_visit_entry *e = v->entry[k];

		if (e->seen == 0) {
			*e = (struct trc_visit_entry){ page, 0, e->check, 1, 1 };
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

/* What an entry says of a page. */
static inline unsigned
word_of(const struct trc_visit_entry *e, uint32_t page)
{
	return e->seen == 0                     ? 0 :
	       e->last == page                  ? 1 + e->history * 3u :
	       e->seen == 2 && e->other == page ? 2 + e->history * 3u :
	                                          3 + e->history * 3u;
}

/* An eighth of r, or of the window, is a step; 15 is far, and never. */
static uint32_t
place(const struct trc_visit_model *v, uint32_t distance)
{
	const uint32_t step = distance * 8 / v->window;

	return step < 15 ? step : 15;
}

static inline bool
came_twice(const struct trc_visit_model *v, uint32_t page)
{
	return v->past.what[page].before != TRC_NO_ROW;
}

/* True if a page cannot come, since it would not have been kept. */
static bool
is_dropped(const struct trc_visit_model *v, uint32_t page)
{
	return came_twice(v, page) && trc_past_distance2(&v->past, page) < v->r;
}

struct offers {
	uint16_t page[TRC_VISIT_OFFERS];
	unsigned n;
};

static bool
is_offered(const struct offers *o, uint32_t page)
{
	for (unsigned i = 0; i < o->n; i++)
		if (o->page[i] == page)
			return true;
	return false;
}

/* Which sayings are of the page, if their gap was right: bits. */
static unsigned
who_says(const struct trc_visit_model *v, uint32_t page)
{
	unsigned who = 0;

	for (int k = 0; k < TRC_PAST_SAYINGS; k++)
		who |= (unsigned)(v->past.saying[k].ahead == v->now.gap &&
		                  v->past.saying[k].page == page)
		       << k;
	return who;
}

/* Decides whether a page is right that entry k offers as its `seen`th. Sayings offer like an entry
 * behind the last, as its first. */
static unsigned
code_offer(struct trc_visit_model *v, struct offers *o, uint16_t page, unsigned k, unsigned seen,
           unsigned right)
{
	const struct trc_visit_now *n = &v->now;
	const uint32_t d1 = place(v, trc_past_distance(&v->past, page));
	const uint32_t d2 = came_twice(v, page) ? place(v, trc_past_distance2(&v->past, page)) : 15;
	const uint32_t *h = v->hash;
	const uint32_t context[] = {
		H(page, 1),
		H(d1, H(d2, H(page, 2))),
		H(page, h[6]),
		H(page, h[7]),
		H(page, h[4]),
		H(d1, H(d2, H(k * 2 + seen, H(o->n, 3)))),
		H(who_says(v, page), H(o->n, 4)),
		H(page, n->hash_gap),
		H(page, h[3]),
		H(page, h[2]),
		H(page, h[1]),
		H(page, h[0]),
	};
	struct trc_select s = { .stage = o->n < 3 ? o->n : 3 };
	uint16_t *word[TRC_VISIT_ENTRIES];
	unsigned agree = 0;

	for (int e = 0; e < TRC_VISIT_ENTRIES; e++) {
		word[e] = &v->word[e][o->n][word_of(v->entry[e], page)];
		s.input[e] = trc_stretch(v->with.logistic, *word[e]);
		agree += v->entry[e]->seen > 0 && v->entry[e]->last == page;
	}
	s.weight[0] = o->n * 16 + agree + 128 * (v->right % 4);
	s.weight[1] = (s.stage * (TRC_VISIT_ENTRIES + 1) + k) * 2 + seen - 1;
	s.weight[2] = o->n;
	s.row[0] = o->n * 256 + d2 * 16 + agree;
	s.row[1] = (d1 * 16 + d2) * 8 + o->n;
	right = trc_decide(&v->panel[TRC_ASK_OFFER], context, &s, right);
	for (int e = 0; e < TRC_VISIT_ENTRIES; e++)
		trc_move(word[e], right, TRC_MOVE);
	if (o->n == 0)
		v->right = v->right << 1 | right;
	o->page[o->n++] = page;
	return right;
}

/* Whether a page may be offered that was not yet. */
static bool
may_offer(const struct trc_visit_model *v, const struct offers *o, uint32_t page)
{
	return !is_offered(o, page) && !is_dropped(v, page);
}

/* Offers pages; true if one, the last in *o, is right. */
static bool
code_offers(struct trc_visit_model *v, struct offers *o, uint32_t page)
{
	for (int k = 0; k < TRC_PAST_SAYINGS && o->n < TRC_VISIT_OFFERS; k++) {
		const struct trc_saying *s = &v->past.saying[k];

		if (s->ahead != v->now.gap || s->page == TRC_NO_PAGE || !was_seen(v, s->page) ||
		    !may_offer(v, o, s->page))
			continue;
		if (code_offer(v, o, (uint16_t)s->page, TRC_VISIT_ENTRIES, 1, s->page == page))
			return true;
	}
	for (unsigned seen = 1; seen <= 2; seen++)
		for (unsigned k = 0; k < TRC_VISIT_ENTRIES && o->n < TRC_VISIT_OFFERS; k++) {
			const struct trc_visit_entry *e = v->entry[k];
			const uint16_t offer = seen == 1 ? e->last : e->other;

			if (e->seen < seen || !may_offer(v, o, offer))
				continue;
			if (code_offer(v, o, offer, k, seen, offer == page))
				return true;
		}
	return false;
}

/* ---- others ---- */

static unsigned
code_near(struct trc_visit_model *v, unsigned near)
{
	const struct trc_visit_now *n = &v->now;
	const uint32_t c = H(n->p[0], 1);
	const uint32_t context[] = {
		H(v->right % 16, 0),
		H(n->bits, H(v->near % 8, 1)),
		H(v->near % 64, 2),
		H(v->near % 1024, 3),
		c,
		H(n->bits, c) + 4,
		H(n->p[1], c) + 5,
	};
	const struct trc_select s = {
		0, { v->right % 16, v->near % 64, 0 }, { v->near % 256, v->right % 16 }, { 0 }
	};

	return trc_decide(&v->panel[TRC_ASK_NEAR], context, &s, near);
}

/* Decides whether a page in memory is right: the `depth`th in the order of last visits, behind
 * `rank` others that could have been. */
static unsigned
code_walk(struct trc_visit_model *v, uint32_t page, unsigned depth, unsigned rank, unsigned right)
{
	const struct trc_visit_now *n = &v->now;
	const struct trc_history_page *w = &v->past.what[page];
	const uint32_t d2 = came_twice(v, page) ? place(v, trc_past_distance2(&v->past, page)) : 15;
	const uint32_t d = depth * 64 / v->window, stays = w->stays < 3 ? w->stays : 3;
	const uint32_t rows = trc_visit_bits((uint32_t)v->past.i - w->last);
	const uint64_t ago = v->past.time[v->past.i - 1] - v->past.time[w->last];
	const uint32_t age = 64 - (uint32_t)trc_clz64(ago | 1);
	const uint32_t p = H(page, 1), pc = H(n->p[0], p);
	const uint32_t context[] = {
		H(rank < 20 ? rank : 20, H(stays, 0)),
		H(d2, H(stays, H(d / 4, 1))),
		H(d, H(d2, 2)),
		H(rows, H(age, H(stays, 3))),
		p,
		H(stays, H(d2, p)) + 4,
		H(rows, p) + 5,
		H(w->after, p) + 6,
		H(n->p[1], p) + 7,
		pc,
		H(n->hash_gap, p) + 8,
		H(n->p[1], pc) + 9,
	};
	const struct trc_select s = {
		0,
		{ (rank < 31 ? rank : 31) * 4 + stays, d2 * 16 + d / 4, rank < 15 ? rank : 15 },
		{ d * 16 + d2, (rank < 255 ? rank : 255) * 4 + stays },
		{ 0 },
	};

	return trc_decide(&v->panel[TRC_ASK_WALK], context, &s, right);
}

/* Codes which page in memory it is, or returns TRC_VISIT_UNKNOWN where data says none. */
static uint32_t
code_in_memory(struct trc_visit_model *v, const struct offers *o, uint32_t page)
{
	const struct trc_history_page *what = v->past.what;
	uint32_t p = what[v->pages].older;
	unsigned rank = 0;

	for (unsigned depth = 0; depth < v->window && p != v->pages; depth++, p = what[p].older) {
		if (is_offered(o, p) || is_dropped(v, p))
			continue;
		if (code_walk(v, p, depth, rank++, p == page))
			return p;
	}
	return TRC_VISIT_UNKNOWN;
}

static uint32_t
code_far(struct trc_visit_model *v, const struct offers *o, uint32_t page)
{
	const struct trc_visit_now *n = &v->now;
	const uint32_t c = H(n->p[0], 1), f = H(v->fault[0], 2);
	const uint32_t of[] = { 0,
		                H(o->n ? o->page[0] : TRC_VISIT_NOBODY, 3),
		                H(n->p[1], 4),
		                c,
		                f,
		                H(n->bits, c) + 5,
		                H(n->hash_gap, 6),
		                H(n->p[0], f) + 7,
		                H(n->p[1], c) + 8,
		                H(v->fault[1], f) + 9 };
	uint32_t node = 1;

	for (unsigned b = trc_visit_bits(v->pages - 1); b-- > 0;) {
		uint32_t context[TRC_COUNT(of)];
		const struct trc_select s = {
			0, { b, node < 1000 ? node : 0, b }, { node % TRC_PANEL_ROWS, b }, { 0 }
		};

		for (size_t k = 0; k < TRC_COUNT(of); k++)
			context[k] = H(node, of[k]);
		node = node * 2 + trc_decide(&v->panel[TRC_ASK_FAR], context, &s, page >> b & 1);
	}
	node -= 1u << trc_visit_bits(v->pages - 1);
	return node < v->pages && was_seen(v, node) ? node : TRC_VISIT_UNKNOWN;
}

bool
trc_visit_is_near(const struct trc_visit_model *v, uint32_t page)
{
	return was_seen(v, page) && trc_past_distance(&v->past, page) < v->window;
}

uint32_t
trc_visit_page(struct trc_visit_model *v, uint32_t page)
{
	struct offers o = { .n = 0 };
	unsigned fresh = v->unseen_pages > 0;

	find_entries(v);
	if (fresh)
		fresh = code_fresh(v, page != TRC_VISIT_UNKNOWN && !was_seen(v, page));
	v->fresh = v->fresh << 1 | fresh;
	if (fresh) {
		page = code_step(v, page);
		if (page != TRC_VISIT_UNKNOWN)
			note_seen(v, page);
		return page;
	}
	if (code_offers(v, &o, page))
		return o.page[o.n - 1];
	if (code_near(v, page != TRC_VISIT_UNKNOWN && trc_visit_is_near(v, page)))
		return code_in_memory(v, &o, page);
	return code_far(v, &o, page);
}
