/* SPDX-License-Identifier: MIT
 * Packs visits by mixing many contexts; the same code serves both directions. */
#include "codec/column/visits.h"

#include <assert.h>
#include <stdlib.h>

#include "codec/entropy/fenwick.h"
#include "codec/column/visit_model.h"

enum {
	SUCCESSOR_BITS_MOST = 17,
	LINE_BITS_MOST = 20,
	LINES_A_ROW = 24,
	WINDOW = 64, /* number of pages that count as near if r is small */
	WINDOW_LEAST = 16,
	WINDOW_MOST = 256,
};

static_assert((int)TRC_VISITS_KINDS <= 1 << (int)TRC_CELL_BITS, "kinds take one slot");

/* ---- setting up ---- */

static void
model_close(struct trc_visit_model *v)
{
	if (!v)
		return;
	for (int k = 0; k < TRC_VISIT_NUMBERS; k++)
		trc_number_release(&v->number[k]);
	for (int k = 0; k < TRC_VISIT_ROWS - TRC_VISIT_NUMBERS; k++)
		trc_predictor_release(&v->bit[k]);
	for (int k = 0; k < TRC_VISIT_SUCCESSORS; k++)
		free(v->table[k]);
	free(v->unseen);
	free(v->last_kind);
	trc_visit_history_release(&v->history);
	trc_predictors_release(&v->with);
	free(v);
}

static unsigned
line_bits(size_t rows)
{
	return trc_table_bits(LINES_A_ROW * rows, LINE_BITS_MOST);
}

static int
make_predictors(struct trc_visit_model *v, size_t rows, struct trc_err *err)
{
	if (trc_predictors_init(&v->with, line_bits(rows), err))
		return -1;
	for (unsigned k = 0; k < TRC_VISIT_ROWS; k++) {
		const struct trc_predictor_row *row = &trc_visit_rows[k];

		if (k < TRC_VISIT_NUMBERS ?
		            trc_number_init(&v->number[k], &v->with, k, row, err) :
		            trc_predictor_init(trc_visit_bit(v, k), &v->with, k, row, err))
			return -1;
	}
	for (int k = 0; k < TRC_VISIT_SUCCESSORS * TRC_VISIT_CANDIDATES; k++)
		for (int i = 0; i < TRC_VISIT_RELATIONS; i++)
			v->relation[k / TRC_VISIT_CANDIDATES][k % TRC_VISIT_CANDIDATES][i] =
			        TRC_COUNTER_NEW;
	return 0;
}

static int
make_tables(struct trc_visit_model *v, size_t rows, struct trc_err *err)
{
	const unsigned bits = trc_table_bits(rows, SUCCESSOR_BITS_MOST);

	v->successor_shift = 32 - bits;
	for (int k = 0; k < TRC_VISIT_SUCCESSORS; k++) {
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
model_open(const struct trc_visits *rows, uint32_t r, struct trc_err *err)
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
	for (size_t k = 0; k < TRC_COUNT(v->now.page); k++)
		v->now.page[k] = TRC_VISIT_NOBODY;
	if (make_predictors(v, rows->n, err) ||
	    trc_visit_history_init(&v->history, rows->n, rows->pages, err) ||
	    make_tables(v, rows->n, err)) {
		model_close(v);
		return NULL;
	}
	return v;
}

/* ---- rows ---- */

static uint32_t
code_gap(struct trc_visit_model *v, uint32_t gap)
{
	struct trc_visit_set s;

	trc_visit_gap_set(v, &s);
	return trc_number_code(&v->number[TRC_VISIT_GAP], s.context, s.selector, s.expected, gap);
}

static uint32_t
code_lag(struct trc_visit_model *v, uint32_t lag)
{
	struct trc_visit_set s;

	trc_visit_lag_set(v, &s);
	return trc_number_code(&v->number[TRC_VISIT_LAG], s.context, s.selector, s.expected, lag);
}

static uint32_t
code_kind(struct trc_visit_model *v, uint32_t kind)
{
	struct trc_visit_set s;

	trc_visit_kind_set(v, &s);
	return trc_number_code_bits(&v->number[TRC_VISIT_KIND], s.context, s.selector,
	                            64 - (unsigned)trc_clz64(v->kinds - 1), kind);
}

static void
add_row(struct trc_visit_model *v)
{
	enum { LATELY = 1 << 14 };
	struct trc_visit_now *n = &v->now;
	const uint32_t page = n->page[0];
	struct trc_history_page *p = &v->history.of[page];

	trc_visit_learn(v, (uint16_t)page);
	v->last_kind[page] = (uint8_t)n->kind[0];
	if (n->near % 2 == 0) {
		n->fault[1] = n->fault[0];
		n->fault[0] = page;
	}
	p->stays = n->near % 2 ? p->stays + 1 : 0;
	trc_visit_history_add(&v->history, n->gap[0], n->lag, page);
	v->gaps += n->gap[0];
	v->lags_of += n->lag;
	if (v->gaps > LATELY) {
		v->gaps /= 2;
		v->lags_of /= 2;
	}
	memmove(&n->page[1], &n->page[0], sizeof(n->page) - sizeof(*n->page));
	memmove(&n->gap[1], &n->gap[0], sizeof(n->gap) - sizeof(*n->gap));
	memmove(&n->kind[1], &n->kind[0], sizeof(n->kind) - sizeof(*n->kind));
}

/* Codes row i: writes it if `known`, or reads it into v->now. Returns false if the data is
 * invalid. */
static bool
code_row(struct trc_visit_model *v, const struct trc_visits *rows, size_t i, bool known)
{
	struct trc_visit_now *n = &v->now;

	trc_visit_history_predict(&v->history);
	n->by1 = trc_hash(n->page[1], 1);
	n->by2 = trc_hash(n->page[2], n->by1);
	n->by3 = trc_hash(n->page[3], n->by2);
	n->gap[0] = code_gap(v, known ? rows->gap[i] : 0);
	n->bits = 64 - (unsigned)trc_clz64(n->gap[0]);
	if (n->gap[0] > TRC_VISITS_GAP)
		return false;
	n->page[0] = trc_visit_page(v, known ? rows->page[i] : TRC_VISIT_UNKNOWN);
	if (n->page[0] == TRC_VISIT_UNKNOWN)
		return false;
	n->near = n->near << 1 | trc_visit_is_near(v, n->page[0]);
	n->kind[0] = v->kinds > 1 ? code_kind(v, known ? rows->kind[i] : 0) : 0;
	n->lag = v->lags ? code_lag(v, known ? rows->lag[i] : 0) : 0;
	if (n->kind[0] >= v->kinds || n->lag > TRC_VISITS_GAP)
		return false;
	add_row(v);
	return true;
}

/* Finds the fewest other pages between any visit and the second next visit to its page: the size
 * for which the trace may have been reduced. */
static int
find_r(const struct trc_visits *rows, uint32_t *r, struct trc_err *err)
{
	struct trc_visit_history past = { 0 };
	int ret = trc_visit_history_init(&past, rows->n, rows->pages, err);

	*r = UINT32_MAX;
	for (size_t i = 0; i < rows->n && ret == 0; i++) {
		const uint32_t page = rows->page[i];

		if (past.of[page].before != TRC_NO_ROW) {
			const uint32_t d = trc_visit_distance2(&past, page);

			*r = d < *r ? d : *r;
		}
		trc_visit_history_add(&past, 0, 0, page);
	}
	if (*r == UINT32_MAX)
		*r = 0;
	trc_visit_history_release(&past);
	return ret;
}

size_t
trc_visits_memory(size_t rows)
{
	const size_t entry = TRC_VISIT_SUCCESSORS * sizeof(struct trc_visit_successor);
	size_t n = sizeof(struct trc_visit_model) + trc_predictors_memory(line_bits(rows)) +
	           trc_visit_history_memory(rows, TRC_VISITS_PAGES) +
	           (entry << trc_table_bits(rows, SUCCESSOR_BITS_MOST)) +
	           (TRC_VISITS_PAGES + 1) * (sizeof(uint32_t) + 1);

	for (int k = 0; k < TRC_VISIT_ROWS; k++)
		n += trc_predictor_memory(&trc_visit_rows[k]);
	return n;
}

int
trc_visits_write(const struct trc_visits *rows, struct trc_buf *out, struct trc_err *err)
{
	struct trc_visit_model *v;
	uint32_t r;
	int ret;

	if (find_r(rows, &r, err) || trc_buf_put_num(out, rows->n, err) ||
	    trc_buf_put_num(out, r, err))
		return -1;
	v = model_open(rows, r, err);
	if (!v)
		return -1;
	trc_rc_write(&v->with.rc, out);
	for (size_t i = 0; i < rows->n; i++)
		code_row(v, rows, i, true);
	ret = trc_rc_finish(&v->with.rc, err);
	model_close(v);
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
		rows->gap[i] = v->now.gap[0];
		rows->page[i] = (uint16_t)v->now.page[0];
		if (rows->kind)
			rows->kind[i] = (uint8_t)v->now.kind[0];
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
	v = model_open(rows, (uint32_t)r, err);
	if (!v)
		return -1;
	trc_rc_read(&v->with.rc, in.p, in.end);
	ret = read_rows(v, rows, first, err);
	model_close(v);
	return ret;
}
