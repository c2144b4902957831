/* SPDX-License-Identifier: MIT
 * The names of replacement policies and prefetchers, ours and those of other programs. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "cmd/geometry.h"

/* Returns true if the first `len` bytes of `word` are `name`, ignoring case, dashes and
 * underscores. */
static bool
is_name(const char *name, const char *word, size_t len)
{
	const char *end = word + len;

	for (;; name++, word++) {
		while (*name == '-')
			name++;
		while (word < end && (*word == '-' || *word == '_'))
			word++;
		if (word == end || !*name)
			return word == end && !*name;
		if (tolower((unsigned char)*name) != tolower((unsigned char)*word))
			return false;
	}
}

/* Returns our name for a policy that others name differently, or NULL. */
static const char *
own_policy(const char *word, size_t len)
{
	static const char *const same[][2] = {
		{ "min", "opt" },           { "belady", "opt" },      { "optimal", "opt" },
		{ "rand", "random" },       { "rr", "random" },       { "second-chance", "clock" },
		{ "tree-plru", "plru" },    { "pseudo-lru", "plru" }, { "two-q", "2q" },
		{ "tinylfu", "w-tinylfu" },
	};

	for (size_t i = 0; i < TRC_COUNT(same); i++)
		if (is_name(same[i][0], word, len))
			return same[i][1];
	return NULL;
}

bool
trc_geometry_is_policy(const char *name, const char *word, size_t len)
{
	const char *own = own_policy(word, len);

	return own ? strcmp(name, own) == 0 : is_name(name, word, len);
}

bool
trc_geometry_policy(const char *word, unsigned *policy, uint64_t *seed)
{
	const size_t len = strcspn(word, "=");

	for (*policy = 0; trc_policy(*policy); ++*policy)
		if (trc_geometry_is_policy(trc_policy(*policy)->name, word, len))
			return word[len] == 0 || (*policy == TRC_CACHE_RANDOM &&
			                          trc_opt_number(word + len + 1, false, seed));
	return false;
}

size_t
trc_geometry_words(const char *words)
{
	size_t n = 1;

	for (; (words = strchr(words, ',')); words++)
		n++;
	return n;
}

const char *
trc_geometry_word(const char *words, size_t i, char dst[TRC_GEOMETRY_WORD])
{
	for (; i > 0; i--)
		words = strchr(words, ',') + 1;
	snprintf(dst, TRC_GEOMETRY_WORD, "%.*s", (int)strcspn(words, ","), words);
	for (char *p = dst; *p; p++)
		*p = (char)tolower((unsigned char)*p);
	return dst;
}

const char *
trc_geometry_policies(char *text, size_t room)
{
	size_t n = 0;

	for (size_t i = 0; trc_policy(i) && n < room; i++)
		n += (size_t)snprintf(text + n, room - n, "%s, ", trc_policy(i)->name);
	if (n < room)
		snprintf(text + n, room - n, "random=SEED");
	return text;
}

bool
trc_geometry_parse_prefetch(const char *word, struct trc_prefetch *prefetch)
{
	static const struct {
		const char *name;
		enum trc_prefetch_how how;
	} same[] = { { "ip-stride", TRC_PREFETCH_STRIDE },
		     { "tagged", TRC_PREFETCH_NEXT_TAGGED },
		     { "on-miss", TRC_PREFETCH_NEXT_MISS } };
	const size_t len = strcspn(word, "=");
	uint64_t lines = 1;

	*prefetch = (struct trc_prefetch){ TRC_PREFETCH_NONE, 0 };
	for (int how = TRC_PREFETCH_NONE + 1; how < TRC_PREFETCH_HOWS; how++)
		if (is_name(trc_prefetch_name[how], word, len))
			prefetch->how = (enum trc_prefetch_how)how;
	for (size_t i = 0; i < TRC_COUNT(same); i++)
		if (is_name(same[i].name, word, len))
			prefetch->how = same[i].how;
	if (word[len] && (!trc_opt_number(word + len + 1, false, &lines) || lines == 0 ||
	                  lines > TRC_PREFETCH_MOST))
		return false;
	prefetch->lines = (unsigned)lines;
	return prefetch->how;
}

const char *
trc_geometry_prefetch(const struct trc_prefetch *prefetch, char *text, size_t room)
{
	if (!prefetch->how)
		return NULL;
	snprintf(text, room, prefetch->lines > 1 ? "%s=%u" : "%s", trc_prefetch_name[prefetch->how],
	         prefetch->lines);
	return text;
}
