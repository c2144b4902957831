/* SPDX-License-Identifier: MIT
 * Compiles all of xxhash.h for processors with AVX2, and nothing else. */
#include "batch/fingerprint_wide.h"

#if defined(__GNUC__) && defined(__x86_64__) && !defined(TRC_NO_SIMD)

#include <immintrin.h>

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2")
#endif

#define XXH_INLINE_ALL
#define XXH_VECTOR 2    /* XXH_AVX2 */
#define XXH_NO_PREFETCH /* rows are in the cache, because they were just made */
#include <xxhash.h>

void
trc_fingerprint_update_wide(void *state, const void *bytes, size_t n)
{
	XXH3_64bits_update(state, bytes, n);
}

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

bool
trc_fingerprint_has_wide(void)
{
	return __builtin_cpu_supports("avx2");
}

#else

bool
trc_fingerprint_has_wide(void)
{
	return false;
}

void
trc_fingerprint_update_wide(void *state, const void *bytes, size_t n)
{
	(void)state;
	(void)bytes;
	(void)n;
}

#endif
