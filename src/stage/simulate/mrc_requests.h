/* SPDX-License-Identifier: MIT
 *
 * Missed requests and missed bytes of a miss curve, where a request may be to several pages. A
 * request is missed if any of its pages is, that is, by memories smaller than the largest of their
 * distances; and each page has some of its bytes. Requests to one page follow from the distances,
 * so only the others change these counts.
 *
 * A slice does not know the distance of its first reference to a page. It keeps these references in
 * order, so those of one request are together. When the slice is appended to those before it, some
 * distances become known, and a request is counted once all its distances are.
 *
 * A zeroed struct may be released.
 */
#ifndef TRC_STAGE_SIMULATE_MRC_REQUESTS_H
#define TRC_STAGE_SIMULATE_MRC_REQUESTS_H

#include "stage/simulate/memories.h"

enum {
	TRC_MRC_BEGINS = 1,  /* the first one of its request that is kept */
	TRC_MRC_SEVERAL = 2, /* the same, of a request to several pages */
	TRC_MRC_COUNTS = 4,
};

/* The first reference of a slice to a page. */
struct trc_mrc_first {
	uint32_t bytes;
	uint32_t most; /* with TRC_MRC_SEVERAL: the largest known distance of the request */
	uint8_t flags;
};

struct trc_mrc_requests {
	uint64_t *bytes;  /* bytes of the references at each distance; [0]: without a distance */
	uint64_t *change; /* change of the number of references at each distance, modulo 2^64 */
	size_t sizes, changes;

	/* Of a request whose references continue: */
	uint32_t most; /* the largest distance so far */
	bool always;   /* one of its pages had no distance */

	/* If the state will be saved: first references, and the place of the first one of this
	 * request. */
	bool kept;
	struct trc_mrc_first *first;
	size_t n, begin, firsts;

	/* Of the request that is being joined: its first reference that stays; NULL: none. */
	struct trc_mrc_first *left;
	bool several;
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

/* Makes room for distances up to `pages`. */
int trc_mrc_requests_room(struct trc_mrc_requests *r, uint32_t pages,
                          struct trc_err *err) TRC_MUST_USE;

/* Joins a slice: called for each of its first references in order, with its distance, 0 if it stays
 * a first reference; and at the end of the slice. */
void trc_mrc_requests_join(struct trc_mrc_requests *r, struct trc_mrc_first *first,
                           uint32_t distance);
void trc_mrc_requests_join_end(struct trc_mrc_requests *r);

/* Turns `change` and `bytes` into arrays [m] of the requests and bytes missed by memories of m
 * pages, up to `pages`. `distances` holds the number of references at each distance; [0]: without a
 * distance. If there were slices, these are the `n` in `first` instead; else it is NULL. */
int trc_mrc_requests_finish(struct trc_mrc_requests *r, const uint64_t *distances, uint32_t pages,
                            const struct trc_mrc_first *first, size_t n,
                            struct trc_err *err) TRC_MUST_USE;

#endif
