/* SPDX-License-Identifier: MIT
 *
 * An LRU cache that sees a part of a trace, and does not know what it held before:
 *
 *   as long as a set is not full, a miss may be a hit: its line is open. It stays in the list of
 *   these, in their order, with what became of it: still there and not written; written, so that
 *   it is dirty whatever was before; or replaced before it was written, because of a reference of
 *   some type, which wrote it back if it was dirty before. All else is known: once a set is full,
 *   its lines are those of the part, and what is above them counts no more.
 *
 * Behind another part, open lines are referred to in their order: they hit, or miss, and replace
 * lines of that part, as they would have. What became of them is then counted, and the set holds
 * what it holds at the end of this part, above what is left of that one. Without invalidates, and
 * with LRU alone: other policies depend on more than which lines were used last.
 */
#ifndef TRC_STAGE_SIMULATE_CACHE_PIECE_H
#define TRC_STAGE_SIMULATE_CACHE_PIECE_H

#include "stage/simulate/cache/cache_shares.h"
#include "stage/simulate/cache/cache_ways.h"
#include "stage/simulate/cache/regions.h"

struct trc_cache_open;

/* A cache whose past is open. What it counts lacks the misses of open lines. Zeroed memory may be
 * released. */
struct trc_cache_piece {
	struct trc_ways *ways;
	struct trc_cache_counts *count;
	unsigned line_bits;
	struct trc_cache_shares *shares; /* set behind init; NULL: there are none */
	size_t cache;                    /* which cache it is, for these */

	/* Private. */
	struct trc_map map; /* open lines: their places in the list */
	uint32_t *staying;  /* in each set: open lines whose fate is not known, or was not */
	struct trc_cache_open *open;
	size_t n, cap;
	bool joining;       /* what is counted goes to shares by itself */
	struct trc_err err; /* if there was no memory for one */
};

int trc_cache_piece_init(struct trc_cache_piece *p, struct trc_ways *ways,
                         struct trc_cache_counts *count, unsigned line_bits,
                         struct trc_err *err) TRC_MUST_USE;
void trc_cache_piece_release(struct trc_cache_piece *p);

/* A reference to `line`, which is not there. Fails when it is saved. */
void trc_cache_piece_miss(struct trc_cache_piece *p, uint64_t line, bool whole, enum trc_type type);

/* What the cache did and holds. Lines of several spaces are as `regions` has them; NULL: there is
 * one. */
void trc_cache_piece_state(struct trc_cache_piece *p, struct trc_regions *regions,
                           struct trc_state *s);

/* Nothing was before: what is open were misses of an empty cache. */
void trc_cache_piece_finish(struct trc_cache_piece *p);

#endif
