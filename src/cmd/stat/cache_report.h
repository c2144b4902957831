/* SPDX-License-Identifier: MIT
 *
 * The results of a hierarchy of caches, or of TLBs.
 */
#ifndef TRC_CMD_STAT_CACHE_REPORT_H
#define TRC_CMD_STAT_CACHE_REPORT_H

#include "cmd/picture/answered.h"
#include "cmd/stat/stat.h"
#include "stage/simulate/cache/cache.h"
#include "stage/simulate/cache/cache_family.h"
#include "stage/simulate/cache/tlb.h"

/* A line for one cache: a type, the copy-backs at the end, or the sum. */
struct trc_cache_report_line {
	const char *name;
	uint64_t refs, misses, evictions, writebacks;
	uint64_t prefetches, prefetched, useful;
	bool referred; /* the first two are valid */
};

enum { TRC_CACHE_REPORT_LINES = TRC_TYPES + 2 };

/* The levels, from the one next to the processor on. */
struct trc_cache_report {
	struct trc_cache_shape shape[TRC_CACHES_MOST];
	struct trc_cache_counts count[TRC_CACHES_MOST];
	size_t n;
	bool related;    /* some level is inclusive or exclusive, or the option was given */
	bool prefetches; /* some level prefetches */
	char prefetcher[TRC_CACHES_MOST][32];
	uint64_t original; /* number of references, if the trace lacks those that always hit */
	const struct trc_tlb_pages *tlb; /* these are TLBs; NULL: caches */

	/* The lines of the level being printed. */
	struct trc_cache_report_line line[TRC_CACHE_REPORT_LINES];
	size_t lines;
};

/* Returns the level of cache `i`. */
size_t trc_cache_report_at(const struct trc_cache_report *r, size_t i);

/* Returns the part of references that enters cache `i`: "unified", "fetches", "data", "small pages"
 * or "huge pages". */
const char *trc_cache_report_part(const struct trc_cache_report *r, size_t i);

/* Sets the answer: a table for each level, a row for each type of reference. *r must outlive it. */
void trc_cache_report_answer(struct trc_cache_report *r, struct trc_answered *a);

/* Caches of one level, side by side, a row for each. A zeroed struct has none. */
struct trc_family {
	struct trc_cache_shape *shape;
	struct trc_cache_totals *totals; /* up to the last window, or in all */
	struct trc_cache_totals *now;    /* room for those up to the next window */
	size_t n;
	struct trc_sink *sink; /* while it is open */
	uint64_t original;     /* number of references, if the trace lacks those that always hit */
	bool prefetches;       /* some of them prefetch */
	char prefetcher[32];   /* of the cache being printed */
	char (*name)[48];      /* such as "32K:8:64" */
	const char **names;    /* pointers to them */
};

/* Parses `word`, such as "16K..1M:1..16:64", if it is several caches. */
int trc_family_parse(struct trc_family *f, const char *word, struct trc_err *err) TRC_MUST_USE;
void trc_family_release(void *f);

/* Sets the answer to a table with a row for each cache. *f must outlive it. */
void trc_family_answer(struct trc_family *f, struct trc_answered *a);

#endif
