/* SPDX-License-Identifier: MIT
 *
 * The files whose code each process of a recording executes. A process has an address space, and
 * another one for each program that it executes.
 */
#ifndef TRC_CMD_RECORD_EXECUTED_H
#define TRC_CMD_RECORD_EXECUTED_H

#include "batch/flow.h"
#include "cmd/record/mapped.h"
#include "stage/space/lives.h"

/* An address space and its process, a task of stage/space/lives.h. */
struct trc_executed_space {
	uint32_t space;
	uint64_t process;
	struct trc_record_mapped mapped;
};

/* All address spaces of a recording. */
struct trc_executed {
	struct trc_lives lives;
	struct trc_map at; /* (0, pid) and (1, space) -> index of the space */
	struct trc_executed_space *space;
	size_t n, cap;
};

int trc_executed_init(struct trc_executed *x, struct trc_err *err) TRC_MUST_USE;
void trc_executed_release(struct trc_executed *x);

/* Opens a source with the rows of `from`, references with spaces and kernel events, that fills *x,
 * which must outlive it. Takes `from` over unless it fails. */
struct trc_source *trc_executed_watch(struct trc_source *from, struct trc_executed *x,
                                      struct trc_err *err) TRC_MUST_USE;

#endif
