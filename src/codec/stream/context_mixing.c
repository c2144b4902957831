/* SPDX-License-Identifier: MIT
 * Context mixing: one code for both directions, so that they cannot drift apart. */
#include "codec/stream/context_mixing.h"

#include <assert.h>
#include <stdlib.h>

#include "codec/entropy/corrupt.h"
#include "codec/mixing/match_model.h"
#include "codec/mixing/mixer.h"
#include "codec/mixing/predictor.h"

enum {
	CONTEXTS = 7,
	INPUTS = 2 * CONTEXTS + 2,
	SETS = 3,
	COLUMNS = 8,
	COUNT_MOST = 127,
	WEIGHT = 1802,
	ROWS = 8192,

	MATCH_MOST = 400,
	MATCH_MISSES = 8,
	SLOT_BITS_MOST = 19,
};

#define HASH UINT32_C(0x2f0b4c47)
#define SPREAD UINT32_C(0x9e3779b1)
#define COLUMN_SPREAD UINT32_C(0x3d4d51cb)

static_assert((int)TRC_BIT_SLOW >= (int)COUNT_MOST, "steps for every count");
static_assert((int)INPUTS % (int)TRC_LANES == 0, "inputs of the mixer");

struct slot {
	struct trc_cell cell[16]; /* cell 0: p is the check, 0 in an empty slot */
};

static_assert(sizeof(struct slot) == 64, "a slot is a line of the cache");

struct match {
	uint32_t *seen; /* by key: the offset behind where it was seen last */
	unsigned shift; /* of keys */
	size_t least, at;
	unsigned len, misses; /* len 0: none runs */
	unsigned symbol;      /* predicted */
	uint32_t rolling, leaving;
	uint16_t right[TRC_MATCH_BUCKETS];
};

struct mixer {
	const struct trc_logistic *logistic;
	size_t width, column;
	int bits;

	const uint8_t *raw; /* the symbols up to offset i are there, in either direction */
	size_t i;
	unsigned before; /* the symbol before, 0 at the start */

	uint32_t context[CONTEXTS];
	uint32_t power[CONTEXTS]; /* HASH to the order of the context */
	uint32_t field, last[2];
	struct trc_cell *cell[CONTEXTS];
	uint16_t map[CONTEXTS][TRC_HISTORIES];

	uint64_t coded; /* bits */
	int16_t weight[SETS][256 * COLUMNS][INPUTS];
	struct trc_apm by_bits[256 * COLUMNS], by_last[ROWS];

	struct match match;
	struct slot *slot;
	uint32_t slot_mask;
	void *slot_memory;
};

/* What predicting a bit leaves for learning it. */
struct guess {
	int16_t input[INPUTS];
	int16_t *weight[SETS];
	int p[SETS];
	uint16_t *map[CONTEXTS], *refined[2];
	uint16_t *right;   /* NULL: no match predicts */
	unsigned expected; /* by the match */
	uint32_t one;      /* probability of a 1 */
};

static const size_t order[CONTEXTS] = { 1, 2, 3, 5, 8, 12, 20 };

/* ---- setting up ---- */

static void
init_tables(struct mixer *m)
{
	m->logistic = trc_logistic();
	for (int k = 0; k < CONTEXTS; k++)
		for (unsigned h = 0; h < TRC_HISTORIES; h++)
			m->map[k][h] = trc_history_p(h ? h : 1);
	for (int s = 0; s < SETS; s++)
		for (int i = 0; i < 256 * COLUMNS; i++)
			for (int k = 0; k < INPUTS; k++)
				m->weight[s][i][k] = WEIGHT;
	trc_apm_init(m->by_bits, 256 * COLUMNS);
	trc_apm_init(m->by_last, ROWS);
	for (unsigned g = 0; g < TRC_MATCH_BUCKETS; g++)
		m->match.right[g] = (uint16_t)(65536 - 65536 / (g + 2));
}

static uint32_t
power_of(size_t exponent)
{
	uint32_t v = 1;

	while (exponent-- > 0)
		v *= HASH;
	return v;
}

static void
mixer_close(struct mixer *m)
{
	if (!m)
		return;
	free(m->slot_memory);
	free(m->match.seen);
	free(m);
}

static size_t
slots_for(size_t n)
{
	return ((size_t)1 << trc_table_bits(2 * n, SLOT_BITS_MOST)) + 1;
}

size_t
trc_mix_memory(size_t n)
{
	const size_t keys = (size_t)1 << trc_table_bits(n, SLOT_BITS_MOST);

	return sizeof(struct mixer) + slots_for(n) * sizeof(struct slot) + keys * sizeof(uint32_t);
}

static struct mixer *
mixer_open(const uint8_t *raw, size_t n, enum trc_mix_shape shape, int bits, struct trc_err *err)
{
	struct mixer *m = trc_alloc(1, sizeof(*m), err);
	const unsigned key_bits = trc_table_bits(n, SLOT_BITS_MOST);

	if (!m)
		return NULL;
	m->width = (size_t)1 << shape;
	m->bits = bits;
	m->raw = raw;
	m->slot_mask = (uint32_t)slots_for(n) - 2;
	m->slot_memory = trc_alloc(slots_for(n), sizeof(*m->slot), err);
	m->match.seen = trc_alloc((size_t)1 << key_bits, sizeof(*m->match.seen), err);
	if (!m->slot_memory || !m->match.seen) {
		mixer_close(m);
		return NULL;
	}
	/* One slot more than needed lets them begin with a line of the cache. */
	m->slot = (struct slot *)(void *)((uint8_t *)m->slot_memory +
	                                  (0 - (uintptr_t)m->slot_memory) % sizeof(*m->slot));
	m->match.shift = 32 - key_bits;
	m->match.least = m->width == 8 ? 16 : 8;
	m->match.leaving = power_of(m->match.least);
	for (int k = 0; k < CONTEXTS; k++)
		m->power[k] = power_of(order[k]);
	init_tables(m);
	return m;
}

/* ---- contexts ---- */

static inline unsigned
back(const struct mixer *m, size_t j)
{
	return m->i >= j ? m->raw[m->i - j] : 0;
}

/* The sum over the last `n` symbols when `symbol` comes; `power` is HASH to the n. */
static inline uint32_t
roll(const struct mixer *m, uint32_t sum, size_t n, uint32_t power, unsigned symbol)
{
	sum = sum * HASH + symbol + 1;
	return m->i >= n ? sum - (m->raw[m->i - n] + 1) * power : sum;
}

static inline uint32_t
hash(uint32_t v, uint32_t h)
{
	return (h + v + 1) * HASH;
}

/* The contexts of the symbol at offset i of a stream of fields. */
static void
set_field_contexts(struct mixer *m)
{
	const uint32_t above = back(m, m->width), above2 = back(m, 2 * m->width);
	const uint32_t f = m->field;

	m->context[0] = (uint32_t)m->column;
	m->context[1] = f;
	m->context[2] = hash(m->last[0], f);
	m->context[3] = hash(m->last[1], hash(m->last[0], f));
	m->context[4] = hash(above, f);
	m->context[5] = hash(above + 256 * above2, f);
	m->context[6] = hash(m->last[1], f) + 1;
}

static void
find_match(struct mixer *m)
{
	struct match *a = &m->match;
	uint32_t *seen = &a->seen[a->rolling * SPREAD >> a->shift];
	size_t len = 0;

	if (a->len == 0 && *seen > 0) {
		while (len < *seen && len < MATCH_MOST &&
		       m->raw[*seen - 1 - len] == m->raw[m->i - 1 - len])
			len++;
		if (len >= a->least) {
			a->at = *seen;
			a->len = (unsigned)len;
			a->misses = 0;
		}
	}
	*seen = (uint32_t)m->i;
}

/* Moves the match on behind a symbol; len 0 says that it was wrong there, at 0 that none is. */
static void
advance_match(struct mixer *m)
{
	struct match *a = &m->match;
	const bool wrong = a->len == 0 && a->at > 0;

	if (a->at > 0)
		a->at++;
	if (a->len > 0 && a->len < 65535)
		a->len++;
	if (a->len >= 16)
		a->misses = 0;
	if (m->i >= a->least && m->i % m->width == 0)
		find_match(m);
	if (wrong && a->len == 0) {
		if (++a->misses < MATCH_MISSES)
			a->len = 1;
		else
			a->at = a->misses = 0;
	}
}

/* Takes in the symbol at offset i, and moves to the next. */
static void
advance(struct mixer *m, unsigned symbol)
{
	m->match.rolling = roll(m, m->match.rolling, m->match.least, m->match.leaving, symbol);
	if (m->width == 1)
		for (int k = 0; k < CONTEXTS; k++)
			m->context[k] = roll(m, m->context[k], order[k], m->power[k], symbol);
	m->i++;
	m->before = symbol;
	if (m->width > 1) {
		m->column = m->i % m->width;
		m->field = hash(symbol, m->field);
		if (m->column == 0) {
			m->last[1] = m->last[0];
			m->last[0] = m->field;
			m->field = 0;
		}
		set_field_contexts(m);
	}
	advance_match(m);
}

static struct trc_cell *
find_slot(const struct mixer *m, uint32_t h)
{
	const uint16_t check = (uint16_t)(h >> 16 | 1);
	struct slot *best = NULL;

	for (uint32_t k = 0; k < 3; k++) {
		struct slot *s = &m->slot[(h ^ k) & m->slot_mask];

		if (s->cell[0].p == check)
			return s->cell;
		if (s->cell[0].p == 0) {
			best = s;
			break;
		}
		if (!best || s->cell[1].n < best->cell[1].n)
			best = s;
	}
	for (int i = 1; i < 16; i++)
		best->cell[i] = TRC_CELL_NEW;
	best->cell[0].p = check;
	return best->cell;
}

static void
find_slots(struct mixer *m, unsigned part)
{
	for (uint32_t k = 0; k < CONTEXTS; k++) {
		uint32_t h = (m->context[k] + (k + 1) * SPREAD + part * COLUMN_SPREAD) * SPREAD;

		h ^= h >> 15;
		h *= UINT32_C(0x85ebca6b);
		h ^= h >> 13;
		m->cell[k] = find_slot(m, h);
	}
}

/* ---- bits ---- */

/* The inputs of the mixer; returns 1 + the last context that has seen this before. */
static inline unsigned
gather(struct mixer *m, struct guess *g, unsigned node)
{
	unsigned last = 0;

	for (unsigned k = 0; k < CONTEXTS; k++) {
		const struct trc_cell *c = &m->cell[k][node];

		g->map[k] = &m->map[k][c->history];
		g->input[2 * k] = c->n ? trc_stretch(m->logistic, c->p) : 0;
		g->input[2 * k + 1] = trc_stretch(m->logistic, *g->map[k]);
		last = c->n ? k + 1 : last;
	}
	return last;
}

/* What the match says of bit `bit` of the symbol; returns its grade, 0 if it says nothing. */
static inline unsigned
ask_match(struct mixer *m, struct guess *g, unsigned so_far, int bit)
{
	const struct match *a = &m->match;
	unsigned grade;
	int x;

	g->right = NULL;
	g->expected = 0;
	g->input[2 * CONTEXTS] = 0;
	if (a->len == 0 || (a->symbol | 1u << m->bits) >> (bit + 1) != so_far)
		return 0;
	grade = trc_match_bucket(a->len);
	g->right = &m->match.right[grade];
	g->expected = a->symbol >> bit & 1;
	x = trc_stretch(m->logistic, *g->right);
	g->input[2 * CONTEXTS] = (int16_t)(g->expected ? x : -x);
	return grade;
}

static inline void
predict(struct mixer *m, struct guess *g, unsigned node, unsigned so_far, int bit)
{
	const unsigned column = (unsigned)m->column, last = gather(m, g, node);
	const unsigned grade = ask_match(m, g, so_far, bit);
	const uint32_t c =
	        m->bits <= 4 ? 16 * m->before + so_far :
	                       ((256 * m->before + so_far) * SPREAD + column * COLUMN_SPREAD) >> 19;
	int sum = 0, one;

	g->input[INPUTS - 1] = TRC_MIXER_BIAS;
	g->weight[0] = m->weight[0][(column * TRC_MATCH_BUCKETS + grade) * 2 + g->expected];
	g->weight[1] = m->weight[1][column * 256 + so_far];
	g->weight[2] = m->weight[2][(column * 8 + (unsigned)bit) * (CONTEXTS + 1) + last];
	for (int s = 0; s < SETS; s++) {
		const int y = trc_keep(trc_mixer_dot(g->weight[s], g->input, INPUTS) >>
		                               TRC_MIXER_BITS,
		                       -TRC_LOGISTIC_MOST, TRC_LOGISTIC_MOST);

		g->p[s] = trc_squash(m->logistic, y);
		sum += y;
	}
	sum /= SETS;
	one = 2 * trc_squash(m->logistic, sum) +
	      trc_apm_p(&m->by_bits[column * 256 + so_far], sum, &g->refined[0]) +
	      trc_apm_p(&m->by_last[c], sum, &g->refined[1]);
	g->one = (uint32_t)trc_keep(one / 4, 16, 65536 - 16);
}

static inline void
learn(struct mixer *m, struct guess *g, unsigned node, unsigned bit)
{
	const int rate = m->coded < 2000 ? 16 : m->coded < 20000 ? 12 : m->coded < 200000 ? 8 : 4;

	m->coded++;
	for (int s = 0; s < SETS; s++)
		trc_mixer_learn(g->weight[s], g->input, INPUTS,
		                trc_mixer_error(g->p[s], bit, rate));
	for (int k = 0; k < CONTEXTS; k++) {
		trc_move(g->map[k], bit, TRC_MOVE);
		trc_cell_learn(&m->cell[k][node], bit, COUNT_MOST);
	}
	trc_move(g->refined[0], bit, TRC_MOVE);
	trc_move(g->refined[1], bit, TRC_MOVE);
	if (!g->right)
		return;
	trc_move(g->right, bit == g->expected, TRC_MOVE);
	if (bit != g->expected)
		m->match.len = 0;
}

/* Codes the symbol at offset i: writes `symbol`, or reads and returns it. */
static unsigned
code_symbol(struct mixer *m, struct trc_rc *rc, unsigned symbol)
{
	unsigned so_far = 1, node = 1;

	m->match.symbol = m->match.len > 0 ? m->raw[m->match.at] : 0;
	for (int bit = m->bits - 1; bit >= 0; bit--) {
		struct guess g;
		unsigned v;

		if (bit == m->bits - 1 || bit == 3) {
			find_slots(m, so_far);
			node = 1;
		}
		predict(m, &g, node, so_far, bit);
		v = 1 ^ trc_rc_code(rc, g.one, 1 ^ (symbol >> bit & 1));
		learn(m, &g, node, v);
		node = node * 2 + v;
		so_far = so_far * 2 + v;
	}
	return so_far - (1u << m->bits);
}

/* ---- both directions ---- */

static int
bits_of(const uint8_t *raw, size_t n)
{
	unsigned all = 1;

	for (size_t i = 0; i < n; i++)
		all |= raw[i];
	return 64 - trc_clz64(all);
}

int
trc_mix_write(const uint8_t *raw, size_t n, enum trc_mix_shape shape, struct trc_buf *out,
              struct trc_err *err)
{
	const uint8_t bits = (uint8_t)bits_of(raw, n);
	struct mixer *m;
	struct trc_rc rc;
	int ret;

	if (trc_buf_put(out, &bits, 1, err))
		return -1;
	m = mixer_open(raw, n, shape, bits, err);
	if (!m)
		return -1;
	trc_rc_write(&rc, out);
	for (size_t i = 0; i < n; i++) {
		code_symbol(m, &rc, raw[i]);
		advance(m, raw[i]);
	}
	ret = trc_rc_finish(&rc, err);
	mixer_close(m);
	return ret;
}

int
trc_mix_read(const uint8_t *p, size_t len, enum trc_mix_shape shape, uint8_t *raw, size_t n,
             struct trc_err *err)
{
	struct mixer *m;
	struct trc_rc rc;

	if (len == 0 || p[0] < 1 || p[0] > 8)
		return trc_corrupt(err, "a mixed stream is damaged");
	m = mixer_open(raw, n, shape, p[0], err);
	if (!m)
		return -1;
	trc_rc_read(&rc, p + 1, p + len);
	for (size_t i = 0; i < n && !trc_rc_overrun(&rc); i++) {
		raw[i] = (uint8_t)code_symbol(m, &rc, 0);
		advance(m, raw[i]);
	}
	mixer_close(m);
	if (!trc_rc_ended(&rc))
		return trc_corrupt(err, "a mixed stream is damaged");
	return 0;
}
