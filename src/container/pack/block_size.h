/* SPDX-License-Identifier: MIT
 *
 * Decides where a block ends before it has the most rows allowed: at about a given number of packed
 * bytes. By default only addresses without a pattern count, because no packing makes these small:
 * shorter blocks of them cost nothing, and damage then destroys less of the trace. An address has
 * no pattern if neither its line nor an adjacent one was referenced recently, and the step to it is
 * not a recent step; it counts as a lower bound of its packed size. The packed size of the previous
 * block corrects the estimate.
 *
 * Where such addresses come again, as the hashed keys of a cache do, each block has to contain them
 * once: then it does not end before TRC_BLOCK_NAMES rows.
 */
#ifndef TRC_CONTAINER_PACK_BLOCK_SIZE_H
#define TRC_CONTAINER_PACK_BLOCK_SIZE_H

#include "batch/batch.h"

struct trc_block_size;

/* Opens an estimator for blocks of about `bytes` packed bytes, counting all rows; or, if `bytes` is
 * 0, of TRC_BLOCK_BYTES of addresses without a pattern, examining one in `every` steps of rows. */
struct trc_block_size *trc_block_size_open(uint64_t bytes, unsigned every,
                                           struct trc_err *err) TRC_MUST_USE;
void trc_block_size_close(struct trc_block_size *s);

enum {
	TRC_BLOCK_BYTES = 1 << 20,
	TRC_BLOCK_STEP = 4096,     /* rows between two checks whether a block is full */
	TRC_BLOCK_NAMES = 1 << 21, /* rows that share names (codec/column/requests.h) */
};

/* Adds rows [at, at + n) of `b` to the block and returns true if it is full. A block can become
 * full only at a multiple of TRC_BLOCK_STEP rows, and no call may add rows beyond one, so that the
 * result does not depend on how rows are divided into batches. */
bool trc_block_size_add(struct trc_block_size *s, const struct trc_batch *b, size_t at, size_t n);

/* Begins another block. `packed` is the size in bytes of the block before the one that ended now,
 * or 0 if there is none: each block is filled while the previous one is packed. */
void trc_block_size_next(struct trc_block_size *s, uint64_t packed);

#endif
