/* SPDX-License-Identifier: MIT
 *
 * Which field of a table without names is what: by the values that stand in it.
 */
#ifndef TRC_FORMAT_CSV_CSV_ASSIGN_H
#define TRC_FORMAT_CSV_CSV_ASSIGN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "batch/batch.h"

enum {
	TRC_CSV_ASSIGNED = 24, /* fields of a table, at most */
	TRC_CSV_FEW = 16,      /* processors, disks or types there may be */
};

/* What the values of a field are in all lines. */
struct trc_csv_values {
	size_t types, decimals, hex, marked, broken, dates, lines;
	bool rises;  /* never falls */
	bool powers; /* of two, as bytes of references are */
	uint64_t first, last, most;
	uint64_t bits; /* that some value has */
	uint64_t value[TRC_CSV_FEW + 1];
	unsigned n; /* different ones, at most TRC_CSV_FEW + 1 */
};

/* Counts a value among the different ones. */
void trc_csv_note_value(struct trc_csv_values *v, uint64_t value);

/* Hexadecimal digits without a number above 15 are letters that stand for something. */
bool trc_csv_is_number(const struct trc_csv_values *v);

/* Sets the field of each column that is found, at[TRC_COL_...], and leaves the others: a type by
 * its words, or a label in front; dates, and numbers that never fall, are times; what is one of few
 * before an address is a processor, or a disk if there is no 0x; sizes come after addresses. */
void trc_csv_assign(const struct trc_csv_values *v, unsigned fields, int at[TRC_COLUMNS]);

#endif
