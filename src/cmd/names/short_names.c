/* SPDX-License-Identifier: MIT */
#include "cmd/names/short_names.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/shown.h"

/* Returns the offset of the last component of a path. */
static size_t
base_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? (size_t)(slash + 1 - path) : 0;
}

static bool
bases_differ(const char *const *path, size_t n)
{
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < i; k++)
			if (strcmp(path[i] + base_of(path[i]), path[k] + base_of(path[k])) == 0)
				return false;
	return true;
}

/* Returns the length of the folders that all paths begin with. */
static size_t
common_folders(const char *const *path, size_t n)
{
	size_t len = base_of(path[0]);

	for (size_t i = 1; i < n; i++)
		while (len > 0 && (strncmp(path[0], path[i], len) != 0 || path[0][len - 1] != '/'))
			len--;
	return len;
}

/* Returns the length of the longest ending, starting at a dot or slash, that all paths share and
 * that leaves something of each name, which starts at from[i]. */
static size_t
common_ending(const char *const *path, const size_t *from, size_t n)
{
	const size_t first = strlen(path[0]);

	for (size_t at = from[0] + 1; at < first; at++) {
		const size_t len = first - at;
		bool all = path[0][at] == '.' || path[0][at] == '/';

		for (size_t i = 1; i < n && all; i++) {
			const size_t whole = strlen(path[i]);

			all = whole > from[i] + len &&
			      strcmp(path[i] + whole - len, path[0] + at) == 0;
		}
		if (all)
			return len;
	}
	return 0;
}

enum { DOTS = 3 };

/* Returns the length of the beginning that all parts share, up to a separator, if that is longer
 * than the dots that replace it; else 0. */
static size_t
common_beginning(const char *const *part, const size_t *len, size_t n)
{
	size_t same = 0, word = 0;

	for (;; same++) {
		for (size_t i = 0; i < n; i++)
			if (same == len[i] || part[i][same] != part[0][same])
				return word > DOTS ? word : 0;
		if (strchr("-_.+:, /", part[0][same]))
			word = same;
	}
}

/* Does the same for the end, leaving at least one byte after the first `from` bytes of each
 * part. */
static size_t
common_end(const char *const *part, const size_t *len, size_t from, size_t n)
{
	size_t same = 0, word = 0;

	for (;; same++) {
		for (size_t i = 0; i < n; i++)
			if (same + 1 >= len[i] - from ||
			    part[i][len[i] - same - 1] != part[0][len[0] - same - 1])
				return word > DOTS ? word : 0;
		if (strchr("-_.+:, /", part[0][len[0] - same - 1]))
			word = same + 1;
	}
}

/* Copies a part of a path; if it is too long, only its end, after dots. */
static void
put(char *name, const char *part, size_t len)
{
	const size_t most = TRC_SHORT_NAME_ROOM - 1, dots = DOTS;

	if (len <= most)
		snprintf(name, TRC_SHORT_NAME_ROOM, "%.*s", (int)len, part);
	else
		snprintf(name, TRC_SHORT_NAME_ROOM, "...%.*s", (int)(most - dots),
		         part + len - (most - dots));
	trc_shown(name);
}

/* Sets all names. If one is too long, a beginning or end that all share becomes dots. */
static void
put_all(char (*name)[TRC_SHORT_NAME_ROOM], const char *const *part, const size_t *len, size_t n)
{
	bool fit = true;

	for (size_t i = 0; i < n; i++)
		fit &= len[i] < TRC_SHORT_NAME_ROOM;
	const size_t front = fit || n == 1 ? 0 : common_beginning(part, len, n),
	             back = fit || n == 1 ? 0 : common_end(part, len, front, n);

	for (size_t i = 0; i < n; i++) {
		char word[1024];

		snprintf(word, sizeof(word), "%s%.*s%s", front ? "..." : "",
		         (int)(len[i] - front - back), part[i] + front, back ? "..." : "");
		if (front + back)
			put(name[i], word, strlen(word));
		else
			put(name[i], part[i], len[i]);
	}
}

enum { MOST = 4096 }; /* with more paths, names are not shortened */

void
trc_short_names(const char *const *path, size_t n, char (*name)[TRC_SHORT_NAME_ROOM])
{
	const bool few = n <= MOST, bases = n == 1 || !few || bases_differ(path, n);
	const size_t folders = bases ? 0 : common_folders(path, n);
	size_t from[MOST], len[MOST], ending = 0;
	const char *part[MOST];

	for (size_t i = 0; few && i < n; i++)
		from[i] = bases ? base_of(path[i]) : folders;
	if (n > 1 && few)
		ending = common_ending(path, from, n);
	for (size_t i = 0; i < n && few; i++) {
		part[i] = path[i] + from[i];
		len[i] = strlen(part[i]) - ending;
	}
	if (few)
		put_all(name, part, len, n);
	for (size_t i = 0; i < n && !few; i++)
		put(name[i], path[i], strlen(path[i]));
}
