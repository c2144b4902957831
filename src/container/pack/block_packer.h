/* SPDX-License-Identifier: MIT
 *
 * Packs a block of the container: rows in, frames out.
 */
#ifndef TRC_CONTAINER_BLOCK_PACKER_H
#define TRC_CONTAINER_BLOCK_PACKER_H

#include "base/buf.h"
#include "batch/batch.h"
#include "container/frame/protected.h"

struct trc_block_packer;

/* The settings of a block packer. */
struct trc_block_packer_settings {
	int level; /* see codec/stream/pack.h */
	int threads;
	bool verify;       /* unpack and compare what was packed */
	size_t block_rows; /* the most rows in a block */

	/* For tests: damages a frame before it is read back; or NULL. */
	void (*harm)(void *arg, uint8_t kind, struct trc_buf *payload);
	void *harm_arg;
};

struct trc_block_packer *trc_block_packer_open(struct trc_protected_out *out, uint32_t have,
                                               const struct trc_block_packer_settings *settings,
                                               struct trc_err *err) TRC_MUST_USE;
void trc_block_packer_close(struct trc_block_packer *p);

/* Writes the frames of a block whose first row is row `first` of the container. `noise` is true if
 * most of its addresses have no pattern (block_size.h). Sets *fresh to true if the block can be
 * read without the frames before it. */
int trc_block_packer_pack(struct trc_block_packer *p, const struct trc_batch *rows, uint64_t first,
                          bool noise, bool *fresh, struct trc_err *err) TRC_MUST_USE;

/* Do the same for rows that come piece by piece, which need not be kept if they are a program of
 * fetches: add rows [at, at + n) of a batch; end the block of all that were added. */
int trc_block_packer_add(struct trc_block_packer *p, const struct trc_batch *rows, size_t at,
                         size_t n, struct trc_err *err) TRC_MUST_USE;
int trc_block_packer_end(struct trc_block_packer *p, uint64_t first, bool noise, bool *fresh,
                         struct trc_err *err) TRC_MUST_USE;

#endif
