/* SPDX-License-Identifier: MIT
 *
 * The values of fields of tables as others write them: numbers in other units, with decimals; words
 * and codes for types; keys that are texts.
 */
#ifndef TRC_FORMAT_CSV_CSV_VALUES_H
#define TRC_FORMAT_CSV_CSV_VALUES_H

#include "format/codes.h"

#define TRC_CSV_KERNEL "kernel-" /* prefix of the type of a kernel reference */

/* Parses a type: one of these codes, a word of trc, or an unambiguous word of others. Returns false
 * if it is none. */
bool trc_csv_take_type(const struct trc_codes *codes, struct trc_field f, uint8_t *type);

/* The factor and the divisor of the number in a field; 0: none. */
struct trc_csv_unit {
	uint64_t factor, divisor;
	bool time;  /* it may be a date, converted to seconds since 1970, or a time of day */
	bool bytes; /* it may have a unit, such as 4KB or 1M, of 1024 */
};

/* A field that may be a text, in another unit, or missing: "lbn*512", "hash(key)", "pc?". */
struct trc_csv_term {
	struct trc_opt_field field;
	struct trc_csv_unit unit;
	bool hashed, optional;
};

/* Converts a field of digits to a field number. */
void trc_csv_number_field(struct trc_opt_field *f);

/* Takes the next term of a sum such as "a*8M+b" off the front of `left`; returns false after the
 * last. */
bool trc_csv_next_term(struct trc_opt_field *left, struct trc_opt_field *given);

/* Parses a term of column `c`; returns false if the text after the last asterisk is not a factor.
 * Factors of addresses and sizes, which are in bytes, use units of 1024: 4K is 4096. */
bool trc_csv_take_term(const struct trc_opt_field *given, int c, struct trc_csv_term *term);

/* Parses a decimal number that may have decimals and an exponent, or a hexadecimal one after 0x, in
 * its unit, NULL for none. The result is exact: a number that is not whole, or does not fit in 64
 * bits, is refused, unless there is a divisor, in which case it is rounded down. *tens, which may
 * be NULL, is set to the power of ten that would make a fraction whole. */
enum trc_number_kind trc_csv_take_number(struct trc_field f, const struct trc_csv_unit *unit,
                                         uint64_t *v, unsigned *tens);

/* Returns true if a number with an exponent was rounded when it was written: it has three digits or
 * more, as spreadsheets show them, and not all of them. */
bool trc_csv_is_rounded(struct trc_field f);

/* Parses a number of up to 64 binary digits, with or without 0b. */
bool trc_csv_take_binary(struct trc_field f, uint64_t *v);

/* Returns the 64-bit XXH3 of a text, with `seed`, which may be that of a previous text. */
uint64_t trc_csv_hash(struct trc_field f, uint64_t seed);

#endif
