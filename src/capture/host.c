/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "capture/host.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* A call that fails for its first argument, but looks at what the second points to before that
 * (Abseil's AddressIsReadable). */
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
