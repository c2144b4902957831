/* SPDX-License-Identifier: MIT
 *
 * The state of a ranker, shared by its setup (ranking_state.c), the coding of the match
 * (ranking.c), and the coding of other symbols (ranking_candidates.c).
 */
#ifndef TRC_CODEC_STREAM_RANKING_STATE_H
#define TRC_CODEC_STREAM_RANKING_STATE_H

#include "codec/entropy/counter.h"
#include "codec/mixing/match_model.h"
#include "codec/stream/ranking.h"

enum {
	SHAPES = 2, /* contexts of shapes; the remaining one consists of symbols */
	CONTEXTS = SHAPES + 1,
	LANES = 8, /* of a vector, for candidates */
	WEIGHT_BITS = 3,
	WEIGHT_RATE = 100,
	SUM_MOST = 2020, /* limit of a sum of weights, whose squash() is certain enough */
	BITS = 16,       /* in a symbol */
	FAR = 4,         /* contexts for a symbol that is not a candidate */
	NEW = 1,         /* an empty history */
	OFFERS = 3,
	STATES = 4 * TRC_HISTORIES,

	SHAPE_LONG = 12,             /* symbols in a shape used as a context */
	SHAPE_FAR = 32,              /* symbols in a far shape */
	SHAPE_BITS = 4,              /* bits per symbol */
	SHAPE_MOST = 15,             /* the farthest previous occurrence of a symbol */
	SEEN_FIRST = SHAPE_MOST + 1, /* added to positions, so that 0 is far from all of them */
	DISTANCE = 0xfff0, /* values of entries above this are distances, subtracted from 2^16 */

	MATCH_LEAST = 32, /* zeros before the first symbol */
	MATCH_ORDER = 14,
	MATCH_AGAIN = 4,       /* symbols that must be right after a miss */
	TRIED = 8,             /* results of the last three matches with the same symbol */
	CONFIDENCE_MERGED = 4, /* buckets of lengths that share a counter */
	CONFIDENCE_BUCKETS = TRC_MATCH_BUCKETS / CONFIDENCE_MERGED,
	CONFIDENCE_SEEN = 2,
	CONFIDENCE_LIMIT = 1022,
	BY_SHAPE_FIRST = 65520,
	BY_SHAPE_LIMIT = 15,
	CONFIDENCE_SHIFT = 26, /* of a stored confidence, to 64 steps */
	MATCH_STATES = 2 * (1 + (1 << (32 - CONFIDENCE_SHIFT))),
	BY_SHAPE_BITS = 15,

	LINE_BITS = 6, /* of the index of a history in a line */

	RANK_MORE = 2, /* bits by which tables may be larger */

	CERTAIN = 24, /* least probability */
};

/* These push symbols that were added too long ago out of the hash. */
#define FAR_FACTOR (UINT64_C(0x9e3779b97f4a7c15) << 2)
#define PATH_FACTOR (UINT64_C(0x9e3779b97f4a7c15) << 10)

#define TRC_RANK_S UINT32_C(0x9e3779b1)

/* Four fields of 16 bits, the lowest first: the last value, the last different value, a check, and
 * a history, which is 0 if the entry is empty. */
typedef uint64_t trc_rank_entry;

/* A table of histories, in cache lines. */
struct trc_rank_lines {
	uint8_t *line;
	unsigned shift; /* of hashes to lines */
};

/* The shape of recent symbols: the distances to their previous occurrences, four bits each; a hash
 * of more of these distances; and a hash of the symbols. */
struct trc_rank_shape {
	uint64_t shape, far, path;
	uint32_t *seen; /* the last position of each symbol, if that is recent */
};

/* Adaptive probabilities that the match is right (match_model.h), and the state that selects
 * them. */
struct trc_rank_confidence {
	uint32_t least; /* for coding the match separately, as in counters */
	struct trc_counter of[CONFIDENCE_BUCKETS][TRC_HISTORIES][TRIED];
	uint8_t tried[65536]; /* for each symbol, bits: it was right as the candidate of a match */
	struct trc_counter by_shape[1 << BY_SHAPE_BITS];
};

/* Models of run lengths: whether a run is shorter than possible, selected by its greatest length,
 * and how long it is then. */
struct trc_rank_runs {
	struct trc_bit fails[32];
	struct trc_num right;
};

/* Successor tables by context, and the table of the match model. */
struct trc_rank_table {
	uint8_t *memory; /* a single allocation */
	trc_rank_entry *entry;
	uint32_t *place;
	unsigned entry_shift, place_shift; /* of hashes to indices */
};

/* The weights of candidates: a mixer whose inputs are all 1, which select the weights. */
struct trc_rank_offer {
	int16_t by_state[OFFERS][CONTEXTS][STATES];
	int16_t by_match[OFFERS][MATCH_STATES];
};

/* Context mixing of the bits of a symbol that is not a candidate: bit histories in lines, and
 * weights as above for each bit. */
struct trc_rank_bits {
	struct trc_rank_lines line[FAR];
	int16_t by_history[BITS][FAR][TRC_HISTORIES];
};

/* A ranker: the complete state of coding a stream. */
struct trc_ranker {
	const struct trc_logistic *logistic;
	struct trc_rc rc;
	uint16_t *x;      /* symbols, after MATCH_LEAST zeros */
	uint8_t *history; /* for each symbol: hits of matches (match_model.h) */
	size_t i, n;      /* number of symbols coded so far, and in total */
	size_t end;       /* where reading may stop */
	int bits;
	struct trc_match match;
	struct trc_rank_shape shape;
	struct trc_rank_confidence confidence;
	struct trc_rank_runs run;
	struct trc_rank_table table;
	struct trc_rank_offer offer;
	struct trc_rank_bits bit;
};

/* Opens a ranker for a stream of `n` symbols, with tables that are `more` bits larger. */
struct trc_ranker *trc_ranker_open(size_t n, unsigned more, struct trc_err *err) TRC_MUST_USE;
void trc_ranker_close(struct trc_ranker *r);

/* Write or read the next symbol, as a candidate or bit by bit. `tried` is true if the match's
 * candidate was tried already, and is wrong. */
void trc_rank_offer_write(struct trc_ranker *r, bool tried, unsigned symbol);
void trc_rank_offer_read(struct trc_ranker *r, bool tried);

static inline uint32_t
trc_rank_hash(uint64_t v, uint64_t use)
{
	const uint64_t by = UINT64_C(0x9e3779b97f4a7c15) + use * UINT64_C(0xd1b54a32d192ed02);

	return (uint32_t)(v * by >> 32);
}

/* Returns the distance to the previous occurrence of a symbol, 0 if that is too far back. */
static inline unsigned
trc_rank_back(const struct trc_ranker *r, size_t at, uint16_t symbol)
{
	const uint32_t back = (uint32_t)at + SEEN_FIRST - r->shape.seen[symbol];

	return back <= SHAPE_MOST ? back : 0;
}

/* Adds a symbol with this distance to the shape. */
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

/* Returns true if there is a trusted match. A match that missed is trusted again only after it has
 * been right for a while. */
static inline bool
trc_rank_matched(const struct trc_ranker *r)
{
	return r->match.len >= MATCH_AGAIN;
}

/* Returns the candidate of the match. */
static inline uint16_t
trc_rank_next(const struct trc_ranker *r)
{
	return r->x[MATCH_LEAST + r->match.at];
}

/* Returns the counter of confidence in the match, which depends on its earlier results at this
 * position and with this symbol. */
static inline struct trc_counter *
trc_rank_confidence(struct trc_ranker *r)
{
	return &r->confidence
	                .of[trc_match_bucket(r->match.len) / CONFIDENCE_MERGED]
	                   [r->history[r->match.at]][r->confidence.tried[trc_rank_next(r)] % TRIED];
}

/* Returns the counter of the results of matches with this shape. */
static inline struct trc_counter *
trc_rank_shape_confidence(struct trc_ranker *r)
{
	return &r->confidence.by_shape[trc_rank_hash(r->shape.shape & UINT32_MAX, 2) >>
	                               (32 - BY_SHAPE_BITS)];
}

/* Appends the match's candidate, which is right, as the next symbol. */
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
