/* SPDX-License-Identifier: MIT
 * Literals by light mixing: one code for both directions, so that they cannot drift apart. */
#include "codec/literals.h"

#include <assert.h>
#include <stdlib.h>

#include "codec/light.h"

enum {
	WIDTH = 4,
	BITS = 32,
	CONTEXTS = 3,
	LANES = 8,
	GROUP = 4, /* bits that a slot is for */
	STATES = 9,
	RATE = 8,
	WEIGHT = 2500,
	MOST = 2047, /* of y */

	MATCH_LEAST = 2,
	BITS_MOST = 16,
};

#define SPREAD UINT32_C(0x9e3779b1)
#define HASH UINT32_C(0x2545f491)

/* Histories of the decisions on a group, by its bits so far behind a 1; that of 0 is a check. */
struct slot {
	uint8_t history[1 << GROUP];
};

/* Of a group: weights by how many contexts know it, and by what the match says. */
typedef int16_t weights[STATES][LANES];

struct literals {
	struct trc_logistic logistic;
	uint8_t next[2][TRC_HISTORIES];
	uint16_t map[BITS][CONTEXTS][TRC_HISTORIES];
	weights weight[BITS / GROUP][CONTEXTS + 1];
	int16_t input[LANES];
	uint16_t right[TRC_HISTORIES][TRC_GRADES][2], sure[TRC_GRADES];

	unsigned table_bits;
	int bits;             /* of a literal */
	struct slot *slot[CONTEXTS];
	uint32_t *seen;       /* by key: the place behind */
	uint32_t *value;
	uint8_t *record;
};

/* ---- setting up ---- */

size_t
trc_literals_memory(size_t n)
{
	const size_t all = (size_t)1 << trc_table_bits(n, BITS_MOST);

	return sizeof(struct literals) + all * (CONTEXTS * sizeof(struct slot) + sizeof(uint32_t)) +
	       n / WIDTH * (sizeof(uint32_t) + 1);
}

static void
init_tables(struct literals *m)
{
	const struct trc_logistic *l = &m->logistic;

	trc_logistic_init(&m->logistic);
	trc_light_init_next(m->next);
	for (int b = 0; b < BITS; b++)
		for (int k = 0; k < CONTEXTS; k++)
			memcpy(m->map[b][k], l->map, sizeof(l->map));
	for (int b = 0; b < BITS / GROUP; b++)
		for (int known = 0; known <= CONTEXTS; known++)
			for (int s = 0; s < STATES; s++)
				for (int k = 0; k <= CONTEXTS; k++)
					m->weight[b][known][s][k] = WEIGHT;
	m->input[CONTEXTS + 1] = 256;
	for (int g = 0; g < TRC_GRADES; g++)
		for (int r = 0; r < TRC_HISTORIES; r++) {
			m->sure[g] = trc_light_trust(l, g, r);
			m->right[r][g][0] = m->right[r][g][1] = m->sure[g];
		}
}

static void
literals_close(struct literals *m)
{
	if (!m)
		return;
	free(m->slot[0]);
	free(m->seen);
	free(m->value);
	free(m->record);
	free(m);
}

static struct literals *
literals_open(size_t n, int bits, struct trc_err *err)
{
	struct literals *m = trc_alloc(1, sizeof(*m), err);
	size_t all;

	if (!m)
		return NULL;
	m->bits = bits;
	m->table_bits = trc_table_bits(n, BITS_MOST);
	all = (size_t)1 << m->table_bits;
	m->slot[0] = trc_alloc(CONTEXTS * all, sizeof(*m->slot[0]), err);
	m->seen = trc_alloc(all, sizeof(*m->seen), err);
	m->value = trc_alloc(n / WIDTH, sizeof(*m->value), err);
	m->record = trc_alloc(n / WIDTH, 1, err);
	if (!m->slot[0] || !m->seen || !m->value || !m->record) {
		literals_close(m);
		return NULL;
	}
	memset(m->slot[0], 1, CONTEXTS * all * sizeof(*m->slot[0]));
	for (int k = 1; k < CONTEXTS; k++)
		m->slot[k] = m->slot[k - 1] + all;
	init_tables(m);
	return m;
}

/* ---- bits ---- */

static inline uint32_t
spread(uint32_t h)
{
	h *= SPREAD;
	h ^= h >> 15;
	h *= UINT32_C(0x85ebca6b);
	return h ^ h >> 13;
}

/* The slot of a hash, or in place of the one of two that was used less, a new one. */
static inline uint8_t *
find_slot(struct slot *table, unsigned bits, uint32_t h)
{
	const uint8_t check = (uint8_t)(h | 2);
	struct slot *s = &table[h >> (32 - bits)], *t = &table[h >> (32 - bits) ^ 1];

	if (s->history[0] == check)
		return s->history;
	if (t->history[0] == check)
		return t->history;
	s = t->history[1] < s->history[1] ? t : s;
	memset(s, 1, sizeof(*s));
	s->history[0] = check;
	return s->history;
}

/* What the match says, as long as its bits come true. */
struct expected {
	bool is;
	uint32_t value;
	unsigned state;
	int16_t x[2];
	uint16_t *right;
};

static TRC_ALWAYS_INLINE void
expect(struct literals *m, struct expected *e, uint32_t value, unsigned grade, unsigned record)
{
	e->value = value;
	e->state = 1 + 2 * (grade > 11 ? 3 : grade > 3 ? 2 : grade > 1 ? 1 : 0);
	e->right = m->right[record][grade];
	e->x[0] = (int16_t)-trc_stretch(&m->logistic, e->right[0]);
	e->x[1] = trc_stretch(&m->logistic, e->right[1]);
}

/* Codes bit `b` by the histories slot[k][node]. Inputs are kept in memory for the vectors that
 * learn; summed one by one, they need not go there before. */
static TRC_ALWAYS_INLINE unsigned
code_bit(struct literals *m, struct trc_rc *rc, bool writes, struct expected *e,
         uint8_t *const slot[CONTEXTS], unsigned node, unsigned known, int b, unsigned bit)
{
	const unsigned expected = e->value >> b & 1;
	int16_t *weight = m->weight[b / GROUP][known][e->is ? e->state + expected : 0];
	const int16_t said = e->is ? e->x[expected] : 0;
	int sum = weight[CONTEXTS] * said + weight[CONTEXTS + 1] * 256, p;
	uint16_t *map[CONTEXTS];
	const uint8_t *next;

	m->input[CONTEXTS] = said;
	for (int k = 0; k < CONTEXTS; k++) {
		int16_t x;

		map[k] = &m->map[b][k][slot[k][node]];
		x = trc_stretch(&m->logistic, *map[k]);
		m->input[k] = x;
		sum += weight[k] * x;
	}
	p = trc_squash(&m->logistic, trc_keep(sum >> TRC_WEIGHT_BITS, -MOST, MOST));
	bit = trc_light_decide(rc, writes, p, bit);

	trc_lanes_learn(weight, m->input, LANES, p, bit, RATE);
	next = m->next[bit];
	for (int k = 0; k < CONTEXTS; k++) {
		trc_move(map[k], bit, TRC_MOVE);
		slot[k][node] = next[slot[k][node]];
	}
	if (e->is) {
		trc_move(&e->right[expected], bit == expected, TRC_MOVE);
		e->is = bit == expected;
	}
	return bit;
}

/* Codes all bits of a literal behind `before`, and returns it. */
static TRC_ALWAYS_INLINE uint32_t
code_bits(struct literals *m, struct trc_rc *rc, bool writes, struct expected *e, uint32_t before,
          uint32_t value)
{
	const uint32_t context[CONTEXTS] = { 0, before * HASH + 1, (before >> 8) * HASH + 2 };
	uint32_t so_far = 1;

	for (int b = m->bits; b > 0;) {
		const int end = (b - 1) / GROUP * GROUP, len = b - end;
		unsigned node = 1, known = 0;
		uint8_t *slot[CONTEXTS];

		for (int k = 0; k < CONTEXTS; k++) {
			const uint32_t h = spread(context[k] + so_far * UINT32_C(0x3d4d51cb));

			slot[k] = find_slot(m->slot[k], m->table_bits, h);
			known += slot[k][1] > 1;
		}
		while (b > end) {
			b--;
			node = node * 2 + code_bit(m, rc, writes, e, slot, node, known, b,
			                           value >> b & 1);
		}
		so_far = (so_far << len) + (node - (1u << len));
	}
	return m->bits < BITS ? so_far - (UINT32_C(1) << m->bits) : so_far;
}

/* ---- literals ---- */

/* Looks for a match behind the literal at place i, unless there is one, and notes the place. */
static inline void
find_match(struct literals *m, struct trc_light_match *a, size_t i)
{
	const uint32_t *value = m->value;

	if (i > 0) {
		const uint32_t h = spread(value[i] * HASH + value[i - 1]);
		uint32_t *seen = &m->seen[h >> (32 - m->table_bits)];

		if (a->len == 0 && *seen > 0) {
			unsigned len = 0;

			while (len < *seen && len < TRC_LIGHT_LOOK &&
			       value[*seen - 1 - len] == value[i - len])
				len++;
			if (len >= MATCH_LEAST)
				*a = (struct trc_light_match){ *seen, len, 0, true };
		}
		*seen = (uint32_t)(i + 1);
	}
	if (a->len == 0 && a->is)
		a->len = 1;
}

static TRC_ALWAYS_INLINE void
code_literal(struct literals *m, struct trc_rc *rc, bool writes, struct trc_light_match *a,
             size_t i)
{
	const unsigned record = a->len ? m->record[a->at] : 1;
	const unsigned grade = trc_grade(a->len);
	struct expected e = { .is = a->len > 0 };
	uint32_t value = writes ? m->value[i] : 0;
	unsigned right = 0;

	expect(m, &e, e.is ? m->value[a->at] : 0, grade, record);
	if (e.is && record == TRC_LIGHT_ALWAYS) {
		right = trc_light_decide(rc, writes, trc_keep(m->sure[grade], 24, 65536 - 24),
		                         value == e.value);
		trc_move(&m->sure[grade], right, TRC_MOVE);
		e.is = false;
	}
	value = right ? e.value : code_bits(m, rc, writes, &e, i ? m->value[i - 1] : 0, value);
	m->value[i] = value;
	m->record[i] = 1;
	if (a->len) {
		m->record[i] = m->next[value == e.value][record];
		trc_light_follow(a, value == e.value);
	}
	find_match(m, a, i);
}

/* The coder mostly lives in registers. */
static TRC_ALWAYS_INLINE void
code_all(struct literals *m, struct trc_rc *whole, bool writes, size_t n)
{
	struct trc_light_match a = { 0, 0, 0, false };
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
	int bits;

	assert(n % WIDTH == 0);
	for (size_t i = 0; i < n; i += WIDTH)
		all |= trc_be32(raw + i);
	bits = 64 - trc_clz64(all);
	if (trc_buf_put_byte(out, (unsigned)bits, err))
		return -1;
	m = literals_open(n, bits, err);
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

	if (len == 0 || p[0] < 1 || p[0] > BITS || n % WIDTH != 0)
		return trc_fail(err, "a stream of literals is damaged");
	m = literals_open(n, p[0], err);
	if (!m)
		return -1;
	trc_rc_read(&rc, p + 1, p + len);
	code_all(m, &rc, false, n / WIDTH);
	for (size_t i = 0; i < n; i += WIDTH)
		trc_put_be32(raw + i, m->value[i / WIDTH]);
	literals_close(m);
	if (trc_rc_overrun(&rc) || rc.p != rc.end)
		return trc_fail(err, "a stream of literals is damaged");
	return 0;
}
