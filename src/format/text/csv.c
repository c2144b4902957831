/* SPDX-License-Identifier: MIT
 *
 * Comma-separated values: any columns of a trace, named in the first line. The text form for eyes,
 * spreadsheets and golden files.
 *
 *   type,addr,size,time
 *   read,0x7ffe0010,8,1234
 *
 * Numbers are decimal, or hexadecimal after 0x; addresses, pages and the like are written so. Types
 * are words; those by the kernel have kernel- in front. The text of an event is quoted, quotes in
 * it doubled; the rows of references have nothing there. Files of others, whose columns have other
 * names or none, are read by these names, --from csv:time=ts,addr=lbn, or by the numbers of their
 * columns, from 1: --from csv:time=2,addr=5 and, if the first line is names, header. Fields that
 * are not named are passed over; a line of more fields than were named is refused. If the first
 * line has no comma, there may be semicolons between fields, or tabs. Names, types and numbers may
 * be in quotes, and a byte order mark before the names, as other programs write them. Not in the
 * format: line feeds in texts.
 */
#include <assert.h>
#include <stdio.h>

#include "format/text/csv_names.h"
#include "format/print.h"
#include "format/table.h"

static_assert(sizeof(struct trc_csv_fields) <= TRC_FORMAT_STATE, "fits the state of a format");
static_assert(sizeof(struct trc_csv_from) <= TRC_FORMAT_SETTINGS, "fits the settings of a format");

#define HEX (TRC_HAS_ADDR | TRC_HAS_PC | TRC_HAS_VPN | TRC_HAS_CPN | TRC_HAS_INSN | TRC_HAS_REGS)

static bool
first(void *state, const void *settings, const uint8_t *p, const uint8_t *e, uint32_t *have)
{
	return trc_csv_map(state, settings, p, e, have);
}

/* A text in quotes or, if others wrote the file, without; nothing is no event. */
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

static bool
take(struct trc_field f, enum trc_column c, struct trc_batch *b)
{
	uint64_t v;

	if (c == TRC_COL_EVENT)
		return take_event(f, b);
	f = trc_csv_unquote(f);
	if (c == TRC_COL_TYPE)
		return trc_csv_take_type(f, &b->type[b->n]);
	return trc_field_dec(f, UINT64_MAX, &v) && store(b, c, v);
}

/* The number of a field without blanks: moves *s behind its comma. False if it is another thing. */
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

/* Likewise for the three words that most types are, with commas. */
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
parse_field(enum trc_column c, const uint8_t **s, const uint8_t *e, uint8_t by, struct trc_batch *b)
{
	struct trc_field f;
	uint64_t v;

	if (c == TRC_COL_TYPE && take_word(s, e, by, &b->type[b->n]))
		return true;
	if (c != TRC_COL_TYPE && c != TRC_COL_EVENT && take_number(s, e, by, &v))
		return store(b, c, v);
	f = trc_csv_next(s, e, by);
	return f.p && take(f, c, b);
}

static bool
parse_line(const struct trc_csv_fields *s, const uint8_t *p, const uint8_t *e, struct trc_batch *b)
{
	e = trc_csv_end(p, e, s->by);
	if (p == e)
		return true;
	for (unsigned i = 0; i < s->n; i++)
		if (s->field[i] ?
		            !parse_field((enum trc_column)(s->field[i] - 1), &p, e, s->by, b) :
		            !trc_csv_next(&p, e, s->by).p)
			return false;
	/* A comma at the end is no field. */
	if (s->named && p < e)
		return false;
	if (b->type && trc_batch_is_event(b, b->n) && b->type[b->n] != TRC_EVENT)
		return false;
	b->n++;
	return true;
}

/* The types in column `j`: returns how many of `n` could be read. */
static size_t
types(const struct trc_table *t, size_t j, size_t n, uint8_t *type)
{
	/* By the low bits of the first letter, words of more than one at 32. */
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
		if (TRC_UNLIKELY((trc_le64(p) ^ trc_le64(known[k].text)) & known[k].mask ||
		                 len != known[k].len || len == 0) &&
		    !trc_csv_take_type((struct trc_field){ p, len }, &type[i]))
			return i;
	}
	return n;
}

/* Returns how many of `n` lines have no event; none where such lines are blank. */
static size_t
no_events(const struct trc_table *t, size_t j, size_t n, uint32_t *event)
{
	const uint32_t *mark = t->mark + j;
	size_t i;

	for (i = 0; i < n && t->fields > 1 && mark[0] + 1 == mark[1]; i++, mark += t->fields)
		event[i] = 0;
	return i;
}

/* Lines with as many fields each, no blanks in numbers, and nothing in quotes. */
static size_t
many(const struct trc_lines *l, size_t from, struct trc_batch *b, const void *how)
{
	const struct trc_csv_fields *s = l->state;
	struct trc_table t;
	size_t n;

	(void)how;
	if (s->skip || trc_table_init(&t, l, from, s->by) == 0 || t.fields < s->n ||
	    (s->named && t.fields > s->n) || memchr(t.text, '"', t.mark[t.n * t.fields]))
		return 0;
	n = t.n;
	for (size_t j = 0; j < s->n; j++) {
		const enum trc_column c = (enum trc_column)(s->field[j] - 1);
		void *at;

		if (s->field[j] == 0)
			continue;
		at = (uint8_t *)trc_batch_column(b, c) + trc_column[c].width * b->n;
		n = c == TRC_COL_TYPE        ? types(&t, j, n, at) :
		    c == TRC_COL_EVENT       ? no_events(&t, j, n, at) :
		    trc_column[c].width == 1 ? trc_table_numbers1(&t, j, n, at) :
		    trc_column[c].width == 4 ? trc_table_numbers4(&t, j, n, at) :
		                               trc_table_numbers(&t, j, 0, n, at);
	}
	b->n += n;
	return n;
}

/* Any line. */
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

static size_t
parse(const struct trc_lines *l, struct trc_batch *b)
{
	return trc_lines_parse_many(l, b, many, one, NULL);
}

/* What writing keeps. */
struct written {
	bool header;
};

static uint8_t *
put_header(uint8_t *dst, const struct trc_rows *r)
{
	struct written *w = r->state;
	char names[256];
	size_t len;

	if (w->header)
		return dst;
	w->header = true;
	trc_columns_text(r->have, names, sizeof(names));
	len = strlen(names);
	memcpy(dst, names, len);
	dst[len] = '\n';
	return dst + len + 1;
}

static uint8_t *
put_type(uint8_t *dst, uint8_t type)
{
	const char *name = trc_type_name[type & TRC_TYPE_MASK];

	if (type & TRC_KERNEL) {
		memcpy(dst, TRC_CSV_KERNEL, strlen(TRC_CSV_KERNEL));
		dst += strlen(TRC_CSV_KERNEL);
	}
	memcpy(dst, name, strlen(name));
	return dst + strlen(name);
}

static uint8_t *
put_event(uint8_t *dst, const char *text)
{
	*dst++ = '"';
	for (; *text; text++) {
		if (*text == '"')
			*dst++ = '"';
		*dst++ = (uint8_t)*text;
	}
	*dst++ = '"';
	return dst;
}

/* What row `i` of the rows to write cannot be written for; false if nothing. */
static bool
refuse(const struct trc_batch *b, size_t i, struct trc_err *err)
{
	if (b->type && !trc_type_known(b->type[i])) {
		trc_format_refuse_type("csv", b->type[i], err);
		return true;
	}
	return strchr(trc_batch_event(b, i), '\n') &&
	       trc_fail(err, "csv cannot hold a line feed in an event; --drop event");
}

static uint8_t *
put_value(uint8_t *dst, enum trc_column c, const void *at, size_t i)
{
	const uint64_t v = trc_column[c].width == 1 ? ((const uint8_t *)at)[i] :
	                   trc_column[c].width == 4 ? ((const uint32_t *)at)[i] :
	                                              ((const uint64_t *)at)[i];

	if (!(HEX >> c & 1))
		return trc_text_put_dec(dst, v);
	memcpy(dst, "0x", 2);
	return trc_text_put_hex(dst + 2, v);
}

static uint8_t *
print(struct trc_rows *r, uint8_t *dst, struct trc_err *err)
{
	const struct trc_batch *b = r->b;

	if (r->have == 0) {
		trc_fail(err, "csv has no line for a record of which no column is left");
		return NULL;
	}
	dst = put_header(dst, r);
	for (size_t i = r->i; i < r->stop; i++) {
		if (refuse(b, i, err)) {
			r->i = i;
			return NULL;
		}
		for (int c = 0; c < TRC_COLUMNS; c++) {
			if (!(b->have >> c & 1))
				continue;
			if (c == TRC_COL_TYPE)
				dst = put_type(dst, b->type[i]);
			else if (c != TRC_COL_EVENT)
				dst = put_value(dst, (enum trc_column)c,
				                trc_batch_column(b, (enum trc_column)c), i);
			else if (trc_batch_is_event(b, i))
				dst = put_event(dst, trc_batch_event(b, i));
			*dst++ = ',';
		}
		if (b->have == TRC_HAS_EVENT) /* a line with nothing in it is blank */
			*dst++ = '\n';
		else
			dst[-1] = '\n';
	}
	return dst;
}

/* A trace without rows has its names, too. */
static uint8_t *
end(const struct trc_rows *r, const struct trc_meta *meta, uint8_t *dst)
{
	(void)meta;
	return put_header(dst, r);
}

static const struct trc_opt opts[] = {
#define COLUMN(NAME, name, ctype, doc)    \
	{ 0,                              \
	  #name,                          \
	  "NAME|N",                       \
	  "its field, by name or number", \
	  TRC_OPT_FIELD,                  \
	  TRC_WORDS_NONE,                 \
	  offsetof(struct trc_csv_from, at) + sizeof(struct trc_opt_field) * TRC_COL_##NAME },
#include "batch/columns.def"
#undef COLUMN
	{ 0, "header", NULL, "the first line is names to pass over", TRC_OPT_FLAG, TRC_WORDS_NONE,
	  offsetof(struct trc_csv_from, header) },
	{ 0, "separator", TRC_CSV_SEPARATORS, "what is between fields", TRC_OPT_CHOICE,
	  TRC_WORDS_NONE, offsetof(struct trc_csv_from, separator) },
};

static const struct trc_format_args from = { opts, TRC_COUNT(opts) };

const struct trc_format trc_family_csv[] = {
	{
	        .name = "csv",
	        .doc = "comma-separated values, columns named in the first line",
	        .ending = ".csv",
	        .holds = TRC_HAS_ALL,
	        .line =
	                &(const struct trc_line_format){
	                        "type,addr,... with columns named in the first line, or --from csv:addr=N",
	                        parse, 0, first },
	        .print = &(const struct trc_print_format){ print, 1024, end },
	        .more = &(const struct trc_line_more){ .explain = trc_csv_explain },
	        .from = &from,
	        .check_from = trc_csv_check,
	        .suggest = trc_csv_suggest,
	},
	{ .name = NULL },
};
