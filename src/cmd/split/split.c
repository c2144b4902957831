/* SPDX-License-Identifier: MIT
 *
 * trc split: splits the trace of a whole system by process and task, or any trace by a column or by
 * length. parts.c and windows.c write the parts.
 */
#include "cmd/split/split.h"

#include <string.h>

#include "cmd/job/inputs.h"
#include "cmd/job/modules.h"
#include "cmd/recording.h"
#include "cmd/conventions.h"
#include "stage/space/space.h"
#include "stage/stage.h"

static const struct trc_opts opts_split =
        TRC_OPTS(struct trc_split_options,
                 { 'k', "kernel", "KERNEL", "split by process, using these kernel events",
                   TRC_OPT_TEXT, TRC_WORDS_FILE, offsetof(struct trc_split_options, kernel) },
                 { 0, "basic", NULL, "with --kernel: write one file, in order of time",
                   TRC_OPT_FLAG, TRC_WORDS_NONE, offsetof(struct trc_split_options, basic) },
                 { 0, "by", "task|process|space|type", "write a file for each", TRC_OPT_CHOICE,
                   TRC_WORDS_NONE, offsetof(struct trc_split_options, by) },
                 { 0, "at", "N", "cut after N references; can be repeated", TRC_OPT_LIST,
                   TRC_WORDS_NONE, offsetof(struct trc_split_options, at) },
                 { 0, "every", "N[i]", "cut after every N references (Ni: instructions)",
                   TRC_OPT_EXTENT, TRC_WORDS_NONE, offsetof(struct trc_split_options, every) },
                 { 0, "page-size", "BYTES", "page size (default 4096)", TRC_OPT_BYTES,
                   TRC_WORDS_NONE, offsetof(struct trc_split_options, page_size) });

enum { PAGE_SIZE = 4096 };

static int
check_settings(const struct trc_split *s, const struct trc_args *args, struct trc_err *err)
{
	const bool windows = s->opt->every || s->opt->at.n > 0;
	const int ways = (s->opt->by != TRC_SPLIT_NOT) + s->opt->basic + (s->opt->every > 0) +
	                 (s->opt->at.n > 0);

	if (args->n == 1)
		return trc_fail_as(err, TRC_USAGE,
		                   "needs an output: a folder for the parts, or with --basic a "
		                   "file");
	if (trc_job_words(args, 2, 2, err))
		return -1;
	if (ways > 1)
		return trc_fail_as(err, TRC_USAGE,
		                   "--basic, --by, --at and --every exclude each other");
	if (s->opt->kernel && windows)
		return trc_fail_as(err, TRC_USAGE,
		                   "%s splits by process; cut its output, or cut without it",
		                   s->recorded ? "--record" : "--kernel");
	if (!s->opt->kernel && s->opt->basic)
		return trc_fail_as(err, TRC_USAGE, "--basic needs --kernel KERNEL");
	if (!s->opt->kernel && s->opt->page_size)
		return trc_fail_as(err, TRC_USAGE, "--page-size needs --kernel KERNEL");
	if (!s->opt->kernel && s->opt->by == TRC_SPLIT_PROCESS)
		return trc_fail_as(err, TRC_USAGE, "--by process needs --kernel KERNEL");
	if (!s->opt->kernel && ways == 0)
		return trc_fail_as(err, TRC_USAGE, "needs --kernel KERNEL, --by, --at or --every");
	if (s->out.publish.force && !s->opt->basic)
		return trc_fail_as(err, TRC_USAGE,
		                   "--force is for files, but '%s' would be a "
		                   "folder",
		                   args->word[1]);
	return 0;
}

/* Opens a file of events whose format was not recognised, to report its invalid line. The message
 * must not suggest --from, which is for the trace. */
static int
open_as_kernel(struct trc_job *kernel, const char *const *path, const struct trc_job_in *plain,
               struct trc_err *err)
{
	struct trc_job_in as = *plain;
	struct trc_err none;

	as.from = "laplace-kernel";
	if (err->code != TRC_FAILED || trc_job_again(*path, "", &none))
		return -1;
	return trc_inputs_open(kernel, path, 1, &as, true, err) ? trc_err_in(err, "--kernel") : 0;
}

/* Merges the kernel events into job->src. */
static int
add_kernel(const struct trc_split *s, const struct trc_args *args, struct trc_job *job,
           struct trc_err *err)
{
	const struct trc_job_in plain = { .threads = s->in->threads,
		                          .provenance = s->in->provenance };
	struct trc_merging from[2];
	struct trc_source *merged;
	struct trc_job kernel;

	if (trc_inputs_open(&kernel, &s->opt->kernel, 1, &plain, s->out.quiet, err) &&
	    open_as_kernel(&kernel, &s->opt->kernel, &plain, err))
		return -1;
	if (!(kernel.src->have & TRC_HAS_EVENT)) {
		trc_fail(err, "--kernel: '%s' is %s, not a trace of kernel events (laplace-kernel)",
		         s->opt->kernel, kernel.format->name);
		trc_source_close(kernel.src);
		return -1;
	}
	from[0] = (struct trc_merging){ kernel.src, s->opt->kernel, TRC_BATCH_ROWS };
	from[1] = (struct trc_merging){ job->src, args->word[0], TRC_BATCH_ROWS };
	merged = trc_stage_merge(from, 2, TRC_COL_TIME, err);
	if (!merged) {
		trc_source_close(kernel.src);
		return -1;
	}
	job->src = merged;
	return 0;
}

/* Drops the columns that the merge or split itself added, if the format cannot hold them. The page
 * number is dropped if the format has addresses. */
static int
fit_columns(struct trc_job *job, const struct trc_format *format, struct trc_err *err)
{
	const uint32_t merge = TRC_HAS_CPN & format->needs ? TRC_HAS_ADDR | TRC_HAS_ASID : 0;
	const uint32_t added = TRC_HAS_TASK | TRC_HAS_VPN | TRC_HAS_CPN | TRC_HAS_RTIME;
	uint32_t drop = job->src->have & ~format->holds & (added | merge);

	if (job->src->have & format->holds & TRC_HAS_ADDR)
		drop |= TRC_HAS_VPN;
	return trc_job_drop(job, drop, err);
}

static bool
every(const void *of, const struct trc_executed_space *space)
{
	(void)of, (void)space;
	return true;
}

static int
put_files(void *recorded, struct trc_buf *list, struct trc_err *err)
{
	return trc_recording_files(recorded, every, NULL, list, err);
}

/* Writes one file, whose provenance has what a recorded program executed. */
static int
write_basic(const struct trc_split *s, struct trc_job *job, const char *output,
            const struct trc_format *format, struct trc_err *err)
{
	if (s->recorded && trc_job_wrap(job, trc_modules_source(job->src, put_files,
	                                                        (void *)s->recorded, false, err)))
		return -1;
	return fit_columns(job, format, err) || trc_job_write(job, output, format, &s->out, err) ?
	               -1 :
	               0;
}

static int
split_kernel(const struct trc_split *s, const struct trc_args *args, struct trc_job *job,
             struct trc_err *err)
{
	const char *merge = s->opt->basic ? "basic" : "merge", *output = args->word[1];
	const struct trc_format *format = trc_job_format(&s->out, s->opt->basic ? output : "-",
	                                                 trc_format_named(merge), err);
	struct trc_spaces *spaces;
	unsigned page_bits;
	int ret = -1;

	if (!format ||
	    trc_job_page_bits(s->opt->page_size ? s->opt->page_size : PAGE_SIZE, &page_bits, err))
		return -1;
	spaces = trc_spaces_open(page_bits, err);
	if (!spaces)
		return -1;
	if ((s->recorded || add_kernel(s, args, job, err) == 0) &&
	    trc_job_wrap(job, trc_stage_canonical(job->src, page_bits, spaces, err)) == 0) {
		/* Parts by space or process need columns that some formats lose. */
		if (s->opt->basic)
			ret = write_basic(s, job, output, format, err);
		else
			ret = trc_split_parts(s, job, output, format, spaces, fit_columns, err);
	}
	/* Close the stage that uses `spaces` first. */
	trc_source_close(job->src);
	job->src = NULL;
	trc_spaces_close(spaces);
	return ret;
}

static int
split_plain(const struct trc_split *s, const struct trc_args *args, struct trc_job *job,
            struct trc_err *err)
{
	const struct trc_format *same = trc_format_writes(job->format) ? job->format : NULL;
	const struct trc_format *format = trc_job_format(&s->out, "", same, err);

	if (!format)
		return -1;
	if (s->opt->by)
		return trc_split_parts(s, job, args->word[1], format, NULL, NULL, err);
	return trc_split_windows(s, job, args->word[0], args->word[1], format, err);
}

static int
split_input(struct trc_split *s, const struct trc_args *args, struct trc_err *err)
{
	const char *file = s->opt->basic && args->n > 1 ? args->word[1] : "";
	const struct trc_job_in in = trc_job_in_for(&s->out, file);
	struct trc_job job;
	int ret;

	s->in = &in;
	if (trc_inputs_open(&job, args->word, 1, s->in, s->out.quiet, err))
		return -1;
	ret = s->opt->kernel ? split_kernel(s, args, &job, err) : split_plain(s, args, &job, err);
	trc_source_close(job.src);
	return ret;
}

/* Records the program of `settings`, and splits its trace by process into containers. */
static int
record(struct trc_split *s, const char *output, const struct trc_settings *settings,
       struct trc_err *err)
{
	struct trc_split_options opt = *s->opt;
	const char *word[] = { "the recorder", output };
	const struct trc_args words = { .word = word, .n = TRC_COUNT(word) };
	struct trc_job_in in;
	struct trc_recorded recorded;
	struct trc_job job;
	int ret;

	if (opt.kernel)
		return trc_fail_as(err, TRC_USAGE,
		                   "--kernel: with --record, the events are recorded");
	opt.kernel = word[0];
	s->opt = &opt;
	s->in = &in;
	s->recorded = &recorded;
	s->out.recording = true;
	if (!s->out.to)
		s->out.to = "trc";
	in = trc_job_in_for(&s->out, output);
	if (check_settings(s, &words, err) ||
	    trc_recording_system(&recorded, &job, &in, output, settings, err))
		return -1;
	ret = split_kernel(s, &words, &job, err);
	trc_source_close(job.src);
	if (ret == 0)
		ret = trc_recording_wait(&recorded, output, err);
	trc_recording_close(&recorded);
	return ret;
}

static int
run(const struct trc_settings *settings, const struct trc_args *args, struct trc_err *err)
{
	struct trc_split split = { .opt = trc_settings_of(settings, &opts_split),
		                   .out = trc_job_out(settings) };
	const char *output = trc_recording_output(settings);

	split.out.loses = "the trace without events";
	if (output)
		return trc_program_own(record(&split, output, settings, err), err);
	return check_settings(&split, args, err) ? -1 : split_input(&split, args, err);
}

static const struct trc_action action = {
	.takes = TRC_TAKES(&opts_split, &trc_recording_opts, &trc_job_opts_in,
	                   &trc_conventions_opts_output, TRC_JOB_TAKES_OUT),
	.run = run
};
static const struct trc_action *const actions[] = { &action, NULL };

static const struct trc_example examples[] = {
	{ "a folder for each process, a file for each task",
	  "  trc split --kernel pipeline.laplace-kernel.xz \\\n"
	  "    pipeline.laplace-diff.xz parts\n" },
	{ "parts of 300,000 references", "  trc split --every 300k sort.lackey.xz pieces\n" },
	{ "loads, stores and fetches apart", "  trc split --by type sort.lackey.xz types\n" },
	{ "reduce and simulate each task of the first example",
	  "  for t in parts/*/*.merge; do\n"
	  "    trc reduce --drop event,cpn --sad 64 $t $t.sad\n"
	  "    trc stat --mrc $t.sad\n"
	  "  done\n" },
	{ NULL, NULL },
};

const struct trc_command trc_command_split = {
	.name = "split",
	.doc = "split a trace by process and task, or cut it",
	.usage = "[OPTION...] TRACE OUTPUT, or --record OUTPUT -- PROGRAM",
	.example = examples,
	.action = actions,
	.output = trc_recording_or_output,
};
