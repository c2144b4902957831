/* SPDX-License-Identifier: MIT
 *
 * Parts of an input for other threads: one thread takes whole lines, or records of a fixed size, at
 * the current position, and any thread reads them. With random access, taking only finds the end of
 * a line, and the reader has a window of its own, small enough for its cache; otherwise the bytes
 * are copied.
 */
#ifndef TRC_BASE_IO_PART_H
#define TRC_BASE_IO_PART_H

#include "base/io/in.h"

/* Opens an empty part of `of`, which must outlive it. */
struct trc_in *trc_part_open(struct trc_in *of, struct trc_err *err) TRC_MUST_USE;

/* Returns the bytes of `of` that are not taken yet; 0: unknown, or they are copied. */
uint64_t trc_part_left(const struct trc_in *of);

/* Gives the part the next lines, about `want` bytes, and advances the other input past them; none
 * at the end. A line that is too long, or a truncated file, is detected when the part is read. */
int trc_part_take(struct trc_in *part, size_t want, struct trc_err *err) TRC_MUST_USE;

/* Does the same for records of `size` bytes: only whole ones, except for a rest at the end. */
int trc_part_take_records(struct trc_in *part, size_t want, size_t size,
                          struct trc_err *err) TRC_MUST_USE;

/* Goes back to the first byte of the part. */
void trc_part_again(struct trc_in *part);

#endif
