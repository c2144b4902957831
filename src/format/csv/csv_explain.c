/* SPDX-License-Identifier: MIT
 *
 * Explains why a line cannot be read.
 */
#include "format/csv/csv_row.h"

#include <stdio.h>
#include <string.h>

void
trc_csv_note_unknown(struct trc_csv_fields *s, struct trc_field f)
{
	struct trc_type_code code = { "", 0 };

	if (s->unknowns == TRC_CSV_UNKNOWN_MOST || f.len == 0 || f.len > TRC_CODE_LETTERS)
		return;
	memcpy(code.text, f.p, f.len);
	for (size_t i = 0; i < s->unknowns; i++)
		if (memcmp(s->unknown[i].text, code.text, sizeof(code.text)) == 0)
			return;
	s->unknown[s->unknowns++] = code;
}

/* Returns true if a size has a unit, or a time is a date. */
static bool
has_unit(struct trc_field f, enum trc_column c)
{
	const struct trc_csv_unit unit = { .time = c == TRC_COL_TIME, .bytes = c == TRC_COL_SIZE };
	uint64_t v;

	return (unit.time || unit.bytes) &&
	       trc_csv_take_number(f, &unit, &v, NULL) != TRC_NUMBER_NONE;
}

/* Returns how a text can be a number nevertheless; "" if it cannot. */
static const char *
advice(struct trc_field f, enum trc_column c)
{
	return trc_field_is(f, "-")                      ? "; FIELD? takes a dash as 0" :
	       c == TRC_COL_TTL && trc_field_is(f, "-1") ? "; ttl=FIELD? takes -1 as none" :
	       trc_csv_is_rounded(f) ? ", as its last digits are lost; FIELD*1 takes zeros" :
	       has_unit(f, c)        ? "; --from csv:size=FIELD takes units, time=FIELD dates" :
	                               "";
}

/* Explains what is wrong with field `j` as a number; returns 0 if nothing. */
static size_t
explain_number(const struct trc_csv_fields *s, struct trc_field f, size_t j, char *dst, size_t room)
{
	const enum trc_column c = (enum trc_column)(s->field[j] - 1);
	const struct trc_csv_unit *unit = &s->unit[j];
	const int len = (int)(f.len < 64 ? f.len : 64);
	char times[32] = "";
	unsigned tens = 0;
	uint64_t v;

	if (s->hashed >> j & 1 && f.len > 0 && memchr(f.p, 0, f.len))
		return (size_t)snprintf(dst, room, "its field %zu has a NUL byte", j + 1);
	if (s->hashed >> j & 1 || trc_csv_is_none(s, j, f))
		return 0;
	if (unit->factor > 1)
		snprintf(times, sizeof(times), " times %llu", (unsigned long long)unit->factor);
	switch (trc_csv_number(s, j, f, &v)) {
	case TRC_NUMBER_NONE:
		return (size_t)snprintf(dst, room, "'%.*s' is not a number, which %s needs%s", len,
		                        (const char *)f.p, trc_column[c].name, advice(f, c));
	case TRC_NUMBER_BROKEN:
		if (unit->bytes && trc_csv_take_number(f, NULL, &v, NULL) == TRC_NUMBER_NONE)
			return (size_t)snprintf(dst, room, "%.*s is not a whole number of bytes",
			                        len, (const char *)f.p);
		(void)trc_csv_take_number(f, &(struct trc_csv_unit){ .time = unit->time }, &v,
		                          &tens);
		return (size_t)snprintf(
		        dst, room,
		        "%.*s%s is not a whole number, which %s needs; use %s=FIELD*1e%u", len,
		        (const char *)f.p, times, trc_column[c].name, trc_column[c].name, tens);
	case TRC_NUMBER_WHOLE:
		if (v <= UINT64_MAX >> (64 - 8 * trc_column[c].width) ||
		    (s->ends && c == TRC_COL_SIZE))
			return 0;
		break;
	default: break;
	}
	return (size_t)snprintf(dst, room, "%.*s%s is too large for %s", len, (const char *)f.p,
	                        times, trc_column[c].name);
}

/* Explains what is wrong with a type, and how codes become types. */
static size_t
explain_type(const struct trc_csv_fields *s, struct trc_field f, char *dst, size_t room)
{
	uint8_t type;
	size_t n;

	if (trc_csv_take_type(&s->codes, f, &type))
		return 0;
	n = (size_t)snprintf(dst, room, "'%.*s' is not a type; types are",
	                     (int)(f.len < 64 ? f.len : 64), (const char *)f.p);
	for (unsigned i = 0; i < (s->codes.only ? s->codes.n : TRC_TYPES) && n < room; i++)
		n += (size_t)snprintf(dst + n, room - n, "%s %s", i ? "," : "",
		                      s->codes.only ? s->codes.code[i].text : trc_type_name[i]);
	return n;
}

/* Writes what is wrong with field `j` as a value of its column to `dst`; "" if nothing. */
static void
explain_field(const struct trc_csv_fields *s, struct trc_field f, size_t j, char *dst, size_t room)
{
	const enum trc_column c = (enum trc_column)(s->field[j] - 1);
	uint8_t branch;
	size_t n = 0;

	*dst = 0;
	if (c == TRC_COL_BRANCH && s->outcomes && !trc_csv_take_outcome(f, &branch))
		n = (size_t)snprintf(dst, room,
		                     "'%.*s' is not an outcome; these are T and N, 1 and 0, taken "
		                     "and not-taken, true and false, yes and no",
		                     (int)(f.len < 64 ? f.len : 64), (const char *)f.p);
	else if (c == TRC_COL_BRANCH && s->outcomes)
		return;
	else if (c == TRC_COL_TYPE)
		n = explain_type(s, f, dst, room);
	else if (c != TRC_COL_EVENT)
		n = explain_number(s, f, j, dst, room);
	if (n > 0 && n < room && trc_column_bit((const char *)f.p, f.len))
		snprintf(dst + n, room - n, "; csv:header,... skips names");
}

void
trc_csv_explain(const void *state, const uint8_t *p, const uint8_t *e, char *dst, size_t room)
{
	const struct trc_csv_fields *s = state;
	const uint8_t *const start = p;
	const char *unshown;
	uint64_t rows;

	*dst = 0;
	e = trc_csv_line_end(s->comment, p, e, s->by);
	if (*s->missing || s->twice || s->early) {
		snprintf(dst, room,
		         s->early ? "the end of a request must come after its address" :
		         s->again ? "it has two fields '%s'; give the number of one, and header" :
		         s->twice ? "--from csv: has two columns for one of its fields" :
		                    "it has no field '%s'",
		         s->missing);
		return;
	}
	if (s->skip || s->n == 0) {
		trc_csv_odd_name(p, e, dst, room);
		return;
	}
	if (s->padded)
		snprintf(
		        dst, room,
		        "numbers that begin with 0 may be decimal or hexadecimal: --from "
		        "csv:addr=addr, with all columns, reads the former, and with hex the latter");
	for (unsigned i = 0; i < s->n && !*dst; i++) {
		const struct trc_field f = trc_csv_next(&p, e, s->by);

		if (!f.p && s->optional >> i & 1)
			continue;
		if (!f.p)
			snprintf(dst, room, "it has %u of %u fields", i, s->n);
		else if (s->field[i])
			explain_field(s, trc_csv_unquote(f), i, dst, room);
	}
	if (!*dst && s->repeat && !trc_csv_repeat(s, start, e, &rows))
		snprintf(dst, room, "its field %u is not a number of rows up to %u", s->repeat,
		         TRC_CSV_REPEAT_MOST);
	if (!*dst && s->named && p < e)
		snprintf(dst, room, "it has more than the %u named fields", s->n);
	if (!*dst && (unshown = trc_csv_unshown(start, e)))
		snprintf(dst, room, "it has %s, and would be skipped", unshown);
	for (unsigned i = 0; i < s->n && !*dst; i++)
		if (s->field[i] == 1 + TRC_COL_EVENT)
			snprintf(dst, room,
			         "its field %u has the text of an event; is its type event?",
			         i + 1);
	if (!*dst && s->ends)
		snprintf(dst, room, "its end is not 1 byte to 4 GiB after its address");
}
