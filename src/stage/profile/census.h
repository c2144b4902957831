/* SPDX-License-Identifier: MIT
 *
 * Counts by key: how often each occurred, and the first and the last value that it had. What most
 * questions keep that count something; zeroed memory is one of nothing, and may be released.
 */
#ifndef TRC_STAGE_PROFILE_CENSUS_H
#define TRC_STAGE_PROFILE_CENSUS_H

#include "base/map.h"
#include "base/state.h"

struct trc_census_entry {
	uint64_t key, n, first, last; /* values: the caller's */
	uint32_t space;
};

struct trc_census {
	struct trc_census_entry *entry; /* in order of their first occurrence */
	size_t n, cap;

	/* Private. */
	struct trc_map map; /* space and key -> place */
};

/* What is done between two occurrences of a key: `e` is what it had so far, `next` what follows. */
typedef int trc_census_seam_fn(void *of, const struct trc_census_entry *e,
                               const struct trc_census_entry *next, struct trc_err *err);

/* Counts what follows of a key; seam(of) is called before if there was something, and may count
 * into other counters. NULL: nothing is done there. */
int trc_census_count(struct trc_census *t, const struct trc_census_entry *next,
                     trc_census_seam_fn *seam, void *of, struct trc_err *err) TRC_MUST_USE;

/* One more of a key. */
static inline int
trc_census_add(struct trc_census *t, uint32_t space, uint64_t key, struct trc_err *err)
{
	return trc_census_count(t, &(struct trc_census_entry){ .space = space, .key = key, .n = 1 },
	                        NULL, NULL, err);
}

/* The state; what is read is counted as above. */
void trc_census_state(struct trc_census *t, struct trc_state *s, trc_census_seam_fn *seam,
                      void *of);

/* Takes away what was counted in the first records; keys that did not occur since are left out.
 * After this, and after trc_census_rank(), no more is counted. */
void trc_census_subtract(struct trc_census *t, const struct trc_census *first);

/* Sorts: those that occurred most often first, then by space and key. Returns how often all did. */
uint64_t trc_census_rank(struct trc_census *t);

void trc_census_release(struct trc_census *t);

#endif
