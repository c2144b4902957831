/* SPDX-License-Identifier: MIT
 *
 * Memory is dealt out before it is taken: what the tables of reading need at most follows from a
 * header, and what is left below the limit is for the programs that blocks are read by.
 */
#ifndef TRC_CONTAINER_MEMORY_PLAN_H
#define TRC_CONTAINER_MEMORY_PLAN_H

#include "container/unpack.h"

/* Makes room in *room for blocks of `rows` rows of the columns `have`: at most `memlimit` bytes in
 * all, laying out fewer than *ahead blocks at a time where that helps. Refuses what may need more.
 * Room that is large enough stays as it is. */
int trc_memory_plan_make(struct trc_memory_plan *room, uint32_t have, uint64_t memlimit, int *ahead,
                         size_t rows, struct trc_err *err) TRC_MUST_USE;

#endif
