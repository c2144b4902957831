/* SPDX-License-Identifier: MIT
 *
 * Plots in the characters of a terminal: one curve as a filled shape of eighths of blocks, or of
 * '#' where the locale is not UTF-8; several as letters.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cmd/picture/plot.h"
#include "cmd/report.h"

enum {
	SCALE = 10, /* columns left of the shape */
	ROWS = 12,
	COLUMNS_LEAST = 30,
	COLUMNS_MOST = 200,
	LABEL = 12, /* columns for a mark of the x axis, and for one of the y axis: */
	Y_MARKS = 5,
};

unsigned
trc_plot_columns(const struct trc_out *out)
{
	unsigned columns = 80;
#ifdef TIOCGWINSZ
	struct winsize size;

	if (trc_out_terminal(out) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col)
		columns = size.ws_col;
#else
	(void)out;
#endif
	return columns < COLUMNS_LEAST ? COLUMNS_LEAST :
	       columns > COLUMNS_MOST  ? COLUMNS_MOST :
	                                 columns;
}

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

/* The curves at the columns, in eighths of rows from below; -1: no curve there. */
struct shape {
	struct trc_scale x, y;
	int height[TRC_PLOT_SERIES][COLUMNS_MOST];
	unsigned columns;
	size_t n;
};

/* A column shows the last point that is not right of it. */
static void
find_heights(struct shape *s, const struct trc_series *of, int *height)
{
	size_t next = 0;

	for (unsigned i = 0; i < s->columns; i++) {
		const double x = trc_scale_value(&s->x, (double)i / (s->columns - 1));

		while (next < of->n && of->x[next] <= x * (1 + 1e-9))
			next++;
		if (next == 0) {
			height[i] = -1;
			continue;
		}
		const double place = trc_scale_place(&s->y, of->y[next - 1]) * 8 * ROWS;

		/* What is not 0 shows. */
		height[i] = (int)place + (place > (int)place + 1e-6);
	}
}

/* Where several curves are at one place their letters take turns. */
static char
letter_at(const struct shape *s, int row, unsigned column)
{
	char here[TRC_PLOT_SERIES];
	size_t n = 0;

	for (size_t k = 0; k < s->n; k++) {
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
		const char letter[] = { s->n > 1 ? letter_at(s, row, i) : ' ', 0 };
		const char *b = s->n > 1 ? letter : block(s->height[0][i] - 8 * row, blocks);

		memcpy(line + len, b, strlen(b));
		len += strlen(b);
		end = *b == ' ' ? end : len;
	}
	return trc_report(out, err, "%8s |%.*s\n", scale, (int)end, line);
}

static int
put_marks(const struct trc_plot *p, const struct shape *s, struct trc_out *out, struct trc_err *err)
{
	char line[COLUMNS_MOST + 32], unit[TRC_TICK_ROOM];
	size_t end = 0;

	memset(line, ' ', sizeof(line));
	for (size_t i = 0; i < s->x.ticks; i++) {
		const struct trc_tick *t = &s->x.tick[i];
		const size_t at = (size_t)(trc_scale_place(&s->x, t->value) * (s->columns - 1));
		const char *label = p->x.bytes > 0 ? trc_scale_bytes(t->value * p->x.bytes, unit) :
		                                     t->label;
		const size_t len = strlen(label);

		if ((end > 0 && at < end + 2) || at + len > s->columns)
			continue;
		memcpy(line + at, label, len);
		end = at + len;
	}
	return trc_report(out, err, "%*s%.*s\n", SCALE, "", (int)end, line);
}

static int
put_legend(const struct trc_plot *p, struct trc_out *out, struct trc_err *err)
{
	for (size_t i = 0; p->n > 1 && i < p->n; i++)
		if (trc_report(out, err, "%*s%c  ", SCALE, "", 'a' + (int)i) ||
		    trc_report_line(out, p->series[i].name, err) || trc_report(out, err, "\n"))
			return -1;
	return trc_report(out, err, "\n");
}

static int
put_shape(const struct trc_plot *p, const struct shape *s, struct trc_out *out, struct trc_err *err)
{
	const bool from_mark = s->y.ticks && s->y.tick[0].value <= s->y.from * (1 + 1e-9);
	char line[COLUMNS_MOST + 1];

	for (int row = ROWS; row-- > 0;)
		if (put_row(s, row, out, err))
			return -1;
	memset(line, '-', s->columns);
	line[s->columns] = 0;
	return trc_report(out, err, "%8s +%s\n", from_mark ? s->y.tick[0].label : "", line) ||
	                       put_marks(p, s, out, err) || put_legend(p, out, err) ?
	               -1 :
	               0;
}

int
trc_plot_terminal(const struct trc_plot *p, unsigned columns, struct trc_out *out,
                  struct trc_err *err)
{
	struct shape *s = trc_alloc(1, sizeof(*s), err);
	int ret = s ? 0 : -1;

	if (s) {
		s->columns = columns - SCALE;
		s->n = p->n < TRC_PLOT_SERIES ? p->n : TRC_PLOT_SERIES;
	}
	if (s && trc_plot_scales(p, s->columns / LABEL, Y_MARKS, &s->x, &s->y)) {
		for (size_t i = 0; i < s->n; i++)
			find_heights(s, &p->series[i], s->height[i]);
		ret = put_shape(p, s, out, err);
	}
	free(s);
	return ret;
}
