/* SPDX-License-Identifier: MIT
 * Guessing indices: one code for both directions, so that they cannot drift apart. */
#include "codec/rank.h"

#include <stdlib.h>

#include "codec/logistic.h"

enum {
	CONTEXTS = 6,
	JUDGES = 3,
	FAR = 5,          /* contexts of a symbol that was not guessed */
	OFFERS = 4,
	STATES = 1 + 3 * TRC_HISTORIES,
	OFFER_INPUTS = CONTEXTS + 1 + JUDGES + 1,

	MATCH_LEAST = 24,
	MATCH_MOST = 400,
	MATCH_RENEW = 16, /* a match that is shorter gives way to another */
	MATCH_MISSES = 8,
	MATCH_STATES = 2 * (1 + TRC_GRADES * (1 + MATCH_MISSES)),

	QUICK_SURE = 62000,
	QUICK_GRADES = 48,
	QUICK_MOVE = 7,

	JUDGE_MOST = 30,
	FAR_MOST = 60,
	RATE = 4,
	WEIGHT = 2867,
	FAR_WEIGHT = 1802,
	ROWS = 512,
	CELL_BITS_MOST = 16,
	BITS_LEAST = 10,
	BITS_MOST = 18,
	CERTAIN = 24,     /* least probability */
};

#define M UINT32_C(0x2f0b4c47)
#define S UINT32_C(0x9e3779b1)
#define C UINT32_C(0x85ebca6b)

#define M_INVERSE UINT32_C(0x40489d77) /* M * M_INVERSE = 1, modulo 2^32 */

/* Those of the contexts, and last that of the key of a match. */
static const size_t order[CONTEXTS + 1] = { 1, 2, 4, 7, 11, 18, MATCH_LEAST };

struct entry {
	uint16_t last, other, check;
	uint8_t seen, history; /* seen: how many different symbols, 2 at most */
};

struct match {
	size_t at; /* 0: none */
	unsigned len, misses;
};

struct ranker {
	struct trc_logistic logistic;
	struct trc_rc rc;
	uint16_t *x; /* symbols, behind MATCH_LEAST zeros */
	size_t i;
	int bits;
	unsigned right; /* bits: was the first candidate right, the latest lowest */

	struct match match;
	uint32_t hash[CONTEXTS + 1];  /* of each order, before place `hashed` */
	uint32_t power[CONTEXTS + 1]; /* M to the order */
	size_t hashed;
	unsigned shift; /* of hashes to table entries */
	struct entry *table[CONTEXTS];
	uint32_t *noted; /* places by key */
	struct entry *entry[CONTEXTS];

	uint16_t quick[TRC_GRADES * QUICK_GRADES];
	unsigned cell_shift;
	struct trc_cell *judge[JUDGES], *far[FAR];
	uint16_t map[CONTEXTS][OFFERS][STATES];
	uint16_t match_map[OFFERS][MATCH_STATES];
	int16_t by_offer[OFFERS * 2 * CONTEXTS * 16][TRC_INPUTS];
	int16_t by_match[OFFERS][MATCH_STATES][TRC_INPUTS];
	uint16_t refined[OFFERS][ROWS][TRC_KNOTS];

	uint16_t far_map[FAR][TRC_HISTORIES];
	int16_t far_weight[16][TRC_INPUTS];
};

/* What was offered for one symbol. */
struct offers {
	unsigned n;
	uint16_t symbol[OFFERS];
	uint32_t excluded;    /* by the quick decision; none: UINT32_MAX */
	bool match;           /* it has a say */
	uint16_t match_symbol;
	unsigned match_state;
};

/* ---- setting up ---- */

static void
fill(uint16_t *p, size_t n, uint16_t v)
{
	for (size_t i = 0; i < n; i++)
		p[i] = v;
}

static void
init_tables(struct ranker *r)
{
	trc_logistic_init(&r->logistic);
	for (int k = 0; k <= CONTEXTS; k++) {
		r->power[k] = 1;
		for (size_t j = 0; j < order[k]; j++)
			r->power[k] *= M;
	}
	fill(r->quick, TRC_COUNT(r->quick), 65000);
	fill(&r->map[0][0][0], sizeof(r->map) / 2, 32768);
	fill(&r->match_map[0][0], sizeof(r->match_map) / 2, 32768);
	fill((uint16_t *)&r->by_offer[0][0], sizeof(r->by_offer) / 2, WEIGHT);
	fill((uint16_t *)&r->by_match[0][0][0], sizeof(r->by_match) / 2, WEIGHT);
	fill((uint16_t *)&r->far_weight[0][0], sizeof(r->far_weight) / 2, FAR_WEIGHT);
	for (int k = 0; k < FAR; k++)
		memcpy(r->far_map[k], r->logistic.map, sizeof(r->far_map[k]));
	for (int i = 0; i < OFFERS * ROWS; i++)
		memcpy(r->refined[i / ROWS][i % ROWS], r->logistic.row, sizeof(r->logistic.row));
}

static void
ranker_close(struct ranker *r)
{
	if (!r)
		return;
	free(r->x);
	free(r->table[0]);
	free(r->noted);
	free(r->judge[0]);
	free(r);
}

/* The tables of cells, all in one; -1 without memory. */
static int
make_cells(struct ranker *r, unsigned bits, struct trc_err *err)
{
	const size_t n = (size_t)1 << bits;
	struct trc_cell *cell = trc_alloc((JUDGES + FAR) * n, sizeof(*cell), err);

	if (!cell)
		return -1;
	for (size_t i = 0; i < (JUDGES + FAR) * n; i++)
		cell[i] = TRC_CELL_NEW;
	for (size_t k = 0; k < JUDGES; k++)
		r->judge[k] = cell + k * n;
	for (size_t k = 0; k < FAR; k++)
		r->far[k] = cell + (JUDGES + k) * n;
	r->cell_shift = 32 - bits;
	return 0;
}

static int
make_tables(struct ranker *r, size_t n, struct trc_err *err)
{
	unsigned bits = BITS_LEAST;

	while (bits < BITS_MOST && (size_t)1 << bits < n)
		bits++;
	r->shift = 32 - bits;
	r->x = trc_alloc(n + MATCH_LEAST, sizeof(*r->x), err);
	r->table[0] = trc_alloc((size_t)CONTEXTS << bits, sizeof(*r->table[0]), err);
	r->noted = trc_alloc((size_t)1 << bits, sizeof(*r->noted), err);
	if (!r->x || !r->table[0] || !r->noted ||
	    make_cells(r, bits < CELL_BITS_MOST ? bits : CELL_BITS_MOST, err))
		return -1;
	for (int k = 1; k < CONTEXTS; k++)
		r->table[k] = r->table[k - 1] + ((size_t)1 << bits);
	return 0;
}

static struct ranker *
ranker_open(size_t n, int bits, struct trc_err *err)
{
	struct ranker *r = trc_alloc(1, sizeof(*r), err);

	if (!r)
		return NULL;
	if (make_tables(r, n, err)) {
		ranker_close(r);
		return NULL;
	}
	r->bits = bits;
	r->hashed = SIZE_MAX - 1; /* nothing before is */
	init_tables(r);
	return r;
}

/* ---- contexts ---- */

/* The j-th symbol before the next. */
static inline uint32_t
back(const struct ranker *r, size_t j)
{
	return r->x[r->i + MATCH_LEAST - j];
}

/* Hashes of all orders. One more symbol is the sum's first term, moves the others by a factor, and
 * puts out the last; where several came, the sums are made anew. */
static void
find_hashes(struct ranker *r)
{
	uint32_t h = 0;
	size_t j = 0;

	if (r->hashed + 1 == r->i) {
		const uint32_t first = back(r, 1) + 1;

		for (int k = 0; k <= CONTEXTS; k++)
			r->hash[k] = first * r->power[k] + r->hash[k] * M_INVERSE -
			             back(r, order[k] + 1) - 1;
	} else {
		for (int k = 0; k <= CONTEXTS; k++) {
			for (; j < order[k]; j++)
				h = (h + back(r, j + 1) + 1) * M;
			r->hash[k] = h;
		}
	}
	r->hashed = r->i;
}

/* How many symbols before `at` and `i` are alike, up to `most`; four at once. */
static size_t
count_alike(const uint16_t *x, size_t at, size_t i, size_t most)
{
	size_t len = 0;

	for (; len + 4 <= most; len += 4)
		if (memcmp(&x[at - 4 - len], &x[i - 4 - len], 4 * sizeof(*x)))
			break;
	while (len < most && x[at - 1 - len] == x[i - 1 - len])
		len++;
	return len;
}

static void
find_match(struct ranker *r, uint32_t key)
{
	const size_t at = r->noted[key];
	const size_t len = count_alike(r->x + MATCH_LEAST, at, r->i,
	                               at < MATCH_MOST ? at : MATCH_MOST);

	r->noted[key] = (uint32_t)r->i;
	if (len >= MATCH_LEAST)
		r->match = (struct match){ at, (unsigned)len, 0 };
}

/* Finds the entries of all contexts, and a match if there is none that is worth keeping. */
static void
find_contexts(struct ranker *r)
{
	uint32_t spread[CONTEXTS];

	find_hashes(r);
	for (int k = 0; k < CONTEXTS; k++) {
		spread[k] = r->hash[k] * S;
		r->entry[k] = &r->table[k][spread[k] >> r->shift];
		TRC_PREFETCH(r->entry[k]);
	}
	if (r->i >= MATCH_LEAST && (r->match.at == 0 || r->match.len < MATCH_RENEW))
		find_match(r, r->hash[CONTEXTS] * S >> r->shift);
	for (int k = 0; k < CONTEXTS; k++) {
		const uint16_t check = (uint16_t)(spread[k] | 1);

		if (r->entry[k]->check != check)
			*r->entry[k] = (struct entry){ .check = check };
	}
}

static inline uint32_t
cell_of(const struct ranker *r, uint32_t v)
{
	return (v ^ v >> 15) * S >> r->cell_shift;
}

static inline void
find_judges(struct ranker *r, uint32_t candidate, struct trc_cell *judge[JUDGES])
{
	uint32_t f = (65536 * back(r, 1) + candidate) * S;

	judge[0] = &r->judge[0][cell_of(r, f)];
	f = (f ^ back(r, 2) * M) * C;
	judge[1] = &r->judge[1][cell_of(r, f)];
	f = (f ^ back(r, 3)) * M;
	judge[2] = &r->judge[2][cell_of(r, f)];
}

/* ---- decisions ---- */

static inline unsigned
decide(struct ranker *r, int one, unsigned bit)
{
	one = trc_keep(one, CERTAIN, 65536 - CERTAIN);
	return 1 ^ trc_rc_code(&r->rc, (uint32_t)one, 1 ^ bit);
}

/* Tries the match alone, if it looks sure; true if that was right. Sets *excluded if it was not. */
static inline bool
code_quick(struct ranker *r, unsigned symbol, uint32_t *excluded)
{
	struct match *a = &r->match;
	struct trc_cell *judge[JUDGES];
	uint16_t *p, candidate;
	unsigned right;

	if (a->at == 0 || a->len < MATCH_LEAST || a->misses > 0)
		return false;
	candidate = r->x[MATCH_LEAST + a->at];
	find_judges(r, candidate, judge);
	if (judge[2]->p < QUICK_SURE)
		return false;
	right = (unsigned)trc_stretch(&r->logistic, judge[2]->p) / 64;
	p = &r->quick[trc_grade(a->len) * QUICK_GRADES +
	              (right < QUICK_GRADES ? right : QUICK_GRADES - 1)];
	right = decide(r, *p, symbol == candidate);
	trc_move(p, right, QUICK_MOVE);
	trc_cell_learn(judge[2], right, JUDGE_MOST);
	if (!right) {
		*excluded = candidate;
		return false;
	}
	a->at++;
	a->len += a->len < 65535;
	r->right = r->right << 1 | 1;
	r->x[MATCH_LEAST + r->i] = candidate;
	return true;
}

/* What a context says of a candidate. */
static inline unsigned
state_of(const struct entry *e, uint16_t candidate)
{
	return e->seen == 0                          ? 0 :
	       e->last == candidate                  ? 1 + e->history * 3u :
	       e->seen == 2 && e->other == candidate ? 2 + e->history * 3u :
	                                               3 + e->history * 3u;
}

/* Decides whether a candidate, offered by the match or else by context k, is the symbol. */
static unsigned
code_offer(struct ranker *r, struct offers *o, uint16_t candidate, bool by_match, int k,
           unsigned bit)
{
	const struct trc_logistic *l = &r->logistic;
	const unsigned n = o->n;
	const unsigned match = 2 * o->match_state + (o->match && o->match_symbol != candidate);
	const size_t row = ((n * 2 + by_match) * CONTEXTS + (unsigned)k) * 16 + r->right % 16;
	int16_t *weight[2] = { r->by_offer[row], r->by_match[n][match] };
	int16_t input[TRC_INPUTS] = { 0 };
	struct trc_cell *judge[JUDGES];
	uint16_t *map[CONTEXTS + 1], *knot;
	int y[2], p;

	for (int c = 0; c < CONTEXTS; c++)
		map[c] = &r->map[c][n][state_of(r->entry[c], candidate)];
	map[CONTEXTS] = &r->match_map[n][match];
	for (int c = 0; c <= CONTEXTS; c++)
		input[c] = trc_stretch(l, *map[c]);
	find_judges(r, candidate, judge);
	for (int c = 0; c < JUDGES; c++)
		input[CONTEXTS + 1 + c] = trc_stretch(l, judge[c]->p);
	input[CONTEXTS + 1 + JUDGES] = 256;

	y[0] = trc_mixer_dot(weight[0], input, OFFER_INPUTS);
	y[1] = trc_mixer_dot(weight[1], input, OFFER_INPUTS);
	p = trc_squash(l, (y[0] + y[1]) / 2);
	p = (p + trc_refine(r->refined[n][match % ROWS], (y[0] + y[1]) / 2, &knot)) / 2;
	bit = decide(r, p, bit);

	for (int s = 0; s < 2; s++)
		trc_mixer_learn(weight[s], input, trc_squash(l, y[s]), bit, RATE);
	for (int c = 0; c <= CONTEXTS; c++)
		trc_move(map[c], bit, TRC_MOVE);
	for (int c = 0; c < JUDGES; c++)
		trc_cell_learn(judge[c], bit, JUDGE_MOST);
	trc_move(knot, bit, TRC_MOVE);
	if (n == 0)
		r->right = r->right << 1 | bit;
	o->symbol[o->n++] = candidate;
	return bit;
}

static bool
is_offered(const struct offers *o, uint16_t candidate)
{
	for (unsigned i = 0; i < o->n; i++)
		if (o->symbol[i] == candidate)
			return true;
	return candidate == o->excluded;
}

/* Offers candidates; true if one, the last in *o, is right. */
static bool
code_offers(struct ranker *r, struct offers *o, unsigned symbol)
{
	if (o->match && code_offer(r, o, o->match_symbol, true, 0, symbol == o->match_symbol))
		return true;
	for (unsigned seen = 1; seen <= 2; seen++)
		for (int k = CONTEXTS - 1; k >= 0; k--) {
			const struct entry *e = r->entry[k];
			const uint16_t candidate = seen == 1 ? e->last : e->other;

			if (e->seen < seen || is_offered(o, candidate))
				continue;
			if (code_offer(r, o, candidate, false, k, symbol == candidate))
				return true;
			if (o->n == OFFERS)
				return false;
		}
	return false;
}

/* One bit of a symbol that was not guessed; `v` are its contexts. */
static unsigned
code_far_bit(struct ranker *r, const uint32_t v[FAR], int number, unsigned bit)
{
	const struct trc_logistic *l = &r->logistic;
	int16_t input[TRC_INPUTS] = { 0 };
	struct trc_cell *cell[FAR];
	uint16_t *map[FAR];
	int p;

	for (int k = 0; k < FAR; k++) {
		cell[k] = &r->far[k][cell_of(r, v[k])];
		map[k] = &r->far_map[k][cell[k]->history];
		input[2 * k] = trc_stretch(l, cell[k]->p);
		input[2 * k + 1] = trc_stretch(l, *map[k]);
	}
	input[2 * FAR] = 256;
	p = trc_squash(l, trc_mixer_dot(r->far_weight[number], input, 2 * FAR + 1));
	bit = decide(r, p, bit);
	trc_mixer_learn(r->far_weight[number], input, p, bit, RATE);
	for (int k = 0; k < FAR; k++) {
		trc_move(map[k], bit, TRC_MOVE);
		trc_cell_learn(cell[k], bit, FAR_MOST);
	}
	return bit;
}

static unsigned
code_far(struct ranker *r, const struct offers *o, unsigned symbol)
{
	const uint32_t x1 = 65536 * back(r, 1), x2 = back(r, 2);
	const uint32_t first = o->n > 0 ? 65536 * (uint32_t)o->symbol[0] : 0;
	uint32_t node = 1;

	for (int b = r->bits - 1; b >= 0; b--) {
		const uint32_t v[FAR] = { node, (x1 + node) * M, ((x1 + node) * M ^ x2) * C,
			                  (65536 * x2 + node) * M, (first + node) * M };

		node = node * 2 + code_far_bit(r, v, b, symbol >> b & 1);
	}
	return node - (1u << r->bits);
}

/* ---- learning ---- */

static void
learn_entry(struct entry *e, uint16_t symbol)
{
	const bool again = e->last == symbol;

	if (e->seen == 0) {
		*e = (struct entry){ symbol, 0, e->check, 1, 1 };
		return;
	}
	e->history = (uint8_t)trc_history(e->history, again);
	if (!again) {
		e->other = e->last;
		e->last = symbol;
		e->seen = 2;
	}
}

static void
learn_match(struct match *a, bool right)
{
	if (a->at == 0)
		return;
	a->at++;
	if (right) {
		a->len += a->len < 65535;
		if (a->len >= MATCH_RENEW)
			a->misses = 0;
	} else {
		a->len = 0;
		if (++a->misses > MATCH_MISSES)
			*a = (struct match){ 0 };
	}
}

/* Codes the next symbol: writes `symbol`, or reads and returns it. */
static unsigned
code_symbol(struct ranker *r, unsigned symbol)
{
	struct offers o = { .excluded = UINT32_MAX };

	if (code_quick(r, symbol, &o.excluded))
		return r->x[MATCH_LEAST + r->i++];
	find_contexts(r);
	if (r->match.at > 0 && o.excluded == UINT32_MAX) {
		o.match = true;
		o.match_symbol = r->x[MATCH_LEAST + r->match.at];
		o.match_state = 1 + trc_grade(r->match.len) + TRC_GRADES * r->match.misses;
	}
	symbol = code_offers(r, &o, symbol) ? o.symbol[o.n - 1] : code_far(r, &o, symbol);
	for (int k = 0; k < CONTEXTS; k++)
		learn_entry(r->entry[k], (uint16_t)symbol);
	if (r->match.at > 0)
		learn_match(&r->match, r->x[MATCH_LEAST + r->match.at] == symbol);
	r->x[MATCH_LEAST + r->i++] = (uint16_t)symbol;
	return symbol;
}

/* ---- both directions ---- */

static unsigned
get_symbol(const uint8_t *raw, size_t i, size_t width)
{
	return width == 1 ? raw[i] : trc_be16(raw + 2 * i);
}

static int
bits_of(const uint8_t *raw, size_t n, size_t width)
{
	unsigned all = 1;

	for (size_t i = 0; i < n; i++)
		all |= get_symbol(raw, i, width);
	return 64 - trc_clz64(all);
}

int
trc_rank_write(const uint8_t *raw, size_t n, size_t width, struct trc_buf *out,
               struct trc_err *err)
{
	const uint8_t bits = (uint8_t)bits_of(raw, n / width, width);
	struct ranker *r;
	int ret;

	if (trc_buf_put(out, &bits, 1, err))
		return -1;
	r = ranker_open(n / width, bits, err);
	if (!r)
		return -1;
	trc_rc_write(&r->rc, out);
	for (size_t i = 0; i < n / width; i++)
		code_symbol(r, get_symbol(raw, i, width));
	ret = trc_rc_finish(&r->rc, err);
	ranker_close(r);
	return ret;
}

static int
read_symbols(struct ranker *r, size_t width, uint8_t *raw, size_t n)
{
	for (size_t i = 0; i < n && !trc_rc_overrun(&r->rc); i++) {
		const unsigned symbol = code_symbol(r, 0);

		if (width == 1)
			raw[i] = (uint8_t)symbol;
		else
			trc_put_be16(raw + 2 * i, (uint16_t)symbol);
	}
	return trc_rc_overrun(&r->rc) || r->rc.p != r->rc.end ? -1 : 0;
}

int
trc_rank_read(const uint8_t *p, size_t len, size_t width, uint8_t *raw, size_t n,
              struct trc_err *err)
{
	struct ranker *r;
	int ret;

	if (len == 0 || p[0] < 1 || p[0] > 8 * width || n % width != 0)
		return trc_fail(err, "a ranked stream is damaged");
	r = ranker_open(n / width, p[0], err);
	if (!r)
		return -1;
	trc_rc_read(&r->rc, p + 1, p + len);
	ret = read_symbols(r, width, raw, n / width);
	ranker_close(r);
	return ret ? trc_fail(err, "a ranked stream is damaged") : 0;
}
