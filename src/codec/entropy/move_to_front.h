/* SPDX-License-Identifier: MIT
 *
 * What was used last, in order: move to front. The front is at the end of an array, so that what is
 * new costs nothing, and what was used lately little. Zeroed memory is empty.
 */
#ifndef TRC_CODEC_ENTROPY_MOVE_TO_FRONT_H
#define TRC_CODEC_ENTROPY_MOVE_TO_FRONT_H

#include <stdint.h>
#include <string.h>

enum { TRC_RECENT_MOST = 4096 };

struct trc_recent {
	uint32_t n; /* with some that are forgotten */
	uint32_t item[2 * TRC_RECENT_MOST];
};

static inline uint32_t
trc_recent_count(const struct trc_recent *r)
{
	return r->n < TRC_RECENT_MOST ? r->n : TRC_RECENT_MOST;
}

/* That before which `i` others were used since, i < trc_recent_count(). */
static inline uint32_t
trc_recent_at(const struct trc_recent *r, uint32_t i)
{
	return r->item[r->n - 1 - i];
}

/* How many others were used since `item`; trc_recent_count() if it is none. */
static inline uint32_t
trc_recent_find(const struct trc_recent *r, uint32_t item)
{
	const uint32_t count = trc_recent_count(r);
	uint32_t i = 0;

	while (i < count && trc_recent_at(r, i) != item)
		i++;
	return i;
}

/* Uses the one before which `i` others were used since, and returns it. */
static inline uint32_t
trc_recent_use(struct trc_recent *r, uint32_t i)
{
	uint32_t *p = &r->item[r->n - 1 - i];
	const uint32_t item = *p;

	memmove(p, p + 1, i * sizeof(*p));
	p[i] = item;
	return item;
}

/* Uses one that is new, or forgotten. */
static inline void
trc_recent_add(struct trc_recent *r, uint32_t item)
{
	if (r->n == 2 * TRC_RECENT_MOST) {
		r->n = TRC_RECENT_MOST;
		memcpy(r->item, r->item + TRC_RECENT_MOST, TRC_RECENT_MOST * sizeof(r->item[0]));
	}
	r->item[r->n++] = item;
}

#endif
