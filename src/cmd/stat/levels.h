/* SPDX-License-Identifier: MIT
 *
 * What the levels of a hierarchy of caches, or of TLBs, did: as a table, CSV and JSON.
 */
#ifndef TRC_CMD_STAT_LEVELS_H
#define TRC_CMD_STAT_LEVELS_H

#include "cmd/stat/stat.h"
#include "stage/simulate/cache/cache.h"
#include "stage/simulate/cache/tlb.h"

/* The levels, the one next to the processor first. */
struct trc_levels {
	struct trc_cache_shape shape[TRC_CACHES_MOST];
	struct trc_cache_counts count[TRC_CACHES_MOST];
	size_t n;
	bool related;      /* some level includes or excludes others, or might have */
	uint64_t original; /* references, if the trace lacks those of them that always hit */
	const struct trc_tlb_pages *tlb; /* these are TLBs; NULL: caches */
};

/* The number of the level that cache `i` is at. */
size_t trc_levels_at(const struct trc_levels *r, size_t i);

/* "unified", "fetches", "data", "small pages" or "huge pages": what goes to it. */
const char *trc_levels_part(const struct trc_levels *r, size_t i);

int trc_levels_print(const struct trc_levels *r, enum trc_form form,
                     struct trc_err *err) TRC_MUST_USE;

#endif
