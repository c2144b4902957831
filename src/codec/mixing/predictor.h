/* SPDX-License-Identifier: MIT
 *
 * Predictor: predicts a bit from many contexts, as in M. V. Mahoney's paq8 and lpaq1. A row of a
 * model's table describes what is coded: its contexts, its experts, and the selectors of its mixers
 * and APMs.
 *
 *   contexts -> slots -> cells (histories) -> counters ----+
 *                                                         +-> mixers -> average -> APMs -> p
 *   experts (matches, histories) -> inputs ---------------+
 *
 * A context is a 32-bit number. Its upper 28 bits select a slot of 16 bytes, a check and 15 cells;
 * its lower four select a cell, and are 0 if up to four bits are coded, whose node selects it. The
 * cells of contexts 0, 2, 4, ... are bit histories (state_map.h), those of the others count states
 * (count_state.h).
 * container/SPEC.md, "Predictor", specifies it exactly.
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
	TRC_EXPERT_LIMIT = 127, /* of confidence counters */
	TRC_CELL_BITS = 4,      /* bits of a context that identify a cell */
	TRC_CELL_KINDS = 2,     /* bit histories and count states */
};

/* Shared by all predictors of a stream: the range coder, and lpaq1's hash table, whose slots
 * contain the cells for four bits of a symbol. */
struct trc_predictors {
	struct trc_rc rc;
	const struct trc_logistic *logistic;
	uint8_t next[TRC_CELL_KINDS][2][TRC_HISTORIES]; /* state of a cell one bit later */
	struct trc_slots *line;
	uint8_t none[1 << TRC_CELL_BITS]; /* an unused slot */
	unsigned shift;                   /* of hashes to lines */
	void *memory;
};

/* A row of a model's table (our own): the numbers of contexts, experts, sets of maps, mixers and
 * APMs of a predictor. Opening fails if there are more contexts than TRC_CONTEXTS or more experts
 * than TRC_EXPERTS. */
struct trc_predictor_row {
	uint8_t contexts, experts, map_sets;
	uint16_t mixers[TRC_MIXERS], apms[TRC_APMS];
};

/* The selectors of a bit: the set of maps, and an index for each mixer and APM, like paq8's mixer
 * contexts. */
struct trc_select {
	unsigned map_set, mixer[TRC_MIXERS], apm[TRC_APMS];
};

/* A predictor like that of lpaq1, with three mixers instead of one. */
struct trc_predictor {
	struct trc_predictors *with;
	struct trc_predictor_row row;
	uint32_t salt; /* 16 * number of the predictor */
	uint32_t coded;
	int lanes; /* number of inputs, including padding zeros */
	struct trc_counter *map;
	int16_t *weight[TRC_MIXERS];
	struct trc_apm *apm[TRC_APMS];
	uint8_t *cell[TRC_CONTEXTS]; /* of each context, without the node */
	int16_t expert[TRC_EXPERTS]; /* inputs of the next bit, set by the user */
	void *memory;
};

/* Returns a context: a hash, and the cell in its slot, 0 if the node determines it. */
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

/* Initialises zeroed memory for 2^bits lines of 4 slots. */
int trc_predictors_init(struct trc_predictors *d, unsigned bits, struct trc_err *err) TRC_MUST_USE;
void trc_predictors_release(struct trc_predictors *d);

int trc_predictor_init(struct trc_predictor *p, struct trc_predictors *with, unsigned number,
                       const struct trc_predictor_row *row, struct trc_err *err) TRC_MUST_USE;
void trc_predictor_release(struct trc_predictor *p);

/* Return the bytes that they need. */
size_t trc_predictors_memory(unsigned bits);
size_t trc_predictor_memory(const struct trc_predictor_row *row);

/* Finds the slots of contexts, for the next one to four bits. */
void trc_predictor_find(struct trc_predictor *p, const uint32_t *context);

/* Does the same for contexts hashed with the bits of a symbol so far, after a leading 1. */
void trc_predictor_find_path(struct trc_predictor *p, uint32_t path, const uint32_t *context);

/* Codes a bit: writes `bit`, or reads and returns it. */
unsigned trc_predictor_code(struct trc_predictor *p, unsigned node, const struct trc_select *s,
                            unsigned bit);

/* Makes *look a copy of the predictor as if it had found those slots, without changing any slot. It
 * is only good for trc_predictor_cost(), which returns the cost of trc_predictor_code() in units of
 * about 1/256 bit. */
void trc_predictor_look(const struct trc_predictor *p, uint32_t path, const uint32_t *context,
                        struct trc_predictor *look);
unsigned trc_predictor_cost(const struct trc_predictor *look, unsigned node,
                            const struct trc_select *s, unsigned bit);

#endif
