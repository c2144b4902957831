/* SPDX-License-Identifier: MIT
 *
 * Columns that ops explain: properties of the instruction (its word, its registers, whether and how
 * it branches) are stored once with the op, not with each row. The first row of each op has the
 * value of the edge by which the path leaves the op, or of the op itself where the path ends; all
 * its other rows have 0. Rows that differ are exceptions.
 *
 * Values are coded with each new op or edge: words byte by byte; for registers first a mask of
 * those present, because most are absent. container/SPEC.md, "Columns by op", specifies it exactly,
 * including the stream of exceptions in a block.
 */
#ifndef TRC_CODEC_GROWTH_OP_COLUMNS_H
#define TRC_CODEC_GROWTH_OP_COLUMNS_H

#include "codec/growth/program.h"

/* Adds a column with values of `width` bytes, which the caller calls `name`, to a program without
 * ops. With `registers`, each byte of a value is a register or 0. */
void trc_op_columns_add(struct trc_program *p, uint8_t name, uint8_t width, bool registers);

/* Removes the columns whose bit in `keep` is 0. */
void trc_op_columns_keep(struct trc_program *p, unsigned keep);

/* Makes room for the values of all ops and edges; new ones are 0. */
int trc_op_columns_room(struct trc_program *p, struct trc_err *err) TRC_MUST_USE;

struct trc_op_models;
struct trc_op_value_models;
struct trc_predictors;

int trc_op_value_models_init(struct trc_op_value_models *m, struct trc_predictors *with, unsigned k,
                             bool registers, struct trc_err *err) TRC_MUST_USE;

/* Codes the values of op `i`, which is the last one. */
int trc_op_columns_code_op(struct trc_program *p, struct trc_op_models *m, size_t i,
                           struct trc_err *err) TRC_MUST_USE;

/* Codes the values of the edges from `first` on. */
int trc_op_columns_code_edges(struct trc_program *p, struct trc_op_models *m, size_t first,
                              struct trc_err *err) TRC_MUST_USE;

/* Returns a mask of the bytes of a value that are not 0; bit j stands for byte j. */
static inline uint32_t
trc_value_parts(uint64_t v)
{
	uint32_t parts = 0;

	for (unsigned j = 0; j < 8; j++)
		parts |= (uint32_t)((v >> 8 * j & 255) != 0) << j;
	return parts;
}

#endif
