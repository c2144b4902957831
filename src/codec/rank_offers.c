/* SPDX-License-Identifier: MIT
 * Offering what followed in the same contexts before, one after another. */
#include "codec/rank_state.h"

enum {
	MATCH_VERIFIED = 32,
	FAR_MOST = 60,
};

#define M UINT32_C(0x2f0b4c47)

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
static void
find_match(struct trc_ranker *r, uint32_t note, uint32_t hash)
{
	const size_t at = note & (RANK_PLACES - 1);
	size_t len;

	if (at == 0 || (note >> 24) != (hash & 255))
		return;
	len = count_alike(r->x + MATCH_LEAST, at, r->i, at < MATCH_VERIFIED ? at : MATCH_VERIFIED);
	if (len >= MATCH_ORDER && (r->match.at == 0 || len > r->match.len))
		r->match = (struct trc_rank_match){ at, (unsigned)len, 0 };
}

/* The symbol that a value of an entry of shapes stands for. */
static inline int16_t
symbol_of(const struct trc_ranker *r, uint16_t value)
{
	const uint16_t near = r->x[MATCH_LEAST + r->i - value % (SHAPE_MOST + 1)];

	return (int16_t)(value > DISTANCE ? near : value);
}

#define EACH(e, field) \
	((trc_eight){ (int16_t)(e)[0]->field, (int16_t)(e)[1]->field, (int16_t)(e)[2]->field, \
	              (int16_t)(e)[3]->field, (int16_t)(e)[4]->field, (int16_t)(e)[5]->field })

/* Finds the entries of all contexts, side by side, and empties those that were others'. Nothing of
 * it is a branch, which nobody could foresee. */
static TRC_ALWAYS_INLINE void
find_entries(const struct trc_ranker *r, const struct trc_rank_look *l, struct trc_rank_offers *o)
{
	struct trc_rank_entry **e = o->entry;
	const uint32_t *h = l->context;

#pragma GCC unroll 8
	for (int k = 0; k < CONTEXTS; k++)
		e[k] = &r->table[k][h[k] >> r->table_shift[k]];
	o->check = (trc_eight){ (int16_t)(h[0] | 1), (int16_t)(h[1] | 1), (int16_t)(h[2] | 1),
		                (int16_t)(h[3] | 1), (int16_t)(h[4] | 1), (int16_t)(h[5] | 1) };
	o->history = EACH(e, history) & (EACH(e, check) == o->check);
	o->value = EACH(e, last);
	o->before = EACH(e, other);
	o->last = o->value;
	o->other = o->before;
#pragma GCC unroll 8
	for (int k = 0; k < SHAPES; k++) {
		o->last[k] = symbol_of(r, (uint16_t)o->value[k]);
		o->other[k] = symbol_of(r, (uint16_t)o->before[k]);
	}
}

/* Looks for a match, if there is none that is worth keeping, and notes this place. What was noted
 * is only looked at where it is wanted, since it is waited for. */
static TRC_ALWAYS_INLINE void
find_matches(struct trc_ranker *r, const struct trc_rank_look *l)
{
	uint32_t *note = &r->noted[l->key >> r->shift];

	if (r->match.at == 0 || r->match.len < MATCH_RENEW)
		find_match(r, *note, l->key);
	*note = (uint32_t)r->i | l->key << 24;
}

/* ---- offers ---- */

/* Lanes that are not 0 as bits, `first` that of the first. */
static inline unsigned
bits_of_lanes(trc_eight v, unsigned first)
{
	union {
		trc_eight eight;
		uint64_t half[2];
	} u = { .eight = v & (trc_eight){ 1, 2, 4, 8, 16, 32, 64, 128 } };
	uint64_t all = u.half[0] | u.half[1];

	all |= all >> 32;
	return (uint16_t)(all | all >> 16) * first;
}

/* Decides whether candidate k is the symbol: by a sum of weights, one for what each context and the
 * match say of it, all of which learn. */
static TRC_ALWAYS_INLINE unsigned
code_offer(struct trc_ranker *r, bool writes, struct trc_rank_offers *o, uint16_t candidate,
           unsigned k, trc_eight is_last, trc_eight is_other, unsigned bit)
{
	const unsigned n = o->n;
	const unsigned match = 2 * o->match_state + (o->match & (o->match_symbol != candidate));
	const trc_eight state = o->history * 3 + ((2 + is_other) & ~is_last);
	int16_t *weight[WEIGHTS];
	int sum = 0, p, by;

#pragma GCC unroll 8
	for (int c = 0; c < CONTEXTS; c++)
		weight[c] = &r->by_state[c][n][(uint16_t)state[c]];
	weight[CONTEXTS] = &r->by_match[n][match];
	weight[CONTEXTS + 1] = &r->by_offer[k * 16 + r->right % 16];
	weight[CONTEXTS + 2] = &r->by_trust[k == BY_MATCH ? 1 + (o->trust >> TRUST_SHIFT) : 0];
#pragma GCC unroll 16
	for (int c = 0; c < WEIGHTS; c++)
		sum += *weight[c];
	sum = trc_keep(sum >> WEIGHT_BITS, -TRC_LOGISTIC_MOST, TRC_LOGISTIC_MOST);
	p = trc_squash(&r->logistic, sum);
	bit = trc_rank_decide(&r->rc, writes, p, bit);
	by = (((int)(0u - bit) & TRC_ONE) - p) * WEIGHT_RATE;
	by = (by + 32768) >> 16;
#pragma GCC unroll 16
	for (int c = 0; c < WEIGHTS; c++)
		*weight[c] = (int16_t)trc_keep(*weight[c] + by, -WEIGHT_MOST, WEIGHT_MOST);
	r->right = n == 0 ? r->right << 1 | bit : r->right;
	o->first = n == 0 ? candidate : o->first;
	o->n++;
	return bit;
}

/* Offers candidates; true if one is right, which becomes *symbol. Bits of `there` are the match's
 * candidate, then the last of each context, then their others. */
static TRC_ALWAYS_INLINE bool
code_offers(struct trc_ranker *r, bool writes, struct trc_rank_offers *o, unsigned *symbol)
{
	const trc_eight full = o->history > 0;
	unsigned there = o->match | bits_of_lanes(full, LASTS) | bits_of_lanes(full, OTHERS);
	union {
		trc_eight eight[2];
		uint16_t symbol[2 * LANES];
	} list = { { o->last, o->other } };

	if (o->tried) {
		const int16_t v = (int16_t)o->first;
		const trc_eight same = { v, v, v, v, v, v, v, v };

		there &= ~(bits_of_lanes(o->last == same, LASTS) |
		           bits_of_lanes(o->other == same, OTHERS) | 1);
	}
	while (there != 0 && o->n < OFFERS) {
		const unsigned k = (unsigned)trc_ctz64(there);
		const uint16_t c = k == BY_MATCH ? o->match_symbol : list.symbol[k - 1];
		const int16_t v = (int16_t)c;
		const trc_eight same = { v, v, v, v, v, v, v, v };
		const trc_eight is_last = o->last == same, is_other = o->other == same;

		if (code_offer(r, writes, o, c, k, is_last, is_other, *symbol == c)) {
			*symbol = c;
			return true;
		}
		there &= ~(bits_of_lanes(is_last, LASTS) | bits_of_lanes(is_other, OTHERS) |
		           (c == o->match_symbol));
	}
	return false;
}

/* ---- what was not guessed ---- */

/* One bit of a symbol that was not guessed, by a cell in each of the lines. */
static TRC_ALWAYS_INLINE unsigned
code_far_bit(struct trc_ranker *r, bool writes, struct trc_cell *const far[FAR], unsigned place,
             int number, unsigned bit)
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
	bit = trc_rank_decide(&r->rc, writes, p, bit);
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
	const uint32_t first = o->n > 0 ? 65536 * (uint32_t)o->first : 0;
	const uint32_t v[FAR] = { node, (x1 + node) * M, (65536 * x2 + node) * M,
		                  (first + node) * M };

	for (int k = 0; k < FAR; k++) {
		far[k] = far_line(&r->far[k], v[k]);
		TRC_PREFETCH(far[k]);
	}
}

static TRC_ALWAYS_INLINE unsigned
code_far(struct trc_ranker *r, bool writes, const struct trc_rank_offers *o, unsigned symbol)
{
	struct trc_cell *far[FAR];
	uint32_t node = 1, place = 1;

	find_far_lines(r, o, node, far);
	for (int b = r->bits - 1; b >= 0; b--) {
		const unsigned bit = code_far_bit(r, writes, far, place, b, symbol >> b & 1);

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

/* Entries learn, side by side: `value` is the symbol, or for shapes its distance. */
static TRC_ALWAYS_INLINE void
learn_entries(struct trc_rank_offers *o, unsigned symbol, unsigned value)
{
	const int16_t s = (int16_t)symbol, d = (int16_t)value;
	const trc_eight to = { d, d, d, s, s, s };
	const trc_eight again = o->value == to, empty = o->history == 0;
	const trc_eight other = (again & o->before) | (~again & o->value);
	const trc_eight before = (empty & to) | (~empty & other);
	const trc_eight longer = o->history * 2 - again, over = longer > TRC_HISTORIES - 1;
	const trc_eight kept = longer - (over & (((longer >> 7) - 1) << 7));
	const trc_eight history = (empty & 1) | (~empty & kept);

#pragma GCC unroll 8
	for (int k = 0; k < CONTEXTS; k++)
		*o->entry[k] = (struct trc_rank_entry){ (uint16_t)to[k], (uint16_t)before[k],
			                                (uint16_t)o->check[k],
			                                (uint16_t)history[k] };
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

/* Returns how far back the same symbol is, 0 if that is too far. */
static TRC_ALWAYS_INLINE unsigned
take(struct trc_ranker *r, uint16_t symbol)
{
	const unsigned distance = trc_rank_shape(r, r->i, symbol);
	struct trc_rank_match *a = &r->match;

	if (a->at == 0) {
		r->record[r->i] = 1;
	} else {
		const uint16_t next = trc_rank_next(r);
		const unsigned right = next == symbol;

		r->record[r->i] = (uint8_t)trc_history(r->record[a->at], right);
		r->tried[next] = (uint8_t)(r->tried[next] << 1 | right);
		if (right)
			trc_rank_match_right(a);
		else
			miss(a);
	}
	r->x[MATCH_LEAST + r->i++] = symbol;
	return distance;
}

/* What is offered first. */
static inline uint16_t
likeliest(const struct trc_rank_offers *o)
{
	const trc_eight full = o->history > 0;
	const unsigned there = bits_of_lanes(full, 1) | 1u << LANES;

	return o->match && !o->tried ? o->match_symbol :
	                               (uint16_t)o->last[trc_ctz64(there) % LANES];
}

/* Codes the next symbol. */
static TRC_ALWAYS_INLINE void
code(struct trc_ranker *r, bool writes, struct trc_rank_offers *o, unsigned symbol)
{
	uint32_t *trust = NULL;
	struct trc_rank_look look;
	unsigned value;

	trc_rank_look(r, &r->shape, &look);
	find_entries(r, &look, o);
	find_matches(r, &look);
	o->match = r->match.at > 0;
	o->match_state = 0;
	o->match_symbol = 0;
	o->trust = 0;
	if (o->match) {
		trust = trc_rank_trust(r);
		o->trust = *trust;
		o->match_symbol = trc_rank_next(r);
		o->match_state = 1 + r->fine[trc_rank_graded(r)] + TRC_GRADES * r->match.misses;
	}
	if (!o->match || r->match.len < MATCH_RENEW)
		trc_rank_ask(r, likeliest(o));
	if (!code_offers(r, writes, o, &symbol))
		symbol = code_far(r, writes, o, symbol);
	value = take(r, (uint16_t)symbol);
	value = value ? DISTANCE + value : symbol;
	learn_entries(o, symbol, value);
	if (trust && !o->tried)
		*trust = trc_rank_learnt(r, *trust, o->match_symbol == symbol);
}

void
trc_rank_offer_write(struct trc_ranker *r, struct trc_rank_offers *o, unsigned symbol)
{
	code(r, true, o, symbol);
}

void
trc_rank_offer_read(struct trc_ranker *r, struct trc_rank_offers *o)
{
	code(r, false, o, 0);
}
