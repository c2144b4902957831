/* SPDX-License-Identifier: MIT
 *
 * Pages of the manual in one of two forms: text for a terminal of 80 columns, and roff, which `man`
 * fills to any width.
 *
 * A text consists of paragraphs separated by empty lines. Lines that are not indented are filled.
 * Indented lines that consist of a term, at least two blanks, and its meaning form a list:
 *
 *   TERM   its meaning, which may continue on lines that are indented further
 *
 * Other indented lines keep their layout.
 */
#ifndef TRC_CMD_MANUAL_PAGE_H
#define TRC_CMD_MANUAL_PAGE_H

#include <stdbool.h>
#include <stdio.h>

#include "base/opt.h"

struct trc_page_writer {
	FILE *f;
	bool roff;
};

/* Writes a heading, given in lower case; as text, nothing. */
void trc_page_heading(const struct trc_page_writer *p, const char *s);

/* Write one paragraph, list or layout, and a whole text. `first`: nothing, or only a heading,
 * precedes it. */
void trc_page_paragraph(const struct trc_page_writer *p, const char *s, const char *end,
                        bool first);
void trc_page_text(const struct trc_page_writer *p, const char *s, bool first);

/* Write an item with a wider column for the term: for names in answers, and for arguments of
 * formats. */
void trc_page_long_item(const struct trc_page_writer *p, const char *term, const char *doc);
void trc_page_wide_item(const struct trc_page_writer *p, const char *term, const char *doc);

/* Writes a term and its meaning. */
void trc_page_item(const struct trc_page_writer *p, const char *term, const char *doc);
void trc_page_option(const struct trc_page_writer *p, const struct trc_opt *o);

/* Writes command lines, and what they do; `first` as above. */
void trc_page_example(const struct trc_page_writer *p, const char *doc, const char *lines,
                      bool first);

/* Writes words, escaped as the form requires. */
void trc_page_words(const struct trc_page_writer *p, const char *s);

#endif
