/* SPDX-License-Identifier: MIT
 *
 * Archives (zip, tar, packed tar) in place of folders: ARCHIVE/FILE is the name of a file in one,
 * which base/io/in.h opens.
 */
#ifndef TRC_CMD_NAMES_ARCHIVE_H
#define TRC_CMD_NAMES_ARCHIVE_H

#include "base/base.h"

/* The files of an archive, by their names; the array is kept. None: `path` is not an archive, or
 * has only one file, or the chunks of one. Each is listed once in a run. */
int trc_archive_files(const char *path, const char *const **name, size_t *n,
                      struct trc_err *err) TRC_MUST_USE;

#endif
