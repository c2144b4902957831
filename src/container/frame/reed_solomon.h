/* SPDX-License-Identifier: MIT
 *
 * Reed-Solomon erasure code: k parity sectors are computed from n data sectors, and any n of all n
 * + k sectors suffice to recover the data. Symbols are little-endian words of 16 bits, elements of
 * the field GF(2^16) with the polynomial x^16 + x^12 + x^3 + x + 1 (0x1100b), in which addition is
 * exclusive or.
 *
 *   parity[j] = sum over i of data[i] / (x[j] + y[i]),  x[j] = 0x8000 + j,  y[i] = i
 *
 * Every square submatrix of such a Cauchy matrix is invertible, which is why any n sectors suffice
 * (Bloemer et al., "An XOR-based erasure-resilient coding scheme", 1995).
 */
#ifndef TRC_CONTAINER_FRAME_REED_SOLOMON_H
#define TRC_CONTAINER_FRAME_REED_SOLOMON_H

#include <stdint.h>

#include "base/base.h"

enum { TRC_RS_MOST = 1 << 15 }; /* maximum data sectors, and maximum parity sectors */

/* Returns 1 / (x[j] + y[i]). */
uint16_t trc_rs_factor(size_t j, size_t i);

/* Adds `factor` times the `n` bytes at `src` to those at `dst`; n must be even. */
void trc_rs_add(uint8_t *dst, const uint8_t *src, size_t n, uint16_t factor);

/* Recovers `n` lost data sectors, data[i[c]] for c < n. On entry, sector[r], of `bytes` bytes, is
 * parity[j[r]] minus the contributions of the existing data; on return, it is data[i[r]]. Fails
 * only without memory. */
int trc_rs_solve(uint8_t *const *sector, size_t bytes, const uint32_t *j, const uint32_t *i,
                 size_t n, struct trc_err *err) TRC_MUST_USE;

#endif
