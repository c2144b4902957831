/* SPDX-License-Identifier: MIT
 *
 * Answers with their pictures, kept until they are printed, alone or together with those of other
 * traces. For several traces, CSV begins with the column `input`, JSON has all groups in one array,
 * text has one answer after another with its name above, or selected columns of all side by side,
 * and a picture has the curves of all.
 */
#ifndef TRC_CMD_PICTURE_ANSWERED_H
#define TRC_CMD_PICTURE_ANSWERED_H

#include "cmd/picture/answer_plot.h"

enum { TRC_ANSWERED_COLUMNS = 24 };

/* An answer that outlives its trace, which is closed. What it points to must outlive it. */
struct trc_answered {
	struct trc_answer answer;
	struct trc_answer drawn; /* what the picture shows; without columns, `answer` */
	struct trc_answer_plot plot;
	struct trc_column_decl column[TRC_ANSWERED_COLUMNS]; /* room for the columns of `answer` */
	char title[256];                                     /* room for its title */
};

/* Declares the columns of an answer and copies them into it. */
#define TRC_ANSWERED_TABLE(a, ...)                                                       \
	((a)->answer.columns = sizeof((const struct trc_column_decl[]){ __VA_ARGS__ }) / \
	                       sizeof(struct trc_column_decl),                           \
	 (a)->answer.column = memcpy((a)->column,                                        \
	                             ((const struct trc_column_decl[]){ __VA_ARGS__ }),  \
	                             sizeof((const struct trc_column_decl[]){ __VA_ARGS__ })))

/* Prints an answer to standard output, and its picture to a file if one is wanted. */
int trc_answered_print(struct trc_answered *a, struct trc_err *err) TRC_MUST_USE;

/* Does the same for `n` > 1 traces, whose columns must have the same names; path[i] is the name of
 * the trace of a[i]. */
int trc_answered_print_all(struct trc_answered *const *a, const char *const *path, size_t n,
                           struct trc_err *err) TRC_MUST_USE;

#endif
