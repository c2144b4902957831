/* SPDX-License-Identifier: MIT
 *
 * Reed-Solomon erasure code: from n data sectors k parity sectors, so that any n of all n + k give
 * the data. Symbols are words of 16 bits, little-endian, in the field GF(2^16) of the polynomial
 * x^16 + x^12 + x^3 + x + 1 (0x1100b), in which adding is exclusive or.
 *
 *   parity[j] = sum over i of data[i] / (x[j] + y[i]),  x[j] = 0x8000 + j,  y[i] = i
 *
 * Every square part of such a Cauchy matrix can be inverted, which is what makes any n enough
 * (Bloemer et al., "An XOR-based erasure-resilient coding scheme", 1995).
 */
#ifndef TRC_BASE_REED_SOLOMON_H
#define TRC_BASE_REED_SOLOMON_H

#include <stdint.h>

#include "base/base.h"

enum { TRC_RS_MOST = 1 << 15 }; /* data sectors, and as many of parity */

/* 1 / (x[j] + y[i]). */
uint16_t trc_rs_factor(size_t j, size_t i);

/* Adds `factor` times the `n` bytes at `src` to those at `dst`; n is even. */
void trc_rs_add(uint8_t *dst, const uint8_t *src, size_t n, uint16_t factor);

/* Solves for `n` data sectors that are lost: data[i[c]] for c < n. sector[r], of `bytes` bytes, is
 * parity[j[r]] less what the data that are there add to it; becomes data[i[r]]. Fails only without
 * memory. */
int trc_rs_solve(uint8_t *const *sector, size_t bytes, const uint32_t *j, const uint32_t *i,
                 size_t n, struct trc_err *err) TRC_MUST_USE;

#endif
