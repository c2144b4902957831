/* SPDX-License-Identifier: MIT
 * Offering what followed in the same contexts before, one after another. */
#include "codec/rank_state.h"

#if defined(__SSE2__) && !defined(TRC_NO_SIMD)
#include <emmintrin.h>
#endif

enum { MATCH_VERIFIED = 32 };

#define M UINT32_C(0x2f0b4c47)
#define S UINT32_C(0x9e3779b1)

/* ---- vectors ---- */

/* Of lanes, 0 is the match's, 1 to 6 are those of the contexts, and 7 is nobody's. */

#if defined(__clang__)
#define SHUFFLE(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
#define SHUFFLE(a, b, ...) __builtin_shuffle(a, b, (trc_eight){ __VA_ARGS__ })
#endif

/* The lower or upper halves of two vectors, by one lane, two or four in turn. */
#define LOW(a, b) SHUFFLE(a, b, 0, 8, 1, 9, 2, 10, 3, 11)
#define HIGH(a, b) SHUFFLE(a, b, 4, 12, 5, 13, 6, 14, 7, 15)
#define LOW2(a, b) SHUFFLE(a, b, 0, 1, 8, 9, 2, 3, 10, 11)
#define HIGH2(a, b) SHUFFLE(a, b, 4, 5, 12, 13, 6, 7, 14, 15)
#define LOW4(a, b) SHUFFLE(a, b, 0, 1, 2, 3, 8, 9, 10, 11)
#define HIGH4(a, b) SHUFFLE(a, b, 4, 5, 6, 7, 12, 13, 14, 15)

/* Two entries. */
typedef uint64_t pair __attribute__((vector_size(16)));

_Static_assert(sizeof(struct trc_rank_entry) == sizeof(uint64_t), "an entry is half a vector");

static inline uint64_t
load(const struct trc_rank_entry *e)
{
	uint64_t v;

	memcpy(&v, e, sizeof(v));
	return v;
}

static inline void
store(struct trc_rank_entry *e, uint64_t v)
{
	memcpy(e, &v, sizeof(v));
}

/* Lanes that are -1, not 0, as bits: those of `a`, and above them those of `b`. */
static inline unsigned
bits_of_lanes(trc_eight a, trc_eight b)
{
#if defined(__SSE2__) && !defined(TRC_NO_SIMD)
	return (unsigned)_mm_movemask_epi8(_mm_packs_epi16((__m128i)a, (__m128i)b));
#else
	unsigned bits = 0;

	for (int k = 0; k < LANES; k++)
		bits |= (a[k] & 1u) << k | (b[k] & 1u) << (LANES + k);
	return bits;
#endif
}

static inline trc_eight
all_lanes(unsigned symbol)
{
	const int16_t v = (int16_t)symbol;

	return (trc_eight){ v, v, v, v, v, v, v, v };
}

/* ---- contexts ---- */

/* What is known of the symbol that comes. */
struct offers {
	struct trc_rank_entry *entry[CONTEXTS];
	trc_eight check, history, value, before; /* of entries; `before` are other values */
	union {
		trc_eight eight[2]; /* the last ones, the others */
		uint16_t symbol[CANDIDATES];
	} list;
	bool match;
	unsigned match_state, trust; /* numbers of weights; 0: no match */
	unsigned first, n; /* the first that was refused, and how many */
};

/* Hashes of the contexts at a place. */
struct look {
	uint32_t context[CONTEXTS], key;
};

static TRC_ALWAYS_INLINE struct look
look(const struct trc_rank_shape *s)
{
	return (struct look){
		{ trc_rank_hash(s->far, 1),
		  trc_rank_hash(s->shape << SHAPE_BITS * (SHAPE - SHAPE_LONG), 2),
		  trc_rank_hash(s->shape & UINT32_MAX, 3), trc_rank_hash(s->four, 4),
		  trc_rank_hash(s->four >> 32, 5), trc_rank_hash(s->four >> 48, 6) },
		trc_rank_hash(s->shape ^ s->four * UINT64_C(0x2545f4914f6cdd1d), 7),
	};
}

/* Asks for what comes behind a symbol that is likely. */
static TRC_ALWAYS_INLINE void
ask(const struct trc_ranker *r, uint16_t symbol)
{
	struct trc_rank_shape s = r->shape;
	struct look l;

	trc_rank_push(&s, trc_rank_back(r, r->i, symbol), symbol);
	l = look(&s);
#pragma GCC unroll 8
	for (int k = 0; k < CONTEXTS; k++)
		TRC_PREFETCH(&r->entry[l.context[k] >> r->entry_shift]);
	TRC_PREFETCH(&r->noted[l.key >> r->shift]);
}

/* The symbol that a value of an entry of shapes stands for; `x` is where the next one goes. */
static inline int16_t
symbol_of(const uint16_t *x, uint16_t value)
{
	const uint16_t near = x[value % (SHAPE_MOST + 1) - (SHAPE_MOST + 1)];

	return (int16_t)(value > DISTANCE ? near : value);
}

/* Finds the entries of all contexts, side by side, and empties those that were others'. Nothing of
 * it is a branch, which nobody could foresee. */
static TRC_ALWAYS_INLINE void
find_entries(const struct trc_ranker *r, const struct look *l, struct offers *o)
{
	struct trc_rank_entry **e = o->entry;
	const uint32_t *h = l->context;
	const uint16_t *x = r->x + MATCH_LEAST + r->i;
	trc_eight v[4], a, b, c, d;

#pragma GCC unroll 8
	for (int k = 0; k < CONTEXTS; k++)
		e[k] = &r->entry[h[k] >> r->entry_shift];
	o->check = (trc_eight){ 0, (int16_t)h[0], (int16_t)h[1], (int16_t)h[2], (int16_t)h[3],
		                (int16_t)h[4], (int16_t)h[5], 0 } | 1;
	v[0] = (trc_eight)(pair){ 0, load(e[0]) };
	v[1] = (trc_eight)(pair){ load(e[1]), load(e[2]) };
	v[2] = (trc_eight)(pair){ load(e[3]), load(e[4]) };
	v[3] = (trc_eight)(pair){ load(e[5]), 0 };
	a = LOW(LOW(v[0], v[1]), HIGH(v[0], v[1])); /* last and other of four lanes, */
	b = HIGH(LOW(v[0], v[1]), HIGH(v[0], v[1])); /* check and history */
	c = LOW(LOW(v[2], v[3]), HIGH(v[2], v[3]));
	d = HIGH(LOW(v[2], v[3]), HIGH(v[2], v[3]));
	o->history = HIGH4(b, d) & (LOW4(b, d) == o->check);
	o->value = o->list.eight[0] = LOW4(a, c);
	o->before = o->list.eight[1] = HIGH4(a, c);
#pragma GCC unroll 8
	for (int k = 0; k < SHAPES; k++) {
		o->list.eight[0][1 + k] = symbol_of(x, e[k]->last);
		o->list.eight[1][1 + k] = symbol_of(x, e[k]->other);
	}
}

/* ---- matches ---- */

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

static TRC_NO_INLINE void
try_match(struct trc_ranker *r, size_t at)
{
	const size_t most = at < MATCH_VERIFIED ? at : MATCH_VERIFIED;
	const size_t len = count_alike(r->x + MATCH_LEAST, at, r->i, most);

	if (len >= MATCH_ORDER && (r->match.at == 0 || len > r->match.len))
		r->match = (struct trc_rank_match){ at, (unsigned)len, 0 };
}

/* Looks for a match, if there is none that is worth keeping, and notes this place. Notes are
 * places, and a byte of the hash that keeps from looking at most of those that are of something
 * else. */
static TRC_ALWAYS_INLINE void
find_match(struct trc_ranker *r, uint32_t key)
{
	uint32_t *note = &r->noted[key >> r->shift];
	const uint32_t was = *note;

	*note = (uint32_t)r->i | key << 24;
	if ((r->match.at == 0 || r->match.len < MATCH_RENEW) && was % RANK_PLACES > 0 &&
	    was >> 24 == (key & 255))
		try_match(r, was % RANK_PLACES);
}

/* Takes in the match; returns where its trust is, NULL for none. */
static TRC_ALWAYS_INLINE uint32_t *
offer_match(struct trc_ranker *r, struct offers *o)
{
	uint32_t *trust;

	o->match = r->match.at > 0;
	o->match_state = o->trust = 0;
	if (!o->match)
		return NULL;
	trust = trc_rank_trust(r);
	o->trust = 1 + (*trust >> TRUST_SHIFT);
	o->match_state = 2 * (1 + r->fine[trc_rank_graded(r)] + TRC_GRADES * r->match.misses);
	o->list.eight[0][BY_MATCH] = (int16_t)trc_rank_next(r);
	return trust;
}

/* ---- offers ---- */

/* What a sum of weights says, and what they learn from how it was. */
static inline int
squash_sum(const struct trc_ranker *r, int sum)
{
	return trc_squash(r->logistic, trc_keep(sum >> WEIGHT_BITS, -SUM_MOST, SUM_MOST));
}

static inline int
learn_by(int p, unsigned bit)
{
	return ((((int)(0u - bit) & TRC_ONE) - p) * WEIGHT_RATE + 32768) >> 16;
}

static inline void
add(int16_t *weight, int by)
{
	*weight = (int16_t)(*weight + by);
}

/* Decides whether candidate k is the symbol: by a sum of weights, one for what each context and the
 * match say of it, all of which learn. `same`: lanes whose candidates it is. */
static TRC_ALWAYS_INLINE unsigned
code_offer(struct trc_ranker *r, struct trc_rc *rc, bool writes, const struct offers *o, unsigned k,
           unsigned same, trc_eight state, unsigned bit)
{
	int16_t (*const by)[STATES] = r->by_state[o->n];
	int16_t *const c0 = &by[0][(uint16_t)state[1]], *const c1 = &by[1][(uint16_t)state[2]];
	int16_t *const c2 = &by[2][(uint16_t)state[3]], *const c3 = &by[3][(uint16_t)state[4]];
	int16_t *const c4 = &by[4][(uint16_t)state[5]], *const c5 = &by[5][(uint16_t)state[6]];
	int16_t *const match = &r->by_match[o->n][o->match_state + (o->match & ~same & 1)];
	int16_t *const place = &r->by_offer[k * 16 + r->right % 16];
	int16_t *const trust = &r->by_trust[k == BY_MATCH ? o->trust : 0];
	const int p = squash_sum(r, *c0 + *c1 + *c2 + *c3 + *c4 + *c5 + *match + *place + *trust);
	int e;

	bit = trc_rc_decide(rc, writes, p, bit);
	e = learn_by(p, bit);
	add(c0, e);
	add(c1, e);
	add(c2, e);
	add(c3, e);
	add(c4, e);
	add(c5, e);
	add(match, e);
	add(place, e);
	add(trust, e);
	r->right = o->n == 0 ? r->right << 1 | bit : r->right;
	return bit;
}

/* Offers candidates, those `there` as bits; true if one is right, which becomes *symbol. */
static TRC_ALWAYS_INLINE bool
code_offers(struct trc_ranker *r, bool writes, struct offers *o, unsigned there, unsigned *symbol)
{
	const trc_eight states = o->history * 3;
	struct trc_rc rc = r->rc;
	unsigned bit = 0;

	while (there != 0 && o->n < OFFERS && !bit) {
		const unsigned k = (unsigned)trc_ctz64(there), c = o->list.symbol[k];
		const trc_eight is_last = o->list.eight[0] == all_lanes(c);
		const trc_eight is_other = o->list.eight[1] == all_lanes(c);
		const unsigned same = bits_of_lanes(is_last, is_other);

		bit = code_offer(r, &rc, writes, o, k, same,
		                 states + ((2 + is_other) & ~is_last), *symbol == c);
		o->first = o->n == 0 ? c : o->first;
		o->n++;
		*symbol = bit ? c : *symbol;
		there &= ~same;
	}
	r->rc = rc;
	return bit;
}

/* ---- what was not guessed ---- */

/* Histories of a context stand in one line of the cache. */
static inline uint8_t *
line_of(const struct trc_rank_lines *lines, uint32_t v)
{
	return lines->line + ((size_t)((v ^ v >> 15) * S >> lines->shift) << LINE_BITS);
}

/* Lines of what is known of a symbol that was not guessed, when `node` is what is known of it. */
static void
find_lines(const struct trc_ranker *r, uint32_t first, uint32_t node, uint8_t *line[FAR])
{
	const uint16_t *x = r->x + MATCH_LEAST + r->i;
	const uint32_t v[FAR] = { node, (65536u * x[-1] + node) * M, (65536u * x[-2] + node) * M,
		                  (65536u * first + node) * M };

	for (int k = 0; k < FAR; k++) {
		line[k] = line_of(&r->far[k], v[k]);
		TRC_PREFETCH(line[k]);
	}
}

/* One bit of a symbol, by a history in each of the lines. */
static TRC_ALWAYS_INLINE unsigned
code_bit(struct trc_ranker *r, struct trc_rc *rc, bool writes, uint8_t *const line[FAR],
         unsigned place, int number, unsigned bit)
{
	int16_t *weight[FAR];
	int sum = 0, p;

#pragma GCC unroll 4
	for (int k = 0; k < FAR; k++) {
		weight[k] = &r->by_far[number][k][line[k][place]];
		sum += *weight[k];
	}
	p = squash_sum(r, sum);
	bit = trc_rc_decide(rc, writes, p, bit);
#pragma GCC unroll 4
	for (int k = 0; k < FAR; k++) {
		add(weight[k], learn_by(p, bit));
		line[k][place] = (uint8_t)trc_history(line[k][place], bit);
	}
	return bit;
}

static TRC_ALWAYS_INLINE unsigned
code_far(struct trc_ranker *r, bool writes, unsigned first, unsigned symbol)
{
	uint8_t *line[FAR];
	uint32_t node = 1, place = 1;
	struct trc_rc rc = r->rc;

	find_lines(r, first, node, line);
	for (int b = r->bits - 1; b >= 0; b--) {
		const unsigned bit = code_bit(r, &rc, writes, line, place, b, symbol >> b & 1);

		node = node * 2 + bit;
		place = place * 2 + bit;
		if (place >> LINE_BITS == 0 || b == 0)
			continue;
		find_lines(r, first, node, line);
		place = 1;
	}
	r->rc = rc;
	return node - (1u << r->bits);
}

/* ---- learning ---- */

/* Entries learn, side by side: `value` is the symbol, or for shapes its distance. */
static TRC_ALWAYS_INLINE void
learn_entries(const struct offers *o, unsigned symbol, unsigned value)
{
	const int16_t s = (int16_t)symbol, d = (int16_t)value;
	const trc_eight to = { 0, d, d, d, s, s, s, 0 };
	const trc_eight again = o->value == to, empty = o->history == 0;
	const trc_eight other = (again & o->before) | (~again & o->value);
	const trc_eight before = (empty & to) | (~empty & other);
	const trc_eight longer = o->history * 2 - again, over = longer > TRC_HISTORIES - 1;
	const trc_eight kept = longer - (over & (((longer >> 7) - 1) << 7));
	const trc_eight history = (empty & NEW) | (~empty & kept);
	const trc_eight low = LOW(to, before), high = HIGH(to, before);
	const trc_eight low2 = LOW(o->check, history), high2 = HIGH(o->check, history);
	const pair a = (pair)LOW2(low, low2), b = (pair)HIGH2(low, low2);
	const pair c = (pair)LOW2(high, high2), e = (pair)HIGH2(high, high2);

	store(o->entry[0], a[1]);
	store(o->entry[1], b[0]);
	store(o->entry[2], b[1]);
	store(o->entry[3], c[0]);
	store(o->entry[4], c[1]);
	store(o->entry[5], e[0]);
}

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
		r->record[r->i] = NEW;
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

/* Codes the next symbol. */
static TRC_ALWAYS_INLINE void
code(struct trc_ranker *r, bool writes, bool tried, unsigned symbol)
{
	struct offers o = { .first = tried ? trc_rank_next(r) : 0, .n = tried };
	const struct look l = look(&r->shape);
	uint32_t *trust;
	trc_eight full;
	unsigned there, distance;

	find_entries(r, &l, &o);
	find_match(r, l.key);
	trust = offer_match(r, &o);
	full = o.history > 0;
	there = bits_of_lanes(full, full) | o.match;
	if (tried)
		there &= ~(1u | bits_of_lanes(o.list.eight[0] == all_lanes(o.first),
		                              o.list.eight[1] == all_lanes(o.first)));
	if (!o.match || r->match.len < MATCH_RENEW)
		ask(r, o.list.symbol[trc_ctz64(there | 1u << LANES)]);
	if (!code_offers(r, writes, &o, there, &symbol))
		symbol = code_far(r, writes, o.first, symbol);
	if (trust && !tried)
		*trust = trc_rank_learnt(r, *trust, trc_rank_next(r) == symbol);
	distance = take(r, (uint16_t)symbol);
	learn_entries(&o, symbol, distance ? 0u - distance : symbol);
}

void
trc_rank_offer_write(struct trc_ranker *r, bool tried, unsigned symbol)
{
	code(r, true, tried, symbol);
}

void
trc_rank_offer_read(struct trc_ranker *r, bool tried)
{
	code(r, false, tried, 0);
}
