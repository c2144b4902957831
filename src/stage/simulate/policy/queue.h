/* SPDX-License-Identifier: MIT
 *
 * Queues of lines; the line inserted last is the newest. Their entries are numbered from 1; an
 * entry is in one queue at a time.
 */
#ifndef TRC_STAGE_SIMULATE_POLICY_QUEUE_H
#define TRC_STAGE_SIMULATE_POLICY_QUEUE_H

#include <stdint.h>

/* The neighbours of an entry; 0: none. */
struct trc_link {
	uint32_t older, newer;
};

struct trc_queue {
	uint32_t newest, oldest, n;
};

static inline void
trc_queue_put(struct trc_queue *q, struct trc_link *link, uint32_t id)
{
	link[id] = (struct trc_link){ q->newest, 0 };
	if (q->newest)
		link[q->newest].newer = id;
	else
		q->oldest = id;
	q->newest = id;
	q->n++;
}

static inline void
trc_queue_take(struct trc_queue *q, struct trc_link *link, uint32_t id)
{
	const struct trc_link l = link[id];

	if (l.newer)
		link[l.newer].older = l.older;
	else
		q->newest = l.older;
	if (l.older)
		link[l.older].newer = l.newer;
	else
		q->oldest = l.newer;
	q->n--;
}

/* Takes out the oldest entry; there must be one. */
static inline uint32_t
trc_queue_take_oldest(struct trc_queue *q, struct trc_link *link)
{
	const uint32_t id = q->oldest;

	trc_queue_take(q, link, id);
	return id;
}

#endif
