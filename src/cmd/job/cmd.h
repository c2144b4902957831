/* SPDX-License-Identifier: MIT
 *
 * A command is a row: its name, and its actions, of which one call runs one: those of `replay`, the
 * questions of `stat`; most commands have a single one. An action names the owners of the options
 * that it takes, opens a source, wraps it in stages, opens a sink and pumps. What is given and not
 * taken is refused before the action runs (cmd/job/settings.h). ../commands.c lists the commands.
 */
#ifndef TRC_CMD_JOB_CMD_H
#define TRC_CMD_JOB_CMD_H

#include <stdio.h>

#include "base/opt.h"

struct trc_format;
struct trc_question;
struct trc_settings; /* what the options gave, for each owner */

/* One thing that a command does, with the options that it takes. */
struct trc_action {
	/* As messages have it: "run", "--mrc". One that begins with dashes is chosen by the option
	 * of that name. */
	const char *name;

	const struct trc_opts *const *takes; /* in the order of help; NULL behind the last */
	int (*run)(const struct trc_settings *all, const struct trc_args *args,
	           struct trc_err *err);

	/* What can be asked of shards, too (cmd/shard/shard.h); NULL: it cannot. */
	const struct trc_question *question;

	/* Why it has no warm-up, and why no shards, for messages; NULL: it has, or the usual. */
	const char *no_warmup, *no_shards;
};

/* Command lines of users, and what they do: "archive a trace", "  trc encode a.din a.trc\n". */
struct trc_example {
	const char *doc, *lines;
};

/* The row of a command. */
struct trc_command {
	const char *name;  /* the text of its page is cmd/manual/commands/NAME.txt */
	const char *doc;   /* one line */
	const char *usage; /* what follows the name: "[OPTION...] INPUT [OUTPUT]" */
	const char *words; /* words one of which may come first, "run|info"; NULL: none */

	/* Two for help, which begins with them, and more for the manual; the last is empty. They
	 * run one after another where the traces of test/data are (test/cli/man.sh). */
	const struct trc_example *example;

	const struct trc_action *const *action; /* NULL behind the last */

	/* Owners that help shows last, behind those that single actions take; NULL behind the last,
	 * or NULL: none. */
	const struct trc_opts *const *common;

	/* Owners that 'trc help shards' describes; NULL behind the last, or NULL: none. */
	const struct trc_opts *const *shards;

	/* The action for these options and words; may change the words, whose array has room for
	 * one more. NULL: failed. Not needed if there is one action. */
	const struct trc_action *(*choose)(const struct trc_settings *all, struct trc_args *args,
	                                   struct trc_err *err);

	/* The format of what `input` becomes in a folder, where no option names one; NULL: failed.
	 * Not needed if nothing is written into folders (cmd/each.h). */
	const struct trc_format *(*each)(const struct trc_settings *all, const char *input,
	                                 struct trc_err *err);

	/* The only path that an action will write, "-" for none; NULL: it starts programs, and
	 * nobody knows. All else is given up before it runs (base/io/confine.h). */
	const char *(*output)(const struct trc_action *action, const struct trc_settings *all,
	                      const struct trc_args *args);
};

extern const struct trc_command trc_command_encode, trc_command_decode, trc_command_reduce,
        trc_command_split, trc_command_replay, trc_command_stat;

/* All commands, in the order of the help: the first for NULL, NULL after the last. */
const struct trc_command *trc_command_next(const struct trc_command *c);
const struct trc_command *trc_command_named(const char *name);

/* cmd/manual/help.c: `trc help [WORD]`, of which `words` stand at `word`, and the page of one
 * command, on standard output. */
int trc_help(int words, char **word, struct trc_err *err);
void trc_help_command(const struct trc_command *c);
void trc_help_all(FILE *f);

/* cmd/manual/man.c: a manual page, on standard output: of a command, "formats", or NULL: of all. */
int trc_man(const char *name, const char *version, struct trc_err *err) TRC_MUST_USE;

/* cmd/manual/read.c: the same to be read: by man on a terminal, else, or where there is no man, as
 * trc_help() has it. */
int trc_man_read(const char *name, const char *version, struct trc_err *err) TRC_MUST_USE;

/* complete.c: prints what could stand in the place of the last of `words`, a line each. */
int trc_complete(int n, char **words, struct trc_err *err);

#endif
