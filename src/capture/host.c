/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "capture/host.h"

#include <errno.h>
#include <link.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* Makes a call that fails because of its first argument, but only after it has accessed what the
 * second points to (as Abseil's AddressIsReadable does). */
bool
trc_host_readable(const uint8_t *at)
{
	const uint8_t *word = at - (uintptr_t)at % 8;

	return syscall(SYS_rt_sigprocmask, ~0, word, NULL, (size_t)8) == -1 && errno != EFAULT;
}

bool
trc_host_executable(int folder, const char *path)
{
	struct stat st;

	return faccessat(folder, path, X_OK, 0) == 0 && fstatat(folder, path, &st, 0) == 0 &&
	       S_ISREG(st.st_mode);
}

void
trc_host_cpu(const char *usual, char *dst, size_t room)
{
	const char *cpu = getenv("QEMU_CPU");
	char words[4096], *word, *end;
	FILE *f = fopen("/proc/self/cmdline", "re");
	const size_t n = f ? fread(words, 1, sizeof(words) - 1, f) : 0;

	words[n] = '\0';
	end = words + n;
	for (word = words; word < end && strcmp(word, "--") != 0; word += strlen(word) + 1)
		if ((strcmp(word, "-cpu") == 0 || strcmp(word, "--cpu") == 0) &&
		    word + strlen(word) + 1 < end)
			cpu = word + strlen(word) + 1;
	snprintf(dst, room, "%s", cpu ? cpu : usual);
	if (f)
		fclose(f);
}

void
trc_host_stay_with(pid_t parent)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_Exit(1);
}

/* The emulator ends itself by kill(getpid(), SIGNAL), in its function dump_core_and_abort(). It
 * calls kill() through its import table, which is filled and made read-only at load time (its
 * builds are linked with -z relro -z now). So the entry is replaced by our function. */
typedef int (*kill_fn)(pid_t pid, int number);

static void (*watcher)(int number);

/* The emulator also stops itself in this way when its guest is to stop. */
static int
kill_watched(pid_t pid, int number)
{
	if (pid == getpid() && number != SIGSTOP)
		watcher(number);
	return kill(pid, number);
}

static void
redirect(kill_fn *import)
{
	const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	void *const start = (void *)((uintptr_t)import / page * page);

	if (mprotect(start, page, PROT_READ | PROT_WRITE) == 0) {
		*import = kill_watched;
		mprotect(start, page, PROT_READ);
	}
}

/* Searches the first object, which is the emulator. */
static int
redirect_imports(struct dl_phdr_info *exe, size_t size, void *user)
{
	(void)size, (void)user;
	for (int i = 0; i < exe->dlpi_phnum; i++) {
		const ElfW(Phdr) *part = &exe->dlpi_phdr[i];
		kill_fn *import = (kill_fn *)(exe->dlpi_addr + part->p_vaddr);

		if (part->p_type != PT_GNU_RELRO)
			continue;
		for (size_t n = part->p_memsz / sizeof(*import); n > 0; n--, import++)
			if (*import == kill)
				redirect(import);
	}
	return 1;
}

void
trc_host_watch_end(void (*fn)(int number))
{
	watcher = fn;
	dl_iterate_phdr(redirect_imports, NULL);
}

enum { STACK = 1 << 16, PATIENCE = 20 /* seconds */ };

static struct {
	void (*fn)(void);
	pid_t pid, of;
	int keep;
	volatile bool ready;
} after;

/* Closes all files except two. */
static void
keep_open(int a, int b)
{
	const unsigned low = (unsigned)(a < b ? a : b), high = (unsigned)(a < b ? b : a);

	if (low > 0)
		(void)close_range(0, low - 1, 0);
	if (high > low + 1)
		(void)close_range(low + 1, high - 1, 0);
	(void)close_range(high + 1, ~0u, 0);
}

/* This process also has the thread-local memory of the process that started it. So while that one
 * runs, it calls nothing that may fail and set errno. */
static int
outlive(void *user)
{
	struct pollfd end = { .fd = (int)syscall(SYS_pidfd_open, after.of, 0), .events = POLLIN };
	sigset_t alarms;

	(void)user;
	if (end.fd >= 0)
		keep_open(after.keep, end.fd);
	prctl(PR_SET_NAME, "trc-outlives");
	setsid();
	after.ready = true;
	if (end.fd < 0)
		return 0;
	while (poll(&end, 1, -1) < 1)
		;
	signal(SIGALRM, SIG_DFL);
	sigemptyset(&alarms);
	sigaddset(&alarms, SIGALRM);
	sigprocmask(SIG_UNBLOCK, &alarms, NULL);
	alarm(PATIENCE);
	after.fn();
	_exit(0);
}

void
trc_host_outlive(int keep, void (*fn)(void))
{
	static uint8_t stack[STACK] __attribute__((aligned(16)));
	sigset_t all, before;

	after.fn = fn;
	after.of = getpid();
	after.keep = keep;
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &before);
	after.pid = clone(outlive, stack + STACK, CLONE_VM, NULL);
	while (after.pid > 0 && !after.ready)
		sched_yield();
	sigprocmask(SIG_SETMASK, &before, NULL);
}

void
trc_host_outlive_end(void)
{
	if (after.pid <= 0)
		return;
	/* Without waiting for it: the recorder may not have had children before. */
	kill(after.pid, SIGKILL);
	after.pid = 0;
}
