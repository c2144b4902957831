/* SPDX-License-Identifier: MIT
 *
 * The last residuals of a slot, the latest first: move to front (B. Ryabko, 1980; J. L. Bentley and
 * others, 1986) for a few 64-bit values, in a form that finds values, for the writer, and in one
 * that takes positions, for the reader. Positions are random, so the reader moves values to the
 * front without a branch. codec/entropy/move_to_front.h is for thousands of items, most of which
 * stay in place.
 */
#ifndef TRC_CODEC_PROGRAM_LAST_RESIDUALS_H
#define TRC_CODEC_PROGRAM_LAST_RESIDUALS_H

#include <stdint.h>

#include "base/base.h"

enum { TRC_LAST_RESIDUALS = 8 }; /* as a position: none of them */

/* The writer's form. A zeroed struct is empty. */
struct trc_last_residuals {
	uint64_t last[TRC_LAST_RESIDUALS];
	unsigned n;
};

/* Returns the position of `v`, and moves it to the front. */
static inline unsigned
trc_last_residuals_find(struct trc_last_residuals *m, uint64_t v)
{
	unsigned at = 0, found;

	while (at < m->n && m->last[at] != v)
		at++;
	found = at < m->n ? at : TRC_LAST_RESIDUALS;
	if (at == m->n && m->n < TRC_LAST_RESIDUALS)
		m->n++;
	for (unsigned k = at < TRC_LAST_RESIDUALS ? at : TRC_LAST_RESIDUALS - 1; k > 0; k--)
		m->last[k] = m->last[k - 1];
	m->last[0] = v;
	return found;
}

/* The reader's form. */
struct trc_residual_order {
	uint64_t order; /* each byte is the index of a value, the lowest that of the latest */
	uint64_t value[TRC_LAST_RESIDUALS];
};

#define TRC_RESIDUAL_ORDER_NEW ((struct trc_residual_order){ UINT64_C(0x0706050403020100), { 0 } })

/* Moves the value at a position to the front, and returns it; at TRC_LAST_RESIDUALS this is the
 * value stored in *oldest. */
static TRC_ALWAYS_INLINE uint64_t
trc_residual_order_use(struct trc_residual_order *r, unsigned place)
{
	/* By position: the shift of its index, and the bytes that change, which are those up to
	 * it. */
	static const uint8_t shift[TRC_LAST_RESIDUALS + 1] = { 0, 8, 16, 24, 32, 40, 48, 56, 56 };
	static const uint64_t moved[TRC_LAST_RESIDUALS + 1] = {
		0xff,           0xffff,           0xffffff,   0xffffffff, 0xffffffffff,
		0xffffffffffff, 0xffffffffffffff, UINT64_MAX, UINT64_MAX,
	};
	const uint64_t index = (uint8_t)(r->order >> shift[place]);

	r->order = (r->order ^ ((r->order ^ r->order << 8) & moved[place])) | index;
	return r->value[index];
}

static inline uint64_t *
trc_residual_order_oldest(struct trc_residual_order *r)
{
	return &r->value[r->order >> 56];
}

#endif
