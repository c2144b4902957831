/* SPDX-License-Identifier: MIT
 *
 * Pictures of addresses against time: time to the right, addresses upwards, one region above the
 * other; what lies empty between two is cut out, and a gap of paper marks the cut.
 */
#ifndef TRC_CMD_PICTURE_MAP_DRAW_H
#define TRC_CMD_PICTURE_MAP_DRAW_H

#include "cmd/picture/plot.h"
#include "stage/profile/address_map.h"

/* A picture to be drawn. */
struct trc_map_picture {
	const struct trc_address_map *map;
	const char *title;
	struct trc_sheet sheet; /* width 0: 800 by 600 */
	uint64_t one_in;        /* it is of one block in so many; 0: of all */
};

/* A trc_draw_fn for struct trc_map_picture. */
int trc_map_draw(const void *picture, const struct trc_canvas *c, struct trc_err *err) TRC_MUST_USE;

/* In a terminal: half blocks in colours, or where there are none, letters. */
int trc_map_terminal(const struct trc_address_map *map, unsigned columns, struct trc_out *out,
                     struct trc_err *err) TRC_MUST_USE;

#endif
