/* SPDX-License-Identifier: MIT
 *
 * Where an output is written until it is whole: a file or folder beside its target, under a name
 * that nothing had, TARGET.part-XXXXXXXX with eight random digits. It gets the target's name when
 * it is published, never before, and is removed otherwise, at a signal, too (base/interrupt.h). A
 * run that is killed outright leaves it behind.
 *
 * Two writers never share one: it is made with O_EXCL, which fails where the name is taken, be it
 * by a file, by a symbolic link or by another host, and then another name is tried.
 */
#ifndef TRC_BASE_IO_TEMPORARY_H
#define TRC_BASE_IO_TEMPORARY_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/base.h"

/* Zeroed memory may be closed. */
struct trc_temporary {
	char *target; /* the name to be, as it was given */
	char *path;   /* NULL: none was made, or it was published */
	bool folder, private;
};

/* Makes an empty file, and returns its descriptor for writing; -1 if that fails. From its first
 * moment its permissions are those of *mode; NULL: those of new files. */
int trc_temporary_file(struct trc_temporary *p, const char *target, const mode_t *mode,
                       struct trc_err *err) TRC_MUST_USE;

/* Makes an empty folder, for nobody else if it is `private`. Slashes at the end of `target` are
 * left out. */
int trc_temporary_folder(struct trc_temporary *p, const char *target, bool private,
                         struct trc_err *err) TRC_MUST_USE;

enum trc_publish {
	TRC_PUBLISH_NEW,     /* fails with trc_temporary_exists() if there is a target */
	TRC_PUBLISH_REPLACE, /* takes the place of a file */
};

/* Gives it the target's name. With `sync`, it has that name after a loss of power, too, with all
 * that was written: a folder's files are synchronised here, a file must have been by its writer,
 * who has its descriptor. */
int trc_temporary_publish(struct trc_temporary *p, enum trc_publish how, bool sync,
                          struct trc_err *err) TRC_MUST_USE;

/* Removes what was not published, and frees. It allocates nothing. */
void trc_temporary_close(struct trc_temporary *p);

/* Frees, and leaves what was not published to another process, which removes it. */
void trc_temporary_leave(struct trc_temporary *p);

/* Adds to the error `number` of a path which folder on the way to it is not there, or is none.
 * Returns -1. */
int trc_temporary_no_folder(const char *path, int number, struct trc_err *err);

/* "'PATH' exists; --force replaces it"; returns -1. */
int trc_temporary_exists(const char *path, struct trc_err *err);

/* Waits until what was written to a descriptor is stored; what cannot be synchronised, such as a
 * pipe, is well, too. */
int trc_temporary_sync(int fd, const char *name, struct trc_err *err) TRC_MUST_USE;

#endif
