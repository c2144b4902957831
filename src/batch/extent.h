/* SPDX-License-Identifier: MIT
 *
 * An amount of a trace as options give it: records, or with TRC_OPT_INSNS, instructions. An
 * instruction is a fetch and the records after it up to the next fetch; records before the first
 * fetch of a trace belong to that one.
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

/* Returns how many of `n` rows from row `i` on belong to the next *left records or instructions,
 * and decreases *left. When no instruction is left, rows still belong to the last one until a
 * fetch. */
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

/* Fails for a trace that has records but no instructions. */
static inline int
trc_extent_fail_none(struct trc_err *err)
{
	return trc_fail(err, "the trace has no fetches, by which instructions are counted; give a "
	                     "number of records, without the i");
}

#endif
