/* SPDX-License-Identifier: MIT
 *
 * Mixer: combines several predictions of a bit into one, as their weighted sum in the logistic
 * domain, with weights that are selected by a small context and updated with each bit (M. V.
 * Mahoney, "Adaptive Weighing of Context Models for Lossless Data Compression", 2005; paq7, lpaq).
 * container/SPEC.md, "Mixer", specifies it exactly.
 *
 * Inputs are stretches (codec/mixing/logistic.h), from -3071 to 3071; an input that is always 256
 * makes its weight a bias. Weights and inputs have 16 bits and are processed in lanes, eight to a
 * vector. The sum of up to 40 inputs fits in 32 bits. There is a version for SSE2 and a portable
 * one, which compute the same.
 */
#ifndef TRC_CODEC_MIXING_MIXER_H
#define TRC_CODEC_MIXING_MIXER_H

#include "codec/mixing/logistic.h"

enum {
	TRC_LANES = 8,
	TRC_MIXER_BITS = 13,   /* fractional bits of a weight */
	TRC_MIXER_BIAS = 256,  /* a constant input */
	TRC_MIXER_MOST = 2047, /* limit of y in trc_lanes_y(); the lower one is -2048 */
};

/* Returns the error from which weights learn. `rate` should be a compile-time constant where time
 * matters. */
static TRC_ALWAYS_INLINE int
trc_mixer_error(int p, unsigned bit, int rate)
{
	const int e = ((int)((0u - bit) & TRC_ONE) - p) * rate >> 4;

	return rate <= 8 ? e : trc_keep(e, -INT16_MAX, INT16_MAX);
}

#if defined(__SSE2__) && !defined(TRC_NO_SIMD)
#include <emmintrin.h>

/* Eight weights or inputs in a register. */
typedef __m128i trc_lanes;

static TRC_ALWAYS_INLINE trc_lanes
trc_lanes_load(const int16_t v[TRC_LANES])
{
	return _mm_loadu_si128((const __m128i *)(const void *)v);
}

/* Return two or three inputs, with a bias in lane 3, or five inputs, with a bias in lane 7. If they
 * were stored one by one, loading all of them at once would stall. */
static TRC_ALWAYS_INLINE trc_lanes
trc_lanes_two(int x, int y)
{
	const __m128i v = _mm_set_epi16(0, 0, 0, 0, TRC_MIXER_BIAS, 0, 0, 0);

	return _mm_insert_epi16(_mm_insert_epi16(v, x, 0), y, 1);
}

static TRC_ALWAYS_INLINE trc_lanes
trc_lanes_three(int x, int y, int z)
{
	return _mm_insert_epi16(trc_lanes_two(x, y), z, 2);
}

static TRC_ALWAYS_INLINE trc_lanes
trc_lanes_five(int x, int y, int z, int u, int v)
{
	__m128i all = _mm_set_epi16(TRC_MIXER_BIAS, 0, 0, 0, 0, 0, 0, 0);

	all = _mm_insert_epi16(_mm_insert_epi16(all, x, 0), y, 1);
	all = _mm_insert_epi16(_mm_insert_epi16(all, z, 2), u, 3);
	return _mm_insert_epi16(all, v, 4);
}

/* Adds four sums. */
static TRC_ALWAYS_INLINE __m128i
trc_lanes_add(__m128i v)
{
	v = _mm_add_epi32(v, _mm_shuffle_epi32(v, 0x4e));
	return _mm_add_epi32(v, _mm_shuffle_epi32(v, 0x55));
}

static TRC_ALWAYS_INLINE int32_t
trc_lanes_dot(trc_lanes weight, trc_lanes input)
{
	return _mm_cvtsi128_si32(trc_lanes_add(_mm_madd_epi16(weight, input)));
}

/* Returns y for a sum; packing 16 times its value saturates it. */
static TRC_ALWAYS_INLINE int
trc_lanes_keep(__m128i sum, int shift)
{
	sum = _mm_srai_epi32(sum, shift - 4);
	return (int16_t)_mm_extract_epi16(_mm_srai_epi16(_mm_packs_epi32(sum, sum), 4), 0);
}

static TRC_ALWAYS_INLINE int
trc_lanes_y(trc_lanes weight, trc_lanes input)
{
	return trc_lanes_keep(trc_lanes_add(_mm_madd_epi16(weight, input)), TRC_MIXER_BITS);
}

/* Does the same for the first four lanes only. */
static TRC_ALWAYS_INLINE int
trc_lanes_y_half(trc_lanes weight, trc_lanes input)
{
	const __m128i v = _mm_madd_epi16(weight, input);

	return trc_lanes_keep(_mm_add_epi32(v, _mm_shuffle_epi32(v, 0x55)), TRC_MIXER_BITS);
}

/* Does the same for the mean of a pair of weight vectors. */
static TRC_ALWAYS_INLINE int
trc_lanes_y2(trc_lanes a, trc_lanes b, trc_lanes input)
{
	const __m128i x = _mm_madd_epi16(a, input), y = _mm_madd_epi16(b, input);

	return trc_lanes_keep(trc_lanes_add(_mm_add_epi32(x, y)), TRC_MIXER_BITS + 1);
}

/* Returns the updated weights. */
static TRC_ALWAYS_INLINE trc_lanes
trc_lanes_taught(trc_lanes weight, trc_lanes input, int error)
{
	const __m128i e = _mm_set1_epi16((int16_t)error), one = _mm_set1_epi16(1);
	const __m128i by = _mm_mulhi_epi16(_mm_add_epi16(input, input), e);

	return _mm_adds_epi16(weight, _mm_srai_epi16(_mm_add_epi16(by, one), 1));
}

static TRC_ALWAYS_INLINE void
trc_lanes_store(int16_t v[TRC_LANES], trc_lanes weight)
{
	_mm_storeu_si128((__m128i *)(void *)v, weight);
}

#else

/* Lanes as wide as the arithmetic, in separate variables for the compiler. */
typedef struct {
	int v[TRC_LANES];
} trc_lanes;

static TRC_ALWAYS_INLINE trc_lanes
trc_lanes_load(const int16_t v[TRC_LANES])
{
	return (trc_lanes){ { v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7] } };
}

static TRC_ALWAYS_INLINE trc_lanes
trc_lanes_five(int x, int y, int z, int u, int v)
{
	return (trc_lanes){ { x, y, z, u, v, 0, 0, TRC_MIXER_BIAS } };
}

static TRC_ALWAYS_INLINE trc_lanes
trc_lanes_three(int x, int y, int z)
{
	return (trc_lanes){ { x, y, z, TRC_MIXER_BIAS, 0, 0, 0, 0 } };
}

static TRC_ALWAYS_INLINE trc_lanes
trc_lanes_two(int x, int y)
{
	return trc_lanes_three(x, y, 0);
}

static TRC_ALWAYS_INLINE int32_t
trc_lanes_dot(trc_lanes weight, trc_lanes input)
{
	int32_t sum = 0;

#pragma GCC unroll 8
	for (int k = 0; k < TRC_LANES; k++)
		sum += weight.v[k] * input.v[k];
	return sum;
}

static TRC_ALWAYS_INLINE int
trc_lanes_y(trc_lanes weight, trc_lanes input)
{
	return trc_keep(trc_lanes_dot(weight, input) >> TRC_MIXER_BITS, -TRC_MIXER_MOST - 1,
	                TRC_MIXER_MOST);
}

static TRC_ALWAYS_INLINE int
trc_lanes_y_half(trc_lanes weight, trc_lanes input)
{
	return trc_lanes_y(weight, input);
}

static TRC_ALWAYS_INLINE int
trc_lanes_y2(trc_lanes a, trc_lanes b, trc_lanes input)
{
	const int32_t sum = trc_lanes_dot(a, input) + trc_lanes_dot(b, input);

	return trc_keep(sum >> (TRC_MIXER_BITS + 1), -TRC_MIXER_MOST - 1, TRC_MIXER_MOST);
}

static TRC_ALWAYS_INLINE trc_lanes
trc_lanes_taught(trc_lanes weight, trc_lanes input, int error)
{
#pragma GCC unroll 8
	for (int k = 0; k < TRC_LANES; k++)
		weight.v[k] = trc_keep(weight.v[k] + ((input.v[k] * error + (1 << 15)) >> 16),
		                       INT16_MIN, INT16_MAX);
	return weight;
}

static TRC_ALWAYS_INLINE void
trc_lanes_store(int16_t v[TRC_LANES], trc_lanes weight)
{
#pragma GCC unroll 8
	for (int k = 0; k < TRC_LANES; k++)
		v[k] = (int16_t)weight.v[k];
}

#endif

static TRC_ALWAYS_INLINE void
trc_lanes_learn(int16_t weight[TRC_LANES], trc_lanes input, int error)
{
	trc_lanes_store(weight, trc_lanes_taught(trc_lanes_load(weight), input, error));
}

/* Returns the sum of weight * input over `n` lanes, a multiple of TRC_LANES. */
static TRC_ALWAYS_INLINE int32_t
trc_mixer_dot(const int16_t *weight, const int16_t *input, int n)
{
	int32_t sum = 0;

	for (int k = 0; k < n; k += TRC_LANES)
		sum += trc_lanes_dot(trc_lanes_load(weight + k), trc_lanes_load(input + k));
	return sum;
}

/* Updates the weights of `n` lanes. */
static TRC_ALWAYS_INLINE void
trc_mixer_learn(int16_t *weight, const int16_t *input, int n, int error)
{
	for (int k = 0; k < n; k += TRC_LANES)
		trc_lanes_learn(weight + k, trc_lanes_load(input + k), error);
}

#endif
