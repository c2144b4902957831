/* SPDX-License-Identifier: MIT
 *
 * A folder of files that is there whole or not at all. It is filled beside its target, under a name
 * of base/io/temporary.h, and renamed when all is in it; closing it before removes it.
 */
#ifndef TRC_CMD_NAMES_FOLDER_H
#define TRC_CMD_NAMES_FOLDER_H

#include <stdbool.h>

#include "base/io/temporary.h"

/* A folder of outputs, which gets its name when all are written. */
struct trc_folder {
	struct trc_temporary part;
};

/* A target that exists is refused. */
int trc_folder_open(struct trc_folder *f, const char *target, struct trc_err *err) TRC_MUST_USE;

/* The path of the file `name`, "a/b" for b in a folder a, which is made; NULL if that fails. To be
 * freed. */
char *trc_folder_path(const struct trc_folder *f, const char *name,
                      struct trc_err *err) TRC_MUST_USE;

/* With `sync`, it is there after a loss of power, too; its files need not have been synchronised.
 *  */
int trc_folder_commit(struct trc_folder *f, bool sync, struct trc_err *err) TRC_MUST_USE;
void trc_folder_close(struct trc_folder *f);

/* True if `path` is a folder. */
bool trc_folder_is(const char *path);

/* "FOLDER/NAME", to be freed; NULL if there is no memory. */
char *trc_folder_join(const char *folder, const char *name, struct trc_err *err) TRC_MUST_USE;

#endif
