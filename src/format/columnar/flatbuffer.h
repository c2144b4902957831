/* SPDX-License-Identifier: MIT
 *
 * FlatBuffers, as the metadata of Arrow has them: tables whose fields are found through a list of
 * their offsets. Reading stays within the bytes whatever stands there; a field that would not is
 * not there.
 */
#ifndef TRC_FORMAT_COLUMNAR_FLATBUFFER_H
#define TRC_FORMAT_COLUMNAR_FLATBUFFER_H

#include "base/buf.h"
#include "base/text.h"

/* A table; `fields` are the offsets of its fields from `at`, 0 of those that are not there. */
struct trc_flatbuffer {
	const uint8_t *p;
	size_t n, at, size, fields, places;
};

/* The first table of some bytes; false if they begin with none. */
bool trc_flatbuffer_root(const uint8_t *p, size_t n, struct trc_flatbuffer *t);

/* A field as a number of so many bytes, `none` if it is not there. */
uint64_t trc_flatbuffer_number(const struct trc_flatbuffer *t, unsigned field, unsigned bytes,
                               uint64_t none);

/* A field that is a table, a text or a list of values of `width` bytes, which is empty if it is not
 * there; false if it is none. */
bool trc_flatbuffer_table(const struct trc_flatbuffer *t, unsigned field,
                          struct trc_flatbuffer *to);
bool trc_flatbuffer_text(const struct trc_flatbuffer *t, unsigned field, struct trc_field *text);
bool trc_flatbuffer_list(const struct trc_flatbuffer *t, unsigned field, size_t width,
                         struct trc_view *list);

/* Entry `i` of a list of tables, whose values are 4 bytes each. */
bool trc_flatbuffer_entry(const struct trc_flatbuffer *t, const struct trc_view *list, size_t i,
                          struct trc_flatbuffer *to);

/* ---- writing: parents come before what they point to ---- */

/* A field to write. */
struct trc_flatbuffer_field {
	uint8_t bytes; /* 0: not there; 4 of what points to something */
	uint64_t value;
	size_t slot; /* where what it points to is noted */
};

/* Appends a table, and notes it where `slot` is. */
int trc_flatbuffer_put(struct trc_buf *b, size_t slot, struct trc_flatbuffer_field *field, size_t n,
                       struct trc_err *err) TRC_MUST_USE;

/* Appends the head of a list of `n` values, which are to follow, and notes it at `slot`. */
int trc_flatbuffer_put_list(struct trc_buf *b, size_t slot, size_t n,
                            struct trc_err *err) TRC_MUST_USE;
int trc_flatbuffer_put_text(struct trc_buf *b, size_t slot, const char *text,
                            struct trc_err *err) TRC_MUST_USE;

#endif
