/* SPDX-License-Identifier: MIT
 *
 * What was used last, in order: move to front. The front is at the end of an array, so that what is
 * new costs nothing, and what was used lately little. Zeroed memory is empty.
 */
#ifndef TRC_CODEC_ENTROPY_MOVE_TO_FRONT_H
#define TRC_CODEC_ENTROPY_MOVE_TO_FRONT_H

#include <stdint.h>
#include <string.h>

enum { TRC_MOVE_TO_FRONT_MOST = 4096 };

/* A list in order of use. */
struct trc_move_to_front {
	uint32_t n; /* with some that are forgotten */
	uint32_t item[2 * TRC_MOVE_TO_FRONT_MOST];
};

static inline uint32_t
trc_move_to_front_count(const struct trc_move_to_front *r)
{
	return r->n < TRC_MOVE_TO_FRONT_MOST ? r->n : TRC_MOVE_TO_FRONT_MOST;
}

/* That before which `i` others were used since, i < trc_move_to_front_count(). */
static inline uint32_t
trc_move_to_front_at(const struct trc_move_to_front *r, uint32_t i)
{
	return r->item[r->n - 1 - i];
}

/* How many others were used since `item`; trc_move_to_front_count() if it is none. */
static inline uint32_t
trc_move_to_front_find(const struct trc_move_to_front *r, uint32_t item)
{
	const uint32_t count = trc_move_to_front_count(r);
	uint32_t i = 0;

	while (i < count && trc_move_to_front_at(r, i) != item)
		i++;
	return i;
}

/* Uses the one before which `i` others were used since, and returns it. */
static inline uint32_t
trc_move_to_front_use(struct trc_move_to_front *r, uint32_t i)
{
	uint32_t *p = &r->item[r->n - 1 - i];
	const uint32_t item = *p;

	memmove(p, p + 1, i * sizeof(*p));
	p[i] = item;
	return item;
}

/* Uses one that is new, or forgotten. */
static inline void
trc_move_to_front_add(struct trc_move_to_front *r, uint32_t item)
{
	if (r->n == 2 * TRC_MOVE_TO_FRONT_MOST) {
		r->n = TRC_MOVE_TO_FRONT_MOST;
		memcpy(r->item, r->item + TRC_MOVE_TO_FRONT_MOST,
		       TRC_MOVE_TO_FRONT_MOST * sizeof(r->item[0]));
	}
	r->item[r->n++] = item;
}

#endif
