/* SPDX-License-Identifier: MIT
 *
 * Pruning: a package without what no instruction needs. A cache fills whole lines, so the image
 * from a bus trace has bytes that are never read before they are written; and a write by another
 * master shows only when it is read, byte by byte, while it may have happened at any time since the
 * last access to its bytes (Rose and Flanagan 1996, 3.1.3). After one replay every access is known:
 * bytes of the image that are not read first are dropped, such events move to the nearest event
 * before them that is not before the last access to their bytes, and neighbours become one.
 */
#ifndef TRC_MACHINE_BUS_PRUNE_H
#define TRC_MACHINE_BUS_PRUNE_H

#include "machine/bus/package.h"

/* Makes *to of `from`, and replays both: what cannot be verified is not pruned. `memory` is how
 * many bytes of guest memory there may be; `every` how many instructions there are from checkpoint
 * to checkpoint of *to, or 0 for none; `count` gets those of both replays, or is NULL. */
int trc_prune(const struct trc_package *from, uint64_t memory, uint64_t every,
              struct trc_watch *count, struct trc_package *to, struct trc_err *err) TRC_MUST_USE;

#endif
