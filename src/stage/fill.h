/* SPDX-License-Identifier: MIT
 *
 * The values of columns that a trace lacks: constants, or times that pass with its rows.
 */
#ifndef TRC_STAGE_FILL_H
#define TRC_STAGE_FILL_H

#include "stage/stage.h"

/* Columns to fill, no two alike, and what was counted so far; all counts begin at 0. */
struct trc_fills {
	struct trc_fill fill[TRC_COLUMNS];
	size_t n;
	uint64_t rows, refs, insns; /* events are none of these */
};

/* Fails if a clock that a column is filled from is nowhere to be read. How a trace was reduced may
 * be known only at its end. */
int trc_fills_check(const struct trc_fills *s, const struct trc_source *from,
                    struct trc_err *err) TRC_MUST_USE;

/* Fills the columns of rows [b->n, b->n + n), which are rows [from, from + n) of `in`. Each row of
 * the trace comes here or to trc_fills_pass() once, in order. */
int trc_fills_put(struct trc_fills *s, const struct trc_batch *in, size_t from, struct trc_batch *b,
                  size_t n, struct trc_err *err) TRC_MUST_USE;

/* Counts rows [from, from + n) of `in`, which go no further, for clocks that are filled. */
void trc_fills_pass(struct trc_fills *s, const struct trc_batch *in, size_t from, size_t n);

#endif
