/* SPDX-License-Identifier: MIT
 * trc help: prints a page of the manual as text. */
#include <ctype.h>
#include <string.h>

#include "base/suggest.h"
#include "cmd/synonyms.h"
#include "cmd/manual/manual.h"

void
trc_help_command(const struct trc_command *c, bool brief)
{
	const struct trc_page_writer page = { stdout, false };

	printf("usage: trc %s %s\n\n%c%s.\n", c->name, c->usage, toupper((unsigned char)*c->doc),
	       c->doc + 1);
	trc_manual_examples(&page, c, 2);
	(void)trc_manual_options(&page, c, brief);
	if (brief)
		trc_manual_brief_names(&page, c);
	trc_manual_described_names(&page, c, false);
	if (brief) {
		printf("\n'trc help %s' describes everything.\n", c->name);
		return;
	}
	trc_manual_paragraphs(&page, trc_manual_find(c->name, false), false);
	if (c->example[0].doc && c->example[1].doc && c->example[2].doc)
		printf("\n'man trc-%s' has more examples.\n", c->name);
}

void
trc_help_all(FILE *f)
{
	const struct trc_manual_text *topic = NULL;
	const struct trc_command *c = NULL;

	fprintf(f, "usage: %s\n\n%c%s.\n\n", trc_manual_usage,
	        toupper((unsigned char)*trc_manual_doc), trc_manual_doc + 1);
	while ((c = trc_command_next(c)))
		fprintf(f, "  %-12s %s\n", c->name, c->doc);
	fprintf(f,
	        "\ntrc help COMMAND describes a command (trc COMMAND -h: briefly), trc help TOPIC:\n\n");
	for (const struct trc_manual_list *list = trc_manual_list; list->name; list++)
		fprintf(f, "  %-12s %s\n", list->name, list->doc);
	while ((topic = trc_manual_topic(topic)))
		fprintf(f, "  %-12s %s\n", topic->name, topic->doc);
	fprintf(f, "\ntrc --version prints the version. Exit status: %s.\n", trc_manual_status);
}

static bool
help_on_list(const struct trc_page_writer *p, const char *what)
{
	for (const struct trc_manual_list *list = trc_manual_list; list->name; list++) {
		if (strcmp(what, list->name) != 0)
			continue;
		fprintf(p->f, "%s:\n\n", list->heading);
		list->put(p);
		return true;
	}
	return false;
}

/* Prints the page of this name; returns false if there is none. */
static bool
help_on(const char *what)
{
	const struct trc_page_writer page = { stdout, false };
	const struct trc_command *c = trc_command_named(what);
	const struct trc_format *f = strchr(what, ':') ? NULL : trc_format_named(what);
	const struct trc_manual_text *topic = trc_manual_find(what, true);

	if (strcmp(what, "-h") == 0 || strcmp(what, "--help") == 0)
		trc_help_all(stdout);
	else if (c)
		trc_help_command(c, false);
	else if (topic)
		trc_manual_put_topic(&page, topic);
	else if (f)
		trc_manual_format(&page, f);
	else
		return help_on_list(&page, what);
	return true;
}

/* Prints the page that covers a word of another program, or an option. */
static bool
help_near(const char *what)
{
	const char *word = what + strspn(what, "-"), *page = trc_synonyms_topic(word);

	if (!page && *word)
		page = trc_manual_option(word);
	if (!page)
		return false;
	printf("'%s' is described in 'trc help %s':\n\n", what, page);
	return help_on(page);
}

static void
suggest_all(struct trc_suggest *suggest)
{
	const struct trc_manual_text *topic = NULL;
	const struct trc_command *c = NULL;
	const struct trc_format *f = NULL;

	for (const struct trc_manual_list *list = trc_manual_list; list->name; list++)
		trc_suggest_offer(suggest, list->name);
	while ((topic = trc_manual_topic(topic)))
		trc_suggest_offer(suggest, topic->name);
	while ((c = trc_command_next(c)))
		trc_suggest_offer(suggest, c->name);
	while ((f = trc_format_next(f)))
		trc_suggest_offer(suggest, f->name);
}

int
trc_help(int words, char **word, struct trc_err *err)
{
	const char *what = words > 0 ? trc_manual_page(word[0]) : "--help";
	struct trc_suggest suggest = { .word = what };

	if (words > 1)
		return trc_fail_as(err, TRC_USAGE, "help takes one argument; unexpected '%s'",
		                   word[1]);
	if (help_on(what) || help_near(what))
		return 0;
	suggest_all(&suggest);
	return trc_suggest_fail(&suggest, "", "; 'trc help' lists the topics", err,
	                        "no help on '%s'", what);
}
