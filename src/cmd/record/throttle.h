/* SPDX-License-Identifier: MIT
 *
 * Reads the output of a recorded program from standard input at a pace that does not slow it down.
 * A tracer writes line by line, and each line would wake a waiting reader. So the pipe is read when
 * part of it is full, or after a while.
 */
#ifndef TRC_CMD_RECORD_THROTTLE_H
#define TRC_CMD_RECORD_THROTTLE_H

#include "base/io/stream.h"
#include "batch/flow.h"
#include "cmd/record/program.h"

/* Opens a stream of the output of `p`, until it ends. */
struct trc_stream *trc_record_pipe(struct trc_tracee *p, struct trc_err *err);

/* Wraps the source that reads that stream. It fails, with the tracer's exit status, if there are no
 * references and the whole trace is needed (`whole`) or the tracer failed. Takes `from` over unless
 * it fails. */
struct trc_source *trc_record_some(struct trc_source *from, struct trc_tracee *p, bool whole,
                                   struct trc_err *err);

#endif
