/* SPDX-License-Identifier: MIT */
#include "cmd/geometry.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "stage/filter.h"

static int
fail(const char *word, const char *why, struct trc_err *err)
{
	return trc_fail_as(err, TRC_USAGE,
	                   "--cache: '%s': %s; write SIZE:WAYS:LINE[:POLICY][:PREFETCH], like "
	                   "32K:8:64",
	                   word, why);
}

/* Copies the part before the next colon and advances *at past the colon. Returns false if the part
 * is empty or too long. */
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

/* Parses what follows the line size of a cache: a policy, a prefetcher, or both. */
static bool
parse_rest(const char *at, struct trc_cache_shape *shape)
{
	char part[48];
	unsigned policy;

	for (bool named = false; *at;) {
		if (!next_part(&at, part, sizeof(part)))
			return false;
		if (!named && trc_geometry_policy(part, &policy, &shape->seed)) {
			shape->policy = policy;
			named = true;
		} else if (shape->prefetch.how ||
		           !trc_geometry_parse_prefetch(part, &shape->prefetch)) {
			return false;
		}
	}
	return true;
}

/* Appends "SIZE:WAYS:LINE" as users type it, with the "i:" or "d:" and the policy of `word`. */
static void
put_shape(char *text, size_t room, const char *word, const struct trc_cache_shape *shape)
{
	static const char unit[] = "\0KMG";
	const size_t n = strlen(text);
	const bool half = shape->part != TRC_CACHE_UNIFIED;
	const char *policy = half ? word + 2 : word;
	uint64_t size = shape->size;
	unsigned i = 0;

	/* The policy follows the third colon. */
	for (int colons = 0; colons < 3 && policy; colons++)
		policy = strchr(policy + (colons > 0), ':');
	for (; i < 3 && size % 1024 == 0; i++)
		size /= 1024;
	snprintf(text + n, room - n, "%s%.*s%llu%.1s:%llu:%llu%s", n ? ", " : "", half ? 2 : 0,
	         word, (ull)size, &unit[i], (ull)shape->ways, (ull)shape->line,
	         policy ? policy : "");
}

enum { WAYS_TRIED = 1 << 16 }; /* with more ways, no alternative is proposed */

/* Lists caches close to one whose number of sets is not a power of two: the next smaller and larger
 * number of sets, and the same size with more ways. Returns false if there is none. */
static bool
propose(const char *word, const struct trc_cache_shape *shape, char *text, size_t room)
{
	struct trc_cache_shape near = *shape;
	uint64_t set = shape->ways * shape->line, sets = 1;

	*text = 0;
	if (shape->ways > WAYS_TRIED || shape->line > UINT32_MAX || set == 0 ||
	    shape->size > UINT64_MAX / 4)
		return false;
	while (2 * sets * set <= shape->size)
		sets *= 2;
	for (int i = 0; i < 2; i++) {
		near.size = set * (sets << i);
		if (near.size != shape->size && !trc_cache_shape_wrong(&near))
			put_shape(text, room, word, &near);
	}
	near.size = shape->size;
	for (near.ways = shape->ways; near.ways < 4 * shape->ways; near.ways++)
		if (!trc_cache_shape_wrong(&near)) {
			put_shape(text, room, word, &near);
			break;
		}
	return *text;
}

/* Copies a part of a cache, reduced to what is meant: 8 for "8-way", 64 for "line=64". Returns the
 * end of the copy. */
static char *
put_meant(char *dst, const char *part, size_t len)
{
	const char *equals = memchr(part, '=', len);
	size_t digits;

	if (equals && strncasecmp(part, "rand", 4) != 0) {
		len -= (size_t)(equals + 1 - part);
		part = equals + 1;
	}
	digits = strspn(part, "0123456789");
	if (digits > 0 && digits < len &&
	    strncasecmp(part + digits + (part[digits] == '-'), "way", 3) == 0)
		len = digits;
	memcpy(dst, part, len);
	return dst + len;
}

/* Fails for a word that is not a cache, proposing the cache that is meant: with colons between the
 * parts and without names before them. */
static int
fail_meant(const char *word, const char *why, struct trc_err *err)
{
	char meant[128], *dst = meant;
	struct trc_cache_shape shape;
	struct trc_err other;
	const char *p = word;

	if (strlen(word) >= sizeof(meant))
		return fail(word, why, err);
	while (*p) {
		const size_t len = strcspn(p, ",;:/ ");

		dst = put_meant(dst, p, len);
		p += len;
		if (*p && *++p)
			*dst++ = ':';
	}
	*dst = 0;
	if (strcmp(meant, word) == 0 || trc_geometry_parse(meant, &shape, &other))
		return fail(word, why, err);
	return trc_fail_as(err, TRC_USAGE, "--cache: '%s' is not a cache; did you mean %s?", word,
	                   meant);
}

int
trc_geometry_parse(const char *word, struct trc_cache_shape *shape, struct trc_err *err)
{
	char size[32], ways[32], line[32], policies[160], text[256];
	const char *at = word, *wrong;

	*shape = (struct trc_cache_shape){ .seed = 1 };
	if ((at[0] == 'i' || at[0] == 'd') && at[1] == ':') {
		shape->part = at[0] == 'i' ? TRC_CACHE_FETCHES : TRC_CACHE_DATA;
		at += 2;
	}
	if (!next_part(&at, size, sizeof(size)) || !next_part(&at, ways, sizeof(ways)) ||
	    !next_part(&at, line, sizeof(line)))
		return fail_meant(word, "is not a cache", err);
	if (!trc_opt_number(size, true, &shape->size))
		return fail_meant(word, "SIZE is not a number of bytes", err);
	if (!trc_opt_number(line, true, &shape->line))
		return fail_meant(word, "LINE is not a number of bytes", err);
	if (strcmp(ways, "full") == 0)
		shape->ways = shape->line ? shape->size / shape->line : 0;
	else if (!trc_opt_number(ways, false, &shape->ways))
		return fail_meant(word, "WAYS is neither a number nor 'full'", err);
	if (!parse_rest(at, shape)) {
		snprintf(text, sizeof(text),
		         "POLICY is not one of %s, nor PREFETCH one of next-line, next-line-miss, "
		         "next-line-tagged, stride",
		         trc_geometry_policies(policies, sizeof(policies)));
		return fail(word, text, err);
	}
	wrong = trc_cache_shape_wrong(shape);
	if (wrong && propose(word, shape, text, sizeof(text)))
		return trc_fail_as(err, TRC_USAGE, "--cache: '%s': %s; the closest are %s", word,
		                   wrong, text);
	return wrong ? fail(word, wrong, err) : 0;
}

/* ---- several caches side by side ---- */

enum { FAMILY_MOST = 1024, PARTS = 3 };

bool
trc_geometry_is_family(const char *word)
{
	const char *comma = strchr(word, ',');

	return strstr(word, "..") || (comma && strchr(word, ':') && strchr(comma, ':'));
}

/* Parses a part of a cache that may be a range: its first and its last value. Advances *at past
 * it. */
static int
next_range(const char *word, const char **at, bool bytes, uint64_t range[2], struct trc_err *err)
{
	char part[48], *dots;

	if (!next_part(at, part, sizeof(part)))
		return fail(word, "is not a cache", err);
	dots = strstr(part, "..");
	if (dots)
		*dots = 0;
	if (!trc_opt_number(part, bytes, &range[0]) || range[0] == 0 ||
	    (dots && !trc_opt_number(dots + 2, bytes, &range[1])))
		return fail(word, "a range is LO..HI of two numbers", err);
	if (!dots)
		range[1] = range[0];
	for (uint64_t v = range[0]; v != range[1]; v *= 2)
		if (v > range[1] / 2)
			return fail(word, "a range doubles from its first value to its last", err);
	return 0;
}

/* Parses and adds `one`, a cache of those that `word` means. */
static int
add_one(const char *word, const char *one, struct trc_cache_shape **shape, size_t *n, size_t *cap,
        struct trc_err *err)
{
	if (*n == FAMILY_MOST)
		return fail(word, "is more than 1024 caches", err);
	if (trc_grow(shape, cap, *n + 1, sizeof(**shape), err))
		return -1;
	return trc_geometry_parse(one, &(*shape)[(*n)++], err);
}

static int
add_shape(const char *word, const char *policy, const uint64_t value[PARTS],
          struct trc_cache_shape **shape, size_t *n, size_t *cap, struct trc_err *err)
{
	char one[256];

	snprintf(one, sizeof(one), "%llu:%llu:%llu%s%s", (ull)value[0], (ull)value[1],
	         (ull)value[2], *policy ? ":" : "", policy);
	return add_one(word, one, shape, n, cap, err);
}

/* Adds the caches of one item of a family, which has ranges. */
static int
add_ranges(const char *word, struct trc_cache_shape **shape, size_t *n, size_t *cap,
           struct trc_err *err)
{
	uint64_t range[PARTS][2], v[PARTS];
	const char *at = word;

	if (strchr("id", word[0]) && word[1] == ':')
		return fail(word, "caches side by side are for all references", err);
	for (int i = 0; i < PARTS; i++)
		if (next_range(word, &at, i != 1, range[i], err))
			return -1;
	for (v[2] = range[2][0]; v[2] <= range[2][1]; v[2] *= 2)
		for (v[0] = range[0][0]; v[0] <= range[0][1]; v[0] *= 2)
			for (v[1] = range[1][0]; v[1] <= range[1][1]; v[1] *= 2)
				if (add_shape(word, at, v, shape, n, cap, err))
					return -1;
	return 0;
}

int
trc_geometry_family(const char *word, struct trc_cache_shape **shape, size_t *n, size_t *cap,
                    struct trc_err *err)
{
	char one[160];

	for (const char *p = word; p; p = strchr(p, ',') ? strchr(p, ',') + 1 : NULL) {
		const size_t len = strcspn(p, ",");

		if (len == 0 || len >= sizeof(one))
			return fail(word, "is not a cache", err);
		memcpy(one, p, len);
		one[len] = 0;
		if (strstr(one, "..")) {
			if (add_ranges(one, shape, n, cap, err))
				return -1;
			continue;
		}
		if (add_one(word, one, shape, n, cap, err))
			return -1;
		if ((*shape)[*n - 1].part != TRC_CACHE_UNIFIED)
			return fail(one, "caches side by side are for all references", err);
	}
	return 0;
}

const char *
trc_geometry_text(const struct trc_cache_shape *shape, char *text, size_t room)
{
	static const char *const half[] = { "", "i:", "d:" };
	char prefetch[32];

	*text = 0;
	put_shape(text, room, half[shape->part], shape);
	if (shape->policy != TRC_CACHE_LRU)
		snprintf(text + strlen(text), room - strlen(text), ":%s",
		         trc_policy(shape->policy)->name);
	if (trc_geometry_prefetch(&shape->prefetch, prefetch, sizeof(prefetch)))
		snprintf(text + strlen(text), room - strlen(text), ":%s", prefetch);
	return text;
}

/* Orders the parsed levels and checks that they fit together. For messages: the option `name`, and
 * what the halves of its first level are called. */
static int
join(const struct trc_opt_list *words, const char *name, const char *halves,
     struct trc_cache_shape *shape, struct trc_err *err)
{
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
			                   "--%s: %s are the two halves of the first level, and "
			                   "need each other",
			                   name, halves);
	}
	for (size_t i = 0; i < words->n; i++) {
		const char *wrong = trc_cache_level_wrong(shape, words->n, i);

		if (wrong)
			return trc_fail_as(err, TRC_USAGE, "--%s: '%s': %s", name, words->word[i],
			                   wrong);
	}
	return 0;
}

static int
check_number(const struct trc_opt_list *words, const char *name, struct trc_err *err)
{
	return words->n > TRC_CACHES_MOST ?
	               trc_fail_as(err, TRC_USAGE, "--%s: given more than %d times", name,
	                           TRC_CACHES_MOST) :
	               0;
}

int
trc_geometry_parse_all(const struct trc_opt_list *words, struct trc_cache_shape *shape,
                       struct trc_err *err)
{
	if (check_number(words, "cache", err))
		return -1;
	for (size_t i = 0; i < words->n; i++)
		if (trc_geometry_parse(words->word[i], &shape[i], err))
			return -1;
	return join(words, "cache", "i: and d:", shape, err);
}

/* ---- TLBs ---- */

static int
fail_tlb(const char *word, const char *why, struct trc_err *err)
{
	return trc_fail_as(err, TRC_USAGE,
	                   "--tlb: '%s': %s; write ENTRIES[:WAYS[:POLICY]], like 64:4 or 1536:12",
	                   word, why);
}

/* Returns which half of the first level a word names at its beginning, and advances *at past that.
 * Sets *by_size if the half is of a page size. */
static enum trc_cache_part
half_of(const char **at, bool *by_size)
{
	static const struct {
		const char *word;
		enum trc_cache_part part;
		bool by_size;
	} half[] = {
		{ "i:", TRC_CACHE_FETCHES, false },
		{ "d:", TRC_CACHE_DATA, false },
		{ "small:", TRC_CACHE_FETCHES, true },
		{ "huge:", TRC_CACHE_DATA, true },
	};

	for (size_t i = 0; i < TRC_COUNT(half); i++)
		if (strncmp(*at, half[i].word, strlen(half[i].word)) == 0) {
			*at += strlen(half[i].word);
			*by_size = half[i].by_size;
			return half[i].part;
		}
	return TRC_CACHE_UNIFIED;
}

static int
parse_tlb(const char *word, struct trc_cache_shape *shape, bool *by_size, struct trc_err *err)
{
	char entries[32], ways[32] = "full", rest[48] = "", policies[160], text[192];
	const char *at = word;
	uint64_t n, sets;

	*shape = (struct trc_cache_shape){ .seed = 1, .line = TRC_TLB_LINE };
	shape->part = half_of(&at, by_size);
	if (!next_part(&at, entries, sizeof(entries)) || !trc_opt_number(entries, true, &n) ||
	    trc_opt_number_kind(entries, false) == TRC_NUMBER_BYTES || n == 0 || n > UINT32_MAX)
		return fail_tlb(word, "ENTRIES is not a number of entries", err);
	if (*at && !next_part(&at, ways, sizeof(ways)))
		return fail_tlb(word, "is not a TLB", err);
	shape->ways = n;
	if (strcmp(ways, "full") != 0 &&
	    (!trc_opt_number(ways, false, &shape->ways) || !shape->ways))
		return fail_tlb(word, "WAYS is neither a number nor 'full'", err);
	if (*at && (!next_part(&at, rest, sizeof(rest)) || *at ||
	            !trc_geometry_policy(rest, &shape->policy, &shape->seed))) {
		snprintf(text, sizeof(text), "POLICY is not one of %s",
		         trc_geometry_policies(policies, sizeof(policies)));
		return fail_tlb(word, text, err);
	}
	shape->size = n * TRC_TLB_LINE;
	sets = n / shape->ways;
	if (n % shape->ways || sets & (sets - 1))
		return fail_tlb(word,
		                "ENTRIES must be a power of two times WAYS, or any number with "
		                "WAYS 'full'",
		                err);
	return trc_cache_shape_wrong(shape) ? fail_tlb(word, trc_cache_shape_wrong(shape), err) : 0;
}

int
trc_geometry_tlbs(const struct trc_opt_list *words, struct trc_cache_shape *shape, bool *by_size,
                  struct trc_err *err)
{
	if (check_number(words, "tlb", err))
		return -1;
	for (size_t i = 0; i < words->n; i++) {
		bool sizes = *by_size;

		if (parse_tlb(words->word[i], &shape[i], &sizes, err))
			return -1;
		if (i == 1 && shape[i].part != TRC_CACHE_UNIFIED && sizes != *by_size)
			return trc_fail_as(err, TRC_USAGE,
			                   "--tlb: the halves of the first level are i: and d:, or "
			                   "small: and huge:");
		*by_size = sizes;
	}
	return join(words, "tlb", *by_size ? "small: and huge:" : "i: and d:", shape, err);
}

int
trc_geometry_huge(const char *word, uint64_t size, struct trc_tlb_pages *pages, struct trc_err *err)
{
	const bool all = word && strcmp(word, "all") == 0;

	size = size ? size : UINT64_C(2) << 20;
	if (size & (size - 1))
		return trc_fail_as(err, TRC_USAGE, "--huge-size: %llu is not a power of two",
		                   (ull)size);
	for (pages->huge_bits = 0; size >> pages->huge_bits > 1;)
		pages->huge_bits++;
	if (all)
		pages->huge[pages->n++] = (struct trc_tlb_range){ 0, UINT64_MAX };
	for (const char *p = all ? NULL : word, *end; p; p = *end ? end + 1 : NULL) {
		struct trc_tlb_range *r = &pages->huge[pages->n];

		end = p + strcspn(p, ",");
		if (pages->n++ == TRC_TLB_RANGES)
			return trc_fail_as(err, TRC_USAGE, "--huge: more than %d ranges",
			                   TRC_TLB_RANGES);
		if (trc_filter_range("huge", true, p, (size_t)(end - p), &r->first, &r->last, err))
			return -1;
	}
	trc_tlb_pages_sort(pages);
	return 0;
}

const char *const trc_geometry_inclusions[] = {
	[TRC_CACHE_NINE] = "nine",
	[TRC_CACHE_INCLUSIVE] = "inclusive",
	[TRC_CACHE_EXCLUSIVE] = "exclusive",
};

/* Parses the inclusion at the start of `word`, up to a comma or its end; returns false if it is
 * unknown. */
static bool
inclusion_of(const char *word, enum trc_cache_inclusion *inclusion)
{
	const size_t len = strcspn(word, ",");

	for (int k = TRC_CACHE_NINE; k <= TRC_CACHE_EXCLUSIVE; k++)
		if (strlen(trc_geometry_inclusions[k]) == len &&
		    memcmp(word, trc_geometry_inclusions[k], len) == 0) {
			*inclusion = (enum trc_cache_inclusion)k;
			return true;
		}
	return false;
}

/* Returns true if any level includes or excludes those above. */
static bool
related(const struct trc_cache_shape *shape, size_t n)
{
	while (n > 0 && shape[n - 1].inclusion == TRC_CACHE_NINE)
		n--;
	return n > 0;
}

int
trc_geometry_inclusion(const char *word, struct trc_cache_shape *shape, size_t n,
                       struct trc_err *err)
{
	const size_t first = n > 0 && shape[0].part == TRC_CACHE_FETCHES ? 2 : 1;
	const bool one = word && !strchr(word, ',');
	const char *at = word, *wrong;

	for (size_t i = first; i < n && word; i++) {
		if (!at || !inclusion_of(at, &shape[i].inclusion))
			return trc_fail_as(err, TRC_USAGE,
			                   "--inclusion: '%s': must be inclusive, exclusive or "
			                   "nine; give one for all levels below the first, or one "
			                   "for each, with commas",
			                   word);
		at = one ? word : strchr(at, ',') ? strchr(at, ',') + 1 : NULL;
		wrong = trc_cache_inclusion_wrong(shape, i);
		if (wrong)
			return trc_fail_as(err, TRC_USAGE, "--inclusion: level %zu: %s",
			                   i + 2 - first, wrong);
	}
	for (size_t i = 0; i < n; i++)
		if (shape[i].prefetch.how && related(shape, n))
			return trc_fail_as(err, TRC_USAGE,
			                   "--inclusion: with a prefetcher, all levels must be "
			                   "nine");
	if (word && (n <= first || (!one && at)))
		return trc_fail_as(err, TRC_USAGE,
		                   "--inclusion: '%s': the number of levels below the first is %zu",
		                   word, n > first ? n - first : 0);
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
	if (!known && strcmp(unit, "object") == 0)
		return trc_fail_as(err, TRC_USAGE,
		                   "--%s: this counts objects, not bytes; give a number without a "
		                   "unit",
		                   name);
	if (!known)
		return trc_fail_as(err, TRC_USAGE,
		                   "--%s: the page size of this trace is unknown; give pages, or "
		                   "--page-size",
		                   name);
	if (size->n & (whole - 1))
		return trc_fail_as(err, TRC_USAGE,
		                   "--%s: %llu bytes is not a whole number of %ss of %llu bytes; "
		                   "without a unit, a number counts %ss",
		                   name, (ull)size->n, unit, whole, unit);
	*pages = size->n >> bits;
	return 0;
}
