/* SPDX-License-Identifier: MIT
 * Answers as text: what answer.c has of it. */
#ifndef TRC_CMD_ANSWER_TEXT_H
#define TRC_CMD_ANSWER_TEXT_H

#include "cmd/answer/answer.h"

enum { TRC_VALUE_ROOM = 64 }; /* bytes of a value that is no word */

/* How wide columns are, and which of them stand in a part of the table; NULL: all, as wide as they
 * are declared. */
struct trc_text_layout {
	int *width; /* 0: not in this part */
	const char *gap;
};

int trc_text_head(const struct trc_answer *a, const struct trc_text_layout *l, struct trc_out *out,
                  struct trc_err *err) TRC_MUST_USE;
int trc_text_row(const struct trc_answer *a, const struct trc_text_layout *l,
                 const struct trc_value *cell, struct trc_out *out,
                 struct trc_err *err) TRC_MUST_USE;

/* A group: its facts, its picture, its rows. */
int trc_text_group(const struct trc_answer *a, size_t i, const struct trc_answer_group *g,
                   struct trc_value *cell, struct trc_out *out, struct trc_err *err) TRC_MUST_USE;

/* "48 KiB" or "1.5 GiB"; returns dst. */
char *trc_text_bytes(uint64_t bytes, char *dst, size_t room);

#endif
