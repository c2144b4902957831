/* SPDX-License-Identifier: MIT
 * Parses options by their rows, and prints their help. */
#include "base/opt.h"

#include <string.h>

#include "base/suggest.h"

static const char *
why_not(const char *value, bool bytes)
{
	switch (trc_opt_number_kind(value, bytes)) {
	case TRC_NUMBER_LARGE: return "too large for 64 bits";
	case TRC_NUMBER_BROKEN: return "not a whole number";
	case TRC_NUMBER_BYTES: return "in bytes, but this counts something else";
	default: return "not a number";
	}
}

static int
store_number(const struct trc_opt *o, const char *value, uint64_t *at, struct trc_err *err)
{
	const bool bytes = o->kind == TRC_OPT_BYTES || o->kind == TRC_OPT_OFFSET;
	uint64_t part;

	if (strchr(value, '%') && trc_opt_part(value, &part))
		return trc_fail_as(err, TRC_USAGE,
		                   "'%s': a percentage needs a total that is not known here; give "
		                   "a number, %s",
		                   value,
		                   bytes ? "like 4096, 4K or 2M" : "like 64, 10k, 1e6 or 2M");
	if (!trc_opt_number(value, bytes, at))
		return trc_fail_as(err, TRC_USAGE, "'%s' is %s; write %s", value,
		                   why_not(value, bytes),
		                   bytes ? "bytes like 4096, 4K or 2M" :
		                           "one like 64, 10k, 1e6 or 2M");
	if (*at == 0 && o->kind != TRC_OPT_NUMBER && o->kind != TRC_OPT_OFFSET)
		return trc_fail_as(err, TRC_USAGE, "must be at least 1");
	return 0;
}

/* Stores an extent. Elsewhere 'Mi' may mean mebi, but bytes are not counted here. */
static int
store_extent(const struct trc_opt *o, const char *value, uint64_t *at, struct trc_err *err)
{
	struct trc_opt plain = *o;

	if (trc_opt_extent(value, at)) {
		if (*at & ~TRC_OPT_INSNS || o->kind == TRC_OPT_SKIP)
			return 0;
		return trc_fail_as(err, TRC_USAGE, "must be at least 1");
	}
	plain.kind = TRC_OPT_NUMBER;
	if (store_number(&plain, value, at, err)) {
		const size_t len = strlen(err->text);

		snprintf(err->text + len, sizeof(err->text) - len,
		         "; 10Mi is ten million instructions");
		return -1;
	}
	return trc_fail_as(err, TRC_USAGE, "'%s' is too large", value);
}

static int
store_pages(const char *value, struct trc_opt_pages *at, struct trc_err *err)
{
	if (!trc_opt_pages(value, at))
		return trc_fail_as(err, TRC_USAGE,
		                   "'%s' is %s; give pages like 64, or bytes like 256K", value,
		                   why_not(value, true));
	return at->n ? 0 : trc_fail_as(err, TRC_USAGE, "must be at least 1");
}

static int
store_percent(const char *value, uint64_t *at, struct trc_err *err)
{
	const size_t digits = strspn(value, "0123456789");
	unsigned percent = 0;

	for (size_t i = 0; i < digits && percent <= 100; i++)
		percent = 10 * percent + (unsigned)(value[i] - '0');
	if (digits == 0 || percent > 100 || (value[digits] && strcmp(value + digits, "%") != 0))
		return trc_fail_as(err, TRC_USAGE,
		                   "'%s' is not a percentage; give a whole number from 0 to 100, "
		                   "like 5%%",
		                   value);
	*at = percent + 1;
	return 0;
}

static int
store_part(const char *value, uint64_t *at, struct trc_err *err)
{
	if (trc_opt_part(value, at) || (trc_opt_number(value, false, at) && *at > 0))
		return 0;
	return trc_fail_as(err, TRC_USAGE, "'%s' is not a fraction; give 8, 1/8 or 12.5%%", value);
}

static int
store_field(const char *value, bool word, struct trc_opt_field *at, struct trc_err *err)
{
	*at = (struct trc_opt_field){ NULL, 0 };
	if (word && *value) {
		*at = (struct trc_opt_field){ value, strlen(value) };
		return 0;
	}
	if (!*value)
		return trc_fail_as(err, TRC_USAGE,
		                   "'' is neither the number nor the name of a "
		                   "field");
	if (!trc_opt_number(value, false, &at->n))
		*at = (struct trc_opt_field){ value, strlen(value) };
	return at->n ? 0 : trc_fail_as(err, TRC_USAGE, "must be at least 1");
}

/* Returns true if the word matches the first `len` characters of `one`, where either may have an
 * "s" more: "page" and "pages". */
static bool
is_meant(const char *one, size_t len, const char *word)
{
	const size_t n = strlen(word);
	const size_t most = len > n ? len : n, least = len > n ? n : len;

	return memcmp(one, word, least) == 0 &&
	       (most == least || (most == least + 1 && (len > n ? one : word)[least] == 's'));
}

/* Sets *place to the number, from 1, of the word in o->arg, "one|two|three". */
static int
choose(const struct trc_opt *o, const char *value, unsigned *place, struct trc_err *err)
{
	unsigned i = 1;

	for (const char *p = o->arg; *p; i++) {
		size_t len = strcspn(p, "|");

		if (is_meant(p, len, value)) {
			*place = i;
			return 0;
		}
		p += len + (p[len] == '|');
	}
	return trc_fail_as(err, TRC_USAGE,
	                   strchr(o->arg, '|') ? "'%s' is not one of %s" : "no '%s', only %s",
	                   value, o->arg);
}

/* A flag, with the word that follows it or NULL. */
static int
store_maybe(const struct trc_opt *o, const char *value, unsigned *at, struct trc_err *err)
{
	*at = 0;
	if (value && choose(o, value, at, err))
		return -1;
	++*at;
	return 0;
}

static int
store(const struct trc_opt *o, const char *value, void *settings, struct trc_err *err)
{
	char *at = (char *)settings + o->at;
	struct trc_opt_list *list;

	switch (o->kind) {
	case TRC_OPT_FLAG: *(bool *)at = true; return 0;
	case TRC_OPT_TEXT: *(const char **)(void *)at = value; return 0;
	case TRC_OPT_NUMBER:
	case TRC_OPT_COUNT:
	case TRC_OPT_BYTES:
	case TRC_OPT_OFFSET: return store_number(o, value, (uint64_t *)(void *)at, err);
	case TRC_OPT_EXTENT:
	case TRC_OPT_SKIP: return store_extent(o, value, (uint64_t *)(void *)at, err);
	case TRC_OPT_PAGES: return store_pages(value, (struct trc_opt_pages *)(void *)at, err);
	case TRC_OPT_LIST:
		list = (struct trc_opt_list *)(void *)at;
		if (list->n == TRC_OPT_LIST_MOST)
			return trc_fail_as(err, TRC_USAGE, "given more than %d times",
			                   TRC_OPT_LIST_MOST);
		list->word[list->n++] = value;
		return 0;
	case TRC_OPT_LEVEL:
		if (value[0] < '0' || value[0] > '9' || value[1])
			return trc_fail_as(err, TRC_USAGE, "'%s' is not a level from 0 to 9",
			                   value);
		*(uint64_t *)(void *)at = (uint64_t)(value[0] - '0') + 1;
		return 0;
	case TRC_OPT_FIELD:
	case TRC_OPT_WORD:
		return store_field(value, o->kind == TRC_OPT_WORD,
		                   (struct trc_opt_field *)(void *)at, err);
	case TRC_OPT_PERCENT: return store_percent(value, (uint64_t *)(void *)at, err);
	case TRC_OPT_PART: return store_part(value, (uint64_t *)(void *)at, err);
	case TRC_OPT_CHOICE: return choose(o, value, (unsigned *)(void *)at, err);
	case TRC_OPT_MAYBE: return store_maybe(o, value, (unsigned *)(void *)at, err);
	}
	return 0;
}

/* The state of parsing a command line. */
struct line {
	const struct trc_opt *opt;
	size_t n;
	int argc;
	char **argv;
	int at; /* index of the current word */
	void *settings;
	struct trc_args *args;
};

/* Stores the value of an option; messages begin with its name, and may end with a hint. */
static int
store_option(struct line *l, const struct trc_opt *o, const char *value, struct trc_err *err)
{
	const char *hint = NULL;

	if (l->args->given)
		l->args->given[o - l->opt] = true;
	if (store(o, value, l->settings, err) == 0)
		return 0;
	if (value && l->args->foreign_value)
		hint = l->args->foreign_value(o->name, value);
	if (hint)
		trc_fail_as(err, err->code, "%s; %s", err->text, hint);
	return trc_err_in(err, "--%s", o->name);
}

/* Refuses the unknown option "-x" or "--name", with a hint if there is one. */
static int
refuse(const struct line *l, const char *name, struct trc_err *err)
{
	const char *hint = l->args->foreign ? l->args->foreign(name) : NULL;
	struct trc_suggest suggest = { .word = name + 2 };

	if (hint)
		return trc_fail_as(err, TRC_USAGE, "unknown option %s; %s", name, hint);
	for (size_t i = 0; name[1] == '-' && i < l->n; i++)
		trc_suggest_offer(&suggest, l->opt[i].name);
	return trc_suggest_fail(&suggest, "--", "", err, "unknown option %s", name);
}

static int
unknown(const struct line *l, const char *word, size_t len, struct trc_err *err)
{
	char name[64];

	snprintf(name, sizeof(name), "--%.*s", (int)(len < 60 ? len : 60), word);
	return refuse(l, name, err);
}

/* Returns true if a word is a known option, a letter or a whole name, so it is not meant as a
 * value. After "=", any text is a value. */
static bool
is_option(const struct line *l, const char *word)
{
	if (word[0] != '-' || !word[1])
		return false;
	for (const struct trc_opt *o = l->opt; o < l->opt + l->n; o++)
		if (word[1] == '-' ? strcmp(o->name, word + 2) == 0 :
		                     o->letter && o->letter == word[1] && !word[2])
			return true;
	return false;
}

/* Whether the next word belongs to an option that needs none. */
static bool
is_followed(const struct line *l, const struct trc_opt *o)
{
	struct trc_err not_one;
	unsigned place;

	return l->at + 1 < l->argc && choose(o, l->argv[l->at + 1], &place, &not_one) == 0;
}

/* Parses --name, --name=value or --name value, and skips the value. */
static int
parse_long(struct line *l, struct trc_err *err)
{
	const char *word = l->argv[l->at] + 2, *equals = strchr(word, '=');
	size_t len = equals ? (size_t)(equals - word) : strlen(word);

	for (const struct trc_opt *o = l->opt; o < l->opt + l->n; o++) {
		if (strlen(o->name) != len || memcmp(o->name, word, len) != 0)
			continue;
		if (!o->arg && equals)
			return trc_fail_as(err, TRC_USAGE, "--%s takes no value", o->name);
		if (!o->arg || equals || (o->kind == TRC_OPT_MAYBE && !is_followed(l, o)))
			return store_option(l, o, equals ? equals + 1 : NULL, err);
		if (l->at + 1 == l->argc || is_option(l, l->argv[l->at + 1]))
			return trc_fail_as(err, TRC_USAGE, "--%s needs a value: %s", o->name,
			                   o->arg);
		return store_option(l, o, l->argv[++l->at], err);
	}
	return unknown(l, word, len, err);
}

/* Refuses a long name after a single dash: some of its letters may be options, but that is not what
 * is meant. */
static int
check_dashes(const struct line *l, const char *word, struct trc_err *err)
{
	const size_t len = strcspn(word + 1, "=");

	for (const struct trc_opt *o = l->opt; o < l->opt + l->n; o++)
		if (strlen(o->name) == len && len > 1 && memcmp(o->name, word + 1, len) == 0)
			return trc_fail_as(err, TRC_USAGE, "unknown option %s; did you mean --%s?",
			                   word, o->name);
	return 0;
}

/* Refuses -abc, whose first unknown letter is at `p`. It may be a whole word of another program,
 * such as ffmpeg's -ss. */
static int
refuse_letters(const struct line *l, const char *word, const char *p, struct trc_err *err)
{
	char name[64];
	const char *hint;

	snprintf(name, sizeof(name), "-%.60s", word);
	hint = p == word + 1 && p[1] && l->args->foreign ? l->args->foreign(name) : NULL;
	if (hint)
		return trc_fail_as(err, TRC_USAGE, "unknown option %s; %s", word, hint);
	return refuse(l, (const char[]){ '-', *p, 0 }, err);
}

/* Parses -a, -abc, -f value or -fvalue, and skips the value. */
static int
parse_short(struct line *l, struct trc_err *err)
{
	const char *const word = l->argv[l->at];

	if (check_dashes(l, word, err))
		return -1;
	for (const char *p = word + 1; *p; p++) {
		const struct trc_opt *o = l->opt, *end = o + l->n;
		const bool level = *p >= '0' && *p <= '9';
		const char digit[2] = { *p, 0 };

		while (o < end && o->letter != *p && !(level && o->kind == TRC_OPT_LEVEL))
			o++;
		if (o == end)
			return refuse_letters(l, word, p, err);
		if (level && p[1] >= '0' && p[1] <= '9')
			return trc_fail_as(err, TRC_USAGE, "'%s': levels are -0 to -9", word);
		if (level || !o->arg) {
			if (store_option(l, o, level ? digit : NULL, err))
				return -1;
			continue;
		}
		if (p[1])
			return store_option(l, o, p + 1, err);
		if (l->at + 1 == l->argc || is_option(l, l->argv[l->at + 1]))
			return trc_fail_as(err, TRC_USAGE, "-%c needs a value: %s", *p, o->arg);
		return store_option(l, o, l->argv[++l->at], err);
	}
	return 0;
}

/* Replaces a name in a copy by the same name in the original, which outlives the copy. */
static void
outlive(struct trc_opt_field *f, const char *copy, const char *original)
{
	if (f->name)
		f->name = original + (f->name - copy);
}

/* Parses one word; `word` is a copy that may be changed. */
static int
parse_word(const struct trc_opt *opt, size_t n, const char *whose, char *word, const char *original,
           void *settings, struct trc_err *err)
{
	struct trc_suggest suggest = { .word = word };
	char *equals = strchr(word, '=');

	if (n == 0)
		return trc_fail_as(err, TRC_USAGE, "%s takes no arguments", whose);
	if (equals)
		*equals = 0;
	for (size_t k = 0; k < n; k++) {
		if (strcmp(opt[k].name, word) != 0)
			continue;
		if (!opt[k].arg != !equals)
			return trc_fail_as(err, TRC_USAGE, "%s: %s %s%s", whose, word,
			                   equals ? "takes no value" : "needs a value: ",
			                   equals ? "" : opt[k].arg);
		if (store(&opt[k], equals ? equals + 1 : NULL, settings, err))
			return trc_err_in(err, "%s: %s", whose, word);
		if (opt[k].kind == TRC_OPT_FIELD || opt[k].kind == TRC_OPT_WORD)
			outlive((struct trc_opt_field *)(void *)((char *)settings + opt[k].at),
			        word, original);
		return 0;
	}
	for (size_t k = 0; k < n; k++)
		trc_suggest_offer(&suggest, opt[k].name);
	return trc_suggest_fail(&suggest, "", "", err, "%s has no argument '%s'", whose, word);
}

int
trc_opt_parse_words(const struct trc_opt *opt, size_t n, const char *whose, const char *words,
                    void *settings, struct trc_err *err)
{
	char word[256];

	for (const char *p = words; p && *p;) {
		size_t len = strcspn(p, ",");

		if (len >= sizeof(word))
			return trc_fail_as(err, TRC_USAGE,
			                   "%s: an argument has %zu characters, which is too long",
			                   whose, len);
		snprintf(word, sizeof(word), "%.*s", (int)len, p);
		if (parse_word(opt, n, whose, word, p, settings, err))
			return -1;
		p += len + (p[len] == ',');
	}
	return 0;
}

int
trc_opt_parse(const struct trc_opt *opt, size_t n, int argc, char **argv, void *settings,
              struct trc_args *args, struct trc_err *err)
{
	struct line l = { opt, n, argc, argv, 1, settings, args };
	bool options = true;

	for (; l.at < argc; l.at++) {
		const char *word = argv[l.at];
		int failed = 0;

		if (!options || word[0] != '-' || word[1] == 0)
			args->word[args->n++] = word;
		else if (strcmp(word, "--") == 0)
			options = false;
		else if (strcmp(word, "--help") == 0 || strncmp(word, "--help=", 7) == 0 ||
		         strcmp(word, "-h") == 0 || strcmp(word, "-?") == 0)
			args->help = true, args->brief = word[1] == 'h';
		else if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0)
			args->version = true;
		else
			failed = (word[1] == '-' ? parse_long : parse_short)(&l, err);
		if (failed)
			return -1;
	}
	return 0;
}

void
trc_opt_help(const struct trc_opt *opt, size_t n, FILE *f)
{
	enum { LEFT = 26 };

	for (size_t i = 0; i < n; i++) {
		char left[64];
		const bool maybe = opt[i].kind == TRC_OPT_MAYBE;
		int len = snprintf(left, sizeof(left), "  %c%c%c --%s%s%s%s",
		                   opt[i].letter ? '-' : ' ', opt[i].letter ? opt[i].letter : ' ',
		                   opt[i].letter ? ',' : ' ', opt[i].name,
		                   maybe      ? " [" :
		                   opt[i].arg ? " " :
		                                "",
		                   opt[i].arg ? opt[i].arg : "", maybe ? "]" : "");

		if (len > LEFT)
			fprintf(f, "%s\n%*s %s\n", left, LEFT, "", opt[i].doc);
		else
			fprintf(f, "%-*s %s\n", LEFT, left, opt[i].doc);
	}
}
