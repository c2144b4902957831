/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "capture/effects.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "capture/copies.h"
#include "capture/log.h"

enum { PAGE_SIZE = 4096 };

/* The three numbers that name a file. */
#define FILE_FORMAT "%" PRIx64 " %x %x"
#define FILE_OF(st) (uint64_t)(st).st_ino, major((st).st_dev), minor((st).st_dev)

static const struct trc_call_number *calls;
static uint64_t brk_end;

/* This thread, from before a call until after it. */
static __thread uint64_t argument[TRC_ARGUMENTS];
static __thread struct stat closing;

void
trc_effects_open(const char *target)
{
	calls = trc_calls_of(target);
}

/* The end of the last page of [addr, addr + length). */
static uint64_t
end_of(uint64_t addr, uint64_t length)
{
	return addr + (length + PAGE_SIZE - 1) / PAGE_SIZE * PAGE_SIZE;
}

static bool
is_regular(int fd, struct stat *st)
{
	return fstat(fd, st) == 0 && S_ISREG(st->st_mode);
}

void
trc_effects_name(int fd, char *name, size_t room)
{
	char link[64];
	ssize_t n;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	n = readlink(link, name, room - 1);
	name[n > 0 ? n : 0] = 0;
}

static void
removed(int at, const char *path)
{
	struct stat st;

	if (fstatat(at, path, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(st.st_mode) &&
	    st.st_nlink == 1)
		trc_log_event('-', " " FILE_FORMAT, FILE_OF(st));
}

enum trc_call
trc_effects_before(int64_t number, const uint64_t *arguments, uint64_t base)
{
	const enum trc_call call = trc_call_of(calls, number);
	const uint64_t *a = argument;

	memcpy(argument, arguments, sizeof(argument));
	switch (call) {
	case TRC_CALL_CLOSE:
		if (fstat((int)a[0], &closing) != 0)
			closing.st_mode = 0;
		break;
	case TRC_CALL_UNLINK:
		removed(AT_FDCWD, (const char *)(uintptr_t)(base + a[0]));
		break;
	case TRC_CALL_UNLINKAT:
		removed((int)a[0], (const char *)(uintptr_t)(base + a[1]));
		break;
	default: break;
	}
	return call;
}

static void
mapped(uint32_t tid, uint64_t addr, uint64_t length, int flags, int fd, uint64_t offset)
{
	enum { SHARED_FLAG = 1, ANONYMOUS_FLAG = 32 };
	const bool share = flags & SHARED_FLAG;
	char name[TRC_LOG_NAME];
	struct stat st;

	if (flags & ANONYMOUS_FLAG || fstat(fd, &st) != 0) {
		trc_log_lock();
		if (share)
			trc_log_event_locked('s', " %x %" PRIx64 " %" PRIx64 " %x", tid, addr,
			                     length, trc_log_new_segment());
		else
			trc_log_event_locked('m', " %x %" PRIx64 " %" PRIx64, tid, addr, length);
		trc_log_unlock();
	} else {
		trc_effects_name(fd, name, sizeof(name));
		trc_log_event('M', " %x %" PRIx64 " %" PRIx64 " " FILE_FORMAT " %" PRIx64 " %s",
		              tid, addr, length, FILE_OF(st), offset, name);
	}
	trc_copies_map(addr, end_of(addr, length),
	               share                    ? TRC_MAPPED_SHARED :
	               flags & ANONYMOUS_FLAG ? TRC_MAPPED_ANONYMOUS :
	                                        TRC_MAPPED_PRIVATE_FILE);
}

static void
unmapped(uint32_t tid, uint64_t addr, uint64_t length)
{
	trc_log_event('U', " %x %" PRIx64 " %" PRIx64, tid, addr, length);
	trc_copies_unmap(addr, end_of(addr, length));
}

static void
remapped(uint32_t tid, uint64_t from, uint64_t length, uint64_t to, uint64_t to_length)
{
	trc_log_event('@', " %x %" PRIx64 " %" PRIx64 " %" PRIx64 " %" PRIx64, tid, to, to_length,
	              from, length);
	trc_copies_unmap(from, end_of(from, length));
	trc_copies_map(to, end_of(to, to_length), TRC_MAPPED_ANONYMOUS);
}

static void
moved_brk(uint32_t tid, uint64_t now)
{
	if (brk_end && now > brk_end) {
		trc_log_event('m', " %x %" PRIx64 " %" PRIx64, tid, brk_end, now - brk_end);
		trc_copies_map(brk_end, now, TRC_MAPPED_ANONYMOUS);
	} else if (brk_end && now < brk_end) {
		trc_log_event('U', " %x %" PRIx64 " %" PRIx64, tid, now, brk_end - now);
		trc_copies_unmap(now, brk_end);
	}
	brk_end = now;
}

static void
attached(uint32_t tid, uint64_t addr)
{
	struct shmid_ds ds;

	if (shmctl((int)argument[0], IPC_STAT, &ds) != 0)
		return;
	trc_log_event('s', " %x %" PRIx64 " %" PRIx64 " %x", tid, addr, (uint64_t)ds.shm_segsz,
	              (unsigned)argument[0]);
	trc_copies_map(addr, end_of(addr, ds.shm_segsz), TRC_MAPPED_SHARED);
}

static void
detached(uint32_t tid, uint64_t addr)
{
	const struct trc_mapping *m = trc_copies_find(addr);

	if (m)
		unmapped(tid, m->first, m->end - m->first);
}

static void
opened(uint32_t tid, int fd)
{
	char name[TRC_LOG_NAME];
	struct stat st;

	if (!is_regular(fd, &st))
		return;
	trc_effects_name(fd, name, sizeof(name));
	trc_log_event('(', " %x " FILE_FORMAT " %s", tid, FILE_OF(st), name);
}

static void
closed(uint32_t tid)
{
	if (S_ISREG(closing.st_mode))
		trc_log_event(')', " %x " FILE_FORMAT, tid, FILE_OF(closing));
}

/* `length` bytes from `offset` on, or with `here` up to where the file stands now. */
static void
transferred(char tag, uint32_t tid, uint64_t length, bool here, uint64_t offset)
{
	const int fd = (int)argument[0];
	struct stat st;

	if (!is_regular(fd, &st))
		return;
	if (here)
		offset = (uint64_t)lseek(fd, 0, SEEK_CUR) - length;
	trc_log_event(tag, " %x " FILE_FORMAT " %" PRIx64 " %" PRIx64, tid, FILE_OF(st), offset,
	              length);
}

static void
truncated(int fd, uint64_t length)
{
	struct stat st;

	if (fstat(fd, &st) == 0)
		trc_log_event('t', " " FILE_FORMAT " %" PRIx64, FILE_OF(st), length);
}

void
trc_effects_after(int64_t number, uint64_t r, uint32_t tid)
{
	const enum trc_call call = trc_call_of(calls, number);
	const uint64_t *a = argument;

	/* Guests of 32 bits have results of 32. */
	if (r >= (uint64_t)-4095 || (r >= (uint32_t)-4095 && r <= UINT32_MAX))
		return;
	switch (call) {
	case TRC_CALL_MMAP: mapped(tid, r, a[1], (int)a[3], (int)a[4], a[5]); break;
	case TRC_CALL_MMAP2:
		mapped(tid, (uint32_t)r, a[1], (int)a[3], (int)a[4], a[5] * 4096);
		break;
	case TRC_CALL_MUNMAP: unmapped(tid, a[0], a[1]); break;
	case TRC_CALL_MREMAP: remapped(tid, a[0], a[1], r, a[2]); break;
	case TRC_CALL_BRK: moved_brk(tid, r); break;
	case TRC_CALL_SHMAT: attached(tid, r); break;
	case TRC_CALL_SHMDT: detached(tid, a[0]); break;
	case TRC_CALL_OPEN: opened(tid, (int)r); break;
	case TRC_CALL_CLOSE: closed(tid); break;
	case TRC_CALL_READ: transferred('<', tid, r, true, 0); break;
	case TRC_CALL_WRITE: transferred('>', tid, r, true, 0); break;
	case TRC_CALL_PREAD: transferred('<', tid, r, false, a[3]); break;
	case TRC_CALL_PWRITE: transferred('>', tid, r, false, a[3]); break;
	case TRC_CALL_FTRUNCATE: truncated((int)a[0], a[1]); break;
	case TRC_CALL_ACCEPT: trc_log_event('a', " %x", tid); break;
	default: break;
	}
}
