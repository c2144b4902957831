/* SPDX-License-Identifier: MIT
 *
 * Pruning: removes data that no instruction needs from a package. A cache fills whole lines, so the
 * image from a bus trace has bytes that are never read before they are written. A write by another
 * master is only seen when it is read, byte by byte, while it may have happened at any time since
 * the last access to these bytes (Rose and Flanagan 1996, 3.1.3). After one replay all accesses are
 * known. Then bytes of the image that are not read first are dropped, each such event is moved to
 * the nearest earlier event that does not precede the last access to its bytes, and neighbouring
 * writes are joined.
 */
#ifndef TRC_MACHINE_BUS_PRUNE_H
#define TRC_MACHINE_BUS_PRUNE_H

#include "machine/bus/package.h"

/* The settings of pruning. */
struct trc_prune_how {
	uint64_t memory; /* limit of guest memory in bytes */
	uint64_t every;  /* instructions between two checkpoints in *to; 0: no checkpoints */
	int level;       /* of trc_package_pack() */
	bool beside;     /* pack *to in a thread while it is replayed */
	/* updated with the instructions of both replays; may be NULL */
	struct trc_watch *count;
};

/* Makes *to, packed, from `from`. Replays both; fails if the result cannot be verified. */
int trc_prune(const struct trc_package *from, const struct trc_prune_how *how,
              struct trc_package *to, struct trc_err *err) TRC_MUST_USE;

#endif
