/* SPDX-License-Identifier: MIT
 *
 * Traces through a cache, for other caches or for the memory below it; strip.c has the theorem.
 */
#ifndef TRC_STAGE_REDUCE_STRIP_H
#define TRC_STAGE_REDUCE_STRIP_H

#include "stage/simulate/cache/cache.h"

/* Wraps a trace of addresses: passes it through the cache `shape`, or through its two halves for
 * fetches and data, which have the same line size. The result is
 *
 *   below    the traffic between cache and memory: reads and writes of lines
 *   else      misses, and first writes to clean lines, as references to lines with their original
 *             types, and the copy-backs and invalidates; for 1 way. Their sizes only show whether
 *             they cover the line: caches do not fetch a line for such a write
 *
 * with the stamps of the references that caused it. Missing reference and instruction times are
 * counted, and are spare columns. References are counted in *refs, which must outlive the stage. */
struct trc_source *trc_stage_strip(struct trc_source *from, const struct trc_cache_shape *shape,
                                   size_t shapes, bool below, uint64_t *refs,
                                   struct trc_err *err) TRC_MUST_USE;

/* Returns the size of a reference that does not cover a line. */
static inline uint32_t
trc_strip_part(uint64_t line)
{
	return line > 4 ? 4 : 1;
}

/* For caches of several ways, whose halves are equal. trc_stage_lines() returns what
 * trc_stage_strip() returns for as many sets of one way, as a trace of pages that stand for lines.
 * trc_stage_drop() with shape->ways pages and a memory for each set of each half reduces that.
 * trc_stage_unlines() converts pages back to lines, with sizes that show as much as above, or
 * without sizes. The result is exact for LRU only, and has no column pc; copy-backs and invalidates
 * are refused. */
struct trc_source *trc_stage_lines(struct trc_source *from, const struct trc_cache_shape *shape,
                                   size_t shapes, struct trc_err *err) TRC_MUST_USE;
struct trc_source *trc_stage_unlines(struct trc_source *from, const struct trc_cache_shape *shape,
                                     size_t shapes, bool sizes, struct trc_err *err) TRC_MUST_USE;

#endif
