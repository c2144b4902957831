/* SPDX-License-Identifier: MIT
 *
 * The references of a block as a path through a program: writing their frames. The program is that
 * of fetches, or of pcs, or inferred; the references of each task (or, if the trace has no tasks,
 * of each space) are a path of their own.
 */
#ifndef TRC_CONTAINER_REFS_PACKER_H
#define TRC_CONTAINER_REFS_PACKER_H

#include "base/buf.h"
#include "batch/batch.h"
#include "codec/growth/program.h"

struct trc_refs_packer;

struct trc_refs_packer *trc_refs_packer_open(uint32_t have, int level, int threads,
                                             struct trc_err *err) TRC_MUST_USE;
void trc_refs_packer_close(struct trc_refs_packer *p);

/* A frame of references, or of the program before them, until it is written. */
struct trc_refs_frame {
	uint8_t kind;
	uint64_t number;
	struct trc_buf payload;
	struct trc_buf exceptions[TRC_OP_COLUMNS]; /* of columns of the program; empty: too many */
};

/* What became of the references of a block: new here, as the choice between two ways to pack. */
struct trc_refs_frames {
	struct trc_refs_frame *frame;
	size_t n;         /* 0: they are no program */
	uint32_t columns; /* that are in the frames */
	size_t bytes;     /* of the frames */
	bool fresh;       /* they need nothing of the blocks before */
	bool sure;        /* these columns by themselves would be larger */

	uint32_t by_op;                 /* columns that ops may explain, */
	size_t exceptions[TRC_COLUMNS]; /* and bytes of what they do not */
};

/* Makes the frames of a block, the first row of which is row `first`, but for columns that ops may
 * explain. They last until the next. */
int trc_refs_packer_pack(struct trc_refs_packer *p, const struct trc_batch *rows, uint64_t first,
                         struct trc_refs_frames *to, struct trc_err *err) TRC_MUST_USE;

/* Completes the frames by those of the columns that ops explain which are in `by_op`. */
int trc_refs_packer_finish(struct trc_refs_packer *p, uint32_t by_op, struct trc_refs_frames *to,
                           struct trc_err *err) TRC_MUST_USE;

/* Appends the section by which the block refers to the frames. */
int trc_refs_packer_section(const struct trc_refs_packer *p, struct trc_buf *b,
                            struct trc_err *err) TRC_MUST_USE;

/* Before the next block: whether the frames were written. */
void trc_refs_packer_end(struct trc_refs_packer *p, bool written);

#endif
