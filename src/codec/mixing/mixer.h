/* SPDX-License-Identifier: MIT
 *
 * Mixers of codec/mixing/logistic.h with up to five inputs and 256, all of which are in one vector
 * of eight numbers of 16 bits, and with y kept to -2047 to 2047. In a form for SSE2 and in one for
 * any machine, which compute the same.
 */
#ifndef TRC_CODEC_MIXING_MIXER_H
#define TRC_CODEC_MIXING_MIXER_H

#include "codec/mixing/logistic.h"

enum {
	TRC_BLEND = 8,      /* numbers in a vector */
	TRC_BLEND_USED = 6, /* at most */
	TRC_BLEND_ONE = 256,
	TRC_BLEND_YS = 4096,
	TRC_BLEND_MOST = 2047,
};

/* squash(y) by y modulo 4096. */
static inline void
trc_blend_init(const struct trc_logistic *l, uint16_t squash[TRC_BLEND_YS])
{
	for (int y = -TRC_BLEND_YS / 2; y < TRC_BLEND_YS / 2; y++)
		squash[(unsigned)y % TRC_BLEND_YS] =
		        (uint16_t)trc_squash(l, trc_keep(y, -TRC_BLEND_MOST, TRC_BLEND_MOST));
}

#if defined(__SSE2__) && !defined(TRC_NO_SIMD)
#include <emmintrin.h>

typedef __m128i trc_blend;        /* weights, or inputs */
typedef __m128i trc_blend_learnt; /* what four weights are to grow by, in 65536ths */

static TRC_ALWAYS_INLINE trc_blend
trc_blend_load(const int16_t weight[TRC_BLEND])
{
	return _mm_loadu_si128((const __m128i *)(const void *)weight);
}

/* Inputs, the fourth of which is 256. */
static TRC_ALWAYS_INLINE trc_blend
trc_blend_two(int x, int y)
{
	const __m128i v = _mm_set_epi16(0, 0, 0, 0, TRC_BLEND_ONE, 0, 0, 0);

	return _mm_insert_epi16(_mm_insert_epi16(v, x, 0), y, 1);
}

static TRC_ALWAYS_INLINE trc_blend
trc_blend_three(int x, int y, int z)
{
	return _mm_insert_epi16(trc_blend_two(x, y), z, 2);
}

/* Inputs, the sixth of which is 256. */
static TRC_ALWAYS_INLINE trc_blend
trc_blend_five(const int16_t x[5])
{
	__m128i v = _mm_set_epi16(0, 0, TRC_BLEND_ONE, 0, 0, 0, 0, 0);

	v = _mm_insert_epi16(v, x[0], 0);
	v = _mm_insert_epi16(v, x[1], 1);
	v = _mm_insert_epi16(v, x[2], 2);
	v = _mm_insert_epi16(v, x[3], 3);
	return _mm_insert_epi16(v, x[4], 4);
}

/* The sum that stands first, shifted: 16 times that is what saturates where y is to be kept. */
static TRC_ALWAYS_INLINE unsigned
trc_blend_keep(__m128i sum, int shift)
{
	sum = _mm_srai_epi32(sum, shift - 4);
	return (unsigned)_mm_extract_epi16(_mm_packs_epi32(sum, sum), 0) >> 4;
}

/* y modulo 4096 of a mixer of four inputs. */
static TRC_ALWAYS_INLINE unsigned
trc_blend_y(trc_blend weight, trc_blend input)
{
	const __m128i v = _mm_madd_epi16(weight, input);

	return trc_blend_keep(_mm_add_epi32(v, _mm_shuffle_epi32(v, 0x55)), TRC_WEIGHT_BITS);
}

/* The same of a pair of mixers of six. */
static TRC_ALWAYS_INLINE unsigned
trc_blend_y2(trc_blend a, trc_blend b, trc_blend input)
{
	__m128i v = _mm_add_epi32(_mm_madd_epi16(a, input), _mm_madd_epi16(b, input));

	v = _mm_add_epi32(v, _mm_shuffle_epi32(v, 0x4e));
	v = _mm_add_epi32(v, _mm_shuffle_epi32(v, 0x55));
	return trc_blend_keep(v, TRC_WEIGHT_BITS + 1);
}

static TRC_ALWAYS_INLINE void
trc_blend_grow(int16_t weight[TRC_BLEND], __m128i by)
{
	__m128i v = _mm_add_epi16(trc_blend_load(weight), by);

	v = _mm_min_epi16(v, _mm_set1_epi16(TRC_WEIGHT_MOST));
	v = _mm_max_epi16(v, _mm_set1_epi16(-TRC_WEIGHT_MOST));
	_mm_storeu_si128((__m128i *)(void *)weight, v);
}

/* What an error teaches. */
static TRC_ALWAYS_INLINE __m128i
trc_blend_by(trc_blend input, int error)
{
	const __m128i high = _mm_mulhi_epi16(_mm_add_epi16(input, input),
	                                     _mm_set1_epi16((int16_t)error));

	return _mm_srai_epi16(_mm_add_epi16(high, _mm_set1_epi16(1)), 1);
}

static TRC_ALWAYS_INLINE void
trc_blend_learn(int16_t weight[TRC_BLEND], trc_blend input, int error)
{
	trc_blend_grow(weight, trc_blend_by(input, error));
}

static TRC_ALWAYS_INLINE void
trc_blend_learn2(int16_t a[TRC_BLEND], int16_t b[TRC_BLEND], trc_blend input, int error)
{
	const __m128i by = trc_blend_by(input, error);

	trc_blend_grow(a, by);
	trc_blend_grow(b, by);
}

static TRC_ALWAYS_INLINE trc_blend_learnt
trc_blend_nothing(void)
{
	return _mm_setzero_si128();
}

/* Adds what four weights learn from two decisions, the errors of which are e and f. */
static TRC_ALWAYS_INLINE trc_blend_learnt
trc_blend_add(trc_blend_learnt sum, trc_blend x, int e, trc_blend y, int f)
{
	const __m128i both = _mm_set1_epi32((int)((uint32_t)f << 16 | (uint16_t)e));

	return _mm_add_epi32(sum, _mm_madd_epi16(_mm_unpacklo_epi16(x, y), both));
}

static TRC_ALWAYS_INLINE void
trc_blend_learn_all(int16_t weight[TRC_BLEND], trc_blend_learnt sum)
{
	const __m128i by = _mm_srai_epi32(_mm_add_epi32(sum, _mm_set1_epi32(1 << 15)), 16);

	trc_blend_grow(weight, _mm_packs_epi32(by, _mm_setzero_si128()));
}

#else

/* Numbers as wide as they are computed with, one by one, so that compilers keep them apart. */
typedef struct {
	int v[TRC_BLEND_USED];
} trc_blend;

typedef struct {
	int v[4];
} trc_blend_learnt;

static TRC_ALWAYS_INLINE trc_blend
trc_blend_load(const int16_t weight[TRC_BLEND])
{
	trc_blend w;

#pragma GCC unroll 6
	for (int k = 0; k < TRC_BLEND_USED; k++)
		w.v[k] = weight[k];
	return w;
}

static TRC_ALWAYS_INLINE trc_blend
trc_blend_two(int x, int y)
{
	return (trc_blend){ { x, y, 0, TRC_BLEND_ONE } };
}

static TRC_ALWAYS_INLINE trc_blend
trc_blend_three(int x, int y, int z)
{
	return (trc_blend){ { x, y, z, TRC_BLEND_ONE } };
}

static TRC_ALWAYS_INLINE trc_blend
trc_blend_five(const int16_t x[5])
{
	return (trc_blend){ { x[0], x[1], x[2], x[3], x[4], TRC_BLEND_ONE } };
}

static TRC_ALWAYS_INLINE unsigned
trc_blend_keep(int sum, int shift)
{
	return (unsigned)trc_keep(sum >> shift, -TRC_BLEND_MOST, TRC_BLEND_MOST) % TRC_BLEND_YS;
}

static TRC_ALWAYS_INLINE unsigned
trc_blend_y(trc_blend weight, trc_blend input)
{
	int sum = 0;

#pragma GCC unroll 4
	for (int k = 0; k < 4; k++)
		sum += weight.v[k] * input.v[k];
	return trc_blend_keep(sum, TRC_WEIGHT_BITS);
}

static TRC_ALWAYS_INLINE unsigned
trc_blend_y2(trc_blend a, trc_blend b, trc_blend input)
{
	int sum = 0; /* at most 2 * 6 * 24000 * 3071, less than 2^31 */

#pragma GCC unroll 6
	for (int k = 0; k < TRC_BLEND_USED; k++)
		sum += (a.v[k] + b.v[k]) * input.v[k];
	return trc_blend_keep(sum, TRC_WEIGHT_BITS + 1);
}

static TRC_ALWAYS_INLINE void
trc_blend_learn(int16_t weight[TRC_BLEND], trc_blend input, int error)
{
	const union trc_inputs in = { { { (int16_t)input.v[0], (int16_t)input.v[1],
		                          (int16_t)input.v[2], (int16_t)input.v[3],
		                          (int16_t)input.v[4], (int16_t)input.v[5] } } };

	trc_lanes_learn_error(weight, in.input, TRC_BLEND, (int16_t)error);
}

static TRC_ALWAYS_INLINE void
trc_blend_learn2(int16_t a[TRC_BLEND], int16_t b[TRC_BLEND], trc_blend input, int error)
{
	trc_blend_learn(a, input, error);
	trc_blend_learn(b, input, error);
}

static TRC_ALWAYS_INLINE trc_blend_learnt
trc_blend_nothing(void)
{
	return (trc_blend_learnt){ { 0 } };
}

static TRC_ALWAYS_INLINE trc_blend_learnt
trc_blend_add(trc_blend_learnt sum, trc_blend x, int e, trc_blend y, int f)
{
#pragma GCC unroll 4
	for (int k = 0; k < 4; k++)
		sum.v[k] += x.v[k] * e + y.v[k] * f;
	return sum;
}

static TRC_ALWAYS_INLINE void
trc_blend_learn_all(int16_t weight[TRC_BLEND], trc_blend_learnt sum)
{
#pragma GCC unroll 4
	for (int k = 0; k < 4; k++)
		weight[k] = (int16_t)trc_keep(weight[k] + ((sum.v[k] + (1 << 15)) >> 16),
		                              -TRC_WEIGHT_MOST, TRC_WEIGHT_MOST);
}

#endif

#endif
