/* SPDX-License-Identifier: MIT
 * trc encode: a trace of any format into any other. */
#include "cmd/inputs.h"

struct settings {
	struct trc_job_in in;
	struct trc_job_out out;
};

static const struct trc_opt opts[] = {
	TRC_OPTS_IN(struct settings),
	TRC_OPTS_OUT(struct settings),
};

static int
run(const void *settings, const struct trc_args *args, struct trc_err *err)
{
	const struct settings *s = settings;
	const char *output = args->n > 1 ? args->word[args->n - 1] : "-";
	const size_t inputs = args->n > 2 ? args->n - 1 : 1;
	const struct trc_format *format;
	struct trc_job job;
	int ret = -1;

	if (trc_job_words(args, 1, SIZE_MAX, err))
		return -1;
	format = trc_job_format(&s->out, output, NULL, err);
	if (!format || (inputs > 1 ? trc_inputs_open(&job, args->word, inputs, &s->in, err) :
	                             trc_job_open(&job, args->word[0], &s->in, err)))
		return -1;
	ret = trc_job_write(&job, output, format, &s->out, err);
	trc_source_close(job.src);
	return ret;
}

const struct trc_command trc_command_encode = {
	.name = "encode",
	.doc = "turn a trace of any format into any other",
	.usage = "[OPTION...] INPUT... [OUTPUT]",
	.notes = "INPUT is a file, plain or packed (xz, gz, bz2, zst, zip), or - for standard\n"
	         "input.\n"
	         "What it holds is recognised by its content. The format of OUTPUT is that of\n"
	         "its ending, or of --to; an ending like .din.xz packs it, too. OUTPUT has its\n"
	         "name when it is whole, never before.\n"
	         "\n"
	         "Several inputs, with OUTPUT (or -) behind them, and the files of a folder as trc\n"
	         "split writes it, are merged in order of time; of the same time, events first,\n"
	         "then in the order given. Parts of one folder that have it are merged by\n"
	         "reference time, which is exact. Traces that were reduced each by itself are\n"
	         "refused, since nothing is exact of them together.\n"
	         "\n"
	         "What the output format cannot hold is refused, and named. --drop agrees to lose\n"
	         "it; --fill supplies what the output format needs and the trace does not have.\n"
	         "--annotate riscv tells branches and registers of a trace of RISC-V that has\n"
	         "instruction words (execlog, drmemtrace), as 'trc help replay' has them.\n",
	.opt = opts,
	.opts = TRC_COUNT(opts),
	.settings = sizeof(struct settings),
	.run = run,
};
