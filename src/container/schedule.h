/* SPDX-License-Identifier: MIT
 *
 * Blocks of a container, made ready on several threads: while the rows of one come out, the next
 * are read and unpacked. Who waits for a block works on it, too.
 */
#ifndef TRC_CONTAINER_SCHEDULE_H
#define TRC_CONTAINER_SCHEDULE_H

#include "container/frames.h"
#include "container/row_block.h"

struct trc_schedule;

/* The frames, which have begun, stay the caller's; nobody else touches them until the last block
 * was taken or the schedule is closed. */
struct trc_schedule *trc_schedule_open(struct trc_frames *frames, struct trc_err *err) TRC_MUST_USE;
void trc_schedule_close(struct trc_schedule *s);

/* Gives the next block, after taking back *block, the one before, if it is not NULL; it is NULL
 * behind the last. Several threads may call, each with a block of its own. */
enum trc_flow trc_schedule_next(struct trc_schedule *s, struct trc_row_block **block,
                                struct trc_err *err) TRC_MUST_USE;

/* The same for threads that know which block they want, in trc_schedule_share(): whether there is a
 * block `k`, its frames being read, END or ROWS; works until what can be known of it is ready; and
 * gives it, or fails. No blocks are given in order then. */
enum trc_flow trc_schedule_find(struct trc_schedule *s, uint64_t k);
void trc_schedule_prepare(struct trc_schedule *s, uint64_t k);
enum trc_flow trc_schedule_take(struct trc_schedule *s, uint64_t k, struct trc_row_block **block,
                                struct trc_err *err) TRC_MUST_USE;

/* Takes back a block, NULL for none; `err`, if it is not NULL, is what was wrong with it. From then
 * on no more blocks are given, and trc_schedule_next() fails as the first of them that was bad. */
void trc_schedule_return(struct trc_schedule *s, const struct trc_row_block *block,
                         const struct trc_err *err);

/* From now on, the blocks behind the one that was given are begun before their rows are read. */
void trc_schedule_read_ahead(struct trc_schedule *s);

/* Several threads empty blocks: no others are started to work on them. */
void trc_schedule_share(struct trc_schedule *s);

#endif
