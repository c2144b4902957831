/* SPDX-License-Identifier: MIT
 *
 * How the addresses of a slot follow from others: its mode, and whether its residual is constant,
 * chosen for a block with all of its references in sight.
 */
#ifndef TRC_CODEC_PROGRAM_REFS_MODES_H
#define TRC_CODEC_PROGRAM_REFS_MODES_H

#include "codec/program/refs.h"

/* The data references of one slot in a block. */
struct trc_slot_refs {
	const uint64_t *data;  /* addresses of all those of the block, TRC_BACK zeros before */
	const uint32_t *event; /* which of them are the slot's */
	size_t n;
	size_t sample; /* as many are looked at for the mode of one that varies */
};

/* How a slot is coded. */
struct trc_mode_choice {
	unsigned mode;
	bool constant;
	uint64_t residual; /* if constant */
};

/* For a slot that is new with this block. If it is constant in modes that need no address of its
 * own, *modes (bit m: mode m) has them, and any will do; else it is 0. */
struct trc_mode_choice trc_mode_for_new(const struct trc_slot_refs *r, uint32_t *modes);

/* The mode, one of `modes`, that leaves a residual of the fewest bits: at once, where models are
 * not asked for the cost of each. */
struct trc_mode_choice trc_mode_shortest(const struct trc_slot_refs *r, uint32_t modes);

/* For one that has a mode already. */
struct trc_mode_choice trc_mode_for_old(const struct trc_slot_refs *r, const struct trc_slot *slot);

/* The residual of the j-th reference; j > 0 for mode self. */
static inline uint64_t
trc_residual(const struct trc_slot_refs *r, size_t j, unsigned mode)
{
	const uint64_t *at = &r->data[r->event[j]];

	if (mode == TRC_MODE_ABSOLUTE)
		return *at;
	if (mode == TRC_MODE_SELF)
		return *at - r->data[r->event[j - 1]];
	if (TRC_LIKELY(mode < TRC_MODE_SCALED))
		return *at - *(at - (mode - TRC_MODE_BACK + 1));
	const struct trc_scaled *s = &trc_scaled[mode - TRC_MODE_SCALED];

	return *at - (*(at - s->back) << s->left >> s->right);
}

#endif
