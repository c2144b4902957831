/* SPDX-License-Identifier: MIT
 *
 * When the copies of an object came that LRU caches of each capacity have, where an object may be
 * used for some time only. A cache fetches it anew when it is missed, so caches that miss it less
 * have older copies; one that is too old is missed, too, by all that have it. So the capacities
 * fall into a few ranges, each with a time. Zeroed memory has never been used; it may be released.
 */
#ifndef TRC_STAGE_SIMULATE_OBJECT_BYTE_AGES_H
#define TRC_STAGE_SIMULATE_OBJECT_BYTE_AGES_H

#include <stdint.h>

#include "base/base.h"

/* Caches from this capacity on, up to that of the next. */
struct trc_byte_age {
	uint64_t from, came;
};

struct trc_byte_ages {
	struct trc_byte_age *age; /* the first is from 0 on */
	size_t n, room;
};

/* A request at `now`, which caches below `distance` miss; 0: all. */
struct trc_byte_use {
	uint64_t distance, now, ttl;
	bool write;
};

/* Caches of capacities from `from` up to below `to`, UINT64_MAX for all from there on, hit. */
typedef void trc_byte_hit_fn(void *of, uint64_t from, uint64_t to);

/* Calls hit() for all that have a copy of at most use->ttl. What the others have came now, and what
 * is written, too. Sets *over if the copy in the largest caches was too old. */
int trc_byte_ages_use(struct trc_byte_ages *a, const struct trc_byte_use *use, trc_byte_hit_fn *hit,
                      void *of, bool *over, struct trc_err *err) TRC_MUST_USE;

#endif
