/* SPDX-License-Identifier: MIT
 * Tries successor tables. */
#include "codec/program/successor_search.h"

#include <stdlib.h>

enum {
	FEW = 32,      /* with fewer references a slot is not worth a trial */
	CHEAP = 10000, /* a slot that costs less, in hundredths of a bit, is not either */
	HOPE = 12,     /* a key must seem cheaper by one part in this many to be packed */
	SAMPLE = 16,   /* if a slot has many references, one in this many is used to compare keys */
	SPARE = 4,     /* entries per used one, as a shared entry is of little use */
	SAVES = 10,    /* the least bytes that a table must save */
	TIME = 150,    /* plus one for this many references, which take longer to read */
};

static uint64_t
key_of(const struct trc_slot_refs *r, size_t j, unsigned key)
{
	if (key == TRC_SUCCESSOR_SELF)
		return j > 0 ? r->data[r->event[j - 1]] : 0;
	return *(&r->data[r->event[j]] - key);
}

unsigned
trc_successor_token(const struct trc_successor_table *t, const struct trc_slot_refs *r, size_t j,
                    uint64_t v, struct trc_last_residuals *mtf)
{
	struct trc_successor_entry *e, had;
	uint64_t key;
	unsigned at;

	if (t->bits == 0)
		return trc_last_residuals_find(mtf, v);
	key = key_of(r, j, t->key);
	e = trc_successor_at(t, key);
	had = *e;
	*e = (struct trc_successor_entry){ key, v };
	if (had.key == key && had.residual == v)
		return 0;
	at = trc_last_residuals_find(mtf, v);
	return had.key == key && at < TRC_LAST_RESIDUALS ? at + 1 : at;
}

/* ---- trials ---- */

static void
clear(const struct trc_successor_table *t)
{
	if (t->bits > 0)
		memset(t->entry, 0, trc_successor_entries(t) * sizeof(*t->entry));
}

/* Returns the bits for a number of entries, as far as they are allowed. */
static uint8_t
bits_for(size_t entries)
{
	uint8_t bits = TRC_SUCCESSOR_BITS_LEAST;

	while (bits < TRC_SUCCESSOR_BITS_MOST && (size_t)1 << bits < entries)
		bits++;
	return bits;
}

/* Returns how many entries of its table a slot uses. */
static size_t
count_filled(const struct trc_successor_table *t, const struct trc_slot_refs *r)
{
	size_t filled = 0;

	clear(t);
	for (size_t j = 0; j < r->n; j++) {
		const uint64_t key = key_of(r, j, t->key);
		struct trc_successor_entry *e = trc_successor_at(t, key);

		filled += e->residual == 0;
		*e = (struct trc_successor_entry){ key, 1 };
	}
	return filled;
}

/* Returns the cost of the first `n` references, in hundredths of a bit; stops at `most`. */
static uint64_t
cost(const struct trc_successor_table *t, const struct trc_slot_refs *r, size_t n, unsigned mode,
     uint64_t most)
{
	struct trc_last_residuals mtf = { .n = 0 };
	uint64_t sum = 0;

	clear(t);
	for (size_t j = mode == TRC_MODE_SELF; j < n && sum < most; j++) {
		const uint64_t v = trc_residual(r, j, mode);
		const unsigned token = trc_successor_token(t, r, j, v, &mtf);

		sum += token == 0 ? 20 : token < TRC_LAST_RESIDUALS ? 200 + 30 * token : 1500;
	}
	return sum;
}

/* Finds the cheapest key *best and its mode *mode; best->bits is 0 if no key is much better than no
 * table. In mode absolute, the value of a key is an address. */
static void
find_best(const struct trc_successor_search *c, const struct trc_slot_refs *r, size_t n,
          unsigned *mode, struct trc_successor_table *best)
{
	const unsigned modes[] = { *mode, TRC_MODE_ABSOLUTE };
	uint64_t least;

	*best = (struct trc_successor_table){ 0 };
	least = cost(best, r, n, *mode, UINT64_MAX);
	if (least * (r->n / n) < CHEAP)
		return;
	least -= least / HOPE;
	for (int i = 0; i < 1 + (modes[0] != modes[1]); i++) {
		struct trc_successor_table now = { c->table, bits_for(n), 0 };

		for (; now.key < TRC_SUCCESSOR_KEYS; now.key++) {
			const uint64_t bits = cost(&now, r, n, modes[i], least);

			if (bits < least) {
				least = bits;
				*best = now;
				*mode = modes[i];
			}
		}
	}
}

/* Measures the bytes that the references need; literals count as the lower halves of addresses in
 * any mode. */
static int
measure(struct trc_successor_search *c, const struct trc_slot_refs *r, unsigned mode,
        const struct trc_successor_table *t, size_t *bytes, struct trc_err *err)
{
	struct trc_last_residuals mtf = { .n = 0 };
	size_t literals;

	c->token.n = c->literal.n = c->packed.n = 0;
	if (trc_buf_room(&c->token, r->n, err) || trc_buf_room(&c->literal, 8 * r->n, err))
		return -1;
	clear(t);
	for (size_t j = mode == TRC_MODE_SELF; j < r->n; j++) {
		const uint64_t v = trc_residual(r, j, mode);
		const unsigned token = trc_successor_token(t, r, j, v, &mtf);

		trc_buf_byte(&c->token, (uint8_t)token);
		if (token == TRC_LAST_RESIDUALS)
			trc_buf_be64(&c->literal, r->data[r->event[j]]);
	}
	if (trc_pack(c->token.p, c->token.n, TRC_PACK_TOKENS, TRC_PACK_FAST, &c->packed, err) ||
	    trc_refs_try_lower(&c->trial, c->literal.p, c->literal.n / 8, &literals, err))
		return -1;
	*bytes = c->packed.n + literals;
	return 0;
}

int
trc_successor_choose(struct trc_successor_search *c, const struct trc_slot_refs *r, size_t least,
                     unsigned *mode, struct trc_successor_table *chosen, struct trc_err *err)
{
	const struct trc_successor_table none = { 0 };
	const size_t some = r->n / SAMPLE > least ? r->n / SAMPLE : least;
	const size_t n = r->n < some ? r->n : some;
	unsigned best_mode = *mode;
	size_t with, without;
	struct trc_successor_table best;

	*chosen = none;
	if (least == 0 || n < FEW)
		return 0;
	if (!c->table)
		c->table = trc_alloc((size_t)1 << TRC_SUCCESSOR_BITS_MOST, sizeof(*c->table), err);
	if (!c->table)
		return -1;
	find_best(c, r, n, &best_mode, &best);
	if (best.bits == 0)
		return 0;
	best.bits = bits_for(r->n);
	best.bits = bits_for(SPARE * count_filled(&best, r));
	if (trc_successor_entries(&best) > c->left)
		return 0;
	if (measure(c, r, *mode, &none, &without, err) ||
	    measure(c, r, best_mode, &best, &with, err))
		return -1;
	if (with + SAVES + r->n / TIME < without) {
		clear(&best);
		*chosen = best;
		*mode = best_mode;
		c->left -= trc_successor_entries(&best);
	}
	return 0;
}

void
trc_successor_search_release(struct trc_successor_search *c)
{
	free(c->table);
	trc_buf_release(&c->token);
	trc_buf_release(&c->literal);
	trc_buf_release(&c->packed);
	trc_refs_trial_release(&c->trial);
	*c = (struct trc_successor_search){ 0 };
}
