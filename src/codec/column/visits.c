/* SPDX-License-Identifier: MIT
 * Visits by many contexts: one code for both directions. */
#include "codec/column/visits.h"

#include <stdlib.h>

#include "codec/entropy/fenwick.h"
#include "codec/column/visit_model.h"

enum {
	ENTRY_BITS_MOST = 17,
	WINDOW = 64, /* pages in memory, if r is small */
	WINDOW_LEAST = 16,
	WINDOW_MOST = 256,
	LAG_SAYINGS = 8, /* the first, that lags are compared with */
};

static const struct {
	uint8_t contexts, more;
} panel_of[TRC_ASKS] = {
	[TRC_ASK_GAP] = { 12, TRC_PAST_SAYINGS },
	[TRC_ASK_FRESH] = { 6, 0 },
	[TRC_ASK_STEP] = { 4, 2 },
	[TRC_ASK_OFFER] = { 12, TRC_VISIT_ENTRIES },
	[TRC_ASK_NEAR] = { 7, 0 },
	[TRC_ASK_WALK] = { 12, 0 },
	[TRC_ASK_FAR] = { 10, 0 },
	[TRC_ASK_KIND] = { 9, 0 },
	[TRC_ASK_LAG] = { 10, LAG_SAYINGS + 2 },
};

#define H trc_hash

/* ---- setting up ---- */

static void
visitor_close(struct trc_visit_model *v)
{
	if (!v)
		return;
	for (int k = 0; k < TRC_VISIT_ENTRIES; k++)
		free(v->table[k]);
	free(v->unseen);
	free(v->last_kind);
	trc_past_release(&v->past);
	trc_deciding_release(&v->with);
	free(v);
}

static int
make_tables(struct trc_visit_model *v, size_t rows, struct trc_err *err)
{
	const unsigned bits = trc_table_bits(rows, ENTRY_BITS_MOST);

	v->entry_shift = 32 - bits;
	for (int k = 0; k < TRC_VISIT_ENTRIES; k++) {
		v->table[k] = trc_alloc((size_t)1 << bits, sizeof(*v->table[k]), err);
		if (!v->table[k])
			return -1;
	}
	v->unseen = trc_alloc((size_t)v->pages + 1, sizeof(*v->unseen), err);
	v->last_kind = v->unseen ? trc_alloc(v->pages, 1, err) : NULL;
	if (!v->last_kind)
		return -1;
	trc_fenwick_ones(v->unseen, v->pages);
	v->unseen_pages = v->pages;
	return 0;
}

static struct trc_visit_model *
visitor_open(const struct trc_visits *rows, uint32_t r, struct trc_err *err)
{
	struct trc_visit_model *v = trc_alloc(1, sizeof(*v), err);

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
		v->now.p[k] = TRC_VISIT_NOBODY;
	if (trc_deciding_init(&v->with, rows->n, err) ||
	    trc_past_init(&v->past, rows->n, rows->pages, err) || make_tables(v, rows->n, err)) {
		visitor_close(v);
		return NULL;
	}
	for (unsigned k = 0; k < TRC_ASKS; k++)
		trc_panel_init(&v->panel[k], &v->with, k, panel_of[k].contexts, panel_of[k].more);
	for (int k = 0; k < TRC_VISIT_ENTRIES * TRC_VISIT_OFFERS; k++)
		for (int i = 0; i < TRC_VISIT_WORDS; i++)
			v->word[k / TRC_VISIT_OFFERS][k % TRC_VISIT_OFFERS][i] = TRC_CELL_NEW.p;
	return v;
}

/* ---- times ---- */

static uint32_t
code_gap(struct trc_visit_model *v, uint32_t gap)
{
	const struct trc_visit_now *n = &v->now;
	const struct trc_saying *s = v->past.saying;
	const uint32_t c = H(n->p[0], 1), cc = H(n->p[1], c), ccc = H(n->p[2], cc);
	const uint32_t context[] = {
		0,
		c,
		cc,
		H(n->p[3], ccc),
		H(n->g[0], c) + 1,
		H(n->g[0], H(n->g[1], cc)) + 2,
		H(n->k[0], H(v->near % 4, c)),
		H(s[3].ahead, 3),
		H(s[0].ahead, c) + 3,
		H(s[1].ahead, H(s[2].ahead, 4)),
		H(s[2].ahead, c) + 4,
		H(n->p[0] - n->p[1], H(n->p[1] - n->p[2], 5)),
	};
	uint32_t hint[TRC_PAST_SAYINGS];
	unsigned alike = 0;

	for (int k = 0; k < TRC_PAST_SAYINGS; k++) {
		hint[k] = s[k].ahead;
		alike += k > 0 && s[k].ahead == s[0].ahead;
	}
	return trc_decide_number(&v->panel[TRC_ASK_GAP], context,
	                         (alike < 3 ? alike : 3) + 4 * (v->right % 8), hint, gap);
}

/* `gap` times the ratio of two numbers, TRC_NO_HINT at most. */
static uint32_t
expected(uint32_t gap, uint64_t part, uint64_t whole)
{
	const uint64_t v = whole ? gap * part / whole : 0;

	return v < TRC_NO_HINT ? (uint32_t)v : TRC_NO_HINT;
}

static uint32_t
code_lag(struct trc_visit_model *v, uint32_t lag)
{
	const struct trc_visit_now *n = &v->now;
	const struct trc_past *past = &v->past;
	const uint32_t a = n->gap, row = past->what[n->page].last;
	const uint32_t c = H(n->page, 1), pair = H(n->p[0], c), rough = trc_visit_rough(a, 1);
	const uint32_t mean = expected(a, v->lags_of, v->gaps);
	const uint32_t before = row == TRC_NO_ROW ?
	                                0 :
	                                expected(a, past->lag[row] - (row ? past->lag[row - 1] : 0),
	                                         past->time[row] - (row ? past->time[row - 1] : 0));
	const uint32_t context[] = {
		H(n->bits, 0),
		H(trc_visit_rough(mean, 3), H(rough, 1)),
		H(trc_visit_rough(before, 3), H(rough, 2)),
		H(a / 8, 3),
		H(a, 4),
		H(n->bits, pair) + 5,
		H(a / 4, H(n->p[0], 6)),
		H(a, H(n->p[0], 7)),
		H(a, c) + 8,
		H(a, pair) + 9,
	};
	uint32_t hint[LAG_SAYINGS + 2] = { mean, before };

	for (int k = 0; k < LAG_SAYINGS; k++) {
		const struct trc_saying *s = &past->saying[k];

		hint[k + 2] = s->ahead == a && s->lag < TRC_NO_HINT ? (uint32_t)s->lag :
		                                                      TRC_NO_HINT;
	}
	return trc_decide_number(&v->panel[TRC_ASK_LAG], context, n->bits, hint, lag);
}

/* ---- kinds ---- */

static uint32_t
code_kind(struct trc_visit_model *v, uint32_t kind)
{
	const struct trc_visit_now *n = &v->now;
	const uint32_t last = v->last_kind[n->page], p = H(n->page, 1), pc = H(n->p[0], p);
	const uint32_t beside = n->page > 0 ? v->last_kind[n->page - 1] : 0;
	const uint32_t of[] = {
		H(last, H(n->near, H(n->k[0], 0))),
		p,
		H(last, H(n->near, p)) + 1,
		H(n->k[0], H(n->k[1], p)) + 2,
		pc,
		H(n->k[0], pc) + 3,
		H(n->p[1], pc) + 4,
		H(beside, H(last, 5)),
		H(beside, H(last, H(n->page - n->p[0], 6))),
	};
	uint32_t node = 1;

	for (unsigned b = trc_visit_bits(v->kinds - 1); b-- > 0;) {
		uint32_t context[TRC_COUNT(of)];
		const struct trc_select s = {
			.weight = { last * 2 + n->near, n->page % TRC_PANEL_SELECT, b },
			.row = { node * 32 + last * 2 + n->near, node },
		};

		for (size_t k = 0; k < TRC_COUNT(of); k++)
			context[k] = H(node, of[k]);
		node = node * 2 + trc_decide(&v->panel[TRC_ASK_KIND], context, &s, kind >> b & 1);
	}
	return node - (1u << trc_visit_bits(v->kinds - 1));
}

/* ---- rows ---- */

static void
add_row(struct trc_visit_model *v)
{
	enum { LATELY = 1 << 14 };
	struct trc_visit_now *n = &v->now;
	struct trc_history_page *p = &v->past.what[n->page];

	trc_visit_learn(v, (uint16_t)n->page);
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
code_row(struct trc_visit_model *v, struct trc_visits *rows, size_t i, bool known)
{
	struct trc_visit_now *n = &v->now;

	trc_past_look(&v->past);
	n->gap = code_gap(v, known ? rows->gap[i] : 0);
	n->hash_gap = H(n->gap, 1);
	n->bits = trc_visit_bits(n->gap);
	if (n->gap > TRC_VISITS_GAP)
		return false;
	n->page = trc_visit_page(v, known ? rows->page[i] : TRC_VISIT_UNKNOWN);
	if (n->page == TRC_VISIT_UNKNOWN)
		return false;
	n->near = trc_visit_is_near(v, n->page);
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
	const size_t entries = TRC_VISIT_ENTRIES * sizeof(struct trc_visit_entry);

	return sizeof(struct trc_visit_model) + trc_past_memory(rows, TRC_VISITS_PAGES) +
	       trc_deciding_memory(rows) + (entries << trc_table_bits(rows, ENTRY_BITS_MOST)) +
	       (TRC_VISITS_PAGES + 1) * (sizeof(uint32_t) + 1);
}

int
trc_visits_write(const struct trc_visits *rows, struct trc_buf *out, struct trc_err *err)
{
	struct trc_visits same = *rows;
	struct trc_visit_model *v;
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
read_rows(struct trc_visit_model *v, struct trc_visits *rows, size_t first, struct trc_err *err)
{
	for (size_t i = 0; i < first; i++) {
		if (!code_row(v, rows, i, false) || trc_rc_overrun(&v->with.rc))
			return damaged(err);
		rows->gap[i] = v->now.gap;
		rows->page[i] = (uint16_t)v->now.page;
		if (rows->kind)
			rows->kind[i] = (uint8_t)v->now.kind;
		if (rows->lag)
			rows->lag[i] = v->now.lag;
	}
	return first < rows->n || trc_rc_ended(&v->with.rc) ? 0 : damaged(err);
}

int
trc_visits_read(struct trc_visits *rows, const uint8_t *p, size_t len, size_t first,
                struct trc_err *err)
{
	struct trc_view in = { p, p + len };
	struct trc_visit_model *v;
	uint64_t n, r;
	int ret;

	if (!trc_view_num(&in, &n) || n != rows->n || !trc_view_num(&in, &r) || r > rows->pages)
		return damaged(err);
	v = visitor_open(rows, (uint32_t)r, err);
	if (!v)
		return -1;
	trc_rc_read(&v->with.rc, in.p, in.end);
	ret = read_rows(v, rows, first, err);
	visitor_close(v);
	return ret;
}
