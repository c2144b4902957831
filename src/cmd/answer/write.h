/* SPDX-License-Identifier: MIT
 * Writing answers: declarations that answer.c and text.c share. */
#ifndef TRC_CMD_ANSWER_WRITE_H
#define TRC_CMD_ANSWER_WRITE_H

#include "cmd/answer/answer.h"

enum { TRC_VALUE_ROOM = 64 }; /* bytes for any value except a word */

/* The destination of an answer. */
struct trc_answer_out {
	struct trc_out *out;
	struct trc_err *err;
	bool failed; /* once set, nothing more is written, so only the end has to check it */
};

/* Writes a text as it is. */
void trc_answer_write(struct trc_answer_out *o, const char *text);

/* Writes a word in one notation: trc_report_csv(), trc_report_json() or trc_report_line(). */
typedef int trc_answer_word_fn(struct trc_out *out, const char *text, struct trc_err *err);
void trc_answer_write_as(struct trc_answer_out *o, const char *text, trc_answer_word_fn *as);

/* Formats a value as CSV and JSON have it, without quotes. Returns `dst`, or the word itself. */
const char *trc_answer_value(const struct trc_value *c, char dst[TRC_VALUE_ROOM]);

#endif
