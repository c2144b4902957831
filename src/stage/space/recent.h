/* SPDX-License-Identifier: MIT
 *
 * Recent translations of pages to canonical pages, in a direct-mapped cache like a processor's TLB.
 */
#ifndef TRC_STAGE_SPACE_RECENT_H
#define TRC_STAGE_SPACE_RECENT_H

#include <stddef.h>
#include <stdint.h>

/* A translation. The kernel and the user have separate translations of the same page. */
struct trc_spaces_recent {
	uint64_t key; /* the page, inverted for the kernel */
	uint32_t space;
	uint32_t number; /* 0: none */
};

enum { TRC_SPACES_RECENT = 4096 };

/* Returns the slot of a translation. */
static inline size_t
trc_spaces_slot(uint32_t space, uint64_t key)
{
	return (size_t)((key ^ key >> 12 ^ (uint64_t)space * 0x9e3779b1u) % TRC_SPACES_RECENT);
}

#endif
