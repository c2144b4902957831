/* SPDX-License-Identifier: MIT
 *
 * The encodings of extensions that QEMU supports and replay does not, according to the RISC-V
 * instruction set manual, volume I, the specification of vectors 1.0, and those of cache blocks and
 * of waiting. Rows may cover more than the defined instructions.
 */
#include "capture/extension.h"

/* The instructions for which word & mask is `is`. */
struct encodings {
	const char *name; /* as in -cpu */
	uint32_t mask, is;
};

enum {
	OPCODE = 0x7f,
	SYSTEM = 0x73,
	FUNCT3 = 0x7000 | OPCODE,
};

#define W(opcode, f3) FUNCT3, (f3) << 12 | (opcode)
#define CSR(number, mask) (uint32_t)(mask) << 20 | OPCODE, (uint32_t)(number) << 20 | SYSTEM

static const struct encodings beyond[] = {
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
	/* Vectors: vstart, vxsat, vxrm, vcsr; vl, vtype, vlenb. */
	{ "v", CSR(0x008, 0xffc) },
	{ "v", CSR(0x00f, 0xfff) },
	{ "v", CSR(0xc20, 0xffc) },
	/* Cache blocks; waiting for a reservation. */
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
			return trc_fail(
			        err,
			        "%08x at %llx is an instruction of the extension %s, and "
			        "replay has RV64GC, Zba to Zbs and Zfh: -cpu rv64,%s=false, or QEMU_CPU="
			        "rv64,%s=false in the environment, is a processor without "
			        "it; nothing was recorded",
			        (unsigned)word, (unsigned long long)addr, beyond[i].name,
			        beyond[i].name, beyond[i].name);
	if ((word & OPCODE) == SYSTEM && word & FUNCT3 & ~OPCODE)
		return trc_fail(err,
		                "%08x at %llx is for CSR 0x%x, which replay does not have; "
		                "nothing was recorded",
		                (unsigned)word, (unsigned long long)addr, (unsigned)word >> 20);
	return trc_fail(err,
	                "%08x at %llx is not an instruction that replay supports; "
	                "nothing was recorded",
	                (unsigned)word, (unsigned long long)addr);
}
