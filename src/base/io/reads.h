/* SPDX-License-Identifier: MIT
 *
 * The files that this run reads, identified by device and inode, because links, /dev/stdin and
 * other paths are further names of a file. No output replaces any of them (base/io/out.h). Each
 * file that a stream opens is added, and those named on the command line even before they are
 * opened.
 */
#ifndef TRC_BASE_IO_READS_H
#define TRC_BASE_IO_READS_H

#include <stdbool.h>
#include <sys/stat.h>

#include "base/base.h"

/* Adds a file; any thread may call it. Ignores anything that could not be replaced, such as a
 * pipe. */
int trc_reads_add(const struct stat *st, struct trc_err *err) TRC_MUST_USE;

/* Adds a file by name, "-" for standard input. A missing file is ignored. */
int trc_reads_add_path(const char *path, struct trc_err *err) TRC_MUST_USE;

/* Removes a file that was only examined before it is replaced. */
void trc_reads_forget(const char *path);

/* Returns true if both are the same file. */
bool trc_reads_same(const char *path, const char *input);

/* Returns true if both name the same file or folder, even if it does not exist yet. The same device
 * or pipe is not counted, because it can be used several times. */
bool trc_reads_same_place(const char *a, const char *b);

/* Fails if `path` is one of the files read. The message names `what` would be lost, such as "what
 * --limit leaves out"; NULL: everything. */
int trc_reads_check(const char *path, const char *what, struct trc_err *err) TRC_MUST_USE;

#endif
