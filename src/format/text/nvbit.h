/* SPDX-License-Identifier: MIT
 *
 * What formats of NVIDIA's GPUs have in common: opcodes of SASS, warps as tasks, and a lane a row.
 */
#ifndef TRC_FORMAT_TEXT_NVBIT_H
#define TRC_FORMAT_TEXT_NVBIT_H

#include "format/lines.h"

enum { TRC_GPU_LANES = 32 };

/* The memories of a GPU; generic: an address shows which, but for constants. */
enum trc_gpu_memory {
	TRC_GPU_GLOBAL,
	TRC_GPU_CONSTANT,
	TRC_GPU_SHARED,
	TRC_GPU_LOCAL,
	TRC_GPU_GENERIC
};

/* What an instruction of a warp does. */
struct trc_gpu_op {
	uint8_t type;
	enum trc_gpu_memory memory;
	uint32_t size;  /* bytes of a lane */
	unsigned lanes; /* whose addresses count, the first ones */
	bool copies;    /* from global to shared memory */
};

/* A warp of a thread block (CTA), of which there are `grid` in x and y; 0: not known. */
struct trc_gpu_warp {
	uint64_t grid[2], cta[3], warp;
};

/* Reads an opcode like LDG.E.64; false if it is not known what it does. */
bool trc_gpu_op(struct trc_field opcode, struct trc_gpu_op *op);

/* Reads three numbers with commas between them. */
bool trc_gpu_take_three(struct trc_field f, uint64_t v[3]);

/* The number of a warp's block in its grid; false if it has none, or one too large for a task. */
bool trc_gpu_cta(const struct trc_gpu_warp *w, uint32_t *cta);

/* Appends the row of a lane of the `insn`th instruction, but for its pc. */
void trc_gpu_put(struct trc_batch *b, const struct trc_gpu_op *op, enum trc_gpu_memory memory,
                 uint64_t addr, uint32_t cta, uint64_t warp, uint64_t insn);

#endif
