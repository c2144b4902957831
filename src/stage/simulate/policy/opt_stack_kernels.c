/* SPDX-License-Identifier: MIT */
#include "stage/simulate/policy/opt_stack_kernels.h"

#include "base/bytes.h"

enum { NODE_BITS = TRC_OPT_NODE_BITS, NODE = TRC_OPT_NODE };

#define NONE UINT32_MAX /* depth of a hole */

#if defined(__GNUC__) && defined(__x86_64__) && !defined(TRC_NO_SIMD)
#define TRC_SIMD 1
#else
#define TRC_SIMD 0
#endif
/* Passes v through the slots of a node below `end`, from the last to the first; returns the least
 * of them and v. */
static inline uint32_t
exchange(uint32_t *node, size_t end, uint32_t v)
{
	for (size_t k = end; k-- > 0;) {
		const uint32_t depth = node[k];

		node[k] = depth > v ? depth : v;
		v = depth > v ? v : depth;
	}
	return v;
}

static uint32_t descend(struct trc_opt_stack *s, unsigned level, size_t i, uint32_t v);

/* Passes v through the children of a node below `end`. */
static inline uint32_t
go_through(struct trc_opt_stack *s, unsigned level, size_t first, size_t end, uint32_t v)
{
	if (level == 0)
		return exchange(s->depth[0] + first, end, v);
	for (size_t k = end; k-- > 0;)
		if (s->depth[level][first + k] < v)
			v = descend(s, level, first + k, v);
	return v;
}

/* Passes v, which is more than the least of node i, through all of it; returns the new v. */
static uint32_t
descend(struct trc_opt_stack *s, unsigned level, size_t i, uint32_t v)
{
	const size_t first = i << NODE_BITS;
	const uint32_t least = s->depth[level][i];

	go_through(s, level - 1, first, NODE, v);
	s->depth[level][i] = trc_opt_least(s->depth[level - 1] + first);
	return least;
}

static uint32_t
take_portable(struct trc_opt_stack *s, size_t slot)
{
	uint32_t v = s->depth[0][slot];

	s->depth[0][slot] = NONE;
	for (unsigned level = 0; level < s->levels; level++) {
		const size_t i = slot >> level * NODE_BITS, first = i / NODE * NODE;

		v = go_through(s, level, first, i % NODE, v);
		if (level + 1 < s->levels)
			s->depth[level + 1][i / NODE] = trc_opt_least(s->depth[level] + first);
	}
	return v;
}

static void
set_portable(uint32_t *node, size_t k, uint32_t depth)
{
	node[k] = depth;
}

static const struct trc_opt_stack_kernel portable = { "portable", take_portable, set_portable };

#if TRC_SIMD
#include <immintrin.h>

/* A node in two registers, its halves. */
struct node {
	__m256i a, b;
};

TRC_TARGET("avx2")
static inline struct node
load(const uint32_t *node)
{
	return (struct node){ _mm256_loadu_si256((const __m256i *)node),
		              _mm256_loadu_si256((const __m256i *)(node + 8)) };
}

TRC_TARGET("avx2")
static inline void
store(uint32_t *node, struct node x)
{
	_mm256_storeu_si256((__m256i *)node, x.a);
	_mm256_storeu_si256((__m256i *)(node + 8), x.b);
}

/* Returns all ones in lane k of 16. */
TRC_TARGET("avx2")
static inline struct node
lane(size_t k)
{
	const __m256i lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
	const __m256i at = _mm256_set1_epi32((int)k);

	return (struct node){ _mm256_cmpeq_epi32(lanes, at),
		              _mm256_cmpeq_epi32(_mm256_add_epi32(lanes, _mm256_set1_epi32(8)),
		                                 at) };
}

/* Returns all ones in the lanes below `end`. */
TRC_TARGET("avx2")
static inline struct node
lanes_below(size_t end)
{
	const __m256i lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
	const __m256i at = _mm256_set1_epi32((int)end);

	return (struct node){ _mm256_cmpgt_epi32(at, lanes),
		              _mm256_cmpgt_epi32(at,
		                                 _mm256_add_epi32(lanes, _mm256_set1_epi32(8))) };
}

/* Selects `yes` in lanes that are all ones, else `no`. */
TRC_TARGET("avx2")
static inline struct node
choose(struct node lanes, struct node yes, struct node no)
{
	return (struct node){ _mm256_blendv_epi8(no.a, yes.a, lanes.a),
		              _mm256_blendv_epi8(no.b, yes.b, lanes.b) };
}

TRC_TARGET("avx2")
static inline struct node
set_lane(struct node x, size_t k, uint32_t v)
{
	const __m256i all = _mm256_set1_epi32((int)v);

	return choose(lane(k), (struct node){ all, all }, x);
}

/* Returns a bit for each lane that is less than v, which is not 0. */
TRC_TARGET("avx2")
static inline uint32_t
less_than(struct node x, uint32_t v)
{
	const __m256i most = _mm256_set1_epi32((int)(v - 1));
	const __m256i a = _mm256_cmpeq_epi32(_mm256_min_epu32(x.a, most), x.a);
	const __m256i b = _mm256_cmpeq_epi32(_mm256_min_epu32(x.b, most), x.b);

	return (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(a)) |
	       (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(b)) << 8;
}

TRC_TARGET("avx2")
static inline uint32_t
least(struct node x)
{
	const __m256i m = _mm256_min_epu32(x.a, x.b);
	__m128i h = _mm_min_epu32(_mm256_castsi256_si128(m), _mm256_extracti128_si256(m, 1));

	h = _mm_min_epu32(h, _mm_shuffle_epi32(h, 0x4e));
	h = _mm_min_epu32(h, _mm_shuffle_epi32(h, 0xb1));
	return (uint32_t)_mm_cvtsi128_si32(h);
}

/* Returns in each lane the least of the lanes after it, and `fill`. */
TRC_TARGET("avx2")
static inline __m256i
least_behind(__m256i x, __m256i fill)
{
	x = _mm256_alignr_epi8(_mm256_permute2x128_si256(x, fill, 0x21), x, 4);
	x = _mm256_min_epu32(x, _mm256_alignr_epi8(_mm256_permute2x128_si256(x, fill, 0x21), x, 4));
	x = _mm256_min_epu32(x, _mm256_alignr_epi8(_mm256_permute2x128_si256(x, fill, 0x21), x, 8));
	return _mm256_min_epu32(x, _mm256_permute2x128_si256(x, fill, 0x21));
}

/* Passes v through all lanes, from the last to the first: each keeps the larger value. */
TRC_TARGET("avx2")
static inline struct node
exchange_avx2(struct node x, uint32_t v)
{
	const __m256i all = _mm256_set1_epi32((int)v);
	const __m256i b = least_behind(x.b, all);
	const __m256i through = _mm256_permutevar8x32_epi32(_mm256_min_epu32(x.b, b),
	                                                    _mm256_setzero_si256());
	const __m256i a = _mm256_min_epu32(least_behind(x.a, _mm256_set1_epi32(-1)), through);

	return (struct node){ _mm256_max_epu32(x.a, a), _mm256_max_epu32(x.b, b) };
}

static uint32_t descend_avx2(struct trc_opt_stack *s, unsigned level, size_t i, uint32_t v);

/* Passes *v through the children of a node, given as it was before, that are in `lanes`. */
TRC_TARGET("avx2")
static inline struct node
go_through_avx2(struct trc_opt_stack *s, unsigned level, size_t first, struct node x,
                uint32_t lanes, uint32_t *v)
{
	for (uint32_t less; (less = less_than(x, *v) & lanes);) {
		const unsigned k = 63 - (unsigned)trc_clz64(less);
		const uint32_t old = s->depth[level][first + k];

		x = set_lane(x, k, descend_avx2(s, level, first + k, *v));
		*v = old;
		lanes &= (1u << k) - 1;
	}
	return x;
}

/* Passes v through all of node i; returns its new least. */
TRC_TARGET("avx2")
static uint32_t
descend_avx2(struct trc_opt_stack *s, unsigned level, size_t i, uint32_t v)
{
	const size_t first = i << NODE_BITS;
	uint32_t *node = s->depth[level - 1] + first;
	struct node x = load(node);

	x = level == 1 ? exchange_avx2(x, v) :
	                 go_through_avx2(s, level - 1, first, x, UINT16_MAX, &v);
	store(node, x);
	return least(x);
}

TRC_TARGET("avx2")
static uint32_t
take_avx2(struct trc_opt_stack *s, size_t slot)
{
	uint32_t *node = s->depth[0] + slot / NODE * NODE;
	const __m256i holes = _mm256_set1_epi32(-1);
	const struct node below = lanes_below(slot % NODE);
	struct node x = set_lane(load(node), slot % NODE, NONE);
	const struct node older = choose(below, x, (struct node){ holes, holes });
	uint32_t v = s->depth[0][slot], least_older = least(older), now;

	x = choose(below, exchange_avx2(older, v), x);
	store(node, x);
	v = least_older < v ? least_older : v;
	now = least(x);
	for (unsigned level = 1; level < s->levels; level++) {
		const size_t i = slot >> level * NODE_BITS, first = i / NODE * NODE;

		node = s->depth[level] + first;
		x = set_lane(load(node), i % NODE, now);
		x = go_through_avx2(s, level, first, x, (1u << i % NODE) - 1, &v);
		store(node, x);
		now = least(x);
	}
	return v;
}

static const struct trc_opt_stack_kernel avx2 = { "avx2", take_avx2, set_portable };

/* ---- a node in one register ---- */

/* Returns in each lane the least of the lanes after it, and v. */
TRC_TARGET("avx512f")
static inline __m512i
least_behind_avx512(__m512i x, __m512i v)
{
	x = _mm512_alignr_epi32(v, x, 1);
	x = _mm512_min_epu32(x, _mm512_alignr_epi32(v, x, 1));
	x = _mm512_min_epu32(x, _mm512_alignr_epi32(v, x, 2));
	x = _mm512_min_epu32(x, _mm512_alignr_epi32(v, x, 4));
	return _mm512_min_epu32(x, _mm512_alignr_epi32(v, x, 8));
}

TRC_TARGET("avx512f")
static inline uint32_t
first_lane(__m512i x)
{
	return (uint32_t)_mm_cvtsi128_si32(_mm512_castsi512_si128(x));
}

TRC_TARGET("avx512f")
static __m512i go_through_avx512(struct trc_opt_stack *s, unsigned level, size_t first, __m512i x,
                                 __mmask16 lanes, uint32_t *v);

/* Passes v through all of node i; returns its new least. */
TRC_TARGET("avx512f")
static inline uint32_t
descend_avx512(struct trc_opt_stack *s, unsigned level, size_t i, uint32_t v)
{
	const size_t first = i << NODE_BITS;
	uint32_t *node = s->depth[level - 1] + first;
	__m512i x = _mm512_loadu_si512(node);

	if (level == 1)
		x = _mm512_max_epu32(x, least_behind_avx512(x, _mm512_set1_epi32((int)v)));
	else
		x = go_through_avx512(s, level - 1, first, x, UINT16_MAX, &v);
	_mm512_storeu_si512(node, x);
	return _mm512_reduce_min_epu32(x);
}

/* Passes *v through the children of a node, given as it was before, that are in `lanes`. The value
 * that enters each child is known before any child is updated, so none waits for another. */
TRC_TARGET("avx512f")
static __m512i
go_through_avx512(struct trc_opt_stack *s, unsigned level, size_t first, __m512i x, __mmask16 lanes,
                  uint32_t *v)
{
	const __m512i in = _mm512_mask_mov_epi32(_mm512_set1_epi32(-1), lanes, x);
	const __m512i behind = least_behind_avx512(in, _mm512_set1_epi32((int)*v));
	uint32_t comes[NODE];

	_mm512_storeu_si512(comes, behind);
	*v = first_lane(_mm512_min_epu32(in, behind));
	for (uint32_t less = _mm512_cmplt_epu32_mask(in, behind); less; less &= less - 1) {
		const unsigned k = (unsigned)trc_ctz64(less);
		const uint32_t now = descend_avx512(s, level, first + k, comes[k]);

		x = _mm512_mask_set1_epi32(x, (__mmask16)(1u << k), (int)now);
	}
	return x;
}

/* Passes *v through the node of the slot, which becomes a hole. */
TRC_TARGET("avx512f")
static inline __m512i
go_from_slot(__m512i x, size_t k, uint32_t *v)
{
	const __mmask16 at = (__mmask16)(1u << k), lanes = (__mmask16)(at - 1);
	const __m512i holes = _mm512_set1_epi32(-1);
	const __m512i in = _mm512_mask_mov_epi32(holes, lanes, x);
	const __m512i behind = least_behind_avx512(in, _mm512_set1_epi32((int)*v));

	*v = first_lane(_mm512_min_epu32(in, behind));
	return _mm512_mask_max_epu32(_mm512_mask_mov_epi32(x, at, holes), lanes, x, behind);
}

TRC_TARGET("avx512f")
static uint32_t
take_avx512(struct trc_opt_stack *s, size_t slot)
{
	uint32_t *node = s->depth[0] + slot / NODE * NODE;
	uint32_t v = s->depth[0][slot];
	__m512i x = go_from_slot(_mm512_loadu_si512(node), slot % NODE, &v);

	_mm512_storeu_si512(node, x);
	for (unsigned level = 1; level < s->levels; level++) {
		const size_t i = slot >> level * NODE_BITS, first = i / NODE * NODE;
		const __mmask16 at = (__mmask16)(1u << i % NODE), lanes = (__mmask16)(at - 1);
		const uint32_t now = _mm512_reduce_min_epu32(x);

		node = s->depth[level] + first;
		x = _mm512_mask_set1_epi32(_mm512_loadu_si512(node), at, (int)now);
		/* Usually no depth is less. */
		if (_mm512_mask_cmplt_epu32_mask(lanes, x, _mm512_set1_epi32((int)v)))
			x = go_through_avx512(s, level, first, x, lanes, &v);
		_mm512_storeu_si512(node, x);
	}
	return v;
}

/* Sets one depth and stores the node as a whole line: after a store of a single slot, a soon
 * following load of the node would wait. */
TRC_TARGET("avx512f")
static void
set_avx512(uint32_t *node, size_t k, uint32_t depth)
{
	const __m512i x = _mm512_loadu_si512(node);

	_mm512_storeu_si512(node, _mm512_mask_set1_epi32(x, (__mmask16)(1u << k), (int)depth));
}

static const struct trc_opt_stack_kernel avx512 = { "avx512", take_avx512, set_avx512 };
#endif

const struct trc_opt_stack_kernel *
trc_opt_stack_kernel(size_t i)
{
	const struct trc_opt_stack_kernel *all[4] = { 0 };
	size_t n = 0;

#if TRC_SIMD
	if (__builtin_cpu_supports("avx512f"))
		all[n++] = &avx512;
	if (__builtin_cpu_supports("avx2"))
		all[n++] = &avx2;
#endif
	all[n++] = &portable;
	return i < n ? all[i] : NULL;
}
