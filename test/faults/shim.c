/* SPDX-License-Identifier: MIT
 *
 * Loaded before the C library (LD_PRELOAD), it lets a call of a program fail.
 *
 *   FAULT=CALL:HOW:N:M     the Nth and M calls of that kind behind it: `alloc`, `write`, `sync`,
 *                          `name`, `open`, `read`, `close`, or `any` of these
 *   FAULT_COUNTS=1         prints at the end how many there were of each kind
 *
 * HOW is the number of an error, `short` (half of the bytes), or the name of a signal that the
 * process sends itself before the call.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum call { ALLOC, WRITE, SYNC, NAME, OPEN, READ, CLOSE, ANY, CALLS };
enum how { NOTHING, ERROR, SHORT, SIGNAL };

static const char *const call_name[CALLS] = { "alloc", "write", "sync",  "name",
	                                      "open",  "read",  "close", "any" };
static const struct {
	const char *name;
	int number;
} signals[] = { { "KILL", SIGKILL }, { "TERM", SIGTERM }, { "STOP", SIGSTOP } };

static atomic_long counted[CALLS];
static struct {
	enum call call;
	enum how how;
	int number;       /* of the error, or of the signal */
	long first, last; /* calls, from 1 */
} fault;

/* Of the C library, where what is here stands before it. */
void *__libc_malloc(size_t n);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *p, size_t n);
void *__libc_memalign(size_t align, size_t n);

__attribute__((constructor)) static void
begin(void)
{
	const char *text = getenv("FAULT");
	char call[16], how[16];
	long n, more;

	if (!text || sscanf(text, "%15[^:]:%15[^:]:%ld:%ld", call, how, &n, &more) != 4)
		return;
	for (int i = 0; i < CALLS; i++)
		if (strcmp(call_name[i], call) == 0)
			fault.call = (enum call)i;
	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++)
		if (strcmp(signals[i].name, how) == 0)
			fault.number = signals[i].number;
	fault.how = fault.number ? SIGNAL : strcmp(how, "short") == 0 ? SHORT : ERROR;
	fault.number = fault.number ? fault.number : atoi(how);
	memset(counted, 0, sizeof(counted));
	fault.first = n;
	fault.last = n + more;
}

__attribute__((destructor)) static void
end(void)
{
	if (!getenv("FAULT_COUNTS"))
		return;
	for (int i = 0; i < CALLS; i++)
		fprintf(stderr, "%s %ld\n", call_name[i], atomic_load(&counted[i]));
}

/* Counts a call; returns what is to become of it. */
static enum how
fails(enum call call)
{
	const long n = atomic_fetch_add(&counted[call], 1) + 1;
	const long all = atomic_fetch_add(&counted[ANY], 1) + 1;
	const long at = fault.call == ANY ? all : n;

	if (fault.how == NOTHING || (fault.call != call && fault.call != ANY) || at < fault.first ||
	    at > fault.last)
		return NOTHING;
	if (fault.how == SIGNAL) {
		kill(getpid(), fault.number);
		return NOTHING;
	}
	if (fault.how == ERROR)
		errno = fault.number;
	return fault.how;
}

void *
malloc(size_t n)
{
	return fails(ALLOC) ? NULL : __libc_malloc(n);
}

void *
calloc(size_t n, size_t size)
{
	return fails(ALLOC) ? NULL : __libc_calloc(n, size);
}

void *
realloc(void *p, size_t n)
{
	return fails(ALLOC) ? NULL : __libc_realloc(p, n);
}

void *
aligned_alloc(size_t align, size_t n)
{
	return fails(ALLOC) ? NULL : __libc_memalign(align, n);
}

/* Reads and writes without an end: of half of the bytes, if it is to be short. */
#define TRANSFER(call, params, n, real)                                           \
	ssize_t call params                                                       \
	{                                                                         \
		const enum how how = fd == STDERR_FILENO ? NOTHING : fails(KIND); \
                                                                                  \
		n = how == SHORT && n > 1 ? n / 2 : n;                            \
		return how == ERROR ? -1 : real;                                  \
	}

#define KIND WRITE
TRANSFER(write, (int fd, const void *p, size_t n), n, syscall(SYS_write, fd, p, n))
TRANSFER(pwrite64, (int fd, const void *p, size_t n, off64_t at), n,
         syscall(SYS_pwrite64, fd, p, n, at))
#undef KIND
#define KIND READ
TRANSFER(read, (int fd, void *p, size_t n), n, syscall(SYS_read, fd, p, n))
TRANSFER(pread64, (int fd, void *p, size_t n, off64_t at), n, syscall(SYS_pread64, fd, p, n, at))
#undef KIND

#define CALL(kind, call, params, real)                          \
	int call params                                         \
	{                                                       \
		return fails(kind) == ERROR ? -1 : (int)(real); \
	}

CALL(SYNC, fsync, (int fd), syscall(SYS_fsync, fd))
CALL(SYNC, syncfs, (int fd), syscall(SYS_syncfs, fd))
CALL(NAME, rename, (const char *a, const char *b),
     syscall(SYS_renameat2, AT_FDCWD, a, AT_FDCWD, b, 0))
CALL(NAME, link, (const char *a, const char *b), syscall(SYS_linkat, AT_FDCWD, a, AT_FDCWD, b, 0))
CALL(OPEN, mkdir, (const char *path, mode_t mode), syscall(SYS_mkdirat, AT_FDCWD, path, mode))

/* A descriptor is closed, even if this fails. */
int
close(int fd)
{
	const enum how how = fails(CLOSE);
	const int wrong = errno, ret = (int)syscall(SYS_close, fd);

	errno = how == ERROR ? wrong : errno;
	return how == ERROR ? -1 : ret;
}

int
openat64(int folder, const char *path, int flags, ...)
{
	va_list args;
	mode_t mode;

	va_start(args, flags);
	mode = flags & O_CREAT ? va_arg(args, mode_t) : 0;
	va_end(args);
	return fails(OPEN) == ERROR ? -1 : (int)syscall(SYS_openat, folder, path, flags, mode);
}

int
open64(const char *path, int flags, ...)
{
	va_list args;
	mode_t mode;

	va_start(args, flags);
	mode = flags & O_CREAT ? va_arg(args, mode_t) : 0;
	va_end(args);
	return openat64(AT_FDCWD, path, flags, mode);
}
