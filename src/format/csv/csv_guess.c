/* SPDX-License-Identifier: MIT */
#include "format/csv/csv_guess.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "batch/type.h"
#include "format/csv/csv_table.h"

/* Returns true if values in a line are divided by blanks as well as by its separator, and one has
 * 0x, or the first is a type before a number. */
static bool
has_blanks(struct trc_csv_table *t, const uint8_t *p, const uint8_t *e)
{
	static const struct trc_codes none = { .n = 0 };
	struct trc_csv_table any = *t;
	bool marked = false, typed = true;
	struct trc_field f;
	uint8_t type;
	uint64_t v;

	t->names_end = any.names_end = e;
	any.by = TRC_CSV_ANY;
	if (trc_csv_table_fields(&any) <= trc_csv_table_fields(t))
		return false;
	for (int at = 0; (f = trc_csv_next(&p, e, TRC_CSV_ANY)).p; at++) {
		marked |= trc_field_is_marked(f);
		typed &= at > 1 || (at == 0 ? trc_csv_take_type(&none, f, &type) :
		                              trc_field_hex(f, UINT64_MAX, &v));
	}
	return marked || typed;
}

/* Returns true if two tabs are next to each other in [p, e). */
static bool
has_empty(const uint8_t *p, const uint8_t *e)
{
	while (p + 1 < e && !(p[0] == '\t' && p[1] == '\t'))
		p++;
	return p + 1 < e;
}

static bool
has_url(const uint8_t *p, const uint8_t *e)
{
	while (e - p > 3 && memcmp(p, "://", 3) != 0)
		p++;
	return e - p > 3;
}

/* Sets by[] to the separators that may be those of the line [p, lf), the likeliest first, for its
 * numbers and for keys that are texts. */
static void
find_separators(struct trc_csv_table *t, const uint8_t *p, const uint8_t *lf, uint8_t by[4])
{
	const uint8_t sign = trc_csv_separator(p, lf);
	const bool there = memchr(p, sign, (size_t)(lf - p));

	t->by = sign;
	t->names_end = lf;
	if (sign == '\t' && trc_csv_table_fields(t) > 2 && !has_empty(p, lf))
		by[0] = has_blanks(t, p, lf) ? TRC_CSV_ANY : sign;
	else if (!there || sign == '\t')
		by[0] = memchr(p, ':', (size_t)(lf - p)) && !has_url(p, lf) ? TRC_CSV_ANY : ' ';
	else
		by[0] = sign == ',' && has_blanks(t, p, lf) ? TRC_CSV_ANY : sign;
	by[1] = by[3] = TRC_CSV_ANY;
	by[2] = there ? sign : ' ';
}

/* Appends the name of a field, which a separator divides from the one before. */
static bool
put_name(uint8_t by, const uint8_t *p, size_t len, char *dst, size_t room)
{
	const char between = by == TRC_CSV_ANY ? ' ' : (char)by;

	return (!*dst || trc_csv_put(dst, room, &between, 1)) &&
	       trc_csv_put(dst, room, (const char *)p, len);
}

/* Writes the names of as many fields as the comment right above the records has words, besides one
 * before a colon: "# Format: <type> <address>". */
static bool
take_comment(const struct trc_csv_table *t, unsigned fields, char *dst, size_t room)
{
	static const char between[] = " \t,;|<>[]()\r";
	const uint8_t *e = t->rows, *p = e;
	unsigned words = 0;

	while (p > t->file && (p == e || p[-1] != '\n'))
		p--;
	if (!*t->comment || (size_t)(e - p) < strlen(t->comment) ||
	    memcmp(p, t->comment, strlen(t->comment)) != 0)
		return false;
	for (p += strlen(t->comment), e--; p < e;) {
		const uint8_t *const word = p;

		while (p < e && *p && !strchr(between, *p))
			p++;
		if (p > word && p[-1] == ':' && words == 0) {
			p++;
			continue;
		}
		if (p > word && !put_name(t->by, word, (size_t)(p - word), dst, room))
			return false;
		words += p > word;
		p += p < e;
	}
	return words == fields;
}

/* Guesses by names in a comment. */
static bool
guess_by_comment(const struct trc_csv_table *values, unsigned fields, struct trc_reading *r)
{
	struct trc_csv_table t = *values;
	char names[512] = "";

	t.made = true;
	t.typed = 0;
	if (!take_comment(&t, fields, names, sizeof(names)))
		return false;
	t.names = (const uint8_t *)names;
	t.names_end = t.names + strlen(names);
	*r = (struct trc_reading){ .what = "" };
	if (!trc_csv_guess_by_names(&t, r))
		return false;
	r->sure = false;
	return true;
}

/* Guesses by values; if these leave a doubt and there are names, by these first. */
static unsigned
guess_fields(struct trc_csv_table *t, unsigned fields, struct trc_reading r[TRC_READINGS])
{
	unsigned n = trc_csv_guess_by_values(t, fields, r);
	struct trc_reading named;

	if ((n > 0 && r->sure) || !guess_by_comment(t, fields, &named))
		return n;
	n -= n == TRC_READINGS;
	memmove(r + 1, r, n * sizeof(*r));
	*r = named;
	return n + 1;
}

/* Returns true if a field of the first line is not a number, which a key may not be. */
static bool
has_texts(const struct trc_csv_table *t)
{
	const uint8_t *p = t->names;
	struct trc_field f;
	uint64_t v;
	uint8_t type;

	while ((f = trc_csv_next(&p, t->names_end, t->by)).p)
		if (trc_csv_take_number(f, NULL, &v, NULL) == TRC_NUMBER_NONE &&
		    !trc_type_of((const char *)f.p, f.len, &type))
			return true;
	return false;
}

/* Processes a table whose first line is values. */
static unsigned
take_values(struct trc_csv_table *t, const uint8_t *p, size_t n, struct trc_reading r[TRC_READINGS])
{
	const uint8_t *const end = p + n, *lf;
	unsigned ways = 0;
	uint8_t by[4];

	*t = (struct trc_csv_table){ .end = end };
	p = trc_csv_table_begin(t, trc_lines_pass_mark(p, end));
	lf = p ? memchr(p, '\n', (size_t)(end - p)) : NULL;
	if (!lf)
		return 0;
	t->names = t->rows = p;
	t->by = ' ';
	if (trc_csv_are_keys(t)) {
		*r = (struct trc_reading){ .what = "each line is a key",
			                   .from = "csv:addr=hash(1)" };
		trc_csv_table_put(t, r->from, sizeof(r->from));
		return 1;
	}
	find_separators(t, p, lf, by);
	for (size_t i = 0; i < TRC_COUNT(by) && ways == 0; i++) {
		unsigned fields;

		t->by = by[i];
		t->keyed = i >= 2;
		t->names_end = trc_csv_line_end(t->comment, p, lf, t->by);
		fields = trc_csv_table_fields(t);
		if ((!t->keyed || has_texts(t)) && fields <= TRC_CSV_ASSIGNED)
			ways = guess_fields(t, fields, r);
	}
	return ways;
}

/* Returns true if what would be addresses has the name of another column. */
static bool
has_other_name(const struct trc_csv_table *t, const char *from)
{
	const char *const addr = strstr(from, "addr="), *const at = addr ? addr :
	                                                                   strstr(from, "vpn=");
	const unsigned long field = at ? strtoul(strchr(at, '=') + 1, NULL, 10) : 0;
	enum trc_column c;
	bool blocks;

	if (field == 0)
		return false;
	c = trc_csv_column_named(
	        trc_csv_table_field(t, t->names, t->names_end, (unsigned)field - 1), &blocks);
	return c != TRC_COL_ADDR && c != TRC_COL_VPN && c != TRC_COLUMNS;
}

/* Returns true if a name is one of the words for types that are in its field. */
static bool
is_record(const struct trc_csv_table *t, unsigned fields)
{
	for (unsigned k = 0; k < fields; k++) {
		const struct trc_csv_values v = trc_csv_table_look(t, k);
		uint8_t type;

		if (trc_csv_are_types(&v) &&
		    trc_csv_take_type(&(struct trc_codes){ .n = 0 },
		                      trc_csv_table_field(t, t->names, t->names_end, k), &type))
			return true;
	}
	return false;
}

/* Guesses by the values after unknown names. */
static unsigned
guess_behind_names(struct trc_csv_table *t, struct trc_reading r[TRC_READINGS])
{
	const unsigned fields = trc_csv_table_fields(t);
	unsigned ways, n = 0;

	if (t->by == ' ' || fields > TRC_CSV_ASSIGNED || is_record(t, fields))
		return 0;
	ways = trc_csv_guess_by_values(t, fields, r);
	for (unsigned i = 0; i < ways; i++) {
		if (has_other_name(t, r[i].from) ||
		    !trc_csv_put(r[i].from, sizeof(r->from), ",header", 7))
			continue;
		r[n] = r[i];
		r[n++].sure = false;
	}
	return n;
}

unsigned
trc_csv_guess(const uint8_t *p, size_t n, struct trc_reading r[TRC_READINGS])
{
	struct trc_csv_table t;
	unsigned ways;

	*r = (struct trc_reading){ .sure = false };
	/* `R 1862a498` could be two names. */
	if (!trc_csv_take_names(&t, p, n))
		return take_values(&t, p, n, r);
	if (trc_csv_guess_by_names(&t, r))
		return 1;
	ways = guess_behind_names(&t, r);
	return ways ? ways : take_values(&t, p, n, r);
}

bool
trc_csv_amend(const void *state, struct trc_reading *r)
{
	*r = (struct trc_reading){ .what = "these are its types" };
	return trc_csv_put_codes(state, r->from, sizeof(r->from));
}

/* Returns true if the first lines have the same number of fields, so that not every comma is one by
 * chance. */
static bool
same_fields(const uint8_t *p, const uint8_t *end, uint8_t by)
{
	size_t fields[3] = { 0, 0, 0 };

	for (size_t i = 0; i < TRC_COUNT(fields) && p < end; i++, p++)
		for (; p < end && *p != '\n'; p++)
			fields[i] += *p == by;
	return p == end || (fields[0] == fields[1] && fields[0] == fields[2]);
}

bool
trc_csv_suggest(const uint8_t *p, size_t n, char *dst, size_t room)
{
	const uint8_t *const end = p + n, *start, *table, *e;
	struct trc_reading r[TRC_READINGS];
	struct trc_csv_table t = { .end = end };
	unsigned fields = 0;
	uint8_t by;

	start = trc_lines_pass_mark(p, end);
	p = table = trc_csv_table_begin(&t, start);
	if (!p)
		return false;
	if (trc_csv_is_json(p, end)) {
		snprintf(dst, room,
		         "is JSON; make a table of it, as with jq -r '[.KEY,.SIZE]|@csv'");
		return true;
	}
	e = memchr(p, '\n', (size_t)(end - p));
	if (e && trc_csv_odd_name(p, e, dst, room)) {
		const size_t len = strlen(dst);

		snprintf(dst + len, room - len,
		         "; assign fields with --from csv:addr=NAME and so on");
		return true;
	}
	by = e ? trc_csv_separator(p, e) : ',';
	/* All sorts of texts contain tabs. */
	if (e && (by == '\t' || !same_fields(p, end, by)) &&
	    trc_csv_guess(start, (size_t)(end - start), r) == 0)
		return false;
	for (; e && p < e; p++) {
		if (!isprint(*p) && *p != '\r' && *p != '\t')
			return false;
		fields += *p == by;
	}
	if (fields == 0)
		return false;
	snprintf(dst, room,
	         "looks like %s-separated values; assign fields with --from csv:addr=NAME, or "
	         "csv:addr=N by number, and 'header' if the first line has names%s",
	         by == ';'  ? "semicolon" :
	         by == '\t' ? "tab" :
	                      "comma",
	         table > start ? "; remove the lines before it, if it has" : "");
	return true;
}
