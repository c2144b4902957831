/* SPDX-License-Identifier: MIT
 *
 * From a source to a sink on all cores. Where what is written of a row depends on no other, each
 * thread prints some rows, of which it makes them itself where that can be, and one after the other
 * is written: the slowest of reading, printing and writing decides how long it takes. Where rows
 * may come in any order, and the input consists of pieces, each thread has a clone of the sink,
 * which absorbs these at the end.
 */
#ifndef TRC_CMD_JOB_PUMP_CHUNKS_H
#define TRC_CMD_JOB_PUMP_CHUNKS_H

#include "batch/flow.h"

/* Whether a source and a sink have either. */
bool trc_pump_has_chunks(const struct trc_source *src, const struct trc_sink *sink);

/* trc_pump() for these, under a watch: the same is written, by any number of threads. */
int trc_pump_chunks(struct trc_source *src, struct trc_sink *sink, int threads,
                    struct trc_watch *watch, struct trc_err *err) TRC_MUST_USE;

#endif
