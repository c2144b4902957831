/* SPDX-License-Identifier: MIT
 *
 * A Reed-Solomon code of bytes that also locates errors. The n symbols, k of which are parity, are
 * the coefficients, the highest first, of a polynomial over GF(2^8) with the roots 1, a, ..., a^(k
 * - 1). The field is defined by the polynomial x^8 + x^4 + x^3 + x^2 + 1 (0x11d), and a is 2. The
 * values of the received polynomial at these roots are its syndromes; all are 0 if no symbol is
 * damaged. From them the decoder finds e errors at unknown and l errors at known positions if 2 * e
 * + l is at most k (Berlekamp and Massey; Forney; Blahut, "Algebraic Codes for Data Transmission",
 * chapter 7).
 *
 * If many codewords are damaged at the same positions, like those across a burst, up to k - 1
 * positions can be found (Metzner and Kapturowski, "A general decoding technique applicable to
 * replicated file disagreement location and concatenated code decoding", 1990).
 */
#ifndef TRC_CONTAINER_FRAME_REED_SOLOMON_BYTES_H
#define TRC_CONTAINER_FRAME_REED_SOLOMON_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	TRC_RS8_MOST = 255, /* symbols in a codeword */
	TRC_RS8_LANES = 8,  /* sums computed at once, each in one byte of a word */
};

struct trc_rs8 {
	unsigned n, k;
	uint8_t exp[2 * TRC_RS8_MOST], log[256];
};

/* Initialises a code with n symbols, k of them parity; 0 < k < n <= TRC_RS8_MOST. */
void trc_rs8_init(struct trc_rs8 *c, unsigned n, unsigned k);

/* Compute the factors with which a symbol contributes to each parity symbol and to each syndrome.
 * Factors of parity are computed from the last data symbol to the first: the first function turns
 * those of a symbol into those of the symbol before it, beginning with those of the first parity
 * symbol, which are 1 followed by zeros. */
void trc_rs8_parity_before(const struct trc_rs8 *c, uint8_t factor[TRC_RS8_MOST]);
void trc_rs8_syndrome_factors(const struct trc_rs8 *c, unsigned i, uint8_t factor[TRC_RS8_MOST]);

/* Multiplies each of `n` bytes by TRC_RS8_LANES factors and adds the products to the word of sums
 * of that byte, the first product to the lowest byte. */
void trc_rs8_add(const struct trc_rs8 *c, uint64_t *sum, const uint8_t *src, size_t n,
                 const uint8_t factor[TRC_RS8_LANES]);

/* Positions of symbols, and the value to add to each. */
struct trc_rs8_errors {
	unsigned n;
	uint8_t at[TRC_RS8_MOST], value[TRC_RS8_MOST];
};

/* Finds the errors from k syndromes, at least one of which is not 0. The first `lost` entries of
 * errors->at are positions already known. Returns false if there are too many errors; *errors is
 * then undefined. */
bool trc_rs8_correct(const struct trc_rs8 *c, const uint8_t *syndrome, unsigned lost,
                     struct trc_rs8_errors *errors);

/* Finds the positions of the errors of `words` codewords from their syndromes, k bytes each, if
 * they have few positions and share them; returns false otherwise. Overwrites the syndromes. */
bool trc_rs8_locate(const struct trc_rs8 *c, uint8_t *syndrome, size_t words,
                    struct trc_rs8_errors *errors);

/* Returns how many of these codewords may have all their errors among the k - 2 consecutive symbols
 * that begin with symbol `first`. */
size_t trc_rs8_in_burst(const struct trc_rs8 *c, const uint8_t *syndrome, size_t words,
                        unsigned first);

#endif
