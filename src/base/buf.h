/* SPDX-License-Identifier: MIT
 *
 * A growing array of bytes, and bounded reading of bytes. Zeroed memory is an empty array;
 * trc_buf_release() frees its memory. Numbers are LEB128: seven bits per byte, the lowest first.
 */
#ifndef TRC_BASE_BUF_H
#define TRC_BASE_BUF_H

#include <stdbool.h>
#include <stdint.h>

#include "base/base.h"
#include "base/bytes.h"

/* A growing array of bytes. */
struct trc_buf {
	uint8_t *p;
	size_t n, cap;
};

void trc_buf_release(struct trc_buf *b);

/* Makes room for `n` more bytes at p + n. */
int trc_buf_room(struct trc_buf *b, size_t n, struct trc_err *err) TRC_MUST_USE;

/* Append bytes, a number of 1 to 10 bytes (seven bits each), and a single byte. */
int trc_buf_put(struct trc_buf *b, const void *bytes, size_t n, struct trc_err *err) TRC_MUST_USE;
int trc_buf_put_num(struct trc_buf *b, uint64_t v, struct trc_err *err) TRC_MUST_USE;
int trc_buf_put_byte(struct trc_buf *b, unsigned v, struct trc_err *err) TRC_MUST_USE;

/* Appends the number `n`, then `n` bytes. */
int trc_buf_put_counted(struct trc_buf *b, const void *bytes, size_t n,
                        struct trc_err *err) TRC_MUST_USE;

/* Writes a number to `p`, which must have room for TRC_NUM_MOST bytes; returns how many it used. */
enum { TRC_NUM_MOST = 10 };
size_t trc_put_num(uint8_t *p, uint64_t v);

/* Appends a byte; trc_buf_room() must have made room before. */
static inline void
trc_buf_byte(struct trc_buf *b, uint8_t v)
{
	b->p[b->n++] = v;
}

/* Append a number of fixed width in big-endian order, into existing room. */
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

/* Bytes to be read from the front. */
struct trc_view {
	const uint8_t *p, *end;
};

static inline struct trc_view
trc_buf_view(const struct trc_buf *b)
{
	return (struct trc_view){ b->p, b->n ? b->p + b->n : b->p };
}

/* Reads the next number; returns false if there is none, or it exceeds 64 bits. */
bool trc_view_num(struct trc_view *v, uint64_t *value);

/* Returns the next `n` bytes, or NULL if there are fewer. */
const uint8_t *trc_view_bytes(struct trc_view *v, size_t n);

/* Reads a number, then that many bytes into *bytes; returns false if there are more than `most`, or
 * some are missing. */
bool trc_view_counted(struct trc_view *v, uint64_t most, struct trc_view *bytes);

/* Converts signed numbers to unsigned ones of similar size: 0, -1, 1, -2, ... become 0, 1, 2, 3,
 * ... */
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
