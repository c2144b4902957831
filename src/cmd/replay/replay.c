/* SPDX-License-Identifier: MIT
 *
 * trc replay: computes instruction traces from recorded bus traffic.
 */
#include "cmd/replay/replay.h"

#include <string.h>
#include <sys/stat.h>

#include "base/suggest.h"

#define ACTIONS "extract|run|prune|info|record"

static const struct trc_action *const action[] = {
	&trc_replay_extract, &trc_replay_run,    &trc_replay_prune,
	&trc_replay_info,    &trc_replay_record, NULL,
};

static const struct trc_opts *const common[] = {
	&trc_replay_opts_output, &trc_replay_opts_limit,
	&trc_replay_opts_memory, &trc_replay_opts_checkpoints,
	&trc_job_opts_publish,   &trc_job_opts_quiet,
	&trc_replay_opts_work,   NULL,
};

/* Refuses a word that is neither an action nor a file, unless it looks like a file name. */
static int
mistyped(const char *word, struct trc_err *err)
{
	struct trc_suggest suggest = { .word = word };
	struct stat st;

	for (const struct trc_action *const *a = action; *a; a++)
		trc_suggest_offer(&suggest, (*a)->name);
	if (strcmp(word, "-") == 0 || stat(word, &st) == 0 ||
	    (!suggest.best && strpbrk(word, "./")))
		return 0;
	return trc_suggest_fail(&suggest, "", "; actions are " ACTIONS, err,
	                        "'%s' is neither a file nor an action", word);
}

/* Returns the action that the first word names; `trc replay BUS OUT` is `run`, which also
 * extracts. */
static const struct trc_action *
choose(const struct trc_settings *settings, struct trc_args *args, struct trc_err *err)
{
	(void)settings;
	if (args->n == 0 && trc_job_words(args, 1, 3, err))
		return NULL;
	for (const struct trc_action *const *a = action; *a; a++)
		if (strcmp(args->word[0], (*a)->name) == 0)
			return *a;
	if (mistyped(args->word[0], err) || trc_job_words(args, 1, 2, err))
		return NULL;
	memmove(args->word + 1, args->word, args->n++ * sizeof(*args->word));
	args->word[0] = trc_replay_run.name;
	return &trc_replay_run;
}

/* The output of record is not checked here: QEMU may write it. */
static const char *
output(const struct trc_action *chosen, const struct trc_settings *settings,
       const struct trc_args *args)
{
	const struct trc_replay_options s = trc_replay_of(settings);

	return chosen == &trc_replay_record ? NULL : trc_replay_output(&s, args, 2, "-");
}

static const struct trc_example examples[] = {
	{ "compute the trace from a bus trace, and compare",
	  "  trc replay extract kernel.bus.xz kernel.pkg\n"
	  "  trc replay run kernel.pkg kernel.trc\n" },
	{ "a window, computed from the nearest stored state",
	  "  trc replay prune --checkpoints 500k kernel.pkg small.pkg\n"
	  "  trc replay run --skip 2M --limit 3 small.pkg --to csv\n" },
	{ "a program, recorded by qemu-riscv64",
	  "  trc replay record --machine user -o gzip.bus -- \\\n"
	  "    ./gzip-static -9 <text >text.gz\n"
	  "  trc replay gzip.bus gzip.trc\n" },
	{ "a system, recorded by QEMU", "  qemu-system-riscv64 -M virt \\\n"
	                                "    -cpu rv64,h=off,sstc=off,pmu-num=0,debug=off \\\n"
	                                "    -nographic -singlestep \\\n"
	                                "    -plugin build/src/libtrc-machine.so,out=linux.bus \\\n"
	                                "    -kernel Image -append console=ttyS0\n"
	                                "  trc replay linux.bus linux.trc\n" },
	{ NULL, NULL },
};

const struct trc_command trc_command_replay = {
	.name = "replay",
	.doc = "compute instruction traces from bus traces",
	.usage = "[" ACTIONS "] [OPTION...] INPUT [OUTPUT]",
	.words = ACTIONS,
	.example = examples,
	.action = action,
	.common = common,
	.choose = choose,
	.output = output,
};
