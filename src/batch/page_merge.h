/* SPDX-License-Identifier: MIT
 *
 * Merges neighbours that refer to one page.
 */
#ifndef TRC_BATCH_PAGE_MERGE_H
#define TRC_BATCH_PAGE_MERGE_H

#include <stddef.h>
#include <stdint.h>

/* The columns of rows that are merged, and how many fetches and rows precede them. */
struct trc_page_merge {
	const uint8_t *from;  /* the types of all rows, */
	const uint64_t *page; /* and their pages */
	uint64_t *vpn;        /* the pages of runs; may be the same array */
	uint64_t *itime, *rtime;
	uint8_t *type; /* TRC_WRITE if a run has one, or TRC_READ */
	uint64_t insns, refs;
};

/* Merges `n` rows into runs of the same page, with the times of their first rows or, if itime is
 * NULL, without times. Returns the number of runs. There is room for `n` in all columns. */
typedef size_t trc_page_merge_fn(struct trc_page_merge *m, size_t n);

/* Returns the forms that this processor can run, the fastest first; NULL after the last. */
trc_page_merge_fn *trc_page_merge_form(size_t i);

#endif
