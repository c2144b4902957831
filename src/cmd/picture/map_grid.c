/* SPDX-License-Identifier: MIT */
#include "cmd/picture/map_grid.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cmd/picture/canvas.h"

static bool
begins_region(const struct trc_address_map *m, size_t row, uint64_t gap)
{
	return row == 0 || m->row[row].space != m->row[row - 1].space ||
	       m->row[row].granule - m->row[row - 1].granule > gap;
}

/* Finds the regions that are separated by the smallest gap that leaves at most `most` of them. If
 * there are more address spaces than regions are possible, the last region has all the rest. */
static void
find_regions(struct trc_map_grid *g, size_t most)
{
	const struct trc_address_map *m = g->map;
	uint64_t gap = 8 + m->rows / 16;
	size_t n;

	for (;; gap *= 2) {
		n = 0;
		for (size_t r = 0; r < m->rows; r++)
			n += begins_region(m, r, gap);
		if (n <= most || gap > UINT64_MAX / 4)
			break;
	}
	g->regions = 0;
	for (size_t r = 0; r < m->rows; r++) {
		if (begins_region(m, r, gap) && g->regions < TRC_MAP_REGIONS)
			g->region[g->regions++] =
			        (struct trc_map_region){ .row = r, .first = m->row[r].granule };
		struct trc_map_region *last = &g->region[g->regions - 1];

		last->rows++;
		last->last = m->row[r].granule > last->last ? m->row[r].granule : last->last;
		last->first = m->row[r].granule < last->first ? m->row[r].granule : last->first;
	}
}

static unsigned
whole(double cells, unsigned unit)
{
	return (unsigned)cells / unit * unit;
}

/* Gives regions a height in proportion to their extent, but at least `least`. */
static void
place_regions(struct trc_map_grid *g, unsigned least, unsigned unit)
{
	const unsigned gaps = g->regions ? (unsigned)(g->regions - 1) * g->gap : 0;
	const unsigned shared = g->height - gaps - least * (unsigned)g->regions;
	unsigned cell = 0;
	double all = 0, so_far = 0;

	for (size_t i = 0; i < g->regions; i++)
		all += (double)(g->region[i].last - g->region[i].first) + 1;
	for (size_t i = 0; i < g->regions; i++) {
		struct trc_map_region *r = &g->region[i];
		const unsigned before = whole(so_far / all * shared, unit);

		so_far += (double)(r->last - r->first) + 1;
		r->cell = cell;
		r->height = least + whole(so_far / all * shared, unit) - before;
		cell += r->height + g->gap;
	}
}

/* Finds the cells that granule or span `at` of `of` reaches into. */
static void
cells_of(uint64_t at, uint64_t of, unsigned cells, unsigned *first, unsigned *end)
{
	*first = (unsigned)((double)at / (double)of * cells);
	*end = (unsigned)ceil(((double)at + 1) / (double)of * cells - 1e-9);
	*first = *first < cells ? *first : cells - 1;
	*end = *end > *first ? *end < cells ? *end : cells : *first + 1;
}

static void
fill_row(struct trc_map_grid *g, const struct trc_map_region *r,
         const struct trc_address_map_row *row)
{
	unsigned y0, y1, x0, x1;

	cells_of(row->granule - r->first, r->last - r->first + 1, r->height, &y0, &y1);
	for (size_t s = 0; s < g->map->spans; s++) {
		if (!row->touch[s])
			continue;
		cells_of(s, g->map->spans, g->width, &x0, &x1);
		for (unsigned y = r->cell + y0; y < r->cell + y1; y++)
			for (unsigned x = x0; x < x1; x++)
				g->touch[(size_t)y * g->width + x] |= row->touch[s];
	}
}

int
trc_map_grid_make(struct trc_map_grid *g, const struct trc_address_map *map,
                  const struct trc_map_shape *shape, struct trc_err *err)
{
	const unsigned width = shape->width, height = shape->height, gap = shape->gap;
	unsigned least = shape->least;

	const size_t few = height / (2 * (gap + least)); /* half of the height is for extents */

	*g = (struct trc_map_grid){ .map = map, .width = width, .height = height, .gap = gap };
	find_regions(g, few > TRC_MAP_REGIONS ? TRC_MAP_REGIONS : few ? few : 1);
	if (g->regions * (gap + least) > height)
		g->gap = least = 0; /* the picture is too small for gaps */
	place_regions(g, least, shape->unit);
	g->touch = trc_alloc((size_t)width * height, 1, err);
	if (!g->touch)
		return -1;
	memset(g->touch, 0, (size_t)width * height);
	for (size_t i = 0; i < g->regions; i++)
		for (size_t r = 0; r < g->region[i].rows && g->region[i].height; r++)
			fill_row(g, &g->region[i], &map->row[g->region[i].row + r]);
	return 0;
}

int
trc_map_kind_of(uint8_t touch)
{
	const bool r = touch & TRC_TOUCH_READ, w = touch & TRC_TOUCH_WRITE;

	return r && w                  ? TRC_MAP_BOTH :
	       w                       ? TRC_MAP_WRITE :
	       r                       ? TRC_MAP_READ :
	       touch & TRC_TOUCH_FETCH ? TRC_MAP_FETCH :
	                                 TRC_MAP_NOTHING;
}

const struct trc_map_kind trc_map_kinds[TRC_MAP_KINDS] = {
	[TRC_MAP_NOTHING] = { "", TRC_INK_PAPER, ' ', '9' },
	[TRC_MAP_READ] = { "read", TRC_INK_READ, 'r', '4' },
	[TRC_MAP_WRITE] = { "written", TRC_INK_WRITTEN, 'w', '1' },
	[TRC_MAP_BOTH] = { "read and written", TRC_INK_BOTH, 'b', '5' },
	[TRC_MAP_FETCH] = { "executed", TRC_INK_EXECUTED, 'x', '2' },
};

const char *
trc_map_kind_name(const struct trc_address_map *m, int kind)
{
	static const uint8_t needs[TRC_MAP_KINDS] = { [TRC_MAP_READ] = TRC_TOUCH_READ,
		                                      [TRC_MAP_WRITE] = TRC_TOUCH_WRITE,
		                                      [TRC_MAP_BOTH] = TRC_TOUCH_READ |
		                                                       TRC_TOUCH_WRITE,
		                                      [TRC_MAP_FETCH] = TRC_TOUCH_FETCH };

	if (m->seen == 0)
		return kind == TRC_MAP_READ ? "touched" : NULL;
	return (m->seen & needs[kind]) == needs[kind] ? trc_map_kinds[kind].name : NULL;
}

/* Writes hexadecimal digits as an address or page, with its address space if there are several. */
static void
put_address(const struct trc_address_map *m, const struct trc_map_region *r, const char *digits,
            char *dst, size_t room)
{
	const uint32_t space = m->row[r->row].space;
	char of[16] = "";

	if (m->row[0].space != m->row[m->rows - 1].space)
		snprintf(of, sizeof(of), "%lu:", (unsigned long)space);
	snprintf(dst, room, "%s%s0x%s", of, m->pages ? "page " : "", digits);
}

void
trc_map_address(const struct trc_address_map *m, const struct trc_map_region *r, char *dst,
                size_t room)
{
	char digits[32];

	snprintf(digits, sizeof(digits), "%llx", (ull)(r->first << m->bits));
	put_address(m, r, digits, dst, room);
}

void
trc_map_address_end(const struct trc_address_map *m, const struct trc_map_region *r, char *dst,
                    size_t room)
{
	const uint64_t end = (r->last + 1) << m->bits;
	char digits[32];

	snprintf(digits, sizeof(digits), "%llx", (ull)end);
	put_address(m, r, end ? digits : "10000000000000000", dst, room);
}
