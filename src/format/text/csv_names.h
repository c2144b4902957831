/* SPDX-License-Identifier: MIT
 *
 * Which field of a line of comma-separated values goes into which column: the names in the first
 * line, or the numbers that were given, as format/text/csv.c has them. And what is wrong with
 * names, and with lines that are not read.
 */
#ifndef TRC_FORMAT_TEXT_CSV_NAMES_H
#define TRC_FORMAT_TEXT_CSV_NAMES_H

#include "base/opt.h"
#include "batch/batch.h"
#include "format/lines.h"

enum { TRC_CSV_FIELDS_MOST = 48 };

/* Which field goes into which column. */
struct trc_csv_fields {
	uint8_t field[TRC_CSV_FIELDS_MOST]; /* 1 + the column that it goes into; 0: none */
	uint8_t n;                          /* up to the last that goes into one */
	bool skip;                          /* the first line is to come, and is names */
	bool named;                         /* it names all fields */
	uint8_t by;                         /* what is between fields: a comma, if not given */
	char missing[48];                   /* a name that was given, and no field has; */
	bool twice;                         /* or that of a field which another column has */
};

#define TRC_CSV_SEPARATORS "comma|semicolon|tab"

/* What may follow "csv:" in --from. */
struct trc_csv_from {
	struct trc_opt_field at[TRC_COLUMNS];
	unsigned separator; /* 1 + its place in TRC_CSV_SEPARATORS; 0: by the first line */
	bool header;
};

/* Fails as wrong usage if two columns are given the same field, one is given a field behind the
 * last, or there is a header, but no column. */
int trc_csv_check(const void *from, struct trc_err *err) TRC_MUST_USE;

/* The end of the line [p, e) without blanks and carriage returns behind it. `by`: what is between
 * its fields; a tab is no blank there. */
const uint8_t *trc_csv_end(const uint8_t *p, const uint8_t *e, uint8_t by);

/* The next field of a line that ends at `e`, blanks around it left out, and *s moved behind its
 * `by`; a NULL field at the end of the line. A field in quotes has them. */
struct trc_field trc_csv_next(const uint8_t **s, const uint8_t *e, uint8_t by);

/* A field without the quotes around it. */
struct trc_field trc_csv_unquote(struct trc_field f);

/* Fills in zeroed *s and *have from what was given or, if nothing was, the first line [p, e): false
 * if that is not names of columns, each once, or lacks a name that was given. */
bool trc_csv_map(struct trc_csv_fields *s, const struct trc_csv_from *from, const uint8_t *p,
                 const uint8_t *e, uint32_t *have);

/* Puts into `dst` what is wrong with a first line that names columns, but not only; false for any
 * other. */
bool trc_csv_odd_name(const uint8_t *p, const uint8_t *e, char *dst, size_t room);

#define TRC_CSV_KERNEL "kernel-" /* before the type of a reference that the kernel makes */

/* The type that a field names; false if it names none. */
bool trc_csv_take_type(struct trc_field f, uint8_t *type);

/* Puts into `dst` what is wrong with a line that is not read: with names, or, behind these, with
 * values for `state`, a struct trc_csv_fields. */
void trc_csv_explain(const void *state, const uint8_t *p, const uint8_t *e, char *dst, size_t room);

/* Puts into `dst` what the `n` bytes that begin a file may be, and how they are read, if a first
 * line is words with commas between that are no columns, or not all; false if it is not. */
bool trc_csv_suggest(const uint8_t *p, size_t n, char *dst, size_t room);

#endif
