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

/* A table, whose rows have a number each. */
struct trc_abreast_table {
	const struct trc_abreast *curves;
	const uint64_t *row;
	size_t rows;
	struct trc_column_decl key[2], cell[2]; /* in front of all curves, and of each */

	/* Sets what stands in front of a row, and what it has of a curve, which may be nothing. */
	void (*keys)(void *of, uint64_t row, struct trc_value key[2]);
	void (*cells)(void *of, const struct trc_abreast_curve *curve, uint64_t row,
	              struct trc_value cell[2]);
	void *of;
};

/* The names of all curves, each above its columns, then the rows. */
int trc_abreast_text(struct trc_abreast_table *t, struct trc_out *out,
                     struct trc_err *err) TRC_MUST_USE;

typedef const char *trc_abreast_facts_fn(const struct trc_abreast_curve *curve,
                                         struct trc_value fact[3]);

/* What is known of each curve: up to three columns, and its name with what facts() returns; and a
 * line without text. */
int trc_abreast_facts(const struct trc_abreast *t, const struct trc_column_decl fact[3],
                      trc_abreast_facts_fn *facts, struct trc_out *out,
                      struct trc_err *err) TRC_MUST_USE;

#endif
