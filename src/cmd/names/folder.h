/* SPDX-License-Identifier: MIT
 *
 * A folder of files that appears complete or not at all. It is filled next to its target, under a
 * temporary name (base/io/temporary.h), and renamed when complete. Closing it before that removes
 * it.
 */
#ifndef TRC_CMD_NAMES_FOLDER_H
#define TRC_CMD_NAMES_FOLDER_H

#include <stdbool.h>

#include "base/io/temporary.h"

/* A folder of outputs, renamed to its target when all are written. */
struct trc_folder {
	struct trc_temporary part;
};

/* Creates the temporary folder. Fails if the target exists. */
int trc_folder_open(struct trc_folder *f, const char *target, struct trc_err *err) TRC_MUST_USE;

/* Returns the path for the file `name`, which the caller frees, or NULL on failure. For "a/b", also
 * creates the folder a. */
char *trc_folder_path(const struct trc_folder *f, const char *name,
                      struct trc_err *err) TRC_MUST_USE;

/* Renames the folder to its target. With `sync`, it survives a loss of power, even if its files
 * were not synchronised before. */
int trc_folder_commit(struct trc_folder *f, bool sync, struct trc_err *err) TRC_MUST_USE;
void trc_folder_close(struct trc_folder *f);

/* Returns true if `path` is a folder. */
bool trc_folder_is(const char *path);

/* Returns "FOLDER/NAME", which the caller frees, or NULL without memory. */
char *trc_folder_join(const char *folder, const char *name, struct trc_err *err) TRC_MUST_USE;

#endif
