/* SPDX-License-Identifier: MIT
 * Context mixing; the same code serves both directions, so that they cannot diverge. */
#include "codec/stream/context_mixing.h"

#include <stdlib.h>

#include "codec/entropy/corrupt.h"
#include "codec/entropy/counter.h"
#include "codec/mixing/match_model.h"
#include "codec/mixing/predictor.h"

enum {
	CONTEXTS = 7,
	COLUMNS = 8,
	TABLE_BITS_MOST = 19,
	HASHED_LAST = 8192,
	CONFIDENT = 8, /* number of bits that the initial confidence in a match counts as */
};

#define HASH UINT32_C(0x2f0b4c47)
#define SPREAD UINT32_C(0x9e3779b1)
#define COLUMN_SPREAD UINT32_C(0x3d4d51cb)

/* The mixers are selected by the length and the next bit of the match; the bits so far; and the
 * number of the bit; all of them also by the column. The APMs are selected by the bits so far and
 * the column; the second also by the previous symbol. */
/* Returns the row for these columns and bits. Sets selected by column or by bits so far are no
 * larger than needed, because initialising them would take longer than decoding a short stream. */
static struct trc_predictor_row
row_of(size_t columns, int bits)
{
	const uint16_t paths = (uint16_t)((columns - 1) * 256 + ((size_t)1 << bits));

	return (struct trc_predictor_row){
		.contexts = CONTEXTS,
		.experts = 1, /* the match */
		.map_sets = 1,
		.mixers = { (uint16_t)(2 * TRC_MATCH_BUCKETS * columns), paths,
		            (uint16_t)(8 * columns) },
		.apms = { paths, bits <= 4 ? 256 : HASHED_LAST },
	};
}

static const uint8_t order[CONTEXTS] = { 1, 2, 3, 5, 8, 12, 20 };

/* A context-mixing coder like lpaq1, for bytes or fields. */
struct mixing {
	struct trc_predictors with;
	struct trc_predictor predictor;
	size_t width, column;
	int bits;

	const uint8_t *raw; /* holds all symbols before offset i, in both directions */
	size_t i;
	unsigned before; /* previous symbol, 0 at the start */

	uint32_t context[CONTEXTS];
	uint32_t power[CONTEXTS]; /* HASH to the power of the order of the context */
	uint32_t field, last[2];  /* hashes of this field so far, and of the previous fields */

	struct trc_match match;
	unsigned least, expected; /* least length of a match; its symbol */
	uint32_t *noted;          /* by key: the last position of these symbols */
	unsigned shift;           /* of keys to indices */
	uint32_t rolling, leaving;
	struct trc_counter confidence[TRC_MATCH_BUCKETS];
};

/* ---- setting up ---- */

static uint32_t
power_of(size_t exponent)
{
	uint32_t v = 1;

	while (exponent-- > 0)
		v *= HASH;
	return v;
}

static void
mixing_close(struct mixing *m)
{
	if (!m)
		return;
	trc_predictor_release(&m->predictor);
	trc_predictors_release(&m->with);
	free(m->noted);
	free(m);
}

static unsigned
line_bits(size_t n)
{
	return trc_table_bits(2 * n, TABLE_BITS_MOST);
}

size_t
trc_mix_memory(size_t n)
{
	const size_t keys = (size_t)1 << trc_table_bits(n, TABLE_BITS_MOST);
	const struct trc_predictor_row row = row_of(COLUMNS, 8);

	return sizeof(struct mixing) + trc_predictors_memory(line_bits(n)) +
	       trc_predictor_memory(&row) + keys * sizeof(uint32_t);
}

static struct mixing *
mixing_open(const uint8_t *raw, size_t n, enum trc_mix_shape shape, int bits, struct trc_err *err)
{
	struct mixing *m = trc_alloc(1, sizeof(*m), err);
	const unsigned key_bits = trc_table_bits(n, TABLE_BITS_MOST);
	const struct trc_predictor_row row = row_of((size_t)1 << shape, bits);

	if (!m)
		return NULL;
	m->width = (size_t)1 << shape;
	m->bits = bits;
	m->raw = raw;
	m->noted = trc_alloc((size_t)1 << key_bits, sizeof(*m->noted), err);
	if (!m->noted || trc_predictors_init(&m->with, line_bits(n), err) ||
	    trc_predictor_init(&m->predictor, &m->with, 0, &row, err)) {
		mixing_close(m);
		return NULL;
	}
	m->shift = 32 - key_bits;
	m->least = m->width == 8 ? 16 : 8;
	m->leaving = power_of(m->least);
	for (int k = 0; k < CONTEXTS; k++)
		m->power[k] = power_of(order[k]);
	for (unsigned b = 0; b < TRC_MATCH_BUCKETS; b++)
		m->confidence[b] = trc_counter_of(TRC_ONE - 65536 / (b + 2), CONFIDENT);
	return m;
}

/* ---- contexts ---- */

static inline unsigned
back(const struct mixing *m, size_t j)
{
	return m->i >= j ? m->raw[m->i - j] : 0;
}

/* Returns the rolling hash of the last `n` symbols after `symbol`; `power` is HASH to the n. */
static inline uint32_t
roll(const struct mixing *m, uint32_t sum, size_t n, uint32_t power, unsigned symbol)
{
	sum = sum * HASH + symbol + 1;
	return m->i >= n ? sum - (m->raw[m->i - n] + 1) * power : sum;
}

static inline uint32_t
hash(uint32_t v, uint32_t h)
{
	return (h + v + 1) * HASH;
}

/* Sets the contexts of the symbol at offset i of a stream of fields. */
static void
set_field_contexts(struct mixing *m)
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

/* Advances the match past the symbol at offset i, or looks for another. */
static void
advance_match(struct mixing *m, unsigned symbol)
{
	const size_t next = m->i + 1;

	m->rolling = roll(m, m->rolling, m->least, m->leaving, symbol);
	if (m->match.at > 0)
		trc_match_follow(&m->match, symbol == m->raw[m->match.at]);
	if (next >= m->least && next % m->width == 0) {
		const uint32_t key = m->rolling * SPREAD;
		uint32_t *entry = &m->noted[key >> m->shift];

		if (m->match.len == 0)
			trc_match_try(&m->match, m->raw, 1, trc_match_noted(*entry, key), next,
			              m->least);
		*entry = trc_match_note(next, key);
	}
}

/* Updates the state with the symbol at offset i, and advances to the next. */
static void
advance(struct mixing *m, unsigned symbol)
{
	advance_match(m, symbol);
	if (m->width == 1)
		for (int k = 0; k < CONTEXTS; k++)
			m->context[k] = roll(m, m->context[k], order[k], m->power[k], symbol);
	m->i++;
	m->before = symbol;
	if (m->width == 1)
		return;
	m->column = m->i % m->width;
	m->field = hash(symbol, m->field);
	if (m->column == 0) {
		m->last[1] = m->last[0];
		m->last[0] = m->field;
		m->field = 0;
	}
	set_field_contexts(m);
}

/* ---- symbols ---- */

/* Codes bit `bit` of a symbol. `path` is the symbol's bits so far after a leading 1, `node` the
 * bits since the slot was found. */
static unsigned
code_bit(struct mixing *m, unsigned path, unsigned node, int bit, unsigned is)
{
	const unsigned column = (unsigned)m->column, by_path = column * 256 + path;
	const bool matches = m->match.at > 0 && (m->expected | 1u << m->bits) >> (bit + 1) == path;
	const unsigned bucket = matches ? trc_match_bucket(m->match.len) : 0;
	const unsigned expected = matches ? m->expected >> bit & 1 : 0;
	const int x = trc_stretch(m->with.logistic, (uint16_t)trc_counter_p(m->confidence[bucket]));
	const struct trc_select select = {
		.mixer = { (column * TRC_MATCH_BUCKETS + bucket) * 2 + expected, by_path,
		           column * 8 + (unsigned)bit },
		.apm = { by_path, m->bits <= 4 ? 16 * m->before + path :
		                                 ((256 * m->before + path) * SPREAD +
		                                  column * COLUMN_SPREAD) >>
		                                         19 },
	};

	m->predictor.expert[0] = (int16_t)(!matches ? 0 : expected ? x : -x);
	is = trc_predictor_code(&m->predictor, node, &select, is);
	if (matches)
		trc_counter_learn(&m->confidence[bucket], is == expected, TRC_EXPERT_LIMIT);
	return is;
}

/* Codes the symbol at offset i: writes `symbol`, or reads and returns it. */
static unsigned
code_symbol(struct mixing *m, unsigned symbol)
{
	unsigned path = 1, node = 1;

	m->expected = m->match.at > 0 ? m->raw[m->match.at] : 0;
	for (int bit = m->bits - 1; bit >= 0; bit--) {
		unsigned is;

		if (bit == m->bits - 1 || bit == 3) {
			trc_predictor_find_path(&m->predictor, path, m->context);
			node = 1;
		}
		is = code_bit(m, path, node, bit, symbol >> bit & 1);
		node = node * 2 + is;
		path = path * 2 + is;
	}
	return path - (1u << m->bits);
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
	struct mixing *m;
	int ret;

	if (trc_buf_put(out, &bits, 1, err))
		return -1;
	m = mixing_open(raw, n, shape, bits, err);
	if (!m)
		return -1;
	trc_rc_write(&m->with.rc, out);
	for (size_t i = 0; i < n; i++) {
		code_symbol(m, raw[i]);
		advance(m, raw[i]);
	}
	ret = trc_rc_finish(&m->with.rc, err);
	mixing_close(m);
	return ret;
}

int
trc_mix_read(const uint8_t *p, size_t len, enum trc_mix_shape shape, uint8_t *raw, size_t n,
             struct trc_err *err)
{
	struct mixing *m;
	bool ended;

	if (len == 0 || p[0] < 1 || p[0] > 8)
		return trc_corrupt(err, "a mixed stream is damaged");
	m = mixing_open(raw, n, shape, p[0], err);
	if (!m)
		return -1;
	trc_rc_read(&m->with.rc, p + 1, p + len);
	for (size_t i = 0; i < n && !trc_rc_overrun(&m->with.rc); i++) {
		raw[i] = (uint8_t)code_symbol(m, 0);
		advance(m, raw[i]);
	}
	ended = trc_rc_ended(&m->with.rc);
	mixing_close(m);
	return ended ? 0 : trc_corrupt(err, "a mixed stream is damaged");
}
