/* SPDX-License-Identifier: MIT
 *
 * Checkpoints inside a package: states at which a replay can begin, so that a window of the trace
 * needs no time for what is before it.
 *
 * Checkpoint k, from 1, holds the changes since checkpoint j, where j is k with its lowest set bit
 * cleared, and 0 is the beginning: 12 holds those since 8, and 8 those since 0. So a state is put
 * together from as many checkpoints as its number has bits set, and a change that repeats is stored
 * only slightly more often than with differences from each to the next (P. Fenwick, "A new data
 * structure for cumulative frequency tables", Software: Practice and Experience, March 1994).
 *
 * The position in the list of events need not be stored: all events due before the count were
 * taken, the others were not. The processor drops its cached translations at each checkpoint in
 * every replay, so a replay that begins there continues like one that passes it.
 */
#ifndef TRC_MACHINE_BUS_CHECKPOINT_H
#define TRC_MACHINE_BUS_CHECKPOINT_H

#include "machine/hart/hart.h"
#include "machine/bus/package.h"
#include "machine/bus/tasks.h"

/* Results computed from the trace so far: truth.h. */
struct trc_trace_so_far {
	uint64_t hash, rows;
};

/* Returns the number of the last checkpoint at or before `count`; 0 for the beginning. */
size_t trc_checkpoint_before(const struct trc_package *p, uint64_t count);

/* Restores the state of checkpoint `number` into a new hart, memory and tasks. Its pages are marked
 * as dirty. */
int trc_checkpoint_load(const struct trc_package *p, size_t number, struct trc_hart *h,
                        struct trc_tasks *tasks, struct trc_trace_so_far *so_far,
                        struct trc_err *err) TRC_MUST_USE;

/* How checkpoints are made. */
struct trc_marker_how {
	uint64_t every; /* instructions between two */
	int level;      /* of codec/stream/pack.h; below TRC_PACK_SMALL they are packed fast */
	bool beside;    /* pack each one in a thread while the replay goes on */
};

/* Makes checkpoints of a running replay, and appends them to the caller's list. */
struct trc_marker *trc_marker_open(struct trc_checkpoints *to, const struct trc_marker_how *how,
                                   struct trc_err *err);
void trc_marker_close(struct trc_marker *m);

/* Waits for the last checkpoint to be packed. */
int trc_marker_finish(struct trc_marker *m, struct trc_err *err) TRC_MUST_USE;

/* Returns the count at which the next checkpoint is due. */
uint64_t trc_marker_due(const struct trc_marker *m);

/* Remembers the state at the first call, then makes a checkpoint if one is due. Clears the dirty
 * marks of pages, so call trc_hart_flush() after it. */
int trc_marker_take(struct trc_marker *m, const struct trc_hart *h, const struct trc_tasks *tasks,
                    const struct trc_trace_so_far *so_far, struct trc_err *err) TRC_MUST_USE;

#endif
