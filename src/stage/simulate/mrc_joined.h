/* SPDX-License-Identifier: MIT
 *
 * States that were appended to a miss curve (mrc_growing.h), joined many at a time.
 *
 * What waits are lists of pages in order of their first reference, a list for each part. Which
 * place each page had in the part before that has it is found for all at once (base/before.h).
 * Then, from part to part, a slot stands for each page of a part, in order of its last use, and is
 * in use as long as no later part has the page: so how many pages were used since is a count
 * (ranks.h), and there is no stack to be kept. A join takes a few passes over all that waits, and
 * over what was joined before; so it is put off until these are about as many.
 */
#ifndef TRC_STAGE_SIMULATE_MRC_JOINED_H
#define TRC_STAGE_SIMULATE_MRC_JOINED_H

#include "stage/simulate/mrc_growing.h"

/* A page of a part. */
struct trc_mrc_page {
	uint32_t at; /* among the pages of the part by last use, the last one last */
	uint32_t level, open;
	uint32_t first; /* which page of all by first reference: while they are joined */
};

/* Parts, of which the first is what was joined already. */
struct trc_mrc_joined {
	uint64_t *page;
	uint32_t *space;
	struct trc_mrc_page *state;
	uint8_t *pass; /* of each page: its first reference does not count; NULL: all do */
	size_t n;
	size_t *end; /* of each part */
	size_t parts;

	size_t pages, spaces, states, ends, passes; /* room */
};

void trc_mrc_joined_release(struct trc_mrc_joined *j);

/* Room for `n` more pages, to be put behind the others; `pass`: not all first references count. */
int trc_mrc_joined_room(struct trc_mrc_joined *j, size_t n, bool pass,
                        struct trc_err *err) TRC_MUST_USE;

/* The pages of another part, `n` of them, are there. May join all. */
int trc_mrc_joined_part(struct trc_mrc_growing *g, size_t n, struct trc_err *err) TRC_MUST_USE;

/* Joins all parts of g->joined into one. */
int trc_mrc_join(struct trc_mrc_growing *g, struct trc_err *err) TRC_MUST_USE;

#endif
