/* SPDX-License-Identifier: MIT
 *
 * Keeps one of the processes that a recorder of systems follows, and collects the names of the
 * others.
 */
#ifndef TRC_CMD_RECORD_ALONE_H
#define TRC_CMD_RECORD_ALONE_H

#include "base/buf.h"
#include "batch/flow.h"
#include "cmd/record/mapped.h"

/* Information about the processes. A zeroed struct is empty. */
struct trc_record_processes {
	struct trc_buf names; /* programs that other processes executed; each ends with NUL */
	bool any;             /* there were other processes */
	unsigned threads;     /* of the first process, besides its first thread */
	struct trc_record_mapped mapped; /* files of the first process */
};

void trc_record_processes_release(struct trc_record_processes *p);

/* Opens a source with the references of the first process in `from`, including the programs that it
 * executes, without events. Sets *all, which must outlive the source. Takes `from` over unless it
 * fails. */
struct trc_source *trc_record_alone(struct trc_source *from, struct trc_record_processes *all,
                                    struct trc_err *err) TRC_MUST_USE;

#endif
