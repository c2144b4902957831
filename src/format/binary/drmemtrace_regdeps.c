/* SPDX-License-Identifier: MIT
 *
 * Encodings of REGDEPS, an artificial architecture of DynamoRIO (its core/ir/isa_regdeps defines
 * it). It has the registers of an instruction and hides everything else; little-endian:
 *
 *   0   4 bits: registers written; 4: registers read; 2: whether flags are written, and read; 22:
 *       categories
 *   4   the size of the largest operand, by a number of DynamoRIO; only if there are registers
 *   5   the registers written, then those read, 1 byte each; padded to a multiple of 4 bytes
 */
#include "batch/registers.h"
#include "format/binary/drmemtrace.h"

enum {
	HEAD = 4,
	OPERANDS = 5,
	FLAGS_WRITTEN = 1 << 8,
	FLAGS_READ = 1 << 9,
	/* Added to the numbers in an encoding, so that none is one of ChampSim's, or above 255. */
	NUMBER = 30,
	REGISTERS = 256 - NUMBER,
};

/* Adds the `n` registers at `p`. */
static int
add(struct trc_registers *r, void (*to)(struct trc_registers *r, uint8_t number), const uint8_t *p,
    unsigned n, struct trc_err *err)
{
	for (unsigned i = 0; i < n; i++) {
		if (p[i] >= REGISTERS)
			return trc_fail(err, "register %u is not valid in a REGDEPS encoding",
			                p[i]);
		to(r, (uint8_t)(p[i] + NUMBER));
	}
	return 0;
}

int
trc_drmemtrace_regdeps(const uint8_t *p, unsigned n, uint8_t branch, struct trc_regdeps *is,
                       struct trc_err *err)
{
	const uint32_t head = n < HEAD ? 0 : trc_le32(p);
	const unsigned written = head & 15, read = head >> 4 & 15;
	struct trc_registers r = { 0 };
	struct trc_annotation all;

	if (n < HEAD || (written + read && n < OPERANDS + written + read))
		return trc_fail(err,
		                "a REGDEPS encoding of %u bytes is too short for its registers", n);
	if (add(&r, trc_registers_write, p + OPERANDS, written, err) ||
	    add(&r, trc_registers_read, p + OPERANDS + written, read, err))
		return -1;
	trc_registers_write(&r, head & FLAGS_WRITTEN ? TRC_REGS_FLAGS : 0);
	trc_registers_read(&r, head & FLAGS_READ ? TRC_REGS_FLAGS : 0);
	all = trc_registers_annotate(&r, branch & TRC_BRANCH_KIND, (uint8_t)n);
	*is = (struct trc_regdeps){
		.regs = all.regs,
		.insn = head | (uint64_t)(written + read ? p[HEAD] : 0) << 32,
		.more = all.more,
	};
	return 0;
}
