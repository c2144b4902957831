/* SPDX-License-Identifier: MIT */
#include "format/text/csv_names.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Behind the quoted text that begins at `p`; `e` if it does not end. */
static const uint8_t *
pass_quoted(const uint8_t *p, const uint8_t *e)
{
	while (++p < e)
		if (*p == '"' && (++p == e || *p != '"'))
			return p;
	return e;
}

const uint8_t *
trc_csv_end(const uint8_t *p, const uint8_t *e)
{
	while (e > p && (e[-1] == '\r' || e[-1] == ' ' || e[-1] == '\t'))
		e--;
	return e;
}

struct trc_field
trc_csv_next(const uint8_t **s, const uint8_t *e)
{
	struct trc_field f = { NULL, 0 };
	const uint8_t *p = *s;

	if (p > e)
		return f;
	while (p < e && (*p == ' ' || *p == '\t'))
		p++;
	f.p = p;
	if (p < e && *p == '"')
		p = pass_quoted(p, e);
	while (p < e && *p != ',')
		p++;
	f.len = (size_t)(trc_csv_end(f.p, p) - f.p);
	*s = p + 1;
	return f;
}

struct trc_field
trc_csv_unquote(struct trc_field f)
{
	if (f.len > 1 && f.p[0] == '"' && f.p[f.len - 1] == '"')
		return (struct trc_field){ f.p + 1, f.len - 2 };
	return f;
}

/* The column whose name is the next field of the line; 0 if that is none. */
static uint32_t
next_name(const uint8_t **p, const uint8_t *e, struct trc_field *name)
{
	*name = trc_csv_next(p, e);
	if (name->p)
		*name = trc_csv_unquote(*name);
	return name->len ? trc_column_bit((const char *)name->p, name->len) : 0;
}

bool
trc_csv_odd_name(const uint8_t *p, const uint8_t *e, char *dst, size_t room)
{
	struct trc_field name, odd = { NULL, 0 };
	uint32_t have = 0;
	bool twice = false;

	while (p <= e) {
		const uint32_t bit = next_name(&p, e, &name);

		if (!odd.p && (!bit || have & bit)) {
			odd = name;
			twice = bit;
		}
		have |= bit;
	}
	if (!have || !odd.p)
		return false;
	snprintf(dst, room,
	         twice ? "'%.*s' is named twice" :
	                 "'%.*s' is no column ('trc help formats' has the list)",
	         (int)(odd.len < 64 ? odd.len : 64), (const char *)odd.p);
	return true;
}

int
trc_csv_check(const void *settings, struct trc_err *err)
{
	const struct trc_csv_from *from = settings;
	int last = -1;

	for (int c = 0; c < TRC_COLUMNS; c++) {
		if (from->at[c] == 0)
			continue;
		last = c;
		if (from->at[c] > TRC_CSV_FIELDS_MOST)
			return trc_fail_as(err, TRC_USAGE, "csv: %s: must be at most %d",
			                   trc_column[c].name, TRC_CSV_FIELDS_MOST);
		for (int k = 0; k < c; k++)
			if (from->at[k] == from->at[c])
				return trc_fail_as(err, TRC_USAGE,
				                   "csv: %s and %s cannot both be field %llu",
				                   trc_column[k].name, trc_column[c].name,
				                   (unsigned long long)from->at[c]);
	}
	return from->header && last < 0 ?
	               trc_fail_as(err, TRC_USAGE,
	                           "csv: header: say which field is what, too, as "
	                           "in csv:header,addr=1") :
	               0;
}

/* By the numbers of fields that were given, which were checked. */
static void
map_given(struct trc_csv_fields *s, const struct trc_csv_from *from, uint32_t *have)
{
	*have = 0;
	s->skip = from->header;
	for (int c = 0; c < TRC_COLUMNS; c++) {
		const uint64_t at = from->at[c];

		if (at == 0)
			continue;
		s->field[at - 1] = (uint8_t)(1 + c);
		s->n = s->n > at ? s->n : (uint8_t)at;
		*have |= UINT32_C(1) << c;
	}
}

bool
trc_csv_map(struct trc_csv_fields *s, const struct trc_csv_from *from, const uint8_t *p,
            const uint8_t *e, uint32_t *have)
{
	struct trc_field name;

	map_given(s, from, have);
	if (*have)
		return true;
	s->skip = s->named = true;
	while (p <= e) {
		const uint32_t bit = next_name(&p, e, &name);

		if (!bit || *have & bit || s->n == TRC_CSV_FIELDS_MOST)
			return false;
		*have |= bit;
		s->field[s->n++] = (uint8_t)(1 + trc_ctz64(bit));
	}
	return true;
}

bool
trc_csv_take_type(struct trc_field f, uint8_t *type)
{
	static const char letter[] = "rwi";
	const size_t len = strlen(TRC_CSV_KERNEL);
	const char *at;

	*type = 0;
	if (f.len > len && strncasecmp((const char *)f.p, TRC_CSV_KERNEL, len) == 0) {
		*type = TRC_KERNEL;
		f.p += len;
		f.len -= len;
	}
	if (f.len == 1 && (at = strchr(letter, tolower(f.p[0]))) && *at) {
		*type |= (uint8_t)(at - letter);
		return true;
	}
	for (unsigned i = 0; i < TRC_TYPES; i++)
		if (strlen(trc_type_name[i]) == f.len &&
		    strncasecmp((const char *)f.p, trc_type_name[i], f.len) == 0) {
			*type |= (uint8_t)i;
			return true;
		}
	return false;
}

/* Puts into `dst` what is wrong with a field as a value of column `c`; "" if nothing. */
static void
explain_field(struct trc_field f, enum trc_column c, char *dst, size_t room)
{
	const int len = (int)(f.len < 64 ? f.len : 64);
	uint64_t v;
	uint8_t type;
	size_t n;

	*dst = 0;
	if (c == TRC_COL_EVENT)
		return;
	if (c != TRC_COL_TYPE) {
		if (!trc_field_dec(f, UINT64_MAX, &v))
			n = (size_t)snprintf(dst, room, "'%.*s' is no number, as %s is", len,
			                     (const char *)f.p, trc_column[c].name);
		else if (v > UINT64_MAX >> (64 - 8 * trc_column[c].width))
			n = (size_t)snprintf(dst, room, "%.*s is too large for %s", len,
			                     (const char *)f.p, trc_column[c].name);
		else
			return;
	} else if (!trc_csv_take_type(f, &type)) {
		n = (size_t)snprintf(dst, room, "'%.*s' is no type; these are", len,
		                     (const char *)f.p);
		for (unsigned i = 0; i < TRC_TYPES && n < room; i++)
			n += (size_t)snprintf(dst + n, room - n, "%s %s", i ? "," : "",
			                      trc_type_name[i]);
	} else {
		return;
	}
	if (n < room && trc_column_bit((const char *)f.p, f.len))
		snprintf(dst + n, room - n, "; csv:header,... passes over names");
}

void
trc_csv_explain(const void *state, const uint8_t *p, const uint8_t *e, char *dst, size_t room)
{
	const struct trc_csv_fields *s = state;

	*dst = 0;
	e = trc_csv_end(p, e);
	if (s->skip || s->n == 0) {
		trc_csv_odd_name(p, e, dst, room);
		return;
	}
	for (unsigned i = 0; i < s->n && !*dst; i++) {
		const struct trc_field f = trc_csv_next(&p, e);

		if (!f.p)
			snprintf(dst, room, "it has %u of %u fields", i, s->n);
		else if (s->field[i])
			explain_field(trc_csv_unquote(f), (enum trc_column)(s->field[i] - 1), dst,
			              room);
	}
	if (!*dst && s->named && p < e)
		snprintf(dst, room, "it has more than the %u fields that have names", s->n);
}

bool
trc_csv_suggest(const uint8_t *p, size_t n, char *dst, size_t room)
{
	const uint8_t *const end = p + n, *e, *name;
	unsigned commas = 0;

	p = name = trc_lines_pass_mark(p, end);
	e = memchr(p, '\n', (size_t)(end - p));
	/* Where commas are for decimals, tables have semicolons. */
	while (e && name < e && isalpha(*name))
		name++;
	if (e && (*name == ';' || *name == '\t') &&
	    trc_column_bit((const char *)p, (size_t)(name - p))) {
		snprintf(dst, room, "looks like a table with %s between its values; csv has commas",
		         *name == ';' ? "semicolons" : "tabs");
		return true;
	}
	if (e && trc_csv_odd_name(p, e, dst, room)) {
		const size_t len = strlen(dst);

		snprintf(dst + len, room - len,
		         "; --from csv:header,addr=N and the like says which field is what");
		return true;
	}
	for (; e && p < e; p++) {
		if (!isprint(*p) && *p != '\r' && *p != '\t')
			return false;
		commas += *p == ',';
	}
	if (commas == 0)
		return false;
	snprintf(dst, room,
	         "looks like comma-separated values; say which field is what with "
	         "--from csv:addr=N and the like, and `header` if its first line is "
	         "names");
	return true;
}
