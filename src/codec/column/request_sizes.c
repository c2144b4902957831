/* SPDX-License-Identifier: MIT
 * Predicts the sizes of requests; the same code serves both directions. */
#include "codec/column/request_sizes.h"

#define H trc_hash
#define W trc_hash64

enum { CONTEXTS = 7, ALL = 1 << TRC_REQUEST_GUESSES };

static const struct trc_predictor_row row = {
	CONTEXTS,
	0,
	1,
	.mixers = { TRC_REQUEST_SIZE_KINDS * TRC_REQUEST_GUESSES, ALL, TRC_REQUEST_GUESSES },
	.apms = { ALL, TRC_REQUEST_SIZE_KINDS *TRC_REQUEST_GUESSES },
};

int
trc_request_sizes_init(struct trc_request_sizes *s, struct trc_predictors *with,
                       const struct trc_request_addresses *addresses, unsigned number,
                       struct trc_err *err)
{
	s->with = with;
	s->addresses = addresses;
	trc_bits_init(s->stays, sizeof(s->stays));
	trc_num_init(s->number, TRC_COUNT(s->number));
	return trc_predictor_init(&s->guess, with, number, &row, err);
}

void
trc_request_sizes_release(struct trc_request_sizes *s)
{
	trc_predictor_release(&s->guess);
}

size_t
trc_request_sizes_memory(void)
{
	return trc_predictor_memory(&row);
}

/* ---- unchanged sizes ---- */

static bool
code_stays(struct trc_request_sizes *s, unsigned stayed, bool stays)
{
	stays = trc_rc_bit(&s->with->rc, &s->stays[stayed % 8][s->stayed % 8], stays);
	s->stayed = s->stayed << 1 | stays;
	return stays;
}

/* ---- guesses ---- */

/* Returns true if the request directly follows the previous one. */
static bool
is_next(const struct trc_request_addresses *a)
{
	return a->now[0].addr == a->now[1].addr + (a->now[1].size >> a->unit);
}

static void
find_guesses(struct trc_request_sizes *s)
{
	const struct trc_request_addresses *a = s->addresses;
	const struct trc_request_coded *n = a->now;
	const uint64_t block = trc_request_block(a, n->addr);
	const bool next = is_next(a);
	const uint32_t context[TRC_REQUEST_GUESSES] = {
		H(n[1].size, H(n[2].size, next)),
		W(n[0].addr - n[1].addr, H(n[1].size, 2)),
		W(block / 1024, H(n[1].size, 3)),
		W(block / 8, 4),
		next,
	};

	for (int k = 0; k < TRC_REQUEST_GUESSES; k++) {
		uint32_t x = context[k] * UINT32_C(0x85ebca6b);

		x = (x ^ x >> 14) * UINT32_C(0x9e3779b1);
		s->now[k] = &s->table[k][x >> (32 - TRC_REQUEST_GUESS_BITS)];
	}
}

/* Returns the guesses that equal `size`, as a bit mask. */
static unsigned
agreeing(const struct trc_request_sizes *s, uint32_t size)
{
	unsigned agree = 0;

	for (unsigned k = 0; k < TRC_REQUEST_GUESSES; k++)
		agree |= (unsigned)(s->now[k]->size == size) << k;
	return agree;
}

/* A size that may be right. */
struct guess {
	uint32_t size;
	unsigned k, tried, agree, kind;
};

static unsigned
code_guess(struct trc_request_sizes *s, const struct guess *g, unsigned right)
{
	const struct trc_request_addresses *a = s->addresses;
	const struct trc_request_coded *n = a->now;
	const uint32_t context[CONTEXTS] = {
		trc_context(H(g->agree, H(g->kind, H(g->k, 0))), 1),
		trc_context(H(g->size, H(n[1].size, H(g->kind, 1))), 1),
		trc_context(H(s->now[g->k]->right, H(g->k, H(g->kind, 2))), 1),
		trc_context(H(n[0].addr % 8, H(g->size, 3)), 1),
		trc_context(W(trc_request_block(a, n[0].addr) / 1024, H(g->size, 4)), 1),
		trc_context(W(n[0].addr - n[1].addr, H(g->size, 5)), 1),
		trc_context(H(g->size, H(n[1].size, H(n[2].size, 6))), 1),
	};
	const unsigned at = TRC_REQUEST_SIZE_KINDS * g->k + g->kind;

	trc_predictor_find(&s->guess, context);
	return trc_predictor_code(&s->guess, 0,
	                          &(struct trc_select){ .mixer = { at, g->agree, g->tried },
	                                                .apm = { g->agree, at } },
	                          right);
}

/* Tries the guesses; returns true if the one in *size is right. */
static bool
code_guesses(struct trc_request_sizes *s, unsigned kind, bool writes, uint32_t *size)
{
	struct guess g = { .kind = kind };
	unsigned done = 0;

	for (; g.k < TRC_REQUEST_GUESSES; g.k++) {
		g.size = s->now[g.k]->size;
		if (g.size == 0 || done >> g.k & 1)
			continue;
		g.agree = agreeing(s, g.size);
		done |= g.agree;
		if (code_guess(s, &g, writes && *size == g.size)) {
			*size = g.size;
			return true;
		}
		g.tried++;
	}
	return false;
}

static void
learn_guesses(struct trc_request_sizes *s, uint32_t size)
{
	for (int k = 0; k < TRC_REQUEST_GUESSES; k++) {
		struct trc_request_guess *g = s->now[k];

		g->right = (uint8_t)(g->right << 1 | (g->size == size));
		g->size = size;
	}
}

/* ---- sizes ---- */

bool
trc_request_size_code(struct trc_request_sizes *s, bool writes, uint32_t *size)
{
	const struct trc_request_addresses *a = s->addresses;
	const struct trc_request_name *name = trc_request_known(a, a->now[0].addr);
	const unsigned kind = 2 * !!name + is_next(a);
	uint64_t v = *size;

	if (name && code_stays(s, name->stayed, writes && *size == name->size)) {
		*size = name->size;
		return true;
	}
	find_guesses(s);
	if (!code_guesses(s, kind, writes, size)) {
		v = trc_rc_num(&s->with->rc, &s->number[kind], v);
		if (v > UINT32_MAX)
			return false;
		*size = (uint32_t)v;
	}
	learn_guesses(s, *size);
	return true;
}
