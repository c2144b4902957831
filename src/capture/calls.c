/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "capture/calls.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

enum { X86_64, I386, ARM, GENERIC, MIPS, MIPS64, PPC, S390X, COLUMNS };

/* A system call, and its numbers in the order of the columns, -1 if it does not exist: those of
 * <asm/unistd.h> of Linux 6.1. */
static const struct row {
	enum trc_call call;
	short number[COLUMNS];
} row[] = {
	{ TRC_CALL_MMAP, { 9, 90, -1, 222, 4090, 5009, 90, 90 } },
	{ TRC_CALL_MMAP2, { -1, 192, 192, -1, 4210, -1, 192, -1 } },
	{ TRC_CALL_MUNMAP, { 11, 91, 91, 215, 4091, 5011, 91, 91 } },
	{ TRC_CALL_MREMAP, { 25, 163, 163, 216, 4167, 5024, 163, 163 } },
	{ TRC_CALL_BRK, { 12, 45, 45, 214, 4045, 5012, 45, 45 } },
	{ TRC_CALL_SHMAT, { 30, 397, 305, 196, 4397, 5029, 397, 397 } },
	{ TRC_CALL_SHMDT, { 67, 398, 306, 197, 4398, 5065, 398, 398 } },
	{ TRC_CALL_SHMCTL, { 31, 396, 308, 195, 4396, 5030, 396, 396 } },
	{ TRC_CALL_IPC, { -1, 117, -1, -1, 4117, -1, 117, 117 } },
	{ TRC_CALL_OPEN, { 2, 5, 5, -1, 4005, 5002, 5, 5 } },
	{ TRC_CALL_OPENAT, { 257, 295, 322, 56, 4288, 5247, 286, 288 } },
	{ TRC_CALL_CREAT, { 85, 8, 8, -1, 4008, 5083, 8, 8 } },
	{ TRC_CALL_CLOSE, { 3, 6, 6, 57, 4006, 5003, 6, 6 } },
	{ TRC_CALL_READ, { 0, 3, 3, 63, 4003, 5000, 3, 3 } },
	{ TRC_CALL_READ, { 19, 145, 145, 65, 4145, 5018, 145, 145 } },
	{ TRC_CALL_WRITE, { 1, 4, 4, 64, 4004, 5001, 4, 4 } },
	{ TRC_CALL_WRITE, { 20, 146, 146, 66, 4146, 5019, 146, 146 } },
	{ TRC_CALL_PREAD, { 17, 180, 180, 67, 4200, 5016, 179, 180 } },
	{ TRC_CALL_PREADV, { 295, 333, 361, 69, 4330, 5289, 320, 328 } },
	{ TRC_CALL_PWRITE, { 18, 181, 181, 68, 4201, 5017, 180, 181 } },
	{ TRC_CALL_PWRITEV, { 296, 334, 362, 70, 4331, 5290, 321, 329 } },
	{ TRC_CALL_UNLINK, { 87, 10, 10, -1, 4010, 5085, 10, 10 } },
	{ TRC_CALL_UNLINKAT, { 263, 301, 328, 35, 4294, 5253, 292, 294 } },
	{ TRC_CALL_RENAME, { 82, 38, 38, -1, 4038, 5080, 38, 38 } },
	{ TRC_CALL_RENAMEAT, { 264, 302, 329, 38, 4295, 5254, 293, 295 } },
	{ TRC_CALL_RENAMEAT2, { 316, 353, 382, 276, 4351, 5311, 357, 347 } },
	{ TRC_CALL_TRUNCATE, { 76, 92, 92, 45, 4092, 5074, 92, 92 } },
	{ TRC_CALL_TRUNCATE64, { -1, 193, 193, -1, 4211, -1, 193, -1 } },
	{ TRC_CALL_FTRUNCATE, { 77, 93, 93, 46, 4093, 5075, 93, 93 } },
	{ TRC_CALL_FTRUNCATE64, { -1, 194, 194, -1, 4212, -1, 194, -1 } },
	{ TRC_CALL_ACCEPT, { 43, -1, 285, 202, 4168, 5042, 330, -1 } },
	{ TRC_CALL_ACCEPT, { 288, 364, 366, 242, 4334, 5293, 344, 364 } },
	{ TRC_CALL_SOCKETCALL, { -1, 102, -1, -1, 4102, -1, 102, 102 } },
	{ TRC_CALL_EXECVE, { 59, 11, 11, 221, 4011, 5057, 11, 11 } },
	{ TRC_CALL_EXECVEAT, { 322, 358, 387, 281, 4356, 5316, 362, 354 } },
	{ TRC_CALL_CLONE, { 56, 120, 120, 220, 4120, 5055, 120, 120 } },
	{ TRC_CALL_CLONE, { 57, 2, 2, -1, 4002, 5056, 2, 2 } },
	{ TRC_CALL_CLONE, { 58, 190, 190, -1, -1, -1, 189, 190 } },
	{ TRC_CALL_CLONE, { 435, 435, 435, 435, 4435, 5435, 435, 435 } },
	{ TRC_CALL_WAIT, { -1, 7, -1, -1, 4007, -1, 7, -1 } },
	{ TRC_CALL_WAIT, { 61, 114, 114, 260, 4114, 5059, 114, 114 } },
	{ TRC_CALL_WAITID, { 247, 284, 280, 95, 4278, 5237, 272, 281 } },
	{ TRC_CALL_EXIT, { 60, 1, 1, 93, 4001, 5058, 1, 1 } },
	{ TRC_CALL_EXIT_GROUP, { 231, 252, 248, 94, 4246, 5205, 234, 248 } },
};

/* clang-format off */
static const struct trc_guest guest[] = {
	/* target     column  bits  big    aligned list  anon   elf */
	{ "x86_64",      X86_64,  64, false, false, false, 0x20, 62 },
	{ "i386",        I386,    32, false, false, true,  0x20, 3 },
	{ "arm",         ARM,     32, false, true,  false, 0x20, 40 },
	{ "armeb",       ARM,     32, true,  true,  false, 0x20, 40 },
	{ "aarch64",     GENERIC, 64, false, false, false, 0x20, 183 },
	{ "aarch64_be",  GENERIC, 64, true,  false, false, 0x20, 183 },
	{ "riscv64",     GENERIC, 64, false, false, false, 0x20, 243 },
	{ "loongarch64", GENERIC, 64, false, false, false, 0x20, 258 },
	{ "mips",        MIPS,    32, true,  true,  false, 0x800, 8 },
	{ "mipsel",      MIPS,    32, false, true,  false, 0x800, 8 },
	{ "mips64",      MIPS64,  64, true,  false, false, 0x800, 8 },
	{ "mips64el",    MIPS64,  64, false, false, false, 0x800, 8 },
	{ "ppc",         PPC,     32, true,  true,  false, 0x20, 20 },
	{ "ppc64",       PPC,     64, true,  false, false, 0x20, 21 },
	{ "ppc64le",     PPC,     64, false, false, false, 0x20, 21 },
	{ "s390x",       S390X,   64, true,  false, true,  0x20, 22 },
};
/* clang-format on */

const struct trc_guest *
trc_guest_named(const char *target)
{
	for (size_t i = 0; i < sizeof(guest) / sizeof(*guest); i++)
		if (strcmp(guest[i].target, target) == 0)
			return &guest[i];
	return NULL;
}

enum trc_call
trc_guest_call(const struct trc_guest *g, int64_t number)
{
	for (size_t i = 0; number >= 0 && i < sizeof(row) / sizeof(*row); i++)
		if (row[i].number[g->column] == number)
			return row[i].call;
	return TRC_CALL_OTHER;
}

uint64_t
trc_guest_wide(const struct trc_guest *g, const uint64_t *argument, int i)
{
	if (g->bits == 64)
		return argument[i];
	i = g->aligned ? (i + 1) / 2 * 2 : i;
	return g->big_endian ? argument[i] << 32 | (uint32_t)argument[i + 1] :
	                       argument[i + 1] << 32 | (uint32_t)argument[i];
}

/* Reads through the kernel, so that an unmapped address is not a fault. */
static ssize_t
read_some(const struct trc_guest_memory *m, uint64_t addr, void *dst, size_t n)
{
	const int fd = open("/proc/self/mem", O_RDONLY | O_CLOEXEC);
	ssize_t got = -1;

	if (fd >= 0) {
		got = pread(fd, dst, n, (off_t)(m->base + addr));
		close(fd);
	}
	return got;
}

bool
trc_guest_read(const struct trc_guest_memory *m, uint64_t addr, void *dst, size_t n)
{
	return read_some(m, addr, dst, n) == (ssize_t)n;
}

bool
trc_guest_string(const struct trc_guest_memory *m, uint64_t addr, char *dst, size_t room)
{
	enum { PIECE = 512 };
	ssize_t got;

	for (size_t n = 0; addr && n < room; n += (size_t)got) {
		got = read_some(m, addr + n, dst + n, room - n < PIECE ? room - n : PIECE);
		if (got <= 0)
			return false;
		if (memchr(dst + n, 0, (size_t)got))
			return true;
	}
	return false;
}

bool
trc_guest_word(const struct trc_guest_memory *m, uint64_t addr, uint64_t *v)
{
	const unsigned bytes = m->guest->bits / 8;
	uint8_t byte[8];

	if (!trc_guest_read(m, addr, byte, bytes))
		return false;
	*v = 0;
	for (unsigned i = 0; i < bytes; i++)
		*v = *v << 8 | byte[m->guest->big_endian ? i : bytes - 1 - i];
	return true;
}
