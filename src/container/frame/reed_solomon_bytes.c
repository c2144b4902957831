/* SPDX-License-Identifier: MIT
 * Arithmetic in GF(2^8) with logarithms, and decoding of errors and erasures. */
#include "container/frame/reed_solomon_bytes.h"

#include <string.h>

enum { POLYNOMIAL = 0x11d, ORDER = 255 };

/* ---- the field ---- */

void
trc_rs8_init(struct trc_rs8 *c, unsigned n, unsigned k)
{
	unsigned power = 1;

	*c = (struct trc_rs8){ .n = n, .k = k };
	for (unsigned e = 0; e < ORDER; e++) {
		c->exp[e] = c->exp[e + ORDER] = (uint8_t)power;
		c->log[power] = (uint8_t)e;
		power = power << 1 ^ (power & 0x80 ? POLYNOMIAL : 0);
	}
}

static uint8_t
multiply(const struct trc_rs8 *c, uint8_t a, uint8_t b)
{
	return a && b ? c->exp[c->log[a] + c->log[b]] : 0;
}

static uint8_t
divide(const struct trc_rs8 *c, uint8_t a, uint8_t b)
{
	return a ? c->exp[c->log[a] + ORDER - c->log[b]] : 0;
}

/* Returns the logarithm of the locator of symbol `i`, which is the exponent of its coefficient. */
static unsigned
place_of(const struct trc_rs8 *c, unsigned i)
{
	return c->n - 1 - i;
}

/* Evaluates at a^e a polynomial of `n` coefficients, the lowest first. */
static uint8_t
value_at(const struct trc_rs8 *c, const uint8_t *p, unsigned n, unsigned e)
{
	uint8_t value = 0;

	while (n-- > 0)
		value = multiply(c, value, c->exp[e]) ^ p[n];
	return value;
}

/* Multiplies a polynomial of degree `n` by x + root or, if the lowest coefficient comes first, by 1
 * + root * x. */
static void
multiply_by_root(const struct trc_rs8 *c, uint8_t *p, unsigned n, uint8_t root)
{
	p[n + 1] = 0;
	for (unsigned i = n + 1; i > 0; i--)
		p[i] ^= multiply(c, root, p[i - 1]);
}

/* ---- many codewords ---- */

void
trc_rs8_parity_before(const struct trc_rs8 *c, uint8_t factor[TRC_RS8_MOST])
{
	uint8_t generator[TRC_RS8_MOST + 1] = { 1 }; /* the highest coefficient comes first */
	const uint8_t top = factor[0];

	for (unsigned r = 0; r < c->k; r++)
		multiply_by_root(c, generator, r, c->exp[r]);
	for (unsigned j = 0; j < c->k; j++)
		factor[j] = (uint8_t)((j + 1 < c->k ? factor[j + 1] : 0) ^
		                      multiply(c, top, generator[j + 1]));
}

void
trc_rs8_syndrome_factors(const struct trc_rs8 *c, unsigned i, uint8_t factor[TRC_RS8_MOST])
{
	for (unsigned r = 0; r < c->k; r++)
		factor[r] = c->exp[r * place_of(c, i) % ORDER];
}

void
trc_rs8_add(const struct trc_rs8 *c, uint64_t *sum, const uint8_t *src, size_t n,
            const uint8_t factor[TRC_RS8_LANES])
{
	uint64_t table[256] = { 0 };

	for (unsigned bit = 1; bit < 256; bit *= 2) {
		uint64_t product = 0;

		for (unsigned lane = 0; lane < TRC_RS8_LANES; lane++)
			product |= (uint64_t)multiply(c, factor[lane], (uint8_t)bit) << 8 * lane;
		for (unsigned v = 0; v < bit; v++)
			table[bit + v] = table[v] ^ product;
	}
	for (size_t p = 0; p < n; p++)
		sum[p] ^= table[src[p]];
}

/* ---- decoding one codeword ---- */

/* Computes the polynomial whose roots are the inverse locators of the first `lost` errors. */
static void
put_lost(const struct trc_rs8 *c, const struct trc_rs8_errors *errors, unsigned lost, uint8_t *p)
{
	memset(p, 0, TRC_RS8_MOST + 1);
	p[0] = 1;
	for (unsigned l = 0; l < lost; l++)
		multiply_by_root(c, p, l, c->exp[place_of(c, errors->at[l])]);
}

/* Returns coefficient `r` of the product of two polynomials. */
static uint8_t
product_at(const struct trc_rs8 *c, const uint8_t *a, const uint8_t *b, unsigned r)
{
	uint8_t sum = 0;

	for (unsigned i = 0; i <= r; i++)
		sum ^= multiply(c, a[i], b[r - i]);
	return sum;
}

/* Runs the algorithm of Berlekamp and Massey, beginning with the locator of `lost` known positions.
 * Returns the degree of the complete locator. */
static unsigned
find_locator(const struct trc_rs8 *c, const uint8_t *syndrome, unsigned lost, uint8_t *locator)
{
	uint8_t before[TRC_RS8_MOST + 1], saved[TRC_RS8_MOST + 1];
	unsigned degree = lost;

	memcpy(before, locator, TRC_RS8_MOST + 1);
	for (unsigned r = lost; r < c->k; r++) {
		const uint8_t delta = product_at(c, locator, syndrome, r);

		memmove(before + 1, before, c->k);
		before[0] = 0;
		if (delta == 0)
			continue;
		memcpy(saved, locator, sizeof(saved));
		for (unsigned i = 0; i <= c->k; i++)
			locator[i] ^= multiply(c, delta, before[i]);
		if (2 * degree > r + lost)
			continue;
		degree = r + 1 + lost - degree;
		for (unsigned i = 0; i <= c->k; i++)
			before[i] = divide(c, saved[i], delta);
	}
	return degree;
}

/* Returns the value of the error at locator a^e, by Forney's formula. */
static uint8_t
value_of(const struct trc_rs8 *c, const uint8_t *evaluator, const uint8_t *locator, unsigned degree,
         unsigned e)
{
	const unsigned inverse = (ORDER - e) % ORDER;
	uint8_t derivative[TRC_RS8_MOST] = { 0 }, slope;

	for (unsigned i = 1; i <= degree; i += 2)
		derivative[i - 1] = locator[i];
	slope = value_at(c, derivative, degree, inverse);
	return slope ? multiply(c, c->exp[e],
	                        divide(c, value_at(c, evaluator, c->k, inverse), slope)) :
	               0;
}

bool
trc_rs8_correct(const struct trc_rs8 *c, const uint8_t *syndrome, unsigned lost,
                struct trc_rs8_errors *errors)
{
	uint8_t locator[TRC_RS8_MOST + 1], evaluator[TRC_RS8_MOST];
	unsigned degree;

	put_lost(c, errors, lost, locator);
	degree = find_locator(c, syndrome, lost, locator);
	if (2 * degree > c->k + lost)
		return false;
	for (unsigned r = 0; r < c->k; r++)
		evaluator[r] = product_at(c, locator, syndrome, r);
	errors->n = 0;
	for (unsigned i = 0; i < c->n; i++) {
		const unsigned e = place_of(c, i);

		if (value_at(c, locator, degree + 1, (ORDER - e) % ORDER) != 0)
			continue;
		errors->at[errors->n] = (uint8_t)i;
		errors->value[errors->n++] = value_of(c, evaluator, locator, degree, e);
	}
	return errors->n == degree;
}

/* ---- many codewords with the same error positions ---- */

/* Reduces `v` by the first `rank` vectors of a basis: each of these has a 1 at its own position
 * lead[b], where all later vectors are 0. Returns the first position at which `v` is not 0, or
 * k. */
static unsigned
reduce(const struct trc_rs8 *c, const uint8_t *basis, const uint8_t *lead, unsigned rank,
       uint8_t *v)
{
	unsigned first = 0;

	for (unsigned b = 0; b < rank; b++) {
		const uint8_t factor = v[lead[b]];

		for (unsigned r = 0; factor && r < c->k; r++)
			v[r] ^= multiply(c, factor, basis[b * c->k + r]);
	}
	while (first < c->k && v[first] == 0)
		first++;
	return first;
}

/* Moves a basis of the syndromes to their front and returns its rank; k means too many. */
static unsigned
make_basis(const struct trc_rs8 *c, uint8_t *syndrome, size_t words, uint8_t *lead)
{
	unsigned rank = 0;

	for (size_t w = 0; w < words && rank < c->k; w++) {
		uint8_t *v = syndrome + w * c->k, *to = syndrome + rank * c->k;
		const unsigned first = reduce(c, syndrome, lead, rank, v);

		if (first == c->k)
			continue;
		lead[rank++] = (uint8_t)first;
		for (unsigned r = c->k; r-- > 0;)
			to[r] = divide(c, v[r], v[first]);
	}
	return rank;
}

bool
trc_rs8_locate(const struct trc_rs8 *c, uint8_t *syndrome, size_t words,
               struct trc_rs8_errors *errors)
{
	uint8_t lead[TRC_RS8_MOST];
	const unsigned rank = make_basis(c, syndrome, words, lead);

	/* If the errors had more than k - 2 positions, other positions would match by chance,
	 * unless there are many codewords. */
	errors->n = 0;
	if (rank + 2 > c->k && (rank == c->k || words < 2 * c->k))
		return false;
	for (unsigned i = 0; i < c->n; i++) {
		uint8_t v[TRC_RS8_MOST];

		trc_rs8_syndrome_factors(c, i, v);
		if (reduce(c, syndrome, lead, rank, v) < c->k)
			continue;
		errors->at[errors->n++] = (uint8_t)i;
	}
	return errors->n == rank;
}

size_t
trc_rs8_in_burst(const struct trc_rs8 *c, const uint8_t *syndrome, size_t words, unsigned first)
{
	const unsigned lost = c->k - 2;
	uint8_t locator[TRC_RS8_MOST + 1];
	struct trc_rs8_errors errors;
	size_t in = 0;

	for (unsigned l = 0; l < lost; l++)
		errors.at[l] = (uint8_t)(first + l);
	put_lost(c, &errors, lost, locator);
	for (size_t w = 0; w < words; w++)
		in += product_at(c, locator, syndrome + w * c->k, lost) == 0 &&
		      product_at(c, locator, syndrome + w * c->k, lost + 1) == 0;
	return in;
}
