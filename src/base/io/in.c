/* SPDX-License-Identifier: MIT
 * Windowed input. The buffer consists of slack, window and slack; reading slides the window to the
 * front. */
#include "base/io/in.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/io/packing.h"

enum {
	ROOM = 256 << 10, /* remains in the L2 cache between reading and parsing */
	NESTED_MOST = 3,  /* maximum levels of packing */
};

/* Counts the bytes read from the file, for progress. */
struct counted {
	struct trc_stream stream;
	struct trc_stream *inner;
};

static int
counted_read(struct trc_stream *s, uint8_t *dst, size_t cap, size_t *got, struct trc_err *err)
{
	struct counted *c = (struct counted *)s;

	if (c->inner->read(c->inner, dst, cap, got, err))
		return -1;
	s->passed += *got;
	/* Without this check, a truncated text would look like a complete one. */
	if (*got == 0 && cap > 0 && c->inner->read_at && s->passed < c->inner->size)
		return trc_in_cut(s->passed, c->inner->size, err);
	return 0;
}

static int
counted_skip(struct trc_stream *s, uint64_t n, struct trc_err *err)
{
	struct counted *c = (struct counted *)s;

	s->passed += n;
	return c->inner->skip(c->inner, n, err);
}

static bool
counted_read_at(struct trc_stream *s, uint64_t at, uint8_t *dst, size_t n)
{
	struct counted *c = (struct counted *)s;

	return c->inner->read_at(c->inner, at, dst, n);
}

static void
counted_close(struct trc_stream *s)
{
	struct counted *c = (struct counted *)s;

	trc_stream_close(c->inner);
	free(c);
}

static struct counted *
counted_open(struct trc_stream *inner, struct trc_err *err)
{
	struct counted *c = trc_alloc(1, sizeof(*c), err);

	if (c)
		*c = (struct counted){ .stream = { .read = counted_read, .close = counted_close },
			               .inner = inner };
	if (c && inner->skip)
		c->stream.skip = counted_skip;
	if (c && inner->read_at) {
		c->stream.read_at = counted_read_at;
		c->stream.size = inner->size;
	}
	return c;
}

static int
make_room(struct trc_in *in, size_t cap, struct trc_err *err)
{
	size_t len = (size_t)(in->end - in->p);
	/* Zeros, since kernels look ahead of what has been read. */
	uint8_t *buf = trc_alloc(cap + 2 * TRC_IN_SLACK, 1, err);

	if (!buf)
		return -1;
	if (len > 0)
		memcpy(buf + TRC_IN_SLACK, in->p, len);
	if (in->buf)
		in->base += (uint64_t)(in->p - (in->buf + TRC_IN_SLACK));
	free(in->buf);
	in->buf = buf;
	in->cap = cap;
	in->p = buf + TRC_IN_SLACK;
	in->end = in->p + len;
	return 0;
}

struct trc_in *
trc_in_window(struct trc_stream *s, size_t room, const char *name, struct trc_err *err)
{
	struct trc_in *in = trc_alloc(1, sizeof(*in), err);

	if (!in)
		return NULL;
	in->name = name;
	if (make_room(in, room, err)) {
		free(in);
		return NULL;
	}
	in->stream = s;
	return in;
}

struct trc_in *
trc_in_stream(struct trc_stream *s, const char *name, struct trc_err *err)
{
	return trc_in_window(s, ROOM, name, err);
}

/* Unpacks one level of packing; *row is its kind, or NULL. A pipe or a growing file may have only
 * its first bytes yet, so it is read only as far as most packings need. */
static int
unwrap_one(struct trc_in *in, bool first, const char *file, const struct trc_packing **row,
           struct trc_err *err)
{
	const size_t most = first && in->raw_size < TRC_PACKING_HEAD ? 8 : TRC_PACKING_HEAD;
	struct trc_stream *inner;
	size_t len;

	if (trc_in_fill(in, most, err))
		return -1;
	len = (size_t)(in->end - in->p);
	if (trc_packing_refuse(in->p, len, err))
		return -1;
	*row = trc_packing_of(in->p, len < most ? len : most);
	if (!*row)
		return 0;
	inner = trc_unpack_open(*row, in->stream, in->p, len, file, err);
	if (!inner)
		return -1;
	in->stream = inner;
	in->end = in->p;
	in->eof = false;
	return 0;
}

/* Unpacks while the window begins like a packed file. `file` is the one to extract from an
 * archive. */
static int
unwrap(struct trc_in *in, const char *file, struct trc_err *err)
{
	const struct trc_packing *row = NULL;
	const bool names = file && !*file;
	bool packed = false;

	for (int depth = 0; depth <= NESTED_MOST; depth++) {
		if (unwrap_one(in, depth == 0, file, &row, err))
			return -1;
		if (!row || (names && row->archive))
			break;
		packed = true;
		if (row->archive)
			file = NULL;
	}
	if (names) {
		in->p = row ? in->p : in->end;
		in->eof |= !row;
		return 0;
	}
	if (file) /* caught by trc_in_open(), which then opens it as a file in a folder */
		return trc_fail_as(err, TRC_USAGE, "is not an archive");
	if (row)
		return trc_fail(err, "is packed more than %d times", NESTED_MOST);
	if (packed) {
		struct trc_stream *ahead = trc_stream_ahead(in->stream, err);

		if (!ahead)
			return -1;
		in->stream = ahead;
	}
	return 0;
}

static struct trc_in *
open_named(const char *path, const char *file, const char *name, struct trc_err *err)
{
	uint64_t size;
	struct trc_stream *s = trc_stream_file(path, &size, err);
	struct counted *counted = s ? counted_open(s, err) : NULL;
	struct trc_in *in = counted ? trc_in_stream(&counted->stream, name, err) : NULL;

	if (!in) {
		trc_stream_close(counted ? &counted->stream : s);
		return NULL;
	}
	in->raw_size = size;
	in->file = file ? NULL : s;
	if (unwrap(in, file, err)) {
		trc_in_close(in);
		return NULL;
	}
	return in;
}

size_t
trc_in_archive(const char *path)
{
	char archive[4096];
	struct stat st;
	const int len = snprintf(archive, sizeof(archive), "%s", path);
	char *slash = strrchr(archive, '/');

	/* A path that continues after a file fails with ENOTDIR. The archive is then the longest
	 * part of it that exists. */
	if (!slash || !slash[1] || len >= (int)sizeof(archive) || stat(path, &st) == 0 ||
	    errno != ENOTDIR)
		return 0;
	do
		*slash = 0;
	while (stat(archive, &st) != 0 && (slash = strrchr(archive, '/')));
	return slash && S_ISREG(st.st_mode) ? (size_t)(slash - archive) : 0;
}

bool
trc_in_regular(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

/* Opens "ARCHIVE/FILE". */
static struct trc_in *
open_in_archive(const char *path, size_t archive, struct trc_err *err)
{
	char *name = trc_strdup(path, err);
	struct trc_in *in = NULL;

	if (name) {
		name[archive] = 0;
		in = open_named(name, path + archive + 1, path, err);
	}
	free(name);
	return in;
}

struct trc_in *
trc_in_open(const char *path, struct trc_err *err)
{
	const char *name = strcmp(path, "-") == 0 ? "standard input" : path;
	const size_t archive = trc_in_archive(path);
	struct trc_in *in = archive ? open_in_archive(path, archive, err) : NULL;

	if (!archive || (!in && err->code == TRC_USAGE)) /* the latter: not an archive */
		in = open_named(path, NULL, name, err);
	if (!in)
		trc_err_in(err, "%s", name);
	return in;
}

struct trc_in *
trc_in_names(const char *path, struct trc_err *err)
{
	struct trc_in *in = open_named(path, "", path, err);

	if (!in)
		trc_err_in(err, "%s", path);
	return in;
}

void
trc_in_close(struct trc_in *in)
{
	if (!in)
		return;
	trc_stream_close(in->stream);
	free(in->line ? in->line - TRC_IN_SLACK : NULL);
	free(in->buf);
	free(in);
}

/* Moves the window to the front of the buffer. */
static void
slide(struct trc_in *in)
{
	uint8_t *front = in->buf + TRC_IN_SLACK;
	size_t len = (size_t)(in->end - in->p);

	if (in->p == front)
		return;
	in->raw_at = in->stream->passed;
	in->base += (uint64_t)(in->p - front);
	memmove(front, in->p, len);
	in->p = front;
	in->end = front + len;
}

/* Reads once into the free room, which must not be empty. */
static int
read_more(struct trc_in *in, struct trc_err *err)
{
	uint8_t *dst = in->buf + (in->end - in->buf);
	size_t room = in->cap - (size_t)(in->end - (in->buf + TRC_IN_SLACK));
	size_t got;

	if (in->stream->read(in->stream, dst, room, &got, err)) {
		const bool none = in->base == 0 && in->end == in->buf + TRC_IN_SLACK;

		if (!in->salvages || err->code != TRC_FAILED || none)
			return -1;
		in->lost = true;
		got = 0;
	}
	in->end += got;
	in->eof = got == 0;
	return 0;
}

int
trc_in_fill(struct trc_in *in, size_t want, struct trc_err *err)
{
	if ((size_t)(in->end - in->p) >= want || in->eof)
		return 0;
	if (want > in->cap && make_room(in, want, err))
		return -1;
	slide(in);
	while ((size_t)(in->end - in->p) < want && !in->eof)
		if (read_more(in, err))
			return -1;
	return 0;
}

int
trc_in_skip(struct trc_in *in, uint64_t n, struct trc_err *err)
{
	while (n > 0) {
		uint64_t here = (uint64_t)(in->end - in->p);

		here = here < n ? here : n;
		in->p += here;
		n -= here;
		if (n == 0 || in->eof)
			break;
		if (in->stream->skip) {
			if (in->stream->skip(in->stream, n, err))
				return -1;
			in->base += n;
			break;
		}
		if (trc_in_fill(in, 1, err))
			return -1;
	}
	return 0;
}

uint64_t
trc_in_size(const struct trc_in *in)
{
	return in->stream->read_at ? in->stream->size : 0;
}

bool
trc_in_read_at(struct trc_in *in, uint64_t at, void *dst, size_t n)
{
	return in->stream->read_at && in->stream->read_at(in->stream, at, dst, n);
}

int
trc_in_cut(uint64_t at, uint64_t size, struct trc_err *err)
{
	return trc_fail_as(err, TRC_SYSTEM, "was truncated to %llu of %llu bytes while being read",
	                   (ull)at, (ull)size);
}

struct trc_stream *
trc_in_inner(const struct trc_in *in)
{
	return in->stream;
}

void
trc_in_replace(struct trc_in *in, struct trc_stream *s, uint64_t at)
{
	in->stream = s;
	in->p = in->end = in->buf + TRC_IN_SLACK;
	in->base = at;
	in->eof = false;
}

/* Returns the end of the last line in the window after `from`; without one, the start of the
 * window. */
static const uint8_t *
last_line_end(const struct trc_in *in, const uint8_t *from)
{
	const uint8_t *q = in->end;

	while (q > from && q[-1] != '\n')
		q--;
	return q > from ? q : in->p;
}

int
trc_in_lose(struct trc_in *in, const struct trc_err *err)
{
	if (!in->salvages || err->code != TRC_FAILED)
		return -1;
	in->p = in->end;
	in->lost = in->eof = true;
	return 0;
}

int
trc_in_salvage(struct trc_in *in, struct trc_err *err)
{
	const uint8_t *end;

	in->salvages = true;
	if (trc_in_fill(in, ROOM / 4, err))
		return -1;
	/* A text that ends within its head is recognised by its whole lines. */
	end = last_line_end(in, in->p);
	if (in->eof && end > in->p && end < in->end && !memchr(in->p, 0, (size_t)(end - in->p))) {
		in->end = end;
		in->lost = true;
	}
	return 0;
}

enum {
	LINES_SEEN = 64, /* lines looked at before each read */

	/* The last line is shorter than 16 before it by chance once in 17; of lines of the same
	 * length, few show that all have it. */
	SHORT_SURE = 16,
	SHORT_EVEN = 3,
};

/* Includes the line [p, e) in *x. Blank lines do not count. */
static void
note_line(struct trc_in_extremes *x, const uint8_t *p, const uint8_t *e)
{
	size_t gaps = 0, len;

	while (e > p && strchr(" \t\r", e[-1]) && e[-1])
		e--;
	len = (size_t)(e - p);
	for (; p < e; p++)
		gaps += *p && strchr(" \t,;:|", *p);
	if (len == 0)
		return;
	x->least = x->lines && x->least < len ? x->least : len;
	x->gaps = x->lines && x->gaps < gaps ? x->gaps : gaps;
	x->most = x->most > len ? x->most : len;
	x->lines++;
}

/* Notes the last lines that the reader has passed, before the window slides over them. */
static void
note_passed(struct trc_in *in)
{
	const uint8_t *const front = in->buf + TRC_IN_SLACK, *e = in->p;

	for (unsigned i = 0; i < LINES_SEEN && e > front && e[-1] == '\n'; i++) {
		const uint8_t *const end = --e;

		while (e > front && e[-1] != '\n')
			e--;
		note_line(&in->lines, e, end);
	}
}

/* Returns true if the line [p, e) is shorter than all that were noted, or has fewer fields. */
static bool
is_short(const struct trc_in_extremes *x, const uint8_t *p, const uint8_t *e)
{
	struct trc_in_extremes last = { 0 };

	note_line(&last, p, e);
	return last.lines && x->lines >= (x->least == x->most ? SHORT_EVEN : SHORT_SURE) &&
	       (last.least < x->least || last.gaps < x->gaps);
}

int
trc_in_lines(struct trc_in *in, const uint8_t **stop, struct trc_err *err)
{
	size_t seen = 0;

	for (;;) {
		*stop = last_line_end(in, in->p + seen);
		if (*stop > in->p)
			return 0;
		note_passed(in);
		seen = (size_t)(in->end - in->p);
		if (in->eof)
			break;
		if (seen > TRC_LINE_MOST)
			return trc_fail(
			        err,
			        "a line longer than 1 MiB at byte %llu: not a text trace, or one "
			        "whose lines do not end in LF",
			        (ull)trc_in_offset(in));
		slide(in);
		if (seen == in->cap && make_room(in, 2 * in->cap, err))
			return -1;
		if (read_more(in, err))
			return -1;
	}
	if (seen > 0 && in->salvages) {
		in->lost = true;
		*stop = in->p = in->end;
	} else if (seen > 0) {
		/* The slack has room for the missing newline. */
		in->buf[in->end - in->buf] = '\n';
		*stop = ++in->end;
		in->unended = TRC_UNENDED;
		if (is_short(&in->lines, in->p, in->end - 1))
			in->unended |= TRC_UNENDED_SHORT;
	}
	return 0;
}

int
trc_in_line(struct trc_in *in, const uint8_t **end, struct trc_err *err)
{
	const uint8_t *lf = in->p < in->end ? memchr(in->p, '\n', (size_t)(in->end - in->p)) : NULL;

	if (!lf) {
		if (trc_in_lines(in, end, err))
			return -1;
		if (*end == in->p)
			return 0;
		lf = memchr(in->p, '\n', (size_t)(*end - in->p));
	}
	*end = lf + 1;
	return 0;
}

int
trc_in_put(struct trc_in *in, const uint8_t *bytes, size_t n, struct trc_err *err)
{
	const size_t len = (size_t)(in->end - in->p);

	in->eof = true;
	if (len + n > in->cap && make_room(in, len + n > 2 * in->cap ? len + n : 2 * in->cap, err))
		return -1;
	if (n > 0)
		memcpy(in->buf + TRC_IN_SLACK + len, bytes, n);
	in->end += n;
	return 0;
}

void
trc_in_rewind(struct trc_in *in)
{
	in->p = in->buf + TRC_IN_SLACK;
}

int
trc_in_keep_line(struct trc_in *in, struct trc_err *err)
{
	const uint8_t *end;
	uint8_t *room;

	if (trc_in_line(in, &end, err))
		return -1;
	in->line_len = (size_t)(end - in->p) - (end > in->p);
	room = trc_alloc(2 * TRC_IN_SLACK + in->line_len, 1, err);
	if (!room)
		return -1;
	in->line = room + TRC_IN_SLACK;
	memcpy(in->line, in->p, in->line_len);
	in->line[in->line_len] = '\n'; /* parsers may search for it */
	return 0;
}

uint64_t
trc_in_offset(const struct trc_in *in)
{
	return in->base + (uint64_t)(in->p - (in->buf + TRC_IN_SLACK));
}
