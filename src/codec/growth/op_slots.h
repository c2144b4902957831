/* SPDX-License-Identifier: MIT
 *
 * Slots of programs with columns by op (container/SPEC.md, "Slots by values"): the registers of an
 * instruction, or the bytes of its word, show which earlier slot had the same base.
 */
#ifndef TRC_CODEC_GROWTH_OP_SLOTS_H
#define TRC_CODEC_GROWTH_OP_SLOTS_H

#include "codec/mixing/predictor.h"
#include "codec/growth/slots.h"

enum {
	TRC_BASES = 4, /* registers of an op that may be bases: the upper bytes of its value */
	TRC_SLOTS_SEEN = 32,
};

/* A slot as later slots see it. */
struct trc_slot_seen {
	uint64_t value, residual; /* of its op; 0 if it is an address or varies */
	uint32_t shape, length;
	unsigned mode;
	bool store;
};

struct trc_op_slot_models {
	struct trc_predictor mode, size, byte;
	struct trc_line_models lines;
	struct trc_slot_seen seen[TRC_SLOTS_SEEN]; /* slot i is at i mod TRC_SLOTS_SEEN */
	uint32_t slots;
	uint32_t used[256]; /* by register: 1 + the last slot for which it was a base, or 0 */
	bool written[256];  /* by register: written since then */
	bool jumped;
};

struct trc_op_models;

int trc_op_slot_models_init(struct trc_op_slot_models *m, struct trc_predictors *with,
                            unsigned number, struct trc_err *err) TRC_MUST_USE;
void trc_op_slot_models_release(struct trc_op_slot_models *m);

/* Codes the slots of ops from `first` on, like trc_slots_code(). */
int trc_op_slots_code(struct trc_program *p, struct trc_op_models *m, size_t first,
                      const struct trc_slot_modes *modes, struct trc_err *err) TRC_MUST_USE;

#endif
