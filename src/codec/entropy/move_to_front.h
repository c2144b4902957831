/* SPDX-License-Identifier: MIT
 *
 * A move-to-front list of the most recently used items. The front is at the end of an array, so
 * that adding an item moves nothing, and using a recent one moves little. A zeroed struct is empty.
 */
#ifndef TRC_CODEC_ENTROPY_MOVE_TO_FRONT_H
#define TRC_CODEC_ENTROPY_MOVE_TO_FRONT_H

#include <stdint.h>
#include <string.h>

enum { TRC_MOVE_TO_FRONT_MOST = 4096 };

/* A list in order of use. */
struct trc_move_to_front {
	uint32_t n; /* including items that no longer count */
	uint32_t item[2 * TRC_MOVE_TO_FRONT_MOST];
};

static inline uint32_t
trc_move_to_front_count(const struct trc_move_to_front *r)
{
	return r->n < TRC_MOVE_TO_FRONT_MOST ? r->n : TRC_MOVE_TO_FRONT_MOST;
}

/* Returns the item with `i` more recent ones; i < trc_move_to_front_count(). */
static inline uint32_t
trc_move_to_front_at(const struct trc_move_to_front *r, uint32_t i)
{
	return r->item[r->n - 1 - i];
}

/* Returns how many items are more recent than `item`; trc_move_to_front_count() if it is not in the
 * list. */
static inline uint32_t
trc_move_to_front_find(const struct trc_move_to_front *r, uint32_t item)
{
	const uint32_t count = trc_move_to_front_count(r);
	uint32_t i = 0;

	while (i < count && trc_move_to_front_at(r, i) != item)
		i++;
	return i;
}

/* Moves the item with `i` more recent ones to the front, and returns it. */
static inline uint32_t
trc_move_to_front_use(struct trc_move_to_front *r, uint32_t i)
{
	uint32_t *p = &r->item[r->n - 1 - i];
	const uint32_t item = *p;

	memmove(p, p + 1, i * sizeof(*p));
	p[i] = item;
	return item;
}

/* Adds an item that is not in the list. */
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
