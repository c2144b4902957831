/* SPDX-License-Identifier: MIT
 *
 * Columns that explain each other: when something happened, by one clock or two, and what. Which
 * page is next tells how long it takes, and how long it took tells which page it is, so each row is
 * coded as a whole.
 *
 *   packed rows:  number of names; the name columns' values of each name, in order of first
 *                 appearance: packed columns (codec/flat.h); far values, 8 bytes each, most
 *                 significant first, and rows: packed streams (codec/pack.h)
 *
 * A name is what the name columns of a row are together, by number; there are 65536 at most. Each
 * row has 8 bytes, three numbers, most significant byte first:
 *   A, 3 bytes: how much the first clock advanced since the row before (since 0 in the first)
 *   B, 3 bytes: A's value less how much the second clock advanced; 0 if there is none
 *   C, 2 bytes: the name
 * Values are modulo 2^64. A or B being 2^24 - 1 says that its value is the next of the far values.
 */
#ifndef TRC_CODEC_ROWS_H
#define TRC_CODEC_ROWS_H

#include "codec/pack.h"

enum { TRC_ROWS_CLOCKS = 2, TRC_ROWS_NAMES = 8 };

/* Columns are numbered through: first the clocks, 1 or 2, then the names, 1 to TRC_ROWS_NAMES. */

/* Appends `n` > 0 rows to `out`; *fits false, and nothing appended, if there are too many names. */
int trc_rows_write(uint64_t *const *column, size_t clocks, size_t names, size_t n, int level,
                   struct trc_buf *out, bool *fits, struct trc_err *err) TRC_MUST_USE;

/* Rows that were unpacked. Zeroed memory is none; trc_rows_release() frees. */
struct trc_rows_unpacked {
	struct trc_buf row, far;
	uint64_t *name[TRC_ROWS_NAMES]; /* values by name; one allocation */
	size_t n, clocks;
};

/* Takes `n` rows from `in`. Damage is found here. */
int trc_rows_read(struct trc_rows_unpacked *r, struct trc_view *in, size_t clocks, size_t names,
                  size_t n, struct trc_err *err) TRC_MUST_USE;
void trc_rows_release(struct trc_rows_unpacked *r);

/* The values of a column. */
void trc_rows_column(const struct trc_rows_unpacked *r, size_t column, uint64_t *v);

#endif
