/* SPDX-License-Identifier: MIT
 *
 * One process of those that a recorder of systems follows, and what the others are called.
 */
#ifndef TRC_CMD_RECORD_ALONE_H
#define TRC_CMD_RECORD_ALONE_H

#include "base/buf.h"
#include "batch/flow.h"
#include "cmd/record/mapped.h"

/* What is learned about the processes. Zeroed memory is empty. */
struct trc_record_processes {
	struct trc_buf names;            /* programs that others executed; each ends with NUL */
	bool any;                        /* there were others */
	struct trc_record_mapped mapped; /* files of the first process */
};

void trc_record_processes_release(struct trc_record_processes *p);

/* The references of the first process in `from`, through whatever it executes, without events. What
 * it learns goes to `all`, which must outlive it. Takes `from` over if it succeeds. */
struct trc_source *trc_record_alone(struct trc_source *from, struct trc_record_processes *all,
                                    struct trc_err *err) TRC_MUST_USE;

#endif
