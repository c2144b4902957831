/* SPDX-License-Identifier: MIT
 *
 * What could stand in the place of the last word: the shells' completion scripts ask
 * `trc --complete WORD...`, the words of the command line so far, and get one candidate a line,
 * with a tab and a sentence where there is one. The line "\tfiles" asks the shell for file names.
 */
#include <string.h>

#include "cmd/cmd.h"
#include "format/format.h"

static void
offer(const char *start, const char *before, const char *word, const char *doc)
{
	char full[128];

	snprintf(full, sizeof(full), "%s%s", before, word);
	if (strncmp(full, start, strlen(start)) == 0)
		printf("%s\t%s\n", full, doc);
}

/* The arguments of a format, in a list like columns. */
static void
offer_arguments(const char *start, const struct trc_format_args *args)
{
	const char *last = strrchr(start, ',');
	char before[96], word[32];

	if (!last)
		last = strchr(start, ':');
	snprintf(before, sizeof(before), "%.*s", (int)(last + 1 - start), start);
	for (size_t i = 0; args && i < args->opts; i++) {
		snprintf(word, sizeof(word), "%s%s", args->opt[i].name,
		         args->opt[i].arg ? "=" : "");
		offer(start, before, word, args->opt[i].doc);
	}
}

static void
offer_formats(const char *start, bool write)
{
	const struct trc_format *f = strchr(start, ':') ? trc_format_named(start) : NULL;

	if (f) {
		offer_arguments(start, write ? f->to : f->from);
		return;
	}
	while ((f = trc_format_next(f)))
		if (write ? trc_format_writes(f) : trc_format_reads(f))
			offer(start, "", f->name, f->doc);
}

/* Columns may stand in a list: what is before the last comma stays. */
static void
offer_columns(const char *start)
{
	const char *comma = strrchr(start, ',');
	char before[96];

	snprintf(before, sizeof(before), "%.*s", comma ? (int)(comma + 1 - start) : 0, start);
	for (int c = 0; c < TRC_COLUMNS; c++)
		offer(start, before, trc_column[c].name, trc_column[c].doc);
}

static void
offer_packings(const char *start)
{
	const struct trc_packing *row = NULL;

	while ((row = trc_packing_next(row)))
		if (row->pack_open)
			offer(start, "", row->name, "");
}

static void
offer_words(enum trc_opt_words words, const char *start)
{
	switch (words) {
	case TRC_WORDS_READ: offer_formats(start, false); break;
	case TRC_WORDS_WRITE: offer_formats(start, true); break;
	case TRC_WORDS_COLUMN: offer_columns(start); break;
	case TRC_WORDS_PACKING: offer_packings(start); break;
	case TRC_WORDS_FILE: printf("\tfiles\n"); break;
	case TRC_WORDS_NONE: break;
	}
}

static void
offer_commands(const char *start)
{
	const struct trc_command *c = NULL;

	while ((c = trc_command_next(c)))
		offer(start, "", c->name, c->doc);
	offer(start, "", "help", "tell about a command");
}

/* The row whose value `word` asks for as the next word, or NULL. */
static const struct trc_opt *
waits_for_value(const struct trc_command *c, const char *word)
{
	for (size_t i = 0; i < c->opts; i++) {
		const struct trc_opt *o = &c->opt[i];

		if (o->arg && ((strncmp(word, "--", 2) == 0 && strcmp(word + 2, o->name) == 0) ||
		               (o->letter && word[0] == '-' && word[1] == o->letter && !word[2])))
			return o;
	}
	return NULL;
}

int
trc_complete(int n, char **words, struct trc_err *err)
{
	const char *last = n > 0 ? words[n - 1] : "";
	const struct trc_command *c = n > 1 ? trc_command_named(words[0]) : NULL;
	const struct trc_opt *o;

	(void)err;
	if (n <= 1) {
		offer_commands(last);
		return 0;
	}
	if (strcmp(words[0], "help") == 0) {
		offer_commands(last);
		offer(last, "", "formats", "formats and columns");
		return 0;
	}
	if (!c)
		return 0;
	o = waits_for_value(c, words[n - 2]);
	if (o) {
		offer_words(o->words, last);
		return 0;
	}
	if (last[0] != '-') {
		printf("\tfiles\n");
		return 0;
	}
	for (size_t i = 0; i < c->opts; i++)
		offer(last, "--", c->opt[i].name, c->opt[i].doc);
	offer(last, "--", "help", "tell about this command");
	return 0;
}
