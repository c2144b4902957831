/* SPDX-License-Identifier: MIT
 *
 * The states that were appended to a miss curve (mrc_growing.h), joined many at a time.
 *
 * Waiting states are lists of pages in order of their first reference, one list for each slice. The
 * previous occurrence of each page is found for all pages at once (previous.h). Then, slice by
 * slice, there is a slot for each page of a slice, in order of its last use, and the slot is in use
 * until a later slice has the page. So the number of pages used since is a count of slots
 * (ranks.h), and no stack is maintained. A join takes a few passes over everything that waits and
 * everything joined before. So it is deferred until both are about as long.
 */
#ifndef TRC_STAGE_SIMULATE_MRC_JOINED_H
#define TRC_STAGE_SIMULATE_MRC_JOINED_H

#include "stage/simulate/mrc_growing.h"

/* A page of a slice. */
struct trc_mrc_page {
	uint32_t at; /* rank among the pages of the slice by last use, the most recent last */
	uint32_t level, open;
	uint32_t first; /* while joining: rank among all pages by first reference */
};

/* Slices, the first of which is the result of earlier joins. */
struct trc_mrc_joined {
	uint64_t *page;
	uint32_t *space;
	struct trc_mrc_page *state;
	uint8_t *pass; /* for each page: its first reference does not count; NULL: all count */
	struct trc_mrc_first *first; /* its first reference, if requests count; else NULL */
	size_t n;
	size_t *end; /* of each slice */
	size_t parts;

	size_t pages, spaces, states, ends, passes, firsts; /* room */
};

void trc_mrc_joined_release(struct trc_mrc_joined *j);

/* Makes room for `n` more pages, of a curve with this rule. */
int trc_mrc_joined_room(struct trc_mrc_joined *j, size_t n, const struct trc_mrc_rule *rule,
                        struct trc_err *err) TRC_MUST_USE;

/* Ends a slice of `n` pages, which were stored; may join all slices. */
int trc_mrc_joined_part(struct trc_mrc_growing *g, size_t n, struct trc_err *err) TRC_MUST_USE;

/* Joins all slices of g->joined into one. */
int trc_mrc_join(struct trc_mrc_growing *g, struct trc_err *err) TRC_MUST_USE;

#endif
