/* SPDX-License-Identifier: MIT
 *
 * Reads and writes Arrow; arrow.c describes the format. These are its numbers (Message.fbs,
 * Schema.fbs).
 */
#ifndef TRC_FORMAT_COLUMNAR_ARROW_H
#define TRC_FORMAT_COLUMNAR_ARROW_H

#include "format/columnar/columnar.h"
#include "format/columnar/flatbuffer.h"

enum { TRC_ARROW_SCHEMA = 1, TRC_ARROW_DICTIONARY, TRC_ARROW_ROWS }; /* types of messages */

enum {
	TRC_ARROW_INT = 2,
	TRC_ARROW_FLOAT = 3,
	TRC_ARROW_BINARY = 4,
	TRC_ARROW_UTF8 = 5,
	TRC_ARROW_BOOL = 6,
	TRC_ARROW_TIMESTAMP = 10,
	TRC_ARROW_DURATION = 18,
	TRC_ARROW_LARGE_BINARY = 19,
	TRC_ARROW_LARGE_UTF8 = 20,
	TRC_ARROW_BINARY_VIEW = 23,
	TRC_ARROW_UTF8_VIEW = 24,
};

/* Begins each message, followed by the length of its metadata. */
#define TRC_ARROW_CONTINUED UINT32_MAX
#define TRC_ARROW_FILE "ARROW1\0\0" /* begins a file, and is followed by a stream */

/* Fields of the table Message. */
enum { TRC_ARROW_MESSAGE_HEADER = 2, TRC_ARROW_MESSAGE_BODY = 3 };

/* The members `source` and `sink` of the format. */
struct trc_source *trc_arrow_source(struct trc_in *in, const void *settings, struct trc_err *err);
struct trc_sink *trc_arrow_sink(struct trc_out *out, uint32_t have, const struct trc_meta *meta,
                                const void *settings, struct trc_err *err);

#endif
