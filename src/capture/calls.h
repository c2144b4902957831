/* SPDX-License-Identifier: MIT
 *
 * The system calls that matter to a recorder, by their numbers on each guest.
 */
#ifndef TRC_CAPTURE_CALLS_H
#define TRC_CAPTURE_CALLS_H

#include <stdint.h>

enum trc_call {
	TRC_CALL_OTHER,
	TRC_CALL_MMAP,
	TRC_CALL_MMAP2, /* the offset counts pages of 4096 bytes */
	TRC_CALL_MUNMAP,
	TRC_CALL_MREMAP,
	TRC_CALL_BRK,
	TRC_CALL_SHMAT,
	TRC_CALL_SHMDT,
	TRC_CALL_OPEN,
	TRC_CALL_CLOSE,
	TRC_CALL_READ,
	TRC_CALL_WRITE,
	TRC_CALL_PREAD,
	TRC_CALL_PWRITE,
	TRC_CALL_UNLINK,
	TRC_CALL_UNLINKAT,
	TRC_CALL_FTRUNCATE,
	TRC_CALL_ACCEPT,
	TRC_CALL_EXIT,
	TRC_CALL_EXIT_GROUP,
};

struct trc_call_number {
	int number; /* -1 after the last */
	enum trc_call call;
};

/* The table of a guest, by QEMU's name of it. */
const struct trc_call_number *trc_calls_of(const char *target);

enum trc_call trc_call_of(const struct trc_call_number *table, int64_t number);

#endif
