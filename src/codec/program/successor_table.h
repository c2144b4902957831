/* SPDX-License-Identifier: MIT
 *
 * Successor tables: a Markov predictor of order 1 for a slot (D. Joseph, D. Grunwald, "Prefetching
 * using Markov predictors", 1997; DFCM if residuals are differences). If data is linked, like nodes
 * that point to nodes, or the same table is looked up repeatedly, the reference that followed an
 * address the last time usually follows it again. So a slot that varies may have a table: its key
 * is the address of an earlier data reference, and its value is the residual that the slot had the
 * last time with this key. codec/program/refs.h describes the stream that identifies slots with a
 * table, and the meaning of their tokens.
 *
 * A table is direct-mapped: each key has one entry, which it shares with others. All entries are 0
 * at the start of a block, so key 0 is known at once. container/SPEC.md, "Addresses", specifies it
 * exactly.
 */
#ifndef TRC_CODEC_PROGRAM_SUCCESSOR_TABLE_H
#define TRC_CODEC_PROGRAM_SUCCESSOR_TABLE_H

#include "codec/growth/program.h"

enum {
	TRC_SUCCESSOR_SELF = 0, /* key: the slot's own last address; k: the k-th reference before */
	TRC_SUCCESSOR_KEYS = 1 + TRC_BACK,
	TRC_SUCCESSOR_BITS_LEAST = 4,
	TRC_SUCCESSOR_BITS_MOST = 16,
	TRC_SUCCESSOR_SIZES = TRC_SUCCESSOR_BITS_MOST - TRC_SUCCESSOR_BITS_LEAST + 1,
	TRC_SUCCESSOR_ENTRIES = 8,    /* in all tables: the most per row */
	TRC_SUCCESSOR_MOST = 1 << 18, /* in all tables: the most in total, to stay in the cache */
};

/* The residual that followed a key. */
struct trc_successor_entry {
	uint64_t key, residual;
};

/* A direct-mapped Markov table. */
struct trc_successor_table {
	struct trc_successor_entry *entry;
	uint8_t bits; /* 0: the slot has no table */
	uint8_t key;
};

static inline size_t
trc_successor_entries(const struct trc_successor_table *r)
{
	return r->bits ? (size_t)1 << r->bits : 0;
}

/* Returns a table as a byte of the stream. */
static inline uint8_t
trc_successor_byte(const struct trc_successor_table *r)
{
	if (r->bits == 0)
		return 0;
	return (uint8_t)(1 + r->key * TRC_SUCCESSOR_SIZES + r->bits - TRC_SUCCESSOR_BITS_LEAST);
}

/* Decodes such a byte, without allocating memory; returns false if it is invalid. */
static inline bool
trc_successor_from_byte(uint8_t byte, struct trc_successor_table *r)
{
	*r = (struct trc_successor_table){ 0 };
	if (byte == 0)
		return true;
	r->key = (uint8_t)((byte - 1) / TRC_SUCCESSOR_SIZES);
	r->bits = (uint8_t)(TRC_SUCCESSOR_BITS_LEAST + (byte - 1) % TRC_SUCCESSOR_SIZES);
	return r->key < TRC_SUCCESSOR_KEYS;
}

static inline struct trc_successor_entry *
trc_successor_at(const struct trc_successor_table *r, uint64_t key)
{
	return &r->entry[key * UINT64_C(0x9e3779b97f4a7c15) >> (64 - r->bits)];
}

#endif
