/* SPDX-License-Identifier: MIT
 *
 * The contents of a trace in numbers, as `trc stat` prints them and a container stores them in its
 * index.
 */
#ifndef TRC_BATCH_COUNTS_H
#define TRC_BATCH_COUNTS_H

#include "base/state.h"
#include "batch/batch.h"

enum {
	TRC_COUNTS_PAGE_BITS = 12, /* log2 of the default page size */
	TRC_COUNTS_NO_PAGES = 64,  /* instead: addresses and pages are not counted */
};

/* The contents of a trace in numbers. */
struct trc_counts {
	uint64_t rows;
	uint64_t by_type[TRC_TYPES], by_kernel; /* rows; by_kernel includes all types */
	uint64_t refs;                          /* a modify counts twice, copy-backs do not count */
	/* Lowest and highest byte that is referenced; 2^64 - 1 and 0 if there is none. */
	uint64_t addr_first, addr_last;
	uint64_t time_first, time_last; /* lowest and highest */

	bool distinct; /* the next three are known */
	/* Number of different ones; 0 if the trace lacks the column. Otherwise, `pages` may be an
	 * upper bound, or 0. */
	uint64_t pages, spaces, tasks;
};

struct trc_tally;

/* Opens a counter with pages of 2^page_bits bytes. It stops counting different pages, spaces or
 * tasks if there are more than `most`, which bounds the memory; 0: no bound. */
struct trc_tally *trc_tally_open(unsigned page_bits, size_t most, struct trc_err *err) TRC_MUST_USE;
void trc_tally_close(struct trc_tally *c);

/* Counts the rows of a batch. Fails only if memory runs out. */
int trc_tally_add(struct trc_tally *c, const struct trc_batch *b, struct trc_err *err) TRC_MUST_USE;

/* Adds the counts of another part of the same trace, with the same page size. */
int trc_tally_join(struct trc_tally *c, const struct trc_tally *other,
                   struct trc_err *err) TRC_MUST_USE;

/* Saves or restores the state. The bytes do not depend on the order of the rows. */
void trc_tally_state(struct trc_tally *c, struct trc_state *s);

/* Returns the counts so far. */
struct trc_counts trc_tally_counts(const struct trc_tally *c);

/* Returns the name of what differs between two counts, or NULL. A value unknown on one side counts
 * as equal. */
const char *trc_counts_differ(const struct trc_counts *a, const struct trc_counts *b);

#endif
