/* SPDX-License-Identifier: MIT
 *
 * Windowed input: the bytes of a trace, unpacked, as a window [p, end) that the reader consumes by
 * moving `p`. TRC_IN_SLACK bytes before the window and after it may be read (never used), so that
 * kernels can load whole words at its edges.
 */
#ifndef TRC_BASE_IO_IN_H
#define TRC_BASE_IO_IN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/io/stream.h"

enum {
	TRC_IN_SLACK = 64,
	TRC_LINE_MOST = 1 << 20, /* no text trace has longer lines */
};

/* An input: a window of unpacked bytes that moves over a file. */
struct trc_in {
	const uint8_t *p, *end;
	bool eof;         /* nothing comes after `end` */
	bool unended;     /* the last line has no newline of its own: trc_in_lines() */
	const char *name; /* for messages: the path, or "standard input" */
	bool salvages;    /* trc_in_salvage() */

	/* How its content shows that it is to be read, of a format that needs words for that:
	 * trc_format_recognise(). Without `from`: no words. */
	struct trc_reading reading;

	bool lost; /* something at the end was left out */

	/* Bytes of the file, packed as it may be, that the window has left behind, and its size if
	 * known: for progress. */
	uint64_t raw_at, raw_size;

	struct trc_stream *file; /* the file as it is stored, not its own; NULL: of an archive */

	/* The first line of the data, where reading begins in the middle: trc_in_keep_line(). With
	 * slack around it, and without its newline; NULL: it is still to come. */
	uint8_t *line;
	size_t line_len;

	/* Private. */
	struct trc_stream *stream;
	uint8_t *buf;
	size_t cap;    /* bytes of window that buf has room for, slack not counted */
	uint64_t base; /* offset in the unpacked data of the first byte of buf */
};

/* Opens `path` ("-": standard input), unpacking what is packed. `path` must outlive it. A file of an
 * archive is "ARCHIVE/FILE". */
struct trc_in *trc_in_open(const char *path, struct trc_err *err) TRC_MUST_USE;

/* Where the name of the archive in "ARCHIVE/FILE" ends, if it is a file; 0: `path` is something
 * else. */
size_t trc_in_archive(const char *path);

/* Opens the names of the files in the archive `path`, each with a NUL at its end; none of what is
 * not an archive. */
struct trc_in *trc_in_names(const char *path, struct trc_err *err) TRC_MUST_USE;

/* The same over any stream, which is taken over; for tests. */
struct trc_in *trc_in_stream(struct trc_stream *s, const char *name, struct trc_err *err);

/* And with a window of `room` bytes, where lines and records are no longer. */
struct trc_in *trc_in_window(struct trc_stream *s, size_t room, const char *name,
                             struct trc_err *err);

void trc_in_close(struct trc_in *in);

/* Makes the window at least `want` bytes long unless the data ends before; -1 if reading fails. */
int trc_in_fill(struct trc_in *in, size_t want, struct trc_err *err) TRC_MUST_USE;

/* Moves `n` bytes on, or to the end of the data if that comes first. */
int trc_in_skip(struct trc_in *in, uint64_t n, struct trc_err *err) TRC_MUST_USE;

/* Bytes of the data where any of them can be read; 0 where they only come one after the other: from
 * a pipe, or unpacked. */
uint64_t trc_in_size(const struct trc_in *in);

/* Reads the `n` bytes at offset `at` of the data, and leaves the window alone; false if they are
 * not there. */
bool trc_in_read_at(struct trc_in *in, uint64_t at, void *dst, size_t n) TRC_MUST_USE;

/* A file that has `at` bytes by now, of `size` that it had when it was opened, which is no fault of
 * what is in it; returns -1. */
int trc_in_cut(uint64_t at, uint64_t size, struct trc_err *err);

/* The stream that it reads, for who reads all of it again by read_at. */
struct trc_stream *trc_in_inner(const struct trc_in *in);

/* Goes on with the byte at offset `at` of another stream, which has been read up to there, and has
 * taken over the one before. */
void trc_in_replace(struct trc_in *in, struct trc_stream *s, uint64_t at);

/* Goes on with the bytes [from, to) of the data, and ends there, where trc_in_size() shows that any
 * of them can be read. When it is closed, the XXH3 of those that were read, with `from` for a seed,
 * is added to *sum, unless that is NULL. */
int trc_in_between(struct trc_in *in, uint64_t from, uint64_t to, uint64_t *sum,
                   struct trc_err *err) TRC_MUST_USE;

/* Adds to *sum what reading these bytes of a file would add, which is taken over in any case. */
int trc_in_sum_between(struct trc_stream *file, uint64_t from, uint64_t to, uint64_t *sum,
                       struct trc_err *err) TRC_MUST_USE;

/* Keeps the first line, which the window begins with, for who needs it in the middle of the
 * data. */
int trc_in_keep_line(struct trc_in *in, struct trc_err *err) TRC_MUST_USE;

/* Makes the window begin with at least one whole line, and sets *stop behind its last whole line;
 * *stop = p at the end of the data. A last line without its newline is given one. */
int trc_in_lines(struct trc_in *in, const uint8_t **stop, struct trc_err *err) TRC_MUST_USE;

/* The same of the next line alone, which the caller moves p behind. */
int trc_in_line(struct trc_in *in, const uint8_t **end, struct trc_err *err) TRC_MUST_USE;

/* From here on data that breaks off ends there, without what is not whole: in->lost shows it. */
int trc_in_salvage(struct trc_in *in, struct trc_err *err) TRC_MUST_USE;

/* Ends the data in front of the window, which is not whole, with *err for the reason: 0 in a
 * salvage, else -1. */
int trc_in_lose(struct trc_in *in, const struct trc_err *err);

/* Appends bytes to the window, behind which nothing comes; and back to the first of them. */
int trc_in_put(struct trc_in *in, const uint8_t *bytes, size_t n, struct trc_err *err) TRC_MUST_USE;
void trc_in_rewind(struct trc_in *in);

/* The offset of `p` in the unpacked data. */
uint64_t trc_in_offset(const struct trc_in *in);

#endif
