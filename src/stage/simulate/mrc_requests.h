/* SPDX-License-Identifier: MIT
 *
 * Misses of a curve by requests and by bytes, where a request is to several pages: it is missed if
 * any of its pages is, which is so below the largest of their distances; and each page has some
 * of its bytes. What requests to one page do is known from their distances, so that only others
 * change what these have.
 *
 * Zeroed memory may be released.
 */
#ifndef TRC_STAGE_SIMULATE_MRC_REQUESTS_H
#define TRC_STAGE_SIMULATE_MRC_REQUESTS_H

#include "stage/simulate/memories.h"

struct trc_mrc_requests {
	uint64_t *bytes;  /* of touches at each distance; [0]: of those without */
	uint64_t *change; /* what to add to the touches at each distance, modulo 2^64 */
	size_t sizes, changes;

	/* Of the request that more pages come of. */
	uint32_t most; /* the largest distance */
	bool always;   /* a page had none */
};

void trc_mrc_requests_release(struct trc_mrc_requests *r);

/* Touches at these distances, up to `pages`; weights are those of memories.h. */
int trc_mrc_requests_add(struct trc_mrc_requests *r, const struct trc_mrc_rule *rule,
                         const uint32_t *distance, const uint8_t *type, const uint32_t *weight,
                         size_t n, uint32_t pages, struct trc_err *err) TRC_MUST_USE;

/* A request to `pages` pages that is missed at every size. */
int trc_mrc_requests_miss(struct trc_mrc_requests *r, uint64_t pages, uint64_t bytes,
                          struct trc_err *err) TRC_MUST_USE;

/* `change` and `bytes` become arrays [m] of what memories of m pages miss, up to `pages`, where
 * `distances` has how many touches there were at each; [0] of those without. */
int trc_mrc_requests_finish(struct trc_mrc_requests *r, const uint64_t *distances, uint32_t pages,
                            struct trc_err *err) TRC_MUST_USE;

#endif
