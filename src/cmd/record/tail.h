/* SPDX-License-Identifier: MIT
 *
 * The output of a recorder of whole systems: a pipe, followed by the rest that the last process
 * left in shared memory, for example if it was killed (batch/recorded.h).
 */
#ifndef TRC_CMD_RECORD_TAIL_H
#define TRC_CMD_RECORD_TAIL_H

#include "base/io/stream.h"

/* Opens a stream of `pipe`, followed by the rest in the file `shared`, if that exists when the pipe
 * ends. Takes `pipe` over unless it fails. */
struct trc_stream *trc_record_tail(struct trc_stream *pipe, const char *shared,
                                   struct trc_err *err);

#endif
