/* SPDX-License-Identifier: MIT
 *
 * References that span many pages or lines. Where work or memory is needed for each page or line of
 * a reference, 20 bytes of input can ask for 4 GiB. A few thousand pages per record are accepted
 * with a warning; more are refused before anything is allocated for them. Code that treats ranges
 * as ranges (stage/simulate/extents.h, cache_sweep.h) does not need this.
 */
#ifndef TRC_CMD_JOB_WIDE_REFERENCES_H
#define TRC_CMD_JOB_WIDE_REFERENCES_H

#include "cmd/job/job.h"

/* The unit into which references are divided, and what is done for each. */
struct trc_wide_references {
	const char *unit;    /* "page" or "line" */
	unsigned bits;       /* log2 of its size in bytes */
	const char *becomes; /* what becomes of each unit: "may become a record" */
	bool warns;          /* warn before refusing */
	bool deletes;        /* also count deletes (TRC_INVALIDATE), which are not references */
};

/* Wraps a stage that counts the units, warns at most once on standard error, and fails if there are
 * too many. `how` must outlive it. A trace without sizes is not wrapped. */
int trc_wide_references_watch(struct trc_job *job, const struct trc_wide_references *how,
                              struct trc_err *err) TRC_MUST_USE;

#endif
