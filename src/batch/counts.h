/* SPDX-License-Identifier: MIT
 *
 * What is in a trace, in numbers: what `trc stat` prints, and a container keeps in its index.
 */
#ifndef TRC_BATCH_COUNTS_H
#define TRC_BATCH_COUNTS_H

#include "base/state.h"
#include "batch/batch.h"

enum { TRC_COUNTS_PAGE_BITS = 12 }; /* log2 of the page size, if none is given */

/* What is in a trace. */
struct trc_counts {
	uint64_t rows;
	uint64_t by_type[TRC_TYPES], by_kernel; /* rows; by_kernel of any type */
	uint64_t refs;                          /* a modify counts twice; copy-backs do not */
	uint64_t addr_first, addr_last;         /* lowest and highest byte touched; if there is
	                                         * none, 2^64 - 1 and 0 */
	uint64_t time_first, time_last;         /* lowest and highest */

	bool distinct;                 /* the three below are known: */
	uint64_t pages, spaces, tasks; /* distinct ones; 0 if the trace has no such column; else
	                                * `pages` may be the most that there can be, or 0 */
};

struct trc_tally;

/* Pages are of 2^page_bits bytes. With more than `most` different pages, spaces or tasks these are
 * not counted to the end, which bounds the memory; 0 for no bound. */
struct trc_tally *trc_tally_open(unsigned page_bits, size_t most, struct trc_err *err) TRC_MUST_USE;
void trc_tally_close(struct trc_tally *c);

int trc_tally_add(struct trc_tally *c, const struct trc_batch *b, struct trc_err *err) TRC_MUST_USE;

/* Adds what another, with pages of the same size, has counted of the same trace. */
int trc_tally_join(struct trc_tally *c, const struct trc_tally *other,
                   struct trc_err *err) TRC_MUST_USE;

/* Its state: the same bytes in whatever order rows came. */
void trc_tally_state(struct trc_tally *c, struct trc_state *s);

struct trc_counts trc_tally_counts(const struct trc_tally *c);

/* The name of what differs between two counts, NULL if nothing. What is unknown in one of them
 * counts as equal. */
const char *trc_counts_differ(const struct trc_counts *a, const struct trc_counts *b);

#endif
