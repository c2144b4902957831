/* SPDX-License-Identifier: MIT
 *
 * Answers with their pictures, kept until they are printed: alone, or with those of other traces.
 * Of several, CSV begins with the column `input`, JSON has their groups in one array, text has one
 * after another, each below its name, or some columns of all side by side, and a picture has the
 * curves of all.
 */
#ifndef TRC_CMD_PICTURE_ANSWERED_H
#define TRC_CMD_PICTURE_ANSWERED_H

#include "cmd/picture/answer_plot.h"

enum { TRC_ANSWERED_COLUMNS = 24 };

/* What it points to outlives it, but not the trace that was asked, which is closed. */
struct trc_answered {
	struct trc_answer answer;
	struct trc_answer drawn; /* what its picture has; without columns, the same */
	struct trc_answer_plot plot;
	struct trc_column_decl column[TRC_ANSWERED_COLUMNS]; /* room for those of the answer, */
	char title[256];                                     /* and for its title */
};

/* Declares the columns of an answer, which are copied. */
#define TRC_ANSWERED_TABLE(a, ...)                                                       \
	((a)->answer.columns = sizeof((const struct trc_column_decl[]){ __VA_ARGS__ }) / \
	                       sizeof(struct trc_column_decl),                           \
	 (a)->answer.column = memcpy((a)->column,                                        \
	                             ((const struct trc_column_decl[]){ __VA_ARGS__ }),  \
	                             sizeof((const struct trc_column_decl[]){ __VA_ARGS__ })))

/* Prints an answer to standard output, and its picture if one is wanted. */
int trc_answered_print(struct trc_answered *a, struct trc_plotting *g,
                       struct trc_err *err) TRC_MUST_USE;

/* The same of `n` > 1 traces, whose columns have the same names; path[i] is what the trace of a[i]
 * is called. */
int trc_answered_print_all(struct trc_answered *const *a, const char *const *path, size_t n,
                           struct trc_plotting *g, struct trc_err *err) TRC_MUST_USE;

#endif
