/* SPDX-License-Identifier: MIT
 *
 * The slots of a growth, in order of the ops that are new with it: mode, whether the residual is
 * constant, and that if so. container/SPEC.md, "Slots", has it to the bit.
 */
#ifndef TRC_CODEC_GROWTH_SLOTS_H
#define TRC_CODEC_GROWTH_SLOTS_H

#include "codec/growth/program.h"
#include "codec/growth/slot_lines.h"

enum {
	TRC_MODE_BITS = 5,
	TRC_MODE_KINDS = 7,  /* modes that are contexts; the last stands for more */
	TRC_RESIDUALS = 5,   /* modes of which residuals have models of their own */
	TRC_SHAPE_KINDS = 8, /* shapes of which residuals have such; the others have by size */
	TRC_PLACE_KINDS = TRC_SHAPE_KINDS + 5,
};

_Static_assert(TRC_MODES <= 1 << TRC_MODE_BITS, "a mode has TRC_MODE_BITS bits");

/* What a new slot may be: its first address, which stands behind the TRC_BACK addresses before it,
 * and the modes (bit m: mode m) of which it may have any, its residual being constant in all. */
struct trc_slot_modes {
	const uint64_t *at;
	uint32_t modes; /* 0: as the slot has it */
};

/* Adaptive models of slots. The first index of most is whether the slot is stored to; `jumped`,
 * whether ops from that of the slot before to this one are not one behind the other in memory. */
struct trc_slot_models {
	/* Given whether the slot before was stored to, `jumped`, whether the op before that had
	 * slots has the same shape, or is the same; and the mode of the slot before. */
	struct trc_bit mode[2][2][2][2][TRC_MODE_KINDS][1 << TRC_MODE_BITS];
	/* Given whether that of the slot before is, `jumped`, and the mode. */
	struct trc_bit constant[2][2][2][TRC_MODES];
	struct trc_line_models lines;
	/* Given shape or size: none, less than 4, 4, 8, others. And the mode. Made when they are
	 * used first: most never are. */
	struct trc_num residual[2][TRC_PLACE_KINDS][TRC_RESIDUALS];
	bool made[2][TRC_PLACE_KINDS][TRC_RESIDUALS];

	/* Where coding stands. */
	struct {
		uint32_t shape;
		unsigned mode;
		bool store, constant;
	} last;
	bool jumped;
};

/* The residual that it has then in one of them. */
uint64_t trc_slot_residual(const struct trc_slot_modes *w, unsigned mode);

/* Whether the slot of a row of a shape is stored to; and its kind: the shape, or the size. */
bool trc_slot_is_store(const struct trc_shape *s, uint32_t row);
unsigned trc_slot_kind(const struct trc_shape *s, uint32_t shape, uint32_t row);

void trc_slot_models_init(struct trc_slot_models *m);

/* Codes the slots of ops from `first` on. Writing gives each new slot the mode that costs least of
 * its `modes`, if there are any. */
int trc_slots_code(struct trc_program *p, struct trc_slot_models *m, struct trc_rc *rc,
                   size_t first, const struct trc_slot_modes *modes,
                   struct trc_err *err) TRC_MUST_USE;

#endif
