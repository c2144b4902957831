/* SPDX-License-Identifier: MIT
 *
 * Several traces in one answer: what each is called, a table with two columns for each of them, and
 * names in CSV.
 */
#ifndef TRC_CMD_PICTURE_ABREAST_H
#define TRC_CMD_PICTURE_ABREAST_H

#include <stdint.h>

#include "base/io/out.h"

enum { TRC_ABREAST_NAME = 96, TRC_ABREAST_CELL = 40 };

/* A curve among others. */
struct trc_abreast_curve {
	char name[TRC_ABREAST_NAME];
	const void *of; /* the caller's */
	size_t at;      /* likewise */
};

/* A table, whose rows have a number each. */
struct trc_abreast {
	const struct trc_abreast_curve *curve;
	size_t n;
	const char *head;    /* above what label() prints, as wide */
	const char *cell[2]; /* above what cells() prints */

	/* What stands in front of a row; and what it has of a curve, false: nothing. */
	void (*label)(const struct trc_abreast *t, uint64_t row, char dst[TRC_ABREAST_CELL]);
	bool (*cells)(const struct trc_abreast *t, size_t i, uint64_t row,
	              char dst[2][TRC_ABREAST_CELL]);
	const void *what; /* the caller's */
};

/* What a curve is called: the short name of its trace if there are several, the way in which that
 * was asked or NULL, and its space if that is not below 0. */
void trc_abreast_name(struct trc_abreast_curve *c, const char *trace, const char *way,
                      int64_t space);

/* Sorts numbers of rows, and leaves each once; returns how many are left. */
size_t trc_abreast_rows(uint64_t *row, size_t n);

/* The names of all curves, each above its columns, then the rows. */
int trc_abreast_text(const struct trc_abreast *t, const uint64_t *row, size_t rows,
                     struct trc_out *out, struct trc_err *err) TRC_MUST_USE;

/* A path as a field of CSV, in quotes where it needs them, with a comma behind. */
int trc_abreast_csv(const char *path, struct trc_out *out, struct trc_err *err) TRC_MUST_USE;

#endif
