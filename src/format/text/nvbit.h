/* SPDX-License-Identifier: MIT
 *
 * Shared by the formats of NVIDIA's GPUs: opcodes of SASS, warps as tasks, and a row for each lane.
 */
#ifndef TRC_FORMAT_TEXT_NVBIT_H
#define TRC_FORMAT_TEXT_NVBIT_H

#include "format/lines.h"

enum { TRC_GPU_LANES = 32 };

/* The memories of a GPU. Generic: the address selects the memory, except constants. */
enum trc_gpu_memory {
	TRC_GPU_GLOBAL,
	TRC_GPU_CONSTANT,
	TRC_GPU_SHARED,
	TRC_GPU_LOCAL,
	TRC_GPU_GENERIC
};

/* The effect of an instruction of a warp. */
struct trc_gpu_op {
	uint8_t type;
	enum trc_gpu_memory memory;
	uint32_t size;  /* bytes per lane */
	unsigned lanes; /* number of lanes, from the first on, whose addresses count */
	bool copies;    /* copies from global to shared memory */
};

/* A warp of a thread block (CTA). The grid has `grid` blocks in x and y; 0: unknown. */
struct trc_gpu_warp {
	uint64_t grid[2], cta[3], warp;
};

/* Parses an opcode such as LDG.E.64; returns false if its effect is unknown. */
bool trc_gpu_op(struct trc_field opcode, struct trc_gpu_op *op);

/* Parses three numbers separated by commas. */
bool trc_gpu_take_three(struct trc_field f, uint64_t v[3]);

/* Computes the number of a warp's block in its grid; returns false if it is unknown, or too large
 * for a task. */
bool trc_gpu_cta(const struct trc_gpu_warp *w, uint32_t *cta);

/* Appends the row of a lane of the `insn`th instruction, without its pc. */
void trc_gpu_put(struct trc_batch *b, const struct trc_gpu_op *op, enum trc_gpu_memory memory,
                 uint64_t addr, uint32_t cta, uint64_t warp, uint64_t insn);

#endif
