/* SPDX-License-Identifier: MIT
 *
 * What a ranker consists of: shared by what sets it up (ranking_state.c), what codes the match
 * (ranking.c), and what else there may be (ranking_candidates.c).
 */
#ifndef TRC_CODEC_STREAM_RANKING_STATE_H
#define TRC_CODEC_STREAM_RANKING_STATE_H

#include "codec/mixing/state_map.h"
#include "codec/stream/ranking.h"

enum {
	SHAPES = 2, /* contexts of shapes; the last is of symbols */
	CONTEXTS = SHAPES + 1,
	LANES = 8, /* for candidates, of a vector */
	WEIGHT_BITS = 3,
	WEIGHT_RATE = 100,
	SUM_MOST = 2020, /* of weights: squash() of it is just certain enough */
	BITS = 16,       /* of a symbol */
	FAR = 4,         /* contexts of one that was not guessed */
	NEW = 1,         /* history without a bit */
	OFFERS = 3,
	STATES = 4 * TRC_HISTORIES,

	SHAPE_LONG = 12,             /* symbols of a shape that is a context, */
	SHAPE_FAR = 32,              /* and of a far one */
	SHAPE_BITS = 4,              /* of each, */
	SHAPE_MOST = 15,             /* how far back the same symbol may be */
	SEEN_FIRST = SHAPE_MOST + 1, /* added to places, so that 0 is far from all */
	DISTANCE = 0xfff0, /* values of entries above are distances, subtracted from 2^16 */

	MATCH_LEAST = 32, /* zeros before the first symbol */
	MATCH_ORDER = 14,
	MATCH_AGAIN = 4, /* symbols that have to be right behind a miss */
	MATCH_MISSES = 4,
	MATCH_CLEAN = 16,   /* length that clears them */
	MATCH_GRADED = 400, /* longer ones are of the same grade */
	MATCH_GRADES = 9,

	TRIED = 10, /* states of how a symbol was tried */
	TRUST_BITS = 22,
	TRUST_STEPS = 1023,
	TRUST_SHIFT = 26, /* of what is stored, to 64 steps */
	MATCH_STATES = 2 * (1 + (1 << (32 - TRUST_SHIFT))),
	WENT_BITS = 15,

	RUN_GRADE = 6, /* the least of a match that runs */
	RUNS = MATCH_GRADES - RUN_GRADE,

	LINE_BITS = 6, /* of a history's place in a line */

	RANK_PLACES = 1 << 24,
	RANK_MORE = 2, /* bits that tables may be larger */

	CERTAIN = 24, /* least probability */
};

/* Push what was added so many times before out of a number. */
#define FAR_FACTOR (UINT64_C(0x9e3779b97f4a7c15) << 2)
#define PATH_FACTOR (UINT64_C(0x9e3779b97f4a7c15) << 10)

#define TRC_RANK_S UINT32_C(0x9e3779b1)

/* Four fields of 16 bits, the lowest first: the last value, the last different one, a check, and a
 * history, which is 0 if the entry is empty. */
typedef uint64_t trc_rank_entry;

struct trc_rank_match {
	size_t at; /* 0: none */
	unsigned len, misses;
};

/* A table of histories, in lines. */
struct trc_rank_lines {
	uint8_t *line;
	unsigned shift; /* of hashes to lines */
};

/* What the last symbols were like: how far back the same ones are, four bits each; a hash of more
 * of these; and of the last symbols themselves. */
struct trc_rank_shape {
	uint64_t shape, far, path;
};

/* How many symbols of runs are right until one is wrong, for writing once that is known. */
struct trc_rank_gap {
	uint32_t kind, n;
};

struct trc_ranker {
	const struct trc_logistic *logistic;
	struct trc_rc rc;
	uint16_t *x;     /* symbols, behind MATCH_LEAST zeros */
	uint8_t *record; /* of each */
	size_t i, end;
	int bits;
	uint32_t sure; /* least trust */

	struct trc_rank_shape shape;
	uint32_t *seen; /* the last place of each symbol, where that is near */

	struct trc_rank_match match;
	uint8_t grade[MATCH_GRADED + 1]; /* of lengths */
	uint16_t step[TRUST_STEPS];
	uint32_t trust[MATCH_GRADES][TRC_HISTORIES][TRIED]; /* p, and 10 bits of n */
	uint8_t tried[65536];
	uint16_t went[1 << WENT_BITS]; /* right by shape: probability, and 4 bits of a count */

	struct trc_rc gaps;
	struct trc_num gap[RUNS];
	uint64_t left[RUNS];       /* right ones until a wrong one; so far, when writing */
	struct trc_rank_gap *gone; /* when writing: all of them */
	size_t n_gone, gone_cap;
	size_t open[RUNS]; /* which of them are not known yet */

	uint8_t *tables; /* memory of all */
	trc_rank_entry *entry;
	unsigned entry_shift; /* of hashes to entries, */
	unsigned shift;       /* and to keys */
	uint32_t *noted;      /* places by key, and their checks above */

	struct trc_rank_lines far[FAR];
	/* Weights of offers. */
	int16_t by_state[OFFERS][CONTEXTS][STATES];
	int16_t by_match[OFFERS][MATCH_STATES];

	int16_t by_far[BITS][FAR][TRC_HISTORIES]; /* of each bit */
};

/* A ranker for a stream of `n` symbols, with tables that are `more` bits larger. */
struct trc_ranker *trc_ranker_open(size_t n, unsigned more, struct trc_err *err) TRC_MUST_USE;
void trc_ranker_close(struct trc_ranker *r);

/* Writes or reads the next symbol: what is offered by contexts, or its bits. `tried`: the match's
 * candidate was, and is not the symbol. */
void trc_rank_offer_write(struct trc_ranker *r, bool tried, unsigned symbol);
void trc_rank_offer_read(struct trc_ranker *r, bool tried);

static inline uint32_t
trc_rank_hash(uint64_t v, uint64_t use)
{
	const uint64_t by = UINT64_C(0x9e3779b97f4a7c15) + use * UINT64_C(0xd1b54a32d192ed02);

	return (uint32_t)(v * by >> 32);
}

/* How far back the same symbol is, 0 if that is too far. */
static inline unsigned
trc_rank_back(const struct trc_ranker *r, size_t at, uint16_t symbol)
{
	const uint32_t back = (uint32_t)at + SEEN_FIRST - r->seen[symbol];

	return back <= SHAPE_MOST ? back : 0;
}

/* One more symbol, as far back. */
static inline unsigned
trc_rank_push(struct trc_rank_shape *s, unsigned back, uint16_t symbol)
{
	s->shape = s->shape << SHAPE_BITS | back;
	s->far = (s->far + back + 1) * FAR_FACTOR;
	s->path = (s->path + symbol + 1) * PATH_FACTOR;
	return back;
}

static inline unsigned
trc_rank_shape(struct trc_ranker *r, size_t at, uint16_t symbol)
{
	const unsigned back = trc_rank_back(r, at, symbol);

	r->seen[symbol] = (uint32_t)at + SEEN_FIRST;
	return trc_rank_push(&r->shape, back, symbol);
}

/* A match that is believed: one that missed is not, before it was right again for a while. */
static inline bool
trc_rank_matched(const struct trc_ranker *r)
{
	return r->match.len >= MATCH_AGAIN;
}

/* The candidate of the match. */
static inline uint16_t
trc_rank_next(const struct trc_ranker *r)
{
	return r->x[MATCH_LEAST + r->match.at];
}

static inline unsigned
trc_rank_grade(const struct trc_ranker *r)
{
	return r->grade[r->match.len < MATCH_GRADED ? r->match.len : MATCH_GRADED];
}

/* States of how a symbol was tried, by its lower four bits. */
static const uint8_t trc_rank_tried[16] = { 0, 3, 2, 5, 2, 5, 4, 7, 2, 5, 4, 7, 4, 7, 6, 9 };

/* Trust in the match: how it was right or not where it is now, and with this symbol. */
static inline uint32_t *
trc_rank_trust(struct trc_ranker *r)
{
	return &r->trust[trc_rank_grade(r)][r->record[r->match.at]]
	                [trc_rank_tried[r->tried[trc_rank_next(r)] % 16]];
}

/* How matches went that came with this shape. */
static inline uint16_t *
trc_rank_went(struct trc_ranker *r)
{
	return &r->went[trc_rank_hash(r->shape.shape & UINT32_MAX, 2) >> (32 - WENT_BITS)];
}

/* What becomes of trust. */
static inline uint32_t
trc_rank_learnt(const struct trc_ranker *r, uint32_t trust, unsigned right)
{
	const uint32_t n = trust % 1024, p = trust - n, to = (0u - right) & ~1023u;
	const int64_t by = ((int64_t)to - p) * r->step[n] >> 16;

	return trust + ((uint32_t)by & ~1023u) + (n < TRUST_STEPS - 1);
}

static inline void
trc_rank_match_right(struct trc_rank_match *a)
{
	a->at++;
	a->len++;
	a->misses = a->len >= MATCH_CLEAN ? 0 : a->misses;
}

/* The match's candidate was right: the next symbol. */
static inline void
trc_rank_follow(struct trc_ranker *r, uint16_t symbol)
{
	r->record[r->i] = (uint8_t)trc_history(r->record[r->match.at], 1);
	r->tried[symbol] = (uint8_t)(r->tried[symbol] << 1 | 1);
	trc_rank_shape(r, r->i, symbol);
	r->x[MATCH_LEAST + r->i++] = symbol;
	trc_rank_match_right(&r->match);
}

#endif
