/* SPDX-License-Identifier: MIT
 *
 * The parts of the manual, for both forms of its pages: commands with their options and examples,
 * formats, columns, topics. help.c and man.c assemble them.
 */
#ifndef TRC_CMD_MANUAL_MANUAL_H
#define TRC_CMD_MANUAL_MANUAL_H

#include "cmd/manual/page.h"
#include "cmd/job/settings.h"
#include "format/registry.h"

/* A text from a file (embed.py): about a command, a format or a topic. */
struct trc_manual_text {
	const char *name;
	const char *doc;              /* title of a topic; NULL for a command or a format */
	const char *const *paragraph; /* ends with NULL */
};

extern const struct trc_manual_text trc_manual_text[]; /* ends with name NULL */

/* trc_manual_find() returns the text about a topic, or about a command or format; NULL: none.
 * trc_manual_topic() returns the next topic: the first for NULL, NULL after the last. */
const struct trc_manual_text *trc_manual_find(const char *name, bool topic);
const struct trc_manual_text *trc_manual_topic(const struct trc_manual_text *topic);

void trc_manual_paragraphs(const struct trc_page_writer *p, const struct trc_manual_text *text,
                           bool first);

/* Writes a whole topic: its text, and the options that it describes. */
void trc_manual_put_topic(const struct trc_page_writer *p, const struct trc_manual_text *topic);

/* trc_manual_options() writes the options that only this command has, and returns true if there are
 * any. With `brief`, if there are many, it leaves out those that choose no action;
 * trc_manual_brief_names() writes the names of these. trc_manual_described_names() writes the names
 * of those that another page describes for all commands; for `first` see page.h. */
bool trc_manual_options(const struct trc_page_writer *p, const struct trc_command *c, bool brief);
void trc_manual_brief_names(const struct trc_page_writer *p, const struct trc_command *c);
void trc_manual_described_names(const struct trc_page_writer *p, const struct trc_command *c,
                                bool first);

/* Returns the page that describes the option with this long name; NULL: none. */
const char *trc_manual_option(const char *name);

/* Writes the first `most` examples of a command. */
void trc_manual_examples(const struct trc_page_writer *p, const struct trc_command *c, size_t most);

/* Writes a page on one format: its description, columns, endings, arguments and an example. */
void trc_manual_format(const struct trc_page_writer *p, const struct trc_format *f);

/* Writes all formats: in a few lines each as text, in full as roff. */
void trc_manual_formats(const struct trc_page_writer *p);
void trc_manual_columns(const struct trc_page_writer *p);

/* A topic generated from tables. */
struct trc_manual_list {
	const char *name, *doc, *heading;
	void (*put)(const struct trc_page_writer *p);
};

extern const struct trc_manual_list trc_manual_list[]; /* ends with name NULL */

/* Returns the name of a page, "stat", for that name or for the name of its manual page,
 * "trc-stat". */
const char *trc_manual_page(const char *name);

/* For the main page. */
extern const char trc_manual_doc[], trc_manual_usage[], trc_manual_status[];

#endif
