/* SPDX-License-Identifier: MIT
 *
 * Thrift's compact protocol, as the metadata of Parquet has it: structs of numbered fields.
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

/* The value of a field: its number, or, of lists and structs, where it stands. */
struct trc_thrift {
	enum trc_thrift_type type; /* NONE: the field is not there */
	int64_t number;            /* also 1 for true */
	struct trc_view bytes;
};

enum { TRC_THRIFT_FIELDS = 16 };

/* Takes a struct off the front of `v`; fields of numbers above are left out. False if it is none,
 * or not all there. */
bool trc_thrift_struct(struct trc_view *v, struct trc_thrift field[TRC_THRIFT_FIELDS]);

/* The same of a field that is one. */
static inline bool
trc_thrift_inner(const struct trc_thrift *f, struct trc_thrift field[TRC_THRIFT_FIELDS])
{
	struct trc_view v = f->bytes;

	return f->type == TRC_THRIFT_STRUCT && trc_thrift_struct(&v, field);
}

/* A field that is a list of structs: how many, and a view that begins with the first. */
bool trc_thrift_structs(const struct trc_thrift *f, struct trc_view *v, uint64_t *n);

#endif
