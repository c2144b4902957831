/* SPDX-License-Identifier: MIT
 *
 * Sandboxing: rights that trc gives up before it reads untrusted input. If an input exploits a bug
 * in a reader, that reader still cannot write elsewhere, change existing files, start a program or
 * use a network. It could create, rename and remove files in and below the folder of the output,
 * and read files. The kernel enforces this (Landlock of Linux 5.19 and later, and
 * base/io/filter.h), for all threads started afterwards, permanently. Where the kernel supports
 * neither, everything works without it. Builds with sanitizers or coverage are not confined,
 * because they start programs and write files of their own.
 */
#ifndef TRC_BASE_IO_CONFINE_H
#define TRC_BASE_IO_CONFINE_H

#include <stdbool.h>

#include "base/base.h"

/* From now on, allows creating, writing, renaming and removing files only in TMPDIR, for data that
 * does not fit in memory, and at the output `path`: in its folder, or on itself if it is not a
 * regular file; "-" is no file. Open files stay usable, and everything can be read. Returns true if
 * Landlock is in effect. */
bool trc_confine(const char *path);

/* Opens something that is not a regular file for writing; returns -1 with errno set on failure.
 * /dev/null, to which trial output is written, can always be opened. */
int trc_confine_open(const char *path) TRC_MUST_USE;

#endif
