/* SPDX-License-Identifier: MIT
 *
 * Tables that are stored by column, with names and types: shared by Parquet and Arrow. It maps
 * trace columns to theirs, and their tables to traces.
 *
 * A reader of such a format returns cells, some rows of one column at a time. If all columns of the
 * table have names of trace columns, they are stored directly in batches. All other tables are
 * converted to comma-separated values and read as csv, so --from has one syntax for all tables.
 */
#ifndef TRC_FORMAT_COLUMNAR_COLUMNAR_H
#define TRC_FORMAT_COLUMNAR_COLUMNAR_H

#include "base/buf.h"
#include "base/text.h"
#include "format/csv/csv_names.h"

enum {
	TRC_COLUMNAR_ROWS = 1024, /* cells read at a time */
	/* Words of types; those of the kernel come after the others. */
	TRC_COLUMNAR_WORDS = 2 * TRC_TYPES,
	TRC_COLUMNAR_WORD = 32, /* room for a word in bytes */
};

enum trc_datum_kind {
	TRC_DATUM_UNREADABLE, /* lists, structs, decimals, and numbers wider than 64 bits */
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
	bool null[TRC_COLUMNAR_ROWS]; /* valid if `nulls` */
	bool nulls;
};

/* A column of the table. */
struct trc_columnar_column {
	struct trc_field name;
	enum trc_datum_kind kind;
};

/* The reader of a format, which embeds it as its first member. */
struct trc_columnar {
	const char *format;
	const struct trc_columnar_column *column;
	size_t columns;
	uint64_t rows; /* as the file states; 0: it does not */

	/* Sets *n to the number of rows in the next part of the file: 0 at its end. */
	int (*next_rows)(struct trc_columnar *t, uint64_t *n, struct trc_err *err);

	/* Takes the next `n` rows, at most TRC_COLUMNAR_ROWS, of column `c`, which must be
	 * readable. Texts are valid until the next call for this column, or of next_rows(). */
	int (*read_column)(struct trc_columnar *t, size_t c, size_t n, struct trc_data *to,
	                   struct trc_err *err);
	void (*close)(struct trc_columnar *t); /* closes the input, too */
};

/* Checks arguments of --from, trc_csv_args: those about lines are not allowed. */
int trc_columnar_check(const void *settings, struct trc_err *err) TRC_MUST_USE;

/* Makes a source of the rows of `t`, which it takes over, and which reads `in`. */
struct trc_source *trc_columnar_source(struct trc_columnar *t, const struct trc_in *in,
                                       const void *settings, struct trc_err *err);

/* Writes the word of a type in these tables to `dst`, and returns `dst`. */
const char *trc_columnar_word(unsigned i, char dst[TRC_COLUMNAR_WORD]);

/* Returns the index of a type's word. */
static inline uint8_t
trc_columnar_word_of(uint8_t type)
{
	return (uint8_t)((type & TRC_TYPE_MASK) + (type & TRC_KERNEL ? TRC_TYPES : 0));
}

/* Converts the bits of a float to those of a double. */
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

/* Adds the rows of `b` to those that a writer gathers. Calls full(own), which writes and clears
 * them, if there is no room, or if there are many texts. Fails if a row cannot be written to
 * `format`: its type is unknown, or its event is not UTF-8; `before` rows were written. */
int trc_columnar_gather(const char *format, uint64_t before, struct trc_batch *rows,
                        const struct trc_batch *b, int (*full)(void *own, struct trc_err *err),
                        void *own, struct trc_err *err) TRC_MUST_USE;

#endif
