/* SPDX-License-Identifier: MIT
 *
 * Options of a command, from the rows of their owners, and what a command line gave. Each owner has
 * settings of its own, which it alone reads. An option that is given to a action that does not take
 * its owner is refused: the refusal follows from the row.
 */
#ifndef TRC_CMD_JOB_SETTINGS_H
#define TRC_CMD_JOB_SETTINGS_H

#include "base/buf.h"
#include "cmd/job/cmd.h"

enum { TRC_SETTINGS_ROWS = 96 }; /* of a command, at most */

/* All rows of a command, in the order of help, with the places of their values in one block. */
struct trc_settings_rows {
	struct trc_opt row[TRC_SETTINGS_ROWS];
	const struct trc_opts *owner[TRC_SETTINGS_ROWS];
	size_t n;
	size_t size; /* bytes of the block */
};

/* The settings of a command line, by the owners of their options. */
struct trc_settings {
	const struct trc_command *command;
	struct trc_settings_rows rows;
	bool given[TRC_SETTINGS_ROWS];
	unsigned char *block;
	const struct trc_args *args;     /* the words besides; NULL: not known */
	const struct trc_action *action; /* that they choose; NULL: not known */
};

void trc_settings_list(const struct trc_command *c, struct trc_settings_rows *rows);

/* The rows of one of its actions. */
void trc_settings_list_action(const struct trc_action *action, struct trc_settings_rows *rows);

/* Parses argv[1..argc) into settings, which are to be released, and words, for which args->word has
 * room. */
int trc_settings_parse(struct trc_settings *all, const struct trc_command *c, int argc, char **argv,
                       struct trc_args *args, struct trc_err *err) TRC_MUST_USE;
void trc_settings_release(struct trc_settings *all);

/* A copy, which is to be released, too; and the settings of an owner in it, to be changed. */
int trc_settings_copy(const struct trc_settings *all, struct trc_settings *copy,
                      struct trc_err *err) TRC_MUST_USE;
void *trc_settings_at(struct trc_settings *copy, const struct trc_opts *owner);

/* The settings of an owner that some action of the command takes. */
const void *trc_settings_of(const struct trc_settings *all, const struct trc_opts *owner);

/* Whether some action of the command takes an owner. */
bool trc_settings_takes(const struct trc_settings *all, const struct trc_opts *owner);

/* Whether an owner is in a list, or comes with one that is; NULL is an empty list. */
bool trc_opts_has(const struct trc_opts *const *list, const struct trc_opts *owner);

/* The first option that was given and whose owner is neither in `takes` nor comes with one of
 * these; NULL: none. */
const struct trc_opt *trc_settings_stray(const struct trc_settings *all,
                                         const struct trc_opts *const *takes);

/* The options of an owner that were given: the first for NULL, NULL after the last. */
const struct trc_opt *trc_settings_next(const struct trc_settings *all,
                                        const struct trc_opts *owner, const struct trc_opt *o);

/* Whether there is one, or whether the option of that name was given. */
bool trc_settings_given(const struct trc_settings *all, const struct trc_opts *owner);
bool trc_settings_named(const struct trc_settings *all, const char *name);

/* Refuses options that `action` does not take, with the names of the actions that take them. */
int trc_settings_check(const struct trc_settings *all, const struct trc_action *action,
                       struct trc_err *err) TRC_MUST_USE;

/* The file that an option of these words names, one a call from *at = 0 on; NULL: no more. */
const char *trc_settings_path(const struct trc_settings *all, enum trc_opt_words words, size_t *at);

/* The values of an option of that name that may be given several times. */
const struct trc_opt_list *trc_settings_values(const struct trc_settings *all, const char *name);

/* Appends " --option VALUE ..." as a shell reads it, all that was given but the options called
 * but[0], but[1], ..., NULL behind the last; and one word with a blank before it. */
int trc_settings_line(const struct trc_settings *all, const char *const *but, struct trc_buf *b,
                      struct trc_err *err) TRC_MUST_USE;
int trc_settings_word(struct trc_buf *b, const char *word, struct trc_err *err) TRC_MUST_USE;

/* Appends the options that were given, each as words with a NUL behind: its name with two dashes,
 * its value if it has one. Without those of owners in `but`, and those that change no record. */
int trc_settings_words(const struct trc_settings *all, const struct trc_opts *const *but,
                       struct trc_buf *b, struct trc_err *err) TRC_MUST_USE;

/* Adds what `more` was given of the same command, but for the options of owners in `but`. Its texts
 * must outlive `all`. */
void trc_settings_add(struct trc_settings *all, const struct trc_settings *more,
                      const struct trc_opts *const *but);

/* Appends "VERSION COMMAND --option VALUE ...", with the options that change records, in the order
 * of help and without the names of files. *plain: there are none. */
int trc_settings_command(const struct trc_settings *all, struct trc_buf *b, bool *plain,
                         struct trc_err *err) TRC_MUST_USE;

#endif
