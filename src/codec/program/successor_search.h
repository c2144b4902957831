/* SPDX-License-Identifier: MIT
 *
 * Which slots have a successor table (codec/program/successor_table.h), and by which key: keys by
 * estimated cost, the best of them by what a coder makes of it.
 */
#ifndef TRC_CODEC_PROGRAM_SUCCESSOR_SEARCH_H
#define TRC_CODEC_PROGRAM_SUCCESSOR_SEARCH_H

#include "codec/program/refs_literals.h"
#include "codec/program/refs_modes.h"
#include "codec/program/successor_table.h"

/* The token of the j-th reference, whose residual is `v`, of a slot with a table or without. */
unsigned trc_successor_token(const struct trc_successor_table *t, const struct trc_slot_refs *r,
                             size_t j, uint64_t v, struct trc_last_residuals *mtf);

/* The memory of a search. Zeroed, it has none yet; trc_successor_search_release() frees. */
struct trc_successor_search {
	struct trc_successor_entry *table;
	struct trc_buf token, literal, packed; /* of a trial */
	struct trc_refs_trial trial;           /* of its literals */
	size_t left;                           /* entries that the block may still have */
};

void trc_successor_search_release(struct trc_successor_search *c);

/* The best table for a slot that varies in *mode, or none: keys are tried with at least so many of
 * its references, if it has them; 0: none is. With a table, the mode may be another then. The
 * memory of the table is that of the search, empty, until the next one. */
int trc_successor_choose(struct trc_successor_search *c, const struct trc_slot_refs *r,
                         size_t least, unsigned *mode, struct trc_successor_table *chosen,
                         struct trc_err *err) TRC_MUST_USE;

#endif
