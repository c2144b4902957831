/* SPDX-License-Identifier: MIT */
#include "format/csv/csv_table.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "format/csv/csv_guess.h"
#include "format/csv/csv_row.h"

enum {
	MILLIONTHS = 1000000,
	BINARY_LEAST = 8, /* digits of a binary number, */
	BINARY_SURE = 6,  /* and places that have both */
};

struct trc_field
trc_csv_table_field(const struct trc_csv_table *t, const uint8_t *p, const uint8_t *e, unsigned at)
{
	struct trc_field f = trc_csv_next(&p, e, t->by);

	for (; f.p && at > 0; at--)
		f = trc_csv_next(&p, e, t->by);
	return f.p ? trc_csv_unquote(f) : f;
}

static bool
begins(const uint8_t *p, const uint8_t *e, const char *comment)
{
	return *comment && trc_text_begins(p, e, comment);
}

/* Returns true if one of the first lines is such as #eof. */
static bool
has_comment(const uint8_t *p, const uint8_t *e)
{
	for (int i = 0; p && p < e && i < TRC_CSV_SEEN; i++) {
		if (*p == '#')
			return true;
		p = memchr(p, '\n', (size_t)(e - p));
		p = p ? p + 1 : NULL;
	}
	return false;
}

const uint8_t *
trc_csv_table_begin(struct trc_csv_table *t, const uint8_t *p)
{
	static const char *const all[] = { "#", "//", "--", "%", ";", "*" };

	t->comment = has_comment(p, t->end) ? all[0] : "";
	for (size_t i = 0; i < TRC_COUNT(all); i++)
		if (begins(p, t->end, all[i]))
			t->comment = all[i];
	t->file = p;
	while (p && p < t->end && (*p == '\n' || *p == '\r' || begins(p, t->end, t->comment))) {
		p = memchr(p, '\n', (size_t)(t->end - p));
		p = p ? p + 1 : NULL;
	}
	return p;
}

void
trc_csv_table_put(const struct trc_csv_table *t, char *dst, size_t room)
{
	const uint8_t *lf = memchr(t->file, '\n', (size_t)(t->end - t->file));
	const bool shown = t->by == trc_csv_separator(t->file, lf ? lf : t->end);
	const size_t n = strlen(dst);

	snprintf(dst + n, room - n, "%s%s%s%s%s",
	         t->by == ' '           ? ",separator=blank" :
	         t->by == TRC_CSV_ANY   ? ",separator=any" :
	         t->by == ',' && !shown ? ",separator=comma" :
	                                  "",
	         *t->prefix ? ",prefix=" : "", t->prefix, *t->comment ? ",comment=" : "",
	         t->comment);
}

/* Returns true for a few letters, as codes and types are. */
static bool
is_word(struct trc_field f)
{
	size_t letters = 0;

	while (letters < f.len && f.p[letters] &&
	       (isalpha(f.p[letters]) || strchr("-_.", f.p[letters])))
		letters++;
	return f.len > 0 && f.len <= TRC_CODE_LETTERS && letters == f.len && isalpha(f.p[0]);
}

/* Returns true for a word of a type, or one that begins as these do. */
static bool
is_type(struct trc_field f)
{
	static const struct trc_codes none = { .n = 0 };
	uint8_t type;

	return trc_csv_take_type(&none, f, &type) || (is_word(f) && trc_csv_begins_as(f) >= 0);
}

static bool
is_skipped(const struct trc_csv_table *t, const uint8_t *p, const uint8_t *e)
{
	return begins(p, e, t->comment) ||
	       (t->typed > 0 && p < e && !is_type(trc_csv_table_field(t, p, e, t->typed - 1)));
}

bool
trc_csv_table_next(const struct trc_csv_table *t, const uint8_t **at, const uint8_t **p,
                   const uint8_t **e)
{
	const uint8_t *lf;

	do {
		lf = *at < t->end ? memchr(*at, '\n', (size_t)(t->end - *at)) : NULL;
		if (!lf)
			return false;
		*p = *at;
		*e = trc_csv_line_end(t->comment, *p, lf, t->by);
		*at = lf + 1;
	} while (is_skipped(t, *p, *e));
	return true;
}

int
trc_csv_table_decimals(const struct trc_csv_table *t, unsigned at)
{
	const uint8_t *row = t->rows, *p, *e;
	int most = 0;

	for (int i = 0; i < TRC_CSV_SEEN && trc_csv_table_next(t, &row, &p, &e); i++) {
		const struct trc_field f = trc_csv_table_field(t, p, e, at);
		unsigned tens = 0;
		uint64_t v;

		if (!f.p || f.len == 0)
			continue;
		switch (trc_csv_take_number(f, &(struct trc_csv_unit){ .time = true }, &v, &tens)) {
		case TRC_NUMBER_NONE: return -1;
		case TRC_NUMBER_BROKEN: most = (int)tens > most ? (int)tens : most; break;
		default: break;
		}
	}
	return most;
}

/* Notes the words in the field of types that are not types. */
static void
find_words(const struct trc_csv_table *t, unsigned at, struct trc_csv_fields *s)
{
	const uint8_t *row = t->rows, *p, *e;
	uint8_t type;

	for (int i = 0; i < TRC_CSV_SEEN && trc_csv_table_next(t, &row, &p, &e); i++) {
		const struct trc_field f = trc_csv_table_field(t, p, e, at);

		if (!f.p)
			continue;
		if (trc_csv_take_type(&s->codes, f, &type))
			s->known = true;
		else
			trc_csv_note_unknown(s, f);
	}
}

void
trc_csv_table_put_codes(const struct trc_csv_table *t, unsigned at, char *dst, size_t room)
{
	struct trc_csv_fields s = { .n = 0 };
	struct trc_csv_table all = *t;

	all.typed = 0;
	find_words(&all, at, &s);
	(void)trc_csv_complete_pair(&s);
	(void)trc_csv_put_codes(&s, dst, room);
}

bool
trc_csv_table_has_types(const struct trc_csv_table *t, unsigned at)
{
	struct trc_csv_fields s = { .n = 0 };

	find_words(t, at, &s);
	return s.unknowns == 0 || trc_csv_complete_pair(&s);
}

void
trc_csv_table_put_factor(const struct trc_csv_table *t, enum trc_column c, unsigned at, bool blocks,
                         char *dst, size_t room)
{
	const int digits = trc_csv_table_decimals(t, at);
	char text[16];

	if (blocks)
		trc_csv_put(dst, room, "*512", 4);
	if (c == TRC_COL_TIME && digits > 0) {
		snprintf(text, sizeof(text), "*1e%d", digits < 6 ? 6 : digits);
		trc_csv_put(dst, room, text, strlen(text));
	}
	if (c == TRC_COL_ADDR && digits < 0)
		trc_csv_put(dst, room, ",hash", 5);
	else if (TRC_CSV_HEX >> c & 1 && !blocks && trc_csv_table_look(t, at).rounded > 0)
		trc_csv_put(dst, room, "*1", 2);
}

/* Counts what the letters of a field are. */
static void
note_word(struct trc_csv_values *v, struct trc_field f)
{
	static const struct trc_codes none = { .n = 0 };
	uint8_t type;
	int begun;

	if (f.len > 0 && isalpha(*f.p) && trc_csv_take_outcome(f, &type))
		v->outcomes[(type & TRC_BRANCH_TAKEN) != 0]++;
	if (f.len == 1 && isalpha(*f.p))
		v->cases[isupper(*f.p) != 0] |= UINT32_C(1) << (*f.p & 31);
	if (trc_csv_take_type(&none, f, &type)) {
		v->types++;
		v->kinds |= UINT32_C(1) << (type & TRC_TYPE_MASK);
	} else if (is_word(f)) {
		begun = trc_csv_begins_as(f);
		*(begun >= 0 ? &v->begun : &v->words) += 1;
		v->kinds |= begun >= 0 ? UINT32_C(1) << begun : 0;
	}
}

/* Returns how many letters come before the digits of a field; 0: it is something else, or a
 * hexadecimal number. */
static size_t
prefix_of(struct trc_field f)
{
	size_t letters = 0, len;
	uint64_t v;

	while (letters < f.len && isalpha(f.p[letters]))
		letters++;
	for (len = letters; len < f.len && isdigit(f.p[len]);)
		len++;
	return len == f.len && len > letters && !trc_field_hex(f, UINT64_MAX, &v) ? letters : 0;
}

/* Returns true if field `at` has the prefix in all lines, before few different numbers: others are
 * keys. */
static bool
has_prefix(const struct trc_csv_table *t, unsigned at)
{
	const size_t len = strlen(t->prefix);
	const uint8_t *row = t->rows, *p, *e;
	struct trc_csv_values seen = { 0 };
	uint64_t v = 0;

	for (int i = 0; i < TRC_CSV_SEEN && trc_csv_table_next(t, &row, &p, &e); i++) {
		const struct trc_field f = trc_csv_table_field(t, p, e, at);

		if (p < e && (!f.p || prefix_of(f) != len || memcmp(f.p, t->prefix, len) != 0))
			return false;
		if (p < e &&
		    trc_field_dec((struct trc_field){ f.p + len, f.len - len }, UINT64_MAX, &v))
			trc_csv_note_value(&seen, v);
	}
	return len > 0 && seen.n <= TRC_CSV_FEW;
}

void
trc_csv_table_find_prefix(struct trc_csv_table *t, unsigned fields)
{
	const uint8_t *row = t->rows, *p, *e;

	if (!trc_csv_table_next(t, &row, &p, &e))
		return;
	for (unsigned k = 0; k < fields; k++) {
		const struct trc_field f = trc_csv_table_field(t, p, e, k);
		const size_t len = f.p ? prefix_of(f) : 0;

		snprintf(t->prefix, sizeof(t->prefix), "%.*s", (int)len,
		         f.p ? (const char *)f.p : "");
		if (len < sizeof(t->prefix) && has_prefix(t, k))
			return;
	}
	*t->prefix = 0;
}

/* Returns true if a field has as many binary digits in all lines, and some of these places have
 * both, as decimal and hexadecimal digits do by chance once in 15,000. */
static bool
is_binary(const struct trc_csv_table *t, unsigned at)
{
	const uint8_t *row = t->rows, *p, *e;
	struct trc_field last = { NULL, 0 };
	uint64_t changed = 0, v;
	unsigned places = 0;

	for (int i = 0; i < TRC_CSV_SEEN && trc_csv_table_next(t, &row, &p, &e); i++) {
		const struct trc_field f = trc_csv_table_field(t, p, e, at);

		if (p == e)
			continue;
		if (!f.p || f.len < BINARY_LEAST || (last.p && f.len != last.len) ||
		    !trc_csv_take_binary(f, &v))
			return false;
		for (size_t k = 0; last.p && k < f.len; k++)
			changed |= (uint64_t)(f.p[k] != last.p[k]) << k;
		last = f;
	}
	for (; changed; changed &= changed - 1)
		places++;
	return places >= BINARY_SURE;
}

/* Returns true for 12e4, a decimal number or a hexadecimal one. */
static bool
has_exponent(struct trc_field f)
{
	size_t e = 0, digits = 0;

	for (size_t i = 0; i < f.len; i++) {
		e += (f.p[i] | 0x20) == 'e';
		digits += isdigit(f.p[i]) != 0;
	}
	return e == 1 && digits + 1 == f.len && isdigit(f.p[0]) && isdigit(f.p[f.len - 1]);
}

/* Parses a number that is not in binary, and counts how it is written. */
static void
note_number(struct trc_csv_values *v, struct trc_field f, uint64_t *n)
{
	enum trc_number_kind kind;

	v->padded += f.len > 1 && f.p[0] == '0' && isdigit(f.p[1]);
	v->rounded += trc_csv_is_rounded(f);
	v->marked += trc_field_is_marked(f) && trc_field_hex(f, UINT64_MAX, n);
	v->bare += !trc_field_is_marked(f) && f.len > 1;
	if (trc_field_dec(f, UINT64_MAX, n))
		v->decimals++;
	else if (trc_field_hex(f, UINT64_MAX, n))
		*(has_exponent(f) ? &v->decimals : &v->hex) += 1;
	else if ((kind = trc_csv_take_number(f, NULL, n, NULL)) != TRC_NUMBER_NONE)
		*(kind == TRC_NUMBER_WHOLE ? &v->decimals : &v->broken) += 1;
	else if (trc_csv_take_number(f, &(struct trc_csv_unit){ .bytes = true }, n, NULL) ==
	         TRC_NUMBER_WHOLE)
		v->decimals += ++v->sized > 0;
	else
		v->dates += trc_csv_take_number(f, &(struct trc_csv_unit){ .time = true }, n,
		                                NULL) != TRC_NUMBER_NONE;
}

struct trc_csv_values
trc_csv_table_look(const struct trc_csv_table *t, unsigned at)
{
	const uint8_t *row = t->rows, *p, *e;
	struct trc_csv_values v = { .rises = true, .powers = true, .binary = is_binary(t, at) };
	const size_t prefix = strlen(t->prefix);

	for (int i = 0; i < TRC_CSV_SEEN && trc_csv_table_next(t, &row, &p, &e); i++) {
		struct trc_field f = trc_csv_table_field(t, p, e, at);
		uint64_t n = 0, rank;

		if (p == e)
			continue;
		v.lines++;
		if (!f.p || f.len == 0)
			continue;
		if (prefix > 0 && prefix_of(f) == prefix && memcmp(f.p, t->prefix, prefix) == 0) {
			f = (struct trc_field){ f.p + prefix, f.len - prefix };
			v.prefixed = true;
		}
		note_word(&v, f);
		if (v.binary)
			v.decimals += trc_csv_take_binary(f, &n);
		else
			note_number(&v, f, &n);
		/* Compare in millionths, because of decimals. */
		if (v.binary ||
		    trc_csv_take_number(f, &(struct trc_csv_unit){ MILLIONTHS, 1, true, false },
		                        &rank, NULL) != TRC_NUMBER_WHOLE)
			rank = n;
		trc_csv_note_value(&v, n);
		v.rises &= rank >= v.last;
		v.first = v.lines == 1 ? rank : v.first;
		v.last = rank;
		v.most = n > v.most ? n : v.most;
		v.bits |= n;
	}
	return v;
}

unsigned
trc_csv_table_fields(const struct trc_csv_table *t)
{
	const uint8_t *p = t->names;
	unsigned fields = 0;

	while (trc_csv_next(&p, t->names_end, t->by).p)
		fields++;
	return fields;
}

unsigned
trc_csv_table_look_all(struct trc_csv_table *t, unsigned fields,
                       struct trc_csv_values v[TRC_CSV_ASSIGNED])
{
	const uint32_t both = UINT32_C(1) << TRC_READ | UINT32_C(1) << TRC_WRITE;
	const uint8_t *row = t->rows, *p, *e;

	for (unsigned k = 0; k < fields; k++) {
		struct trc_csv_fields s = { .n = 0 };

		v[k] = trc_csv_table_look(t, k);
		if (t->typed || (v[k].kinds & both) != both || v[k].words == 0 ||
		    v[k].types + v[k].begun + v[k].words != v[k].lines)
			continue;
		find_words(t, k, &s);
		if (v[k].words > 2 * s.unknowns)
			t->typed = k + 1;
	}
	if (!t->typed || !trc_csv_table_next(t, &row, &p, &e))
		return fields;
	for (fields = 0; trc_csv_next(&p, e, t->by).p;)
		fields++;
	if (fields > TRC_CSV_ASSIGNED)
		return 0;
	for (unsigned k = 0; k < fields; k++)
		v[k] = trc_csv_table_look(t, k);
	return fields;
}

bool
trc_csv_table_is_even(const struct trc_csv_table *t, unsigned fields)
{
	const uint8_t *row = t->rows, *p, *e;

	for (int i = 0; i < TRC_CSV_SEEN && trc_csv_table_next(t, &row, &p, &e); i++)
		if (p < e && trc_csv_table_field(t, p, e, fields).p)
			return false;
	return true;
}

size_t
trc_csv_table_numbers(const struct trc_csv_table *t, int at, unsigned base,
                      uint64_t number[TRC_CSV_SEEN])
{
	const uint8_t *row = t->rows, *p, *e;
	size_t n = 0;

	while (at >= 0 && n < TRC_CSV_SEEN && trc_csv_table_next(t, &row, &p, &e)) {
		const struct trc_field f = p < e ? trc_csv_table_field(t, p, e, (unsigned)at) :
		                                   (struct trc_field){ NULL, 0 };

		if (f.p && (base == 2  ? trc_csv_take_binary(f, &number[n]) :
		            base == 16 ? trc_field_hex(f, UINT64_MAX, &number[n]) :
		                         trc_csv_take_number(f, NULL, &number[n], NULL) ==
		                                 TRC_NUMBER_WHOLE))
			n++;
	}
	return n;
}

/* Returns true if `is` holds for all values of a field, and there are some. */
static bool
all_are(const struct trc_csv_table *t, unsigned at, bool (*is)(struct trc_field f))
{
	const uint8_t *row = t->rows, *p, *e;
	size_t n = 0;

	for (; n < TRC_CSV_SEEN && trc_csv_table_next(t, &row, &p, &e); n += p < e)
		if (p < e && !is(trc_csv_table_field(t, p, e, at)))
			return false;
	return n > 0;
}

static bool
is_clock(struct trc_field f)
{
	return f.len >= 8 && f.p[2] == ':';
}

static bool
is_day(struct trc_field f)
{
	const struct trc_csv_unit date = { .time = true };
	uint64_t v;

	return (f.len == 10 || f.len == 11) && (f.p[4] == '-' || f.p[2] == '/') &&
	       trc_csv_take_number(f, &date, &v, NULL) == TRC_NUMBER_WHOLE;
}

int
trc_csv_table_day_of(const struct trc_csv_table *t, unsigned at)
{
	const unsigned fields = trc_csv_table_fields(t);

	if (!all_are(t, at, is_clock))
		return -1;
	for (unsigned k = 0; k < fields; k++)
		if (all_are(t, k, is_day))
			return (int)k;
	return -1;
}

static bool
is_flag(struct trc_field f)
{
	return (f.len == 4 && strncasecmp((const char *)f.p, "true", 4) == 0) ||
	       (f.len == 5 && strncasecmp((const char *)f.p, "false", 5) == 0);
}

bool
trc_csv_table_has_flags(const struct trc_csv_table *t, unsigned at)
{
	return all_are(t, at, is_flag);
}

const char *
trc_csv_table_ends(const struct trc_csv_table *t, int addr, int end, unsigned base, size_t least)
{
	uint64_t first[TRC_CSV_SEEN], last[TRC_CSV_SEEN];
	const size_t n = trc_csv_table_numbers(t, addr, base, first);
	bool past = true, within = true;

	if (n < least || trc_csv_table_numbers(t, end, base, last) != n)
		return NULL;
	for (size_t i = 0; i < n; i++) {
		past &= last[i] > first[i] && (last[i] - first[i]) % 4 == 0;
		within &= last[i] > first[i] && (last[i] - first[i]) % 4 == 3;
	}
	return past ? "end" : within ? "last" : NULL;
}

void
trc_csv_table_leave_out(struct trc_reading *r, struct trc_field name, unsigned at,
                        const struct trc_csv_values *v)
{
	const size_t len = strlen(r->what), room = sizeof(r->what) - 4;
	const char *before = strstr(r->what, "; left out: ") ? ", " : "; left out: ";
	char text[64];

	if (name.len)
		snprintf(text, sizeof(text), "%.*s", (int)name.len, (const char *)name.p);
	else
		snprintf(text, sizeof(text), "field %u", at + 1);
	if (v && trc_csv_is_constant(v))
		snprintf(text + strlen(text), sizeof(text) - strlen(text), " (%llu in all lines)",
		         (unsigned long long)v->most);
	if (len + strlen(before) + strlen(text) < room)
		snprintf(r->what + len, sizeof(r->what) - len, "%s%s", before, text);
	else if (strcmp(r->what + len - 3, "...") != 0)
		snprintf(r->what + len, sizeof(r->what) - len, "...");
}
