/* SPDX-License-Identifier: MIT
 *
 * Lines of fields as a table, so that the numbers of a column are parsed many at a time. Formats
 * with more than two numbers per line use it instead of a scan.
 */
#ifndef TRC_FORMAT_TABLE_H
#define TRC_FORMAT_TABLE_H

#include "format/lines.h"

enum { TRC_TABLE_FIELDS = 4096 };

/* Field j of line i is field k = i * fields + j. It begins at place[k * step] + past, an offset in
 * the text, and ends at place[k * step + 1]. trc_table_next() gives it. */
struct trc_table {
	const uint8_t *text;
	size_t n, fields; /* number of lines, and of fields in each */
	size_t step;      /* 2: words; 1: fields that begin after the end of the one before, */
	uint32_t past;    /* by this; else 0 */
	uint32_t ending;  /* 1: all lines end with a carriage return, not part of a field */
	uint32_t place[2 * TRC_TABLE_FIELDS + 1 + TRC_LINES_SLACK];
};

/* Makes a table of the lines [from, l->n), at most TRC_LINES_AT_ONCE, while they have as many
 * fields as the first, separated by `by`. Returns the number of lines. */
size_t trc_table_init(struct trc_table *t, const struct trc_lines *l, size_t from, uint8_t by);

/* Does the same for fields separated by any number of characters of `between`, which may also be
 * at both ends of a line. */
size_t trc_table_words(struct trc_table *t, const struct trc_lines *l, size_t from,
                       const char *between);

/* Column `j`, for loops over its fields. */
struct trc_table_column {
	const uint8_t *text;
	const uint32_t *place;
	size_t step;
	uint32_t past, ending;
};

static inline struct trc_table_column
trc_table_column(const struct trc_table *t, size_t j)
{
	return (struct trc_table_column){ t->text, t->place + j * t->step, t->fields * t->step,
		                          t->past, j + 1 == t->fields ? t->ending : 0 };
}

/* Returns the next field of a column, and moves on. */
static TRC_ALWAYS_INLINE struct trc_field
trc_table_next(struct trc_table_column *c)
{
	const uint32_t begin = c->place[0] + c->past, end = c->place[1] - c->ending;

	c->place += c->step;
	return (struct trc_field){ c->text + begin, end - begin };
}

/* Parses the numbers of column `j` in the first `n` lines, without the first `before` characters of
 * each field: hexadecimal ones, with or without 0x, if `hex` or if the first has 0x, and then all
 * or none have it. Returns how many were in this form; the next may be valid in another form. */
size_t trc_table_numbers(const struct trc_table *t, size_t j, size_t before, bool hex, size_t n,
                         uint64_t *v);

/* Does the same for a column of whole fields, in numbers of 4 bytes or 1. */
size_t trc_table_numbers4(const struct trc_table *t, size_t j, size_t n, uint32_t *v);
size_t trc_table_numbers1(const struct trc_table *t, size_t j, size_t n, uint8_t *v);

#endif
