/* SPDX-License-Identifier: MIT */
#include "format/columnar/columnar.h"

#include <stdio.h>
#include <stdlib.h>

#include "batch/type.h"
#include "format/csv/csv_guess.h"

static const char kernel[] = "kernel-"; /* prefix of the type of a kernel reference */

/* ---- writing ---- */

const char *
trc_columnar_word(unsigned i, char dst[TRC_COLUMNAR_WORD])
{
	snprintf(dst, TRC_COLUMNAR_WORD, "%s%s", i < TRC_TYPES ? "" : kernel,
	         trc_type_name[i % TRC_TYPES]);
	return dst;
}

static int
refuse(const char *format, const struct trc_batch *b, uint64_t before, struct trc_err *err)
{
	size_t i = 0;

	for (; i < b->n; i++) {
		if (b->type && !trc_type_known(b->type[i])) {
			trc_format_refuse_type(format, b->type[i], err);
			break;
		}
		if (trc_batch_is_event(b, i) && !trc_text_is_utf8(trc_batch_event(b, i))) {
			trc_fail(err,
			         "%s cannot hold an event that is not UTF-8; use --drop "
			         "event",
			         format);
			break;
		}
	}
	return i < b->n ? trc_err_in(err, "record %llu", (unsigned long long)(before + i + 1)) : 0;
}

int
trc_columnar_gather(const char *format, uint64_t before, struct trc_batch *rows,
                    const struct trc_batch *b, int (*full)(void *own, struct trc_err *err),
                    void *own, struct trc_err *err)
{
	enum { TEXTS_MOST = 16 << 20 }; /* in bytes; with more, the gathered rows are written */

	if (refuse(format, b, before + rows->n, err))
		return -1;
	for (size_t i = 0, n; i < b->n; i += n) {
		n = rows->cap - rows->n < b->n - i ? rows->cap - rows->n : b->n - i;
		trc_batch_append(rows, b, i, n);
		if (trc_batch_check(rows, err) ||
		    ((rows->n == rows->cap || rows->text_n > TEXTS_MOST) && full(own, err)))
			return -1;
	}
	return 0;
}

/* ---- tables with trace columns ---- */

enum { WORDS_KEPT = 64, WORD_MOST = 30 };

/* A source of rows for a table whose columns are those of a trace. */
struct columnar_source {
	struct trc_source src;
	struct trc_columnar *t;
	const char *name;       /* of the file */
	size_t at[TRC_COLUMNS]; /* index in the table of each column */
	uint64_t row, left;     /* rows read; rows that follow in this part of the file */
	struct {                /* cache of types, by a hash of their words */
		uint8_t len, type;
		char text[WORD_MOST];
	} word[WORDS_KEPT];
	struct trc_data cells;
};

static bool
take_word(struct columnar_source *s, struct trc_field f, uint8_t *type)
{
	const size_t hash = f.len ? (f.len * 8 + f.p[0] + f.p[f.len - 1]) % WORDS_KEPT : 0;
	const size_t len = strlen(kernel);
	struct trc_field bare = f;

	if (s->word[hash].len == f.len && memcmp(s->word[hash].text, f.p, f.len) == 0 && f.len) {
		*type = s->word[hash].type;
		return true;
	}
	if (f.len > len && memcmp(f.p, kernel, len) == 0)
		bare = (struct trc_field){ f.p + len, f.len - len };
	if (f.len > WORD_MOST || !trc_type_of((const char *)bare.p, bare.len, type))
		return false;
	*type |= bare.len < f.len ? TRC_KERNEL : 0;
	s->word[hash].len = (uint8_t)f.len;
	s->word[hash].type = *type;
	memcpy(s->word[hash].text, f.p, f.len);
	return true;
}

static int
fail_row(const struct columnar_source *s, const struct trc_batch *b, size_t i, struct trc_err *err)
{
	return trc_err_in(err, "%s: row %llu", s->name,
	                  (unsigned long long)(s->row + (i - b->n) + 1));
}

/* Stores an event, or none. */
static int
put_event(struct columnar_source *s, struct trc_batch *b, size_t i, struct trc_field f,
          struct trc_err *err)
{
	b->event[i] = 0;
	if (f.len > TRC_EVENT_MOST || memchr(f.p, 0, f.len))
		return trc_fail(err,
		                "an event has %zu bytes; at most %d are allowed, none of "
		                "them 0",
		                f.len, TRC_EVENT_MOST),
		       fail_row(s, b, i, err);
	if (f.len > 0)
		trc_batch_put_event(b, i, (const char *)f.p, f.len);
	return 0;
}

static int
put_type(struct columnar_source *s, struct trc_batch *b, size_t i, struct trc_field f,
         struct trc_err *err)
{
	if (take_word(s, f, &b->type[i]) && (!trc_batch_is_event(b, i) || b->type[i] == TRC_EVENT))
		return 0;
	trc_fail(err, "'%.*s' is not the type of a%s", (int)(f.len < 64 ? f.len : 64),
	         (const char *)f.p, trc_batch_is_event(b, i) ? "n event" : " reference");
	return fail_row(s, b, i, err);
}

/* Checks the numbers of the first `n` rows; returns 0 if all are valid. In rows of events, numbers
 * are ignored. */
static int
check_numbers(struct columnar_source *s, struct trc_batch *b, enum trc_column c, size_t n,
              struct trc_err *err)
{
	const bool has_sign = s->t->column[s->at[c]].kind == TRC_DATUM_SIGNED;
	const unsigned bits = 8 * (unsigned)trc_column[c].width;

	for (size_t i = 0; i < n; i++) {
		const uint64_t v = s->cells.cell[i].number;

		if (s->cells.nulls && s->cells.null[i]) {
			if (trc_batch_is_event(b, b->n + i))
				continue;
			trc_fail(err, "'%s' is null, but columns need a value in every row",
			         trc_column[c].name);
		} else if (has_sign && v >> 63) {
			trc_fail(err, "'%s' is %lld, which is negative", trc_column[c].name,
			         (long long)v);
		} else if (bits < 64 && v >> bits) {
			trc_fail(err, "'%s' is %llu, which does not fit %u bits",
			         trc_column[c].name, (unsigned long long)v, bits);
		} else {
			continue;
		}
		return fail_row(s, b, b->n + i, err);
	}
	return 0;
}

/* Stores numbers; nulls are 0. */
static int
put_numbers(struct columnar_source *s, struct trc_batch *b, enum trc_column c, size_t n,
            struct trc_err *err)
{
	const union trc_datum *cell = s->cells.cell;
	uint64_t all = 0;

	switch (trc_column[c].width) {
#define PUT(bits)                                                      \
	for (size_t i = 0; i < n; i++) {                               \
		((uint##bits##_t *)trc_batch_column(b, c))[b->n + i] = \
		        (uint##bits##_t)cell[i].number;                \
		all |= cell[i].number;                                 \
	}                                                              \
	break
	case 1: PUT(8);
	case 4: PUT(32);
	default: PUT(64);
#undef PUT
	}
	return s->cells.nulls || all >> (8 * trc_column[c].width - 1) ?
	               check_numbers(s, b, c, n, err) :
	               0;
}

static int
put_column(struct columnar_source *s, struct trc_batch *b, enum trc_column c, size_t n,
           struct trc_err *err)
{
	if (s->t->read_column(s->t, s->at[c], n, &s->cells, err))
		return -1;
	if (c != TRC_COL_TYPE && c != TRC_COL_EVENT)
		return put_numbers(s, b, c, n, err);
	for (size_t i = 0; i < n; i++) {
		const bool null = s->cells.nulls && s->cells.null[i];
		struct trc_field f = s->cells.cell[i].text;

		if (null)
			f = (struct trc_field){ (const uint8_t *)"", 0 };
		if (c == TRC_COL_EVENT) {
			if (put_event(s, b, b->n + i, f, err))
				return -1;
		} else if (null && trc_batch_is_event(b, b->n + i)) {
			b->type[b->n + i] = TRC_EVENT;
		} else if (put_type(s, b, b->n + i, f, err)) {
			return -1;
		}
	}
	return 0;
}

static enum trc_flow
columnar_next(struct trc_source *src, struct trc_batch *b, struct trc_err *err)
{
	struct columnar_source *s = (struct columnar_source *)src;

	while (b->n < b->cap) {
		size_t n = b->cap - b->n < TRC_COLUMNAR_ROWS ? b->cap - b->n : TRC_COLUMNAR_ROWS;

		if (s->left == 0 && s->t->next_rows(s->t, &s->left, err))
			return TRC_FLOW_FAILED;
		if (s->left == 0)
			break;
		n = s->left < n ? (size_t)s->left : n;
		/* Process the last column first: it shows which rows are events. */
		for (int c = TRC_COLUMNS; c-- > 0;)
			if (src->have >> c & 1 && put_column(s, b, (enum trc_column)c, n, err))
				return TRC_FLOW_FAILED;
		b->n += n;
		s->row += n;
		s->left -= n;
	}
	return b->n ? TRC_FLOW_ROWS : TRC_FLOW_END;
}

static void
columnar_close(struct trc_source *src)
{
	struct columnar_source *s = (struct columnar_source *)src;

	s->t->close(s->t);
	free(s);
}

/* Returns the trace columns that the table has, each once and of its kind; 0 if some table columns
 * are others. */
static uint32_t
find_columns(const struct trc_columnar *t, size_t at[TRC_COLUMNS])
{
	uint32_t have = 0;

	for (size_t i = 0; i < t->columns; i++) {
		const struct trc_columnar_column *k = &t->column[i];
		const uint32_t bit = trc_column_bit((const char *)k->name.p, k->name.len);
		const bool text = bit & (TRC_HAS_TYPE | TRC_HAS_EVENT);

		if (!bit || have & bit ||
		    (text ? k->kind != TRC_DATUM_TEXT :
		            k->kind != TRC_DATUM_UNSIGNED && k->kind != TRC_DATUM_SIGNED))
			return 0;
		have |= bit;
		at[trc_ctz64(bit)] = i;
	}
	return have;
}

/* ---- all other tables, as comma-separated values ---- */

/* The rows as text, after a line of names. */
struct text_stream {
	struct trc_stream stream;
	struct trc_columnar *t;
	const char *name; /* of the file */
	size_t columns;   /* the first columns, at most as many as csv can have fields */
	bool wanted[TRC_CSV_FIELDS_MOST];
	struct trc_data *cells;
	struct trc_buf text;
	size_t given;
	uint64_t left, rows; /* of the group; before the text */
};

/* Writes a text, in quotes if it would be read differently without. */
static int
put_text(struct trc_buf *to, struct trc_field f, struct trc_err *err)
{
	bool bare = true;

	if (memchr(f.p, '\n', f.len) || memchr(f.p, 0, f.len))
		return trc_fail(err, "a text has a line feed or a NUL; write the table without it");
	for (size_t i = 0; i < f.len; i++)
		bare &= f.p[i] > ' ' && !strchr("\",;", f.p[i]);
	if (bare)
		return trc_buf_put(to, f.p, f.len, err);
	if (trc_buf_room(to, 2 * f.len + 2, err))
		return -1;
	trc_buf_byte(to, '"');
	for (size_t i = 0; i < f.len; i++) {
		if (f.p[i] == '"')
			trc_buf_byte(to, '"');
		trc_buf_byte(to, f.p[i]);
	}
	trc_buf_byte(to, '"');
	return 0;
}

/* Prints the shortest digits that give this number. */
static size_t
print_real(uint64_t bits, char *dst, size_t room)
{
	double v, back;
	int n = 0;

	memcpy(&v, &bits, sizeof(v));
	for (int digits = 15; digits <= 17; digits++) {
		n = snprintf(dst, room, "%.*g", digits, v);
		back = strtod(dst, NULL);
		if (memcmp(&back, &v, sizeof(v)) == 0)
			break;
	}
	return (size_t)n;
}

static int
put_cell(struct trc_buf *to, const struct trc_columnar_column *k, const union trc_datum *cell,
         struct trc_err *err)
{
	char text[64];
	size_t n;

	if (k->kind == TRC_DATUM_TEXT)
		return put_text(to, cell->text, err);
	if (k->kind == TRC_DATUM_UNSIGNED ||
	    (k->kind == TRC_DATUM_SIGNED && !(cell->number >> 63))) {
		if (trc_buf_room(to, 20, err))
			return -1;
		to->n = (size_t)(trc_text_put_dec(to->p + to->n, cell->number) - to->p);
		return 0;
	}
	n = k->kind == TRC_DATUM_REAL ?
	            print_real(cell->number, text, sizeof(text)) :
	            (size_t)snprintf(text, sizeof(text), "%lld", (long long)cell->number);
	return trc_buf_put(to, text, n, err);
}

static int
put_names(struct text_stream *s, struct trc_err *err)
{
	for (size_t c = 0; c < s->columns; c++)
		if (put_text(&s->text, s->t->column[c].name, err) ||
		    trc_buf_put_byte(&s->text, c + 1 < s->columns ? ',' : '\n', err))
			return trc_err_in(err, "%s: name of column %zu", s->name, c + 1);
	return 0;
}

/* Appends some rows to the text; none at the end. */
static int
put_rows(struct text_stream *s, struct trc_err *err)
{
	size_t n;

	if (s->left == 0 && s->t->next_rows(s->t, &s->left, err))
		return -1;
	n = s->left < TRC_COLUMNAR_ROWS ? (size_t)s->left : TRC_COLUMNAR_ROWS;
	s->left -= n;
	for (size_t c = 0; n > 0 && c < s->columns; c++)
		if (s->wanted[c] && s->t->read_column(s->t, c, n, &s->cells[c], err))
			return -1;
	for (size_t i = 0; i < n; i++)
		for (size_t c = 0; c < s->columns; c++) {
			const struct trc_data *k = &s->cells[c];

			if (s->wanted[c] && !(k->nulls && k->null[i]) &&
			    put_cell(&s->text, &s->t->column[c], &k->cell[i], err))
				return trc_err_in(err, "%s: row %llu, column %zu", s->name,
				                  (unsigned long long)(s->rows + i + 1), c + 1);
			if (trc_buf_put_byte(&s->text, c + 1 < s->columns ? ',' : '\n', err))
				return -1;
		}
	s->rows += n;
	return 0;
}

static int
text_read(struct trc_stream *stream, uint8_t *dst, size_t cap, size_t *got, struct trc_err *err)
{
	struct text_stream *s = (struct text_stream *)stream;

	if (s->given == s->text.n) {
		s->given = s->text.n = 0;
		if (put_rows(s, err))
			return -1;
	}
	*got = s->text.n - s->given < cap ? s->text.n - s->given : cap;
	if (*got > 0)
		memcpy(dst, s->text.p + s->given, *got);
	s->given += *got;
	return 0;
}

static void
text_close(struct trc_stream *stream)
{
	struct text_stream *s = (struct text_stream *)stream;

	if (s->t)
		s->t->close(s->t);
	trc_buf_release(&s->text);
	free(s->cells);
	free(s);
}

/* Fails because the names are insufficient, and proposes a way to read the table. */
static int
refuse_names(const struct text_stream *s, struct trc_err *err)
{
	struct trc_reading r[TRC_READINGS];
	char from[sizeof(r->from) + 32];

	trc_fail(err,
	         "%s: its columns do not have the names of trace columns; assign them with --from "
	         "%s:addr=NAME,time=NAME",
	         s->name, s->t->format);
	if (trc_csv_guess(s->text.p, s->text.n, r) && strncmp(r->from, "csv:", 4) == 0) {
		snprintf(from, sizeof(from), "%s%.220s", s->t->format, r->from + 3);
		trc_err_reading(err, r->what, from);
	}
	return -1;
}

/* Determines which columns are needed, by the names in the first line. */
static int
find_wanted(struct text_stream *s, const struct trc_csv_from *from, struct trc_err *err)
{
	struct trc_csv_fields f = { .n = 0 };
	uint32_t have;

	if (!trc_csv_map(&f, from, s->text.p, s->text.p + s->text.n - 1, &have)) {
		for (size_t c = 0; c < s->columns; c++)
			s->wanted[c] = s->t->column[c].kind != TRC_DATUM_UNREADABLE;
		if (*f.missing || f.twice)
			return 0;
		return put_rows(s, err) ? -1 : refuse_names(s, err);
	}
	for (size_t c = 0; c < s->columns; c++) {
		const struct trc_columnar_column *k = &s->t->column[c];

		s->wanted[c] = f.field[c] || f.repeat == c + 1;
		if (s->wanted[c] && k->kind == TRC_DATUM_UNREADABLE)
			return trc_fail(
			        err,
			        "%s: column '%.*s' is a list, a struct, a decimal or wider than "
			        "64 bits; cast it to a number or a text",
			        s->name, (int)(k->name.len < 64 ? k->name.len : 64),
			        (const char *)k->name.p);
	}
	return 0;
}

static struct trc_source *
open_text(struct trc_columnar *t, const struct trc_in *in, const struct trc_csv_from *from,
          struct trc_err *err)
{
	struct text_stream *s = trc_alloc(1, sizeof(*s), err);
	struct trc_in *text;
	struct trc_source *src;

	if (!s)
		return NULL;
	s->stream = (struct trc_stream){ .read = text_read, .close = text_close };
	s->t = t;
	s->name = in->name;
	s->columns = t->columns < TRC_CSV_FIELDS_MOST ? t->columns : TRC_CSV_FIELDS_MOST;
	s->cells = trc_alloc_room(s->columns + 1, sizeof(*s->cells), err);
	if (!s->cells || put_names(s, err) || find_wanted(s, from, err) ||
	    !(text = trc_in_stream(&s->stream, in->name, err))) {
		s->t = NULL;
		text_close(&s->stream);
		return NULL;
	}
	src = trc_lines_source(trc_family_csv, text, from, err);
	if (!src) {
		s->t = NULL;
		trc_in_close(text);
	}
	return src;
}

static const struct trc_csv_from as_named; /* no arguments */

int
trc_columnar_check(const void *settings, struct trc_err *err)
{
	const struct trc_csv_from *from = settings;

	if (from->header || from->hex || from->comment.n || from->separator)
		return trc_fail_as(err, TRC_USAGE,
		                   "header, hex, comment and separator are for csv only");
	return trc_csv_check(settings, err);
}

struct trc_source *
trc_columnar_source(struct trc_columnar *t, const struct trc_in *in, const void *settings,
                    struct trc_err *err)
{
	const bool named = memcmp(settings, &as_named, sizeof(as_named)) == 0;
	struct trc_csv_from from = *(const struct trc_csv_from *)settings;
	struct columnar_source *s = trc_alloc(1, sizeof(*s), err);

	if (!s)
		return NULL;
	s->src.have = named ? find_columns(t, s->at) : 0;
	if (!named && t->columns == 0) {
		free(s);
		trc_fail(err, "%s: has no columns", in->name);
		return NULL;
	}
	if (s->src.have == 0 && t->columns > 0) {
		free(s);
		from.header = !named;
		return open_text(t, in, &from, err);
	}
	s->src.next = columnar_next;
	s->src.close = columnar_close;
	s->src.meta.rows = t->rows;
	s->t = t;
	s->name = in->name;
	return &s->src;
}
