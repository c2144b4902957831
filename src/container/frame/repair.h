/* SPDX-License-Identifier: MIT
 *
 * Repairs a damaged file of containers with its parity frames (bands.h, parity.h), as far as these
 * suffice, even if bytes were lost or inserted, and recomputes the end frames of containers.
 */
#ifndef TRC_CONTAINER_FRAME_REPAIR_H
#define TRC_CONTAINER_FRAME_REPAIR_H

#include "base/io/in.h"

struct trc_patched;

/* The result of a repair. */
struct trc_repaired {
	const struct trc_patched *whole; /* the input that is now read, while it exists; or NULL */
	uint64_t sectors;                /* recomputed sectors of data or parity, and end frames */
	uint64_t first;                  /* offset of the first, in the original file */
	bool cut;                        /* the file ends before the end of its last container */
	bool sound; /* all checksums are right and end frames match, so nothing needs repair */
};

/* Reads all of a seekable input and, if anything can be repaired, replaces the input by the
 * repaired file and continues with the byte at offset `at`, before which nothing was damaged. Data
 * that cannot be repaired stays as it is. If repaired->sectors is 0, the input is unchanged. */
int trc_repair(struct trc_in *in, uint64_t at, struct trc_repaired *repaired,
               struct trc_err *err) TRC_MUST_USE;

#endif
