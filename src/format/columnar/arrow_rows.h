/* SPDX-License-Identifier: MIT
 *
 * The rows of a batch of Arrow, or the words of a dictionary: its buffers, which ones are of which
 * column, and the values in them.
 */
#ifndef TRC_FORMAT_COLUMNAR_ARROW_ROWS_H
#define TRC_FORMAT_COLUMNAR_ARROW_ROWS_H

#include "format/columnar/columnar.h"
#include "format/columnar/flatbuffer.h"

/* A column of the schema. */
struct trc_arrow_column {
	unsigned type;
	unsigned bytes;    /* of a number, or of where a text ends; 0: it is bits or a view */
	unsigned buffers;  /* without those of views */
	unsigned place;    /* bytes of a place in its dictionary; 0: it has none */
	size_t dictionary; /* the first column with that */
	int64_t id;
	size_t node, first; /* of its buffers, in this batch */
	size_t at;          /* rows that were taken */
	union trc_datum *word;
	size_t words, words_cap;
	struct trc_buf body; /* that these are in */
};

/* The batch at hand; zeroed memory is none. Owned: the lists, not what they point into. */
struct trc_arrow_rows {
	struct trc_view *buffer;
	struct trc_buf *unpacked; /* one for each buffer that was packed */
	size_t buffers, buffer_cap, unpacked_cap;
	const uint8_t *node; /* for each column: rows, nulls */
	size_t nodes;
	struct trc_view views; /* for each column of views: buffers of their texts */
	size_t nodes_placed, buffers_placed, views_placed; /* that are of columns */
};

/* Finds the buffers and nodes that the head of some rows lists; `views` is the caller's. None of
 * them is of a column yet. They point into `body`, or were unpacked. */
int trc_arrow_find(struct trc_arrow_rows *r, const struct trc_flatbuffer *head,
                   const struct trc_view *body, struct trc_err *err) TRC_MUST_USE;

/* Places the next buffers as those of a column of `n` rows, values or places in its dictionary;
 * false if not all of them are there. */
bool trc_arrow_place(struct trc_arrow_rows *r, struct trc_arrow_column *c, bool values, uint64_t n);

/* Sets which of the next `n` rows are null: those without a bit. */
void trc_arrow_nulls(const struct trc_arrow_rows *r, const struct trc_arrow_column *c, size_t n,
                     struct trc_data *to);

/* The next `n` values, behind their nulls: of a column without a dictionary, or of the dictionary
 * itself. False if a text is not there. */
bool trc_arrow_values(const struct trc_arrow_rows *r, const struct trc_arrow_column *c,
                      enum trc_datum_kind kind, size_t n, struct trc_data *to);

/* The same where they are places in dictionary `d`; false if one is not there. */
bool trc_arrow_places(const struct trc_arrow_rows *r, const struct trc_arrow_column *c,
                      const struct trc_arrow_column *d, size_t n, struct trc_data *to);

void trc_arrow_rows_release(struct trc_arrow_rows *r);

#endif
