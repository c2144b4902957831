/* SPDX-License-Identifier: MIT
 * Parses a command line into settings by the option rows of their owners. */
#include "cmd/job/settings.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "version.def"

enum { ALIGN = 8 }; /* in bytes, of each owner's settings */

bool
trc_opts_has(const struct trc_opts *const *list, const struct trc_opts *owner)
{
	for (; list && *list; list++)
		if (*list == owner || trc_opts_has((*list)->with, owner))
			return true;
	return false;
}

/* Appends the options of an owner, after those of owners that come with it, unless they are
 * listed. */
static void
add(struct trc_settings_rows *rows, const struct trc_opts *owner)
{
	for (size_t i = 0; i < rows->n; i++)
		if (rows->owner[i] == owner)
			return;
	for (const struct trc_opts *const *with = owner->with; with && *with; with++)
		add(rows, *with);
	for (size_t i = 0; i < owner->n; i++) {
		assert(rows->n < TRC_SETTINGS_ROWS);
		rows->owner[rows->n] = owner;
		rows->row[rows->n] = owner->row[i];
		rows->row[rows->n++].at += rows->size;
	}
	rows->size += (owner->size + ALIGN - 1) / ALIGN * ALIGN;
}

void
trc_settings_list(const struct trc_command *c, struct trc_settings_rows *rows)
{
	rows->n = rows->size = 0;
	for (const struct trc_action *const *action = c->action; *action; action++)
		for (const struct trc_opts *const *takes = (*action)->takes; *takes; takes++)
			if (!trc_opts_has(c->common, *takes))
				add(rows, *takes);
	for (const struct trc_opts *const *common = c->common; common && *common; common++)
		add(rows, *common);
}

void
trc_settings_list_action(const struct trc_action *action, struct trc_settings_rows *rows)
{
	rows->n = rows->size = 0;
	for (const struct trc_opts *const *takes = action->takes; *takes; takes++)
		add(rows, *takes);
}

int
trc_settings_parse(struct trc_settings *settings, const struct trc_command *c, int argc,
                   char **argv, struct trc_args *args, struct trc_err *err)
{
	*settings = (struct trc_settings){ .command = c };
	trc_settings_list(c, &settings->rows);
	settings->block = trc_alloc(1, settings->rows.size, err);
	if (!settings->block)
		return -1;
	args->given = settings->given;
	if (trc_opt_parse(settings->rows.row, settings->rows.n, argc, argv, settings->block, args,
	                  err) == 0)
		return 0;
	trc_settings_release(settings);
	return -1;
}

void
trc_settings_release(struct trc_settings *settings)
{
	free(settings->block);
	settings->block = NULL;
}

bool
trc_settings_takes(const struct trc_settings *settings, const struct trc_opts *owner)
{
	for (size_t i = 0; i < settings->rows.n; i++)
		if (settings->rows.owner[i] == owner)
			return true;
	return false;
}

/* Returns the index of an owner's first option. */
static size_t
first_of(const struct trc_settings *settings, const struct trc_opts *owner)
{
	size_t i = 0;

	while (i < settings->rows.n && settings->rows.owner[i] != owner)
		i++;
	assert(i < settings->rows.n);
	return i;
}

/* add() shifted the offset of each row by where the settings of its owner are in the block. */
const void *
trc_settings_of(const struct trc_settings *settings, const struct trc_opts *owner)
{
	return settings->block + settings->rows.row[first_of(settings, owner)].at -
	       owner->row[0].at;
}

void *
trc_settings_at(struct trc_settings *copy, const struct trc_opts *owner)
{
	return copy->block + copy->rows.row[first_of(copy, owner)].at - owner->row[0].at;
}

int
trc_settings_copy(const struct trc_settings *settings, struct trc_settings *copy,
                  struct trc_err *err)
{
	*copy = *settings;
	copy->block = trc_alloc(1, settings->rows.size, err);
	if (!copy->block)
		return -1;
	memcpy(copy->block, settings->block, settings->rows.size);
	return 0;
}

const struct trc_opt *
trc_settings_next(const struct trc_settings *settings, const struct trc_opts *owner,
                  const struct trc_opt *o)
{
	const size_t first = first_of(settings, owner);

	for (size_t i = o ? (size_t)(o - owner->row) + 1 : 0; i < owner->n; i++)
		if (settings->given[first + i])
			return &owner->row[i];
	return NULL;
}

const struct trc_opt *
trc_settings_stray(const struct trc_settings *settings, const struct trc_opts *const *takes)
{
	for (size_t i = 0; i < settings->rows.n; i++)
		if (settings->given[i] && !trc_opts_has(takes, settings->rows.owner[i]))
			return &settings->rows.row[i];
	return NULL;
}

bool
trc_settings_given(const struct trc_settings *settings, const struct trc_opts *owner)
{
	return trc_settings_next(settings, owner, NULL);
}

bool
trc_settings_named(const struct trc_settings *settings, const char *name)
{
	for (size_t i = 0; i < settings->rows.n; i++)
		if (strcmp(settings->rows.row[i].name, name) == 0)
			return settings->given[i];
	return false;
}

/* Formats the names of the actions that take an option: "run and record", "--cache, --mrc or
 * --ws". */
static const char *
takers(const struct trc_settings *settings, const struct trc_opt *o, const char *last, char *names,
       size_t room)
{
	const struct trc_opts *owner = settings->rows.owner[o - settings->rows.row];
	const char *before = NULL;
	size_t n = 0;

	*names = '\0';
	for (const struct trc_action *const *action = settings->command->action; *action;
	     action++) {
		if (!trc_opts_has((*action)->takes, owner))
			continue;
		if (before &&
		    (size_t)snprintf(names + n, room - n, "%s%s", n ? ", " : "", before) < room - n)
			n = strlen(names);
		before = (*action)->name;
	}
	snprintf(names + n, room - n, "%s%s", n ? last : "", before);
	return names;
}

int
trc_settings_check(const struct trc_settings *settings, const struct trc_action *action,
                   struct trc_err *err)
{
	const struct trc_opt *stray = trc_settings_stray(settings, action->takes);
	char names[256];

	if (!stray)
		return 0;
	if (settings->command->words)
		return trc_fail_as(err, TRC_USAGE, "--%s is for %s, not for %s", stray->name,
		                   takers(settings, stray, " and ", names, sizeof(names)),
		                   action->name);
	return trc_fail_as(err, TRC_USAGE, "--%s goes with %s", stray->name,
	                   takers(settings, stray, " or ", names, sizeof(names)));
}

/* ---- a command line ---- */

/* Returns true for options that change no record: what they choose belongs to the machine or the
 * container, not to the trace. */
static bool
is_left_out(const struct trc_opt *o, const char *value)
{
	static const char *const name[] = {
		"threads",   "memlimit", "to",     "compress", "level",      "extreme",
		"no-verify", "parity",   "force",  "no-sync",  "quiet",      "note",
		"output",    "record",   "stdout", "verbose",  "memory",     "against",
		"strict",    "json",     "csv",    "sizes",    "block-size",
	};

	for (size_t i = 0; i < TRC_COUNT(name); i++)
		if (strcmp(o->name, name[i]) == 0)
			return true;
	/* A format without arguments also follows from the content. */
	return o->words == TRC_WORDS_READ && !strchr(value, ':');
}

static int
put_text(struct trc_buf *b, const char *text, struct trc_err *err)
{
	return trc_buf_put(b, text, strlen(text), err);
}

/* Appends a word with shell quoting. */
static int
put_quoted(struct trc_buf *b, const char *word, struct trc_err *err)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	                            "0123456789_.,:=/+-@%";

	if (*word && !word[strspn(word, plain)])
		return put_text(b, word, err);
	if (put_text(b, "'", err))
		return -1;
	for (; *word; word++)
		if (*word == '\'' ? put_text(b, "'\\''", err) : trc_buf_put(b, word, 1, err))
			return -1;
	return put_text(b, "'", err);
}

static int
put_option(struct trc_buf *b, const char *name, const char *value, struct trc_err *err)
{
	if (put_text(b, " --", err) || put_text(b, name, err))
		return -1;
	if (!value)
		return 0;
	return put_text(b, " ", err) || put_quoted(b, value, err) ? -1 : 0;
}

/* Copies word number `place` (from 1) of a choice like "one|two|three". */
static const char *
choice(const char *words, unsigned place, char *dst, size_t room)
{
	for (; place > 1; place--)
		words += strcspn(words, "|") + 1;
	snprintf(dst, room, "%.*s", (int)strcspn(words, "|"), words);
	return dst;
}

/* Returns the value of an option as text; NULL: it has none, or the value is a file name. */
static const char *
value_of(const struct trc_opt *o, const unsigned char *at, char *dst, size_t room)
{
	struct trc_opt_pages pages;
	unsigned place;
	const char *text;
	uint64_t v;

	switch (o->kind) {
	case TRC_OPT_NUMBER:
	case TRC_OPT_COUNT:
	case TRC_OPT_BYTES:
	case TRC_OPT_OFFSET:
		memcpy(&v, at, sizeof(v));
		snprintf(dst, room, "%llu", (ull)v);
		return dst;
	case TRC_OPT_EXTENT:
	case TRC_OPT_SKIP:
		memcpy(&v, at, sizeof(v));
		snprintf(dst, room, "%llu%s", (ull)(v & ~TRC_OPT_INSNS),
		         v & TRC_OPT_INSNS ? "i" : "");
		return dst;
	case TRC_OPT_PAGES:
		memcpy(&pages, at, sizeof(pages));
		snprintf(dst, room, "%llu%s", (ull)pages.n, pages.bytes ? "B" : "");
		return dst;
	case TRC_OPT_CHOICE:
		memcpy(&place, at, sizeof(place));
		return choice(o->arg, place, dst, room);
	case TRC_OPT_MAYBE:
		memcpy(&place, at, sizeof(place));
		return place > 1 ? choice(o->arg, place - 1, dst, room) : NULL;
	case TRC_OPT_TEXT:
		memcpy(&text, at, sizeof(text));
		return o->words == TRC_WORDS_FILE || o->words == TRC_WORDS_OUTPUT ? NULL : text;
	default: return NULL;
	}
}

static int
put_given(struct trc_buf *b, const struct trc_opt *o, const unsigned char *at, struct trc_err *err)
{
	struct trc_opt_list list;
	char text[64];
	const char *value;

	if (o->kind != TRC_OPT_LIST) {
		value = value_of(o, at, text, sizeof(text));
		return is_left_out(o, value) ? 0 : put_option(b, o->name, value, err);
	}
	memcpy(&list, at, sizeof(list));
	for (size_t i = 0; i < list.n; i++)
		if (!is_left_out(o, list.word[i]) && put_option(b, o->name, list.word[i], err))
			return -1;
	return 0;
}

const char *
trc_settings_path(const struct trc_settings *settings, enum trc_opt_words words, size_t *at)
{
	const char *path;

	while (*at < settings->rows.n) {
		const size_t i = (*at)++;

		if (!settings->given[i] || settings->rows.row[i].words != words)
			continue;
		memcpy(&path, settings->block + settings->rows.row[i].at, sizeof(path));
		return path;
	}
	return NULL;
}

const struct trc_opt_list *
trc_settings_values(const struct trc_settings *settings, const char *name)
{
	static const struct trc_opt_list none;

	for (size_t i = 0; i < settings->rows.n; i++)
		if (settings->rows.row[i].kind == TRC_OPT_LIST &&
		    strcmp(settings->rows.row[i].name, name) == 0)
			return (const struct trc_opt_list *)(settings->block +
			                                     settings->rows.row[i].at);
	return &none;
}

int
trc_settings_word(struct trc_buf *b, const char *word, struct trc_err *err)
{
	return put_text(b, " ", err) || put_quoted(b, word, err) ? -1 : 0;
}

/* Appends an option with each of its values. */
static int
put_typed(struct trc_buf *b, const struct trc_opt *o, const unsigned char *at, struct trc_err *err)
{
	struct trc_opt_list list = { .n = 1 };
	char text[64];
	uint64_t v;

	if (o->kind == TRC_OPT_LIST) {
		memcpy(&list, at, sizeof(list));
	} else if (o->kind == TRC_OPT_TEXT) {
		memcpy(&list.word[0], at, sizeof(list.word[0]));
	} else if (o->kind == TRC_OPT_LEVEL || o->kind == TRC_OPT_PERCENT) {
		memcpy(&v, at, sizeof(v));
		snprintf(text, sizeof(text), "%llu", (ull)v - 1);
		list.word[0] = text;
	} else {
		list.word[0] = value_of(o, at, text, sizeof(text));
	}
	for (size_t i = 0; i < list.n; i++)
		if (put_option(b, o->name, list.word[i], err))
			return -1;
	return 0;
}

int
trc_settings_line(const struct trc_settings *settings, const char *const *except, struct trc_buf *b,
                  struct trc_err *err)
{
	for (size_t i = 0; i < settings->rows.n; i++) {
		const struct trc_opt *o = &settings->rows.row[i];
		size_t k = 0;

		while (except[k] && strcmp(except[k], o->name) != 0)
			k++;
		if (settings->given[i] && !except[k] &&
		    put_typed(b, o, settings->block + o->at, err))
			return -1;
	}
	return 0;
}

static int
put_word(struct trc_buf *b, const char *before, const char *word, struct trc_err *err)
{
	return put_text(b, before, err) || trc_buf_put(b, word, strlen(word) + 1, err) ? -1 : 0;
}

/* Appends an option and its value, if that is not NULL, as words that end with NUL. */
static int
put_words(struct trc_buf *b, const char *name, const char *value, struct trc_err *err)
{
	return put_word(b, "--", name, err) || (value && put_word(b, "", value, err)) ? -1 : 0;
}

int
trc_settings_words(const struct trc_settings *settings, const struct trc_opts *const *except,
                   struct trc_buf *b, struct trc_err *err)
{
	for (size_t i = 0; i < settings->rows.n; i++) {
		const struct trc_opt *o = &settings->rows.row[i];
		const unsigned char *at = settings->block + o->at;
		struct trc_opt_list list = { .n = 1 };
		char text[64];

		if (!settings->given[i] || trc_opts_has(except, settings->rows.owner[i]))
			continue;
		if (o->kind == TRC_OPT_LIST)
			memcpy(&list, at, sizeof(list));
		else
			list.word[0] = value_of(o, at, text, sizeof(text));
		for (size_t k = 0; k < list.n; k++)
			if (!is_left_out(o, list.word[k]) &&
			    put_words(b, o->name, list.word[k], err))
				return -1;
	}
	return 0;
}

/* Returns the size of an option's value in bytes. */
static size_t
size_of(enum trc_opt_kind kind)
{
	switch (kind) {
	case TRC_OPT_FLAG: return sizeof(bool);
	case TRC_OPT_PAGES: return sizeof(struct trc_opt_pages);
	case TRC_OPT_TEXT: return sizeof(const char *);
	case TRC_OPT_LIST: return sizeof(struct trc_opt_list);
	case TRC_OPT_CHOICE:
	case TRC_OPT_MAYBE: return sizeof(unsigned);
	default: return sizeof(uint64_t);
	}
}

void
trc_settings_add(struct trc_settings *settings, const struct trc_settings *more,
                 const struct trc_opts *const *except)
{
	for (size_t i = 0; i < settings->rows.n; i++) {
		const struct trc_opt *o = &settings->rows.row[i];

		if (!more->given[i] || trc_opts_has(except, settings->rows.owner[i]))
			continue;
		memcpy(settings->block + o->at, more->block + o->at, size_of(o->kind));
		settings->given[i] = true;
	}
}

int
trc_settings_command(const struct trc_settings *settings, struct trc_buf *b, bool *plain,
                     struct trc_err *err)
{
	size_t before;

	if (put_text(b, TRC_VERSION " ", err) || put_text(b, settings->command->name, err))
		return -1;
	before = b->n;
	for (size_t i = 0; i < settings->rows.n; i++) {
		const struct trc_opt *o = &settings->rows.row[i];

		if (settings->given[i] && put_given(b, o, settings->block + o->at, err))
			return -1;
	}
	*plain = b->n == before;
	return 0;
}
