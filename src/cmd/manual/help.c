/* SPDX-License-Identifier: MIT
 * trc help, from the rows of commands, options, formats and columns. */
#include <string.h>

#include "base/suggest.h"
#include "cmd/settings.h"
#include "format/registry.h"
#include "stage/simulate/policy/policy.h"

void
trc_help_command(const struct trc_command *c)
{
	struct trc_settings_rows rows;

	printf("usage: trc %s %s\n\n%c%s.\n", c->name, c->usage, c->doc[0] - 'a' + 'A', c->doc + 1);
	trc_settings_list(c, &rows);
	if (rows.n > 0)
		printf("\n");
	trc_opt_help(rows.row, rows.n, stdout);
	printf("\n%s%s", c->notes, c->more_notes ? c->more_notes : "");
}

const char trc_help_usage[] = "trc COMMAND [OPTION...] INPUT [OUTPUT]";
const char trc_help_doc[] =
        "store, convert, reduce, split, compute and examine memory-reference traces";
const char trc_help_status[] = "0 done, 1 failed, 2 wrong usage";

void
trc_help_all(FILE *f)
{
	const struct trc_command *c = NULL;

	fprintf(f, "usage: %s\n\n%c%s.\n\n", trc_help_usage, trc_help_doc[0] - 'a' + 'A',
	        trc_help_doc + 1);
	while ((c = trc_command_next(c)))
		fprintf(f, "  %-9s %s\n", c->name, c->doc);
	fprintf(f,
	        "\n"
	        "trc help COMMAND    describes a command\n"
	        "trc help formats    lists formats and columns\n"
	        "trc help policies   lists how caches replace lines\n"
	        "trc --version       prints the version\n"
	        "\n"
	        "exit status: %s\n",
	        trc_help_status);
}

/* The last row from `i` on with the same argument and text as row `i`. */
static size_t
last_alike(const struct trc_format_args *args, size_t i)
{
	const struct trc_opt *o = args->opt;
	size_t last = i;

	while (o[i].arg && last + 1 < args->opts && o[last + 1].arg &&
	       strcmp(o[i].arg, o[last + 1].arg) == 0 && strcmp(o[i].doc, o[last + 1].doc) == 0)
		last++;
	return last;
}

static void
put_arguments(const struct trc_format *f, const char *option, const struct trc_format_args *args,
              void (*put)(void *arg, const char *word, const char *doc), void *arg)
{
	char word[64];

	for (size_t i = 0, last; args && i < args->opts; i = last + 1) {
		const struct trc_opt *o = &args->opt[i];
		int n = snprintf(word, sizeof(word), "%s %s:%s%s%s", option, f->name, o->name,
		                 o->arg ? "=" : "", o->arg ? o->arg : "");

		last = last_alike(args, i);
		if (last > i && n > 0 && (size_t)n < sizeof(word))
			snprintf(word + n, sizeof(word) - (size_t)n, " ... %s=%s",
			         args->opt[last].name, o->arg);
		put(arg, word, o->doc);
	}
}

void
trc_help_arguments(const struct trc_format *f,
                   void (*put)(void *arg, const char *word, const char *doc), void *arg)
{
	put_arguments(f, "--from", f->from, put, arg);
	put_arguments(f, "--to", f->to, put, arg);
}

static void
print_argument(void *arg, const char *word, const char *doc)
{
	fprintf((FILE *)arg, "      %-32s %s\n", word, doc);
}

const char *
trc_help_columns(const struct trc_format *f, char *names, size_t room)
{
	const uint32_t lacks = TRC_HAS_ALL & ~f->holds;
	char text[128];

	if (lacks == 0)
		return "every column";
	if (lacks & (lacks - 1))
		return trc_columns_text(f->holds, names, room);
	snprintf(names, room, "every column but %s", trc_columns_text(lacks, text, sizeof(text)));
	return names;
}

const char *
trc_help_direction(const struct trc_format *f)
{
	return f->report             ? " (only written)" :
	       !trc_format_writes(f) ? "; only read" :
	       !trc_format_reads(f)  ? "; only written" :
	                               "";
}

const char trc_help_packings[] =
        "Input and output may be packed with xz, gz, bz2 or zst, input with zip, too.\n"
        "Only trc has checksums, and whatever is packed: damage to any other may pass as\n"
        "another trace. Files of pdats, pdats2 and mache are one segment or more: each\n"
        "has a header of 24 bytes, begins from fresh state, and is of 4194304 references\n"
        "at most.\n";

void
trc_help_formats(FILE *out)
{
	const struct trc_format *f = NULL;
	char names[128];

	fprintf(out, "Formats, what they are and the columns they hold:\n\n");
	while ((f = trc_format_next(f))) {
		fprintf(out, "  %-14s %s%s\n", f->name, f->doc,
		        f->report ? trc_help_direction(f) : "");
		if (!f->report)
			fprintf(out, "  %-14s   %s%s\n", "",
			        trc_help_columns(f, names, sizeof(names)), trc_help_direction(f));
		trc_help_arguments(f, print_argument, out);
	}
	fprintf(out, "\n%s\nColumns:\n\n", trc_help_packings);
	for (int c = 0; c < TRC_COLUMNS; c++)
		fprintf(out, "  %-14s %s\n", trc_column[c].name, trc_column[c].doc);
}

/* `text` from column `at` on, in lines of at most 80. */
static void
put_filled(FILE *out, const char *text, int at)
{
	int column = at;

	while (*text) {
		const int len = (int)strcspn(text, " ");

		if (column > at && column + 1 + len > 80)
			column = fprintf(out, "\n%*s", at, "") - 1;
		column += fprintf(out, "%s%.*s", column > at ? " " : "", len, text);
		text += len + (text[len] == ' ');
	}
	fprintf(out, "\n");
}

void
trc_help_policies(FILE *out)
{
	fprintf(out, "What goes when a line comes into a cache, or a set of it, that is full:\n\n");
	for (size_t i = 0; trc_policy(i); i++) {
		fprintf(out, "  %-10s ", trc_policy(i)->name);
		put_filled(out, trc_policy(i)->doc, 13);
	}
	fprintf(out, "\nWays that are empty are filled before any line goes.\n");
}

int
trc_help(int words, char **word, struct trc_err *err)
{
	const char *what = words > 0 ? word[0] : "--help";
	struct trc_suggest suggest = { .word = what };
	const struct trc_command *c = NULL;

	if (words > 1)
		return trc_fail_as(err, TRC_USAGE,
		                   "help is on one thing at a time; '%s' is one word "
		                   "too many",
		                   word[1]);
	if (strcmp(what, "-h") == 0 || strcmp(what, "--help") == 0) {
		trc_help_all(stdout);
		return 0;
	}
	if (strcmp(what, "formats") == 0) {
		trc_help_formats(stdout);
		return 0;
	}
	if (strcmp(what, "policies") == 0) {
		trc_help_policies(stdout);
		return 0;
	}
	c = trc_command_named(what);
	if (c) {
		trc_help_command(c);
		return 0;
	}
	trc_suggest_offer(&suggest, "formats");
	trc_suggest_offer(&suggest, "policies");
	while ((c = trc_command_next(c)))
		trc_suggest_offer(&suggest, c->name);
	return trc_suggest_fail(&suggest, "",
	                        "; there is help on commands, on 'formats' and on 'policies'", err,
	                        "no help on '%s'", what);
}
