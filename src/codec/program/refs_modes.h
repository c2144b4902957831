/* SPDX-License-Identifier: MIT
 *
 * Chooses how the addresses of a slot are derived from others: its mode, and whether its residual
 * is constant, for a block all of whose references are known.
 */
#ifndef TRC_CODEC_PROGRAM_REFS_MODES_H
#define TRC_CODEC_PROGRAM_REFS_MODES_H

#include "codec/program/refs.h"

/* The data references of one slot in a block. */
struct trc_slot_refs {
	const uint64_t *data;  /* addresses of all of the block's, after TRC_BACK zeros */
	const uint32_t *event; /* indices of those of the slot */
	size_t n;
	size_t sample; /* references examined for the mode of a varying slot */
};

/* The coding of a slot. */
struct trc_mode_choice {
	unsigned mode;
	bool constant;
	uint64_t residual; /* if constant */
};

/* Chooses for a slot that is new in this block. If it is constant in modes that need no address of
 * its own, sets *modes (bit m: mode m) to all of these, any of which may be used; otherwise sets it
 * to 0. */
struct trc_mode_choice trc_mode_for_new(const struct trc_slot_refs *r, uint32_t *modes);

/* Chooses the one of `modes` whose residual has the fewest bits. This is fast, because it does not
 * compute costs with models. */
struct trc_mode_choice trc_mode_shortest(const struct trc_slot_refs *r, uint32_t modes);

/* Chooses for a slot that has a mode already. */
struct trc_mode_choice trc_mode_for_old(const struct trc_slot_refs *r, const struct trc_slot *slot);

/* Returns the residual of the j-th reference; j > 0 for mode self. */
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
