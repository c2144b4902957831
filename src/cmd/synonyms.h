/* SPDX-License-Identifier: MIT
 *
 * A dictionary for users of other programs: commands, options and topics that trc does not have,
 * and what to type instead.
 */
#ifndef TRC_CMD_SYNONYMS_H
#define TRC_CMD_SYNONYMS_H

/* Returns a hint for a command of another program, as "'trc stat' does that"; NULL: unknown. */
const char *trc_synonyms_command(const char *word);

/* Does the same for an option, "--list", or "-l" with anything after the letter; trc's commands may
 * have an option of that name as well. */
const char *trc_synonyms_option(const char *word);

/* Returns a hint for a value that the option --`name` refuses, and another program takes. */
const char *trc_synonyms_value(const char *name, const char *value);

/* Returns the help page on the topic `word`; NULL: unknown. */
const char *trc_synonyms_topic(const char *word);

#endif
