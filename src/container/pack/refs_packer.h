/* SPDX-License-Identifier: MIT
 *
 * Writes the references of a block as a path through a program. The program consists of fetches, or
 * of pcs, or is inferred; the references of each task (or, if the trace has no tasks, of each
 * address space) are a separate path.
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

/* A frame of references, or of the preceding part of the program, before it is written. */
struct trc_refs_frame {
	uint8_t kind;
	uint64_t number;
	struct trc_buf payload;
	struct trc_buf exceptions[TRC_OP_COLUMNS]; /* per column of the program; empty: too many */
};

/* The frames of the references of a block, and what the caller needs to know to choose between them
 * and columns. */
struct trc_refs_frames {
	struct trc_refs_frame *frame;
	size_t n;         /* 0: the references are not a program */
	uint32_t columns; /* columns in the frames */
	size_t bytes;     /* total size of the frames */
	bool fresh;       /* they depend on no earlier block */
	bool sure;        /* the columns alone would certainly be larger */

	uint32_t by_op;                 /* columns that ops may explain */
	size_t exceptions[TRC_COLUMNS]; /* bytes of the values that ops do not explain */
};

/* Returns true if the next block, which begins with rows [at, at + n) of a batch, can be added
 * piece by piece: its ops are found while the rows are in the cache, and they need not be
 * kept. */
bool trc_refs_packer_takes(const struct trc_refs_packer *p, const struct trc_batch *rows, size_t at,
                           size_t n);

/* Adds rows to such a block. */
int trc_refs_packer_add(struct trc_refs_packer *p, const struct trc_batch *rows, size_t at,
                        size_t n, struct trc_err *err) TRC_MUST_USE;

/* Returns true if all rows that were added are what their beginning seemed to be. If they are not,
 * or make no frames, trc_refs_packer_return() restores them in `to`, which must have room. */
bool trc_refs_packer_fits(const struct trc_refs_packer *p);
void trc_refs_packer_return(struct trc_refs_packer *p, struct trc_batch *to);

/* Makes the frames of a block whose first row is row `first`, except for columns that ops may
 * explain. If rows were added, only their number in `rows` matters. The frames are valid until the
 * next call. */
int trc_refs_packer_pack(struct trc_refs_packer *p, const struct trc_batch *rows, uint64_t first,
                         struct trc_refs_frames *to, struct trc_err *err) TRC_MUST_USE;

/* Completes the frames with the columns of `by_op`, which ops explain. */
int trc_refs_packer_finish(struct trc_refs_packer *p, uint32_t by_op, struct trc_refs_frames *to,
                           struct trc_err *err) TRC_MUST_USE;

/* Appends the section with which the block refers to the frames. */
int trc_refs_packer_section(const struct trc_refs_packer *p, struct trc_buf *b,
                            struct trc_err *err) TRC_MUST_USE;

/* Ends a block; `written` is true if its frames were written. */
void trc_refs_packer_end(struct trc_refs_packer *p, bool written);

#endif
