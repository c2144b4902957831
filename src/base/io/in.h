/* SPDX-License-Identifier: MIT
 *
 * Windowed input: the unpacked bytes of a trace as a window [p, end), which the reader consumes by
 * advancing `p`. TRC_IN_SLACK bytes before and after the window may be read but not used, so
 * kernels can load whole words at its ends.
 */
#ifndef TRC_BASE_IO_IN_H
#define TRC_BASE_IO_IN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/io/stream.h"

enum {
	TRC_IN_SLACK = 64,
	TRC_LINE_MOST = 1 << 20, /* longest line of a text trace */
};

/* A text without a newline at its end, as many programs write it; and one whose last line is also
 * shorter than the lines before it, so that it was probably truncated. */
enum { TRC_UNENDED = 1, TRC_UNENDED_SHORT = 2 };

/* The smallest and largest of some lines, without blanks at their ends. */
struct trc_in_extremes {
	size_t lines, least, most; /* number of lines; characters */
	size_t gaps;               /* least number of separators */
};

/* An input: a window of unpacked bytes that slides over a file. */
struct trc_in {
	const uint8_t *p, *end;
	bool eof;         /* there is nothing after `end` */
	unsigned unended; /* the last line had no newline: a set of TRC_UNENDED (trc_in_lines()) */
	const char *name; /* for messages: the path, or "standard input" */
	bool salvages;    /* set by trc_in_salvage() */

	/* How the content has to be read, if its format needs arguments: set by
	 * trc_format_recognise(). Without `from`, it needs none. */
	struct trc_reading reading;

	bool lost; /* something at the end was dropped */

	/* For progress: bytes of the file (possibly packed) that the window has passed, and its
	 * size if known. */
	uint64_t raw_at, raw_size;

	struct trc_stream *file; /* the file as stored, not owned; NULL for a file of an archive */

	/* The first line of the data if reading begins in the middle (trc_in_keep_line()), with
	 * slack around it and without its newline. NULL: not kept, because it will be read
	 * anyway. */
	uint8_t *line;
	size_t line_len;

	/* Private. */
	struct trc_stream *stream;
	uint8_t *buf;
	size_t cap;    /* room for the window in buf, without slack */
	uint64_t base; /* offset of the start of the window buffer in the unpacked data */
	struct trc_in_extremes lines; /* of lines that trc_in_lines() passed */
};

/* Opens `path` ("-": standard input) and unpacks it if it is packed. `path` must outlive the input.
 * "ARCHIVE/FILE" opens a file of an archive. */
struct trc_in *trc_in_open(const char *path, struct trc_err *err) TRC_MUST_USE;

/* Returns true if `path` is a regular file. Opening anything else may wait for ever or have
 * effects, so a path that an untrusted file names is checked first. */
bool trc_in_regular(const char *path);

/* Returns the length of the archive's name in "ARCHIVE/FILE" if that is a file; 0 if `path` is
 * anything else. */
size_t trc_in_archive(const char *path);

/* Opens the list of files in the archive `path`, each name followed by a NUL; it is empty if `path`
 * is not an archive. */
struct trc_in *trc_in_names(const char *path, struct trc_err *err) TRC_MUST_USE;

/* Opens an input from any stream, which it takes over. */
struct trc_in *trc_in_stream(struct trc_stream *s, const char *name, struct trc_err *err);

/* Does the same with a window of `room` bytes, for data whose lines and records are not longer. */
struct trc_in *trc_in_window(struct trc_stream *s, size_t room, const char *name,
                             struct trc_err *err);

void trc_in_close(struct trc_in *in);

/* Makes the window at least `want` bytes long, unless the data ends before. Returns -1 if reading
 * fails. */
int trc_in_fill(struct trc_in *in, size_t want, struct trc_err *err) TRC_MUST_USE;

/* Advances by `n` bytes, or to the end of the data. */
int trc_in_skip(struct trc_in *in, uint64_t n, struct trc_err *err) TRC_MUST_USE;

/* Returns the size of the data if it can be accessed randomly; 0 if it is only sequential, such as
 * a pipe or unpacked data. */
uint64_t trc_in_size(const struct trc_in *in);

/* Reads `n` bytes at offset `at` without moving the window; returns false if they are missing. */
bool trc_in_read_at(struct trc_in *in, uint64_t at, void *dst, size_t n) TRC_MUST_USE;

/* Fails because a file now has only `at` of the `size` bytes that it had when it was opened, which
 * is not damage of its content; returns -1. */
int trc_in_cut(uint64_t at, uint64_t size, struct trc_err *err);

/* Returns the stream below the input, for reading everything again with read_at. */
struct trc_stream *trc_in_inner(const struct trc_in *in);

/* Continues at offset `at` of another stream, which has been read up to there and has taken over
 * the previous one. */
void trc_in_replace(struct trc_in *in, struct trc_stream *s, uint64_t at);

/* Continues with the bytes [from, to) of data with random access (trc_in_size()), and ends there.
 * On close, the XXH3 of the bytes read, with `from` as the seed, is added to *sum unless that is
 * NULL. */
int trc_in_between(struct trc_in *in, uint64_t from, uint64_t to, uint64_t *sum,
                   struct trc_err *err) TRC_MUST_USE;

/* Adds to *sum what reading these bytes of `file` would add. Takes over `file`, even on failure. */
int trc_in_sum_between(struct trc_stream *file, uint64_t from, uint64_t to, uint64_t *sum,
                       struct trc_err *err) TRC_MUST_USE;

/* Keeps the first line, at which the window must start, for reading in the middle of the data. */
int trc_in_keep_line(struct trc_in *in, struct trc_err *err) TRC_MUST_USE;

/* Makes the window start with at least one whole line, and sets *stop to the end of its last whole
 * line; *stop = p at the end of the data. If the last line has no newline, one is added. */
int trc_in_lines(struct trc_in *in, const uint8_t **stop, struct trc_err *err) TRC_MUST_USE;

/* Does the same for only the next line; the caller advances p past it. */
int trc_in_line(struct trc_in *in, const uint8_t **end, struct trc_err *err) TRC_MUST_USE;

/* From now on, truncated data ends without an error, and without its incomplete last part; in->lost
 * is set then. */
int trc_in_salvage(struct trc_in *in, struct trc_err *err) TRC_MUST_USE;

/* Ends the data at the window, which is incomplete for the reason in *err. Returns 0 while
 * salvaging, else -1. */
int trc_in_lose(struct trc_in *in, const struct trc_err *err);

/* trc_in_put() appends bytes to the window, after which nothing follows; trc_in_rewind() goes back
 * to the first of them. */
int trc_in_put(struct trc_in *in, const uint8_t *bytes, size_t n, struct trc_err *err) TRC_MUST_USE;
void trc_in_rewind(struct trc_in *in);

/* Returns the offset of `p` in the unpacked data. */
uint64_t trc_in_offset(const struct trc_in *in);

#endif
