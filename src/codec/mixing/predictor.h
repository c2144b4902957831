/* SPDX-License-Identifier: MIT
 *
 * Predictor: a bit from many contexts, as in M. V. Mahoney's paq8 and lpaq1. What is coded is a row
 * of a model's table: its contexts, its experts, what selects its mixers and its APMs.
 *
 *   contexts -> slots -> cells (histories) -> counters ----+
 *                                                         +-> mixers -> average -> APMs -> p
 *   experts (matches, histories) -> inputs ---------------+
 *
 * A context is a number of 32 bits. The upper 28 find a slot: 16 bytes, a check and 15 cells; the
 * lower four name a cell, and are 0 where up to four bits are coded, whose node does. Cells of
 * contexts 0, 2, 4, ... are bit histories (state_map.h), the others count states (count_state.h).
 * container/SPEC.md, "Predictor", has it to the bit.
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
	uint8_t none[1 << TRC_CELL_BITS]; /* a slot that nobody has */
	unsigned shift;                   /* of hashes to lines */
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

/* Makes *look the predictor as if it had found those slots, but finds none and makes none. Good for
 * trc_predictor_cost() alone: about how many 256ths of a bit trc_predictor_code() would take. */
void trc_predictor_look(const struct trc_predictor *p, uint32_t path, const uint32_t *context,
                        struct trc_predictor *look);
unsigned trc_predictor_cost(const struct trc_predictor *look, unsigned node,
                            const struct trc_select *s, unsigned bit);

#endif
