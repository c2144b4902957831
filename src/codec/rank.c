/* SPDX-License-Identifier: MIT
 * Guessing indices, by a match first: one code for both directions, so that they cannot drift
 * apart. */
#include "codec/rank.h"

#include <stdlib.h>

#include "codec/rank_state.h"

enum {
	/* Least trust of sure and of likely guesses, in 256ths. */
	SURE = 240,
	LIKELY = 210,
	SURE_SLOW = 248, /* at the level that takes its time */
	LIKELY_SLOW = 240,
	LEVEL_SLOW = 9,

	STEP = 8, /* symbols that are copied at once */
};

/* ---- runs ---- */

/* Begins to count what is right before the next that is wrong. */
static void
draw(struct trc_ranker *r, unsigned kind)
{
	struct trc_err err;

	r->left[kind] = 0;
	if (!r->rc.out) {
		r->left[kind] = trc_rc_num(&r->gaps, &r->gap[kind], 0);
		return;
	}
	r->open[kind] = r->n_gone;
	if (trc_grow(&r->gone, &r->gone_cap, r->n_gone + 1, sizeof(*r->gone), &err))
		r->rc.failed = true;
	else
		r->gone[r->n_gone++] = (struct trc_rank_gap){ kind, 0 };
}

/* What was right is known: for writing. */
static void
note_gap(struct trc_ranker *r, unsigned kind)
{
	if (r->open[kind] < r->n_gone)
		r->gone[r->open[kind]].n = (uint32_t)r->left[kind];
}

static inline bool
runs(const struct trc_ranker *r)
{
	return r->match.at > 0 && r->record[r->match.at] == ALWAYS &&
	       trc_rank_grade(r) >= RUN_GRADE;
}

/* Copies from the match on, `most` symbols at most, as long as guessing was right there and it is
 * the symbols to write, `next`; returns how many. */
static size_t
copy(struct trc_ranker *r, size_t most, const uint16_t *next)
{
	static const uint8_t always[STEP] = { ALWAYS, ALWAYS, ALWAYS, ALWAYS,
		                              ALWAYS, ALWAYS, ALWAYS, ALWAYS };
	const uint16_t *from = r->x + MATCH_LEAST + r->match.at;
	uint16_t *to = r->x + MATCH_LEAST + r->i;
	const uint8_t *was = r->record + r->match.at;
	uint8_t *record = r->record + r->i;
	size_t n = 0;

	if (to - from >= STEP)
		for (; n + STEP <= most && memcmp(was + n, always, STEP) == 0; n += STEP) {
			if (next && memcmp(from + n, next + n, STEP * sizeof(*to)) != 0)
				break;
			memcpy(to + n, from + n, STEP * sizeof(*to));
			memcpy(record + n, always, STEP);
		}
	for (; n < most && was[n] == ALWAYS && (!next || from[n] == next[n]); n++) {
		to[n] = from[n];
		record[n] = ALWAYS;
	}
	return n;
}

/* Follows a match while it runs. True if it ended by being wrong. */
static bool
code_run(struct trc_ranker *r, const uint16_t *next)
{
	static const size_t longest[RUNS] = { 64, MATCH_GRADED, SIZE_MAX }; /* of a grade */
	struct trc_rank_match *a = &r->match;

	while (r->i < r->end && runs(r)) {
		const unsigned kind = trc_rank_grade(r) - RUN_GRADE;
		size_t most = longest[kind] - a->len, n;

		most = most < r->end - r->i ? most : r->end - r->i;
		if (!next && r->left[kind] < most)
			most = (size_t)r->left[kind];
		if (most == 0) {
			draw(r, kind);
			return true;
		}
		n = copy(r, most, next);
		r->i += n;
		r->four = trc_rank_four(r->x + MATCH_LEAST + r->i - 4);
		a->at += n;
		a->len = n < UINT16_MAX - a->len ? (unsigned)(a->len + n) : UINT16_MAX;
		r->left[kind] += next ? n : 0 - (uint64_t)n;
		if (!next)
			continue;
		next += n;
		if (n < most && r->record[a->at] == ALWAYS) {
			note_gap(r, kind);
			draw(r, kind);
			return true;
		}
	}
	return false;
}

/* ---- guesses ---- */

/* Decides whether the match, which looks likely, is right. */
static TRC_ALWAYS_INLINE unsigned
code_likely(struct trc_ranker *r, struct trc_rc *rc, bool writes, uint32_t trust, unsigned grade,
            uint16_t candidate, unsigned bit)
{
	const struct trc_logistic *l = &r->logistic;
	const unsigned misses = r->match.misses < MISSES ? r->match.misses : MISSES - 1;
	int16_t *by_grade = r->by_grade[grade * MISSES + misses][r->right % 16];
	int16_t *by_record = r->by_record[r->record[r->match.at]];
	uint16_t *judge[JUDGES];
	uint32_t hash[JUDGES];
	union trc_inputs in;
	uint16_t *knot;
	int y, p, refined;

	trc_rank_look_judges(r, hash);
	for (int c = 0; c < JUDGES; c++)
		judge[c] = trc_rank_judge(&r->judge[c], hash[c], candidate);
	in.eight[0] = (trc_eight){
		trc_stretch(l, *judge[0]), trc_stretch(l, *judge[1]),
		trc_stretch(l, *judge[2]), trc_stretch(l, *judge[3]),
		trc_stretch(l, (uint16_t)(trust >> 16)), 256,
	};
	y = trc_mixer_dot2(by_grade, by_record, in.input, 8);
	p = trc_squash(l, y);
	refined = trc_refine(r->likely_row[r->tried[candidate]], y, &knot);
	bit = trc_rank_decide(rc, writes, (p + refined) / 2, bit);
	trc_mixer_learn2(by_grade, by_record, in.input, 8, p, bit, RATE);
	for (int c = 0; c < JUDGES; c++)
		trc_rank_learn_judge(judge[c], bit);
	trc_move(knot, bit, TRC_MOVE);
	r->right = r->right << 1 | bit;
	return bit;
}

/* Codes symbols by the match while it is right; true if it is wrong for the one that comes now, or
 * too little is known of it: then *o has what was tried. */
static TRC_ALWAYS_INLINE bool
code_match(struct trc_ranker *r, bool writes, struct trc_rank_offers *o, const uint16_t *next)
{
	const size_t first = r->i;

	while (r->match.at > 0 && r->i < r->end && !runs(r)) {
		const unsigned grade = trc_rank_grade(r);
		const uint16_t candidate = trc_rank_next(r);
		const unsigned bit = writes && next[r->i - first] == candidate;
		uint32_t *trust = trc_rank_trust(r);
		const uint32_t t = *trust;
		unsigned right;

		if (t >= r->sure)
			right = trc_rank_decide(&r->rc, writes, (int)(t >> 16), bit);
		else if (t >= r->likely)
			right = code_likely(r, &r->rc, writes, t, grade, candidate, bit);
		else
			return true;
		*trust = trc_rank_learnt(r, t, right);
		if (!right) {
			o->tried = true;
			o->first = candidate;
			o->n = 1;
			return true;
		}
		trc_rank_follow(r, candidate);
	}
	return r->i < r->end && r->match.at == 0;
}

/* Codes symbols up to r->end: writes `next`, or reads if that is NULL. */
static TRC_ALWAYS_INLINE void
code_symbols(struct trc_ranker *r, bool writes, const uint16_t *next)
{
	const size_t first = r->i;

	while (r->i < r->end && !trc_rc_overrun(&r->rc)) {
		struct trc_rank_offers o;

		o.tried = code_run(r, writes ? next + (r->i - first) : NULL);
		o.n = o.tried;
		o.first = o.tried ? trc_rank_next(r) : 0;
		if (!o.tried &&
		    !code_match(r, writes, &o, writes ? next + (r->i - first) : NULL))
			continue;
		if (writes)
			trc_rank_offer_write(r, &o, next[r->i - first]);
		else
			trc_rank_offer_read(r, &o);
	}
}

static void
write_symbols(struct trc_ranker *r, const uint16_t *next)
{
	code_symbols(r, true, next);
}

static void
read_symbols(struct trc_ranker *r)
{
	code_symbols(r, false, NULL);
}

/* ---- both directions ---- */

enum { HEAD = 3 };

static void
begin(struct trc_ranker *r, const uint8_t head[HEAD], size_t n)
{
	r->bits = head[0];
	r->sure = (uint32_t)head[1] << 24;
	r->likely = (uint32_t)head[2] << 24;
	r->end = r->i + n;
	r->n_gone = 0;
	for (unsigned k = 0; k < RUNS; k++)
		draw(r, k);
}

static int
bits_of(const uint16_t *symbol, size_t n)
{
	unsigned all = 1;

	for (size_t i = 0; i < n; i++)
		all |= symbol[i];
	return 64 - trc_clz64(all);
}

static int
write_gaps(struct trc_ranker *r, struct trc_buf *out, struct trc_err *err)
{
	trc_rc_write(&r->gaps, out);
	for (unsigned k = 0; k < RUNS; k++)
		note_gap(r, k);
	for (size_t k = 0; k < r->n_gone; k++)
		trc_rc_num(&r->gaps, &r->gap[r->gone[k].kind], r->gone[k].n);
	return trc_rc_finish(&r->gaps, err);
}

static int
write_parts(struct trc_ranker *r, const uint16_t *symbol, struct trc_buf *main,
            struct trc_buf *gaps, struct trc_buf *out, struct trc_err *err)
{
	write_symbols(r, symbol);
	if (trc_rc_finish(&r->rc, err) || write_gaps(r, gaps, err))
		return -1;
	if (trc_buf_put_num(out, gaps->n, err) || trc_buf_put(out, gaps->p, gaps->n, err))
		return -1;
	return trc_buf_put(out, main->p, main->n, err);
}

int
trc_ranker_write(struct trc_ranker *r, const uint16_t *symbol, size_t n, int level,
                 struct trc_buf *out, struct trc_err *err)
{
	const bool slow = level >= LEVEL_SLOW;
	const uint8_t head[HEAD] = { (uint8_t)bits_of(symbol, n), slow ? SURE_SLOW : SURE,
		                     slow ? LIKELY_SLOW : LIKELY };
	struct trc_buf main = { 0 }, gaps = { 0 };
	int ret;

	if (trc_buf_put(out, head, sizeof(head), err) || trc_rank_begin(r, n, err))
		return -1;
	trc_rc_write(&r->rc, &main);
	begin(r, head, n);
	ret = write_parts(r, symbol, &main, &gaps, out, err);
	trc_buf_release(&main);
	trc_buf_release(&gaps);
	return ret;
}

static bool
ended(const struct trc_rc *rc)
{
	return !trc_rc_overrun(rc) && rc->p == rc->end;
}

int
trc_ranker_read(struct trc_ranker *r, const uint8_t *p, size_t len, size_t n,
                const uint16_t **symbol, struct trc_err *err)
{
	struct trc_view v = { p, p + len };
	const uint8_t *head = trc_view_bytes(&v, HEAD), *gaps = NULL;
	uint64_t size;

	if (head && trc_view_num(&v, &size) && size <= (size_t)(v.end - v.p))
		gaps = trc_view_bytes(&v, (size_t)size);
	if (!gaps || head[0] < 1 || head[0] > 16)
		return trc_fail(err, "a ranked stream is damaged");
	if (trc_rank_begin(r, n, err))
		return -1;
	*symbol = r->x + MATCH_LEAST + r->i;
	trc_rc_read(&r->gaps, gaps, v.p);
	trc_rc_read(&r->rc, v.p, v.end);
	begin(r, head, n);
	read_symbols(r);
	return ended(&r->rc) && ended(&r->gaps) ? 0 :
						  trc_fail(err, "a ranked stream is damaged");
}

/* ---- single streams of bytes ---- */

int
trc_rank_write(const uint8_t *raw, size_t n, size_t width, int level, struct trc_buf *out,
               struct trc_err *err)
{
	struct trc_ranker *r = trc_ranker_open(n / width, err);
	uint16_t *symbol = r ? trc_alloc(n / width, sizeof(*symbol), err) : NULL;
	int ret = -1;

	if (symbol) {
		for (size_t i = 0; i < n / width; i++)
			symbol[i] = width == 1 ? raw[i] : trc_be16(raw + 2 * i);
		ret = trc_ranker_write(r, symbol, n / width, level, out, err);
	}
	free(symbol);
	trc_ranker_close(r);
	return ret;
}

int
trc_rank_read(const uint8_t *p, size_t len, size_t width, uint8_t *raw, size_t n,
              struct trc_err *err)
{
	struct trc_ranker *r;
	const uint16_t *symbol;
	int ret;

	if (n % width != 0 || len == 0 || p[0] > 8 * width)
		return trc_fail(err, "a ranked stream is damaged");
	r = trc_ranker_open(n / width, err);
	ret = r ? trc_ranker_read(r, p, len, n / width, &symbol, err) : -1;
	for (size_t i = 0; ret == 0 && i < n / width; i++)
		if (width == 1)
			raw[i] = (uint8_t)symbol[i];
		else
			trc_put_be16(raw + 2 * i, symbol[i]);
	trc_ranker_close(r);
	return ret;
}
