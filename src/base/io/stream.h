/* SPDX-License-Identifier: MIT
 *
 * A stream of bytes that can only be read forward: a file, or what an unpacker makes of one.
 * Whoever wraps a stream takes it over when it succeeds and leaves it untouched when it fails.
 */
#ifndef TRC_BASE_IO_STREAM_H
#define TRC_BASE_IO_STREAM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/base.h"

/* A stream of bytes to read; its kinds have it as first member. */
struct trc_stream {
	/* Reads 1 to `cap` bytes; *got = 0 means that the stream has ended. */
	int (*read)(struct trc_stream *s, uint8_t *dst, size_t cap, size_t *got,
	            struct trc_err *err);
	/* Moves `n` bytes on without reading them, past the end if they are more than are left;
	 * NULL if the stream cannot. */
	int (*skip)(struct trc_stream *s, uint64_t n, struct trc_err *err);
	/* Reads exactly the `n` bytes at offset `at` without moving, on any thread; false if it
	 * cannot, errno being 0 where they are not there. NULL if the stream never can; `size` is
	 * how many bytes it has. */
	bool (*read_at)(struct trc_stream *s, uint64_t at, uint8_t *dst, size_t n);
	uint64_t size;
	/* Bytes of the file, packed as they may be, that those that were read stand for: not those
	 * that wait in an unpacker. For progress; 0 where nobody asks. */
	uint64_t passed;
	void (*close)(struct trc_stream *s);
};

/* Closes a stream and all it wraps; NULL is allowed. */
void trc_stream_close(struct trc_stream *s);

/* Standard input: *p is its next *n bytes, up to TRC_STREAM_LOOK, as many as come at once; whoever
 * reads it still gets them. */
enum { TRC_STREAM_LOOK = 512 };
int trc_stream_look(const uint8_t **p, size_t *n, struct trc_err *err) TRC_MUST_USE;

/* What comes of a pipe is put into a temporary file, which is standard input from then on. */
int trc_stream_keep(struct trc_err *err) TRC_MUST_USE;

/* Opens the file `path`, "-" for standard input. Directories are refused, and what standard output
 * is appended to. *size is its length in bytes where that is known (a regular file), else 0. */
struct trc_stream *trc_stream_file(const char *path, uint64_t *size, struct trc_err *err);

/* A stream over `len` bytes at `p`, which must outlive it; reads give at most `step` bytes. */
struct trc_stream *trc_stream_memory(const void *p, size_t len, size_t step, struct trc_err *err);

/* A stream whose inner stream is read in a thread of its own, some buffers ahead: for unpackers,
 * whose work then runs beside that of the reader. */
struct trc_stream *trc_stream_ahead(struct trc_stream *inner, struct trc_err *err);

#endif
