/* SPDX-License-Identifier: MIT
 *
 * Counts by key: how often each key occurred, and the first and the last value it had. Most queries
 * that count something keep this. A zeroed struct is empty, and can be released.
 */
#ifndef TRC_STAGE_PROFILE_CENSUS_H
#define TRC_STAGE_PROFILE_CENSUS_H

#include "base/map.h"
#include "base/state.h"

struct trc_census_entry {
	uint64_t key, n, first, last; /* first and last are values that the caller defines */
	uint32_t space;
};

struct trc_census {
	struct trc_census_entry *entry; /* in order of first occurrence */
	size_t n, cap;

	/* Private. */
	struct trc_map map; /* space and key -> index */
};

/* Called between two occurrences of a key: `e` is the entry so far, `next` is what follows. */
typedef int trc_census_seam_fn(void *of, const struct trc_census_entry *e,
                               const struct trc_census_entry *next, struct trc_err *err);

/* Adds `next` to its key. If the key has an entry already, seam(of) is called first and may count
 * into other counters; it may be NULL. */
int trc_census_count(struct trc_census *t, const struct trc_census_entry *next,
                     trc_census_seam_fn *seam, void *of, struct trc_err *err) TRC_MUST_USE;

/* Counts one occurrence of a key. */
static inline int
trc_census_add(struct trc_census *t, uint32_t space, uint64_t key, struct trc_err *err)
{
	return trc_census_count(t, &(struct trc_census_entry){ .space = space, .key = key, .n = 1 },
	                        NULL, NULL, err);
}

/* Reads or writes the state; a state that is read is added as by trc_census_count(). */
void trc_census_state(struct trc_census *t, struct trc_state *s, trc_census_seam_fn *seam,
                      void *of);

/* Subtracts the counts of the first records; keys that have not occurred since are removed. After
 * this, and after trc_census_rank(), nothing more may be counted. */
void trc_census_subtract(struct trc_census *t, const struct trc_census *first);

/* Sorts by count, the highest first, then by space and key. Returns the sum of all counts. */
uint64_t trc_census_rank(struct trc_census *t);

void trc_census_release(struct trc_census *t);

#endif
