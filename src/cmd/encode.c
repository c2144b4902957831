/* SPDX-License-Identifier: MIT
 * trc encode: a trace of any format into any other. */
#include "cmd/job/traces.h"
#include "cmd/habits.h"
#include "cmd/recording.h"

static int
run(const struct trc_settings *all, const struct trc_args *args, struct trc_err *err)
{
	const struct trc_job_out out = trc_job_out(all);
	const char *output = args->n > 1 ? args->word[args->n - 1] : "-";
	const struct trc_job_in in = trc_job_in_for(&out, output);
	const double start = trc_progress_clock();
	const struct trc_format *format;
	struct trc_job job;
	int ret = -1;

	if (trc_recording_output(all))
		return trc_recording_encode(all, args, err);
	if (trc_job_words(args, 1, SIZE_MAX, err))
		return -1;
	format = trc_job_format(&out, output, NULL, err);
	if (!format || trc_traces_open_words(&job, all, args, &in, out.quiet, err))
		return -1;
	job.again = trc_traces_open_again;
	ret = trc_job_write(&job, output, format, &out, err);
	if (ret == 0)
		trc_job_summary(&job, output, &out, start);
	trc_source_close(job.src);
	return ret;
}

static const struct trc_format *
each(const struct trc_settings *all, const char *input, struct trc_err *err)
{
	(void)all, (void)input, (void)err;
	return trc_format_named("trc");
}

/* A program that is recorded may write anything: what reads its trace is confined when it runs. */
static const char *
output(const struct trc_action *action, const struct trc_settings *all, const struct trc_args *args)
{
	return trc_recording_output(all) ? NULL : trc_job_output(action, all, args);
}

static const struct trc_opts *const takes[] = { &trc_recording_opts, &trc_traces_opts,
	                                        &trc_job_opts_in,    &trc_habits_opts_output,
	                                        TRC_JOB_TAKES_OUT,   NULL };
static const struct trc_action action = { .takes = takes, .run = run };
static const struct trc_action *const actions[] = { &action, NULL };

static const struct trc_example examples[] = {
	{ "archive a trace", "  trc encode sort.lackey.xz sort.trc\n" },
	{ "pack it for dinero, without what that cannot hold",
	  "  trc encode --drop size --split-modify sort.trc sort.din.xz\n" },
	{ "as small as it gets", "  trc encode -9e sort.lackey.xz small.trc\n" },
	{ "instructions for ChampSim",
	  "  trc encode --drop size --split-modify --to champsim:split \\\n"
	  "    sort.trc sort.champsim\n" },
	{ "requests in other people's csv, for libCacheSim",
	  "  printf 'time,object,size\\n1,7,512\\n2,9,4096\\n' >requests.csv\n"
	  "  trc encode --from csv:time=time,addr=object,size=size \\\n"
	  "    requests.csv requests.oracleGeneral.bin\n" },
	{ "a table for SQL", "  trc encode sort.trc sort.parquet\n"
	                     "  duckdb -c \"SELECT type, count(*) FROM 'sort.parquet'\n"
	                     "    GROUP BY ALL\"\n" },
	{ "with where it came from", "  trc encode --note machine=lab3 sort.lackey.xz lab3.trc\n" },
	{ "what is intact in a damaged container",
	  "  cat sort.trc sort.trc | head -c 90000 >cut.trc\n"
	  "  trc encode --salvage cut.trc rescued.trc\n" },
	{ "the parts of a split, merged", "  trc split --kernel pipeline.laplace-kernel.xz \\\n"
	                                  "    pipeline.laplace-diff.xz parts\n"
	                                  "  trc encode --to trc parts whole.trc\n" },
	{ NULL, NULL },
};

const struct trc_command trc_command_encode = {
	.name = "encode",
	.doc = "turn a trace of any format into any other",
	.usage = "[OPTION...] INPUT... [OUTPUT], or --record OUTPUT -- PROGRAM",
	.notes =
	        "INPUT is a file, plain or packed (xz, gz, bz2, zst, zip), - for standard input,\n"
	        "or a manifest, a text that names files which are one trace in their order ('trc\n"
	        "help stat' has more). Its format is recognised by its content. The format of\n"
	        "OUTPUT follows from its ending or from --to; an ending like .din.xz also packs\n"
	        "it. OUTPUT gets its name when it is complete, never before. With --force it may\n"
	        "be INPUT, if both are containers and all of it is kept; a text has more than its\n"
	        "records.\n"
	        "\n"
	        "Several inputs (then OUTPUT, or -, must be given), or the files of a folder that\n"
	        "trc split wrote, are merged in order of time: of the same time, events first,\n"
	        "then in the order of the inputs. Parts of one folder are merged by reference\n"
	        "time if they have it, which is exact. Traces that were reduced separately are\n"
	        "refused, since nothing is exact of the merged trace. With --concat, each input\n"
	        "follows the one before, whatever times they have, as if cat had joined them:\n"
	        "files of any formats that have the same columns, and all files of a folder, in\n"
	        "the order of their names.\n"
	        "\n"
	        "Where OUTPUT is a folder, by a slash at its end or by -o of one that is there,\n"
	        "each input becomes a file of its own in it, several at a time. What fails is\n"
	        "named, and all others are written; decode and reduce do the same.\n"
	        "\n"
	        "--only, --addr, --pc, --task and --space leave out records by what they have,\n"
	        "before --skip and --limit count them: --only read,write --addr 0x1000-0x1fff.\n"
	        "Both ends of a range count, one of them may be missing, and several ranges have\n"
	        "commas between them. A reduced trace is exact as a whole, so nothing but spaces\n"
	        "is chosen from it: choose from the original, and reduce that.\n"
	        "\n"
	        "What the output format cannot hold is named, and not dropped until --drop agrees\n"
	        "to lose it: columns, records of a type (--drop prefetch,copy-back), or, by the\n"
	        "word kernel, which references the kernel made. Where types are lost, records that\n"
	        "are not references are left out, too: --drop type,invalidate. --fill supplies what the output\n"
	        "format needs and the trace does not have: --fill size=4,asid=0. For a time it\n"
	        "takes a number, every:60 (0, 60, 120, ...), rtime or itime: as many cycles as\n"
	        "references or instructions so far, by the column of that name, or counted where\n"
	        "the trace is whole. --fill pc=fetch takes for the pc what the task fetched\n"
	        "last, as --pc does where there is none (0: nothing), and branch=path finds\n"
	        "branches by what it fetches next. --annotate riscv derives branches and registers from the\n"
	        "instruction words of a RISC-V trace (execlog, drmemtrace) as trc help replay\n"
	        "describes.\n"
	        "\n"
	        "--coalesce N writes the lanes of an instruction of a GPU's warp (nvbit, traceg)\n"
	        "as transactions of device memory: one for each aligned segment of N bytes that\n"
	        "a lane touches, in the order of the first touch, as the CUDA C++ Programming\n"
	        "Guide has it. Lanes are neighbouring records of one task and instruction time.\n"
	        "\n"
	        "--for PROGRAM agrees to all that: trc encode --for champsim IN OUT writes what\n"
	        "ChampSim reads, and notes what is lost, changed and made up on the way. 'trc\n"
	        "help programs' lists the programs. Without it, a refusal has the command below it\n"
	        "that does the same.\n"
	        "\n"
	        "--record OUTPUT -- PROGRAM ARGUMENT... runs a program and records it while it\n"
	        "runs, by valgrind, or by qemu-user and libtrc-system if there is no valgrind.\n"
	        "OUTPUT has one process, and what that becomes by exec. Processes that it starts\n"
	        "run unrecorded, and a note names them: 'trc split --record' records them all,\n"
	        "such as a pipeline, a program of sh -c. Standard streams are the program's own,\n"
	        "and no progress is shown.\n"
	        "trc ends when the program does (by qemu-user, when all have), with its exit\n"
	        "status, or 128 and the signal that ended it, and with 1 if recording failed.\n"
	        "SIGINT and SIGQUIT, as Ctrl-C sends them to both, are left to the program, and\n"
	        "trc ignores them: OUTPUT has what it did until it ended. SIGTERM or SIGHUP to\n"
	        "trc ends both, and leaves no OUTPUT. valgrind runs no setuid program.\n"
	        "A container is written as fast as by -1, if no level is given, and not read back:\n"
	        "'trc encode OUTPUT SMALLER' makes a smaller one of it.\n",
	.example = examples,
	.action = actions,
	.each = each,
	.output = output,
};
