/* SPDX-License-Identifier: MIT
 *
 * The files of code that a recorded program executed, as its tracer knows them, each an entry
 * `module` or `space-module` of the provenance (container/SPEC.md, 1.8.1); and the functions in
 * these files.
 */
#ifndef TRC_CMD_JOB_MODULES_H
#define TRC_CMD_JOB_MODULES_H

#include "batch/flow.h"
#include "cmd/names/functions.h"

/* Appends the entry of a file that was loaded `bias` above the addresses in it to `list`, a struct
 * trc_buf. Appends nothing if the path is not absolute, the file cannot be read or is not an
 * ELF file with loaded segments, or the list has this entry already. */
int trc_modules_put(void *list, const char *path, uint64_t bias, struct trc_err *err) TRC_MUST_USE;

/* Does the same for a file that was loaded in one space. */
int trc_modules_put_in(struct trc_buf *list, uint64_t space, const char *path, uint64_t bias,
                       struct trc_err *err) TRC_MUST_USE;

/* Appends the files in the list of modules that DynamoRIO keeps with a trace: in its folder, or in
 * raw/ next to that folder. Appends nothing if there is no such list. */
int trc_modules_put_log(struct trc_buf *list, const char *trace, struct trc_err *err) TRC_MUST_USE;

/* Wraps `from` in a source that adds to the provenance what fill(of, list) appends to `list`: when
 * it is opened if that is `known` then, else after the last row. Nothing is added if the provenance
 * would exceed its limit. Takes `from` over if it succeeds. */
struct trc_source *trc_modules_source(struct trc_source *from,
                                      int (*fill)(void *of, struct trc_buf *list,
                                                  struct trc_err *err),
                                      void *of, bool known, struct trc_err *err);

/* How many files of a provenance have unknown functions, and why. */
struct trc_modules_lost {
	size_t changed; /* missing, or no longer the files that were recorded */
	size_t shared;  /* at addresses where other files were as well */
};

/* Adds the functions of the files in a provenance, and counts in *lost those that are left out. */
int trc_modules_functions(struct trc_functions *f, struct trc_view provenance,
                          struct trc_modules_lost *lost, struct trc_err *err) TRC_MUST_USE;

#endif
