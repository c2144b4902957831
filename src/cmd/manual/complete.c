/* SPDX-License-Identifier: MIT
 *
 * Implements completion. The completion scripts of shells run `trc --complete WORD...` with the
 * words of the command line so far, and get one candidate for the last word per line, followed by a
 * tab and a description if there is one. The line "\tfiles" asks the shell to complete file names:
 * for the whole word, or in --OPTION=NAME after the first =.
 */
#include <string.h>

#include "cmd/fit/fit.h"
#include "cmd/geometry.h"
#include "cmd/manual/manual.h"
#include "stage/simulate/policy/policy.h"

/* The word to complete. Candidates replace the text from `start` on; what precedes it stays. */
struct partial {
	const char *word, *start;
};

static void
offer(const struct partial *a, const char *candidate, const char *doc)
{
	if (strncmp(candidate, a->start, strlen(a->start)) == 0)
		printf("%.*s%s\t%s\n", (int)(a->start - a->word), a->word, candidate, doc);
}

/* Offers what may follow the name of a format and a colon, separated by commas. */
static void
offer_settings(struct partial a, const struct trc_format_args *args)
{
	const char *comma = strrchr(a.start, ',');
	char word[32];

	a.start = comma ? comma + 1 : strchr(a.start, ':') + 1;
	for (size_t i = 0; args && i < args->opts; i++) {
		snprintf(word, sizeof(word), "%s%s", args->opt[i].name,
		         args->opt[i].arg ? "=" : "");
		offer(&a, word, args->opt[i].doc);
	}
}

static void
offer_formats(struct partial a, bool write)
{
	const struct trc_format *f = strchr(a.start, ':') ? trc_format_named(a.start) : NULL;

	if (f) {
		offer_settings(a, write ? f->to : f->from);
		return;
	}
	while ((f = trc_format_next(f)))
		if (write ? trc_format_writes(f) : trc_format_reads(f))
			offer(&a, f->name, f->doc);
}

/* Offers columns and types, which may be in a list: what precedes the last comma stays. */
static void
offer_drops(struct partial a)
{
	const char *comma = strrchr(a.start, ',');

	if (comma)
		a.start = comma + 1;
	for (int c = 0; c < TRC_COLUMNS; c++)
		offer(&a, trc_column[c].name, trc_column[c].doc);
	for (int t = 0; t < TRC_EVENT; t++)
		offer(&a, trc_type_name[t], "records of this type");
	offer(&a, "kernel", "the mark of kernel references");
}

/* Offers types of records, also in a list. */
static void
offer_types(struct partial a)
{
	const char *comma = strrchr(a.start, ',');

	if (comma)
		a.start = comma + 1;
	for (int t = 0; t < TRC_TYPES; t++)
		offer(&a, trc_type_name[t], "records of this type");
}

/* Offers columns with "=", then values for them; clocks also have words. */
static void
offer_fills(struct partial a)
{
	static const struct {
		const char *word, *doc;
	} clock[] = { { "every:", "0, N, 2N, ..." },
		      { "rtime", "reference time, counted if missing" },
		      { "itime", "instruction time, counted if missing" } };
	const uint32_t clocks = TRC_HAS_TIME | TRC_HAS_ITIME | TRC_HAS_RTIME;
	const char *comma = strrchr(a.start, ','), *equals;
	uint32_t column;
	char word[32];

	a.start = comma ? comma + 1 : a.start;
	equals = strchr(a.start, '=');
	for (int c = 0; !equals && c < TRC_COLUMNS; c++) {
		snprintf(word, sizeof(word), "%s=", trc_column[c].name);
		if (c != TRC_COL_EVENT)
			offer(&a, word, trc_column[c].doc);
	}
	if (!equals)
		return;
	column = trc_column_bit(a.start, (size_t)(equals - a.start));
	a.start = equals + 1;
	if (column == TRC_HAS_PC)
		offer(&a, "fetch", "the task's last fetch");
	if (column == TRC_HAS_BRANCH)
		offer(&a, "path", "inferred from the task's next fetch");
	for (size_t i = 0; column & clocks && i < TRC_COUNT(clock); i++)
		offer(&a, clock[i].word, clock[i].doc);
}

static void
offer_presets(const struct partial *a)
{
	const struct trc_preset *p = NULL;

	while ((p = trc_preset_next(p)))
		offer(a, p->name, p->doc);
}

static void
offer_packings(const struct partial *a)
{
	const struct trc_packing *row = NULL;

	while ((row = trc_packing_next(row)))
		if (row->pack_open)
			offer(a, row->name, "");
}

/* Offers the words of a choice, "references|instructions|cycles". */
static void
offer_choices(const struct partial *a, const char *words)
{
	char word[32];

	for (size_t len; *words; words += len + (words[len] == '|')) {
		len = strcspn(words, "|");
		snprintf(word, sizeof(word), "%.*s", (int)len, words);
		offer(a, word, "");
	}
}

/* Offers policies in a list, or for a cache, after its line size. */
static void
offer_policies(struct partial a, bool of_cache)
{
	const char *comma = strrchr(a.start, ','), *colon = a.start;

	if (of_cache) {
		colon += 2 * (strncmp(colon, "i:", 2) == 0 || strncmp(colon, "d:", 2) == 0);
		for (int i = 0; i < 3 && colon; i++)
			colon = strchr(colon, ':') ? strchr(colon, ':') + 1 : NULL;
		if (!colon)
			return;
		a.start = colon;
	} else if (comma) {
		a.start = comma + 1;
	}
	for (size_t i = 0; trc_policy(i); i++)
		offer(&a, trc_policy(i)->name, "");
	for (int i = TRC_PREFETCH_NONE + 1; of_cache && i < TRC_PREFETCH_HOWS; i++)
		offer(&a, trc_prefetch_name[i], "");
}

static void
offer_inclusions(struct partial a)
{
	const char *comma = strrchr(a.start, ',');

	if (comma)
		a.start = comma + 1;
	for (int k = TRC_CACHE_NINE; k <= TRC_CACHE_EXCLUSIVE; k++)
		offer(&a, trc_geometry_inclusions[k], "");
}

static void
offer_values(const struct trc_opt *o, const struct partial *a)
{
	if (o->kind == TRC_OPT_CHOICE || o->kind == TRC_OPT_MAYBE) {
		offer_choices(a, o->arg);
		return;
	}
	switch (o->words) {
	case TRC_WORDS_READ: offer_formats(*a, false); break;
	case TRC_WORDS_WRITE: offer_formats(*a, true); break;
	case TRC_WORDS_DROP: offer_drops(*a); break;
	case TRC_WORDS_TYPE: offer_types(*a); break;
	case TRC_WORDS_FILL: offer_fills(*a); break;
	case TRC_WORDS_PRESET: offer_presets(a); break;
	case TRC_WORDS_PACKING: offer_packings(a); break;
	case TRC_WORDS_POLICY:
	case TRC_WORDS_CACHE: offer_policies(*a, o->words == TRC_WORDS_CACHE); break;
	case TRC_WORDS_INCLUSION: offer_inclusions(*a); break;
	case TRC_WORDS_FILE:
	case TRC_WORDS_OUTPUT: printf("\tfiles\n"); break;
	case TRC_WORDS_NONE: break;
	}
}

static void
offer_commands(const struct partial *a)
{
	const struct trc_command *c = NULL;

	while ((c = trc_command_next(c)))
		offer(a, c->name, c->doc);
	offer(a, "help", "show help for a command");
}

static void
offer_options(const struct trc_settings_rows *rows, const char *word)
{
	struct partial a = { "--", "" };

	if (strncmp(word, "--", 2) == 0)
		a = (struct partial){ word, word + 2 };
	else if (word[1])
		return;
	for (size_t i = 0; i < rows->n; i++)
		offer(&a, rows->row[i].name, rows->row[i].doc);
	offer(&a, "help", "show help for this command");
}

/* Returns true if the first `len` characters of `word` are this option, as "-f" or "--from". */
static bool
is_option(const struct trc_opt *o, const char *word, size_t len)
{
	if (len < 2 || word[0] != '-')
		return false;
	if (word[1] != '-')
		return len == 2 && word[1] == o->letter;
	return len == 2 + strlen(o->name) && memcmp(word + 2, o->name, len - 2) == 0;
}

/* Returns the option with a value that the first `len` characters of `word` name, or NULL. */
static const struct trc_opt *
find_option(const struct trc_settings_rows *rows, const char *word, size_t len)
{
	for (size_t i = 0; i < rows->n; i++)
		if (rows->row[i].arg && is_option(&rows->row[i], word, len))
			return &rows->row[i];
	return NULL;
}

/* Returns the action that one of the words before the last names; NULL: none does. */
static const struct trc_action *
named_action(const struct trc_command *c, int n, char **words)
{
	for (int i = 1; i < n - 1; i++)
		for (const struct trc_action *const *a = c->action; *a; a++)
			if ((*a)->name && strcmp(words[i], (*a)->name) == 0)
				return *a;
	return NULL;
}

/* Offers what follows a command: an option of its action, the value of an option, or a file. */
static void
offer_arguments(const struct trc_command *c, int n, char **words)
{
	const struct trc_action *action = named_action(c, n, words);
	const char *before = words[n - 2], *word = words[n - 1];
	const char *equals = strncmp(word, "--", 2) == 0 ? strchr(word, '=') : NULL;
	struct trc_settings_rows rows;
	struct partial a = { word, word };
	const struct trc_opt *o;

	if (action)
		trc_settings_list_action(action, &rows);
	else
		trc_settings_list(c, &rows);
	o = find_option(&rows, before, strlen(before));
	if (!o && equals) {
		o = find_option(&rows, word, (size_t)(equals - word));
		a.start = equals + 1;
	}
	if (o)
		offer_values(o, &a);
	else if (word[0] == '-')
		offer_options(&rows, word);
	else
		printf("\tfiles\n");
}

/* Offers other topics of the help. */
static void
offer_topics(const struct partial *a)
{
	const struct trc_manual_text *topic = NULL;
	const struct trc_format *f = NULL;

	for (const struct trc_manual_list *list = trc_manual_list; list->name; list++)
		offer(a, list->name, list->doc);
	while ((topic = trc_manual_topic(topic)))
		offer(a, topic->name, topic->doc);
	while ((f = trc_format_next(f)))
		offer(a, f->name, f->doc);
}

int
trc_complete(int n, char **words, struct trc_err *err)
{
	const char *last = n > 0 ? words[n - 1] : "";
	const struct trc_command *c = n > 1 ? trc_command_named(words[0]) : NULL;
	const struct partial a = { last, last };

	(void)err;
	if (c && c->words && n == 2)
		offer_choices(&a, c->words);
	if (c) {
		offer_arguments(c, n, words);
	} else if (n <= 1) {
		offer_commands(&a);
	} else if (n == 2 && strcmp(words[0], "help") == 0) {
		offer_commands(&a);
		offer_topics(&a);
	}
	return 0;
}
