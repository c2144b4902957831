/* SPDX-License-Identifier: MIT
 *
 * Fills in columns that a trace lacks: with constants, with times that advance with its rows, or
 * with the instruction of each reference.
 */
#ifndef TRC_STAGE_FILL_H
#define TRC_STAGE_FILL_H

#include "stage/last_fetch.h"
#include "stage/stage.h"

/* The columns to fill, each once, and the counts so far, which begin at 0. If `follows`, the owner
 * initialises `last` and releases it. */
struct trc_fills {
	struct trc_fill fill[TRC_COLUMNS];
	size_t n;
	uint64_t rows, refs, insns; /* none of them includes events */
	bool follows;               /* a column is filled from fetches */
	struct trc_last_fetch last;
	uint64_t unknown; /* references before the first fetch of their task */
};

/* Fails if the data to fill a column from is not available. How a trace was reduced, and whether it
 * has fetches, may be known only when it has `ended`. */
int trc_fills_check(const struct trc_fills *s, const struct trc_source *from, bool ended,
                    struct trc_err *err) TRC_MUST_USE;

/* Fills the columns of rows [b->n, b->n + n), which are rows [from, from + n) of `in`. Each row of
 * the trace must be passed once, in order, either here or to trc_fills_pass(). */
int trc_fills_put(struct trc_fills *s, const struct trc_batch *in, size_t from, struct trc_batch *b,
                  size_t n, struct trc_err *err) TRC_MUST_USE;

/* Counts rows [from, from + n) of `in`, which are dropped, for clocks and instructions. */
int trc_fills_pass(struct trc_fills *s, const struct trc_batch *in, size_t from, size_t n,
                   struct trc_err *err) TRC_MUST_USE;

#endif
