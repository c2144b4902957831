/* SPDX-License-Identifier: MIT
 * Offering what followed in the same contexts before, one after another. */
#include "codec/rank_state.h"

enum {
	INPUTS = CONTEXTS + 1 + JUDGES + 2,

	MATCH_VERIFIED = 32,

	EVEN = 32767, /* the greatest that says nothing */
	FAR_MOST = 60,
};

#define M UINT32_C(0x2f0b4c47)
#define C UINT32_C(0x85ebca6b)

/* ---- contexts ---- */

/* The j-th symbol before the next. */
static inline uint32_t
back(const struct trc_ranker *r, size_t j)
{
	return r->x[r->i + MATCH_LEAST - j];
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

/* Notes are places, and a byte of the hash that keeps from looking at most of those that are of
 * something else. */
static bool
find_match(struct trc_ranker *r, uint32_t note, uint32_t hash, size_t order)
{
	const size_t at = note & (RANK_PLACES - 1);
	size_t len;

	if (at == 0 || (note >> 24) != (hash & 255))
		return false;
	len = count_alike(r->x + MATCH_LEAST, at, r->i, at < MATCH_VERIFIED ? at : MATCH_VERIFIED);
	if (len < order)
		return false;
	if (r->match.at == 0 || len > r->match.len)
		r->match = (struct trc_rank_match){ at, (unsigned)len, 0 };
	return true;
}

/* The entry of a context, or the one that gives way to it. */
static inline struct trc_rank_entry *
find_entry(struct trc_rank_entry *table, uint32_t spread, unsigned shift)
{
	const uint16_t check = (uint16_t)(spread | 1);
	struct trc_rank_entry *e = &table[spread >> shift], *other;

	other = &table[(spread >> shift) ^ 1];
	if (e->check == check)
		return e;
	if (other->check == check)
		return other;
	e = e->history <= 1 ? e : other->history <= 1 ? other : e;
	*e = (struct trc_rank_entry){ .check = check };
	return e;
}

/* Looks for a match, if there is none that is worth keeping, and notes this place. What was noted
 * is only looked at where it is wanted, since it is waited for. */
static void
find_matches(struct trc_ranker *r, uint32_t *const note[MATCH_ORDERS],
             const uint32_t hash[MATCH_ORDERS])
{
	static const size_t order[MATCH_ORDERS] = { 24, 12, 6 };

	if (r->match.at == 0 || r->match.len < MATCH_RENEW)
		for (int k = 0; k < MATCH_ORDERS; k++)
			if (find_match(r, *note[k], hash[k], order[k]))
				break;
	for (int k = 0; k < MATCH_ORDERS; k++)
		*note[k] = (uint32_t)r->i | hash[k] << 24;
}

/* Finds the entries of all contexts, and a match. */
static void
find_contexts(struct trc_ranker *r)
{
	const uint16_t *x = r->x + MATCH_LEAST + r->i;
	const uint32_t key[MATCH_ORDERS] = { trc_rank_hash(x, 24, 0), trc_rank_hash(x, 12, 0),
		                             trc_rank_hash(x, 6, 0) };
	uint32_t *note[MATCH_ORDERS], h[CONTEXTS];

	for (int k = 0; k < MATCH_ORDERS; k++) {
		note[k] = &r->noted[k][key[k] >> r->shift];
		TRC_PREFETCH(note[k]);
	}
	h[0] = trc_rank_hash(x, 1, 1);
	h[1] = trc_rank_hash(x, 2, 2);
	h[2] = trc_rank_hash(x, 4, 3);
	h[3] = trc_rank_hash(x, 8, 4);
	h[4] = trc_rank_hash(x, 16, 5);
	for (int k = 0; k < CONTEXTS; k++)
		TRC_PREFETCH(&r->table[h[k] >> r->shift]);
	for (int k = 0; k < CONTEXTS; k++)
		r->entry[k] = find_entry(r->table, h[k], r->shift);
	find_matches(r, note, key);
}

/* ---- offers ---- */

/* What a context says of a candidate. */
static inline unsigned
state_of(const struct trc_rank_entry *e, uint16_t candidate)
{
	/* Without branches, which nobody could foresee. */
	return e->history * 3u + ((2u - (e->other == candidate)) & (0u - (e->last != candidate)));
}

/* Decides whether a candidate, offered by the match or else by context k, is the symbol. */
static unsigned
code_offer(struct trc_ranker *r, struct trc_rank_offers *o, uint16_t candidate, bool by_match,
           int k, unsigned bit)
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
	for (int c = 0; c < JUDGES; c++) {
		judge[c] = trc_rank_cell(&o->judge[c], candidate);
		input[CONTEXTS + 1 + c] = trc_stretch(l, judge[c]->p);
	}
	input[CONTEXTS + 1 + JUDGES] = 256;
	input[CONTEXTS + 1 + JUDGES + 1] =
		trc_stretch(l, by_match ? (uint16_t)(o->trust >> 16) : EVEN);

	y[0] = trc_mixer_dot(weight[0], input, INPUTS);
	y[1] = trc_mixer_dot(weight[1], input, INPUTS);
	p = trc_squash(l, (y[0] + y[1]) / 2);
	p = (p + trc_refine(r->refined[n][match % ROWS], (y[0] + y[1]) / 2, &knot)) / 2;
	bit = trc_rank_decide(r, p, bit);

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
is_offered(const struct trc_rank_offers *o, uint16_t candidate)
{
	for (unsigned i = 0; i < o->n; i++)
		if (o->symbol[i] == candidate)
			return true;
	return false;
}

/* Offers candidates; true if one, the last in *o, is right. */
static bool
code_offers(struct trc_ranker *r, struct trc_rank_offers *o, unsigned symbol)
{
	if (o->match && !is_offered(o, o->match_symbol) &&
	    code_offer(r, o, o->match_symbol, true, 0, symbol == o->match_symbol))
		return true;
	for (unsigned other = 0; other < 2; other++)
		for (int k = CONTEXTS - 1; k >= 0; k--) {
			const struct trc_rank_entry *e = r->entry[k];
			const uint16_t candidate = other ? e->other : e->last;

			if (e->history == 0 || is_offered(o, candidate))
				continue;
			if (code_offer(r, o, candidate, false, k, symbol == candidate))
				return true;
			if (o->n == OFFERS)
				return false;
		}
	return false;
}

/* ---- what was not guessed ---- */

/* One bit of a symbol that was not guessed, by a cell in each of the lines. */
static unsigned
code_far_bit(struct trc_ranker *r, struct trc_cell *const far[FAR], unsigned place, int number,
             unsigned bit)
{
	const struct trc_logistic *l = &r->logistic;
	int16_t input[TRC_INPUTS] = { 0 };
	struct trc_cell *cell[FAR];
	uint16_t *map[FAR];
	int p;

	for (int k = 0; k < FAR; k++) {
		cell[k] = &far[k][place];
		map[k] = &r->far_map[k][cell[k]->history];
		input[2 * k] = trc_stretch(l, cell[k]->p);
		input[2 * k + 1] = trc_stretch(l, *map[k]);
	}
	input[2 * FAR] = 256;
	p = trc_squash(l, trc_mixer_dot(r->far_weight[number], input, 2 * FAR + 1));
	bit = trc_rank_decide(r, p, bit);
	trc_mixer_learn(r->far_weight[number], input, p, bit, RATE);
	for (int k = 0; k < FAR; k++) {
		trc_move(map[k], bit, TRC_MOVE);
		trc_cell_learn(cell[k], bit, FAR_MOST);
	}
	return bit;
}

static inline struct trc_cell *
far_line(const struct trc_rank_cells *cells, uint32_t v)
{
	return trc_rank_line(cells, (v ^ v >> 15) * TRC_RANK_S);
}

/* Lines of what is known of a symbol that was not guessed, when `node` is what is known of it. */
static void
find_far_lines(const struct trc_ranker *r, const struct trc_rank_offers *o, uint32_t node,
               struct trc_cell *far[FAR])
{
	const uint32_t x1 = 65536 * back(r, 1), x2 = back(r, 2);
	const uint32_t first = o->n > 0 ? 65536 * (uint32_t)o->symbol[0] : 0;
	const uint32_t v[FAR] = { node, (x1 + node) * M, ((x1 + node) * M ^ x2) * C,
		                  (65536 * x2 + node) * M, (first + node) * M };

	for (int k = 0; k < FAR; k++) {
		far[k] = far_line(&r->far[k], v[k]);
		TRC_PREFETCH(far[k]);
	}
}

static unsigned
code_far(struct trc_ranker *r, const struct trc_rank_offers *o, unsigned symbol)
{
	struct trc_cell *far[FAR];
	uint32_t node = 1, place = 1;

	find_far_lines(r, o, node, far);
	for (int b = r->bits - 1; b >= 0; b--) {
		const unsigned bit = code_far_bit(r, far, place, b, symbol >> b & 1);

		node = node * 2 + bit;
		place = place * 2 + bit;
		if (place >> LINE_BITS == 0 || b == 0)
			continue;
		find_far_lines(r, o, node, far);
		place = 1;
	}
	return node - (1u << r->bits);
}

/* ---- learning ---- */

static void
learn_entry(struct trc_rank_entry *e, uint16_t symbol)
{
	const bool again = e->last == symbol;

	if (e->history == 0) {
		*e = (struct trc_rank_entry){ symbol, symbol, e->check, 1 };
		return;
	}
	e->history = (uint8_t)trc_history(e->history, again);
	e->other = again ? e->other : e->last;
	e->last = symbol;
}

/* ---- both ---- */

/* What was not guessed by the match: it goes on behind a miss. */
static void
miss(struct trc_rank_match *a)
{
	a->at++;
	a->len = 0;
	if (++a->misses > MATCH_MISSES)
		*a = (struct trc_rank_match){ 0 };
}

static void
take(struct trc_ranker *r, uint16_t symbol)
{
	if (r->match.at == 0) {
		r->record[r->i] = 1;
		r->x[MATCH_LEAST + r->i++] = symbol;
	} else if (trc_rank_next(r) == symbol) {
		trc_rank_follow(r, symbol);
	} else {
		r->record[r->i] = (uint8_t)trc_history(r->record[r->match.at], 0);
		r->tried[trc_rank_next(r)] = (uint8_t)(r->tried[trc_rank_next(r)] << 1);
		r->x[MATCH_LEAST + r->i++] = symbol;
		miss(&r->match);
	}
}

void
trc_rank_offer(struct trc_ranker *r, struct trc_rank_offers *o, unsigned symbol)
{
	uint32_t *trust = NULL;

	find_contexts(r);
	o->match = r->match.at > 0;
	o->match_state = 0;
	if (o->match) {
		trust = trc_rank_trust(r);
		o->trust = *trust;
		o->match_symbol = trc_rank_next(r);
		o->match_state = 1 + r->fine[trc_rank_graded(r)] + TRC_GRADES * r->match.misses;
	}
	symbol = code_offers(r, o, symbol) ? o->symbol[o->n - 1] : code_far(r, o, symbol);
	for (int k = 0; k < CONTEXTS; k++)
		learn_entry(r->entry[k], (uint16_t)symbol);
	if (trust && !o->tried)
		trc_rank_learn(r, trust, o->match_symbol == symbol);
	take(r, (uint16_t)symbol);
}
