/* SPDX-License-Identifier: MIT
 *
 * Faults in the rows of a trace, what cannot or should not be: a sink that looks at each row. A
 * fault is an error in any trace, or only in one that was reduced, whose guarantee depends on times
 * and types; else it is a warning.
 */
#ifndef TRC_STAGE_CHECK_H
#define TRC_STAGE_CHECK_H

#include "batch/flow.h"

enum trc_fault {
	/* Of a row. */
	TRC_FAULT_TYPE,       /* a type, or bits of one, that mean nothing */
	TRC_FAULT_SIZE,       /* a reference to no bytes: a warning, tracers write such */
	TRC_FAULT_FETCH,      /* an instruction at address 0: a warning */
	TRC_FAULT_LARGE,      /* a reference to more than 64 KiB: a warning */
	TRC_FAULT_END,        /* a reference that goes on behind the last address */
	TRC_FAULT_PAGE,       /* a page that no address of 64 bits is in */
	TRC_FAULT_CYCLES,     /* a time before that of the row before: a warning */
	TRC_FAULT_RTIME,      /* the same of reference times */
	TRC_FAULT_ITIME,      /* the same of instruction times */
	TRC_FAULT_FETCHES,    /* more fetches than references so far, or since the row before */
	TRC_FAULT_TWICE,      /* in a reduced trace, a page referred to twice at one time */
	TRC_FAULT_REDUCED,    /* in a reduced trace of pages, neither read nor write */
	TRC_FAULT_NEIGHBOURS, /* of a merged trace, the page of the row before: a warning */

	/* Of the whole trace. */
	TRC_FAULT_NONE,       /* no rows: a warning */
	TRC_FAULT_ROWS,       /* more or fewer than the count in the file */
	TRC_FAULT_TOTALS,     /* the last row is later than the totals of the original allow */
	TRC_FAULT_NO_TRAILER, /* its end does not state how it was reduced: a warning */
	TRC_FAULTS
};

/* What the check found. */
struct trc_check {
	uint64_t rows;
	struct {
		uint64_t rows, first; /* how many have it; the first of them, from 1 */
	} fault[TRC_FAULTS];
	bool reduced; /* for memories or windows, by the meta at its end */
};

/* One fault as a sentence; and whether it is only a warning in this trace. */
const char *trc_fault_text(enum trc_fault fault);
bool trc_fault_warns(const struct trc_check *check, enum trc_fault fault);

/* A sink that notes in *check, which must outlive it, what is wrong with its rows. `trailer`:
 * traces of this format state at their end how they were reduced. */
struct trc_sink *trc_check_sink(struct trc_check *check, bool trailer,
                                struct trc_err *err) TRC_MUST_USE;

#endif
