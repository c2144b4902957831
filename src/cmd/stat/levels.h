/* SPDX-License-Identifier: MIT
 *
 * What the levels of a hierarchy of caches, or of TLBs, did.
 */
#ifndef TRC_CMD_STAT_LEVELS_H
#define TRC_CMD_STAT_LEVELS_H

#include "cmd/picture/answered.h"
#include "cmd/stat/stat.h"
#include "stage/simulate/cache/cache.h"
#include "stage/simulate/cache/cache_family.h"
#include "stage/simulate/cache/tlb.h"

/* A line of one cache: of a type, of what the end copied back, or of all. */
struct trc_levels_line {
	const char *name;
	uint64_t refs, misses, evictions, writebacks;
	uint64_t prefetches, prefetched, useful;
	bool referred; /* the first two mean something */
};

enum { TRC_LEVELS_LINES = TRC_TYPES + 2 };

/* The levels, the one next to the processor first. */
struct trc_levels {
	struct trc_cache_shape shape[TRC_CACHES_MOST];
	struct trc_cache_counts count[TRC_CACHES_MOST];
	size_t n;
	bool related;    /* some level includes or excludes others, or might have */
	bool prefetches; /* some level does */
	char prefetcher[TRC_CACHES_MOST][32];
	uint64_t original; /* references, if the trace lacks those of them that always hit */
	const struct trc_tlb_pages *tlb; /* these are TLBs; NULL: caches */

	/* Of the level at hand, when it is printed. */
	struct trc_levels_line line[TRC_LEVELS_LINES];
	size_t lines;
};

/* The number of the level that cache `i` is at. */
size_t trc_levels_at(const struct trc_levels *r, size_t i);

/* "unified", "fetches", "data", "small pages" or "huge pages": what goes to it. */
const char *trc_levels_part(const struct trc_levels *r, size_t i);

void trc_levels_answer(struct trc_levels *r, struct trc_answered *a);

/* Caches of one level, side by side, instead of levels: a row each. Zeroed, there are none. */
struct trc_family {
	struct trc_cache_shape *shape;
	struct trc_cache_totals *totals; /* up to the last window, or all */
	struct trc_cache_totals *now;    /* room for those up to the next */
	size_t n;
	struct trc_sink *sink; /* while it is open */
	uint64_t original;     /* references, if the trace lacks those of them that always hit */
	bool prefetches;       /* some of them do */
	char prefetcher[32];   /* of the one at hand */
	char (*name)[48];      /* "32K:8:64", */
	const char **names;    /* where each is */
};

/* Takes `word` apart, "16K..1M:1..16:64", if it is several caches. */
int trc_family_parse(struct trc_family *f, const char *word, struct trc_err *err) TRC_MUST_USE;
void trc_family_release(void *f);

void trc_family_answer(struct trc_family *f, struct trc_answered *a);

#endif
