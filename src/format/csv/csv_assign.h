/* SPDX-License-Identifier: MIT
 *
 * Assigns columns to the fields of a table without names, by their values.
 */
#ifndef TRC_FORMAT_CSV_CSV_ASSIGN_H
#define TRC_FORMAT_CSV_CSV_ASSIGN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "batch/batch.h"

enum {
	TRC_CSV_ASSIGNED = 24, /* maximum fields of a table */
	TRC_CSV_FEW = 16,      /* limit for the number of processors, disks or types */
};

/* Statistics of the values of a field in all lines. */
struct trc_csv_values {
	size_t types, decimals, hex, marked, broken, dates, lines;
	size_t sized;        /* with a unit, such as 4KB */
	size_t bare;         /* above 9 without 0x */
	size_t padded;       /* with zeros before other digits, as hexadecimal numbers have */
	size_t rounded;      /* with an exponent, in place of their last digits */
	size_t begun, words; /* words that are not types: with the prefix of one, and others */
	uint32_t kinds;      /* a bit for each type among them */
	uint32_t cases[2];   /* a bit for each single letter, in lower and in upper case */
	size_t outcomes[2];  /* words for branches that are not taken, and for those that are */
	bool rises;          /* never decreases */
	bool powers;         /* all are powers of two, like sizes of references */
	bool prefixed;       /* with the prefix of the table, such as threads T0 and T9 */
	bool binary;         /* digits 0 and 1, the same number of them in all lines */
	uint64_t first, last, most;
	uint64_t bits; /* set in some value */
	uint64_t value[TRC_CSV_FEW + 1];
	unsigned n; /* number of different values, at most TRC_CSV_FEW + 1 */
};

/* Counts a value among the different ones. */
void trc_csv_note_value(struct trc_csv_values *v, uint64_t value);

/* Returns false for hexadecimal digits without a number above 15: these are letters with some
 * meaning. */
bool trc_csv_is_number(const struct trc_csv_values *v);

/* Sets at[TRC_COL_...] to the field of each column that is found, and leaves the others unchanged:
 * types by their words, or as a label in the first field; times are dates, or numbers that never
 * decrease; one of few values before an address is a processor, or a disk if there is no 0x; sizes
 * come after addresses. */
void trc_csv_assign(const struct trc_csv_values *v, unsigned fields, int at[TRC_COLUMNS]);

/* Changes *at to the `nth` likeliest, from 0, the one that it is: numbers of 0 to 2 may be types
 * instead of processors, times and types these, addresses numbers of pages, 0 and 1 outcomes of
 * branches. Returns false if there are fewer ways. */
bool trc_csv_reassign(const struct trc_csv_values *v, unsigned fields, unsigned nth,
                      int at[TRC_COLUMNS]);

/* Returns true if a field is words for branches that are taken or not, and has both. */
bool trc_csv_are_outcomes(const struct trc_csv_values *v);

/* Returns true if a field is 0 and 1. */
bool trc_csv_is_bit(const struct trc_csv_values *v);

/* Returns true if the values may be sizes of what is at these addresses: of memory references,
 * powers of two; otherwise any but few numbers from 0 on, such as nodes, and lifetimes. */
bool trc_csv_is_size(const struct trc_csv_values *v, const struct trc_csv_values *addr);

/* Returns true for few numbers without gaps, from 0, which sets *zero, or from 1 on. */
bool trc_csv_are_numbered(const struct trc_csv_values *v, bool *zero);

/* Returns true if numbers that stand alone may be times: in enough lines they never decrease. */
bool trc_csv_is_time(const struct trc_csv_values *v);

/* Returns true if a field is types, or words that mostly are, or begin as these do, reads and
 * writes. */
bool trc_csv_are_types(const struct trc_csv_values *v);

#endif
