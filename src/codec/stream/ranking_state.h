/* SPDX-License-Identifier: MIT
 *
 * What a ranker consists of: shared by what sets it up (ranking_state.c), what codes the match
 * (ranking.c), and what else there may be (ranking_candidates.c).
 */
#ifndef TRC_CODEC_STREAM_RANKING_STATE_H
#define TRC_CODEC_STREAM_RANKING_STATE_H

#include "codec/entropy/counter.h"
#include "codec/mixing/match_model.h"
#include "codec/stream/ranking.h"

enum {
	SHAPES = 2, /* contexts of shapes; the last is of symbols */
	CONTEXTS = SHAPES + 1,
	LANES = 8, /* for candidates, of a vector */
	WEIGHT_BITS = 3,
	WEIGHT_RATE = 100,
	SUM_MOST = 2020, /* of weights: squash() of it is just certain enough */
	BITS = 16,       /* of a symbol */
	FAR = 4,         /* contexts of a symbol that no candidate is */
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
	MATCH_AGAIN = 4,       /* symbols that have to be right behind a miss */
	TRIED = 8,             /* by the last three matches with the same symbol */
	CONFIDENCE_MERGED = 4, /* buckets of lengths are one */
	CONFIDENCE_BUCKETS = TRC_MATCH_BUCKETS / CONFIDENCE_MERGED,
	CONFIDENCE_SEEN = 2,
	CONFIDENCE_LIMIT = 1022,
	BY_SHAPE_FIRST = 65520,
	BY_SHAPE_LIMIT = 15,
	CONFIDENCE_SHIFT = 26, /* of what is stored, to 64 steps */
	MATCH_STATES = 2 * (1 + (1 << (32 - CONFIDENCE_SHIFT))),
	BY_SHAPE_BITS = 15,

	LINE_BITS = 6, /* of a history's place in a line */

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

/* A table of histories, in lines. */
struct trc_rank_lines {
	uint8_t *line;
	unsigned shift; /* of hashes to lines */
};

/* What the last symbols were like: how far back the same ones are, four bits each; a hash of more
 * of these; and of the last symbols themselves. */
struct trc_rank_shape {
	uint64_t shape, far, path;
	uint32_t *seen; /* the last place of each symbol, where that is near */
};

/* Adaptive probabilities that the match is right (match_model.h), and what they are selected by. */
struct trc_rank_confidence {
	uint32_t least; /* with which the match is coded by itself, as counters have it */
	struct trc_counter of[CONFIDENCE_BUCKETS][TRC_HISTORIES][TRIED];
	uint8_t tried[65536]; /* of each symbol: whether it was right as the match's, bits */
	struct trc_counter by_shape[1 << BY_SHAPE_BITS];
};

/* Models of the lengths of runs: whether one is cut short, by its most symbols, and how long it is
 * then. */
struct trc_rank_runs {
	struct trc_bit fails[32];
	struct trc_num right;
};

/* Successor tables by context, and the table of the match model. */
struct trc_rank_table {
	uint8_t *memory; /* of all */
	trc_rank_entry *entry;
	uint32_t *place;
	unsigned entry_shift, place_shift; /* of hashes to these */
};

/* Weights for candidates: a mixer whose inputs are all 1, which select them. */
struct trc_rank_offer {
	int16_t by_state[OFFERS][CONTEXTS][STATES];
	int16_t by_match[OFFERS][MATCH_STATES];
};

/* Context mixing of the bits of a symbol that is no candidate: bit histories in lines, and weights
 * as above, of each bit. */
struct trc_rank_bits {
	struct trc_rank_lines line[FAR];
	int16_t by_history[BITS][FAR][TRC_HISTORIES];
};

/* Symbol ranking: all that coding a stream takes. */
struct trc_ranker {
	const struct trc_logistic *logistic;
	struct trc_rc rc;
	uint16_t *x;      /* symbols, behind MATCH_LEAST zeros */
	uint8_t *history; /* of each: hits of matches (match_model.h) */
	size_t i, n;      /* those that were coded; all, */
	size_t end;       /* before which reading may stop */
	int bits;
	struct trc_match match;
	struct trc_rank_shape shape;
	struct trc_rank_confidence confidence;
	struct trc_rank_runs run;
	struct trc_rank_table table;
	struct trc_rank_offer offer;
	struct trc_rank_bits bit;
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
	const uint32_t back = (uint32_t)at + SEEN_FIRST - r->shape.seen[symbol];

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

	r->shape.seen[symbol] = (uint32_t)at + SEEN_FIRST;
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

/* Trust in the match: how it was right or not where it is now, and with this symbol. */
static inline struct trc_counter *
trc_rank_confidence(struct trc_ranker *r)
{
	return &r->confidence
	                .of[trc_match_bucket(r->match.len) / CONFIDENCE_MERGED]
	                   [r->history[r->match.at]][r->confidence.tried[trc_rank_next(r)] % TRIED];
}

/* How matches went that came with this shape. */
static inline struct trc_counter *
trc_rank_shape_confidence(struct trc_ranker *r)
{
	return &r->confidence.by_shape[trc_rank_hash(r->shape.shape & UINT32_MAX, 2) >>
	                               (32 - BY_SHAPE_BITS)];
}

/* The match's candidate was right: the next symbol. */
static inline void
trc_rank_follow(struct trc_ranker *r, uint16_t symbol)
{
	r->history[r->i] = (uint8_t)trc_history(r->history[r->match.at], 1);
	r->confidence.tried[symbol] = (uint8_t)(r->confidence.tried[symbol] << 1 | 1);
	trc_rank_shape(r, r->i, symbol);
	r->x[MATCH_LEAST + r->i++] = symbol;
	trc_match_follow(&r->match, true);
}

#endif
