/* SPDX-License-Identifier: MIT */
#include "capture/calls.h"

#include <string.h>

static const struct trc_call_number x86_64[] = {
	{ 9, TRC_CALL_MMAP },
	{ 11, TRC_CALL_MUNMAP },
	{ 25, TRC_CALL_MREMAP },
	{ 12, TRC_CALL_BRK },
	{ 30, TRC_CALL_SHMAT },
	{ 67, TRC_CALL_SHMDT },
	{ 2, TRC_CALL_OPEN },
	{ 257, TRC_CALL_OPEN },
	{ 85, TRC_CALL_OPEN },
	{ 0, TRC_CALL_READ },
	{ 1, TRC_CALL_WRITE },
	{ 3, TRC_CALL_CLOSE },
	{ 17, TRC_CALL_PREAD },
	{ 18, TRC_CALL_PWRITE },
	{ 87, TRC_CALL_UNLINK },
	{ 263, TRC_CALL_UNLINKAT },
	{ 77, TRC_CALL_FTRUNCATE },
	{ 60, TRC_CALL_EXIT },
	{ 231, TRC_CALL_EXIT_GROUP },
	{ 43, TRC_CALL_ACCEPT },
	{ 288, TRC_CALL_ACCEPT },
	{ -1, TRC_CALL_OTHER },
};

/* aarch64, riscv64, loongarch64 and others of late. */
static const struct trc_call_number generic[] = {
	{ 222, TRC_CALL_MMAP },
	{ 215, TRC_CALL_MUNMAP },
	{ 216, TRC_CALL_MREMAP },
	{ 214, TRC_CALL_BRK },
	{ 196, TRC_CALL_SHMAT },
	{ 197, TRC_CALL_SHMDT },
	{ 56, TRC_CALL_OPEN },
	{ 63, TRC_CALL_READ },
	{ 64, TRC_CALL_WRITE },
	{ 57, TRC_CALL_CLOSE },
	{ 67, TRC_CALL_PREAD },
	{ 68, TRC_CALL_PWRITE },
	{ 35, TRC_CALL_UNLINKAT },
	{ 46, TRC_CALL_FTRUNCATE },
	{ 93, TRC_CALL_EXIT },
	{ 94, TRC_CALL_EXIT_GROUP },
	{ 202, TRC_CALL_ACCEPT },
	{ 242, TRC_CALL_ACCEPT },
	{ -1, TRC_CALL_OTHER },
};

/* i386 and arm; their shmat differs. */
static const struct trc_call_number old[] = {
	{ 192, TRC_CALL_MMAP2 },
	{ 91, TRC_CALL_MUNMAP },
	{ 163, TRC_CALL_MREMAP },
	{ 45, TRC_CALL_BRK },
	{ 5, TRC_CALL_OPEN },
	{ 295, TRC_CALL_OPEN },
	{ 322, TRC_CALL_OPEN },
	{ 3, TRC_CALL_READ },
	{ 4, TRC_CALL_WRITE },
	{ 6, TRC_CALL_CLOSE },
	{ 180, TRC_CALL_PREAD },
	{ 181, TRC_CALL_PWRITE },
	{ 10, TRC_CALL_UNLINK },
	{ 93, TRC_CALL_FTRUNCATE },
	{ 1, TRC_CALL_EXIT },
	{ 252, TRC_CALL_EXIT_GROUP },
	{ 248, TRC_CALL_EXIT_GROUP },
	{ -1, TRC_CALL_OTHER },
};

const struct trc_call_number *
trc_calls_of(const char *target)
{
	if (strcmp(target, "x86_64") == 0)
		return x86_64;
	return strcmp(target, "i386") == 0 || strcmp(target, "arm") == 0 ? old : generic;
}

enum trc_call
trc_call_of(const struct trc_call_number *table, int64_t number)
{
	while (table->number >= 0 && table->number != number)
		table++;
	return table->call;
}
