/* SPDX-License-Identifier: MIT
 *
 * What the SAD reduction of a slice of a trace knows of the records that it kept, so that only few
 * of them must be processed again when slices are joined (stage/reduce/join.c).
 *
 * What came before a slice matters until r pages were touched in it: at time t, when the first page
 * is evicted, the memory has the same pages in the same order, whatever it had before. The records
 * kept before t (the head) depend on what comes before the slice. From then on all evictions are
 * known, and each page that is fetched is known to be: all its records are as in the whole trace.
 * Only the pages that were in memory at t may still have several candidates for the record before
 * the latest (sad.c). These end in order, by evictions that are known. So if we know how many of
 * them end when a record is kept, and which of them is the true one, we know whether the whole
 * trace would have kept the record: exactly if the true one is among those that end. Their number
 * is the mark of the record.
 *
 * What comes after the slice matters for the latest records of the pages in memory at the end, and
 * for the records before these if they are after the last eviction: the tail, which is all records
 * used after the page that was evicted last.
 */
#ifndef TRC_STAGE_REDUCE_DECIDED_H
#define TRC_STAGE_REDUCE_DECIDED_H

#include "base/state.h"

/* The mark of a record of a page with several candidates: how many of the oldest ended when it was
 * kept; all if its page was evicted, or the slice ended. */
struct trc_mark {
	uint64_t row;
	uint32_t pops;
};

/* The rows of a slice: those before `head` depend on what comes before it, those from `tail` on on
 * what follows. If nothing was evicted in between, these are all rows: head = tail = rows. There
 * are marks, in order of rows, for rows from `head` on, and for the last row of each page before
 * it. A zeroed struct is a slice without rows. */
struct trc_decided {
	uint64_t rows, head, tail;
	struct trc_mark *mark;
	size_t marks, cap;
};

void trc_decided_release(struct trc_decided *s);

/* Adds a mark of `pops` at a row, which is after those of all earlier marks. */
int trc_decided_mark(struct trc_decided *s, uint64_t row, uint32_t pops,
                     struct trc_err *err) TRC_MUST_USE;

/* Saves or restores the state, which is read into a zeroed struct. */
void trc_decided_state(struct trc_decided *s, struct trc_state *t);

#endif
