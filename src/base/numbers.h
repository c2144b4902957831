/* SPDX-License-Identifier: MIT
 *
 * Arrays of numbers in few bytes: blocks of 128, each as differences from its smallest number, in
 * as many bits as the largest of them needs (frame of reference; J. Goldstein, R. Ramakrishnan,
 * U. Shaft, "Compressing relations and indexes", ICDE 1998). A permutation of n takes log2 n bits a
 * number, runs of zeros next to nothing. How many numbers there are the reader has to know.
 *
 *   1 byte        bits of a difference, 0 to 64
 *   1 to 10       the smallest number, as in buf.h
 *                 the differences, the lowest bit first, up to a whole byte
 */
#ifndef TRC_BASE_NUMBERS_H
#define TRC_BASE_NUMBERS_H

#include "base/buf.h"

enum { TRC_NUMBERS_BLOCK = 128 };

/* An array on its way out; zeroed but for `to` at first. */
struct trc_numbers_out {
	struct trc_buf *to;
	uint64_t v[TRC_NUMBERS_BLOCK];
	size_t n;
};

/* Appends one number; ends the array, behind which other bytes may follow. */
int trc_numbers_put(struct trc_numbers_out *out, uint64_t v, struct trc_err *err) TRC_MUST_USE;
int trc_numbers_end(struct trc_numbers_out *out, struct trc_err *err) TRC_MUST_USE;

/* An array on its way in. What is damaged reads as zeros, and sets `damaged`. */
struct trc_numbers_in {
	struct trc_view *from;
	uint64_t left; /* numbers that are still to be unpacked */
	bool damaged;

	/* Private. */
	uint64_t v[TRC_NUMBERS_BLOCK];
	size_t n, at;
};

/* Begins an array of `n` numbers, all of which are to be read before what is behind it. */
void trc_numbers_begin(struct trc_numbers_in *in, struct trc_view *from, uint64_t n);

uint64_t trc_numbers_more(struct trc_numbers_in *in);

static inline uint64_t
trc_numbers_get(struct trc_numbers_in *in)
{
	return TRC_LIKELY(in->at < in->n) ? in->v[in->at++] : trc_numbers_more(in);
}

/* Arrays of `n` numbers of 4 bytes; false if it is damaged, or one is not below `limit`. */
bool trc_numbers_get32(struct trc_view *from, uint32_t *v, size_t n, uint64_t limit);
int trc_numbers_put32(struct trc_buf *to, const uint32_t *v, size_t n,
                      struct trc_err *err) TRC_MUST_USE;

/* The most numbers that an array in so many bytes can have. */
static inline uint64_t
trc_numbers_most(const struct trc_view *v)
{
	return (uint64_t)(v->end - v->p) * (TRC_NUMBERS_BLOCK / 2);
}

#endif
