/* SPDX-License-Identifier: MIT
 *
 * Parses one line of a table.
 */
#include "format/csv/csv_row.h"

#include <string.h>
#include <strings.h>

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

void
trc_csv_begin_rows(const struct trc_csv_fields *s, struct trc_batch *b, size_t n)
{
	for (uint32_t left = s->sums; left; left &= left - 1) {
		const enum trc_column c = (enum trc_column)trc_ctz64(left);
		const size_t width = trc_column[c].width;

		memset((uint8_t *)trc_batch_column(b, c) + width * b->n, 0, width * n);
	}
	if (s->fetches)
		memset(b->type + b->n, TRC_FETCH, n);
}

bool
trc_csv_take_outcome(struct trc_field f, uint8_t *branch)
{
	static const char *const words[][2] = { { "N", "T" },           { "0", "1" },
		                                { "NT", "TAKEN" },      { "not-taken", "true" },
		                                { "not_taken", "yes" }, { "nottaken", "" },
		                                { "false", "" },        { "no", "" } };

	for (size_t i = 0; i < 2 * TRC_COUNT(words); i++) {
		const char *word = words[i / 2][i % 2];

		if (f.len == strlen(word) && strncasecmp((const char *)f.p, word, f.len) == 0) {
			*branch = TRC_BRANCH | (i % 2 ? TRC_BRANCH_TAKEN : 0);
			return f.len > 0;
		}
	}
	return false;
}

bool
trc_csv_take_scaled(const struct trc_csv_fields *s, struct trc_field f, size_t j,
                    struct trc_batch *b)
{
	const enum trc_column c = (enum trc_column)(s->field[j] - 1);
	const uint64_t sum = s->sums >> c & 1 ? stored(b, c) : 0;
	const uint64_t factor = s->unit[j].factor ? s->unit[j].factor : 1;
	uint64_t v;

	if (s->outcomes && c == TRC_COL_BRANCH)
		return trc_csv_take_outcome(f, &b->branch[b->n]);
	if (s->hashed >> j & 1) {
		(void)store(b, c,
		            c == TRC_COL_ASID ? trc_csv_hash(f, sum) :
		                                sum + trc_csv_hash(f, 0) * factor);
		return f.len > 0 && !memchr(f.p, 0, f.len);
	}
	if (trc_csv_is_none(s, j, f))
		return store(b, c, sum);
	if (trc_csv_number(s, j, f, &v) != TRC_NUMBER_WHOLE)
		return false;
	if (s->ends && c == TRC_COL_SIZE) {
		const uint64_t most = UINT32_MAX, last = s->ends == 2 ? factor : 0;

		return v >= b->addr[b->n] && v - b->addr[b->n] <= most &&
		       v - b->addr[b->n] + last > 0 && store(b, c, v - b->addr[b->n] + last);
	}
	return (v <= UINT64_MAX - sum || s->hashed) && store(b, c, sum + v);
}

bool
trc_csv_take_row_type(const struct trc_codes *codes, struct trc_field f, uint8_t *type)
{
	const char *word = trc_type_name[TRC_INVALIDATE];
	const size_t len = strlen(word);

	if (!trc_csv_take_type(codes, f, type))
		return false;
	if ((*type & TRC_TYPE_MASK) == TRC_INVALIDATE &&
	    (f.len < len || strncasecmp((const char *)f.p + f.len - len, word, len) != 0))
		*type |= TRC_CSV_DELETE;
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
		return trc_csv_take_row_type(&s->codes, f, &b->type[b->n]);
	return trc_csv_take_scaled(s, f, j, b);
}

bool
trc_csv_is_plain(const struct trc_csv_fields *s, size_t j)
{
	const uint32_t other = s->sums | (s->base ? TRC_CSV_HEX : 0) |
	                       (s->outcomes ? TRC_HAS_BRANCH : 0);

	return !*s->prefix && !(s->ends && s->field[j] == 1 + TRC_COL_SIZE) &&
	       s->unit[j].factor == 0 && s->unit[j].divisor == 0 &&
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
	if (c != TRC_COL_TYPE && c != TRC_COL_EVENT && trc_csv_is_plain(how, j) &&
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
	return typed && b->type[b->n] == (TRC_INVALIDATE | TRC_CSV_DELETE) &&
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
			(void)trc_csv_take_scaled(s, (struct trc_field){ p, 0 }, i, b);
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

bool
trc_csv_parse_row(struct trc_csv_fields *s, const uint8_t *p, const uint8_t *e, struct trc_batch *b)
{
	const size_t n = b->n, commented = s->commented;

	e = trc_csv_line_end(s->comment, p, e, s->by);
	if (!trc_csv_is_passed(s, p, e)) {
		trc_csv_begin_rows(s, b, 1);
		if (!parse_fields(s, p, e, b) && !(s->codes.n > 0 && is_ignored(s, p, e)))
			return false;
	}
	return b->n > n || s->commented > commented || !trc_csv_unshown(p, e);
}
