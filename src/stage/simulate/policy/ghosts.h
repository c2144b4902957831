/* SPDX-License-Identifier: MIT
 *
 * Evicted lines that are remembered: for each set a FIFO queue of limited length.
 */
#ifndef TRC_STAGE_SIMULATE_POLICY_GHOSTS_H
#define TRC_STAGE_SIMULATE_POLICY_GHOSTS_H

#include <stdbool.h>

#include "base/base.h"
#include "stage/simulate/policy/queue.h"

/* The ghosts of all sets. Zeroed memory may be released. */
struct trc_ghosts {
	size_t most; /* limit for each set, at least 1 */
	struct trc_queue *queue;
	struct trc_link *link;
	uint64_t *line;
	uint32_t *chain;  /* next with this hash; of unused entries, the next unused one */
	uint32_t *spare;  /* an unused entry of each set */
	uint32_t *bucket; /* first entry of each hash */
	size_t bucket_mask;
};

int trc_ghosts_init(struct trc_ghosts *g, size_t sets, size_t most,
                    struct trc_err *err) TRC_MUST_USE;
void trc_ghosts_release(struct trc_ghosts *g);

/* Remembers `line`, which is not remembered yet; forgets the oldest if the queue is full. */
void trc_ghosts_put(struct trc_ghosts *g, size_t set, uint64_t line);

/* Forgets `line`; returns false if it was not remembered. */
bool trc_ghosts_take(struct trc_ghosts *g, size_t set, uint64_t line);

/* Forgets a line, or all lines of the set if it is NULL. */
void trc_ghosts_forget(struct trc_ghosts *g, size_t set, const uint64_t *line);

/* Forgets the oldest line; there must be one. */
void trc_ghosts_take_oldest(struct trc_ghosts *g, size_t set);

#endif
