/* SPDX-License-Identifier: MIT
 *
 * The text kernels for AVX-512, four fields at a time, with or without VBMI2, which converts a mask
 * to positions directly. kernels.c describes the methods.
 */
#include "base/kernels.h"

#if TRC_SSE2 && !defined(TRC_NO_SIMD)
TRC_TARGET("avx512bw,bmi,popcnt")
size_t
trc_marks_avx512(const uint8_t *p, const uint8_t *stop, uint8_t c, uint32_t *mark, size_t most)
{
	const __m512i newline = _mm512_set1_epi8('\n'), other = _mm512_set1_epi8((char)c);
	const size_t len = (size_t)(stop - p);
	size_t n = 0;

	for (size_t at = 0; at < len && n < most; at += 64) {
		const __m512i x = _mm512_loadu_si512(p + at);
		const uint64_t mask = _mm512_cmpeq_epi8_mask(x, newline) |
		                      _mm512_cmpeq_epi8_mask(x, other);

		n = trc_mask_positions(mask & trc_mask_within(at, len), at, mark, n);
	}
	return n < most ? n : most;
}

/* Loads the 16 characters before each of four ends. */
TRC_TARGET("avx512bw")
static inline __m512i
load_fields(const uint8_t *text, const uint32_t *end)
{
	__m512i x = _mm512_castsi128_si512(_mm_loadu_si128((const __m128i *)(text + end[0] - 16)));

	for (int k = 1; k < 4; k++)
		x = _mm512_mask_broadcast_i32x4(x, (__mmask16)(15 << 4 * k),
		                                _mm_loadu_si128(
		                                        (const __m128i *)(text + end[k] - 16)));
	return x;
}

/* Returns which of these characters are in fields of the lengths `len`. */
TRC_TARGET("avx512bw")
static inline __mmask64
in_fields(const uint8_t *len)
{
	const __m512i from_end = _mm512_broadcast_i32x4(
	        _mm_setr_epi8(16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1));
	const __m512i spread = _mm512_set_epi64(0x0303030303030303, 0x0303030303030303,
	                                        0x0202020202020202, 0x0202020202020202,
	                                        0x0101010101010101, 0x0101010101010101, 0, 0);

	return _mm512_cmple_epi8_mask(
	        from_end, _mm512_shuffle_epi8(_mm512_set1_epi32((int)trc_le32(len)), spread));
}

/* Returns true if a length is not from 1 to 16: then its length - 1 has a bit above the fourth. */
static inline bool
odd_lengths(const uint8_t *len)
{
	return (trc_le32(len) - 0x01010101) & 0xf0f0f0f0;
}

/* Returns the values of four fields of hexadecimal digits, of which the characters `in` are part,
 * and sets *bad to those of these that are no digits. */
TRC_TARGET("avx512bw")
static inline __m512i
hex_values(__m512i x, __mmask64 in, __mmask64 *bad)
{
	const __m512i turn = _mm512_broadcast_i32x4(
	        _mm_setr_epi8(14, 12, 10, 8, 6, 4, 2, 0, -1, -1, -1, -1, -1, -1, -1, -1));
	const __m512i pick = _mm512_set_epi64(0, 0, 0, 0, 6, 4, 2, 0);
	const __m512i dec = _mm512_sub_epi8(
	        _mm512_subs_epu8(_mm512_add_epi8(x, _mm512_set1_epi8((char)(0xff - '9'))),
	                         _mm512_set1_epi8(6)),
	        _mm512_set1_epi8((char)0xf0));
	const __m512i hex =
	        _mm512_adds_epu8(_mm512_sub_epi8(_mm512_and_si512(x, _mm512_set1_epi8((char)0xdf)),
	                                         _mm512_set1_epi8('A')),
	                         _mm512_set1_epi8(10));
	const __m512i d = _mm512_maskz_min_epu8(in, dec, hex);
	const __m512i pairs = _mm512_maddubs_epi16(d, _mm512_set1_epi16(0x0110));

	*bad = _mm512_cmpgt_epu8_mask(d, _mm512_set1_epi8(15));
	return _mm512_permutexvar_epi64(pick, _mm512_shuffle_epi8(pairs, turn));
}

TRC_TARGET("avx512bw")
size_t
trc_hex_avx512(const uint8_t *text, const uint32_t *end, const uint8_t *len, size_t n, uint64_t *v)
{
	size_t i;

	for (i = 0; i + 4 <= n; i += 4) {
		__mmask64 bad;
		const __m512i w = hex_values(load_fields(text, end + i), in_fields(len + i), &bad);

		if (TRC_UNLIKELY(bad || odd_lengths(len + i)))
			break;
		_mm256_storeu_si256((__m256i *)(v + i), _mm512_castsi512_si256(w));
	}
	return i;
}

/* All of a line is among the 16 characters before its end. */
TRC_TARGET("avx512bw")
size_t
trc_labelled_avx512(const uint8_t *text, const uint32_t *eol, uint32_t start, size_t n,
                    const struct trc_text_labels *labels, uint8_t *label, uint64_t *v)
{
	const __m512i from_end = _mm512_broadcast_i32x4(
	        _mm_setr_epi8(16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1));
	const __m512i spread = _mm512_set_epi64(0x0c0c0c0c0c0c0c0c, 0x0c0c0c0c0c0c0c0c,
	                                        0x0808080808080808, 0x0808080808080808,
	                                        0x0404040404040404, 0x0404040404040404, 0, 0);
	const __m128i pick = _mm_cvtsi32_si128(0x06040200);
	const __m128i meaning = _mm_loadu_si128((const __m128i *)labels->meaning);
	const __m512i most = _mm512_set1_epi8((char)(labels->n - 1));
	__m128i before = _mm_set1_epi32((int)(start - 1));
	size_t i;

	for (i = 0; i + 4 <= n; i += 4) {
		const __m128i end = _mm_loadu_si128((const __m128i *)(eol + i));
		/* Of a line with its newline; 4 to 17. */
		const __m128i len = _mm_sub_epi32(end, _mm_alignr_epi8(end, before, 12));
		const __m128i over = _mm_sub_epi32(len, _mm_set1_epi32(4));
		const __m512i lens = _mm512_shuffle_epi8(_mm512_broadcast_i32x4(len), spread);
		const __m512i at = _mm512_sub_epi8(lens, from_end), x = load_fields(text, eol + i);
		const __mmask64 blank = _mm512_cmpeq_epi8_mask(at, _mm512_set1_epi8(2));
		const __m512i l = _mm512_maskz_sub_epi8(
		        _mm512_cmpeq_epi8_mask(at, _mm512_set1_epi8(1)), x, _mm512_set1_epi8('0'));
		__mmask64 bad;
		const __m512i w = hex_values(x, _mm512_cmpgt_epi8_mask(at, _mm512_set1_epi8(2)),
		                             &bad);
		const __m512i both = _mm512_sad_epu8(l, _mm512_setzero_si512());
		const __m128i number = _mm512_cvtepi64_epi8(
		        _mm512_or_si512(both, _mm512_shuffle_epi32(both, _MM_PERM_BADC)));

		bad |= _mm512_cmpgt_epu8_mask(l, most) |
		       _mm512_mask_cmpneq_epi8_mask(blank, x, _mm512_set1_epi8(' '));
		if (TRC_UNLIKELY(bad || _mm_movemask_epi8(_mm_cmpeq_epi32(
		                                _mm_max_epu32(over, _mm_set1_epi32(13)),
		                                _mm_set1_epi32(13))) != 0xffff))
			break;
		trc_put_le32(label + i, (uint32_t)_mm_cvtsi128_si32(_mm_shuffle_epi8(
		                                meaning, _mm_shuffle_epi8(number, pick))));
		_mm256_storeu_si256((__m256i *)(v + i), _mm512_castsi512_si256(w));
		before = end;
	}
	return i;
}

TRC_TARGET("avx512bw")
size_t
trc_dec_avx512(const uint8_t *text, const uint32_t *end, const uint8_t *len, size_t n, uint64_t *v)
{
	const __m512i pick = _mm512_set_epi64(0, 0, 0, 0, 6, 4, 2, 0);
	size_t i;

	for (i = 0; i + 4 <= n; i += 4) {
		const __m512i d = _mm512_maskz_sub_epi8(in_fields(len + i),
		                                        load_fields(text, end + i),
		                                        _mm512_set1_epi8('0'));
		__m512i w;

		if (TRC_UNLIKELY(_mm512_cmpgt_epu8_mask(d, _mm512_set1_epi8(9)) ||
		                 odd_lengths(len + i)))
			break;
		w = _mm512_maddubs_epi16(d, _mm512_set1_epi16(1 << 8 | 10));
		w = _mm512_madd_epi16(w, _mm512_set1_epi32(1 << 16 | 100));
		w = _mm512_packus_epi32(w, w);
		w = _mm512_madd_epi16(w, _mm512_set1_epi32(1 << 16 | 10000));
		w = _mm512_add_epi64(_mm512_mul_epu32(w, _mm512_set1_epi64(100000000)),
		                     _mm512_srli_epi64(w, 32));
		_mm256_storeu_si256((__m256i *)(v + i),
		                    _mm512_castsi512_si256(_mm512_permutexvar_epi64(pick, w)));
	}
	return i;
}

/* Stores sixteen positions, relative to `at`. */
TRC_TARGET("avx512bw,avx512vbmi2,bmi,popcnt")
static inline void
put_places(__m128i places, size_t at, uint32_t *mark)
{
	const __m256i base = _mm256_set1_epi32((int)at);

	_mm256_storeu_si256((__m256i *)mark, _mm256_add_epi32(_mm256_cvtepu8_epi32(places), base));
	places = _mm_srli_si128(places, 8);
	_mm256_storeu_si256((__m256i *)(mark + 8),
	                    _mm256_add_epi32(_mm256_cvtepu8_epi32(places), base));
}

/* Does what trc_mask_positions() does, sixteen at a time. */
TRC_TARGET("avx512bw,avx512vbmi2,bmi,popcnt")
static inline size_t
compress_mask(uint64_t mask, size_t at, uint32_t *mark, size_t n)
{
	static const uint8_t counted[64] = {
		0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
		16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31,
		32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47,
		48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63,
	};
	const size_t total = n + (size_t)_mm_popcnt_u64(mask);
	__m512i places = _mm512_maskz_compress_epi8(mask, _mm512_loadu_si512(counted));

	put_places(_mm512_castsi512_si128(places), at, mark + n);
	while (TRC_UNLIKELY(n + 16 < total)) {
		n += 16;
		places = _mm512_alignr_epi32(places, places, 4);
		put_places(_mm512_castsi512_si128(places), at, mark + n);
	}
	return total;
}

TRC_TARGET("avx512bw,avx512vbmi2,bmi,popcnt")
size_t
trc_marks_vbmi2(const uint8_t *p, const uint8_t *stop, uint8_t c, uint32_t *mark, size_t most)
{
	const __m512i newline = _mm512_set1_epi8('\n'), other = _mm512_set1_epi8((char)c);
	const size_t len = (size_t)(stop - p);
	size_t n = 0;

	for (size_t at = 0; at < len && n < most; at += 64) {
		const __m512i x = _mm512_loadu_si512(p + at);
		const uint64_t mask = _mm512_cmpeq_epi8_mask(x, newline) |
		                      _mm512_cmpeq_epi8_mask(x, other);

		n = compress_mask(mask & trc_mask_within(at, len), at, mark, n);
	}
	return n < most ? n : most;
}

TRC_TARGET("avx512bw,avx512vbmi2,bmi,popcnt")
size_t
trc_edges_vbmi2(const uint8_t *p, const uint8_t *stop, const char *between, uint32_t *edge,
                size_t most)
{
	const size_t len = (size_t)(stop - p);
	uint64_t before = 1;
	size_t n = 0;

	for (size_t at = 0; at < len && n < most; at += 64) {
		const __m512i x = _mm512_loadu_si512(p + at);
		uint64_t mask = ~trc_mask_within(at, len) |
		                _mm512_cmpeq_epi8_mask(x, _mm512_set1_epi8('\n'));

		for (const char *c = between; *c; c++)
			mask |= _mm512_cmpeq_epi8_mask(x, _mm512_set1_epi8(*c));
		n = compress_mask(trc_mask_edges(mask, &before), at, edge, n);
	}
	return n < most ? n : most;
}

#endif
