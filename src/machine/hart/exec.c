/* SPDX-License-Identifier: MIT
 *
 * The table of handlers, and the handlers of jumps and branches.
 */
#include "machine/hart/core.h"

trc_exec *const trc_handler[TRC_OPS] = {
#define OP(name, registers, loads, stores, size, flags) trc_exec_##name,
#include "machine/hart/ops.def"
#undef OP
};

TRC_EXEC(leave)
{
	(void)core, (void)addr;
	return op->exit;
}

TRC_EXEC(jal)
{
	core->h.x[op->rd] = core->base + (uint64_t)op->imm;
	TRC_NEXT;
}

TRC_EXEC(jalr)
{
	struct trc_exit *x = op->exit;
	const uint64_t to = (core->h.x[op->rs1] + (uint64_t)(int64_t)x->imm) & ~UINT64_C(1);

	(void)addr;
	core->h.x[op->rd] = core->base + (uint64_t)(int64_t)op->off + op->len;
	x->delta = to - core->base;
	return x;
}

/* clang-format off */
#define BRANCH(name, type, compare)                                             \
	TRC_EXEC(name)                                                          \
	{                                                                       \
		if ((type)core->h.x[op->rs1] compare (type)core->h.x[op->rs2])  \
			return op->exit;                                        \
		TRC_NEXT;                                                       \
	}

/* clang-format on */
BRANCH(beq, uint64_t, ==)
BRANCH(bne, uint64_t, !=)
BRANCH(blt, int64_t, <)
BRANCH(bge, int64_t, >=)
BRANCH(bltu, uint64_t, <)
BRANCH(bgeu, uint64_t, >=)
