/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "capture/effects.h"

#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include "capture/copies.h"
#include "capture/log.h"
#include "capture/sharers.h"

enum { PAGE_SIZE = 4096 };

/* The three numbers that identify a file. */
#define FILE_FORMAT "%" PRIx64 " %x %x"
#define FILE_OF(st) (uint64_t)(st).st_ino, major((st).st_dev), minor((st).st_dev)

static uint64_t brk_end;

/* of this thread, from before a call until after it */
static __thread uint64_t argument[TRC_ARGUMENTS];
static __thread struct stat ending; /* the file that is closed or loses its last name, if any */

/* Returns the end of the last page of [addr, addr + length). */
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
trc_effects_link(const char *link, char *name, size_t room)
{
	const ssize_t n = readlink(link, name, room - 1);

	name[n > 0 ? n : 0] = 0;
}

static void
name_of(int fd, char *name, size_t room)
{
	char link[64];

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	trc_effects_link(link, name, room);
}

/* Notes that the file `path`, relative to the folder `at`, will lose that name. */
static void
note_name(const struct trc_guest_memory *m, int at, uint64_t path)
{
	char name[TRC_LOG_NAME];

	if (!trc_guest_string(m, path, name, sizeof(name)) ||
	    fstatat(at, name, &ending, AT_SYMLINK_NOFOLLOW) != 0 || ending.st_nlink != 1)
		ending.st_mode = 0;
}

void
trc_effects_before(const struct trc_guest_memory *m, enum trc_call call, const uint64_t *arguments)
{
	const uint64_t *a = argument;

	memcpy(argument, arguments, sizeof(argument));
	switch (call) {
	case TRC_CALL_CLOSE:
		if (fstat((int)a[0], &ending) != 0)
			ending.st_mode = 0;
		break;
	case TRC_CALL_UNLINK: note_name(m, AT_FDCWD, a[0]); break;
	case TRC_CALL_UNLINKAT: note_name(m, (int)a[0], a[1]); break;
	case TRC_CALL_RENAME: note_name(m, AT_FDCWD, a[1]); break;
	case TRC_CALL_RENAMEAT:
	case TRC_CALL_RENAMEAT2: note_name(m, (int)a[2], a[3]); break;
	default: break;
	}
}

static void
mapped(uint32_t tid, uint64_t addr, uint64_t length, bool share, int fd, uint64_t offset)
{
	const bool anonymous = fd < 0;
	char name[TRC_LOG_NAME];
	struct stat st;

	if (anonymous || fstat(fd, &st) != 0) {
		trc_log_lock();
		if (share)
			trc_log_event_locked('s', " %x %" PRIx64 " %" PRIx64 " %x", tid, addr,
			                     length, trc_log_new_segment());
		else
			trc_log_event_locked('m', " %x %" PRIx64 " %" PRIx64, tid, addr, length);
		trc_log_unlock();
	} else {
		name_of(fd, name, sizeof(name));
		trc_log_event('M', " %x %" PRIx64 " %" PRIx64 " " FILE_FORMAT " %" PRIx64 " %s",
		              tid, addr, length, FILE_OF(st), offset, name);
	}
	trc_copies_map(addr, end_of(addr, length),
	               share     ? TRC_MAPPED_SHARED :
	               anonymous ? TRC_MAPPED_ANONYMOUS :
	                           TRC_MAPPED_PRIVATE_FILE);
}

/* Processes an mmap with arguments `a`; the offset is in units of `unit` bytes. */
static void
mapped_by(const struct trc_guest_memory *m, uint32_t tid, uint64_t addr, const uint64_t *a,
          unsigned unit)
{
	enum { SHARED_FLAG = 1 };
	const int flags = (int)a[3];

	mapped(tid, addr, a[1], flags & SHARED_FLAG,
	       flags & m->guest->map_anonymous ? -1 : (int)a[4], a[5] * unit);
}

static void
mapped_by_list(const struct trc_guest_memory *m, uint32_t tid, uint64_t addr)
{
	uint64_t a[TRC_ARGUMENTS];

	for (int i = 0; i < TRC_ARGUMENTS; i++)
		if (!trc_guest_word(m, argument[0] + (uint64_t)i * m->guest->bits / 8, &a[i]))
			return;
	mapped_by(m, tid, addr, a, 1);
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
	trc_copies_move(from, end_of(from, length), to, end_of(to, to_length));
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
attached(uint32_t tid, int segment, uint64_t addr)
{
	struct shmid_ds ds;

	if (shmctl(segment, IPC_STAT, &ds) != 0)
		return;
	trc_log_event('s', " %x %" PRIx64 " %" PRIx64 " %x", tid, addr, (uint64_t)ds.shm_segsz,
	              (unsigned)segment);
	trc_copies_map(addr, end_of(addr, ds.shm_segsz), TRC_MAPPED_SHARED);
}

static void
detached(uint32_t tid, uint64_t addr)
{
	const struct trc_mapping *m = trc_copies_find(addr);

	if (m)
		unmapped(tid, m->first, m->end - m->first);
}

/* Processes that have the segment attached keep it; its number may be reused. */
static void
controlled(uint32_t tid, int segment, uint64_t command)
{
	if ((command & 0xff) == IPC_RMID)
		trc_log_event('/', " %x %x", tid, (unsigned)segment);
}

static void
called_ipc(const struct trc_guest_memory *m, uint32_t tid)
{
	enum { AT = 21, DT = 22, CTL = 24 };
	const uint64_t *a = argument;
	uint64_t addr;

	switch (a[0] & 0xffff) {
	case AT:
		if (trc_guest_word(m, a[3], &addr))
			attached(tid, (int)a[1], addr);
		break;
	case DT: detached(tid, a[4]); break;
	case CTL: controlled(tid, (int)a[1], a[2]); break;
	default: break;
	}
}

static void
opened(uint32_t tid, int fd, uint64_t flags)
{
	enum { TRUNCATE_FLAG = 01000 };
	char name[TRC_LOG_NAME];
	struct stat st;

	if (!is_regular(fd, &st))
		return;
	if (flags & TRUNCATE_FLAG)
		trc_log_event('t', " " FILE_FORMAT " 0", FILE_OF(st));
	name_of(fd, name, sizeof(name));
	trc_log_event('(', " %x " FILE_FORMAT " %s", tid, FILE_OF(st), name);
}

static void
closed(uint32_t tid)
{
	if (S_ISREG(ending.st_mode))
		trc_log_event(')', " %x " FILE_FORMAT, tid, FILE_OF(ending));
}

static void
removed(void)
{
	if (S_ISREG(ending.st_mode))
		trc_log_event('-', " " FILE_FORMAT, FILE_OF(ending));
}

/* Logs a transfer of `length` bytes at `offset`, or with `here` of those before the current file
 * position. */
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
truncated(const struct stat *st, uint64_t length)
{
	if (S_ISREG(st->st_mode))
		trc_log_event('t', " " FILE_FORMAT " %" PRIx64, FILE_OF(*st), length);
}

static void
truncated_path(const struct trc_guest_memory *m, uint64_t path, uint64_t length)
{
	char name[TRC_LOG_NAME];
	struct stat st;

	if (trc_guest_string(m, path, name, sizeof(name)) && stat(name, &st) == 0)
		truncated(&st, length);
}

static void
truncated_open(int fd, uint64_t length)
{
	struct stat st;

	if (fstat(fd, &st) == 0)
		truncated(&st, length);
}

/* In these calls the low half of an offset comes first in either byte order. */
static uint64_t
vector_offset(const struct trc_guest *g)
{
	return g->bits == 64 ? argument[3] : argument[4] << 32 | (uint32_t)argument[3];
}

/* A child that was waited for is gone; if a signal ended it, it made no exit call. */
static void
waited(uint64_t pid)
{
	if (pid == 0 || kill((pid_t)pid, 0) == 0)
		return;
	trc_sharers_gone((uint32_t)pid);
	if (!trc_log_lives((uint32_t)pid))
		return;
	trc_log_lock();
	trc_log_event_locked('T', " %x", (unsigned)pid);
	trc_log_end((uint32_t)pid);
	trc_log_unlock();
	trc_log_leave();
}

static void
called_socket(uint32_t tid)
{
	enum { ACCEPT = 5, ACCEPT4 = 18 };

	if (argument[0] == ACCEPT || argument[0] == ACCEPT4)
		trc_log_event('a', " %x", tid);
}

static void
after_file(const struct trc_guest_memory *m, enum trc_call call, uint64_t r, uint32_t tid)
{
	const struct trc_guest *g = m->guest;
	const uint64_t *a = argument;

	switch (call) {
	case TRC_CALL_OPEN: opened(tid, (int)r, a[1]); break;
	case TRC_CALL_OPENAT: opened(tid, (int)r, a[2]); break;
	case TRC_CALL_CREAT: opened(tid, (int)r, UINT64_MAX); break;
	case TRC_CALL_CLOSE: closed(tid); break;
	case TRC_CALL_READ: transferred('<', tid, r, true, 0); break;
	case TRC_CALL_WRITE: transferred('>', tid, r, true, 0); break;
	case TRC_CALL_PREAD: transferred('<', tid, r, false, trc_guest_wide(g, a, 3)); break;
	case TRC_CALL_PWRITE: transferred('>', tid, r, false, trc_guest_wide(g, a, 3)); break;
	case TRC_CALL_PREADV: transferred('<', tid, r, false, vector_offset(g)); break;
	case TRC_CALL_PWRITEV: transferred('>', tid, r, false, vector_offset(g)); break;
	case TRC_CALL_UNLINK:
	case TRC_CALL_UNLINKAT:
	case TRC_CALL_RENAME:
	case TRC_CALL_RENAMEAT: removed(); break;
	case TRC_CALL_RENAMEAT2:
		if (a[4] == 0)
			removed();
		break;
	case TRC_CALL_TRUNCATE: truncated_path(m, a[0], a[1]); break;
	case TRC_CALL_TRUNCATE64: truncated_path(m, a[0], trc_guest_wide(g, a, 1)); break;
	case TRC_CALL_FTRUNCATE: truncated_open((int)a[0], a[1]); break;
	case TRC_CALL_FTRUNCATE64: truncated_open((int)a[0], trc_guest_wide(g, a, 1)); break;
	default: break;
	}
}

void
trc_effects_after(const struct trc_guest_memory *m, enum trc_call call, uint64_t r, uint32_t tid)
{
	const uint64_t *a = argument;

	if (m->guest->bits == 32)
		r = (uint64_t)(int64_t)(int32_t)r;
	if (r >= (uint64_t)-4095)
		return;
	if (m->guest->bits == 32)
		r = (uint32_t)r;
	switch (call) {
	case TRC_CALL_MMAP:
		if (m->guest->mmap_by_list)
			mapped_by_list(m, tid, r);
		else
			mapped_by(m, tid, r, a, 1);
		break;
	case TRC_CALL_MMAP2: mapped_by(m, tid, r, a, 4096); break;
	case TRC_CALL_MUNMAP: unmapped(tid, a[0], a[1]); break;
	case TRC_CALL_MREMAP: remapped(tid, a[0], a[1], r, a[2]); break;
	case TRC_CALL_BRK: moved_brk(tid, r); break;
	case TRC_CALL_SHMAT: attached(tid, (int)a[0], r); break;
	case TRC_CALL_SHMDT: detached(tid, a[0]); break;
	case TRC_CALL_SHMCTL: controlled(tid, (int)a[0], a[1]); break;
	case TRC_CALL_IPC: called_ipc(m, tid); break;
	case TRC_CALL_ACCEPT: trc_log_event('a', " %x", tid); break;
	case TRC_CALL_SOCKETCALL: called_socket(tid); break;
	case TRC_CALL_WAIT: waited(r); break;
	case TRC_CALL_WAITID: waited(a[0] == P_PID ? a[1] : 0); break;
	default: after_file(m, call, r, tid); break;
	}
}
