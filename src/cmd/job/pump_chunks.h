/* SPDX-License-Identifier: MIT
 *
 * Pumps from a source to a sink on all cores, in one of two ways. If the output for a row depends
 * on no other row, each thread prints a chunk of rows, which it also decodes itself where possible,
 * and the results are written in order; the slowest of reading, printing and writing then
 * determines the time. If rows may come in any order and the input consists of independent slices,
 * each thread fills a clone of the sink, and the sink absorbs the clones at the end.
 */
#ifndef TRC_CMD_JOB_PUMP_CHUNKS_H
#define TRC_CMD_JOB_PUMP_CHUNKS_H

#include "batch/flow.h"

/* Returns true if one of the two ways works for this source and sink. */
bool trc_pump_has_chunks(const struct trc_source *src, const struct trc_sink *sink);

/* Does the same as trc_pump(), calling `watch`, for a source and sink that passed the test above.
 * The output does not depend on the number of threads. */
int trc_pump_chunks(struct trc_source *src, struct trc_sink *sink, int threads,
                    struct trc_watch *watch, struct trc_err *err) TRC_MUST_USE;

#endif
