/* SPDX-License-Identifier: MIT
 *
 * A command is a row: its name and its actions, of which each call runs one. `replay` has several
 * actions, the questions of `stat` are actions, and most commands have a single one. An action
 * lists the owners of the options that it takes, opens a source, wraps it in stages, opens a sink
 * and pumps. Options that an action does not take are refused before it runs (cmd/job/settings.h).
 * ../commands.c lists the commands.
 */
#ifndef TRC_CMD_JOB_CMD_H
#define TRC_CMD_JOB_CMD_H

#include <stdio.h>

#include "base/opt.h"

struct trc_format;
struct trc_query_ops;
struct trc_settings; /* the values of the options, grouped by owner */

/* One thing that a command does, with the options that it takes. */
struct trc_action {
	/* The name that messages use: "run", "--mrc". An action whose name begins with dashes is
	 * selected by the option of that name. */
	const char *name;

	const struct trc_opts *const *takes; /* in the order of the help; ends with NULL */
	int (*run)(const struct trc_settings *settings, const struct trc_args *args,
	           struct trc_err *err);

	/* How shards answer this question (cmd/shard/shard.h); NULL: they cannot. */
	const struct trc_query_ops *query;

	/* Reasons for messages why there is no warm-up and why there are no shards; NULL: there
	 * are, or the usual reason applies. */
	const char *no_warmup, *no_shards;
};

/* The owners that an action takes. */
#define TRC_TAKES(...) ((const struct trc_opts *const[]){ __VA_ARGS__, NULL })

/* An example for users: what it does and its command lines, such as "archive a trace" and " trc
 * encode a.din a.trc\n". */
struct trc_example {
	const char *doc, *lines;
};

/* A command. */
struct trc_command {
	const char *name;  /* its help page is cmd/manual/commands/NAME.txt */
	const char *doc;   /* one line */
	const char *usage; /* what follows the name: "[OPTION...] INPUT [OUTPUT]" */
	const char *words; /* choices for an optional first word, "run|info"; NULL: none */

	/* Examples; an empty one ends them. The help begins with the first two, the manual has all.
	 * test/cli/man.sh runs them in this order in a folder with the traces of test/data. */
	const struct trc_example *example;

	const struct trc_action *const *action; /* ends with NULL */

	/* There are many options, so that -h describes only those that choose an action. */
	bool many;

	/* Owners that the help lists after those of single actions; ends with NULL, or NULL:
	 * none. */
	const struct trc_opts *const *common;

	/* Owners that 'trc help shards' describes; ends with NULL, or NULL: none. */
	const struct trc_opts *const *shards;

	/* Returns the action that these options and words select, or NULL on failure. It may change
	 * the words, whose array has room for one more. Not needed if there is only one action. */
	const struct trc_action *(*choose)(const struct trc_settings *settings,
	                                   struct trc_args *args, struct trc_err *err);

	/* Returns the format in which `input` is written into a folder if no option names one, or
	 * NULL on failure. Not needed by commands that do not write into folders (cmd/each.h). */
	const struct trc_format *(*each)(const struct trc_settings *settings, const char *input,
	                                 struct trc_err *err);

	/* Returns the only path that the action will write, or "-" for none; NULL: unknown, because
	 * it starts other programs. The process gives up its right to write anywhere else before
	 * the action runs (base/io/confine.h). */
	const char *(*output)(const struct trc_action *action, const struct trc_settings *settings,
	                      const struct trc_args *args);
};

extern const struct trc_command trc_command_encode, trc_command_decode, trc_command_reduce,
        trc_command_split, trc_command_replay, trc_command_stat;

/* Returns the command after `c` in the order of the help: the first for NULL, NULL after the
 * last. */
const struct trc_command *trc_command_next(const struct trc_command *c);
const struct trc_command *trc_command_named(const char *name);

/* From cmd/manual/help.c: prints `trc help [WORD]`, whose `words` words are in `word`, and the page
 * of one command, to standard output. */
int trc_help(int words, char **word, struct trc_err *err);
void trc_help_command(const struct trc_command *c, bool brief);
void trc_help_all(FILE *f);

/* From cmd/manual/man.c: prints a manual page to standard output: that of a command, "formats", or
 * the main page for NULL. */
int trc_man(const char *name, const char *version, struct trc_err *err) TRC_MUST_USE;

/* From cmd/manual/read.c: shows the same page to a reader: through man on a terminal, otherwise, or
 * where man is missing, as trc_help() prints it. */
int trc_man_read(const char *name, const char *version, struct trc_err *err) TRC_MUST_USE;

/* From complete.c: prints the possible completions of the last of `words`, one per line. */
int trc_complete(int n, char **words, struct trc_err *err);

#endif
