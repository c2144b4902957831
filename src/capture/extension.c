/* SPDX-License-Identifier: MIT */
#include "capture/extension.h"

#include "machine/hart/extensions.h"

enum { OPCODE = 0x7f, SYSTEM = 0x73, FUNCT3 = 0x7000 };

int
trc_extension_refuse(uint32_t word, uint64_t addr, struct trc_err *err)
{
	const char *name = trc_extension_beyond(word);

	if (name)
		return trc_fail(
		        err,
		        "%08x at %llx is an instruction of the extension %s, and "
		        "replay has RV64GC, Zba to Zbs and Zfh: build the program without %s, or, if "
		        "it asks what the processor has, use -cpu rv64,%s=false, or "
		        "QEMU_CPU=rv64,%s=false in the environment; nothing was recorded",
		        (unsigned)word, (unsigned long long)addr, name, name, name, name);
	if ((word & OPCODE) == SYSTEM && word & FUNCT3)
		return trc_fail(err,
		                "%08x at %llx is for CSR 0x%x, which replay does not have; "
		                "nothing was recorded",
		                (unsigned)word, (unsigned long long)addr, (unsigned)word >> 20);
	return trc_fail(err,
	                "%08x at %llx is not an instruction that replay supports; "
	                "nothing was recorded",
	                (unsigned)word, (unsigned long long)addr);
}
