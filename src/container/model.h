/* SPDX-License-Identifier: MIT
 *
 * The references of a block by a program: writing their frames. The program is that of fetches,
 * or of pcs, or guessed; those of each task (or, if the trace has no tasks, of each space) are
 * modelled by themselves.
 */
#ifndef TRC_CONTAINER_MODEL_H
#define TRC_CONTAINER_MODEL_H

#include "base/buf.h"
#include "batch/batch.h"

struct trc_modelling;

struct trc_modelling *trc_modelling_open(uint32_t have, int level, int threads,
                                         struct trc_err *err) TRC_MUST_USE;
void trc_modelling_close(struct trc_modelling *m);

/* A frame of references, or of the program before them. */
struct trc_model_frame {
	uint8_t kind;
	uint64_t number;
	struct trc_buf payload;
};

/* What became of the references of a block. */
struct trc_modelled {
	struct trc_model_frame *frame;
	size_t frames;    /* 0: they are no program */
	uint32_t columns; /* that are in the frames */
	size_t bytes;     /* of the frames */
	bool fresh;       /* they need nothing of the blocks before */
	bool sure;        /* these columns by themselves would be larger */
};

/* Makes the frames of a block, the first row of which is row `first`. They last until the next. */
int trc_modelling_make(struct trc_modelling *m, const struct trc_batch *rows, uint64_t first,
                       struct trc_modelled *to, struct trc_err *err) TRC_MUST_USE;

/* Appends the section by which the block refers to the frames. */
int trc_modelling_put(const struct trc_modelling *m, struct trc_buf *b,
                      struct trc_err *err) TRC_MUST_USE;

/* Has to be told, before the next block, whether the frames were written. */
void trc_modelling_end(struct trc_modelling *m, bool written);

#endif
