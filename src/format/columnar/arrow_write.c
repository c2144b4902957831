/* SPDX-License-Identifier: MIT
 *
 * Writes an Arrow stream: the schema, the dictionary of types, record batches of 65,536 rows.
 */
#include "format/columnar/arrow.h"

#include <stdlib.h>

enum { ROWS = 1 << 16, VERSION_5 = 4, MESSAGE = 8 };

/* The writer, with pending rows and the current message. */
struct sink {
	struct trc_sink sink;
	struct trc_out *out;
	struct trc_batch rows;
	struct trc_buf head, body;
	struct trc_buf nodes, buffers; /* of the body, 16 bytes each, as listed in the header */
	char word[TRC_COLUMNAR_WORD];
	uint64_t n;
};

/* ---- messages ---- */

/* Begins a message; the position of its header is stored at *slot. */
static int
begin(struct sink *s, unsigned header, size_t *slot, struct trc_err *err)
{
	struct trc_flatbuffer_field message[] = {
		{ 2, VERSION_5, 0 }, { 1, header, 0 }, { 4, 0, 0 }, { 8, s->body.n, 0 }
	};

	/* The marker and the length come before the aligned part, then the root. */
	s->head.n = 0;
	if (trc_buf_put(&s->head, "\0\0\0\0", 4, err) ||
	    trc_flatbuffer_put(&s->head, 0, message, TRC_COUNT(message), err))
		return -1;
	*slot = message[TRC_ARROW_MESSAGE_HEADER].slot;
	return 0;
}

static int
end(struct sink *s, struct trc_err *err)
{
	static const uint8_t zeros[8];
	uint8_t prefix[8];

	if (trc_buf_put(&s->head, zeros, (0 - s->head.n) & 7, err))
		return -1;
	trc_put_le32(prefix, TRC_ARROW_CONTINUED);
	trc_put_le32(prefix + 4, (uint32_t)s->head.n);
	if (trc_out_put(s->out, prefix, sizeof(prefix), err) ||
	    trc_out_put(s->out, s->head.p, s->head.n, err) ||
	    (s->body.n > 0 && trc_out_put(s->out, s->body.p, s->body.n, err)))
		return -1;
	s->body.n = s->nodes.n = s->buffers.n = 0;
	return 0;
}

static int
put_int_type(struct sink *s, size_t slot, unsigned bits, struct trc_err *err)
{
	struct trc_flatbuffer_field type[] = { { 4, bits, 0 } };

	return trc_flatbuffer_put(&s->head, slot, type, TRC_COUNT(type), err);
}

/* Writes a column of the schema. */
static int
put_field(struct sink *s, size_t slot, enum trc_column c, struct trc_err *err)
{
	const bool text = c == TRC_COL_TYPE || c == TRC_COL_EVENT, words = c == TRC_COL_TYPE;
	struct trc_flatbuffer_field field[] = { { 4, 0, 0 },
		                                { 1, c == TRC_COL_EVENT, 0 },
		                                { 1, text ? TRC_ARROW_UTF8 : TRC_ARROW_INT, 0 },
		                                { 4, 0, 0 },
		                                { words ? 4 : 0, 0, 0 },
		                                { 4, 0, 0 } };
	struct trc_flatbuffer_field dictionary[] = { { 8, 0, 0 }, { 4, 0, 0 } };

	if (trc_flatbuffer_put(&s->head, slot, field, TRC_COUNT(field), err) ||
	    trc_flatbuffer_put_text(&s->head, field[0].slot, trc_column[c].name, err) ||
	    (text ? trc_flatbuffer_put(&s->head, field[3].slot, NULL, 0, err) :
	            put_int_type(s, field[3].slot, 8 * (unsigned)trc_column[c].width, err)))
		return -1;
	if (words && (trc_flatbuffer_put(&s->head, field[4].slot, dictionary, 2, err) ||
	              put_int_type(s, dictionary[1].slot, 8, err)))
		return -1;
	return trc_flatbuffer_put_list(&s->head, field[5].slot, 0, err);
}

static int
put_schema(struct sink *s, struct trc_err *err)
{
	struct trc_flatbuffer_field schema[] = { { 0, 0, 0 }, { 4, 0, 0 } };
	unsigned columns = 0;
	size_t slot;

	for (uint32_t have = s->rows.have; have; have &= have - 1)
		columns++;
	if (begin(s, TRC_ARROW_SCHEMA, &slot, err) ||
	    trc_flatbuffer_put(&s->head, slot, schema, TRC_COUNT(schema), err) ||
	    trc_flatbuffer_put_list(&s->head, schema[1].slot, columns, err) ||
	    trc_buf_room(&s->head, 4 * columns, err))
		return -1;
	slot = s->head.n;
	memset(s->head.p + slot, 0, 4 * columns);
	s->head.n += 4 * columns;
	for (int c = 0; c < TRC_COLUMNS; c++) {
		if (!(s->rows.have >> c & 1))
			continue;
		if (put_field(s, slot, (enum trc_column)c, err))
			return -1;
		slot += 4;
	}
	return end(s, err);
}

/* ---- bodies ---- */

static int
put_pair(struct trc_buf *to, uint64_t a, uint64_t b, struct trc_err *err)
{
	uint8_t pair[16];

	trc_put_le64(pair, a);
	trc_put_le64(pair + 8, b);
	return trc_buf_put(to, pair, sizeof(pair), err);
}

/* Ends a buffer of the body, which began at `from`. */
static int
end_buffer(struct sink *s, size_t from, struct trc_err *err)
{
	static const uint8_t zeros[8];

	return put_pair(&s->buffers, from, s->body.n - from, err) ||
	                       trc_buf_put(&s->body, zeros, (0 - s->body.n) & 7, err) ?
	               -1 :
	               0;
}

/* Writes the texts of some rows: the ends of the texts, and their bytes. */
static int
put_texts(struct sink *s, size_t n, const char *(*text)(struct sink *s, size_t i),
          struct trc_err *err)
{
	size_t from = s->body.n;
	uint32_t end = 0;

	if (trc_buf_room(&s->body, 4 * n + 4, err))
		return -1;
	for (size_t i = 0;; i++) {
		trc_put_le32(s->body.p + s->body.n, end);
		s->body.n += 4;
		if (i == n)
			break;
		end += (uint32_t)strlen(text(s, i));
	}
	if (end_buffer(s, from, err))
		return -1;
	from = s->body.n;
	for (size_t i = 0; i < n; i++)
		if (trc_buf_put(&s->body, text(s, i), strlen(text(s, i)), err))
			return -1;
	return end_buffer(s, from, err);
}

static const char *
event_text(struct sink *s, size_t i)
{
	return trc_batch_event(&s->rows, i);
}

static const char *
word_text(struct sink *s, size_t i)
{
	return trc_columnar_word((unsigned)i, s->word);
}

/* Writes a bit for each row: 1 for events. */
static int
put_validity(struct sink *s, uint64_t *nulls, struct trc_err *err)
{
	const size_t from = s->body.n, n = s->rows.n;

	if (trc_buf_room(&s->body, n / 8 + 1, err))
		return -1;
	for (size_t i = 0; i < n; i++) {
		const unsigned event = trc_batch_is_event(&s->rows, i);

		if (i % 8 == 0)
			trc_buf_byte(&s->body, 0);
		s->body.p[s->body.n - 1] |= (uint8_t)(event << i % 8);
		*nulls += !event;
	}
	return end_buffer(s, from, err);
}

static int
put_numbers(struct sink *s, enum trc_column c, struct trc_err *err)
{
	const size_t from = s->body.n, n = s->rows.n, width = trc_column[c].width;
	const void *v = trc_batch_column(&s->rows, c);
	uint8_t *to;

	if (trc_buf_room(&s->body, n * width, err))
		return -1;
	to = s->body.p + from;
	for (size_t i = 0; c == TRC_COL_TYPE && i < n; i++)
		to[i] = trc_columnar_word_of(s->rows.type[i]);
	for (size_t i = 0; width == 4 && i < n; i++)
		trc_put_le32(to + 4 * i, ((const uint32_t *)v)[i]);
	for (size_t i = 0; width == 8 && i < n; i++)
		trc_put_le64(to + 8 * i, ((const uint64_t *)v)[i]);
	if (width == 1 && c != TRC_COL_TYPE)
		memcpy(to, v, n);
	s->body.n += n * width;
	return end_buffer(s, from, err);
}

static int
put_column(struct sink *s, enum trc_column c, struct trc_err *err)
{
	uint64_t nulls = 0;

	if (c == TRC_COL_EVENT ?
	            put_validity(s, &nulls, err) || put_texts(s, s->rows.n, event_text, err) :
	            end_buffer(s, s->body.n, err) || put_numbers(s, c, err))
		return -1;
	return put_pair(&s->nodes, s->rows.n, nulls, err);
}

/* Writes the header of a body of `n` rows. */
static int
put_head(struct sink *s, size_t slot, size_t n, struct trc_err *err)
{
	struct trc_flatbuffer_field batch[] = { { 8, n, 0 }, { 4, 0, 0 }, { 4, 0, 0 } };

	return trc_flatbuffer_put(&s->head, slot, batch, TRC_COUNT(batch), err) ||
	                       trc_flatbuffer_put_list(&s->head, batch[1].slot, s->nodes.n / 16,
	                                               err) ||
	                       trc_buf_put(&s->head, s->nodes.p, s->nodes.n, err) ||
	                       trc_flatbuffer_put_list(&s->head, batch[2].slot, s->buffers.n / 16,
	                                               err) ||
	                       trc_buf_put(&s->head, s->buffers.p, s->buffers.n, err) ?
	               -1 :
	               0;
}

static int
put_dictionary(struct sink *s, struct trc_err *err)
{
	struct trc_flatbuffer_field dictionary[] = { { 8, 0, 0 }, { 4, 0, 0 } };
	size_t slot;

	if (end_buffer(s, 0, err) || put_texts(s, TRC_COLUMNAR_WORDS, word_text, err) ||
	    put_pair(&s->nodes, TRC_COLUMNAR_WORDS, 0, err) ||
	    begin(s, TRC_ARROW_DICTIONARY, &slot, err) ||
	    trc_flatbuffer_put(&s->head, slot, dictionary, TRC_COUNT(dictionary), err))
		return -1;
	return put_head(s, dictionary[1].slot, TRC_COLUMNAR_WORDS, err) || end(s, err) ? -1 : 0;
}

static int
put_rows(void *own, struct trc_err *err)
{
	struct sink *s = own;
	size_t slot;

	if (s->rows.n == 0)
		return 0;
	for (int c = 0; c < TRC_COLUMNS; c++)
		if (s->rows.have >> c & 1 && put_column(s, (enum trc_column)c, err))
			return -1;
	if (begin(s, TRC_ARROW_ROWS, &slot, err) || put_head(s, slot, s->rows.n, err) ||
	    end(s, err))
		return -1;
	s->n += s->rows.n;
	trc_batch_clear(&s->rows);
	return 0;
}

/* ---- the sink ---- */

static int
put(struct trc_sink *sink, const struct trc_batch *b, struct trc_err *err)
{
	struct sink *s = (struct sink *)sink;

	return trc_columnar_gather("arrow", s->n, &s->rows, b, put_rows, s, err);
}

static int
finish(struct trc_sink *sink, const struct trc_meta *meta, struct trc_err *err)
{
	struct sink *s = (struct sink *)sink;

	(void)meta;
	if (put_rows(s, err) || trc_out_put(s->out, "\xff\xff\xff\xff\0\0\0\0", MESSAGE, err))
		return -1;
	return trc_out_commit(s->out, err);
}

static void
close_sink(struct trc_sink *sink)
{
	struct sink *s = (struct sink *)sink;

	trc_out_close(s->out);
	trc_batch_release(&s->rows);
	trc_buf_release(&s->head);
	trc_buf_release(&s->body);
	trc_buf_release(&s->nodes);
	trc_buf_release(&s->buffers);
	free(s);
}

struct trc_sink *
trc_arrow_sink(struct trc_out *out, uint32_t have, const struct trc_meta *meta,
               const void *settings, struct trc_err *err)
{
	struct sink *s = trc_alloc(1, sizeof(*s), err);

	(void)meta;
	(void)settings;
	if (!s)
		return NULL;
	s->sink = (struct trc_sink){ .put = put, .finish = finish, .close = close_sink };
	s->out = out;
	if (trc_batch_init(&s->rows, have, ROWS, err) || put_schema(s, err) ||
	    (have & TRC_HAS_TYPE && put_dictionary(s, err))) {
		s->out = NULL; /* stays the caller's */
		close_sink(&s->sink);
		return NULL;
	}
	return &s->sink;
}
