/* SPDX-License-Identifier: MIT
 *
 * Parses lines of comma-separated values: many at a time if they are similar, else one by one.
 */
#include "format/csv/csv_names.h"

#include <string.h>
#include <strings.h>

#include "format/table.h"

enum { DELETE = 64 }; /* set in a type until its row is complete */

/* Parses the text of an event, with quotes or, in files of others, without; an empty text is not an
 * event. */
static bool
take_event(struct trc_field f, struct trc_batch *b)
{
	const struct trc_field inner = trc_csv_unquote(f);
	const bool quoted = inner.p != f.p;
	const uint8_t *p = inner.p, *e = inner.p + inner.len;
	char text[TRC_EVENT_MOST];
	size_t len = 0;

	b->event[b->n] = 0;
	if (p == e)
		return true;
	for (; p < e; p++) {
		if (*p == 0 || len == sizeof(text) || (*p == '"' && (!quoted || ++p == e)))
			return false;
		text[len++] = (char)*p;
	}
	trc_batch_put_event(b, b->n, text, len);
	return true;
}

static bool
store(struct trc_batch *b, enum trc_column c, uint64_t v)
{
	const size_t width = trc_column[c].width;
	void *at = trc_batch_column(b, c);

	switch (width) {
	case 1: ((uint8_t *)at)[b->n] = (uint8_t)v; break;
	case 4: ((uint32_t *)at)[b->n] = (uint32_t)v; break;
	default: ((uint64_t *)at)[b->n] = v; break;
	}
	return v <= UINT64_MAX >> (64 - 8 * width);
}

/* Returns the stored value of a column. */
static uint64_t
stored(const struct trc_batch *b, enum trc_column c)
{
	const void *at = trc_batch_column(b, c);

	return trc_column[c].width == 1 ? ((const uint8_t *)at)[b->n] :
	       trc_column[c].width == 4 ? ((const uint32_t *)at)[b->n] :
	                                  ((const uint64_t *)at)[b->n];
}

/* Clears the columns of `n` rows that are sums of fields. */
static void
clear_sums(const struct trc_csv_fields *s, struct trc_batch *b, size_t n)
{
	for (uint32_t left = s->sums; left; left &= left - 1) {
		const enum trc_column c = (enum trc_column)trc_ctz64(left);
		const size_t width = trc_column[c].width;

		memset((uint8_t *)trc_batch_column(b, c) + width * b->n, 0, width * n);
	}
}

/* Parses a number in another unit, or a text that is hashed; `j` is the index of the field. The
 * texts of a space are hashed one after another. */
static bool
take_scaled(const struct trc_csv_fields *s, struct trc_field f, size_t j, struct trc_batch *b)
{
	const enum trc_column c = (enum trc_column)(s->field[j] - 1);
	const uint64_t sum = s->sums >> c & 1 ? stored(b, c) : 0;
	const uint64_t factor = s->unit[j].factor ? s->unit[j].factor : 1;
	uint64_t v;

	if (s->hashed >> j & 1) {
		(void)store(b, c,
		            c == TRC_COL_ASID ? trc_csv_hash(f, sum) :
		                                sum + trc_csv_hash(f, 0) * factor);
		return f.len > 0;
	}
	if (f.len == 0 && s->optional >> j & 1)
		return store(b, c, sum);
	if (c == TRC_COL_TTL && f.len > 1 && *f.p == '-') /* a negative one is none */
		return store(b, c, sum);
	return trc_csv_number(s, j, f, &v) == TRC_NUMBER_WHOLE &&
	       (v <= UINT64_MAX - sum || s->hashed) && store(b, c, sum + v);
}

/* Parses a type, and adds DELETE if another word or a code stands for an invalidate: that applies
 * to a key, even if the value has no size, and not to the whole cache. */
static bool
take_type(const struct trc_codes *codes, struct trc_field f, uint8_t *type)
{
	const char *word = trc_type_name[TRC_INVALIDATE];
	const size_t len = strlen(word);

	if (!trc_csv_take_type(codes, f, type))
		return false;
	if ((*type & TRC_TYPE_MASK) == TRC_INVALIDATE &&
	    (f.len < len || strncasecmp((const char *)f.p + f.len - len, word, len) != 0))
		*type |= DELETE;
	return true;
}

static bool
take(const struct trc_csv_fields *s, struct trc_field f, size_t j, struct trc_batch *b)
{
	const enum trc_column c = (enum trc_column)(s->field[j] - 1);

	if (c == TRC_COL_EVENT)
		return take_event(f, b);
	f = trc_csv_unquote(f);
	if (c == TRC_COL_TYPE)
		return take_type(&s->codes, f, &b->type[b->n]);
	return take_scaled(s, f, j, b);
}

/* Returns true if the values of a field are stored unchanged. */
static bool
is_plain(const struct trc_csv_fields *s, size_t j)
{
	const uint32_t other = s->sums | (s->base ? TRC_CSV_HEX : 0);

	return !*s->prefix && s->unit[j].factor == 0 && s->unit[j].divisor == 0 &&
	       !((s->hashed | s->optional) >> j & 1) && !(other >> (s->field[j] - 1) & 1);
}

/* Parses the number of a field without blanks, and moves *s past its comma. Returns false if it is
 * anything else. */
static TRC_ALWAYS_INLINE bool
take_number(const uint8_t **s, const uint8_t *e, uint8_t by, uint64_t *v)
{
	const uint8_t *p = *s;
	const bool hex = e - p > 2 && p[0] == '0' && p[1] == 'x';

	p += hex ? 2 : 0;
	if (!(hex ? trc_text_take_hex(&p, e, v) : trc_text_take_dec(&p, e, v)) ||
	    (p < e && *p != by))
		return false;
	*s = p + 1;
	return true;
}

/* Does the same for the three most frequent words of types, with commas. */
static TRC_ALWAYS_INLINE bool
take_word(const uint8_t **s, const uint8_t *e, uint8_t by, uint8_t *type)
{
	const uint8_t *p = *s;

	if (e - p < 6 || by != ',')
		return false;
	if (memcmp(p, "read,", 5) == 0)
		*type = TRC_READ;
	else if (memcmp(p, "write,", 6) == 0)
		*type = TRC_WRITE;
	else if (memcmp(p, "fetch,", 6) == 0)
		*type = TRC_FETCH;
	else
		return false;
	*s = p + 6 - (*type == TRC_READ);
	return true;
}

static TRC_ALWAYS_INLINE bool
parse_field(const struct trc_csv_fields *how, size_t j, const uint8_t **s, const uint8_t *e,
            struct trc_batch *b)
{
	const enum trc_column c = (enum trc_column)(how->field[j] - 1);
	const uint8_t by = how->by;
	struct trc_field f;
	uint64_t v;

	if (c == TRC_COL_TYPE && how->codes.n == 0 && take_word(s, e, by, &b->type[b->n]))
		return true;
	if (c != TRC_COL_TYPE && c != TRC_COL_EVENT && is_plain(how, j) &&
	    take_number(s, e, by, &v))
		return store(b, c, v);
	f = trc_csv_next(s, e, by);
	return f.p && take(how, f, j, b);
}

/* Returns true if the type of a line is to be ignored, whatever its other fields are. */
static bool
is_ignored(const struct trc_csv_fields *s, const uint8_t *p, const uint8_t *e)
{
	struct trc_field f;
	uint8_t type;

	for (unsigned i = 0; i < s->n && (f = trc_csv_next(&p, e, s->by)).p; i++)
		if (s->field[i] == 1 + TRC_COL_TYPE)
			return trc_csv_take_type(&s->codes, trc_csv_unquote(f), &type) &&
			       type == TRC_CODE_IGNORED;
	return false;
}

/* Returns true if a line that ends before field `i` removes something, and has all fields that this
 * needs: then its size is 0. */
static bool
is_short_delete(const struct trc_csv_fields *s, unsigned i, struct trc_batch *b)
{
	bool typed = false;

	for (unsigned k = 0; k < s->n; k++) {
		typed |= k < i && s->field[k] == 1 + TRC_COL_TYPE;
		if (k >= i && s->field[k] && s->field[k] != 1 + TRC_COL_SIZE)
			return false;
	}
	return typed && b->type[b->n] == (TRC_INVALIDATE | DELETE) &&
	       (!b->size || store(b, TRC_COL_SIZE, 0));
}

static bool
parse_fields(const struct trc_csv_fields *s, const uint8_t *p, const uint8_t *e,
             struct trc_batch *b)
{
	bool event = false; /* other columns of events may occur while formats are tried */

	for (unsigned i = 0; i < s->n; i++) {
		event |= s->field[i] == 1 + TRC_COL_EVENT;
		if (p > e && s->optional >> i & 1) {
			(void)take_scaled(s, (struct trc_field){ p, 0 }, i, b);
			continue;
		}
		if (p > e && is_short_delete(s, i, b))
			break;
		if (s->field[i] ? !parse_field(s, i, &p, e, b) : !trc_csv_next(&p, e, s->by).p)
			return false;
	}
	/* A trailing comma is not a field. */
	if (s->named && p < e)
		return false;
	if (event && b->type && trc_batch_is_event(b, b->n) && b->type[b->n] != TRC_EVENT)
		return false;
	b->n += !b->type || b->type[b->n] != TRC_CODE_IGNORED;
	return true;
}

static bool
parse_line(struct trc_csv_fields *s, const uint8_t *p, const uint8_t *e, struct trc_batch *b)
{
	e = trc_csv_line_end(s->comment, p, e, s->by);
	if (trc_csv_is_passed(s, p, e))
		return true;
	clear_sums(s, b, 1);
	return parse_fields(s, p, e, b) || (s->codes.n > 0 && is_ignored(s, p, e));
}

/* Parses the types in column `j`; returns how many of `n` were valid. */
static size_t
types(const struct trc_csv_fields *s, const struct trc_table *t, size_t j, size_t n, uint8_t *type)
{
	/* Indexed by the low bits of the first letter; words of several letters are at 32 +
	 * that. */
#define WORD(text, len, type)                                   \
	{                                                       \
		text, UINT64_MAX >> (64 - 8 * (len)), len, type \
	}
	static const struct {
		char text[8];
		uint64_t mask;
		uint32_t len;
		uint8_t type;
	} known[64] = {
		['r' & 31] = WORD("r", 1, TRC_READ),
		['w' & 31] = WORD("w", 1, TRC_WRITE),
		['i' & 31] = WORD("i", 1, TRC_FETCH),
		[32 | ('r' & 31)] = WORD("read", 4, TRC_READ),
		[32 | ('w' & 31)] = WORD("write", 5, TRC_WRITE),
		[32 | ('f' & 31)] = WORD("fetch", 5, TRC_FETCH),
		[32 | ('m' & 31)] = WORD("modify", 6, TRC_MODIFY),
		[32 | ('p' & 31)] = WORD("prefetch", 8, TRC_PREFETCH),
	};
#undef WORD
	const uint32_t *mark = t->mark + j;

	for (size_t i = 0; i < n; i++, mark += t->fields) {
		const uint8_t *p = t->text + (uint32_t)(mark[0] + 1);
		const uint32_t len = mark[1] - (mark[0] + 1);
		const size_t k = (len > 1 ? 32 : 0) | (*p & 31);

		type[i] = known[k].type;
		if (TRC_UNLIKELY(s->codes.n ||
		                 (trc_le64(p) ^ trc_le64(known[k].text)) & known[k].mask ||
		                 len != known[k].len || len == 0) &&
		    (!take_type(&s->codes, (struct trc_field){ p, len }, &type[i]) ||
		     type[i] == TRC_CODE_IGNORED))
			return i;
	}
	return n;
}

/* Returns how many of `n` lines have no event; 0 if such lines are blank. */
static size_t
no_events(const struct trc_table *t, size_t j, size_t n, uint32_t *event)
{
	const uint32_t *mark = t->mark + j;
	size_t i;

	for (i = 0; i < n && t->fields > 1 && mark[0] + 1 == mark[1]; i++, mark += t->fields)
		event[i] = 0;
	return i;
}

/* Parses a column in other units, or of texts, for rows from b->n on; returns how many of `n` were
 * valid. */
static size_t
scaled(const struct trc_csv_fields *s, const struct trc_table *t, size_t j, size_t n,
       const struct trc_batch *b)
{
	struct trc_batch row = *b;

	for (size_t i = 0; i < n; i++, row.n++) {
		const uint32_t *mark = t->mark + i * t->fields + j;
		const struct trc_field f = { t->text + (uint32_t)(mark[0] + 1),
			                     mark[1] - (mark[0] + 1) };

		if (f.len == 0 ? !(s->optional >> j & 1) :
		                 f.p[0] == ' ' || f.p[f.len - 1] == ' ' || f.p[f.len - 1] == '\r')
			return i;
		if (!take_scaled(s, f, j, &row))
			return i;
	}
	return n;
}

/* Parses lines with the same number of fields, without blanks in numbers or quotes. */
static size_t
many(const struct trc_lines *l, size_t from, struct trc_batch *b, const void *how)
{
	const struct trc_csv_fields *s = l->state;
	struct trc_table t;
	size_t n;

	(void)how;
	if (s->skip || s->by == ' ' || s->by == TRC_CSV_ANY || s->only.field || s->except.field ||
	    trc_table_init(&t, l, from, s->by) == 0 || t.fields < s->n ||
	    (s->named && t.fields > s->n) || memchr(t.text, '"', t.mark[t.n * t.fields]))
		return 0;
	n = t.n;
	clear_sums(s, b, n);
	for (size_t j = 0; j < s->n; j++) {
		const enum trc_column c = (enum trc_column)(s->field[j] - 1);
		void *at;

		if (s->field[j] == 0)
			continue;
		at = (uint8_t *)trc_batch_column(b, c) + trc_column[c].width * b->n;
		n = c == TRC_COL_TYPE        ? types(s, &t, j, n, at) :
		    !is_plain(s, j)          ? scaled(s, &t, j, n, b) :
		    c == TRC_COL_EVENT       ? no_events(&t, j, n, at) :
		    trc_column[c].width == 1 ? trc_table_numbers1(&t, j, n, at) :
		    trc_column[c].width == 4 ? trc_table_numbers4(&t, j, n, at) :
		                               trc_table_numbers(&t, j, 0, n, at);
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
		return parse_line(s, l->text + trc_line_start(l, i), l->text + l->eol[i], b);
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

size_t
trc_csv_parse(const struct trc_lines *l, struct trc_batch *b)
{
	const struct trc_csv_fields *s = l->state;
	const size_t from = b->n;
	const size_t good = s->repeat ? repeated(l, b) :
	                                trc_lines_parse_many(l, b, many, one, NULL);

	for (size_t i = from; b->type && i < b->n; i++)
		if (TRC_UNLIKELY(b->type[i] & DELETE)) {
			b->type[i] &= (uint8_t)~DELETE;
			if (b->size && b->size[i] == 0)
				b->size[i] = 1;
		}
	if (good < l->n && b->cap > b->n && !s->layout)
		note_unknown(l, good);
	return good;
}
