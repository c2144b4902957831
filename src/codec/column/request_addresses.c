/* SPDX-License-Identifier: MIT
 * Addresses of requests: one code for both directions. */
#include "codec/column/request_addresses.h"

#include <stdlib.h>

#include "base/map.h"

#define H trc_hash
#define W trc_hash64

enum {
	SUCCESSOR_BITS_MOST = 17,
	FIRST_TABLE = TRC_REQUEST_PREDICTIONS - TRC_REQUEST_TABLES,
	ADDED = FIRST_TABLE + 2, /* predictions from here on are added to the address before */
	CANDIDATE_CONTEXTS = 7,
	BIT_CONTEXTS = 9,
	ROOM = TRC_REQUEST_ADDRESS_BITS,
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

/* ---- setting up ---- */

/* Places for the addresses of so many rows: about half of them stay free. */
static size_t
places(size_t rows)
{
	size_t n = 2;

	while (n < 2 * rows)
		n *= 2;
	return n;
}

int
trc_request_addresses_init(struct trc_request_addresses *a, struct trc_predictors *with,
                           const struct trc_requests *rows, unsigned bits, unsigned unit,
                           struct trc_err *err)
{
	const unsigned table = trc_table_bits(rows->n, SUCCESSOR_BITS_MOST);

	a->with = with;
	a->rows = rows;
	a->known_mask = places(rows->n) - 1;
	a->known = trc_alloc(places(rows->n), sizeof(*a->known), err);
	if (!a->known)
		return -1;
	a->bits = bits;
	a->unit = unit;
	a->successor_shift = 32 - table;
	for (int k = 0; k < TRC_REQUEST_PREDICTIONS * TRC_REQUEST_CANDIDATES; k++)
		for (int i = 0; i < TRC_REQUEST_RELATIONS; i++)
			a->relation[k / TRC_REQUEST_CANDIDATES][k % TRC_REQUEST_CANDIDATES][i] =
			        TRC_COUNTER_NEW;
	for (int k = 0; k < TRC_REQUEST_TABLES; k++) {
		a->table[k] = trc_alloc((size_t)1 << table, sizeof(*a->table[k]), err);
		if (!a->table[k])
			return -1;
	}
	return trc_predictor_init(&a->candidate, with, 0, &candidate_row, err) ||
	                       trc_predictor_init(&a->bit, with, 1, &bit_row, err) ?
	               -1 :
	               0;
}

void
trc_request_addresses_release(struct trc_request_addresses *a)
{
	trc_predictor_release(&a->candidate);
	trc_predictor_release(&a->bit);
	free(a->known);
	for (int k = 0; k < TRC_REQUEST_TABLES; k++)
		free(a->table[k]);
}

size_t
trc_request_addresses_memory(size_t rows)
{
	const size_t entry = TRC_REQUEST_TABLES * sizeof(struct trc_request_successor);

	return (entry << trc_table_bits(rows, SUCCESSOR_BITS_MOST)) +
	       places(rows) * sizeof(uint32_t) + trc_predictor_memory(&candidate_row) +
	       trc_predictor_memory(&bit_row);
}

/* ---- known addresses ---- */

/* Where an address stands, or would. */
static uint32_t *
find_known(const struct trc_request_addresses *a, uint64_t addr)
{
	size_t at = trc_map_hash(0, addr) & a->known_mask;

	while (a->known[at] != 0 && a->rows->addr[a->known[at] - 1] != addr)
		at = (at + 1) & a->known_mask;
	return &a->known[at];
}

const uint32_t *
trc_request_size(const struct trc_request_addresses *a, uint64_t addr)
{
	const uint32_t row = *find_known(a, addr);

	return row ? &a->rows->size[row - 1] : NULL;
}

/* ---- predictions ---- */

static void
find_successors(struct trc_request_addresses *a)
{
	const struct trc_request *n = a->now;
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
		a->has |= (unsigned)(a->bits == ROOM || v >> a->bits == 0) << k;
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
	const struct trc_request *n = a->now;
	const unsigned k = c->k, tried = c->tried, right = a->right[k];
	const uint32_t *size = trc_request_size(a, c->addr);
	const uint32_t hash[CANDIDATE_CONTEXTS] = {
		H(c->agree, H(tried, 0)),
		H(a->hits % 16, H(c->agree, 1)),
		W(c->addr, 2),
		H(size ? *size : 0, H(n[1].size, H(k, 3))),
		W(n[1].addr, H(k, 4)),
		H(right, H(k, H(tried, 5))),
		W(c->addr - n[1].addr, H(n[1].size, 6)),
	};

	for (int i = 0; i < CANDIDATE_CONTEXTS; i++)
		context[i] = trc_context(hash[i], 1);
	*s = (struct trc_select){
		.map_set = tried,
		.mixer = { 8 * tried + k, 16 * (a->hits % 16) + 2 * tried + !!size, c->count - 1 },
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

/* Tries candidates; true if the one in now[0] is right. */
static bool
code_candidates(struct trc_request_addresses *a, bool writes, uint64_t addr)
{
	static const uint8_t order[TRC_REQUEST_PREDICTIONS] = { 4, 5, 0, 1, 6, 7, 2, 3 };
	struct candidate c = { .tried = 0 };
	unsigned done = 0;

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

/* The bits of an address above bit `b`, behind a 1. */
static uint64_t
path_of(const struct trc_request_addresses *a, uint64_t addr, unsigned b)
{
	const unsigned d = a->bits - b;
	const uint64_t one = d < ROOM ? UINT64_C(1) << d : 0;

	return b < ROOM ? addr >> b | one : one;
}

/* What the contexts of bits are made of: hashes that stay for an address. */
static void
make_contexts(const struct trc_request_addresses *a, uint32_t c[BIT_CONTEXTS - 1])
{
	const struct trc_request *n = a->now;
	const uint64_t b1 = trc_request_block(a, n[1].addr), b2 = trc_request_block(a, n[2].addr);
	const uint64_t f0 = trc_request_block(a, a->far[0]), f1 = trc_request_block(a, a->far[1]);
	const uint32_t context[BIT_CONTEXTS - 1] = {
		0,
		H(n[1].size, 1),
		W(b1, 2),
		W(b1 / 64, 3),
		W(b1 / 1024, W(b2 / 1024, 4)),
		W(f0 / 8, 5),
		W(f0 / 1024, H(n[1].size, 6)),
		W(f1 / 64, W(f0 / 64, 7)),
	};

	memcpy(c, context, sizeof(context));
}

static void
find_slots(struct trc_request_addresses *a, const uint32_t *c, uint64_t path, unsigned d)
{
	enum { NEAR = 8, NOT_NEAR = 99 };
	const uint64_t t = path - path_of(a, a->far[0], a->bits - d) + NEAR;
	uint32_t context[BIT_CONTEXTS];

	for (int k = 0; k < BIT_CONTEXTS - 1; k++)
		context[k] = trc_context(W(path, c[k]), 0);
	context[BIT_CONTEXTS - 1] =
	        trc_context(H(t <= 2 * NEAR ? (uint32_t)t : NOT_NEAR, H(d, H(path % 16, 8))), 0);
	trc_predictor_find(&a->bit, context);
}

static uint64_t
code_bits(struct trc_request_addresses *a, uint64_t addr)
{
	uint32_t context[BIT_CONTEXTS - 1];
	uint64_t path = 1;
	unsigned node = 1;

	make_contexts(a, context);
	for (unsigned d = 0; d < a->bits; d++) {
		const unsigned b = a->bits - 1 - d;
		const unsigned same = 4 * (path_of(a, a->now[1].addr, b + 1) == path) +
		                      2 * (path_of(a, a->far[0], b + 1) == path) +
		                      (path_of(a, a->far[1], b + 1) == path);
		unsigned bit = addr >> b & 1;

		if (d % TRC_CELL_BITS == 0) {
			find_slots(a, context, path, d);
			node = 1;
		}
		bit = trc_predictor_code(&a->bit, node,
		                         &(struct trc_select){
		                                 .map_set = 3 * d < a->bits     ? 0 :
		                                            3 * d < 2 * a->bits ? 1 :
		                                                                  2,
		                                 .mixer = { 8 * d + same, 16 * d + node, 0 },
		                                 .apm = { 8 * d + same, 16 * d + node },
		                         },
		                         bit);
		node = 2 * node + bit;
		path = 2 * path + bit;
	}
	return a->bits < ROOM ? path ^ UINT64_C(1) << a->bits : path;
}

/* ---- addresses ---- */

void
trc_request_address_code(struct trc_request_addresses *a, bool writes, uint64_t addr)
{
	bool hit;

	predict(a);
	hit = code_candidates(a, writes, addr);
	a->hits = a->hits << 1 | hit;
	if (hit)
		return;
	a->now[0].addr = code_bits(a, addr);
	a->far[1] = a->far[0];
	a->far[0] = a->now[0].addr;
}

static void
add_end(struct trc_request_addresses *a, uint64_t addr, uint64_t end)
{
	unsigned k = 0;

	while (k < a->ends && a->end[k] != addr)
		k++;
	if (k == a->ends && a->ends < TRC_REQUEST_ENDS)
		a->ends++;
	if (k == a->ends)
		k--;
	memmove(&a->end[1], &a->end[0], k * sizeof(*a->end));
	a->end[0] = end;
}

void
trc_request_addresses_add(struct trc_request_addresses *a, size_t i)
{
	const struct trc_request *n = a->now;

	*find_known(a, n->addr) = (uint32_t)i + 1;
	for (unsigned k = 0; k < TRC_REQUEST_PREDICTIONS; k++)
		if (a->has >> k & 1)
			a->right[k] = (uint8_t)(a->right[k] << 1 | (a->prediction[k] == n->addr));
	for (unsigned k = 0; k < TRC_REQUEST_TABLES; k++) {
		a->successor[k]->seen = true;
		a->successor[k]->value = n->addr - (FIRST_TABLE + k >= ADDED ? n[1].addr : 0);
	}
	add_end(a, n->addr, n->addr + (n->size >> a->unit));
	memmove(&a->now[1], &a->now[0], sizeof(a->now) - sizeof(*a->now));
}
