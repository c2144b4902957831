/* SPDX-License-Identifier: MIT
 * Tokens by context mixing; the same code serves both directions, so that they cannot diverge. All
 * data that a flag needs is a few bytes per context, which stay in the cache. */
#include "codec/stream/tokens.h"

#include <assert.h>
#include <stdlib.h>

#include "codec/entropy/counter.h"
#include "codec/mixing/mixer.h"
#include "codec/entropy/corrupt.h"
#include "codec/mixing/match_model.h"

enum {
	FLAGS = 8,
	CONTEXTS = 4,
	RECENT = 16, /* tokens that are remembered, 4 bits each */
	SETS = 64,
	TOKENS = TRC_TOKEN_MOST + 1,
	RATE = 6,
	WEIGHT = 2500,
	LEAST = 16, /* least probability */

	MATCH_LEAST = 12,
	SURE = 12,
	SURE_SEEN = 16,
	SURE_LIMIT = 255,
	RUN = 200,
	MOVE_LIMIT = 80,
	NO_FLAG = 16, /* no flag */

	BITS_MOST = 15,
};

#define SPREAD UINT64_C(0x9e3779b97f4a7c15)

/* The order of a context; compilation fails if `recent` holds fewer tokens. */
#define ORDER(n) ((n) + 0 * (unsigned)sizeof(char[(n) <= RECENT ? 1 : -1]))

/* The number of tokens in each context. */
static const unsigned order[] = { ORDER(1), ORDER(3), ORDER(5), ORDER(7) };

static_assert(TRC_COUNT(order) == CONTEXTS, "an order for each context");
static_assert((int)CONTEXTS == 4, "with the match, the five inputs of trc_lanes_five()");

/* The token of each flag, and the flag of each token. */
static const uint8_t token_of[FLAGS + 1] = { 0, 8, 1, 2, 3, 4, 5, 6, 7 };
static const uint8_t flag_of[TRC_TOKEN_MOST + 1] = { 0, 2, 3, 4, 5, 6, 7, 8, 1 };

struct slot {
	uint8_t history[FLAGS];
};

struct tokens {
	uint8_t next[2][TRC_HISTORIES];
	const struct trc_logistic *logistic;
	struct trc_state_moves moves;
	int16_t map[FLAGS][CONTEXTS][TRC_HISTORIES];
	int16_t by_match[SETS][FLAGS][TRC_LANES], by_token[TOKENS][FLAGS][TRC_LANES];
	int16_t right[TRC_HISTORIES][TRC_MATCH_BUCKETS / 2][2];
	struct trc_counter sure[TRC_MATCH_BUCKETS];
	struct trc_num run;

	unsigned bits; /* of keys */
	struct slot *slot[CONTEXTS];
	uint32_t *seen; /* by key: the last position of these tokens, plus 1 */
	uint8_t *hits;
	uint64_t recent; /* the last tokens, 4 bits each */
};

/* ---- setting up ---- */

static size_t
slots_of(int k, unsigned bits)
{
	return (size_t)1 << (4 * order[k] < BITS_MOST ? 4 * order[k] : bits);
}

static size_t
all_slots(unsigned bits)
{
	size_t sum = 0;

	for (int k = 0; k < CONTEXTS; k++)
		sum += slots_of(k, bits);
	return sum;
}

size_t
trc_tokens_memory(size_t n)
{
	const unsigned bits = trc_table_bits(n, BITS_MOST);

	return sizeof(struct tokens) + all_slots(bits) * sizeof(struct slot) +
	       ((size_t)1 << bits) * sizeof(uint32_t) + n;
}

static void
init_tables(struct tokens *m)
{
	const struct trc_logistic *l = trc_logistic();

	trc_state_moves_init(&m->moves, MOVE_LIMIT);
	m->logistic = l;
	trc_history_init(m->next);
	trc_state_map_init(m->map[0][0]);
	for (int d = 0; d < FLAGS; d++)
		for (int k = 0; k <= CONTEXTS; k++) {
			if (k < CONTEXTS && d + k > 0)
				memcpy(m->map[d][k], m->map[0][0], sizeof(m->map[0][0]));
			for (int t = 0; t < TOKENS; t++)
				m->by_token[t][d][k] = WEIGHT;
			for (int i = 0; i < SETS; i++)
				m->by_match[i][d][k] = WEIGHT;
		}
	for (unsigned h = 0; h < TRC_HISTORIES; h++) {
		const uint16_t p = trc_history_p(h);

		for (unsigned b = 0; b < TRC_MATCH_BUCKETS; b++) {
			const int16_t x = trc_match_first(l, b, p);

			m->right[h][b / 2][0] = m->right[h][b / 2][1] = x;
			m->sure[b] = trc_counter_of((uint32_t)trc_squash(l, x), SURE_SEEN);
		}
	}
	trc_num_init(&m->run, 1);
}

static void
tokens_close(struct tokens *m)
{
	if (!m)
		return;
	free(m->slot[0]);
	free(m->seen);
	free(m->hits);
	free(m);
}

static struct tokens *
tokens_open(size_t n, struct trc_err *err)
{
	struct tokens *m = trc_alloc(1, sizeof(*m), err);

	if (!m)
		return NULL;
	m->bits = trc_table_bits(n, BITS_MOST);
	m->slot[0] = trc_alloc_room(all_slots(m->bits), sizeof(*m->slot[0]), err);
	m->seen = trc_alloc((size_t)1 << m->bits, sizeof(*m->seen), err);
	m->hits = trc_alloc(n, 1, err);
	if (!m->slot[0] || !m->seen || !m->hits) {
		tokens_close(m);
		return NULL;
	}
	memset(m->slot[0], 1, all_slots(m->bits) * sizeof(*m->slot[0]));
	for (int k = 1; k < CONTEXTS; k++)
		m->slot[k] = m->slot[k - 1] + slots_of(k - 1, m->bits);
	init_tables(m);
	return m;
}

/* ---- flags ---- */

/* Returns a hash of the last `tokens` tokens. */
static inline uint32_t
hash_of(const struct tokens *m, unsigned tokens)
{
	return (uint32_t)((m->recent << (64 - 4 * tokens)) * SPREAD >> 32);
}

static TRC_ALWAYS_INLINE void
find_slots(const struct tokens *m, struct slot *slot[CONTEXTS])
{
	for (int k = 0; k < CONTEXTS; k++)
		slot[k] = &m->slot[k][4 * order[k] < BITS_MOST ?
		                              m->recent & ((UINT64_C(1) << 4 * order[k]) - 1) :
		                              hash_of(m, order[k]) >> (32 - m->bits)];
}

/* A match's prediction of a token: the flag expected to be yes, and the flag known to be no, or
 * NO_FLAG. */
struct expected {
	unsigned yes, no, bucket;
	int16_t *right;
};

/* Updates the predictions that a flag was mixed from, and their weights. */
static TRC_ALWAYS_INLINE void
learn(struct tokens *m, struct slot *const slot[CONTEXTS], int16_t *const weight[2],
      trc_lanes input, int p, unsigned d, unsigned bit)
{
	const int error = trc_mixer_error(p, bit, RATE);

	trc_lanes_learn(weight[0], input, error);
	trc_lanes_learn(weight[1], input, error);
#pragma GCC unroll 4
	for (int k = 0; k < CONTEXTS; k++) {
		uint8_t *history = &slot[k]->history[d];
		int16_t *x = &m->map[d][k][*history];

		*x = trc_state_move(&m->moves, *x, bit);
		*history = m->next[bit][*history];
	}
}

static TRC_ALWAYS_INLINE void
learn_right(const struct tokens *m, struct expected e, bool now, unsigned bit)
{
	e.right[now] = trc_state_move(&m->moves, e.right[now], bit);
}

/* Codes one flag. The branch lets the compiler generate separate code for each value in what
 * follows. `writes` must be a compile-time constant, here and below. */
static TRC_ALWAYS_INLINE bool
code_flag(struct tokens *m, struct trc_rc *rc, bool writes, struct expected e,
          struct slot *const slot[CONTEXTS], unsigned d, bool is)
{
	const bool predicted = e.yes >= d && e.yes < NO_FLAG, now = e.yes == d;
	int16_t *const weight[2] = { m->by_match[predicted ? 1 + e.bucket + (now ? 31 : 0) : 0][d],
		                     m->by_token[m->recent % 16][d] };
	int16_t x[CONTEXTS + 1];
	trc_lanes input;
	int p;

#pragma GCC unroll 4
	for (int k = 0; k < CONTEXTS; k++)
		x[k] = m->map[d][k][slot[k]->history[d]];
	x[CONTEXTS] = (int16_t)(!predicted ? 0 : now ? e.right[1] : -e.right[0]);
	input = trc_lanes_five(x[0], x[1], x[2], x[3], x[4]);
	p = trc_squash(m->logistic,
	               trc_lanes_y2(trc_lanes_load(weight[0]), trc_lanes_load(weight[1]), input));
	if (trc_rc_code_p1(rc, writes, p, is)) {
		learn(m, slot, weight, input, p, d, 1);
		if (predicted)
			learn_right(m, e, now, now);
		return true;
	}
	learn(m, slot, weight, input, p, d, 0);
	if (predicted)
		learn_right(m, e, now, !now);
	return false;
}

/* Codes the flags of a token; returns the number of the flag that is yes. */
static TRC_ALWAYS_INLINE unsigned
code_flags(struct tokens *m, struct trc_rc *rc, bool writes, struct expected e, unsigned token)
{
	struct slot *slot[CONTEXTS];

	find_slots(m, slot);
#pragma GCC unroll 8
	for (unsigned d = 0; d < FLAGS; d++)
		if (d != e.no && code_flag(m, rc, writes, e, slot, d, flag_of[token] == d))
			return d;
	return FLAGS;
}

/* ---- matches ---- */

/* Advances the match past the token at position i, given whether that was the expected one; looks
 * for another match if it was not, and records the position. */
static TRC_ALWAYS_INLINE void
follow(struct tokens *m, struct trc_match *a, const uint8_t *raw, size_t i, bool right)
{
	const uint32_t hash = hash_of(m, MATCH_LEAST);
	uint32_t *entry = &m->seen[hash >> (32 - m->bits)];

	if (a->at)
		trc_match_follow(a, right);
	if (a->len == 0)
		trc_match_try(a, raw, 1, trc_match_noted(*entry, hash), i + 1, MATCH_LEAST);
	*entry = trc_match_note(i + 1, hash);
}

/* The position in the tokens, and where to store tokens that are read. */
struct place {
	const uint8_t *raw;
	uint8_t *read; /* NULL: writing to a stream */
	size_t i, n;
};

static TRC_ALWAYS_INLINE void
put(struct tokens *m, const struct place *at, bool writes, unsigned token)
{
	if (!writes)
		at->read[at->i] = (uint8_t)token;
	m->recent = m->recent << 4 | token;
}

/* Copies bytes; if the regions overlap, the bytes before `to` repeat. */
static void
copy_run(uint8_t *to, const uint8_t *from, size_t n)
{
	const size_t period = (size_t)(to - from);

	memcpy(to, from, n < period ? n : period);
	if (n > period)
		trc_repeat(to, period, n);
}

/* Codes how many tokens from here on are as expected, copies them when reading, and advances past
 * them. Returns false if there cannot be that many. */
static bool
code_run(struct tokens *m, struct trc_rc *rc, bool writes, struct trc_match *a, struct place *at)
{
	const size_t most = at->n - at->i;
	size_t run = 0;

	if (writes)
		while (run < most && at->raw[a->at + run] == at->raw[at->i + run])
			run++;
	run = (size_t)trc_rc_num(rc, &m->run, run);
	if (run > most)
		return false;
	memset(m->hits + at->i, TRC_MATCH_ALWAYS, run);
	if (!writes)
		copy_run(at->read + at->i, at->raw + a->at, run);
	a->at += run;
	at->i += run;
	for (size_t k = run < RECENT ? run : RECENT; k > 0; k--)
		m->recent = m->recent << 4 | at->raw[at->i - k];
	a->len = RUN - 1;
	a->misses = 0;
	return true;
}

/* ---- both directions ---- */

/* Codes a token that is not known to be the expected one. */
static TRC_ALWAYS_INLINE void
code_token(struct tokens *m, struct trc_rc *rc, bool writes, struct trc_match *a, bool is_wrong,
           const struct place *at)
{
	const unsigned hits = a->at ? m->hits[a->at] : 1;
	const unsigned expected = a->at ? flag_of[at->raw[a->at]] : NO_FLAG;
	const unsigned bucket = a->at && !is_wrong ? trc_match_bucket(a->len) : 0;
	const struct expected e = { is_wrong ? NO_FLAG : expected, is_wrong ? expected : NO_FLAG,
		                    bucket, m->right[hits][bucket / 2] };
	const unsigned d = code_flags(m, rc, writes, e, writes ? at->raw[at->i] : 0);

	put(m, at, writes, token_of[d]);
	m->hits[at->i] = a->at ? m->next[d == expected][hits] : 1;
	follow(m, a, at->raw, at->i, d == expected);
}

/* Codes with one flag whether a token is the expected one; if so, the token is done. */
static TRC_ALWAYS_INLINE bool
code_sure(struct tokens *m, struct trc_rc *rc, bool writes, struct trc_match *a,
          const struct place *at)
{
	const uint8_t token = at->raw[a->at];
	struct trc_counter *sure = &m->sure[trc_match_bucket(a->len)];
	const int p = trc_keep(trc_counter_p(*sure), LEAST, 65536 - LEAST);

	if (!trc_rc_code_p1(rc, writes, p, writes && at->raw[at->i] == token)) {
		trc_counter_learn(sure, 0, SURE_LIMIT);
		return false;
	}
	trc_counter_learn(sure, 1, SURE_LIMIT);
	put(m, at, writes, token);
	m->hits[at->i] = TRC_MATCH_ALWAYS;
	follow(m, a, at->raw, at->i, true);
	return true;
}

/* Codes all tokens; returns false if the data read is damaged. The range coder is mostly in
 * registers. */
static TRC_ALWAYS_INLINE bool
code_all(struct tokens *m, struct trc_rc *whole, bool writes, struct place at)
{
	struct trc_match a = { 0 };
	struct trc_rc rc = *whole;

	for (; at.i < at.n && !trc_rc_overrun(&rc); at.i++) {
		bool is_wrong = false;

		if (a.len >= RUN) {
			bool good;

			*whole = rc;
			good = code_run(m, whole, writes, &a, &at);
			rc = *whole;
			if (!good)
				return false;
			if (at.i == at.n)
				break;
			is_wrong = true;
		} else if (a.len >= SURE && m->hits[a.at] == TRC_MATCH_ALWAYS) {
			if (code_sure(m, &rc, writes, &a, &at))
				continue;
			is_wrong = true;
		}
		code_token(m, &rc, writes, &a, is_wrong, &at);
	}
	*whole = rc;
	return true;
}

int
trc_tokens_write(const uint8_t *raw, size_t n, struct trc_buf *out, struct trc_err *err)
{
	struct tokens *m = tokens_open(n, err);
	struct trc_rc rc;

	if (!m)
		return -1;
	trc_rc_write(&rc, out);
	code_all(m, &rc, true, (struct place){ raw, NULL, 0, n });
	tokens_close(m);
	return trc_rc_finish(&rc, err);
}

int
trc_tokens_read(const uint8_t *p, size_t len, uint8_t *raw, size_t n, struct trc_err *err)
{
	struct tokens *m = tokens_open(n, err);
	struct trc_rc rc;
	bool good;

	if (!m)
		return -1;
	trc_rc_read(&rc, p, p + len);
	good = code_all(m, &rc, false, (struct place){ raw, raw, 0, n });
	tokens_close(m);
	return good && trc_rc_ended(&rc) ? 0 : trc_corrupt(err, "a stream of tokens is damaged");
}
