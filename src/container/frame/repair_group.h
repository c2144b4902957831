/* SPDX-License-Identifier: MIT
 *
 * Putting the groups of a damaged file back, each by its own parity: what both kinds share.
 */
#ifndef TRC_CONTAINER_FRAME_REPAIR_GROUP_H
#define TRC_CONTAINER_FRAME_REPAIR_GROUP_H

#include "base/io/patched.h"
#include "container/frame/repair.h"
#include "container/frame/repair_scan.h"

/* A repair: from a file as it is to one as it was. Bytes that are of no group are kept, so that
 * nothing is passed over: they may be what remains of a whole container. */
struct trc_repair {
	struct trc_stream *file;
	struct trc_patched *whole;
	struct trc_repaired *repaired;
	const struct trc_groups *groups;
	uint64_t at;        /* up to where the file is in the whole */
	uint64_t container; /* where the one begins that the next group is of, in the whole */
	bool within;        /* the last group was not the last of its container */
	uint64_t work;      /* that may still be done for sectors that are suspected */
};

enum trc_repair_done {
	TRC_REPAIR_NONE, /* nothing was put behind the whole */
	TRC_REPAIR_SOME, /* the group was, though not all of it could be repaired */
	TRC_REPAIR_WHOLE,
};

/* Counts one that was made anew, which is at this offset of the file. */
void trc_repair_note(struct trc_repair *r, uint64_t at);

/* Where a group should begin. If it begins elsewhere by its end, bytes of it are missing, or were
 * added; as many as that may be, or there is something else in between. */
uint64_t trc_repair_start(const struct trc_repair *r, const struct trc_group *g);

/* Where the beginning is `lost`, and bytes are missing, so may be what stood before it: at the
 * start of the file that is noted, elsewhere it is for a salvage to find out, and true. */
bool trc_repair_is_torn(struct trc_repair *r, const struct trc_group *g, bool lost);

/* Puts what stands before a group that begins at `start` behind the whole, and notes where that
 * begins. */
int trc_repair_before(struct trc_repair *r, const struct trc_group *g, uint64_t start,
                      struct trc_err *err) TRC_MUST_USE;

/* Put a group behind the whole, with its parity and what stands before it, and move r->at behind
 * them, if the group can be repaired. */
int trc_repair_sectors(struct trc_repair *r, const struct trc_group *g, enum trc_repair_done *done,
                       struct trc_err *err) TRC_MUST_USE;
int trc_repair_bands(struct trc_repair *r, const struct trc_group *g, enum trc_repair_done *done,
                     struct trc_err *err) TRC_MUST_USE;

#endif
