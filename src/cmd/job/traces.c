/* SPDX-License-Identifier: MIT */
#include "cmd/job/traces.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/shown.h"
#include "cmd/job/inputs.h"

const struct trc_opts trc_traces_opts =
        TRC_OPTS_FLAG("concat", "join all INPUTs into one trace, in this order");

bool
trc_traces_in_order(const struct trc_settings *settings)
{
	return *(const bool *)trc_settings_of(settings, &trc_traces_opts);
}

const char *
trc_traces_name(const char *const *path, size_t n, char *dst)
{
	const char *slash = strrchr(path[0], '/');
	char more[32] = "";

	if (n > 1)
		snprintf(more, sizeof(more), " and %zu more", n - 1);
	snprintf(dst, TRC_TRACES_NAME, "%.*s%s", (int)(TRC_TRACES_NAME - sizeof(more)),
	         slash && slash[1] ? slash + 1 : path[0], more);
	return dst;
}

/* ---- which there are ---- */

/* Files of a folder; one with more is a single trace, written by a split. */
enum { LOOKED_AT = 64 };

/* Returns true if a folder or archive is one trace in several parts, that is, if it opens as
 * one. */
static bool
is_one(const char *folder, const struct trc_job_in *settings, struct trc_err *why)
{
	struct trc_job_in in = *settings;
	struct trc_files files = { 0 };
	struct trc_job job;
	bool many;

	in.verbose = false;
	many = trc_files_named(&files, folder, why) || files.n == 0 || files.n > LOOKED_AT;
	trc_files_release(&files);
	if (many)
		return true;
	if (trc_inputs_open(&job, &folder, 1, &in, true, why))
		return why->code == TRC_STOPPED;
	trc_source_close(job.src);
	return true;
}

static int
add(struct trc_traces *t, const char *const *path, size_t n, bool in_order, struct trc_err *err)
{
	if (trc_grow(&t->trace, &t->cap, t->n + 1, sizeof(*t->trace), err))
		return -1;
	t->trace[t->n++] = (struct trc_trace){ path, n, in_order };
	return 0;
}

static void
note_folder(const char *folder)
{
	char text[512];

	snprintf(text, sizeof(text), "note: the files of '%.400s' are not parts of one trace",
	         folder);
	trc_shown(text);
	fprintf(stderr, "%s\n", text);
}

/* Adds the traces of a word. A word that cannot be examined counts as one trace; opening it then
 * reports the reason. */
static int
add_word(struct trc_traces *t, const char *const *word, const struct trc_job_in *in, bool quiet,
         struct trc_err *err)
{
	struct trc_err why = { 0 };
	bool several;
	size_t n;

	if (trc_files_several(*word, &several, &why) || !several || is_one(*word, in, &why))
		return add(t, word, 1, false, err);
	n = t->files.n;
	if (trc_files_named(&t->files, *word, err))
		return -1;
	if (!quiet && t->files.n > n + 1)
		note_folder(*word);
	/* The paths are set later by name_files(), because the array that holds them still
	 * grows. */
	for (; n < t->files.n; n++)
		if (add(t, NULL, 1, false, err))
			return -1;
	return 0;
}

/* Sets the paths of the files found in folders, in their order. */
static int
name_files(struct trc_traces *t, struct trc_err *err)
{
	size_t n = 0;

	t->path = trc_alloc(t->files.n + 1, sizeof(*t->path), err);
	if (!t->path)
		return -1;
	for (size_t i = 0; i < t->n; i++)
		if (!t->trace[i].path) {
			t->path[n] = t->files.file[n].path;
			t->trace[i].path = &t->path[n++];
		}
	return 0;
}

int
trc_traces_list(struct trc_traces *t, const struct trc_settings *settings, const char *const *word,
                size_t n, bool quiet, struct trc_err *err)
{
	*t = (struct trc_traces){ 0 };
	if (trc_traces_in_order(settings))
		return add(t, word, n, true, err);
	for (size_t i = 0; i < n; i++)
		if (add_word(t, &word[i], trc_job_in(settings), quiet, err))
			return -1;
	return name_files(t, err);
}

void
trc_traces_release(struct trc_traces *t)
{
	free(t->trace);
	free(t->path);
	trc_files_release(&t->files);
}

/* ---- opening them ---- */

int
trc_trace_open(struct trc_job *job, const struct trc_trace *t, const struct trc_job_in *in,
               bool quiet, struct trc_err *err)
{
	bool several = t->n > 1;

	if (t->in_order && !several && trc_files_several(t->path[0], &several, err))
		return -1;
	return t->in_order && several ? trc_inputs_concat(job, t->path, t->n, in, err) :
	                                trc_inputs_open(job, t->path, t->n, in, quiet, err);
}

int
trc_traces_open_words(struct trc_job *job, const struct trc_settings *settings,
                      const struct trc_args *args, const struct trc_job_in *in, bool quiet,
                      struct trc_err *err)
{
	const struct trc_trace all_words = { args->word, args->n > 2 ? args->n - 1 : 1,
		                             trc_traces_in_order(settings) };

	return trc_trace_open(job, &all_words, in, quiet, err);
}

int
trc_traces_open_again(struct trc_job *job, const struct trc_settings *settings, struct trc_err *err)
{
	return trc_traces_open_words(job, settings, settings->args, trc_job_in(settings), true,
	                             err);
}
