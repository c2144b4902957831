/* SPDX-License-Identifier: MIT
 *
 * The places in a stack (opt_stack.h, and that of LRU) that deletes have left free: a memory of m
 * pages has as many places free as there are holes at 1 to m. A reference to the page at position d
 * fills the first hole if that is above d, since memories from there on take the page without
 * evicting another; the page leaves a hole at d. A page that is new fills one, and leaves none.
 *
 * Zeroed memory is a stack without holes, and may be released.
 */
#ifndef TRC_STAGE_SIMULATE_POLICY_HOLES_H
#define TRC_STAGE_SIMULATE_POLICY_HOLES_H

#include <stdint.h>

#include "base/base.h"

struct trc_holes {
	uint32_t *hole; /* positions, the first one last */
	size_t n, cap;
};

/* The position of the page that has `rank` - 1 others above it. */
uint32_t trc_holes_position(const struct trc_holes *h, uint32_t rank);

/* Makes a hole at a position that is none. */
int trc_holes_put(struct trc_holes *h, uint32_t position, struct trc_err *err) TRC_MUST_USE;

/* A reference to the page at `position`, 0 for one that is new: returns the hole that it fills, 0
 * if it fills none. */
uint32_t trc_holes_fill(struct trc_holes *h, uint32_t position);

#endif
