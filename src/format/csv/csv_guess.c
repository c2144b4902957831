/* SPDX-License-Identifier: MIT */
#include "format/csv/csv_guess.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "format/csv/csv_names.h"

enum { LINES_SEEN = 1000, NAME_MOST = 24 };

/* What fields are called, in small letters and digits, the likelier first; in blocks of 512 bytes
 * behind an asterisk. */
static const struct {
	enum trc_column column;
	const char *names;
} known[] = {
	{ TRC_COL_TIME,
	  "time timestamp ts clocktime arrivaltime arrival issuetime requesttime reqtime "
	  "starttime timestampus timestampns timestampms timeus timens timems timesec "
	  "clock cycle cycles " },
	{ TRC_COL_ADDR, "addr address offset byteoffset startoffset lba* lbn* startlba* sector* "
	                "startsector* sectorno* lsn* blkno* objid objectid object obj key objkey "
	                "objectkey cachekey itemid blockid block id url " },
	{ TRC_COL_SIZE,
	  "size len length bytes nbytes iosize reqsize requestsize transfersize objsize "
	  "objectsize valuesize sz blocks* nblocks* numblocks* sectors* nsectors* "
	  "numsectors* blkcnt* " },
	{ TRC_COL_TYPE, "type op opcode iotype rw operation cmd command optype reqtype requesttype "
	                "direction dir rwflag " },
	{ TRC_COL_ASID, "deviceid volumeid volume diskid disknumber disk device dev asu vol lun "
	                "namespace " },
};

/* The table: its names, and lines behind them. */
struct table {
	const uint8_t *names, *names_end, *rows, *end;
	uint8_t by;
};

/* Small letters and digits of a name, for comparison. */
static void
simplify(struct trc_field f, char name[NAME_MOST])
{
	size_t n = 0;

	f = trc_csv_unquote(f);
	for (size_t i = 0; i < f.len && n + 1 < NAME_MOST; i++)
		if (isalnum(f.p[i]))
			name[n++] = (char)tolower(f.p[i]);
	name[n] = 0;
}

/* Field `at`, from 0, of the line [p, e). */
static struct trc_field
field_at(const struct table *t, const uint8_t *p, const uint8_t *e, unsigned at)
{
	struct trc_field f = trc_csv_next(&p, e, t->by);

	for (; f.p && at > 0; at--)
		f = trc_csv_next(&p, e, t->by);
	return f.p ? trc_csv_unquote(f) : f;
}

/* The line [*p, *e) at *at, which moves behind it; false if there is none, or it is cut. */
static bool
next_row(const struct table *t, const uint8_t **at, const uint8_t **p, const uint8_t **e)
{
	const uint8_t *lf = *at < t->end ? memchr(*at, '\n', (size_t)(t->end - *at)) : NULL;

	if (!lf)
		return false;
	*p = *at;
	*e = trc_csv_end(*p, lf, t->by);
	*at = lf + 1;
	return true;
}

/* Finds the field called so, a name of `known` with its length; -1: none. */
static int
find_name(const struct table *t, const char *want, size_t len)
{
	const uint8_t *p = t->names;
	struct trc_field f;
	char name[NAME_MOST];

	for (int at = 0; (f = trc_csv_next(&p, t->names_end, t->by)).p; at++) {
		simplify(f, name);
		if (strlen(name) == len && memcmp(name, want, len) == 0)
			return at;
	}
	return -1;
}

/* The field that column `k` of `known` is; *blocks: in blocks. */
static int
find_field(const struct table *t, size_t k, bool *blocks)
{
	for (const char *p = known[k].names; *p;) {
		const size_t len = strcspn(p, "* ");
		const int at = find_name(t, p, len);

		*blocks = p[len] == '*';
		if (at >= 0)
			return at;
		p += len + *blocks + 1;
	}
	return -1;
}

/* Digits behind the point that the numbers of a field have, at most; -1 if some are no numbers. */
static int
decimals(const struct table *t, unsigned at)
{
	const uint8_t *row = t->rows, *p, *e;
	int most = 0;

	for (int i = 0; i < LINES_SEEN && next_row(t, &row, &p, &e); i++) {
		const struct trc_field f = field_at(t, p, e, at);
		unsigned tens = 0;
		uint64_t v;

		if (!f.p || f.len == 0)
			continue;
		switch (trc_csv_take_number(f, 1, &v, &tens)) {
		case TRC_NUMBER_NONE: return -1;
		case TRC_NUMBER_BROKEN: most = (int)tens > most ? (int)tens : most; break;
		default: break;
		}
	}
	return most;
}

/* Appends to `dst`; false if there is no room. */
static bool
put(char *dst, size_t room, const char *text, size_t len)
{
	const size_t n = strlen(dst);

	if (n + len >= room)
		return false;
	memcpy(dst + n, text, len);
	dst[n + len] = 0;
	return true;
}

static bool
put_code(const char *word, const struct trc_csv_code *c, char *dst, size_t room)
{
	char text[48];

	snprintf(text, sizeof(text), "%s%.*s", word, TRC_CSV_CODE_LETTERS, c->text);
	return put(dst, room, text, strlen(text));
}

/* Where both of these codes are among the words, that is what they are. */
static const char *const pairs[][2] = { { "0", "1" },   { "28", "2a" }, { "28", "2A" },
	                                { "40", "42" }, { "88", "8a" }, { "0x28", "0x2a" } };

static size_t
find_word(const struct trc_csv_fields *s, const char *text)
{
	size_t i = 0;

	while (i < s->unknowns && strncmp(s->unknown[i].text, text, TRC_CSV_CODE_LETTERS) != 0)
		i++;
	return i;
}

/* The first word from `i` on that is a code: numbers are, what else is no type may be anything. */
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

/* Types for the words of `s` that are none. */
static bool
put_codes(const struct trc_csv_fields *s, char *dst, size_t room)
{
	const char *before = ",ignore=";
	size_t read, write;

	find_codes(s, &read, &write);
	if (read == s->unknowns && write == s->unknowns)
		return false;
	if ((read < s->unknowns && !put_code(",read=", &s->unknown[read], dst, room)) ||
	    (write < s->unknowns && !put_code(",write=", &s->unknown[write], dst, room)))
		return false;
	for (size_t i = 0; i < s->unknowns; i++) {
		if (i == read || i == write)
			continue;
		if (!put_code(before, &s->unknown[i], dst, room))
			return false;
		before = ":";
	}
	return true;
}

/* What stands in the field of types, as far as it is no type. */
static void
put_codes_of(const struct table *t, unsigned at, char *dst, size_t room)
{
	struct trc_csv_fields s = { .n = 0 };
	const uint8_t *row = t->rows, *p, *e;
	uint8_t type;

	for (int i = 0; i < LINES_SEEN && next_row(t, &row, &p, &e); i++) {
		const struct trc_field f = field_at(t, p, e, at);

		if (f.p && !trc_csv_take_type(&s.codes, f, &type))
			trc_csv_note_unknown(&s, f);
	}
	(void)put_codes(&s, dst, room);
}

/* A factor for what stands in a field, as it is in blocks or has decimals. */
static void
put_factor(const struct table *t, enum trc_column c, unsigned at, bool blocks, char *dst,
           size_t room)
{
	const int digits = decimals(t, at);
	char text[16];

	if (blocks)
		put(dst, room, "*512", 4);
	if (c == TRC_COL_TIME && digits > 0) {
		snprintf(text, sizeof(text), "*1e%d", digits < 6 ? 6 : digits);
		put(dst, room, text, strlen(text));
	}
	if (c == TRC_COL_ADDR && digits < 0)
		put(dst, room, ",hash", 5);
}

/* One column, with its field by its name. */
static bool
put_column(const struct table *t, size_t k, char *dst, size_t room)
{
	const enum trc_column c = known[k].column;
	const char *name = trc_column[c].name;
	struct trc_field f;
	bool blocks;
	const int at = find_field(t, k, &blocks);

	if (at < 0 && c != TRC_COL_ADDR)
		return false;
	if (at >= 0 && c != TRC_COL_TYPE && c != TRC_COL_ADDR && decimals(t, (unsigned)at) < 0)
		return false;
	put(dst, room, dst[strlen(dst) - 1] == ':' ? "" : ",", dst[strlen(dst) - 1] != ':');
	put(dst, room, name, strlen(name));
	put(dst, room, "=", 1);
	if (at < 0)
		return put(dst, room, "FIELD", 5);
	f = field_at(t, t->names, t->names_end, (unsigned)at);
	put(dst, room, (const char *)f.p, f.len);
	if (c == TRC_COL_TYPE)
		put_codes_of(t, (unsigned)at, dst, room);
	else
		put_factor(t, c, (unsigned)at, blocks, dst, room);
	return true;
}

/* Whether the first line is names, and no values: nothing in it is a number. */
static bool
take_names(struct table *t, const uint8_t *p, size_t n)
{
	const uint8_t *const end = p + n;
	unsigned fields = 0;
	struct trc_field f;
	uint64_t v;

	p = trc_lines_pass_mark(p, end);
	*t = (struct table){ .names = p, .end = end };
	t->rows = memchr(p, '\n', (size_t)(end - p));
	if (!t->rows)
		return false;
	t->by = trc_csv_separator(p, t->rows);
	t->names_end = trc_csv_end(p, t->rows++, t->by);
	for (; (f = trc_csv_next(&p, t->names_end, t->by)).p; fields++) {
		f = trc_csv_unquote(f);
		if (f.len == 0 || f.len >= 40 ||
		    trc_csv_take_number(f, 1, &v, NULL) != TRC_NUMBER_NONE)
			return false;
		for (size_t i = 0; i < f.len; i++)
			if (!isalnum(f.p[i]) && !strchr("_-. #()/", f.p[i]))
				return false;
	}
	return fields > 1;
}

bool
trc_csv_guess(const void *state, const uint8_t *p, size_t n, char *dst, size_t room)
{
	struct table t;
	unsigned columns = 0;

	*dst = 0;
	if (state)
		return put_codes(state, dst, room);
	if (!take_names(&t, p, n))
		return false;
	snprintf(dst, room, "csv:");
	for (size_t k = 0; k < TRC_COUNT(known); k++)
		columns += put_column(&t, k, dst, room);
	return columns > 0;
}

bool
trc_csv_suggest(const uint8_t *p, size_t n, char *dst, size_t room)
{
	const uint8_t *const end = p + n, *e;
	char from[256];
	/* Tabs are in texts of all sorts. */
	const bool has_guess = trc_csv_guess(NULL, p, n, from, sizeof(from)) &&
	                       strstr(from, "addr=") && !strstr(from, "addr=FIELD");
	unsigned fields = 0;
	uint8_t by;

	p = trc_lines_pass_mark(p, end);
	e = memchr(p, '\n', (size_t)(end - p));
	if (e && trc_csv_odd_name(p, e, dst, room)) {
		const size_t len = strlen(dst);

		snprintf(dst + len, room - len,
		         "; --from csv:addr=NAME and the like says which field is what");
		return true;
	}
	by = e ? trc_csv_separator(p, e) : ',';
	for (; e && p < e; p++) {
		if (!isprint(*p) && *p != '\r' && *p != '\t')
			return false;
		fields += *p == by;
	}
	if (fields == 0 || (by == '\t' && !has_guess))
		return false;
	snprintf(dst, room,
	         "looks like %s-separated values; say which field is what with "
	         "--from csv:addr=NAME, or csv:addr=N by its number, and `header` if its first "
	         "line is names",
	         by == ';'  ? "semicolon" :
	         by == '\t' ? "tab" :
	                      "comma");
	return true;
}
