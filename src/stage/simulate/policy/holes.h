/* SPDX-License-Identifier: MIT
 *
 * The positions of a stack (opt_stack.h, and that of LRU) that deletes have left free: a memory of
 * m pages has as many free frames as there are holes at 1 to m. A reference to the page at position
 * d fills the first hole if that is above d, since memories from that size on take the page without
 * evicting another; the page leaves a hole at d. A new page fills a hole, and leaves none.
 *
 * A zeroed struct has no holes, and may be released.
 */
#ifndef TRC_STAGE_SIMULATE_POLICY_HOLES_H
#define TRC_STAGE_SIMULATE_POLICY_HOLES_H

#include <stdint.h>

#include "base/base.h"

struct trc_holes {
	uint32_t *hole; /* positions, in decreasing order */
	size_t n, cap;
};

/* Returns the position of the page that has `rank` - 1 other pages above it. */
uint32_t trc_holes_position(const struct trc_holes *h, uint32_t rank);

/* Makes a hole at a position that is not one. */
int trc_holes_put(struct trc_holes *h, uint32_t position, struct trc_err *err) TRC_MUST_USE;

/* Fills a hole after a reference to the page at `position`, 0 for a new page; returns its position,
 * or 0 if none is filled. */
uint32_t trc_holes_fill(struct trc_holes *h, uint32_t position);

#endif
