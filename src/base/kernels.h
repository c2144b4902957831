/* SPDX-License-Identifier: MIT
 *
 * What the text kernels of x86-64 share: masks of 64 characters, and the kernels for AVX-512, which
 * are in a file of their own.
 */
#ifndef TRC_BASE_KERNELS_H
#define TRC_BASE_KERNELS_H

#include "base/text.h"

#if TRC_SSE2 && !defined(TRC_NO_SIMD)
#include <immintrin.h>

/* Returns the bits of a block of 64 at `at` that are before `len`. */
static inline uint64_t
trc_mask_within(size_t at, size_t len)
{
	return len - at < 64 ? ~(UINT64_MAX << (len - at)) : UINT64_MAX;
}

/* Returns where words begin and end in a block, whose other bytes are 1 in `between`.
 * *before is the bit of the byte before the block, and becomes that of its last byte. */
static inline uint64_t
trc_mask_edges(uint64_t between, uint64_t *before)
{
	const uint64_t edge = between ^ (between << 1 | *before);

	*before = between >> 63;
	return edge;
}

/* Appends the positions of the bits in `mask`, eight at a time even if there are fewer: a loop that
 * ends at the last bit would be mispredicted once per block. */
TRC_TARGET("bmi,popcnt")
static inline size_t
trc_mask_positions(uint64_t mask, size_t at, uint32_t *mark, size_t n)
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

/* The members of struct trc_text_kernels for AVX-512BW, and with VBMI2, too. The two that read
 * numbers take four at a time, and return a multiple of 4. */
size_t trc_marks_avx512(const uint8_t *p, const uint8_t *stop, uint8_t c, uint32_t *mark,
                        size_t most);
size_t trc_marks_vbmi2(const uint8_t *p, const uint8_t *stop, uint8_t c, uint32_t *mark,
                       size_t most);
size_t trc_edges_vbmi2(const uint8_t *p, const uint8_t *stop, const char *between, uint32_t *edge,
                       size_t most);
size_t trc_hex_avx512(const uint8_t *text, const uint32_t *end, const uint8_t *len, size_t n,
                      uint64_t *v);
size_t trc_dec_avx512(const uint8_t *text, const uint32_t *end, const uint8_t *len, size_t n,
                      uint64_t *v);
size_t trc_labelled_avx512(const uint8_t *text, const uint32_t *eol, uint32_t start, size_t n,
                           const struct trc_text_labels *labels, uint8_t *meaning, uint64_t *v,
                           uint32_t *size);
#endif

#endif
