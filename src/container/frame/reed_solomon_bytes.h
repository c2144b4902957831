/* SPDX-License-Identifier: MIT
 *
 * Reed-Solomon code of bytes that finds errors, too: n symbols, of which k are parity, are the
 * coefficients, the highest first, of a polynomial over GF(2^8) that has the roots 1, a, ...,
 * a^(k - 1). The field is that of the polynomial x^8 + x^4 + x^3 + x^2 + 1 (0x11d), and a is 2.
 * The values of damaged symbols at these roots are its syndromes: 0 of what is whole. From them
 * follow e errors anywhere, and l at places that are known, if 2 * e + l is at most k (Berlekamp
 * and Massey; Forney; Blahut, "Algebraic Codes for Data Transmission", chapter 7).
 *
 * Where many codewords are damaged at the same places, as those across a burst, up to k - 1
 * places can be found (Metzner and Kapturowski, "A general decoding technique applicable to
 * replicated file disagreement location and concatenated code decoding", 1990).
 */
#ifndef TRC_CONTAINER_FRAME_REED_SOLOMON_BYTES_H
#define TRC_CONTAINER_FRAME_REED_SOLOMON_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	TRC_RS8_MOST = 255, /* symbols */
	TRC_RS8_LANES = 8,  /* sums that are computed at once, a byte each of a word */
};

struct trc_rs8 {
	unsigned n, k;
	uint8_t exp[2 * TRC_RS8_MOST], log[256];
};

/* 0 < k < n <= TRC_RS8_MOST. */
void trc_rs8_init(struct trc_rs8 *c, unsigned n, unsigned k);

/* What symbol `i` adds to each parity symbol, times itself, and to each syndrome. Those of parity
 * are made for the data from the last to the first, of those of the symbol behind it, which are 1
 * and zeros for the first of parity. */
void trc_rs8_parity_before(const struct trc_rs8 *c, uint8_t factor[TRC_RS8_MOST]);
void trc_rs8_syndrome_factors(const struct trc_rs8 *c, unsigned i, uint8_t factor[TRC_RS8_MOST]);

/* Adds the products of each of `n` bytes with TRC_RS8_LANES factors to its word of sums, the first
 * to the lowest byte. */
void trc_rs8_add(const struct trc_rs8 *c, uint64_t *sum, const uint8_t *src, size_t n,
                 const uint8_t factor[TRC_RS8_LANES]);

/* Symbols, and what is to be added to each. */
struct trc_rs8_errors {
	unsigned n;
	uint8_t at[TRC_RS8_MOST], value[TRC_RS8_MOST];
};

/* Finds the errors by k syndromes, some of which is not 0. errors->at has `lost` places that are
 * known at first. False if there are too many; then they mean nothing. */
bool trc_rs8_correct(const struct trc_rs8 *c, const uint8_t *syndrome, unsigned lost,
                     struct trc_rs8_errors *errors);

/* Finds the places of the errors of `words` codewords with their syndromes, of k bytes each, if
 * they are the same few; false if not. Overwrites the syndromes. */
bool trc_rs8_locate(const struct trc_rs8 *c, uint8_t *syndrome, size_t words,
                    struct trc_rs8_errors *errors);

/* How many of these codewords may have all their errors among the k - 2 symbols behind each other
 * that begin with symbol `first`. */
size_t trc_rs8_in_burst(const struct trc_rs8 *c, const uint8_t *syndrome, size_t words,
                        unsigned first);

#endif
