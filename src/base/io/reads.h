/* SPDX-License-Identifier: MIT
 *
 * The files that this run reads, by device and inode, because a link, /dev/stdin or a longer path
 * are other names of one. No output takes the place of any of them (base/io/out.h): what a stream
 * opens is added here, and so is what a command line names before it is opened.
 */
#ifndef TRC_BASE_IO_READS_H
#define TRC_BASE_IO_READS_H

#include <stdbool.h>
#include <sys/stat.h>

#include "base/base.h"

/* Adds a file, on any thread. What could not be replaced, a pipe for example, is passed over. */
int trc_reads_add(const struct stat *st, struct trc_err *err) TRC_MUST_USE;

/* The same by its name, "-" for standard input. What is not there is passed over. */
int trc_reads_add_path(const char *path, struct trc_err *err) TRC_MUST_USE;

/* Takes out a file that was only looked at before it is replaced. */
void trc_reads_forget(const char *path);

/* True if both are one file, or names of one. */
bool trc_reads_same(const char *path, const char *input);

/* True if these are names of one file or folder, which may not be there yet. Of a device or a pipe
 * there may be several. */
bool trc_reads_same_place(const char *a, const char *b);

/* Fails if `path` is one of them. The sentence is about `what` of it would be lost, "what --limit
 * leaves out" for example; NULL for all. */
int trc_reads_check(const char *path, const char *what, struct trc_err *err) TRC_MUST_USE;

#endif
