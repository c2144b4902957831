/* SPDX-License-Identifier: MIT
 *
 * Writes the manual pages for `man` from the same parts as `trc help`: trc(1), trc-COMMAND(1) and
 * trc-formats(5). The build runs `trc --man [PAGE]` for them.
 */
#include <ctype.h>
#include <string.h>

#include "cmd/manual/manual.h"

/* test/cli/man.sh runs the lines that begin with trc or xz. */
static const struct trc_example example[] = {
	{ "archive a trace, and read three records from its middle",
	  "  trc encode sort.lackey.xz sort.trc\n"
	  "  trc decode --skip 500k --limit 3 sort.trc\n" },
	{ "what a trace contains", "  trc stat sort.trc\n" },
	{ "keep only what matters to LRU memories of 64 pages or more, and check that",
	  "  trc reduce --sad 64 sort.trc sort.sad\n"
	  "  trc stat --certify sort.sad sort.trc\n" },
	{ "in a pipe, with text on both sides",
	  "  xz -dc sort.lackey.xz | trc reduce --sad 64 - | \\\n"
	  "    gzip >small.sad.gz\n" },
	{ "a trace that is never stored as text",
	  "  valgrind --tool=lackey --trace-mem=yes --log-fd=9 ls \\\n"
	  "    9>&1 >/dev/null | trc encode - ls.trc\n" },
};

/* Also turns off hyphenation and justification. */
static void
put_title(const char *name, const char *command, int section, const char *version, const char *doc)
{
	printf(".TH ");
	for (const char *s = name; *s; s++)
		putchar(toupper((unsigned char)*s));
	for (const char *s = command; *s; s++)
		putchar(toupper((unsigned char)*s));
	printf(" %d \"\" \"trc %s\" \"%s\"\n.nh\n.ad l\n.SH NAME\n%s%s \\- ", section, version,
	       section == 1 ? "User Commands" : "File Formats", name, command);
	trc_page_words(&(const struct trc_page_writer){ stdout, true }, doc);
	putchar('\n');
}

static void
put_see_also(const struct trc_page_writer *p, const char *but)
{
	static const char *const other[] = {
		"bzip2", "gzip", "qemu-user", "valgrind", "xz", "zstd"
	};
	const struct trc_command *c = NULL;

	trc_page_heading(p, "see also");
	if (strcmp(but, "") != 0)
		printf(".BR trc (1),\n");
	while ((c = trc_command_next(c)))
		if (strcmp(c->name, but) != 0)
			printf(".BR trc\\-%s (1),\n", c->name);
	if (strcmp(but, "formats") != 0)
		printf(".BR trc\\-formats (5),\n");
	for (size_t i = 0; i < TRC_COUNT(other); i++) {
		printf(".BR ");
		trc_page_words(p, other[i]);
		printf(" (1)%s\n", i + 1 < TRC_COUNT(other) ? "," : "");
	}
}

static void
put_environment(const struct trc_page_writer *p)
{
	const struct trc_manual_text *text = trc_manual_find("environment", true);

	trc_page_heading(p, "environment");
	trc_manual_paragraphs(p, text, true);
	trc_page_heading(p, "exit status");
	trc_page_words(p, trc_manual_status);
	putchar('\n');
}

static void
put_list(const struct trc_page_writer *p, const char *name, const char *heading)
{
	const struct trc_manual_list *list = trc_manual_list;

	while (strcmp(list->name, name) != 0)
		list++;
	trc_page_heading(p, heading);
	list->put(p);
}

static void
put_main(const struct trc_page_writer *p, const char *version)
{
	const struct trc_manual_text *topic = NULL;
	const struct trc_command *c = NULL;

	put_title("trc", "", 1, version, trc_manual_doc);
	trc_page_heading(p, "synopsis");
	trc_page_words(p, trc_manual_usage);
	printf("\n.br\ntrc help [COMMAND|FORMAT|TOPIC]\n.br\ntrc \\-\\-version\n");
	trc_page_heading(p, "description");
	printf("Each command has a manual page, and so have formats.\n");
	while ((c = trc_command_next(c))) {
		printf(".TP\n.BR trc\\-%s (1)\n", c->name);
		trc_page_words(p, c->doc);
		putchar('\n');
	}
	printf(".TP\n.BR trc\\-formats (5)\nformats and the columns that they hold\n");
	put_list(p, "options", "options of several commands");
	put_list(p, "programs", "programs");
	while ((topic = trc_manual_topic(topic))) {
		if (strcmp(topic->name, "environment") == 0)
			continue;
		trc_page_heading(p, topic->name);
		trc_manual_put_topic(p, topic);
	}
	trc_page_heading(p, "columns");
	trc_manual_columns(p);
	put_list(p, "columns", "columns of answers");
	put_list(p, "policies", "policies of caches");
	trc_page_heading(p, "examples");
	for (size_t i = 0; i < TRC_COUNT(example); i++)
		trc_page_example(p, example[i].doc, example[i].lines, i == 0);
	put_environment(p);
	put_see_also(p, "");
}

static void
put_command(const struct trc_page_writer *p, const struct trc_command *c, const char *version)
{
	put_title("trc-", c->name, 1, version, c->doc);
	trc_page_heading(p, "synopsis");
	printf(".B trc %s\n", c->name);
	trc_page_words(p, c->usage);
	printf("\n");
	trc_page_heading(p, "description");
	putchar(toupper((unsigned char)*c->doc));
	trc_page_words(p, c->doc + 1);
	printf(".\n");
	trc_manual_paragraphs(p, trc_manual_find(c->name, false), false);
	trc_page_heading(p, "options");
	trc_manual_described_names(p, c, !trc_manual_options(p, c, false));
	trc_page_heading(p, "examples");
	trc_manual_examples(p, c, SIZE_MAX);
	put_environment(p);
	put_see_also(p, c->name);
}

static void
put_formats(const struct trc_page_writer *p, const char *version)
{
	put_title("trc-", "formats", 5, version, "formats of memory-reference traces");
	trc_page_heading(p, "description");
	trc_manual_formats(p);
	trc_page_heading(p, "columns");
	trc_manual_columns(p);
	put_list(p, "events", "events");
	put_see_also(p, "formats");
}

int
trc_man(const char *name, const char *version, struct trc_err *err)
{
	const struct trc_page_writer page = { stdout, true };
	const char *word = name ? trc_manual_page(name) : "trc";
	const struct trc_command *c = trc_command_named(word);

	if (strcmp(word, "trc") == 0 || trc_manual_find(word, true))
		put_main(&page, version);
	else if (c)
		put_command(&page, c, version);
	else if (strcmp(word, "formats") == 0 || trc_format_named(word))
		put_formats(&page, version);
	else
		return trc_fail_as(err, TRC_USAGE, "no manual page on '%s'", name);
	return 0;
}
