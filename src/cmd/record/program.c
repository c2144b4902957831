/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* F_SETPIPE_SZ */
#include "cmd/record/program.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "base/io/in.h"
#include "base/shown.h"

extern char **environ;

enum {
	PIPE_BYTES = 1 << 20,
	DRAIN_MS = 20,
};

/* Opens both ends. The descriptor of the program's end differs from its number in the program,
 * which would be inherited by other programs. */
static int
open_pipe(const char *fifo, int end[2], struct trc_err *err)
{
	if (!fifo) {
		if (pipe2(end, O_CLOEXEC))
			return trc_fail_errno(err, errno, "cannot create a pipe");
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
	(void)fcntl(end[0], F_SETPIPE_SZ, PIPE_BYTES); /* if it fails, a smaller pipe works too */
#endif
	return 0;
}

/* Signals are handled as before trc caught them. */
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
trc_tracee_start(struct trc_tracee *p, const char *const *argv, const char *fifo,
                 enum trc_tracee_pipe how, struct trc_err *err)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attr;
	int end[2] = { -1, -1 }, ret;

	*p = (struct trc_tracee){ .fd = -1, .kept = -1 };
	if (how != TRC_PROGRAM_NONE && open_pipe(fifo, end, err))
		return -1;
	posix_spawn_file_actions_init(&actions);
	posix_spawnattr_init(&attr);
	if (how == TRC_PROGRAM_INHERITS)
		posix_spawn_file_actions_adddup2(&actions, end[1], TRC_PROGRAM_FD);
	set_signals(&attr);
	/* From now on, Ctrl-C ends only the program; its trace so far is kept. */
	signal(SIGINT, SIG_IGN);
	signal(SIGQUIT, SIG_IGN);
	ret = posix_spawnp(&p->pid, argv[0], &actions, &attr, (char *const *)argv, environ);
	posix_spawnattr_destroy(&attr);
	posix_spawn_file_actions_destroy(&actions);
	if (ret == 0 && how == TRC_PROGRAM_OPENS)
		p->kept = end[1];
	else if (end[1] >= 0)
		close(end[1]);
	if (ret) {
		p->pid = 0;
		if (end[0] >= 0)
			close(end[0]);
		return trc_fail_errno(err, ret, "cannot run '%s'", argv[0]);
	}
	p->fd = end[0];
	return 0;
}

int
trc_tracee_read(struct trc_tracee *p, struct trc_err *err)
{
	if (dup2(p->fd, STDIN_FILENO) < 0)
		return trc_fail_errno(err, errno, "cannot read the pipe");
	close(p->fd);
	p->fd = -1;
	return 0;
}

void
trc_tracee_stop(struct trc_tracee *p)
{
	const struct timespec moment = { 0, 10 * 1000 * 1000 };

	static_assert(TRC_INTERRUPT_PATIENCE >= 1, "the handler waits for longer than this");
	if (p->fd >= 0)
		close(p->fd);
	p->fd = -1;
	if (p->kept >= 0)
		close(p->kept);
	p->kept = -1;
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

/* Returns true if a process that has ended, and was not waited for, has waited for children. Their
 * page faults are added to its own, in the 11th field of its line, and each process has some. */
static bool
had_children(pid_t pid)
{
	enum { FIELDS_BEFORE = 8 };
	char path[40], text[1024];
	const char *field;
	size_t n;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%ld/stat", (long)pid);
	f = fopen(path, "re");
	if (!f)
		return false;
	n = fread(text, 1, sizeof(text) - 1, f);
	fclose(f);
	text[n] = '\0';
	field = strrchr(text, ')'); /* the name before it may contain any character */
	for (int i = 0; field && i <= FIELDS_BEFORE; i++)
		field = strchr(field + 1, ' ');
	return field && strtoull(field, NULL, 10) > 0;
}

/* Returns true if a running process has children that it has not waited for. There is a list for
 * each thread. A process that ignores SIGCHLD never waits. */
static bool
has_children(pid_t pid)
{
	char path[64 + sizeof(((struct dirent *)0)->d_name)];
	struct dirent *task;
	bool any = false;
	DIR *tasks;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%ld/task", (long)pid);
	tasks = opendir(path);
	while (tasks && !any && (task = readdir(tasks))) {
		snprintf(path, sizeof(path), "/proc/%ld/task/%s/children", (long)pid, task->d_name);
		f = fopen(path, "re");
		any = f && fgetc(f) != EOF;
		if (f)
			fclose(f);
	}
	if (tasks)
		closedir(tasks);
	return any;
}

/* Waits for the program; with WNOHANG, only checks whether it has ended. */
static int
reap(struct trc_tracee *p, int flags)
{
	siginfo_t info = { 0 };
	int status;

	if (waitid(P_PID, (id_t)p->pid, &info, WEXITED | WNOWAIT | flags))
		return -1;
	if (info.si_pid != p->pid) {
		p->parent = p->parent || has_children(p->pid);
		return 0;
	}
	p->parent = p->parent || had_children(p->pid);
	if (waitpid(p->pid, &status, 0) < 0)
		return -1;
	p->pid = 0;
	p->status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
	return 0;
}

bool
trc_tracee_ended(struct trc_tracee *p)
{
	return p->pid <= 0 || (reap(p, WNOHANG) == 0 && p->pid <= 0);
}

int
trc_tracee_wait(struct trc_tracee *p, struct trc_err *err)
{
	if (p->pid <= 0)
		return 0;
	while (reap(p, 0)) {
		if (errno != EINTR)
			return trc_fail_errno(err, errno, "cannot wait for the program");
		if (trc_interrupted(err)) {
			trc_tracee_stop(p);
			return -1;
		}
	}
	return trc_interrupted(err) ? -1 : 0;
}

/* Returns true if a program may raise SIGILL itself by this instruction: ud2, ud1, ud0, and system
 * calls of x86; svc of AArch64; ecall and two of RISC-V that are illegal for good. */
static bool
raises(const struct trc_tracee_insn *is)
{
	static const struct {
		uint8_t byte[4];
		size_t n;
	} own[] = { { { 0x0f, 0x0b }, 2 },
		    { { 0x0f, 0xb9 }, 2 },
		    { { 0x0f, 0xff }, 2 },
		    { { 0x0f, 0x05 }, 2 },
		    { { 0xcd, 0x80 }, 2 },
		    { { 0x01, 0x00, 0x00, 0xd4 }, 4 },
		    { { 0x73, 0x00, 0x00, 0x00 }, 4 },
		    { { 0x73, 0x10, 0x00, 0xc0 }, 4 },
		    { { 0x00, 0x00 }, 2 } };

	for (size_t i = 0; i < TRC_COUNT(own); i++)
		if (is->n >= own[i].n && memcmp(is->byte, own[i].byte, own[i].n) == 0)
			return true;
	return false;
}

bool
trc_tracee_unknown(const struct trc_tracee *p)
{
	return p->crashed ||
	       (p->native && p->status == 128 + SIGILL && p->last.n > 0 && !raises(&p->last));
}

/* Formats " (62 f2 7d 48 of 'FILE')", as far as it is known. */
static char *
insn_text(const struct trc_tracee_insn *is, char *text, size_t room)
{
	size_t n = 0;

	*text = '\0';
	for (size_t i = 0; i < is->n; i++)
		n += (size_t)snprintf(text + n, room - n, "%s%02x", i ? " " : " (", is->byte[i]);
	if (is->n)
		snprintf(text + n, room - n, *is->file ? " of '%s')" : "%s)", is->file);
	trc_shown(text);
	return text;
}

/* Fails for an instruction that the tracer does not know. All of AVX-512 begins with EVEX, but for
 * moves of masks. */
static int
fail_unknown(const struct trc_tracee *p, const char *output, struct trc_err *err)
{
	enum { EVEX = 0x62 };
	const char *tracer = p->crashed || !*p->last.file ? "valgrind" : "QEMU";
	char insn[sizeof(p->last.file) + 32];

	insn_text(&p->last, insn, sizeof(insn));
	if (p->last.n && p->last.byte[0] == EVEX)
		return trc_fail(
		        err,
		        "the program executes AVX-512%s, which valgrind and QEMU do not support; "
		        "'%s' has the trace up to then; build the program without AVX-512, or "
		        "record it with DynamoRIO",
		        insn, output);
	return trc_fail(
	        err,
	        "%s does not support an instruction of the program%s; '%s' has the trace up to "
	        "then; %srecord it with DynamoRIO",
	        tracer, insn, output, *tracer == 'v' ? "try --by qemu, or " : "");
}

int
trc_tracee_check(const struct trc_tracee *p, const char *output, struct trc_err *err)
{
	const int signal = p->status > 128 && p->status <= 128 + TRC_PROGRAM_SIGNALS ?
	                           p->status - 128 :
	                           0;

	if (p->status == 0)
		return 0;
	if (!output)
		trc_fail(err, "signal %d killed the program; no trace was written", signal);
	else if (trc_tracee_unknown(p))
		(void)fail_unknown(p, output, err);
	else if (signal)
		trc_fail(err, "signal %d ended the program; '%s' has its trace up to then", signal,
		         output);
	else
		trc_fail(err, "the program exited with status %d; '%s' has its trace", p->status,
		         output);
	err->status = p->crashed ? TRC_PROGRAM_FAILED : p->status;
	return -1;
}

void
trc_tracee_end_pipe(struct trc_tracee *p)
{
	struct pollfd pipe = { .fd = STDIN_FILENO, .events = POLLIN };
	int bytes, none;

	if (p->kept < 0 || !trc_tracee_ended(p) || ioctl(STDIN_FILENO, FIONREAD, &bytes) ||
	    bytes > 0)
		return;
	close(p->kept);
	p->kept = -1;
	p->left = poll(&pipe, 1, 0) == 0;
	if (p->left)
		p->fd = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	none = open("/dev/null", O_RDONLY | O_CLOEXEC);
	if (none >= 0) {
		dup2(none, STDIN_FILENO);
		close(none);
	}
}

int
trc_tracee_drain(struct trc_tracee *p, struct trc_err *err)
{
	struct pollfd pipe = { .fd = STDIN_FILENO, .events = POLLIN };
	char rest[1 << 14];
	ssize_t n = 1;

	while (n > 0 || (n < 0 && errno == EINTR)) {
		if (trc_interrupted(err))
			return -1;
		trc_tracee_end_pipe(p);
		if (poll(&pipe, 1, DRAIN_MS) > 0)
			n = read(STDIN_FILENO, rest, sizeof(rest));
	}
	return n == 0 ? 0 : trc_fail_errno(err, errno, "cannot read the pipe");
}

static bool
can_run(const char *path)
{
	return trc_in_regular(path) && access(path, X_OK) == 0;
}

static bool
exists(const char *path)
{
	return access(path, F_OK) == 0;
}

static bool
search_path(const char *name, char *path, bool (*fits)(const char *path))
{
	const char *list = strchr(name, '/') ? NULL : getenv("PATH");
	char file[TRC_PROGRAM_PATH];

	if (!path)
		path = file;
	if (strchr(name, '/'))
		return snprintf(path, TRC_PROGRAM_PATH, "%s", name) < TRC_PROGRAM_PATH &&
		       fits(path);
	for (size_t len; list && *list; list += len + (list[len] == ':')) {
		len = strcspn(list, ":");
		if (snprintf(path, TRC_PROGRAM_PATH, "%.*s/%s", len ? (int)len : 1,
		             len ? list : ".", name) < TRC_PROGRAM_PATH &&
		    fits(path))
			return true;
	}
	return false;
}

bool
trc_program_find(const char *name, char *path)
{
	return search_path(name, path, can_run);
}

/* As in shells, the status is 126 if the file exists, else 127. */
int
trc_program_reach(const char *name, char *path, struct trc_err *err)
{
	const bool piped = strpbrk(name, " |");
	char file[TRC_PROGRAM_PATH];
	struct stat st;

	if (search_path(name, path, can_run))
		return 0;
	if (search_path(name, file, exists)) {
		trc_fail(err, "cannot run '%s': it is %s", file,
		         stat(file, &st) == 0 && S_ISDIR(st.st_mode) ? "a folder" :
		                                                       "not executable");
		err->status = TRC_PROGRAM_UNFIT;
		return -1;
	}
	trc_fail(err, "cannot run '%s': %s%s", name,
	         strchr(name, '/') ? "no such file" : "no such program in PATH",
	         piped ? "; to record a pipeline, use trc split --record with sh -c" : "");
	err->status = TRC_PROGRAM_MISSING;
	return -1;
}

static bool
read_head(const char *path, uint8_t head[TRC_PROGRAM_HEAD])
{
	FILE *f = fopen(path, "re");

	memset(head, 0, TRC_PROGRAM_HEAD);
	if (!f)
		return false;
	(void)!fread(head, 1, TRC_PROGRAM_HEAD, f);
	fclose(f);
	return true;
}

enum trc_program_kind
trc_program_kind(const char *path, const uint8_t *like)
{
	enum { CLASS_AND_ORDER = 6, MACHINE = 18 };
	uint8_t head[TRC_PROGRAM_HEAD], own[TRC_PROGRAM_HEAD];

	if (!read_head(path, head))
		return TRC_PROGRAM_FOREIGN;
	if (memcmp(head, "#!", 2) == 0)
		return TRC_PROGRAM_SCRIPT;
	if (!like && read_head("/proc/self/exe", own))
		like = own;
	return like && memcmp(head, like, CLASS_AND_ORDER) == 0 &&
	                       memcmp(head + MACHINE, like + MACHINE, 2) == 0 ?
	               TRC_PROGRAM_FITS :
	               TRC_PROGRAM_FOREIGN;
}

int
trc_program_own(int ret, struct trc_err *err)
{
	if (ret && err->status == 0)
		err->status = TRC_PROGRAM_FAILED;
	return ret;
}

/* A plugin is next to trc in the build folder, or where it is installed. */
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
	return trc_fail(err,
	                "%s not found beside trc or in %s; build it with meson setup "
	                "-Dcapture=enabled",
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
