/* SPDX-License-Identifier: MIT
 * Of the extensions that QEMU has, the encodings, by the RISC-V instruction set manual, volume I,
 * the specification of bit-manipulation 1.0, that of vectors 1.0, and those of cache blocks and of
 * waiting. Only what is beyond RV64GC has to be found: rows may hold more than there is. */
#include "capture/extension.h"

/* Instructions for which word & mask is `is`. */
struct encodings {
	const char *name; /* as -cpu has it */
	uint32_t mask, is;
};

enum {
	OPCODE = 0x7f,
	FUNCT3 = 0x7000 | OPCODE,
	FUNCT6 = (int32_t)0xfc000000 | FUNCT3,
	FUNCT7 = (int32_t)0xfe000000 | FUNCT3,
};

#define R(opcode, f3, f7) FUNCT7, (uint32_t)(f7) << 25 | (f3) << 12 | (opcode)
#define I(opcode, f3, f6) FUNCT6, (uint32_t)(f6) << 26 | (f3) << 12 | (opcode)
#define W(opcode, f3) FUNCT3, (f3) << 12 | (opcode)

static const struct encodings beyond[] = {
	/* add.uw, sh1add to sh3add.uw, slli.uw */
	{ "zba", R(0x3b, 0, 0x04) },
	{ "zba", R(0x33, 2, 0x10) },
	{ "zba", R(0x33, 4, 0x10) },
	{ "zba", R(0x33, 6, 0x10) },
	{ "zba", R(0x3b, 2, 0x10) },
	{ "zba", R(0x3b, 4, 0x10) },
	{ "zba", R(0x3b, 6, 0x10) },
	{ "zba", I(0x1b, 1, 0x02) },
	/* xnor, orn, andn; min to maxu; zext of 16 bits; clz and its like; orc.b, rev8; rol, ror */
	{ "zbb", R(0x33, 4, 0x20) },
	{ "zbb", R(0x33, 6, 0x20) },
	{ "zbb", R(0x33, 7, 0x20) },
	{ "zbb", R(0x33, 4, 0x05) },
	{ "zbb", R(0x33, 5, 0x05) },
	{ "zbb", R(0x33, 6, 0x05) },
	{ "zbb", R(0x33, 7, 0x05) },
	{ "zbb", R(0x3b, 4, 0x04) },
	{ "zbb", R(0x13, 1, 0x30) },
	{ "zbb", R(0x1b, 1, 0x30) },
	{ "zbb", R(0x13, 5, 0x14) },
	{ "zbb", R(0x13, 5, 0x35) },
	{ "zbb", I(0x13, 5, 0x18) },
	{ "zbb", R(0x1b, 5, 0x30) },
	{ "zbb", R(0x33, 1, 0x30) },
	{ "zbb", R(0x33, 5, 0x30) },
	{ "zbb", R(0x3b, 1, 0x30) },
	{ "zbb", R(0x3b, 5, 0x30) },
	/* clmul, clmulr, clmulh */
	{ "zbc", R(0x33, 1, 0x05) },
	{ "zbc", R(0x33, 2, 0x05) },
	{ "zbc", R(0x33, 3, 0x05) },
	/* bset, bclr, bext, binv, also with immediates */
	{ "zbs", R(0x33, 1, 0x14) },
	{ "zbs", R(0x33, 1, 0x24) },
	{ "zbs", R(0x33, 5, 0x24) },
	{ "zbs", R(0x33, 1, 0x34) },
	{ "zbs", I(0x13, 1, 0x0a) },
	{ "zbs", I(0x13, 1, 0x12) },
	{ "zbs", I(0x13, 5, 0x12) },
	{ "zbs", I(0x13, 1, 0x1a) },
	/* Vectors: arithmetic, loads and stores of elements of 8 to 64 bits. */
	{ "v", OPCODE, 0x57 },
	{ "v", W(0x07, 0) },
	{ "v", W(0x07, 5) },
	{ "v", W(0x07, 6) },
	{ "v", W(0x07, 7) },
	{ "v", W(0x27, 0) },
	{ "v", W(0x27, 5) },
	{ "v", W(0x27, 6) },
	{ "v", W(0x27, 7) },
	/* Floating point of 16 bits: loads, stores, what has that format, conversions from it. */
	{ "zfh", W(0x07, 1) },
	{ "zfh", W(0x27, 1) },
	{ "zfh", 0x0600007f, 0x04000053 },
	{ "zfh", 0x06000073, 0x04000043 },
	{ "zfh", 0xfdf0007f, 0x40200053 },
	/* Cache blocks; to wait for a reservation. */
	{ "zicbom", 0xffc07fff, 0x0000200f },
	{ "zicboz", 0xfff07fff, 0x0040200f },
	{ "zawrs", 0xffffffff, 0x00d00073 },
	{ "zawrs", 0xffffffff, 0x01d00073 },
};

int
trc_extension_refuse(uint32_t word, uint64_t addr, struct trc_err *err)
{
	for (size_t i = 0; i < TRC_COUNT(beyond); i++)
		if ((word & beyond[i].mask) == beyond[i].is)
			return trc_fail(err,
			                "%08x at %llx is an instruction of the extension %s, and "
			                "replay has RV64GC: -cpu rv64,%s=false, or QEMU_CPU="
			                "rv64,%s=false in the environment, is a processor without "
			                "it; nothing was recorded",
			                (unsigned)word, (unsigned long long)addr, beyond[i].name,
			                beyond[i].name, beyond[i].name);
	return trc_fail(err,
	                "%08x at %llx is no instruction of RV64GC, which is what replay has; "
	                "nothing was recorded",
	                (unsigned)word, (unsigned long long)addr);
}
