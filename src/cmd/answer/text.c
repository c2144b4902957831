/* SPDX-License-Identifier: MIT
 *
 * Writes answers as text. A table has its declared widths if these fit the terminal, or 80 columns
 * without a terminal. Otherwise each column is as wide as its widest cell, which takes a pass over
 * the rows, and columns that do not fit continue in further parts below.
 */
#include "cmd/answer/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/report.h"

/* Formats a size as "48 KiB" or "1.5 GiB" and returns `dst`. */
static char *
size_text(uint64_t bytes, char dst[TRC_VALUE_ROOM])
{
	static const char *const suffix[] = { "bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB" };
	double v = (double)bytes;
	size_t i = 0;

	for (; v >= 1024 && i + 1 < TRC_COUNT(suffix); i++)
		v /= 1024;
	snprintf(dst, TRC_VALUE_ROOM, v == (double)(uint64_t)v ? "%.0f %s" : "%.1f %s", v,
	         suffix[i]);
	return dst;
}

/* Returns a cell as text: `dst`, or the word itself. */
static const char *
text_of(const struct trc_column_decl *d, const struct trc_value *c, char dst[TRC_VALUE_ROOM])
{
	switch (c->kind) {
	case TRC_VALUE_UNKNOWN: return "-";
	case TRC_VALUE_REST: return c->s;
	case TRC_VALUE_BYTES: return size_text(c->n, dst);
	case TRC_VALUE_REAL:
	case TRC_VALUE_LONG:
		snprintf(dst, TRC_VALUE_ROOM, d->percent ? "%.*f %%" : "%.*f", d->digits,
		         d->percent ? 100 * c->v : c->v);
		return dst;
	default: return trc_answer_value(c, dst);
	}
}

/* ---- lines ---- */

static bool
shown(const struct trc_answer *a, const struct trc_text_layout *l, size_t i)
{
	return a->column[i].head && !a->column[i].off && (!l || l->width[i]);
}

static int
width_of(const struct trc_answer *a, const struct trc_text_layout *l, size_t i)
{
	return l ? l->width[i] : a->column[i].width;
}

static const char *
gap_of(const struct trc_text_layout *l)
{
	return l ? l->gap : " ";
}

static void
put_blanks(struct trc_answer_out *o, int n)
{
	static const char blanks[] = "                                ";
	const int most = (int)sizeof(blanks) - 1;

	for (; n > 0; n -= most)
		trc_answer_write(o, blanks + (n < most ? most - n : 0));
}

/* Writes text padded to |width|: right-aligned, or left-aligned if `width` is negative; then the
 * last column gets no trailing blanks. */
static void
put_padded(struct trc_answer_out *o, const char *text, int width, bool last)
{
	const int n = abs(width) - (int)strlen(text);

	if (width > 0)
		put_blanks(o, n);
	trc_answer_write_as(o, text, trc_report_line);
	if (width < 0 && !last)
		put_blanks(o, n);
}

/* Returns the index after the last column that shares its title with column `i`. */
static size_t
over_end(const struct trc_answer *a, size_t i)
{
	const char *over = a->column[i].over;

	for (i++; over && i < a->columns && a->column[i].over == over; i++)
		;
	return i;
}

/* Writes the line of titles that span several columns, if there are any. */
static void
put_over(struct trc_answer_out *o, const struct trc_answer *a, const struct trc_text_layout *l)
{
	const int gap = (int)strlen(gap_of(l));
	bool any = false;

	for (size_t i = 0; i < a->columns; i++)
		any |= shown(a, l, i) && a->column[i].over;
	for (size_t i = 0, next; any && i < a->columns; i = next) {
		const char *over = a->column[i].over ? a->column[i].over : "";
		int width = 0;

		next = over_end(a, i);
		for (size_t k = i; k < next; k++)
			width += shown(a, l, k) ? abs(width_of(a, l, k)) + gap : 0;
		if (width > 0)
			put_padded(o, over, i ? width : width - gap, false);
	}
	trc_answer_write(o, any ? "\n" : "");
}

static bool
has_heads(const struct trc_answer *a, const struct trc_text_layout *l)
{
	for (size_t i = 0; i < a->columns; i++)
		if (shown(a, l, i) && *a->column[i].head)
			return true;
	return false;
}

void
trc_text_line(struct trc_answer_out *o, const struct trc_answer *a, const struct trc_text_layout *l,
              const struct trc_value *cell)
{
	size_t last = 0;
	bool first = true;

	if (!cell && !has_heads(a, l))
		return;
	for (size_t i = 0; i < a->columns; i++)
		last = shown(a, l, i) ? i : last;
	for (size_t i = 0; i <= last; i++) {
		const bool rest = cell && cell[i].kind == TRC_VALUE_REST;
		char dst[TRC_VALUE_ROOM];
		const char *text = !cell         ? a->column[i].head :
		                   cell[i].blank ? "" :
		                                   text_of(&a->column[i], &cell[i], dst);

		if (!shown(a, l, i))
			continue;
		if ((rest && !text) || (!cell && i == last && !*text))
			break;
		trc_answer_write(o, first ? "" : gap_of(l));
		put_padded(o, text, rest ? 0 : width_of(a, l, i), i == last);
		first = false;
		if (rest)
			break;
	}
	trc_answer_write(o, "\n");
}

/* ---- facts ---- */

enum { FACT = 26, VALUE = 20 };

static void
put_fact(struct trc_answer_out *o, const char *name, int width, const char *value, const char *more)
{
	trc_answer_write(o, name);
	put_blanks(o, (width ? width : FACT) - (int)strlen(name));
	put_padded(o, value, VALUE, true);
	trc_answer_write(o, more ? more : "");
	trc_answer_write(o, "\n");
}

static void
put_facts(struct trc_answer_out *o, const struct trc_answer *a, const struct trc_answer_group *g)
{
	const char *key, *value;

	for (size_t i = 0; i < g->facts; i++) {
		const struct trc_answer_fact *f = &g->fact[i];
		const struct trc_column_decl plain = { .name = f->name, .digits = f->digits };
		char name[64], text[TRC_VALUE_ROOM];

		if (!f->head || f->value.kind == TRC_VALUE_NONE || f->value.blank)
			continue;
		snprintf(name, sizeof(name), "%s", *f->head ? f->head : trc_name_row[f->name].name);
		for (char *p = name; !*f->head && *p; p++)
			*p = *p == '_' ? ' ' : *p;
		put_fact(o, name, f->width, text_of(&plain, &f->value, text), f->more);
	}
	for (size_t k = 0; a->pair && a->pair(a->of, k, &key, &value); k++)
		put_fact(o, key, 0, value, NULL);
}

/* ---- tables ---- */

/* Returns the width of the columns of a part, including the gaps. */
static int
total(const struct trc_answer *a, const struct trc_text_layout *l)
{
	const int gap = (int)strlen(gap_of(l));
	int sum = -gap;

	for (size_t i = 0; i < a->columns; i++)
		sum += shown(a, l, i) ? abs(width_of(a, l, i)) + gap : 0;
	return sum;
}

static void
widen(int *width, const char *text)
{
	const int n = (int)strlen(text);

	*width = n > *width ? n : *width;
}

/* Returns true for a key at the end of each line that is a name. A long one, as of a function, goes
 * beyond the end of the line, instead of moving all other columns to parts of their own. */
static bool
is_name(const struct trc_answer *a, size_t i)
{
	return shown(a, NULL, i) && a->column[i].key && a->column[i].width < 0;
}

/* Sets each width to that of the widest cell or head, but for a name at the end. The first column
 * under a shared title also gets what that title needs beyond its columns, at the minimum gap of
 * one blank. */
static void
measure(const struct trc_answer *a, size_t group, size_t rows, struct trc_value *cell, int *width)
{
	char text[TRC_VALUE_ROOM];

	for (size_t i = 0; i < a->columns; i++)
		widen(&width[i], a->column[i].head ? a->column[i].head : "");
	for (size_t k = 0; k < rows; k++) {
		a->row(a->of, group, k, cell);
		for (size_t i = 0; i < a->columns; i++)
			if (shown(a, NULL, i) && cell[i].kind != TRC_VALUE_REST && !cell[i].blank)
				widen(&width[i], text_of(&a->column[i], &cell[i], text));
	}
	for (size_t i = 0, next; i < a->columns; i = next) {
		int more = a->column[i].over ? (int)strlen(a->column[i].over) + 1 : 0;

		next = over_end(a, i);
		for (size_t k = i; k < next; k++)
			more -= width[k] + 1;
		width[i] += more > 0 ? more : 0;
	}
	for (size_t i = 0; i < a->columns; i++)
		width[i] = a->column[i].width < 0 ? -width[i] : width[i];
	if (is_name(a, a->columns - 1))
		width[a->columns - 1] = a->column[a->columns - 1].width;
}

/* Selects the columns of the next part: the keys, then as many columns from `first` on as fit, but
 * at least one. Columns under a shared title stay together. Returns the first column of the part
 * after it. */
static size_t
next_part(const struct trc_answer *a, const int *width, size_t first, int most,
          struct trc_text_layout *l)
{
	for (size_t k = 0; k < a->columns; k++)
		l->width[k] = a->column[k].key ? width[k] : 0;
	for (size_t i = first, next; i < a->columns; i = next) {
		next = over_end(a, i);
		for (size_t k = i; k < next; k++)
			l->width[k] = width[k];
		if (i > first && total(a, l) > most) {
			for (size_t k = i; k < next; k++)
				l->width[k] = a->column[k].key ? width[k] : 0;
			return i;
		}
	}
	return a->columns;
}

static void
put_rows(struct trc_answer_out *o, const struct trc_answer *a, const struct trc_text_layout *l,
         size_t group, size_t rows, struct trc_value *cell)
{
	put_over(o, a, l);
	trc_text_line(o, a, l, NULL);
	for (size_t k = 0; k < rows && !o->failed; k++) {
		a->row(a->of, group, k, cell);
		trc_text_line(o, a, l, cell);
	}
}

/* Writes a table whose columns are as wide as their cells, in as many parts as needed. The gap
 * shrinks from two blanks to one if that avoids a second part. */
static void
put_parts(struct trc_answer_out *o, const struct trc_answer *a, size_t group, size_t rows,
          struct trc_value *cell, int most)
{
	int *width = trc_alloc(2 * a->columns, sizeof(*width), o->err);
	struct trc_text_layout l = { width ? width + a->columns : NULL, "  " };
	size_t first = 0;

	o->failed = !width;
	if (width)
		measure(a, group, rows, cell, width);
	if (width && total(a, &(const struct trc_text_layout){ width, l.gap }) > most)
		l.gap = " ";
	while (first < a->columns && a->column[first].key)
		first++;
	for (size_t next = first; !o->failed && next < a->columns;) {
		trc_answer_write(o, next > first ? "\n" : "");
		next = next_part(a, width, next, most, &l);
		put_rows(o, a, &l, group, rows, cell);
	}
	free(width);
}

void
trc_text_group(struct trc_answer_out *o, const struct trc_answer *a, size_t i,
               const struct trc_answer_group *g, struct trc_value *cell)
{
	const int most = (int)trc_report_columns(o->out), wide = total(a, NULL);

	trc_answer_write(o, g->title);
	put_facts(o, a, g);
	trc_answer_write(o, g->above ? g->above : "");
	o->failed = o->failed || (g->draws && a->draw(a, i, o->out, o->err));
	if (!o->failed && wide >= 0 && (a->fits || wide > most))
		put_parts(o, a, i, g->rows, cell, most);
	else if (!o->failed && wide >= 0)
		put_rows(o, a, NULL, i, g->rows, cell);
	trc_answer_write(o, g->below);
}
