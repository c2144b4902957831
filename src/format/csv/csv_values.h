/* SPDX-License-Identifier: MIT
 *
 * The values of fields of comma-separated tables as others write them: numbers in other units, with
 * decimals; words and codes for types; keys that are texts.
 */
#ifndef TRC_FORMAT_CSV_CSV_VALUES_H
#define TRC_FORMAT_CSV_CSV_VALUES_H

#include "format/codes.h"

#define TRC_CSV_KERNEL "kernel-" /* before the type of a reference that the kernel makes */

/* The type that a field names: by these codes, by the words of trc, or by those of others that mean
 * one thing. False if it names none. */
bool trc_csv_take_type(const struct trc_codes *codes, struct trc_field f, uint8_t *type);

/* What the number in a field is multiplied by, and divided by then; 0: not. */
struct trc_csv_unit {
	uint64_t factor, divisor;
	bool time; /* it may be a date, which is seconds since 1970, or a time of day */
};

/* A field that may be a text, in another unit, and missing: "lbn*512", "hash(key)", "pc?". */
struct trc_csv_term {
	struct trc_opt_field field;
	struct trc_csv_unit unit;
	bool hashed, optional;
};

/* Makes a field that is digits its number. */
void trc_csv_number_field(struct trc_opt_field *f);

/* Takes the next term of a sum, "a*8M+b", off the front of `left`; false behind the last. */
bool trc_csv_next_term(struct trc_opt_field *left, struct trc_opt_field *given);

/* Takes one of column `c` apart; false if what is behind the last asterisk is no factor. Those of
 * addresses and sizes, which are in bytes, have units of 1024: 4K is 4096. */
bool trc_csv_take_term(const struct trc_opt_field *given, int c, struct trc_csv_term *term);

/* A decimal number that may have decimals and an exponent, or a hexadecimal one after 0x, in its
 * unit, NULL for none. Exact: what is not whole in 64 bits is refused, unless it is divided, then
 * it is rounded down. *tens, which may be NULL: by how many tens more a broken number would be
 * whole. */
enum trc_number_kind trc_csv_take_number(struct trc_field f, const struct trc_csv_unit *unit,
                                         uint64_t *v, unsigned *tens);

/* The number that stands for a text, behind another one's: its XXH3 of 64 bits, with `seed`. */
uint64_t trc_csv_hash(struct trc_field f, uint64_t seed);

#endif
