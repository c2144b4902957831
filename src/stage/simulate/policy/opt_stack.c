/* SPDX-License-Identifier: MIT
 *
 * The stack of MIN, maintained as if the future were this: each page once more, the least recently
 * used first. This suffices because:
 *
 *   The sets of pages that a memory of m pages can hold now, after all its possible hits, are only
 *   restricted by numbers: for every t, by how many pages last used before t they may contain,
 *   since each page that is kept takes a frame from its last use on. One of these sets takes pages
 *   from the oldest on, each if it still fits. A page can be held exactly if the oldest page of
 *   this set is as old or older. So this set decides about hits, and a page that hits replaces the
 *   newest page of the set that is as old or older.
 *
 * The sets of all sizes are nested, since MIN has the inclusion property, with one more page for
 * each size: they form a stack. Let the pages be in order of their last use, each with its depth in
 * the stack. A reference to page x of depth p has this distance and this effect:
 *
 *   v = p; for each page older than x, from the newest of them to the oldest: if its depth is less
 *   than v, exchange the two
 *
 *   v is the distance, the least depth of all pages that are not newer than x. It becomes the depth
 *   of the previously referenced page, which was at depth 1, where x now is. A new page also goes
 *   on top, and the previous page then gets the new depth at the bottom.
 *
 * Here pages are in slots, in order of time. A tree has the least depth of each node of 16 slots,
 * of 16 such nodes, and so on. When v passes a node whose least depth is less than v, it leaves
 * with that depth, and the node gets v in exchange. So v is known beyond a node before its inside
 * is updated, and only nodes whose least depth is less than v are visited. A page that is used
 * again leaves a hole. When all slots were given out, the pages are moved together, into twice as
 * many slots if they would fill more than half of them.
 *
 * A deleted page was held by sizes from its depth v on. Each of them can hold instead the oldest of
 * the newer pages that it does not hold: from the deleted page to the newest, each page exchanges
 * its depth with v if it is less. The final v is a hole (holes.h): it replaces the depth that a
 * reference gives to the previously referenced page.
 *
 * With bypass, the page being used needs a frame only if it is kept until its next use, like all
 * others. Then v becomes its own depth, a new page is at the bottom, and no page is at depth 1
 * because it was used last. (Two requests with a request to a unique page between them, in a memory
 * of one more page, are equivalent.)
 *
 * A reference takes O(log n) for each node that is updated: eight on average for cache lines of
 * compilers and databases, hundreds if pages are drawn at random from a hundred thousand.
 */
#include "stage/simulate/policy/opt_stack.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/hugepages.h"

enum {
	NODE_BITS = 4,
	NODE = 1 << NODE_BITS,
	SLOTS_FIRST = 1 << 8,
};

#if defined(__GNUC__) && defined(__x86_64__) && !defined(TRC_NO_SIMD)
#define TRC_SIMD 1
#else
#define TRC_SIMD 0
#endif
#define NONE UINT32_MAX /* depth of a hole; no page */
#define SLOTS_MOST (UINT32_C(1) << 31)

/* Returns how many numbers a level has, in whole nodes. */
static size_t
level_numbers(size_t slots, unsigned level)
{
	const size_t n = slots >> level * NODE_BITS;

	return n < NODE ? NODE : n;
}

/* Makes room for `slots` slots. Level 0 is kept; all other levels are cleared to holes. */
static int
set_slots(struct trc_opt_stack *s, size_t slots, struct trc_err *err)
{
	size_t depths = s->slots, owners = s->slots;

	if (slots > SLOTS_MOST)
		return trc_fail_as(err, TRC_NO_MEMORY, "too many pages");
	if (trc_grow(&s->depth[0], &depths, slots, sizeof(*s->depth[0]), err) ||
	    trc_grow(&s->owner, &owners, slots, sizeof(*s->owner), err))
		return -1;
	trc_hugepages_advise(s->depth[0], slots * sizeof(*s->depth[0]));
	trc_hugepages_advise(s->owner, slots * sizeof(*s->owner));
	memset(s->depth[0] + s->slots, 0xff, (slots - s->slots) * sizeof(*s->depth[0]));
	for (s->levels = 1; slots >> s->levels * NODE_BITS > 0; s->levels++) {
		free(s->depth[s->levels]);
		s->depth[s->levels] = trc_alloc(level_numbers(slots, s->levels), sizeof(uint32_t),
		                                err);
		if (!s->depth[s->levels])
			return -1;
	}
	s->slots = slots;
	return 0;
}

static inline uint32_t
least_of(const uint32_t *node)
{
	uint32_t least = node[0];

	for (int k = 1; k < NODE; k++)
		least = node[k] < least ? node[k] : least;
	return least;
}

/* Computes the numbers of all levels above the slots. */
static void
sum_up(struct trc_opt_stack *s)
{
	for (unsigned level = 1; level < s->levels; level++) {
		const size_t n = s->slots >> level * NODE_BITS;

		memset(s->depth[level], 0xff,
		       level_numbers(s->slots, level) * sizeof(*s->depth[level]));
		for (size_t i = 0; i < n; i++)
			s->depth[level][i] = least_of(s->depth[level - 1] + i * NODE);
	}
}

/* Moves the pages together, in their order. */
static int
renumber(struct trc_opt_stack *s, struct trc_err *err)
{
	const size_t slots = s->slots;

	if (s->n > slots / 2 && set_slots(s, 2 * slots, err))
		return -1;
	s->next = 0;
	for (size_t i = 0; i < slots; i++) {
		const uint32_t depth = s->depth[0][i];

		s->depth[0][i] = NONE;
		if (depth == NONE)
			continue;
		s->depth[0][s->next] = depth;
		s->owner[s->next] = s->owner[i];
		s->slot[s->owner[i]] = (uint32_t)s->next++;
	}
	sum_up(s);
	return 0;
}

/* Gives the next slot to the previously referenced page, now at this depth. */
static inline void
give_slot(struct trc_opt_stack *s, uint32_t depth)
{
	size_t i = s->next++;

	s->owner[i] = s->newest;
	s->slot[s->newest] = (uint32_t)i;
	s->kernel->set(s->depth[0] + i / NODE * NODE, i % NODE, depth);
	for (unsigned level = 1; level < s->levels; level++) {
		i >>= NODE_BITS;
		if (s->depth[level][i] <= depth)
			break;
		s->depth[level][i] = depth;
	}
}

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
	s->depth[level][i] = least_of(s->depth[level - 1] + first);
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
			s->depth[level + 1][i / NODE] = least_of(s->depth[level] + first);
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

/* Handles the most frequent case, a reference to the page before the most recent one: the two
 * exchange places. Pages with slots have a depth of at least 2, so no other page changes. */
static inline bool
swap_two(struct trc_opt_stack *s, size_t slot)
{
	if (slot + 1 != s->next || s->depth[0][slot] != 2)
		return false;
	s->owner[slot] = s->newest;
	s->slot[s->newest] = (uint32_t)slot;
	return true;
}

/* Takes a page out of its slot, if it has one; returns its distance, and sets *depth to the depth
 * that becomes free. */
static inline uint32_t
take_out(struct trc_opt_stack *s, uint32_t id, uint32_t *depth)
{
	uint32_t distance = 0;

	if (s->slot[id] != NONE) {
		distance = s->kernel->take(s, s->slot[id]);
		s->next -= s->slot[id] + 1 == s->next;
	}
	*depth = trc_holes_fill(&s->holes, distance);
	if (!*depth)
		*depth = distance ? distance : ++s->n;
	return distance;
}

static inline uint32_t
refer_bypass(struct trc_opt_stack *s, uint32_t id)
{
	const uint32_t slot = s->slot[id];
	uint32_t distance, depth;

	if (slot != NONE && slot + 1 == s->next && s->depth[0][slot] == 1)
		return 1;
	distance = take_out(s, id, &depth);
	s->newest = id;
	give_slot(s, depth);
	s->newest = NONE;
	return distance;
}

static inline uint32_t
refer(struct trc_opt_stack *s, uint32_t id)
{
	uint32_t distance, depth;

	if (id == s->newest)
		return 1;
	if (s->newest != NONE && s->slot[id] != NONE && swap_two(s, s->slot[id])) {
		s->newest = id;
		return 2;
	}
	distance = take_out(s, id, &depth);
	if (s->newest != NONE)
		give_slot(s, depth);
	s->slot[id] = 0;
	s->newest = id;
	return distance;
}

/* Returns the least depth of the pages up to a slot. */
static uint32_t
least_up_to(const struct trc_opt_stack *s, size_t slot)
{
	uint32_t v = NONE;

	for (unsigned level = 0; level < s->levels; level++, slot >>= NODE_BITS) {
		const size_t end = slot + (level == 0);

		for (size_t i = slot / NODE * NODE; i < end; i++)
			v = s->depth[level][i] < v ? s->depth[level][i] : v;
	}
	return v;
}

static void
set_depth(struct trc_opt_stack *s, size_t slot, uint32_t depth)
{
	s->depth[0][slot] = depth;
	for (unsigned level = 1; level < s->levels; level++) {
		const size_t node = slot >> level * NODE_BITS;

		s->depth[level][node] = least_of(s->depth[level - 1] + node * NODE);
	}
}

/* Passes v through the slots after `slot`, to the newest; returns the final v. */
static uint32_t
leave(struct trc_opt_stack *s, size_t slot, uint32_t v)
{
	for (size_t i = slot + 1; i < s->next; i++) {
		const uint32_t depth = s->depth[0][i];

		if (depth != NONE && depth > v) {
			set_depth(s, i, v);
			v = depth;
		}
	}
	return v;
}

int
trc_opt_stack_remove(struct trc_opt_stack *s, uint32_t id, uint32_t *distance, struct trc_err *err)
{
	const uint32_t slot = id < s->pages ? s->slot[id] : NONE;
	uint32_t v = 1;

	*distance = slot != NONE;
	if (slot == NONE)
		return 0;
	if (id == s->newest) {
		s->newest = NONE;
	} else {
		v = s->depth[0][slot];
		*distance = least_up_to(s, slot);
		set_depth(s, slot, NONE);
		v = leave(s, slot, v);
	}
	s->slot[id] = NONE;
	return trc_holes_put(&s->holes, v, err);
}

int
trc_opt_stack_init(struct trc_opt_stack *s, struct trc_err *err)
{
	*s = (struct trc_opt_stack){ .newest = NONE, .kernel = trc_opt_stack_kernel(0) };
	if (set_slots(s, SLOTS_FIRST, err)) {
		trc_opt_stack_release(s);
		return -1;
	}
	sum_up(s);
	return 0;
}

void
trc_opt_stack_release(struct trc_opt_stack *s)
{
	free(s->holes.hole);
	free(s->slot);
	free(s->owner);
	for (int level = 0; level < TRC_OPT_STACK_LEVELS; level++)
		free(s->depth[level]);
	*s = (struct trc_opt_stack){ 0 };
}

int
trc_opt_stack_refs(struct trc_opt_stack *s, const uint32_t *id, size_t n, uint32_t pages,
                   uint32_t *distance, struct trc_err *err)
{
	const size_t old = s->pages;

	if (trc_grow(&s->slot, &s->pages, pages, sizeof(*s->slot), err))
		return -1;
	memset(s->slot + old, 0xff, (s->pages - old) * sizeof(*s->slot));
	for (size_t i = 0; i < n; i++) {
		if (TRC_UNLIKELY(s->next == s->slots) && renumber(s, err))
			return -1;
		distance[i] = s->bypass ? refer_bypass(s, id[i]) : refer(s, id[i]);
	}
	return 0;
}

void
trc_opt_stack_order(const struct trc_opt_stack *s, uint32_t *id)
{
	for (uint32_t i = 0; s->holes.n && i < s->n; i++)
		id[i] = NONE;
	if (s->n > 0 && !s->bypass)
		id[0] = s->newest;
	for (size_t i = 0; i < s->next; i++)
		if (s->depth[0][i] != NONE)
			id[s->depth[0][i] - 1] = s->owner[i];
}
