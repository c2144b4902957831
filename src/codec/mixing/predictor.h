/* SPDX-License-Identifier: MIT
 *
 * Predictor: a bit from many contexts, as in M. V. Mahoney's paq8 and lpaq1. What is coded is a row
 * of a model's table: its contexts, its experts, what selects its mixers and its APMs.
 *
 *   contexts -> slots -> cells (histories) -> counters ----+
 *                                                         +-> mixers -> average -> APMs -> p
 *   experts (matches, histories) -> inputs ---------------+
 *
 * Slots.  A context is a number of 32 bits. The upper 28 find a slot: 16 bytes, of which the first
 *   is a check and the others are cells. The number of the cell is the sum of the lower four bits
 *   and the node, the bits since slots were found behind a 1: of a symbol, which is coded four bits
 *   a slot, the lower bits are 0; a bit alone has node 0 and the cell that its context names. Four
 *   slots are a line of the cache, of which there are 2^a. Of context k of predictor m, with v its
 *   upper 28 bits,
 *     x = (v + (16 * m + k) * 0x3d4d51cb) * 0x85ebca6b, x ^= x >> 13, x *= 0x9e3779b1;
 *   line x >> 32 - a, check (x >> 24 - a) mod 256, or 1 if that is 0. The first slot of the line
 *   that bears the check, if there is one, changes places with the one before it; otherwise the
 *   first that is empty, or else the last, is cleared and gets the check. Slots are found for all
 *   contexts, the first one first, before a cell is read; where two have the same it learns twice.
 *
 * Cells are bit histories (state_map.h) of contexts 0, 2, 4, ..., count states (count_state.h) of
 *   the others, new ones 1. Each context has a map, of a counter (counter.h) for each of 256
 *   histories or states, or several: a predictor has sets of maps, one for each context, and what
 *   is coded selects the set (trc_select.map_set). Counters begin with p of a counter that saw the
 *   history, or that of the state, n = 3, limit 255.
 *
 * Inputs: for each context, stretch of its cell's counter; then those of the experts; 0 up to a
 *   multiple of eight less one; 256. Weights are 7000 / contexts for contexts and the lanes behind
 *   experts at first, 1500 for experts.
 *
 * Mixers (mixer.h).  Three, each selected by a small context; the number of the third is its
 *   selector * (1 + contexts) + 1 + the last context whose history is not new (0 for none). The
 *   rate is 16 for the first 2000 bits of the predictor, 12 up to 20000, 8 up to 200000, 4 up to
 *   1000000, then 2. Each learns from its own error, its y kept to -3071 to 3071; y is their mean,
 *   rounded towards 0.
 *
 * APMs (apm.h).  Two, each selected by a small context. The bit is coded by (2 * squash(y) + both)
 *   / 4, kept to 16 to 65520.
 */
#ifndef TRC_CODEC_MIXING_PREDICTOR_H
#define TRC_CODEC_MIXING_PREDICTOR_H

#include "codec/mixing/apm.h"
#include "codec/entropy/counter.h"
#include "codec/mixing/count_state.h"
#include "codec/mixing/state_map.h"

enum {
	TRC_CONTEXTS = 12,
	TRC_EXPERTS = 10,
	TRC_PREDICTOR_INPUTS = 24,
	TRC_MIXERS = 3,
	TRC_APMS = 2,
	TRC_EXPERT_LIMIT = 127, /* of counters of confidence */
	TRC_CELL_BITS = 4,      /* of a context, that name a cell */
	TRC_CELL_KINDS = 2,     /* bit histories, count states */
};

/* What all predictors of a stream share: the range coder, and the hash table of lpaq1, whose slots
 * hold the cells of four bits of a symbol. */
struct trc_predictors {
	struct trc_rc rc;
	const struct trc_logistic *logistic;
	uint8_t next[TRC_CELL_KINDS][2][TRC_HISTORIES]; /* cells, one bit later */
	struct trc_slots *line;
	unsigned shift; /* of hashes to lines */
	void *memory;
};

/* A row of a model's table (our own): how many contexts, experts, sets of maps, mixers and APMs
 * a predictor has; TRC_CONTEXTS and TRC_EXPERTS at most, or it is refused. */
struct trc_predictor_row {
	uint8_t contexts, experts, map_sets;
	uint16_t mixers[TRC_MIXERS], apms[TRC_APMS];
};

/* The selectors of a bit: which of its sets of maps, mixers and APMs, as paq8's mixer contexts. */
struct trc_select {
	unsigned map_set, mixer[TRC_MIXERS], apm[TRC_APMS];
};

/* A predictor as that of lpaq1, with three mixers in place of one. */
struct trc_predictor {
	struct trc_predictors *with;
	struct trc_predictor_row row;
	uint32_t salt; /* 16 * number of the predictor */
	uint32_t coded;
	int lanes; /* inputs, zeros among them */
	struct trc_counter *map;
	int16_t *weight[TRC_MIXERS];
	struct trc_apm *apm[TRC_APMS];
	uint8_t *cell[TRC_CONTEXTS]; /* of the contexts, before the node */
	int16_t expert[TRC_EXPERTS]; /* inputs of the next bit: its user sets them */
	void *memory;
};

/* A cell's context: a hash, and which of its slot's cells, 0 if that is up to the node. */
static inline uint32_t
trc_context(uint32_t hash, uint32_t cell)
{
	return hash << TRC_CELL_BITS | cell;
}

static inline uint32_t
trc_hash(uint32_t v, uint32_t h)
{
	h = (h + v + 1) * UINT32_C(0x9e3779b1);
	return h ^ h >> 15;
}

/* Prepares zeroed memory for 2^bits lines of 4 slots. */
int trc_predictors_init(struct trc_predictors *d, unsigned bits, struct trc_err *err) TRC_MUST_USE;
void trc_predictors_release(struct trc_predictors *d);

int trc_predictor_init(struct trc_predictor *p, struct trc_predictors *with, unsigned number,
                       const struct trc_predictor_row *row, struct trc_err *err) TRC_MUST_USE;
void trc_predictor_release(struct trc_predictor *p);

/* Bytes that they take. */
size_t trc_predictors_memory(unsigned bits);
size_t trc_predictor_memory(const struct trc_predictor_row *row);

/* Finds the slots of contexts, for the next up to four bits. */
void trc_predictor_find(struct trc_predictor *p, const uint32_t *context);

/* The same of contexts hashed with the bits of a symbol so far behind a 1. */
void trc_predictor_find_path(struct trc_predictor *p, uint32_t path, const uint32_t *context);

/* Codes a bit: writes `bit`, or reads and returns it. */
unsigned trc_predictor_code(struct trc_predictor *p, unsigned node, const struct trc_select *s,
                            unsigned bit);

#endif
