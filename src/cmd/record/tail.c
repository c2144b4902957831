/* SPDX-License-Identifier: MIT */
#include "cmd/record/tail.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "batch/recorded.h"

/* The stream. */
struct rest {
	struct trc_stream stream, *pipe;
	char *shared;
	int fd; /* descriptor of the file after the end of the pipe; -1: not opened, or none */
	uint64_t at, n; /* position and end of the rest in it */
	bool ended;
};

/* Opens the file, and finds the rest; a file that does not exist has none. */
static int
open_shared(struct rest *r, struct trc_err *err)
{
	struct trc_recorded_lines *l = NULL;
	uint64_t number[2] = { 0, 0 };

	r->ended = true;
	r->fd = open(r->shared, O_RDONLY | O_CLOEXEC);
	if (r->fd < 0)
		return errno == ENOENT ? 0 :
		                         trc_fail_errno(err, errno, "cannot open '%s'", r->shared);
	if (pread(r->fd, number, sizeof(number), sizeof(l->text)) != sizeof(number) ||
	    number[0] > sizeof(l->text) || number[1] > number[0])
		return trc_fail(err, "the data shared by recorded processes is damaged");
	r->n = number[0];
	r->at = number[1];
	return 0;
}

static int
rest_read(struct trc_stream *s, uint8_t *dst, size_t cap, size_t *got, struct trc_err *err)
{
	struct rest *r = (struct rest *)s;
	ssize_t n;

	if (!r->ended) {
		if (r->pipe->read(r->pipe, dst, cap, got, err))
			return -1;
		if (*got > 0 || cap == 0)
			return 0;
		if (open_shared(r, err))
			return -1;
	}
	*got = 0;
	if (r->fd < 0 || r->at == r->n)
		return 0;
	n = pread(r->fd, dst, r->n - r->at < cap ? (size_t)(r->n - r->at) : cap, (off_t)r->at);
	if (n <= 0)
		return trc_fail_errno(err, n < 0 ? errno : EIO, "cannot read '%s'", r->shared);
	*got = (size_t)n;
	r->at += *got;
	return 0;
}

static void
rest_close(struct trc_stream *s)
{
	struct rest *r = (struct rest *)s;

	trc_stream_close(r->pipe);
	if (r->fd >= 0)
		close(r->fd);
	free(r->shared);
	free(r);
}

struct trc_stream *
trc_record_tail(struct trc_stream *pipe, const char *shared, struct trc_err *err)
{
	struct rest *r = trc_alloc(1, sizeof(*r), err);

	if (!r)
		return NULL;
	*r = (struct rest){ .stream = { .read = rest_read, .close = rest_close },
		            .pipe = pipe,
		            .shared = trc_strdup(shared, err),
		            .fd = -1 };
	if (r->shared)
		return &r->stream;
	free(r);
	return NULL;
}
