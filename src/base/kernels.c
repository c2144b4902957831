/* SPDX-License-Identifier: MIT
 *
 * The text kernels, in a portable version and four for x86-64: SSE2, which every such processor
 * has, for one field at a time; AVX2 for two; AVX-512 for four, with or without VBMI2, which
 * converts a mask to positions directly. All give the same results.
 *
 * Sixteen characters are converted as follows (after W. Mula, "Parsing hex numbers with
 * validation", 2022). Saturating arithmetic maps each character to its value if it is a digit, else
 * to more than 15. Bytes before the field are set to 0. Pairs of nibbles become bytes, and the
 * eight bytes, most significant first, are reversed. Decimal digits are combined in pairs, then
 * pairs of these, and so on, to two numbers of eight digits.
 */
#include "base/text.h"

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
#include <immintrin.h>

/* Returns the bits of a block of 64 at `at` that are before `len`. */
static inline uint64_t
within(size_t at, size_t len)
{
	return len - at < 64 ? ~(UINT64_MAX << (len - at)) : UINT64_MAX;
}

/* Returns where words begin and end in a block, whose other bytes are 1 in `between`.
 * *before is the bit of the byte before the block, and becomes that of its last byte. */
static inline uint64_t
changes(uint64_t between, uint64_t *before)
{
	const uint64_t edge = between ^ (between << 1 | *before);

	*before = between >> 63;
	return edge;
}

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
		mask &= within(at, len);
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
		uint64_t mask = ~within(at, len);

		for (int i = 0; i < 4; i++) {
			const __m128i x = _mm_loadu_si128((const __m128i *)(p + at + 16 * i));
			__m128i hit = _mm_cmpeq_epi8(x, _mm_set1_epi8('\n'));

			for (const char *c = between; *c; c++)
				hit = _mm_or_si128(hit, _mm_cmpeq_epi8(x, _mm_set1_epi8(*c)));
			mask |= (uint64_t)(unsigned)_mm_movemask_epi8(hit) << 16 * i;
		}
		for (mask = changes(mask, &before); mask && n < most; mask &= mask - 1)
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

		if (TRC_UNLIKELY(len[i] > 16)) {
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
	}
	return n;
}

static const struct trc_text_kernels sse2 = { "sse2",   marks_sse2, edges_sse2,
	                                      hex_sse2, dec_sse2,   NULL };

/* Appends the positions of the bits in `mask`, eight at a time even if there are fewer: a loop that
 * ends at the last bit would be mispredicted once per block. */
TRC_TARGET("bmi,popcnt")
static inline size_t
take_mask(uint64_t mask, size_t at, uint32_t *mark, size_t n)
{
	const size_t total = n + (size_t)_mm_popcnt_u64(mask);

	do {
		for (int i = 0; i < 8; i++) {
			mark[n + i] = (uint32_t)(at + _tzcnt_u64(mask));
			mask = _blsr_u64(mask);
		}
		n += 8;
	} while (TRC_UNLIKELY(n < total));
	return total;
}

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

		n = take_mask((low | high << 32) & within(at, len), at, mark, n);
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
		uint64_t mask = ~within(at, len);

		for (int i = 0; i < 2; i++) {
			const __m256i x = _mm256_loadu_si256((const __m256i *)(p + at + 32 * i));
			__m256i hit = _mm256_cmpeq_epi8(x, _mm256_set1_epi8('\n'));

			for (const char *c = between; *c; c++)
				hit = _mm256_or_si256(hit,
				                      _mm256_cmpeq_epi8(x, _mm256_set1_epi8(*c)));
			mask |= (uint64_t)(uint32_t)_mm256_movemask_epi8(hit) << 32 * i;
		}
		n = take_mask(changes(mask, &before), at, edge, n);
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

TRC_TARGET("avx512bw,bmi,popcnt")
static size_t
marks_avx512(const uint8_t *p, const uint8_t *stop, uint8_t c, uint32_t *mark, size_t most)
{
	const __m512i newline = _mm512_set1_epi8('\n'), other = _mm512_set1_epi8((char)c);
	const size_t len = (size_t)(stop - p);
	size_t n = 0;

	for (size_t at = 0; at < len && n < most; at += 64) {
		const __m512i x = _mm512_loadu_si512(p + at);
		const uint64_t mask = _mm512_cmpeq_epi8_mask(x, newline) |
		                      _mm512_cmpeq_epi8_mask(x, other);

		n = take_mask(mask & within(at, len), at, mark, n);
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
static size_t
hex_avx512(const uint8_t *text, const uint32_t *end, const uint8_t *len, size_t n, uint64_t *v)
{
	size_t i;

	for (i = 0; i + 4 <= n; i += 4) {
		__mmask64 bad;
		const __m512i w = hex_values(load_fields(text, end + i), in_fields(len + i), &bad);

		if (TRC_UNLIKELY(bad || odd_lengths(len + i)))
			break;
		_mm256_storeu_si256((__m256i *)(v + i), _mm512_castsi512_si256(w));
	}
	return i + hex_sse2(text, end + i, len + i, n - i, v + i);
}

/* All of a line is among the 16 characters before its end. */
TRC_TARGET("avx512bw")
static size_t
labelled_avx512(const uint8_t *text, const uint32_t *eol, uint32_t start, size_t n,
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
static size_t
dec_avx512(const uint8_t *text, const uint32_t *end, const uint8_t *len, size_t n, uint64_t *v)
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
	return i + dec_sse2(text, end + i, len + i, n - i, v + i);
}

static const struct trc_text_kernels avx512 = { "avx512",   marks_avx512, edges_avx2,
	                                        hex_avx512, dec_avx512,   labelled_avx512 };

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

/* Does what take_mask() does, sixteen at a time. */
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
static size_t
marks_vbmi2(const uint8_t *p, const uint8_t *stop, uint8_t c, uint32_t *mark, size_t most)
{
	const __m512i newline = _mm512_set1_epi8('\n'), other = _mm512_set1_epi8((char)c);
	const size_t len = (size_t)(stop - p);
	size_t n = 0;

	for (size_t at = 0; at < len && n < most; at += 64) {
		const __m512i x = _mm512_loadu_si512(p + at);
		const uint64_t mask = _mm512_cmpeq_epi8_mask(x, newline) |
		                      _mm512_cmpeq_epi8_mask(x, other);

		n = compress_mask(mask & within(at, len), at, mark, n);
	}
	return n < most ? n : most;
}

TRC_TARGET("avx512bw,avx512vbmi2,bmi,popcnt")
static size_t
edges_vbmi2(const uint8_t *p, const uint8_t *stop, const char *between, uint32_t *edge, size_t most)
{
	const size_t len = (size_t)(stop - p);
	uint64_t before = 1;
	size_t n = 0;

	for (size_t at = 0; at < len && n < most; at += 64) {
		const __m512i x = _mm512_loadu_si512(p + at);
		uint64_t mask = ~within(at, len) |
		                _mm512_cmpeq_epi8_mask(x, _mm512_set1_epi8('\n'));

		for (const char *c = between; *c; c++)
			mask |= _mm512_cmpeq_epi8_mask(x, _mm512_set1_epi8(*c));
		n = compress_mask(changes(mask, &before), at, edge, n);
	}
	return n < most ? n : most;
}

static const struct trc_text_kernels vbmi2 = { "vbmi2",    marks_vbmi2, edges_vbmi2,
	                                       hex_avx512, dec_avx512,  labelled_avx512 };
#endif

const struct trc_text_kernels *
trc_text_kernels(size_t i)
{
	const struct trc_text_kernels *all[6] = { 0 };
	size_t n = 0;

#if TRC_SSE2 && !defined(TRC_NO_SIMD)
	if (__builtin_cpu_supports("avx512vbmi2") && __builtin_cpu_supports("avx512bw") &&
	    __builtin_cpu_supports("bmi"))
		all[n++] = &vbmi2;
	if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("bmi"))
		all[n++] = &avx512;
	if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi"))
		all[n++] = &avx2;
	all[n++] = &sse2;
#endif
	all[n++] = &portable;
	return i < n ? all[i] : NULL;
}
