/* SPDX-License-Identifier: MIT
 *
 * What one replay of a package shows for pruning: the bytes of memory that an instruction reads
 * before one writes them, and for each write by another master the earliest time at which it may
 * have happened.
 */
#ifndef TRC_MACHINE_BUS_PRUNE_NOTES_H
#define TRC_MACHINE_BUS_PRUNE_NOTES_H

#include "machine/bus/prune.h"

struct trc_prune_notes;

/* Replays `from` and puts its events to *to, the writes moved and joined. If `exact`, every access
 * is noted as it happens; otherwise data accesses are noted from the rows of the trace, which is
 * faster but fails for page tables that change without a fence. Returns NULL on failure. */
struct trc_prune_notes *trc_prune_learn(const struct trc_package *from,
                                        const struct trc_prune_how *how, bool exact,
                                        struct trc_events *to, struct trc_err *err) TRC_MUST_USE;

/* Returns a bit for each byte of a page of memory that is read before it is written; NULL if the
 * page is not accessed. */
const uint64_t *trc_prune_needed(const struct trc_prune_notes *s, uint64_t page);

/* `s` may be NULL. */
void trc_prune_notes_close(struct trc_prune_notes *s);

#endif
