/* SPDX-License-Identifier: MIT
 *
 * The match model of a path (codec/program/path.h): an earlier position after the same branches,
 * and what followed there. New are runs, which accept its expectations for many branches at once.
 *
 * container/SPEC.md, "The path model", specifies it exactly. After a run, hashes are recomputed
 * from the last branches, on which alone they depend.
 */
#ifndef TRC_CODEC_PROGRAM_PATH_MATCH_H
#define TRC_CODEC_PROGRAM_PATH_MATCH_H

#include "codec/entropy/counter.h"
#include "codec/mixing/match_model.h"

enum {
	TRC_PATH_ORDERS = 2,
	TRC_PATH_BEFORE = 32, /* zeros before the first branch */
	TRC_PATH_HISTORY_BITS = 8,
	TRC_PATH_LONG = 512,  /* longer matches share a bucket */
	TRC_PATH_LIMIT = 120, /* of counters */
};

/* A match model. A zeroed struct has no branches. */
struct trc_path_match {
	uint32_t *past; /* branches, after TRC_PATH_BEFORE others: number and history */
	size_t i, n;    /* the next branch; number of branches */
	size_t at, len; /* `at` is 0 if there is no match */
	uint64_t hash[TRC_PATH_ORDERS];
	uint32_t *noted;                  /* both hash tables */
	uint32_t *place[TRC_PATH_ORDERS]; /* of the current hashes in the tables */
	unsigned bits;
	size_t past_cap, noted_cap;
	struct trc_counter confidence[TRC_MATCH_BUCKETS][TRC_HISTORIES];
};

/* Begins `n` branches. */
int trc_path_match_begin(struct trc_path_match *m, size_t n, struct trc_err *err) TRC_MUST_USE;
void trc_path_match_release(struct trc_path_match *m);

/* Returns the most bytes that it uses besides the struct. */
size_t trc_path_match_memory(size_t n);

/* Looks for a match for an op with the edges [first, first + edges). */
void trc_path_match_find(struct trc_path_match *m, uint32_t first, uint32_t edges);

/* Returns for how many branches the match may be accepted as a run; 0 if it is not certain
 * enough. */
size_t trc_path_match_certain(const struct trc_path_match *m);

/* Appends a run of `n` branches as expected. */
void trc_path_match_run(struct trc_path_match *m, size_t n);

/* Recomputes the hashes after runs. */
void trc_path_match_rehash(struct trc_path_match *m);

/* Appends a branch that is not part of a run. */
void trc_path_match_add(struct trc_path_match *m, uint32_t number);

static inline uint32_t
trc_path_number(uint32_t past)
{
	return past >> TRC_PATH_HISTORY_BITS;
}

/* Returns the number of branch `i`. */
static inline uint32_t
trc_path_at(const struct trc_path_match *m, size_t i)
{
	return trc_path_number(m->past[TRC_PATH_BEFORE + i]);
}

static inline unsigned
trc_path_match_bucket(const struct trc_path_match *m)
{
	return trc_match_bucket(m->len < TRC_PATH_LONG ? (unsigned)m->len : TRC_PATH_LONG);
}

static inline struct trc_counter *
trc_path_match_confidence(struct trc_path_match *m)
{
	return &m->confidence[trc_path_match_bucket(m)]
	                     [m->past[TRC_PATH_BEFORE + m->at] % TRC_HISTORIES];
}

#endif
