/* SPDX-License-Identifier: MIT
 *
 * What a chooser consists of: shared by what sets it up (path_state.c), what follows matches
 * (path_match.c), and what decides (path.c).
 */
#ifndef TRC_CODEC_PROGRAM_PATH_STATE_H
#define TRC_CODEC_PROGRAM_PATH_STATE_H

#include "codec/program/path.h"
#include "codec/mixing/match_model.h"
#include "codec/mixing/mixer.h"
#include "codec/mixing/state_map.h"

enum {
	BEFORE = 32,     /* zeros before the first choice */
	PLACE_BITS = 24, /* places that are noted have a check of 8 bits above */
	RECENT = 3,
	LINE = 4,  /* cells of the table */
	LOCAL = 8, /* those of a decider */
	ORDERS = 2,
	CELL_BITS = 14, /* of tables at most */
	NOTE_BITS = 16,

	CELL_MOST = 120,
	TRUST_SEEN = 6, /* n of trust, at first */
	GRADED = 512,   /* longer matches are of the same grade */
	RENEW = 16,     /* shorter matches give way to others */
	RUN = 32,       /* the least length of a match that runs */
	ALWAYS = TRC_HISTORIES - 1,
	RECORD_BITS = 8,

	WEIGHTS = TRC_LANES,
	WEIGHT = 2867,
	RATE = 6,
	CERTAIN = 2020, /* stretches */
	NO_MATCH = 0,   /* selects weights */
	OTHER = TRC_MATCH_BUCKETS + 1,
	STATES,
	NO_RECORD = TRC_HISTORIES,
	OTHER_RECORD,
	RECORDS,
	REFUSED = 3, /* numbers of refused offers that are told apart */

	OFFERED = 8, /* how often a new edge was refused */
	LEARNT = 1 << 10,
};

#define CELL_NEW (UINT32_C(1) << 31)
#define TRUSTED (UINT32_C(64900) << 16)

/* Of the orders, the longest first: what has so many choices before it is the same. */
static const uint8_t order_len[ORDERS] = { 16, 4 };
static const uint64_t order_factor[ORDERS] = { UINT64_C(0x9e3779b97f4a7c15) << 4,
	                                       UINT64_C(0x9e3779b97f4a7c15) << 16 };

struct decider {
	uint32_t base; /* number of its first edge */
	uint32_t edges, known;
	uint32_t next; /* its first edge in the program that is not known */
	uint32_t recent[RECENT];
	uint32_t did; /* bits: its choices that were not 0, the latest lowest */
	uint32_t cell[LOCAL];
};

_Static_assert(sizeof(struct decider) == 64, "it is a line of the cache");
_Static_assert(TRC_EDGES_MOST < 1 << (32 - RECORD_BITS), "numbers stand above records");

struct trc_path_model {
	const struct trc_program *program;
	struct trc_rc rc;
	size_t i, n;
	size_t ready;   /* choices before this are there */
	uint32_t *past; /* choices, behind BEFORE zeros: trc_past() */
	size_t past_cap;

	struct decider *decider;
	uint32_t *of_op; /* 1 + number of its decider; 0: not met */
	size_t deciders, decider_cap, of_op_cap;
	uint32_t numbers; /* that deciders have */
	uint32_t next;    /* edge of the program; TRC_NONE: none */
	unsigned refused; /* how often that was */
	bool took;        /* such an edge, the choice before */

	size_t at, len; /* match; 0: none */
	bool ran;       /* the choice before was of a run */
	bool wrong;     /* the match is, as a run told */
	uint64_t hash[ORDERS];
	unsigned cell_shift, note_shift; /* of hashes */

	uint32_t *cell; /* p, and n in the lowest 10 bits */
	uint32_t *line; /* of the choice that comes */
	uint32_t *noted[ORDERS];
	uint32_t *note[ORDERS]; /* of that choice */
	size_t cell_cap, noted_cap;
	uint32_t trust[TRC_MATCH_BUCKETS][TRC_HISTORIES];
	int16_t by_state[REFUSED][STATES][WEIGHTS];
	int16_t by_record[REFUSED][RECORDS][WEIGHTS];
	struct trc_path_step {
		int32_t by;
		uint32_t more; /* 1; 0: n grows no more */
	} step[CELL_MOST + 1]; /* of cells, by n */
	struct trc_bit fails[32], fresh[OFFERED][RECENT][2];
	struct trc_num right, far;
	const struct trc_logistic *logistic;

	uint32_t *order; /* when writing: the decider of each choice */
	size_t order_cap;
};

/* Codes a run: choices up to c->ready are there then. */
void trc_path_model_run(struct trc_path_model *c, bool writes);

/* Computes the hashes behind a run. */
void trc_path_model_rehash(struct trc_path_model *c);

/* Begins `n` choices, in either direction. */
int trc_path_model_begin(struct trc_path_model *c, const struct trc_program *p, size_t old_edges,
                         size_t n, struct trc_err *err) TRC_MUST_USE;

/* The edge at or behind `e` that is the first of an op with several; TRC_NONE if none is. */
uint32_t trc_path_model_edge(const struct trc_program *p, size_t e);

/* A choice as it is kept: one load for both. */
static inline uint32_t
trc_past(uint32_t number, unsigned record)
{
	return number << RECORD_BITS | record;
}

static inline uint32_t
trc_past_number(uint32_t past)
{
	return past >> RECORD_BITS;
}

static inline unsigned
trc_past_record(uint32_t past)
{
	return past % TRC_HISTORIES;
}

static TRC_ALWAYS_INLINE void
trc_path_model_learn(const struct trc_path_model *c, uint32_t *cell, bool right)
{
	const uint32_t v = *cell, n = v % LEARNT;
	const int32_t to = right ? 1 << 22 : 0;
	const int32_t by = ((to - (int32_t)(v >> 10)) >> 3) * c->step[n].by;

	/* The lower bits of `by` are less than one step of p. */
	*cell = v + c->step[n].more + ((uint32_t)by & ~(uint32_t)(LEARNT - 1));
}

static inline unsigned
trc_path_model_grade(const struct trc_path_model *c)
{
	return trc_match_bucket(c->len < GRADED ? (unsigned)c->len : GRADED);
}

static inline void
trc_path_model_hash(struct trc_path_model *c, uint32_t x)
{
	for (int k = 0; k < ORDERS; k++)
		c->hash[k] = (c->hash[k] + x) * order_factor[k];
}

/* Finds what is kept of the choices before the one that comes. */
static inline void
trc_path_model_lines(struct trc_path_model *c)
{
	c->line = c->cell + (c->hash[0] >> c->cell_shift) / LINE * LINE;
	TRC_PREFETCH(c->line);
	for (int k = 0; k < ORDERS; k++) {
		c->note[k] = c->noted[k] + (c->hash[k] >> c->note_shift);
		TRC_PREFETCH(c->note[k]);
	}
}

/* What tells a hash from others that are noted at the same place. */
static inline uint32_t
trc_path_model_check(const struct trc_path_model *c, int k)
{
	return (uint32_t)(c->hash[k] >> 32) << PLACE_BITS;
}

/* Finds a longer match. */
static inline void
trc_path_model_match(struct trc_path_model *c)
{
	for (int k = 0; k < ORDERS && order_len[k] > c->len; k++) {
		const uint32_t q = *c->note[k] ^ trc_path_model_check(c, k);

		if (q == 0 || q >> PLACE_BITS)
			continue;
		c->len = order_len[k];
		c->at = q;
	}
}

#endif
