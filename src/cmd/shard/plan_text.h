/* SPDX-License-Identifier: MIT
 *
 * Lines of words and numbers that are written and read by the same calls, as base/state.h has it of
 * bytes; what is read has to be what they would write. The first failure stays: nothing is written
 * from then on, and what is read stands for nothing.
 */
#ifndef TRC_CMD_SHARD_PLAN_TEXT_H
#define TRC_CMD_SHARD_PLAN_TEXT_H

#include "base/buf.h"

/* Lines that are written or read. */
struct trc_text_lines {
	bool writes, failed;
	struct trc_buf *to;
	struct trc_view from;
	struct trc_err *err; /* of writing, and of memory; lines that are read are damaged */
};

/* Text as it stands, which may end a line; before all others it is their key. */
void trc_text_mark(struct trc_text_lines *t, const char *s);

/* A number; of at least so many digits; a flag, as 0 or 1; a number that is "-" if it is not known;
 * 16 hexadecimal digits. */
void trc_text_num(struct trc_text_lines *t, const char *key, uint64_t *v);
void trc_text_padded(struct trc_text_lines *t, const char *key, unsigned digits, uint64_t *v);
void trc_text_flag(struct trc_text_lines *t, const char *key, bool *v);
void trc_text_maybe(struct trc_text_lines *t, const char *key, bool *known, uint64_t *v);
void trc_text_hash(struct trc_text_lines *t, const char *key, uint64_t *v);

/* The rest of the line; what is read is to be freed. */
void trc_text_rest(struct trc_text_lines *t, const char *key, char **text);

#endif
