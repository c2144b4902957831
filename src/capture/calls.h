/* SPDX-License-Identifier: MIT
 *
 * The guests that can be recorded: the numbers of their system calls, and how they pass arguments.
 */
#ifndef TRC_CAPTURE_CALLS_H
#define TRC_CAPTURE_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum trc_call {
	TRC_CALL_OTHER,
	TRC_CALL_MMAP,
	TRC_CALL_MMAP2, /* the offset is in pages of 4096 bytes */
	TRC_CALL_MUNMAP,
	TRC_CALL_MREMAP,
	TRC_CALL_BRK,
	TRC_CALL_SHMAT,
	TRC_CALL_SHMDT,
	TRC_CALL_SHMCTL,
	TRC_CALL_IPC, /* the last three and others, selected by its first argument */
	TRC_CALL_OPEN,
	TRC_CALL_OPENAT,
	TRC_CALL_CREAT,
	TRC_CALL_CLOSE,
	TRC_CALL_READ, /* also readv, which has the descriptor in the same place */
	TRC_CALL_WRITE,
	TRC_CALL_PREAD,
	TRC_CALL_PREADV,
	TRC_CALL_PWRITE,
	TRC_CALL_PWRITEV,
	TRC_CALL_UNLINK,
	TRC_CALL_UNLINKAT,
	TRC_CALL_RENAME,
	TRC_CALL_RENAMEAT,
	TRC_CALL_RENAMEAT2,
	TRC_CALL_TRUNCATE,
	TRC_CALL_TRUNCATE64,
	TRC_CALL_FTRUNCATE,
	TRC_CALL_FTRUNCATE64,
	TRC_CALL_ACCEPT,
	TRC_CALL_SOCKETCALL, /* accept and others, selected by its first argument */
	TRC_CALL_EXECVE,
	TRC_CALL_EXECVEAT,
	TRC_CALL_CLONE, /* also fork, vfork, clone3: another thread or process begins */
	TRC_CALL_WAIT,
	TRC_CALL_WAITID,
	TRC_CALL_EXIT,
	TRC_CALL_EXIT_GROUP,
};

/* The properties of a guest. */
struct trc_guest {
	const char *target; /* QEMU's name */
	int column;         /* in the table of numbers */
	unsigned bits;      /* size of an address */
	bool big_endian;
	bool aligned;      /* a number in two registers begins at an even one */
	bool mmap_by_list; /* the call named mmap has its arguments in memory */
	int map_anonymous; /* the flag MAP_ANONYMOUS */
	unsigned elf;      /* machine number of its programs */
};

/* Returns NULL if the guest is unknown. */
const struct trc_guest *trc_guest_named(const char *target);

/* Returns the system call with this number in the guest. */
enum trc_call trc_guest_call(const struct trc_guest *g, int64_t number);

/* Returns the 64-bit number that begins with argument `i`, or with the next one if numbers are
 * aligned. */
uint64_t trc_guest_wide(const struct trc_guest *g, const uint64_t *argument, int i);

/* ---- memory of the guest, which may be unmapped; these return false then ---- */

/* Where address 0 of the guest is in this process. */
struct trc_guest_memory {
	const struct trc_guest *guest;
	uint64_t base;
};

/* Copies `n` bytes of the guest's memory to `dst`; returns false if they cannot be read. */
bool trc_guest_read(const struct trc_guest_memory *m, uint64_t addr, void *dst, size_t n);

/* Reads a string of fewer than `room` bytes. */
bool trc_guest_string(const struct trc_guest_memory *m, uint64_t addr, char *dst, size_t room);

/* Reads a number of the size of an address. */
bool trc_guest_word(const struct trc_guest_memory *m, uint64_t addr, uint64_t *v);

#endif
