/* SPDX-License-Identifier: MIT
 * trc replay: whole instruction traces, computed from what a bus shows. */
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

/* Refuses a word that is neither an action nor a file, unless it looks like the name of a file. */
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
	                        "no file and no action '%s'", word);
}

/* The action that the first word names; `trc replay BUS OUT` is extract and run in one. */
static const struct trc_action *
choose(const struct trc_settings *all, struct trc_args *args, struct trc_err *err)
{
	(void)all;
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

/* record has QEMU run a program. */
static const char *
output(const struct trc_action *chosen, const struct trc_settings *all, const struct trc_args *args)
{
	const struct trc_replay s = trc_replay_of(all);

	return chosen == &trc_replay_record ? NULL : trc_replay_output(&s, args, 2, "-");
}

static const struct trc_example examples[] = {
	{ "the trace behind a bus trace, and what was compared",
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
	.notes =
	        "CITCAT (Rose and Flanagan 1996): a processor is deterministic, so a whole\n"
	        "instruction trace need not be stored. It follows from the initial state, the\n"
	        "initial image of memory and a timed list of external events; all three are\n"
	        "in a trace of what a monitor sees on the bus behind the cache.\n"
	        "\n"
	        "  replay extract BUS PKG   the three, as a package, from a bus trace\n"
	        "  replay run PKG [OUT]     the instruction trace, in any format, compared\n"
	        "  replay BUS [OUT]         both in one\n"
	        "  replay prune PKG NEW     a package without what no instruction needs\n"
	        "  replay info FILE         what is in a package or a bus trace\n"
	        "  replay record IMAGE BUS  a bus trace of our own machine, run live\n"
	        "  replay record --machine user -o BUS -- PROGRAM ARGUMENT...\n"
	        "                           a bus trace of a program, run by qemu-riscv64\n"
	        "\n"
	        "Each instruction is a fetch with its address, size and word, followed by its\n"
	        "loads and stores. Without OUT the trace is computed and compared, but not\n"
	        "written. The report says what was compared, at four levels:\n"
	        "\n"
	        "  L1  each event was taken by the instruction that it belongs to\n"
	        "  L2  each line that the bus trace fills or writes back (BUS, or --against BUS)\n"
	        "  L3  registers and memory at the end\n"
	        "  L4  the trace itself, by the hashes of an independent machine\n"
	        "\n"
	        "The first thing that does not hold is an error, which names the instruction. If\n"
	        "nothing differs, the last line is the verdict: proved, where each level held\n"
	        "for all of it, or else consistent, and what was not compared: without hashes a\n"
	        "changed bus trace may be consistent with another trace. --strict fails at once\n"
	        "where not all could be proved.\n"
	        "\n"
	        "A window (--skip, --limit) is computed from the beginning of the trace. With\n"
	        "--checkpoints N, for example 10M, extract and prune put the state after every N\n"
	        "instructions of a replay that held into the package; a window is then computed\n"
	        "from the last checkpoint before it, however far into the trace that is. What\n"
	        "comes before is not compared again, and the verdict names it.\n"
	        "\n"
	        "ChampSim (--to champsim, cloudsuite) gets complete records, derived from\n"
	        "instruction words. Registers keep their numbers, except where ChampSim gives\n"
	        "numbers a meaning: x0 is none, x2 (sp) is 6, x6 is 2, x25 is 32, x26 is 33; f0\n"
	        "to f31 are 64 to 95. ChampSim infers the type of a branch from its registers:\n"
	        "each branch writes 26, the pc; calls and returns (by x1 and x5) read and write 6\n"
	        "as well, so a call does not show that it writes x1; a branch that reads x2 reads\n"
	        "34. Before September 2023 ChampSim took conditional branches that read anything\n"
	        "but 25, the flags, for indirect ones: champsim:flags has them read the flags in\n"
	        "place of their registers, which is right for all versions, but depends on no\n"
	        "comparison. These formats cannot mark what the kernel executes: --drop kernel\n"
	        "makes it the user's. In formats that hold instruction words, --annotate riscv\n"
	        "adds branches and registers.\n"
	        "\n"
	        "record has the devices of QEMU's virt board, so what boots there boots here: an\n"
	        "IMAGE alone, or OpenSBI as --firmware with Linux and, as --dtb, the tree that\n"
	        "qemu-system-riscv64 -M virt,dumpdtb=FILE writes. The plugin libtrc-machine\n"
	        "records QEMU itself (-singlestep -plugin libtrc-machine.so,out=BUS), and\n"
	        "libtrc-bus a single program.\n"
	        "\n"
	        "A program is one for riscv64 Linux, preferably static. System calls and signals\n"
	        "are recorded by what they return and change. Processes that it forks (a note\n"
	        "says so) and what it becomes by exec are not; threads and instructions beyond\n"
	        "RV64GC are refused. QEMU's default processor has some, such as Zba, which\n"
	        "QEMU_CPU=rv64,zba=false turns off. What others write to shared memory may be\n"
	        "missed. trc ends with the program's status; where a signal kills it, it leaves\n"
	        "no trace. Hashes are made about every 2^20 instructions and at the end.\n"
	        "\n"
	        "Limits: RV64IMAFDC with machine, supervisor and user mode and Sv39, one hart, no\n"
	        "vectors. Traces of other machines cannot be made into packages. The caches must\n"
	        "be invalid when the trace starts, which slightly disturbs the traced system: for\n"
	        "that reason the paper calls the result nearly perfect.\n",
	.example = examples,
	.action = action,
	.common = common,
	.choose = choose,
	.output = output,
};
