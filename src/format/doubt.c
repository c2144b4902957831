/* SPDX-License-Identifier: MIT */
#include "format/doubt.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum {
	FIELDS = 8,  /* that are looked at */
	LINES = 500, /* lines, at most */
	VALUES = 64, /* different ones that are counted */
	KINDS = 4,   /* so few are sizes, types or processes, and no counts */

	/* Low digits, each of 0 to 9 though 16 are possible in hexadecimal: all are so by chance
	 * once in 12,000. */
	DIGITS_SURE = 20,

	COUNT_MOST = 1 << 24, /* digits of decimal numbers are read as hexadecimal ones here */

	/* Lines whose first number never falls: by chance once in 5,000. */
	RISING_SURE = 7,
};

/* What is counted of a field, over all lines. */
struct seen {
	size_t lines, digits;       /* that have it; low digits of numbers unlike the one before */
	bool marked, letters, wide; /* 0x; a to f; a number above 9 */
	bool falls, odd, even;  /* sizes that are likely in decimal alone, in hexadecimal alone */
	bool huge, mixed, zero; /* numbers that are no sizes; no powers of two; 0 */
	uint64_t first, last, most;
	uint64_t value[VALUES];
	size_t values; /* different ones */
};

static bool
is_new(struct seen *s, uint64_t v)
{
	size_t i = 0;

	while (i < s->values && s->value[i] != v)
		i++;
	if (i < s->values || i == VALUES)
		return i == VALUES;
	s->value[s->values++] = v;
	return true;
}

/* A size that requests and references have: small, a power of two, or blocks of 512 bytes. */
static bool
is_size(uint64_t v)
{
	return v <= 64 || (v & (v - 1)) == 0 || v % 512 == 0;
}

static bool
is_power(uint64_t v)
{
	return v > 0 && (v & (v - 1)) == 0;
}

static void
look(struct seen *s, struct trc_field f)
{
	uint64_t dec = 0, hex;

	s->lines++;
	if (!trc_field_hex(f, UINT64_MAX, &hex))
		return;
	s->marked |= f.len > 2 && (f.p[1] | 0x20) == 'x';
	for (size_t i = 0; i < f.len; i++)
		s->letters |= isalpha(f.p[i]) && (f.p[i] | 0x20) != 'x';
	s->wide |= f.len > 1;
	s->huge |= !is_size(hex) || hex > UINT64_C(1) << 27;
	if (!s->marked && trc_field_dec(f, UINT64_MAX, &dec) && dec > 9) {
		s->odd |= is_power(dec) && !is_power(hex);
		s->even |= is_power(hex) && !is_power(dec);
	}
	if (is_new(s, hex) && s->lines > 1)
		for (unsigned k = 0; k < 4; k++) {
			const unsigned a = hex >> 4 * k & 15, b = s->last >> 4 * k & 15;

			s->digits += a != b && a != b + 1 && k < f.len;
		}
	s->mixed |= !is_power(hex) && !is_power(dec);
	s->zero |= hex == 0;
	s->most = hex > s->most ? hex : s->most;
	s->falls |= hex < s->last;
	s->first = s->lines == 1 ? hex : s->first;
	s->last = hex;
}

/* Looks at the lines; returns how many fields all of them have, comments not counted. */
static size_t
count(const struct trc_probe *probe, struct seen *seen)
{
	const uint8_t *p = probe->p, *end = probe->p + probe->n, *lf;
	size_t least = FIELDS;

	for (int i = 0; i < LINES && p < end; i++, p = lf + 1) {
		struct trc_field field[FIELDS];
		size_t n, k = 0;

		lf = memchr(p, '\n', (size_t)(end - p));
		if (!lf && !probe->whole)
			break;
		lf = lf ? lf : end;
		n = trc_text_fields(p, lf, field, FIELDS);
		if (n == 0 || field[0].p[0] == '#')
			continue;
		for (; k < n && k < FIELDS && !strchr("#;/%", field[k].p[0]); k++)
			look(&seen[k], field[k]);
		least = k < least ? k : least;
	}
	return least;
}

/* The place of a word among the fields of a grammar that are looked at; -1: it is not there. */
static int
place_of(const char *grammar, const char *word)
{
	const size_t len = strlen(word);
	int at = 0;

	for (const char *p = grammar; *p && at < FIELDS; p += strcspn(p, " "), p += *p == ' ', at++)
		if (strncmp(p, word, len) == 0 && (p[len] == ' ' || p[len] == 0))
			return at;
	return -1;
}

/* Whether numbers may be of the other base than the format has them in. */
static bool
is_base_open(const struct trc_format *f, const struct seen *seen, char *dst, size_t room)
{
	const int addr = place_of(f->line->grammar, "ADDRESS");
	const struct seen *s = &seen[addr < 0 ? 0 : addr];
	bool marked = s->marked, wide = s->wide;

	if (f->base == 0)
		return false;
	for (int k = 1; k < FIELDS; k++) {
		marked |= seen[k].marked || (f->base == 16 && seen[k].letters);
		wide |= seen[k].wide;
	}
	if (marked || s->letters || !wide || (f->base == 10 && s->digits >= DIGITS_SURE))
		return false;
	snprintf(dst, room, "its numbers may be decimal or hexadecimal (%zu low digits, no letter)",
	         s->digits);
	return true;
}

/* Whether numbers never fall, as times do, in lines enough. */
static bool
rises(const struct seen *s)
{
	return !s->falls && s->values > 2 && s->lines >= RISING_SURE;
}

static bool
is_size_open(const struct trc_format *f, const struct seen *seen, char *dst, size_t room)
{
	const int at = place_of(f->line->grammar, "SIZE");
	const struct seen *s = &seen[at < 0 ? 0 : at];

	if (f->base != 16 || at != 2)
		return false;
	if (s->huge || rises(s))
		snprintf(dst, room, "its third field may be no size, or a decimal one");
	else if (s->odd && !s->even && !s->letters && !s->marked)
		snprintf(dst, room, "its sizes are powers of two in decimal, not in hexadecimal");
	else
		return false;
	return true;
}

/* Counts of instructions are small, many different ones or sometimes 0, and never have 0x; places
 * of stores are not all powers of two. */
static bool
is_count_open(const struct seen *seen, char *dst, size_t room)
{
	const struct seen *store = &seen[2];

	if (!seen[0].marked && !seen[1].marked && !store->marked && !rises(&seen[0]) &&
	    !rises(&seen[1]) && (seen->values > KINDS || seen->zero) && seen->mixed &&
	    seen->most <= COUNT_MOST && (store->values == 0 || store->mixed))
		return false;
	snprintf(dst, room, "its first field may be no count of instructions");
	return true;
}

static bool
is_first_open(const struct trc_line_format *line, const struct seen *seen, char *dst, size_t room)
{
	if (place_of(line->grammar, "COUNT") == 0)
		return is_count_open(seen, dst, room);
	if (place_of(line->grammar, "LABEL") != 0 || !rises(seen))
		return false;
	snprintf(dst, room, "its first field never falls in %zu lines, and may be a time",
	         seen->lines);
	return true;
}

bool
trc_doubt(const struct trc_format *f, const struct trc_probe *probe, char *dst, size_t room)
{
	const char *grammar = f->line->grammar;
	struct seen seen[FIELDS] = { { 0 } };
	const size_t least = count(probe, seen);
	size_t fields = 1;

	for (const char *p = grammar; *p; p++)
		fields += *p == ' ';
	if (f->base && least > fields && seen->lines > 0) {
		snprintf(dst, room, "it would read %zu fields of a line and pass over the others",
		         fields);
		return true;
	}
	return is_base_open(f, seen, dst, room) || is_size_open(f, seen, dst, room) ||
	       is_first_open(f->line, seen, dst, room);
}
