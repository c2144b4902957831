/* SPDX-License-Identifier: MIT
 *
 * Whether a table without names can be nothing else than csv_assign.h has it. What is counted has
 * its odds beside it.
 */
#ifndef TRC_FORMAT_CSV_CSV_SURE_H
#define TRC_FORMAT_CSV_CSV_SURE_H

#include "format/csv/csv_assign.h"

enum {
	TRC_CSV_SEEN = 1000, /* lines that are looked at */

	/* Among fewer lines, a field is the same, or never falls, by chance: 1/8!, once in 40,000,
	 * for numbers. */
	TRC_CSV_LEAST = 8,
};

/* The addresses and sizes of the lines, which go together; or one of both. */
struct trc_csv_sample {
	uint64_t addr[TRC_CSV_SEEN], size[TRC_CSV_SEEN];
	size_t n;
};

/* Whether nothing else is as likely. Fields with the same value in all lines go out of *at. */
bool trc_csv_is_sure(const struct trc_csv_values *v, unsigned fields,
                     const struct trc_csv_sample *sample, int at[TRC_COLUMNS]);

/* Numbers that may have been given in order of first use, from 0 on, as those of blocks in
 * published traces are. Zeroed memory is none. */
struct trc_csv_numbered {
	uint64_t next, last;
	size_t repeats, falls;
};

/* Counts one; false if it is above all that are to come. */
bool trc_csv_note_numbered(struct trc_csv_numbered *seen, uint64_t v);
bool trc_csv_is_numbered(const struct trc_csv_numbered *seen);

/* Whether a field is one number in all lines. */
bool trc_csv_is_constant(const struct trc_csv_values *v);

#endif
