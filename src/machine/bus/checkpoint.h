/* SPDX-License-Identifier: MIT
 *
 * Checkpoints inside a package: states between which a replay can begin, so that a window of the
 * trace takes no time for what is before it.
 *
 * Number k, from 1, has what changed since number k without its lowest bit that is set, where
 * number 0 is the beginning: 12 since 8, 8 since 0. So a state is put together from as many
 * checkpoints as its number has bits set, while what changes again and again is not stored much
 * more often than from each to the next (P. Fenwick, "A new data structure for cumulative
 * frequency tables", Software: Practice and Experience, March 1994).
 *
 * Events need no place of their own: those due before the count have been taken, others not. The
 * processor forgets its translations at each checkpoint, whoever replays, so that what begins there
 * and what comes by have the same to go on with.
 */
#ifndef TRC_MACHINE_BUS_CHECKPOINT_H
#define TRC_MACHINE_BUS_CHECKPOINT_H

#include "machine/hart/hart.h"
#include "machine/bus/package.h"
#include "machine/bus/tasks.h"

/* What was computed of the trace so far: truth.h. */
struct trc_trace_so_far {
	uint64_t hash, rows;
};

/* The number of the last checkpoint at or before `count`; 0 for the beginning. */
size_t trc_checkpoint_before(const struct trc_package *p, uint64_t count);

/* Puts the state of checkpoint `number` into a hart, memory and tasks that are as new. Its pages
 * count as written. */
int trc_checkpoint_load(const struct trc_package *p, size_t number, struct trc_hart *h,
                        struct trc_tasks *tasks, struct trc_trace_so_far *so_far,
                        struct trc_err *err) TRC_MUST_USE;

/* Makes checkpoints of a replay while it runs, into a list of the caller's. */
struct trc_marker *trc_marker_open(struct trc_checkpoints *to, uint64_t every, struct trc_err *err);
void trc_marker_close(struct trc_marker *m);

/* The count of the next one that is to be made. */
uint64_t trc_marker_due(const struct trc_marker *m);

/* Takes note of the state at the beginning, then makes a checkpoint where one is due. Clears the
 * dirty marks of pages: trc_hart_flush() is to be called behind it. */
int trc_marker_take(struct trc_marker *m, const struct trc_hart *h, const struct trc_tasks *tasks,
                    const struct trc_trace_so_far *so_far, struct trc_err *err) TRC_MUST_USE;

#endif
