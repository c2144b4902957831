/* SPDX-License-Identifier: MIT
 *
 * A miss curve with so many pages that their data does not fit in any cache. It prefetches, and one
 * thread numbers the pages of some references while another computes the distances of those before.
 * One slice for each thread does not pay here: nearly all references of a slice are the first to
 * their page, and joining slices takes longer than counting them.
 */
#ifndef TRC_STAGE_SIMULATE_MRC_COMPANION_H
#define TRC_STAGE_SIMULATE_MRC_COMPANION_H

#include "stage/simulate/mrc_growing.h"

/* Counts at most TRC_MRC_RUN numbered references; `pages` pages have numbers. */
int trc_mrc_numbered(struct trc_mrc_growing *g, const uint32_t *id, const uint8_t *type, size_t n,
                     uint32_t pages, struct trc_err *err) TRC_MUST_USE;

/* Allows references to wait from now on, and sets g->companion, which end() or close() releases.
 * Not for groups, deletes, or policies other than LRU. */
int trc_mrc_companion_open(struct trc_mrc_growing *g, struct trc_err *err) TRC_MUST_USE;
void trc_mrc_companion_close(struct trc_mrc_growing *g);

/* Numbers references to pages now; another thread counts them later, and `merged` more, each of
 * which directly follows one to the same page. */
int trc_mrc_companion_take(struct trc_mrc_growing *g, const uint64_t *page, const uint32_t *space,
                           const uint8_t *type, size_t n, size_t merged,
                           struct trc_err *err) TRC_MUST_USE;

/* Counts all waiting references, and lets none wait any more. */
int trc_mrc_companion_end(struct trc_mrc_growing *g, struct trc_err *err) TRC_MUST_USE;

#endif
