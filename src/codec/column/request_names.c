/* SPDX-License-Identifier: MIT
 * Names of requests; the same code serves both directions. */
#include "codec/column/request_names.h"

#include <stdlib.h>

#include "base/map_find.h"

#define H trc_hash

enum {
	CONTEXTS = 3,
	EXPERTS = 1,
	STAYED = 7, /* initially, as if the size had stayed the same three times */
};

static const struct trc_predictor_row row = {
	CONTEXTS,
	EXPERTS,
	3,
	.mixers = { 8 * TRC_REQUEST_NAME_BITS, 16 * TRC_REQUEST_NAME_BITS, 1 },
	.apms = { 8 * TRC_REQUEST_NAME_BITS, 16 * TRC_REQUEST_NAME_BITS },
};

/* ---- setting up ---- */

/* Returns the size of a hash table for `rows` names, about half of which stays free. */
static size_t
places(size_t rows)
{
	size_t n = 2;

	while (n < 2 * rows)
		n *= 2;
	return n;
}

static unsigned
bits_of(size_t rows)
{
	return trc_table_bits(rows, TRC_REQUEST_NAME_BITS);
}

int
trc_request_names_init(struct trc_request_names *s, struct trc_predictors *with, unsigned number,
                       size_t rows, struct trc_err *err)
{
	s->bits = bits_of(rows);
	s->mask = places(rows) - 1;
	s->name = trc_alloc(rows, sizeof(*s->name), err);
	s->place = s->name ? trc_alloc(places(rows), sizeof(*s->place), err) : NULL;
	s->count = s->place ? trc_alloc((size_t)2 << s->bits, sizeof(*s->count), err) : NULL;
	return s->count ? trc_predictor_init(&s->bit, with, number, &row, err) : -1;
}

void
trc_request_names_release(struct trc_request_names *s)
{
	trc_predictor_release(&s->bit);
	free(s->name);
	free(s->place);
	free(s->count);
}

size_t
trc_request_names_memory(size_t rows)
{
	return rows * sizeof(struct trc_request_name) + places(rows) * sizeof(uint32_t) +
	       ((size_t)2 << bits_of(rows)) * sizeof(uint32_t) + trc_predictor_memory(&row);
}

/* ---- finding ---- */

static uint32_t *
find_place(const struct trc_request_names *s, uint64_t addr)
{
	size_t at = trc_map_hash(0, addr) & s->mask;

	while (s->place[at] != 0 && s->name[s->place[at] - 1].addr != addr)
		at = (at + 1) & s->mask;
	return &s->place[at];
}

uint32_t
trc_request_name_find(const struct trc_request_names *s, uint64_t addr)
{
	return *find_place(s, addr) - 1;
}

/* ---- coding ---- */

/* A position in the tree: the bits of a number so far, after a leading 1. */
struct place {
	unsigned d;                /* number of bits so far */
	uint32_t path;             /* those bits */
	uint32_t last, far0, far1; /* the same prefix of earlier numbers */
};

static struct place
place_of(const struct trc_request_names *s, unsigned d, uint32_t path)
{
	const uint32_t one = UINT32_C(1) << s->bits;
	const unsigned left = s->bits - d;

	return (struct place){
		.d = d,
		.path = path,
		.last = (s->last | one) >> left,
		.far0 = (s->far[0] | one) >> left,
		.far1 = (s->far[1] | one) >> left,
	};
}

static void
find_slots(struct trc_request_names *s, const struct place *at)
{
	enum { NEAR = 8, NOT_NEAR = 99 };
	const uint32_t t = at->path - at->far0 + NEAR;
	const uint32_t context[CONTEXTS] = {
		trc_context(H(at->path, 0), 0),
		trc_context(H(at->path, H(s->last, 1)), 0),
		trc_context(H(t <= 2 * NEAR ? t : NOT_NEAR, H(at->d, H(at->path % 16, 2))), 0),
	};

	trc_predictor_find(&s->bit, context);
}

/* Sets the expert input to the frequency of a 1 at this position. */
static void
ask_counts(struct trc_request_names *s, uint32_t path)
{
	const uint64_t zeros = s->count[2 * path], ones = s->count[2 * path + 1];
	const uint64_t p = ((2 * ones + 1) << 16) / (2 * (zeros + ones) + 2);

	s->bit.expert[0] = trc_stretch(s->bit.with->logistic, (uint16_t)p);
}

static unsigned
code_bit(struct trc_request_names *s, const struct place *at, unsigned node, unsigned bit)
{
	const unsigned d = at->d, same = 4u * (at->last == at->path) + 2u * (at->far0 == at->path) +
	                                 (at->far1 == at->path);

	ask_counts(s, at->path);
	return trc_predictor_code(&s->bit, node,
	                          &(struct trc_select){
	                                  .map_set = 3 * d < s->bits     ? 0 :
	                                             3 * d < 2 * s->bits ? 1 :
	                                                                   2,
	                                  .mixer = { 8 * d + same, 16 * d + node, 0 },
	                                  .apm = { 8 * d + same, 16 * d + node },
	                          },
	                          bit);
}

uint32_t
trc_request_name_code(struct trc_request_names *s, uint32_t number)
{
	const uint32_t one = UINT32_C(1) << s->bits;
	uint32_t path = 1;
	unsigned node = 1;

	for (unsigned d = 0, coded = 0; d < s->bits; d++) {
		const unsigned b = s->bits - 1 - d;
		const struct place at = place_of(s, d, path);
		unsigned bit = 0;

		/* There may be no numbers yet with a 1 at this position. */
		if (((2 * path + 1) << b) - one < s->n) {
			if (coded++ % TRC_CELL_BITS == 0) {
				find_slots(s, &at);
				node = 1;
			}
			bit = code_bit(s, &at, node, number >> b & 1);
			node = 2 * node + bit;
		}
		path = 2 * path + bit;
	}
	return path - one;
}

/* ---- learning ---- */

static void
count(struct trc_request_names *s, uint32_t number)
{
	for (uint32_t path = number | UINT32_C(1) << s->bits; path > 0; path >>= 1)
		s->count[path]++;
}

void
trc_request_name_add(struct trc_request_names *s, uint64_t addr, uint32_t size, bool far)
{
	uint32_t *place = find_place(s, addr);
	const bool fresh = *place == 0;
	struct trc_request_name *name;

	if (fresh)
		*place = ++s->n;
	s->last = *place - 1;
	name = &s->name[s->last];
	name->addr = addr;
	name->stayed = fresh ? STAYED : (uint8_t)(name->stayed << 1 | (name->size == size));
	name->size = size;
	if (fresh || far)
		count(s, s->last);
	if (far) {
		s->far[1] = s->far[0];
		s->far[0] = s->last;
	}
}
