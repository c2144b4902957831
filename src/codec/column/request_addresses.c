/* SPDX-License-Identifier: MIT
 * Predicts the addresses of requests; the same code serves both directions. */
#include "codec/column/request_addresses.h"

#include <stdlib.h>

#define H trc_hash
#define W trc_hash64

enum {
	SUCCESSOR_BITS_MOST = 17,
	FIRST_TABLE = TRC_REQUEST_PREDICTIONS - TRC_REQUEST_TABLES,
	ADDED = FIRST_TABLE + 2, /* predictions from here on are added to the previous address */
	NEVER_REST = 32,         /* the lowest bits, which are always predicted */
	RARE = 8, /* if no candidate is ever right, one row in this many tries them */
	CANDIDATE_CONTEXTS = 5,
	KIND_CONTEXTS = 5,
	BIT_CONTEXTS = 4,
	ROOM = TRC_REQUEST_ADDRESS_BITS,

	CANDIDATE = 0, /* numbers of predictors */
	BIT,
	KIND,
	NAME,
};

static const struct trc_predictor_row candidate_row = {
	CANDIDATE_CONTEXTS,
	TRC_REQUEST_PREDICTIONS,
	TRC_REQUEST_CANDIDATES,
	.mixers = { 8 * TRC_REQUEST_CANDIDATES, 16 * 16, TRC_REQUEST_PREDICTIONS },
	.apms = { 256, 64 * TRC_REQUEST_CANDIDATES },
};

static const struct trc_predictor_row bit_row = {
	BIT_CONTEXTS, 0, 3, .mixers = { 8 * ROOM, 16 * ROOM, 1 }, .apms = { 8 * ROOM, 16 * ROOM },
};

static const struct trc_predictor_row kind_row = {
	KIND_CONTEXTS, 0, 1, .mixers = { 512, 32, 1 }, .apms = { 512, 32 },
};

/* ---- setting up ---- */

static int
init_predictors(struct trc_request_addresses *a, struct trc_predictors *with, struct trc_err *err)
{
	if (trc_predictor_init(&a->candidate, with, CANDIDATE, &candidate_row, err) ||
	    trc_predictor_init(&a->bit, with, BIT, &bit_row, err) ||
	    trc_predictor_init(&a->kind, with, KIND, &kind_row, err))
		return -1;
	return 0;
}

int
trc_request_addresses_init(struct trc_request_addresses *a, struct trc_predictors *with,
                           size_t rows, unsigned bits, unsigned unit, struct trc_err *err)
{
	const unsigned table = trc_table_bits(rows, SUCCESSOR_BITS_MOST);

	a->with = with;
	a->bits = bits;
	a->unit = unit;
	a->successor_shift = 32 - table;
	a->hits = 1;
	for (int k = 0; k < TRC_REQUEST_PREDICTIONS * TRC_REQUEST_CANDIDATES; k++)
		for (int i = 0; i < TRC_REQUEST_RELATIONS; i++)
			a->relation[k / TRC_REQUEST_CANDIDATES][k % TRC_REQUEST_CANDIDATES][i] =
			        TRC_COUNTER_NEW;
	trc_bits_init(a->end_tree, sizeof(a->end_tree));
	trc_bits_init(a->rest, sizeof(a->rest));
	for (int k = 0; k < TRC_REQUEST_TABLES; k++) {
		a->table[k] = trc_alloc((size_t)1 << table, sizeof(*a->table[k]), err);
		if (!a->table[k])
			return -1;
	}
	return init_predictors(a, with, err) ?
	               -1 :
	               trc_request_names_init(&a->names, with, NAME, rows, err);
}

void
trc_request_addresses_release(struct trc_request_addresses *a)
{
	trc_predictor_release(&a->candidate);
	trc_predictor_release(&a->bit);
	trc_predictor_release(&a->kind);
	trc_request_names_release(&a->names);
	for (int k = 0; k < TRC_REQUEST_TABLES; k++)
		free(a->table[k]);
}

size_t
trc_request_addresses_memory(size_t rows)
{
	const size_t entry = TRC_REQUEST_TABLES * sizeof(struct trc_request_successor);

	return (entry << trc_table_bits(rows, SUCCESSOR_BITS_MOST)) +
	       trc_predictor_memory(&candidate_row) + trc_predictor_memory(&bit_row) +
	       trc_predictor_memory(&kind_row) + trc_request_names_memory(rows);
}

const struct trc_request_name *
trc_request_known(const struct trc_request_addresses *a, uint64_t addr)
{
	const uint32_t number = trc_request_name_find(&a->names, addr);

	return number == TRC_REQUEST_NEW ? NULL : &a->names.name[number];
}

/* ---- predictions ---- */

static void
find_successors(struct trc_request_addresses *a)
{
	const struct trc_request_coded *n = a->now;
	const uint64_t by1 = n[1].addr - n[2].addr, by2 = n[2].addr - n[3].addr;
	const uint32_t context[TRC_REQUEST_TABLES] = {
		W(n[1].addr, 1),
		W(n[2].addr, W(n[1].addr, 2)),
		H(n[1].size, W(by1, 3)),
		W(by2, W(by1, 4)),
	};

	for (int k = 0; k < TRC_REQUEST_TABLES; k++) {
		uint32_t x = context[k] * UINT32_C(0x85ebca6b);
		uint16_t check;

		x = (x ^ x >> 14) * UINT32_C(0x9e3779b1);
		check = (uint16_t)(x | 1);
		a->successor[k] = &a->table[k][x >> a->successor_shift];
		if (a->successor[k]->check != check)
			*a->successor[k] = (struct trc_request_successor){ .check = check };
	}
}

/* Returns true if an address has at most as many bits as the addresses of the part. */
static bool
has_room(const struct trc_request_addresses *a, uint64_t addr)
{
	return a->bits == ROOM || addr >> a->bits == 0;
}

static void
predict(struct trc_request_addresses *a)
{
	find_successors(a);
	a->has = 0;
	for (unsigned k = 0; k < TRC_REQUEST_PREDICTIONS; k++) {
		uint64_t v;

		if (k < FIRST_TABLE ? k >= a->ends : !a->successor[k - FIRST_TABLE]->seen)
			continue;
		v = k < FIRST_TABLE ? a->end[k] : a->successor[k - FIRST_TABLE]->value;
		if (k >= ADDED)
			v += a->now[1].addr;
		a->prediction[k] = v;
		a->has |= (unsigned)has_room(a, v) << k;
	}
}

/* ---- candidates ---- */

/* An address that may be right. */
struct candidate {
	uint64_t addr;
	unsigned k, tried, agree, count;
};

static void
select_candidate(const struct trc_request_addresses *a, const struct candidate *c,
                 uint32_t context[CANDIDATE_CONTEXTS], struct trc_select *s)
{
	const struct trc_request_coded *n = a->now;
	const unsigned k = c->k, tried = c->tried, right = a->right[k];
	const struct trc_request_name *name = trc_request_known(a, c->addr);
	const uint32_t hash[CANDIDATE_CONTEXTS] = {
		H(c->agree, H(tried, 0)),
		H(a->hits % 16, H(c->agree, 1)),
		W(c->addr, 2),
		H(name ? name->size : 0, H(n[1].size, H(k, 3))),
		W(c->addr - n[1].addr, H(n[1].size, 4)),
	};

	for (int i = 0; i < CANDIDATE_CONTEXTS; i++)
		context[i] = trc_context(hash[i], 1);
	*s = (struct trc_select){
		.map_set = tried,
		.mixer = { 8 * tried + k, 16 * (a->hits % 16) + 2 * tried + !!name, c->count - 1 },
		.apm = { c->agree, 64 * tried + right % 64 },
	};
}

static unsigned
code_candidate(struct trc_request_addresses *a, const struct candidate *c, unsigned right)
{
	struct trc_counter *relation[TRC_REQUEST_PREDICTIONS];
	uint32_t context[CANDIDATE_CONTEXTS];
	struct trc_select s;

	for (unsigned k = 0; k < TRC_REQUEST_PREDICTIONS; k++) {
		const unsigned r = 1 + 2 * (a->right[k] % 8u) + !(c->agree >> k & 1);

		relation[k] = &a->relation[k][c->tried][a->has >> k & 1 ? r : 0];
		a->candidate.expert[k] = (int16_t)trc_stretch(
		        a->with->logistic, (uint16_t)trc_counter_p(*relation[k]));
	}
	select_candidate(a, c, context, &s);
	trc_predictor_find(&a->candidate, context);
	right = trc_predictor_code(&a->candidate, 0, &s, right);
	for (unsigned k = 0; k < TRC_REQUEST_PREDICTIONS; k++)
		trc_counter_learn(relation[k], right, TRC_EXPERT_LIMIT);
	return right;
}

/* Tries candidates; returns true if the one in now[0] is right. */
static bool
code_candidates(struct trc_request_addresses *a, bool writes, uint64_t addr)
{
	static const uint8_t order[TRC_REQUEST_PREDICTIONS] = { 4, 5, 0, 1, 6, 7, 2, 3 };
	struct candidate c = { .tried = 0 };
	unsigned done = 0;

	if (a->hits == 0 && a->rows % RARE != 0)
		return false;

	for (unsigned i = 0; i < TRC_REQUEST_PREDICTIONS && c.tried < TRC_REQUEST_CANDIDATES; i++) {
		c.k = order[i];
		if (!(a->has >> c.k & 1) || done >> c.k & 1)
			continue;
		c.addr = a->prediction[c.k];
		c.agree = c.count = 0;
		for (unsigned k = 0; k < TRC_REQUEST_PREDICTIONS; k++) {
			const bool is = a->has >> k & 1 && a->prediction[k] == c.addr;

			c.agree |= (unsigned)is << k;
			c.count += is;
		}
		done |= c.agree;
		a->now[0].addr = c.addr;
		if (code_candidate(a, &c, writes && c.addr == addr))
			return true;
		c.tried++;
	}
	return false;
}

/* ---- bits ---- */

/* Returns the bits of an address above bit `b`, after a leading 1. */
static uint64_t
path_of(const struct trc_request_addresses *a, uint64_t addr, unsigned b)
{
	const unsigned d = a->bits - b;
	const uint64_t one = d < ROOM ? UINT64_C(1) << d : 0;

	return b < ROOM ? addr >> b | one : one;
}

/* Computes the parts of the contexts of bits that are the same for the whole address. */
static void
make_contexts(const struct trc_request_addresses *a, uint32_t c[BIT_CONTEXTS - 1])
{
	const struct trc_request_coded *n = a->now;
	const uint32_t context[BIT_CONTEXTS - 1] = {
		0,
		H(n[1].size, 1),
		W(trc_request_block(a, n[1].addr) / 64, 2),
	};

	memcpy(c, context, sizeof(context));
}

/* Finds the slots after `d` bits; returns true if no new address has begun with these bits and the
 * last one is not near. */
static bool
find_slots(struct trc_request_addresses *a, const uint32_t *c, uint64_t path, unsigned d)
{
	enum { NEAR = 8, NOT_NEAR = 99 };
	const uint64_t t = path - path_of(a, a->far[0], a->bits - d) + NEAR;
	uint32_t context[BIT_CONTEXTS];

	for (int k = 0; k < BIT_CONTEXTS - 1; k++)
		context[k] = trc_context(W(path, c[k]), 0);
	context[BIT_CONTEXTS - 1] =
	        trc_context(H(t <= 2 * NEAR ? (uint32_t)t : NOT_NEAR, H(d, H(path % 16, 3))), 0);
	trc_predictor_find(&a->bit, context);
	return a->bits - d > NEVER_REST && t > 2 * NEAR && a->bit.cell[0][1] == TRC_HISTORY_NEW;
}

/* Selects mixers and APMs for bit `d` after `path`. */
static struct trc_select
select_bit(const struct trc_request_addresses *a, uint64_t path, unsigned d, unsigned node)
{
	const unsigned b = a->bits - d;
	const unsigned same = 4 * (path_of(a, a->now[1].addr, b) == path) +
	                      2 * (path_of(a, a->far[0], b) == path) +
	                      (path_of(a, a->far[1], b) == path);

	return (struct trc_select){
		.map_set = 3 * d < a->bits     ? 0 :
		           3 * d < 2 * a->bits ? 1 :
		                                 2,
		.mixer = { 8 * d + same, 16 * d + node, 0 },
		.apm = { 8 * d + same, 16 * d + node },
	};
}

static uint64_t
code_bits(struct trc_request_addresses *a, uint64_t addr)
{
	uint32_t context[BIT_CONTEXTS - 1];
	uint64_t path = 1;
	unsigned node = 1, d = 0;

	make_contexts(a, context);
	for (; d < a->bits; d++) {
		unsigned bit = addr >> (a->bits - 1 - d) & 1;
		struct trc_select s;

		if (d % TRC_CELL_BITS == 0) {
			if (find_slots(a, context, path, d))
				break;
			node = 1;
		}
		s = select_bit(a, path, d, node);
		bit = trc_predictor_code(&a->bit, node, &s, bit);
		node = 2 * node + bit;
		path = 2 * path + bit;
	}
	for (; d < a->bits; d++) {
		const unsigned b = a->bits - 1 - d;

		path = 2 * path + trc_rc_bit(&a->with->rc, &a->rest[b][path % 4], addr >> b & 1);
	}
	return a->bits < ROOM ? path ^ UINT64_C(1) << a->bits : path;
}

/* ---- addresses ---- */

enum kind { END, KNOWN, NEW };

static unsigned
code_kind(struct trc_request_addresses *a, enum kind kind)
{
	const uint64_t addr = a->now[1].addr;
	const uint32_t kinds = a->kinds % 256, hits = a->hits % 256;
	const uint32_t context[KIND_CONTEXTS] = {
		trc_context(H(kinds, 0), 0),
		trc_context(H(a->now[1].size, H(kinds % 16, 1)), 0),
		trc_context(W(trc_request_block(a, addr) / 1024, 2), 0),
		trc_context(W(trc_request_block(a, a->far[0]) / 64, 3), 0),
		trc_context(H(hits, H(kinds % 16, 4)), 0),
	};
	const struct trc_select first = { .mixer = { kinds, hits % 16, 0 },
		                          .apm = { kinds, hits % 16 } };
	const struct trc_select second = { .mixer = { 256 + kinds, 16 + hits % 16, 0 },
		                           .apm = { 256 + kinds, 16 + hits % 16 } };
	unsigned is;

	trc_predictor_find(&a->kind, context);
	is = trc_predictor_code(&a->kind, 1, &first, kind != END);
	if (is != END)
		is += trc_predictor_code(&a->kind, 3, &second, kind == NEW);
	a->kinds = a->kinds << 2 | is;
	return is;
}

/* Returns the index of the stream that ends at an address; a->ends if there is none. */
static unsigned
find_end(const struct trc_request_addresses *a, uint64_t addr)
{
	unsigned k = 0;

	while (k < a->ends && a->end[k] != addr)
		k++;
	return k;
}

/* Codes an address that was not a candidate. */
static bool
code_far(struct trc_request_addresses *a, bool writes, uint64_t addr)
{
	unsigned end = writes ? find_end(a, addr) : 0;
	uint32_t name = writes ? trc_request_name_find(&a->names, addr) : 0;

	switch (code_kind(a, end < a->ends ? END : name != TRC_REQUEST_NEW ? KNOWN : NEW)) {
	case END:
		end = trc_rc_tree(&a->with->rc, a->end_tree, TRC_REQUEST_END_BITS, end);
		if (end >= a->ends || !has_room(a, a->end[end]))
			return false;
		a->now[0].addr = a->end[end];
		return true;
	case KNOWN:
		if (a->names.n == 0)
			return false;
		name = trc_request_name_code(&a->names, name);
		a->now[0].addr = a->names.name[name].addr;
		return true;
	default: a->now[0].addr = code_bits(a, addr); return true;
	}
}

bool
trc_request_address_code(struct trc_request_addresses *a, bool writes, uint64_t addr)
{
	bool hit;

	predict(a);
	hit = code_candidates(a, writes, addr);
	a->hits = a->hits << 1 | hit;
	if (hit)
		return true;
	if (!code_far(a, writes, addr))
		return false;
	a->far[1] = a->far[0];
	a->far[0] = a->now[0].addr;
	return true;
}

static void
add_end(struct trc_request_addresses *a, uint64_t addr, uint64_t end)
{
	unsigned k = find_end(a, addr);

	if (k == a->ends && a->ends < TRC_REQUEST_ENDS)
		a->ends++;
	if (k == a->ends)
		k--;
	memmove(&a->end[1], &a->end[0], k * sizeof(*a->end));
	a->end[0] = end;
}

void
trc_request_addresses_add(struct trc_request_addresses *a)
{
	const struct trc_request_coded *n = a->now;

	trc_request_name_add(&a->names, n->addr, n->size, !(a->hits & 1));
	for (unsigned k = 0; k < TRC_REQUEST_PREDICTIONS; k++)
		if (a->has >> k & 1)
			a->right[k] = (uint8_t)(a->right[k] << 1 | (a->prediction[k] == n->addr));
	for (unsigned k = 0; k < TRC_REQUEST_TABLES; k++) {
		a->successor[k]->seen = true;
		a->successor[k]->value = n->addr - (FIRST_TABLE + k >= ADDED ? n[1].addr : 0);
	}
	add_end(a, n->addr, n->addr + (n->size >> a->unit));
	a->rows++;
	memmove(&a->now[1], &a->now[0], sizeof(a->now) - sizeof(*a->now));
}
