/* SPDX-License-Identifier: MIT
 *
 * What trc gives up before it reads what strangers wrote: should a reader be led astray by its
 * input, it can still not write where nothing is to be written, change what is there, start a
 * program or use a network. Making, renaming and removing files in the folder of the output and
 * below, and reading, it could. The kernel sees to it (Landlock of Linux 5.19 and later, and
 * base/io/filter.h), for all threads that are started behind it, and for good; where there is
 * neither, all works as without. Nor is there any in builds with sanitizers or coverage, which
 * start programs and write files of their own.
 */
#ifndef TRC_BASE_IO_CONFINE_H
#define TRC_BASE_IO_CONFINE_H

#include <stdbool.h>

#include "base/base.h"

/* From now on files are made, written, renamed and removed only in TMPDIR, for what does not fit in
 * memory, and where the output `path` is: in its folder, or to itself if it is no regular file; "-"
 * is no file. What is open stays open, and all may be read. Returns whether Landlock agreed. */
bool trc_confine(const char *path);

/* Opens what is no regular file to write to it; -1 with errno. /dev/null, which is written to find
 * out what could be, can be had although all else is given up. */
int trc_confine_open(const char *path) TRC_MUST_USE;

#endif
