/* SPDX-License-Identifier: MIT
 * trc encode: converts a trace of any format to any other. */
#include "cmd/job/traces.h"
#include "cmd/conventions.h"
#include "cmd/recording.h"

static int
run(const struct trc_settings *settings, const struct trc_args *args, struct trc_err *err)
{
	const struct trc_job_out out = trc_job_out(settings);
	const char *output = args->n > 1 ? args->word[args->n - 1] : "-";
	const struct trc_job_in in = trc_job_in_for(&out, output);
	const double start = trc_progress_clock();
	const struct trc_format *format;
	struct trc_job job;
	int ret = -1;

	if (trc_recording_output(settings))
		return trc_program_own(trc_recording_encode(settings, args, err), err);
	if (trc_job_words(args, 1, SIZE_MAX, err))
		return -1;
	format = trc_job_format(&out, output, NULL, err);
	if (!format || trc_traces_open_words(&job, settings, args, &in, out.quiet, err))
		return -1;
	job.again = trc_traces_open_again;
	ret = trc_job_write(&job, output, format, &out, err);
	if (ret == 0)
		trc_job_summary(&job, output, &out, start);
	trc_source_close(job.src);
	return ret;
}

static const struct trc_format *
format_for(const struct trc_settings *settings, const char *input, struct trc_err *err)
{
	(void)settings, (void)input, (void)err;
	return trc_format_named("trc");
}

static const struct trc_action action = {
	.takes = TRC_TAKES(&trc_recording_opts, &trc_recording_opts_by, &trc_traces_opts,
	                   &trc_job_opts_in, &trc_conventions_opts_output, TRC_JOB_TAKES_OUT),
	.run = run
};
static const struct trc_action *const actions[] = { &action, NULL };

static const struct trc_example examples[] = {
	{ "archive a trace", "  trc encode sort.lackey.xz sort.trc\n" },
	{ "pack it for dinero, dropping what dinero cannot hold",
	  "  trc encode --drop size --split-modify sort.trc sort.din.xz\n" },
	{ "the smallest container", "  trc encode -9e sort.lackey.xz small.trc\n" },
	{ "instructions for ChampSim",
	  "  trc encode --drop size --split-modify --to champsim:split \\\n"
	  "    sort.trc sort.champsim\n" },
	{ "requests in a foreign csv, for libCacheSim",
	  "  printf 'time,object,size\\n1,7,512\\n2,9,4096\\n' >requests.csv\n"
	  "  trc encode --from csv:time=time,addr=object,size=size \\\n"
	  "    requests.csv requests.oracleGeneral.bin\n" },
	{ "a table for SQL", "  trc encode sort.trc sort.parquet\n"
	                     "  duckdb -c \"SELECT type, count(*) FROM 'sort.parquet'\n"
	                     "    GROUP BY ALL\"\n" },
	{ "with notes about its origin",
	  "  trc encode --note machine=lab3 sort.lackey.xz lab3.trc\n" },
	{ "the intact parts of a damaged container",
	  "  cat sort.trc sort.trc | head -c 90000 >cut.trc\n"
	  "  trc encode --salvage cut.trc rescued.trc\n" },
	{ "the parts of a split, merged", "  trc split --kernel pipeline.laplace-kernel.xz \\\n"
	                                  "    pipeline.laplace-diff.xz parts\n"
	                                  "  trc encode --to trc parts whole.trc\n" },
	{ NULL, NULL },
};

const struct trc_command trc_command_encode = {
	.name = "encode",
	.doc = "convert a trace from any format to any other",
	.usage = "[OPTION...] INPUT... [OUTPUT], or --record OUTPUT -- PROGRAM",
	.example = examples,
	.action = actions,
	.each = format_for,
	.output = trc_recording_or_output,
};
