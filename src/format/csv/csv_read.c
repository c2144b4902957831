/* SPDX-License-Identifier: MIT
 *
 * Parses lines of comma-separated values: many at a time if they are similar, else one by one.
 */
#include "format/csv/csv_row.h"

#include <string.h>

#include "format/table.h"

/* Words that were looked up, and what they stand for: one for each first letter, and another for
 * words of several letters. */
struct known {
	uint64_t text, mask; /* up to 8 letters; which bytes these are */
	uint32_t len;
	uint8_t type;
};
enum { KNOWN = 64 };

static TRC_ALWAYS_INLINE struct known *
find_known(struct known known[KNOWN], struct trc_field f)
{
	return &known[(f.len > 1 ? 32u : 0u) | (*f.p & 31u)];
}

static TRC_ALWAYS_INLINE bool
is_known(const struct known *known, struct trc_field f)
{
	return f.len == known->len && ((trc_le64(f.p) ^ known->text) & known->mask) == 0 &&
	       f.len > 0;
}

static void
note_known(struct known *known, struct trc_field f, uint8_t type)
{
	if (f.len > 0 && f.len <= sizeof(known->text))
		*known = (struct known){ trc_le64(f.p), UINT64_MAX >> (64 - 8 * f.len),
			                 (uint32_t)f.len, type };
}

/* Parses the types in column `j`; returns how many of `n` were valid. */
static size_t
types(const struct trc_csv_fields *s, const struct trc_table *t, size_t j, size_t n, uint8_t *type)
{
	struct known known[KNOWN] = { { .len = 0 } };
	struct trc_table_column c = trc_table_column(t, j);

	for (size_t i = 0; i < n; i++) {
		const struct trc_field f = trc_table_next(&c);
		struct known *k = find_known(known, f);

		type[i] = k->type;
		if (TRC_LIKELY(is_known(k, f)))
			continue;
		if (!trc_csv_take_row_type(&s->codes, f, &type[i]) || type[i] == TRC_CODE_IGNORED)
			return i;
		note_known(k, f, type[i]);
	}
	return n;
}

/* Returns how many of `n` lines have no event; 0 if such lines are blank. */
static size_t
no_events(const struct trc_table *t, size_t j, size_t n, uint32_t *event)
{
	struct trc_table_column c = trc_table_column(t, j);
	size_t i;

	for (i = 0; i < n && t->fields > 1 && trc_table_next(&c).len == 0; i++)
		event[i] = 0;
	return i;
}

/* Returns true if a field has blanks around it. */
static inline bool
has_blanks(struct trc_field f)
{
	const uint64_t blanks = TRC_TEXT_BLANKS | TRC_TEXT_RETURN;

	return f.len && (trc_text_is_in(blanks, f.p[0]) || trc_text_is_in(blanks, f.p[f.len - 1]));
}

/* Adds `n` values to those at `at`, of a column with the width of a row. Returns how many sums fit
 * the column before the first that does not; hashes may overflow. */
static size_t
add(const struct trc_csv_fields *s, size_t width, const uint64_t *v, size_t n, void *at)
{
	uint32_t *narrow = at;
	uint64_t *wide = at;
	size_t i;

	if (width == 4) {
		for (i = 0; i < n && v[i] <= UINT32_MAX - narrow[i]; i++)
			narrow[i] += (uint32_t)v[i];
		return i;
	}
	for (i = 0; i < n && (v[i] <= UINT64_MAX - wide[i] || s->hashed); i++)
		wide[i] += v[i];
	return i;
}

/* Hashes a column of texts, which are added or, of spaces, hashed one after another; returns how
 * many of `n` had no blanks around them. */
static size_t
hashes(const struct trc_csv_fields *s, const struct trc_table *t, size_t j, size_t n, void *at)
{
	const uint32_t column = s->field[j] - 1u;
	const uint64_t factor = s->unit[j].factor ? s->unit[j].factor : 1;
	const uint64_t kept = s->sums >> column & 1 ? UINT64_MAX : 0;
	struct trc_table_column c = trc_table_column(t, j);
	uint32_t *narrow = at;
	uint64_t *wide = at;
	size_t i;

	for (i = 0; i < n; i++) {
		const struct trc_field f = trc_table_next(&c);

		if (f.len == 0 || has_blanks(f))
			break;
		if (column == TRC_COL_ASID)
			narrow[i] = (uint32_t)trc_csv_hash(f, narrow[i] & kept);
		else
			wide[i] = (wide[i] & kept) + trc_csv_hash(f, 0) * factor;
	}
	return i;
}

/* Parses a column in other units, or of texts, of the rows from b->n on, after the first `from`,
 * which are done; returns how many of `n` were valid. */
static size_t
scaled(const struct trc_csv_fields *s, const struct trc_table *t, size_t j, size_t from, size_t n,
       const struct trc_batch *b)
{
	struct trc_batch row = *b;
	struct trc_table_column column = trc_table_column(t, j);
	size_t i;

	column.place += from * column.step;
	for (i = from, row.n += from; i < n; i++, row.n++) {
		const struct trc_field f = trc_table_next(&column);

		if ((f.len == 0 && !(s->optional >> j & 1)) || has_blanks(f) ||
		    !trc_csv_take_scaled(s, f, j, &row))
			break;
	}
	return i;
}

/* Parses a column of numbers with as many digits after a point as the first, if these are whole in
 * this unit. Returns how many of `n` there were. Inlined, it would slow down types(). */
static TRC_NO_INLINE size_t
points(const struct trc_table *t, size_t j, uint64_t factor, size_t n, uint64_t *v)
{
	const struct trc_text_kernels *kernels = trc_text_kernels(0);
	struct trc_table_column c = trc_table_column(t, j), first = c;
	const struct trc_field f = trc_table_next(&first);
	const uint8_t *point = memchr(f.p, '.', f.len);
	const size_t digits = point ? (size_t)(f.p + f.len - point - 1) : 0;
	struct trc_number_fields whole, after;
	uint64_t part[TRC_LINES_AT_ONCE], unit = factor;
	size_t i;

	for (i = 0; i < digits && unit % 10 == 0; i++)
		unit /= 10;
	if (digits == 0 || i < digits)
		return 0;
	for (i = 0; i < n; i++) {
		const struct trc_field g = trc_table_next(&c);

		if (g.len < digits + 2 || g.len > UINT8_MAX || g.p[g.len - digits - 1] != '.')
			break;
		after.end[i] = (uint32_t)(g.p + g.len - t->text);
		after.len[i] = (uint8_t)digits;
		whole.end[i] = after.end[i] - (uint32_t)digits - 1;
		whole.len[i] = (uint8_t)(g.len - digits - 1);
	}
	n = kernels->dec(t->text, whole.end, whole.len, i, v);
	n = kernels->dec(t->text, after.end, after.len, n, part);
	for (i = 0; i < n && v[i] < UINT64_MAX / factor; i++)
		v[i] = v[i] * factor + part[i] * unit;
	return i;
}

/* Parses a column of texts, or of whole numbers that are in other units, in hexadecimal, or terms
 * of sums; returns how many of `n` there were before any other. */
static size_t
units(const struct trc_csv_fields *s, const struct trc_table *t, size_t j, size_t n, void *at)
{
	const uint32_t column = s->field[j] - 1u;
	const size_t width = trc_column[column].width;
	const bool sum = s->sums >> column & 1;
	const uint8_t base = TRC_CSV_HEX >> column & 1 ? s->base : 0;
	const bool hex = base == 16;
	const uint64_t factor = s->unit[j].factor ? s->unit[j].factor : 1;
	uint64_t wide[TRC_LINES_AT_ONCE], *v = width == 4 || sum ? wide : at;
	size_t whole, i;

	if (s->hashed >> j & 1 && (width == 8 || column == TRC_COL_ASID))
		return hashes(s, t, j, n, at);
	if (width == 1 || (s->ends && column == TRC_COL_SIZE) || s->unit[j].divisor ||
	    s->hashed >> j & 1 || base == 2 || *s->prefix)
		return 0;
	whole = trc_table_numbers(t, j, 0, hex, n, v);
	for (i = 0; i < whole && v[i] <= UINT64_MAX / factor; i++)
		v[i] *= factor;
	if (whole == 0 && !hex)
		i = points(t, j, factor, n, v);
	return sum ? add(s, width, wide, i, at) : width == 4 ? trc_lines_narrow(wide, i, at) : i;
}

/* Returns how many of `n` lines have, or have not, one of the texts in their field. */
static size_t
selected(const struct trc_csv_lines *lines, bool have, const struct trc_table *t, size_t n)
{
	struct known known[KNOWN] = { { .len = 0 } };
	struct trc_table_column c = trc_table_column(t, lines->field - 1u);

	for (size_t i = 0; i < n; i++) {
		const struct trc_field f = trc_table_next(&c);
		struct known *k = find_known(known, f);

		if (is_known(k, f))
			continue;
		if (has_blanks(f) || trc_codes_has(lines->texts, f) != have)
			return i;
		note_known(k, f, 0);
	}
	return n;
}

/* Returns true if lines [p, e) may have quotes, comments, NUL bytes in keys or, where fields are
 * words, carriage returns anywhere but at their ends. */
static bool
is_odd(const struct trc_csv_fields *s, const uint8_t *p, const uint8_t *e)
{
	const bool words = s->by == ' ' || s->by == TRC_CSV_ANY;
	bool odd = memchr(p, '"', (size_t)(e - p)) || (s->hashed && memchr(p, 0, (size_t)(e - p)));

	for (const char *c = s->comment; *c; c++)
		odd |= memchr(p, *c, (size_t)(e - p)) || (*c == ':' && (c[1] == ':' || !c[1]));
	for (; words && !odd && (p = memchr(p, '\r', (size_t)(e - p))); p++)
		odd = p[1] != '\n';
	return odd;
}

/* Makes a table of lines with the same number of fields, without blanks in numbers or quotes.
 * Returns how many there are. */
static size_t
make_table(const struct trc_csv_fields *s, const struct trc_lines *l, size_t from,
           struct trc_table *t)
{
	size_t n = s->skip              ? 0 :
	           s->by == ' '         ? trc_table_words(t, l, from, " \t\r") :
	           s->by == TRC_CSV_ANY ? trc_table_words(t, l, from, TRC_CSV_ALL "\r") :
	                                  trc_table_init(t, l, from, s->by);

	if (n == 0 || t->fields < s->n || (s->named && t->fields > s->n) ||
	    s->only.field > t->fields || s->except.field > t->fields ||
	    is_odd(s, t->text, l->text + l->eol[from + n - 1]))
		return 0;
	n = s->only.field ? selected(&s->only, true, t, n) : n;
	return s->except.field ? selected(&s->except, false, t, n) : n;
}

static size_t
many(const struct trc_lines *l, size_t from, struct trc_batch *b, const void *how)
{
	const struct trc_csv_fields *s = l->state;
	struct trc_table t;
	size_t n = make_table(s, l, from, &t);

	(void)how;
	trc_csv_begin_rows(s, b, n);
	for (size_t j = 0; j < s->n && n; j++) {
		const enum trc_column c = (enum trc_column)(s->field[j] - 1);
		void *at;

		if (s->field[j] == 0)
			continue;
		at = (uint8_t *)trc_batch_column(b, c) + trc_column[c].width * b->n;
		n = c == TRC_COL_TYPE        ? types(s, &t, j, n, at) :
		    !trc_csv_is_plain(s, j)  ? scaled(s, &t, j, units(s, &t, j, n, at), n, b) :
		    c == TRC_COL_EVENT       ? no_events(&t, j, n, at) :
		    trc_column[c].width == 1 ? trc_table_numbers1(&t, j, n, at) :
		    trc_column[c].width == 4 ? trc_table_numbers4(&t, j, n, at) :
		                               trc_table_numbers(&t, j, 0, false, n, at);
	}
	b->n += n;
	return n;
}

/* Parses any line. */
static bool
one(const struct trc_lines *l, size_t i, struct trc_batch *b, const void *how)
{
	struct trc_csv_fields *s = l->state;

	(void)how;
	if (!s->skip)
		return trc_csv_parse_row(s, l->text + trc_line_start(l, i), l->text + l->eol[i], b);
	s->skip = false;
	return true;
}

/* Parses lines that stand for several rows each. The last one is left if there is no room for all
 * of its rows. */
static size_t
repeated(const struct trc_lines *l, struct trc_batch *b)
{
	const struct trc_csv_fields *s = l->state;
	size_t i = 0;

	for (; i < l->n && b->cap > b->n; i++) {
		const uint64_t given = i == 0 && l->given ? *l->given : 0;
		const size_t at = b->n, room = b->cap - at;
		uint64_t rows, n;

		if (!one(l, i, b, NULL))
			break;
		if (b->n == at)
			continue;
		if (!trc_csv_repeat(s, l->text + trc_line_start(l, i), l->text + l->eol[i],
		                    &rows)) {
			b->n = at;
			break;
		}
		n = rows - given < room ? rows - given : room;
		for (uint64_t k = 1; k < n; k++)
			trc_batch_append(b, b, at, 1);
		b->n = at + (size_t)n;
		if (l->given)
			*l->given = given + n < rows ? given + n : 0;
		if (l->given && given + n < rows)
			break;
	}
	return i;
}

/* Notes the words that are not types, from a line that cannot be read on. */
static void
note_unknown(const struct trc_lines *l, size_t from)
{
	struct trc_csv_fields *s = l->state;

	for (size_t i = from; i < l->n; i++) {
		const uint8_t *p = l->text + trc_line_start(l, i);
		const uint8_t *e = trc_csv_end(p, l->text + l->eol[i], s->by);
		struct trc_field f;
		uint8_t type;

		for (unsigned k = 0; k < s->n && (f = trc_csv_next(&p, e, s->by)).p; k++)
			if (s->field[k] == 1 + TRC_COL_TYPE &&
			    !trc_csv_take_type(&s->codes, f = trc_csv_unquote(f), &type))
				trc_csv_note_unknown(s, f);
	}
}

/* Returns true if one of the first lines has an address, or such, like 00401000, which may be
 * decimal or hexadecimal. */
static bool
has_padded(const struct trc_lines *l, const struct trc_csv_fields *s)
{
	enum { LOOKED_AT = 64 };

	for (size_t i = 0; i < l->n && i < LOOKED_AT; i++) {
		const uint8_t *p = l->text + trc_line_start(l, i), *const e = l->text + l->eol[i];
		struct trc_field f;

		for (unsigned k = 0; k < s->n && (f = trc_csv_next(&p, e, s->by)).p; k++) {
			f = trc_csv_unquote(f);
			if (f.len > 1 && f.p[0] == '0' && f.p[1] >= '0' && f.p[1] <= '9' &&
			    TRC_CSV_HEX >> (s->field[k] - 1) & 1)
				return true;
		}
	}
	return false;
}

/* Parses the names only if the numbers after them are in doubt. */
static size_t
parse(const struct trc_lines *l, struct trc_batch *b)
{
	struct trc_csv_fields *s = l->state;
	const bool names = s->skip;

	s->padded |= s->own && !s->looked && has_padded(l, s);
	s->looked = true;
	if (!s->padded)
		return s->repeat ? repeated(l, b) : trc_lines_parse_many(l, b, many, one, NULL);
	s->skip = false;
	return names;
}

size_t
trc_csv_parse(const struct trc_lines *l, struct trc_batch *b)
{
	const struct trc_csv_fields *s = l->state;
	const size_t from = b->n, good = parse(l, b);
	uint8_t all = 0;

	for (size_t i = from; b->type && i < b->n; i++)
		all |= b->type[i];
	for (size_t i = from; all & TRC_CSV_DELETE && i < b->n; i++)
		if (b->type[i] & TRC_CSV_DELETE) {
			b->type[i] &= (uint8_t)~TRC_CSV_DELETE;
			if (b->size && b->size[i] == 0)
				b->size[i] = 1;
		}
	if (good < l->n && b->cap > b->n && !s->layout)
		note_unknown(l, good);
	return good;
}
