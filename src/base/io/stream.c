/* SPDX-License-Identifier: MIT
 * Streams from files and from memory. */
#include "base/io/stream.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "base/io/reads.h"
#include "base/io/spill.h"
#include "base/io/temporary.h"

struct file_stream {
	struct trc_stream stream;
	int fd;
	off_t origin; /* position of standard input when it was opened */
};

/* Bytes of standard input that were peeked at and still have to be read. */
static struct {
	uint8_t bytes[TRC_STREAM_LOOK];
	size_t at, end;
} looked;

/* A stream from memory, for tests. */
struct memory_stream {
	struct trc_stream stream;
	const uint8_t *start, *p;
	size_t len, step; /* bytes from p on; maximum per read */
};

void
trc_stream_close(struct trc_stream *s)
{
	if (s)
		s->close(s);
}

/* Waits until there is something to read. A thread that reads ahead receives no signals, so this
 * regularly checks whether the main thread has received one. */
static int
wait_for(int fd, struct trc_err *err)
{
	enum { LOOK_UP = 200 }; /* in milliseconds */
	struct pollfd p = { .fd = fd, .events = POLLIN };
	int ready;

	do {
		if (trc_interrupted(err))
			return -1;
		ready = poll(&p, 1, LOOK_UP);
	} while (ready == 0 || (ready < 0 && errno == EINTR));
	return 0;
}

static size_t
take_looked(uint8_t *dst, size_t cap)
{
	const size_t left = looked.end - looked.at, n = left < cap ? left : cap;

	memcpy(dst, looked.bytes + looked.at, n);
	looked.at += n;
	return n;
}

static int
read_some(int fd, uint8_t *dst, size_t cap, size_t *got, struct trc_err *err)
{
	ssize_t n;

	do {
		if (wait_for(fd, err))
			return -1;
		n = read(fd, dst, cap);
	} while (n < 0 && errno == EINTR);
	if (n < 0)
		return trc_fail_errno(err, errno, "cannot read");
	*got = (size_t)n;
	return 0;
}

static int
file_read(struct trc_stream *s, uint8_t *dst, size_t cap, size_t *got, struct trc_err *err)
{
	const struct file_stream *f = (struct file_stream *)s;

	if (f->fd != STDIN_FILENO || looked.at == looked.end)
		return read_some(f->fd, dst, cap, got, err);
	*got = take_looked(dst, cap);
	return 0;
}

static int
file_skip(struct trc_stream *s, uint64_t n, struct trc_err *err)
{
	const struct file_stream *f = (struct file_stream *)s;

	if (n > INT64_MAX || lseek(f->fd, (off_t)n, SEEK_CUR) < 0)
		return trc_fail_errno(err, errno, "cannot seek");
	return 0;
}

int
trc_stream_look(size_t want, const uint8_t **p, size_t *n, struct trc_err *err)
{
	size_t got = 1;

	while (got > 0 && looked.end - looked.at < want && looked.end < sizeof(looked.bytes)) {
		if (read_some(STDIN_FILENO, looked.bytes + looked.end,
		              sizeof(looked.bytes) - looked.end, &got, err))
			return -1;
		looked.end += got;
	}
	*p = looked.bytes + looked.at;
	*n = looked.end - looked.at;
	return 0;
}

int
trc_stream_keep(struct trc_err *err)
{
	struct file_stream in = { .fd = STDIN_FILENO };
	const int fd = trc_spill_open(err);
	uint8_t bytes[1 << 14];
	uint64_t at = 0;
	size_t n = 1;
	int ret = fd < 0 ? -1 : 0;

	for (; ret == 0 && n > 0; at += n)
		ret = file_read(&in.stream, bytes, sizeof(bytes), &n, err) ||
		      trc_spill_write(fd, bytes, n, at, err);
	if (ret == 0 && (lseek(fd, 0, SEEK_SET) < 0 || dup2(fd, STDIN_FILENO) < 0))
		ret = trc_fail_errno(err, errno, "cannot keep standard input");
	if (fd >= 0)
		close(fd);
	return ret ? -1 : 0;
}

static bool
file_read_at(struct trc_stream *s, uint64_t at, uint8_t *dst, size_t n)
{
	const struct file_stream *f = (struct file_stream *)s;

	while (n > 0) {
		const ssize_t got = pread(f->fd, dst, n, f->origin + (off_t)at);

		if (got == 0)
			errno = 0;
		if (got == 0 || (got < 0 && errno != EINTR))
			return false;
		if (got > 0) {
			dst += got;
			at += (uint64_t)got;
			n -= (size_t)got;
		}
	}
	return true;
}

static void
file_close(struct trc_stream *s)
{
	struct file_stream *f = (struct file_stream *)s;

	if (f->fd > STDIN_FILENO)
		close(f->fd);
	free(f);
}

/* Returns true if output to standard output would be read again, and written again, forever. */
static bool
is_output(const struct stat *in)
{
	struct stat out;

	return fstat(STDOUT_FILENO, &out) == 0 && S_ISREG(out.st_mode) &&
	       out.st_dev == in->st_dev && out.st_ino == in->st_ino;
}

/* Closes a file that cannot be used and reports the reason; returns -1. */
static int
refuse(int fd, const char *why, struct trc_err *err)
{
	if (fd > STDIN_FILENO)
		close(fd);
	return trc_fail(err, "%s", why);
}

static int
open_path(const char *path, uint64_t *size, struct trc_err *err)
{
	struct stat st;
	int fd = strcmp(path, "-") == 0 ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0) {
		const int number = errno;

		trc_fail_errno(err, number, "cannot open");
		return trc_temporary_no_folder(path, number, err);
	}
	*size = 0;
	if (fstat(fd, &st) == 0) {
		if (trc_reads_add(&st, err)) {
			if (fd > STDIN_FILENO)
				close(fd);
			return -1;
		}
		if (S_ISDIR(st.st_mode))
			return refuse(fd, "is a directory, not a trace", err);
		if (is_output(&st))
			return refuse(fd,
			              "is also standard output, so the output would be read "
			              "again; name an OUTPUT",
			              err);
		if (S_ISREG(st.st_mode))
			*size = (uint64_t)st.st_size;
	}
	return fd;
}

struct trc_stream *
trc_stream_file(const char *path, uint64_t *size, struct trc_err *err)
{
	struct file_stream *f = trc_alloc(1, sizeof(*f), err);

	if (!f)
		return NULL;
	f->stream = (struct trc_stream){ .read = file_read, .close = file_close };
	f->fd = open_path(path, size, err);
	if (f->fd < 0) {
		free(f);
		return NULL;
	}
	/* Only regular files have a size and can be skipped in. */
	if (*size == 0)
		return &f->stream;
	f->stream.skip = file_skip;
	f->origin = lseek(f->fd, 0, SEEK_CUR);
	if (f->origin >= 0 && (uint64_t)f->origin <= *size) {
		f->stream.read_at = file_read_at;
		f->stream.size = *size - (uint64_t)f->origin;
	}
	return &f->stream;
}

static int
memory_read(struct trc_stream *s, uint8_t *dst, size_t cap, size_t *got, struct trc_err *err)
{
	struct memory_stream *m = (struct memory_stream *)s;
	size_t n = m->len < m->step ? m->len : m->step;

	(void)err;
	n = n < cap ? n : cap;
	if (n > 0)
		memcpy(dst, m->p, n);
	m->p += n;
	m->len -= n;
	s->passed += n;
	*got = n;
	return 0;
}

static int
memory_skip(struct trc_stream *s, uint64_t n, struct trc_err *err)
{
	struct memory_stream *m = (struct memory_stream *)s;
	const size_t here = n < m->len ? (size_t)n : m->len;

	(void)err;
	m->p += here;
	m->len -= here;
	s->passed += here;
	return 0;
}

static bool
memory_read_at(struct trc_stream *s, uint64_t at, uint8_t *dst, size_t n)
{
	const struct memory_stream *m = (struct memory_stream *)s;

	if (at > s->size || n > s->size - at)
		return false;
	if (n > 0)
		memcpy(dst, m->start + at, n);
	return true;
}

static void
memory_close(struct trc_stream *s)
{
	free(s);
}

struct trc_stream *
trc_stream_memory(const void *p, size_t len, size_t step, struct trc_err *err)
{
	struct memory_stream *m = trc_alloc(1, sizeof(*m), err);

	if (!m)
		return NULL;
	*m = (struct memory_stream){ .stream = { .read = memory_read,
		                                 .skip = memory_skip,
		                                 .read_at = memory_read_at,
		                                 .size = len,
		                                 .close = memory_close },
		                     .start = p,
		                     .p = p,
		                     .len = len,
		                     .step = step };
	return &m->stream;
}
