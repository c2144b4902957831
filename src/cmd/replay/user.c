/* SPDX-License-Identifier: MIT
 * trc replay record --machine user: a program of riscv64 Linux, run by QEMU with the plugin of
 * capture/bus.c in it. */
#include <assert.h>
#include <errno.h>
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
#include "base/io/temporary.h"
#include "base/io/reads.h"
#include "cmd/names/overwrite.h"
#include "cmd/record/program.h"
#include "cmd/replay/replay.h"

#define EMULATOR "qemu-riscv64"
#define PLUGIN "libtrc-bus.so"

enum { OPTIONS = 3 };

extern char **environ;

/* Ends the emulator: as the program will, or else after half a second. */
static void
stop(pid_t pid)
{
	const struct timespec moment = { 0, 10 * 1000 * 1000 };

	static_assert(TRC_INTERRUPT_PATIENCE >= 1, "the handler waits for longer than this");
	kill(pid, SIGTERM);
	for (int i = 0; i < 50; i++) {
		if (waitpid(pid, NULL, WNOHANG) != 0)
			return;
		nanosleep(&moment, NULL);
	}
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

static int
wait_for(pid_t pid, int *status, struct trc_err *err)
{
	while (waitpid(pid, status, 0) < 0) {
		if (errno != EINTR)
			return trc_fail_errno(err, errno, "cannot wait for " EMULATOR);
		if (!trc_interrupted(err))
			continue;
		stop(pid);
		return -1;
	}
	return trc_interrupted(err) ? -1 : 0;
}

/* Runs the emulator to its end. */
static int
spawn(const char *option, const struct trc_args *args, int *status, struct trc_err *err)
{
	const char **argv = trc_alloc(args->n + OPTIONS + 1, sizeof(*argv), err);
	pid_t pid;
	int ret;

	if (!argv)
		return -1;
	argv[0] = EMULATOR;
	argv[1] = "-plugin";
	argv[2] = option;
	memcpy(argv + OPTIONS, args->word + 1, (args->n - 1) * sizeof(*argv));
	ret = posix_spawnp(&pid, EMULATOR, NULL, NULL, (char **)argv, environ);
	free(argv);
	if (ret)
		return trc_fail_errno(err, ret,
		                      "cannot run " EMULATOR ", which Debian has in qemu-user");
	return wait_for(pid, status, err);
}

/* Runs a program whose bus trace goes to `path`, and reports how it ended. */
static int
record(const char *path, const struct trc_args *args, bool quiet, struct trc_err *err)
{
	char plugin[TRC_PROGRAM_PATH], option[TRC_PROGRAM_PATH] = "", parent[40];
	int status = 0;

	snprintf(parent, sizeof(parent), ",parent=%lld,out=", (long long)getpid());

	if (trc_program_plugin(PLUGIN, plugin, err) ||
	    trc_program_option(option, plugin, true, err) ||
	    trc_program_option(option, parent, false, err) ||
	    trc_program_option(option, path, true, err) || spawn(option, args, &status, err))
		return -1;
	if (WIFSIGNALED(status))
		return trc_fail(err, "signal %d killed the program, which leaves no trace",
		                WTERMSIG(status));
	if (access(path, F_OK))
		return trc_fail(err, "'%s' was not recorded", args->word[1]);
	if (!quiet)
		fprintf(stderr, "the program ended with status %d\n", WEXITSTATUS(status));
	return 0;
}

static const struct trc_opts *const takes[] = { &trc_replay_opts_machine, &trc_replay_opts_output,
	                                        &trc_job_opts_publish,    &trc_job_opts_quiet,
	                                        &trc_replay_opts_work,    NULL };

int
trc_replay_record_user(const struct trc_settings *all, const struct trc_args *args,
                       struct trc_err *err)
{
	const struct trc_replay replay = trc_replay_of(all), *s = &replay;
	const struct trc_opt *stray = trc_settings_stray(all, takes);
	const char *path = s->output;
	struct trc_temporary folder;
	char bus[TRC_PROGRAM_PATH];
	int ret;

	if (stray)
		return trc_fail_as(err, TRC_USAGE, "--%s is for --machine virt, not for user",
		                   stray->name);
	if (args->n < 2)
		return trc_fail_as(err, TRC_USAGE,
		                   "record needs a program, and its arguments behind --");
	if (!path || strcmp(path, "-") == 0)
		return trc_fail_as(err, TRC_USAGE,
		                   "record needs a file for the bus trace: -o FILE");
	if (access(path, F_OK) == 0 && !s->publish.force)
		return trc_fail(err, "'%s' exists; --force replaces it", path);
	for (size_t i = 1; i < args->n; i++)
		if (trc_overwrite_add(args->word[i], err))
			return -1;
	if (trc_reads_check(path, NULL, err))
		return -1;
	/* A folder, for the emulator may leave a file of its own behind if it is killed. */
	if (trc_temporary_folder(&folder, path, false, err))
		return -1;
	if ((size_t)snprintf(bus, sizeof(bus), "%s/bus", folder.path) >= sizeof(bus))
		ret = trc_fail(err, "a path of more than %d bytes", TRC_PROGRAM_PATH);
	else
		ret = record(bus, args, s->quiet, err);
	if (ret == 0 && rename(bus, path))
		ret = trc_fail_errno(err, errno, "'%s': cannot be renamed to '%s'", bus, path);
	trc_temporary_close(&folder);
	return ret;
}
