/* SPDX-License-Identifier: MIT
 *
 * trc: memory-reference traces. A command opens a source, wraps it in stages, opens a sink, and
 * pumps. The map:
 *
 *   cmd/       this file runs a command; one file or folder for each, and job.c for what they share
 *   format/    from bytes to batches and back, driven by lines.c, records.c, print.c and member.c
 *   stage/     what is done to batches on the way: simulate/, reduce/, space/
 *   machine/   a processor, for trc replay: traces that are computed, not read
 *   container/ the native format; SPEC.md there specifies it
 *   codec/     the coders it is made of; README.md there is the model on one page
 *   batch/     the batch itself, and the loop that moves it
 *   base/      errors, options, maps; io/: bytes in (in.c) and out (out.c), packed or not
 *
 * capture/ is not part of the program: its plugins are loaded into QEMU and record there.
 *
 * src/README.md has the layers, the path of a row, recipes, and decisions.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/hugepages.h"
#include "base/interrupt.h"
#include "base/io/confine.h"
#include "base/shown.h"
#include "base/suggest.h"
#include "cmd/each.h"
#include "cmd/synonyms.h"
#include "cmd/job/job.h"
#include "cmd/conventions.h"
#include "cmd/record/follow.h"
#include "version.def"

/* Chooses the action by the command's words and options, and checks that it takes them. */
static int
choose_action(const struct trc_command *c, struct trc_settings *settings, struct trc_args *args,
              struct trc_err *err)
{
	settings->args = args;
	if (args->n == 1 && strcmp(args->word[0], "help") == 0 && access("help", F_OK) != 0)
		return trc_fail_as(err, TRC_USAGE, "no file 'help' here");
	if (trc_conventions_complete(settings, args, err))
		return -1;
	settings->action = c->choose ? c->choose(settings, args, err) : c->action[0];
	return !settings->action || trc_settings_check(settings, settings->action, err) ||
	                       trc_job_check_formats(settings, err) ?
	               -1 :
	               0;
}

static int
run_action(const struct trc_command *c, struct trc_settings *settings, struct trc_args *args,
           struct trc_err *err)
{
	const bool each = trc_each_wanted(settings, args);
	const char *output = each ? NULL : c->output(settings->action, settings, args);
	struct trc_conventions conventions;
	int ret;

	if (output)
		(void)trc_confine(output); /* optional: not every system can confine a process */
	ret = trc_conventions_begin(&conventions, settings, args, err);
	if (ret == 0)
		ret = each ? trc_each_run(settings->action, settings, args, err) :
		             settings->action->run(settings, args, err);
	if (trc_conventions_end(&conventions, settings, ret, err) == 0)
		return 0;
	trc_job_explain_from(settings, err);
	return -1;
}

static void
print_version(void)
{
	printf("trc %s\n", TRC_VERSION);
}

/* Parses the words into settings and runs the command. */
static int
run_command(const struct trc_command *c, int argc, char **argv, struct trc_err *err)
{
	struct trc_args args = { .word = trc_alloc((size_t)argc, sizeof(char *), err),
		                 .foreign = trc_synonyms_option,
		                 .foreign_value = trc_synonyms_value };
	struct trc_settings settings;
	int ret;

	if (!args.word || trc_settings_parse(&settings, c, argc, argv, &args, err)) {
		free(args.word);
		return -1;
	}
	if (args.help)
		trc_help_command(c, args.brief);
	else if (args.version)
		print_version();
	ret = args.help || args.version               ? 0 :
	      choose_action(c, &settings, &args, err) ? -1 :
	                                                run_action(c, &settings, &args, err);
	trc_settings_release(&settings);
	free(args.word);
	return ret;
}

static int
unknown(const char *name, struct trc_err *err)
{
	struct trc_suggest suggest = { .word = name + strspn(name, "-") };
	const char *hint = (name[0] == '-' ? trc_synonyms_option : trc_synonyms_command)(name);
	const struct trc_command *c = NULL;

	if (hint)
		return trc_fail_as(err, TRC_USAGE, "unknown %s '%s'; %s",
		                   name[0] == '-' ? "option" : "command", name, hint);
	if (name[0] == '-') {
		trc_suggest_offer(&suggest, "help");
		trc_suggest_offer(&suggest, "version");
		return trc_suggest_fail(&suggest, "--", "; expected a command first", err,
		                        "unknown option %s", name);
	}
	if (trc_format_named(name))
		return trc_fail_as(err, TRC_USAGE,
		                   "'%s' is a format, not a command; see 'trc help %s'", name,
		                   name);
	while ((c = trc_command_next(c)))
		trc_suggest_offer(&suggest, c->name);
	trc_suggest_offer(&suggest, "help");
	if (access(name, F_OK) == 0)
		return trc_fail_as(err, TRC_USAGE,
		                   "expected a command first: 'trc stat %s' shows what it "
		                   "contains",
		                   name);
	return trc_suggest_fail(&suggest, "", "", err, "unknown command '%s'", name);
}

/* Handles a first word that is not a command. */
static int
run_word(int argc, char **argv, struct trc_err *err)
{
	const char *word = argv[1];

	if (strcmp(word, "man") == 0)
		return trc_man_read(argv[2], TRC_VERSION, err);
	if (strcmp(word, "help") == 0 && argc > 2 && strcmp(argv[2], "--man") == 0)
		return trc_man_read(argv[3], TRC_VERSION, err);
	if (strcmp(word, "help") == 0 || strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)
		return trc_help(argc - 2, argv + 2, err);
	if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0) {
		print_version();
		return 0;
	}
	if (strcmp(word, "--man") == 0)
		return (isatty(STDOUT_FILENO) ? trc_man_read : trc_man)(argv[2], TRC_VERSION, err);
	if (strcmp(word, "--complete") == 0)
		return trc_complete(argc - 2, argv + 2, err);
	return unknown(word, err);
}

/* Prints the lines below a message. */
static void
print_more(char *more)
{
	for (char *end; (end = strchr(more, '\n')); more = end + 1) {
		*end = 0;
		trc_shown(more);
		fprintf(stderr, "%s\n", more);
	}
}

/* Prints an error on one line, whatever bytes file names contain. */
static void
print_error(const char *name, struct trc_err *err)
{
	trc_shown(err->text);
	fprintf(stderr, "trc%s%s: %s\n", *name ? " " : "", name, err->text);
	print_more(err->more);
	if (err->code == TRC_USAGE)
		fprintf(stderr, "see 'trc help%s%s'\n", *name ? " " : "", name);
}

/* Opens /dev/null for each closed standard stream, so that no file of ours gets its number. It is
 * opened for the wrong direction, so using the stream still fails. */
static int
reserve_standard(struct trc_err *err)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 &&
		    open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) != fd)
			return trc_fail_errno(err, errno,
			                      "cannot open '/dev/null' for a closed standard "
			                      "stream");
	return 0;
}

int
main(int argc, char **argv)
{
	const struct trc_command *c = argc < 2 ? NULL : trc_command_named(argv[1]);
	struct trc_err err = { 0 };
	int ret;

	trc_follow_exec(argc, argv);
	/* The help is for people; the status shows a script that its words are missing. */
	if (argc < 2) {
		trc_help_all(stderr);
		return 2;
	}
	trc_hugepages_heap();
	trc_interrupt_watch();
	ret = reserve_standard(&err) ? -1 :
	      c                      ? run_command(c, argc - 1, argv + 1, &err) :
	                               run_word(argc, argv, &err);
	if (ret == 0) {
		if (fflush(stdout) == 0 && !ferror(stdout))
			return 0;
		trc_fail_errno(&err, errno, "cannot write 'standard output'");
	}
	if (err.code == TRC_STOPPED)
		trc_interrupt_die();
	if (err.code != TRC_PIPE)
		print_error(c ? c->name : "", &err);
	if (err.status)
		return err.status;
	return err.code == TRC_USAGE ? 2 : 1;
}
