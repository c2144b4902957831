/* SPDX-License-Identifier: MIT
 *
 * Repairing a damaged file of containers by its parity frames (parity.h), as far as these reach,
 * also where bytes are missing or are too many, and the end frames of containers anew.
 */
#ifndef TRC_CONTAINER_FRAME_REPAIR_H
#define TRC_CONTAINER_FRAME_REPAIR_H

#include "base/io/in.h"

struct trc_patched;

/* What a repair made anew. */
struct trc_repaired {
	const struct trc_patched *whole; /* the input that is read now, while it is; or NULL */
	uint64_t sectors;                /* of data or of parity, and ends of containers */
	uint64_t first;                  /* offset of the first, in the file as it was */
	bool cut;                        /* the file ends before the end of its last container */
	bool sound; /* nothing is to be repaired: all sums are right, and each end fits its
	                   * container up to the index */
};

/* Reads all of an input where any byte can be read and, if anything can be repaired, replaces it by
 * what it was, to go on with the byte at offset `at`, before which nothing was damaged. What cannot
 * be repaired stays as it is. No sectors in *repaired: nothing was. */
int trc_repair(struct trc_in *in, uint64_t at, struct trc_repaired *repaired,
               struct trc_err *err) TRC_MUST_USE;

#endif
