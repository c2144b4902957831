/* SPDX-License-Identifier: MIT
 *
 * What a ranker consists of: shared by what sets it up (rank_state.c) and what codes (rank.c).
 */
#ifndef TRC_CODEC_RANK_STATE_H
#define TRC_CODEC_RANK_STATE_H

#include "codec/logistic.h"
#include "codec/rank.h"

enum {
	CONTEXTS = 5,
	JUDGES = 4,
	QUICK_JUDGES = 2, /* the last of them */
	FAR = 5,          /* contexts of a symbol that was not guessed */
	OFFERS = 6,
	STATES = 3 * TRC_HISTORIES,

	MATCH_LEAST = 24,
	MATCH_MISSES = 8,
	MATCH_STATES = 2 * (1 + TRC_GRADES * (1 + MATCH_MISSES)),

	QUICK_GRADES = TRC_GRADES / 2,
	QUICK_STEPS = 24, /* of a probability */
	QUICK_STEP = 256,

	LINE_BITS = 4,    /* of a cell's place in a line */

	ROWS = 512,
	RANK_KEPT = 1 << 23, /* symbols of streams before */
	RANK_PLACES = 1 << 24,
};

/* M of the hashes. */
#define TRC_RANK_M UINT32_C(0x2f0b4c47)

/* Those of the contexts, and last that of the key of a match. */
static const size_t trc_rank_order[CONTEXTS + 1] = { 1, 2, 4, 8, 16, MATCH_LEAST };

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

struct trc_ranker {
	struct trc_logistic logistic;
	struct trc_rc rc;
	uint16_t *x; /* symbols, behind MATCH_LEAST zeros */
	size_t cap;  /* room for so many */
	size_t i;
	int bits;
	unsigned sure;
	unsigned right; /* bits: was the first candidate right, the latest lowest */

	struct trc_rank_match match;
	uint32_t hash[CONTEXTS + 1];  /* of each order, before place `hashed` */
	uint32_t power[CONTEXTS + 1]; /* M to the order */
	size_t hashed;
	uint8_t grade[513]; /* of a match */
	unsigned shift; /* of hashes to entries, and keys */
	struct trc_rank_entry *table;
	uint32_t *noted; /* places by key, and their checks above */
	struct trc_rank_entry *entry[CONTEXTS];

	struct trc_cell *cells; /* all of them, somewhere in which the first line begins */
	struct trc_rank_cells judge[JUDGES], far[FAR];
	uint16_t quick[QUICK_GRADES][QUICK_STEPS][QUICK_STEPS];
	uint16_t map[CONTEXTS][OFFERS][STATES];
	uint16_t match_map[OFFERS][MATCH_STATES];
	int16_t by_offer[OFFERS * 2 * CONTEXTS * 16][TRC_INPUTS];
	int16_t by_match[OFFERS][MATCH_STATES][TRC_INPUTS];
	uint16_t refined[OFFERS][ROWS][TRC_KNOTS];

	uint16_t far_map[FAR][TRC_HISTORIES];
	int16_t far_weight[16][TRC_INPUTS];
};

/* Makes room for a stream of `n` symbols behind those that are kept. */
int trc_rank_begin(struct trc_ranker *r, size_t n, struct trc_err *err) TRC_MUST_USE;

#endif
