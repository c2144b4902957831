/* SPDX-License-Identifier: MIT
 * Arithmetic in GF(2^16), and Gauss-Jordan elimination. */
#include "container/frame/reed_solomon.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"

enum { POLYNOMIAL = 0x1100b, X = 0x8000 };

static uint16_t
multiply(uint16_t a, uint16_t b)
{
	uint32_t product = 0, power = a;

	for (; b; b >>= 1) {
		if (b & 1)
			product ^= power;
		power = power << 1 ^ (power & 0x8000 ? POLYNOMIAL : 0);
	}
	return (uint16_t)product;
}

/* Returns a^(2^16 - 2), which is the inverse by Fermat; the exponent is 2 + 4 + ... + 2^15. */
static uint16_t
inverse(uint16_t a)
{
	uint16_t power = a, product = 1;

	for (int bit = 1; bit < 16; bit++) {
		power = multiply(power, power);
		product = multiply(product, power);
	}
	return product;
}

uint16_t
trc_rs_factor(size_t j, size_t i)
{
	return inverse((uint16_t)((X + j) ^ i));
}

/* Computes the products of `factor` with all bytes, taken as the lower or upper half of a word. */
static void
make_table(uint16_t table[256], uint16_t factor, unsigned shift)
{
	table[0] = 0;
	for (unsigned bit = 0; bit < 8; bit++) {
		const unsigned n = 1u << bit;
		const uint16_t product = multiply(factor, (uint16_t)(n << shift));

		for (unsigned v = 0; v < n; v++)
			table[n + v] = table[v] ^ product;
	}
}

void
trc_rs_add(uint8_t *dst, const uint8_t *src, size_t n, uint16_t factor)
{
	uint16_t lower[256], upper[256];

	make_table(lower, factor, 0);
	make_table(upper, factor, 8);
	for (size_t i = 0; i < n; i += 2) {
		const uint16_t product = lower[src[i]] ^ upper[src[i + 1]];

		dst[i] ^= (uint8_t)product;
		dst[i + 1] ^= (uint8_t)(product >> 8);
	}
}

static void
multiply_sector(uint8_t *sector, size_t bytes, uint16_t factor)
{
	uint16_t lower[256], upper[256];

	make_table(lower, factor, 0);
	make_table(upper, factor, 8);
	for (size_t i = 0; i < bytes; i += 2)
		trc_put_le16(sector + i, lower[sector[i]] ^ upper[sector[i + 1]]);
}

static void
multiply_row(uint16_t *row, size_t n, uint16_t factor)
{
	for (size_t c = 0; c < n; c++)
		row[c] = multiply(row[c], factor);
}

static void
add_row(uint16_t *dst, const uint16_t *src, size_t n, uint16_t factor)
{
	for (size_t c = 0; c < n; c++)
		dst[c] ^= multiply(src[c], factor);
}

int
trc_rs_solve(uint8_t *const *sector, size_t bytes, const uint32_t *j, const uint32_t *i, size_t n,
             struct trc_err *err)
{
	uint16_t *m = trc_alloc_room(n ? n * n : 1, sizeof(*m), err);

	if (!m)
		return -1;
	for (size_t r = 0; r < n; r++)
		for (size_t c = 0; c < n; c++)
			m[r * n + c] = trc_rs_factor(j[r], i[c]);
	/* Leading submatrices of a Cauchy matrix are invertible, so no pivot is 0. */
	for (size_t r = 0; r < n; r++) {
		const uint16_t pivot = inverse(m[r * n + r]);

		multiply_row(m + r * n, n, pivot);
		multiply_sector(sector[r], bytes, pivot);
		for (size_t other = 0; other < n; other++) {
			const uint16_t factor = m[other * n + r];

			if (other == r || factor == 0)
				continue;
			add_row(m + other * n, m + r * n, n, factor);
			trc_rs_add(sector[other], sector[r], bytes, factor);
		}
	}
	free(m);
	return 0;
}
