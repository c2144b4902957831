/* SPDX-License-Identifier: MIT
 *
 * Extensions by name, and the encodings of those that replay does not support, according to the
 * RISC-V instruction set manual, volume I, the specification of vectors 1.0, and those of cache
 * blocks and of waiting. Rows may cover more than the defined instructions.
 */
#include "machine/hart/extensions.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

struct extension {
	const char *name;
	unsigned bit;
};

static const struct extension extensions[] = {
	{ "zba", TRC_EXTENSIONS_ZBA },
	{ "zbb", TRC_EXTENSIONS_ZBB },
	{ "zbc", TRC_EXTENSIONS_ZBC },
	{ "zbs", TRC_EXTENSIONS_ZBS },
	{ "zicond", TRC_EXTENSIONS_ZICOND },
	{ "zfhmin", TRC_EXTENSIONS_ZFHMIN },
	{ "zfh", TRC_EXTENSIONS_ZFH | TRC_EXTENSIONS_ZFHMIN },
	{ "zicbom", TRC_EXTENSIONS_ZICBOM },
	{ "zicboz", TRC_EXTENSIONS_ZICBOZ },

	/* Prefetches are other instructions to x0; the last two were once part of I. */
	{ "zicbop", 0 },
	{ "zicsr", 0 },
	{ "zifencei", 0 },
};

static const struct extension *
find_extension(const char *name, size_t len)
{
	for (size_t i = 0; i < TRC_COUNT(extensions); i++)
		if (strlen(extensions[i].name) == len &&
		    strncasecmp(extensions[i].name, name, len) == 0)
			return &extensions[i];
	return NULL;
}

int
trc_extensions_read(const char *text, unsigned *isa, struct trc_err *err)
{
	const size_t base = strcspn(text, "_");

	*isa = 0;
	if (!(base == 6 && strncmp(text, "rv64gc", base) == 0) &&
	    !(base == 10 && strncmp(text, "rv64imafdc", base) == 0))
		return trc_fail(err, "the processor is '%s'; only rv64imafdc is supported", text);
	for (const char *at = text + base; *at == '_';) {
		const size_t len = strcspn(++at, "_");
		const struct extension *e = find_extension(at, len);

		if (!e)
			return trc_fail(
			        err, "the processor is '%s'; of its extensions trc has no '%.*s'",
			        text, (int)len, at);
		*isa |= e->bit;
		at += len;
	}
	return 0;
}

const char *
trc_extensions_print(unsigned isa, char dst[TRC_EXTENSIONS_ROOM])
{
	size_t n = (size_t)snprintf(dst, TRC_EXTENSIONS_ROOM, "rv64imafdc");

	for (size_t i = 0; i < TRC_COUNT(extensions); i++)
		if (extensions[i].bit && (isa & extensions[i].bit) == extensions[i].bit)
			n += (size_t)snprintf(dst + n, TRC_EXTENSIONS_ROOM - n, "_%s",
			                      extensions[i].name);
	return dst;
}

unsigned
trc_extensions_of_cpu(const char *cpu)
{
	size_t len = strcspn(cpu, ",");
	unsigned isa = 0;

	if ((len == 4 && strncmp(cpu, "rv64", 4) == 0) ||
	    (len == 3 && (strncmp(cpu, "max", 3) == 0 || strncmp(cpu, "any", 3) == 0)))
		isa = TRC_EXTENSIONS_BITS;
	for (cpu += len; *cpu == ','; cpu += len) {
		const char *value = cpu + 1 + strcspn(cpu + 1, "=,");
		const struct extension *e = find_extension(cpu + 1, (size_t)(value - cpu - 1));

		len = 1 + strcspn(cpu + 1, ",");
		if (e && (strncmp(value, "=true", 5) == 0 || strncmp(value, "=on", 3) == 0))
			isa |= e->bit;
		else if (e)
			isa &= ~e->bit;
	}
	return isa & TRC_EXTENSIONS_OF_QEMU;
}

/* The instructions for which word & mask is `is`. */
struct encodings {
	const char *name; /* as in -cpu */
	uint32_t mask, is;
};

enum { OPCODE = 0x7f, SYSTEM = 0x73, FUNCT3 = 0x7000 | OPCODE };

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

#undef W
#undef CSR

const char *
trc_extension_beyond(uint32_t word)
{
	for (size_t i = 0; i < TRC_COUNT(beyond); i++)
		if ((word & beyond[i].mask) == beyond[i].is)
			return beyond[i].name;
	return NULL;
}
