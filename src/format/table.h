/* SPDX-License-Identifier: MIT
 *
 * Lines of fields separated by one character as a table, so that the numbers of a column are parsed
 * many at a time. Formats with more than two numbers per line use it instead of a scan.
 */
#ifndef TRC_FORMAT_TABLE_H
#define TRC_FORMAT_TABLE_H

#include "format/lines.h"

enum { TRC_TABLE_MARKS = 4096 };

/* Field j of line i ends at mark[1 + i * fields + j], an offset in the text, and begins after the
 * mark before. */
struct trc_table {
	const uint8_t *text;
	size_t n, fields; /* number of lines, and of fields in each */
	uint32_t mark[1 + TRC_TABLE_MARKS + TRC_LINES_SLACK];
};

/* Makes a table of the lines [from, l->n), at most TRC_LINES_AT_ONCE, while they have as many
 * fields as the first, separated by `by`. Returns the number of lines. */
size_t trc_table_init(struct trc_table *t, const struct trc_lines *l, size_t from, uint8_t by);

/* Parses the numbers of column `j` in the first `n` lines, without the first `before` characters of
 * each field, and without 0x: all must be hexadecimal if the first is. Returns how many were in
 * this form; the next may be valid in another form. */
size_t trc_table_numbers(const struct trc_table *t, size_t j, size_t before, size_t n, uint64_t *v);

/* Does the same for a column of numbers of 4 bytes or 1. */
size_t trc_table_numbers4(const struct trc_table *t, size_t j, size_t n, uint32_t *v);
size_t trc_table_numbers1(const struct trc_table *t, size_t j, size_t n, uint8_t *v);

#endif
