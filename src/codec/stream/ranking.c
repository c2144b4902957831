/* SPDX-License-Identifier: MIT
 * Symbol ranking after a match model; the same code serves both directions, so that they cannot
 * diverge. */
#include "codec/stream/ranking.h"

#include <stdlib.h>

#include "codec/entropy/corrupt.h"
#include "codec/stream/ranking_state.h"

enum {
	/* The least confidence with which the match is coded separately, in 256ths. */
	CONFIDENT = 140,
	CONFIDENT_SLOW = 252, /* at the level for which time does not matter */
	LEVEL_SLOW = 9,

	BY_SHAPE_LEAST = 2, /* probabilities with fewer observations are ignored */

	STEP = 8,
	RUN_LEAST = 32,
	RUN_LONG = 64,
	RUN_HISTORY = 3,        /* the least history for a run */
	RUN_HISTORY_SHORT = 63, /* the same if the match is shorter than RUN_LONG */
};

/* ---- runs ---- */

/* Returns how many of the `most` records at `was` belong to matches that were always right. */
static size_t
count_good(const uint8_t *was, size_t most)
{
	const uint64_t each = UINT64_C(0x0101010101010101), least = each * RUN_HISTORY;
	size_t n = 0;
	uint64_t v;

	for (; n + STEP <= most; n += STEP) {
		memcpy(&v, was + n, sizeof(v));
		if ((v & least) != least || (v >> 1 & 127 * each & ~v) != 0)
			break;
	}
	while (n < most && was[n] >= RUN_HISTORY && (was[n] & (was[n] + 1)) == 0)
		n++;
	return n;
}

/* Returns how many symbols may be coded as one run. */
static inline size_t
longest_run(const struct trc_ranker *r)
{
	const size_t left = r->n - r->i, gap = r->i - r->match.at;
	const size_t n = count_good(r->history + r->match.at, gap < left ? gap : left);

	return n == gap ? left : n;
}

/* Returns true if the next symbols are coded as a run: the match is long, and matches at the next
 * few of its positions were always right; a longer match needs fewer observations. */
static inline bool
runs(const struct trc_ranker *r)
{
	const struct trc_match *a = &r->match;
	const uint8_t *was = r->history + a->at;
	const size_t gap = r->i - a->at;
	uint32_t v;

	if (a->len < RUN_LEAST || *was < (a->len < RUN_LONG ? RUN_HISTORY_SHORT : RUN_HISTORY))
		return false;
	if (gap < sizeof(v))
		return count_good(was, gap) == gap;
	memcpy(&v, was, sizeof(v));
	return (v & RUN_HISTORY * UINT32_C(0x01010101)) == RUN_HISTORY * UINT32_C(0x01010101) &&
	       (v >> 1 & UINT32_C(0x7f7f7f7f) & ~v) == 0;
}

/* Returns how many of the next symbols, at most `most`, are those of the match. */
static size_t
count_right(const struct trc_ranker *r, const uint16_t *next, size_t most)
{
	const uint16_t *from = r->x + MATCH_LEAST + r->match.at;
	const size_t gap = r->i - r->match.at;
	size_t n = 0;

	/* After a gap, the symbols of the match are those being coded now. */
	while (n < most && next[n] == (n < gap ? from[n] : next[n - gap]))
		n++;
	return n;
}

/* Copies symbols from the match, and records that they were right. */
static void
copy(struct trc_ranker *r, size_t n)
{
	const uint64_t each = UINT64_C(0x0101010101010101);
	const uint16_t *from = r->x + MATCH_LEAST + r->match.at;
	uint16_t *to = r->x + MATCH_LEAST + r->i;
	const uint8_t *was = r->history + r->match.at;
	uint8_t *record = r->history + r->i;
	size_t k = 0;
	uint64_t v;

	if (r->i - r->match.at >= STEP)
		for (; k + STEP <= n; k += STEP) {
			memcpy(to + k, from + k, STEP * sizeof(*to));
			memcpy(&v, was + k, sizeof(v));
			v = (v << 1 & 254 * each) | each;
			memcpy(record + k, &v, sizeof(v));
		}
	for (; k < n; k++) {
		to[k] = from[k];
		record[k] = (uint8_t)(was[k] << 1 | 1);
	}
	r->i += n;
	r->match.at += n;
	r->match.len += (unsigned)n;
}

/* Codes how many symbols from here on are those of the match; returns false if all that may be
 * are. */
static bool
code_run(struct trc_ranker *r, const uint16_t *next)
{
	enum { ENOUGH = SHAPE_FAR + SHAPE_MOST }; /* covers what shapes depend on */
	const size_t first = r->i, most = longest_run(r);
	size_t n = next ? count_right(r, next, most) : 0;
	const bool wrong = trc_rc_bit(&r->rc, &r->run.fails[63 - trc_clz64(most)], n < most);

	if (wrong) {
		n = (size_t)trc_rc_num(&r->rc, &r->run.right, n);
		n = n < most ? n : most - 1;
	} else {
		n = most;
	}
	copy(r, n);
	for (size_t k = n > ENOUGH ? r->i - ENOUGH : first; k < r->i; k++)
		trc_rank_shape(r, k, r->x[MATCH_LEAST + k]);
	return wrong;
}

/* ---- the match ---- */

/* Returns the probability that a match is right, from its confidence and from the results of
 * matches with this shape. */
static inline int
match_p(struct trc_counter confidence, struct trc_counter went)
{
	const int p = trc_counter_p(confidence);
	const int mean = trc_counter_n(went) < BY_SHAPE_LEAST ? p : (p + trc_counter_p(went)) / 2;

	return mean < 65536 - CERTAIN ? mean : 65536 - CERTAIN;
}

/* Codes symbols with the match while it is right and no run begins. Returns true if it is wrong for
 * the next symbol, in which case *tried is set, or if its confidence is too low. */
static TRC_ALWAYS_INLINE bool
code_match(struct trc_ranker *r, bool writes, bool *tried, const uint16_t *next)
{
	const size_t first = r->i;
	struct trc_rc rc = r->rc;
	bool stopped = false;

	do {
		const uint16_t candidate = trc_rank_next(r);
		const unsigned bit = writes && next[r->i - first] == candidate;
		struct trc_counter *confidence = trc_rank_confidence(r),
		                   *went = trc_rank_shape_confidence(r);

		stopped = confidence->pn < r->confidence.least;
		if (stopped)
			break;
		if (!trc_rc_code_p1(&rc, writes, match_p(*confidence, *went), bit)) {
			trc_counter_learn(confidence, 0, CONFIDENCE_LIMIT);
			trc_counter_learn(went, 0, BY_SHAPE_LIMIT);
			*tried = stopped = true;
			break;
		}
		trc_counter_learn(confidence, 1, CONFIDENCE_LIMIT);
		trc_counter_learn(went, 1, BY_SHAPE_LIMIT);
		trc_rank_follow(r, candidate);
	} while (r->i < r->end && !runs(r));
	r->rc = rc;
	return stopped;
}

/* Codes symbols up to r->end: writes `next`, or reads if that is NULL. */
static TRC_ALWAYS_INLINE void
code_symbols(struct trc_ranker *r, bool writes, const uint16_t *next)
{
	const size_t first = r->i;

	while (r->i < r->end && !trc_rc_overrun(&r->rc)) {
		const uint16_t *now = writes ? next + (r->i - first) : NULL;
		bool tried = false;

		if (trc_rank_matched(r)) {
			tried = runs(r);
			if (tried ? !code_run(r, now) : !code_match(r, writes, &tried, now))
				continue;
		}
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
begin(struct trc_ranker *r, const uint8_t head[HEAD], size_t n, size_t end)
{
	r->bits = head[0];
	r->confidence.least = (uint32_t)head[1] << 24;
	r->n = n;
	r->end = end;
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
write_stream(const uint16_t *symbol, size_t n, int level, struct trc_buf *out, struct trc_err *err)
{
	const bool slow = level >= LEVEL_SLOW;
	const uint8_t head[HEAD] = { (uint8_t)bits_of(symbol, n), slow ? CONFIDENT_SLOW : CONFIDENT,
		                     slow ? RANK_MORE : 0 };
	struct trc_ranker *r = trc_ranker_open(n, head[2], err);
	int ret = r ? trc_buf_put(out, head, sizeof(head), err) : -1;

	if (ret == 0) {
		trc_rc_write(&r->rc, out);
		begin(r, head, n, n);
		write_symbols(r, symbol);
		ret = trc_rc_finish(&r->rc, err);
	}
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

/* Returns true if reading did not exceed the input and, if `all` was read, used all of it. */
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
	const uint8_t *head = trc_view_bytes(&v, HEAD);
	struct trc_ranker *r;
	const uint16_t *x;
	bool whole;

	if (!head || n % width != 0 || n / width > TRC_RANK_MOST || head[0] < 1 ||
	    head[0] > 8 * width || head[2] > RANK_MORE)
		return damaged(err);
	r = trc_ranker_open(n / width, head[2], err);
	if (!r)
		return -1;
	trc_rc_read(&r->rc, v.p, v.end);
	begin(r, head, n / width, to / width);
	read_symbols(r);
	whole = is_whole(&r->rc, to == n);
	x = r->x + MATCH_LEAST;
	for (size_t i = from / width; whole && i < to / width; i++)
		if (width == 1)
			raw[i] = (uint8_t)x[i];
		else
			trc_put_be16(raw + 2 * i, x[i]);
	trc_ranker_close(r);
	return whole ? 0 : damaged(err);
}
