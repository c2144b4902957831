/* SPDX-License-Identifier: MIT
 *
 * Streams of bytes that are read sequentially: a file, or unpacked data. A function that wraps a
 * stream takes it over on success and leaves it untouched on failure.
 */
#ifndef TRC_BASE_IO_STREAM_H
#define TRC_BASE_IO_STREAM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/base.h"

/* A stream of bytes; implementations have it as their first member. */
struct trc_stream {
	/* Reads 1 to `cap` bytes; *got = 0 means the end of the stream. */
	int (*read)(struct trc_stream *s, uint8_t *dst, size_t cap, size_t *got,
	            struct trc_err *err);
	/* Skips `n` bytes without reading them, possibly past the end; NULL: not supported. */
	int (*skip)(struct trc_stream *s, uint64_t n, struct trc_err *err);
	/* Reads exactly `n` bytes at offset `at` without moving; any thread may call it. Returns
	 * false on failure, with errno 0 if the bytes are missing. NULL: not supported. `size` is
	 * the size of the stream in bytes. */
	bool (*read_at)(struct trc_stream *s, uint64_t at, uint8_t *dst, size_t n);
	uint64_t size;
	/* For progress: bytes of the file, possibly packed, that correspond to those read, without
	 * what is buffered in an unpacker; 0 where it is not needed. */
	uint64_t passed;
	void (*close)(struct trc_stream *s);
};

/* Closes a stream and those it wraps. NULL is allowed. */
void trc_stream_close(struct trc_stream *s);

/* Peeks at standard input: *p are its next *n bytes, at least `want` unless it ends before, and at
 * most TRC_STREAM_LOOK. They will still be read later. */
enum { TRC_STREAM_LOOK = 1 << 20 };
int trc_stream_look(size_t want, const uint8_t **p, size_t *n, struct trc_err *err) TRC_MUST_USE;

/* Copies standard input, a pipe, to a temporary file, which then becomes standard input. */
int trc_stream_keep(struct trc_err *err) TRC_MUST_USE;

/* Opens the file `path`, "-" for standard input. Refuses directories, and the file to which
 * standard output is written. *size is the size of a regular file in bytes, else 0. */
struct trc_stream *trc_stream_file(const char *path, uint64_t *size, struct trc_err *err);

/* Opens a stream over `len` bytes at `p`, which must outlive it; each read returns at most `step`
 * bytes. */
struct trc_stream *trc_stream_memory(const void *p, size_t len, size_t step, struct trc_err *err);

/* Opens a stream that reads `inner` in a thread of its own, some buffers ahead, so that unpacking
 * runs in parallel to its reader. */
struct trc_stream *trc_stream_ahead(struct trc_stream *inner, struct trc_err *err);

#endif
