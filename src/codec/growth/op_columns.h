/* SPDX-License-Identifier: MIT
 *
 * Columns that ops explain: what is a property of the instruction (its word, its registers, whether
 * and how it branches) is stored once with the op, not with each row. Such a column has, in the
 * first row of each op, the value of the edge by which the path leaves it, or of the op itself
 * where the path ends; in all other rows, 0. Rows where that is not so are exceptions.
 *
 * Values are coded with the op or edge that is new: words byte by byte; of registers first which
 * there are, since most are none. container/SPEC.md, "Columns by op", has it to the bit, and how
 * the exceptions of a block stand in its stream.
 */
#ifndef TRC_CODEC_GROWTH_OP_COLUMNS_H
#define TRC_CODEC_GROWTH_OP_COLUMNS_H

#include "codec/growth/program.h"

/* Adds a column of values of `width` bytes, called `name` by the caller, to a program without ops;
 * each byte of `registers` is one, or 0. */
void trc_op_columns_add(struct trc_program *p, uint8_t name, uint8_t width, bool registers);

/* Drops the columns whose bit in `keep` is 0. */
void trc_op_columns_keep(struct trc_program *p, unsigned keep);

/* Makes room for the values of all ops and edges, those new being 0. */
int trc_op_columns_room(struct trc_program *p, struct trc_err *err) TRC_MUST_USE;

struct trc_op_models;
struct trc_op_value_models;
struct trc_predictors;

int trc_op_value_models_init(struct trc_op_value_models *m, struct trc_predictors *with, unsigned k,
                             bool registers, struct trc_err *err) TRC_MUST_USE;

/* Codes the values of op `i`, the last one. */
int trc_op_columns_code_op(struct trc_program *p, struct trc_op_models *m, size_t i,
                           struct trc_err *err) TRC_MUST_USE;

/* Codes those of the edges from `first` on. */
int trc_op_columns_code_edges(struct trc_program *p, struct trc_op_models *m, size_t first,
                              struct trc_err *err) TRC_MUST_USE;

/* Bit j: byte j of a value is not 0. */
static inline uint32_t
trc_value_parts(uint64_t v)
{
	uint32_t parts = 0;

	for (unsigned j = 0; j < 8; j++)
		parts |= (uint32_t)((v >> 8 * j & 255) != 0) << j;
	return parts;
}

#endif
