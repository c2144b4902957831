/* SPDX-License-Identifier: MIT
 *
 * Draws plots in the characters of a terminal: one curve as a filled shape of eighth blocks, or of
 * '#' if the locale is not UTF-8; several curves as letters, or as letters on such a shape.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/picture/legend.h"
#include "cmd/report.h"

enum {
	SCALE = 8, /* minimum columns left of the shape, for the ticks of y */
	ROWS = 12,
	COLUMNS_MOST = TRC_REPORT_COLUMNS,
	LABEL = 12, /* columns per tick of the x axis */
	Y_MARKS = 5,
};

bool
trc_plot_blocks(void)
{
	static const char *const name[] = { "LC_ALL", "LC_CTYPE", "LANG" };

	for (size_t i = 0; i < TRC_COUNT(name); i++) {
		const char *v = getenv(name[i]);

		if (v && *v)
			return strstr(v, "UTF-8") || strstr(v, "utf8") || strstr(v, "UTF8");
	}
	return false;
}

/* Respects NO_COLOR (no-color.org). */
bool
trc_plot_colours(const struct trc_out *out)
{
	const char *no = getenv("NO_COLOR"), *term = getenv("TERM");

	return trc_out_terminal(out) && trc_plot_blocks() && !(no && *no) &&
	       !(term && strcmp(term, "dumb") == 0);
}

/* Returns the character for a cell filled by `eighths` from below. */
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

/* The height of each curve in each column, in eighths of a row; -1: the curve is not there. */
struct shape {
	struct trc_scale x, y;
	int height[TRC_PLOT_SERIES][COLUMNS_MOST];
	unsigned columns;
	int scale; /* columns for the ticks of y */
	size_t n;
	bool filled; /* draw the first curve as a filled shape */
};

/* Finds the height in each column: that of the last point not right of it, or none after the end of
 * the curve. */
static void
find_heights(struct shape *s, const struct trc_series *of, int *height)
{
	size_t next = 0;

	for (unsigned i = 0; i < s->columns; i++) {
		const double x = trc_scale_value(&s->x, (double)i / (s->columns - 1));

		const bool over = of->n > 1 && next == of->n && of->x[next - 1] < x * (1 - 1e-9);

		while (next < of->n && of->x[next] <= x * (1 + 1e-9))
			next++;
		if (next == 0 || over) {
			height[i] = -1;
			continue;
		}
		const double place = trc_scale_place(&s->y, of->y[next - 1]) * 8 * ROWS;

		/* Rounded up, so anything above 0 is visible. */
		height[i] = (int)place + (place > (int)place + 1e-6);
	}
}

/* Returns the letter of the curve at a cell. Several curves at one place alternate; the filled
 * curve has no letter. */
static char
letter_at(const struct shape *s, int row, unsigned column)
{
	char here[TRC_PLOT_SERIES];
	size_t n = 0;

	for (size_t k = s->filled; k < s->n; k++) {
		const int h = s->height[k][column];

		if (h >= 0 && (h > 0 ? (h - 1) / 8 : 0) == row)
			here[n++] = (char)('a' + k);
	}
	return n ? here[column % n] : ' ';
}

static int
put_row(const struct shape *s, int row, struct trc_out *out, struct trc_err *err)
{
	const bool blocks = trc_plot_blocks();
	char line[COLUMNS_MOST * 3 + 1], scale[TRC_TICK_ROOM] = "";
	size_t len = 0, end = 0;

	for (size_t i = 0; i < s->y.ticks; i++) {
		const double place = trc_scale_place(&s->y, s->y.tick[i].value) * ROWS;

		if (place > row + 1e-6 && place <= row + 1 + 1e-6)
			memcpy(scale, s->y.tick[i].label, sizeof(scale));
	}
	for (unsigned i = 0; i < s->columns; i++) {
		const char letter[] = { letter_at(s, row, i), 0 };
		const char *b = s->filled && *letter == ' ' ?
		                        block(s->height[0][i] - 8 * row, blocks) :
		                        letter;

		memcpy(line + len, b, strlen(b));
		len += strlen(b);
		end = *b == ' ' ? end : len;
	}
	return trc_report(out, err, "%*s |%.*s\n", s->scale, scale, (int)end, line);
}

static int
put_marks(const struct trc_plot *p, const struct shape *s, struct trc_out *out, struct trc_err *err)
{
	char line[COLUMNS_MOST + 32], unit[TRC_TICK_ROOM];
	size_t end = 0;

	memset(line, ' ', sizeof(line));
	for (size_t i = 0; i < s->x.ticks; i++) {
		const struct trc_tick *t = &s->x.tick[i];
		size_t at = (size_t)(trc_scale_place(&s->x, t->value) * (s->columns - 1));
		const char *label = p->x.bytes > 0 ? trc_scale_bytes(t->value * p->x.bytes, unit) :
		                                     t->label;
		const size_t len = strlen(label);

		at = at + len > s->columns && len < s->columns ? s->columns - len : at;
		if (end > 0 && at < end + 2)
			continue;
		memcpy(line + at, label, len);
		end = at + len;
	}
	return trc_report(out, err, "%*s%.*s\n", s->scale + 2, "", (int)end, line);
}

/* Writes a line of text below or above the shape, shortened to fit. */
static int
put_words(const char *before, const char *all, const struct shape *s, size_t columns,
          struct trc_out *out, struct trc_err *err)
{
	char words[TRC_TEXT_ROOM];

	trc_text_shorten(all, columns, words);
	return trc_report(out, err, "%*s%s", s->scale + 2, "", before) ||
	                       trc_report_line(out, words, err) || trc_report(out, err, "\n") ?
	               -1 :
	               0;
}

static int
put_legend(const struct trc_plot *p, const struct shape *s, struct trc_out *out,
           struct trc_err *err)
{
	char rest[TRC_TEXT_ROOM], before[8];

	for (size_t i = 0; s->n > 1 && i < s->n; i++) {
		snprintf(before, sizeof(before), "%c  ", 'a' + (int)i);
		if (i == 0 && s->filled)
			snprintf(before, sizeof(before), "%s  ", block(8, trc_plot_blocks()));
		if (put_words(before, p->series[i].name, s, s->columns - 3, out, err))
			return -1;
	}
	if (p->more && put_words("", trc_legend_rest(p, rest), s, s->columns, out, err))
		return -1;
	return trc_report(out, err, "\n");
}

/* Writes the title and the label of the y axis, on one line if both fit. */
static int
put_title(const struct trc_plot *p, const struct shape *s, struct trc_out *out, struct trc_err *err)
{
	char words[TRC_TEXT_ROOM];

	if (strlen(p->title) + 2 + strlen(p->y.label) > s->columns)
		return put_words("", p->title, s, s->columns, out, err) ||
		                       put_words("", p->y.label, s, s->columns, out, err) ?
		               -1 :
		               0;
	snprintf(words, sizeof(words), "%s%s%s", p->title, *p->title ? ": " : "", p->y.label);
	return put_words("", words, s, s->columns, out, err);
}

/* Writes the label of the x axis, centred below its ticks. */
static int
put_label(const struct trc_plot *p, const struct shape *s, struct trc_out *out, struct trc_err *err)
{
	const size_t len = strlen(p->x.label), left = len < s->columns ? (s->columns - len) / 2 : 0;

	char before[COLUMNS_MOST];

	snprintf(before, sizeof(before), "%*s", (int)left, "");
	return put_words(before, p->x.label, s, s->columns, out, err);
}

static int
put_shape(const struct trc_plot *p, const struct shape *s, struct trc_out *out, struct trc_err *err)
{
	const bool from_mark = s->y.ticks && s->y.tick[0].value <= s->y.from * (1 + 1e-9);
	char line[COLUMNS_MOST + 1];

	if (put_title(p, s, out, err))
		return -1;
	for (int row = ROWS; row-- > 0;)
		if (put_row(s, row, out, err))
			return -1;
	memset(line, '-', s->columns);
	line[s->columns] = 0;
	if (trc_report(out, err, "%*s +%s\n", s->scale, from_mark ? s->y.tick[0].label : "",
	               line) ||
	    put_marks(p, s, out, err) || put_label(p, s, out, err) || put_legend(p, s, out, err))
		return -1;
	return 0;
}

/* Makes the scales, and finds how many columns the ticks of y leave. */
static bool
find_scales(const struct trc_plot *p, struct shape *s, unsigned columns)
{
	if (!trc_plot_scales(p, (columns - SCALE) / LABEL, Y_MARKS, &s->x, &s->y))
		return false;
	s->scale = SCALE;
	for (size_t i = 0; i < s->y.ticks; i++) {
		const int len = (int)strlen(s->y.tick[i].label);

		s->scale = len > s->scale ? len : s->scale;
	}
	s->columns = columns - (unsigned)s->scale - 2;
	return true;
}

/* Returns true if the points have more than one x. Otherwise the table is enough. */
static bool
extends(const struct trc_plot *p)
{
	double least = INFINITY, most = -INFINITY;

	for (size_t i = 0; i < p->n; i++)
		for (size_t k = 0; k < p->series[i].n; k++) {
			least = fmin(least, p->series[i].x[k]);
			most = fmax(most, p->series[i].x[k]);
		}
	return most > least;
}

int
trc_plot_terminal(const struct trc_plot *p, unsigned columns, struct trc_out *out,
                  struct trc_err *err)
{
	struct shape *s = trc_alloc(1, sizeof(*s), err);
	int ret = s ? 0 : -1;

	if (s) {
		s->n = p->n < TRC_PLOT_SERIES ? p->n : TRC_PLOT_SERIES;
		s->filled = p->filled || s->n == 1;
	}
	if (s && extends(p) && find_scales(p, s, columns)) {
		for (size_t i = 0; i < s->n; i++)
			find_heights(s, &p->series[i], s->height[i]);
		ret = put_shape(p, s, out, err);
	}
	free(s);
	return ret;
}
