/* SPDX-License-Identifier: MIT
 *
 * Pictures of addresses against time. Granules are laid out once, from below, and then drawn by the
 * same grid of cells on a canvas and in a terminal.
 */
#include "cmd/picture/map_draw.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/report.h"

enum {
	REGIONS_MOST = 24,
	LEFT = 150,
	RIGHT = 24,
	TOP = 66,
	BOTTOM = 54,
	SIZE = 13,
	SMALL = 11,
	GAP = 6, /* between regions, in points; rows of a terminal have one */
	X_TICK = 72,
	TERMINAL_ROWS = 40, /* halves of lines */
	TERMINAL_SCALE = 20,
};

/* Granules of one space, without much that is empty between them. */
struct region {
	size_t row, rows;      /* of the map */
	uint64_t first, last;  /* granules */
	unsigned cell, height; /* the lowest cell, and how many it has */
};

/* Cells: what is touched in each, the lowest row first. */
struct grid {
	const struct trc_address_map *map;
	struct region region[REGIONS_MOST];
	size_t regions;
	unsigned width, height, gap;
	uint8_t *touch;
};

static bool
begins_region(const struct trc_address_map *m, size_t row, uint64_t gap)
{
	return row == 0 || m->row[row].space != m->row[row - 1].space ||
	       m->row[row].granule - m->row[row - 1].granule > gap;
}

/* Finds the regions for the smallest gap that leaves few of them. If spaces alone are more, the
 * last region has all the rest. */
static void
find_regions(struct grid *g)
{
	const struct trc_address_map *m = g->map;
	uint64_t gap = 8 + m->rows / 16;
	size_t n;

	for (;; gap *= 2) {
		n = 0;
		for (size_t r = 0; r < m->rows; r++)
			n += begins_region(m, r, gap);
		if (n <= REGIONS_MOST || gap > UINT64_MAX / 4)
			break;
	}
	g->regions = 0;
	for (size_t r = 0; r < m->rows; r++) {
		if (begins_region(m, r, gap) && g->regions < REGIONS_MOST)
			g->region[g->regions++] = (struct region){ .row = r,
				                                   .first = m->row[r].granule };
		struct region *last = &g->region[g->regions - 1];

		last->rows++;
		last->last = m->row[r].granule > last->last ? m->row[r].granule : last->last;
		last->first = m->row[r].granule < last->first ? m->row[r].granule : last->first;
	}
}

/* Gives regions cells by their extents, and each a few at least. */
static void
place_regions(struct grid *g, unsigned least)
{
	const unsigned gaps = g->regions ? (unsigned)(g->regions - 1) * g->gap : 0;
	const unsigned shared = g->height - gaps - least * (unsigned)g->regions;
	unsigned cell = 0;
	double all = 0, so_far = 0;

	for (size_t i = 0; i < g->regions; i++)
		all += (double)(g->region[i].last - g->region[i].first) + 1;
	for (size_t i = 0; i < g->regions; i++) {
		struct region *r = &g->region[i];
		const unsigned before = (unsigned)(so_far / all * shared);

		so_far += (double)(r->last - r->first) + 1;
		r->cell = cell;
		r->height = least + (unsigned)(so_far / all * shared) - before;
		cell += r->height + g->gap;
	}
}

/* The cells of a granule, or of a span: all that its share of `cells` reaches into. */
static void
cells_of(uint64_t at, uint64_t of, unsigned cells, unsigned *first, unsigned *end)
{
	*first = (unsigned)((double)at / (double)of * cells);
	*end = (unsigned)ceil(((double)at + 1) / (double)of * cells - 1e-9);
	*first = *first < cells ? *first : cells - 1;
	*end = *end > *first ? *end < cells ? *end : cells : *first + 1;
}

static void
fill_row(struct grid *g, const struct region *r, const struct trc_address_map_row *row)
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

/* Makes the grid; its cells are to be freed. */
static int
make_grid(struct grid *g, const struct trc_address_map *map, unsigned width, unsigned height,
          unsigned gap, unsigned least, struct trc_err *err)
{
	*g = (struct grid){ .map = map, .width = width, .height = height, .gap = gap };
	find_regions(g);
	if (g->regions * (gap + least) > height)
		g->gap = least = 0; /* a picture that is too small for all that */
	place_regions(g, least);
	g->touch = trc_alloc((size_t)width * height, 1, err);
	if (!g->touch)
		return -1;
	memset(g->touch, 0, (size_t)width * height);
	for (size_t i = 0; i < g->regions; i++)
		for (size_t r = 0; r < g->region[i].rows && g->region[i].height; r++)
			fill_row(g, &g->region[i], &map->row[g->region[i].row + r]);
	return 0;
}

/* What a cell is drawn as: data before code, writes before reads. */
enum { NOTHING, READ, WRITE, BOTH, FETCH, KINDS };

static int
kind_of(uint8_t touch)
{
	const bool r = touch & TRC_TOUCH_READ, w = touch & TRC_TOUCH_WRITE;

	return r && w ? BOTH : w ? WRITE : r ? READ : touch & TRC_TOUCH_FETCH ? FETCH : NOTHING;
}

static const struct {
	const char *name;
	unsigned ink;
	char letter;
	const char *colour; /* of a terminal */
} kinds[KINDS] = {
	[NOTHING] = { "", TRC_INK_PAPER, ' ', "39" },
	[READ] = { "read", TRC_INK_SERIES, 'r', "34" },
	[WRITE] = { "written", TRC_INK_SERIES + 1, 'w', "31" },
	[BOTH] = { "read and written", TRC_INK_SERIES + 3, 'b', "35" },
	[FETCH] = { "executed", TRC_INK_SERIES + 2, 'x', "32" },
};

/* The address of a granule of a region, or its page where addresses are not known; behind the
 * number of its space, if there are several. */
static void
address_text(const struct trc_address_map *m, const struct region *r, uint64_t granule, char *dst,
             size_t room)
{
	const uint32_t space = m->row[r->row].space;
	char of[16] = "";

	if (m->row[0].space != m->row[m->rows - 1].space)
		snprintf(of, sizeof(of), "%lu:", (unsigned long)space);
	snprintf(dst, room, "%s%s0x%llx", of, m->pages ? "page " : "",
	         (unsigned long long)(granule << m->bits));
}

/* The drawing on a canvas. */
struct drawing {
	const struct trc_map_picture *p;
	const struct trc_canvas *c;
	struct grid g;
	double width, height;
};

static int
text(const struct drawing *d, double x, double y, const char *words, enum trc_anchor anchor,
     double size, unsigned ink, struct trc_err *err)
{
	return d->c->text(d->c->to, (struct trc_point){ x, y }, words, anchor, size, false, ink,
	                  err);
}

/* Runs of cells of one kind, row by row. */
static int
draw_kind(const struct drawing *d, int kind, struct trc_rect *rect, struct trc_err *err)
{
	const struct grid *g = &d->g;
	size_t n = 0;

	for (unsigned y = 0; y < g->height; y++) {
		const uint8_t *row = g->touch + (size_t)y * g->width;

		for (unsigned x = 0, end; x < g->width; x = end) {
			const int is = kind_of(row[x]);

			for (end = x + 1; end < g->width && kind_of(row[end]) == is; end++)
				;
			if (is == kind)
				rect[n++] = (struct trc_rect){ LEFT + x, TOP + g->height - 1 - y,
					                       end - x, 1 };
		}
	}
	return d->c->rects(d->c->to, rect, n, kinds[kind].ink, err);
}

static int
draw_cells(const struct drawing *d, struct trc_err *err)
{
	struct trc_rect *rect = trc_alloc((size_t)d->g.width * d->g.height, sizeof(*rect), err);
	int ret = rect ? 0 : -1;

	for (int kind = READ; kind < KINDS && ret == 0; kind++)
		ret = draw_kind(d, kind, rect, err);
	free(rect);
	return ret;
}

static int
draw_legend(const struct drawing *d, struct trc_err *err)
{
	double x = LEFT;

	for (int kind = READ; kind < KINDS; kind++) {
		const struct trc_rect sample = { x, TOP - 24, 12, 12 };

		if (d->c->rects(d->c->to, &sample, 1, kinds[kind].ink, err) ||
		    text(d, x + 18, TOP - 14, kinds[kind].name, TRC_ANCHOR_START, SIZE,
		         TRC_INK_TEXT, err))
			return -1;
		x += 40 + trc_text_width(kinds[kind].name, SIZE);
	}
	return 0;
}

/* The lowest address of a region beside its lowest cell, and the highest if there is room; what is
 * cut between two is marked by a line. */
static int
draw_region(const struct drawing *d, const struct region *r, double *free_to, struct trc_err *err)
{
	const double bottom = TOP + d->g.height - r->cell, top = bottom - r->height;
	const struct trc_point cut[] = { { LEFT - 6, top - GAP / 2.0 },
		                         { LEFT + d->g.width, top - GAP / 2.0 } };
	char words[48];

	if (bottom <= *free_to) {
		address_text(d->p->map, r, r->first, words, sizeof(words));
		if (text(d, LEFT - 8, bottom, words, TRC_ANCHOR_END, SMALL, TRC_INK_TEXT, err))
			return -1;
		*free_to = bottom - SMALL - 2;
	}
	if (top + SMALL <= *free_to) {
		address_text(d->p->map, r, r->last + 1, words, sizeof(words));
		if (text(d, LEFT - 8, top + SMALL - 1, words, TRC_ANCHOR_END, SMALL, TRC_INK_FAINT,
		         err))
			return -1;
		*free_to = top - 2;
	}
	if (r->cell + r->height + d->g.gap >= d->g.height)
		return 0;
	return d->c->line(d->c->to, cut, 2, (struct trc_stroke){ TRC_INK_GRID, 2, 1 }, err);
}

static int
draw_time(const struct drawing *d, struct trc_err *err)
{
	const double bottom = TOP + d->g.height;
	char label[64] = "references";
	struct trc_scale x;

	if (d->p->one_in)
		snprintf(label, sizeof(label), "references of one block in %llu",
		         (unsigned long long)d->p->one_in);
	trc_scale_make(&x, 0, (double)d->p->map->refs, false, false, TRC_UNIT_NUMBER,
	               (unsigned)fmax(2, d->g.width / X_TICK));
	for (size_t i = 0; i < x.ticks; i++) {
		const double at = LEFT + trc_scale_place(&x, x.tick[i].value) * d->g.width;
		const struct trc_point mark[] = { { at, bottom }, { at, bottom + 4 } };

		if (d->c->line(d->c->to, mark, 2, (struct trc_stroke){ TRC_INK_FAINT, 0, 1 },
		               err) ||
		    text(d, at, bottom + 19, x.tick[i].label, TRC_ANCHOR_MIDDLE, SIZE, TRC_INK_TEXT,
		         err))
			return -1;
	}
	return text(d, LEFT + d->g.width / 2.0, bottom + 42, label, TRC_ANCHOR_MIDDLE, SIZE,
	            TRC_INK_TEXT, err);
}

static int
draw_all(const struct drawing *d, struct trc_err *err)
{
	const double bottom = TOP + d->g.height;
	const struct trc_point frame[] = { { LEFT, TOP },
		                           { LEFT, bottom },
		                           { LEFT + d->g.width, bottom } };
	double free_to = bottom;

	if (text(d, LEFT + d->g.width / 2.0, 28, d->p->title, TRC_ANCHOR_MIDDLE, 16, TRC_INK_TEXT,
	         err))
		return -1;
	if (d->p->map->refs == 0)
		return text(d, d->width / 2, d->height / 2, "nothing to show", TRC_ANCHOR_MIDDLE,
		            SIZE, TRC_INK_FAINT, err);
	if (draw_legend(d, err) || draw_cells(d, err) || draw_time(d, err) ||
	    d->c->line(d->c->to, frame, TRC_COUNT(frame),
	               (struct trc_stroke){ TRC_INK_FAINT, 0, 1 }, err))
		return -1;
	for (size_t i = 0; i < d->g.regions; i++)
		if (draw_region(d, &d->g.region[i], &free_to, err))
			return -1;
	return 0;
}

int
trc_map_draw(const void *picture, const struct trc_canvas *c, struct trc_err *err)
{
	const struct trc_map_picture *p = picture;
	struct drawing d = { .p = p, .c = c, .width = p->sheet.width, .height = p->sheet.height };
	const unsigned width = (unsigned)fmax(20, d.width - LEFT - RIGHT),
	               height = (unsigned)fmax(20, d.height - TOP - BOTTOM);
	int ret = make_grid(&d.g, p->map, width, height, GAP, 3, err);

	ret = ret ? ret : draw_all(&d, err);
	free(d.g.touch);
	return ret;
}

/* A line of two rows of cells: an upper and a lower half, or a letter. */
static int
put_line(const struct grid *g, unsigned y, const char *label, bool blocks, bool colours,
         struct trc_out *out, struct trc_err *err)
{
	static const char *const half[] = { " ", "\xe2\x96\x84", "\xe2\x96\x80", "\xe2\x96\x88" };

	if (trc_report(out, err, "%*s |", TERMINAL_SCALE - 2, label))
		return -1;
	for (unsigned x = 0; x < g->width; x++) {
		const uint8_t low = g->touch[(size_t)y * g->width + x],
		              high = g->touch[(size_t)(y + 1) * g->width + x];
		const int kind = kind_of(low | high);
		const char letter[] = { kinds[kind].letter, 0 };
		const char *shape = blocks ? half[(low ? 1 : 0) + (high ? 2 : 0)] : letter;

		if (colours && kind ?
		            trc_report(out, err, "\033[%sm%s\033[0m", kinds[kind].colour, shape) :
		            trc_report(out, err, "%s", shape))
			return -1;
	}
	return trc_report(out, err, "\n");
}

/* The region that begins in a line, if one does. */
static void
label_of(const struct grid *g, unsigned y, char *dst, size_t room)
{
	*dst = 0;
	for (size_t i = 0; i < g->regions; i++)
		if (g->region[i].height && g->region[i].cell / 2 == y / 2)
			address_text(g->map, &g->region[i], g->region[i].first, dst, room);
}

static int
put_grid(const struct grid *g, bool colours, struct trc_out *out, struct trc_err *err)
{
	const bool blocks = trc_plot_blocks();
	char label[48], line[256];

	for (unsigned y = g->height; y > 0; y -= 2) {
		label_of(g, y - 2, label, sizeof(label));
		if (put_line(g, y - 2, label, blocks, colours, out, err))
			return -1;
	}
	memset(line, '-', sizeof(line));
	return trc_report(out, err, "%*s +%.*s\n%*s0%*llu\n", TERMINAL_SCALE - 2, "", (int)g->width,
	                  line, TERMINAL_SCALE, "", (int)g->width - 1,
	                  (unsigned long long)g->map->refs);
}

int
trc_map_terminal(const struct trc_address_map *map, unsigned columns, struct trc_out *out,
                 struct trc_err *err)
{
	struct grid g;
	int ret;

	if (map->refs == 0)
		return 0;
	ret = make_grid(&g, map, columns - TERMINAL_SCALE, TERMINAL_ROWS, 2, 2, err);
	ret = ret ? ret : put_grid(&g, trc_out_terminal(out), out, err);
	free(g.touch);
	return ret;
}
