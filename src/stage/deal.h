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
#ifndef TRC_STAGE_DEAL_H
#define TRC_STAGE_DEAL_H

#include "batch/flow.h"

struct trc_deal;

/* Opens a distributor; all traces have the columns `have`. */
struct trc_deal *trc_deal_open(uint32_t have, struct trc_err *err) TRC_MUST_USE;
void trc_deal_close(struct trc_deal *s);

/* Adds rows [from, from + n) of `b` to the trace `key`, which is created if necessary. */
int trc_deal_put(struct trc_deal *s, uint64_t key, const struct trc_batch *b, size_t from, size_t n,
                 struct trc_err *err) TRC_MUST_USE;

/* Must be called after the last row. */
int trc_deal_finish(struct trc_deal *s, struct trc_err *err) TRC_MUST_USE;

/* Return the number of traces, and their keys in order of first appearance. */
size_t trc_deal_traces(const struct trc_deal *s);
uint64_t trc_deal_key(const struct trc_deal *s, size_t trace);

/* Opens a source of the rows of a trace. Several may be open; `s` must outlive them. */
struct trc_source *trc_deal_source(struct trc_deal *s, size_t trace,
                                   struct trc_err *err) TRC_MUST_USE;

#endif
