/* SPDX-License-Identifier: MIT */
#include "cmd/habits.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/io/out.h"
#include "cmd/names/overwrite.h"
#include "cmd/each.h"
#include "cmd/job/progress.h"
#include "format/registry.h"

/* Where the output goes. */
struct output {
	const char *path;
	bool standard;
};

static const struct trc_opt opts_output[] = {
	{ 'o', "output", "FILE", "the output, if it is not the last word", TRC_OPT_TEXT,
	  TRC_WORDS_FILE, offsetof(struct output, path) },
	{ 'c', "stdout", NULL, "the same as -o -: write to standard output", TRC_OPT_FLAG,
	  TRC_WORDS_NONE, offsetof(struct output, standard) },
};

static const struct trc_opt opt_answer[] = {
	{ 'o', "output", "FILE", "write the answer to this file", TRC_OPT_TEXT, TRC_WORDS_FILE, 0 },
};

const struct trc_opts trc_habits_opts_output = { opts_output, TRC_COUNT(opts_output),
	                                         sizeof(struct output), NULL };
const struct trc_opts trc_habits_opts_answer = { opt_answer, 1, sizeof(const char *), NULL };

/* ---- words that are not there ---- */

static bool
stdin_has_data(void)
{
	struct stat st;

	return fstat(STDIN_FILENO, &st) == 0 &&
	       (S_ISFIFO(st.st_mode) || S_ISREG(st.st_mode) || S_ISSOCK(st.st_mode));
}

static bool
any_named(const struct trc_settings *all, const char *const *name)
{
	for (; *name; name++)
		if (trc_settings_named(all, *name))
			return true;
	return false;
}

/* One word and a pipe: the word may be meant as the output. */
static int
check_piped(const struct trc_args *args, struct trc_err *err)
{
	const char *word = args->n == 1 ? args->word[0] : "-";

	if (strcmp(word, "-") == 0 || !stdin_has_data() || access(word, F_OK) == 0 ||
	    !trc_format_ending(word))
		return 0;
	return trc_fail_as(err, TRC_USAGE,
	                   "'%s' is not there to be read; -o %s writes to it what comes through "
	                   "the pipe",
	                   word, word);
}

static int
add_output(const struct trc_settings *all, struct trc_args *args, struct trc_err *err)
{
	static const char *const no_trace[] = { "partial", "shards", NULL };
	const struct output *out = trc_settings_of(all, &trc_habits_opts_output);
	const char *path = out->standard ? "-" : out->path;

	if (!path)
		return check_piped(args, err);
	if (out->standard && out->path)
		return trc_fail_as(err, TRC_USAGE, "-c and -o %s: one output", out->path);
	if (any_named(all, no_trace))
		return trc_fail_as(err, TRC_USAGE, "-o %s: no trace is written here", path);
	if (args->n == 0)
		return trc_fail_as(err, TRC_USAGE,
		                   "needs an input: a file, or - for standard input");
	args->word[args->n++] = path;
	return 0;
}

int
trc_habits_complete(const struct trc_settings *all, struct trc_args *args, struct trc_err *err)
{
	/* Their words are no traces, or "-" is a list of names. */
	static const char *const others[] = { "merge", "check", "certify", "shared", NULL };
	const bool writes = trc_settings_takes(all, &trc_habits_opts_output);

	if (!writes && !trc_settings_takes(all, &trc_habits_opts_answer))
		return 0;
	if (trc_settings_named(all, "record"))
		return 0; /* its words are a program */
	if (!writes && trc_habits_answer(all) && trc_settings_named(all, "partial"))
		return trc_fail_as(err, TRC_USAGE,
		                   "--partial is all that is written; -o goes with --merge");
	if (args->n == 0 && !any_named(all, others) && stdin_has_data())
		args->word[args->n++] = "-";
	return writes ? add_output(all, args, err) : 0;
}

/* ---- answers as files ---- */

const char *
trc_habits_answer(const struct trc_settings *all)
{
	const char *path;

	if (!trc_settings_takes(all, &trc_habits_opts_answer))
		return NULL;
	path = *(const char *const *)trc_settings_of(all, &trc_habits_opts_answer);
	return path && strcmp(path, "-") != 0 ? path : NULL;
}

static int
run(const struct trc_action *action, const struct trc_settings *all, const struct trc_args *args,
    struct trc_err *err)
{
	const double start = trc_progress_clock();
	const int ret = trc_each_wanted(all, args) ? trc_each_run(action, all, args, err) :
	                                             action->run(all, args, err);

	if (ret == 0 && trc_settings_named(all, "verbose"))
		fprintf(stderr, "trc: %.2f s\n", trc_progress_clock() - start);
	return ret;
}

int
trc_habits_run(const struct trc_action *action, const struct trc_settings *all,
               const struct trc_args *args, struct trc_err *err)
{
	const char *path = trc_habits_answer(all);
	struct trc_out *out;
	int ret;

	if (!path)
		return run(action, all, args, err);
	for (size_t i = 0; i < args->n; i++)
		if (trc_overwrite_check(path, args->word[i], NULL, err))
			return -1;
	out = trc_out_open(path, trc_settings_named(all, "force"), err);
	if (!out)
		return -1;
	ret = trc_out_stand_in(out, err);
	if (ret == 0)
		ret = run(action, all, args, err);
	if (ret == 0)
		ret = trc_out_commit(out, err);
	trc_out_close(out);
	return ret;
}

/* ---- words of other programs ---- */

/* A word, and what does here what it does there. */
struct foreign {
	const char *words; /* with blanks around each */
	const char *hint;
};

static const char *
find(const struct foreign *row, size_t n, const char *word)
{
	const size_t len = strlen(word);

	for (size_t i = 0; i < n; i++)
		for (const char *at = row[i].words; len && (at = strstr(at, word)); at += len)
			if (at[-1] == ' ' && at[len] == ' ')
				return row[i].hint;
	return NULL;
}

const char *
trc_habits_command(const char *word)
{
	static const struct foreign row[] = {
		{ " info show list ls file stats summary describe count wc ",
		  "'trc stat FILE' shows what is in a trace" },
		{ " verify test check validate fsck ", "'trc stat --check FILE' tests a trace" },
		{ " cat decompress unpack uncompress print dump text view less ",
		  "'trc decode FILE' writes a trace as text" },
		{ " convert compress pack transcode import export write copy cp ",
		  "'trc encode FILE OUTPUT' turns a trace into any format" },
		{ " head ", "'trc decode --limit 10 FILE' writes the first records" },
		{ " filter grep select ",
		  "'trc encode --only TYPE,... FILE OUTPUT' keeps what is chosen" },
		{ " merge join cat concat ",
		  "'trc encode A B OUTPUT' merges traces by their times" },
		{ " diff cmp compare ",
		  "'trc stat --check --json A B' prints fingerprints, alike for the same records" },
		{ " simulate sim cache ", "'trc stat --cache 32K:8:64 FILE' simulates caches" },
		{ " mrc curve ", "'trc stat --mrc FILE' prints the curve of misses" },
		{ " run extract ", "'trc replay' computes traces from bus traces" },
		{ " cut slice ", "'trc split --every N FILE FOLDER' cuts a trace" },
		{ " sample trim shrink ",
		  "'trc reduce --sample 1/100 FILE OUTPUT' keeps a sample" },
		{ " version ", "'trc --version' prints it" },
		{ " formats columns ", "'trc help formats' lists them" },
		{ " man manual ", "'trc help COMMAND' describes a command" },
	};

	return find(row, TRC_COUNT(row), word);
}

const char *
trc_habits_option(const char *word)
{
	static const struct foreign row[] = {
		{ " d decompress uncompress unpack ", "'trc decode FILE' writes a trace as text" },
		{ " z compress ", "'trc encode FILE OUTPUT' packs a trace" },
		{ " t test verify check ", "'trc stat --check FILE' tests a trace" },
		{ " l list info ", "'trc stat FILE' shows what is in a trace" },
		{ " k keep ", "inputs are always kept" },
		{ " c stdout to-stdout ", "'trc decode FILE' writes to standard output" },
		{ " o ", "a command comes first: 'trc encode FILE -o OUTPUT'" },
		{ " f y yes overwrite ", "--force replaces the output" },
		{ " i input in ", "inputs are words without an option" },
		{ " format ", "--from FORMAT is that of the input, --to FORMAT of the output" },
		{ " n lines head count ", "--limit N stops after N records" },
		{ " j jobs p parallel ", "-T N uses N threads" },
		{ " type types ", "--only TYPE,... keeps records of these types" },
		{ " range address ", "--addr LO-HI keeps records of these addresses" },
		{ " D delimiter separator ", "--from csv:separator=semicolon,addr=NAME" },
		{ " r recursive ", "a folder stands for the files in it" },
		{ " s silent ", "-q prints nothing but errors" },
	};
	char letter[2] = "";

	if (word[0] == '-' && word[1] == '-')
		return find(row, TRC_COUNT(row), word + 2);
	letter[0] = word[word[0] == '-'];
	return find(row, TRC_COUNT(row), letter);
}
