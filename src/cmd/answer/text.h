/* SPDX-License-Identifier: MIT
 * Answers as text. */
#ifndef TRC_CMD_ANSWER_TEXT_H
#define TRC_CMD_ANSWER_TEXT_H

#include "cmd/answer/write.h"

/* How wide columns are, and which of them stand in a part of the table. */
struct trc_text_layout {
	int *width; /* 0: not in this part */
	const char *gap;
};

/* A row, or for NULL the heads, if one is not empty; without a layout as wide as is declared. */
void trc_text_line(struct trc_answer_out *o, const struct trc_answer *a,
                   const struct trc_text_layout *l, const struct trc_value *cell);

/* A group: its facts, its picture, its rows. */
void trc_text_group(struct trc_answer_out *o, const struct trc_answer *a, size_t i,
                    const struct trc_answer_group *g, struct trc_value *cell);

#endif
