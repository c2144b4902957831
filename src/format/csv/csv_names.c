/* SPDX-License-Identifier: MIT */
#include "format/csv/csv_names.h"

#include <stdio.h>
#include <string.h>

/* Returns true if the selected field of a line has one of the texts. */
static bool
is_among(const struct trc_csv_fields *s, const struct trc_csv_lines *lines, const uint8_t *p,
         const uint8_t *e)
{
	struct trc_field f = { NULL, 0 };

	for (unsigned i = 0; i < lines->field; i++)
		f = trc_csv_next(&p, e, s->by);
	return f.p && trc_codes_has(lines->texts, trc_csv_unquote(f));
}

bool
trc_csv_is_passed(struct trc_csv_fields *s, const uint8_t *p, const uint8_t *e)
{
	const uint8_t *first = p;
	bool comment;

	while (first < e && trc_csv_is_blank(*first, s->by))
		first++;
	/* As Pin's examples end a file. It is not a record of several fields. */
	if (s->n > 1 && trc_field_is((struct trc_field){ first, (size_t)(e - first) }, "#eof"))
		return true;
	if (first == e || !(*s->comment || s->only.field || s->except.field))
		return first == e;
	comment = trc_csv_is_comment(s->comment, first, e);
	s->commented += comment;
	return comment || (s->only.field && !is_among(s, &s->only, p, e)) ||
	       (s->except.field && is_among(s, &s->except, p, e));
}

bool
trc_csv_repeat(const struct trc_csv_fields *s, const uint8_t *p, const uint8_t *e, uint64_t *rows)
{
	struct trc_field f = { NULL, 0 };

	e = trc_csv_end(p, e, s->by);
	for (unsigned i = 0; i < s->repeat; i++)
		f = trc_csv_next(&p, e, s->by);
	return f.p &&
	       trc_csv_take_number(trc_csv_unquote(f), NULL, rows, NULL) == TRC_NUMBER_WHOLE &&
	       *rows <= TRC_CSV_REPEAT_MOST;
}

bool
trc_csv_is_none(const struct trc_csv_fields *s, size_t j, struct trc_field f)
{
	return s->optional >> j & 1 && (f.len == 0 || trc_field_is(f, "-") ||
	                                (s->field[j] == 1 + TRC_COL_TTL && trc_field_is(f, "-1")));
}

enum trc_number_kind
trc_csv_number(const struct trc_csv_fields *s, size_t j, struct trc_field f, uint64_t *v)
{
	const struct trc_csv_unit *unit = &s->unit[j];
	const bool end = s->ends && s->field[j] == 1 + TRC_COL_SIZE;
	const size_t len = strlen(s->prefix);
	const uint64_t factor = unit->factor ? unit->factor : 1;

	if (len > 0 && f.len > len && memcmp(f.p, s->prefix, len) == 0)
		f = (struct trc_field){ f.p + len, f.len - len };
	if (!(TRC_CSV_HEX >> (s->field[j] - 1) & 1) && !end)
		return trc_csv_take_number(f, unit, v, NULL);
	if (!s->base)
		return unit->factor == 0 && trc_csv_is_rounded(f) ?
		               TRC_NUMBER_NONE :
		               trc_csv_take_number(f, unit, v, NULL);
	if (s->base == 2 ? !trc_csv_take_binary(f, v) : !trc_field_hex(f, UINT64_MAX, v))
		return TRC_NUMBER_NONE;
	if (*v > UINT64_MAX / factor)
		return TRC_NUMBER_LARGE;
	*v = *v * factor / (unit->divisor ? unit->divisor : 1);
	return TRC_NUMBER_WHOLE;
}

/* Returns the column whose name is the next field of the line; 0 if there is none. */
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
	         twice    ? "'%.*s' is given twice" :
	         !odd.len ? "a field has no name%.*s" :
	                    "'%.*s' is not a column ('trc help formats' lists them)",
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

/* Checks a field of column `c`, which is one of several if `sum`. */
static int
check_field(int c, const struct trc_opt_field *given, bool sum, struct trc_opt_field *field,
            struct trc_err *err)
{
	struct trc_csv_term term;
	const char *other;

	if (!trc_csv_take_term(given, c, &term))
		return trc_fail_as(err, TRC_USAGE,
		                   "csv: %s: '%.*s' needs a field before the asterisk and a "
		                   "factor like 512 or 1e6 after it",
		                   trc_column[c].name, (int)given->n, given->name);
	other = sum                                               ? "sum" :
	        term.unit.factor                                  ? "factor" :
	        term.unit.divisor || term.optional || term.hashed ? "unit, hash or question mark" :
	                                                            NULL;
	if (other && (c == TRC_COL_TYPE || c == TRC_COL_EVENT))
		return trc_fail_as(err, TRC_USAGE, "csv: %s: words have no %s", trc_column[c].name,
		                   other);
	if (term.hashed && trc_column[c].width < 8 && c != TRC_COL_ASID)
		return trc_fail_as(err, TRC_USAGE, "csv: %s: has no room for a hash",
		                   trc_column[c].name);
	if (!term.field.name && term.field.n > TRC_CSV_FIELDS_MOST)
		return trc_fail_as(err, TRC_USAGE, "csv: %s: must be at most %d",
		                   trc_column[c].name, TRC_CSV_FIELDS_MOST);
	*field = term.field;
	return 0;
}

/* Returns the fields given for a column. */
static struct trc_opt_field
fields_of(const struct trc_csv_from *from, int c)
{
	return c == TRC_COL_ASID && from->space.n   ? from->space :
	       c == TRC_COL_BRANCH && from->taken.n ? from->taken :
	       c != TRC_COL_SIZE                    ? from->at[c] :
	       from->end.n                          ? from->end :
	       from->last.n                         ? from->last :
	                                              from->at[c];
}

/* Checks all given fields: each must be for one column; sets *n to their number. */
static int
check_fields(const struct trc_csv_from *from, size_t *n, struct trc_err *err)
{
	struct {
		struct trc_opt_field at;
		int column;
	} field[TRC_CSV_FIELDS_MOST];

	*n = 0;
	for (int c = 0; c < TRC_COLUMNS; c++) {
		struct trc_opt_field left = fields_of(from, c), given;
		bool sum = false;

		for (; trc_csv_next_term(&left, &given); sum = true) {
			if (*n == TRC_CSV_FIELDS_MOST)
				return trc_fail_as(err, TRC_USAGE, "csv: more than %d fields",
				                   TRC_CSV_FIELDS_MOST);
			if (check_field(c, &given, sum || left.n, &field[*n].at, err))
				return -1;
			if ((sum || left.n) && (from->end.n || from->last.n) && c == TRC_COL_SIZE)
				return trc_fail_as(err, TRC_USAGE, "csv: end and last are no sums");
			for (size_t k = 0; k < *n; k++)
				if (is_same_field(&field[k].at, &field[*n].at))
					return refuse_same(&field[k].at, field[k].column, c, err);
			field[(*n)++].column = c;
		}
	}
	return 0;
}

/* Splits "FIELD:TEXT:...", which selects lines. */
static bool
split_lines(const struct trc_opt_field *f, struct trc_opt_field *field, struct trc_opt_field *texts)
{
	const char *colon = f->name ? memchr(f->name, ':', (size_t)f->n) : NULL;

	if (!colon)
		return false;
	*field = (struct trc_opt_field){ f->name, (uint64_t)(colon - f->name) };
	*texts = (struct trc_opt_field){ colon + 1, f->n - field->n - 1 };
	trc_csv_number_field(field);
	return field->n > 0 && (field->name || field->n <= TRC_CSV_FIELDS_MOST) && texts->n > 0 &&
	       texts->n < sizeof(((struct trc_csv_lines *)0)->texts);
}

/* Parses the number of fields of a line, "7", or "7+" if there may be more; returns false if it is
 * neither. */
static bool
take_fields(const struct trc_opt_field *f, uint8_t *n, bool *more)
{
	struct trc_opt_field number = *f;

	*more = f->n > 1 && f->name[f->n - 1] == '+';
	number.n -= *more;
	trc_csv_number_field(&number);
	*n = (uint8_t)number.n;
	return !number.name && number.n > 0 && number.n <= TRC_CSV_FIELDS_MOST;
}

/* Returns true for a field as it stands, which is not a sum and has no unit. */
static bool
is_plain_field(const struct trc_opt_field *f)
{
	struct trc_opt_field left = *f, given;
	struct trc_csv_term term;

	return trc_csv_next_term(&left, &given) && !left.n &&
	       trc_csv_take_term(&given, TRC_COL_BRANCH, &term) && !term.unit.factor &&
	       !term.unit.divisor && !term.optional;
}

/* Checks the arguments for lines that are all fetches. */
static int
check_fetches(const struct trc_csv_from *from, size_t given, struct trc_err *err)
{
	if ((from->fetches || from->taken.n) && from->at[TRC_COL_TYPE].n)
		return trc_fail_as(err, TRC_USAGE,
		                   "csv: with %s, all lines are fetches; they have no type",
		                   from->taken.n ? "taken" : "fetches");
	if (from->taken.n && from->at[TRC_COL_BRANCH].n)
		return trc_fail_as(err, TRC_USAGE,
		                   "csv: taken and branch are the same column: use taken for words "
		                   "such as T and N, branch for its numbers");
	if (from->taken.n && !is_plain_field(&from->taken))
		return trc_fail_as(err, TRC_USAGE, "csv: taken: words have no unit");
	return from->fetches && given == 0 ?
	               trc_fail_as(err, TRC_USAGE,
	                           "csv: fetches: also assign fields, as in csv:fetches,addr=1") :
	               0;
}

/* Checks the arguments that are not columns. */
static int
check_words(const struct trc_csv_from *from, struct trc_err *err)
{
	const struct trc_opt_field *lines[] = { &from->only, &from->except };
	struct trc_opt_field field, texts;
	uint8_t n;
	bool more;

	if (from->comment.n >= sizeof(((struct trc_csv_fields *)0)->comment))
		return trc_fail_as(err, TRC_USAGE, "csv: comment: '%.*s' is too long",
		                   (int)from->comment.n, from->comment.name);
	if (from->prefix.n >= sizeof(((struct trc_csv_fields *)0)->prefix))
		return trc_fail_as(err, TRC_USAGE, "csv: prefix: '%.*s' is too long",
		                   (int)from->prefix.n, from->prefix.name);
	for (size_t i = 0; i < TRC_COUNT(lines); i++)
		if (lines[i]->n && !split_lines(lines[i], &field, &texts))
			return trc_fail_as(err, TRC_USAGE,
			                   "csv: '%.*s' is not FIELD:TEXT, such as 6:Q",
			                   (int)lines[i]->n, lines[i]->name);
	if (from->fields.n && !take_fields(&from->fields, &n, &more))
		return trc_fail_as(err, TRC_USAGE,
		                   "csv: fields: '%.*s' is not a number of fields, such as 7, or "
		                   "7+ for 7 or more",
		                   (int)from->fields.n, from->fields.name);
	if (from->hex && from->binary)
		return trc_fail_as(err, TRC_USAGE, "csv: addresses are either hex or binary");
	if ((from->at[TRC_COL_SIZE].n > 0) + (from->end.n > 0) + (from->last.n > 0) > 1 ||
	    ((from->end.n || from->last.n) && (!from->at[TRC_COL_ADDR].n || from->hash)))
		return trc_fail_as(err, TRC_USAGE,
		                   "csv: end or last is in place of size, with addr, a number");
	if (from->space.n && from->at[TRC_COL_ASID].n)
		return trc_fail_as(err, TRC_USAGE,
		                   "csv: space and asid are the same column: use space for names, "
		                   "asid for numbers");
	return 0;
}

int
trc_csv_check(const void *settings, struct trc_err *err)
{
	const struct trc_csv_from *from = settings;
	struct trc_codes codes;
	size_t given;

	if (check_fields(from, &given, err) || trc_codes_take(&codes, from->codes, "csv", err))
		return -1;
	if (check_words(from, err) || check_fetches(from, given, err))
		return -1;
	if (from->hash && given > 0 && from->at[TRC_COL_ADDR].n == 0)
		return trc_fail_as(err, TRC_USAGE,
		                   "csv: hash: also give the field to hash, as in "
		                   "csv:hash,addr=key");
	if (from->repeat.n && (given == 0 || from->at[TRC_COL_EVENT].n))
		return trc_fail_as(err, TRC_USAGE,
		                   "csv: repeat: also assign fields, as in "
		                   "csv:repeat=count,addr=key; events are not repeated");
	if (from->repeat.n > TRC_CSV_FIELDS_MOST && !from->repeat.name)
		return trc_fail_as(err, TRC_USAGE, "csv: repeat: must be at most %d",
		                   TRC_CSV_FIELDS_MOST);
	return from->header && given == 0 ?
	               trc_fail_as(err, TRC_USAGE,
	                           "csv: header: also assign fields, as in csv:header,addr=1") :
	               0;
}

/* Returns the number, from 1, of the field with this name in the first line [p, e); 0: none. Sets
 * *again if another has it, too. */
static uint64_t
find_field(const struct trc_opt_field *f, const uint8_t *p, const uint8_t *e, uint8_t by,
           bool *again)
{
	uint64_t at = 0;

	for (uint64_t i = 1; p <= e && i <= TRC_CSV_FIELDS_MOST; i++) {
		const struct trc_field name = trc_csv_unquote(trc_csv_next(&p, e, by));

		if (name.len != f->n || memcmp(name.p, f->name, name.len) != 0)
			continue;
		*again |= at > 0;
		at = at ? at : i;
	}
	return at;
}

/* Returns the number of a given field; 0 if the first line lacks its name, which is noted. */
static uint64_t
locate(struct trc_csv_fields *s, const struct trc_opt_field *f, const uint8_t *p, const uint8_t *e)
{
	uint64_t at;

	if (!f->name)
		return f->n;
	at = find_field(f, p, e, s->by, &s->again);
	s->skip = true;
	if (at == 0 || s->again)
		snprintf(s->missing, sizeof(s->missing), "%.*s", (int)f->n, f->name);
	return s->again ? 0 : at;
}

/* Assigns a field of column `c` to its position in the lines; [p, e) is the first line. */
static bool
map_field(struct trc_csv_fields *s, int c, const struct trc_opt_field *given, bool hashed,
          const uint8_t *p, const uint8_t *e, uint32_t *have)
{
	struct trc_csv_term term;
	uint64_t at;

	if (!trc_csv_take_term(given, c, &term))
		return false;
	at = locate(s, &term.field, p, e);
	if (*s->missing && term.optional && !s->again) {
		*s->missing = 0;
		return true;
	}
	s->twice = at > 0 && s->field[at - 1];
	for (size_t k = at; s->ends && c == TRC_COL_SIZE && k < s->n; k++)
		s->early |= s->field[k] == 1 + TRC_COL_ADDR;
	if (s->twice || s->early || *s->missing)
		return false;
	s->field[at - 1] = (uint8_t)(1 + c);
	s->unit[at - 1] = term.unit;
	s->unit[at - 1].time = c == TRC_COL_TIME;
	s->unit[at - 1].bytes = c == TRC_COL_SIZE;
	s->hashed |= (uint64_t)(hashed || term.hashed) << (at - 1);
	s->optional |= (uint64_t)term.optional << (at - 1);
	s->n = s->n > at ? s->n : (uint8_t)at;
	s->sums |= *have & UINT32_C(1) << c;
	*have |= UINT32_C(1) << c;
	return true;
}

/* Sets which lines are read, by one of their fields. */
static bool
map_lines(struct trc_csv_fields *s, const struct trc_opt_field *given, const uint8_t *p,
          const uint8_t *e, struct trc_csv_lines *lines)
{
	struct trc_opt_field field, texts;

	if (!given->n)
		return true;
	if (!split_lines(given, &field, &texts))
		return false;
	snprintf(lines->texts, sizeof(lines->texts), "%.*s", (int)texts.n, texts.name);
	lines->field = (uint8_t)locate(s, &field, p, e);
	return lines->field > 0;
}

/* Assigns the given numbers and names of fields, which were checked. */
static bool
map_given(struct trc_csv_fields *s, const struct trc_csv_from *from, const uint8_t *p,
          const uint8_t *e, uint32_t *have)
{
	struct trc_err none;
	uint8_t fields;
	bool more;

	*have = 0;
	s->skip = from->header;
	s->base = from->hex ? 16 : from->binary ? 2 : 0;
	s->ends = from->end.n ? 1 : from->last.n ? 2 : 0;
	snprintf(s->comment, sizeof(s->comment), "%.*s", (int)from->comment.n, from->comment.name);
	snprintf(s->prefix, sizeof(s->prefix), "%.*s", (int)from->prefix.n, from->prefix.name);
	if (trc_codes_take(&s->codes, from->codes, "csv", &none) ||
	    !map_lines(s, &from->only, p, e, &s->only) ||
	    !map_lines(s, &from->except, p, e, &s->except))
		return false;
	s->codes.only = from->coded;
	s->outcomes = from->taken.n > 0;
	s->fetches = from->fetches || s->outcomes;
	s->repeat = from->repeat.n ? (uint8_t)locate(s, &from->repeat, p, e) : 0;
	if (from->repeat.n && !s->repeat)
		return false;
	for (int c = 0; c < TRC_COLUMNS; c++) {
		struct trc_opt_field left = fields_of(from, c), given;

		while (trc_csv_next_term(&left, &given)) {
			const bool hashed = (c == TRC_COL_ASID && from->space.n) ||
			                    (c == TRC_COL_ADDR && from->hash && !(*have >> c & 1));

			if (!map_field(s, c, &given, hashed, p, e, have))
				return false;
		}
	}
	*have |= s->fetches ? TRC_HAS_TYPE : 0;
	if (from->fields.n && take_fields(&from->fields, &fields, &more)) {
		s->n = s->n > fields ? s->n : fields;
		s->named = !more;
	}
	return true;
}

bool
trc_csv_map(struct trc_csv_fields *s, const struct trc_csv_from *from, const uint8_t *p,
            const uint8_t *e, uint32_t *have)
{
	static const uint8_t separators[] = { ',', ';', '\t', ' ', ':', '|', TRC_CSV_ANY };
	struct trc_field name;

	s->by = from->separator ? separators[from->separator - 1] : trc_csv_separator(p, e);
	e = trc_csv_end(p, e, s->by);
	if (!map_given(s, from, p, e, have))
		return false;
	if (*have)
		return true;
	s->skip = s->named = s->own = true;
	while (p <= e) {
		const uint32_t bit = next_name(&p, e, s->by, &name);

		if (!bit || *have & bit || s->n == TRC_CSV_FIELDS_MOST)
			return false;
		*have |= bit;
		s->field[s->n++] = (uint8_t)(1 + trc_ctz64(bit));
	}
	return true;
}
