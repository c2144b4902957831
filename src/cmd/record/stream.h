/* SPDX-License-Identifier: MIT
 *
 * A source that reads the output of a recorder of whole systems (batch/recorded.h).
 */
#ifndef TRC_CMD_RECORD_STREAM_H
#define TRC_CMD_RECORD_STREAM_H

#include "base/io/in.h"
#include "batch/flow.h"

/* Opens the source. `words`: the recorder writes the first bytes of instructions. `isa` is the
 * processor in its provenance. Takes `in` over unless it fails. */
struct trc_source *trc_record_stream(struct trc_in *in, const char *isa, bool words,
                                     struct trc_err *err);

#endif
