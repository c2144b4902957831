/* SPDX-License-Identifier: MIT
 *
 * FlatBuffers, as used by the metadata of Arrow: tables whose fields are found through a list of
 * their offsets. Reading never leaves the given bytes; a field that would is treated as missing.
 */
#ifndef TRC_FORMAT_COLUMNAR_FLATBUFFER_H
#define TRC_FORMAT_COLUMNAR_FLATBUFFER_H

#include "base/buf.h"
#include "base/text.h"

/* A table; `fields` is the list of the offsets of its fields from `at`, 0 for missing ones. */
struct trc_flatbuffer {
	const uint8_t *p;
	size_t n, at, size, fields, places;
};

/* Opens the first table of some bytes; returns false if there is none. */
bool trc_flatbuffer_root(const uint8_t *p, size_t n, struct trc_flatbuffer *t);

/* Returns a field as a number of `bytes` bytes; `none` if it is missing. */
uint64_t trc_flatbuffer_number(const struct trc_flatbuffer *t, unsigned field, unsigned bytes,
                               uint64_t none);

/* Read a field that is a table, a text or a list of values of `width` bytes. A missing text or list
 * is empty. Return false if the field is invalid. */
bool trc_flatbuffer_table(const struct trc_flatbuffer *t, unsigned field,
                          struct trc_flatbuffer *to);
bool trc_flatbuffer_text(const struct trc_flatbuffer *t, unsigned field, struct trc_field *text);
bool trc_flatbuffer_list(const struct trc_flatbuffer *t, unsigned field, size_t width,
                         struct trc_view *list);

/* Opens entry `i` of a list of tables, whose values are 4 bytes each. */
bool trc_flatbuffer_entry(const struct trc_flatbuffer *t, const struct trc_view *list, size_t i,
                          struct trc_flatbuffer *to);

/* ---- writing: parents come before their targets ---- */

/* A field to write. */
struct trc_flatbuffer_field {
	uint8_t bytes; /* 0: missing; 4 if it points to something */
	uint64_t value;
	size_t slot; /* gets the position of the field, to set its target later */
};

/* Appends a table, and sets the offset at `slot` to it. */
int trc_flatbuffer_put(struct trc_buf *b, size_t slot, struct trc_flatbuffer_field *field, size_t n,
                       struct trc_err *err) TRC_MUST_USE;

/* Appends the head of a list of `n` values, which must follow, and sets the offset at `slot` to
 * it. */
int trc_flatbuffer_put_list(struct trc_buf *b, size_t slot, size_t n,
                            struct trc_err *err) TRC_MUST_USE;
int trc_flatbuffer_put_text(struct trc_buf *b, size_t slot, const char *text,
                            struct trc_err *err) TRC_MUST_USE;

#endif
