/* SPDX-License-Identifier: MIT
 *
 * References to so many pages or lines that what is done for each of these takes its time and
 * memory: twenty bytes of input can be a reference to 4 GiB. A few thousand pages for each record
 * are taken, with a warning; more are refused before there is anything of them. Who takes ranges as
 * ranges (stage/simulate/extents.h, cache_sweep.h) does not need this.
 */
#ifndef TRC_CMD_JOB_SPREAD_H
#define TRC_CMD_JOB_SPREAD_H

#include "cmd/job/job.h"

/* What is done for each piece of a reference. */
struct trc_spread {
	const char *unit;    /* "page" or "line" */
	unsigned bits;       /* log2 of its bytes */
	const char *becomes; /* "may become a record" */
	bool warns;          /* not only refuses */
	bool deletes;        /* of what is no reference, of deletes, too */
};

/* Wraps what counts them, warns once on standard error, and fails: `how` must outlive it. A trace
 * without sizes is left as it is. */
int trc_spread_watch(struct trc_job *job, const struct trc_spread *how,
                     struct trc_err *err) TRC_MUST_USE;

#endif
