/* SPDX-License-Identifier: MIT
 *
 * Reads an Arrow stream, one message at a time. A message stays in the window of the input until
 * all of its rows were taken; dictionaries are copied.
 */
#include "format/columnar/arrow.h"

#include <stdlib.h>

#include "format/columnar/arrow_rows.h"

enum { HEAD_MOST = 1 << 28, FILL = 1 << 20 };

/* The reader: its schema, and the current batch. */
struct reader {
	struct trc_columnar t;
	struct trc_in *in;
	uint64_t pending; /* bytes of the window that hold the rows of the batch */
	struct trc_columnar_column *column;
	struct trc_arrow_column *c;
	struct trc_buf schema; /* with the names */
	struct trc_arrow_rows rows;
};

static int
fail_here(const struct reader *r, struct trc_err *err)
{
	return trc_err_in(err, "%s: byte %llu", r->in->name,
	                  (unsigned long long)trc_in_offset(r->in));
}

/* ---- messages ---- */

/* Makes the window have `n` bytes. It grows as bytes arrive, since a damaged file may give any
 * length. */
static int
fill(struct reader *r, uint64_t n, struct trc_err *err)
{
	for (uint64_t want = FILL;; want *= 2) {
		const size_t some = (size_t)(want < n ? want : n);

		if (trc_in_fill(r->in, some, err))
			return trc_err_in(err, "%s", r->in->name);
		if ((size_t)(r->in->end - r->in->p) < some)
			return trc_fail(err, "a message of %llu bytes is truncated",
			                (unsigned long long)n),
			       fail_here(r, err);
		if (some == n)
			return 0;
	}
}

/* Parses the next message: sets *m to its table and `body` to what follows; *kind is 0 at the
 * end. */
static int
next_message(struct reader *r, struct trc_flatbuffer *m, struct trc_view *body, unsigned *kind,
             struct trc_err *err)
{
	uint64_t head, len;

	r->in->p += r->pending;
	r->pending = 0;
	*kind = 0;
	if (trc_in_fill(r->in, 8, err))
		return trc_err_in(err, "%s", r->in->name);
	if (r->in->p == r->in->end)
		return 0;
	if (fill(r, 8, err))
		return -1;
	head = trc_le32(r->in->p + 4);
	if (trc_le32(r->in->p) != TRC_ARROW_CONTINUED || head > HEAD_MOST)
		return trc_fail(err, "expected the start of a message: ffffffff and a length"),
		       fail_here(r, err);
	if (head == 0) /* in a file, the footer may follow */
		return 0;
	if (fill(r, 8 + head, err))
		return -1;
	if (!trc_flatbuffer_root(r->in->p + 8, (size_t)head, m) ||
	    (len = trc_flatbuffer_number(m, TRC_ARROW_MESSAGE_BODY, 8, 0)) > INT64_MAX - head - 8)
		return trc_fail(err, "the metadata of a message is damaged"), fail_here(r, err);
	r->pending = 8 + head + len;
	if (r->pending > SIZE_MAX || fill(r, r->pending, err))
		return -1;
	if (!trc_flatbuffer_root(r->in->p + 8, (size_t)head, m)) /* the window may have moved */
		return -1;
	*kind = (unsigned)trc_flatbuffer_number(m, 1, 1, 0);
	*body = (struct trc_view){ r->in->p + 8 + head, r->in->p + r->pending };
	return 0;
}

/* ---- the schema ---- */

static bool
set_type(const struct trc_flatbuffer *field, struct trc_arrow_column *c, enum trc_datum_kind *kind)
{
	static const uint8_t float_bytes[] = { 2, 4, 8 };
	struct trc_flatbuffer type;
	uint64_t bits, precision;

	c->type = (unsigned)trc_flatbuffer_number(field, 2, 1, 0);
	c->buffers = 2;
	*kind = TRC_DATUM_UNREADABLE;
	if (!trc_flatbuffer_table(field, 3, &type))
		return false;
	switch (c->type) {
	case TRC_ARROW_INT:
		bits = trc_flatbuffer_number(&type, 0, 4, 0);
		c->bytes = (unsigned)bits / 8;
		*kind = trc_flatbuffer_number(&type, 1, 1, 0) ? TRC_DATUM_SIGNED :
		                                                TRC_DATUM_UNSIGNED;
		return bits == 8 || bits == 16 || bits == 32 || bits == 64;
	case TRC_ARROW_FLOAT:
		precision = trc_flatbuffer_number(&type, 0, 2, 0);
		c->bytes = precision < 3 ? float_bytes[precision] : 0;
		*kind = c->bytes > 2 ? TRC_DATUM_REAL : TRC_DATUM_UNREADABLE;
		return c->bytes > 0;
	case TRC_ARROW_TIMESTAMP:
	case TRC_ARROW_DURATION:
		c->bytes = 8;
		*kind = TRC_DATUM_SIGNED;
		return true;
	case TRC_ARROW_BOOL: *kind = TRC_DATUM_UNSIGNED; return true;
	case TRC_ARROW_BINARY:
	case TRC_ARROW_UTF8:
	case TRC_ARROW_LARGE_BINARY:
	case TRC_ARROW_LARGE_UTF8:
		c->bytes = c->type >= TRC_ARROW_LARGE_BINARY ? 8 : 4;
		c->buffers = 3;
		*kind = TRC_DATUM_TEXT;
		return true;
	case TRC_ARROW_BINARY_VIEW:
	case TRC_ARROW_UTF8_VIEW: *kind = TRC_DATUM_TEXT; return true;
	/* Decimals, dates, times, intervals and fixed-size bytes are skipped. */
	case 7:
	case 8:
	case 9:
	case 11:
	case 15: return true;
	default: return false;
	}
}

static bool
set_column(struct reader *r, size_t i, const struct trc_flatbuffer *field)
{
	struct trc_columnar_column *column = &r->column[i];
	struct trc_arrow_column *c = &r->c[i];
	struct trc_flatbuffer dictionary, type;

	if (!trc_flatbuffer_text(field, 0, &column->name) || !set_type(field, c, &column->kind))
		return false;
	c->dictionary = i;
	if (!trc_flatbuffer_table(field, 4, &dictionary))
		return true;
	c->id = (int64_t)trc_flatbuffer_number(&dictionary, 0, 8, 0);
	c->place = trc_flatbuffer_table(&dictionary, 1, &type) ?
	                   (unsigned)trc_flatbuffer_number(&type, 0, 4, 0) / 8 :
	                   4;
	for (size_t k = i; k-- > 0;)
		if (r->c[k].place && r->c[k].id == c->id)
			c->dictionary = k;
	return c->place == 1 || c->place == 2 || c->place == 4 || c->place == 8;
}

static int
read_schema(struct reader *r, struct trc_err *err)
{
	struct trc_flatbuffer message, schema, field;
	struct trc_view body, list;
	unsigned kind;
	size_t n;

	if (trc_in_fill(r->in, 8, err))
		return trc_err_in(err, "%s", r->in->name);
	if (r->in->end - r->in->p >= 8 && memcmp(r->in->p, TRC_ARROW_FILE, 8) == 0)
		r->in->p += 8;
	if (next_message(r, &message, &body, &kind, err))
		return -1;
	if (kind != TRC_ARROW_SCHEMA)
		return trc_fail(err, "%s: not an Arrow stream, which begins with a schema",
		                r->in->name);
	/* Keep the message, since the names point into it. */
	if (trc_buf_put(&r->schema, message.p, message.n, err))
		return -1;
	if (!trc_flatbuffer_root(r->schema.p, r->schema.n, &message) ||
	    !trc_flatbuffer_table(&message, TRC_ARROW_MESSAGE_HEADER, &schema) ||
	    !trc_flatbuffer_list(&schema, 1, 4, &list) ||
	    trc_flatbuffer_number(&schema, 0, 2, 0) != 0)
		return trc_fail(err, "%s: the schema is damaged, or of big-endian values",
		                r->in->name);
	n = (size_t)(list.end - list.p) / 4;
	r->column = trc_alloc(n + 1, sizeof(*r->column), err);
	r->c = r->column ? trc_alloc(n + 1, sizeof(*r->c), err) : NULL;
	if (!r->c)
		return -1;
	r->t.column = r->column;
	for (; r->t.columns < n; r->t.columns++)
		if (!trc_flatbuffer_entry(&schema, &list, r->t.columns, &field) ||
		    !set_column(r, r->t.columns, &field))
			return trc_fail(err,
			                "%s: column %zu is nested, or of an unsupported type; "
			                "write the table without it",
			                r->in->name, r->t.columns + 1);
	return 0;
}

/* ---- columns ---- */

static int
read_column(struct trc_columnar *t, size_t i, size_t n, struct trc_data *to, struct trc_err *err)
{
	struct reader *r = (struct reader *)t;
	struct trc_arrow_column *c = &r->c[i];

	trc_arrow_nulls(&r->rows, c, n, to);
	if (c->place ? !trc_arrow_places(&r->rows, c, &r->c[c->dictionary], n, to) :
	               !trc_arrow_values(&r->rows, c, t->column[i].kind, n, to))
		return trc_fail(err, "column '%.*s' has an invalid text or dictionary index",
		                (int)(t->column[i].name.len < 64 ? t->column[i].name.len : 64),
		                (const char *)t->column[i].name.p),
		       fail_here(r, err);
	for (size_t k = 0; to->nulls && k < n; k++)
		if (to->null[k])
			to->cell[k].number = 0;
	c->at += n;
	return 0;
}

/* ---- dictionaries, rows ---- */

/* Copies the texts of a dictionary, which were in the window or decompressed. */
static int
keep_words(struct trc_arrow_column *c, struct trc_err *err)
{
	enum { MOST = 1 << 30 };
	size_t bytes = 0;

	for (size_t i = 0; i < c->words; i++) {
		bytes += c->word[i].text.len;
		if (bytes > MOST)
			return trc_fail(err, "a dictionary of more than 1 GiB");
	}
	c->body.n = 0;
	if (trc_buf_room(&c->body, bytes + 1, err))
		return -1;
	for (size_t i = 0; i < c->words; i++) {
		struct trc_field *f = &c->word[i].text;

		memcpy(c->body.p + c->body.n, f->p, f->len);
		f->p = c->body.p + c->body.n;
		c->body.n += f->len;
	}
	return 0;
}

/* Makes the values of column `i` its dictionary. */
static int
take_words(struct reader *r, size_t i, uint64_t n, struct trc_err *err)
{
	const enum trc_datum_kind kind = r->column[i].kind;
	struct trc_arrow_column *c = &r->c[i];
	struct trc_data data;

	if (trc_grow(&c->word, &c->words_cap, (size_t)n + 1, sizeof(*c->word), err))
		return -1;
	c->words = 0;
	for (size_t some; c->words < n; c->words += some, c->at += some) {
		some = n - c->words < TRC_COLUMNAR_ROWS ? (size_t)(n - c->words) :
		                                          TRC_COLUMNAR_ROWS;
		trc_arrow_nulls(&r->rows, c, some, &data);
		if (data.nulls || !trc_arrow_values(&r->rows, c, kind, some, &data))
			return trc_fail(err, "a dictionary has a null or missing word");
		memcpy(c->word + c->words, data.cell, some * sizeof(*c->word));
	}
	return kind == TRC_DATUM_TEXT ? keep_words(c, err) : 0;
}

static int
take_dictionary(struct reader *r, const struct trc_flatbuffer *message, const struct trc_view *body,
                struct trc_err *err)
{
	struct trc_flatbuffer dictionary, head;
	size_t i = 0;
	uint64_t n;

	if (!trc_flatbuffer_table(message, TRC_ARROW_MESSAGE_HEADER, &dictionary) ||
	    !trc_flatbuffer_table(&dictionary, 1, &head) ||
	    !trc_flatbuffer_list(&head, 4, 8, &r->rows.views))
		return trc_fail(err, "the head of a dictionary is damaged");
	if (trc_flatbuffer_number(&dictionary, 2, 1, 0))
		return trc_fail(err, "a growing dictionary is not supported");
	while (i < r->t.columns &&
	       !(r->c[i].place &&
	         r->c[i].id == (int64_t)trc_flatbuffer_number(&dictionary, 0, 8, 0)))
		i++;
	if (i == r->t.columns || r->column[i].kind == TRC_DATUM_UNREADABLE)
		return 0;
	n = trc_flatbuffer_number(&head, 0, 8, 0);
	if (trc_arrow_find(&r->rows, &head, body, err))
		return -1;
	if (!trc_arrow_place(&r->rows, &r->c[i], true, n))
		return trc_fail(err, "a dictionary of %llu words is damaged",
		                (unsigned long long)n);
	return take_words(r, i, n, err);
}

static int
take_rows(struct reader *r, const struct trc_flatbuffer *message, const struct trc_view *body,
          uint64_t *n, struct trc_err *err)
{
	struct trc_flatbuffer head;

	if (!trc_flatbuffer_table(message, TRC_ARROW_MESSAGE_HEADER, &head) ||
	    !trc_flatbuffer_list(&head, 4, 8, &r->rows.views))
		return trc_fail(err, "the head of a batch is damaged");
	*n = trc_flatbuffer_number(&head, 0, 8, 0);
	if (trc_arrow_find(&r->rows, &head, body, err))
		return -1;
	for (size_t i = 0; i < r->t.columns; i++)
		if (!trc_arrow_place(&r->rows, &r->c[i], !r->c[i].place, *n))
			return trc_fail(err, "column %zu does not have %llu rows in its buffers",
			                i + 1, (unsigned long long)*n);
	return 0;
}

static int
next_rows(struct trc_columnar *t, uint64_t *n, struct trc_err *err)
{
	struct reader *r = (struct reader *)t;
	struct trc_flatbuffer message;
	struct trc_view body;
	unsigned kind = TRC_ARROW_SCHEMA;

	*n = 0;
	while (*n == 0 && kind != 0) {
		if (next_message(r, &message, &body, &kind, err))
			return -1;
		if (kind == TRC_ARROW_DICTIONARY ? take_dictionary(r, &message, &body, err) :
		    kind == TRC_ARROW_ROWS       ? take_rows(r, &message, &body, n, err) :
		                                   0)
			return fail_here(r, err);
	}
	return 0;
}

static void
close_reader(struct trc_columnar *t)
{
	struct reader *r = (struct reader *)t;

	trc_in_close(r->in);
	for (size_t i = 0; i < r->t.columns; i++) {
		trc_buf_release(&r->c[i].body);
		free(r->c[i].word);
	}
	trc_arrow_rows_release(&r->rows);
	trc_buf_release(&r->schema);
	free(r->column);
	free(r->c);
	free(r);
}

struct trc_source *
trc_arrow_source(struct trc_in *in, const void *settings, struct trc_err *err)
{
	struct reader *r = trc_alloc(1, sizeof(*r), err);
	struct trc_source *src;

	if (!r)
		return NULL;
	r->t = (struct trc_columnar){ .format = "arrow",
		                      .next_rows = next_rows,
		                      .read_column = read_column,
		                      .close = close_reader };
	r->in = in;
	src = read_schema(r, err) ? NULL : trc_columnar_source(&r->t, in, settings, err);
	if (!src) {
		r->in = NULL; /* stays the caller's */
		close_reader(&r->t);
	}
	return src;
}
