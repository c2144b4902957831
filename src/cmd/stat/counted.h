/* SPDX-License-Identifier: MIT
 *
 * What is in a trace, counted of several inputs, each by itself: counts.c counts, table.c has a row
 * for each.
 */
#ifndef TRC_CMD_STAT_COUNTED_H
#define TRC_CMD_STAT_COUNTED_H

#include "cmd/stat/stat.h"

/* An input that was counted. */
struct trc_counted {
	const char *path;
	bool part;          /* options choose some of its records */
	struct trc_job job; /* open: what is known of the trace is its source's */
	struct trc_counts counts;
	const struct trc_meta *meta;
	unsigned page_bits;
};

/* How an input is counted, and what is printed of it. */
struct trc_counting {
	/* Counts all of `path`, which must outlive it, by the options of `all` and the input `in`.
	 * The job is to be closed if it is open, whether this fails or not. */
	int (*count)(struct trc_counted *c, const struct trc_settings *all, const char *path,
	             const struct trc_job_in *in, struct trc_err *err);

	/* Prints the object that --json has for a single input, with the name of this one, on a
	 * line. */
	int (*json)(const struct trc_counted *c, struct trc_out *out, struct trc_err *err);
};

/* Counts each trace by itself: a row of a table each, or a line of JSON. Those that fail are named,
 * and all others are there. */
int trc_counted_table(const struct trc_counting *how, const struct trc_settings *all,
                      const struct trc_traces *traces, struct trc_err *err) TRC_MUST_USE;

#endif
