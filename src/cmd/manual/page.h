/* SPDX-License-Identifier: MIT
 *
 * Pages of the manual, in one of two forms: text for a terminal of 80 columns, and roff for `man`,
 * which fills it into any width.
 *
 * Texts are paragraphs with an empty line between. What is not indented is filled. Indented lines
 * that are a word, two blanks or more, and what it means, are a list:
 *
 *   TERM   what it means, also on further lines that are indented more
 *
 * Other indented lines stay as they are laid out.
 */
#ifndef TRC_CMD_MANUAL_PAGE_H
#define TRC_CMD_MANUAL_PAGE_H

#include <stdbool.h>
#include <stdio.h>

#include "base/opt.h"

struct trc_page {
	FILE *f;
	bool roff;
};

/* A heading, in small letters; nothing in text. */
void trc_page_heading(const struct trc_page *p, const char *s);

/* One paragraph, list or layout, and all of a text. `first`: nothing, or a heading, is before. */
void trc_page_paragraph(const struct trc_page *p, const char *s, const char *end, bool first);
void trc_page_text(const struct trc_page *p, const char *s, bool first);

/* The same in wider columns: names in answers, and what may follow a format. */
void trc_page_long_item(const struct trc_page *p, const char *term, const char *doc);
void trc_page_wide_item(const struct trc_page *p, const char *term, const char *doc);

/* What something is called, and what it means. */
void trc_page_item(const struct trc_page *p, const char *term, const char *doc);
void trc_page_option(const struct trc_page *p, const struct trc_opt *o);

/* Command lines, and what they do; `first` likewise. */
void trc_page_example(const struct trc_page *p, const char *doc, const char *lines, bool first);

/* Words, escaped as the form demands. */
void trc_page_words(const struct trc_page *p, const char *s);

#endif
