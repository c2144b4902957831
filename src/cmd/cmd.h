/* SPDX-License-Identifier: MIT
 *
 * A command is a row: its name, its option rows, and a function that opens a source, wraps it in
 * stages, opens a sink and pumps. The list is in commands.c.
 */
#ifndef TRC_CMD_CMD_H
#define TRC_CMD_CMD_H

#include <stdio.h>

#include "base/opt.h"

struct trc_command {
	const char *name;
	const char *doc;     /* one line */
	const char *usage;   /* what follows the name: "[OPTION...] INPUT [OUTPUT]" */
	const char *actions; /* words one of which may come first, "run|info"; NULL: none */
	const char *notes;   /* paragraphs for `trc help NAME`, lines of at most 80 columns */
	const struct trc_opt *opt;
	size_t opts;
	size_t settings; /* bytes of the settings that the rows fill */
	int (*run)(const void *settings, const struct trc_args *args, struct trc_err *err);
};

extern const struct trc_command trc_command_encode, trc_command_decode, trc_command_reduce,
        trc_command_split, trc_command_replay, trc_command_stat;

/* All commands, in the order of the help: the first for NULL, NULL after the last. */
const struct trc_command *trc_command_next(const struct trc_command *c);
const struct trc_command *trc_command_named(const char *name);

/* help.c: `trc help [WORD]`, of which `words` stand at `word`, and the page of one command, on
 * standard output. */
int trc_help(int words, char **word, struct trc_err *err);
void trc_help_command(const struct trc_command *c);
void trc_help_all(FILE *f);
void trc_help_formats(FILE *f);

/* What `trc help` and the manual page say of all commands. */
extern const char trc_help_doc[], trc_help_usage[], trc_help_status[];

/* man.c: the manual page, on standard output. */
int trc_man(const char *version, struct trc_err *err) TRC_MUST_USE;

/* complete.c: prints what could stand in the place of the last of `words`, a line each. */
int trc_complete(int n, char **words, struct trc_err *err);

#endif
