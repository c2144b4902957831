/* SPDX-License-Identifier: MIT
 *
 * The lines of a table of others, for guesses at what its fields are.
 */
#ifndef TRC_FORMAT_CSV_CSV_TABLE_H
#define TRC_FORMAT_CSV_CSV_TABLE_H

#include "format/csv/csv_names.h"
#include "format/csv/csv_sure.h"

/* The table: its names, and lines behind them. */
struct trc_csv_table {
	const uint8_t *names, *names_end, *rows, *end;
	uint8_t by;
	const char *comment; /* what begins lines to pass over; "": nothing */
};

/* Field `at`, from 0, of the line [p, e). */
struct trc_field trc_csv_table_field(const struct trc_csv_table *t, const uint8_t *p,
                                     const uint8_t *e, unsigned at);

/* Behind the comments and blank lines at `p`, or NULL if nothing is there; notes what begins
 * comments. */
const uint8_t *trc_csv_table_begin(struct trc_csv_table *t, const uint8_t *p);

/* What has to be given for lines: what is between fields, and which are passed over. */
void trc_csv_table_put(const struct trc_csv_table *t, char *dst, size_t room);

/* The line [*p, *e) at *at, which moves behind it; false if there is none, or it is cut. */
bool trc_csv_table_next(const struct trc_csv_table *t, const uint8_t **at, const uint8_t **p,
                        const uint8_t **e);

/* Digits behind the point that the numbers of a field have, at most; -1 if some are no numbers. */
int trc_csv_table_decimals(const struct trc_csv_table *t, unsigned at);

/* Appends types for the words in a field that are none. */
void trc_csv_table_put_codes(const struct trc_csv_table *t, unsigned at, char *dst, size_t room);

/* Whether all words in the field of types are known. */
bool trc_csv_table_has_types(const struct trc_csv_table *t, unsigned at);

/* A factor for what stands in a field, as it is in blocks or has decimals. */
void trc_csv_table_put_factor(const struct trc_csv_table *t, enum trc_column c, unsigned at,
                              bool blocks, char *dst, size_t room);

/* What the values of a field are in all lines. */
struct trc_csv_values trc_csv_table_look(const struct trc_csv_table *t, unsigned at);

/* How many fields the names, or the first line, have. */
unsigned trc_csv_table_fields(const struct trc_csv_table *t);

/* Whether no line has more fields than these. */
bool trc_csv_table_is_even(const struct trc_csv_table *t, unsigned fields);

/* The numbers of a field of all lines, in hexadecimal or not. */
size_t trc_csv_table_numbers(const struct trc_csv_table *t, int at, bool hex,
                             uint64_t number[TRC_CSV_SEEN]);

/* Adds a field that is left out to the description of the reading, with the value that all lines
 * have, if it is one. */
void trc_csv_table_leave_out(struct trc_reading *r, struct trc_field name, unsigned at,
                             const struct trc_csv_values *v);

#endif
