/* SPDX-License-Identifier: MIT
 *
 * Chooses the slots that have a successor table (codec/program/successor_table.h), and its key:
 * keys are compared by estimated cost, and the best one by actually packing.
 */
#ifndef TRC_CODEC_PROGRAM_SUCCESSOR_SEARCH_H
#define TRC_CODEC_PROGRAM_SUCCESSOR_SEARCH_H

#include "codec/program/refs_literals.h"
#include "codec/program/refs_modes.h"
#include "codec/program/successor_table.h"

/* Returns the token of the j-th reference, whose residual is `v`, of a slot with or without a
 * table. */
unsigned trc_successor_token(const struct trc_successor_table *t, const struct trc_slot_refs *r,
                             size_t j, uint64_t v, struct trc_last_residuals *mtf);

/* The memory of a search. A zeroed struct has none yet; trc_successor_search_release() frees. */
struct trc_successor_search {
	struct trc_successor_entry *table;
	struct trc_buf token, literal, packed; /* of a trial */
	struct trc_refs_trial trial;           /* of the literals of a trial */
	size_t left;                           /* entries that the block may still use */
};

void trc_successor_search_release(struct trc_successor_search *c);

/* Chooses the best table for a slot that varies in *mode, or none. Keys are tried with at least
 * `least` of its references, if it has that many; if `least` is 0, none is tried. With a table,
 * *mode may change. The memory of the table, which is empty, belongs to the search and is valid
 * until the next one. */
int trc_successor_choose(struct trc_successor_search *c, const struct trc_slot_refs *r,
                         size_t least, unsigned *mode, struct trc_successor_table *chosen,
                         struct trc_err *err) TRC_MUST_USE;

#endif
