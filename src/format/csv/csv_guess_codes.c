/* SPDX-License-Identifier: MIT
 *
 * Guesses the meaning of words that are not types.
 */
#include "format/csv/csv_guess.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "format/csv/csv_names.h"

bool
trc_csv_put(char *dst, size_t room, const char *text, size_t len)
{
	const size_t n = strlen(dst);

	if (n + len >= room)
		return false;
	memcpy(dst + n, text, len);
	dst[n + len] = 0;
	return true;
}

static bool
put_code(const char *word, const struct trc_type_code *c, char *dst, size_t room)
{
	char text[48];

	snprintf(text, sizeof(text), "%s%.*s", word, TRC_CODE_LETTERS, c->text);
	return trc_csv_put(dst, room, text, strlen(text));
}

/* Pairs of codes for reads and writes, if both are among the words. */
static const char *const pairs[][2] = { { "0", "1" },   { "28", "2a" }, { "28", "2A" },
	                                { "40", "42" }, { "88", "8a" }, { "0x28", "0x2a" } };

static size_t
find_word(const struct trc_csv_fields *s, const char *text)
{
	size_t i = 0;

	while (i < s->unknowns && strncmp(s->unknown[i].text, text, TRC_CODE_LETTERS) != 0)
		i++;
	return i;
}

bool
trc_csv_complete_pair(struct trc_csv_fields *s)
{
	for (size_t i = 1; i < TRC_COUNT(pairs); i++) {
		const bool read = find_word(s, pairs[i][0]) < s->unknowns;
		const bool write = find_word(s, pairs[i][1]) < s->unknowns;

		if ((size_t)read + write != s->unknowns || !(read || write))
			continue;
		for (size_t k = 0; k < 2; k++)
			trc_csv_note_unknown(s, (struct trc_field){ (const uint8_t *)pairs[i][k],
			                                            strlen(pairs[i][k]) });
		return true;
	}
	return false;
}

/* The type of a code. */
enum trc_csv_as { AS_READ, AS_WRITE, AS_INVALIDATE, AS_IGNORED };

/* Returns the first word from `i` on that is a code: a number; other words may be anything. */
static size_t
next_code(const struct trc_csv_fields *s, size_t i)
{
	while (i < s->unknowns && !isdigit((uint8_t)s->unknown[i].text[0]))
		i++;
	return i;
}

/* Finds the codes for loads and stores: a pair, or the first two. */
static void
find_codes(const struct trc_csv_fields *s, size_t *read, size_t *write)
{
	*read = next_code(s, 0);
	*write = next_code(s, *read + 1 < s->unknowns ? *read + 1 : s->unknowns);
	for (size_t i = 0; i < TRC_COUNT(pairs); i++) {
		const size_t r = find_word(s, pairs[i][0]), w = find_word(s, pairs[i][1]);

		if ((r < s->unknowns) + (w < s->unknowns) == (s->unknowns > 1 ? 2 : 1)) {
			*read = r;
			*write = w;
			break;
		}
	}
}

/* Returns true if a word goes on after its first `len` letters as the names of requests do: with a
 * mark, a digit, a capital, up to two letters, or a word for data. `getattr` is no read. */
static bool
goes_on(struct trc_field word, size_t len)
{
	static const char *const data[] = { "back",    "through", "block",  "chunk", "data",
		                            "page",    "line",    "word",   "half",  "byte",
		                            "double",  "req",     "object", "key",   "miss",
		                            "request", "hit" };
	const uint8_t *const rest = word.p + len;
	const size_t left = word.len - len;

	if (left <= 2 || !isalpha(*rest) || (isupper(*rest) && islower(rest[-1])))
		return true;
	for (size_t i = 0; i < TRC_COUNT(data); i++)
		if (left >= strlen(data[i]) &&
		    strncasecmp((const char *)rest, data[i], strlen(data[i])) == 0)
			return true;
	return false;
}

int
trc_csv_begins_as(struct trc_field word)
{
	static const struct {
		const char *word;
		int type;
	} known[] = {
		{ "getx", TRC_WRITE },   { "getm", TRC_WRITE }, /* exclusive, of coherence */
		{ "get", TRC_READ },     { "read", TRC_READ },   { "load", TRC_READ },
		{ "ld", TRC_READ },      { "set", TRC_WRITE },   { "put", TRC_WRITE },
		{ "write", TRC_WRITE },  { "store", TRC_WRITE }, { "insert", TRC_WRITE },
		{ "update", TRC_WRITE },
	};
	const int first = word.len == 2 ? tolower(word.p[0]) : 0;

	for (size_t i = 0; i < TRC_COUNT(known); i++) {
		const size_t len = strlen(known[i].word);

		if (word.len >= len && strncasecmp((const char *)word.p, known[i].word, len) == 0)
			return goes_on(word, len) ? known[i].type : -1;
	}
	return word.len == 2 && !isalpha(word.p[1]) ? -1 :
	       first == 'r'                         ? TRC_READ :
	       first == 'w'                         ? TRC_WRITE :
	                                              -1;
}

static enum trc_csv_as
begins_as(const struct trc_type_code *c)
{
	const int type = trc_csv_begins_as(
	        (struct trc_field){ (const uint8_t *)c->text, strnlen(c->text, TRC_CODE_LETTERS) });

	if (c->text[0] == 'T' && c->text[1] == 0) /* trim, of simulators of flash memory */
		return AS_INVALIDATE;
	return type == TRC_READ ? AS_READ : type == TRC_WRITE ? AS_WRITE : AS_IGNORED;
}

bool
trc_csv_put_codes(const struct trc_csv_fields *s, char *dst, size_t room)
{
	static const char *const names[] = { ",read=", ",write=", ",invalidate=", ",ignore=" };
	const size_t before = strlen(dst);
	size_t read, write;
	bool any = false;

	find_codes(s, &read, &write);
	for (int as = 0; as <= AS_IGNORED; as++) {
		const char *by = names[as];

		for (size_t i = 0; i < s->unknowns; i++) {
			if ((i == read  ? AS_READ :
			     i == write ? AS_WRITE :
			                  begins_as(&s->unknown[i])) != (enum trc_csv_as)as)
				continue;
			if (!put_code(by, &s->unknown[i], dst, room))
				return false;
			any |= as != AS_IGNORED;
			by = ":";
		}
	}
	/* Without known types, other words may be anything. */
	if (!any && s->codes.n == 0 && s->known == 0)
		dst[before] = 0;
	return any || s->known;
}
