/* SPDX-License-Identifier: MIT
 *
 * What comes of a program that is recorded, read from standard input at a pace that lets it run: a
 * tracer writes a line at a time, and each would wake a reader that waits for it. So the pipe fills
 * to a part, or a moment passes, before it is read.
 */
#ifndef TRC_CMD_RECORD_PACED_H
#define TRC_CMD_RECORD_PACED_H

#include "base/io/stream.h"
#include "batch/flow.h"
#include "cmd/record/program.h"

/* What `p` writes, until it has ended. */
struct trc_stream *trc_record_pipe(struct trc_program *p, struct trc_err *err);

/* The rows of `from`, which reads that. Where not a reference comes, of all if it is `whole`, or
 * the tracer `p` failed, it fails with that one's status. Takes `from` over if it succeeds. */
struct trc_source *trc_record_some(struct trc_source *from, struct trc_program *p, bool whole,
                                   struct trc_err *err);

#endif
