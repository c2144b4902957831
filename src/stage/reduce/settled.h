/* SPDX-License-Identifier: MIT
 *
 * What the reduction of a part of a trace by SAD knows of the records that it left, so that few of
 * them are looked at again when parts are joined (stage/reduce/join.c).
 *
 * What came before a part matters until r pages were touched in it: when the first page is evicted,
 * at t, the memory has the same pages, in the same order, whatever it had before. Of the records
 * that came before t (the head), those that were kept before t wait for what the part follows. From
 * then on all evictions are known, and a page that comes is one that came: all its records are as
 * in the whole. Only the pages that were there at t may still have several candidates for the
 * record before the latest (sad.c). They end in their order, by evictions that are known; so how
 * many of them end as a record is kept shows whether it would have been, given which of them is the
 * one of the whole: just if that is among these. This number is the mark of the record.
 *
 * And what follows matters for the latest records of the pages that are in memory at the end, with
 * the records before these, if these are behind the last eviction: the tail, all that were used
 * after the page that was evicted last.
 */
#ifndef TRC_STAGE_REDUCE_SETTLED_H
#define TRC_STAGE_REDUCE_SETTLED_H

#include "base/state.h"

/* A record of a page that has several candidates: so many, of the oldest, ended when it was kept,
 * all if its page was evicted, or the part ended. */
struct trc_mark {
	uint64_t row;
	uint32_t pops;
};

/* Of the rows of a part: those before `head` wait for what is before it, those from `tail` on for
 * what follows; all, head = tail = rows, if nothing was evicted behind the one and before the
 * other. Marks, in order of rows, are of those from `head` on, and of the last one of each page in
 * front of it. Zeroed memory is a part without rows. */
struct trc_settled {
	uint64_t rows, head, tail;
	struct trc_mark *mark;
	size_t marks, cap;
};

void trc_settled_release(struct trc_settled *s);

int trc_settled_mark(struct trc_settled *s, uint64_t row, uint32_t pops,
                     struct trc_err *err) TRC_MUST_USE;

/* Its state, which is read into zeroed memory. */
void trc_settled_state(struct trc_settled *s, struct trc_state *t);

#endif
