/* SPDX-License-Identifier: MIT
 *
 * Replay: the whole instruction trace computed from a package (Rose and Flanagan 1996, 3.2), as a
 * source of rows, and proved on the way.
 *
 * The levels of proof:
 *
 *   L1  every event was taken at its count by the instruction that it belongs to: inputs and
 *       outputs at the address, of the size and (outputs) of the value that were recorded,
 *       interrupts at the pc, calls of the number
 *   L2  every line that the bus trace fills and writes back is as the memory here
 *   L3  the registers at the end and the digest of memory are those of the recorder
 *   L4  the hashes of the trace are those of an independent machine, at every checkpoint
 *
 * What does not hold ends the source with an error that names the instruction.
 *
 * A window begins at the last checkpoint of the package before it: what was before that is neither
 * computed nor compared, but what the checkpoint has of the hash and of the state goes on being.
 */
#ifndef TRC_MACHINE_BUS_REPLAY_H
#define TRC_MACHINE_BUS_REPLAY_H

#include "machine/bus/checkpoint.h"

/* How much was compared so far; all of it was equal. */
struct trc_replay_report {
	uint64_t from;  /* count of the checkpoint at which it began, or 0 */
	uint64_t count; /* behind the last instruction executed */
	bool ended;     /* all instructions were executed, and the end was compared */
	uint64_t dma, dma_bytes, interrupts, inputs, outputs, csrs, calls, signals, turns; /* L1 */
	uint64_t fills, backs;                                                             /* L2 */
	uint64_t registers;                                                                /* L3 */
	uint64_t killed;           /* L1: the signal that ended the program; 0: none did */
	bool digest;               /* memory at the end is compared */
	uint64_t memory;           /* its digest */
	uint64_t truths, truth_to; /* L4: hashes, and the count of the last */
};

/* Who looks at a replay. Neither call can fail. */
struct trc_replay_watch {
	/* An access. In user mode some more were done before the call, but no event was taken. */
	void (*seen)(struct trc_replay_watch *w, const struct trc_hart *h, enum trc_seen what,
	             uint64_t addr, unsigned size);
	/* Events between two instructions are about to be taken: memory is as it was then, and all
	 * accesses before were seen. */
	void (*due)(struct trc_replay_watch *w, const struct trc_hart *h);
};

/* The settings of a replay. */
struct trc_replay_how {
	uint64_t skip, limit;    /* rows of instructions skip + 1 to skip + limit; limit 0: all */
	struct trc_bus *against; /* for L2: the bus trace at its beginning; NULL: none */
	uint64_t memory;         /* bytes of guest memory at most */
	struct trc_replay_watch *watch; /* NULL: none */
	struct trc_marker *mark;        /* makes checkpoints; NULL: none */
	/* Gets the instructions as they are executed, and cannot end it; NULL: none. */
	struct trc_watch *count;
};

/* The rows, with the columns `have` of TRC_HART_MAY_HAVE. The package, the bus trace and *report
 * are the caller's and outlive the source. */
struct trc_source *trc_replay_source(const struct trc_package *p, const struct trc_replay_how *how,
                                     uint32_t have, struct trc_replay_report *report,
                                     struct trc_err *err) TRC_MUST_USE;

/* Replays to the end for what is proved on the way. */
int trc_replay_all(const struct trc_package *p, const struct trc_replay_how *how,
                   struct trc_replay_report *report, struct trc_err *err) TRC_MUST_USE;

/* The same, and gives the package, which has none, a checkpoint every so many instructions, which
 * `count` gets. */
int trc_replay_mark(struct trc_package *p, uint64_t every, uint64_t memory, struct trc_watch *count,
                    struct trc_replay_report *report, struct trc_err *err) TRC_MUST_USE;

#endif
