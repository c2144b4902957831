/* SPDX-License-Identifier: MIT
 * trc decode: converts a trace of any format to plain text. */
#include "cmd/job/inputs.h"
#include "cmd/job/traces.h"
#include "cmd/conventions.h"

#include <stdio.h>

/* Returns the text format that the trace was made from, unless it no longer holds all columns, such
 * as the tasks that a split adds; then the plain format for its columns. */
static const struct trc_format *
plain(const struct trc_settings *settings, const struct trc_job *job)
{
	const struct trc_format *f = trc_format_named(job->src->meta.format);
	const bool more = f && job->src->have & ~(f->holds | f->takes) &&
	                  !trc_settings_named(settings, "drop");

	return f && f->line && trc_format_writes(f) && !more ? f : trc_format_plain(job->src->have);
}

/* Fails with the command that writes the format. If a preset (--for) writes it, the command uses
 * that, because programs often need more than the name of a format. */
static int
refuse_binary(const struct trc_settings *settings, const struct trc_format *f, struct trc_err *err)
{
	static const char *const but[] = { "output", "stdout", NULL };
	static const char *const but_to[] = { "output", "stdout", "to", NULL };
	const struct trc_preset *preset = NULL;
	struct trc_buf b = { 0 };
	struct trc_err other = { 0 };
	int ret;

	while (!trc_settings_named(settings, "for") && (preset = trc_preset_next(preset)))
		if (trc_format_named(preset->to) == f)
			break;
	ret = trc_settings_word(&b, "trc", &other) || trc_settings_word(&b, "encode", &other) ||
	      (preset && (trc_settings_word(&b, "--for", &other) ||
	                  trc_settings_word(&b, preset->name, &other))) ||
	      trc_settings_line(settings, preset ? but_to : but, &b, &other);
	for (size_t i = 0; settings->args && i < settings->args->n && ret == 0; i++)
		ret = trc_settings_word(&b, settings->args->word[i], &other);
	trc_fail_as(err, TRC_USAGE,
	            "%s is binary, not plain text; this command writes it:", f->name);
	if (ret == 0 && b.n + 2 < sizeof(err->more))
		snprintf(err->more, sizeof(err->more), " %.*s\n", (int)b.n, (char *)b.p);
	trc_buf_release(&b);
	return -1;
}

static int
run(const struct trc_settings *settings, const struct trc_args *args, struct trc_err *err)
{
	const struct trc_job_in *in = trc_job_in(settings);
	const struct trc_job_out out = trc_job_out(settings);
	const char *output = args->n > 1 ? args->word[args->n - 1] : "-";
	const double start = trc_progress_clock();
	const struct trc_format *format;
	struct trc_job job;
	int ret = -1;

	if (trc_job_words(args, 1, trc_traces_in_order(settings) ? SIZE_MAX : 2, err) ||
	    trc_traces_open_words(&job, settings, args, in, out.quiet, err))
		return -1;
	format = trc_job_format(&out, output, plain(settings, &job), err);
	if (format && format->binary && !format->piped)
		(void)refuse_binary(settings, format, err);
	job.again = trc_traces_open_again;
	if (format && (!format->binary || format->piped))
		ret = trc_job_write(&job, output, format, &out, err);
	if (ret == 0)
		trc_job_summary(&job, output, &out, start);
	trc_source_close(job.src);
	return ret;
}

static const struct trc_format *
format_for(const struct trc_settings *settings, const char *input, struct trc_err *err)
{
	struct trc_job_in in = *trc_job_in(settings);
	const struct trc_format *f;
	struct trc_job job;

	in.verbose = false;
	if (trc_inputs_open(&job, &input, 1, &in, true, err))
		return NULL;
	f = plain(settings, &job);
	trc_source_close(job.src);
	if (!f)
		trc_fail(err,
		         "%s: no plain text format holds all columns; use --to FORMAT or "
		         "--drop",
		         input);
	return f;
}

static const struct trc_opts *const takes[] = { &trc_traces_opts, &trc_job_opts_in,
	                                        &trc_conventions_opts_output, TRC_JOB_TAKES_OUT,
	                                        NULL };
static const struct trc_action action = { .takes = takes, .run = run };
static const struct trc_action *const actions[] = { &action, NULL };

static const struct trc_example examples[] = {
	{ "three records from the middle, as text",
	  "  trc decode --skip 500k --limit 3 sort.lackey.xz\n" },
	{ "every column, named", "  trc decode --to csv --limit 3 sort.lackey.xz\n" },
	{ "the text that a container was made of", "  trc encode sort.lackey.xz sort.trc\n"
	                                           "  trc decode sort.trc sort.lackey\n" },
	{ NULL, NULL },
};

const struct trc_command trc_command_decode = {
	.name = "decode",
	.doc = "convert a trace of any format to plain text",
	.usage = "[OPTION...] INPUT [OUTPUT], or --concat INPUT... OUTPUT",
	.example = examples,
	.action = actions,
	.each = format_for,
	.output = trc_job_output,
};
