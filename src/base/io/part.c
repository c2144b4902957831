/* SPDX-License-Identifier: MIT
 * Implements parts of an input: bytes [from, to) of a file, or copied to memory. */
#include "base/io/part.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
	WINDOW = 128 << 10, /* fits the L2 cache together with the batch made from it */
	LOOK = 4096,        /* bytes searched at a time for the end of a line */
};

/* The stream of a part. */
struct part {
	struct trc_stream stream;
	struct trc_in *of;
	bool copied;
	uint64_t from, at, to;
};

/* Fails to read the next `n` bytes: the file is now shorter than when it was opened, or errno has
 * the reason. */
static int
fail(const struct part *p, uint8_t *dst, size_t n, struct trc_err *err)
{
	uint64_t there = p->at;

	if (errno)
		return trc_fail_errno(err, errno, "cannot read");
	for (size_t step = n; step > 0; step /= 2)
		while (there + step < p->to && trc_in_read_at(p->of, there, dst, step))
			there += step;
	return trc_in_cut(there, trc_in_size(p->of), err);
}

static int
part_read(struct trc_stream *s, uint8_t *dst, size_t cap, size_t *got, struct trc_err *err)
{
	struct part *p = (struct part *)s;
	const uint64_t left = p->to - p->at;

	*got = left < cap ? (size_t)left : cap;
	errno = 0;
	if (*got > 0 && !trc_in_read_at(p->of, p->at, dst, *got))
		return fail(p, dst, *got, err);
	p->at += *got;
	return 0;
}

static void
part_close(struct trc_stream *s)
{
	free(s);
}

uint64_t
trc_part_left(const struct trc_in *of)
{
	const uint64_t at = trc_in_offset(of), size = trc_in_size(of);

	return at < size ? size - at : 0;
}

struct trc_in *
trc_part_open(struct trc_in *of, struct trc_err *err)
{
	struct part *p = trc_alloc(1, sizeof(*p), err);
	struct trc_in *part;

	if (!p)
		return NULL;
	*p = (struct part){ .stream = { .read = part_read, .close = part_close }, .of = of };
	part = trc_in_window(&p->stream, WINDOW, of->name, err);
	if (!part)
		free(p);
	return part;
}

/* Returns the end of the line that contains byte `at`; 0 if it is not found within twice the
 * longest line, or before the end of the file, or if reading fails. */
static uint64_t
line_end(struct trc_in *in, uint64_t at)
{
	const uint64_t size = trc_in_size(in), most = at + 2 * (uint64_t)TRC_LINE_MOST;
	uint8_t text[LOOK];

	while (at < size && at < most) {
		const size_t n = size - at < LOOK ? (size_t)(size - at) : LOOK;
		const uint8_t *end;

		if (!trc_in_read_at(in, at, text, n))
			break;
		end = memchr(text, '\n', n);
		if (end)
			return at + (uint64_t)(end - text) + 1;
		at += n;
	}
	return 0;
}

/* Copies whole lines. */
static int
copy_lines(struct trc_in *part, struct trc_in *of, size_t want, struct trc_err *err)
{
	const uint8_t *stop;
	size_t n = 0;

	do {
		if (trc_in_lines(of, &stop, err) ||
		    trc_in_put(part, of->p, (size_t)(stop - of->p), err))
			return -1;
		n += (size_t)(stop - of->p);
	} while (stop > of->p && (of->p = stop, n < want));
	part->unended = of->unended;
	return 0;
}

/* Copies whole records; at the end, also an incomplete one. */
static int
copy_records(struct trc_in *part, struct trc_in *of, size_t want, size_t size, struct trc_err *err)
{
	size_t n = 0, len;

	do {
		if (trc_in_fill(of, size, err))
			return -1;
		len = (size_t)(of->end - of->p);
		len -= len > size ? len % size : 0;
		if (trc_in_put(part, of->p, len, err))
			return -1;
		of->p += len;
		n += len;
	} while (len > 0 && n < want);
	return 0;
}

/* Gives the part the bytes from the position of the other input to `to`; or none if they will be
 * copied (to = 0). */
static int
hand_over(struct part *p, struct trc_in *part, uint64_t to, struct trc_err *err)
{
	p->copied = to == 0;
	p->from = p->at = trc_in_offset(p->of);
	p->to = p->copied ? p->from : to;
	trc_in_replace(part, &p->stream, p->from);
	part->unended = 0;
	return p->copied ? 0 : trc_in_skip(p->of, to - p->from, err);
}

int
trc_part_take(struct trc_in *part, size_t want, struct trc_err *err)
{
	struct part *p = (struct part *)trc_in_inner(part);
	const uint64_t from = trc_in_offset(p->of), left = trc_part_left(p->of);
	/* Reading finds what was added after the file was opened, and a last line without
	 * newline. */
	const uint64_t to = left ? line_end(p->of, from + (want < left ? want : left) - 1) : 0;

	return hand_over(p, part, to, err) || (to == 0 && copy_lines(part, p->of, want, err)) ? -1 :
	                                                                                        0;
}

int
trc_part_take_records(struct trc_in *part, size_t want, size_t size, struct trc_err *err)
{
	struct part *p = (struct part *)trc_in_inner(part);
	const uint64_t left = trc_part_left(p->of), n = (want < left ? want : left) / size;
	const uint64_t to = n ? trc_in_offset(p->of) + n * size : 0;

	return hand_over(p, part, to, err) ||
	                       (to == 0 && copy_records(part, p->of, want, size, err)) ?
	               -1 :
	               0;
}

void
trc_part_again(struct trc_in *part)
{
	struct part *p = (struct part *)trc_in_inner(part);

	p->at = p->from;
	if (p->copied)
		trc_in_rewind(part);
	else
		trc_in_replace(part, &p->stream, p->from);
}
