/* SPDX-License-Identifier: MIT
 * Guessing indices, by a match first: one code for both directions, so that they cannot drift
 * apart. */
#include "codec/stream/ranking.h"

#include <stdlib.h>

#include "codec/entropy/corrupt.h"
#include "codec/stream/ranking_state.h"

enum {
	/* Least trust of sure guesses, in 256ths. */
	SURE = 140,
	SURE_SLOW = 252, /* at the level that takes its time */
	LEVEL_SLOW = 9,

	WENT_LEAST = 2, /* what is known by less is not heard */

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

/* The least record that a match of a grade runs by, of those that were always right; */
static const uint8_t least_of[RUNS] = { 7, 3, 3 };

/* how many grades run by a record. */
static const uint8_t runs_by[TRC_HISTORIES] = {
	[3] = 2, [7] = 3, [15] = 3, [31] = 3, [63] = 3, [127] = 3, [255] = 3,
};

static inline bool
is_good(unsigned record, unsigned grade)
{
	return grade + runs_by[record] >= MATCH_GRADES;
}

/* One that runs is believed: it has a grade. */
static inline bool
runs(const struct trc_ranker *r)
{
	return is_good(r->record[r->match.at], trc_rank_grade(r));
}

/* Several records at once, by which all are good, become what they are if guessing is right; false
 * if not all are. */
static inline bool
run_on(const uint8_t *was, unsigned least, uint8_t *record)
{
	const uint64_t each = UINT64_C(0x0101010101010101), all = each * least;
	uint64_t v;

	memcpy(&v, was, sizeof(v));
	if ((v & all) != all || (v >> 1 & 127 * each & ~v) != 0)
		return false;
	v = (v << 1 & 254 * each) | each;
	memcpy(record, &v, sizeof(v));
	return true;
}

/* Copies from the match on, `most` symbols at most, as long as guessing was right there and it is
 * the symbols to write, `next`; returns how many. */
static size_t
copy(struct trc_ranker *r, size_t most, unsigned kind, const uint16_t *next)
{
	const uint16_t *from = r->x + MATCH_LEAST + r->match.at;
	uint16_t *to = r->x + MATCH_LEAST + r->i;
	const uint8_t *was = r->record + r->match.at;
	uint8_t *record = r->record + r->i;
	size_t n = 0;

	if (to - from >= STEP)
		for (; n + STEP <= most; n += STEP) {
			if (next && memcmp(from + n, next + n, STEP * sizeof(*to)) != 0)
				break;
			if (!run_on(was + n, least_of[kind], record + n))
				break;
			memcpy(to + n, from + n, STEP * sizeof(*to));
		}
	for (; n < most && is_good(was[n], RUN_GRADE + kind); n++) {
		if (next && from[n] != next[n])
			break;
		to[n] = from[n];
		record[n] = (uint8_t)(was[n] << 1 | 1);
	}
	return n;
}

/* Follows a match while it runs. True if it ended by being wrong. */
static bool
follow_run(struct trc_ranker *r, const uint16_t *next)
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
		n = copy(r, most, kind, next);
		r->i += n;
		a->at += n;
		a->len += (unsigned)n;
		r->left[kind] += next ? n : 0 - (uint64_t)n;
		if (!next)
			continue;
		next += n;
		if (n < most && is_good(r->record[a->at], RUN_GRADE + kind)) {
			note_gap(r, kind);
			draw(r, kind);
			return true;
		}
	}
	return false;
}

/* The same for a match that runs; shapes of what comes then have seen the last symbols of it. */
static bool
code_run(struct trc_ranker *r, const uint16_t *next)
{
	enum { ENOUGH = SHAPE_FAR + SHAPE_MOST };
	const size_t first = r->i;
	const bool wrong = follow_run(r, next);

	for (size_t k = r->i - first > ENOUGH ? r->i - ENOUGH : first; k < r->i; k++)
		trc_rank_shape(r, k, r->x[MATCH_LEAST + k]);
	return wrong;
}

/* ---- guesses ---- */

/* How sure a match is right: by its trust, and by how those went that came with this shape. */
static inline int
sureness(uint32_t trust, unsigned went)
{
	const unsigned p = trust >> 16, mean = went % 16 < WENT_LEAST ? p : (p + went) / 2;

	return (int)(mean < 65536 - CERTAIN ? mean : 65536 - CERTAIN);
}

static inline void
learn_went(uint16_t *went, unsigned right)
{
	const unsigned to = (0u - right) & TRC_ONE, away = *went ^ to, n = *went % 16;
	const unsigned p = (away - ((away >> 1) * trc_bit_step[n] >> 15)) ^ to;

	*went = (uint16_t)((p & ~15u) | (n + (n < 15)));
}

/* Codes symbols by the match while it is right; true if it is wrong for the one that comes now, or
 * too little is known of it; *tried tells which. */
static TRC_ALWAYS_INLINE bool
code_match(struct trc_ranker *r, bool writes, bool *tried, const uint16_t *next)
{
	const size_t first = r->i;
	struct trc_rc rc = r->rc;
	bool running = false;

	while (trc_rank_matched(r) && r->i < r->end && !(running = runs(r))) {
		const uint16_t candidate = trc_rank_next(r);
		const unsigned bit = writes && next[r->i - first] == candidate;
		uint32_t *trust = trc_rank_trust(r);
		const uint32_t t = *trust;
		uint16_t *went = trc_rank_went(r);
		unsigned right;

		if (t < r->sure)
			break;
		right = trc_rc_code_p1(&rc, writes, sureness(t, *went), bit);
		*trust = trc_rank_learnt(r, t, right);
		learn_went(went, right);
		if (!right) {
			*tried = true;
			break;
		}
		trc_rank_follow(r, candidate);
	}
	r->rc = rc;
	return r->i < r->end && !running;
}

/* Codes symbols up to r->end: writes `next`, or reads if that is NULL. */
static TRC_ALWAYS_INLINE void
code_symbols(struct trc_ranker *r, bool writes, const uint16_t *next)
{
	const size_t first = r->i;

	while (r->i < r->end && !trc_rc_overrun(&r->rc)) {
		bool tried = runs(r) && code_run(r, writes ? next + (r->i - first) : NULL);

		if (!tried && !code_match(r, writes, &tried, writes ? next + (r->i - first) : NULL))
			continue;
		if (writes)
			trc_rank_offer_write(r, tried, next[r->i - first]);
		else
			trc_rank_offer_read(r, tried);
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
	r->end = n;
	for (unsigned k = 0; k < RUNS; k++)
		draw(r, k);
}

static uint16_t
symbol_at(const uint8_t *raw, size_t i, size_t width)
{
	return width == 1 ? raw[i] : trc_be16(raw + 2 * i);
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

static int
write_stream(const uint16_t *symbol, size_t n, int level, struct trc_buf *out, struct trc_err *err)
{
	const bool slow = level >= LEVEL_SLOW;
	const uint8_t head[HEAD] = { (uint8_t)bits_of(symbol, n), slow ? SURE_SLOW : SURE,
		                     slow ? RANK_MORE : 0 };
	struct trc_ranker *r = trc_ranker_open(n, head[2], err);
	struct trc_buf main = { 0 }, gaps = { 0 };
	int ret = r ? trc_buf_put(out, head, sizeof(head), err) : -1;

	if (ret == 0) {
		trc_rc_write(&r->rc, &main);
		begin(r, head, n);
		ret = write_parts(r, symbol, &main, &gaps, out, err);
	}
	trc_buf_release(&main);
	trc_buf_release(&gaps);
	trc_ranker_close(r);
	return ret;
}

int
trc_rank_write(const uint8_t *raw, size_t n, size_t width, int level, struct trc_buf *out,
               struct trc_err *err)
{
	uint16_t *symbol = trc_alloc(n / width, sizeof(*symbol), err);
	int ret = -1;

	if (symbol) {
		for (size_t i = 0; i < n / width; i++)
			symbol[i] = symbol_at(raw, i, width);
		ret = write_stream(symbol, n / width, level, out, err);
	}
	free(symbol);
	return ret;
}

static int
damaged(struct trc_err *err)
{
	return trc_corrupt(err, "a ranked stream is damaged");
}

/* True if no more was read than there is, and if `all` was, no less. */
static bool
is_whole(const struct trc_rc *rc, bool all)
{
	return all ? trc_rc_ended(rc) : !trc_rc_overrun(rc);
}

int
trc_rank_read(const uint8_t *p, size_t len, size_t width, uint8_t *raw, size_t n, size_t from,
              size_t to, struct trc_err *err)
{
	struct trc_view v = { p, p + len };
	const uint8_t *head = trc_view_bytes(&v, HEAD), *gaps = NULL;
	struct trc_ranker *r;
	const uint16_t *x;
	uint64_t size;
	bool whole;

	if (head && trc_view_num(&v, &size) && size <= (size_t)(v.end - v.p))
		gaps = trc_view_bytes(&v, (size_t)size);
	if (!gaps || n % width != 0 || n / width > TRC_RANK_MOST || head[0] < 1 ||
	    head[0] > 8 * width || head[2] > RANK_MORE)
		return damaged(err);
	r = trc_ranker_open(n / width, head[2], err);
	if (!r)
		return -1;
	trc_rc_read(&r->gaps, gaps, v.p);
	trc_rc_read(&r->rc, v.p, v.end);
	begin(r, head, to / width);
	read_symbols(r);
	whole = is_whole(&r->rc, to == n) && is_whole(&r->gaps, to == n);
	x = r->x + MATCH_LEAST;
	for (size_t i = from / width; whole && i < to / width; i++)
		if (width == 1)
			raw[i] = (uint8_t)x[i];
		else
			trc_put_be16(raw + 2 * i, x[i]);
	trc_ranker_close(r);
	return whole ? 0 : damaged(err);
}
