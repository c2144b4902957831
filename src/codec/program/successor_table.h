/* SPDX-License-Identifier: MIT
 *
 * Slots that recall. Where data is linked, as nodes that point to nodes, or a table that is looked
 * up again and again, an address tells what was referenced next the last time. So a slot that
 * varies may have a table: its key is the address of an earlier data reference, and what it finds
 * is the residual that the slot had when it met this key before. codec/program/refs.h has the
 * stream that says which slots recall, and what their tokens mean then.
 *
 * A table has 2^bits entries of a key and a residual, all 0 when the block begins, so that key 0 is
 * known at once. Each key has one entry, which it shares with others; the number of that is the
 * upper `bits` bits of the product of the key and 0x9e3779b97f4a7c15, modulo 2^64. Behind each
 * token, the entry has the key and the residual; the first address of a slot of mode self has no
 * token.
 */
#ifndef TRC_CODEC_PROGRAM_SUCCESSOR_TABLE_H
#define TRC_CODEC_PROGRAM_SUCCESSOR_TABLE_H

#include "codec/program/refs_literals.h"
#include "codec/program/refs_mode.h"

enum {
	TRC_RECALL_SELF = 0, /* key: the slot's own last address; k: that k references before */
	TRC_RECALL_KEYS = 1 + TRC_BACK,
	TRC_RECALL_BITS_LEAST = 4,
	TRC_RECALL_BITS_MOST = 16,
	TRC_RECALL_SIZES = TRC_RECALL_BITS_MOST - TRC_RECALL_BITS_LEAST + 1,
	TRC_RECALL_ENTRIES = 8,    /* of all tables, for each row at most, */
	TRC_RECALL_MOST = 1 << 18, /* and in all: they should stay in the cache */
};

struct trc_recalled {
	uint64_t key, residual;
};

struct trc_recall {
	struct trc_recalled *table;
	uint8_t bits; /* 0: the slot does not recall */
	uint8_t key;
};

static inline size_t
trc_recall_entries(const struct trc_recall *r)
{
	return r->bits ? (size_t)1 << r->bits : 0;
}

/* As a byte of the stream, */
static inline uint8_t
trc_recall_tell(const struct trc_recall *r)
{
	if (r->bits == 0)
		return 0;
	return (uint8_t)(1 + r->key * TRC_RECALL_SIZES + r->bits - TRC_RECALL_BITS_LEAST);
}

/* and back, without a table. False: no slot recalls so. */
static inline bool
trc_recall_told(uint8_t told, struct trc_recall *r)
{
	*r = (struct trc_recall){ 0 };
	if (told == 0)
		return true;
	r->key = (uint8_t)((told - 1) / TRC_RECALL_SIZES);
	r->bits = (uint8_t)(TRC_RECALL_BITS_LEAST + (told - 1) % TRC_RECALL_SIZES);
	return r->key < TRC_RECALL_KEYS;
}

static inline struct trc_recalled *
trc_recall_at(const struct trc_recall *r, uint64_t key)
{
	return &r->table[key * UINT64_C(0x9e3779b97f4a7c15) >> (64 - r->bits)];
}

/* The token of the j-th reference, whose residual is `v`, of a slot that recalls or not. */
unsigned trc_recall_token(const struct trc_recall *recall, const struct trc_slot_refs *r, size_t j,
                          uint64_t v, struct trc_mtf *mtf);

/* What chooses, with its memory. Zeroed, it has none yet; trc_recaller_release() frees. */
struct trc_recaller {
	struct trc_recalled *table;
	struct trc_buf token, literal, packed; /* of a trial */
	struct trc_refs_trial trial;           /* of its literals */
	size_t left; /* entries that the block may still have */
};

void trc_recaller_release(struct trc_recaller *c);

/* Whether a slot recalls that varies in *mode: keys are tried with at least so many of its
 * references, if it has them; 0: none is. If it recalls, the mode may be another then. The table is
 * the recaller's, empty, until it chooses again. */
int trc_recall_choose(struct trc_recaller *c, const struct trc_slot_refs *r, size_t least,
                      unsigned *mode, struct trc_recall *chosen, struct trc_err *err) TRC_MUST_USE;

#endif
