/* SPDX-License-Identifier: MIT
 *
 * The values of columns that a trace lacks: constants, or times that pass with its rows.
 */
#ifndef TRC_STAGE_FILL_H
#define TRC_STAGE_FILL_H

#include "stage/last_fetch.h"
#include "stage/stage.h"

/* Columns to fill, no two alike, and what was counted so far; all counts begin at 0. Whoever fills
 * by fetches has `last` initialized, and releases it. */
struct trc_fills {
	struct trc_fill fill[TRC_COLUMNS];
	size_t n;
	uint64_t rows, refs, insns; /* events are none of these */
	bool follows;               /* by fetches */
	struct trc_last_fetch last;
	uint64_t unknown; /* references in front of the first fetch of their task */
};

/* Fails if what a column is filled from is nowhere to be read. How a trace was reduced may be known
 * only when it `ended`, and so is whether it has fetches. */
int trc_fills_check(const struct trc_fills *s, const struct trc_source *from, bool ended,
                    struct trc_err *err) TRC_MUST_USE;

/* Fills the columns of rows [b->n, b->n + n), which are rows [from, from + n) of `in`. Each row of
 * the trace comes here or to trc_fills_pass() once, in order. */
int trc_fills_put(struct trc_fills *s, const struct trc_batch *in, size_t from, struct trc_batch *b,
                  size_t n, struct trc_err *err) TRC_MUST_USE;

/* Counts rows [from, from + n) of `in`, which go no further, for clocks and instructions. */
int trc_fills_pass(struct trc_fills *s, const struct trc_batch *in, size_t from, size_t n,
                   struct trc_err *err) TRC_MUST_USE;

#endif
