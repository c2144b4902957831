/* SPDX-License-Identifier: MIT
 *
 * Draws addresses against time: a grid of cells on a canvas or in a terminal.
 */
#include "cmd/picture/map_draw.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/picture/map_grid.h"
#include "cmd/report.h"

enum {
	LEFT = 150,
	RIGHT = 24,
	TOP = 66,
	BOTTOM = 54,
	SIZE = 13,
	SMALL = 11,
	SAMPLE = 36, /* of a legend entry, including the space around it */
	GAP = 6,     /* between regions, in points; one row in a terminal */
	X_TICK = 72,
	TERMINAL_ROWS = 48, /* half lines */
	TERMINAL_SCALE = 20,
};

/* The state of drawing on a canvas. */
struct drawing {
	const struct trc_map_picture *p;
	const struct trc_canvas *c;
	struct trc_map_grid g;
	double width, height;
};

static const struct trc_text_style centred = { TRC_ANCHOR_MIDDLE, SIZE, TRC_INK_TEXT, false },
                                   before = { TRC_ANCHOR_END, SMALL, TRC_INK_TEXT, false },
                                   faint = { TRC_ANCHOR_MIDDLE, SIZE, TRC_INK_FAINT, false },
                                   sideways = { TRC_ANCHOR_MIDDLE, SIZE, TRC_INK_TEXT, true };

static int
text(const struct drawing *d, double x, double y, const char *words, struct trc_text_style style,
     struct trc_err *err)
{
	return d->c->text(d->c->to, (struct trc_point){ x, y }, words, style, err);
}

/* Draws the cells of one kind, as runs in each row. */
static int
draw_kind(const struct drawing *d, int kind, struct trc_rect *rect, struct trc_err *err)
{
	const struct trc_map_grid *g = &d->g;
	size_t n = 0;

	for (unsigned y = 0; y < g->height; y++) {
		const uint8_t *row = g->touch + (size_t)y * g->width;

		for (unsigned x = 0, end; x < g->width; x = end) {
			const int is = trc_map_kind_of(row[x]);

			for (end = x + 1; end < g->width && trc_map_kind_of(row[end]) == is; end++)
				;
			if (is == kind)
				rect[n++] = (struct trc_rect){ LEFT + x, TOP + g->height - 1 - y,
					                       end - x, 1 };
		}
	}
	return d->c->rects(d->c->to, rect, n, trc_map_kinds[kind].ink, err);
}

static int
draw_cells(const struct drawing *d, struct trc_err *err)
{
	struct trc_rect *rect = trc_alloc((size_t)d->g.width * d->g.height, sizeof(*rect), err);
	int ret = rect ? 0 : -1;

	for (int kind = TRC_MAP_READ; kind < TRC_MAP_KINDS && ret == 0; kind++)
		ret = draw_kind(d, kind, rect, err);
	free(rect);
	return ret;
}

/* Returns the width of the legend. */
static double
legend_width(const struct trc_address_map *m, double size)
{
	double width = 0;

	for (int kind = TRC_MAP_READ; kind < TRC_MAP_KINDS; kind++) {
		const char *name = trc_map_kind_name(m, kind);

		width += name ? SAMPLE + trc_text_width(name, size) : 0;
	}
	return width;
}

/* Draws the legend above the frame, starting left of it if there is no room. */
static int
draw_legend(const struct drawing *d, struct trc_err *err)
{
	const struct trc_address_map *m = d->p->map;
	const double size = legend_width(m, SIZE) < d->width - LEFT ? SIZE : SMALL;
	double x = fmax(SMALL, fmin(LEFT, d->width - legend_width(m, size)));

	for (int kind = TRC_MAP_READ; kind < TRC_MAP_KINDS; kind++) {
		const struct trc_rect sample = { x, TOP - 24, 12, 12 };
		const char *name = trc_map_kind_name(m, kind);

		if (!name)
			continue;
		if (d->c->rects(d->c->to, &sample, 1, trc_map_kinds[kind].ink, err) ||
		    text(d, x + 18, TOP - 14, name,
		         (struct trc_text_style){ TRC_ANCHOR_START, size, TRC_INK_TEXT, false },
		         err))
			return -1;
		x += SAMPLE + trc_text_width(name, size);
	}
	return 0;
}

/* Marks a cut between two regions by a dashed line, and by two strokes across the axis. */
static int
draw_cut(const struct drawing *d, double y, struct trc_err *err)
{
	const struct trc_point line[] = { { LEFT + 6, y }, { LEFT + d->g.width, y } };
	const struct trc_stroke axis = { TRC_INK_FAINT, 0, 1 };

	for (int side = -1; side <= 1; side += 2) {
		const double at = y + side * d->g.gap / 2.0;
		const struct trc_point stroke[] = { { LEFT - 4, at + 2 }, { LEFT + 4, at - 2 } };

		if (d->c->line(d->c->to, stroke, 2, axis, err))
			return -1;
	}
	return d->c->line(d->c->to, line, 2, (struct trc_stroke){ TRC_INK_GRID, 2, 1 }, err);
}

/* Writes the first address of a region at its lowest cell, and the end of the region at its highest
 * if there is room. */
static int
draw_region(const struct drawing *d, const struct trc_map_region *r, double *free_to,
            struct trc_err *err)
{
	const double bottom = TOP + d->g.height - r->cell, top = bottom - r->height;
	const struct trc_point axis[] = { { LEFT, bottom }, { LEFT, top } };
	char words[48];

	if (d->c->line(d->c->to, axis, 2, (struct trc_stroke){ TRC_INK_FAINT, 0, 1 }, err))
		return -1;

	if (bottom <= *free_to) {
		trc_map_address(d->p->map, r, words, sizeof(words));
		if (text(d, LEFT - 8, bottom, words, before, err))
			return -1;
		*free_to = bottom - SMALL - 2;
	}
	if (top + SMALL <= *free_to) {
		trc_map_address_end(d->p->map, r, words, sizeof(words));
		if (text(d, LEFT - 8, top + SMALL - 1, words,
		         (struct trc_text_style){ TRC_ANCHOR_END, SMALL, TRC_INK_FAINT, false },
		         err))
			return -1;
		*free_to = top - 2;
	}
	if (r->cell + r->height + d->g.gap >= d->g.height)
		return 0;
	return draw_cut(d, top - d->g.gap / 2.0, err);
}

static int
draw_time(const struct drawing *d, struct trc_err *err)
{
	const double bottom = TOP + d->g.height;
	char label[64] = "references";
	struct trc_scale x;

	if (d->p->one_in)
		snprintf(label, sizeof(label), "references of one block in %llu",
		         (ull)d->p->one_in);
	trc_scale_make(&x, 0, (double)d->p->map->refs, false, false, TRC_UNIT_COUNT,
	               (unsigned)fmax(2, d->g.width / X_TICK));
	for (size_t i = 0; i < x.ticks; i++) {
		const double at = LEFT + trc_scale_place(&x, x.tick[i].value) * d->g.width;
		const struct trc_point mark[] = { { at, bottom }, { at, bottom + 4 } };

		if (d->c->line(d->c->to, mark, 2, (struct trc_stroke){ TRC_INK_FAINT, 0, 1 },
		               err) ||
		    text(d, at, bottom + 19, x.tick[i].label, centred, err))
			return -1;
	}
	return text(d, LEFT + d->g.width / 2.0, bottom + 42, label, centred, err);
}

/* Writes the title above the frame; if it is too long, centred in the picture, and then without its
 * middle. */
static int
draw_title(const struct drawing *d, struct trc_err *err)
{
	const double room = d->width - SIZE,
	             size = trc_text_width(d->p->title, 16) < room ? 16 : SMALL,
	             half = d->g.width / 2.0 + RIGHT;
	char words[TRC_TEXT_ROOM];

	trc_text_cut(d->p->title, size, room, words);
	return text(d, trc_text_width(words, size) < 2 * half ? LEFT + half - RIGHT : d->width / 2,
	            28, words,
	            (struct trc_text_style){ TRC_ANCHOR_MIDDLE, size, TRC_INK_TEXT, false }, err);
}

static int
draw_all(const struct drawing *d, struct trc_err *err)
{
	const double bottom = TOP + d->g.height;
	const struct trc_point below[] = { { LEFT, bottom }, { LEFT + d->g.width, bottom } };
	double free_to = bottom;

	if (draw_title(d, err))
		return -1;
	if (d->p->map->refs == 0)
		return text(d, d->width / 2, d->height / 2, "nothing to draw", faint, err);
	if (draw_legend(d, err) || draw_cells(d, err) || draw_time(d, err) ||
	    d->c->line(d->c->to, below, 2, (struct trc_stroke){ TRC_INK_FAINT, 0, 1 }, err) ||
	    d->c->text(d->c->to, (struct trc_point){ SIZE + 3, TOP + d->g.height / 2.0 },
	               d->p->map->pages ? "page" : "address", sideways, err))
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
	const struct trc_map_shape shape = { width, height, GAP, 3, 1 };
	int ret = trc_map_grid_make(&d.g, p->map, &shape, err);

	ret = ret ? ret : draw_all(&d, err);
	free(d.g.touch);
	return ret;
}

/* Writes two cells, one above the other, as one character: a half block in both colours. */
static int
put_halves(int low, int high, struct trc_out *out, struct trc_err *err)
{
	static const char *const half[] = { "\xe2\x96\x84", "\xe2\x96\x80", "\xe2\x96\x88" };

	if (low == high && low == TRC_MAP_NOTHING)
		return trc_report(out, err, " ");
	if (low == high || !low || !high)
		return trc_report(out, err, "\033[3%cm%s\033[0m",
		                  trc_map_kinds[low ? low : high].colour,
		                  half[low == high ? 2 : !low]);
	return trc_report(out, err, "\033[3%c;4%cm%s\033[0m", trc_map_kinds[high].colour,
	                  trc_map_kinds[low].colour, half[1]);
}

/* Writes a line of two rows of cells: coloured half blocks, or a letter for both if there are no
 * colours. Where addresses are cut out, the axis has a gap. */
static int
put_line(const struct trc_map_grid *g, unsigned y, const char *label, bool halves,
         struct trc_out *out, struct trc_err *err)
{
	const uint8_t *low = g->touch + (size_t)y * g->width, *high = low + g->width;
	bool cut = true;

	for (size_t i = 0; i < g->regions; i++)
		cut &= y < g->region[i].cell || y >= g->region[i].cell + g->region[i].height;
	if (trc_report(out, err, "%*s %c", TERMINAL_SCALE - 2, label, cut ? ':' : '|'))
		return -1;
	for (unsigned x = 0; x < g->width; x++)
		if (halves ? put_halves(trc_map_kind_of(low[x]), trc_map_kind_of(high[x]), out,
		                        err) :
		             trc_report(out, err, "%c",
		                        trc_map_kinds[trc_map_kind_of(low[x] | high[x])].letter))
			return -1;
	return trc_report(out, err, "\n");
}

/* Explains the colours or letters below the map. */
static int
put_kinds(const struct trc_map_grid *g, bool halves, struct trc_out *out, struct trc_err *err)
{
	if (trc_report(out, err, "%*s", TERMINAL_SCALE, ""))
		return -1;
	for (int kind = TRC_MAP_READ; kind < TRC_MAP_KINDS; kind++) {
		const char *name = trc_map_kind_name(g->map, kind);

		if (!name)
			continue;
		if (halves ? put_halves(kind, kind, out, err) :
		             trc_report(out, err, "%c", trc_map_kinds[kind].letter))
			return -1;
		if (trc_report(out, err, " %s  ", name))
			return -1;
	}
	return trc_report(out, err, "\n");
}

/* Sets `dst` to the address of the region that begins in a line, if there is one. */
static void
label_of(const struct trc_map_grid *g, unsigned y, char *dst, size_t room)
{
	*dst = 0;
	for (size_t i = 0; i < g->regions; i++)
		if (g->region[i].height && g->region[i].cell / 2 == y / 2)
			trc_map_address(g->map, &g->region[i], dst, room);
}

/* Writes the time axis, from the first reference to the last. */
static int
put_time(const struct trc_map_grid *g, struct trc_out *out, struct trc_err *err)
{
	char line[TRC_REPORT_COLUMNS], last[32];
	const int room = (int)g->width;
	const int end = snprintf(last, sizeof(last), "%llu", (ull)g->map->refs);

	memset(line, '-', sizeof(line));
	if (trc_report(out, err, "%*s +%.*s\n", TERMINAL_SCALE - 2, "", room, line) ||
	    trc_report(out, err, "%*s0%*s%*s\n", TERMINAL_SCALE, "", (room + 9) / 2, "references",
	               room - 1 - (room + 9) / 2, end < room / 2 - 6 ? last : ""))
		return -1;
	return 0;
}

static int
put_grid(const struct trc_map_grid *g, bool halves, struct trc_out *out, struct trc_err *err)
{
	char label[48];

	for (unsigned y = g->height; y > 0; y -= 2) {
		label_of(g, y - 2, label, sizeof(label));
		if (put_line(g, y - 2, label, halves, out, err))
			return -1;
	}
	return put_time(g, out, err) || put_kinds(g, halves, out, err) ? -1 : 0;
}

int
trc_map_terminal(const struct trc_address_map *map, unsigned columns, struct trc_out *out,
                 struct trc_err *err)
{
	const struct trc_map_shape shape = { columns - TERMINAL_SCALE, TERMINAL_ROWS, 2, 2, 2 };
	struct trc_map_grid g;
	int ret;

	if (map->refs == 0)
		return 0;
	ret = trc_map_grid_make(&g, map, &shape, err);
	ret = ret ? ret : put_grid(&g, trc_plot_colours(out), out, err);
	free(g.touch);
	return ret;
}
