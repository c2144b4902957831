/* SPDX-License-Identifier: MIT */
#include "cmd/conventions.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/io/out.h"
#include "base/io/reads.h"
#include "base/io/temporary.h"
#include "cmd/names/overwrite.h"
#include "cmd/each.h"
#include "cmd/job/job.h"
#include "format/registry.h"

/* The destination of the output. */
struct output {
	const char *path;
	bool standard;
};

static const struct trc_opt opt_answer[] = {
	{ 'o', "output", "FILE", "write the answer to FILE", TRC_OPT_TEXT, TRC_WORDS_OUTPUT, 0 },
};

const struct trc_opts trc_conventions_opts_output =
        TRC_OPTS(struct output,
                 { 'o', "output", "FILE", "write to FILE instead of the last argument",
                   TRC_OPT_TEXT, TRC_WORDS_OUTPUT, offsetof(struct output, path) },
                 { 'c', "stdout", NULL, "write to standard output; same as -o -", TRC_OPT_FLAG,
                   TRC_WORDS_NONE, offsetof(struct output, standard) });
const struct trc_opts trc_conventions_opts_force = TRC_OPTS_FLAG("force",
                                                                 "replace FILE if it exists");

static const struct trc_opts *const force[] = { &trc_conventions_opts_force, NULL };

const struct trc_opts trc_conventions_opts_answer = { opt_answer, 1, sizeof(const char *), force };

/* ---- missing words ---- */

static bool
stdin_has_data(void)
{
	struct stat st;

	return fstat(STDIN_FILENO, &st) == 0 &&
	       (S_ISFIFO(st.st_mode) || S_ISREG(st.st_mode) || S_ISSOCK(st.st_mode));
}

static bool
any_named(const struct trc_settings *settings, const char *const *name)
{
	for (; *name; name++)
		if (trc_settings_named(settings, *name))
			return true;
	return false;
}

/* Fails if there is one word, a pipe, and no such file: the word is probably meant as the
 * output. */
static int
check_piped(const struct trc_args *args, struct trc_err *err)
{
	const char *word = args->n == 1 ? args->word[0] : "-";

	if (strcmp(word, "-") == 0 || !stdin_has_data() || access(word, F_OK) == 0 ||
	    !trc_format_ending(word))
		return 0;
	return trc_fail_as(err, TRC_USAGE,
	                   "'%s' does not exist; to write standard input to it, use -o %s", word,
	                   word);
}

static int
add_output(const struct trc_settings *settings, struct trc_args *args, struct trc_err *err)
{
	static const char *const no_trace[] = { "partial", NULL };
	const struct output *out = trc_settings_of(settings, &trc_conventions_opts_output);
	const char *path = out->standard ? "-" : out->path;

	if (!path)
		return check_piped(args, err);
	if (out->standard && out->path)
		return trc_fail_as(err, TRC_USAGE, "-c and -o %s exclude each other", out->path);
	if (trc_settings_named(settings, "shards"))
		return 0; /* -o names a plan, which is an answer */
	if (any_named(settings, no_trace))
		return trc_fail_as(err, TRC_USAGE, "-o %s: this command does not write a trace",
		                   path);
	if (args->n == 0)
		return trc_fail_as(err, TRC_USAGE,
		                   "needs an input: a file, or - for standard input");
	args->word[args->n++] = path;
	return 0;
}

int
trc_conventions_complete(const struct trc_settings *settings, struct trc_args *args,
                         struct trc_err *err)
{
	/* These options take other words than traces, or a list of names from "-". */
	static const char *const others[] = { "merge", "check", "certify", "shared", "plan", NULL };
	const bool writes = trc_settings_takes(settings, &trc_conventions_opts_output);

	if (!writes && !trc_settings_takes(settings, &trc_conventions_opts_answer))
		return 0;
	if (trc_settings_named(settings, "record"))
		return 0; /* the words are a program to run */
	if (!writes && trc_conventions_answer(settings) && trc_settings_named(settings, "partial"))
		return trc_fail_as(err, TRC_USAGE,
		                   "--partial already names the output; -o is for --merge");
	if (args->n == 0 && !any_named(settings, others) && stdin_has_data())
		args->word[args->n++] = "-";
	return writes ? add_output(settings, args, err) : 0;
}

/* ---- inputs and an output that cannot be meant ---- */

/* Fails for a missing input first, before any complaint about its contents. */
static int
check_inputs(const struct trc_args *args, size_t n, struct trc_err *err)
{
	struct stat st;

	for (size_t i = 0; i < n; i++)
		if (*args->word[i] && strcmp(args->word[i], "-") != 0 &&
		    stat(args->word[i], &st) != 0 && !trc_in_archive(args->word[i])) {
			const int number = errno;

			trc_fail_errno(err, number, "%s: cannot open", args->word[i]);
			return trc_temporary_no_folder(args->word[i], number, err);
		}
	return 0;
}

/* Returns the format of a trace file as its content shows; NULL: it is not a trace. */
static const struct trc_format *
format_of(const char *path)
{
	struct trc_err none = { 0 };
	struct trc_in *in = trc_in_open(path, &none);
	const struct trc_format *f = in ? trc_format_recognise(in, &none) : NULL;

	if (in)
		trc_in_close(in);
	trc_reads_forget(path);
	return f;
}

/* Fails if the last word is probably not an output but the last file that a shell pattern matched:
 * it exists, and there are several inputs, or it is a trace in another format than would be
 * written, or one named like the input. An output given by --force or -o is certain. */
static int
check_taken(const struct trc_settings *settings, const struct trc_args *args, struct trc_err *err)
{
	const char *last = args->word[args->n - 1];
	const struct trc_job_out out = trc_job_out(settings);
	const struct trc_format *there, *named = trc_format_ending(last);
	struct trc_err none = { 0 };
	struct stat st, input;

	if (args->n < 2 || out.publish.force || stat(last, &st) != 0 || !S_ISREG(st.st_mode))
		return 0;
	for (size_t i = 0; i + 1 < args->n; i++)
		if (stat(args->word[i], &input) == 0 && input.st_dev == st.st_dev &&
		    input.st_ino == st.st_ino)
			return 0; /* refused later, with what would be lost */
	there = format_of(last);
	if (args->n == 2 && (!there || (there == trc_job_format(&out, last, there, &none) &&
	                                (!named || trc_format_ending(args->word[0]) != named))))
		return 0;
	return trc_fail(err,
	                "'%s' would be OUTPUT and %s; use -o FILE, or a folder with a trailing "
	                "slash (DIR/)",
	                last, there ? "is a trace itself" : "exists");
}

static int
check_words(const struct trc_settings *settings, const struct trc_args *args, struct trc_err *err)
{
	static const char *const others[] = {
		"merge", "partial", "shards", "plan", "record", NULL
	};
	const struct output *out;

	/* When each input becomes a file, a missing input fails alone. */
	if (!settings->command->each || any_named(settings, others) || args->n == 0 ||
	    trc_each_wanted(settings, args))
		return 0;
	out = trc_settings_of(settings, &trc_conventions_opts_output);
	if (check_inputs(args, args->n > 1 ? args->n - 1 : 1, err))
		return -1;
	return out->path || out->standard ? 0 : check_taken(settings, args, err);
}

/* ---- files that no output may replace ---- */

/* Returns how many of the words are inputs: the last one is the output, if there is one. trc replay
 * handles its own words. */
static size_t
input_words(const struct trc_settings *settings, const struct trc_args *args)
{
	static const char *const no_output[] = { "record", "partial", "shards", NULL };

	if (trc_settings_takes(settings, &trc_conventions_opts_answer))
		return args->n;
	if (!trc_settings_takes(settings, &trc_conventions_opts_output))
		return 0;
	return args->n > 1 && !any_named(settings, no_output) ? args->n - 1 : args->n;
}

/* Refuses the same file as two outputs, because the second would replace the first. */
static int
check_outputs(const struct trc_settings *settings, struct trc_err *err)
{
	const char *a, *b;

	for (size_t at = 0; (a = trc_settings_path(settings, TRC_WORDS_OUTPUT, &at));)
		for (size_t next = at; (b = trc_settings_path(settings, TRC_WORDS_OUTPUT, &next));)
			if (trc_reads_same_place(a, b))
				return trc_fail_as(
				        err, TRC_USAGE,
				        "'%s' and '%s' are the same output; give them different "
				        "names",
				        a, b);
	return 0;
}

/* Refuses an output that would replace an input, before any work. job.c decides about the last
 * word, which may replace an input if it keeps everything. */
static int
check_overwriting(const struct trc_settings *settings, const struct trc_args *args,
                  struct trc_err *err)
{
	static const char *const replaces[] = { "force", "resume", NULL };
	const bool named = !trc_settings_named(settings, "merge"); /* partials do not name files */
	const bool recorded = trc_settings_named(settings, "record");
	const size_t n = input_words(settings, args);
	const char *path;

	if (check_outputs(settings, err))
		return -1;
	if (!any_named(settings, replaces))
		return 0;
	for (size_t i = 0; i < n; i++)
		if (recorded ? trc_overwrite_add_word(args->word[i], err) :
		               trc_overwrite_add(args->word[i], named, err))
			return -1;
	for (size_t at = 0; (path = trc_settings_path(settings, TRC_WORDS_FILE, &at));)
		if (trc_overwrite_add(path, true, err))
			return -1;
	for (size_t at = 0; (path = trc_settings_path(settings, TRC_WORDS_OUTPUT, &at));)
		if ((n == args->n || path != args->word[n]) && trc_reads_check(path, NULL, err))
			return -1;
	return 0;
}

/* ---- answers as files ---- */

const char *
trc_conventions_answer(const struct trc_settings *settings)
{
	const char *path = NULL;

	if (trc_settings_takes(settings, &trc_conventions_opts_answer))
		path = *(const char *const *)trc_settings_of(settings,
		                                             &trc_conventions_opts_answer);
	else if (trc_settings_takes(settings, &trc_conventions_opts_output) &&
	         trc_settings_named(settings, "shards"))
		path = ((const struct output *)trc_settings_of(settings,
		                                               &trc_conventions_opts_output))
		               ->path;
	return path && strcmp(path, "-") != 0 ? path : NULL;
}

int
trc_conventions_begin(struct trc_conventions *h, const struct trc_settings *settings,
                      const struct trc_args *args, struct trc_err *err)
{
	const char *path = trc_conventions_answer(settings);

	*h = (struct trc_conventions){ .start = trc_progress_clock() };
	if (check_overwriting(settings, args, err) || check_words(settings, args, err))
		return -1;
	if (!path)
		return 0;
	h->answer = trc_out_open(path, trc_settings_named(settings, "force"), err);
	return h->answer ? trc_out_replace_stdout(h->answer, err) : -1;
}

int
trc_conventions_end(struct trc_conventions *h, const struct trc_settings *settings, int ret,
                    struct trc_err *err)
{
	if (ret == 0 && trc_settings_named(settings, "verbose"))
		fprintf(stderr, "trc: %.2f s\n", trc_progress_clock() - h->start);
	if (ret == 0 && h->answer)
		ret = trc_out_commit(h->answer, err);
	if (h->answer)
		trc_out_close(h->answer);
	return ret;
}
