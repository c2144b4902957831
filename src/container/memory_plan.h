/* SPDX-License-Identifier: MIT
 *
 * Divides memory before it is allocated. The header determines the most that the tables for reading
 * need; what is left below the limit is for the programs with which blocks are read.
 */
#ifndef TRC_CONTAINER_MEMORY_PLAN_H
#define TRC_CONTAINER_MEMORY_PLAN_H

#include <stdint.h>

#include "base/base.h"

/* A memory budget (admission control): the most that each part of reading may allocate. */
struct trc_memory_plan {
	uint64_t limit;    /* bytes in total */
	int in_flight;     /* blocks unpacked at a time */
	size_t block_rows; /* of the largest block */
	size_t reader;     /* bytes for reading one block, besides the program */
	size_t tables;     /* bytes for unpacking all streams that are unpacked at a time */
	size_t programs;   /* bytes for all versions of the program */
};

/* Plans for blocks of `rows` rows of the columns `have`, and reduces the number of blocks in flight
 * if that leaves enough memory for reading references. Fails if reading may need more than the
 * limit. A plan for blocks that are as large or larger stays unchanged. */
int trc_memory_plan_make(struct trc_memory_plan *plan, uint32_t have, size_t rows,
                         struct trc_err *err) TRC_MUST_USE;

#endif
