/* SPDX-License-Identifier: MIT
 *
 * Maps the fields of comma-separated values to columns: by the names in the first line, or by the
 * given numbers, as format/csv/csv.c describes. Also explains what is wrong with names, and with
 * lines that cannot be read.
 */
#ifndef TRC_FORMAT_CSV_CSV_NAMES_H
#define TRC_FORMAT_CSV_CSV_NAMES_H

#include "batch/batch.h"
#include "format/lines.h"
#include "format/csv/csv_values.h"

enum { TRC_CSV_FIELDS_MOST = 48, TRC_CSV_UNKNOWN_MOST = 6, TRC_CSV_REPEAT_MOST = 1 << 20 };

/* The mapping of fields to columns, and the state of the reader. */
struct trc_csv_fields {
	uint8_t field[TRC_CSV_FIELDS_MOST]; /* 1 + the column of each field; 0: none */
	uint8_t n;                          /* number of fields, up to the last that has a column */
	bool skip;                          /* the next line is the first, and has names */
	bool named;                         /* the first line names all fields */
	bool headed;                        /* the first line has the names of a layout */
	bool own;                           /* the names are those of columns, nothing is given */
	bool padded;       /* bare numbers begin with 0: they may be decimal or hexadecimal */
	bool looked;       /* at numbers */
	uint8_t ends;      /* sizes are the ends of requests: 1, the byte after; 2, the last one */
	uint8_t by;        /* separator of fields; a comma by default */
	uint64_t hashed;   /* fields that are texts; those of a space count as one */
	uint64_t optional; /* fields that may be missing or empty, which means 0 */
	uint32_t sums;     /* columns that are the sum of several fields */
	char prefix[8];    /* text that numbers may begin with, such as T; "": none */
	uint8_t repeat;    /* the field with the number of rows of a line, from 1; 0: none */
	uint8_t base;      /* of addresses: 16 without 0x, 2; 0: as they show */
	bool fetches;      /* all lines are fetches; */
	bool outcomes;     /* and branches, whose field has words for taken or not */
	char comment[24];  /* texts that begin lines to skip, separated by colons; "": none */
	struct trc_csv_lines {
		uint8_t field; /* from 1; 0: none */
		char texts[64];
	} only, except; /* lines to read, or to skip, by the text of a field */
	struct trc_csv_unit unit[TRC_CSV_FIELDS_MOST]; /* unit of the number in each field */
	const struct trc_layout *layout;               /* NULL: none */
	size_t commented;                              /* number of lines that were comments */
	unsigned shapes; /* a bit for each shape of the layout that occurred */
	size_t shaped;   /* number of these lines */
	bool possible;   /* a line may have a shape */
	bool longer;     /* a line has one, and more after it */
	size_t falls;    /* number of rows that are earlier than the one before */
	size_t passed;   /* lines that `except` skipped and that have the expected form */
	double risen;    /* the last number in the field that never decreases */

	/* Rows checked by a layout of disks; those that are requests to disks. */
	size_t rows, requests;
	size_t lines, given; /* lines of the head so far, and their rows */
	bool broken;         /* some of them do not match the layout */
	struct trc_codes codes;
	struct trc_type_code unknown[TRC_CSV_UNKNOWN_MOST]; /* words that are not types */
	size_t unknowns;
	bool known;       /* other words are types */
	char missing[48]; /* a given name that no field has, */
	bool again;       /* or that two fields have, */
	bool twice;       /* or that belongs to a field of another column; */
	bool early;       /* the end of a request comes before its address */
};

/* "blank" is any number of blanks and tabs. */
#define TRC_CSV_SEPARATORS "comma|semicolon|tab|blank|colon|bar|any"

/* Any number of blanks, commas, semicolons, colons, bars, equals signs and brackets. */
enum { TRC_CSV_ANY = 1 };
#define TRC_CSV_ALL " \t,;:|=[]{}()<>"

/* Columns written in hexadecimal, or binary. */
#define TRC_CSV_HEX \
	(TRC_HAS_ADDR | TRC_HAS_PC | TRC_HAS_VPN | TRC_HAS_CPN | TRC_HAS_INSN | TRC_HAS_REGS)

/* The arguments after "csv:" in --from. */
struct trc_csv_from {
	struct trc_opt_field at[TRC_COLUMNS];
	struct trc_opt_field codes[TRC_CODED]; /* lists */
	unsigned separator; /* 1 + index in TRC_CSV_SEPARATORS; 0: determined by the first line */
	bool header, hash, hex, binary, coded, fetches;
	struct trc_opt_field comment, prefix, repeat, fields, space, only, except, taken, end, last;
};

extern const struct trc_format_args trc_csv_args;
extern const struct trc_format trc_family_csv[];

/* Checks the arguments. Fails as wrong usage if two columns have the same field, a field number is
 * too large, a factor is invalid, a code has two types, or there is a header but no column. */
int trc_csv_check(const void *from, struct trc_err *err) TRC_MUST_USE;

/* Returns the end of the line [p, e) without trailing blanks and carriage returns. If `by` is a
 * tab, a tab is not a blank. */
const uint8_t *trc_csv_end(const uint8_t *p, const uint8_t *e, uint8_t by);

/* Does the same, and removes a comment that begins after a blank with one of these texts, separated
 * by colons. */
const uint8_t *trc_csv_line_end(const char *comment, const uint8_t *p, const uint8_t *e,
                                uint8_t by);

/* Returns true if one of these texts, separated by colons, is at `p`. */
bool trc_csv_is_comment(const char *comment, const uint8_t *p, const uint8_t *e);

/* Returns true for a character between fields, besides the separator `by`. */
bool trc_csv_is_blank(uint8_t c, uint8_t by);

/* Returns the separator of the fields of a line that begins a table. */
uint8_t trc_csv_separator(const uint8_t *p, const uint8_t *e);

/* Returns true if field `j` may lack a value, and does: it is empty, a dash or, as a time to live,
 * -1. */
bool trc_csv_is_none(const struct trc_csv_fields *s, size_t j, struct trc_field f);

/* Parses the number in field `j`, in its unit, like trc_csv_take_number(); an end in that of the
 * address. */
enum trc_number_kind trc_csv_number(const struct trc_csv_fields *s, size_t j, struct trc_field f,
                                    uint64_t *v);

/* Sets *rows to the number of rows of the line [p, e), according to its field; returns false if
 * that is not a number, or above TRC_CSV_REPEAT_MOST. */
bool trc_csv_repeat(const struct trc_csv_fields *s, const uint8_t *p, const uint8_t *e,
                    uint64_t *rows);

/* Returns true if a line is skipped, whatever its fields are: it is blank, a comment, or not
 * selected. */
bool trc_csv_is_passed(struct trc_csv_fields *s, const uint8_t *p, const uint8_t *e);

/* Returns what characters that are not shown a line has; NULL: none. */
const char *trc_csv_unshown(const uint8_t *p, const uint8_t *e);

/* Takes the next field of a line that ends at `e`, without surrounding blanks, and moves *s past
 * its separator. Returns a NULL field at the end of the line. A quoted field includes its
 * quotes. */
struct trc_field trc_csv_next(const uint8_t **s, const uint8_t *e, uint8_t by);

/* Returns a field without the quotes around it. */
struct trc_field trc_csv_unquote(struct trc_field f);

/* Initialises zeroed *s and *have from the arguments or, if there are none, from the first line [p,
 * e). Returns false if that is not names of columns, each once, or lacks a given name. */
bool trc_csv_map(struct trc_csv_fields *s, const struct trc_csv_from *from, const uint8_t *p,
                 const uint8_t *e, uint32_t *have);

/* Writes what is wrong with a first line that names columns, but not only, to `dst`; returns false
 * for any other line. */
bool trc_csv_odd_name(const uint8_t *p, const uint8_t *e, char *dst, size_t room);

/* Parses lines; their state is a struct trc_csv_fields. */
size_t trc_csv_parse(const struct trc_lines *l, struct trc_batch *b);

/* Notes a field that is not a type, for trc_csv_explain(). */
void trc_csv_note_unknown(struct trc_csv_fields *s, struct trc_field f);

/* Writes what is wrong with a line that cannot be read to `dst`: with its names, or, after these,
 * with values for `state`, a struct trc_csv_fields. */
void trc_csv_explain(const void *state, const uint8_t *p, const uint8_t *e, char *dst, size_t room);

#endif
