/* SPDX-License-Identifier: MIT
 * trc replay: whole instruction traces, computed from what a bus shows. */
#include "cmd/replay/replay.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/suggest.h"

static const struct trc_opt opts[] = {
	{ 'o', "output", "FILE", "output file, if not the last word", TRC_OPT_TEXT, TRC_WORDS_FILE,
	  offsetof(struct trc_replay, output) },
	{ 0, "skip", "N", "leave out the first N instructions", TRC_OPT_NUMBER, TRC_WORDS_NONE,
	  offsetof(struct trc_replay, skip) },
	{ 0, "limit", "N", "stop after N instructions", TRC_OPT_COUNT, TRC_WORDS_NONE,
	  offsetof(struct trc_replay, limit) },
	{ 0, "against", "BUS", "compare each line of this bus trace, too", TRC_OPT_TEXT,
	  TRC_WORDS_FILE, offsetof(struct trc_replay, against) },
	{ 0, "checkpoints", "N", "extract, prune: keep the state every N instructions",
	  TRC_OPT_COUNT, TRC_WORDS_NONE, offsetof(struct trc_replay, checkpoints) },
	{ 0, "memory", "BYTES", "most that the guest may use, 1G if not given", TRC_OPT_BYTES,
	  TRC_WORDS_NONE, offsetof(struct trc_replay, memory) },
	{ 0, "machine", "NAME", "what to record: virt, or a program: user", TRC_OPT_TEXT,
	  TRC_WORDS_NONE, offsetof(struct trc_replay, machine) },
	{ 0, "firmware", "FILE", "firmware that starts IMAGE at 2 MiB of RAM", TRC_OPT_TEXT,
	  TRC_WORDS_FILE, offsetof(struct trc_replay, firmware) },
	{ 0, "dtb", "FILE", "device tree given to the firmware", TRC_OPT_TEXT, TRC_WORDS_FILE,
	  offsetof(struct trc_replay, tree) },
	{ 0, "cache", "SIZE:WAYS:LINE", "cache of the machine, 64K:8:64 if not given", TRC_OPT_TEXT,
	  TRC_WORDS_NONE, offsetof(struct trc_replay, cache) },
	{ 0, "type", "FILE", "input of its serial line", TRC_OPT_TEXT, TRC_WORDS_FILE,
	  offsetof(struct trc_replay, type) },
	{ 0, "disk", "FILE", "contents of its disk; FILE is not changed", TRC_OPT_TEXT,
	  TRC_WORDS_FILE, offsetof(struct trc_replay, disk) },
	{ 0, "seed", "N", "seed of the time that its devices take", TRC_OPT_NUMBER, TRC_WORDS_NONE,
	  offsetof(struct trc_replay, seed) },
	TRC_OPTS_OUT(struct trc_replay),
};

#define ACTIONS "extract|run|prune|info|record"

enum { EXTRACT, RUN, PRUNE, INFO, RECORD };

static const struct {
	const char *name;
	trc_replay_fn run;
} action[] = {
	[EXTRACT] = { "extract", trc_replay_extract }, [RUN] = { "run", trc_replay_run },
	[PRUNE] = { "prune", trc_replay_prune },       [INFO] = { "info", trc_replay_info },
	[RECORD] = { "record", trc_replay_record },
};

/* Refuses a word that is neither an action nor a file, but could have been meant as an action. */
static int
mistyped(const char *word, struct trc_err *err)
{
	struct trc_suggest suggest = { .word = word };
	struct stat st;

	for (size_t i = 0; i < TRC_COUNT(action); i++)
		trc_suggest_offer(&suggest, action[i].name);
	if (!suggest.best || stat(word, &st) == 0)
		return 0;
	return trc_suggest_fail(&suggest, "", "", err, "no file and no action '%s'", word);
}

/* Refuses options that the action has no use for. */
static int
check_options(const struct trc_replay *s, unsigned which, struct trc_err *err)
{
	const struct {
		const char *name;
		bool given;
		unsigned with; /* a bit for each action */
	} option[] = {
		{ "skip", s->skip, 1 << RUN },
		{ "limit", s->limit, 1 << RUN | 1 << RECORD },
		{ "against", s->against, 1 << RUN },
		{ "checkpoints", s->checkpoints, 1 << EXTRACT | 1 << PRUNE },
		{ "machine", s->machine, 1 << RECORD },
		{ "firmware", s->firmware, 1 << RECORD },
		{ "dtb", s->tree, 1 << RECORD },
		{ "cache", s->cache, 1 << RECORD },
		{ "type", s->type, 1 << RECORD },
		{ "disk", s->disk, 1 << RECORD },
		{ "seed", s->seed, 1 << RECORD },
		{ "to", s->out.to, 1 << RUN },
		{ "compress", s->out.compress, 1 << RUN },
		{ "drop", s->out.drop.n, 1 << RUN },
		{ "fill", s->out.fill.n, 1 << RUN },
		{ "annotate", s->out.annotate, 1 << RUN },
		{ "level", s->out.level, 1 << RUN },
		{ "extreme", s->out.extreme, 1 << RUN },
		{ "no-verify", s->out.no_verify, 1 << RUN },
		{ "split-modify", s->out.split_modify, 1 << RUN },
	};
	char names[64] = "";

	for (size_t i = 0; i < TRC_COUNT(option); i++) {
		if (!option[i].given || option[i].with >> which & 1)
			continue;
		for (size_t k = 0; k < TRC_COUNT(action); k++)
			if (option[i].with >> k & 1)
				snprintf(names + strlen(names), sizeof(names) - strlen(names),
				         "%s%s", *names ? " and " : "", action[k].name);
		return trc_fail_as(err, TRC_USAGE, "--%s is for %s, not for %s", option[i].name,
		                   names, action[which].name);
	}
	return 0;
}

/* Refuses an output as a word besides that of -o, behind `least` words that are something else. */
static int
one_output(const struct trc_replay *s, const struct trc_args *args, size_t least,
           struct trc_err *err)
{
	return s->output && args->n > least ?
	               trc_fail_as(err, TRC_USAGE, "-o %s and '%s': one output", s->output,
	                           args->word[least]) :
	               0;
}

/* `trc replay BUS OUT` is extract and run in one. */
static int
run_at_once(const struct trc_replay *s, const struct trc_args *args, struct trc_err *err)
{
	const char *word[3] = { action[RUN].name };

	if (mistyped(args->word[0], err) || trc_job_words(args, 1, 2, err) ||
	    check_options(s, RUN, err) || one_output(s, args, 1, err))
		return -1;
	memcpy(word + 1, args->word, args->n * sizeof(*word));
	return trc_replay_run(s, &(const struct trc_args){ .word = word, .n = args->n + 1 }, err);
}

static int
run(const void *settings, const struct trc_args *args, struct trc_err *err)
{
	const struct trc_replay *s = settings;

	/* Of a program that is recorded there may be many. */
	if (args->n && strcmp(args->word[0], action[RECORD].name) == 0)
		return check_options(s, RECORD, err) ? -1 : trc_replay_record(s, args, err);
	if (trc_job_words(args, 1, 3, err))
		return -1;
	for (unsigned i = 0; i < TRC_COUNT(action); i++)
		if (strcmp(args->word[0], action[i].name) == 0)
			return check_options(s, i, err) || one_output(s, args, 2, err) ?
			               -1 :
			               action[i].run(s, args, err);
	return run_at_once(s, args, err);
}

const struct trc_command trc_command_replay = {
	.name = "replay",
	.doc = "compute instruction traces from bus traces",
	.usage = "[" ACTIONS "] [OPTION...] INPUT [OUTPUT]",
	.actions = ACTIONS,
	.notes =
	        "CITCAT (Rose and Flanagan 1996): a processor is deterministic, so a whole\n"
	        "instruction trace need not be stored. It follows from the initial state, the\n"
	        "initial image of memory and a timed list of external events; all three are\n"
	        "in a trace of what a monitor sees on the bus behind the cache.\n"
	        "\n"
	        "  replay extract BUS PKG   the three, as a package, from a bus trace\n"
	        "  replay run PKG [OUT]     the instruction trace, in any format, verified\n"
	        "  replay BUS [OUT]         both in one\n"
	        "  replay prune PKG NEW     a package without what no instruction needs\n"
	        "  replay info FILE         what is in a package or a bus trace\n"
	        "  replay record IMAGE BUS  a bus trace of our own machine, run live\n"
	        "  replay record --machine user -o BUS -- PROGRAM ARGUMENT...\n"
	        "                           a bus trace of a program, run by qemu-riscv64\n"
	        "\n"
	        "Each instruction is a fetch with its address, size and word, followed by its\n"
	        "loads and stores. Without OUT the trace is computed and verified, but not\n"
	        "written. The report says what was compared, at four levels:\n"
	        "\n"
	        "  L1  each event was taken by the instruction that it belongs to\n"
	        "  L2  each line that the bus trace fills or writes back (BUS, or --against BUS)\n"
	        "  L3  registers and memory at the end\n"
	        "  L4  the trace itself, by the hashes of an independent machine\n"
	        "\n"
	        "The first thing that does not hold is an error, which names the instruction.\n"
	        "\n"
	        "A window (--skip, --limit) is computed from the beginning of the trace. With\n"
	        "--checkpoints N, for example 10M, extract and prune put the state after every N\n"
	        "instructions of a verified replay into the package; a window is then computed\n"
	        "from the last checkpoint before it, however far into the trace that is. What\n"
	        "comes before is not verified again, and the report says so.\n"
	        "\n"
	        "ChampSim (--to champsim, cloudsuite) gets complete records, derived from\n"
	        "instruction words. Registers keep their numbers, except where ChampSim gives\n"
	        "numbers a meaning: x0 is none, x2 (sp) is 6, x6 is 2, x25 is 32, x26 is 33; f0\n"
	        "to f31 are 64 to 95. ChampSim infers the type of a branch from its registers:\n"
	        "each branch writes 26, the pc; calls and returns (by x1 and x5) read and write 6\n"
	        "as well, so a call does not show that it writes x1; a branch that reads x2 reads\n"
	        "34. These formats cannot mark what the kernel executes: --drop kernel makes it\n"
	        "the user's. In formats that hold instruction words, --annotate riscv adds\n"
	        "branches and registers.\n"
	        "\n"
	        "record has the devices of QEMU's virt board, so what boots there boots here: an\n"
	        "IMAGE alone, or OpenSBI as --firmware with Linux and, as --dtb, the tree that\n"
	        "qemu-system-riscv64 -M virt,dumpdtb=FILE writes. The plugin libtrc-machine\n"
	        "records QEMU itself (-singlestep -plugin libtrc-machine.so,out=BUS), and\n"
	        "libtrc-bus a single program.\n"
	        "\n"
	        "A program is one for riscv64 Linux, preferably static. System calls and signals\n"
	        "are recorded by what they return and change. Forked processes are not recorded,\n"
	        "nor a program that replaces this one (exec); threads are refused. What other\n"
	        "processes write to shared memory may be missed, and a program that is killed by\n"
	        "a signal leaves no trace. L3 compares x and f registers, but not fcsr, and there\n"
	        "is no L4.\n"
	        "\n"
	        "Limits: RV64IMAFDC with machine, supervisor and user mode and Sv39, one hart, no\n"
	        "vectors. Traces of other machines cannot be made into packages. The caches must\n"
	        "be invalid when the trace starts, which slightly disturbs the traced system: for\n"
	        "that reason the paper calls the result nearly perfect.\n",
	.opt = opts,
	.opts = TRC_COUNT(opts),
	.settings = sizeof(struct trc_replay),
	.run = run,
};
