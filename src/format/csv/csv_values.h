/* SPDX-License-Identifier: MIT
 *
 * The values of fields of comma-separated tables as others write them: numbers in other units, with
 * decimals; words and codes for types; keys that are texts.
 */
#ifndef TRC_FORMAT_CSV_CSV_VALUES_H
#define TRC_FORMAT_CSV_CSV_VALUES_H

#include "base/opt.h"
#include "base/text.h"

#define TRC_CSV_KERNEL "kernel-" /* before the type of a reference that the kernel makes */

enum {
	TRC_CSV_CODES_MOST = 24,
	TRC_CSV_CODE_LETTERS = 31,
	TRC_CSV_IGNORED = 0xff, /* in place of a type: the line is left out */
};

/* What is a type by an option: "read=28:88". */
struct trc_csv_codes {
	struct trc_csv_code {
		char text[TRC_CSV_CODE_LETTERS]; /* without 0x, NUL behind it if there is room */
		uint8_t type;
	} code[TRC_CSV_CODES_MOST];
	size_t n;
	bool only; /* no other words are types */
};

/* Adds the codes of a list with colons between; ":" alone is a field with nothing in it. *wrong
 * becomes the one that is too long, is one too many or was there, and the return false. */
bool trc_csv_add_codes(struct trc_csv_codes *codes, const char *list, size_t len, uint8_t type,
                       struct trc_field *wrong);

/* The type that a field names: by these codes, by the words of trc, or by those of others that mean
 * one thing. False if it names none. */
bool trc_csv_take_type(const struct trc_csv_codes *codes, struct trc_field f, uint8_t *type);

/* A field that may be multiplied: "lbn*512" is `lbn` by 512. */
struct trc_csv_term {
	struct trc_opt_field field;
	uint64_t factor; /* 0: none */
};

/* Takes the next term of a sum, "a*8M+b", off the front of `left`; false behind the last. */
bool trc_csv_next_term(struct trc_opt_field *left, struct trc_opt_field *given);

/* Takes one of column `c` apart; false if what is behind the last asterisk is no factor. Those of
 * addresses and sizes, which are in bytes, have units of 1024: 4K is 4096. */
bool trc_csv_take_term(const struct trc_opt_field *given, int c, struct trc_csv_term *term);

/* A decimal number that may have decimals and an exponent, or a hexadecimal one after 0x, times
 * `factor`. Exact: what is not whole in 64 bits is refused. *tens, which may be NULL: by how many
 * tens more a broken number would be whole. */
enum trc_number_kind trc_csv_take_number(struct trc_field f, uint64_t factor, uint64_t *v,
                                         unsigned *tens);

/* The number that stands for a text, behind another one's: its XXH3 of 64 bits, with `seed`. */
uint64_t trc_csv_hash(struct trc_field f, uint64_t seed);

#endif
