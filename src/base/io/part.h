/* SPDX-License-Identifier: MIT
 *
 * Parts of a text for other threads: one takes whole lines from where an input stands, any reads
 * them. Where bytes can be read anywhere, taking only finds where a line ends, and who reads a part
 * has a window of its own, small enough for its cache; else the bytes are copied.
 */
#ifndef TRC_BASE_IO_PART_H
#define TRC_BASE_IO_PART_H

#include "base/io/in.h"

/* An empty part of the text of `of`, which must outlive it. */
struct trc_in *trc_part_open(struct trc_in *of, struct trc_err *err) TRC_MUST_USE;

/* Bytes of `of` that are left to be taken; 0: not known, or they are copied. */
uint64_t trc_part_left(const struct trc_in *of);

/* Gives the part the next lines, of about `want` bytes in all, and has the other input pass them.
 * None at the end. A line that gets too long, and a file that gets shorter, shows when the part is
 * read. */
int trc_part_take(struct trc_in *part, size_t want, struct trc_err *err) TRC_MUST_USE;

/* Back to the first of these lines. */
void trc_part_again(struct trc_in *part);

#endif
