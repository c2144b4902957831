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
 * and sets *bad to those of them that are not digits. */
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

/* Bit `at` of each 16. */
static inline uint64_t
each16(unsigned at)
{
	return UINT64_C(0x0001000100010001) << at;
}

/* Takes apart four lines whose size of one digit, or of two, follows a blank; `x` has their last 16
 * characters, `in` those after the first blank. Stores the sizes, and returns the numbers before
 * them; sets *bad to what cannot be in such lines. */
TRC_TARGET("avx512bw,avx512vl,bmi2")
static inline __m256i
take_sizes(__m512i x, __mmask64 in, const struct trc_text_labels *labels, uint32_t *size,
           __mmask64 *bad)
{
	const __mmask64 blank = _mm512_cmpeq_epi8_mask(x, _mm512_set1_epi8(' ')) &
	                        (each16(13) | each16(14));
	const __mmask64 two = blank & each16(13), digits = each16(15) | two << 1;
	const __mmask64 odd = (blank >> 1 ^ blank ^ each16(13)) & each16(13);
	const __m256i w = _mm512_castsi512_si256(hex_values(x, in & ~blank, bad));
	const __m256i both = _mm256_and_si256(w, _mm256_set1_epi64x(0xff));
	const __m256i tens = _mm256_mullo_epi32(_mm256_srli_epi64(both, 4),
	                                        _mm256_set1_epi64x(labels->decimal ? 6 : 0));

	/* A digit of the number is before the blank. */
	*bad |= odd | (blank & ~(in << 1)) | (labels->digits < 2 ? two : 0) |
	        (labels->decimal ? _mm512_cmpgt_epu8_mask(x, _mm512_set1_epi8('9')) & digits : 0);
	_mm_storeu_si128((__m128i *)size, _mm256_cvtepi64_epi32(_mm256_sub_epi64(both, tens)));
	return _mm256_srlv_epi64(w, _mm256_mask_blend_epi64((__mmask8)_pext_u64(two, each16(13)),
	                                                    _mm256_set1_epi64x(8),
	                                                    _mm256_set1_epi64x(12)));
}

/* Sets the meanings of the labels of four lines, which begin at `start` and after the ends; returns
 * true if all are labels, with a blank. */
TRC_TARGET("avx512bw,avx512vl,bmi2")
static inline bool
take_labels(const uint8_t *text, uint32_t start, const uint32_t *eol,
            const struct trc_text_labels *labels, uint8_t *meaning)
{
	const __m128i l = _mm_set_epi16(0, 0, 0, 0, (short)trc_le16(text + eol[2] + 1),
	                                (short)trc_le16(text + eol[1] + 1),
	                                (short)trc_le16(text + eol[0] + 1),
	                                (short)trc_le16(text + start));
	const __m128i low = _mm_and_si128(l, _mm_set1_epi16(15));
	const __m128i known = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)labels->text),
	                                       _mm_or_si128(low, _mm_set1_epi16((short)0x8000)));
	const __m128i of = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)labels->meaning), low);
	const __m128i same = _mm_cmpeq_epi16(_mm_or_si128(known, _mm_set1_epi16(' ' << 8)), l);

	trc_put_le32(meaning, (uint32_t)_mm_cvtsi128_si32(_mm_packus_epi16(
	                              _mm_and_si128(of, _mm_set1_epi16(0xff)), of)));
	return (~_mm_movemask_epi8(same) & 0xff) == 0;
}

/* All of a line but its label is among the 16 characters before its end. */
TRC_TARGET("avx512bw,avx512vl,bmi2")
static TRC_ALWAYS_INLINE size_t
labelled_lines(const uint8_t *text, const uint32_t *eol, uint32_t start, size_t n,
               const struct trc_text_labels *labels, uint8_t *meaning, uint64_t *v, uint32_t *size)
{
	const __m512i from_end = _mm512_broadcast_i32x4(
	        _mm_setr_epi8(16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1));
	const __m512i spread = _mm512_set_epi64(0x0c0c0c0c0c0c0c0c, 0x0c0c0c0c0c0c0c0c,
	                                        0x0808080808080808, 0x0808080808080808,
	                                        0x0404040404040404, 0x0404040404040404, 0, 0);
	const __m128i least = _mm_set1_epi32(size ? 3 : 1), most = _mm_set1_epi32(size ? 13 : 15);
	__m128i before = _mm_set1_epi32((int)(start - 1));
	size_t i;

	for (i = 0; i + 4 <= n; i += 4) {
		const __m128i end = _mm_loadu_si128((const __m128i *)(eol + i));
		/* Of a line without label, blank and newline. */
		const __m128i len = _mm_sub_epi32(_mm_sub_epi32(end, _mm_set1_epi32(3)),
		                                  _mm_alignr_epi8(end, before, 12));
		const __m128i over = _mm_sub_epi32(len, least);
		const __m512i x = load_fields(text, eol + i);
		const __mmask64 in = _mm512_cmple_epi8_mask(
		        from_end, _mm512_shuffle_epi8(_mm512_broadcast_i32x4(len), spread));
		__mmask64 bad;
		const __m256i w = size ? take_sizes(x, in, labels, size + i, &bad) :
		                         _mm512_castsi512_si256(hex_values(x, in, &bad));

		if (TRC_UNLIKELY(!take_labels(text, i ? eol[i - 1] + 1 : start, eol + i, labels,
		                              meaning + i) ||
		                 bad ||
		                 _mm_movemask_epi8(_mm_cmpeq_epi32(_mm_max_epu32(over, most),
		                                                   most)) != 0xffff))
			break;
		_mm256_storeu_si256((__m256i *)(v + i), w);
		before = end;
	}
	return i;
}

TRC_TARGET("avx512bw,avx512vl,bmi2")
size_t
trc_labelled_avx512(const uint8_t *text, const uint32_t *eol, uint32_t start, size_t n,
                    const struct trc_text_labels *labels, uint8_t *meaning, uint64_t *v,
                    uint32_t *size)
{
	return labels->digits ? labelled_lines(text, eol, start, n, labels, meaning, v, size) :
	                        labelled_lines(text, eol, start, n, labels, meaning, v, NULL);
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
