/* SPDX-License-Identifier: MIT
 *
 * The text kernels, in a portable version and four for x86-64: SSE2, which every such processor
 * has, for one field at a time; AVX2 for two; two for AVX-512 are in kernels_avx512.c. All give the
 * same results.
 *
 * Sixteen characters are converted as follows (after W. Mula, "Parsing hex numbers with
 * validation", 2022). Saturating arithmetic maps each character to its value if it is a digit, else
 * to more than 15. Bytes before the field are set to 0. Pairs of nibbles become bytes, and the
 * eight bytes, most significant first, are reversed. Decimal digits are combined in pairs, then
 * pairs of these, and so on, to two numbers of eight digits.
 */
#include "base/kernels.h"

static size_t
marks_portable(const uint8_t *p, const uint8_t *stop, uint8_t c, uint32_t *mark, size_t most)
{
	size_t n = 0;

	for (const uint8_t *q = p; q < stop && n < most; q++) {
		if (c == '\n')
			q = memchr(q, '\n', (size_t)(stop - q));
		if (*q == '\n' || *q == c)
			mark[n++] = (uint32_t)(q - p);
	}
	return n;
}

static size_t
edges_portable(const uint8_t *p, const uint8_t *stop, const char *between, uint32_t *edge,
               size_t most)
{
	bool before = true;
	size_t n = 0;

	for (const uint8_t *q = p; q < stop && n < most; q++) {
		const bool now = *q == '\n' || (*q && strchr(between, *q));

		if (now != before)
			edge[n++] = (uint32_t)(q - p);
		before = now;
	}
	return n;
}

/* Reads numbers of at most `most` digits with `take`, but refuses 0x. */
static TRC_ALWAYS_INLINE size_t
numbers_portable(const uint8_t *text, const uint32_t *end, const uint8_t *len, size_t n,
                 uint64_t *v, unsigned most, bool (*take)(struct trc_field, uint64_t, uint64_t *))
{
	for (size_t i = 0; i < n; i++) {
		struct trc_field f = { text + end[i] - len[i], len[i] };

		if (len[i] > most || (len[i] > 1 && (f.p[1] | 0x20) == 'x') ||
		    !take(f, UINT64_MAX, &v[i]))
			return i;
	}
	return n;
}

static size_t
hex_portable(const uint8_t *text, const uint32_t *end, const uint8_t *len, size_t n, uint64_t *v)
{
	return numbers_portable(text, end, len, n, v, 16, trc_field_hex);
}

/* Accepts twenty digits if the value fits. */
static size_t
dec_portable(const uint8_t *text, const uint32_t *end, const uint8_t *len, size_t n, uint64_t *v)
{
	return numbers_portable(text, end, len, n, v, 20, trc_field_dec);
}

static const struct trc_text_kernels portable = { "portable",   marks_portable, edges_portable,
	                                          hex_portable, dec_portable,   NULL };

#if TRC_SSE2 && !defined(TRC_NO_SIMD)

static size_t
marks_sse2(const uint8_t *p, const uint8_t *stop, uint8_t c, uint32_t *mark, size_t most)
{
	const __m128i newline = _mm_set1_epi8('\n'), other = _mm_set1_epi8((char)c);
	const size_t len = (size_t)(stop - p);
	size_t n = 0;

	for (size_t at = 0; at < len && n < most; at += 64) {
		uint64_t mask = 0;

		for (int i = 0; i < 4; i++) {
			__m128i x = _mm_loadu_si128((const __m128i *)(p + at + 16 * i));

			x = _mm_or_si128(_mm_cmpeq_epi8(x, newline), _mm_cmpeq_epi8(x, other));
			mask |= (uint64_t)(unsigned)_mm_movemask_epi8(x) << 16 * i;
		}
		mask &= trc_mask_within(at, len);
		for (; mask && n < most; mask &= mask - 1)
			mark[n++] = (uint32_t)(at + (size_t)trc_ctz64(mask));
	}
	return n;
}

static size_t
edges_sse2(const uint8_t *p, const uint8_t *stop, const char *between, uint32_t *edge, size_t most)
{
	const size_t len = (size_t)(stop - p);
	uint64_t before = 1;
	size_t n = 0;

	for (size_t at = 0; at < len && n < most; at += 64) {
		uint64_t mask = ~trc_mask_within(at, len);

		for (int i = 0; i < 4; i++) {
			const __m128i x = _mm_loadu_si128((const __m128i *)(p + at + 16 * i));
			__m128i hit = _mm_cmpeq_epi8(x, _mm_set1_epi8('\n'));

			for (const char *c = between; *c; c++)
				hit = _mm_or_si128(hit, _mm_cmpeq_epi8(x, _mm_set1_epi8(*c)));
			mask |= (uint64_t)(unsigned)_mm_movemask_epi8(hit) << 16 * i;
		}
		for (mask = trc_mask_edges(mask, &before); mask && n < most; mask &= mask - 1)
			edge[n++] = (uint32_t)(at + (size_t)trc_ctz64(mask));
	}
	return n;
}

static size_t
hex_sse2(const uint8_t *text, const uint32_t *end, const uint8_t *len, size_t n, uint64_t *v)
{
	const __m128i from_end = _mm_setr_epi8(16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2,
	                                       1);

	for (size_t i = 0; i < n; i++) {
		const __m128i x = _mm_loadu_si128((const __m128i *)(text + end[i] - 16));
		const __m128i in = _mm_cmpgt_epi8(from_end, _mm_set1_epi8((char)len[i]));
		const __m128i dec = _mm_sub_epi8(
		        _mm_subs_epu8(_mm_add_epi8(x, _mm_set1_epi8((char)(0xff - '9'))),
		                      _mm_set1_epi8(6)),
		        _mm_set1_epi8((char)0xf0));
		const __m128i hex =
		        _mm_adds_epu8(_mm_sub_epi8(_mm_and_si128(x, _mm_set1_epi8((char)0xdf)),
		                                   _mm_set1_epi8('A')),
		                      _mm_set1_epi8(10));
		__m128i d = _mm_andnot_si128(in, _mm_min_epu8(dec, hex));
		const __m128i bad = _mm_adds_epu8(d, _mm_set1_epi8(127 - 15));

		if (TRC_UNLIKELY(_mm_movemask_epi8(bad) || len[i] - 1u > 15))
			return i;
		d = _mm_or_si128(_mm_slli_epi16(d, 4), _mm_srli_epi16(d, 8));
		d = _mm_and_si128(d, _mm_set1_epi16(0xff));
		_mm_storel_epi64((__m128i *)(v + i), _mm_packus_epi16(d, d));
		v[i] = trc_be64(&v[i]);
	}
	return n;
}

/* Adds up to three digits at `p`, that precede sixteen. Returns false if they are none. */
static inline bool
add_digits(const uint8_t *p, unsigned n, uint64_t *v)
{
	uint64_t all = 0;
	unsigned over = 0;

	for (unsigned i = 0; i < n; i++) {
		const uint8_t digit = (uint8_t)(p[i] - '0');

		over |= digit > 9;
		all = 10 * all + digit;
	}
	*v += all * UINT64_C(10000000000000000);
	return !over;
}

static size_t
dec_sse2(const uint8_t *text, const uint32_t *end, const uint8_t *len, size_t n, uint64_t *v)
{
	const __m128i from_end = _mm_setr_epi8(16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2,
	                                       1);

	for (size_t i = 0; i < n; i++) {
		const __m128i x = _mm_loadu_si128((const __m128i *)(text + end[i] - 16));
		const __m128i in = _mm_cmpgt_epi8(from_end, _mm_set1_epi8((char)len[i]));
		__m128i d = _mm_andnot_si128(in, _mm_sub_epi8(x, _mm_set1_epi8('0')));
		const __m128i bad = _mm_adds_epu8(d, _mm_set1_epi8(127 - 9));
		uint64_t both;

		if (TRC_UNLIKELY(len[i] > 19)) {
			if (dec_portable(text, end + i, len + i, 1, v + i) == 0)
				return i;
			continue;
		}
		if (TRC_UNLIKELY(_mm_movemask_epi8(bad) || len[i] == 0))
			return i;
		/* The tens are in the low byte of each pair. */
		d = _mm_add_epi16(_mm_mullo_epi16(_mm_and_si128(d, _mm_set1_epi16(0xff)),
		                                  _mm_set1_epi16(10)),
		                  _mm_srli_epi16(d, 8));
		d = _mm_madd_epi16(d, _mm_set1_epi32(1 << 16 | 100));
		d = _mm_packs_epi32(d, d);
		d = _mm_madd_epi16(d, _mm_set1_epi32(1 << 16 | 10000));
		_mm_storel_epi64((__m128i *)&both, d);
		v[i] = (uint32_t)both * UINT64_C(100000000) + (both >> 32);
		if (len[i] > 16 && !add_digits(text + end[i] - len[i], len[i] - 16u, &v[i]))
			return i;
	}
	return n;
}

static const struct trc_text_kernels sse2 = { "sse2",   marks_sse2, edges_sse2,
	                                      hex_sse2, dec_sse2,   NULL };

TRC_TARGET("avx2,bmi,popcnt")
static size_t
marks_avx2(const uint8_t *p, const uint8_t *stop, uint8_t c, uint32_t *mark, size_t most)
{
	const __m256i newline = _mm256_set1_epi8('\n'), other = _mm256_set1_epi8((char)c);
	const size_t len = (size_t)(stop - p);
	size_t n = 0;

	for (size_t at = 0; at < len && n < most; at += 64) {
		const __m256i a = _mm256_loadu_si256((const __m256i *)(p + at));
		const __m256i b = _mm256_loadu_si256((const __m256i *)(p + at + 32));
		const uint64_t low = (uint32_t)_mm256_movemask_epi8(_mm256_or_si256(
		        _mm256_cmpeq_epi8(a, newline), _mm256_cmpeq_epi8(a, other)));
		const uint64_t high = (uint32_t)_mm256_movemask_epi8(_mm256_or_si256(
		        _mm256_cmpeq_epi8(b, newline), _mm256_cmpeq_epi8(b, other)));

		n = trc_mask_positions((low | high << 32) & trc_mask_within(at, len), at, mark, n);
	}
	return n < most ? n : most;
}

TRC_TARGET("avx2,bmi,popcnt")
static size_t
edges_avx2(const uint8_t *p, const uint8_t *stop, const char *between, uint32_t *edge, size_t most)
{
	const size_t len = (size_t)(stop - p);
	uint64_t before = 1;
	size_t n = 0;

	for (size_t at = 0; at < len && n < most; at += 64) {
		uint64_t mask = ~trc_mask_within(at, len);

		for (int i = 0; i < 2; i++) {
			const __m256i x = _mm256_loadu_si256((const __m256i *)(p + at + 32 * i));
			__m256i hit = _mm256_cmpeq_epi8(x, _mm256_set1_epi8('\n'));

			for (const char *c = between; *c; c++)
				hit = _mm256_or_si256(hit,
				                      _mm256_cmpeq_epi8(x, _mm256_set1_epi8(*c)));
			mask |= (uint64_t)(uint32_t)_mm256_movemask_epi8(hit) << 32 * i;
		}
		n = trc_mask_positions(trc_mask_edges(mask, &before), at, edge, n);
	}
	return n < most ? n : most;
}

TRC_TARGET("avx2")
static size_t
hex_avx2(const uint8_t *text, const uint32_t *end, const uint8_t *len, size_t n, uint64_t *v)
{
	const __m256i from_end = _mm256_broadcastsi128_si256(
	        _mm_setr_epi8(16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1));
	const __m256i spread = _mm256_setr_epi64x(0, 0, 0x0101010101010101, 0x0101010101010101);
	const __m256i turn = _mm256_broadcastsi128_si256(
	        _mm_setr_epi8(14, 12, 10, 8, 6, 4, 2, 0, -1, -1, -1, -1, -1, -1, -1, -1));
	size_t i;

	for (i = 0; i + 2 <= n; i += 2) {
		const __m256i x = _mm256_inserti128_si256(
		        _mm256_castsi128_si256(
		                _mm_loadu_si128((const __m128i *)(text + end[i] - 16))),
		        _mm_loadu_si128((const __m128i *)(text + end[i + 1] - 16)), 1);
		const __m256i lens =
		        _mm256_shuffle_epi8(_mm256_set1_epi16((short)trc_le16(len + i)), spread);
		const __m256i in = _mm256_cmpgt_epi8(from_end, lens);
		const __m256i dec = _mm256_sub_epi8(
		        _mm256_subs_epu8(_mm256_add_epi8(x, _mm256_set1_epi8((char)(0xff - '9'))),
		                         _mm256_set1_epi8(6)),
		        _mm256_set1_epi8((char)0xf0));
		const __m256i hex = _mm256_adds_epu8(
		        _mm256_sub_epi8(_mm256_and_si256(x, _mm256_set1_epi8((char)0xdf)),
		                        _mm256_set1_epi8('A')),
		        _mm256_set1_epi8(10));
		const __m256i d = _mm256_andnot_si256(in, _mm256_min_epu8(dec, hex));
		const __m256i bad = _mm256_adds_epu8(d, _mm256_set1_epi8(127 - 15));
		__m256i w;

		if (TRC_UNLIKELY(_mm256_movemask_epi8(bad)) || len[i] - 1u > 15 ||
		    len[i + 1] - 1u > 15)
			break;
		w = _mm256_shuffle_epi8(_mm256_maddubs_epi16(d, _mm256_set1_epi16(0x0110)), turn);
		_mm_storeu_si128((__m128i *)(v + i),
		                 _mm_unpacklo_epi64(_mm256_castsi256_si128(w),
		                                    _mm256_extracti128_si256(w, 1)));
	}
	return i + hex_sse2(text, end + i, len + i, n - i, v + i);
}

TRC_TARGET("avx2")
static size_t
dec_avx2(const uint8_t *text, const uint32_t *end, const uint8_t *len, size_t n, uint64_t *v)
{
	const __m256i from_end = _mm256_broadcastsi128_si256(
	        _mm_setr_epi8(16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1));
	const __m256i spread = _mm256_setr_epi64x(0, 0, 0x0101010101010101, 0x0101010101010101);
	size_t i;

	for (i = 0; i + 2 <= n; i += 2) {
		const __m256i x = _mm256_inserti128_si256(
		        _mm256_castsi128_si256(
		                _mm_loadu_si128((const __m128i *)(text + end[i] - 16))),
		        _mm_loadu_si128((const __m128i *)(text + end[i + 1] - 16)), 1);
		const __m256i lens =
		        _mm256_shuffle_epi8(_mm256_set1_epi16((short)trc_le16(len + i)), spread);
		const __m256i in = _mm256_cmpgt_epi8(from_end, lens);
		const __m256i d = _mm256_andnot_si256(in,
		                                      _mm256_sub_epi8(x, _mm256_set1_epi8('0')));
		const __m256i bad = _mm256_adds_epu8(d, _mm256_set1_epi8(127 - 9));
		__m256i w;

		if (TRC_UNLIKELY(_mm256_movemask_epi8(bad)) || len[i] - 1u > 15 ||
		    len[i + 1] - 1u > 15)
			break;
		w = _mm256_maddubs_epi16(d, _mm256_set1_epi16(1 << 8 | 10));
		w = _mm256_madd_epi16(w, _mm256_set1_epi32(1 << 16 | 100));
		w = _mm256_packus_epi32(w, w);
		w = _mm256_madd_epi16(w, _mm256_set1_epi32(1 << 16 | 10000));
		w = _mm256_add_epi64(_mm256_mul_epu32(w, _mm256_set1_epi64x(100000000)),
		                     _mm256_srli_epi64(w, 32));
		_mm_storeu_si128((__m128i *)(v + i),
		                 _mm_unpacklo_epi64(_mm256_castsi256_si128(w),
		                                    _mm256_extracti128_si256(w, 1)));
	}
	return i + dec_sse2(text, end + i, len + i, n - i, v + i);
}

static const struct trc_text_kernels avx2 = { "avx2",   marks_avx2, edges_avx2,
	                                      hex_avx2, dec_avx2,   NULL };

/* Reads the rest of an array, too. */
static size_t
hex_avx512(const uint8_t *text, const uint32_t *end, const uint8_t *len, size_t n, uint64_t *v)
{
	const size_t i = trc_hex_avx512(text, end, len, n, v);

	return i + hex_sse2(text, end + i, len + i, n - i, v + i);
}

static size_t
dec_avx512(const uint8_t *text, const uint32_t *end, const uint8_t *len, size_t n, uint64_t *v)
{
	const size_t i = trc_dec_avx512(text, end, len, n, v);

	return i + dec_sse2(text, end + i, len + i, n - i, v + i);
}

static const struct trc_text_kernels avx512 = { "avx512",   trc_marks_avx512, edges_avx2,
	                                        hex_avx512, dec_avx512,       trc_labelled_avx512 };
static const struct trc_text_kernels vbmi2 = { "vbmi2",    trc_marks_vbmi2, trc_edges_vbmi2,
	                                       hex_avx512, dec_avx512,      trc_labelled_avx512 };
#endif

const struct trc_text_kernels *
trc_text_kernels(size_t i)
{
	const struct trc_text_kernels *all[6] = { 0 };
	size_t n = 0;

#if TRC_SSE2 && !defined(TRC_NO_SIMD)
	const bool wide = __builtin_cpu_supports("avx512bw") &&
	                  __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("bmi2") &&
	                  __builtin_cpu_supports("bmi");

	if (wide && __builtin_cpu_supports("avx512vbmi2"))
		all[n++] = &vbmi2;
	if (wide)
		all[n++] = &avx512;
	if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi"))
		all[n++] = &avx2;
	all[n++] = &sse2;
#endif
	all[n++] = &portable;
	return i < n ? all[i] : NULL;
}
