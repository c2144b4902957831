/* SPDX-License-Identifier: MIT
 *
 * Selects the records of a trace by type, address, instruction, task or space: --only, --addr,
 * --pc, --task and --space, which every command that reads traces has.
 */
#ifndef TRC_STAGE_FILTER_H
#define TRC_STAGE_FILTER_H

#include "base/opt.h"
#include "batch/flow.h"

/* The selection as given on the command line: types, and ranges of values "LO-HI,N,..."; NULL
 * selects all. */
struct trc_filter {
	const char *only, *addr, *pc, *task, *space;
};

/* Parses a range of values in the `len` characters of `word`, which belong to --`option`: "LO-HI",
 * "LO-", "-HI" or "N", both ends included. With `bytes`, units of bytes are allowed. */
int trc_filter_range(const char *option, bool bytes, const char *word, size_t len, uint64_t *first,
                     uint64_t *last, struct trc_err *err) TRC_MUST_USE;

/* Returns true if not everything is selected. */
bool trc_filter_any(const struct trc_filter *f);

/* trc_stage_filter() keeps the selected rows. Kernel events are kept as well, unless --only is
 * given without "event". A reduced trace is exact only as a whole, or for each space, so any
 * selection but --space fails for it, at its end if the reduction is known only there. If a trace
 * has no column pc, --pc uses the last fetch of each task (stage/last_fetch.h), so all earlier rows
 * must pass through here; trc_filter_follows() returns true in this case. */
bool trc_filter_follows(const struct trc_filter *f, const struct trc_source *from);
struct trc_source *trc_stage_filter(struct trc_source *from, const struct trc_filter *f,
                                    struct trc_err *err) TRC_MUST_USE;

#endif
