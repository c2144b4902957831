/* SPDX-License-Identifier: MIT
 *
 * Missed requests and missed bytes of a miss curve, where a request may be to several pages. A
 * request is missed if any of its pages is, that is, by memories smaller than the largest of their
 * distances; and each page has some of its bytes. Requests to one page follow from the distances,
 * so only the others change these counts.
 *
 * A zeroed struct may be released.
 */
#ifndef TRC_STAGE_SIMULATE_MRC_REQUESTS_H
#define TRC_STAGE_SIMULATE_MRC_REQUESTS_H

#include "stage/simulate/memories.h"

struct trc_mrc_requests {
	uint64_t *bytes;  /* bytes of the references at each distance; [0]: without a distance */
	uint64_t *change; /* change of the number of references at each distance, modulo 2^64 */
	size_t sizes, changes;

	/* Of a request whose references continue: */
	uint32_t most; /* the largest distance so far */
	bool always;   /* one of its pages had no distance */
};

void trc_mrc_requests_release(struct trc_mrc_requests *r);

/* Adds references at these distances, which are at most `pages`; weights are those of
 * memories.h. */
int trc_mrc_requests_add(struct trc_mrc_requests *r, const struct trc_mrc_rule *rule,
                         const uint32_t *distance, const uint8_t *type, const uint32_t *weight,
                         size_t n, uint32_t pages, struct trc_err *err) TRC_MUST_USE;

/* Adds a request to `pages` pages that is missed at every size. */
int trc_mrc_requests_miss(struct trc_mrc_requests *r, uint64_t pages, uint64_t bytes,
                          struct trc_err *err) TRC_MUST_USE;

/* Turns `change` and `bytes` into arrays [m] of the requests and bytes missed by memories of m
 * pages, up to `pages`. `distances` holds the number of references at each distance; [0]: without a
 * distance. */
int trc_mrc_requests_finish(struct trc_mrc_requests *r, const uint64_t *distances, uint32_t pages,
                            struct trc_err *err) TRC_MUST_USE;

#endif
