/* SPDX-License-Identifier: MIT
 * Writes both forms of a page. */
#include "cmd/manual/page.h"

#include <ctype.h>
#include <string.h>

/* In columns: the width of a terminal; the narrowest man page in which layouts should fit; the
 * indentation of text there, and of examples within the text. */
enum { COLUMNS = 80, NARROW = 60, INDENT = 7, FURTHER = 2 };

/* ---- words ---- */

static void
put_roff(FILE *f, const char *s, const char *end)
{
	for (const char *at = s; at < end; at++)
		switch (*at) {
		case '-': fputs("\\-", f); break;
		case '\\': fputs("\\e", f); break;
		case '\'': fputs("\\(aq", f); break;
		case '`': fputs("\\(ga", f); break;
		case '^': fputs("\\(ha", f); break;
		case '~': fputs("\\(ti", f); break;
		case '.': fputs(at == s ? "\\&." : ".", f); break;
		case ',': /* lists of columns may be broken here */
			fputs(at + 1 < end && isalpha((unsigned char)at[1]) ? ",\\:" : ",", f);
			break;
		default: putc(*at, f);
		}
}

static void
put(const struct trc_page_writer *p, const char *s, const char *end)
{
	if (p->roff)
		put_roff(p->f, s, end);
	else
		fwrite(s, 1, (size_t)(end - s), p->f);
}

void
trc_page_words(const struct trc_page_writer *p, const char *s)
{
	put(p, s, s + strlen(s));
}

/* Fills the words of [s, end) into lines from column `left` to COLUMNS. The first line continues at
 * column `at`. */
static void
fill(FILE *f, const char *s, const char *end, size_t at, size_t left)
{
	bool begun = false;

	while (s < end) {
		const size_t blanks = strspn(s, " \n"), n = strcspn(s + blanks, " \n");

		s += blanks;
		if (s >= end || n == 0)
			break;
		if (begun && at + 1 + n > COLUMNS) {
			fprintf(f, "\n%*s", (int)left, "");
			at = left;
		} else if (begun) {
			putc(' ', f);
			at++;
		}
		fwrite(s, 1, n, f);
		at += n;
		s += n;
		begun = true;
	}
	putc('\n', f);
}

/* ---- kinds of paragraphs ---- */

/* Returns the start of the next line. */
static const char *
line_end(const char *s)
{
	s += strcspn(s, "\n");
	return s + (*s == '\n');
}

/* Returns the common indentation of the lines [s, end), and sets *widest to the longest. */
static size_t
indentation(const char *s, const char *end, size_t *widest)
{
	size_t least = COLUMNS;

	for (*widest = 0; s < end; s = line_end(s)) {
		const size_t n = strcspn(s, "\n"), blanks = strspn(s, " ");

		least = blanks < least ? blanks : least;
		*widest = n > *widest ? n : *widest;
	}
	return least;
}

/* Returns the start of the meaning of the item at line `s`, which may be on the next line; NULL: it
 * is not an item. `left` is the indentation of items. */
static const char *
meaning(const char *s, const char *end, size_t left)
{
	const char *eol = s + strcspn(s, "\n"), *gap = s + left;

	while (gap < eol && !(gap[0] == ' ' && gap[1] == ' '))
		gap++;
	if (gap < eol) {
		gap += strspn(gap, " ");
		return gap < eol ? gap : NULL;
	}
	return eol + 1 < end && strspn(eol + 1, " ") > left ? eol + 1 : NULL;
}

/* Returns the end of the last line of the item at `s`. */
static const char *
item_end(const char *s, const char *end, size_t left)
{
	for (s = line_end(s); s < end && strspn(s, " ") > left; s = line_end(s))
		;
	return s;
}

/* Returns true if there are two consecutive blanks in the lines [s, end), not counting
 * indentation. */
static bool
has_gaps(const char *s, const char *end)
{
	for (; s < end; s = line_end(s)) {
		const char *text = s + strspn(s, " ");

		for (; *text != '\n' && text + 1 < end; text++)
			if (text[0] == ' ' && text[1] == ' ')
				return true;
	}
	return false;
}

static bool
is_list(const char *s, const char *end, size_t left)
{
	bool list = left > 0;

	for (; list && s < end; s = item_end(s, end, left)) {
		const char *doc = meaning(s, end, left);

		list = doc && !has_gaps(doc, item_end(s, end, left));
	}
	return list;
}

/* ---- output ---- */

static void
put_item(const struct trc_page_writer *p, const char *s, const char *end, size_t left)
{
	const char *doc = meaning(s, end, left), *stop = doc;
	const size_t column = (size_t)(doc - s) > strcspn(s, "\n") ? strspn(doc, " ") :
	                                                             (size_t)(doc - s);

	while (stop > s && (stop[-1] == ' ' || stop[-1] == '\n'))
		stop--;
	if (p->roff) {
		fprintf(p->f, ".TP\n.B ");
		put(p, s + left, stop);
		putc('\n', p->f);
		for (; doc < end; doc = line_end(doc)) {
			doc += strspn(doc, " ");
			put(p, doc, doc + strcspn(doc, "\n"));
			putc('\n', p->f);
		}
		return;
	}
	fwrite(s, 1, (size_t)(stop - s), p->f);
	if ((size_t)(stop - s) + 2 > column)
		fprintf(p->f, "\n%*s", (int)column, "");
	else
		fprintf(p->f, "%*s", (int)(column - (size_t)(stop - s)), "");
	fill(p->f, doc, end, column, column);
}

/* Writes lines in their layout. In roff, which indents them by `indent`, wide lines are moved to
 * the left. */
static void
put_layout(const struct trc_page_writer *p, const char *s, const char *end, size_t indent)
{
	size_t widest;
	const size_t left = indentation(s, end, &widest);
	const size_t width = widest - left + indent;
	const size_t over = width <= NARROW ? 0 : width - NARROW < indent ? width - NARROW : indent;

	if (!p->roff) {
		put(p, s, end);
		return;
	}
	fprintf(p->f, ".nf\n");
	if (over)
		fprintf(p->f, ".in -%zun\n", over);
	for (; s < end; s = line_end(s)) {
		const size_t n = strcspn(s, "\n");

		if (n > left)
			put(p, s + left, s + n);
		putc('\n', p->f);
	}
	if (over)
		fprintf(p->f, ".in +%zun\n", over);
	fprintf(p->f, ".fi\n");
}

/* Returns where to break the line [s, end) of a shell so that at most `most` characters remain: at
 * the last blank before that which is neither quoted nor between an option and its value. Returns
 * `end` if there is no such blank or no need. */
static const char *
line_break(const char *s, const char *end, size_t most)
{
	const char *at = end, *word = s;
	char quote = 0;

	if ((size_t)(end - s) <= most)
		return end;
	for (const char *p = s + strspn(s, " "); p < s + most - 1; p++) {
		if (*p == quote)
			quote = 0;
		else if (!quote && (*p == '\'' || *p == '"'))
			quote = *p;
		if (quote || *p != ' ')
			continue;
		at = *word == '-' ? at : p;
		word = p + 1;
	}
	return at;
}

/* Writes lines of a shell, unbroken if they fit a narrow page, else with continuations. */
static void
put_shell(const struct trc_page_writer *p, const char *s, size_t indent)
{
	const size_t most = NARROW - indent;
	size_t widest;
	const size_t left = indentation(s, s + strlen(s), &widest);

	fprintf(p->f, ".nf\n");
	for (; *s; s = line_end(s)) {
		const char *end = s + strcspn(s, "\n"), *at = s + left;
		const char *stop = line_break(at, end, most);

		for (; stop < end; stop = line_break(at, end, most - 2)) {
			put(p, at, stop);
			fprintf(p->f, " \\e\n  ");
			at = stop + 1;
		}
		put(p, at, end);
		putc('\n', p->f);
	}
	fprintf(p->f, ".fi\n");
}

void
trc_page_paragraph(const struct trc_page_writer *p, const char *s, const char *end, bool first)
{
	size_t widest;
	const size_t left = indentation(s, end, &widest);
	bool indented = false;

	for (const char *line = s; line < end; line = line_end(line))
		indented |= *line == ' ';
	if (!first && !p->roff)
		putc('\n', p->f);
	else if (!first && !is_list(s, end, left))
		fprintf(p->f, ".PP\n");
	if (is_list(s, end, left)) {
		for (; s < end; s = item_end(s, end, left))
			put_item(p, s, item_end(s, end, left), left);
	} else if (indented) {
		put_layout(p, s, end, INDENT);
	} else if (p->roff) {
		for (; s < end; s = line_end(s)) {
			put(p, s, s + strcspn(s, "\n"));
			putc('\n', p->f);
		}
	} else {
		fill(p->f, s, end, 0, 0);
	}
}

void
trc_page_text(const struct trc_page_writer *p, const char *s, bool first)
{
	while (*s) {
		const char *end = s;

		while (*end && *end != '\n')
			end = line_end(end);
		if (end > s)
			trc_page_paragraph(p, s, end, first);
		first = false;
		s = end + (*end == '\n');
	}
}

void
trc_page_heading(const struct trc_page_writer *p, const char *s)
{
	if (!p->roff)
		return;
	fprintf(p->f, ".SH ");
	for (; *s; s++)
		putc(toupper((unsigned char)*s), p->f);
	putc('\n', p->f);
}

/* Writes an item whose meaning begins at column `left`, or after its term if that is longer. */
static void
put_item_at(const struct trc_page_writer *p, const char *term, const char *doc, int indented,
            int left)
{
	const int end = indented + (int)strlen(term) + 1;

	if (!p->roff) {
		fprintf(p->f, "%*s%-*s ", indented, "", left - indented - 1, term);
		fill(p->f, doc, doc + strlen(doc), (size_t)(end < left ? left : end), (size_t)left);
		return;
	}
	fprintf(p->f, ".TP\n.B ");
	trc_page_words(p, term);
	putc('\n', p->f);
	trc_page_words(p, doc);
	putc('\n', p->f);
}

void
trc_page_item(const struct trc_page_writer *p, const char *term, const char *doc)
{
	put_item_at(p, term, doc, 2, 17);
}

void
trc_page_long_item(const struct trc_page_writer *p, const char *term, const char *doc)
{
	put_item_at(p, term, doc, 2, 32);
}

void
trc_page_wide_item(const struct trc_page_writer *p, const char *term, const char *doc)
{
	put_item_at(p, term, doc, 6, 39);
}

void
trc_page_option(const struct trc_page_writer *p, const struct trc_opt *o)
{
	if (!p->roff) {
		trc_opt_help(o, 1, p->f);
		return;
	}
	fprintf(p->f, ".TP\n");
	if (o->letter)
		fprintf(p->f, "\\fB\\-%c\\fR, ", o->letter);
	fprintf(p->f, "\\fB\\-\\-");
	trc_page_words(p, o->name);
	fprintf(p->f, "\\fR");
	if (o->arg) {
		fprintf(p->f, o->kind == TRC_OPT_MAYBE ? " [\\fI" : " \\fI");
		trc_page_words(p, o->arg);
		fprintf(p->f, o->kind == TRC_OPT_MAYBE ? "\\fR]" : "\\fR");
	}
	putc('\n', p->f);
	trc_page_words(p, o->doc);
	putc('\n', p->f);
}

void
trc_page_example(const struct trc_page_writer *p, const char *doc, const char *lines, bool first)
{
	if (!p->roff) {
		fprintf(p->f, "\n  # %s\n", doc);
		put(p, lines, lines + strlen(lines));
		return;
	}
	if (!first)
		fprintf(p->f, ".PP\n");
	putc(toupper((unsigned char)*doc), p->f);
	trc_page_words(p, doc + 1);
	fprintf(p->f, ":\n.RS %dn\n", FURTHER);
	put_shell(p, lines, INDENT + FURTHER);
	fprintf(p->f, ".RE\n");
}
