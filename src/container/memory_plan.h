/* SPDX-License-Identifier: MIT
 *
 * Memory is dealt out before it is taken: what the tables of reading need at most follows from a
 * header, and what is left below the limit is for the programs that blocks are read by.
 */
#ifndef TRC_CONTAINER_MEMORY_PLAN_H
#define TRC_CONTAINER_MEMORY_PLAN_H

#include <stdint.h>

#include "base/base.h"

/* A memory budget (admission control): what may be taken at most, by what. */
struct trc_memory_plan {
	uint64_t limit;    /* bytes in all */
	int in_flight;     /* blocks that are unpacked at a time */
	size_t block_rows; /* of the largest block */
	size_t reader;     /* bytes, by what a block is read with, beside the program */
	size_t tables;     /* by all that unpacks streams at a time */
	size_t programs;   /* by all versions of the program */
};

/* Plans for blocks of `rows` rows of the columns `have`, with fewer of them in flight where that
 * helps. Refuses what may need more than the limit. A plan for larger blocks stays as it is. */
int trc_memory_plan_make(struct trc_memory_plan *plan, uint32_t have, size_t rows,
                         struct trc_err *err) TRC_MUST_USE;

#endif
