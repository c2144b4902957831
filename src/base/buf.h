/* SPDX-License-Identifier: MIT
 *
 * A growing run of bytes, and reading one back with its end in sight. Zeroed memory is an empty
 * one; trc_buf_release() frees. Numbers are LEB128: seven bits a byte, the lowest first.
 */
#ifndef TRC_BASE_BUF_H
#define TRC_BASE_BUF_H

#include <stdbool.h>
#include <stdint.h>

#include "base/base.h"
#include "base/bytes.h"

/* Bytes that grow. */
struct trc_buf {
	uint8_t *p;
	size_t n, cap;
};

void trc_buf_release(struct trc_buf *b);

/* Makes room for `n` more bytes at p + n. */
int trc_buf_room(struct trc_buf *b, size_t n, struct trc_err *err) TRC_MUST_USE;

int trc_buf_put(struct trc_buf *b, const void *bytes, size_t n, struct trc_err *err) TRC_MUST_USE;
int trc_buf_put_num(struct trc_buf *b, uint64_t v, struct trc_err *err) TRC_MUST_USE;
int trc_buf_put_byte(struct trc_buf *b, unsigned v, struct trc_err *err) TRC_MUST_USE;

/* Bytes behind a number, how many they are. */
int trc_buf_put_counted(struct trc_buf *b, const void *bytes, size_t n,
                        struct trc_err *err) TRC_MUST_USE;

/* A number where there is room for TRC_NUM_MOST bytes; returns how many it took. */
enum { TRC_NUM_MOST = 10 };
size_t trc_put_num(uint8_t *p, uint64_t v);

/* One byte, where trc_buf_room() made room before. */
static inline void
trc_buf_byte(struct trc_buf *b, uint8_t v)
{
	b->p[b->n++] = v;
}

/* Likewise numbers of a fixed width, most significant byte first. */
static inline void
trc_buf_be32(struct trc_buf *b, uint32_t v)
{
	trc_put_be32(b->p + b->n, v);
	b->n += sizeof(v);
}

static inline void
trc_buf_be64(struct trc_buf *b, uint64_t v)
{
	trc_put_be64(b->p + b->n, v);
	b->n += sizeof(v);
}

/* Bytes that are read from the front. */
struct trc_view {
	const uint8_t *p, *end;
};

static inline struct trc_view
trc_buf_view(const struct trc_buf *b)
{
	return (struct trc_view){ b->p, b->n ? b->p + b->n : b->p };
}

/* The next number; false if there is none, or it has more than 64 bits. */
bool trc_view_num(struct trc_view *v, uint64_t *value);

/* The next `n` bytes; NULL if there are not so many. */
const uint8_t *trc_view_bytes(struct trc_view *v, size_t n);

/* Bytes behind a number, how many they are, into *bytes; false if they are more than `most`, or not
 * all there. */
bool trc_view_counted(struct trc_view *v, uint64_t most, struct trc_view *bytes);

/* Signed numbers whose small values are small: 0, -1, 1, -2, ... become 0, 1, 2, 3, ... */
static inline uint64_t
trc_zigzag(uint64_t d)
{
	return d << 1 ^ (0 - (d >> 63));
}

static inline uint64_t
trc_unzigzag(uint64_t z)
{
	return z >> 1 ^ (0 - (z & 1));
}

#endif
