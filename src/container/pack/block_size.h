/* SPDX-License-Identifier: MIT
 *
 * Where a block ends before it has all the rows it may have: at about so many packed bytes. By
 * default only addresses count that have no pattern, since no packing makes these small: a shorter
 * block of them costs nothing, and damage takes less of the trace with it. An address is one if
 * neither its line nor those beside it were referenced lately, and the step that leads to it is
 * none of the last ones; it counts from below. What the block before became corrects the estimate.
 */
#ifndef TRC_CONTAINER_PACK_BLOCK_SIZE_H
#define TRC_CONTAINER_PACK_BLOCK_SIZE_H

#include "batch/batch.h"

struct trc_block_size;

/* For blocks of about `bytes`, whatever their addresses; 0: of TRC_BLOCK_BYTES of such, where one
 * in `every` steps of rows is looked at. */
struct trc_block_size *trc_block_size_open(uint64_t bytes, unsigned every,
                                           struct trc_err *err) TRC_MUST_USE;
void trc_block_size_close(struct trc_block_size *s);

enum {
	TRC_BLOCK_BYTES = 1 << 20,
	TRC_BLOCK_STEP = 4096, /* rows of a block between two looks at whether it is full */
};

/* The block gets rows [at, at + n) of b: whether it is full, which it is only at a multiple of
 * TRC_BLOCK_STEP rows, beyond which no call goes: so batches do not show. */
bool trc_block_size_add(struct trc_block_size *s, const struct trc_batch *b, size_t at, size_t n);

/* Another block begins. The one before the one that ended now has so many bytes, 0 if there is
 * none: while that is packed, this one is filled. */
void trc_block_size_next(struct trc_block_size *s, uint64_t packed);

#endif
