/* SPDX-License-Identifier: MIT
 *
 * A miss curve of so many pages that none of what is kept of them is in a cache: what is looked at
 * is requested ahead, and one thread numbers the pages of some references while another one has the
 * distances of those before. Chunks, each on a thread, do not pay there: nearly all references of a
 * chunk are its first to their page, and to join chunks takes longer than to count them.
 */
#ifndef TRC_STAGE_SIMULATE_MRC_BESIDE_H
#define TRC_STAGE_SIMULATE_MRC_BESIDE_H

#include "stage/simulate/mrc_growing.h"

/* References that were numbered, of which there were `pages` by then; at most TRC_MRC_RUN. */
int trc_mrc_numbered(struct trc_mrc_growing *g, const uint32_t *id, const uint8_t *type, size_t n,
                     uint32_t pages, struct trc_err *err) TRC_MUST_USE;

/* From now on references may wait; g->beside is set, and released by end() or close(). Where there
 * are groups or deletes, and of all but LRU, they may not. */
int trc_mrc_beside_open(struct trc_mrc_growing *g, struct trc_err *err) TRC_MUST_USE;
void trc_mrc_beside_close(struct trc_mrc_growing *g);

/* References to pages, numbered now, and counted some time later, on another thread. */
int trc_mrc_beside_take(struct trc_mrc_growing *g, const uint64_t *page, const uint32_t *space,
                        const uint8_t *type, size_t n, struct trc_err *err) TRC_MUST_USE;

/* All that wait are counted, and none will wait any more. */
int trc_mrc_beside_end(struct trc_mrc_growing *g, struct trc_err *err) TRC_MUST_USE;

#endif
