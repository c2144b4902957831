/* SPDX-License-Identifier: MIT
 *
 * An LRU cache that simulates a slice of a trace, and does not know what it held at the beginning:
 *
 *   While a set is not full, a miss may be a hit in truth: its line is open. Open lines are kept in
 *   order, each with its fate: still in the cache and not written; written, so that it is dirty
 *   whatever was before; or replaced before it was written, by a reference of some type, which
 *   wrote it back if it was dirty before. Everything else is known: once a set is full, all of its
 *   lines are of the slice, and what the cache held before does not matter.
 *
 * When the slice is appended to an earlier one, open lines are referred to in order: they hit or
 * miss, and replace lines of the earlier slice, as they would have. Then their fates are counted,
 * and the set holds its lines at the end of this slice, above the remaining ones of the earlier.
 * This works without invalidates and for LRU only: other policies depend on more than the order of
 * last use.
 */
#ifndef TRC_STAGE_SIMULATE_CACHE_SLICE_H
#define TRC_STAGE_SIMULATE_CACHE_SLICE_H

#include "stage/simulate/cache/cache_shares.h"
#include "stage/simulate/cache/cache_ways.h"
#include "stage/simulate/cache/regions.h"

struct trc_cache_open;

/* A cache with unknown initial contents. Its counts lack the misses of open lines. A zeroed struct
 * may be released. */
struct trc_cache_slice {
	struct trc_ways *ways;
	struct trc_cache_counts *count;
	unsigned line_bits;
	struct trc_cache_shares *shares; /* set after init; NULL: none */
	size_t cache;                    /* index of the cache in the shares */

	/* Private. */
	struct trc_map map; /* open lines: their indices in the list */

	/* For each set: the number of open lines whose fate is or was undecided. */
	uint32_t *staying;
	struct trc_cache_open *open;
	size_t n, cap;
	bool joining;       /* while joining, counts are added to shares directly */
	struct trc_err err; /* memory ran out for an open line */
};

int trc_cache_slice_init(struct trc_cache_slice *p, struct trc_ways *ways,
                         struct trc_cache_counts *count, unsigned line_bits,
                         struct trc_err *err) TRC_MUST_USE;
void trc_cache_slice_release(struct trc_cache_slice *p);

/* Handles a reference to `line`, which is not in the cache. A failure shows when the state is
 * saved. */
void trc_cache_slice_miss(struct trc_cache_slice *p, uint64_t line, bool whole, enum trc_type type);

/* Saves or restores the counts and the contents of the cache. `regions` converts lines of several
 * spaces; NULL: there is one space. */
void trc_cache_slice_state(struct trc_cache_slice *p, struct trc_regions *regions,
                           struct trc_state *s);

/* Resolves open lines as misses of an empty cache, if this is the first slice. */
void trc_cache_slice_finish(struct trc_cache_slice *p);

#endif
