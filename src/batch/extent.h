/* SPDX-License-Identifier: MIT
 *
 * How much of a trace options mean: so many records, or with TRC_OPT_INSNS instructions. One of
 * these is a fetch and what comes behind it, up to the next fetch; what is in front of the first
 * fetch of a trace is part of that.
 */
#ifndef TRC_BATCH_EXTENT_H
#define TRC_BATCH_EXTENT_H

#include "base/opt.h"
#include "batch/batch.h"

static inline bool
trc_extent_begins(const struct trc_batch *b, size_t i)
{
	return !trc_batch_is_event(b, i) && trc_batch_type(b, i) == TRC_FETCH;
}

/* How many of `n` rows from row `i` on are of the next *left records or instructions, which are
 * counted down. With none left, rows are still those of the last instruction. */
static inline size_t
trc_extent_rows(const struct trc_batch *b, size_t i, size_t n, uint64_t *left, bool insns)
{
	size_t k = n < *left ? n : (size_t)*left;

	if (!insns) {
		*left -= k;
		return k;
	}
	for (k = 0; k < n; k++) {
		if (!trc_extent_begins(b, i + k))
			continue;
		if (*left == 0)
			break;
		--*left;
	}
	return k;
}

/* The sentence for a trace that has records, and no instruction. */
static inline int
trc_extent_fail_none(struct trc_err *err)
{
	return trc_fail(err, "the trace has no fetches, by which instructions are counted; give a "
	                     "number of records, without the i");
}

#endif
