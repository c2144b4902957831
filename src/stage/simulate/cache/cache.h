/* SPDX-License-Identifier: MIT
 *
 * Caches of one or more levels, write-back and write-allocate, that count what dineroIV counts (J.
 * Edler and M. D. Hill, "Dinero IV trace-driven uniprocessor cache simulator") with its options
 * -walloc a and -wback a, without sub-blocks. In detail:
 *
 *   A reference that crosses lines is one reference to each line, in order of address. A modify is
 *   a read and then a write. Misc counts like a read. A prefetch row is ignored. A row without a
 *   size is 1 byte; in a trace without sizes, rows are aligned words of 4 bytes, as dineroIV reads
 *   din. In a trace without types, all rows are reads.
 *
 *   A miss fetches its line from the level below as a reference of the same type, a write as a read
 *   (it fetches nothing if it writes the whole line). Then it writes the line that it replaced to
 *   the level below if that line was dirty. By default, levels neither include nor exclude each
 *   other.
 *
 *   An inclusive level holds every line of the levels above it. When it replaces a line, the parts
 *   of that line in the levels above are dropped. Each dirty one is a write-back of its level,
 *   counted by the type of the reference that the inclusive level sees. It makes the replaced line
 *   dirty, and is no reference to any level. By then a level above has inserted the missing line:
 *   it chose its own victim before it lost other lines. It writes that victim to the level below
 *   before it fetches another line, so that the victim is still there, and also fetches lines that
 *   are written as a whole. The policy of an inclusive level sees the references of the level
 *   above, and no hits there.
 *
 *   An exclusive level holds the lines that the level above replaced. A miss above looks its line
 *   up there: a reference of the type of the miss, a write as a read. A hit moves the line up,
 *   dirty or clean. A miss continues to the level below as a reference of the level above, and
 *   does not fill the exclusive level. Then the line that the level above replaced is inserted,
 *   as in hardware, where it waits in a buffer (the victim buffer of AMD's Athlon and Opteron; gem5
 *   also evicts when the response arrives). If there is an inclusive level below, it is inserted
 *   before the miss continues. Dirty or clean, this is no reference to the exclusive level; if the
 *   line is dirty, it is a write-back of the level above. The line that it replaces in turn goes to
 *   an exclusive level below in the same way, else to the level below that if it is dirty. For the
 *   policy, an inserted line is a miss, and a line moved up is dropped. Lines written as a whole
 *   are also looked up. Each half of a split first level excludes by itself: a line may be in both
 *   halves, or in one half and in the level below. Copy-backs bypass exclusive levels.
 *
 *   A copy-back writes the line of its address to the level below if it is dirty, and keeps it. An
 *   invalidate drops the lines of its bytes without writing them. Both then go to the level below.
 *   With size 0 they apply to the whole cache. In a split first level they apply to both halves.
 *
 *   When the trace has ended, all dirty lines are copied back, from the first level down, fetches
 *   first; in a level from the last set on, and in a set the next victim first.
 *
 *   A level may prefetch: prefetch.h defines which lines, and when. Then neither that level nor any
 *   other may include or exclude the levels above it.
 *
 * Lines of different address spaces are different lines; sets are chosen by the address only.
 */
#ifndef TRC_STAGE_SIMULATE_CACHE_H
#define TRC_STAGE_SIMULATE_CACHE_H

#include "batch/flow.h"
#include "stage/simulate/cache/prefetch.h"
#include "stage/simulate/policy/policy.h"

/* How a level relates to the lines of the levels above it; NINE: non-inclusive, non-exclusive. */
enum trc_cache_inclusion { TRC_CACHE_NINE, TRC_CACHE_INCLUSIVE, TRC_CACHE_EXCLUSIVE };

/* What enters a cache. The halves of a split first level are the first two caches, fetches
 * first. */
enum trc_cache_part { TRC_CACHE_UNIFIED, TRC_CACHE_FETCHES, TRC_CACHE_DATA };

enum {
	TRC_CACHES_MOST = 8,
	TRC_CACHE_WORD = 4,         /* size in bytes of a reference in a trace without sizes */
	TRC_CACHE_LINE_LEAST = 1,   /* bytes */
	TRC_CACHE_LINE_REDUCED = 4, /* least line of caches that traces are reduced for */
};

/* The geometry and policy of a cache. */
struct trc_cache_shape {
	uint64_t size; /* bytes: a power of two times `ways` times `line` */
	uint64_t ways;
	uint64_t line;   /* bytes, a power of two */
	unsigned policy; /* index in stage/simulate/policy/policy.h */
	uint64_t seed;   /* of policy random */
	enum trc_cache_part part;
	enum trc_cache_inclusion inclusion; /* NINE for the first level */
	struct trc_prefetch prefetch;
};

/* Returns what is wrong with a shape, or NULL. */
const char *trc_cache_shape_wrong(const struct trc_cache_shape *shape);

/* Returns what is wrong with level `i` among the levels above and below it, or NULL. */
const char *trc_cache_level_wrong(const struct trc_cache_shape *shape, size_t n, size_t i);

/* Returns what is wrong with level `i` as one that includes or excludes the levels above, or
 * NULL. */
const char *trc_cache_inclusion_wrong(const struct trc_cache_shape *shape, size_t i);

/* Returns true if `n` caches can be simulated in slices that are joined later: one LRU level
 * without a prefetcher. */
bool trc_cache_parts(const struct trc_cache_shape *shape, size_t n);

/* Counts by type of reference: TRC_FETCH, TRC_READ, TRC_WRITE, TRC_MISC. */
struct trc_cache_counts {
	uint64_t refs[TRC_TYPES], misses[TRC_TYPES];
	uint64_t evictions[TRC_TYPES];  /* lines that were replaced, clean or dirty */
	uint64_t writebacks[TRC_TYPES]; /* by the type of their cause; includes TRC_COPY_BACK */
	uint64_t writebacks_end;        /* after the end of the trace */
	uint64_t filled;                /* lines fetched from the level below */
	uint64_t victims;               /* clean lines moved to an exclusive level below */
	uint64_t invalidated; /* lines dropped because an inclusive level below lost them */

	/* References by the prefetcher, by the type of their cause; those that fetched a line; and
	 * demand references, by their own type, that were the first to use a prefetched line. */
	uint64_t prefetches[TRC_TYPES], prefetched[TRC_TYPES], useful[TRC_TYPES];
};

/* Makes a sink that simulates the `n` caches `shape`, from the level next to the processor on, and
 * counts in count[0..n), which must outlive it. The shapes must be valid. */
struct trc_sink *trc_cache_sink(const struct trc_cache_shape *shape, size_t n,
                                struct trc_cache_counts *count, struct trc_err *err) TRC_MUST_USE;

struct trc_cache_shares;

/* Splits the counts of these caches into shares (cache_shares.h), which must outlive the sink. The
 * caller sets the share of the rows that it puts. With slices, open lines remember their shares. */
void trc_cache_share(struct trc_sink *caches, struct trc_cache_shares *shares);

#endif
