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

/* Appends one block of an array, which has as many numbers unless it is the last; and reads one,
 * false if it is damaged. */
int trc_numbers_put(struct trc_buf *to, const uint64_t *v, size_t n,
                    struct trc_err *err) TRC_MUST_USE;
bool trc_numbers_get(struct trc_view *from, uint64_t *v, size_t n);

/* The most numbers that an array in so many bytes can have. */
static inline uint64_t
trc_numbers_most(const struct trc_view *v)
{
	return (uint64_t)(v->end - v->p) * (TRC_NUMBERS_BLOCK / 2);
}

#endif
