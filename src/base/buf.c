/* SPDX-License-Identifier: MIT */
#include "base/buf.h"

#include <stdlib.h>

void
trc_buf_release(struct trc_buf *b)
{
	free(b->p);
	*b = (struct trc_buf){ 0 };
}

int
trc_buf_room(struct trc_buf *b, size_t n, struct trc_err *err)
{
	return trc_grow(&b->p, &b->cap, b->n + n, 1, err);
}

int
trc_buf_put(struct trc_buf *b, const void *bytes, size_t n, struct trc_err *err)
{
	if (trc_buf_room(b, n, err))
		return -1;
	if (n > 0)
		memcpy(b->p + b->n, bytes, n);
	b->n += n;
	return 0;
}

int
trc_buf_put_byte(struct trc_buf *b, unsigned v, struct trc_err *err)
{
	const uint8_t byte = (uint8_t)v;

	return trc_buf_put(b, &byte, 1, err);
}

size_t
trc_put_num(uint8_t *p, uint64_t v)
{
	size_t n = 0;

	for (; v >= 128; v >>= 7)
		p[n++] = (uint8_t)(v | 128);
	p[n++] = (uint8_t)v;
	return n;
}

int
trc_buf_put_num(struct trc_buf *b, uint64_t v, struct trc_err *err)
{
	if (trc_buf_room(b, TRC_NUM_MOST, err))
		return -1;
	b->n += trc_put_num(b->p + b->n, v);
	return 0;
}

int
trc_buf_put_counted(struct trc_buf *b, const void *bytes, size_t n, struct trc_err *err)
{
	return trc_buf_put_num(b, n, err) || trc_buf_put(b, bytes, n, err) ? -1 : 0;
}

bool
trc_view_num(struct trc_view *v, uint64_t *value)
{
	uint64_t sum = 0;

	for (unsigned shift = 0; shift < 64 && v->p < v->end; shift += 7) {
		const uint8_t byte = *v->p++;

		if (shift == 63 && byte > 1)
			return false;
		sum |= (uint64_t)(byte & 127) << shift;
		if (byte < 128) {
			*value = sum;
			return true;
		}
	}
	return false;
}

const uint8_t *
trc_view_bytes(struct trc_view *v, size_t n)
{
	static const uint8_t none;
	const uint8_t *p = v->p;

	/* Reading 0 bytes succeeds even in an empty view, whose `p` may be NULL. */
	if (n == 0)
		return p ? p : &none;
	if ((size_t)(v->end - p) < n)
		return NULL;
	v->p += n;
	return p;
}

bool
trc_view_counted(struct trc_view *v, uint64_t most, struct trc_view *bytes)
{
	uint64_t n;

	if (!trc_view_num(v, &n) || n > most || n > SIZE_MAX ||
	    !(bytes->p = trc_view_bytes(v, (size_t)n)))
		return false;
	bytes->end = bytes->p + n;
	return true;
}
