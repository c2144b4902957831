/* SPDX-License-Identifier: MIT
 *
 * Codes that stand for types, as given to options: "read=28:88,write=2a,ignore=12".
 */
#ifndef TRC_FORMAT_CODES_H
#define TRC_FORMAT_CODES_H

#include "base/opt.h"
#include "base/text.h"
#include "batch/batch.h"

/* The types for which codes can be given, by their index in the settings. */
#define TRC_CODED_TYPES(X)                                     \
	X(0, read, TRC_READ, "codes of this type")             \
	X(1, write, TRC_WRITE, "codes of this type")           \
	X(2, fetch, TRC_FETCH, "codes of this type")           \
	X(3, modify, TRC_MODIFY, "codes of this type")         \
	X(4, misc, TRC_MISC, "codes of this type")             \
	X(5, invalidate, TRC_INVALIDATE, "codes of this type") \
	X(6, prefetch, TRC_PREFETCH, "codes of this type")     \
	X(7, ignore, TRC_CODE_IGNORED, "codes of rows to skip")

enum {
	TRC_CODED = 8, /* number of these rows */
	TRC_CODES_MOST = 24,
	TRC_CODE_LETTERS = 31,
	TRC_CODE_IGNORED = 0xff, /* in place of a type: the record is skipped */
};

/* The row of an option for the codes at index `place` of the TRC_CODED fields at `at`. */
#define TRC_CODES_ROW(at, place, name, doc)                              \
	{                                                                \
		0, #name, "CODE:...", doc, TRC_OPT_WORD, TRC_WORDS_NONE, \
		        (at) + sizeof(struct trc_opt_field) * (place)    \
	}

/* The name and the type of each index. */
extern const struct trc_coded {
	const char *name;
	uint8_t type;
} trc_coded[TRC_CODED];

/* Takes the next code off the front of a list separated by colons that ends at `e`; returns false
 * after the last. ":" alone is an empty code. */
bool trc_codes_next(const char **list, const char *e, struct trc_field *code);

/* The codes of all types. */
struct trc_codes {
	struct trc_type_code {
		char text[TRC_CODE_LETTERS]; /* without 0x; NUL-terminated if there is room */
		uint8_t type;
	} code[TRC_CODES_MOST];
	size_t n;
	bool only; /* other words are not types */
};

/* Parses all codes; fails as wrong usage of `whose` if one is given twice or is too long. */
int trc_codes_take(struct trc_codes *codes, const struct trc_opt_field *given, const char *whose,
                   struct trc_err *err) TRC_MUST_USE;

/* Sets *type to the type of a code; returns false if there is none. An asterisk at the end of a
 * code matches any rest. */
bool trc_codes_find(const struct trc_codes *codes, struct trc_field f, uint8_t *type);

/* Returns true if a field is one of the codes in a list. */
bool trc_codes_has(const char *list, struct trc_field f);

#endif
