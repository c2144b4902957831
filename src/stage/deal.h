/* SPDX-License-Identifier: MIT
 *
 * Dealing the rows of a trace to many others, thousands if need be, in the space of few: rows are
 * gathered for each, a few hundred at a time, and go packed into one file without a name, from
 * which each trace is read again by itself. So there is one open file, however many traces there
 * are, and nothing is left if trc ends.
 *
 *   chunk    rows of one trace; for each column but events the differences of each value to the one
 *            before, LEB128, zigzag; then for each event the number of rows since the event before,
 *            its text, NUL
 */
#ifndef TRC_STAGE_DEAL_H
#define TRC_STAGE_DEAL_H

#include "batch/flow.h"

struct trc_deal;

/* All traces have the columns `have`. */
struct trc_deal *trc_deal_open(uint32_t have, struct trc_err *err) TRC_MUST_USE;
void trc_deal_close(struct trc_deal *s);

/* Adds rows [from, from + n) of `b` to the trace called `key`, which is new if it has to be. */
int trc_deal_put(struct trc_deal *s, uint64_t key, const struct trc_batch *b, size_t from, size_t n,
                 struct trc_err *err) TRC_MUST_USE;

/* To be called when all rows came. */
int trc_deal_finish(struct trc_deal *s, struct trc_err *err) TRC_MUST_USE;

/* Traces there are, and their keys in order of appearance. */
size_t trc_deal_traces(const struct trc_deal *s);
uint64_t trc_deal_key(const struct trc_deal *s, size_t trace);

/* A source of the rows of a trace. Several may be open; the spill must outlive them. */
struct trc_source *trc_deal_source(struct trc_deal *s, size_t trace,
                                   struct trc_err *err) TRC_MUST_USE;

#endif
