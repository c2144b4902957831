/* SPDX-License-Identifier: MIT
 *
 * What a ranker consists of: shared by what sets it up (rank_state.c), what codes the match
 * (rank.c), and what else there may be (rank_offers.c).
 */
#ifndef TRC_CODEC_RANK_STATE_H
#define TRC_CODEC_RANK_STATE_H

#include "codec/logistic.h"
#include "codec/rank.h"

enum {
	CONTEXTS = 5,
	JUDGES = 4,
	WIDE_JUDGES = 2, /* the last of them */
	FAR = 4,          /* contexts of a symbol that was not guessed */
	OFFERS = 6,
	CANDIDATES = 2 + 2 * CONTEXTS, /* one tried, the match's, and those of contexts */
	BY_MATCH = 1,                  /* the number of the match's */
	STATES = 3 * TRC_HISTORIES,

	MATCH_LEAST = 24, /* zeros before the first symbol */
	MATCH_ORDERS = 2,
	MATCH_RENEW = 16, /* a match that is shorter gives way to another */
	MATCH_MISSES = 4,
	MATCH_GRADED = 400, /* longer ones are of the same grade */
	MATCH_GRADES = 9,
	MATCH_STATES = 2 * (1 + TRC_GRADES * (1 + MATCH_MISSES)),

	MISSES = 4, /* numbers of misses that trust tells apart */
	TRIED = 10, /* states of how a symbol was tried */
	TRUST_BITS = 22,
	TRUST_STEPS = 256,

	RUN_GRADE = 6, /* the least of a match that runs */
	RUNS = MATCH_GRADES - RUN_GRADE,
	ALWAYS = TRC_HISTORIES - 1, /* record of a place where guessing was right */

	LINE_BITS = 4,    /* of a cell's place in a line */

	RANK_KEPT = 1 << 23, /* symbols of streams before */
	RANK_PLACES = 1 << 24,

	RATE = 4,
	CERTAIN = 24, /* least probability */
};

#define TRC_RANK_S UINT32_C(0x9e3779b1)

struct trc_rank_entry {
	uint16_t last, other, check;
	uint8_t history; /* 0: it is empty */
};

struct trc_rank_match {
	size_t at; /* 0: none */
	unsigned len, misses;
};

/* A table of cells, in lines. */
struct trc_rank_cells {
	struct trc_cell *line;
	unsigned shift; /* of hashes to lines */
};

/* The same of the small cells of a judge. */
struct trc_rank_judge {
	uint16_t *line; /* probabilities, the lower four bits of which count */
	unsigned shift;
};

/* Hashes of the contexts at a place. */
struct trc_rank_look {
	uint32_t judge[JUDGES], context[CONTEXTS], key[MATCH_ORDERS];
};

/* What was offered for one symbol. */
struct trc_rank_offers {
	unsigned n;       /* were refused */
	uint16_t first;   /* of these */
	struct trc_rank_look look;
	bool tried;       /* the match, before all others */
	bool match;       /* there is one */
	uint16_t match_symbol;
	unsigned match_state;
	uint32_t trust;   /* in it */
	trc_eight last, other, history; /* of the entries, the last three times */
};

/* How many symbols of runs are right until one is wrong, for writing once that is known. */
struct trc_rank_gap {
	uint32_t kind, n;
};

struct trc_ranker {
	struct trc_logistic logistic;
	struct trc_rc rc;
	uint16_t *x;     /* symbols, behind MATCH_LEAST zeros */
	uint8_t *record; /* of each */
	size_t x_cap, record_cap;
	size_t i, end;
	uint64_t four; /* the last symbols */
	int bits;
	uint32_t sure, likely; /* least trust */
	unsigned right;  /* bits: was the first offer right, the latest lowest */

	struct trc_rank_match match;
	uint8_t grade[MATCH_GRADED + 1], fine[MATCH_GRADED + 1]; /* of lengths */
	uint16_t step[TRUST_STEPS];
	uint32_t trust[MATCH_GRADES][MISSES][TRC_HISTORIES][TRIED]; /* p, and 10 bits of n */
	uint8_t tried[65536];
	uint8_t history[2 * TRC_HISTORIES]; /* with one bit more */

	struct trc_rc gaps;
	struct trc_num gap[RUNS];
	uint64_t left[RUNS];       /* right ones until a wrong one; so far, when writing */
	struct trc_rank_gap *gone; /* when writing: all of them */
	size_t n_gone, gone_cap;
	size_t open[RUNS];         /* which of them are not known yet */

	int16_t by_grade[MATCH_GRADES * MISSES][16][TRC_INPUTS];
	int16_t by_record[TRC_HISTORIES][TRC_INPUTS];
	uint16_t likely_row[TRC_HISTORIES][TRC_KNOTS];

	uint8_t *tables; /* memory of all */
	struct trc_rank_entry *table[CONTEXTS];
	unsigned table_shift[CONTEXTS]; /* of hashes to entries, */
	unsigned shift;                 /* and to keys */
	uint32_t *noted[MATCH_ORDERS]; /* places by key, and their checks above */
	struct trc_rank_entry *entry[CONTEXTS];

	struct trc_rank_cells far[FAR];
	struct trc_rank_judge judge[JUDGES];
	uint16_t map[CONTEXTS][OFFERS][STATES];
	uint16_t match_map[OFFERS][MATCH_STATES];
	int16_t by_offer[CANDIDATES * 16][TRC_INPUTS];
	int16_t by_match[OFFERS][MATCH_STATES][TRC_INPUTS];
	uint16_t refined[OFFERS][MATCH_STATES][TRC_KNOTS];

	uint16_t far_map[FAR][TRC_HISTORIES];
	int16_t far_weight[16][TRC_INPUTS];
};

/* Makes room for a stream of `n` symbols behind those that are kept. */
int trc_rank_begin(struct trc_ranker *r, size_t n, struct trc_err *err) TRC_MUST_USE;

/* Writes or reads the next symbol: what is offered by contexts, or its bits. */
void trc_rank_offer_write(struct trc_ranker *r, struct trc_rank_offers *o, unsigned symbol);
void trc_rank_offer_read(struct trc_ranker *r, struct trc_rank_offers *o);

/* Four symbols, the last of them highest. */
static inline uint64_t
trc_rank_four(const uint16_t *x)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	return trc_le64(x);
#else
	return x[0] | (uint64_t)x[1] << 16 | (uint64_t)x[2] << 32 | (uint64_t)x[3] << 48;
#endif
}

/* A hash of the last `order` symbols before `x`, for one of several uses. The last four of them are
 * given: loading what was stored in parts just before would wait until these stores are done. */
static TRC_ALWAYS_INLINE uint32_t
trc_rank_hash(const uint16_t *x, uint64_t four, unsigned order, unsigned use)
{
	static const uint64_t factor[] = {
		UINT64_C(0x9e3779b97f4a7c15), UINT64_C(0xc2b2ae3d27d4eb4f),
		UINT64_C(0x165667b19e3779f9), UINT64_C(0xd6e8feb86659fd93),
		UINT64_C(0xff51afd7ed558ccd), UINT64_C(0xc4ceb9fe1a85ec53),
	};
	uint64_t h = use * UINT64_C(0x2545f4914f6cdd1d);

#pragma GCC unroll 6
	for (unsigned k = 0; 4 * k < order; k++) {
		const unsigned less = order - 4 * k < 4 ? 4 - (order - 4 * k) : 0;

		h += ((k ? trc_rank_four(x - 4 * k - 4) : four) >> 16 * less) * factor[k];
	}
	return (uint32_t)((h ^ h >> 32) * factor[0] >> 32);
}

/* The last four symbols when one more comes. */
static inline uint64_t
trc_rank_roll(uint64_t four, uint16_t symbol)
{
	return four >> 16 | (uint64_t)symbol << 48;
}

/* Cells of a context stand in one line of the cache. */
static inline struct trc_cell *
trc_rank_line(const struct trc_rank_cells *cells, uint32_t hash)
{
	return cells->line + ((size_t)(hash >> cells->shift) << LINE_BITS);
}

static inline uint16_t *
trc_rank_judge_line(const struct trc_rank_judge *judge, uint32_t hash)
{
	return judge->line + ((size_t)(hash >> judge->shift) << LINE_BITS);
}

/* The cell of a candidate. Its place depends on the context, too, since several share a line. */
static inline uint16_t *
trc_rank_judge(const struct trc_rank_judge *judge, uint32_t hash, uint32_t candidate)
{
	return trc_rank_judge_line(judge, hash) +
	       ((hash ^ candidate) * TRC_RANK_S >> (32 - LINE_BITS));
}

/* Works out where everything about this place is, and asks for it. */
static TRC_ALWAYS_INLINE void
trc_rank_look(const struct trc_ranker *r, struct trc_rank_look *l)
{
	static const unsigned judge[] = { 1, 2, 3, 7 }, context[] = { 1, 2, 4, 8, 16 },
	                      key[] = { 24, 10 };
	const uint16_t *x = r->x + MATCH_LEAST + r->i;

#pragma GCC unroll 8
	for (unsigned k = 0; k < CONTEXTS; k++) {
		l->context[k] = trc_rank_hash(x, r->four, context[k], k + 1);
		TRC_PREFETCH(&r->table[k][l->context[k] >> r->table_shift[k]]);
	}
#pragma GCC unroll 8
	for (unsigned k = 0; k < MATCH_ORDERS; k++) {
		l->key[k] = trc_rank_hash(x, r->four, key[k], 0);
		TRC_PREFETCH(&r->noted[k][l->key[k] >> r->shift]);
	}
#pragma GCC unroll 8
	for (unsigned k = 0; k < JUDGES; k++) {
		l->judge[k] = trc_rank_hash(x, r->four, judge[k], 0);
		TRC_PREFETCH(trc_rank_judge_line(&r->judge[k], l->judge[k]));
	}
}

/* The same of judges alone. */
static TRC_ALWAYS_INLINE void
trc_rank_look_judges(const struct trc_ranker *r, uint32_t hash[JUDGES])
{
	static const unsigned judge[] = { 1, 2, 3, 7 };
	const uint16_t *x = r->x + MATCH_LEAST + r->i;

#pragma GCC unroll 8
	for (unsigned k = 0; k < JUDGES; k++)
		hash[k] = trc_rank_hash(x, r->four, judge[k], 0);
}

static TRC_ALWAYS_INLINE unsigned
trc_rank_decide(struct trc_rc *rc, bool writes, int one, unsigned bit)
{
	const uint32_t zero = (uint32_t)trc_keep(one, CERTAIN, 65536 - CERTAIN);

	return 1 ^ (writes ? trc_rc_code(rc, zero, 1 ^ bit) : trc_rc_decode(rc, zero));
}

/* What judges learn. */
static inline void
trc_rank_learn_judge(uint16_t *c, unsigned bit)
{
	const unsigned to = (0u - bit) & TRC_ONE, away = *c ^ to, n = *c % 16;
	const unsigned p = (away - ((away >> 1) * trc_bit_step[n] >> 15)) ^ to;

	*c = (uint16_t)((p & ~15u) | (n + (n < 15)));
}

/* The candidate of the match. */
static inline uint16_t
trc_rank_next(const struct trc_ranker *r)
{
	return r->x[MATCH_LEAST + r->match.at];
}

static inline unsigned
trc_rank_graded(const struct trc_ranker *r)
{
	return r->match.len < MATCH_GRADED ? r->match.len : MATCH_GRADED;
}

static inline unsigned
trc_rank_grade(const struct trc_ranker *r)
{
	return r->grade[trc_rank_graded(r)];
}

/* States of how a symbol was tried, by its lower four bits. */
static const uint8_t trc_rank_tried[16] = { 0, 3, 2, 5, 2, 5, 4, 7, 2, 5, 4, 7, 4, 7, 6, 9 };

/* Trust in the match: how it was right or not where it is now, and with this symbol. */
static inline uint32_t *
trc_rank_trust(struct trc_ranker *r)
{
	const unsigned misses = r->match.misses < MISSES ? r->match.misses : MISSES - 1;

	return &r->trust[trc_rank_grade(r)][misses][r->record[r->match.at]]
	                [trc_rank_tried[r->tried[trc_rank_next(r)] % 16]];
}

/* What becomes of trust. */
static inline uint32_t
trc_rank_learnt(const struct trc_ranker *r, uint32_t trust, unsigned right)
{
	const uint32_t n = trust % 1024;
	const int32_t p = (int32_t)(trust >> 10);
	const int32_t to = (int32_t)(0u - right) & ((1 << TRUST_BITS) - 1);
	const int32_t by = (int32_t)((int64_t)(to - p) * r->step[n] >> 16);

	return (uint32_t)(p + by) << 10 | (n + (n < TRUST_STEPS - 1));
}

/* The match's candidate was right: the next symbol. */
static inline void
trc_rank_follow(struct trc_ranker *r, uint16_t symbol)
{
	struct trc_rank_match *a = &r->match;

	r->record[r->i] = (uint8_t)trc_history(r->record[a->at], 1);
	r->tried[symbol] = (uint8_t)(r->tried[symbol] << 1 | 1);
	r->x[MATCH_LEAST + r->i++] = symbol;
	r->four = trc_rank_roll(r->four, symbol);
	a->at++;
	a->len += a->len < UINT16_MAX;
	a->misses = a->len >= MATCH_RENEW ? 0 : a->misses;
}

#endif
