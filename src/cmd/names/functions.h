/* SPDX-License-Identifier: MIT
 *
 * Names of functions by their addresses: symbols of programs, which stand where they were loaded.
 */
#ifndef TRC_CMD_NAMES_FUNCTIONS_H
#define TRC_CMD_NAMES_FUNCTIONS_H

#include "base/buf.h"

struct trc_function;

/* All of them. Zeroed, there are none; it may be released then. */
struct trc_functions {
	struct trc_function *function; /* in order of their addresses, once they were looked for */
	size_t n, cap;
	bool sorted;
	struct trc_buf names;
	char text[256]; /* of the last that was looked for */
};

/* Adds those of FILE[@BASE]: an ELF of 64 bits, little-endian, that was loaded so much above the
 * addresses in it; what nm or nm -S printed of it; a map of perf; or modules.log of DynamoRIO, and
 * with it the programs that are named there, as far as they can be read. */
int trc_functions_add(struct trc_functions *f, const char *word, struct trc_err *err) TRC_MUST_USE;
void trc_functions_release(void *f);

/* "qsort+0x1c", until it is called again; NULL: the address is in no function. */
const char *trc_functions_at(struct trc_functions *f, uint64_t pc);

#endif
