/* SPDX-License-Identifier: MIT
 *
 * The cells of a picture of addresses against time: granules laid out once, from below, one region
 * above the other, for a canvas and for a terminal.
 */
#ifndef TRC_CMD_PICTURE_MAP_GRID_H
#define TRC_CMD_PICTURE_MAP_GRID_H

#include <stddef.h>
#include <stdint.h>

#include "base/base.h"
#include "stage/profile/address_map.h"

enum { TRC_MAP_REGIONS = 24 }; /* at most */

/* Granules of one space, without much that is empty between them. */
struct trc_map_region {
	size_t row, rows;      /* of the map */
	uint64_t first, last;  /* granules */
	unsigned cell, height; /* the lowest cell, and how many it has */
};

/* Cells: what is touched in each, the lowest row first. */
struct trc_map_grid {
	const struct trc_address_map *map;
	struct trc_map_region region[TRC_MAP_REGIONS];
	size_t regions;
	unsigned width, height, gap;
	uint8_t *touch;
};

/* A grid that is wanted: cells, how many are between two regions, how many each has at least, and
 * of how many its height is a multiple: two where two are in a line. */
struct trc_map_shape {
	unsigned width, height, gap, least, unit;
};

/* Makes the grid; g->touch is to be freed. */
int trc_map_grid_make(struct trc_map_grid *g, const struct trc_address_map *map,
                      const struct trc_map_shape *shape, struct trc_err *err) TRC_MUST_USE;

/* What a cell is drawn as: data before code, writes before reads. */
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

int trc_map_kind_of(uint8_t touch);

/* What a kind is called if the trace may have cells of it, else NULL. Traces without types
 * touch. */
const char *trc_map_kind_name(const struct trc_address_map *m, int kind);

/* The first address of a region, and the one behind its last, which may be 2^64; pages where
 * addresses are not known; behind the number of its space, if there are several. */
void trc_map_address(const struct trc_address_map *m, const struct trc_map_region *r, char *dst,
                     size_t room);
void trc_map_address_behind(const struct trc_address_map *m, const struct trc_map_region *r,
                            char *dst, size_t room);

#endif
