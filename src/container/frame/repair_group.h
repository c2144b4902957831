/* SPDX-License-Identifier: MIT
 *
 * Repairs the groups of a damaged file, each with its own parity: what both kinds of parity share.
 */
#ifndef TRC_CONTAINER_FRAME_REPAIR_GROUP_H
#define TRC_CONTAINER_FRAME_REPAIR_GROUP_H

#include "base/io/patched.h"
#include "container/frame/repair.h"
#include "container/frame/repair_scan.h"

/* A repair in progress. Bytes that belong to no group are copied, so that nothing is lost: they may
 * be the rest of an intact container. */
struct trc_repair {
	struct trc_stream *file;
	struct trc_patched *whole;
	struct trc_repaired *repaired;
	const struct trc_groups *groups;
	uint64_t at;        /* end of the part of the file that is done */
	uint64_t container; /* start of the container of the next group, in `whole` */
	bool within;        /* the last group written was not the last of its container */
	uint64_t work;      /* budget that is left for testing suspected sectors */
};

enum trc_repair_done {
	TRC_REPAIR_NONE, /* nothing was written */
	TRC_REPAIR_SOME, /* the group was written, though parts of it could not be repaired */
	TRC_REPAIR_WHOLE,
};

/* Counts a recomputed sector, which is at offset `at` of the original file. */
void trc_repair_note(struct trc_repair *r, uint64_t at);

/* Returns where a group begins. If it should begin elsewhere according to its end, bytes of it were
 * lost or inserted, provided that they are few enough; otherwise something else is in between. */
uint64_t trc_repair_start(const struct trc_repair *r, const struct trc_parity_group *g);

/* Handles a group whose beginning is `lost` because bytes are missing; data before the group may be
 * missing as well. At the start of the file this is recorded as a cut; elsewhere it returns true,
 * because only a salvage can find out. */
bool trc_repair_is_torn(struct trc_repair *r, const struct trc_parity_group *g, bool lost);

/* Copies the bytes before a group that begins at `start`, and records where its container
 * begins. */
int trc_repair_before(struct trc_repair *r, const struct trc_parity_group *g, uint64_t start,
                      struct trc_err *err) TRC_MUST_USE;

/* Write a repaired group with its parity and the bytes before it, and advance r->at past them, if
 * the group can be repaired. */
int trc_repair_sectors(struct trc_repair *r, const struct trc_parity_group *g,
                       enum trc_repair_done *done, struct trc_err *err) TRC_MUST_USE;
int trc_repair_bands(struct trc_repair *r, const struct trc_parity_group *g,
                     enum trc_repair_done *done, struct trc_err *err) TRC_MUST_USE;

#endif
