/* SPDX-License-Identifier: MIT
 *
 * The records of a trace whose types, addresses, tasks or spaces are wanted: --only, --addr, --pc,
 * --task and --space, which every command has that reads.
 */
#ifndef TRC_STAGE_FILTER_H
#define TRC_STAGE_FILTER_H

#include "base/opt.h"
#include "batch/flow.h"

/* What is wanted, in the words of the options: types, and ranges of values, "LO-HI,N,..."; NULL
 * where all are. */
struct trc_filter {
	const char *only, *addr, *pc, *task, *space;
};

/* A range of values in the `len` characters of `word`: "LO-HI", "LO-", "-HI" or "N", both ends among
 * them; of the option `option`. With `bytes` they are addresses, which have units of bytes. */
int trc_filter_range(const char *option, bool bytes, const char *word, size_t len, uint64_t *first,
                     uint64_t *last, struct trc_err *err) TRC_MUST_USE;

/* True if not all is wanted. */
bool trc_filter_any(const struct trc_filter *f);

/* Keeps the rows that are wanted. Kernel events stay, but for --only without "event". A trace that
 * was reduced has what it is exact for as a whole, or for each space: but for --space alone it is
 * refused, at its end if it is known only there. The instructions of a trace without column pc are
 * what its tasks fetched last (stage/last_fetch.h), so all rows in front have to come here. */
bool trc_filter_follows(const struct trc_filter *f, const struct trc_source *from);
struct trc_source *trc_stage_filter(struct trc_source *from, const struct trc_filter *f,
                                    struct trc_err *err) TRC_MUST_USE;

#endif
