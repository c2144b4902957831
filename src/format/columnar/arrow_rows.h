/* SPDX-License-Identifier: MIT
 *
 * The rows of an Arrow batch, or the words of a dictionary: its buffers, their columns, and the
 * values in them.
 */
#ifndef TRC_FORMAT_COLUMNAR_ARROW_ROWS_H
#define TRC_FORMAT_COLUMNAR_ARROW_ROWS_H

#include "format/columnar/columnar.h"
#include "format/columnar/flatbuffer.h"

/* A column of the schema. */
struct trc_arrow_column {
	unsigned type;
	unsigned bytes;    /* of a number, or of the end of a text; 0: bits or views */
	unsigned buffers;  /* without those of views */
	unsigned place;    /* bytes of a dictionary index; 0: no dictionary */
	size_t dictionary; /* the first column with this dictionary */
	int64_t id;
	size_t node, first; /* in this batch: its node, and the first of its buffers */
	size_t at;          /* rows taken so far */
	union trc_datum *word;
	size_t words, words_cap;
	struct trc_buf body; /* the bytes of the words */
};

/* The current batch; a zeroed struct is empty. It owns the lists, not the bytes that they point
 * to. */
struct trc_arrow_rows {
	struct trc_view *buffer;
	struct trc_buf *unpacked; /* one for each buffer that was compressed */
	size_t buffers, buffer_cap, unpacked_cap;
	const uint8_t *node; /* for each column: rows, nulls */
	size_t nodes;
	struct trc_view views; /* for each column of views: the number of buffers with its texts */
	size_t nodes_placed, buffers_placed, views_placed; /* number already assigned to columns */
};

/* Finds the buffers and nodes that the header of a batch lists. They point into `body`, or were
 * decompressed; none is assigned to a column yet. The caller sets `views`. */
int trc_arrow_find(struct trc_arrow_rows *r, const struct trc_flatbuffer *head,
                   const struct trc_view *body, struct trc_err *err) TRC_MUST_USE;

/* Assigns the next buffers to a column of `n` rows, which are values, or indices in its dictionary;
 * returns false if some are missing. */
bool trc_arrow_place(struct trc_arrow_rows *r, struct trc_arrow_column *c, bool values, uint64_t n);

/* Sets which of the next `n` rows are null: those with a bit of 0. */
void trc_arrow_nulls(const struct trc_arrow_rows *r, const struct trc_arrow_column *c, size_t n,
                     struct trc_data *to);

/* Reads the next `n` values, after their nulls: of a column without a dictionary, or of the
 * dictionary itself. Returns false if a text is out of bounds. */
bool trc_arrow_values(const struct trc_arrow_rows *r, const struct trc_arrow_column *c,
                      enum trc_datum_kind kind, size_t n, struct trc_data *to);

/* Reads the next `n` values, which are indices in dictionary `d`; returns false if one is out of
 * bounds. */
bool trc_arrow_places(const struct trc_arrow_rows *r, const struct trc_arrow_column *c,
                      const struct trc_arrow_column *d, size_t n, struct trc_data *to);

void trc_arrow_rows_release(struct trc_arrow_rows *r);

#endif
