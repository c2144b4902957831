/* SPDX-License-Identifier: MIT */
#include "batch/page_merge.h"

#include "batch/batch.h"

/* Merges the rows from `at` on, after `runs` runs. There are no branches: each row is stored where
 * the next run begins, and stays there if it begins a run. */
static TRC_ALWAYS_INLINE size_t
merge_from(struct trc_page_merge *m, bool times, size_t at, size_t n, size_t runs, uint64_t last)
{
	uint64_t insns = m->insns, refs = m->refs;
	unsigned run = runs ? m->type[runs - 1] : 0;

	for (size_t i = at; i < n; i++) {
		const unsigned kind = m->from[i] & TRC_TYPE_MASK;
		const uint64_t page = m->page[i];
		const bool same = page == last;

		last = page;
		m->vpn[runs] = page;
		if (times) {
			insns += kind == TRC_FETCH;
			m->itime[runs] = insns;
			m->rtime[runs] = ++refs;
		}
		runs += !same;
		run = (run & (0u - same)) | (kind == TRC_WRITE ? TRC_WRITE : TRC_READ);
		m->type[runs - 1] = (uint8_t)run;
	}
	m->insns = insns;
	m->refs = refs;
	return runs;
}

static size_t
merge_portable(struct trc_page_merge *m, size_t n)
{
	const uint64_t last = n ? ~m->page[0] : 0;

	return m->itime ? merge_from(m, true, 0, n, 0, last) : merge_from(m, false, 0, n, 0, last);
}

#if defined(__GNUC__) && defined(__x86_64__) && !defined(TRC_NO_SIMD)
#include <immintrin.h>

enum { STEP = 64 };

/* Puts the times of those of eight rows that begin a run after `runs` runs; `fetch` has the
 * fetches in its lowest bits. */
TRC_TARGET("avx512bw,avx512vl,bmi2,popcnt")
static inline void
put_times(struct trc_page_merge *m, __mmask8 first, uint64_t fetch, size_t runs)
{
	const uint64_t each = UINT64_C(0x0101010101010101);
	/* How many fetches there are up to each row, as bytes. */
	const __m128i fetches = _mm_cvtsi64_si128((int64_t)(_pdep_u64(fetch, each) * each));
	const __m512i itime = _mm512_add_epi64(_mm512_cvtepu8_epi64(fetches),
	                                       _mm512_set1_epi64((int64_t)m->insns));
	const __m512i rtime = _mm512_add_epi64(_mm512_setr_epi64(1, 2, 3, 4, 5, 6, 7, 8),
	                                       _mm512_set1_epi64((int64_t)m->refs));

	_mm512_storeu_si512(m->itime + runs, _mm512_maskz_compress_epi64(first, itime));
	_mm512_storeu_si512(m->rtime + runs, _mm512_maskz_compress_epi64(first, rtime));
	m->insns += (unsigned)_mm_popcnt_u64(fetch & 0xff);
	m->refs += 8;
}

/* Sets the types of the runs that begin at the bits of `first`, and of the run before; `write` has
 * the writes. */
TRC_TARGET("avx512bw,avx512vl,bmi2,popcnt")
static inline void
put_types(struct trc_page_merge *m, size_t runs, uint64_t first, uint64_t write)
{
	uint64_t within = ~first;

	/* Moves writes to where their runs begin. */
	for (int by = 1; by < STEP; by *= 2) {
		write |= (write & within) >> by;
		within &= within << by;
	}
	if (runs && !(first & 1) && write & 1)
		m->type[runs - 1] = TRC_WRITE;
	_mm512_mask_storeu_epi8(m->type + runs,
	                        _bzhi_u64(UINT64_MAX, (unsigned)_mm_popcnt_u64(first)),
	                        _mm512_mask_blend_epi8(_pext_u64(write, first),
	                                               _mm512_set1_epi8(TRC_READ),
	                                               _mm512_set1_epi8(TRC_WRITE)));
}

TRC_TARGET("avx512bw,avx512vl,bmi2,popcnt")
static TRC_ALWAYS_INLINE size_t
merge_many(struct trc_page_merge *m, bool times, size_t n)
{
	uint64_t last = n ? ~m->page[0] : 0;
	__m512i before = _mm512_set1_epi64((int64_t)last);
	size_t runs = 0, at;

	for (at = 0; at + STEP <= n; at += STEP) {
		const __m512i kind = _mm512_and_si512(_mm512_loadu_si512(m->from + at),
		                                      _mm512_set1_epi8(TRC_TYPE_MASK));
		const uint64_t fetch = _mm512_cmpeq_epi8_mask(kind, _mm512_set1_epi8(TRC_FETCH));
		const size_t were = runs;
		uint64_t all = 0;

		last = m->page[at + STEP - 1];
		for (unsigned k = 0; k < STEP; k += 8) {
			const __m512i page = _mm512_loadu_si512(m->page + at + k);
			const __mmask8 first = _mm512_cmpneq_epi64_mask(
			        page, _mm512_alignr_epi64(page, before, 7));

			_mm512_storeu_si512(m->vpn + runs,
			                    _mm512_maskz_compress_epi64(first, page));
			if (times)
				put_times(m, first, fetch >> k, runs);
			before = page;
			all |= (uint64_t)first << k;
			runs += (size_t)_mm_popcnt_u64(first);
		}
		put_types(m, were, all, _mm512_cmpeq_epi8_mask(kind, _mm512_set1_epi8(TRC_WRITE)));
	}
	return merge_from(m, times, at, n, runs, last);
}

TRC_TARGET("avx512bw,avx512vl,bmi2,popcnt")
static size_t
merge_avx512(struct trc_page_merge *m, size_t n)
{
	return m->itime ? merge_many(m, true, n) : merge_many(m, false, n);
}
#endif

trc_page_merge_fn *
trc_page_merge_form(size_t i)
{
	trc_page_merge_fn *all[3] = { 0 };
	size_t n = 0;

#if defined(__GNUC__) && defined(__x86_64__) && !defined(TRC_NO_SIMD)
	if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
	    __builtin_cpu_supports("bmi2"))
		all[n++] = merge_avx512;
#endif
	all[n++] = merge_portable;
	return all[i < n ? i : n];
}
