/* SPDX-License-Identifier: MIT
 *
 * Prepares the blocks of a container on several threads: while the rows of one block are consumed,
 * the next blocks are read and unpacked. A thread that waits for a block works on it, too.
 */
#ifndef TRC_CONTAINER_SCHEDULE_H
#define TRC_CONTAINER_SCHEDULE_H

#include "container/frames.h"
#include "container/row_block.h"

struct trc_schedule;

/* Opens a schedule for `frames`, on which trc_frames_begin() has succeeded. They remain the
 * caller's, but nothing else may touch them until the last block was returned or the schedule is
 * closed. */
struct trc_schedule *trc_schedule_open(struct trc_frames *frames, struct trc_err *err) TRC_MUST_USE;
void trc_schedule_close(struct trc_schedule *s);

/* Takes back *block, the caller's previous block, unless it is NULL, and sets *block to the next
 * one, or to NULL after the last. Several threads may call this, each with a block of its own. */
enum trc_flow trc_schedule_next(struct trc_schedule *s, struct trc_row_block **block,
                                struct trc_err *err) TRC_MUST_USE;

/* Do the same for threads that choose their blocks by number; trc_schedule_share() comes first.
 * find reads frames until it is known whether block `k` exists, and returns TRC_FLOW_ROWS or
 * TRC_FLOW_END; prepare works until block `k` is ready or has failed; take returns it or fails.
 * trc_schedule_next() may not be used as well. */
enum trc_flow trc_schedule_find(struct trc_schedule *s, uint64_t k);
void trc_schedule_prepare(struct trc_schedule *s, uint64_t k);
enum trc_flow trc_schedule_take(struct trc_schedule *s, uint64_t k, struct trc_row_block **block,
                                struct trc_err *err) TRC_MUST_USE;

/* Takes back a block, unless it is NULL; `err`, unless it is NULL, is what was wrong with it. After
 * an error no more blocks are given, and trc_schedule_next() fails with the error of the first bad
 * block. */
void trc_schedule_return(struct trc_schedule *s, const struct trc_row_block *block,
                         const struct trc_err *err);

/* From now on, begins to prepare blocks before the rows of earlier ones are used up. */
void trc_schedule_read_ahead(struct trc_schedule *s);

/* Declares that several threads consume blocks, so that no other threads are started for the
 * work. */
void trc_schedule_share(struct trc_schedule *s);

#endif
