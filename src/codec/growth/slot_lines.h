/* SPDX-License-Identifier: MIT
 *
 * Codes constant addresses of slots by the most recently used lines (container/SPEC.md, "Slots").
 */
#ifndef TRC_CODEC_GROWTH_SLOT_LINES_H
#define TRC_CODEC_GROWTH_SLOT_LINES_H

#include "codec/entropy/move_to_front.h"
#include "codec/entropy/range_coder.h"

enum { TRC_LINE_BITS = 6, TRC_LINE_HASH_BITS = 14 };

/* The models of constant addresses: the most recently used lines, as in a cache, each with a model
 * of the addresses referenced within it. */
struct trc_line_models {
	struct trc_num rank, far;
	struct trc_bit in_new[1 << TRC_LINE_BITS];
	uint64_t last_new;
	struct trc_move_to_front used; /* indices of lines */
	/* Of the lines in use; undefined for others. */
	uint64_t at[TRC_MOVE_TO_FRONT_MOST];
	/* How many of them have each hash; a new one, as a random key is, is not sought. */
	uint16_t held[1 << TRC_LINE_HASH_BITS];
	struct trc_bit in[TRC_MOVE_TO_FRONT_MOST][1 << TRC_LINE_BITS];
};

void trc_lines_init(struct trc_line_models *l);

/* Codes an address: writes `a`, or reads and returns it. */
uint64_t trc_lines_code(struct trc_rc *rc, struct trc_line_models *l, uint64_t a);

/* Returns the cost of coding an address, in units of about 1/256 bit. */
unsigned trc_lines_cost(struct trc_line_models *l, uint64_t a);

#endif
