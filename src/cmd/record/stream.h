/* SPDX-License-Identifier: MIT
 *
 * What a recorder of whole systems writes to a pipe (batch/recorded.h), as a source of rows.
 */
#ifndef TRC_CMD_RECORD_STREAM_H
#define TRC_CMD_RECORD_STREAM_H

#include "base/io/in.h"
#include "batch/flow.h"

/* Opens the source, with the first bytes of instructions if the recorder writes these `words`. Its
 * provenance has the processor `isa`. Takes `in` over if it succeeds. */
struct trc_source *trc_record_stream(struct trc_in *in, const char *isa, bool words,
                                     struct trc_err *err);

#endif
