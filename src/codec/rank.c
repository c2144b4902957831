/* SPDX-License-Identifier: MIT
 * Guessing indices: one code for both directions, so that they cannot drift apart. */
#include "codec/rank.h"

#include "codec/rank_state.h"

enum {
	OFFER_INPUTS = CONTEXTS + 1 + JUDGES + 2,

	MATCH_MOST = 400,
	MATCH_RENEW = 16, /* a match that is shorter gives way to another */

	/* Quick decisions are at least so sure. */
	SURE = 247,
	SURE_SLOW = 253,  /* at the level that takes its time */
	LEVEL_SLOW = 9,

	EVEN = 32767, /* the greatest that says nothing */
	QUICK_MOVE = 7,
	QUICK_KNOWN = 65400, /* a cell that says more learns nothing from being right */
	JUDGE_MOST = 30,
	FAR_MOST = 60,
	RATE = 4,
	CERTAIN = 24,     /* least probability */
};

#define M TRC_RANK_M
#define S UINT32_C(0x9e3779b1)
#define C UINT32_C(0x85ebca6b)

#define M_INVERSE UINT32_C(0x40489d77) /* M * M_INVERSE = 1, modulo 2^32 */
#define CONTEXT_STEP UINT32_C(0x3d4d51cb)

/* What judges candidates in one context. */
struct judge {
	struct trc_cell *line;
	uint32_t hash;
};

/* What was offered for one symbol. */
struct offers {
	unsigned n;
	uint16_t symbol[OFFERS];
	struct judge judge[JUDGES];
	uint32_t excluded;    /* by the quick decision; none: UINT32_MAX */
	uint16_t *quick;      /* what was not sure enough of the match's; or NULL */
	bool match;           /* it has a say */
	uint16_t match_symbol;
	unsigned match_state;
};

/* ---- contexts ---- */

/* The j-th symbol before the next. */
static inline uint32_t
back(const struct trc_ranker *r, size_t j)
{
	return r->x[r->i + MATCH_LEAST - j];
}

/* Hashes of all orders. One more symbol is the sum's first term, moves the others by a factor, and
 * puts out the last; where several came, the sums are made anew. */
static void
find_hashes(struct trc_ranker *r)
{
	uint32_t h = 0;
	size_t j = 0;

	if (r->hashed + 1 == r->i) {
		const uint32_t first = back(r, 1) + 1;

		for (int k = 0; k <= CONTEXTS; k++)
			r->hash[k] = first * r->power[k] + r->hash[k] * M_INVERSE -
			             back(r, trc_rank_order[k] + 1) - 1;
	} else {
		for (int k = 0; k <= CONTEXTS; k++) {
			for (; j < trc_rank_order[k]; j++)
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

/* Notes are places, and a byte of the hash that keeps from looking at most of those that are of
 * something else. */
static void
find_match(struct trc_ranker *r, uint32_t spread)
{
	uint32_t *note = &r->noted[spread >> r->shift];
	const uint32_t check = spread << 24, old = *note;
	const size_t at = old & (RANK_PLACES - 1);
	size_t len;

	*note = (uint32_t)r->i | check;
	if (at == 0 || (old ^ check) >> 24)
		return;
	len = count_alike(r->x + MATCH_LEAST, at, r->i, at < MATCH_MOST ? at : MATCH_MOST);
	if (len >= MATCH_LEAST)
		r->match = (struct trc_rank_match){ at, (unsigned)len, 0 };
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

/* Finds the entries of all contexts, and a match if there is none that is worth keeping. */
static void
find_contexts(struct trc_ranker *r)
{
	uint32_t spread[CONTEXTS];

	find_hashes(r);
	for (unsigned k = 0; k < CONTEXTS; k++) {
		spread[k] = r->hash[k] * S + k * CONTEXT_STEP;
		TRC_PREFETCH(&r->table[spread[k] >> r->shift]);
	}
	TRC_PREFETCH(&r->noted[r->hash[CONTEXTS] * S >> r->shift]);
	for (int k = 0; k < CONTEXTS; k++)
		r->entry[k] = find_entry(r->table, spread[k], r->shift);
	if (r->i >= MATCH_LEAST && (r->match.at == 0 || r->match.len < MATCH_RENEW))
		find_match(r, r->hash[CONTEXTS] * S);
}

/* Cells of a context stand in one line of the cache. */
static inline struct trc_cell *
line_of(const struct trc_rank_cells *cells, uint32_t v)
{
	return cells->line + ((size_t)((v ^ v >> 15) * S >> cells->shift) << LINE_BITS);
}

/* Finds the lines of the two judges that know most, which quick decisions look at. */
static inline void
find_quick_lines(const struct trc_ranker *r, struct judge judge[JUDGES])
{
	uint32_t h = 0;

	/* The latest last, so that little waits for it. */
	for (size_t j = 3; j > 0; j--)
		h = (h ^ back(r, j)) * M;
	judge[2] = (struct judge){ line_of(&r->judge[2], h), h };
	h = 0;
	for (size_t j = 7; j > 0; j--)
		h = (h ^ back(r, j)) * M;
	judge[3] = (struct judge){ line_of(&r->judge[3], h), h };
}

/* Those of the others. */
static inline void
find_lines(const struct trc_ranker *r, struct judge judge[JUDGES])
{
	const uint32_t first = back(r, 1) * M, second = (back(r, 2) * M ^ back(r, 1)) * M;

	judge[0] = (struct judge){ line_of(&r->judge[0], first), first };
	judge[1] = (struct judge){ line_of(&r->judge[1], second), second };
	TRC_PREFETCH(judge[0].line);
	TRC_PREFETCH(judge[1].line);
}

/* The cell of a candidate. Its place depends on the context, too, since several share a line. */
static inline struct trc_cell *
cell_of(const struct judge *j, uint32_t candidate)
{
	return &j->line[(j->hash ^ candidate) * S >> (32 - LINE_BITS)];
}

/* ---- decisions ---- */

static inline unsigned
decide(struct trc_ranker *r, int one, unsigned bit)
{
	one = trc_keep(one, CERTAIN, 65536 - CERTAIN);
	return 1 ^ trc_rc_code(&r->rc, (uint32_t)one, 1 ^ bit);
}

static inline unsigned
grade_of(const struct trc_ranker *r, unsigned len)
{
	return r->grade[len < TRC_COUNT(r->grade) ? len : TRC_COUNT(r->grade) - 1];
}

/* How sure the match looks, by its length and two of its candidate's cells. */
static inline uint16_t *
find_quick(struct trc_ranker *r, uint16_t third, uint16_t fourth)
{
	const int u = trc_stretch(&r->logistic, third) + TRC_LOGISTIC_MOST;
	const int v = trc_stretch(&r->logistic, fourth) + TRC_LOGISTIC_MOST;

	return &r->quick[grade_of(r, r->match.len) / 2][u / QUICK_STEP][v / QUICK_STEP];
}

/* Tries the match alone, if it looks sure; true if that was right. Otherwise *o has what was
 * learnt. */
static inline bool
code_quick(struct trc_ranker *r, unsigned symbol, struct offers *o)
{
	struct trc_rank_match *a = &r->match;
	struct trc_cell *third, *fourth;
	uint16_t *p, candidate;
	unsigned right;

	find_quick_lines(r, o->judge);
	if (a->at == 0 || a->len < MATCH_LEAST || a->misses > 0)
		return false;
	candidate = r->x[MATCH_LEAST + a->at];
	third = cell_of(&o->judge[2], candidate);
	fourth = cell_of(&o->judge[3], candidate);
	p = find_quick(r, third->p, fourth->p);
	if (*p < r->sure) {
		o->quick = p;
		return false;
	}
	right = decide(r, *p, symbol == candidate);
	trc_move(p, right, QUICK_MOVE);
	if (!right || third->p < QUICK_KNOWN)
		trc_cell_learn(third, right, JUDGE_MOST);
	if (!right || fourth->p < QUICK_KNOWN)
		trc_cell_learn(fourth, right, JUDGE_MOST);
	if (!right) {
		o->excluded = candidate;
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
state_of(const struct trc_rank_entry *e, uint16_t candidate)
{
	/* Without branches, which nobody could foresee. */
	return e->history * 3u + ((2u - (e->other == candidate)) & (0u - (e->last != candidate)));
}

/* Decides whether a candidate, offered by the match or else by context k, is the symbol. */
static unsigned
code_offer(struct trc_ranker *r, struct offers *o, uint16_t candidate, bool by_match, int k,
           unsigned bit)
{
	const struct trc_logistic *l = &r->logistic;
	const unsigned n = o->n;
	const unsigned match = 2 * o->match_state + (o->match && o->match_symbol != candidate);
	const size_t row = ((n * 2 + by_match) * CONTEXTS + (unsigned)k) * 16 + r->right % 16;
	int16_t *weight[2] = { r->by_offer[row], r->by_match[n][match] };
	int16_t input[TRC_INPUTS] = { 0 };
	struct trc_cell *judge[JUDGES];
	uint16_t none = EVEN, *quick = by_match && o->quick ? o->quick : &none;
	uint16_t *map[CONTEXTS + 1], *knot;
	int y[2], p;

	for (int c = 0; c < CONTEXTS; c++)
		map[c] = &r->map[c][n][state_of(r->entry[c], candidate)];
	map[CONTEXTS] = &r->match_map[n][match];
	for (int c = 0; c <= CONTEXTS; c++)
		input[c] = trc_stretch(l, *map[c]);
	for (int c = 0; c < JUDGES; c++) {
		judge[c] = cell_of(&o->judge[c], candidate);
		input[CONTEXTS + 1 + c] = trc_stretch(l, judge[c]->p);
	}
	input[CONTEXTS + 1 + JUDGES] = 256;
	input[CONTEXTS + 1 + JUDGES + 1] = trc_stretch(l, *quick);

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
	trc_move(quick, bit, QUICK_MOVE);
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
code_offers(struct trc_ranker *r, struct offers *o, unsigned symbol)
{
	if (o->match && code_offer(r, o, o->match_symbol, true, 0, symbol == o->match_symbol))
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
	bit = decide(r, p, bit);
	trc_mixer_learn(r->far_weight[number], input, p, bit, RATE);
	for (int k = 0; k < FAR; k++) {
		trc_move(map[k], bit, TRC_MOVE);
		trc_cell_learn(cell[k], bit, FAR_MOST);
	}
	return bit;
}

/* Lines of what is known of a symbol that was not guessed, when `node` is what is known of it. */
static void
find_far_lines(const struct trc_ranker *r, const struct offers *o, uint32_t node,
               struct trc_cell *far[FAR])
{
	const uint32_t x1 = 65536 * back(r, 1), x2 = back(r, 2);
	const uint32_t first = o->n > 0 ? 65536 * (uint32_t)o->symbol[0] : 0;
	const uint32_t v[FAR] = { node, (x1 + node) * M, ((x1 + node) * M ^ x2) * C,
		                  (65536 * x2 + node) * M, (first + node) * M };

	for (int k = 0; k < FAR; k++) {
		far[k] = line_of(&r->far[k], v[k]);
		TRC_PREFETCH(far[k]);
	}
}

static unsigned
code_far(struct trc_ranker *r, const struct offers *o, unsigned symbol)
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

static void
learn_match(struct trc_rank_match *a, bool right)
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
			*a = (struct trc_rank_match){ 0 };
	}
}

/* Codes the next symbol: writes `symbol`, or reads and returns it. */
static unsigned
code_symbol(struct trc_ranker *r, unsigned symbol)
{
	struct offers o;

	o.n = 0;
	o.excluded = UINT32_MAX;
	o.quick = NULL;
	o.match = false;
	o.match_state = 0;
	if (code_quick(r, symbol, &o))
		return r->x[MATCH_LEAST + r->i++];
	find_lines(r, o.judge);
	find_contexts(r);
	if (r->match.at > 0 && o.excluded == UINT32_MAX) {
		o.match = true;
		o.match_symbol = r->x[MATCH_LEAST + r->match.at];
		o.match_state = 1 + grade_of(r, r->match.len) + TRC_GRADES * r->match.misses;
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
trc_ranker_write(struct trc_ranker *r, const uint8_t *raw, size_t n, size_t width, int level,
                 struct trc_buf *out, struct trc_err *err)
{
	const uint8_t head[2] = { (uint8_t)bits_of(raw, n / width, width),
	                          level < LEVEL_SLOW ? SURE : SURE_SLOW };

	if (trc_buf_put(out, head, sizeof(head), err) || trc_rank_begin(r, n / width, err))
		return -1;
	r->bits = head[0];
	r->sure = head[1] * 256u;
	trc_rc_write(&r->rc, out);
	for (size_t i = 0; i < n / width; i++)
		code_symbol(r, get_symbol(raw, i, width));
	return trc_rc_finish(&r->rc, err);
}

static int
read_symbols(struct trc_ranker *r, size_t width, uint8_t *raw, size_t n)
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
trc_ranker_read(struct trc_ranker *r, const uint8_t *p, size_t len, size_t width, uint8_t *raw,
                size_t n, struct trc_err *err)
{
	enum { HEAD = 2 };

	if (len < HEAD || p[0] < 1 || p[0] > 8 * width || n % width != 0)
		return trc_fail(err, "a ranked stream is damaged");
	if (trc_rank_begin(r, n / width, err))
		return -1;
	r->bits = p[0];
	r->sure = p[1] * 256u;
	trc_rc_read(&r->rc, p + HEAD, p + len);
	return read_symbols(r, width, raw, n / width) ?
	               trc_fail(err, "a ranked stream is damaged") :
	               0;
}

int
trc_rank_write(const uint8_t *raw, size_t n, size_t width, int level, struct trc_buf *out,
               struct trc_err *err)
{
	struct trc_ranker *r = trc_ranker_open(n / width, err);
	const int ret = r ? trc_ranker_write(r, raw, n, width, level, out, err) : -1;

	trc_ranker_close(r);
	return ret;
}

int
trc_rank_read(const uint8_t *p, size_t len, size_t width, uint8_t *raw, size_t n,
              struct trc_err *err)
{
	struct trc_ranker *r = trc_ranker_open(n / width, err);
	const int ret = r ? trc_ranker_read(r, p, len, width, raw, n, err) : -1;

	trc_ranker_close(r);
	return ret;
}
