/* SPDX-License-Identifier: MIT
 *
 * One line of a table, which becomes a row.
 */
#ifndef TRC_FORMAT_CSV_CSV_ROW_H
#define TRC_FORMAT_CSV_CSV_ROW_H

#include "format/csv/csv_names.h"

enum { TRC_CSV_DELETE = 64 }; /* set in a type until its row is complete */

/* Parses the line [p, e) into the next row of `b`; lines to skip have none. Returns false if it is
 * invalid, or would be skipped only because of a character that is not shown. */
bool trc_csv_parse_row(struct trc_csv_fields *s, const uint8_t *p, const uint8_t *e,
                       struct trc_batch *b);

/* Parses a type, and adds TRC_CSV_DELETE if another word or a code stands for an invalidate: that
 * applies to a key, even if the value has no size, and not to the whole cache. */
bool trc_csv_take_row_type(const struct trc_codes *codes, struct trc_field f, uint8_t *type);

/* Parses a number in another unit, or a text that is hashed, into the next row; `j` is the index of
 * the field. The texts of a space are hashed one after another. */
bool trc_csv_take_scaled(const struct trc_csv_fields *s, struct trc_field f, size_t j,
                         struct trc_batch *b);

/* Sets *branch to a branch that was taken, by the word in a field, or was not; returns false if it
 * is neither. */
bool trc_csv_take_outcome(struct trc_field f, uint8_t *branch);

/* Returns true if the values of field `j` are stored unchanged. */
bool trc_csv_is_plain(const struct trc_csv_fields *s, size_t j);

/* Clears the columns of the next `n` rows that are sums of fields, and sets their type if it is the
 * same in all lines. */
void trc_csv_begin_rows(const struct trc_csv_fields *s, struct trc_batch *b, size_t n);

#endif
