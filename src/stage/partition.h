/* SPDX-License-Identifier: MIT
 *
 * Distributes the rows of a trace to many traces, possibly thousands, with little memory. Rows are
 * collected for each trace, a few hundred at a time, and written in packed form to one unnamed
 * file, from which each trace can be read separately. So only one file is open, however many traces
 * there are, and nothing is left behind when trc ends.
 *
 * The file consists of chunks, each with rows of one trace: for each column but events, the
 * differences of successive values as zigzag LEB128; then for each event the number of rows since
 * the previous one, its text, and a NUL.
 */
#ifndef TRC_STAGE_PARTITION_H
#define TRC_STAGE_PARTITION_H

#include "batch/flow.h"

struct trc_partition;

/* Opens a distributor; all traces have the columns `have`. */
struct trc_partition *trc_partition_open(uint32_t have, struct trc_err *err) TRC_MUST_USE;
void trc_partition_close(struct trc_partition *s);

/* Adds rows [from, from + n) of `b` to the trace `key`, which is created if necessary. */
int trc_partition_put(struct trc_partition *s, uint64_t key, const struct trc_batch *b, size_t from,
                      size_t n, struct trc_err *err) TRC_MUST_USE;

/* Must be called after the last row. */
int trc_partition_finish(struct trc_partition *s, struct trc_err *err) TRC_MUST_USE;

/* Return the number of traces, and their keys in order of first appearance. */
size_t trc_partition_traces(const struct trc_partition *s);
uint64_t trc_partition_key(const struct trc_partition *s, size_t trace);

/* Opens a source of the rows of a trace. Several may be open; `s` must outlive them. */
struct trc_source *trc_partition_source(struct trc_partition *s, size_t trace,
                                        struct trc_err *err) TRC_MUST_USE;

#endif
