/* SPDX-License-Identifier: MIT
 *
 * Replay: computes the whole instruction trace from a package (Rose and Flanagan 1996, 3.2), as a
 * source of rows, and verifies it on the way.
 *
 * The levels of verification:
 *
 *   L1  every event was taken at its count by the instruction that it belongs to: inputs and
 *       outputs with the recorded address and size and (outputs) value, interrupts at the
 *       recorded pc, calls with the recorded number
 *   L2  every line that the bus trace fills and writes back is equal to memory here
 *   L3  the registers at the end and the digest of memory are those of the recorder
 *   L4  the hashes of the trace are those of an independent machine, at every checkpoint
 *
 * If a comparison fails, the source ends with an error that names the instruction.
 *
 * A window begins at the last checkpoint of the package before it. The trace before that is neither
 * computed nor compared, but its hash and its state continue from those in the checkpoint.
 */
#ifndef TRC_MACHINE_BUS_REPLAY_H
#define TRC_MACHINE_BUS_REPLAY_H

#include "machine/bus/checkpoint.h"

/* What was compared so far; all of it was equal. */
struct trc_replay_report {
	uint64_t from;  /* count of the checkpoint at which the replay began, or 0 */
	uint64_t count; /* count after the last instruction executed */
	bool ended;     /* all instructions were executed, and the state at the end was compared */
	uint64_t dma, dma_bytes, interrupts, inputs, outputs, csrs, calls, signals, turns; /* L1 */
	uint64_t fills, backs;                                                             /* L2 */
	uint64_t registers;                                                                /* L3 */
	uint64_t killed;           /* L1: the signal that ended the program, or 0 */
	bool digest;               /* the digest of memory at the end was compared */
	uint64_t memory;           /* its digest */
	uint64_t truths, truth_to; /* L4: number of hashes, and the count of the last */
};

/* An observer of a replay. Its functions cannot fail. */
struct trc_replay_watch {
	/* Reports an access: every one, before it is done; or, with `rows`, walks of page tables
	 * and executed instructions when they are new. */
	void (*seen)(struct trc_replay_watch *w, const struct trc_hart *h, enum trc_seen what,
	             uint64_t addr, unsigned size);

	/* Reports the rows of a run, those from `from` on, where trc_hart_physical() has the
	 * places of data. No event was taken since, but one of the last instruction. NULL: every
	 * access is reported, outside user mode ten times slower. */
	void (*rows)(struct trc_replay_watch *w, const struct trc_hart *h,
	             const struct trc_batch *b, size_t from);

	/* Called before events between two instructions are taken: memory is in the state of that
	 * time, and all accesses before it were reported. */
	void (*due)(struct trc_replay_watch *w, const struct trc_hart *h);
};

/* The settings of a replay. */
struct trc_replay_how {
	/* Return the rows of instructions skip + 1 to skip + limit; limit 0: all. */
	uint64_t skip, limit;
	struct trc_bus *against; /* for L2: the bus trace at its beginning; NULL: no comparison */
	uint64_t memory;         /* limit of guest memory in bytes */
	struct trc_replay_watch *watch; /* NULL: none */
	struct trc_marker *mark;        /* makes checkpoints; NULL: none */

	/* Updated with the instructions executed; it cannot end the replay. NULL: none. */
	struct trc_watch *count;
	bool unproved; /* do not compare hashes of the trace, which takes a third of the time */
};

/* Makes a source of the rows, with the columns `have` of TRC_HART_MAY_HAVE. The package, the bus
 * trace and *report stay the caller's and must outlive the source. */
struct trc_source *trc_replay_source(const struct trc_package *p, const struct trc_replay_how *how,
                                     uint32_t have, struct trc_replay_report *report,
                                     struct trc_err *err) TRC_MUST_USE;

/* Replays to the end only to verify. */
int trc_replay_all(const struct trc_package *p, const struct trc_replay_how *how,
                   struct trc_replay_report *report, struct trc_err *err) TRC_MUST_USE;

/* Replays to the end and gives the package, which must have none, checkpoints. `count` is updated
 * with the instructions executed. */
int trc_replay_mark(struct trc_package *p, const struct trc_marker_how *marks, uint64_t memory,
                    struct trc_watch *count, struct trc_replay_report *report,
                    struct trc_err *err) TRC_MUST_USE;

#endif
