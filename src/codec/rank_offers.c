/* SPDX-License-Identifier: MIT
 * Offering what followed in the same contexts before, one after another. */
#include "codec/rank_state.h"

enum {
	MATCH_VERIFIED = 32,

	EVEN = 32767, /* the greatest that says nothing */
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

/* The entry of a context, or the one that gives way to it: without branches, which nobody could
 * foresee. */
static inline struct trc_rank_entry *
find_entry(struct trc_rank_entry *table, uint32_t spread, unsigned shift)
{
	const uint32_t at = spread >> shift;
	const uint16_t check = (uint16_t)(spread | 1);
	const unsigned here = table[at].check == check, there = table[at ^ 1].check == check;
	const unsigned kept = table[at].history > 1, gives = table[at ^ 1].history <= 1;
	struct trc_rank_entry *e = &table[at ^ ((here ^ 1) & (there | (kept & gives)))];

	e->history = (uint8_t)(e->history & (0 - (here | there)));
	e->check = check;
	return e;
}

/* Looks for a match, if there is none that is worth keeping, and notes this place. What was noted
 * is only looked at where it is wanted, since it is waited for. */
static void
find_matches(struct trc_ranker *r, uint32_t *const note[MATCH_ORDERS],
             const uint32_t hash[MATCH_ORDERS])
{
	static const size_t order[MATCH_ORDERS] = { 24, 10 };

	if (r->match.at == 0 || r->match.len < MATCH_RENEW)
		for (int k = 0; k < MATCH_ORDERS; k++)
			if (find_match(r, *note[k], hash[k], order[k]))
				break;
	for (int k = 0; k < MATCH_ORDERS; k++)
		*note[k] = (uint32_t)r->i | hash[k] << 24;
}

/* Finds the entries of all contexts, and a match. */
static void
find_contexts(struct trc_ranker *r, const struct trc_rank_look *l)
{
	uint32_t *note[MATCH_ORDERS];

	for (int k = 0; k < MATCH_ORDERS; k++)
		note[k] = &r->noted[k][l->key[k] >> r->shift];
	for (int k = 0; k < CONTEXTS; k++)
		r->entry[k] = find_entry(r->table[k], l->context[k], r->table_shift[k]);
	find_matches(r, note, l->key);
}

/* ---- offers ---- */

/* What the entries are, side by side. */
static inline void
tell_entries(const struct trc_ranker *r, struct trc_rank_offers *o)
{
	struct trc_rank_entry *const *e = r->entry;

	o->last = (trc_eight){ (int16_t)e[0]->last, (int16_t)e[1]->last, (int16_t)e[2]->last,
		               (int16_t)e[3]->last, (int16_t)e[4]->last };
	o->other = (trc_eight){ (int16_t)e[0]->other, (int16_t)e[1]->other, (int16_t)e[2]->other,
		                (int16_t)e[3]->other, (int16_t)e[4]->other };
	o->history = (trc_eight){ e[0]->history, e[1]->history, e[2]->history, e[3]->history,
		                  e[4]->history };
	o->history *= 3;
}

/* Decides whether candidate k is the symbol. */
static TRC_ALWAYS_INLINE unsigned
code_offer(struct trc_ranker *r, bool writes, struct trc_rank_offers *o, uint16_t candidate,
           unsigned k, unsigned bit)
{
	const struct trc_logistic *l = &r->logistic;
	const unsigned n = o->n;
	const unsigned match = 2 * o->match_state + (o->match && o->match_symbol != candidate);
	int16_t *weight[2] = { r->by_offer[k * 16 + r->right % 16], r->by_match[n][match] };
	const int16_t v = (int16_t)candidate;
	const trc_eight same = { v, v, v, v, v, v, v, v };
	const trc_eight state = o->history + ((2 + (o->other == same)) & ~(o->last == same));
	uint16_t *judge[JUDGES], *map[CONTEXTS + 1], *knot;
	union trc_inputs in;
	int y, p, refined;

	for (int c = 0; c < CONTEXTS; c++)
		map[c] = &r->map[c][n][(uint16_t)state[c]];
	map[CONTEXTS] = &r->match_map[n][match];
	for (int c = 0; c < JUDGES; c++)
		judge[c] = trc_rank_judge(&r->judge[c], o->look.judge[c], candidate);
	in.eight[0] = (trc_eight){
		trc_stretch(l, *map[0]), trc_stretch(l, *map[1]), trc_stretch(l, *map[2]),
		trc_stretch(l, *map[3]), trc_stretch(l, *map[4]), trc_stretch(l, *map[5]),
		trc_stretch(l, *judge[0]), trc_stretch(l, *judge[1]),
	};
	in.eight[1] = (trc_eight){
		trc_stretch(l, *judge[2]), trc_stretch(l, *judge[3]), 256,
		trc_stretch(l, k == BY_MATCH ? (uint16_t)(o->trust >> 16) : EVEN),
	};
	y = trc_mixer_dot2(weight[0], weight[1], in.input, TRC_INPUTS);
	p = trc_squash(l, y);
	refined = trc_refine(r->refined[n][match], y, &knot);
	bit = trc_rank_decide(&r->rc, writes, (p + refined) / 2, bit);
	trc_mixer_learn2(weight[0], weight[1], in.input, TRC_INPUTS, p, bit, RATE);
	for (int c = 0; c <= CONTEXTS; c++)
		trc_move(map[c], bit, TRC_MOVE);
	for (int c = 0; c < JUDGES; c++)
		trc_rank_learn_judge(judge[c], bit);
	trc_move(knot, bit, TRC_MOVE);
	r->right = n == 0 ? r->right << 1 | bit : r->right;
	o->first = n == 0 ? candidate : o->first;
	o->n++;
	return bit;
}

/* Finds candidates; returns bits, which of them there are. */
static unsigned
find_candidates(const struct trc_ranker *r, const struct trc_rank_offers *o,
                uint16_t candidate[CANDIDATES])
{
	unsigned there = o->tried | o->match << BY_MATCH;

	candidate[0] = o->first;
	candidate[BY_MATCH] = o->match_symbol;
	for (unsigned k = 0; k < CONTEXTS; k++) {
		const struct trc_rank_entry *e = r->entry[CONTEXTS - 1 - k];
		const unsigned bit = e->history > 0;

		candidate[2 + k] = e->last;
		candidate[2 + CONTEXTS + k] = e->other;
		there |= bit << (2 + k) | bit << (2 + CONTEXTS + k);
	}
	return there;
}

/* Which of the candidates are not the one given. */
static inline unsigned
others(const uint16_t candidate[CANDIDATES], uint16_t refused)
{
	unsigned bits = 0;

	for (unsigned k = 0; k < CANDIDATES; k++)
		bits |= (unsigned)(candidate[k] != refused) << k;
	return bits;
}

/* Offers candidates; true if one is right, which becomes *symbol. */
static TRC_ALWAYS_INLINE bool
code_offers(struct trc_ranker *r, bool writes, struct trc_rank_offers *o, unsigned *symbol)
{
	uint16_t candidate[CANDIDATES];
	unsigned there = find_candidates(r, o, candidate);

	if (o->tried)
		there &= others(candidate, o->first);
	while (there != 0 && o->n < OFFERS) {
		const unsigned k = (unsigned)trc_ctz64(there);

		if (code_offer(r, writes, o, candidate[k], k, *symbol == candidate[k])) {
			*symbol = candidate[k];
			return true;
		}
		there &= others(candidate, candidate[k]);
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

/* Without branches, too. */
static inline void
learn_entry(const struct trc_ranker *r, struct trc_rank_entry *e, unsigned symbol)
{
	const unsigned again = 0u - (e->last == symbol), empty = 0u - (e->history == 0);
	const unsigned other = (again & e->other) | (~again & e->last);

	e->history = r->history[2 * e->history + (again & 1)];
	e->other = (uint16_t)((empty & symbol) | (~empty & other));
	e->last = (uint16_t)symbol;
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
		r->four = trc_rank_roll(r->four, symbol);
	} else if (trc_rank_next(r) == symbol) {
		trc_rank_follow(r, symbol);
	} else {
		r->record[r->i] = (uint8_t)trc_history(r->record[r->match.at], 0);
		r->tried[trc_rank_next(r)] = (uint8_t)(r->tried[trc_rank_next(r)] << 1);
		r->x[MATCH_LEAST + r->i++] = symbol;
		r->four = trc_rank_roll(r->four, symbol);
		miss(&r->match);
	}
}

/* Codes the next symbol. */
static TRC_ALWAYS_INLINE void
code(struct trc_ranker *r, bool writes, struct trc_rank_offers *o, unsigned symbol)
{
	uint32_t *trust = NULL;

	trc_rank_look(r, &o->look);
	find_contexts(r, &o->look);
	tell_entries(r, o);
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
	if (!code_offers(r, writes, o, &symbol))
		symbol = code_far(r, writes, o, symbol);
	for (int k = 0; k < CONTEXTS; k++)
		learn_entry(r, r->entry[k], symbol);
	if (trust && !o->tried)
		*trust = trc_rank_learnt(r, *trust, o->match_symbol == symbol);
	take(r, (uint16_t)symbol);
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
