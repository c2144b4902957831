/* SPDX-License-Identifier: MIT
 *
 * Traces through a cache, for other caches or for the memory behind it; strip.c has the theorem.
 */
#ifndef TRC_STAGE_REDUCE_STRIP_H
#define TRC_STAGE_REDUCE_STRIP_H

#include "stage/simulate/cache/cache.h"

/* What is left of a trace of addresses behind the cache `shape`, or its halves for fetches and for
 * data, which have lines of one size:
 *
 *   behind    what it and memory exchange: reads and writes of lines
 *   else      what misses, and first writes to clean lines, as references to lines of their own
 *             types, with the orders to copy back and to invalidate; of 1 way. Their sizes give
 *             only whether they are to all of the line: caches fetch no line for such a write
 *
 * with the stamps of the references that caused it; what the trace lacks of reference and
 * instruction time is counted, and spare. References are counted into *refs, which must
 * outlive the stage. */
struct trc_source *trc_stage_strip(struct trc_source *from, const struct trc_cache_shape *shape,
                                   size_t shapes, bool behind, uint64_t *refs,
                                   struct trc_err *err) TRC_MUST_USE;

/* Bytes of a reference that is not to all of a line. */
static inline uint32_t
trc_strip_part(uint64_t line)
{
	return line > 4 ? 4 : 1;
}

/* For caches of several ways, whose halves are alike: what trc_stage_strip() leaves, with as many
 * sets of one way, as a trace of pages that are lines; trc_stage_drop() with shape->ways pages and
 * a memory for each set of each half then reduces it, and trc_stage_unlines() makes lines of it
 * again, with sizes that give as much as above, or without. Exact for LRU alone, and without the
 * column pc; orders are refused. */
struct trc_source *trc_stage_lines(struct trc_source *from, const struct trc_cache_shape *shape,
                                   size_t shapes, struct trc_err *err) TRC_MUST_USE;
struct trc_source *trc_stage_unlines(struct trc_source *from, const struct trc_cache_shape *shape,
                                     size_t shapes, bool sizes, struct trc_err *err) TRC_MUST_USE;

#endif
