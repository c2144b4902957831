/* SPDX-License-Identifier: MIT
 *
 * What the manual has, for both forms of its pages: commands with their options and examples,
 * formats, columns, topics. help.c and man.c put it together.
 */
#ifndef TRC_CMD_MANUAL_MANUAL_H
#define TRC_CMD_MANUAL_MANUAL_H

#include "cmd/manual/page.h"
#include "cmd/job/settings.h"
#include "format/registry.h"

/* A text from a file (embed.py): of a command, a format or a topic. */
struct trc_manual_text {
	const char *name;
	const char *doc;              /* title of a topic; NULL: a command or a format */
	const char *const *paragraph; /* ends with NULL */
};

extern const struct trc_manual_text trc_manual_text[]; /* ends with name NULL */

/* The text of that name: of a topic, or of a command or format; NULL: there is none. Topics: the
 * first for NULL, NULL after the last. */
const struct trc_manual_text *trc_manual_find(const char *name, bool topic);
const struct trc_manual_text *trc_manual_topic(const struct trc_manual_text *topic);

void trc_manual_paragraphs(const struct trc_page *p, const struct trc_manual_text *text,
                           bool first);

/* All of a topic: its text, and the options that it describes. */
void trc_manual_put_topic(const struct trc_page *p, const struct trc_manual_text *topic);

/* The options that a command alone has, if it has any, and the names of those that a page describes
 * for all commands. `first` as on a page. */
bool trc_manual_options(const struct trc_page *p, const struct trc_command *c);
void trc_manual_described_names(const struct trc_page *p, const struct trc_command *c, bool first);

/* The page that has the option of that long name; NULL: there is none. */
const char *trc_manual_option(const char *name);

/* The first `most` examples of a command. */
void trc_manual_examples(const struct trc_page *p, const struct trc_command *c, size_t most);

/* One format: what it is, its columns, endings and arguments, what it looks like. */
void trc_manual_format(const struct trc_page *p, const struct trc_format *f);

/* All formats: in text in a few lines each, in roff with all that there is on them. */
void trc_manual_formats(const struct trc_page *p);
void trc_manual_columns(const struct trc_page *p);

/* A topic that is made of rows. */
struct trc_manual_list {
	const char *name, *doc, *heading;
	void (*put)(const struct trc_page *p);
};

extern const struct trc_manual_list trc_manual_list[]; /* name NULL behind the last */

/* The name of a page, "stat", as it is or as man has it, "trc-stat". */
const char *trc_manual_page(const char *name);

/* Of all commands. */
extern const char trc_manual_doc[], trc_manual_usage[], trc_manual_status[];

#endif
