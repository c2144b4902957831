/* SPDX-License-Identifier: MIT
 *
 * Answers as text. A table is as wide as it is declared where that fits the terminal, or 80 columns
 * where there is none; else its columns are as wide as what is in them, which is looked at first,
 * and those that do not fit follow below.
 */
#include "cmd/answer/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/report.h"

char *
trc_text_bytes(uint64_t bytes, char *dst, size_t room)
{
	static const char *const suffix[] = { "bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB" };
	double v = (double)bytes;
	size_t i = 0;

	for (; v >= 1024 && i + 1 < TRC_COUNT(suffix); i++)
		v /= 1024;
	snprintf(dst, room, v == (double)(uint64_t)v ? "%.0f %s" : "%.1f %s", v, suffix[i]);
	return dst;
}

/* A cell as text; returns dst, or a word. */
static const char *
text_of(const struct trc_column_decl *d, const struct trc_value *c, char dst[TRC_VALUE_ROOM])
{
	const double v = d->percent ? 100 * c->v : c->v;

	*dst = 0;
	if (c->blank)
		return dst;
	switch (c->kind) {
	case TRC_VALUE_NONE: return dst;
	case TRC_VALUE_UNKNOWN: return "-";
	case TRC_VALUE_COUNT: snprintf(dst, TRC_VALUE_ROOM, "%" PRIu64, c->n); break;
	case TRC_VALUE_BYTES: return trc_text_bytes(c->n, dst, TRC_VALUE_ROOM);
	case TRC_VALUE_INTEGER: snprintf(dst, TRC_VALUE_ROOM, "%" PRId64, c->i); break;
	case TRC_VALUE_REAL:
	case TRC_VALUE_LONG:
		snprintf(dst, TRC_VALUE_ROOM, d->percent ? "%.*f %%" : "%.*f", d->digits, v);
		break;
	case TRC_VALUE_ADDRESS: snprintf(dst, TRC_VALUE_ROOM, "0x%" PRIx64, c->n); break;
	case TRC_VALUE_HASH: snprintf(dst, TRC_VALUE_ROOM, "%016" PRIx64, c->n); break;
	case TRC_VALUE_YES: return c->n ? "yes" : "no";
	case TRC_VALUE_WORD:
	case TRC_VALUE_REST: return c->s ? c->s : dst;
	}
	return dst;
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

/* A text of a column: from the left without blanks behind it where it is the last. */
static int
put_padded(const char *text, int width, bool last, struct trc_out *out, struct trc_err *err)
{
	const int blanks = abs(width) - (int)strlen(text), n = blanks > 0 ? blanks : 0;

	if ((width > 0 && n && trc_report(out, err, "%*s", n, "")) ||
	    trc_report_line(out, text, err))
		return -1;
	return width < 0 && n && !last ? trc_report(out, err, "%*s", n, "") : 0;
}

static size_t
last_shown(const struct trc_answer *a, const struct trc_text_layout *l)
{
	size_t last = 0;

	for (size_t i = 0; i < a->columns; i++)
		last = shown(a, l, i) ? i : last;
	return last;
}

/* The names above several columns, if there are any. */
static int
put_over(const struct trc_answer *a, const struct trc_text_layout *l, struct trc_out *out,
         struct trc_err *err)
{
	const int gap = l ? (int)strlen(l->gap) : 1;
	bool any = false;

	for (size_t i = 0; i < a->columns; i++)
		any |= shown(a, l, i) && a->column[i].over;
	for (size_t i = 0, next; any && i < a->columns; i = next) {
		const char *over = a->column[i].over;
		int width = -gap;

		for (next = i;
		     next < a->columns && (next == i || (over && a->column[next].over == over));
		     next++)
			if (shown(a, l, next))
				width += abs(width_of(a, l, next)) + gap;
		if (width > 0 && ((i && trc_report(out, err, "%*s", gap, "")) ||
		                  trc_report(out, err, "%*s", width, over ? over : "")))
			return -1;
	}
	return any ? trc_report(out, err, "\n") : 0;
}

int
trc_text_head(const struct trc_answer *a, const struct trc_text_layout *l, struct trc_out *out,
              struct trc_err *err)
{
	const size_t last = last_shown(a, l);
	bool first = true, any = false;

	for (size_t i = 0; i < a->columns; i++)
		any |= shown(a, l, i) && *a->column[i].head;
	if (!any)
		return 0;
	if (put_over(a, l, out, err))
		return -1;
	for (size_t i = 0; i < a->columns; i++) {
		if (!shown(a, l, i))
			continue;
		if (i == last && !*a->column[i].head)
			break;
		if ((!first && trc_report(out, err, "%s", l ? l->gap : " ")) ||
		    put_padded(a->column[i].head, width_of(a, l, i), i == last, out, err))
			return -1;
		first = false;
	}
	return trc_report(out, err, "\n");
}

int
trc_text_row(const struct trc_answer *a, const struct trc_text_layout *l,
             const struct trc_value *cell, struct trc_out *out, struct trc_err *err)
{
	const size_t last = last_shown(a, l);
	bool first = true;

	for (size_t i = 0; i < a->columns; i++) {
		const bool rest = cell[i].kind == TRC_VALUE_REST;
		char text[TRC_VALUE_ROOM];

		if (!shown(a, l, i))
			continue;
		if (rest && !cell[i].s)
			break;
		if ((!first && trc_report(out, err, "%s", l ? l->gap : " ")) ||
		    put_padded(text_of(&a->column[i], &cell[i], text), rest ? 0 : width_of(a, l, i),
		               i == last, out, err))
			return -1;
		first = false;
		if (rest)
			break;
	}
	return trc_report(out, err, "\n");
}

/* ---- facts ---- */

enum { FACT = 26, VALUE = 20 };

static int
put_fact(const char *name, int width, const char *value, const char *more, struct trc_out *out,
         struct trc_err *err)
{
	const int blanks = VALUE - (int)strlen(value);

	return trc_report(out, err, "%-*s%*s", width ? width : FACT, name, blanks > 0 ? blanks : 0,
	                  "") ||
	                       trc_report_line(out, value, err) ||
	                       trc_report(out, err, "%s\n", more ? more : "") ?
	               -1 :
	               0;
}

static int
put_facts(const struct trc_answer *a, const struct trc_answer_group *g, struct trc_out *out,
          struct trc_err *err)
{
	const char *key, *value;

	for (size_t i = 0; i < g->facts; i++) {
		const struct trc_answer_fact *f = &g->fact[i];
		const struct trc_column_decl plain = { .name = f->name };
		char name[64], text[TRC_VALUE_ROOM];

		if (!f->head || f->value.kind == TRC_VALUE_NONE || f->value.blank)
			continue;
		snprintf(name, sizeof(name), "%s", *f->head ? f->head : trc_name_row[f->name].name);
		for (char *p = name; !*f->head && *p; p++)
			*p = *p == '_' ? ' ' : *p;
		if (put_fact(name, f->width, text_of(&plain, &f->value, text), f->more, out, err))
			return -1;
	}
	for (size_t k = 0; a->pair && a->pair(a->of, k, &key, &value); k++)
		if (put_fact(key, 0, value, NULL, out, err))
			return -1;
	return 0;
}

/* ---- tables ---- */

/* The width of all columns of a part, with what is between them. */
static int
total(const struct trc_answer *a, const struct trc_text_layout *l)
{
	const int gap = l ? (int)strlen(l->gap) : 1;
	int sum = -gap;

	for (size_t i = 0; i < a->columns; i++)
		if (shown(a, l, i))
			sum += abs(width_of(a, l, i)) + gap;
	return sum;
}

static void
widen(int *width, const char *text)
{
	const int n = (int)strlen(text);

	*width = n > *width ? n : *width;
}

/* As wide as heads and cells are, and what stands over several of them. */
static void
measure(const struct trc_answer *a, size_t group, size_t rows, struct trc_value *cell, int *width)
{
	char text[TRC_VALUE_ROOM];

	for (size_t i = 0; i < a->columns; i++)
		widen(&width[i], a->column[i].head ? a->column[i].head : "");
	for (size_t k = 0; k < rows; k++) {
		a->row(a->of, group, k, cell);
		for (size_t i = 0; i < a->columns; i++)
			if (a->column[i].head && cell[i].kind != TRC_VALUE_REST)
				widen(&width[i], text_of(&a->column[i], &cell[i], text));
	}
	/* With one blank between them, which is the least. */
	for (size_t i = 0, next; i < a->columns; i = next) {
		const char *over = a->column[i].over;
		int more = over ? (int)strlen(over) + 1 : 0;

		for (next = i; next < a->columns && a->column[next].over == over; next++)
			more -= width[next] + 1;
		width[i] += over && more > 0 ? more : 0;
	}
	for (size_t i = 0; i < a->columns; i++)
		width[i] = a->column[i].width < 0 ? -width[i] : width[i];
}

/* Chooses the columns of the next part: those that are keys, and from `first` on as many as fit,
 * one at least; neighbours under one name stay together. Returns the first of the part after. */
static size_t
next_part(const struct trc_answer *a, const int *width, size_t first, int most,
          struct trc_text_layout *l)
{
	size_t i = first, next;

	for (size_t k = 0; k < a->columns; k++)
		l->width[k] = a->column[k].key ? width[k] : 0;
	for (; i < a->columns; i = next) {
		const char *over = a->column[i].over;

		for (next = i;
		     next < a->columns && (next == i || (over && a->column[next].over == over));
		     next++)
			l->width[next] = width[next];
		if (i > first && total(a, l) > most) {
			for (; next-- > i;)
				l->width[next] = a->column[next].key ? width[next] : 0;
			break;
		}
	}
	return i;
}

static int
put_rows(const struct trc_answer *a, const struct trc_text_layout *l, size_t group, size_t rows,
         struct trc_value *cell, struct trc_out *out, struct trc_err *err)
{
	if (trc_text_head(a, l, out, err))
		return -1;
	for (size_t k = 0; k < rows; k++) {
		a->row(a->of, group, k, cell);
		if (trc_text_row(a, l, cell, out, err))
			return -1;
	}
	return 0;
}

/* The parts of a table that is as wide as what is in it. */
static int
put_parts(const struct trc_answer *a, size_t group, size_t rows, struct trc_value *cell, int most,
          struct trc_out *out, struct trc_err *err)
{
	int *width = trc_alloc(2 * a->columns, sizeof(*width), err);
	struct trc_text_layout l = { width ? width + a->columns : NULL, "  " };
	size_t first = 0;
	int ret = width ? 0 : -1;

	if (ret == 0)
		measure(a, group, rows, cell, width);
	/* One blank between columns rather than a second part. */
	if (ret == 0 && total(a, &(const struct trc_text_layout){ width, l.gap }) > most)
		l.gap = " ";
	while (first < a->columns && a->column[first].key)
		first++;
	for (size_t next = first; ret == 0 && next < a->columns;) {
		if (next > first)
			ret = trc_report(out, err, "\n");
		next = next_part(a, width, next, most, &l);
		if (ret == 0)
			ret = put_rows(a, &l, group, rows, cell, out, err);
	}
	free(width);
	return ret;
}

static bool
any_shown(const struct trc_answer *a)
{
	for (size_t i = 0; i < a->columns; i++)
		if (shown(a, NULL, i))
			return true;
	return false;
}

int
trc_text_group(const struct trc_answer *a, size_t i, const struct trc_answer_group *g,
               struct trc_value *cell, struct trc_out *out, struct trc_err *err)
{
	const int most = (int)trc_report_columns(out);

	if (trc_report(out, err, "%s", g->title) || put_facts(a, g, out, err) ||
	    trc_report(out, err, "%s", g->above ? g->above : "") ||
	    (g->draws && a->draw(a->of, i, out, err)))
		return -1;
	if (any_shown(a) &&
	    (a->fits || total(a, NULL) > most ? put_parts(a, i, g->rows, cell, most, out, err) :
	                                        put_rows(a, NULL, i, g->rows, cell, out, err)))
		return -1;
	return trc_report(out, err, "%s", g->below);
}
