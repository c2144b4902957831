/* SPDX-License-Identifier: MIT
 *
 * Options of a command, from the rows of their owners, and the values that a command line gave.
 * Each owner has settings of its own, which it alone reads. An option given to an action that does
 * not take its owner is refused: the refusal follows from the row.
 */
#ifndef TRC_CMD_JOB_SETTINGS_H
#define TRC_CMD_JOB_SETTINGS_H

#include "base/buf.h"
#include "cmd/job/cmd.h"

enum { TRC_SETTINGS_ROWS = 96 }; /* maximum for a command */

/* All options of a command, in the order of the help. Their values are in one block of memory. */
struct trc_settings_rows {
	struct trc_opt row[TRC_SETTINGS_ROWS];
	const struct trc_opts *owner[TRC_SETTINGS_ROWS];
	size_t n;
	size_t size; /* bytes of the block */
};

/* The settings of a command line, grouped by the owners of their options. */
struct trc_settings {
	const struct trc_command *command;
	struct trc_settings_rows rows;
	bool given[TRC_SETTINGS_ROWS];
	unsigned char *block;
	const struct trc_args *args;     /* the other words; NULL: unknown */
	const struct trc_action *action; /* selected by these words; NULL: unknown */
};

/* Lists the options of a command. */
void trc_settings_list(const struct trc_command *c, struct trc_settings_rows *rows);

/* Lists the options of one action. */
void trc_settings_list_action(const struct trc_action *action, struct trc_settings_rows *rows);

/* Parses argv[1..argc) into settings, which the caller releases, and words, for which args->word
 * has room. */
int trc_settings_parse(struct trc_settings *settings, const struct trc_command *c, int argc,
                       char **argv, struct trc_args *args, struct trc_err *err) TRC_MUST_USE;
void trc_settings_release(struct trc_settings *settings);

/* Copies the settings; the caller releases the copy. trc_settings_at() returns the settings of an
 * owner in a copy, to be changed. */
int trc_settings_copy(const struct trc_settings *settings, struct trc_settings *copy,
                      struct trc_err *err) TRC_MUST_USE;
void *trc_settings_at(struct trc_settings *copy, const struct trc_opts *owner);

/* Returns the settings of an owner. Some action of the command must take it. */
const void *trc_settings_of(const struct trc_settings *settings, const struct trc_opts *owner);

/* Returns true if some action of the command takes `owner`. */
bool trc_settings_takes(const struct trc_settings *settings, const struct trc_opts *owner);

/* Returns true if `owner` is in the list, or comes with an owner in it. NULL is an empty list. */
bool trc_opts_has(const struct trc_opts *const *list, const struct trc_opts *owner);

/* Returns the first given option whose owner is neither in `takes` nor comes with one of these, or
 * NULL. */
const struct trc_opt *trc_settings_stray(const struct trc_settings *settings,
                                         const struct trc_opts *const *takes);

/* Returns the next given option of an owner: the first for NULL, NULL after the last. */
const struct trc_opt *trc_settings_next(const struct trc_settings *settings,
                                        const struct trc_opts *owner, const struct trc_opt *o);

/* Return true if any option of the owner was given, or the option with this name. */
bool trc_settings_given(const struct trc_settings *settings, const struct trc_opts *owner);
bool trc_settings_named(const struct trc_settings *settings, const char *name);

/* Refuses options that `action` does not take, with the names of the actions that take them. */
int trc_settings_check(const struct trc_settings *settings, const struct trc_action *action,
                       struct trc_err *err) TRC_MUST_USE;

/* Returns the file named by the next option of kind `words`; *at is 0 for the first call. NULL: no
 * more. */
const char *trc_settings_path(const struct trc_settings *settings, enum trc_opt_words words,
                              size_t *at);

/* Returns the values of a repeatable option. */
const struct trc_opt_list *trc_settings_values(const struct trc_settings *settings,
                                               const char *name);

/* trc_settings_line() appends " --option VALUE ..." with shell quoting: all given options except
 * those named except[0], except[1], ..., NULL at the end. trc_settings_word() appends one word
 * after a blank. */
int trc_settings_line(const struct trc_settings *settings, const char *const *except,
                      struct trc_buf *b, struct trc_err *err) TRC_MUST_USE;
int trc_settings_word(struct trc_buf *b, const char *word, struct trc_err *err) TRC_MUST_USE;

/* Appends the given options as words that end with NUL: the name with two dashes, then the value if
 * there is one. Owners in `except` and options that change no record are left out. */
int trc_settings_words(const struct trc_settings *settings, const struct trc_opts *const *except,
                       struct trc_buf *b, struct trc_err *err) TRC_MUST_USE;

/* Adds the settings in `more`, of the same command, except for owners in `except`. The texts in
 * `more` must outlive `settings`. */
void trc_settings_add(struct trc_settings *settings, const struct trc_settings *more,
                      const struct trc_opts *const *except);

/* Appends "VERSION COMMAND --option VALUE ..." with the options that change records, in the order
 * of the help and without file names. Sets *plain if there are no such options. */
int trc_settings_command(const struct trc_settings *settings, struct trc_buf *b, bool *plain,
                         struct trc_err *err) TRC_MUST_USE;

#endif
