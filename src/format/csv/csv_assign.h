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
	bool rises;  /* never decreases */
	bool powers; /* all are powers of two, like sizes of references */
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

#endif
