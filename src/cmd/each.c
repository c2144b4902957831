/* SPDX-License-Identifier: MIT */
#include "cmd/each.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cores.h"
#include "base/io/confine.h"
#include "base/io/temporary.h"
#include "base/pool.h"
#include "base/shown.h"
#include "cmd/job/job.h"
#include "cmd/job/traces.h"
#include "cmd/report.h"
#include "cmd/names/folder.h"

/* An input and its output file. */
struct item {
	const char *input;
	char *output;
	struct trc_err err;
};

/* A run over all inputs. */
struct each {
	const struct trc_action *action;
	struct trc_settings settings; /* for a single input; quiet */
	const char *folder;
	struct item *item;
	size_t n, failed;
	struct trc_traces traces;
	bool verbose;
	struct trc_progress progress;
	struct trc_err *err;
};

bool
trc_each_wanted(const struct trc_settings *settings, const struct trc_args *args)
{
	/* With these, the inputs belong together, or the output is not one file per input. */
	static const char *const others[] = { "merge",  "partial", "shards",
		                              "concat", "record",  "simpoint" };
	const char *last = args->n > 1 ? args->word[args->n - 1] : "";
	const size_t len = strlen(last);

	for (size_t i = 0; i < TRC_COUNT(others); i++)
		if (trc_settings_named(settings, others[i]))
			return false;
	return settings->command->each && len > 0 &&
	       (last[len - 1] == '/' ||
	        (trc_settings_named(settings, "output") && trc_folder_is(last)));
}

/* ---- names ---- */

static int
add_inputs(struct each *e, const struct trc_settings *settings, const struct trc_args *args,
           struct trc_err *err)
{
	if (trc_traces_list(&e->traces, settings, args->word, args->n - 1,
	                    trc_settings_named(settings, "quiet"), err))
		return -1;
	e->item = trc_alloc(e->traces.n, sizeof(*e->item), err);
	for (; e->item && e->n < e->traces.n; e->n++)
		e->item[e->n].input = e->traces.trace[e->n].path[0];
	return e->item ? 0 : -1;
}

/* Copies the name of an input without folders and without endings of packings and formats. */
static void
stem(const char *input, char *dst, size_t room)
{
	size_t len = strlen(input), start;
	const struct trc_format *f;

	while (len > 1 && input[len - 1] == '/')
		len--;
	for (start = len; start > 0 && input[start - 1] != '/'; start--)
		;
	snprintf(dst, room, "%.*s", (int)(len - start), input + start);
	dst[trc_format_stem(dst, &f)] = 0;
}

/* Returns FOLDER/STEM.ENDING, including the ending of the packing; the caller frees it. */
static char *
name_output(const struct each *e, const char *input, struct trc_err *err)
{
	const struct trc_job_out out = trc_job_out(&e->settings);
	const struct trc_packing *row =
	        out.compress ? trc_packing_named(out.compress, strcspn(out.compress, ":")) : NULL;
	const struct trc_format *f = e->settings.command->each(&e->settings, input, err);
	char name[256], whole[512];

	if (strcmp(input, "-") == 0) {
		trc_fail_as(err, TRC_USAGE,
		            "standard input has no name for a file in '%s'; name the output file",
		            e->folder);
		return NULL;
	}
	if (f)
		f = trc_job_format(&out, "", f, err);
	if (!f)
		return NULL;
	stem(input, name, sizeof(name));
	snprintf(whole, sizeof(whole), "%s%s%s%s%s", name, f->ending ? "" : ".",
	         f->ending ? f->ending : f->name, row ? "." : "", row ? row->name : "");
	return trc_folder_join(e->folder, whole, err);
}

/* Names all outputs. If an input cannot be examined, only that input fails; two outputs of the same
 * name are refused. */
static int
name_all(struct each *e, struct trc_err *err)
{
	for (size_t i = 0; i < e->n; i++) {
		struct item *item = &e->item[i];

		item->output = name_output(e, item->input, &item->err);
		for (size_t k = 0; item->output && k < i; k++)
			if (e->item[k].output && strcmp(e->item[k].output, item->output) == 0)
				return trc_fail_as(err, TRC_USAGE,
				                   "'%s' and '%s' would both become '%s'",
				                   e->item[k].input, item->input, item->output);
	}
	return 0;
}

/* ---- work ---- */

static void
write_one(void *arg, size_t i)
{
	struct each *e = arg;
	struct item *item = &e->item[i];
	const char *word[2] = { item->input, item->output };
	const struct trc_args args = { .word = word, .n = 2 };

	if (!item->output || e->action->run(&e->settings, &args, &item->err))
		return;
	item->err.code = TRC_OK;
}

static bool
report(void *arg, size_t i)
{
	struct each *e = arg;
	struct item *item = &e->item[i];

	e->progress.step++;
	if (item->err.code == TRC_STOPPED) {
		*e->err = item->err;
		return false;
	}
	trc_progress_hide(&e->progress);
	if (item->err.code != TRC_OK) {
		e->failed++;
		if (strncmp(item->err.text, item->input, strlen(item->input)) != 0)
			trc_err_in(&item->err, "%s", item->input);
		trc_shown(item->err.text);
		fprintf(stderr, "trc %s: %s\n", e->settings.command->name, item->err.text);
	} else if (e->verbose) {
		trc_report_note("trc: %s -> %s\n", item->input, item->output);
	}
	trc_progress_go_on(&e->progress);
	trc_progress_passed(&e->progress, 1);
	return true;
}

static int
write_all(struct each *e, struct trc_err *err)
{
	struct trc_job_in *in = trc_settings_at(&e->settings, &trc_job_opts_in);
	bool *quiet = trc_settings_at(&e->settings, &trc_job_opts_quiet);
	const int most = trc_threads(in->threads);
	const int jobs = (size_t)most < e->n ? most : (int)e->n;

	/* A single job uses all cores; several jobs share them, one each. */
	if (jobs > 1)
		in->threads = 1;
	e->err = err;
	in->named = !*quiet;
	trc_progress_init(&e->progress, "files", *quiet);
	e->progress.steps = "files";
	e->progress.of_steps = e->n;
	*quiet = true;
	trc_pool_ordered(jobs, TRC_POOL_WINDOW, write_one, report, e, e->n);
	trc_progress_end(&e->progress);
	if (err->code != TRC_OK)
		return -1;
	if (e->failed == 0)
		return 0;
	if (e->failed == e->n)
		return trc_fail(err, "none of the inputs could be converted");
	return trc_fail(err, "%zu of %zu inputs failed; '%s' has the outputs of the others",
	                e->failed, e->n, e->folder);
}

static int
run_in_folder(struct each *e, struct trc_err *err)
{
	const bool made = mkdir(e->folder, 0777) == 0;
	const int number = errno;
	char *inside;
	int ret;

	if (!made && number != EEXIST) {
		trc_fail_errno(err, number, "cannot create '%s'", e->folder);
		return trc_temporary_no_folder(e->folder, number, err);
	}
	inside = trc_folder_join(e->folder, "x", err);
	if (!inside)
		return -1;
	(void)trc_confine(inside);
	free(inside);
	ret = write_all(e, err);
	if (made && ret)
		(void)rmdir(e->folder); /* fails if outputs are in it, which then stay */
	return ret;
}

int
trc_each_run(const struct trc_action *action, const struct trc_settings *settings,
             const struct trc_args *args, struct trc_err *err)
{
	struct each e = { .action = action, .folder = args->word[args->n - 1] };
	int ret = -1;

	e.verbose = trc_job_in(settings)->verbose;
	if (trc_settings_copy(settings, &e.settings, err))
		return -1;
	if (add_inputs(&e, settings, args, err) == 0 && name_all(&e, err) == 0)
		ret = run_in_folder(&e, err);
	for (size_t i = 0; i < e.n; i++)
		free(e.item[i].output);
	free(e.item);
	trc_traces_release(&e.traces);
	trc_settings_release(&e.settings);
	return ret;
}
