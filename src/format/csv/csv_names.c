/* SPDX-License-Identifier: MIT */
#include "format/csv/csv_names.h"

#include <assert.h>
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

static bool
is_blank(uint8_t c, uint8_t by)
{
	return c == ' ' || (c == '\t' && by != '\t');
}

const uint8_t *
trc_csv_end(const uint8_t *p, const uint8_t *e, uint8_t by)
{
	while (e > p && (e[-1] == '\r' || is_blank(e[-1], by)))
		e--;
	return e;
}

struct trc_field
trc_csv_next(const uint8_t **s, const uint8_t *e, uint8_t by)
{
	struct trc_field f = { NULL, 0 };
	const uint8_t *p = *s;

	if (p > e)
		return f;
	while (p < e && is_blank(*p, by))
		p++;
	f.p = p;
	if (p < e && *p == '"')
		p = pass_quoted(p, e);
	while (p < e && *p != by && (by != ' ' || *p != '\t'))
		p++;
	f.len = (size_t)(trc_csv_end(f.p, p, by) - f.p);
	while (by == ' ' && p + 1 < e && is_blank(p[1], by))
		p++;
	*s = p + 1;
	return f;
}

bool
trc_csv_is_comment(const struct trc_csv_fields *s, const uint8_t *p, const uint8_t *e)
{
	const size_t len = strlen(s->comment);

	while (p < e && is_blank(*p, s->by))
		p++;
	return p == e || (len > 0 && (size_t)(e - p) >= len && memcmp(p, s->comment, len) == 0);
}

bool
trc_csv_repeat(const struct trc_csv_fields *s, const uint8_t *p, const uint8_t *e, uint64_t *rows)
{
	struct trc_field f = { NULL, 0 };

	e = trc_csv_end(p, e, s->by);
	for (unsigned i = 0; i < s->repeat; i++)
		f = trc_csv_next(&p, e, s->by);
	return f.p && trc_csv_take_number(trc_csv_unquote(f), 1, rows, NULL) == TRC_NUMBER_WHOLE &&
	       *rows <= TRC_CSV_REPEAT_MOST;
}

enum trc_number_kind
trc_csv_number(const struct trc_csv_fields *s, size_t j, struct trc_field f, uint64_t *v)
{
	const uint64_t factor = s->factor[j] ? s->factor[j] : 1;

	if (!s->hex || !(TRC_CSV_HEX >> (s->field[j] - 1) & 1))
		return trc_csv_take_number(f, factor, v, NULL);
	if (!trc_field_hex(f, UINT64_MAX, v))
		return TRC_NUMBER_NONE;
	if (*v > UINT64_MAX / factor)
		return TRC_NUMBER_LARGE;
	*v *= factor;
	return TRC_NUMBER_WHOLE;
}

struct trc_field
trc_csv_unquote(struct trc_field f)
{
	if (f.len > 1 && f.p[0] == '"' && f.p[f.len - 1] == '"')
		return (struct trc_field){ f.p + 1, f.len - 2 };
	return f;
}

/* Where commas are for decimals, it is semicolons. */
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

/* The column whose name is the next field of the line; 0 if that is none. */
static uint32_t
next_name(const uint8_t **p, const uint8_t *e, uint8_t by, struct trc_field *name)
{
	*name = trc_csv_next(p, e, by);
	if (name->p)
		*name = trc_csv_unquote(*name);
	return name->len ? trc_column_bit((const char *)name->p, name->len) : 0;
}

bool
trc_csv_odd_name(const uint8_t *p, const uint8_t *e, char *dst, size_t room)
{
	struct trc_field name, odd = { NULL, 0 };
	const uint8_t by = trc_csv_separator(p, e);
	uint32_t have = 0;
	bool twice = false;

	while (p <= e) {
		const uint32_t bit = next_name(&p, e, by, &name);

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

static bool
is_same_field(const struct trc_opt_field *a, const struct trc_opt_field *b)
{
	return a->n == b->n && !a->name == !b->name &&
	       (!a->name || memcmp(a->name, b->name, (size_t)a->n) == 0);
}

static int
refuse_same(const struct trc_opt_field *f, int a, int b, struct trc_err *err)
{
	if (f->name)
		return trc_fail_as(err, TRC_USAGE, "csv: %s and %s cannot both be field '%.*s'",
		                   trc_column[a].name, trc_column[b].name, (int)f->n, f->name);
	return trc_fail_as(err, TRC_USAGE, "csv: %s and %s cannot both be field %llu",
	                   trc_column[a].name, trc_column[b].name, (unsigned long long)f->n);
}

/* All codes; fails as wrong usage if one is given twice or is too long. */
static int
take_codes(struct trc_csv_codes *codes, const struct trc_csv_from *from, struct trc_err *err)
{
	static const struct {
		const char *name;
		uint8_t type;
	} coded[] = {
#define CODED(at, name, type) [at] = { #name, type },
		TRC_CSV_TYPES(CODED)
#undef CODED
		        [TRC_CSV_IGNORE] = { "ignore", TRC_CSV_IGNORED },
	};
	struct trc_field wrong;

	static_assert(TRC_COUNT(coded) == TRC_CSV_CODED, "a row for each");
	*codes = (struct trc_csv_codes){ .n = 0 };
	for (size_t i = 0; i < TRC_CSV_CODED; i++) {
		const struct trc_opt_field *f = &from->codes[i];

		if (f->n && !trc_csv_add_codes(codes, f->name, (size_t)f->n, coded[i].type, &wrong))
			return trc_fail_as(err, TRC_USAGE,
			                   "csv: %s: '%.*s' is empty, longer than %d letters, "
			                   "given twice or more than %d codes",
			                   coded[i].name, (int)wrong.len, (const char *)wrong.p,
			                   TRC_CSV_CODE_LETTERS, TRC_CSV_CODES_MOST);
	}
	return 0;
}

/* A field of column `c`, one of several if `sum`. */
static int
check_field(int c, const struct trc_opt_field *given, bool sum, struct trc_opt_field *field,
            struct trc_err *err)
{
	struct trc_csv_term term;

	if (!trc_csv_take_term(given, c, &term))
		return trc_fail_as(err, TRC_USAGE,
		                   "csv: %s: '%.*s' has no factor like 512 or 1e6 behind its "
		                   "asterisk, or no field before",
		                   trc_column[c].name, (int)given->n, given->name);
	if ((term.factor || sum) && (c == TRC_COL_TYPE || c == TRC_COL_EVENT))
		return trc_fail_as(err, TRC_USAGE, "csv: %s: words have no %s", trc_column[c].name,
		                   sum ? "sum" : "factor");
	if (!term.field.name && term.field.n > TRC_CSV_FIELDS_MOST)
		return trc_fail_as(err, TRC_USAGE, "csv: %s: must be at most %d",
		                   trc_column[c].name, TRC_CSV_FIELDS_MOST);
	*field = term.field;
	return 0;
}

/* All fields that are given, each for one column; *n becomes their number. */
static int
check_fields(const struct trc_csv_from *from, size_t *n, struct trc_err *err)
{
	struct {
		struct trc_opt_field at;
		int column;
	} field[TRC_CSV_FIELDS_MOST];

	*n = 0;
	for (int c = 0; c < TRC_COLUMNS; c++) {
		struct trc_opt_field left = from->at[c], given;
		bool sum = false;

		for (; trc_csv_next_term(&left, &given); sum = true) {
			if (*n == TRC_CSV_FIELDS_MOST)
				return trc_fail_as(err, TRC_USAGE, "csv: more than %d fields",
				                   TRC_CSV_FIELDS_MOST);
			if (check_field(c, &given, sum || left.n, &field[*n].at, err))
				return -1;
			for (size_t k = 0; k < *n; k++)
				if (is_same_field(&field[k].at, &field[*n].at))
					return refuse_same(&field[k].at, field[k].column, c, err);
			field[(*n)++].column = c;
		}
	}
	return 0;
}

int
trc_csv_check(const void *settings, struct trc_err *err)
{
	const struct trc_csv_from *from = settings;
	struct trc_csv_codes codes;
	size_t given;

	if (check_fields(from, &given, err) || take_codes(&codes, from, err))
		return -1;
	if (from->comment.n >= sizeof(((struct trc_csv_fields *)0)->comment))
		return trc_fail_as(err, TRC_USAGE, "csv: comment: '%.*s' is too long",
		                   (int)from->comment.n, from->comment.name);
	if (from->hash && given > 0 && from->at[TRC_COL_ADDR].n == 0)
		return trc_fail_as(err, TRC_USAGE,
		                   "csv: hash: say which field is hashed, too, as in "
		                   "csv:hash,addr=key");
	if (from->repeat.n && (given == 0 || from->at[TRC_COL_EVENT].n))
		return trc_fail_as(err, TRC_USAGE,
		                   "csv: repeat: say which field is what, too, as in "
		                   "csv:repeat=count,addr=key; events are not repeated");
	if (from->repeat.n > TRC_CSV_FIELDS_MOST && !from->repeat.name)
		return trc_fail_as(err, TRC_USAGE, "csv: repeat: must be at most %d",
		                   TRC_CSV_FIELDS_MOST);
	return from->header && given == 0 ?
	               trc_fail_as(err, TRC_USAGE,
	                           "csv: header: say which field is what, too, as "
	                           "in csv:header,addr=1") :
	               0;
}

/* The number, from 1, of the field that the first line [p, e) has under that name; 0: none. */
static uint64_t
find_field(const struct trc_opt_field *f, const uint8_t *p, const uint8_t *e, uint8_t by)
{
	for (uint64_t i = 1; p <= e && i <= TRC_CSV_FIELDS_MOST; i++) {
		const struct trc_field name = trc_csv_unquote(trc_csv_next(&p, e, by));

		if (name.len == f->n && memcmp(name.p, f->name, name.len) == 0)
			return i;
	}
	return 0;
}

/* The number of a field that was given; 0 if the first line has no such name, which is noted. */
static uint64_t
locate(struct trc_csv_fields *s, const struct trc_opt_field *f, const uint8_t *p, const uint8_t *e)
{
	uint64_t at;

	if (!f->name)
		return f->n;
	at = find_field(f, p, e, s->by);
	s->skip = true;
	if (at == 0)
		snprintf(s->missing, sizeof(s->missing), "%.*s", (int)f->n, f->name);
	return at;
}

/* Puts a field of column `c` where it stands in the lines, *number; [p, e) is the first of them. */
static bool
map_field(struct trc_csv_fields *s, int c, const struct trc_opt_field *given, const uint8_t *p,
          const uint8_t *e, uint64_t *number)
{
	struct trc_csv_term term;
	uint64_t at;

	if (!trc_csv_take_term(given, c, &term))
		return false;
	at = locate(s, &term.field, p, e);
	s->twice = at > 0 && s->field[at - 1];
	if (s->twice || *s->missing)
		return false;
	*number = at;
	s->field[at - 1] = (uint8_t)(1 + c);
	s->factor[at - 1] = term.factor;
	s->n = s->n > at ? s->n : (uint8_t)at;
	return true;
}

/* By the numbers and names of fields that were given, which were checked. */
static bool
map_given(struct trc_csv_fields *s, const struct trc_csv_from *from, const uint8_t *p,
          const uint8_t *e, uint32_t *have)
{
	struct trc_err none;

	*have = 0;
	s->skip = from->header;
	s->hex = from->hex;
	snprintf(s->comment, sizeof(s->comment), "%.*s", (int)from->comment.n, from->comment.name);
	if (take_codes(&s->codes, from, &none))
		return false;
	s->repeat = from->repeat.n ? (uint8_t)locate(s, &from->repeat, p, e) : 0;
	if (from->repeat.n && !s->repeat)
		return false;
	for (int c = 0; c < TRC_COLUMNS; c++) {
		struct trc_opt_field left = from->at[c], given;
		uint64_t at;

		while (trc_csv_next_term(&left, &given)) {
			if (!map_field(s, c, &given, p, e, &at))
				return false;
			if (*have >> c & 1)
				s->sums |= UINT32_C(1) << c;
			else if (c == TRC_COL_ADDR && from->hash)
				s->hashed = UINT64_C(1) << (at - 1);
			*have |= UINT32_C(1) << c;
		}
	}
	return true;
}

bool
trc_csv_map(struct trc_csv_fields *s, const struct trc_csv_from *from, const uint8_t *p,
            const uint8_t *e, uint32_t *have)
{
	static const uint8_t separators[] = { ',', ';', '\t', ' ', ':', '|' };
	struct trc_field name;

	s->by = from->separator ? separators[from->separator - 1] : trc_csv_separator(p, e);
	e = trc_csv_end(p, e, s->by);
	if (!map_given(s, from, p, e, have))
		return false;
	if (*have)
		return true;
	s->skip = s->named = true;
	while (p <= e) {
		const uint32_t bit = next_name(&p, e, s->by, &name);

		if (!bit || *have & bit || s->n == TRC_CSV_FIELDS_MOST)
			return false;
		*have |= bit;
		s->field[s->n++] = (uint8_t)(1 + trc_ctz64(bit));
	}
	return true;
}

void
trc_csv_note_unknown(struct trc_csv_fields *s, struct trc_field f)
{
	struct trc_csv_code code = { "", 0 };

	if (s->unknowns == TRC_CSV_UNKNOWN_MOST || f.len == 0 || f.len > TRC_CSV_CODE_LETTERS)
		return;
	memcpy(code.text, f.p, f.len);
	for (size_t i = 0; i < s->unknowns; i++)
		if (memcmp(s->unknown[i].text, code.text, sizeof(code.text)) == 0)
			return;
	s->unknown[s->unknowns++] = code;
}

/* What is wrong with field `j` as a number; 0 if nothing. */
static size_t
explain_number(const struct trc_csv_fields *s, struct trc_field f, size_t j, char *dst, size_t room)
{
	const enum trc_column c = (enum trc_column)(s->field[j] - 1);
	const uint64_t factor = s->factor[j] ? s->factor[j] : 1;
	const int len = (int)(f.len < 64 ? f.len : 64);
	char times[32] = "";
	unsigned tens = 0;
	uint64_t v;

	if (s->hashed >> j & 1)
		return 0;
	if (factor > 1)
		snprintf(times, sizeof(times), " times %llu", (unsigned long long)factor);
	switch (trc_csv_number(s, j, f, &v)) {
	case TRC_NUMBER_NONE:
		return (size_t)snprintf(dst, room, "'%.*s' is no number, as %s is", len,
		                        (const char *)f.p, trc_column[c].name);
	case TRC_NUMBER_BROKEN:
		(void)trc_csv_take_number(f, 1, &v, &tens);
		return (size_t)snprintf(
		        dst, room,
		        "%.*s%s is no whole number, as %s is; %s=FIELD*1e%u makes it one", len,
		        (const char *)f.p, times, trc_column[c].name, trc_column[c].name, tens);
	case TRC_NUMBER_WHOLE:
		if (v <= UINT64_MAX >> (64 - 8 * trc_column[c].width))
			return 0;
		break;
	default: break;
	}
	return (size_t)snprintf(dst, room, "%.*s%s is too large for %s", len, (const char *)f.p,
	                        times, trc_column[c].name);
}

/* Likewise with a type, and how codes become types. */
static size_t
explain_type(const struct trc_csv_fields *s, struct trc_field f, char *dst, size_t room)
{
	uint8_t type;
	size_t n;

	if (trc_csv_take_type(&s->codes, f, &type))
		return 0;
	n = (size_t)snprintf(dst, room, "'%.*s' is no type; these are",
	                     (int)(f.len < 64 ? f.len : 64), (const char *)f.p);
	for (unsigned i = 0; i < (s->codes.only ? s->codes.n : TRC_TYPES) && n < room; i++)
		n += (size_t)snprintf(dst + n, room - n, "%s %s", i ? "," : "",
		                      s->codes.only ? s->codes.code[i].text : trc_type_name[i]);
	return n;
}

/* Puts into `dst` what is wrong with field `j` as a value of its column; "" if nothing. */
static void
explain_field(const struct trc_csv_fields *s, struct trc_field f, size_t j, char *dst, size_t room)
{
	const enum trc_column c = (enum trc_column)(s->field[j] - 1);
	size_t n = 0;

	*dst = 0;
	if (c == TRC_COL_TYPE)
		n = explain_type(s, f, dst, room);
	else if (c != TRC_COL_EVENT)
		n = explain_number(s, f, j, dst, room);
	if (n > 0 && n < room && trc_column_bit((const char *)f.p, f.len))
		snprintf(dst + n, room - n, "; csv:header,... passes over names");
}

void
trc_csv_explain(const void *state, const uint8_t *p, const uint8_t *e, char *dst, size_t room)
{
	const struct trc_csv_fields *s = state;
	const uint8_t *const start = p;
	uint64_t rows;

	*dst = 0;
	e = trc_csv_end(p, e, s->by);
	if (*s->missing || s->twice) {
		snprintf(dst, room,
		         s->twice ? "--from csv: has two columns for one of its fields" :
		                    "it has no field '%s'",
		         s->missing);
		return;
	}
	if (s->skip || s->n == 0) {
		trc_csv_odd_name(p, e, dst, room);
		return;
	}
	for (unsigned i = 0; i < s->n && !*dst; i++) {
		const struct trc_field f = trc_csv_next(&p, e, s->by);

		if (!f.p)
			snprintf(dst, room, "it has %u of %u fields", i, s->n);
		else if (s->field[i])
			explain_field(s, trc_csv_unquote(f), i, dst, room);
	}
	if (!*dst && s->repeat && !trc_csv_repeat(s, start, e, &rows))
		snprintf(dst, room, "its field %u is not a number of rows up to %u", s->repeat,
		         TRC_CSV_REPEAT_MOST);
	if (!*dst && s->named && p < e)
		snprintf(dst, room, "it has more than the %u fields that have names", s->n);
}
