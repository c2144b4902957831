/* SPDX-License-Identifier: MIT
 *
 * Names of functions by address: the symbols of programs at the addresses where these were
 * loaded.
 */
#ifndef TRC_CMD_NAMES_FUNCTIONS_H
#define TRC_CMD_NAMES_FUNCTIONS_H

#include "base/buf.h"

#define TRC_FUNCTIONS_ANY UINT64_MAX

struct trc_function;

/* A file that was loaded `bias` above the addresses in it, at [lo, hi), in one space or in
 * TRC_FUNCTIONS_ANY. */
struct trc_loaded {
	uint64_t space, lo, hi, bias;
	size_t file; /* as trc_functions_file() numbered it */
};

/* A list of functions. Zeroed memory is an empty list, which may be released. */
struct trc_functions {
	struct trc_function *function; /* sorted by file and address at the first look-up */
	size_t n, cap;
	size_t files;
	struct trc_loaded *loaded;
	size_t loads, loaded_cap;
	bool sorted;
	bool tried; /* the trace's own modules were searched, and there were some */
	struct trc_buf names;
	char text[256]; /* result of the last look-up */
};

/* Adds the functions of FILE[@BASE]: a 64-bit little-endian ELF file, loaded BASE bytes above the
 * addresses in it; the output of nm or nm -S; a map file of perf; or DynamoRIO's modules.log
 * together with the programs that it names, as far as these can be read. */
int trc_functions_add(struct trc_functions *f, const char *word, struct trc_err *err) TRC_MUST_USE;
void trc_functions_release(void *f);

/* Adds the functions of an ELF file, none if it has no symbols, and numbers the file. Look-ups find
 * them at the addresses of trc_functions_load(). */
int trc_functions_file(struct trc_functions *f, const char *path, size_t *number,
                       struct trc_err *err) TRC_MUST_USE;
int trc_functions_load(struct trc_functions *f, const struct trc_loaded *loaded,
                       struct trc_err *err) TRC_MUST_USE;

/* Sets [*lo, *hi) to the addresses of the loaded segments of an ELF file. Returns false if there
 * are none, or it is not a 64-bit little-endian ELF file, or cannot be read. */
bool trc_functions_range(const char *path, uint64_t *lo, uint64_t *hi);

/* Sets *bias to how far above its own addresses an ELF file is loaded whose byte at `offset` is at
 * `addr`. Returns false if none of its loaded segments has that byte, or as above. */
bool trc_functions_bias(const char *path, uint64_t offset, uint64_t addr, uint64_t *bias);

/* Calls each(of, path, bias) for each module in DynamoRIO's modules.log. */
int trc_functions_log(const char *path,
                      int (*each)(void *of, const char *path, uint64_t bias, struct trc_err *err),
                      void *of, struct trc_err *err) TRC_MUST_USE;

/* Returns the function at `pc` of an address space as "qsort+0x1c", valid until the next call;
 * NULL: `pc` is in no function. Space 0 may be any: also NULL if several files were there. */
const char *trc_functions_at(struct trc_functions *f, uint32_t space, uint64_t pc);

/* Returns the number, from 1, of the function that contains `pc`, or 0 if none does; and the name
 * of a number, NULL for 0. Numbers are valid until functions are added. A file has the same
 * functions wherever it was loaded. */
size_t trc_functions_number(struct trc_functions *f, uint32_t space, uint64_t pc);
const char *trc_functions_name(const struct trc_functions *f, size_t number);

#endif
