/* SPDX-License-Identifier: MIT
 *
 * Pictures of miss curves: the ratio of misses upwards, the memory size to the right by its
 * logarithm. In a terminal as a filled shape of block characters, or of '#' where the locale is not
 * UTF-8; in SVG as lines, with nothing from outside the file.
 */
#include "cmd/stat/curve_plot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/report.h"

enum {
	COLUMNS = 70, /* of the shape, behind a scale of 9 */
	ROWS = 10,
	LINES_MOST = 8, /* curves in one picture */
};

/* The sizes from `least` to `most`, spread over places 0 to `places` - 1, in whole pages; the last
 * bits of pow() are not to be relied on. */
static uint64_t
size_at(uint64_t least, uint64_t most, unsigned place, unsigned places)
{
	const double at = (double)place / (places - 1);

	return (uint64_t)((double)least * pow((double)most / (double)least, at) * (1 + 1e-9));
}

/* The place of a size, the other way. */
static double
place_of(uint64_t least, uint64_t most, uint64_t size, double places)
{
	return log((double)size / (double)least) / log((double)most / (double)least) * places;
}

/* The range of a picture: of the sizes that were asked for, or of all that are of interest. */
static uint64_t
least_of(const struct trc_curves *c)
{
	uint64_t least = c->sizes ? UINT64_MAX / 2 : trc_curve_least(c);

	for (size_t i = 0; i < c->sizes; i++)
		least = c->size[i] < least ? c->size[i] : least;
	return least;
}

static uint64_t
most_of(const struct trc_curves *c, const struct trc_mrc_curve *curve)
{
	uint64_t most = c->sizes ? least_of(c) : trc_curve_most(c, curve);

	for (size_t i = 0; i < c->sizes; i++)
		most = c->size[i] > most ? c->size[i] : most;
	return most;
}

static bool
utf8(void)
{
	static const char *const name[] = { "LC_ALL", "LC_CTYPE", "LANG" };

	for (size_t i = 0; i < TRC_COUNT(name); i++) {
		const char *v = getenv(name[i]);

		if (v && *v)
			return strstr(v, "UTF-8") || strstr(v, "utf8") || strstr(v, "UTF8");
	}
	return false;
}

/* The character of a place that is filled by so many eighths, from below. */
static const char *
block(int eighths, bool blocks)
{
	static const char *const full[] = { " ",
		                            "\xe2\x96\x81",
		                            "\xe2\x96\x82",
		                            "\xe2\x96\x83",
		                            "\xe2\x96\x84",
		                            "\xe2\x96\x85",
		                            "\xe2\x96\x86",
		                            "\xe2\x96\x87",
		                            "\xe2\x96\x88" };
	const int n = eighths < 0 ? 0 : eighths > 8 ? 8 : eighths;

	if (blocks)
		return full[n];
	return n == 0 ? " " : n < 4 ? "." : n < 8 ? ":" : "#";
}

static int
plot_row(const int *eighths, int row, const char *scale, struct trc_out *out, struct trc_err *err)
{
	const bool blocks = utf8();
	char line[COLUMNS * 3 + 1];
	size_t len = 0, end = 0;

	for (int i = 0; i < COLUMNS; i++) {
		const char *b = block(eighths[i] - 8 * row, blocks);

		memcpy(line + len, b, strlen(b));
		len += strlen(b);
		end = *b == ' ' ? end : len;
	}
	return trc_report(out, err, "%8s |%.*s\n", scale, (int)end, line);
}

/* The sizes below the shape: powers of two, as many as fit. */
static int
plot_sizes(const struct trc_curves *c, uint64_t least, uint64_t most, struct trc_out *out,
           struct trc_err *err)
{
	char line[COLUMNS + 32];
	size_t end = 0;

	memset(line, ' ', sizeof(line));
	for (uint64_t m = 1; m <= most && m; m *= 2) {
		const size_t at = m < least ? 0 : (size_t)place_of(least, most, m, COLUMNS - 1);
		char label[32];
		size_t len;

		if (m < least || (end > 0 && at < end + 2))
			continue;
		if (c->bytes && m <= UINT64_MAX >> c->bits)
			trc_curve_bytes(m << c->bits, label, sizeof(label));
		else
			snprintf(label, sizeof(label), "%llu", (unsigned long long)m);
		len = strlen(label);
		if (at + len > COLUMNS)
			break;
		memcpy(line + at, label, len);
		end = at + len;
	}
	return trc_report(out, err, "%10s%.*s\n\n", "", (int)end, line);
}

/* How high a point stands: its ratio, or its misses if no ratio is known. */
static double
height(const struct trc_curve_point *p)
{
	return p->ratio >= 0 ? p->ratio : (double)p->misses;
}

/* A number of misses in few characters: "72.9k". */
static char *
misses_text(double v, char *dst, size_t room)
{
	static const char *const suffix[] = { "", "k", "M", "G", "T", "P", "E" };
	size_t i = 0;

	for (; v >= 999.5 && i + 1 < TRC_COUNT(suffix); i++)
		v /= 1000;
	snprintf(dst, room, "%.3g%s", v, suffix[i]);
	return dst;
}

int
trc_curve_plot(const struct trc_curves *c, const struct trc_mrc_curve *curve, struct trc_out *out,
               struct trc_err *err)
{
	const uint64_t least = least_of(c), most = most_of(c, curve);
	const struct trc_curve_point top = trc_curve_at(c, curve, least);
	char line[COLUMNS + 1];
	int eighths[COLUMNS];

	if (most == least || top.misses == 0)
		return 0;
	for (unsigned i = 0; i < COLUMNS; i++) {
		const struct trc_curve_point p = trc_curve_at(c, curve,
		                                              size_at(least, most, i, COLUMNS));

		eighths[i] = (int)ceil(height(&p) / height(&top) * 8 * ROWS);
	}
	for (int row = ROWS; row-- > 0;) {
		const double mark = height(&top) * (row + 1) / ROWS;
		char scale[32] = "";

		if (row % 2 && top.ratio >= 0)
			snprintf(scale, sizeof(scale), "%.*f %%", 100 * mark < 10 ? 2 : 1,
			         100 * mark);
		else if (row % 2)
			misses_text(mark, scale, sizeof(scale));
		if (plot_row(eighths, row, scale, out, err))
			return -1;
	}
	memset(line, '-', COLUMNS);
	line[COLUMNS] = 0;
	if (trc_report(out, err, "%8s +%s\n", "0", line))
		return -1;
	return plot_sizes(c, least, most, out, err);
}

/* SVG: the shape in a frame, in its own units. */
enum {
	LEFT = 80,
	TOP = 50,
	WIDTH = 680,
	HEIGHT = 330,
};

static const char *const colour[LINES_MOST] = { "#1f77b4", "#d62728", "#2ca02c", "#9467bd",
	                                        "#ff7f0e", "#17becf", "#8c564b", "#7f7f7f" };

/* A picture in the making. */
struct picture {
	const struct trc_curves *c;
	struct trc_out *out;
	const struct trc_mrc_curve *curve[LINES_MOST];
	size_t n;
	uint64_t least, most;
	double top, step; /* height of the frame, a whole number of steps */
	bool ratio;       /* it is a ratio */
};

static int
by_refs(const void *a, const void *b)
{
	const struct trc_mrc_curve *x = *(const struct trc_mrc_curve *const *)a;
	const struct trc_mrc_curve *y = *(const struct trc_mrc_curve *const *)b;

	return x->refs > y->refs ? -1 : x->refs < y->refs;
}

/* About a fifth of `top`, as a round number. */
static double
round_step(double top)
{
	const double unit = top > 0 ? pow(10, floor(log10(top / 5))) : 1, n = top / 5 / unit;

	return unit * (n > 5 ? 10 : n > 2 ? 5 : n > 1 ? 2 : 1);
}

/* Which curves, and how far and high they go. */
static int
begin_picture(struct picture *p, const struct trc_curves *c, struct trc_out *out,
              struct trc_err *err)
{
	const struct trc_mrc_curve **all = trc_alloc(c->mrc.n, sizeof(*all), err);

	if (!all)
		return -1;
	*p = (struct picture){ .c = c, .out = out, .least = least_of(c), .ratio = true };
	for (size_t i = 0; i < c->mrc.n; i++)
		all[i] = &c->mrc.curve[i];
	qsort(all, c->mrc.n, sizeof(*all), by_refs);
	p->most = 2 * p->least;
	for (; p->n < c->mrc.n && p->n < LINES_MOST; p->n++) {
		const struct trc_mrc_curve *curve = p->curve[p->n] = all[p->n];
		const struct trc_curve_point first = trc_curve_at(c, curve, p->least);
		const uint64_t most = most_of(c, curve);

		p->most = most > p->most ? most : p->most;
		p->top = height(&first) > p->top ? height(&first) : p->top;
		p->ratio &= first.ratio >= 0;
	}
	free(all);
	p->step = round_step(p->top);
	p->top = p->step * fmax(1, ceil(p->top / p->step * (1 - 1e-9)));
	return 0;
}

/* A label: its text may come from the name of a file. */
static int
svg_text(struct picture *p, double x, double y, const char *more, const char *text,
         struct trc_err *err)
{
	if (trc_report(p->out, err, "<text x=\"%.1f\" y=\"%.1f\"%s>", x, y, more))
		return -1;
	if (trc_report_xml(p->out, text, err))
		return -1;
	return trc_report(p->out, err, "</text>\n");
}

/* Sizes along the bottom, in units and in bytes: every power of two if they fit, or every other
 * one, and so on. */
static int
svg_sizes(struct picture *p, struct trc_err *err)
{
	const double step = place_of(p->least, p->most, 2 * p->least, WIDTH);
	const unsigned every = step >= 60 ? 1 : (unsigned)ceil(60 / step);
	unsigned power = 0;

	for (uint64_t m = 1; m <= p->most && m; m *= 2, power++) {
		const double x = LEFT + (m < p->least ? 0 : place_of(p->least, p->most, m, WIDTH));
		char label[32];

		if (m < p->least || power % every)
			continue;
		if (trc_report(
		            p->out, err,
		            "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" class=\"grid\"/>\n",
		            x, TOP, x, TOP + HEIGHT))
			return -1;
		snprintf(label, sizeof(label), "%llu", (unsigned long long)m);
		if (svg_text(p, x, TOP + HEIGHT + 18, " text-anchor=\"middle\"", label, err))
			return -1;
		if (!p->c->bytes || m > UINT64_MAX >> p->c->bits)
			continue;
		trc_curve_bytes(m << p->c->bits, label, sizeof(label));
		if (svg_text(p, x, TOP + HEIGHT + 34, " text-anchor=\"middle\" class=\"small\"",
		             label, err))
			return -1;
	}
	return 0;
}

static int
svg_heights(struct picture *p, struct trc_err *err)
{
	const int steps = (int)lround(p->top / p->step);

	for (int i = 0; i <= steps; i++) {
		const double y = TOP + HEIGHT - (double)HEIGHT * i / steps, v = p->step * i;
		char label[32];

		if (p->ratio)
			snprintf(label, sizeof(label), "%.3g %%", 100 * v);
		else
			misses_text(v, label, sizeof(label));
		if (trc_report(
		            p->out, err,
		            "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" class=\"grid\"/>\n",
		            LEFT, y, LEFT + WIDTH, y) ||
		    svg_text(p, LEFT - 8, y + 4, " text-anchor=\"end\"", label, err))
			return -1;
	}
	return 0;
}

/* How high a memory of so many pages stands: by its misses, or by its write-backs. */
static double
svg_y(const struct picture *p, const struct trc_mrc_curve *curve, uint64_t pages, bool writebacks)
{
	const struct trc_curve_point at = trc_curve_at(p->c, curve, pages);
	const uint64_t refs = trc_curve_refs(p->c, curve);
	const double v = !writebacks ? height(&at) :
	                 refs        ? (double)at.writebacks / (double)refs :
	                               (double)at.writebacks;

	return TOP + HEIGHT - (p->top > 0 ? v / p->top * HEIGHT : 0);
}

/* A dot on the line for each size that was asked for. */
static int
svg_dots(struct picture *p, const struct trc_mrc_curve *curve, bool writebacks, size_t n,
         struct trc_err *err)
{
	for (size_t i = 0; i < p->c->sizes; i++) {
		const uint64_t size = p->c->size[i];

		if (trc_report(p->out, err,
		               "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" fill=\"%s\"/>\n",
		               LEFT + place_of(p->least, p->most, size, WIDTH),
		               svg_y(p, curve, size, writebacks), colour[n]))
			return -1;
	}
	return 0;
}

/* One line: misses, or write-backs. */
static int
svg_line(struct picture *p, const struct trc_mrc_curve *curve, bool writebacks, size_t n,
         const char *name, struct trc_err *err)
{
	const char *dash = writebacks ? " stroke-dasharray=\"5 3\"" : "";
	const double y = TOP + 16 + 18 * (double)n;

	if (trc_report(p->out, err, "<path fill=\"none\" stroke=\"%s\" stroke-width=\"2\"%s d=\"",
	               colour[n], dash))
		return -1;
	for (unsigned i = 0; i <= WIDTH; i++)
		if (trc_report(p->out, err, "%c%u %.1f", i ? 'L' : 'M', LEFT + i,
		               svg_y(p, curve, size_at(p->least, p->most, i, WIDTH + 1),
		                     writebacks)))
			return -1;
	if (trc_report(p->out, err, "\"/>\n") || svg_dots(p, curve, writebacks, n, err) ||
	    trc_report(p->out, err,
	               "<line x1=\"%d\" y1=\"%.0f\" x2=\"%d\" y2=\"%.0f\" stroke=\"%s\" "
	               "stroke-width=\"2\"%s/>\n",
	               LEFT + WIDTH - 150, y, LEFT + WIDTH - 120, y, colour[n], dash))
		return -1;
	return svg_text(p, LEFT + WIDTH - 112, y + 4, "", name, err);
}

static int
svg_lines(struct picture *p, struct trc_err *err)
{
	if (!p->c->by_space && p->n) {
		const bool dirty = trc_curve_at(p->c, p->curve[0], p->least).writebacks > 0;

		return svg_line(p, p->curve[0], false, 0, "misses", err) ||
		                       (dirty &&
		                        svg_line(p, p->curve[0], true, 1, "write-backs", err)) ?
		               -1 :
		               0;
	}
	for (size_t i = 0; i < p->n; i++) {
		char name[32];

		snprintf(name, sizeof(name), "space 0x%x", (unsigned)p->curve[i]->space);
		if (svg_line(p, p->curve[i], false, i, name, err))
			return -1;
	}
	return 0;
}

int
trc_curves_svg(const struct trc_curves *c, struct trc_out *out, struct trc_err *err)
{
	const int middle = LEFT + WIDTH / 2;
	struct picture p;
	char title[160], below[96];

	if (begin_picture(&p, c, out, err))
		return -1;
	snprintf(title, sizeof(title), "%s misses%s of %.120s", c->policy ? c->policy : "LRU",
	         c->first ? "" : " (first ones not counted)", c->name);
	snprintf(below, sizeof(below), "memory size in %ss%s%s", c->unit,
	         c->bytes ? " and bytes" : "", c->sample > 1 ? ", approximate" : "");
	if (trc_report(
	            out, err,
	            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 800 460\" "
	            "font-family=\"sans-serif\" font-size=\"13\">\n"
	            "<style>.grid{stroke:#ccc;stroke-width:1}.small{font-size:11px;fill:#666}</style>\n"
	            "<rect width=\"800\" height=\"460\" fill=\"#fff\"/>\n") ||
	    svg_text(&p, middle, 28, " text-anchor=\"middle\" font-size=\"16\"", title, err) ||
	    svg_text(&p, middle, 446, " text-anchor=\"middle\"", below, err) ||
	    svg_heights(&p, err) || svg_sizes(&p, err) || svg_lines(&p, err))
		return -1;
	return trc_report(out, err, "</svg>\n");
}
