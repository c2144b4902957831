/* SPDX-License-Identifier: MIT
 *
 * Constant addresses of slots: by the lines that were used last (container/SPEC.md, "Slots").
 */
#ifndef TRC_CODEC_GROWTH_SLOT_LINES_H
#define TRC_CODEC_GROWTH_SLOT_LINES_H

#include "codec/entropy/move_to_front.h"
#include "codec/entropy/range_coder.h"

enum { TRC_LINE_BITS = 6 };

/* Constant addresses: the lines used last, as a cache has them, each with a model of what is
 * referenced within it. */
struct trc_line_models {
	struct trc_num rank, far;
	struct trc_bit in_new[1 << TRC_LINE_BITS];
	uint64_t last_new;
	struct trc_move_to_front used; /* indices of lines */
	/* Of those that are used; before, anything is there. */
	uint64_t at[TRC_MOVE_TO_FRONT_MOST];
	struct trc_bit in[TRC_MOVE_TO_FRONT_MOST][1 << TRC_LINE_BITS];
};

void trc_lines_init(struct trc_line_models *l);

/* Codes an address: writes `a`, or reads and returns it. */
uint64_t trc_lines_code(struct trc_rc *rc, struct trc_line_models *l, uint64_t a);

/* What that would cost, in about 256ths of a bit. */
unsigned trc_lines_cost(struct trc_line_models *l, uint64_t a);

#endif
