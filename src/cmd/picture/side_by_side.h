/* SPDX-License-Identifier: MIT
 *
 * Several traces in one answer: the names of their curves, and as text, a table with two columns
 * per curve.
 */
#ifndef TRC_CMD_PICTURE_SIDE_BY_SIDE_H
#define TRC_CMD_PICTURE_SIDE_BY_SIDE_H

#include "cmd/answer/answer.h"
#include "cmd/names/short_names.h"

enum { TRC_SIDE_BY_SIDE_NAME = 96 };

/* A curve among several. */
struct trc_side_by_side_curve {
	char name[TRC_SIDE_BY_SIDE_NAME];
	const void *of; /* of the caller */
	size_t at;      /* of the caller */
};

/* A list of curves; zeroed memory is an empty one. */
struct trc_side_by_side {
	struct trc_side_by_side_curve *curve;
	size_t n, cap;
	char (*trace)
	        [TRC_SHORT_NAME_ROOM]; /* the short names of the traces; NULL: there is only one */
};

/* Finds short names for traces, if there are several. The caller releases *t even on failure. */
int trc_side_by_side_init(struct trc_side_by_side *t, const char *const *path, size_t traces,
                          struct trc_err *err) TRC_MUST_USE;
void trc_side_by_side_release(struct trc_side_by_side *t);

/* Adds a curve named after its trace, `way` (how the question was asked; may be NULL) and its
 * address space, unless that is negative. */
int trc_side_by_side_add(struct trc_side_by_side *t, size_t trace, const char *way, int64_t space,
                         const void *of, size_t at, struct trc_err *err) TRC_MUST_USE;

/* A text answer about several curves: facts of each, a picture, and a table that shows them side by
 * side, with a number for each row. */
struct trc_side_by_side_table {
	const struct trc_side_by_side *curves;
	const char *title; /* NULL: none */
	const uint64_t *row;
	size_t rows;
	struct trc_column_decl fact[3], key[2]; /* of each curve; before all curves */
	struct trc_column_decl cell[2];         /* columns of each curve in the table */
	void *of;

	/* Sets the facts of a curve; returns text that follows its name. */
	const char *(*facts)(const struct trc_side_by_side_curve *curve, struct trc_value fact[3]);

	int (*draw)(void *of, struct trc_out *out, struct trc_err *err);

	/* Set the key of a row, and the cells of a curve in it, which stay unknown if the curve has
	 * none there. */
	void (*keys)(void *of, uint64_t row, struct trc_value key[2]);
	void (*cells)(void *of, const struct trc_side_by_side_curve *curve, uint64_t row,
	              struct trc_value cell[2]);
	char name[TRC_SIDE_BY_SIDE_NAME + 32]; /* of the current curve */
};

/* Prints it as text. */
int trc_side_by_side_print(struct trc_side_by_side_table *t, struct trc_err *err) TRC_MUST_USE;

#endif
