/* SPDX-License-Identifier: MIT
 *
 * The slots of a growth, in order of its new ops: the mode, whether the residual is constant, and
 * the constant residual. container/SPEC.md, "Slots", specifies it exactly.
 */
#ifndef TRC_CODEC_GROWTH_SLOTS_H
#define TRC_CODEC_GROWTH_SLOTS_H

#include "codec/growth/program.h"
#include "codec/growth/slot_lines.h"

enum {
	TRC_MODE_BITS = 5,
	TRC_MODE_KINDS = 7,  /* modes as contexts; the last one stands for several */
	TRC_RESIDUALS = 5,   /* modes whose residuals have separate models */
	TRC_SHAPE_KINDS = 8, /* shapes whose residuals have separate models; others go by size */
	TRC_PLACE_KINDS = TRC_SHAPE_KINDS + 5,
};

_Static_assert(TRC_MODES <= 1 << TRC_MODE_BITS, "a mode has TRC_MODE_BITS bits");

/* The choices for a new slot: its first address, preceded in memory by the TRC_BACK addresses
 * before it, and the modes (bit m: mode m) with which its residual is constant. */
struct trc_slot_modes {
	const uint64_t *at;
	uint32_t modes; /* 0: keep the mode of the slot */
};

/* Adaptive models of slots. The first index of most is whether the slot is stored to; `jumped` is
 * true if the ops from that of the previous slot to this one are not contiguous in memory. */
struct trc_slot_models {
	/* Contexts: whether the previous slot was stored to, `jumped`, whether the op of the
	 * previous slot has the same shape or is the same op, and the mode of the previous slot. */
	struct trc_bit mode[2][2][2][2][TRC_MODE_KINDS][1 << TRC_MODE_BITS];
	/* Contexts: whether the previous slot is constant, `jumped`, and the mode. */
	struct trc_bit constant[2][2][2][TRC_MODES];
	struct trc_line_models lines;
	/* Contexts: the shape, or the size (none, less than 4, 4, 8, others); and the mode.
	 * Initialised on first use, because most are never used. */
	struct trc_num residual[2][TRC_PLACE_KINDS][TRC_RESIDUALS];
	bool made[2][TRC_PLACE_KINDS][TRC_RESIDUALS];

	/* The state of coding. */
	struct {
		uint32_t shape;
		unsigned mode;
		bool store, constant;
	} last;
	bool jumped;
};

/* Returns the residual of a new slot with one of its modes. */
uint64_t trc_slot_residual(const struct trc_slot_modes *w, unsigned mode);

/* Return whether the slot of a row of a shape is stored to, and its kind: the shape, or the
 * size. */
bool trc_slot_is_store(const struct trc_shape *s, uint32_t row);
unsigned trc_slot_kind(const struct trc_shape *s, uint32_t shape, uint32_t row);

void trc_slot_models_init(struct trc_slot_models *m);

/* Codes the slots of ops from `first` on. When writing, chooses the cheapest of the modes in
 * `modes` for each new slot that has any. */
int trc_slots_code(struct trc_program *p, struct trc_slot_models *m, struct trc_rc *rc,
                   size_t first, const struct trc_slot_modes *modes,
                   struct trc_err *err) TRC_MUST_USE;

#endif
