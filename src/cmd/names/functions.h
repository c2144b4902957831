/* SPDX-License-Identifier: MIT
 *
 * Names of functions by address: the symbols of programs at the addresses where these were
 * loaded.
 */
#ifndef TRC_CMD_NAMES_FUNCTIONS_H
#define TRC_CMD_NAMES_FUNCTIONS_H

#include "base/buf.h"

struct trc_function;

/* A list of functions. Zeroed memory is an empty list, which may be released. */
struct trc_functions {
	struct trc_function *function; /* sorted by address at the first look-up */
	size_t n, cap;
	bool sorted;
	struct trc_buf names;
	char text[256]; /* result of the last look-up */
};

/* Adds the functions of FILE[@BASE]: a 64-bit little-endian ELF file, loaded BASE bytes above the
 * addresses in it; the output of nm or nm -S; a map file of perf; or DynamoRIO's modules.log
 * together with the programs that it names, as far as these can be read. */
int trc_functions_add(struct trc_functions *f, const char *word, struct trc_err *err) TRC_MUST_USE;
void trc_functions_release(void *f);

/* Returns the function at `pc` as "qsort+0x1c", valid until the next call; NULL: `pc` is in no
 * function. */
const char *trc_functions_at(struct trc_functions *f, uint64_t pc);

#endif
