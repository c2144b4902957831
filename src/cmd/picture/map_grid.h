/* SPDX-License-Identifier: MIT
 *
 * The cells of a picture of addresses against time. Granules are laid out once, from the bottom,
 * one region above another, for a canvas and a terminal.
 */
#ifndef TRC_CMD_PICTURE_MAP_GRID_H
#define TRC_CMD_PICTURE_MAP_GRID_H

#include <stddef.h>
#include <stdint.h>

#include "base/base.h"
#include "stage/profile/address_map.h"

enum { TRC_MAP_REGIONS = 24 }; /* maximum number */

/* Granules of one address space without large gaps between them. */
struct trc_map_region {
	size_t row, rows;      /* in the map */
	uint64_t first, last;  /* granules */
	unsigned cell, height; /* the lowest cell, and the number of cells */
};

/* The cells: how each is touched, the lowest row first. */
struct trc_map_grid {
	const struct trc_address_map *map;
	struct trc_map_region region[TRC_MAP_REGIONS];
	size_t regions;
	unsigned width, height, gap;
	uint8_t *touch;
};

/* The grid to make: its size and the gap between two regions in cells, the minimum height of a
 * region, and a unit: heights are multiples of it, which is 2 where a line of text shows two
 * rows. */
struct trc_map_shape {
	unsigned width, height, gap, least, unit;
};

/* Makes the grid; the caller frees g->touch. */
int trc_map_grid_make(struct trc_map_grid *g, const struct trc_address_map *map,
                      const struct trc_map_shape *shape, struct trc_err *err) TRC_MUST_USE;

/* How a cell is drawn: data accesses hide fetches. */
enum {
	TRC_MAP_NOTHING,
	TRC_MAP_READ,
	TRC_MAP_WRITE,
	TRC_MAP_BOTH,
	TRC_MAP_FETCH,
	TRC_MAP_KINDS,
};

struct trc_map_kind {
	const char *name;
	unsigned ink;
	char letter;
	char colour; /* of a terminal, the last digit */
};

extern const struct trc_map_kind trc_map_kinds[TRC_MAP_KINDS];

/* Returns how a cell with these touches (TRC_TOUCH_READ and others) is drawn. */
int trc_map_kind_of(uint8_t touch);

/* Returns the name of a kind if the trace may have cells of it, else NULL. A trace without types
 * has only "touched". */
const char *trc_map_kind_name(const struct trc_address_map *m, int kind);

/* Write the first address of a region, and the address after its last, which may be 2^64. They are
 * pages if the map has only pages, and are preceded by the number of the address space if there are
 * several. */
void trc_map_address(const struct trc_address_map *m, const struct trc_map_region *r, char *dst,
                     size_t room);
void trc_map_address_end(const struct trc_address_map *m, const struct trc_map_region *r, char *dst,
                         size_t room);

#endif
