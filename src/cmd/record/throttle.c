/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* F_GETPIPE_SZ */
#include "cmd/record/throttle.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "stage/wrap.h"

enum {
	PART = 4,             /* the pipe is read when 1/PART of it is full, */
	MOMENTS = 8,          /* or, if anything is in it, after this many moments */
	MOMENT = 2000 * 1000, /* in ns */
	LONG = 20,            /* in ms: later waits, since the program seems idle */
	PATIENCE = 1,         /* in s, after the program was stopped */
};

/* The stream. */
struct paced {
	struct trc_stream stream;
	struct trc_tracee *program;
	int enough;   /* bytes in the pipe that are enough to read it */
	bool stopped; /* the program was stopped from outside, */
	time_t since; /* at this time, by seconds_now() */
};

/* The source. */
struct some {
	struct trc_wrap wrap;
	struct trc_tracee *program;
	bool any; /* there were references */
	bool whole;
};

static time_t
seconds_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec;
}

/* Returns true if Ctrl-C or Ctrl-\ ended the program so long ago that all of its output has
 * arrived. */
static bool
is_late(struct paced *s)
{
	if (!s->stopped) {
		if (!trc_tracee_ended(s->program) ||
		    (s->program->status != 128 + SIGINT && s->program->status != 128 + SIGQUIT))
			return false;
		s->stopped = true;
		s->since = seconds_now();
	}
	return seconds_now() - s->since > PATIENCE;
}

/* Waits until there is data to read, or the end of the pipe. Returns false if the program was
 * stopped, but processes that ignored this may still write, such as background processes of a
 * shell: the recording ends with the program. */
static bool
wait_for_bytes(struct paced *s)
{
	const struct timespec moment = { 0, MOMENT };

	for (int i = 0;; i++) {
		struct pollfd pipe = { .fd = STDIN_FILENO, .events = POLLIN };
		int bytes;

		trc_tracee_end_pipe(s->program);
		if (poll(&pipe, 1, i < MOMENTS ? 0 : LONG) < 0 || pipe.revents & POLLHUP ||
		    ioctl(STDIN_FILENO, FIONREAD, &bytes))
			return true;
		if (is_late(s))
			return false;
		if (bytes >= s->enough || (bytes > 0 && (i >= MOMENTS || s->stopped)))
			return true;
		if (i < MOMENTS)
			nanosleep(&moment, NULL);
	}
}

static int
paced_read(struct trc_stream *stream, uint8_t *dst, size_t cap, size_t *got, struct trc_err *err)
{
	struct paced *s = (struct paced *)stream;
	ssize_t n;

	do {
		if (trc_interrupted(err))
			return -1;
		n = wait_for_bytes(s) ? read(STDIN_FILENO, dst, cap) : 0;
	} while (n < 0 && (errno == EINTR || errno == EAGAIN));
	*got = n > 0 ? (size_t)n : 0;
	return n < 0 ? trc_fail_errno(err, errno, "cannot read the pipe") : 0;
}

static void
paced_close(struct trc_stream *stream)
{
	free(stream);
}

struct trc_stream *
trc_record_pipe(struct trc_tracee *p, struct trc_err *err)
{
	struct paced *s = trc_alloc(1, sizeof(*s), err);

	if (!s)
		return NULL;
	*s = (struct paced){ .stream = { .read = paced_read, .close = paced_close },
		             .program = p,
		             .enough = 1 };
#ifdef F_GETPIPE_SZ
	s->enough = fcntl(STDIN_FILENO, F_GETPIPE_SZ) / PART;
#endif
	return &s->stream;
}

static bool
has_references(const struct trc_batch *b)
{
	for (size_t i = 0; i < b->n; i++)
		if (!trc_batch_is_event(b, i))
			return true;
	return false;
}

static enum trc_flow
some_next(struct trc_source *src, struct trc_batch *b, struct trc_err *err)
{
	struct some *s = (struct some *)src;
	const enum trc_flow flow = trc_wrap_next(&s->wrap, b, err);

	s->any = s->any || (flow == TRC_FLOW_ROWS && has_references(b));
	if (flow != TRC_FLOW_END || s->any)
		return flow;
	if (trc_tracee_wait(s->program, err))
		return TRC_FLOW_FAILED;
	if (s->program->status == 0 && !s->whole)
		return TRC_FLOW_END;
	trc_fail(err, "nothing was recorded; the recorder exited with status %d",
	         s->program->status);
	return TRC_FLOW_FAILED;
}

struct trc_source *
trc_record_some(struct trc_source *from, struct trc_tracee *p, bool whole, struct trc_err *err)
{
	struct some *s = trc_wrap_pass(sizeof(*s), from, some_next, err);

	if (!s)
		return NULL;
	s->program = p;
	s->whole = whole;
	return &s->wrap.src;
}
