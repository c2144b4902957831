/* SPDX-License-Identifier: MIT
 * Writes answers as text. */
#ifndef TRC_CMD_ANSWER_TEXT_H
#define TRC_CMD_ANSWER_TEXT_H

#include "cmd/answer/write.h"

/* The widths of the columns in one part of a table. */
struct trc_text_layout {
	int *width; /* per column; 0: not in this part */
	const char *gap;
};

/* Writes a row, or the heads if `cell` is NULL and one of them is not empty. Without a layout,
 * columns have their declared widths. */
void trc_text_line(struct trc_answer_out *o, const struct trc_answer *a,
                   const struct trc_text_layout *l, const struct trc_value *cell);

/* Writes a group: its facts, its picture and its rows. */
void trc_text_group(struct trc_answer_out *o, const struct trc_answer *a, size_t i,
                    const struct trc_answer_group *g, struct trc_value *cell);

#endif
