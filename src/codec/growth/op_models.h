/* SPDX-License-Identifier: MIT
 *
 * What programs with columns by op are coded with (container/SPEC.md, "Columns by op"):
 * predictors of what an op is, given its values and those before it. They live as long as the
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
	TRC_OP_PLACES = 3, /* where an edge leads */
	TRC_OP_CLASSES = 256,
};

/* Models of one column. */
struct trc_op_value_models {
	struct trc_predictor size, byte; /* of words; of registers, which there are, and each */
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

/* The models of a program that has columns, made when it grows first; NULL without memory. */
struct trc_op_models *trc_op_models_of(struct trc_program *p, struct trc_err *err);

/* The class of an op: the lowest byte of its value in the last column; 0 for TRC_NONE, and in
 * programs without columns. */
static inline unsigned
trc_op_class(const struct trc_program *p, uint32_t op)
{
	return op == TRC_NONE || p->columns == 0 ? 0 : p->column[p->columns - 1].of_op[op] & 255;
}

/* ---- what an op is ---- */

/* The shape, of `bits` bits at most, of an op behind op `from`, or TRC_NONE, plain or not. */
unsigned trc_op_code_shape(const struct trc_program *p, struct trc_op_models *m, uint32_t from,
                           bool plain, unsigned bits, unsigned shape);

/* The length of op `i`, whose values are known. */
unsigned trc_op_code_length(const struct trc_program *p, struct trc_op_models *m, uint32_t i,
                            unsigned length);

#endif
