/* SPDX-License-Identifier: MIT
 *
 * Prefetchers: a level of a cache hierarchy refers to lines before they are requested.
 *
 *   next-line         A reference makes the level also refer to the next line (one block lookahead:
 *                     A. J. Smith, "Cache Memories", ACM Computing Surveys 14(3), 1982);
 *   next-line-miss    ... if it misses;
 *   next-line-tagged  ... if it misses, or is the first to a line that was prefetched.
 *   stride            The level stores for each instruction the address of its last reference and
 *                     its last stride. If the stride repeats, and is not 0, the level refers to the
 *                     address one stride ahead: J. W. C. Fu, J. H. Patel and B. L. Janssens,
 *                     "Stride Directed Prefetching in Scalar Processors", MICRO 1992. Strides
 *                     shorter than a line count as a line in their direction. The table of
 *                     instructions is unlimited.
 *
 * NAME=N refers to N lines, from the nearest on: the N next lines, or those N strides ahead. Lines
 * beyond the last address are left out. Reads and fetches prefetch, for each of their lines; the
 * stride is that of their first bytes. Writes, misc and prefetches of this level do not prefetch;
 * prefetches of a level above count as any other reference here. The first three are -fetch a, m
 * and t of dineroIV.
 *
 * A prefetch takes place after all effects of the reference, before the reference to the next line.
 * To the policy it is like any reference, also if the line is in the cache already. It may replace
 * lines, which are written back by the type of the reference. There is no notion of time: the line
 * is in the cache at once.
 *
 * An instruction belongs to an address space. It is column pc, or else the last fetch of the task.
 */
#ifndef TRC_STAGE_SIMULATE_PREFETCH_H
#define TRC_STAGE_SIMULATE_PREFETCH_H

#include "base/map.h"
#include "stage/last_fetch.h"
#include "stage/simulate/cache/regions.h"

enum trc_prefetch_how {
	TRC_PREFETCH_NONE,
	TRC_PREFETCH_NEXT,
	TRC_PREFETCH_NEXT_MISS,
	TRC_PREFETCH_NEXT_TAGGED,
	TRC_PREFETCH_STRIDE,
	TRC_PREFETCH_HOWS
};

enum { TRC_PREFETCH_MOST = 64 }; /* maximum number of lines */

/* The prefetcher of a level, and its number of lines. */
struct trc_prefetch {
	enum trc_prefetch_how how;
	unsigned lines;
};

extern const char *const trc_prefetch_name[TRC_PREFETCH_HOWS];

/* The row that is being processed. */
struct trc_prefetch_row {
	struct trc_regions *regions; /* addresses were converted by these; NULL: they were not */
	bool known;                  /* the instruction is known, */
	uint64_t pc;                 /* its address, */
	uint32_t space;              /* and its space */
	struct trc_last_fetch fetched;
	struct trc_err err; /* the first failure, which ends the trace */
};

/* Finds the instruction of row `i`. Call it once for each row, in order. */
int trc_prefetch_row(struct trc_prefetch_row *row, const struct trc_batch *b, size_t i,
                     struct trc_err *err) TRC_MUST_USE;

struct trc_ways;
struct trc_prefetch_insn;

/* The prefetcher of one level. Zeroed memory may be released. */
struct trc_prefetcher {
	struct trc_prefetch is;
	struct trc_prefetch_row *row;
	uint64_t held; /* number of lines of the cache */

	/* Private. */
	struct trc_map unused; /* prefetched lines that were not used yet; some may be evicted */
	struct trc_map at;     /* instruction -> its index */
	struct trc_prefetch_insn *insn;
	size_t n, cap;
};

/* Initialises a prefetcher, for which *row must outlive it. Release it also if this fails. */
int trc_prefetcher_init(struct trc_prefetcher *p, struct trc_prefetch is, uint64_t held,
                        struct trc_prefetch_row *row, struct trc_err *err) TRC_MUST_USE;
void trc_prefetcher_release(struct trc_prefetcher *p);

/* What a reference to a line means to the prefetcher. */
enum trc_prefetch_use { TRC_PREFETCH_MISS, TRC_PREFETCH_FIRST_USE, TRC_PREFETCH_HIT };

/* Returns what the next reference, to `line`, will be. */
enum trc_prefetch_use trc_prefetch_use(struct trc_prefetcher *p, struct trc_ways *w, uint64_t line);

/* Writes the lines to prefetch after a reference to `addr` with result `use` to `next`, and returns
 * their number. `first`: the row begins there. */
size_t trc_prefetch_next(struct trc_prefetcher *p, uint64_t addr, unsigned line_bits, bool first,
                         enum trc_prefetch_use use, uint64_t next[TRC_PREFETCH_MOST]);

/* Notes that a prefetch fetched `line`. */
void trc_prefetch_brought(struct trc_prefetcher *p, struct trc_ways *w, uint64_t line);

#endif
