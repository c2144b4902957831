/* SPDX-License-Identifier: MIT
 *
 * The files that a recorded program executed: an entry `module` of its provenance each
 * (container/SPEC.md, 1.8.1), by what a tracer knows; and their functions.
 */
#ifndef TRC_CMD_JOB_MODULES_H
#define TRC_CMD_JOB_MODULES_H

#include "batch/flow.h"
#include "cmd/names/functions.h"

/* Appends the entry of a file that was `bias` above its own addresses to a list, a struct trc_buf;
 * nothing if it cannot be read, is in the list already, or has no code. */
int trc_modules_put(void *list, const char *path, uint64_t bias, struct trc_err *err) TRC_MUST_USE;

/* Appends those of the list of modules that DynamoRIO keeps with a trace, in its folder, or in raw/
 * beside that: none where there is no such list. */
int trc_modules_put_log(struct trc_buf *list, const char *trace, struct trc_err *err) TRC_MUST_USE;

/* The source `from`, whose provenance ends with what fill(of, list) appends to a list, once it is
 * opened if it is `known` then, or else behind its last row. Takes it over if it succeeds. */
struct trc_source *trc_modules_source(struct trc_source *from,
                                      int (*fill)(void *of, struct trc_buf *list,
                                                  struct trc_err *err),
                                      void *of, bool known, struct trc_err *err);

/* Files of a provenance whose functions are not known. */
struct trc_modules_lost {
	size_t changed; /* they are not what they were, or not there, */
	size_t shared;  /* or others were at their addresses, too */
};

/* Adds the functions of the files of a provenance. */
int trc_modules_functions(struct trc_functions *f, struct trc_view provenance,
                          struct trc_modules_lost *lost, struct trc_err *err) TRC_MUST_USE;

#endif
