/* SPDX-License-Identifier: MIT
 *
 * trc replay record --machine user: runs a riscv64 Linux program in QEMU with the plugin of
 * capture/bus/plugin.c.
 */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/io/temporary.h"
#include "base/io/reads.h"
#include "cmd/names/overwrite.h"
#include "cmd/record/program.h"
#include "cmd/replay/replay.h"

#define EMULATOR "qemu-riscv64"
#define PLUGIN "libtrc-bus.so"

enum { OPTIONS = 4 };

/* Checks the program here, since the emulator has no usable error status, and does not search
 * PATH. */
static int
check_program(const char *path, struct trc_err *err)
{
	static const uint8_t riscv64[TRC_PROGRAM_HEAD] = { 0x7f, 'E', 'L', 'F', 2, 1, [18] = 243 };
	const int missing = access(path, R_OK | X_OK) ? errno : 0;
	enum trc_program_kind kind;

	if (missing) {
		trc_fail_errno(err, missing, "cannot run '%s'", path);
		err->status = missing == ENOENT ? TRC_PROGRAM_MISSING : TRC_PROGRAM_UNFIT;
		return -1;
	}
	kind = trc_program_kind(path, riscv64);
	if (kind == TRC_PROGRAM_FITS)
		return 0;
	trc_fail(err,
	         kind == TRC_PROGRAM_SCRIPT ?
	                 "'%s' is a script; record its interpreter for riscv64, with the script "
	                 "as argument" :
	                 "'%s' is not a program for riscv64 Linux",
	         path);
	err->status = TRC_PROGRAM_UNFIT;
	return -1;
}

/* Runs the emulator, and waits until it ends. */
static int
run(const char *option, const struct trc_args *args, struct trc_tracee *p, struct trc_err *err)
{
	const char **argv;
	int ret;

	if (!trc_program_find(EMULATOR, NULL))
		return trc_fail(err, "no " EMULATOR " in PATH (Debian package qemu-user)");
	argv = trc_alloc(args->n + OPTIONS + 1, sizeof(*argv), err);
	if (!argv)
		return -1;
	argv[0] = EMULATOR;
	argv[1] = "-plugin";
	argv[2] = option;
	argv[3] = "--"; /* the program may have an option -cpu of its own */
	memcpy(argv + OPTIONS, args->word + 1, (args->n - 1) * sizeof(*argv));
	ret = trc_tracee_start(p, argv, NULL, TRC_PROGRAM_NONE, err);
	free(argv);
	return ret ? -1 : trc_tracee_wait(p, err);
}

/* Waits until the trace in a folder is complete. If the emulator is killed, another process
 * completes it under a temporary name (capture/host.h). */
static void
await_trace(const char *folder)
{
	enum { TRIES = 2000 };
	const struct timespec moment = { 0, 10 * 1000 * 1000 };
	bool busy = true;

	for (int i = 0; i < TRIES && busy; i++) {
		DIR *d = opendir(folder);
		struct dirent *e;

		busy = false;
		while (d && (e = readdir(d)))
			busy |= strncmp(e->d_name, "bus.part", 8) == 0;
		if (d)
			closedir(d);
		if (busy)
			nanosleep(&moment, NULL);
	}
}

/* Runs a program, and records its bus trace to `path`. */
static int
record(const char *path, const char *folder, const struct trc_args *args, struct trc_tracee *p,
       struct trc_err *err)
{
	char plugin[TRC_PROGRAM_PATH], option[TRC_PROGRAM_PATH] = "", parent[40];

	snprintf(parent, sizeof(parent), ",parent=%lld,out=", (long long)getpid());

	if (trc_program_plugin(PLUGIN, plugin, err) || check_program(args->word[1], err) ||
	    trc_program_option(option, plugin, true, err) ||
	    trc_program_option(option, parent, false, err) ||
	    trc_program_option(option, path, true, err) || run(option, args, p, err))
		return -1;
	await_trace(folder);
	if (access(path, F_OK) == 0)
		return 0;
	if (p->status > 128 && p->status <= 128 + TRC_PROGRAM_SIGNALS)
		return trc_tracee_check(p, NULL, err);
	return trc_fail(err, "'%s' was not recorded; " EMULATOR " exited with status %d",
	                args->word[1], p->status);
}

static const struct trc_opts *const takes[] = { &trc_replay_opts_machine, &trc_replay_opts_output,
	                                        &trc_job_opts_publish,    &trc_job_opts_quiet,
	                                        &trc_replay_opts_work,    NULL };

int
trc_replay_record_user(const struct trc_settings *settings, const struct trc_args *args,
                       struct trc_err *err)
{
	const struct trc_replay_options replay = trc_replay_of(settings), *s = &replay;
	const struct trc_opt *stray = trc_settings_stray(settings, takes);
	const char *path = s->output;
	struct trc_temporary folder;
	struct trc_tracee p = { .fd = -1, .kept = -1 };
	char bus[TRC_PROGRAM_PATH];
	int ret;

	if (stray)
		return trc_fail_as(err, TRC_USAGE, "--%s is for --machine virt, not for user",
		                   stray->name);
	if (args->n < 2)
		return trc_fail_as(err, TRC_USAGE,
		                   "record needs a program, with its arguments, after --");
	if (!path || strcmp(path, "-") == 0)
		return trc_fail_as(err, TRC_USAGE,
		                   "record needs a file for the bus trace: -o FILE");
	if (access(path, F_OK) == 0 && !s->publish.force)
		return trc_fail(err, "'%s' exists; use --force to replace it", path);
	for (size_t i = 1; i < args->n; i++)
		if (trc_overwrite_add_word(args->word[i], err))
			return -1;
	if (trc_reads_check(path, NULL, err))
		return -1;
	/* use a folder, since the emulator may leave a temporary file if it is killed */
	if (trc_temporary_folder(&folder, path, false, err))
		return -1;
	if ((size_t)snprintf(bus, sizeof(bus), "%s/bus", folder.path) >= sizeof(bus))
		ret = trc_fail(err, "a path of more than %d bytes", TRC_PROGRAM_PATH);
	else
		ret = record(bus, folder.path, args, &p, err);
	if (ret == 0 && rename(bus, path))
		ret = trc_fail_errno(err, errno, "'%s': cannot be renamed to '%s'", bus, path);
	trc_tracee_stop(&p);
	await_trace(folder.path);
	trc_temporary_close(&folder);
	if (ret)
		return -1;
	if (p.parent && !s->quiet)
		fprintf(stderr, "note: '%s' has one process, not its child processes\n", path);
	return trc_tracee_check(&p, path, err);
}
