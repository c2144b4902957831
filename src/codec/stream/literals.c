/* SPDX-License-Identifier: MIT
 * Literals by context mixing; the same code serves both directions, so that they cannot diverge. */
#include "codec/stream/literals.h"

#include <assert.h>
#include <stdlib.h>

#include "codec/entropy/counter.h"
#include "codec/mixing/mixer.h"
#include "codec/entropy/corrupt.h"
#include "codec/mixing/match_model.h"

enum {
	WIDTH = 4,
	BITS = 32,
	HALF = 16,
	QUARTER = 8,
	CONTEXTS = 3,
	FEW = 2,   /* number of contexts for some groups */
	GROUP = 4, /* bits per slot */
	GROUPS = BITS / GROUP,
	NEAR = 4,  /* adjacent slots, which fill a cache line */
	LINE = 64, /* bytes */
	RATE = 8,
	SEEN = 8,   /* initial count of counters */
	LIMIT = 30, /* limit of counters */
	MOVE_LIMIT = 32,
	WEIGHT = 4000,

	FLAG_LEAST = 24, /* least probability of the flag */

	MATCH_LEAST = 2,
	BITS_MOST = 16,
};

#define SPREAD UINT32_C(0x9e3779b1)
#define HASH UINT32_C(0x2545f491)
#define HASH_BEFORE UINT64_C(0xd6e8feb86659fd93)
#define HASH_ABOVE UINT64_C(0x9e3779b97f4a7c15)

/* Histories of the bits of a group, indexed by the group's bits so far after a leading 1; entry 0
 * is a check. */
struct slot {
	uint8_t history[1 << GROUP];
};

static_assert(NEAR * sizeof(struct slot) == LINE, "lines are filled");

typedef int16_t maps[CONTEXTS][TRC_HISTORIES];

struct literals {
	const struct trc_logistic *logistic;
	uint8_t next[2][TRC_HISTORIES];
	struct trc_state_moves moves;
	maps map[BITS];
	int16_t weight[GROUPS][TRC_LANES];

	/* For the flag whether the match is right: */
	struct trc_counter by_hits[TRC_HISTORIES][TRC_MATCH_BUCKETS];
	struct trc_counter by_history[TRC_HISTORIES][TRC_MATCH_BUCKETS];
	int16_t match_weight[TRC_MATCH_BUCKETS][TRC_LANES];
	uint8_t history;

	unsigned table_bits, line_shift; /* of hashes to lines */
	int bits;                        /* in a literal */
	void *slots;
	struct slot *slot[CONTEXTS]; /* of each context; aligned to lines */
	uint32_t *seen;              /* by key: the last position of these literals, plus 1 */
	uint32_t *value;
	uint8_t *hits;
};

/* ---- setting up ---- */

size_t
trc_literals_memory(size_t n)
{
	const size_t all = (size_t)1 << trc_table_bits(n, BITS_MOST);

	return sizeof(struct literals) + all * (CONTEXTS * sizeof(struct slot) + sizeof(uint32_t)) +
	       LINE + n / WIDTH * (sizeof(uint32_t) + 1);
}

static void
init_tables(struct literals *m)
{
	const struct trc_logistic *l = trc_logistic();

	m->logistic = l;
	trc_state_moves_init(&m->moves, MOVE_LIMIT);
	trc_history_init(m->next);
	trc_state_map_init(m->map[0][0]);
	for (int b = 0; b < BITS; b++)
		for (int k = 0; k < CONTEXTS; k++)
			if (b + k > 0)
				memcpy(m->map[b][k], m->map[0][0], sizeof(m->map[0][0]));
	for (int g = 0; g < GROUPS; g++)
		for (int k = 0; k < CONTEXTS; k++)
			m->weight[g][k] = WEIGHT;
	m->history = 1;
	for (unsigned b = 0; b < TRC_MATCH_BUCKETS; b++)
		m->match_weight[b][0] = m->match_weight[b][1] = WEIGHT;
	for (unsigned h = 0; h < TRC_HISTORIES; h++) {
		const uint16_t p = trc_history_p(h);

		for (unsigned b = 0; b < TRC_MATCH_BUCKETS; b++) {
			const int x = trc_match_first(l, b, p);

			m->by_hits[h][b] = trc_counter_of((uint32_t)trc_squash(l, x), SEEN);
			m->by_history[h][b] = trc_counter_of(p, SEEN);
		}
	}
}

static void
literals_close(struct literals *m)
{
	if (!m)
		return;
	free(m->slots);
	free(m->seen);
	free(m->value);
	free(m->hits);
	free(m);
}

static struct literals *
literals_open(size_t n, int groups, struct trc_err *err)
{
	struct literals *m = trc_alloc(1, sizeof(*m), err);
	size_t all;

	if (!m)
		return NULL;
	m->bits = GROUP * groups;
	m->table_bits = trc_table_bits(n, BITS_MOST);
	m->line_shift = 66 - m->table_bits;
	all = (size_t)1 << m->table_bits;
	m->slots = trc_alloc_room(CONTEXTS * all + NEAR, sizeof(struct slot), err);
	m->seen = trc_alloc(all, sizeof(*m->seen), err);
	m->value = trc_alloc(n / WIDTH, sizeof(*m->value), err);
	m->hits = trc_alloc(n / WIDTH, 1, err);
	if (!m->slots || !m->seen || !m->value || !m->hits) {
		literals_close(m);
		return NULL;
	}
	m->slot[0] = (struct slot *)((uint8_t *)m->slots + (0 - (uintptr_t)m->slots) % LINE);
	memset(m->slot[0], 1, CONTEXTS * all * sizeof(*m->slot[0]));
	for (int k = 1; k < CONTEXTS; k++)
		m->slot[k] = m->slot[k - 1] + all;
	init_tables(m);
	return m;
}

/* ---- slots ---- */

static inline uint32_t
spread(uint32_t h)
{
	h *= SPREAD;
	h ^= h >> 15;
	h *= UINT32_C(0x85ebca6b);
	return h ^ h >> 13;
}

/* The positions of the slots of a group. The address of a line does not depend on the last two bits
 * above the group, so it is known, and prefetched, before they are. */
struct lines {
	uint64_t context[CONTEXTS], hash[CONTEXTS];
	struct slot *at[CONTEXTS];
};

/* The previous fields. */
struct before {
	uint32_t last, last2;
};

/* Returns the number of contexts for the group whose highest bit is `b`; in some groups the third
 * context predicts little. */
static inline int
contexts_of(int b)
{
	return b > HALF || b == GROUP ? FEW : CONTEXTS;
}

/* Computes the contexts for the group whose highest bit is `b` and the groups after it; other
 * contexts begin at HALF and at QUARTER. */
static TRC_ALWAYS_INLINE void
find_contexts(struct lines *l, struct before u, int b)
{
	l->context[0] = 0;
	l->context[1] = (b > HALF    ? u.last >> 8 :
	                 b > QUARTER ? u.last2 >> 8 ^ (u.last >> 8) * SPREAD :
	                               u.last) *
	                        HASH_BEFORE +
	                1;
	l->context[2] = (u.last >> 8) * HASH_BEFORE + 2;
}

/* Finds the lines of the next group, and prefetches them. */
static TRC_ALWAYS_INLINE void
find_lines(const struct literals *m, struct lines *l, int contexts, uint32_t above)
{
	const uint64_t hash = above * HASH_ABOVE;

#pragma GCC unroll 3
	for (int k = 0; k < contexts; k++) {
		l->hash[k] = l->context[k] + hash;
		l->at[k] = m->slot[k] + (l->hash[k] >> m->line_shift) * NEAR;
		TRC_PREFETCH(l->at[k]);
	}
}

/* Returns the slot for these bits or, in place of the less used of two slots, a new one. */
static inline uint8_t *
find_slot(struct slot *line, uint64_t hash, uint32_t above)
{
	const uint8_t check = (uint8_t)(((uint32_t)(hash >> 32) + above) | 2);
	struct slot *s = &line[above % NEAR], *t = &line[above % NEAR ^ 1];

	if (TRC_LIKELY(s->history[0] == check))
		return s->history;
	if (t->history[0] == check)
		return t->history;
	s = t->history[1] < s->history[1] ? t : s;
	memset(s, 1, sizeof(*s));
	s->history[0] = check;
	return s->history;
}

/* ---- bits ---- */

/* The state of a group while its bits are coded. */
struct group {
	int contexts;
	uint8_t *slot[CONTEXTS];
	trc_lanes weight;
};

/* Updates the models of a bit. */
static TRC_ALWAYS_INLINE void
learn(const struct literals *m, struct group *g, maps map, size_t node, trc_lanes input, int p,
      unsigned bit)
{
	g->weight = trc_lanes_taught(g->weight, input, trc_mixer_error(p, bit, RATE));
#pragma GCC unroll 3
	for (int k = 0; k < g->contexts; k++) {
		uint8_t *history = &g->slot[k][node];
		int16_t *x = &map[k][*history];

		*x = trc_state_move(&m->moves, *x, bit);
		*history = m->next[bit][*history];
	}
}

/* Codes a bit of a group. The branch lets the compiler generate separate code for each value in
 * what follows. */
static TRC_ALWAYS_INLINE unsigned
code_bit(const struct literals *m, struct trc_rc *rc, bool writes, struct group *g, maps map,
         size_t node, unsigned bit)
{
	const int x = map[0][g->slot[0][node]], y = map[1][g->slot[1][node]];
	const trc_lanes input = g->contexts < CONTEXTS ?
	                                trc_lanes_two(x, y) :
	                                trc_lanes_three(x, y, map[2][g->slot[2][node]]);
	const int p = trc_squash(m->logistic, trc_lanes_y_half(g->weight, input));

	if (trc_rc_code_p1(rc, writes, p, bit)) {
		learn(m, g, map, node, input, p, 1);
		return 1;
	}
	learn(m, g, map, node, input, p, 0);
	return 0;
}

/* Codes two bits of a group; `node` is the bits before them after a leading 1. The branch on the
 * first bit makes the node of the second a constant, which becomes part of addresses. */
static TRC_ALWAYS_INLINE unsigned
code_pair(const struct literals *m, struct trc_rc *rc, bool writes, struct group *g, maps *map,
          size_t node, unsigned bits)
{
	if (code_bit(m, rc, writes, g, map[1], node, bits >> 1 & 1))
		return 2 | code_bit(m, rc, writes, g, map[0], 2 * node + 1, bits & 1);
	return code_bit(m, rc, writes, g, map[0], 2 * node, bits & 1);
}

/* Codes the group whose highest bit is `b` with `contexts` contexts; returns `above` extended by
 * its bits. */
static TRC_ALWAYS_INLINE uint32_t
code_group(struct literals *m, struct trc_rc *rc, bool writes, int contexts, struct lines *lines,
           struct before before, int b, uint32_t above, uint32_t value)
{
	struct group g = { .contexts = contexts };
	maps *map = &m->map[b - GROUP];
	int16_t *weight = m->weight[b / GROUP - 1];
	unsigned pair;

#pragma GCC unroll 3
	for (int k = 0; k < contexts; k++)
		g.slot[k] = find_slot(lines->at[k], lines->hash[k], above);
	g.weight = trc_lanes_load(weight);
	pair = code_pair(m, rc, writes, &g, map + 2, 1, value >> (b - 2) & 3);
	above = above << 2 | pair;
	if (b > GROUP) {
		if (b == HALF + GROUP || b == QUARTER + GROUP)
			find_contexts(lines, before, b - GROUP);
		find_lines(m, lines, contexts_of(b - GROUP), above);
	}
	pair = code_pair(m, rc, writes, &g, map, 4 + pair, value >> (b - 4) & 3);
	trc_lanes_store(weight, g.weight);
	return above << 2 | pair;
}

/* Codes all bits of a literal, and returns the literal. */
static TRC_ALWAYS_INLINE uint32_t
code_bits(struct literals *m, struct trc_rc *whole, bool writes, struct before before,
          uint32_t value)
{
	struct trc_rc rc = *whole; /* kept in registers */
	uint32_t above = 1;
	struct lines lines;
	int b = m->bits;

	find_contexts(&lines, before, b);
	find_lines(m, &lines, CONTEXTS, 0);
	for (; b > HALF; b -= GROUP)
		above = code_group(m, &rc, writes, FEW, &lines, before, b, above, value);
	for (; b > GROUP; b -= GROUP)
		above = code_group(m, &rc, writes, CONTEXTS, &lines, before, b, above, value);
	above = code_group(m, &rc, writes, FEW, &lines, before, b, above, value);
	*whole = rc;
	return m->bits < BITS ? above - (UINT32_C(1) << m->bits) : above;
}

/* Separate functions, so that all registers are available for bits. */
static TRC_NO_INLINE uint32_t
read_bits(struct literals *m, struct trc_rc *rc, struct before before)
{
	return code_bits(m, rc, false, before, 0);
}

static TRC_NO_INLINE uint32_t
write_bits(struct literals *m, struct trc_rc *rc, struct before before, uint32_t value)
{
	return code_bits(m, rc, true, before, value);
}

/* ---- literals ---- */

/* Codes whether a literal is the one that a match expects. */
static TRC_ALWAYS_INLINE bool
code_match(struct literals *m, struct trc_rc *rc, bool writes, unsigned bucket, unsigned hits,
           bool right)
{
	struct trc_counter *by_hits = &m->by_hits[hits][bucket];
	struct trc_counter *by_history = &m->by_history[m->history][bucket];
	const trc_lanes input =
	        trc_lanes_two(trc_stretch(m->logistic, (uint16_t)trc_counter_p(*by_hits)),
	                      trc_stretch(m->logistic, (uint16_t)trc_counter_p(*by_history)));
	int16_t *weight = m->match_weight[bucket];
	const int p =
	        trc_keep(trc_squash(m->logistic, trc_lanes_y_half(trc_lanes_load(weight), input)),
	                 FLAG_LEAST, 65536 - FLAG_LEAST);

	right = trc_rc_code_p1(rc, writes, p, right);
	trc_lanes_learn(weight, input, trc_mixer_error(p, right, RATE));
	trc_counter_learn(by_hits, right, LIMIT);
	trc_counter_learn(by_history, right, LIMIT);
	m->history = m->next[right][m->history];
	return right;
}

static TRC_ALWAYS_INLINE void
code_literal(struct literals *m, struct trc_rc *rc, bool writes, struct trc_match *a, size_t i)
{
	const struct before before = { i > 0 ? m->value[i - 1] : 0, i > 1 ? m->value[i - 2] : 0 };
	const bool is_expected = a->at > 0;
	const uint32_t expected = is_expected ? m->value[a->at] : 0;
	const unsigned hits = is_expected ? m->hits[a->at] : 1;
	uint32_t value = writes ? m->value[i] : 0;
	const bool right = is_expected && code_match(m, rc, writes, trc_match_bucket(a->len), hits,
	                                             value == expected);

	value = right  ? expected :
	        writes ? write_bits(m, rc, before, value) :
	                 read_bits(m, rc, before);
	m->value[i] = value;
	m->hits[i] = 1;
	if (is_expected) {
		m->hits[i] = m->next[value == expected][hits];
		trc_match_follow(a, value == expected);
	}
	if (i > 0) {
		const uint32_t hash = spread(value * HASH + before.last);
		uint32_t *entry = &m->seen[hash >> (32 - m->table_bits)];

		if (a->len == 0)
			trc_match_try(a, m->value, WIDTH, trc_match_noted(*entry, hash), i + 1,
			              MATCH_LEAST);
		*entry = trc_match_note(i + 1, hash);
	}
}

/* Codes all literals, with the range coder mostly in registers. */
static TRC_ALWAYS_INLINE void
code_all(struct literals *m, struct trc_rc *whole, bool writes, size_t n)
{
	struct trc_match a = { 0 };
	struct trc_rc rc = *whole;

	for (size_t i = 0; i < n && !trc_rc_overrun(&rc); i++)
		code_literal(m, &rc, writes, &a, i);
	*whole = rc;
}

/* ---- both directions ---- */

int
trc_literals_write(const uint8_t *raw, size_t n, struct trc_buf *out, struct trc_err *err)
{
	struct literals *m;
	struct trc_rc rc;
	uint32_t all = 1;
	int groups;

	assert(n % WIDTH == 0);
	for (size_t i = 0; i < n; i += WIDTH)
		all |= trc_be32(raw + i);
	groups = (64 - trc_clz64(all) + GROUP - 1) / GROUP;
	if (trc_buf_put_byte(out, (unsigned)groups, err))
		return -1;
	m = literals_open(n, groups, err);
	if (!m)
		return -1;
	for (size_t i = 0; i < n; i += WIDTH)
		m->value[i / WIDTH] = trc_be32(raw + i);
	trc_rc_write(&rc, out);
	code_all(m, &rc, true, n / WIDTH);
	literals_close(m);
	return trc_rc_finish(&rc, err);
}

int
trc_literals_read(const uint8_t *p, size_t len, uint8_t *raw, size_t n, struct trc_err *err)
{
	struct literals *m;
	struct trc_rc rc;

	if (len == 0 || p[0] < 1 || p[0] > GROUPS || n % WIDTH != 0)
		return trc_corrupt(err, "a stream of literals is damaged");
	m = literals_open(n, p[0], err);
	if (!m)
		return -1;
	trc_rc_read(&rc, p + 1, p + len);
	code_all(m, &rc, false, n / WIDTH);
	for (size_t i = 0; i < n; i += WIDTH)
		trc_put_be32(raw + i, m->value[i / WIDTH]);
	literals_close(m);
	if (!trc_rc_ended(&rc))
		return trc_corrupt(err, "a stream of literals is damaged");
	return 0;
}
