/* SPDX-License-Identifier: MIT
 *
 * What a recorder of whole systems writes to a pipe, and behind it what its last process left in
 * memory that all of them share, as one that is killed does (batch/recorded.h).
 */
#ifndef TRC_CMD_RECORD_REST_H
#define TRC_CMD_RECORD_REST_H

#include "base/io/stream.h"

/* The stream `pipe`, then that of the file `shared`, if there is one when the pipe has ended. Takes
 * `pipe` over if it succeeds. */
struct trc_stream *trc_record_rest(struct trc_stream *pipe, const char *shared,
                                   struct trc_err *err);

#endif
