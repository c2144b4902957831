/* SPDX-License-Identifier: MIT
 *
 * Pictures of addresses against time: time to the right, addresses upwards, one region above
 * another. Unused addresses between two regions are left out, and a gap marks the cut.
 */
#ifndef TRC_CMD_PICTURE_MAP_DRAW_H
#define TRC_CMD_PICTURE_MAP_DRAW_H

#include "cmd/picture/plot.h"
#include "stage/profile/address_map.h"

/* An address map to draw. */
struct trc_map_picture {
	const struct trc_address_map *map;
	const char *title;
	struct trc_sheet sheet; /* width 0: 800 by 600 */
	uint64_t one_in;        /* the map has one block in this many; 0: all */
};

/* A trc_draw_fn; `picture` is a struct trc_map_picture. */
int trc_map_draw(const void *picture, const struct trc_canvas *c, struct trc_err *err) TRC_MUST_USE;

/* Draws a map in a terminal: with coloured half blocks, or with letters if there are no colours. */
int trc_map_terminal(const struct trc_address_map *map, unsigned columns, struct trc_out *out,
                     struct trc_err *err) TRC_MUST_USE;

#endif
