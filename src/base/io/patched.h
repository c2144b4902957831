/* SPDX-License-Identifier: MIT
 *
 * A stream composed of ranges of another stream, in any order, and of bytes in memory: a file as it
 * was before it was damaged.
 */
#ifndef TRC_BASE_IO_PATCHED_H
#define TRC_BASE_IO_PATCHED_H

#include "base/io/stream.h"

struct trc_patched;

/* Opens an empty one over `inner`, which must have read_at and is not closed with it. */
struct trc_patched *trc_patched_open(struct trc_stream *inner, struct trc_err *err) TRC_MUST_USE;

/* Appends `n` bytes of the inner stream, from offset `from` on. */
int trc_patched_add_range(struct trc_patched *p, uint64_t from, uint64_t n,
                          struct trc_err *err) TRC_MUST_USE;

/* Appends a copy of `n` bytes. */
int trc_patched_add_bytes(struct trc_patched *p, const void *bytes, size_t n,
                          struct trc_err *err) TRC_MUST_USE;

/* trc_patched_size() returns the bytes appended so far; trc_patched_read_at() reads some, and
 * returns false if they are missing. */
uint64_t trc_patched_size(const struct trc_patched *p);
bool trc_patched_read_at(const struct trc_patched *p, uint64_t at, void *dst, size_t n);

/* Returns the offset in the inner stream of the byte at offset `at`; for bytes in memory, where
 * they should have been. */
uint64_t trc_patched_place(const struct trc_patched *p, uint64_t at);

/* Returns it as a stream that starts at offset `at`; nothing can be appended after this. Closing it
 * also closes the inner stream if it `owns` that. */
struct trc_stream *trc_patched_stream(struct trc_patched *p, uint64_t at, bool owns);

/* Closes one that did not become a stream. NULL is allowed. */
void trc_patched_close(struct trc_patched *p);

#endif
