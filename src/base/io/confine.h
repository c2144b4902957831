/* SPDX-License-Identifier: MIT
 *
 * What trc gives up before it reads what strangers wrote: should a reader be led astray by its
 * input, it can still not write where nothing is to be written, start a program, or connect by
 * TCP. UDP, and files that are in the folder of the output or below, it could use. The kernel sees
 * to it (Landlock of Linux 5.19 and later; of connections, 6.7), for all threads that are started
 * behind it, and for good; where there is none, all works as without. Nor is there any in builds
 * with sanitizers or coverage, which start programs and write files of their own.
 */
#ifndef TRC_BASE_IO_CONFINE_H
#define TRC_BASE_IO_CONFINE_H

#include <stdbool.h>

/* From now on files are written, made and removed only in TMPDIR, for what does not fit in memory,
 * and where the output `path` is: in its folder, or to itself if it is no regular file; "-" is no
 * file. /dev/null is written to find out what could be. What is open stays open, and all may be
 * read. Returns whether the kernel agreed. */
bool trc_confine(const char *path);

#endif
