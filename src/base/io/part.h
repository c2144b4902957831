/* SPDX-License-Identifier: MIT
 *
 * Parts of an input for other threads: one takes whole lines, or records of one size, from where
 * it stands, any reads them. Where bytes can be read anywhere, taking only finds where a line ends,
 * and who reads a part has a window of its own, small enough for its cache; else the bytes are
 * copied.
 */
#ifndef TRC_BASE_IO_PART_H
#define TRC_BASE_IO_PART_H

#include "base/io/in.h"

/* An empty part of `of`, which must outlive it. */
struct trc_in *trc_part_open(struct trc_in *of, struct trc_err *err) TRC_MUST_USE;

/* Bytes of `of` that are left to be taken; 0: not known, or they are copied. */
uint64_t trc_part_left(const struct trc_in *of);

/* Gives the part the next lines, of about `want` bytes in all, and has the other input pass them.
 * None at the end. A line that gets too long, and a file that gets shorter, shows when the part is
 * read. */
int trc_part_take(struct trc_in *part, size_t want, struct trc_err *err) TRC_MUST_USE;

/* The same of records of `size` bytes each: whole ones, but for what is behind the last one. */
int trc_part_take_records(struct trc_in *part, size_t want, size_t size,
                          struct trc_err *err) TRC_MUST_USE;

/* Back to the first byte of the part. */
void trc_part_again(struct trc_in *part);

#endif
