/* SPDX-License-Identifier: MIT
 *
 * What other programs call what trc does: commands, options and topics that are none here, and what
 * to type instead.
 */
#ifndef TRC_CMD_ELSEWHERE_H
#define TRC_CMD_ELSEWHERE_H

/* The command that does what `word` does elsewhere, as "'trc stat' does that"; NULL: not known. */
const char *trc_elsewhere_command(const char *word);

/* The same for an option, "--list", or "-l" whatever follows; it may be one of a command. */
const char *trc_elsewhere_option(const char *word);

/* The name of the page of help that has what is looked for by `word`; NULL: not known. */
const char *trc_elsewhere_topic(const char *word);

#endif
