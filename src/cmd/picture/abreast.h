/* SPDX-License-Identifier: MIT
 *
 * Several traces in one answer: what each is called, and as text a table with two columns for each
 * of them.
 */
#ifndef TRC_CMD_PICTURE_ABREAST_H
#define TRC_CMD_PICTURE_ABREAST_H

#include "cmd/answer/answer.h"
#include "cmd/names/apart.h"

enum { TRC_ABREAST_NAME = 96 };

/* A curve among others. */
struct trc_abreast_curve {
	char name[TRC_ABREAST_NAME];
	const void *of; /* the caller's */
	size_t at;      /* likewise */
};

/* All of them; zeroed to begin with. */
struct trc_abreast {
	struct trc_abreast_curve *curve;
	size_t n, cap;
	char (*trace)[TRC_APART_ROOM]; /* the short names of traces; NULL: there is one */
};

/* Finds short names for traces, where there are several. It is to be released in any case. */
int trc_abreast_init(struct trc_abreast *t, const char *const *path, size_t traces,
                     struct trc_err *err) TRC_MUST_USE;
void trc_abreast_release(struct trc_abreast *t);

/* Adds a curve of a trace: it is called by that, by the way in which that was asked or NULL, and by
 * its space if that is not below 0. */
int trc_abreast_add(struct trc_abreast *t, size_t trace, const char *way, int64_t space,
                    const void *of, size_t at, struct trc_err *err) TRC_MUST_USE;

/* Sorts numbers of rows, and leaves each once; returns how many are left. */
size_t trc_abreast_rows(uint64_t *row, size_t n);

/* What several curves have side by side: facts of each, a picture, and a table, whose rows have a
 * number each. */
struct trc_abreast_table {
	const struct trc_abreast *curves;
	const char *title; /* NULL: none */
	const uint64_t *row;
	size_t rows;
	struct trc_column_decl fact[3], key[2]; /* of each curve; in front of all of them */
	struct trc_column_decl cell[2];         /* of each in the table */
	void *of;

	/* Sets what is known of a curve; returns what follows its name. */
	const char *(*facts)(const struct trc_abreast_curve *curve, struct trc_value fact[3]);

	int (*draw)(void *of, struct trc_out *out, struct trc_err *err);

	/* Sets what a row begins with, and what it has of a curve, which may be nothing. */
	void (*keys)(void *of, uint64_t row, struct trc_value key[2]);
	void (*cells)(void *of, const struct trc_abreast_curve *curve, uint64_t row,
	              struct trc_value cell[2]);
	char name[TRC_ABREAST_NAME + 32]; /* of the curve at hand */
};

/* Prints all of it as text. */
int trc_abreast_print(struct trc_abreast_table *t, struct trc_err *err) TRC_MUST_USE;

#endif
