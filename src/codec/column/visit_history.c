/* SPDX-License-Identifier: MIT
 * LRU order, distances, successors and alignments of visits. */
#include "codec/column/visit_history.h"

#include <stdlib.h>

#include "codec/entropy/fenwick.h"

enum {
	STEPS = 64, /* the most rows that a search examines */
	SCORE_MOST = 30,
};

size_t
trc_visit_history_memory(size_t rows, size_t pages)
{
	return rows * (2 * sizeof(uint64_t) + (2 + TRC_HISTORY_SHIFTS) * sizeof(uint32_t)) +
	       (pages + 1) * sizeof(struct trc_history_page);
}

int
trc_visit_history_init(struct trc_visit_history *s, size_t rows, size_t pages, struct trc_err *err)
{
	s->n = rows;
	s->pages = pages;
	s->time = trc_alloc(rows, sizeof(*s->time), err);
	s->lag = s->time ? trc_alloc(rows, sizeof(*s->lag), err) : NULL;
	s->page = s->lag ? trc_alloc(rows, sizeof(*s->page), err) : NULL;
	s->earlier[0] = s->page ? trc_alloc(rows, TRC_HISTORY_SHIFTS * sizeof(**s->earlier), err) :
	                          NULL;
	s->tree = s->earlier[0] ? trc_alloc(rows + 1, sizeof(*s->tree), err) : NULL;
	s->of = s->tree ? trc_alloc(pages + 1, sizeof(*s->of), err) : NULL;
	if (!s->of)
		return -1;
	for (size_t p = 0; p <= pages; p++)
		s->of[p] = (struct trc_history_page){ TRC_NO_ROW, TRC_NO_ROW, (uint32_t)p,
			                              (uint32_t)p, 0 };
	for (size_t shift = 0; shift < TRC_HISTORY_SHIFTS; shift++) {
		s->earlier[shift] = s->earlier[0] + shift * rows;
		for (int k = 0; k < TRC_HISTORY_ALIGNMENTS; k++)
			s->alignment[shift][k].score = -1;
	}
	return 0;
}

void
trc_visit_history_release(struct trc_visit_history *s)
{
	free(s->time);
	free(s->lag);
	free(s->page);
	free(s->earlier[0]);
	free(s->tree);
	free(s->of);
}

/* ---- order and distances ---- */

uint32_t
trc_visit_distance(const struct trc_visit_history *s, uint32_t page)
{
	return s->visited - trc_fenwick_below(s->tree, (size_t)s->of[page].last + 1);
}

uint32_t
trc_visit_distance2(const struct trc_visit_history *s, uint32_t page)
{
	return s->visited - trc_fenwick_below(s->tree, s->of[page].before) - 1;
}

static void
move_to_front(struct trc_visit_history *s, uint32_t page)
{
	struct trc_history_page *p = &s->of[page], *head = &s->of[s->pages];

	s->of[p->newer].older = p->older;
	s->of[p->older].newer = p->newer;
	p->newer = (uint32_t)s->pages;
	p->older = head->older;
	s->of[p->older].newer = page;
	head->older = page;
}

/* ---- successors and alignments ---- */

static const struct trc_visit_prediction nothing = { TRC_HISTORY_NEVER, TRC_NO_PAGE,
	                                             TRC_HISTORY_NEVER };

/* Returns the prediction that row `j` is next if all times are `time`, and lags `lag`, earlier. */
static struct trc_visit_prediction
predict(const struct trc_visit_history *s, uint32_t shift, size_t j, uint64_t time, uint64_t lag)
{
	const uint64_t ahead = s->time[j] - time - s->time[s->i - 1];
	const uint32_t page = s->page[j] + shift;

	return (struct trc_visit_prediction){
		.gap = ahead < TRC_HISTORY_NEVER ? (uint32_t)ahead : TRC_HISTORY_NEVER - 1,
		.page = page < s->pages ? page : TRC_NO_PAGE,
		.lag = s->lag[j] - lag - s->lag[s->i - 1],
	};
}

/* Returns the first row from `j` on whose time minus `offset` is after that of row i - 1; s->n if
 * it is too far away. */
static size_t
find_after(const struct trc_visit_history *s, size_t j, uint64_t offset)
{
	const size_t end = s->i - j < STEPS ? s->i : j + STEPS;

	while (j < end && (int64_t)(s->time[j] - offset - s->time[s->i - 1]) <= 0)
		j++;
	return j < end ? j : s->n;
}

static struct trc_visit_prediction
predict_by_successor(const struct trc_visit_history *s, uint32_t shift, size_t k)
{
	const size_t row = s->i - k, q = s->i >= k ? s->earlier[shift][row] : TRC_NO_ROW;
	uint64_t offset;
	size_t j;

	if (q == TRC_NO_ROW)
		return nothing;
	offset = s->time[q] - s->time[row];
	j = find_after(s, q + 1, offset);
	if (j == s->n || s->time[j] - offset - s->time[s->i - 1] >= TRC_HISTORY_NEVER)
		return nothing;
	return predict(s, shift, j, offset, s->lag[q] - s->lag[row]);
}

static struct trc_visit_prediction
predict_by_alignments(struct trc_visit_history *s, uint32_t shift)
{
	const struct trc_history_alignment *best = NULL;

	for (int k = 0; k < TRC_HISTORY_ALIGNMENTS; k++) {
		struct trc_history_alignment *a = &s->alignment[shift][k];
		size_t j;

		if (a->score < 0)
			continue;
		j = find_after(s, a->row, a->time);
		if (j == s->n) {
			a->score = -1;
			continue;
		}
		a->row = (uint32_t)j;
		if (!best || a->score > best->score)
			best = a;
	}
	return best ? predict(s, shift, best->row, best->time, best->lag) : nothing;
}

void
trc_visit_history_predict(struct trc_visit_history *s)
{
	struct trc_visit_prediction *to = s->prediction;

	for (uint32_t shift = 0; shift < TRC_HISTORY_SHIFTS; shift++) {
		*to++ = predict_by_alignments(s, shift);
		for (size_t k = 1; k <= TRC_HISTORY_SUCCESSORS; k++)
			*to++ = predict_by_successor(s, shift, k);
	}
}

/* Compares row i with what the alignments predicted. */
static void
score_alignments(struct trc_visit_history *s, uint32_t shift)
{
	const uint32_t q = s->earlier[shift][s->i];
	const uint64_t now = s->time[s->i], offset = q == TRC_NO_ROW ? 0 : s->time[q] - now;
	struct trc_history_alignment *worst = s->alignment[shift];
	bool known = q == TRC_NO_ROW;

	for (int k = 0; k < TRC_HISTORY_ALIGNMENTS; k++) {
		struct trc_history_alignment *a = &s->alignment[shift][k];

		if (a->score >= 0) {
			if (s->time[a->row] - a->time == now &&
			    s->page[a->row] + shift == s->page[s->i])
				a->score = a->score + 2 < SCORE_MOST ? a->score + 2 : SCORE_MOST;
			else
				a->score--;
			known |= a->score >= 0 && a->time == offset;
		}
		if (a->score < worst->score || a->score < 0)
			worst = a;
	}
	if (!known)
		*worst = (struct trc_history_alignment){ offset, s->lag[q] - s->lag[s->i], q + 1,
			                                 1 };
}

void
trc_visit_history_add(struct trc_visit_history *s, uint32_t gap, uint32_t lag, uint32_t page)
{
	struct trc_history_page *p = &s->of[page];
	const size_t i = s->i;

	s->time[i] = (i > 0 ? s->time[i - 1] : 0) + gap;
	s->lag[i] = (i > 0 ? s->lag[i - 1] : 0) + lag;
	s->page[i] = page;
	for (uint32_t shift = 0; shift < TRC_HISTORY_SHIFTS; shift++) {
		s->earlier[shift][i] = page < shift ? TRC_NO_ROW : s->of[page - shift].last;
		score_alignments(s, shift);
	}
	if (p->last != TRC_NO_ROW)
		trc_fenwick_add(s->tree, s->n, p->last, UINT32_MAX);
	else
		s->visited++;
	trc_fenwick_add(s->tree, s->n, i, 1);
	p->before = p->last;
	p->last = (uint32_t)i;
	move_to_front(s, page);
	s->i++;
}
