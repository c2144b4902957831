/* SPDX-License-Identifier: MIT
 * How answers are written: what answer.c and text.c share. */
#ifndef TRC_CMD_ANSWER_WRITE_H
#define TRC_CMD_ANSWER_WRITE_H

#include "cmd/answer/answer.h"

enum { TRC_VALUE_ROOM = 64 }; /* bytes of a value that is not a word */

/* Where an answer goes. */
struct trc_answer_out {
	struct trc_out *out;
	struct trc_err *err;
	bool failed; /* then no more is written, so only the end has to look */
};

void trc_answer_write(struct trc_answer_out *o, const char *text);

/* A word as one of these has it: trc_report_csv(), _json(), _line(). */
typedef int trc_answer_word_fn(struct trc_out *out, const char *text, struct trc_err *err);
void trc_answer_write_as(struct trc_answer_out *o, const char *text, trc_answer_word_fn *as);

/* A value as CSV and JSON have it, but for quotes; returns dst, or a word. */
const char *trc_answer_value(const struct trc_value *c, char dst[TRC_VALUE_ROOM]);

#endif
