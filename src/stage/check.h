/* SPDX-License-Identifier: MIT
 *
 * A sink that checks each row of a trace for faults, which are values that cannot or should not
 * occur. A fault is an error in all traces or only in reduced ones, whose guarantee depends on
 * times and types; otherwise it is a warning.
 */
#ifndef TRC_STAGE_CHECK_H
#define TRC_STAGE_CHECK_H

#include "batch/flow.h"

enum trc_fault {
	/* Faults of a row. */
	TRC_FAULT_TYPE,       /* an unknown type, or unknown bits in it */
	TRC_FAULT_SIZE,       /* a reference to 0 bytes: a warning, because tracers write them */
	TRC_FAULT_FETCH,      /* an instruction at address 0: a warning */
	TRC_FAULT_LARGE,      /* a reference to more than 64 KiB: a warning */
	TRC_FAULT_END,        /* a reference that extends beyond the last address */
	TRC_FAULT_PAGE,       /* a page outside the 64-bit address space */
	TRC_FAULT_CYCLES,     /* a time before that of the previous row: a warning */
	TRC_FAULT_RTIME,      /* the same of reference times */
	TRC_FAULT_ITIME,      /* the same of instruction times */
	TRC_FAULT_FETCHES,    /* more fetches than references so far, or since the previous row */
	TRC_FAULT_TWICE,      /* in a reduced trace, a page referenced twice at the same time */
	TRC_FAULT_REDUCED,    /* in a reduced trace of pages, a type other than read or write */
	TRC_FAULT_NEIGHBOURS, /* in a merged trace, the page of the previous row: a warning */

	/* Faults of the whole trace. */
	TRC_FAULT_NONE,       /* no rows: a warning */
	TRC_FAULT_ROWS,       /* a different number of rows than the file claims */
	TRC_FAULT_TOTALS,     /* the last row is later than the totals of the original allow */
	TRC_FAULT_NO_TRAILER, /* no trailer that describes the reduction: a warning */
	TRC_FAULTS
};

/* The result of a check. */
struct trc_check {
	uint64_t rows;
	struct {
		uint64_t rows, first; /* number of faulty rows; the first of them, from 1 */
	} fault[TRC_FAULTS];
	bool reduced; /* for memories or windows, according to the meta at the end */
};

/* Return the text of a fault, and whether it is only a warning in this trace. */
const char *trc_fault_text(enum trc_fault fault);
bool trc_fault_warns(const struct trc_check *check, enum trc_fault fault);

/* Opens a sink that records the faults of its rows in *check, which must outlive it. `trailer` is
 * true if traces of this format state at their end how they were reduced. */
struct trc_sink *trc_check_sink(struct trc_check *check, bool trailer,
                                struct trc_err *err) TRC_MUST_USE;

#endif
