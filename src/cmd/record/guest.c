/* SPDX-License-Identifier: MIT */
#include "cmd/record/guest.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/bytes.h"
#include "cmd/record/program.h"

/* A processor: its number in ELF files (System V ABI, e_machine), word size, and byte order. */
static const struct guest {
	const char *name;
	uint16_t machine;
	uint8_t bits;
	bool big;
} guest[] = {
	{ "x86_64", 62, 64, false },   { "i386", 3, 32, false },
	{ "arm", 40, 32, false },      { "armeb", 40, 32, true },
	{ "aarch64", 183, 64, false }, { "aarch64_be", 183, 64, true },
	{ "riscv64", 243, 64, false }, { "loongarch64", 258, 64, false },
	{ "mips", 8, 32, true },       { "mipsel", 8, 32, false },
	{ "mips64", 8, 64, true },     { "mips64el", 8, 64, false },
	{ "ppc", 20, 32, true },       { "ppc64", 21, 64, true },
	{ "ppc64le", 21, 64, false },  { "s390x", 22, 64, true },
};

/* Returns the name of the processor of the program in a file; NULL: none of these, or not a
 * program. */
static const char *
guest_of(const char *path)
{
	enum { HEAD = 20, MACHINE = 18, LSB = 1, MSB = 2 };
	uint8_t head[HEAD] = { 0 };
	FILE *f = fopen(path, "re");
	const size_t n = f ? fread(head, 1, HEAD, f) : 0;

	if (f)
		fclose(f);
	if (n < HEAD || memcmp(head, "\177ELF", 4) != 0)
		return NULL;
	for (size_t i = 0; i < TRC_COUNT(guest); i++)
		if (head[4] == guest[i].bits / 32 && head[5] == (guest[i].big ? MSB : LSB) &&
		    (guest[i].big ? head[MACHINE] << 8 | head[MACHINE + 1] :
		                    trc_le16(head + MACHINE)) == guest[i].machine)
			return guest[i].name;
	return NULL;
}

const char *
trc_record_processor(const char *program, char cpu[TRC_RECORD_CPU])
{
	char path[TRC_PROGRAM_PATH];
	const char *name = trc_program_find(program, path) ? guest_of(path) : NULL;
	struct utsname u;

	snprintf(cpu, TRC_RECORD_CPU, "%s", name ? name : uname(&u) == 0 ? u.machine : "x86_64");
	return cpu;
}

bool
trc_record_native(const char *program)
{
	char path[TRC_PROGRAM_PATH];

	return trc_program_find(program, path) && trc_program_kind(path, NULL) == TRC_PROGRAM_FITS;
}

bool
trc_record_foreign(const char *program)
{
	char path[TRC_PROGRAM_PATH];

	return trc_program_find(program, path) && !trc_record_native(program) && guest_of(path);
}
