/* SPDX-License-Identifier: MIT
 * Offers symbols that followed in the same contexts before, one after another. */
#include "codec/stream/ranking_state.h"

#if defined(__SSE2__) && !defined(TRC_NO_SIMD)
#include <emmintrin.h>
#endif

enum {
	/* The candidates, in the order of offers: that of the match, the last symbol in each
	 * context, and the other one in each context. */
	BY_MATCH = 0,
	BY_LAST = 1,
	BY_OTHER = 5,
};

#define M UINT32_C(0x2f0b4c47)
#define S UINT32_C(0x9e3779b1)

enum { OTHER = 16, CHECK = 32, HISTORY = 48 }; /* bit offsets of the fields of an entry */

/* ---- candidates ---- */

/* The candidates for the next symbol. */
struct offers {
	trc_rank_entry *at[CONTEXTS], entry[CONTEXTS]; /* the positions and values of entries */
	uint64_t candidate[LANES / 4];                 /* 16 bits each, the first one lowest */
	unsigned there;                                /* bit mask of candidates that exist */
	unsigned match;                                /* index of weights; 0: no match */
	unsigned first, n; /* the first candidate refused, and the number of refused ones */
};

static inline unsigned
candidate(const struct offers *o, unsigned k)
{
	return (uint16_t)(o->candidate[k / 4] >> k % 4 * 16);
}

/* Returns which candidates equal this symbol, as a bit mask. */
static TRC_ALWAYS_INLINE unsigned
lanes_of(const struct offers *o, unsigned symbol)
{
#if defined(__SSE2__) && !defined(TRC_NO_SIMD)
	const __m128i all = _mm_set_epi64x((int64_t)o->candidate[1], (int64_t)o->candidate[0]);
	const __m128i same = _mm_cmpeq_epi16(all, _mm_set1_epi16((int16_t)symbol));

	return (unsigned)_mm_movemask_epi8(_mm_packs_epi16(same, _mm_setzero_si128()));
#else
	unsigned bits = 0;

	for (unsigned k = 0; k < LANES; k++)
		bits |= (unsigned)(candidate(o, k) == symbol) << k;
	return bits;
#endif
}

/* ---- contexts ---- */

/* Hashes of the contexts at a position. */
struct look {
	uint32_t context[CONTEXTS], key;
};

static TRC_ALWAYS_INLINE struct look
look(const struct trc_rank_shape *s)
{
	return (struct look){
		{ (uint32_t)(s->far >> 32),
		  trc_rank_hash(s->shape << (64 - SHAPE_BITS * SHAPE_LONG), 1),
		  (uint32_t)(s->path >> 32) },
		(uint32_t)((s->path ^ s->far) >> 32),
	};
}

/* Prefetches the entries for the next symbol before the tables are updated with the last one. */
static TRC_ALWAYS_INLINE void
prefetch(const struct trc_ranker *r)
{
	const struct look l = look(&r->shape);

#pragma GCC unroll 4
	for (int k = 0; k < CONTEXTS; k++)
		TRC_PREFETCH(&r->table.entry[l.context[k] >> r->table.entry_shift]);
	TRC_PREFETCH(&r->table.place[l.key >> r->table.place_shift]);
}

/* Returns the symbol of a value in an entry of context `k`; `x` is where the next symbol goes. */
static TRC_ALWAYS_INLINE uint64_t
symbol_of(const uint16_t *x, int k, uint16_t value)
{
	const uint16_t near = x[value % (SHAPE_MOST + 1) - (SHAPE_MOST + 1)];

	return k < SHAPES && value > DISTANCE ? near : value;
}

static inline bool
has_check(trc_rank_entry e, uint16_t check)
{
	return (uint16_t)(e >> CHECK) == check;
}

/* Finds the entry of context `k` at one of two positions, or empties the one with the lower
 * history. Avoids branches, which would be unpredictable. */
static TRC_ALWAYS_INLINE void
find_entry(const struct trc_ranker *r, uint32_t hash, int k, struct offers *o)
{
	const uint16_t *x = r->x + MATCH_LEAST + r->i;
	const uint16_t check = (uint16_t)(hash | 1);
	const size_t place = hash >> r->table.entry_shift;
	const trc_rank_entry here = r->table.entry[place], there = r->table.entry[place ^ 1];
	const bool better = has_check(there, check) | (there >> HISTORY < here >> HISTORY);
	const bool second = has_check(here, check) ? false : better;
	const trc_rank_entry found = second ? there : here;
	const trc_rank_entry e = has_check(found, check) ?
	                                 found :
	                                 (uint32_t)found | (trc_rank_entry)check << CHECK;

	o->at[k] = &r->table.entry[place ^ second];
	o->entry[k] = e;
	o->candidate[0] |= symbol_of(x, k, (uint16_t)e) << (BY_LAST + k) * 16;
	o->candidate[1] |= symbol_of(x, k, (uint16_t)(e >> OTHER)) << (BY_OTHER + k) % 4 * 16;
	o->there |= e >> HISTORY ? (1u << BY_LAST | 1u << BY_OTHER) << k : 0;
}

static TRC_ALWAYS_INLINE void
find_entries(const struct trc_ranker *r, const struct look *l, struct offers *o)
{
#pragma GCC unroll 4
	for (int k = 0; k < CONTEXTS; k++)
		find_entry(r, l->context[k], k, o);
}

/* ---- matches ---- */

static TRC_NO_INLINE void
try_match(struct trc_ranker *r, size_t at)
{
	trc_match_try(&r->match, r->x + MATCH_LEAST, sizeof(*r->x), at, r->i, MATCH_ORDER);
}

/* Looks for a match unless there is a trusted one, and records this position. */
static TRC_ALWAYS_INLINE void
find_match(struct trc_ranker *r, uint32_t key)
{
	uint32_t *entry = &r->table.place[key >> r->table.place_shift];
	const uint32_t at = trc_match_noted(*entry, key);

	*entry = trc_match_note(r->i, key);
	if (!trc_rank_matched(r) && at > 0)
		try_match(r, at);
}

/* Adds the candidate of the match; returns its confidence counter, or NULL if there is no match. */
static TRC_ALWAYS_INLINE struct trc_counter *
offer_match(struct trc_ranker *r, struct offers *o)
{
	struct trc_counter *confidence;

	o->match = 0;
	if (!trc_rank_matched(r))
		return NULL;
	confidence = trc_rank_confidence(r);
	o->match = 2 * (1 + (confidence->pn >> CONFIDENCE_SHIFT));
	o->candidate[0] |= trc_rank_next(r);
	o->there |= 1u << BY_MATCH;
	return confidence;
}

/* ---- offers ---- */

/* Returns the probability of a sum of weights. */
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

/* Returns the weight of context `k` for the candidates in `same`, which depends on the history of
 * its last symbol, and on whether they equal that symbol or the last different one. */
static TRC_ALWAYS_INLINE int16_t *
weight_of(struct trc_ranker *r, const struct offers *o, int k, unsigned same)
{
	const unsigned is = (same >> (BY_LAST + k) & 1) | (same >> (BY_OTHER + k - 1) & 2);

	return &r->offer.by_state[o->n][k][4 * (o->entry[k] >> HISTORY) + is];
}

/* Codes whether the candidates in `same` are right, with the probability of the sum of one weight
 * per context and one for the match, and updates the weights. */
static TRC_ALWAYS_INLINE unsigned
code_offer(struct trc_ranker *r, bool writes, const struct offers *o, unsigned same, unsigned bit)
{
	int16_t *const w0 = weight_of(r, o, 0, same), *const w1 = weight_of(r, o, 1, same);
	int16_t *const w2 = weight_of(r, o, 2, same);
	int16_t *const match = &r->offer.by_match[o->n][o->match + (same & 1u << BY_MATCH)];
	const int p = squash_sum(r, *w0 + *w1 + *w2 + *match);
	int e;

	bit = trc_rc_code_p1(&r->rc, writes, p, bit);
	e = learn_by(p, bit);
	add(w0, e);
	add(w1, e);
	add(w2, e);
	add(match, e);
	return bit;
}

/* Offers candidates; returns true if one is right, and stores it in *symbol. */
static TRC_ALWAYS_INLINE bool
code_offers(struct trc_ranker *r, bool writes, struct offers *o, unsigned *symbol)
{
	unsigned left = o->there & (o->n > 0 ? ~lanes_of(o, o->first) : ~0u);
	unsigned bit = 0;

	while (left != 0 && o->n < OFFERS && !bit) {
		const unsigned c = candidate(o, (unsigned)trc_ctz64(left));
		const unsigned same = lanes_of(o, c);

		bit = code_offer(r, writes, o, same & o->there, *symbol == c);
		o->first = o->n == 0 ? c : o->first;
		o->n++;
		*symbol = bit ? c : *symbol;
		left &= ~same;
	}
	return bit;
}

/* ---- symbols that are not candidates ---- */

/* Returns the cache line with the histories of a context. */
static inline uint8_t *
line_of(const struct trc_rank_lines *lines, uint32_t v)
{
	return lines->line + ((size_t)((v ^ v >> 15) * S >> lines->shift) << LINE_BITS);
}

/* Finds the lines of histories for a symbol that is not a candidate, whose bits so far are
 * `node`. */
static void
find_lines(const struct trc_ranker *r, uint32_t first, uint32_t node, uint8_t *line[FAR])
{
	const uint16_t *x = r->x + MATCH_LEAST + r->i;
	const uint32_t v[FAR] = { node, (65536u * x[-1] + node) * M, (65536u * x[-2] + node) * M,
		                  (65536u * first + node) * M };

	for (int k = 0; k < FAR; k++) {
		line[k] = line_of(&r->bit.line[k], v[k]);
		TRC_PREFETCH(line[k]);
	}
}

/* Codes one bit of a symbol with a history from each line. */
static TRC_ALWAYS_INLINE unsigned
code_bit(struct trc_ranker *r, struct trc_rc *rc, bool writes, uint8_t *const line[FAR],
         unsigned place, int number, unsigned bit)
{
	int16_t *weight[FAR];
	int sum = 0, p;

#pragma GCC unroll 4
	for (int k = 0; k < FAR; k++) {
		weight[k] = &r->bit.by_history[number][k][line[k][place]];
		sum += *weight[k];
	}
	p = squash_sum(r, sum);
	bit = trc_rc_code_p1(rc, writes, p, bit);
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

/* Returns an entry updated with the value `to`. */
static TRC_ALWAYS_INLINE trc_rank_entry
learnt(trc_rank_entry e, uint16_t to)
{
	const unsigned history = (unsigned)(e >> HISTORY), again = (uint16_t)e == to;
	const uint32_t both = again ? (uint32_t)e : (uint32_t)e << OTHER | to;
	const uint32_t values = history ? both : (uint32_t)to << OTHER | to;
	const trc_rank_entry kept = e & (trc_rank_entry)0xffff << CHECK;

	return (trc_rank_entry)(history ? trc_history(history, again) : NEW) << HISTORY | kept |
	       values;
}

/* Updates the entries: `value` is the symbol or, for shapes, its distance. */
static TRC_ALWAYS_INLINE void
learn(const struct offers *o, unsigned symbol, unsigned value)
{
#pragma GCC unroll 4
	for (int k = 0; k < CONTEXTS; k++)
		*o->at[k] = learnt(o->entry[k], (uint16_t)(k < SHAPES ? value : symbol));
}

/* Appends a symbol; returns the distance to its previous occurrence, 0 if that is too far back. */
static TRC_ALWAYS_INLINE unsigned
take(struct trc_ranker *r, uint16_t symbol)
{
	const unsigned distance = trc_rank_shape(r, r->i, symbol);
	struct trc_match *a = &r->match;

	r->history[r->i] = NEW;
	if (a->at > 0) {
		const uint16_t next = trc_rank_next(r);
		const unsigned right = next == symbol;

		if (trc_rank_matched(r)) {
			r->history[r->i] = (uint8_t)trc_history(r->history[a->at], right);
			r->confidence.tried[next] = (uint8_t)(r->confidence.tried[next] << 1 |
			                                      right);
		}
		trc_match_follow(a, right);
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
	struct trc_counter *confidence;
	unsigned distance;

	find_entries(r, &l, &o);
	find_match(r, l.key);
	confidence = offer_match(r, &o);
	if (!code_offers(r, writes, &o, &symbol))
		symbol = code_far(r, writes, o.first, symbol);
	if (confidence && !tried)
		trc_counter_learn(confidence, trc_rank_next(r) == symbol, CONFIDENCE_LIMIT);
	distance = take(r, (uint16_t)symbol);
	prefetch(r);
	learn(&o, symbol, distance ? 0u - distance : symbol);
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
