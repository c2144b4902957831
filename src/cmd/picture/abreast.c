/* SPDX-License-Identifier: MIT */
#include "cmd/picture/abreast.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/report.h"

enum { FIRST = 16, SECOND = 14 }; /* columns of a cell, its blanks included */

void
trc_abreast_name(struct trc_abreast_curve *c, const char *trace, const char *way, int64_t space)
{
	char of[24] = "";

	if (space >= 0)
		snprintf(of, sizeof(of), "space 0x%x", (unsigned)space);
	snprintf(c->name, sizeof(c->name), "%s%s%s%s%s", trace ? trace : "",
	         trace && (way || *of) ? ", " : "", way ? way : "", way && *of ? ", " : "", of);
}

static int
by_value(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

size_t
trc_abreast_rows(uint64_t *row, size_t n)
{
	size_t left = 0;

	qsort(row, n, sizeof(*row), by_value);
	for (size_t i = 0; i < n; i++)
		if (left == 0 || row[i] != row[left - 1])
			row[left++] = row[i];
	return left;
}

/* As wide as both cells, or as the name. */
static int
width_of(const struct trc_abreast_curve *c)
{
	const int len = (int)strlen(c->name) + 2;

	return len > FIRST + SECOND ? len : FIRST + SECOND;
}

static int
put_cells(const struct trc_abreast *t, size_t i, const char *first, const char *second,
          struct trc_out *out, struct trc_err *err)
{
	return trc_report(out, err, "%*s%*s", width_of(&t->curve[i]) - SECOND, first, SECOND,
	                  second);
}

static int
put_head(const struct trc_abreast *t, struct trc_out *out, struct trc_err *err)
{
	if (trc_report(out, err, "%*s", (int)strlen(t->head), ""))
		return -1;
	for (size_t i = 0; i < t->n; i++)
		if (trc_report(out, err, "%*s", width_of(&t->curve[i]), t->curve[i].name))
			return -1;
	if (trc_report(out, err, "\n%s", t->head))
		return -1;
	for (size_t i = 0; i < t->n; i++)
		if (put_cells(t, i, t->cell[0], t->cell[1], out, err))
			return -1;
	return trc_report(out, err, "\n");
}

int
trc_abreast_text(const struct trc_abreast *t, const uint64_t *row, size_t rows, struct trc_out *out,
                 struct trc_err *err)
{
	char label[TRC_ABREAST_CELL], cell[2][TRC_ABREAST_CELL];

	if (put_head(t, out, err))
		return -1;
	for (size_t k = 0; k < rows; k++) {
		t->label(t, row[k], label);
		if (trc_report(out, err, "%*s", (int)strlen(t->head), label))
			return -1;
		for (size_t i = 0; i < t->n; i++) {
			const bool has = t->cells(t, i, row[k], cell);

			if (put_cells(t, i, has ? cell[0] : "-", has ? cell[1] : "-", out, err))
				return -1;
		}
		if (trc_report(out, err, "\n"))
			return -1;
	}
	return 0;
}

int
trc_abreast_csv(const char *path, struct trc_out *out, struct trc_err *err)
{
	return trc_report_csv(out, path, err) ? -1 : trc_report(out, err, ",");
}
