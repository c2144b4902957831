/* SPDX-License-Identifier: MIT
 *
 * Decides whether a table without names can only be what csv_assign.h assumes. Each count has a
 * comment with its odds.
 */
#ifndef TRC_FORMAT_CSV_CSV_SURE_H
#define TRC_FORMAT_CSV_CSV_SURE_H

#include "format/csv/csv_assign.h"

enum {
	TRC_CSV_SEEN = 1000, /* maximum lines examined */

	/* In fewer lines, a field may be constant, or never decrease, by chance; for numbers with
	 * odds of 1/8!, once in 40,000. */
	TRC_CSV_LEAST = 8,
};

/* The addresses and sizes of the lines, as pairs; or only one of both. */
struct trc_csv_sample {
	uint64_t addr[TRC_CSV_SEEN], size[TRC_CSV_SEEN];
	size_t n;
};

/* Returns true if no other assignment is as likely. Fields with a single value are removed from
 * *at. */
bool trc_csv_is_sure(const struct trc_csv_values *v, unsigned fields,
                     const struct trc_csv_sample *sample, int at[TRC_COLUMNS]);

/* Returns true if the addresses are of instructions that mostly follow each other, and the sizes
 * rather their words: hardly any has two, and most are no addresses of words in memory. */
bool trc_csv_are_words(const struct trc_csv_sample *s);

/* Recognises numbers assigned in order of first use, from 0 on, such as block numbers in published
 * traces. A zeroed struct has seen none. */
struct trc_csv_numbered {
	uint64_t next, last;
	size_t repeats, falls;
};

/* Counts a number; returns false if it is larger than all that may come. */
bool trc_csv_note_numbered(struct trc_csv_numbered *seen, uint64_t v);
bool trc_csv_is_numbered(const struct trc_csv_numbered *seen);

/* Returns true if types may be others: r and R may differ, and M without L and S may be a miss. */
bool trc_csv_have_doubt(const struct trc_csv_values *v);

/* Returns true if a field is one number in all lines, and not a letter such as E. */
bool trc_csv_is_constant(const struct trc_csv_values *v);

#endif
