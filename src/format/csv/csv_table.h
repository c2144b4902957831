/* SPDX-License-Identifier: MIT
 *
 * The lines of a table of others, for guessing its fields.
 */
#ifndef TRC_FORMAT_CSV_CSV_TABLE_H
#define TRC_FORMAT_CSV_CSV_TABLE_H

#include "format/csv/csv_names.h"
#include "format/csv/csv_sure.h"

/* The table: its names, and the lines after them. */
struct trc_csv_table {
	const uint8_t *names, *names_end, *rows, *end;
	uint8_t by;
	bool keyed;          /* addresses may be texts */
	const uint8_t *file; /* the first line, which may be a comment */
	const char *comment; /* text that begins lines to skip; "": none */
	char prefix[8];      /* letters before the numbers of a field; "": none */
	uint32_t blocks;     /* bits of columns in blocks, by the name before each value */
	unsigned typed;      /* the field, from 1, without whose types lines are skipped; 0: none */
	bool made;           /* the names are those of a comment: fields have numbers */
	const char *ends;    /* the word for sizes that are ends of requests; NULL: they are not */
};

/* Returns field `at`, from 0, of the line [p, e). */
struct trc_field trc_csv_table_field(const struct trc_csv_table *t, const uint8_t *p,
                                     const uint8_t *e, unsigned at);

/* Skips comments and blank lines at `p`, and notes what begins comments. Returns NULL if nothing
 * follows. */
const uint8_t *trc_csv_table_begin(struct trc_csv_table *t, const uint8_t *p);

/* Prints the arguments for lines: the separator, and what begins comments. */
void trc_csv_table_put(const struct trc_csv_table *t, char *dst, size_t room);

/* Takes the line [*p, *e) at *at, which moves past it. Returns false if there is none, or it is
 * truncated. */
bool trc_csv_table_next(const struct trc_csv_table *t, const uint8_t **at, const uint8_t **p,
                        const uint8_t **e);

/* Returns the maximum number of decimals of the numbers in a field; -1 if some are not numbers. */
int trc_csv_table_decimals(const struct trc_csv_table *t, unsigned at);

/* Appends types for the unknown words in a field. */
void trc_csv_table_put_codes(const struct trc_csv_table *t, unsigned at, char *dst, size_t room);

/* Returns true if all words in the field of types are known. */
bool trc_csv_table_has_types(const struct trc_csv_table *t, unsigned at);

/* Appends a factor for the values of a field, if it is in blocks or has decimals. */
void trc_csv_table_put_factor(const struct trc_csv_table *t, enum trc_column c, unsigned at,
                              bool blocks, char *dst, size_t room);

/* Returns the statistics of the values of a field. */
struct trc_csv_values trc_csv_table_look(const struct trc_csv_table *t, unsigned at);

/* Returns the number of fields of the names, or of the first line. */
unsigned trc_csv_table_fields(const struct trc_csv_table *t);

/* Returns true if no line has more fields. */
bool trc_csv_table_is_even(const struct trc_csv_table *t, unsigned fields);

/* Sets t->prefix if one of the fields is a number after the same letters in all lines. */
void trc_csv_table_find_prefix(struct trc_csv_table *t, unsigned fields);

/* Sets v[k] to the statistics of the values of field `k`, for each of at most TRC_CSV_ASSIGNED.
 * Skips the lines whose word is not a type, as other instructions between loads and stores, if a
 * field has both, and these words repeatedly. Returns the number of fields of the first line that
 * is left; 0: more than TRC_CSV_ASSIGNED. */
unsigned trc_csv_table_look_all(struct trc_csv_table *t, unsigned fields,
                                struct trc_csv_values v[TRC_CSV_ASSIGNED]);

/* Reads the numbers of a field in all lines, in base 2, 16, or any other; returns how many. */
size_t trc_csv_table_numbers(const struct trc_csv_table *t, int at, unsigned base,
                             uint64_t number[TRC_CSV_SEEN]);

/* Returns the field of days to which the times of day in field `at` belong; -1: none. */
int trc_csv_table_day_of(const struct trc_csv_table *t, unsigned at);

/* Returns true if all values of a field are true or false. */
bool trc_csv_table_has_flags(const struct trc_csv_table *t, unsigned at);

/* Returns "end" or "last" if a field, whose numbers are in this base, has the ends of the requests
 * to the addresses in another, on at least `least` lines: sizes are multiples of four bytes; NULL:
 * it has not. */
const char *trc_csv_table_ends(const struct trc_csv_table *t, int addr, int end, unsigned base,
                               size_t least);

/* Adds a field that is left out to the description of the reading, with its value if that is a
 * single one. */
void trc_csv_table_leave_out(struct trc_reading *r, struct trc_field name, unsigned at,
                             const struct trc_csv_values *v);

#endif
