/* SPDX-License-Identifier: MIT
 * Writes the parts of pages from the rows of commands, options, formats and columns. */
#include "cmd/fit/fit.h"
#include "cmd/manual/manual.h"

#include <string.h>

#include "batch/event.h"
#include "cmd/answer/name.h"
#include "stage/simulate/object/object_caches.h"
#include "stage/simulate/policy/policy.h"

const char trc_manual_usage[] = "trc COMMAND [OPTION...] INPUT [OUTPUT]";
const char trc_manual_doc[] =
        "store, convert, reduce, split, compute and analyse memory-reference traces";
const char trc_manual_status[] = "0 done, 1 failed, 2 wrong usage";

/* ---- texts ---- */

const struct trc_manual_text *
trc_manual_find(const char *name, bool topic)
{
	for (const struct trc_manual_text *text = trc_manual_text; text->name; text++)
		if (strcmp(text->name, name) == 0 && topic == (text->doc != NULL))
			return text;
	return NULL;
}

const struct trc_manual_text *
trc_manual_topic(const struct trc_manual_text *topic)
{
	for (topic = topic ? topic + 1 : trc_manual_text; topic->name; topic++)
		if (topic->doc)
			return topic;
	return NULL;
}

const char *
trc_manual_page(const char *name)
{
	return strncmp(name, "trc-", 4) == 0 && name[4] ? name + 4 : name;
}

void
trc_manual_paragraphs(const struct trc_page_writer *p, const struct trc_manual_text *text,
                      bool first)
{
	for (const char *const *part = text->paragraph; *part; part++, first = false)
		trc_page_paragraph(p, *part, *part + strlen(*part), first);
}

void
trc_manual_examples(const struct trc_page_writer *p, const struct trc_command *c, size_t most)
{
	for (size_t i = 0; i < most && c->example[i].doc; i++)
		trc_page_example(p, c->example[i].doc, c->example[i].lines, i == 0);
}

/* ---- options ---- */

static bool
takes(const struct trc_settings_rows *rows, const struct trc_opts *owner)
{
	for (size_t i = 0; i < rows->n; i++)
		if (rows->owner[i] == owner)
			return true;
	return false;
}

/* Options described on a page of their own for all commands that take them. */
static const struct described {
	const char *page, *intro;
} described[] = {
	{ "options", "Common options, described by 'trc help options':" },
	{ "shards", "Options for shards, described by 'trc help shards':" },
};

/* Returns true if `page` describes these options of the command. The page "options" has those of
 * encode and decode, which only read and write. */
static bool
describes(const char *page, const struct trc_command *c, const struct trc_opts *owner)
{
	struct trc_settings_rows encode, decode;

	if (strcmp(page, "shards") == 0)
		return trc_opts_has(c->shards, owner);
	trc_settings_list(&trc_command_encode, &encode);
	trc_settings_list(&trc_command_decode, &decode);
	return takes(&encode, owner) && takes(&decode, owner);
}

/* Returns the page that describes the options of an owner for several commands; NULL: none. */
static const char *
page_of(const struct trc_command *c, const struct trc_opts *owner)
{
	for (size_t i = 0; i < TRC_COUNT(described); i++)
		if (describes(described[i].page, c, owner))
			return described[i].page;
	return NULL;
}

const char *
trc_manual_option(const char *name)
{
	const struct trc_command *c = NULL;

	while ((c = trc_command_next(c))) {
		struct trc_settings_rows rows;

		trc_settings_list(c, &rows);
		for (size_t i = 0; i < rows.n; i++) {
			const char *page = page_of(c, rows.owner[i]);

			if (strcmp(rows.row[i].name, name) == 0)
				return page ? page : c->name;
		}
	}
	return NULL;
}

/* Returns true if the option chooses an action. */
static bool
chooses(const struct trc_command *c, const struct trc_opt *o)
{
	for (const struct trc_action *const *a = c->action; *a; a++)
		if (strncmp((*a)->name, "--", 2) == 0 && strcmp((*a)->name + 2, o->name) == 0)
			return true;
	return false;
}

bool
trc_manual_options(const struct trc_page_writer *p, const struct trc_command *c, bool brief)
{
	struct trc_settings_rows rows;
	bool any = false;

	trc_settings_list(c, &rows);
	for (size_t i = 0; i < rows.n; i++) {
		if (page_of(c, rows.owner[i]) || (brief && c->many && !chooses(c, &rows.row[i])))
			continue;
		if (!any && !p->roff)
			putc('\n', p->f);
		trc_page_option(p, &rows.row[i]);
		any = true;
	}
	return any;
}

/* Writes the names of the options that `page` describes, if there are any; NULL: those that are
 * left out if the page of the command is brief. */
static bool
put_names(const struct trc_page_writer *p, const struct trc_command *c, const char *page,
          const char *intro, bool first)
{
	struct trc_settings_rows rows;
	char names[2048];
	size_t n = (size_t)snprintf(names, sizeof(names), "%s", intro);
	bool any = false;

	trc_settings_list(c, &rows);
	for (size_t i = 0; i < rows.n; i++) {
		if (!(page ? describes(page, c, rows.owner[i]) :
		             !page_of(c, rows.owner[i]) && !chooses(c, &rows.row[i])) ||
		    n + 64 >= sizeof(names))
			continue;
		n += (size_t)snprintf(names + n, sizeof(names) - n, " --%s", rows.row[i].name);
		any = true;
	}
	snprintf(names + n, sizeof(names) - n, "\n");
	if (any)
		trc_page_text(p, names, first);
	return any;
}

void
trc_manual_described_names(const struct trc_page_writer *p, const struct trc_command *c, bool first)
{
	for (size_t i = 0; i < TRC_COUNT(described); i++)
		first &= !put_names(p, c, described[i].page, described[i].intro, first);
}

void
trc_manual_brief_names(const struct trc_page_writer *p, const struct trc_command *c)
{
	if (c->many)
		(void)put_names(p, c, NULL, "Options for these:", false);
}

static void
put_described(const struct trc_page_writer *p, const char *page, const struct trc_command *c)
{
	struct trc_settings_rows rows;

	trc_settings_list(c, &rows);
	for (size_t i = 0; i < rows.n; i++)
		if (describes(page, c, rows.owner[i]))
			trc_page_option(p, &rows.row[i]);
}

static void
put_common(const struct trc_page_writer *p)
{
	put_described(p, "options", &trc_command_encode);
}

void
trc_manual_put_topic(const struct trc_page_writer *p, const struct trc_manual_text *topic)
{
	trc_manual_paragraphs(p, topic, true);
	if (strcmp(topic->name, "shards") != 0)
		return;
	if (!p->roff)
		putc('\n', p->f);
	put_described(p, topic->name, &trc_command_stat);
}

/* ---- formats ---- */

/* Returns the last row from `i` on that has the same argument and text as row `i`. */
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

/* Writes what may follow the name of a format: "--from csv:addr=N". */
static void
put_arguments(const struct trc_page_writer *p, const struct trc_format *f, const char *option,
              const struct trc_format_args *args)
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
		trc_page_wide_item(p, word, o->doc);
	}
}

/* Returns a set of columns as text, using `names` if necessary. */
static const char *
columns(uint32_t holds, char *names, size_t room)
{
	const uint32_t lacks = TRC_HAS_ALL & ~holds;
	char text[128];

	if (lacks == 0)
		return "every column";
	if (lacks & (lacks - 1))
		return trc_columns_text(holds, names, room);
	snprintf(names, room, "every column but %s", trc_columns_text(lacks, text, sizeof(text)));
	return names;
}

/* Returns "; input only" and the like if a format is not both read and written. */
static const char *
direction(const struct trc_format *f)
{
	return f->report             ? " (output only)" :
	       !trc_format_writes(f) ? "; input only" :
	       !trc_format_reads(f)  ? "; output only" :
	                               "";
}

static void
put_short(const struct trc_page_writer *p, const struct trc_format *f)
{
	char names[128];

	fprintf(p->f, "  %-14s %s%s\n", f->name, f->doc, f->report ? direction(f) : "");
	if (!f->report)
		fprintf(p->f, "  %-14s   %s%s\n", "", columns(f->holds, names, sizeof(names)),
		        direction(f));
	put_arguments(p, f, "--from", f->from);
	put_arguments(p, f, "--to", f->to);
}

static void
put_fact(const struct trc_page_writer *p, const char *what, const char *fact)
{
	if (!p->roff) {
		trc_page_item(p, what, fact);
		return;
	}
	fprintf(p->f, ".TP 15n\n%s\n", what);
	trc_page_words(p, fact);
	putc('\n', p->f);
}

/* Writes which columns a format holds, and the endings of its files. */
static void
put_facts(const struct trc_page_writer *p, const struct trc_format *f)
{
	char names[128], line[320];

	if (f->report) {
		put_fact(p, "columns", "none: a report on the trace, output only");
	} else {
		snprintf(line, sizeof(line), "%s%s", columns(f->holds, names, sizeof(names)),
		         direction(f));
		put_fact(p, "columns", line);
	}
	if (f->needs && !f->report && trc_format_writes(f))
		put_fact(p, "written from", columns(f->needs, names, sizeof(names)));
	if (f->ending) {
		snprintf(line, sizeof(line), "%s%s%s", f->ending, f->known ? " " : "",
		         f->known ? f->known : "");
		put_fact(p, "names end in", line);
	}
	if (f->as) {
		snprintf(line, sizeof(line), "--from '%s'", f->as);
		put_fact(p, "the same as", line);
	}
	put_arguments(p, f, "--from", f->from);
	put_arguments(p, f, "--to", f->to);
}

/* Returns true if the next format has the same text, which is then shown only once, on the last of
 * them. */
static bool
shares_text(const struct trc_format *f)
{
	const struct trc_format *next = trc_format_next(f);

	return next && trc_manual_find(f->name, false)->paragraph ==
	                       trc_manual_find(next->name, false)->paragraph;
}

void
trc_manual_format(const struct trc_page_writer *p, const struct trc_format *f)
{

	if (p->roff) {
		fprintf(p->f, ".SS %s\n", f->name);
		trc_page_words(p, f->doc);
		putc('\n', p->f);
	} else {
		fprintf(p->f, "%s: %s\n\n", f->name, f->doc);
	}
	put_facts(p, f);
	if (!p->roff || !shares_text(f))
		trc_manual_paragraphs(p, trc_manual_find(f->name, false), false);
}

static const char packings[] =
        "Input and output can be packed with xz, gz, bz2 or zst, input also with zip.\n"
        "Only trc has checksums, and packed files: in any other, damage may look like\n"
        "another trace. Files of pdats, pdats2 and mache consist of one or more segments;\n"
        "each has a header of 24 bytes, starts from fresh state, and holds at most\n"
        "4194304 references.\n";

void
trc_manual_formats(const struct trc_page_writer *p)
{
	const struct trc_format *f = NULL;

	if (p->roff) {
		trc_page_text(p, packings, true);
		while ((f = trc_format_next(f)))
			trc_manual_format(p, f);
		return;
	}
	while ((f = trc_format_next(f)))
		put_short(p, f);
	trc_page_text(p, packings, false);
}

static void
put_events(const struct trc_page_writer *p)
{
	for (const struct trc_event_tag *row = trc_event_tag; row->tag; row++) {
		char tag[2] = { row->tag, 0 }, fields[160];
		size_t n = (size_t)snprintf(fields, sizeof(fields), "%s:", row->what);

		for (size_t i = 0; i < TRC_COUNT(row->field) && row->field[i]; i++)
			n += (size_t)snprintf(fields + n, sizeof(fields) - n, " %s", row->field[i]);
		trc_page_item(p, tag, fields);
	}
}

void
trc_manual_columns(const struct trc_page_writer *p)
{
	for (int c = 0; c < TRC_COLUMNS; c++)
		trc_page_item(p, trc_column[c].name, trc_column[c].doc);
}

static void
put_formats(const struct trc_page_writer *p)
{
	trc_manual_formats(p);
	fprintf(p->f, "\nColumns:\n\n");
	trc_manual_columns(p);
}

static void
put_policies(const struct trc_page_writer *p)
{
	for (size_t i = 0; trc_policy(i); i++)
		trc_page_item(p, trc_policy(i)->name, trc_policy(i)->doc);
	trc_page_text(
	        p,
	        "Empty ways are filled before any line is evicted. --mrc --policy opt --bypass is\n"
	        "the lower bound of misses: see 'trc help caches'.\n"
	        "\n"
	        "With --bytes, these policies manage objects of any size, and shares are shares\n"
	        "of the bytes, rounded down; see 'trc help objects':\n",
	        false);
	for (size_t i = 0; trc_object_policy(i); i++)
		trc_page_item(p, trc_object_policy(i)->name, trc_object_policy(i)->doc);
}

static void
put_programs(const struct trc_page_writer *p)
{
	const struct trc_preset *preset = NULL;
	char text[512];

	while ((preset = trc_preset_next(preset))) {
		snprintf(text, sizeof(text), "%s (--to %s); loses %s", preset->doc, preset->to,
		         preset->loses);
		trc_page_item(p, preset->name, text);
	}
}

/* Writes the names in answers, which are declared in cmd/answer/names.def. */
static void
put_answer_names(const struct trc_page_writer *p)
{
	for (size_t i = TRC_NAME_NONE + 1; i < TRC_NAMES; i++) {
		const struct trc_name_row *row = &trc_name_row[i];
		char doc[256];

		snprintf(doc, sizeof(doc), "%s (%s)", row->doc, row->unit);
		trc_page_long_item(p, row->name, doc);
	}
	trc_page_text(p, "'trc help formats' has the columns of traces.\n", false);
}

const struct trc_manual_list trc_manual_list[] = {
	{ "options", "options of several commands", "Options of several commands", put_common },
	{ "formats", "formats and their columns; see also trc help FORMAT",
	  "Formats and the columns that they hold", put_formats },
	{ "columns", "names in --csv and --json",
	  "Names of columns and facts in --csv and --json, with their units", put_answer_names },
	{ "events", "kernel events in traces",
	  "Kernel events: tag, name, and the fields after the time", put_events },
	{ "programs", "programs for --for",
	  "Programs for --for, the format that each reads, and what is lost", put_programs },
	{ "policies", "replacement policies of caches",
	  "Which line is evicted from a full cache, or a full set of one", put_policies },
	{ NULL, NULL, NULL, NULL },
};
