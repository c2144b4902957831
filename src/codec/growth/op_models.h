/* SPDX-License-Identifier: MIT
 *
 * The models for programs with columns by op (container/SPEC.md, "Columns by op"): predictors of
 * the properties of an op from its values and those of earlier ops. They live as long as the
 * program.
 */
#ifndef TRC_CODEC_GROWTH_OP_MODELS_H
#define TRC_CODEC_GROWTH_OP_MODELS_H

#include "codec/entropy/range_coder.h"
#include "codec/mixing/predictor.h"
#include "codec/growth/op_slots.h"
#include "codec/growth/op_symbols.h"
#include "codec/growth/program.h"

enum {
	TRC_OP_PLACES = 3, /* kinds of targets of an edge */
	TRC_OP_CLASSES = 256,
};

/* The models of one column. */
struct trc_op_value_models {
	struct trc_predictor size, byte; /* of words; for registers: of the mask, and of each one */
	struct trc_bit same[TRC_OP_PLACES][TRC_OP_CLASSES], again[TRC_OP_PLACES][TRC_OP_CLASSES];
	struct trc_num number;
	uint64_t other[TRC_OP_CLASSES]; /* the last value of an edge that was not that of its op */
};

struct trc_op_models {
	struct trc_predictors with;
	struct trc_op_value_models column[TRC_OP_COLUMNS];
	struct trc_predictor shape, length;
	struct trc_op_slot_models slots;
};

/* Returns the models of a program that has columns, creating them on its first growth; NULL if
 * there is no memory. */
struct trc_op_models *trc_op_models_of(struct trc_program *p, struct trc_err *err);

/* Returns the class of an op: the lowest byte of its value in the last column. It is 0 for
 * TRC_NONE, and in programs without columns. */
static inline unsigned
trc_op_class(const struct trc_program *p, uint32_t op)
{
	return op == TRC_NONE || p->columns == 0 ? 0 : p->column[p->columns - 1].of_op[op] & 255;
}

/* ---- properties of an op ---- */

/* Codes the shape, of at most `bits` bits, of an op after op `from`, which may be TRC_NONE; `plain`
 * as in edges.h. */
unsigned trc_op_code_shape(const struct trc_program *p, struct trc_op_models *m, uint32_t from,
                           bool plain, unsigned bits, unsigned shape);

/* Codes the length of op `i`, whose values are known. */
unsigned trc_op_code_length(const struct trc_program *p, struct trc_op_models *m, uint32_t i,
                            unsigned length);

#endif
