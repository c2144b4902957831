/* SPDX-License-Identifier: MIT
 *
 * Archives (zip, tar, packed tar) as folders: ARCHIVE/FILE is the name of a file in an archive,
 * which base/io/in.h can open.
 */
#ifndef TRC_CMD_NAMES_ARCHIVE_H
#define TRC_CMD_NAMES_ARCHIVE_H

#include "base/base.h"

/* Sets *name to the sorted paths of the files in an archive. The array stays valid until exit,
 * since each archive is listed only once. *n is 0 if `path` is not an archive, or if it has only
 * one file or the chunks of one. */
int trc_archive_files(const char *path, const char *const **name, size_t *n,
                      struct trc_err *err) TRC_MUST_USE;

#endif
