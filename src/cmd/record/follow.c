/* SPDX-License-Identifier: MIT
 *
 * valgrind's launcher executes LIB/TOOL-PLATFORM, the tool for the program's processor, with its
 * own arguments, and does so again for each traced exec. TOOL may contain slashes: ../.. leads from
 * LIB to a link to trc in a folder of ours, so the path by which trc is started names both. The
 * folder contains
 *
 *   lackey-PLATFORM   links to trc
 *   log               a named pipe for the trace
 *   process           a link to the number of the process, made at its first start
 *   others            names of programs that other processes executed, each ends with NUL
 *   debugger          pipes to debuggers: valgrind makes them in each process, also after a
 *                     fork, so they reveal all processes
 */
#define _GNU_SOURCE /* realpath() */
#include "cmd/record/follow.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#define UP "/.."
#define UPS UP UP UP UP UP UP UP UP UP UP UP UP UP UP UP UP UP UP UP UP UP UP UP UP
#define LOG "--log-file="

static const char *const platforms[] = { "amd64",   "arm",      "arm64", "mips32",
	                                 "mips64",  "nanomips", "ppc32", "ppc64be",
	                                 "ppc64le", "riscv64",  "s390x", "x86" };

/* Formats a path; returns false if it is too long. */
static bool TRC_PRINTF(2, 3) put_path(char *path, const char *format, ...)
{
	va_list values;
	int n;

	va_start(values, format);
	n = vsnprintf(path, TRC_FOLLOW_PATH, format, values);
	va_end(values);
	return n < TRC_FOLLOW_PATH;
}

/* Appends the path of the log to an option, in which "%" must be escaped. */
static bool
put_log(char *option, const char *log)
{
	char *to = option + sprintf(option, LOG);

	for (; *log && to < option + TRC_FOLLOW_PATH - 3; log++) {
		*to++ = *log;
		if (*log == '%')
			*to++ = '%';
	}
	*to = 0;
	return !*log;
}

static int
watch_debugger(struct trc_follow *f, struct trc_err *err)
{
	char path[TRC_FOLLOW_PATH];

	if (!put_path(path, "%s/debugger", f->folder) ||
	    !put_path(f->debugger, "--vgdb-prefix=%s/p", path))
		return trc_fail(err, "'%s': the path is too long", f->folder);
	/* If a process changed its user, it also makes its pipes here; otherwise valgrind ends
	 * it. */
	if (mkdir(path, 0700) || chmod(path, 01777))
		return trc_fail_errno(err, errno, "cannot create '%s'", path);
	f->watch = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
	if (f->watch < 0 || inotify_add_watch(f->watch, path, IN_CREATE) < 0)
		return trc_fail_errno(err, errno, "cannot watch '%s'", path);
	return 0;
}

int
trc_follow_make(struct trc_follow *f, const char *folder, struct trc_err *err)
{
	char trc[TRC_FOLLOW_PATH], path[TRC_FOLLOW_PATH];
	const ssize_t n = readlink("/proc/self/exe", trc, sizeof(trc) - 1);
	int others;

	f->watch = -1;
	trc[n < 0 ? 0 : n] = 0;
	if (!realpath(folder, f->folder) || !put_path(f->log, "%s/log", f->folder) ||
	    !put_path(f->tool, "--tool=%s%s/lackey", &UPS[1], f->folder) ||
	    !put_log(f->file, f->log) || !put_path(path, "%s/others", f->folder))
		return trc_fail(err, "'%s': the path is too long", folder);
	/* A process that changed its user needs to pass through. */
	if (n < 0 || chmod(f->folder, 0711) || mkfifo(f->log, 0600))
		return trc_fail_errno(err, errno, "cannot create '%s'", f->log);
	others = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (others < 0)
		return trc_fail_errno(err, errno, "cannot create '%s'", path);
	close(others);
	for (size_t i = 0; i < TRC_COUNT(platforms); i++)
		if (!put_path(path, "%s/lackey-%s-linux", f->folder, platforms[i]) ||
		    symlink(trc, path))
			return trc_fail_errno(err, errno, "cannot create '%s'", path);
	return watch_debugger(f, err);
}

void
trc_follow_close(struct trc_follow *f)
{
	if (f->watch >= 0)
		close(f->watch);
	f->watch = -1;
}

/* Returns true if the name of a pipe, p-...-NUMBER-by-..., is of a process other than the recorded
 * one. */
static bool
is_other(const struct inotify_event *e, long recorded)
{
	const char *number = e->len ? strpbrk(e->name, "0123456789") : NULL;

	return e->mask & IN_Q_OVERFLOW || (number && strtol(number, NULL, 10) != recorded);
}

static bool
had_others(const struct trc_follow *f)
{
	union {
		struct inotify_event first;
		char bytes[1 << 14];
	} events;
	char path[TRC_FOLLOW_PATH], number[24] = "";
	bool any = false;
	ssize_t n;

	if (!put_path(path, "%s/process", f->folder) ||
	    readlink(path, number, sizeof(number) - 1) < 0)
		return false;
	while (!any && (n = read(f->watch, &events, sizeof(events))) > 0) {
		const struct inotify_event *e = &events.first;

		for (ssize_t at = 0; at < n; at += (ssize_t)(sizeof(*e) + e->len)) {
			e = (const void *)(events.bytes + at);
			any |= is_other(e, strtol(number, NULL, 10));
		}
	}
	return any;
}

int
trc_follow_others(const struct trc_follow *f, struct trc_buf *names, bool *any, struct trc_err *err)
{
	char path[TRC_FOLLOW_PATH], text[4096];
	ssize_t n = 0;
	int fd, ret = 0;

	if (!put_path(path, "%s/others", f->folder))
		return 0;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	while (ret == 0 && fd >= 0 && (n = read(fd, text, sizeof(text))) > 0)
		ret = trc_buf_put(names, text, (size_t)n, err);
	if (ret == 0 && (fd < 0 || n < 0))
		ret = trc_fail_errno(err, errno, "cannot read '%s'", path);
	if (fd >= 0)
		close(fd);
	*any |= had_others(f);
	return ret;
}

/* ---- when executed as the tool ---- */

/* Returns true if this is the recorded process, which is the first to arrive here. */
static bool
is_recorded(const char *folder, int len)
{
	char path[TRC_FOLLOW_PATH], own[24], first[24] = "";

	snprintf(own, sizeof(own), "%ld", (long)getpid());
	if (!put_path(path, "%.*s/process", len, folder))
		return false;
	return symlink(own, path) == 0 ||
	       (readlink(path, first, sizeof(first) - 1) > 0 && strcmp(own, first) == 0);
}

static void
note_other(const char *folder, int len, const char *program)
{
	const char *slash = strrchr(program, '/'), *name = slash ? slash + 1 : program;
	char path[TRC_FOLLOW_PATH];
	int fd = -1;

	if (put_path(path, "%.*s/others", len, folder))
		fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
	if (fd < 0)
		return;
	if (write(fd, name, strlen(name) + 1) < 0) /* its name is then lost */
		(void)errno;
	close(fd);
}

/* Closes a second descriptor of the log, which valgrind leaves open, as version 3.19 does. */
static void
close_log(const char *folder, int len)
{
	enum { NUMBERS = 64 };
	char log[TRC_FOLLOW_PATH], path[40], file[TRC_FOLLOW_PATH];

	for (int fd = STDERR_FILENO + 1; put_path(log, "%.*s/log", len, folder) && fd < NUMBERS;
	     fd++) {
		ssize_t n;

		snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
		n = readlink(path, file, sizeof(file) - 1);
		file[n < 0 ? 0 : n] = 0;
		if (strcmp(file, log) == 0)
			close(fd);
	}
}

/* Ends a process whose exec failed. */
static void
fail(const char *path)
{
	fprintf(stderr, "trc: cannot run '%s': %s\n", path, strerror(errno));
	_exit(127);
}

/* Executes the program that a process wanted to execute, without recording. */
static void
run_program(const char *folder, int len, char **argv)
{
	size_t at = 1;

	while (argv[at] && strncmp(argv[at], LOG, strlen(LOG)) != 0)
		at++;
	if (!argv[at] || !argv[++at])
		return;
	note_other(folder, len, argv[at]);
	close_log(folder, len);
	unsetenv("VALGRIND_LAUNCHER");
	unsetenv("VALGRIND_LIB");
	execv(argv[at], argv + at);
	fail(argv[at]);
}

void
trc_follow_exec(int argc, char **argv)
{
	const char *path = (const char *)getauxval(AT_EXECFN), *ups, *folder, *name;
	char tool[TRC_FOLLOW_PATH];

	ups = argc > 1 && strncmp(argv[1], "--tool=../", 10) == 0 ? strstr(path, UPS "/") : NULL;
	if (!ups)
		return;
	folder = ups + strlen(UPS);
	name = strrchr(path, '/');
	if (!is_recorded(folder, (int)(name - folder)))
		run_program(folder, (int)(name - folder), argv);
	else if (put_path(tool, "%.*s%s", (int)(ups - path), path, name)) {
		execv(tool, argv);
		fail(tool);
	}
}
