/* SPDX-License-Identifier: MIT
 *
 * Lines of words and numbers, written and read by the same calls, as base/state.h does for bytes.
 * Reading accepts only what writing produces. After the first failure nothing more is written, and
 * values that were read mean nothing.
 */
#ifndef TRC_CMD_SHARD_PLAN_TEXT_H
#define TRC_CMD_SHARD_PLAN_TEXT_H

#include "base/buf.h"

/* Lines being written or read. */
struct trc_text_lines {
	bool writes, failed;
	struct trc_buf *to;
	struct trc_view from;
	struct trc_err *err; /* set if writing or allocation fails; not by damaged lines, which the
	                      * caller reports */
};

/* Literal text, which may end a line. Calls below write their key in the same way first. */
void trc_text_mark(struct trc_text_lines *t, const char *s);

/* A decimal number; one padded with zeros to `digits`; a flag, 0 or 1; a number, or "-" if it is
 * not known; 16 hexadecimal digits. */
void trc_text_num(struct trc_text_lines *t, const char *key, uint64_t *v);
void trc_text_padded(struct trc_text_lines *t, const char *key, unsigned digits, uint64_t *v);
void trc_text_flag(struct trc_text_lines *t, const char *key, bool *v);
void trc_text_maybe(struct trc_text_lines *t, const char *key, bool *known, uint64_t *v);
void trc_text_hash(struct trc_text_lines *t, const char *key, uint64_t *v);

/* The rest of the line. When reading, the caller frees *text. */
void trc_text_rest(struct trc_text_lines *t, const char *key, char **text);

#endif
