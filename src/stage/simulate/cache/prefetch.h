/* SPDX-License-Identifier: MIT
 *
 * Prefetchers: a level of a hierarchy of caches that refers to lines before they are asked for.
 *
 *   next-line         A reference makes the level refer to the line behind it, too (one block
 *                     lookahead: A. J. Smith, "Cache Memories", ACM Computing Surveys 14(3), 1982);
 *   next-line-miss    ... if it misses;
 *   next-line-tagged  ... if it misses, or is the first to a line that was prefetched.
 *   stride            Of each instruction the level knows where it referred to last, and how far
 *                     that was from where before. If it is as far again, and not 0, it will refer
 *                     there once more: J. W. C. Fu, J. H. Patel and B. L. Janssens, "Stride
 *                     Directed Prefetching in Scalar Processors", MICRO 1992. Strides of less than
 *                     a line count as a line, in their direction. All instructions are known.
 *
 * NAME=N refers to N lines, from the nearest on: the N next, or those of N strides. What would be
 * beyond the addresses is left out. Reads and fetches do that, each line of one that is to
 * several; a stride is that of its first bytes. Writes and misc do not, nor what is prefetched, but
 * what a level above prefetches is any other reference here. The first three are -fetch a, m and t
 * of dineroIV.
 *
 * It happens behind all that follows from the reference, and before that to the next line. To the
 * policy a prefetch is a reference like others, if the line is there already, too. What it brings
 * may replace other lines, and write them back, by the type of the reference. There is no time: the
 * line is there at once.
 *
 * An instruction is one of an address space: column pc, else what the task fetched last.
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

enum { TRC_PREFETCH_MOST = 64 }; /* lines at once */

/* What a level prefetches, and how many lines at once. */
struct trc_prefetch {
	enum trc_prefetch_how how;
	unsigned lines;
};

extern const char *const trc_prefetch_name[TRC_PREFETCH_HOWS];

/* The row whose references come. */
struct trc_prefetch_row {
	struct trc_regions *regions; /* addresses are places of these; NULL: they are addresses */
	bool known;                  /* its instruction, */
	uint64_t pc;                 /* which is this, */
	uint32_t space;              /* in this space */
	struct trc_last_fetch fetched;
	struct trc_err err; /* the first failure, which ends the trace */
};

/* Finds the instruction of row `i`; it comes once, in order. */
int trc_prefetch_row(struct trc_prefetch_row *row, const struct trc_batch *b, size_t i,
                     struct trc_err *err) TRC_MUST_USE;

struct trc_ways;
struct trc_prefetch_insn;

/* The prefetcher of one level. Zeroed memory may be released. */
struct trc_prefetcher {
	struct trc_prefetch is;
	struct trc_prefetch_row *row;
	uint64_t held; /* lines of the cache */

	/* Private. */
	struct trc_map unused; /* lines that it brought and nothing used; some are gone */
	struct trc_map at;     /* an instruction -> its place */
	struct trc_prefetch_insn *insn;
	size_t n, cap;
};

/* Release what init left, also when it failed. *row must outlive it. */
int trc_prefetcher_init(struct trc_prefetcher *p, struct trc_prefetch is, uint64_t held,
                        struct trc_prefetch_row *row, struct trc_err *err) TRC_MUST_USE;
void trc_prefetcher_release(struct trc_prefetcher *p);

/* What a reference to a line is to the prefetcher. */
enum trc_prefetch_use { TRC_PREFETCH_MISS, TRC_PREFETCH_FIRST_USE, TRC_PREFETCH_HIT };

/* What the reference to `line` that comes will be. */
enum trc_prefetch_use trc_prefetch_use(struct trc_prefetcher *p, struct trc_ways *w, uint64_t line);

/* The lines to prefetch behind a reference to `addr` that was of that use, into `next`; `first`: it
 * begins there. */
size_t trc_prefetch_next(struct trc_prefetcher *p, uint64_t addr, unsigned line_bits, bool first,
                         enum trc_prefetch_use use, uint64_t next[TRC_PREFETCH_MOST]);

/* It brought `line` into the ways. */
void trc_prefetch_brought(struct trc_prefetcher *p, struct trc_ways *w, uint64_t line);

#endif
