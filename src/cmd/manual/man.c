/* SPDX-License-Identifier: MIT
 *
 * The manual page, for `man`, made of what `trc help` is made of: `trc --man` writes it when trc is
 * built. It fits into 80 columns. Paragraphs of notes are filled; those with indented lines are
 * tables, which stay as they are laid out.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/settings.h"
#include "format/registry.h"
#include "stage/simulate/policy/policy.h"

/* Columns of a page for a terminal of 80, and how far `man` indents text. */
enum { COLUMNS = 78, INDENT = 7 };

/* Puts `n` characters, escaped for roff. */
static void
put_text(const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++)
		switch (s[i]) {
		case '-': fputs("\\-", stdout); break;
		case '\\': fputs("\\e", stdout); break;
		case '\'': fputs("\\(aq", stdout); break;
		case '`': fputs("\\(ga", stdout); break;
		case '^': fputs("\\(ha", stdout); break;
		case '~': fputs("\\(ti", stdout); break;
		case '.': fputs(i == 0 ? "\\&." : ".", stdout); break;
		default: putchar(s[i]);
		}
}

static void
put(const char *s)
{
	put_text(s, strlen(s));
}

static void
put_heading(const char *s)
{
	printf(".SH ");
	for (; *s; s++)
		putchar(toupper((unsigned char)*s));
	printf("\n");
}

/* Where the paragraph at `s` ends: behind its last newline. */
static const char *
paragraph_end(const char *s)
{
	while (*s && *s != '\n') {
		s += strcspn(s, "\n");
		s += *s == '\n';
	}
	return s;
}

/* Puts the lines [s, end), `left` characters of which are left out. */
static void
put_lines(const char *s, const char *end, size_t left)
{
	while (s < end) {
		const size_t n = strcspn(s, "\n");

		if (n > left)
			put_text(s + left, n - left);
		putchar('\n');
		s += n + 1;
	}
}

/* How far the lines [s, end) are indented, all of them, and how wide the widest is. */
static size_t
indentation(const char *s, const char *end, size_t *widest)
{
	size_t least = SIZE_MAX;

	for (*widest = 0; s < end; s += strcspn(s, "\n") + 1) {
		const size_t n = strcspn(s, "\n"), blanks = strspn(s, " ");

		least = blanks < least ? blanks : least;
		*widest = n > *widest ? n : *widest;
	}
	return least;
}

/* Puts a table, which begins further to the left if it is wide. */
static void
put_table(const char *s, const char *end)
{
	size_t widest;
	const size_t left = indentation(s, end, &widest);
	const size_t over = widest - left + INDENT > COLUMNS ? widest - left + INDENT - COLUMNS : 0;

	printf(".PP\n.nf\n");
	if (over)
		printf(".in -%zun\n", over);
	put_lines(s, end, left);
	if (over)
		printf(".in +%zun\n", over);
	printf(".fi\n");
}

static bool
has_indented_lines(const char *s, const char *end)
{
	for (; s < end; s += strcspn(s, "\n") + 1)
		if (*s == ' ')
			return true;
	return false;
}

static void
put_notes(const char *s)
{
	for (const char *end; *s; s = end + (*end == '\n')) {
		end = paragraph_end(s);
		if (has_indented_lines(s, end)) {
			put_table(s, end);
		} else {
			printf(".PP\n");
			put_lines(s, end, 0);
		}
	}
}

static void
put_option(const struct trc_opt *o)
{
	printf(".TP\n");
	if (o->letter)
		printf("\\fB\\-%c\\fR, ", o->letter);
	printf("\\fB\\-\\-");
	put(o->name);
	printf("\\fR");
	if (o->arg) {
		printf(" \\fI");
		put(o->arg);
		printf("\\fR");
	}
	printf("\n");
	put(o->doc);
	printf("\n");
}

static void
put_command(const struct trc_command *c)
{
	struct trc_settings_rows rows;

	put_heading(c->name);
	printf(".B trc %s\n", c->name);
	put(c->usage);
	printf("\n.PP\n%c", c->doc[0] - 'a' + 'A');
	put(c->doc + 1);
	printf(".\n");
	trc_settings_list(c, &rows);
	for (size_t i = 0; i < rows.n; i++)
		put_option(&rows.row[i]);
	put_notes(c->notes);
	if (c->more_notes)
		put_notes(c->more_notes + 1);
}

static void
put_argument(void *arg, const char *word, const char *doc)
{
	(void)arg;
	printf(".TP\n.B ");
	put(word);
	printf("\n");
	put(doc);
	printf("\n");
}

static void
put_formats(void)
{
	const struct trc_format *f = NULL;
	char columns[128];

	put_heading("formats");
	printf("%s", trc_help_packings);
	while ((f = trc_format_next(f))) {
		printf(".TP\n.B ");
		put(f->name);
		printf("\n");
		put(f->doc);
		if (!f->report) {
			printf("\n.br\n");
			put(trc_help_columns(f, columns, sizeof(columns)));
		}
		printf("%s\n", trc_help_direction(f));
		if (!f->from && !f->to)
			continue;
		printf(".RS\n");
		trc_help_arguments(f, put_argument, NULL);
		printf(".RE\n");
	}
	put_heading("columns");
	for (int c = 0; c < TRC_COLUMNS; c++)
		put_argument(NULL, trc_column[c].name, trc_column[c].doc);
}

static void
put_policies(void)
{
	put_heading("policies");
	for (size_t i = 0; trc_policy(i); i++)
		put_argument(NULL, trc_policy(i)->name, trc_policy(i)->doc);
}

/* The test of this page runs the examples whose lines begin with trc or xz. */
static const struct {
	const char *doc, *lines;
} example[] = {
	{ "What is in a trace, packed or not:", "  trc stat sort.lackey.xz\n" },
	{ "Archive it, and read three records from its middle:",
	  "  trc encode sort.lackey.xz sort.trc\n"
	  "  trc decode --skip 500k --limit 3 sort.trc\n" },
	{ "Keep only what matters to LRU memories of 64 pages and more, and check that:",
	  "  trc reduce --sad 64 sort.lackey.xz sort.sad\n"
	  "  trc stat --certify sort.sad sort.lackey.xz\n" },
	{ "How often memories of 64, 256 and 512 KiB fault, and what two levels of caches do:",
	  "  trc stat --mrc --sizes 64K,256K,512K sort.lackey.xz\n"
	  "  trc stat --cache 32K:8:64 --cache 256K:8:64 sort.lackey.xz\n" },
	{ "A trace for dinero, packed, without what it cannot hold:",
	  "  trc encode --drop size --split-modify sort.lackey.xz sort.din.xz\n" },
	{ "In a pipe, with text on both sides:",
	  "  xz -dc sort.lackey.xz | trc reduce --sad 64 - | gzip >small.sad.gz\n" },
	{ "A trace that is never stored as text:",
	  "  valgrind --tool=lackey --trace-mem=yes --log-fd=9 ls \\\n"
	  "    9>&1 >/dev/null | trc encode - ls.trc\n" },
};

static void
put_examples(void)
{
	put_heading("examples");
	for (size_t i = 0; i < TRC_COUNT(example); i++) {
		if (i)
			printf(".PP\n");
		put(example[i].doc);
		printf("\n.RS 2n\n");
		put_notes(example[i].lines);
		printf(".RE\n");
	}
}

static void
put_environment(void)
{
	put_heading("environment");
	put_argument(NULL, "TMPDIR",
	             "folder of temporary files that are larger than memory should hold, and of "
	             "those that stat --formats measures; /tmp if not set");
	put_argument(NULL, "LC_ALL, LC_CTYPE, LANG",
	             "the first that is set: curves on a terminal are drawn with block characters "
	             "where it names UTF-8, else with ASCII");
	put_argument(NULL, "TERM", "if it is not set, or dumb, no progress is shown");
}

static void
put_see_also(void)
{
	static const char *const page[] = {
		"bzip2", "gzip", "qemu-user", "valgrind", "xz", "zstd"
	};

	put_heading("see also");
	for (size_t i = 0; i < TRC_COUNT(page); i++) {
		printf(".BR ");
		put(page[i]);
		printf(" (1)%s\n", i + 1 < TRC_COUNT(page) ? "," : "");
	}
}

int
trc_man(const char *version, struct trc_err *err)
{
	const struct trc_command *c = NULL;

	(void)err;
	/* Words are not broken, nor blanks widened. */
	printf(".TH TRC 1 \"\" \"trc %s\" \"User Commands\"\n.nh\n.ad l\n.SH NAME\ntrc \\- ",
	       version);
	put(trc_help_doc);
	printf("\n.SH SYNOPSIS\n");
	put(trc_help_usage);
	printf("\n.br\ntrc help [COMMAND|formats|policies]\n.br\ntrc \\-\\-version\n.SH DESCRIPTION\n");
	while ((c = trc_command_next(c))) {
		printf(".TP\n.B %s\n", c->name);
		put(c->doc);
		printf("\n");
	}
	while ((c = trc_command_next(c)))
		put_command(c);
	put_formats();
	put_policies();
	put_examples();
	put_environment();
	put_heading("exit status");
	put(trc_help_status);
	printf("\n");
	put_see_also();
	return 0;
}
