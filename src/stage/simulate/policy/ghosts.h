/* SPDX-License-Identifier: MIT
 *
 * Lines that are gone and still remembered, for each set a queue of so many at most.
 */
#ifndef TRC_STAGE_SIMULATE_POLICY_GHOSTS_H
#define TRC_STAGE_SIMULATE_POLICY_GHOSTS_H

#include <stdbool.h>

#include "base/base.h"
#include "stage/simulate/policy/queue.h"

/* The ghosts of all sets. Zeroed memory may be released. */
struct trc_ghosts {
	size_t most; /* of a set, from 1 on */
	struct trc_queue *queue;
	struct trc_link *link;
	uint64_t *line;
	uint32_t *chain;  /* the next with this hash; of those not in use, the next */
	uint32_t *spare;  /* of each set, a place not in use */
	uint32_t *bucket; /* the first of each hash */
	size_t bucket_mask;
};

int trc_ghosts_init(struct trc_ghosts *g, size_t sets, size_t most,
                    struct trc_err *err) TRC_MUST_USE;
void trc_ghosts_release(struct trc_ghosts *g);

/* Remembers `line`, which it does not; the oldest is forgotten for it if there are enough. */
void trc_ghosts_put(struct trc_ghosts *g, size_t set, uint64_t line);

/* Forgets `line`; false if it was not remembered. */
bool trc_ghosts_take(struct trc_ghosts *g, size_t set, uint64_t line);

/* Forgets a line, or all of the set if it is NULL. */
void trc_ghosts_forget(struct trc_ghosts *g, size_t set, const uint64_t *line);

/* Forgets the oldest, which there is. */
void trc_ghosts_take_oldest(struct trc_ghosts *g, size_t set);

#endif
