/* SPDX-License-Identifier: MIT
 *
 * Caches of one or more levels, write-back and write-allocate, that count what dineroIV counts (J.
 * Edler and M. D. Hill, "Dinero IV trace-driven uniprocessor cache simulator") with its options
 * -walloc a and -wback a, without sub-blocks. Exactly:
 *
 *   A reference that crosses lines is one to each line, in order of addresses. A modify is a read
 *   and then a write. Misc is like a read. A prefetch is nothing. A row without a size, or of a
 *   trace without sizes, is of 1 byte; a trace without sizes is one of aligned words of 4 bytes,
 *   as dineroIV reads din. A trace without types is all reads.
 *
 *   A miss fetches its line from the level below as a reference of the same type, a write as a read
 *   (and not at all if it writes the whole line), and then writes the line that it replaced to the
 *   level below if that was dirty. Levels neither include nor exclude each other, unless:
 *
 *   An inclusive level holds whatever the levels above hold. When it replaces a line, what they
 *   hold of that goes, too: each dirty line is a write-back of its level, by the type that the
 *   inclusive level sees, and leaves with the line that is replaced, which is then dirty; it is no
 *   reference to any level. A level above has put the missing line in by then: it chose what that
 *   replaces before it lost others. It writes that to the level below before it fetches another, so
 *   that it is there, and fetches lines that are written as a whole, too. The policy of an
 *   inclusive level sees what comes from the level above, and no hits there.
 *
 *   An exclusive level holds what the level above replaced. A miss above looks for its line there:
 *   a reference of the type of the miss, a write as a read. A hit takes the line out, and up as it
 *   is, dirty or clean; a miss goes on to the level below as a reference of the level above, past
 *   the exclusive one, which is not filled by it. Then the line that the level above replaced
 *   comes in, as in hardware, where it waits in a buffer for that (the victim buffer of AMD's
 *   Athlon and Opteron; gem5 evicts when the response comes, too); before the miss goes on if an
 *   inclusive level is below. Dirty or clean it is no reference to the exclusive level, and if it
 *   is dirty, a write-back of the level above. What that replaces goes the same way to an
 *   exclusive level below, else to the level below that if it is dirty. To its policy a line that
 *   comes is a miss, and one that is taken out is dropped. Lines written as a whole are looked
 *   for, too. Of a split first level each half excludes by itself: a line may be in both, and in
 *   one of them and below. Copy-backs pass exclusive levels by.
 *
 *   A copy-back writes the line of its address to the level below if it is dirty, and keeps it; an
 *   invalidate drops the lines of its bytes without writing them. Both then go to the level below.
 *   With size 0 they are for the whole cache. In a split first level they are for both halves.
 *
 *   When the trace has ended, all that is dirty is copied back, from the first level down, fetches
 *   first; of a level from the last set first, in a set what would be replaced next first.
 *
 *   A level may prefetch: prefetch.h has which lines, and when. Neither that level nor any other
 *   includes or excludes those above.
 *
 * Lines of different address spaces are different lines; sets are chosen by the address alone.
 */
#ifndef TRC_STAGE_SIMULATE_CACHE_H
#define TRC_STAGE_SIMULATE_CACHE_H

#include "batch/flow.h"
#include "stage/simulate/cache/prefetch.h"
#include "stage/simulate/policy/policy.h"

/* What a level does with lines of the levels above it; NINE is neither. */
enum trc_cache_inclusion { TRC_CACHE_NINE, TRC_CACHE_INCLUSIVE, TRC_CACHE_EXCLUSIVE };

/* What goes to a cache: halves stand only at the front, fetches first, as one level. */
enum trc_cache_part { TRC_CACHE_UNIFIED, TRC_CACHE_FETCHES, TRC_CACHE_DATA };

enum {
	TRC_CACHES_MOST = 8,
	TRC_CACHE_WORD = 4,         /* bytes of a reference in a trace without sizes */
	TRC_CACHE_LINE_LEAST = 1,   /* bytes */
	TRC_CACHE_LINE_REDUCED = 4, /* the least of caches that traces are reduced for */
};

/* The geometry and policy of a cache. */
struct trc_cache_shape {
	uint64_t size; /* bytes: a power of two times `ways` times `line` */
	uint64_t ways;
	uint64_t line;   /* bytes, a power of two */
	unsigned policy; /* the number of its row: stage/simulate/policy/policy.h */
	uint64_t seed;   /* of random */
	enum trc_cache_part part;
	enum trc_cache_inclusion inclusion; /* of the first level: NINE */
	struct trc_prefetch prefetch;
};

/* What is wrong with a shape, or NULL. */
const char *trc_cache_shape_wrong(const struct trc_cache_shape *shape);

/* What is wrong with the level `i` where it is, with those above and below it, or NULL. */
const char *trc_cache_level_wrong(const struct trc_cache_shape *shape, size_t n, size_t i);

/* What is wrong with the lines of the level `i` that includes or excludes those above, or NULL. */
const char *trc_cache_inclusion_wrong(const struct trc_cache_shape *shape, size_t i);

/* True if what `n` caches do can be had from parts of a trace: one level of LRU, which does not
 * prefetch. */
bool trc_cache_parts(const struct trc_cache_shape *shape, size_t n);

/* By type of reference: TRC_FETCH, TRC_READ, TRC_WRITE, TRC_MISC. */
struct trc_cache_counts {
	uint64_t refs[TRC_TYPES], misses[TRC_TYPES];
	uint64_t evictions[TRC_TYPES];  /* lines that another one replaced, clean or dirty */
	uint64_t writebacks[TRC_TYPES]; /* by what caused them; TRC_COPY_BACK, too */
	uint64_t writebacks_end;        /* when the trace had ended */
	uint64_t filled;                /* lines fetched from below */
	uint64_t victims;               /* clean ones that went to an exclusive level below */
	uint64_t invalidated;           /* dropped because an inclusive level below lost them */

	/* References by the prefetcher, by the type of what caused them; those of them that brought
	 * a line; and references, by their own type, that were the first to use one of these. */
	uint64_t prefetches[TRC_TYPES], prefetched[TRC_TYPES], useful[TRC_TYPES];
};

/* A sink that runs what it is given through the `n` caches `shape`, the level next to the processor
 * first, and counts into count[0..n), which must outlive it. Nothing is wrong with the shapes. */
struct trc_sink *trc_cache_sink(const struct trc_cache_shape *shape, size_t n,
                                struct trc_cache_counts *count, struct trc_err *err) TRC_MUST_USE;

struct trc_cache_shares;

/* What these caches do will be parted into shares (cache_shares.h), which must outlive them, by
 * who gives them rows; where they are of a part of a trace, by them, too. */
void trc_cache_share(struct trc_sink *caches, struct trc_cache_shares *shares);

#endif
