/* SPDX-License-Identifier: MIT
 *
 * The compact protocol of Thrift, as used by the metadata of Parquet: structs of numbered fields.
 */
#ifndef TRC_FORMAT_COLUMNAR_THRIFT_H
#define TRC_FORMAT_COLUMNAR_THRIFT_H

#include "base/buf.h"

enum trc_thrift_type {
	TRC_THRIFT_NONE,
	TRC_THRIFT_TRUE,
	TRC_THRIFT_FALSE,
	TRC_THRIFT_BYTE,
	TRC_THRIFT_I16,
	TRC_THRIFT_I32,
	TRC_THRIFT_I64,
	TRC_THRIFT_DOUBLE,
	TRC_THRIFT_BINARY,
	TRC_THRIFT_LIST,
	TRC_THRIFT_SET,
	TRC_THRIFT_MAP,
	TRC_THRIFT_STRUCT,
};

/* The value of a field: its number, or the bytes of a list or struct. */
struct trc_thrift {
	enum trc_thrift_type type; /* NONE: the field is missing */
	int64_t number;            /* 1 for true */
	struct trc_view bytes;
};

enum { TRC_THRIFT_FIELDS = 16 };

/* Takes a struct off the front of `v`; fields with larger numbers are ignored. Returns false if it
 * is invalid or incomplete. */
bool trc_thrift_struct(struct trc_view *v, struct trc_thrift field[TRC_THRIFT_FIELDS]);

/* Reads a field that is a struct. */
static inline bool
trc_thrift_inner(const struct trc_thrift *f, struct trc_thrift field[TRC_THRIFT_FIELDS])
{
	struct trc_view v = f->bytes;

	return f->type == TRC_THRIFT_STRUCT && trc_thrift_struct(&v, field);
}

/* Reads a field that is a list of structs: sets *n to their number, and `v` to begin with the
 * first. */
bool trc_thrift_structs(const struct trc_thrift *f, struct trc_view *v, uint64_t *n);

#endif
