/* SPDX-License-Identifier: MIT
 *
 * Tables whose columns stand one by one, with names and types: Parquet and Arrow. Here is what they
 * have in common: how a column of a trace is one of theirs, and how theirs become a trace.
 *
 * A reader of such a format gives cells, some rows of one column at a time. Where all its columns
 * have the names that trc gives them they are columns of batches as they stand. Any other table
 * goes through the machine for comma-separated values, so --from has one language for all tables.
 */
#ifndef TRC_FORMAT_COLUMNAR_COLUMNAR_H
#define TRC_FORMAT_COLUMNAR_COLUMNAR_H

#include "base/buf.h"
#include "base/text.h"
#include "format/csv/csv_names.h"

enum {
	TRC_COLUMNAR_ROWS = 1024,           /* cells that are read at once */
	TRC_COLUMNAR_WORDS = 2 * TRC_TYPES, /* of types, those by the kernel behind the others */
	TRC_COLUMNAR_WORD = 32,             /* bytes that one takes */
};

enum trc_datum_kind {
	TRC_DATUM_UNREADABLE, /* lists, structs, decimals, and what is wider than 64 bits */
	TRC_DATUM_UNSIGNED,
	TRC_DATUM_SIGNED,
	TRC_DATUM_REAL, /* the bits of a double */
	TRC_DATUM_TEXT,
};

union trc_datum {
	uint64_t number;
	struct trc_field text;
};

/* Some rows of a column. */
struct trc_data {
	union trc_datum cell[TRC_COLUMNAR_ROWS];
	bool null[TRC_COLUMNAR_ROWS]; /* if `nulls` */
	bool nulls;
};

/* A column that a reader has. */
struct trc_columnar_column {
	struct trc_field name;
	enum trc_datum_kind kind;
};

/* The reader of a format; its own has it as first member. */
struct trc_columnar {
	const char *format;
	const struct trc_columnar_column *column;
	size_t columns;
	uint64_t rows; /* by the file's own count; 0: it has none */

	/* Sets *n to how many rows follow, of a part of the file: 0 at its end. */
	int (*more)(struct trc_columnar *t, uint64_t *n, struct trc_err *err);

	/* Takes `n` of them, at most TRC_COLUMNAR_ROWS, from column `c`, whose kind is one that can
	 * be read. Texts stay until the next call for this column, or of more(). */
	int (*take)(struct trc_columnar *t, size_t c, size_t n, struct trc_data *to,
	            struct trc_err *err);
	void (*close)(struct trc_columnar *t); /* and its input */
};

/* The arguments of --from, trc_csv_args, are to be such as are not about lines. */
int trc_columnar_check(const void *settings, struct trc_err *err) TRC_MUST_USE;

/* A source of the rows of `t`, which reads `in`, and which it takes over. */
struct trc_source *trc_columnar_source(struct trc_columnar *t, const struct trc_in *in,
                                       const void *settings, struct trc_err *err);

/* Puts the word of a type as these tables have it into `dst`, and returns that. */
const char *trc_columnar_word(unsigned i, char dst[TRC_COLUMNAR_WORD]);

/* Which of the words a type is. */
static inline uint8_t
trc_columnar_word_of(uint8_t type)
{
	return (uint8_t)((type & TRC_TYPE_MASK) + (type & TRC_KERNEL ? TRC_TYPES : 0));
}

/* The bits of a double, by those of a float. */
static inline uint64_t
trc_columnar_double(uint32_t bits)
{
	double wide;
	float narrow;
	uint64_t v;

	memcpy(&narrow, &bits, sizeof(narrow));
	wide = narrow;
	memcpy(&v, &wide, sizeof(v));
	return v;
}

/* Adds the rows of `b` to those that a writer gathers, and calls full(own), which writes and clears
 * them, when there is no room, or there are many texts. Fails if a row cannot be written to
 * `format`: its type is unknown, or its event no UTF-8; `before` rows were written. */
int trc_columnar_gather(const char *format, uint64_t before, struct trc_batch *rows,
                        const struct trc_batch *b, int (*full)(void *own, struct trc_err *err),
                        void *own, struct trc_err *err) TRC_MUST_USE;

#endif
