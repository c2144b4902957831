/* SPDX-License-Identifier: MIT
 *
 * Temporary names for outputs: a file or folder is written next to its target, as
 * TARGET.part-XXXXXXXX with eight random digits. It is renamed to the target only when it is
 * published; otherwise it is removed, also after a signal (base/interrupt.h). Only a killed process
 * leaves it behind.
 *
 * Two writers never use the same one: it is created with O_EXCL, which fails if the name is taken
 * by a file, a symbolic link or another host; then another name is tried.
 */
#ifndef TRC_BASE_IO_TEMPORARY_H
#define TRC_BASE_IO_TEMPORARY_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/base.h"

/* A temporary file or folder. Zeroed memory can be closed. */
struct trc_temporary {
	char *target; /* the final name, as given */
	char *path;   /* NULL: none was created, or it was published */
	bool folder, private;
};

/* Creates an empty file and returns a descriptor for writing, or -1. It is created with the
 * permissions *mode; NULL: the default ones. */
int trc_temporary_file(struct trc_temporary *p, const char *target, const mode_t *mode,
                       struct trc_err *err) TRC_MUST_USE;

/* Creates an empty folder; if `private`, only for this user. Trailing slashes of `target` are
 * removed. */
int trc_temporary_folder(struct trc_temporary *p, const char *target, bool private,
                         struct trc_err *err) TRC_MUST_USE;

enum trc_publish {
	TRC_PUBLISH_NEW,     /* fails with trc_temporary_exists() if the target exists */
	TRC_PUBLISH_REPLACE, /* replaces an existing file */
};

/* Renames it to the target. With `sync`, the target survives a loss of power with its contents:
 * files in a folder are synchronised here, but a file must have been synchronised by its writer,
 * who has its descriptor. */
int trc_temporary_publish(struct trc_temporary *p, enum trc_publish how, bool sync,
                          struct trc_err *err) TRC_MUST_USE;

/* Removes it unless published, and frees the structure. Does not allocate. */
void trc_temporary_close(struct trc_temporary *p);

/* Frees the structure; another process will remove what was not published. */
void trc_temporary_leave(struct trc_temporary *p);

/* Adds to an error with errno `number` which folder of the path is missing, or not a folder.
 * Returns -1. */
int trc_temporary_no_folder(const char *path, int number, struct trc_err *err);

/* Fails with "'PATH' exists; use --force to replace it"; returns -1. */
int trc_temporary_exists(const char *path, struct trc_err *err);

/* Waits until what was written to `fd` is stored. Succeeds for files that cannot be synchronised,
 * such as pipes. */
int trc_temporary_sync(int fd, const char *name, struct trc_err *err) TRC_MUST_USE;

#endif
