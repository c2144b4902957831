/* SPDX-License-Identifier: MIT
 *
 * The counts of several inputs, each by itself: counts.c counts, and table.c has a row for each.
 */
#ifndef TRC_CMD_STAT_COUNTED_H
#define TRC_CMD_STAT_COUNTED_H

#include "cmd/stat/stat.h"

/* An input that was counted. */
struct trc_counted {
	const char *path;
	bool part;                   /* options select some of its records */
	struct trc_job job;          /* open, since its source has the properties of the trace */
	struct trc_popularity found; /* of references, only its counts */
	bool requests;               /* the rows are requests */
	const struct trc_meta *meta;
	unsigned page_bits;
};

/* How to count an input, and how to print the result. */
struct trc_counting {
	/* Counts `path`, which must outlive *c, with the options of `settings` and the input `in`.
	 * Close the job if it is open, whether this fails or not. */
	int (*count)(struct trc_counted *c, const struct trc_settings *settings, const char *path,
	             const struct trc_job_in *in, struct trc_err *err);

	/* Prints the object that --json prints for a single input, with the name of this one, on a
	 * line. */
	int (*json)(const struct trc_counted *c, struct trc_out *out, struct trc_err *err);
};

/* Counts each trace by itself, and prints a row of a table, or a line of JSON, for each. Failures
 * are reported, and all other traces are counted. */
int trc_counted_table(const struct trc_counting *how, const struct trc_settings *settings,
                      const struct trc_traces *traces, struct trc_err *err) TRC_MUST_USE;

#endif
