/* SPDX-License-Identifier: MIT
 *
 * Compact arrays of numbers: in blocks of 128, each stored as differences from its smallest number,
 * with as many bits as the largest difference needs (frame of reference; J. Goldstein, R.
 * Ramakrishnan, U. Shaft, "Compressing relations and indexes", ICDE 1998). A permutation of n
 * numbers takes log2 n bits per number, and runs of zeros almost nothing. The reader must know how
 * many numbers there are.
 *
 *   1 byte        bits per difference, 0 to 64
 *   1 to 10       the smallest number, as in buf.h
 *                 the differences, the lowest bit first, padded to a whole byte
 *
 * And sorting of numbers.
 */
#ifndef TRC_BASE_NUMBERS_H
#define TRC_BASE_NUMBERS_H

#include "base/buf.h"

enum { TRC_NUMBERS_BLOCK = 128 };

/* trc_numbers_put() appends one block of an array: TRC_NUMBERS_BLOCK numbers, or fewer in the last
 * block. trc_numbers_get() reads one; returns false if it is damaged. */
int trc_numbers_put(struct trc_buf *to, const uint64_t *v, size_t n,
                    struct trc_err *err) TRC_MUST_USE;
bool trc_numbers_get(struct trc_view *from, uint64_t *v, size_t n);

/* trc_numbers_sort() sorts numbers from the lowest up. trc_numbers_distinct() then keeps each once,
 * and returns how many are left. */
void trc_numbers_sort(uint64_t *v, size_t n);
size_t trc_numbers_distinct(uint64_t *v, size_t n);

/* Returns the most numbers that an array of this many bytes can have. */
static inline uint64_t
trc_numbers_most(const struct trc_view *v)
{
	return (uint64_t)(v->end - v->p) * (TRC_NUMBERS_BLOCK / 2);
}

#endif
