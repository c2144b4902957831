/* SPDX-License-Identifier: MIT
 * An Arrow stream, read: a message at a time, which stays in the window of its input until all of
 * its rows were taken; dictionaries are copied. */
#include "format/columnar/arrow.h"

#include <stdlib.h>

#include "format/columnar/unpack.h"

enum { HEAD_MOST = 1 << 28, FILL = 1 << 20 };

/* A column of the schema. */
struct column {
	unsigned type;
	unsigned bytes;    /* of a number, or of where a text ends; 0: it is bits or a view */
	unsigned buffers;  /* without those of views */
	unsigned place;    /* bytes of a place in its dictionary; 0: it has none */
	size_t dictionary; /* the first column with that */
	int64_t id;
	size_t node, first; /* of its buffers, in this batch */
	size_t at;          /* rows that were taken */
	union trc_datum *word;
	size_t words, words_cap;
	struct trc_buf body; /* that these are in */
};

struct reader {
	struct trc_columnar t;
	struct trc_in *in;
	uint64_t pending; /* bytes of the window that its rows are in */
	struct trc_columnar_column *column;
	struct column *c;
	struct trc_buf schema; /* with the names */
	struct trc_view *buffer;
	struct trc_buf *unpacked; /* one for each buffer that was packed */
	size_t buffers, buffer_cap, unpacked_cap, nodes;
	const uint8_t *node;
};

static int
fail_here(const struct reader *r, struct trc_err *err)
{
	return trc_err_in(err, "%s: byte %llu", r->in->name,
	                  (unsigned long long)trc_in_offset(r->in));
}

/* ---- messages ---- */

/* Makes `n` bytes be in the window, which grows as they come: a damaged file may promise any. */
static int
fill(struct reader *r, uint64_t n, struct trc_err *err)
{
	for (uint64_t want = FILL;; want *= 2) {
		const size_t some = (size_t)(want < n ? want : n);

		if (trc_in_fill(r->in, some, err))
			return trc_err_in(err, "%s", r->in->name);
		if ((size_t)(r->in->end - r->in->p) < some)
			return trc_fail(err, "a message of %llu bytes is cut short",
			                (unsigned long long)n),
			       fail_here(r, err);
		if (some == n)
			return 0;
	}
}

/* Looks at the next message: *m its table, `body` what follows; *kind = 0 at the end. */
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
		return trc_fail(err, "ffffffff and a length were expected, the start of a message"),
		       fail_here(r, err);
	if (head == 0) /* behind it there may be what a file ends with */
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
set_type(const struct trc_flatbuffer *field, struct column *c, enum trc_datum_kind *kind)
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
	/* Decimals, dates, times, intervals, bytes of a fixed number: passed over. */
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
	struct column *c = &r->c[i];
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
		return trc_fail(err, "%s: is no Arrow stream, which begins with a schema",
		                r->in->name);
	/* What its names point into has to stay. */
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
			                "%s: column %zu is nested, or of a type that trc does not "
			                "know; leave it out",
			                r->in->name, r->t.columns + 1);
	return 0;
}

/* ---- batches ---- */

/* Unpacks a buffer: its length, -1 if it is not packed, then a frame of zstd. */
static int
unpack(struct reader *r, size_t i, struct trc_err *err)
{
	struct trc_view *v = &r->buffer[i];
	const size_t n = (size_t)(v->end - v->p), old = r->unpacked_cap;
	uint64_t want;

	if (n < 8)
		return n ? trc_fail(err, "a packed buffer of %zu bytes", n) : 0;
	want = trc_le64(v->p);
	v->p += 8;
	if (want == UINT64_MAX)
		return 0;
	if (want > SIZE_MAX / 2)
		return trc_fail(err, "a packed buffer that promises %llu bytes",
		                (unsigned long long)want);
	if (trc_grow(&r->unpacked, &r->unpacked_cap, i + 1, sizeof(*r->unpacked), err))
		return -1;
	memset(r->unpacked + old, 0, (r->unpacked_cap - old) * sizeof(*r->unpacked));
	r->unpacked[i].n = 0;
	if (trc_unpack_bytes(&trc_packing_zst, v->p, n - 8, (size_t)want, &r->unpacked[i], err))
		return -1;
	*v = trc_buf_view(&r->unpacked[i]);
	return 0;
}

/* Finds the buffers and nodes that the head of some rows lists. */
static int
find_buffers(struct reader *r, const struct trc_flatbuffer *head, const struct trc_view *body,
             struct trc_err *err)
{
	const uint64_t bytes = (uint64_t)(body->end - body->p);
	struct trc_flatbuffer packed;
	struct trc_view nodes, list;
	const bool is_packed = trc_flatbuffer_table(head, 3, &packed);

	if (is_packed && trc_flatbuffer_number(&packed, 0, 1, 0) != 1)
		return trc_fail(err,
		                "its rows are packed by LZ4, which trc does not read; write it "
		                "with compression='zstd' or none");
	if (!trc_flatbuffer_list(head, 1, 16, &nodes) || !trc_flatbuffer_list(head, 2, 16, &list))
		return trc_fail(err, "the head of a batch is damaged");
	r->node = nodes.p;
	r->nodes = (size_t)(nodes.end - nodes.p) / 16;
	r->buffers = (size_t)(list.end - list.p) / 16;
	if (trc_grow(&r->buffer, &r->buffer_cap, r->buffers + 1, sizeof(*r->buffer), err))
		return -1;
	for (size_t i = 0; i < r->buffers; i++) {
		const uint64_t at = trc_le64(list.p + 16 * i), n = trc_le64(list.p + 16 * i + 8);

		if (at > bytes || n > bytes - at)
			return trc_fail(err, "a buffer at %llu of %llu bytes, in a body of %llu",
			                (unsigned long long)at, (unsigned long long)n,
			                (unsigned long long)bytes);
		r->buffer[i] = (struct trc_view){ body->p + at, body->p + at + n };
		if (is_packed && unpack(r, i, err))
			return -1;
	}
	return 0;
}

/* Whether buffer `i` has `n` values of so many bits. */
static bool
has_room(const struct reader *r, size_t i, uint64_t n, unsigned bits)
{
	const uint64_t bytes = (uint64_t)(r->buffer[i].end - r->buffer[i].p);

	return bits == 0 || (n <= UINT64_MAX / bits && n * bits <= 8 * bytes);
}

/* Places the next buffers as those of a column of `n` rows, and checks that all are there. */
static bool
place(struct reader *r, struct column *c, bool values, uint64_t n, size_t *node, size_t *buffer,
      const struct trc_view *views, size_t *view)
{
	const bool is_view = values &&
	                     (c->type == TRC_ARROW_UTF8_VIEW || c->type == TRC_ARROW_BINARY_VIEW);
	const unsigned bytes = values ? c->bytes : c->place;
	uint64_t nulls, more = 0;

	c->node = (*node)++;
	c->first = *buffer;
	c->at = 0;
	if (c->node >= r->nodes || trc_le64(r->node + 16 * c->node) != n)
		return false;
	nulls = trc_le64(r->node + 16 * c->node + 8);
	if (is_view) {
		if ((size_t)(views->end - views->p) / 8 <= *view)
			return false;
		more = trc_le64(views->p + 8 * (*view)++);
	}
	*buffer += values ? c->buffers : 2;
	if (*buffer > r->buffers || more > r->buffers - *buffer)
		return false;
	*buffer += (size_t)more;
	if (nulls > 0 && !has_room(r, c->first, n, 1))
		return false;
	if (values && c->buffers == 3)
		return n == 0 || has_room(r, c->first + 1, n + 1, 8 * bytes);
	return has_room(r, c->first + 1, n,
	                is_view                             ? 128 :
	                values && c->type == TRC_ARROW_BOOL ? 1 :
	                                                      8 * bytes);
}

/* ---- values ---- */

static uint64_t
number_at(const uint8_t *p, size_t i, unsigned bytes)
{
	switch (bytes) {
	case 1: return p[i];
	case 2: return trc_le16(p + 2 * i);
	case 4: return trc_le32(p + 4 * i);
	default: return trc_le64(p + 8 * i);
	}
}

static bool
take_text(const struct reader *r, const struct column *c, size_t i, struct trc_field *f)
{
	const struct trc_view *b = r->buffer + c->first;
	const struct trc_view *data = b + 2;
	uint64_t from, to;

	if (c->buffers == 3) {
		from = number_at(b[1].p, i, c->bytes);
		to = number_at(b[1].p, i + 1, c->bytes);
	} else {
		const uint8_t *view = b[1].p + 16 * i;

		to = trc_le32(view);
		*f = (struct trc_field){ view + 4, (size_t)to };
		if (to <= 12)
			return true;
		if (trc_le32(view + 8) >= r->buffers - c->first - 2)
			return false;
		data += trc_le32(view + 8);
		from = trc_le32(view + 12);
		to += from;
	}
	if (from > to || to > (uint64_t)(data->end - data->p))
		return false;
	*f = (struct trc_field){ data->p + from, (size_t)(to - from) };
	return true;
}

/* Numbers, with the sign or as the double that they are. */
static void
take_numbers(const uint8_t *p, const struct column *c, enum trc_datum_kind kind, size_t at,
             size_t n, union trc_datum *to)
{
	const unsigned shift = 64 - 8 * c->bytes;

	/* A loop for each width, which compilers make fast. */
	switch (c->bytes) {
#define LOOP(bytes)                                         \
	for (size_t i = 0; i < n; i++)                      \
		to[i].number = number_at(p, at + i, bytes); \
	break
	case 1: LOOP(1);
	case 2: LOOP(2);
	case 4: LOOP(4);
	default: LOOP(8);
#undef LOOP
	}
	if (kind == TRC_DATUM_SIGNED && shift > 0)
		for (size_t i = 0; i < n; i++)
			to[i].number = (uint64_t)((int64_t)(to[i].number << shift) >> shift);
	for (size_t i = 0; kind == TRC_DATUM_REAL && c->bytes == 4 && i < n; i++)
		to[i].number = trc_columnar_double((uint32_t)to[i].number);
}

/* Which rows are null: those without a bit. */
static void
take_nulls(const struct reader *r, const struct column *c, size_t n, struct trc_data *to)
{
	const uint8_t *bits = r->buffer[c->first].p;

	to->nulls = trc_le64(r->node + 16 * c->node + 8) > 0;
	for (size_t i = 0; to->nulls && i < n; i++)
		to->null[i] = !(bits[(c->at + i) / 8] >> (c->at + i) % 8 & 1);
}

/* Values that are no places in a dictionary. */
static bool
take_values(const struct reader *r, const struct column *c, enum trc_datum_kind kind, size_t n,
            struct trc_data *to)
{
	const uint8_t *p = r->buffer[c->first + 1].p;

	if (c->type == TRC_ARROW_BOOL)
		for (size_t i = 0; i < n; i++)
			to->cell[i].number = p[(c->at + i) / 8] >> (c->at + i) % 8 & 1;
	else if (kind != TRC_DATUM_TEXT)
		take_numbers(p, c, kind, c->at, n, to->cell);
	else
		for (size_t i = 0; i < n; i++)
			if (!(to->nulls && to->null[i]) &&
			    !take_text(r, c, c->at + i, &to->cell[i].text))
				return false;
	return true;
}

static bool
take_places(const struct reader *r, const struct column *c, size_t n, struct trc_data *to)
{
	const struct column *d = &r->c[c->dictionary];

	for (size_t i = 0; i < n; i++) {
		const uint64_t k = number_at(r->buffer[c->first + 1].p, c->at + i, c->place);

		if (to->nulls && to->null[i])
			to->cell[i].number = 0;
		else if (k < d->words)
			to->cell[i] = d->word[k];
		else
			return false;
	}
	return true;
}

static int
take(struct trc_columnar *t, size_t i, size_t n, struct trc_data *to, struct trc_err *err)
{
	struct reader *r = (struct reader *)t;
	struct column *c = &r->c[i];

	take_nulls(r, c, n, to);
	if (c->place ? !take_places(r, c, n, to) : !take_values(r, c, t->column[i].kind, n, to))
		return trc_fail(err,
		                "column '%.*s' has a text or a place in a dictionary that is "
		                "not there",
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

/* Copies the texts of a dictionary, which were in the window or unpacked. */
static int
keep_words(struct column *c, struct trc_err *err)
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

/* Takes the values of column `i` as its dictionary. */
static int
take_words(struct reader *r, size_t i, uint64_t n, struct trc_err *err)
{
	const enum trc_datum_kind kind = r->column[i].kind;
	struct column *c = &r->c[i];
	struct trc_data data;

	if (trc_grow(&c->word, &c->words_cap, (size_t)n + 1, sizeof(*c->word), err))
		return -1;
	c->words = 0;
	for (size_t some; c->words < n; c->words += some, c->at += some) {
		some = n - c->words < TRC_COLUMNAR_ROWS ? (size_t)(n - c->words) :
		                                          TRC_COLUMNAR_ROWS;
		take_nulls(r, c, some, &data);
		if (data.nulls || !take_values(r, c, kind, some, &data))
			return trc_fail(err, "a dictionary has a word that is null or not there");
		memcpy(c->word + c->words, data.cell, some * sizeof(*c->word));
	}
	return kind == TRC_DATUM_TEXT ? keep_words(c, err) : 0;
}

static int
take_dictionary(struct reader *r, const struct trc_flatbuffer *message, const struct trc_view *body,
                struct trc_err *err)
{
	size_t node = 0, buffer = 0, view = 0, i = 0;
	struct trc_flatbuffer dictionary, head;
	struct trc_view views;
	uint64_t n;

	if (!trc_flatbuffer_table(message, TRC_ARROW_MESSAGE_HEADER, &dictionary) ||
	    !trc_flatbuffer_table(&dictionary, 1, &head) ||
	    !trc_flatbuffer_list(&head, 4, 8, &views))
		return trc_fail(err, "the head of a dictionary is damaged");
	if (trc_flatbuffer_number(&dictionary, 2, 1, 0))
		return trc_fail(err, "a dictionary that grows, which trc does not read");
	while (i < r->t.columns &&
	       !(r->c[i].place &&
	         r->c[i].id == (int64_t)trc_flatbuffer_number(&dictionary, 0, 8, 0)))
		i++;
	if (i == r->t.columns || r->column[i].kind == TRC_DATUM_UNREADABLE)
		return 0;
	n = trc_flatbuffer_number(&head, 0, 8, 0);
	if (find_buffers(r, &head, body, err))
		return -1;
	if (!place(r, &r->c[i], true, n, &node, &buffer, &views, &view))
		return trc_fail(err, "a dictionary of %llu words is damaged",
		                (unsigned long long)n);
	return take_words(r, i, n, err);
}

static int
take_rows(struct reader *r, const struct trc_flatbuffer *message, const struct trc_view *body,
          uint64_t *n, struct trc_err *err)
{
	size_t node = 0, buffer = 0, view = 0;
	struct trc_flatbuffer head;
	struct trc_view views;

	if (!trc_flatbuffer_table(message, TRC_ARROW_MESSAGE_HEADER, &head) ||
	    !trc_flatbuffer_list(&head, 4, 8, &views))
		return trc_fail(err, "the head of a batch is damaged");
	*n = trc_flatbuffer_number(&head, 0, 8, 0);
	if (find_buffers(r, &head, body, err))
		return -1;
	for (size_t i = 0; i < r->t.columns; i++)
		if (!place(r, &r->c[i], !r->c[i].place, *n, &node, &buffer, &views, &view))
			return trc_fail(err, "column %zu does not have %llu rows in its buffers",
			                i + 1, (unsigned long long)*n);
	return 0;
}

static int
more(struct trc_columnar *t, uint64_t *n, struct trc_err *err)
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
release(struct reader *r)
{
	for (size_t i = 0; i < r->t.columns; i++) {
		trc_buf_release(&r->c[i].body);
		free(r->c[i].word);
	}
	for (size_t i = 0; i < r->unpacked_cap; i++)
		trc_buf_release(&r->unpacked[i]);
	trc_buf_release(&r->schema);
	free(r->unpacked);
	free(r->buffer);
	free(r->column);
	free(r->c);
	free(r);
}

static void
close_reader(struct trc_columnar *t)
{
	struct reader *r = (struct reader *)t;

	trc_in_close(r->in);
	release(r);
}

struct trc_source *
trc_arrow_source(struct trc_in *in, const void *settings, struct trc_err *err)
{
	struct reader *r = trc_alloc(1, sizeof(*r), err);
	struct trc_source *src;

	if (!r)
		return NULL;
	r->t = (struct trc_columnar){
		.format = "arrow", .more = more, .take = take, .close = close_reader
	};
	r->in = in;
	src = read_schema(r, err) ? NULL : trc_columnar_source(&r->t, in, settings, err);
	if (!src)
		release(r);
	return src;
}
