/* SPDX-License-Identifier: MIT
 *
 * Lines of fields with one character between them as a table, so that the numbers of a column are
 * read many at a time: what formats of more than two numbers a line look at instead of a scan.
 */
#ifndef TRC_FORMAT_TABLE_H
#define TRC_FORMAT_TABLE_H

#include "format/lines.h"

enum { TRC_TABLE_MARKS = 4096 };

/* Field j of line i ends at mark[1 + i * fields + j], an offset in the text, and begins behind the
 * mark before. */
struct trc_table {
	const uint8_t *text;
	size_t n, fields; /* lines, fields of each */
	uint32_t mark[1 + TRC_TABLE_MARKS + TRC_LINES_SLACK];
};

/* Makes a table of the lines [from, l->n), at most TRC_LINES_AT_ONCE, as long as they have as many
 * fields as the first; `by` stands between them. Returns how many lines. */
size_t trc_table_init(struct trc_table *t, const struct trc_lines *l, size_t from, uint8_t by);

/* The numbers of column `j` of the first `n` lines, without the `before` characters in front of
 * each, and without 0x: all are hexadecimal if the first is. Returns how many were in this form;
 * the next may be good in another. */
size_t trc_table_numbers(const struct trc_table *t, size_t j, size_t before, size_t n, uint64_t *v);

/* The same for a column of numbers of 4 bytes or 1. */
size_t trc_table_numbers4(const struct trc_table *t, size_t j, size_t n, uint32_t *v);
size_t trc_table_numbers1(const struct trc_table *t, size_t j, size_t n, uint8_t *v);

#endif
