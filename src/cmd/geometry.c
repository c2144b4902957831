/* SPDX-License-Identifier: MIT */
#include "cmd/geometry.h"

#include <stdio.h>
#include <string.h>

static int
fail(const char *word, const char *why, struct trc_err *err)
{
	return trc_fail_as(err, TRC_USAGE,
	                   "--cache: '%s': %s; write SIZE:WAYS:LINE[:POLICY], like "
	                   "32K:8:64",
	                   word, why);
}

/* The part up to the next colon, which *at moves behind; false if there is none. */
static bool
next_part(const char **at, char *part, size_t room)
{
	const size_t len = strcspn(*at, ":");

	if (len == 0 || len >= room)
		return false;
	memcpy(part, *at, len);
	part[len] = 0;
	*at += len + ((*at)[len] == ':');
	return true;
}

bool
trc_geometry_policy(const char *word, unsigned *policy, uint64_t *seed)
{
	const size_t len = strcspn(word, "=");

	for (*policy = 0; trc_policy(*policy); ++*policy) {
		const char *name = trc_policy(*policy)->name;

		if (strlen(name) == len && memcmp(word, name, len) == 0)
			return word[len] == 0 || (*policy == TRC_CACHE_RANDOM &&
			                          trc_opt_number(word + len + 1, false, seed));
	}
	return false;
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

int
trc_geometry_parse(const char *word, struct trc_cache_shape *shape, struct trc_err *err)
{
	char size[32], ways[32], line[32], rest[48] = "", policies[160], text[192];
	const char *at = word, *wrong;

	*shape = (struct trc_cache_shape){ .seed = 1 };
	if ((at[0] == 'i' || at[0] == 'd') && at[1] == ':') {
		shape->part = at[0] == 'i' ? TRC_CACHE_FETCHES : TRC_CACHE_DATA;
		at += 2;
	}
	if (!next_part(&at, size, sizeof(size)) || !next_part(&at, ways, sizeof(ways)) ||
	    !next_part(&at, line, sizeof(line)))
		return fail(word, "is no cache", err);
	if (!trc_opt_number(size, true, &shape->size))
		return fail(word, "SIZE is no number of bytes", err);
	if (!trc_opt_number(line, true, &shape->line))
		return fail(word, "LINE is no number of bytes", err);
	if (strcmp(ways, "full") == 0)
		shape->ways = shape->line ? shape->size / shape->line : 0;
	else if (!trc_opt_number(ways, false, &shape->ways))
		return fail(word, "WAYS is neither a number nor 'full'", err);
	if (*at && (!next_part(&at, rest, sizeof(rest)) || *at ||
	            !trc_geometry_policy(rest, &shape->policy, &shape->seed))) {
		snprintf(text, sizeof(text), "POLICY is none of %s",
		         trc_geometry_policies(policies, sizeof(policies)));
		return fail(word,
		            strcmp(rest, "opt") == 0 ?
		                    "opt is a policy of whole memories: --mrc --policy opt "
		                    "--line-size 64" :
		                    text,
		            err);
	}
	wrong = trc_cache_shape_wrong(shape);
	return wrong ? fail(word, wrong, err) : 0;
}

int
trc_geometry_parse_all(const struct trc_opt_list *words, struct trc_cache_shape *shape,
                       struct trc_err *err)
{
	if (words->n > TRC_CACHES_MOST)
		return trc_fail_as(err, TRC_USAGE, "--cache: given more than %d times",
		                   TRC_CACHES_MOST);
	for (size_t i = 0; i < words->n; i++)
		if (trc_geometry_parse(words->word[i], &shape[i], err))
			return -1;
	if (words->n > 1 && shape[0].part == TRC_CACHE_DATA && shape[1].part == TRC_CACHE_FETCHES) {
		const struct trc_cache_shape data = shape[0];

		shape[0] = shape[1];
		shape[1] = data;
	}
	for (size_t i = 0; i < words->n; i++) {
		const bool split = shape[0].part == TRC_CACHE_FETCHES;
		const enum trc_cache_part want = !split || i > 1 ? TRC_CACHE_UNIFIED :
		                                 i == 0          ? TRC_CACHE_FETCHES :
		                                                   TRC_CACHE_DATA;

		if (shape[i].part != want || (split && words->n < 2))
			return trc_fail_as(err, TRC_USAGE,
			                   "--cache: i: and d: are the two halves of "
			                   "the first level, and need each other");
	}
	return 0;
}

int
trc_geometry_pages(const struct trc_opt_pages *size, const char *name, const char *unit, bool known,
                   unsigned bits, uint64_t *pages, struct trc_err *err)
{
	const unsigned long long whole = known ? 1ull << bits : 0;

	*pages = size->n;
	if (!size->bytes)
		return 0;
	if (!known)
		return trc_fail_as(err, TRC_USAGE,
		                   "--%s: nobody knows the page size of this trace; give pages, "
		                   "or --page-size",
		                   name);
	if (size->n & (whole - 1))
		return trc_fail_as(err, TRC_USAGE,
		                   "--%s: %llu bytes are no number of whole %ss of %llu bytes; "
		                   "without a unit a number is %ss",
		                   name, (unsigned long long)size->n, unit, whole, unit);
	*pages = size->n >> bits;
	return 0;
}
