/* SPDX-License-Identifier: MIT
 *
 * Which field of a line of comma-separated values goes into which column: the names in the first
 * line, or the numbers that were given, as format/csv/csv.c has them. And what is wrong with
 * names, and with lines that are not read.
 */
#ifndef TRC_FORMAT_CSV_CSV_NAMES_H
#define TRC_FORMAT_CSV_CSV_NAMES_H

#include "batch/batch.h"
#include "format/lines.h"
#include "format/csv/csv_values.h"

enum { TRC_CSV_FIELDS_MOST = 48, TRC_CSV_UNKNOWN_MOST = 6, TRC_CSV_REPEAT_MOST = 1 << 20 };

/* Which field goes into which column. */
struct trc_csv_fields {
	uint8_t field[TRC_CSV_FIELDS_MOST]; /* 1 + the column that it goes into; 0: none */
	uint8_t n;                          /* up to the last that goes into one */
	bool skip;                          /* the first line is to come, and is names */
	bool named;                         /* it names all fields */
	bool headed;                        /* the first line is the names of a layout */
	uint8_t by;                         /* what is between fields: a comma, if not given */
	uint64_t hashed;                    /* fields that are texts; those of a space are one */
	uint64_t optional;                  /* fields that may be missing, or empty: 0 */
	uint32_t sums;                      /* columns that several fields add up to */
	uint8_t repeat;   /* the field with the number of rows of a line, from 1; 0: none */
	bool hex;         /* addresses are hexadecimal without 0x, too */
	char comment[24]; /* what begins lines to pass over, colons between; "": nothing does */
	struct trc_csv_lines {
		uint8_t field; /* from 1; 0: nothing was given */
		char texts[64];
	} only, except; /* lines that are read, or are not, by what is in a field of them */
	struct trc_csv_unit unit[TRC_CSV_FIELDS_MOST]; /* of the number in each field */
	const struct trc_layout *layout;               /* NULL: none */
	size_t commented;                              /* lines that were comments */
	unsigned shapes;       /* of the layout that lines had, a bit each */
	size_t shaped;         /* such lines */
	size_t passed;         /* lines that `except` passed over and that look as they should */
	double risen;          /* the number in the field of the last that rises */
	size_t rows, requests; /* that a layout of disks looked at; that are requests to them */
	size_t lines, given;   /* of the head so far, and their rows */
	bool broken;           /* some of them are not such as the layout has */
	struct trc_codes codes;
	struct trc_type_code unknown[TRC_CSV_UNKNOWN_MOST]; /* words that are no types */
	size_t unknowns;
	bool known;       /* others are types */
	char missing[48]; /* a name that was given, and no field has; */
	bool twice;       /* or that of a field which another column has */
};

/* "blank" is any number of blanks and tabs. */
#define TRC_CSV_SEPARATORS "comma|semicolon|tab|blank|colon|bar|any"

/* Any number of blanks, commas, semicolons, colons, bars, equals signs and square brackets. */
enum { TRC_CSV_ANY = 1 };

/* Columns whose numbers are written in hexadecimal. */
#define TRC_CSV_HEX \
	(TRC_HAS_ADDR | TRC_HAS_PC | TRC_HAS_VPN | TRC_HAS_CPN | TRC_HAS_INSN | TRC_HAS_REGS)

/* What may follow "csv:" in --from. */
struct trc_csv_from {
	struct trc_opt_field at[TRC_COLUMNS];
	struct trc_opt_field codes[TRC_CODED]; /* lists */
	unsigned separator; /* 1 + its place in TRC_CSV_SEPARATORS; 0: by the first line */
	bool header, hash, hex, coded;
	struct trc_opt_field comment, repeat, fields, space, only, except;
};

extern const struct trc_format_args trc_csv_args;
extern const struct trc_format trc_family_csv[];

/* Fails as wrong usage if two columns are given the same field, one is given a field behind the
 * last, or what is no factor, a code has two types, or there is a header, but no column. */
int trc_csv_check(const void *from, struct trc_err *err) TRC_MUST_USE;

/* The end of the line [p, e) without blanks and carriage returns behind it. `by`: what is between
 * its fields; a tab is no blank there. */
const uint8_t *trc_csv_end(const uint8_t *p, const uint8_t *e, uint8_t by);

/* The same, without a comment that begins behind a blank with one of these texts, colons
 * between. */
const uint8_t *trc_csv_line_end(const char *comment, const uint8_t *p, const uint8_t *e,
                                uint8_t by);

/* What is between the fields of a line that begins a table. */
uint8_t trc_csv_separator(const uint8_t *p, const uint8_t *e);

/* The number in field `j`, in its unit, as trc_csv_take_number() has it. */
enum trc_number_kind trc_csv_number(const struct trc_csv_fields *s, size_t j, struct trc_field f,
                                    uint64_t *v);

/* The rows of the line [p, e), by the field with their number; false if it has no such number, or
 * one above TRC_CSV_REPEAT_MOST. */
bool trc_csv_repeat(const struct trc_csv_fields *s, const uint8_t *p, const uint8_t *e,
                    uint64_t *rows);

/* Whether a line is to be passed over, whatever fields it has: it is blank, a comment, or one of
 * those that are not asked for. */
bool trc_csv_is_passed(struct trc_csv_fields *s, const uint8_t *p, const uint8_t *e);

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

/* Reads lines, by a struct trc_csv_fields as their state. */
size_t trc_csv_parse(const struct trc_lines *l, struct trc_batch *b);

/* Notes a field that is no type, for what trc_csv_explain() puts. */
void trc_csv_note_unknown(struct trc_csv_fields *s, struct trc_field f);

/* Puts into `dst` what is wrong with a line that is not read: with names, or, behind these, with
 * values for `state`, a struct trc_csv_fields. */
void trc_csv_explain(const void *state, const uint8_t *p, const uint8_t *e, char *dst, size_t room);

#endif
