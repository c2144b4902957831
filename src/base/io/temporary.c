/* SPDX-License-Identifier: MIT
 * Outputs under temporary names until they are complete. */
#if defined(__linux__)
#define _GNU_SOURCE /* syscall(), syncfs() */
#endif
#include "base/io/temporary.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/syscall.h>
#endif

#include "base/interrupt.h"
#include "base/shown.h"

enum {
	SUFFIX = 16, /* bytes for ".part-XXXXXXXX" and more */
	TRIES = 100, /* existing names before giving up, because there must be another reason */
	DEPTH = 3,   /* maximum depth of folders in a folder */
	RETRIES = 3,
	ENTRIES = 4096, /* bytes of directory entries read at a time */
	PATIENCE = 1,   /* maximum seconds that a signal handler spends on removing */
	LIVE = 16,      /* maximum that a signal handler removes */
};

/* ---- removal by a signal ---- */

/* The temporary files and folders that exist. Only the first thread changes them, and only it
 * handles signals. */
static struct {
	char *_Atomic path; /* NULL: none */
	bool folder;
} live[LIVE];

/* When a handler stops removing, because thousands of files may take minutes. */
static struct timespec deadline;
static volatile sig_atomic_t hurried;

static bool
is_late(void)
{
	struct timespec now;

	return hurried && clock_gettime(CLOCK_MONOTONIC, &now) == 0 &&
	       (now.tv_sec > deadline.tv_sec ||
	        (now.tv_sec == deadline.tv_sec && now.tv_nsec >= deadline.tv_nsec));
}

static void remove_entry(int folder, const char *name, int depth);

static void
remove_now(char *path, bool folder)
{
	if (folder)
		remove_entry(AT_FDCWD, path, DEPTH);
	else
		unlink(path);
}

/* Names a folder that could not be removed completely. A handler can only use write(). */
static void
name_left(const char *path)
{
	const char *const text[] = { "trc: stopped before all of the unfinished '", path,
		                     "' was removed; to remove the rest: rm -r '", path, "'" };
	char line[2 * PATH_MAX + 128];
	size_t n = 0;

	for (size_t i = 0; i < TRC_COUNT(text); i++)
		for (const char *p = text[i]; *p && n + 2 < sizeof(line); p++)
			line[n++] = *p;
	line[n] = 0;
	trc_shown(line);
	n = strlen(line);
	line[n++] = '\n';
	if (write(STDERR_FILENO, line, n) < 0)
		return;
}

static void
remove_all(void)
{
	struct stat st;

	clock_gettime(CLOCK_MONOTONIC, &deadline);
	deadline.tv_sec += PATIENCE;
	hurried = true;
	for (int i = 0; i < LIVE; i++)
		if (live[i].path) {
			remove_now(live[i].path, live[i].folder);
			if (live[i].folder && lstat(live[i].path, &st) == 0)
				name_left(live[i].path);
		}
}

static void
enlist(const struct trc_temporary *p)
{
	trc_interrupt_at_end(remove_all);
	for (int i = 0; i < LIVE; i++)
		if (!live[i].path) {
			live[i].folder = p->folder;
			live[i].path = p->path;
			return;
		}
}

/* Removes an entry from the list, and frees its path. */
static void
forget(struct trc_temporary *p)
{
	for (int i = 0; i < LIVE; i++)
		if (live[i].path == p->path)
			live[i].path = NULL;
	free(p->path);
	p->path = NULL;
}

/* ---- names ---- */

int
trc_temporary_no_folder(const char *path, int number, struct trc_err *err)
{
	const char *slash = path;
	const size_t len = strlen(err->text);
	char folder[4096];
	struct stat st;

	while ((number == ENOENT || number == ENOTDIR) && *slash &&
	       (slash = strchr(slash + 1, '/')) && slash[1]) {
		snprintf(folder, sizeof(folder), "%.*s", (int)(slash - path), path);
		if (stat(folder, &st) == 0 && S_ISDIR(st.st_mode))
			continue;
		snprintf(err->text + len, sizeof(err->text) - len,
		         stat(folder, &st) == 0 ? "; '%.300s' is not a folder" :
		                                  "; the folder '%.300s' does not exist",
		         folder);
		break;
	}
	return -1;
}

/* Returns a number that differs between processes, hosts and calls; O_EXCL ensures that the name is
 * new. */
static uint32_t
random_name(unsigned attempt)
{
	struct timespec now = { 0 };
	uint64_t x;

	clock_gettime(CLOCK_REALTIME, &now);
	x = (uint64_t)now.tv_sec * 1000000007u ^ (uint64_t)now.tv_nsec << 20 ^
	    (uint64_t)getpid() << 40 ^ (uint64_t)(uintptr_t)&now ^ attempt;
	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return (uint32_t)(x >> 32);
}

/* Creates a file with the permissions *mode regardless of the umask, which all threads share; or
 * with the default permissions. A later chmod would be refused (base/io/filter.h), and leave a gap
 * before it. */
static int
open_new(const char *path, const mode_t *mode)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	mode_t mask = 0;
	int fd, number;

	pthread_mutex_lock(&lock);
	if (mode)
		mask = umask(0);
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
	          mode ? *mode & 0777 : 0666);
	number = errno;
	if (mode)
		umask(mask);
	pthread_mutex_unlock(&lock);
	errno = number;
	return fd;
}

/* Creates the file or folder p->path. Returns a descriptor, or 0 for a folder; -1 with errno. */
static int
make(const struct trc_temporary *p, const mode_t *mode)
{
	if (p->folder)
		return mkdir(p->path, p->private ? 0700 : 0777);
	return open_new(p->path, mode);
}

static int
make_new(struct trc_temporary *p, const mode_t *mode, struct trc_err *err)
{
	const size_t len = strlen(p->target), room = len + SUFFIX;
	int number;

	p->path = trc_alloc(room, 1, err);
	if (!p->path) {
		trc_temporary_close(p);
		return -1;
	}
	for (unsigned k = 0; k < TRIES; k++) {
		int fd;

		snprintf(p->path, room, "%s.part-%08lx", p->target, (unsigned long)random_name(k));
		fd = make(p, mode);
		if (fd >= 0) {
			enlist(p);
			return fd;
		}
		if (errno != EEXIST)
			break;
	}
	number = errno;
	trc_fail_errno(err, number, "cannot %s '%s'", p->folder ? "create" : "write", p->target);
	trc_temporary_no_folder(p->target, number, err);
	free(p->path);
	p->path = NULL;
	trc_temporary_close(p);
	return -1;
}

int
trc_temporary_file(struct trc_temporary *p, const char *target, const mode_t *mode,
                   struct trc_err *err)
{
	*p = (struct trc_temporary){ .target = trc_strdup(target, err) };
	return p->target ? make_new(p, mode, err) : -1;
}

int
trc_temporary_folder(struct trc_temporary *p, const char *target, bool private, struct trc_err *err)
{
	*p = (struct trc_temporary){ .target = trc_strdup(target, err),
		                     .folder = true,
		                     .private = private };
	if (!p->target)
		return -1;
	for (char *end = p->target + strlen(p->target); end > p->target + 1 && end[-1] == '/';)
		*--end = 0;
	return make_new(p, NULL, err);
}

/* ---- entries of a folder ---- */

/* Calls visit() with the name of each entry of the open folder `fd`. On Linux it does not allocate,
 * as opendir() would: removing an incomplete output must not fail for lack of memory. */
#if defined(__linux__)
static void
for_each_entry(int fd, int depth, void (*visit)(int fd, const char *name, int depth))
{
	_Alignas(uint64_t) char buf[ENTRIES];
	long n;

	while ((n = syscall(SYS_getdents64, fd, buf, sizeof(buf))) > 0)
		for (long at = 0; at < n;) {
			/* An inode and an offset of 8 bytes each, then the length of the entry and
			 * its type. */
			const char *entry = buf + at, *name = entry + 19;
			uint16_t length;

			memcpy(&length, entry + 16, sizeof(length));
			if (strcmp(name, ".") != 0 && strcmp(name, "..") != 0)
				visit(fd, name, depth);
			at += length;
		}
}
#else
static void
for_each_entry(int fd, int depth, void (*visit)(int fd, const char *name, int depth))
{
	const int own = dup(fd);
	DIR *dir = own < 0 ? NULL : fdopendir(own);
	struct dirent *e;

	if (!dir) {
		if (own >= 0)
			close(own);
		return;
	}
	while ((e = readdir(dir)))
		if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
			visit(fd, e->d_name, depth);
	closedir(dir);
}
#endif

static int
open_folder(int in, const char *name)
{
	return openat(in, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

static void
remove_entry(int folder, const char *name, int depth)
{
	int fd;

	if (is_late() || unlinkat(folder, name, 0) == 0 || depth == 0)
		return;
	fd = open_folder(folder, name);
	if (fd < 0)
		return;
	/* Some file systems skip entries while others are removed. */
	for (int k = 0; k < RETRIES && !is_late(); k++) {
		for_each_entry(fd, depth - 1, remove_entry);
		if (unlinkat(folder, name, AT_REMOVEDIR) == 0 || lseek(fd, 0, SEEK_SET) < 0)
			break;
	}
	close(fd);
}

void
trc_temporary_close(struct trc_temporary *p)
{
	if (p->path) {
		remove_now(p->path, p->folder);
		forget(p);
	}
	free(p->target);
	*p = (struct trc_temporary){ 0 };
}

void
trc_temporary_leave(struct trc_temporary *p)
{
	if (p->path)
		forget(p);
	free(p->target);
	*p = (struct trc_temporary){ 0 };
}

/* ---- durability ---- */

int
trc_temporary_sync(int fd, const char *name, struct trc_err *err)
{
	if (fsync(fd) == 0 || errno == EINVAL || errno == ENOTSUP || errno == EROFS)
		return 0;
	return trc_fail_errno(err, errno, "cannot write '%s'", name);
}

/* Synchronises everything in the folder. */
#if defined(__linux__)
static int
sync_folder(const struct trc_temporary *p, struct trc_err *err)
{
	const int fd = open_folder(AT_FDCWD, p->path);
	const int ret = fd < 0 ? -1 : syncfs(fd); /* one call for thousands of files */
	const int number = errno;

	if (fd >= 0)
		close(fd);
	return ret == 0 ? 0 : trc_fail_errno(err, number, "cannot write '%s'", p->target);
}
#else
static void
sync_entry(int folder, const char *name, int depth)
{
	int fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	struct stat st;

	if (fd < 0)
		return;
	if (fstat(fd, &st) == 0 && S_ISDIR(st.st_mode) && depth > 0)
		for_each_entry(fd, depth - 1, sync_entry);
	(void)fsync(fd);
	close(fd);
}

static int
sync_folder(const struct trc_temporary *p, struct trc_err *err)
{
	(void)err;
	sync_entry(AT_FDCWD, p->path, DEPTH);
	return 0;
}
#endif

/* Synchronises the directory entry of the target. A folder may be writable but not readable; then
 * this is left to the system. */
static void
sync_entry_of(char *target)
{
	char *slash = strrchr(target, '/');
	const char kept = slash ? slash[1] : 0;
	int fd;

	if (slash)
		slash[1] = 0;
	fd = open_folder(AT_FDCWD, slash ? target : ".");
	if (slash)
		slash[1] = kept;
	if (fd < 0)
		return;
	(void)fsync(fd);
	close(fd);
}

/* ---- publishing ---- */

int
trc_temporary_exists(const char *path, struct trc_err *err)
{
	return trc_fail(err, "'%s' exists; use --force to replace it", path);
}

/* A link fails if the target was created meanwhile. File systems without links use rename. */
static int
give_name(const struct trc_temporary *p, enum trc_publish how, struct trc_err *err)
{
	if (how == TRC_PUBLISH_NEW && !p->folder) {
		if (link(p->path, p->target) == 0) {
			unlink(p->path);
			return 0;
		}
		if (errno == EEXIST)
			return trc_temporary_exists(p->target, err);
	}
	if (rename(p->path, p->target) != 0)
		return trc_fail_errno(err, errno, "cannot rename '%s' to '%s'", p->path, p->target);
	return 0;
}

int
trc_temporary_publish(struct trc_temporary *p, enum trc_publish how, bool sync, struct trc_err *err)
{
	if ((sync && p->folder && sync_folder(p, err)) || give_name(p, how, err))
		return -1;
	if (sync)
		sync_entry_of(p->target);
	forget(p);
	return 0;
}
