/* SPDX-License-Identifier: MIT
 * A list of pieces, sorted by offset. */
#include "base/io/patched.h"

#include <stdlib.h>
#include <string.h>

/* The bytes from offset `at` up to the next piece. */
struct piece {
	uint64_t at, from; /* offset in the composed stream; in the inner one */
	uint8_t *memory;   /* if not NULL, the bytes are here instead */
};

struct trc_patched {
	struct trc_stream stream;
	struct trc_stream *inner;
	struct piece *piece;
	size_t n, cap;
	uint64_t at; /* next offset to read */
	bool owns;   /* closes the inner stream */
};

static struct piece *
add_piece(struct trc_patched *p, uint64_t n, struct trc_err *err)
{
	if (trc_grow(&p->piece, &p->cap, p->n + 1, sizeof(*p->piece), err))
		return NULL;
	p->piece[p->n] = (struct piece){ .at = p->stream.size };
	p->stream.size += n;
	return &p->piece[p->n++];
}

int
trc_patched_add_range(struct trc_patched *p, uint64_t from, uint64_t n, struct trc_err *err)
{
	struct piece *last = p->n ? &p->piece[p->n - 1] : NULL;

	if (n == 0)
		return 0;
	if (last && !last->memory && last->from + (p->stream.size - last->at) == from) {
		p->stream.size += n;
		return 0;
	}
	if (!(last = add_piece(p, n, err)))
		return -1;
	last->from = from;
	return 0;
}

int
trc_patched_add_bytes(struct trc_patched *p, const void *bytes, size_t n, struct trc_err *err)
{
	uint8_t *copy = trc_alloc_room(n ? n : 1, 1, err);
	struct piece *piece = copy ? add_piece(p, n, err) : NULL;

	if (!piece) {
		free(copy);
		return -1;
	}
	memcpy(copy, bytes, n);
	piece->memory = copy;
	return 0;
}

uint64_t
trc_patched_size(const struct trc_patched *p)
{
	return p->stream.size;
}

/* ---- reading ---- */

/* Returns the last piece that begins at or before `at`. */
static const struct piece *
piece_at(const struct trc_patched *p, uint64_t at)
{
	size_t first = 0, end = p->n;

	while (end - first > 1) {
		const size_t middle = first + (end - first) / 2;

		if (p->piece[middle].at <= at)
			first = middle;
		else
			end = middle;
	}
	return &p->piece[first];
}

bool
trc_patched_read_at(const struct trc_patched *p, uint64_t at, void *dst, size_t n)
{
	uint8_t *to = dst;

	if (at > p->stream.size || n > p->stream.size - at)
		return false;
	while (n > 0) {
		const struct piece *piece = piece_at(p, at);
		const uint64_t end = piece + 1 < p->piece + p->n ? piece[1].at : p->stream.size;
		const size_t part = end - at < n ? (size_t)(end - at) : n;
		const uint64_t in = at - piece->at;

		if (piece->memory)
			memcpy(to, piece->memory + in, part);
		else if (!p->inner->read_at(p->inner, piece->from + in, to, part))
			return false;
		to += part;
		at += part;
		n -= part;
	}
	return true;
}

uint64_t
trc_patched_place(const struct trc_patched *p, uint64_t at)
{
	const struct piece *piece = p->n ? piece_at(p, at) : NULL;
	uint64_t in = piece ? at - piece->at : 0;

	/* Bytes in memory belong where the bytes before them end. */
	while (piece && piece->memory && piece > p->piece) {
		piece--;
		in = piece[1].at - piece->at + in;
	}
	return piece && !piece->memory ? piece->from + in : at;
}

static int
patched_read(struct trc_stream *s, uint8_t *dst, size_t cap, size_t *got, struct trc_err *err)
{
	struct trc_patched *p = (struct trc_patched *)s;
	const uint64_t left = p->at < s->size ? s->size - p->at : 0;

	*got = left < cap ? (size_t)left : cap;
	if (!trc_patched_read_at(p, p->at < s->size ? p->at : s->size, dst, *got))
		return trc_fail_as(err, TRC_SYSTEM, "cannot be read a second time");
	p->at += *got;
	return 0;
}

static int
patched_skip(struct trc_stream *s, uint64_t n, struct trc_err *err)
{
	(void)err;
	((struct trc_patched *)s)->at += n;
	return 0;
}

static bool
patched_read_at(struct trc_stream *s, uint64_t at, uint8_t *dst, size_t n)
{
	return trc_patched_read_at((struct trc_patched *)s, at, dst, n);
}

/* ---- lifetime ---- */

void
trc_patched_close(struct trc_patched *p)
{
	if (!p)
		return;
	for (size_t i = 0; i < p->n; i++)
		free(p->piece[i].memory);
	free(p->piece);
	free(p);
}

static void
patched_stream_close(struct trc_stream *s)
{
	struct trc_patched *p = (struct trc_patched *)s;

	if (p->owns)
		trc_stream_close(p->inner);
	trc_patched_close(p);
}

struct trc_patched *
trc_patched_open(struct trc_stream *inner, struct trc_err *err)
{
	struct trc_patched *p = trc_alloc(1, sizeof(*p), err);

	if (p)
		*p = (struct trc_patched){ .stream = { .read = patched_read,
			                               .skip = patched_skip,
			                               .read_at = patched_read_at,
			                               .close = patched_stream_close },
			                   .inner = inner };
	return p;
}

struct trc_stream *
trc_patched_stream(struct trc_patched *p, uint64_t at, bool owns)
{
	p->at = at;
	p->owns = owns;
	return &p->stream;
}
