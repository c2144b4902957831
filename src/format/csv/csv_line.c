/* SPDX-License-Identifier: MIT
 *
 * Splits lines of tables into fields.
 */
#include "format/csv/csv_names.h"

#include <string.h>

/* Returns the end of the quoted text that begins at `p`; `e` if it is not closed. */
static const uint8_t *
pass_quoted(const uint8_t *p, const uint8_t *e)
{
	while (++p < e)
		if (*p == '"' && (++p == e || *p != '"'))
			return p;
	return e;
}

bool
trc_csv_is_blank(uint8_t c, uint8_t by)
{
	return c == ' ' || (c == '\t' && by != '\t');
}

static bool
is_between(uint8_t c, uint8_t by)
{
	return by == TRC_CSV_ANY && c && strchr(TRC_CSV_ALL, c);
}

const uint8_t *
trc_csv_end(const uint8_t *p, const uint8_t *e, uint8_t by)
{
	while (e > p && (e[-1] == '\r' || trc_csv_is_blank(e[-1], by) || is_between(e[-1], by)))
		e--;
	return e;
}

/* Takes the next field if any separator is allowed. */
static struct trc_field
next_of_any(const uint8_t **s, const uint8_t *e)
{
	const uint8_t *p = *s, *start;

	while (p < e && is_between(*p, TRC_CSV_ANY))
		p++;
	start = p;
	if (p < e && *p == '"')
		p = pass_quoted(p, e);
	while (p < e && !is_between(*p, TRC_CSV_ANY))
		p++;
	*s = p + 1;
	while (*s < e && is_between(**s, TRC_CSV_ANY))
		(*s)++;
	return (struct trc_field){ start, (size_t)(p - start) };
}

struct trc_field
trc_csv_next(const uint8_t **s, const uint8_t *e, uint8_t by)
{
	struct trc_field f = { NULL, 0 };
	const uint8_t *p = *s;

	if (p > e)
		return f;
	if (by == TRC_CSV_ANY)
		return next_of_any(s, e);
	while (p < e && trc_csv_is_blank(*p, by))
		p++;
	f.p = p;
	if (p < e && *p == '"')
		p = pass_quoted(p, e);
	while (p < e && *p != by && (by != ' ' || *p != '\t'))
		p++;
	f.len = (size_t)(trc_csv_end(f.p, p, by) - f.p);
	while (by == ' ' && p + 1 < e && trc_csv_is_blank(p[1], by))
		p++;
	*s = p + 1;
	return f;
}

bool
trc_csv_is_comment(const char *comment, const uint8_t *p, const uint8_t *e)
{
	const uint8_t *at = p;
	bool same = *comment;

	for (; *comment; comment++) {
		if (*comment != ':') {
			same = same && at < e && *at++ == (uint8_t)*comment;
			continue;
		}
		if (same)
			return true;
		same = true;
		at = p;
	}
	return same;
}

const uint8_t *
trc_csv_line_end(const char *comment, const uint8_t *p, const uint8_t *e, uint8_t by)
{
	const uint8_t *at = e;

	if (*comment)
		for (at = p; at < e; at++)
			if ((*at == ' ' || *at == '\t') && trc_csv_is_comment(comment, at + 1, e))
				break;
	return trc_csv_end(p, at, by);
}

const char *
trc_csv_unshown(const uint8_t *p, const uint8_t *e)
{
	if (p < e && memchr(p, 0, (size_t)(e - p)))
		return "a NUL byte";
	while (p < e && (p = memchr(p, 0xc2, (size_t)(e - p))) && p + 1 < e && p[1] != 0xa0)
		p++;
	return p && p + 1 < e ? "a no-break space" : NULL;
}

struct trc_field
trc_csv_unquote(struct trc_field f)
{
	if (f.len > 1 && f.p[0] == '"' && f.p[f.len - 1] == '"')
		return (struct trc_field){ f.p + 1, f.len - 2 };
	return f;
}

/* Where commas are used for decimals, fields are separated by semicolons. */
uint8_t
trc_csv_separator(const uint8_t *p, const uint8_t *e)
{
	bool semicolon = false, tab = false;

	for (; p < e; p++) {
		if (*p == '"')
			p = pass_quoted(p, e) - 1;
		else if (*p == ',')
			return ',';
		semicolon |= *p == ';';
		tab |= *p == '\t';
	}
	return semicolon ? ';' : tab ? '\t' : ',';
}
