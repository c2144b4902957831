/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* F_SETPIPE_SZ */
#include "cmd/record/program.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/interrupt.h"

extern char **environ;

enum { PIPE_BYTES = 1 << 20 };

/* Opens both ends; that of the program is not the number it will have there, which would survive
 * the start of other programs. */
static int
open_pipe(const char *fifo, int end[2], struct trc_err *err)
{
	if (!fifo) {
		if (pipe2(end, O_CLOEXEC))
			return trc_fail_errno(err, errno, "cannot make a pipe");
	} else {
		end[0] = open(fifo, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
		end[1] = end[0] < 0 ? -1 : open(fifo, O_WRONLY | O_CLOEXEC);
		if (end[1] < 0) {
			if (end[0] >= 0)
				close(end[0]);
			return trc_fail_errno(err, errno, "cannot open '%s'", fifo);
		}
		fcntl(end[0], F_SETFL, 0);
	}
#ifdef F_SETPIPE_SZ
	(void)fcntl(end[0], F_SETPIPE_SZ, PIPE_BYTES); /* else a smaller one does it */
#endif
	return 0;
}

/* Signals are what they were before trc watched for them. */
static void
set_signals(posix_spawnattr_t *attr)
{
	sigset_t usual;

	sigemptyset(&usual);
	sigaddset(&usual, SIGINT);
	sigaddset(&usual, SIGQUIT);
	sigaddset(&usual, SIGXFSZ);
	posix_spawnattr_setsigdefault(attr, &usual);
	posix_spawnattr_setflags(attr, POSIX_SPAWN_SETSIGDEF);
}

int
trc_program_start(struct trc_program *p, const char *const *argv, const char *fifo,
                  struct trc_err *err)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attr;
	int end[2], ret;

	*p = (struct trc_program){ .fd = -1 };
	if (open_pipe(fifo, end, err))
		return -1;
	posix_spawn_file_actions_init(&actions);
	posix_spawnattr_init(&attr);
	posix_spawn_file_actions_adddup2(&actions, end[1], TRC_PROGRAM_FD);
	set_signals(&attr);
	ret = posix_spawnp(&p->pid, argv[0], &actions, &attr, (char *const *)argv, environ);
	posix_spawnattr_destroy(&attr);
	posix_spawn_file_actions_destroy(&actions);
	close(end[1]);
	if (ret) {
		p->pid = 0;
		close(end[0]);
		return trc_fail_errno(err, ret, "cannot run '%s'", argv[0]);
	}
	p->fd = end[0];
	/* Ctrl-C is for the program; what it did until then is recorded. */
	signal(SIGINT, SIG_IGN);
	signal(SIGQUIT, SIG_IGN);
	return 0;
}

int
trc_program_read(struct trc_program *p, struct trc_err *err)
{
	if (dup2(p->fd, STDIN_FILENO) < 0)
		return trc_fail_errno(err, errno, "cannot read the pipe");
	close(p->fd);
	p->fd = -1;
	return 0;
}

void
trc_program_stop(struct trc_program *p)
{
	const struct timespec moment = { 0, 10 * 1000 * 1000 };

	static_assert(TRC_INTERRUPT_PATIENCE >= 1, "the handler waits for longer than this");
	if (p->fd >= 0)
		close(p->fd);
	p->fd = -1;
	if (p->pid <= 0)
		return;
	kill(p->pid, SIGTERM);
	for (int i = 0; i < 50; i++) {
		if (waitpid(p->pid, NULL, WNOHANG) != 0) {
			p->pid = 0;
			return;
		}
		nanosleep(&moment, NULL);
	}
	kill(p->pid, SIGKILL);
	waitpid(p->pid, NULL, 0);
	p->pid = 0;
}

int
trc_program_drain(struct trc_err *err)
{
	char rest[1 << 14];
	ssize_t n;

	do {
		if (trc_interrupted(err))
			return -1;
		n = read(STDIN_FILENO, rest, sizeof(rest));
	} while (n > 0 || (n < 0 && errno == EINTR));
	return n == 0 ? 0 : trc_fail_errno(err, errno, "cannot read the pipe");
}

static void
note_end(struct trc_program *p, int status)
{
	p->pid = 0;
	p->status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

bool
trc_program_ended(struct trc_program *p)
{
	int status;

	if (p->pid > 0 && waitpid(p->pid, &status, WNOHANG) == p->pid)
		note_end(p, status);
	return p->pid <= 0;
}

int
trc_program_wait(struct trc_program *p, struct trc_err *err)
{
	int status;

	if (p->pid <= 0)
		return 0;
	while (waitpid(p->pid, &status, 0) < 0) {
		if (errno != EINTR)
			return trc_fail_errno(err, errno, "cannot wait for the program");
		if (trc_interrupted(err)) {
			trc_program_stop(p);
			return -1;
		}
	}
	note_end(p, status);
	return trc_interrupted(err) ? -1 : 0;
}

static bool
can_run(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, X_OK) == 0;
}

bool
trc_program_find(const char *name, char *path)
{
	const char *list = strchr(name, '/') ? NULL : getenv("PATH");
	char file[TRC_PROGRAM_PATH];

	if (!path)
		path = file;
	if (strchr(name, '/'))
		return snprintf(path, TRC_PROGRAM_PATH, "%s", name) < TRC_PROGRAM_PATH &&
		       can_run(path);
	for (size_t len; list && *list; list += len + (list[len] == ':')) {
		len = strcspn(list, ":");
		if (snprintf(path, TRC_PROGRAM_PATH, "%.*s/%s", len ? (int)len : 1,
		             len ? list : ".", name) < TRC_PROGRAM_PATH &&
		    can_run(path))
			return true;
	}
	return false;
}

/* The plugin: beside trc, as it is built, or where it is installed. */
int
trc_program_plugin(const char *plugin, char *path, struct trc_err *err)
{
	const ssize_t n = readlink("/proc/self/exe", path, TRC_PROGRAM_PATH - 64);
	char *name = NULL;

	if (n > 0) {
		path[n] = '\0';
		name = strrchr(path, '/');
	}
	if (name) {
		strcpy(name + 1, plugin);
		if (access(path, R_OK) == 0)
			return 0;
	}
	snprintf(path, TRC_PROGRAM_PATH, "%s/%s", TRC_PLUGINS, plugin);
	if (access(path, R_OK) == 0)
		return 0;
	return trc_fail(err, "no %s, beside trc or in %s; meson setup -Dcapture=enabled builds it",
	                plugin, TRC_PLUGINS);
}

int
trc_program_option(char *option, const char *text, bool value, struct trc_err *err)
{
	size_t n = strlen(option);

	for (; *text; text++) {
		if (n + 3 > TRC_PROGRAM_PATH)
			return trc_fail(err, "a path of more than %d bytes", TRC_PROGRAM_PATH);
		option[n++] = *text;
		if (value && *text == ',')
			option[n++] = ',';
	}
	option[n] = '\0';
	return 0;
}
