/* SPDX-License-Identifier: MIT
 *
 * The LRU stack in two parts.
 *
 * The top holds the TRC_STACK_TOP most recently used pages. Each has a seat that it keeps while it
 * is there, with a stamp, the time of its last use. Nearly all references of real programs find
 * their page here: its distance is 1 more than the number of seats with a later stamp, and the seat
 * gets a new stamp. This takes a few instructions over a row of bytes, without a branch that
 * depends on distances, and no reference waits for the one before it. Stamps are bytes: before they
 * run out, the seats are stamped anew in their order.
 *
 * All other pages are in the deep part, in the order in which they left the top, which is the order
 * of their last use. A page that leaves the top gets the next slot of a long array; a page that is
 * used again leaves a hole. So the position of a page is the number of pages in later slots
 * (ranks.h). When all slots were given out, the pages are moved together, into twice as many slots
 * if they would fill more than half of them. So this takes O(1) amortised for each slot.
 *
 * Page numbers are known some references ahead. If many pages are deep, the data that they need is
 * prefetched while others are processed.
 */
#include "stage/simulate/stack.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/hugepages.h"

enum {
	TOP = TRC_STACK_TOP,
	RUN = 64,               /* references processed after prefetching all that they need */
	MANY = 1 << 16,         /* slots; the data of fewer stays in a cache */
	STAMP_FIRST = INT8_MIN, /* stamps are signed, since processors compare signed bytes */
	STAMP_MOST = INT8_MAX,
};

#if defined(__GNUC__) && defined(__x86_64__) && !defined(TRC_NO_SIMD)
#define TRC_SIMD 1
#else
#define TRC_SIMD 0
#endif
#define NOBODY UINT32_MAX

/* Makes room for `slots` slots, and keeps the contents of the old ones. */
static int
set_slots(struct trc_stack *s, size_t slots, struct trc_err *err)
{
	if (trc_ranks_room(&s->ranks, slots, err) ||
	    trc_grow(&s->owner, &s->owners, slots, sizeof(*s->owner), err))
		return -1;
	trc_hugepages_advise(s->owner, slots * sizeof(*s->owner));
	return 0;
}

/* Gives the next slot to a page. */
static inline void
give_slot(struct trc_stack *s, uint32_t id)
{
	const size_t slot = s->next;

	if (slot % (1 << TRC_RANKS_BLOCK_BITS) == 0)
		trc_ranks_begin_block(&s->ranks, slot, s->deep);
	s->ranks.live[slot / 64] |= UINT64_C(1) << slot % 64;
	s->owner[slot] = id;
	s->where[id] = (uint32_t)(TOP + slot);
	s->deep++;
	s->next++;
}

/* Moves the pages together, in their order. A page never moves to a later slot, so slots that were
 * not processed yet are untouched. */
static int
renumber(struct trc_stack *s, struct trc_err *err)
{
	const size_t words = s->ranks.slots / 64;

	if (s->deep > s->ranks.slots / 2 && set_slots(s, 2 * s->ranks.slots, err))
		return -1;
	s->next = s->deep = 0;
	for (size_t w = 0; w < words; w++) {
		uint64_t live = s->ranks.live[w];

		s->ranks.live[w] = 0;
		for (; live; live &= live - 1)
			give_slot(s, s->owner[64 * w + (size_t)trc_ctz64(live)]);
	}
	return 0;
}

/* Returns how many seats of the top were used after the one with this stamp. */
static inline unsigned
stamps_above(const int8_t *stamp, int8_t old)
{
	uint8_t n = 0;

	for (size_t k = 0; k < TOP; k++)
		n += stamp[k] > old;
	return n;
}

/* Renumbers the stamps of the top from STAMP_FIRST on, in their order. */
static void
stamp_anew(struct trc_stack *s)
{
	int8_t stamp[TOP];

	for (size_t k = 0; k < TOP; k++) {
		const unsigned age = TOP - 1 - stamps_above(s->stamp, s->stamp[k]);

		stamp[k] = (int8_t)(STAMP_FIRST + (int)age);
		s->aged[age] = (uint8_t)k;
	}
	memcpy(s->stamp, stamp, TOP);
	s->now = STAMP_FIRST + TOP;
	s->oldest = 0;
}

/* Returns the seat that was used least recently: the first seat, in the order of the last
 * renumbering, that still has its stamp of that time. This avoids a search, which traces with many
 * misses would pay each time: a row of bytes cannot be loaded soon after one of them was stored. */
static inline size_t
oldest_seat(struct trc_stack *s)
{
	for (;;) {
		for (; s->oldest < TOP; s->oldest++)
			if (s->stamp[s->aged[s->oldest]] == STAMP_FIRST + s->oldest)
				return s->aged[s->oldest];
		stamp_anew(s);
	}
}

/* Gives the seat of the least recently used page of the top to a page that is not in the top.
 * Returns its stack distance, 0 if it is new. */
static TRC_ALWAYS_INLINE uint32_t
enter_top(struct trc_stack *s, uint32_t id)
{
	const size_t seat = oldest_seat(s);
	const uint32_t leaves = s->sitting[seat];
	uint32_t distance = 0;

	if (s->where[id] == NOBODY) {
		s->n++;
	} else {
		const size_t slot = s->where[id] - TOP;

		distance = s->n + 1 - (uint32_t)trc_ranks_up_to(&s->ranks, slot);
		trc_ranks_take(&s->ranks, slot);
		s->deep--;
	}
	if (leaves != NOBODY)
		give_slot(s, leaves);
	s->sitting[seat] = id;
	s->where[id] = (uint32_t)seat;
	s->stamp[seat] = (int8_t)s->now++;
	return distance;
}

static uint32_t
enter_portable(struct trc_stack *s, uint32_t id)
{
	return enter_top(s, id);
}

static size_t
top_portable(struct trc_stack *s, const uint32_t *id, size_t n, uint32_t *distance)
{
	for (size_t i = 0; i < n; i++) {
		const uint32_t seat = s->where[id[i]];

		if (seat >= TOP)
			return i;
		distance[i] = stamps_above(s->stamp, s->stamp[seat]) + 1u;
		s->stamp[seat] = (int8_t)s->now++;
	}
	return n;
}

static const struct trc_stack_kernel portable = { "portable", top_portable, enter_portable };

#if TRC_SIMD
#include <immintrin.h>

TRC_TARGET("avx2,bmi,popcnt")
static uint32_t
enter_avx2(struct trc_stack *s, uint32_t id)
{
	return enter_top(s, id);
}

/* Keeps the stamps in two registers. They are also stored in memory, from where the stamp of the
 * seat is read: it was stored as a byte and is read as a byte, so no reference waits for the one
 * before it. */
TRC_TARGET("avx2,bmi,popcnt")
static size_t
top_avx2(struct trc_stack *s, const uint32_t *id, size_t n, uint32_t *distance)
{
	const __m256i seats_a = _mm256_setr_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14,
	                                         15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27,
	                                         28, 29, 30, 31);
	const __m256i seats_b = _mm256_or_si256(seats_a, _mm256_set1_epi8(32));
	__m256i a = _mm256_loadu_si256((const __m256i *)s->stamp);
	__m256i b = _mm256_loadu_si256((const __m256i *)(s->stamp + 32));
	const uint32_t *where = s->where;
	int8_t *stamp = s->stamp;
	int now = s->now;
	size_t i;

	for (i = 0; i < n && where[id[i]] < TOP; i++) {
		const uint32_t at = where[id[i]];
		const __m256i seat = _mm256_set1_epi8((char)at), t = _mm256_set1_epi8((char)now);
		const __m256i old = _mm256_set1_epi8(stamp[at]);
		const uint32_t above_a = (uint32_t)_mm256_movemask_epi8(_mm256_cmpgt_epi8(a, old));
		const uint32_t above_b = (uint32_t)_mm256_movemask_epi8(_mm256_cmpgt_epi8(b, old));

		distance[i] = trc_ranks_ones(above_a | (uint64_t)above_b << 32) + 1;
		a = _mm256_blendv_epi8(a, t, _mm256_cmpeq_epi8(seats_a, seat));
		b = _mm256_blendv_epi8(b, t, _mm256_cmpeq_epi8(seats_b, seat));
		stamp[at] = (int8_t)now++;
	}
	s->now = now;
	return i;
}

static const struct trc_stack_kernel avx2 = { "avx2", top_avx2, enter_avx2 };
#endif

const struct trc_stack_kernel *
trc_stack_kernel(size_t i)
{
	const struct trc_stack_kernel *all[3] = { 0 };
	size_t n = 0;

#if TRC_SIMD
	if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi"))
		all[n++] = &avx2;
#endif
	all[n++] = &portable;
	return i < n ? all[i] : NULL;
}

/* Prefetches what references to the deep part will access: the ranks of the first `n`, and the
 * slots of those from `n` up to `end`. */
static TRC_ALWAYS_INLINE void
prefetch(const struct trc_stack *s, const uint32_t *id, size_t n, size_t end)
{
	for (size_t i = n; i < end; i++)
		TRC_PREFETCH(&s->where[id[i]]);
	for (size_t i = 0; i < n; i++)
		trc_ranks_prefetch(&s->ranks, (s->where[id[i]] - TOP) & (s->ranks.slots - 1));
}

/* Makes sure that there is a slot for the page that leaves the top. The first slots are allocated
 * with the first such page: of thousands of stacks, most are small. */
static int
make_slot(struct trc_stack *s, struct trc_err *err)
{
	if (s->ranks.slots > 0)
		return renumber(s, err);
	return s->sitting[oldest_seat(s)] == NOBODY ? 0 : set_slots(s, TRC_RANKS_LEAST, err);
}

/* Processes at most RUN references; returns how many were not in the top, or -1. */
static int
take_run(struct trc_stack *s, const uint32_t *id, size_t n, uint32_t *distance, struct trc_err *err)
{
	int entered = 0;

	for (size_t i = 0; i < n;) {
		if (TRC_UNLIKELY(s->now == STAMP_MOST))
			stamp_anew(s);
		if (s->where[id[i]] < TOP) {
			const size_t stamps = (size_t)(STAMP_MOST - s->now), left = n - i;

			i += s->kernel->top(s, id + i, left < stamps ? left : stamps, distance + i);
			continue;
		}
		if (TRC_UNLIKELY(s->next == s->ranks.slots) && make_slot(s, err))
			return -1;
		distance[i] = s->kernel->enter(s, id[i]);
		i++;
		entered++;
	}
	return entered;
}

void
trc_stack_init(struct trc_stack *s)
{
	*s = (struct trc_stack){ .kernel = trc_stack_kernel(0) };
	for (int k = 0; k < TOP; k++) {
		s->stamp[k] = (int8_t)k;
		s->sitting[k] = NOBODY;
	}
	stamp_anew(s);
}

void
trc_stack_release(struct trc_stack *s)
{
	free(s->where);
	free(s->owner);
	trc_ranks_release(&s->ranks);
	*s = (struct trc_stack){ 0 };
}

int
trc_stack_refs(struct trc_stack *s, const uint32_t *id, size_t n, uint32_t pages,
               uint32_t *distance, struct trc_err *err)
{
	const size_t old = s->wheres;

	if (trc_grow(&s->where, &s->wheres, pages, sizeof(*s->where), err))
		return -1;
	if (s->wheres > old) {
		trc_hugepages_advise(s->where, s->wheres * sizeof(*s->where));
		memset(s->where + old, 0xff, (s->wheres - old) * sizeof(*s->where));
	}
	for (size_t i = 0; i < n; i += RUN) {
		const size_t run = n - i < RUN ? n - i : RUN;

		if (s->entered > RUN / 16 && s->ranks.slots >= MANY)
			prefetch(s, id + i, run, n - i < 2 * RUN ? n - i : 2 * RUN);
		s->entered = take_run(s, id + i, run, distance + i, err);
		if (s->entered < 0)
			return -1;
	}
	return 0;
}

/* Takes a page off its seat, which becomes the least recently used one. */
static uint32_t
leave_seat(struct trc_stack *s, size_t seat)
{
	const uint32_t position = stamps_above(s->stamp, s->stamp[seat]) + 1;

	stamp_anew(s);
	for (size_t k = 0; k < TOP; k++)
		s->stamp[k] = (int8_t)(s->stamp[k] + (s->stamp[k] < s->stamp[seat]));
	s->stamp[seat] = STAMP_FIRST;
	for (size_t k = 0; k < TOP; k++)
		s->aged[s->stamp[k] - STAMP_FIRST] = (uint8_t)k;
	s->sitting[seat] = NOBODY;
	return position;
}

uint32_t
trc_stack_remove(struct trc_stack *s, uint32_t id)
{
	const uint32_t where = id < s->wheres ? s->where[id] : NOBODY;
	uint32_t position;

	if (where == NOBODY)
		return 0;
	if (where < TOP) {
		position = leave_seat(s, where);
	} else {
		position = s->n + 1 - (uint32_t)trc_ranks_up_to(&s->ranks, where - TOP);
		trc_ranks_take(&s->ranks, where - TOP);
		s->deep--;
	}
	s->where[id] = NOBODY;
	s->n--;
	return position;
}

void
trc_stack_order(const struct trc_stack *s, uint32_t *id)
{
	uint32_t n = 0;

	for (uint8_t k = 0; k < TOP; k++)
		if (s->sitting[k] != NOBODY) {
			id[stamps_above(s->stamp, s->stamp[k])] = s->sitting[k];
			n++;
		}
	for (size_t w = (s->next + 63) / 64; w-- > 0;)
		for (uint64_t live = s->ranks.live[w]; live;) {
			const int bit = 63 - trc_clz64(live);

			id[n++] = s->owner[64 * w + (size_t)bit];
			live &= ~(UINT64_C(1) << bit);
		}
}
