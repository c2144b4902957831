/* SPDX-License-Identifier: MIT
 * Visits by many contexts: one code for both directions. */
#include "codec/visits.h"

#include <assert.h>
#include <stdlib.h>

#include "codec/panel.h"
#include "codec/past.h"

enum {
	ENTRIES = TRC_PANEL_MORE,
	ENTRY_BITS_LEAST = 10,
	ENTRY_BITS_MOST = 17,
	OFFERS = 8,
	WORDS = 1 + 3 * TRC_HISTORIES, /* what an entry can say of a page */
	WINDOW = 64,                   /* pages in memory, if r is small */
	WINDOW_LEAST = 16,
	WINDOW_MOST = 256,
	NOBODY = 0xffff,               /* before the first row */
};

#define UNKNOWN UINT32_MAX /* a page that is to be read, or one that data says and cannot be */

/* What is decided; each has a panel. */
enum ask { GAP, FRESH, STEP, OFFER, NEAR, WALK, FAR, KIND, LAG, ASKS };

static const struct {
	uint8_t contexts;
	bool more;
} panel_of[ASKS] = {
	[GAP] = { 16, false }, [FRESH] = { 5, false }, [STEP] = { 4, false },
	[OFFER] = { 14, true }, [NEAR] = { 7, false }, [WALK] = { 12, false },
	[FAR] = { 10, false }, [KIND] = { 7, false }, [LAG] = { 13, false },
};

/* The last page that came in a context, and the last different one. */
struct entry {
	uint16_t last, other, check;
	uint8_t seen, history; /* seen: how many different pages, 2 at most */
};

/* The row that is coded, and those before it: [0] is the last. */
struct now {
	uint32_t gap, page, kind, lag;
	uint32_t hash_gap, bits; /* of this row's gap */
	uint32_t p[6], g[4], k[2], l[1];
	bool near; /* the page was in memory */
};

struct visitor {
	struct trc_deciding with;
	struct trc_panel panel[ASKS];
	struct trc_past past;
	struct now now;
	uint32_t pages, kinds, r, window;
	bool lags;

	struct entry *table[ENTRIES], *entry[ENTRIES];
	uint32_t hash[ENTRIES]; /* of the contexts of the entries */
	unsigned entry_shift;
	uint16_t word[ENTRIES][OFFERS][WORDS];
	unsigned right; /* bits: was the first offer right, the latest lowest */

	uint32_t *unseen; /* [pages + 1]: sums: pages that no row had */
	uint32_t unseen_pages, step_from, last_step;
	uint32_t fresh, near;  /* bits: was the page new, in memory; the latest lowest */
	uint32_t fault[2];     /* the last pages that were not in memory */
	uint8_t *last_kind;    /* of each page */
	uint64_t gaps, lags_of; /* sums of what came lately */
};

static inline uint32_t
bits_of(uint32_t v)
{
	return v ? 64 - (uint32_t)trc_clz64(v) : 0;
}

/* The number of bits of `v` and the `n` bits below its first. */
static inline uint32_t
rough(uint32_t v, unsigned n)
{
	const uint32_t k = bits_of(v);

	return k <= n + 1 ? v : k << 8 | (v >> (k - 1 - n));
}

#define H trc_hash

/* ---- setting up ---- */

static void
visitor_close(struct visitor *v)
{
	if (!v)
		return;
	for (int k = 0; k < ENTRIES; k++)
		free(v->table[k]);
	free(v->unseen);
	free(v->last_kind);
	trc_past_release(&v->past);
	trc_deciding_release(&v->with);
	free(v);
}

static unsigned
entry_bits(size_t rows)
{
	unsigned bits = ENTRY_BITS_LEAST;

	while (bits < ENTRY_BITS_MOST && (size_t)1 << bits < rows)
		bits++;
	return bits;
}

static int
make_tables(struct visitor *v, size_t rows, struct trc_err *err)
{
	const unsigned bits = entry_bits(rows);

	v->entry_shift = 32 - bits;
	for (int k = 0; k < ENTRIES; k++) {
		v->table[k] = trc_alloc((size_t)1 << bits, sizeof(*v->table[k]), err);
		if (!v->table[k])
			return -1;
	}
	v->unseen = trc_alloc((size_t)v->pages + 1, sizeof(*v->unseen), err);
	v->last_kind = v->unseen ? trc_alloc(v->pages, 1, err) : NULL;
	if (!v->last_kind)
		return -1;
	for (uint32_t k = 1; k <= v->pages; k++)
		v->unseen[k] = k & (0 - k);
	v->unseen_pages = v->pages;
	return 0;
}

static struct visitor *
visitor_open(const struct trc_visits *rows, uint32_t r, struct trc_err *err)
{
	struct visitor *v = trc_alloc(1, sizeof(*v), err);

	if (!v)
		return NULL;
	v->pages = rows->pages;
	v->kinds = rows->kinds;
	v->lags = rows->lag != NULL;
	v->r = r;
	v->window = r < WINDOW_LEAST ? WINDOW : r < WINDOW_MOST ? r : WINDOW_MOST;
	v->gaps = 16;
	v->lags_of = 8;
	for (int k = 0; k < 6; k++)
		v->now.p[k] = NOBODY;
	if (trc_deciding_init(&v->with, rows->n, err) ||
	    trc_past_init(&v->past, rows->n, rows->pages, err) || make_tables(v, rows->n, err)) {
		visitor_close(v);
		return NULL;
	}
	for (unsigned k = 0; k < ASKS; k++)
		trc_panel_init(&v->panel[k], &v->with, k, panel_of[k].contexts, panel_of[k].more);
	for (int k = 0; k < ENTRIES * OFFERS; k++)
		for (int i = 0; i < WORDS; i++)
			v->word[k / OFFERS][k % OFFERS][i] = TRC_CELL_NEW.p;
	return v;
}

/* ---- times ---- */

static uint32_t
code_gap(struct visitor *v, uint32_t gap)
{
	const struct now *n = &v->now;
	const struct trc_sequel *s = v->past.sequel, *best = &v->past.best;
	const uint32_t score = best->score < 15 ? best->score : 15;
	const uint32_t c = H(n->p[0], 1), cc = H(n->p[1], c), ccc = H(n->p[2], cc);
	const uint32_t context[] = {
		0,
		c,
		cc,
		ccc,
		H(n->p[3], ccc),
		H(n->g[0], c) + 1,
		H(n->g[0], H(n->g[1], cc)) + 2,
		H(s[1].ahead, 3),
		H(s[2].ahead, 4),
		H(s[3].ahead, 5),
		H(n->k[0], H(v->near % 4, c)),
		H(v->near % 8, cc),
		H(best->ahead, c) + 3,
		H(best->ahead, score) + 4,
		H(s[0].ahead, H(s[1].ahead, 6)),
		H(s[1].ahead, c) + 5,
	};
	unsigned agree = 0;

	for (int k = 0; k < TRC_PAST_SEQUELS; k++)
		agree += s[k].ahead == best->ahead;
	return trc_decide_number(&v->panel[GAP], context,
	                         (agree < 3 ? agree : 3) + (score >= 8 ? 4 : 0), gap);
}

/* `gap` times the ratio of two numbers. */
static uint32_t
expected(uint32_t gap, uint64_t part, uint64_t whole)
{
	return whole ? (uint32_t)(gap * part / whole) : 0;
}

/* A lag that a row of the past says, if its gap was right. */
static uint32_t
lag_by(const struct trc_sequel *s, uint32_t gap)
{
	return s->ahead == gap && s->lag < TRC_PAST_NEVER ? (uint32_t)s->lag : TRC_PAST_NEVER;
}

static uint32_t
code_lag(struct visitor *v, uint32_t lag)
{
	const struct now *n = &v->now;
	const struct trc_past *past = &v->past;
	const uint32_t a = n->gap, row = past->what[n->page].last;
	const uint32_t c = H(n->page, 1), pair = H(n->p[0], c);
	const uint32_t before = row == TRC_NO_ROW ? 0 :
		expected(a, past->lag[row] - (row ? past->lag[row - 1] : 0),
		         past->time[row] - (row ? past->time[row - 1] : 0));
	const uint32_t by[] = { lag_by(&past->sequel[0], a), lag_by(&past->sequel[1], a),
		                lag_by(&past->sequel[2], a), lag_by(&past->best, a) };
	const uint32_t context[] = {
		H(n->bits, 0),
		H(rough(expected(a, v->lags_of, v->gaps), 3), H(rough(a, 1), 1)),
		H(rough(before, 3), H(rough(a, 1), 2)),
		H(a / 8, 3),
		H(a, 4),
		H(n->bits, pair) + 5,
		H(a / 4, H(n->p[0], 6)),
		H(a, H(n->p[0], 7)),
		H(a, c) + 8,
		H(by[1], by[2]) + 9,
		H(by[0], by[1]) + 10,
		H(by[3], past->best.score) + 11,
		H(a, pair) + 12,
	};
	const uint32_t choice = by[3] != TRC_PAST_NEVER ? 31 :
	                        by[0] != TRC_PAST_NEVER ? 30 :
	                        by[1] != TRC_PAST_NEVER ? 29 :
	                        n->bits < 28            ? n->bits :
	                                                  28;

	return trc_decide_number(&v->panel[LAG], context, choice, lag);
}

/* ---- pages that no row had ---- */

static uint32_t
unseen_below(const struct visitor *v, uint32_t page)
{
	uint32_t sum = 0;

	for (uint32_t k = page; k > 0; k &= k - 1)
		sum += v->unseen[k];
	return sum;
}

/* The unseen page with `below` such pages below it. */
static uint32_t
find_unseen(const struct visitor *v, uint32_t below)
{
	uint32_t at = 0, step = 1;

	while (step <= v->pages / 2)
		step *= 2;
	for (; step > 0; step /= 2)
		if (at + step <= v->pages && v->unseen[at + step] <= below) {
			at += step;
			below -= v->unseen[at];
		}
	return at;
}

/* Codes how many unseen pages a new page is from the last one that was new. */
static uint32_t
code_step(struct visitor *v, uint32_t page)
{
	const uint32_t from = unseen_below(v, v->step_from);
	const uint32_t context[] = { 0, H(rough(v->last_step, 0), 1), H(v->fresh % 4, 2),
		                     H(v->last_step, 3) };
	uint32_t to, step = 0;

	if (page != UNKNOWN) {
		to = unseen_below(v, page);
		step = to >= from ? 2 * (to - from) : 2 * (from - to) - 1;
	}
	step = trc_decide_number(&v->panel[STEP], context, 0, step);
	v->last_step = step;
	to = step % 2 ? from - (step + 1) / 2 : from + step / 2;
	return to < v->unseen_pages ? find_unseen(v, to) : UNKNOWN;
}

static void
note_seen(struct visitor *v, uint32_t page)
{
	for (uint32_t k = page + 1; k <= v->pages; k += k & (0 - k))
		v->unseen[k]--;
	v->unseen_pages--;
	v->step_from = page;
}

static unsigned
code_fresh(struct visitor *v, unsigned fresh)
{
	const struct now *n = &v->now;
	const uint32_t context[] = { v->fresh % 16, H(n->bits, 1), H(n->p[0], 2),
		                     H(n->p[0], H(n->p[1], 3)), H(v->fresh % 256, 4) };
	const struct trc_select s = { 0, { 0, 0, v->fresh % 16 }, { v->fresh % 16, 0 }, 0, { 0 } };

	return trc_decide(&v->panel[FRESH], context, &s, fresh);
}

/* ---- pages that contexts offer ---- */

static void
find_entries(struct visitor *v)
{
	const struct now *n = &v->now;
	const uint32_t c = H(n->p[0], 1), cc = H(n->p[1], c), ccc = H(n->p[2], cc);
	const uint32_t hash[ENTRIES] = {
		H(n->gap, cc) + 1, H(n->gap, c) + 2,
		H(n->gap + n->g[0], H(n->p[1], 3)), H(n->gap + n->g[0] + n->g[1], H(n->p[2], 4)),
		ccc, cc, c, H(n->p[1], 5),
	};

	for (int k = 0; k < ENTRIES; k++) {
		uint32_t x = hash[k] * UINT32_C(0x85ebca6b);
		uint16_t check;

		v->hash[k] = hash[k];
		x = (x ^ x >> 14) * UINT32_C(0x9e3779b1);
		check = (uint16_t)(x | 1);
		v->entry[k] = &v->table[k][x >> v->entry_shift];
		if (v->entry[k]->check != check)
			*v->entry[k] = (struct entry){ .check = check };
	}
}

static void
learn_entries(struct visitor *v, uint16_t page)
{
	for (int k = 0; k < ENTRIES; k++) {
		struct entry *e = v->entry[k];

		if (e->seen == 0) {
			*e = (struct entry){ page, 0, e->check, 1, 1 };
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
word_of(const struct entry *e, uint32_t page)
{
	return e->seen == 0                     ? 0 :
	       e->last == page                  ? 1 + e->history * 3u :
	       e->seen == 2 && e->other == page ? 2 + e->history * 3u :
	                                          3 + e->history * 3u;
}

/* An eighth of r, or of the window, is a step; 15 is far, and never. */
static uint32_t
place(const struct visitor *v, uint32_t distance)
{
	const uint32_t step = distance * 8 / v->window;

	return step < 15 ? step : 15;
}

static inline bool
was_seen(const struct visitor *v, uint32_t page)
{
	return v->past.what[page].last != TRC_NO_ROW;
}

static inline bool
came_twice(const struct visitor *v, uint32_t page)
{
	return v->past.what[page].before != TRC_NO_ROW;
}

/* True if a page cannot come, since it would not have been kept. */
static bool
is_dropped(const struct visitor *v, uint32_t page)
{
	return came_twice(v, page) && trc_past_distance2(&v->past, page) < v->r;
}

struct offers {
	uint16_t page[OFFERS];
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

/* Decides whether the page that entry k offers, as its `seen`th, is right. */
static unsigned
code_offer(struct visitor *v, struct offers *o, uint16_t page, unsigned k, unsigned seen,
           unsigned right)
{
	const struct now *n = &v->now;
	const struct trc_sequel *best = &v->past.best;
	const uint32_t score = best->score < 15 ? best->score : 15;
	const uint32_t d1 = place(v, trc_past_distance(&v->past, page));
	const uint32_t d2 =
		came_twice(v, page) ? place(v, trc_past_distance2(&v->past, page)) : 15;
	const uint32_t *h = v->hash;
	const uint32_t aligned = best->ahead == n->gap && best->page == page;
	const uint32_t context[] = {
		H(page, 1), H(d1, H(d2, H(page, 2))), H(page, h[6]), H(page, h[7]), H(page, h[5]),
		H(page, h[4]), H(page, H(n->p[3], h[4])), H(d1, H(d2, H(k * 2 + seen, H(o->n, 3)))),
		H(aligned, H(score, H(o->n, 4))), H(page, n->hash_gap), H(page, h[3]),
		H(page, h[2]), H(page, h[1]), H(page, h[0]),
	};
	struct trc_select s = { .stage = o->n < 3 ? o->n : 3, .more = ENTRIES };
	uint16_t *word[ENTRIES];
	unsigned agree = 0;

	for (int e = 0; e < ENTRIES; e++) {
		word[e] = &v->word[e][o->n][word_of(v->entry[e], page)];
		s.input[e] = trc_stretch(&v->with.logistic, *word[e]);
		agree += v->entry[e]->seen > 0 && v->entry[e]->last == page;
	}
	s.weight[0] = o->n * 16 + agree + 128 * (v->right % 4);
	s.weight[1] = (s.stage * ENTRIES + k) * 2 + seen - 1;
	s.weight[2] = o->n;
	s.row[0] = o->n * 256 + d2 * 16 + agree;
	s.row[1] = (d1 * 16 + d2) * 8 + o->n;
	right = trc_decide(&v->panel[OFFER], context, &s, right);
	for (int e = 0; e < ENTRIES; e++)
		trc_move(word[e], right, TRC_MOVE);
	if (o->n == 0)
		v->right = v->right << 1 | right;
	o->page[o->n++] = page;
	return right;
}

/* Offers pages; true if one, the last in *o, is right. */
static bool
code_offers(struct visitor *v, struct offers *o, uint32_t page)
{
	for (unsigned seen = 1; seen <= 2; seen++)
		for (unsigned k = 0; k < ENTRIES && o->n < OFFERS; k++) {
			const struct entry *e = v->entry[k];
			const uint16_t offer = seen == 1 ? e->last : e->other;

			if (e->seen < seen || is_offered(o, offer) || is_dropped(v, offer))
				continue;
			if (code_offer(v, o, offer, k, seen, offer == page))
				return true;
		}
	return false;
}

/* ---- others ---- */

static unsigned
code_near(struct visitor *v, unsigned near)
{
	const struct now *n = &v->now;
	const uint32_t c = H(n->p[0], 1);
	const uint32_t context[] = {
		H(v->right % 16, 0), H(n->bits, H(v->near % 8, 1)), H(v->near % 64, 2),
		H(v->near % 1024, 3), c, H(n->bits, c) + 4, H(n->p[1], c) + 5,
	};
	const struct trc_select s = { 0, { v->right % 16, v->near % 64, 0 },
		                      { v->near % 256, v->right % 16 }, 0, { 0 } };

	return trc_decide(&v->panel[NEAR], context, &s, near);
}

/* Decides whether a page in memory is right: the `depth`th in the order of last visits, behind
 * `rank` others that could have been. */
static unsigned
code_walk(struct visitor *v, uint32_t page, unsigned depth, unsigned rank, unsigned right)
{
	const struct now *n = &v->now;
	const struct trc_past_page *w = &v->past.what[page];
	const uint32_t d2 =
		came_twice(v, page) ? place(v, trc_past_distance2(&v->past, page)) : 15;
	const uint32_t d = depth * 64 / v->window, stays = w->stays < 3 ? w->stays : 3;
	const uint32_t rows = bits_of((uint32_t)v->past.i - w->last);
	const uint64_t ago = v->past.time[v->past.i - 1] - v->past.time[w->last];
	const uint32_t age = 64 - (uint32_t)trc_clz64(ago | 1);
	const uint32_t p = H(page, 1), pc = H(n->p[0], p);
	const uint32_t context[] = {
		H(rank < 20 ? rank : 20, H(stays, 0)), H(d2, H(stays, H(d / 4, 1))),
		H(d, H(d2, 2)), H(rows, H(age, H(stays, 3))), p, H(stays, H(d2, p)) + 4,
		H(rows, p) + 5, H(w->after, p) + 6, H(n->p[1], p) + 7, pc, H(n->hash_gap, p) + 8,
		H(n->p[1], pc) + 9,
	};
	const struct trc_select s = {
		0,
		{ (rank < 31 ? rank : 31) * 4 + stays, d2 * 16 + d / 4, rank < 15 ? rank : 15 },
		{ d * 16 + d2, (rank < 255 ? rank : 255) * 4 + stays },
		0,
		{ 0 },
	};

	return trc_decide(&v->panel[WALK], context, &s, right);
}

/* Codes which page in memory it is, or returns UNKNOWN where data says none. */
static uint32_t
code_in_memory(struct visitor *v, const struct offers *o, uint32_t page)
{
	const struct trc_past_page *what = v->past.what;
	uint32_t p = what[v->pages].older;
	unsigned rank = 0;

	for (unsigned depth = 0; depth < v->window && p != v->pages; depth++, p = what[p].older) {
		if (is_offered(o, p) || is_dropped(v, p))
			continue;
		if (code_walk(v, p, depth, rank++, p == page))
			return p;
	}
	return UNKNOWN;
}

static uint32_t
code_far(struct visitor *v, const struct offers *o, uint32_t page)
{
	const struct now *n = &v->now;
	const uint32_t c = H(n->p[0], 1), f = H(v->fault[0], 2);
	const uint32_t of[] = { 0, H(o->n ? o->page[0] : NOBODY, 3), H(n->p[1], 4), c, f,
		                H(n->bits, c) + 5, H(n->hash_gap, 6), H(n->p[0], f) + 7,
		                H(n->p[1], c) + 8, H(v->fault[1], f) + 9 };
	uint32_t node = 1;

	for (unsigned b = bits_of(v->pages - 1); b-- > 0;) {
		uint32_t context[TRC_COUNT(of)];
		const struct trc_select s = { 0, { b, node < 1000 ? node : 0, b },
			                      { node % TRC_PANEL_ROWS, b }, 0, { 0 } };

		for (size_t k = 0; k < TRC_COUNT(of); k++)
			context[k] = H(node, of[k]);
		node = node * 2 + trc_decide(&v->panel[FAR], context, &s, page >> b & 1);
	}
	node -= 1u << bits_of(v->pages - 1);
	return node < v->pages && was_seen(v, node) ? node : UNKNOWN;
}

static bool
is_near(const struct visitor *v, uint32_t page)
{
	return was_seen(v, page) && trc_past_distance(&v->past, page) < v->window;
}

/* Codes the page: writes `page`, or reads and returns it. */
static uint32_t
code_page(struct visitor *v, uint32_t page)
{
	struct offers o = { .n = 0 };
	unsigned fresh = v->unseen_pages > 0;

	find_entries(v);
	if (fresh)
		fresh = code_fresh(v, page != UNKNOWN && !was_seen(v, page));
	v->fresh = v->fresh << 1 | fresh;
	if (fresh) {
		page = code_step(v, page);
		if (page != UNKNOWN)
			note_seen(v, page);
		return page;
	}
	if (code_offers(v, &o, page))
		return o.page[o.n - 1];
	if (code_near(v, page != UNKNOWN && is_near(v, page)))
		return code_in_memory(v, &o, page);
	return code_far(v, &o, page);
}

/* ---- kinds ---- */

static uint32_t
code_kind(struct visitor *v, uint32_t kind)
{
	const struct now *n = &v->now;
	const uint32_t last = v->last_kind[n->page], p = H(n->page, 1), pc = H(n->p[0], p);
	const uint32_t of[] = { H(last, H(n->near, H(n->k[0], 0))), p, H(last, H(n->near, p)) + 1,
		                H(n->k[0], H(n->k[1], p)) + 2, pc, H(n->k[0], pc) + 3,
		                H(n->p[1], pc) + 4 };
	uint32_t node = 1;

	for (unsigned b = bits_of(v->kinds - 1); b-- > 0;) {
		uint32_t context[TRC_COUNT(of)];
		const struct trc_select s = {
			.weight = { last * 2 + n->near, n->page % TRC_PANEL_SELECT, b },
			.row = { node * 32 + last * 2 + n->near, node },
		};

		for (size_t k = 0; k < TRC_COUNT(of); k++)
			context[k] = H(node, of[k]);
		node = node * 2 + trc_decide(&v->panel[KIND], context, &s, kind >> b & 1);
	}
	return node - (1u << bits_of(v->kinds - 1));
}

/* ---- rows ---- */

static void
add_row(struct visitor *v)
{
	enum { LATELY = 1 << 14 };
	struct now *n = &v->now;
	struct trc_past_page *p = &v->past.what[n->page];

	learn_entries(v, (uint16_t)n->page);
	v->last_kind[n->page] = (uint8_t)n->kind;
	v->near = v->near << 1 | n->near;
	if (!n->near) {
		v->fault[1] = v->fault[0];
		v->fault[0] = n->page;
	}
	p->stays = n->near ? p->stays + 1 : 0;
	trc_past_add(&v->past, n->gap, n->lag, n->page);
	v->gaps += n->gap;
	v->lags_of += n->lag;
	if (v->gaps > LATELY) {
		v->gaps /= 2;
		v->lags_of /= 2;
	}
	memmove(&n->p[1], &n->p[0], sizeof(n->p) - sizeof(*n->p));
	memmove(&n->g[1], &n->g[0], sizeof(n->g) - sizeof(*n->g));
	n->p[0] = n->page;
	n->g[0] = n->gap;
	n->k[1] = n->k[0];
	n->k[0] = n->kind;
}

/* Codes row i: writes it, or fills it in. False if data says what cannot be. */
static bool
code_row(struct visitor *v, struct trc_visits *rows, size_t i, bool known)
{
	struct now *n = &v->now;

	trc_past_look(&v->past);
	n->gap = code_gap(v, known ? rows->gap[i] : 0);
	n->hash_gap = H(n->gap, 1);
	n->bits = bits_of(n->gap);
	if (n->gap > TRC_VISITS_GAP)
		return false;
	n->page = code_page(v, known ? rows->page[i] : UNKNOWN);
	if (n->page == UNKNOWN)
		return false;
	n->near = is_near(v, n->page);
	n->kind = v->kinds > 1 ? code_kind(v, known ? rows->kind[i] : 0) : 0;
	n->lag = v->lags ? code_lag(v, known ? rows->lag[i] : 0) : 0;
	if (n->kind >= v->kinds || n->lag > TRC_VISITS_GAP)
		return false;
	add_row(v);
	return true;
}

/* The fewest other pages between any visit and the second next one to its page: what a trace may
 * have been reduced for. */
static int
find_r(const struct trc_visits *rows, uint32_t *r, struct trc_err *err)
{
	struct trc_past past = { 0 };
	int ret = trc_past_init(&past, rows->n, rows->pages, err);

	*r = UINT32_MAX;
	for (size_t i = 0; i < rows->n && ret == 0; i++) {
		const uint32_t page = rows->page[i];

		if (past.what[page].before != TRC_NO_ROW) {
			const uint32_t d = trc_past_distance2(&past, page);

			*r = d < *r ? d : *r;
		}
		trc_past_add(&past, 0, 0, page);
	}
	if (*r == UINT32_MAX)
		*r = 0;
	trc_past_release(&past);
	return ret;
}

size_t
trc_visits_memory(size_t rows)
{
	return sizeof(struct visitor) + trc_past_memory(rows, TRC_VISITS_PAGES) +
	       trc_deciding_memory(rows) + (ENTRIES * sizeof(struct entry) << entry_bits(rows)) +
	       (TRC_VISITS_PAGES + 1) * (sizeof(uint32_t) + 1);
}

int
trc_visits_write(const struct trc_visits *rows, struct trc_buf *out, struct trc_err *err)
{
	struct trc_visits same = *rows;
	struct visitor *v;
	uint32_t r;
	int ret;

	if (find_r(rows, &r, err) || trc_buf_put_num(out, rows->n, err) ||
	    trc_buf_put_num(out, r, err))
		return -1;
	v = visitor_open(rows, r, err);
	if (!v)
		return -1;
	trc_rc_write(&v->with.rc, out);
	for (size_t i = 0; i < rows->n; i++)
		code_row(v, &same, i, true);
	ret = trc_rc_finish(&v->with.rc, err);
	visitor_close(v);
	return ret;
}

static int
damaged(struct trc_err *err)
{
	return trc_fail(err, "visits to pages are damaged");
}

static int
read_rows(struct visitor *v, struct trc_visits *rows, struct trc_err *err)
{
	for (size_t i = 0; i < rows->n; i++) {
		if (!code_row(v, rows, i, false) || trc_rc_overrun(&v->with.rc))
			return damaged(err);
		rows->gap[i] = v->now.gap;
		rows->page[i] = (uint16_t)v->now.page;
		if (rows->kind)
			rows->kind[i] = (uint8_t)v->now.kind;
		if (rows->lag)
			rows->lag[i] = v->now.lag;
	}
	return v->with.rc.p == v->with.rc.end ? 0 : damaged(err);
}

int
trc_visits_read(struct trc_visits *rows, const uint8_t *p, size_t len, struct trc_err *err)
{
	struct trc_view in = { p, p + len };
	struct visitor *v;
	uint64_t n, r;
	int ret;

	if (!trc_view_num(&in, &n) || n != rows->n || !trc_view_num(&in, &r) || r > rows->pages)
		return damaged(err);
	v = visitor_open(rows, (uint32_t)r, err);
	if (!v)
		return -1;
	trc_rc_read(&v->with.rc, in.p, in.end);
	ret = read_rows(v, rows, err);
	visitor_close(v);
	return ret;
}
