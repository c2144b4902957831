/* SPDX-License-Identifier: MIT
 *
 * A stream put together of ranges of another, in any order, and of bytes in memory: a file as it
 * was before it was damaged.
 */
#ifndef TRC_BASE_IO_PATCHED_H
#define TRC_BASE_IO_PATCHED_H

#include "base/io/stream.h"

struct trc_patched;

/* An empty one over `inner`, which must have read_at, and stays whole if this is closed. */
struct trc_patched *trc_patched_open(struct trc_stream *inner, struct trc_err *err) TRC_MUST_USE;

/* Appends `n` bytes of the inner stream, from offset `from` on. */
int trc_patched_add_range(struct trc_patched *p, uint64_t from, uint64_t n,
                          struct trc_err *err) TRC_MUST_USE;

/* Appends a copy of `n` bytes. */
int trc_patched_add_bytes(struct trc_patched *p, const void *bytes, size_t n,
                          struct trc_err *err) TRC_MUST_USE;

/* Bytes appended so far, and reading them; false if they are not there. */
uint64_t trc_patched_size(const struct trc_patched *p);
bool trc_patched_read_at(const struct trc_patched *p, uint64_t at, void *dst, size_t n);

/* Where the byte at offset `at` of the whole is in the inner stream; of bytes that are not there,
 * where they should be. */
uint64_t trc_patched_place(const struct trc_patched *p, uint64_t at);

/* The stream, to be read from offset `at` on; closing it closes the inner one, too, if it `owns`
 * that. Nothing is appended any more. */
struct trc_stream *trc_patched_stream(struct trc_patched *p, uint64_t at, bool owns);

/* Closes one that became no stream. NULL is allowed. */
void trc_patched_close(struct trc_patched *p);

#endif
