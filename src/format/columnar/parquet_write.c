/* SPDX-License-Identifier: MIT
 *
 * Writes Parquet: PAR1, row groups, metadata, its length (4), PAR1.
 *
 * A row group has up to 2^18 rows, and one compressed page for each column. Numbers are stored as
 * differences (DELTA_BINARY_PACKED: blocks of 128, in four parts with the bit width that each
 * needs), unsigned in the width of their column; types are words of a dictionary (RLE_DICTIONARY).
 * Events are texts (PLAIN), after a bit for each row that shows which are null. Headers and
 * metadata are structs in the compact protocol of Thrift (parquet.thrift has the numbers of the
 * fields).
 */
#include "format/columnar/parquet.h"

#include <stdlib.h>

#include "format/columnar/thrift.h"

enum { GROUP = 1 << 18, BLOCK = 128, PARTS = 4, PART = BLOCK / PARTS };

enum physical { INT32 = 1, INT64 = 2, BYTE_ARRAY = 6 };
enum converted { UTF8 = 0, UINT_8 = 11, UINT_32 = 13, UINT_64 = 14 };
enum encoding { PLAIN = 0, RLE = 3, DELTA_BINARY_PACKED = 5, RLE_DICTIONARY = 8 };
enum page { DATA_PAGE = 0, DICTIONARY_PAGE = 2 };
enum codec { UNCOMPRESSED = 0, GZIP = 2, ZSTD = 6 };

enum { WORD_BITS = 5 };

/* The writer: a group of rows, its pages, and the metadata of the groups before. */
struct sink {
	struct trc_sink sink;
	struct trc_out *out;
	struct trc_batch rows;          /* of the group that is being gathered */
	const struct trc_packing *pack; /* NULL: pages are not compressed */
	enum codec codec;
	struct trc_buf page, packed, head, groups; /* groups: the metadata of those written */
	uint64_t n, n_groups;
};

/* A Thrift struct that is being written: its fields in order, each once. */
struct thrift_struct {
	struct trc_buf *to;
	unsigned last; /* number of the last field */
};

static int
put_field(struct thrift_struct *t, unsigned field, enum trc_thrift_type type, struct trc_err *err)
{
	const uint8_t byte = (uint8_t)((field - t->last) << 4 | type);

	t->last = field;
	return trc_buf_put(t->to, &byte, 1, err);
}

static int
put_int(struct thrift_struct *t, unsigned field, enum trc_thrift_type type, uint64_t v,
        struct trc_err *err)
{
	if (put_field(t, field, type, err))
		return -1;
	return trc_buf_put_num(t->to, trc_zigzag(v), err);
}

static int
put_bytes(struct trc_buf *b, const char *text, struct trc_err *err)
{
	return trc_buf_put_counted(b, text, strlen(text), err);
}

static int
put_text(struct thrift_struct *t, unsigned field, const char *text, struct trc_err *err)
{
	return put_field(t, field, TRC_THRIFT_BINARY, err) || put_bytes(t->to, text, err) ? -1 : 0;
}

static int
put_list(struct thrift_struct *t, unsigned field, enum trc_thrift_type of, uint64_t n,
         struct trc_err *err)
{
	const uint8_t head = (uint8_t)((n < 15 ? n : 15) << 4 | of);

	if (put_field(t, field, TRC_THRIFT_LIST, err) || trc_buf_put(t->to, &head, 1, err))
		return -1;
	return n < 15 ? 0 : trc_buf_put_num(t->to, n, err);
}

static int
put_stop(struct thrift_struct *t, struct trc_err *err)
{
	return trc_buf_put(t->to, "", 1, err);
}

/* Values */

static enum physical
physical_of(enum trc_column c)
{
	if (c == TRC_COL_TYPE || c == TRC_COL_EVENT)
		return BYTE_ARRAY;
	return trc_column[c].width == 8 ? INT64 : INT32;
}

static enum converted
converted_of(enum trc_column c)
{
	if (physical_of(c) == BYTE_ARRAY)
		return UTF8;
	return trc_column[c].width == 8 ? UINT_64 : trc_column[c].width == 4 ? UINT_32 : UINT_8;
}

static enum encoding
encoding_of(enum trc_column c)
{
	switch (c) {
	case TRC_COL_TYPE: return RLE_DICTIONARY;
	case TRC_COL_EVENT: return PLAIN;
	default: return DELTA_BINARY_PACKED;
	}
}

/* Copies values [from, from + n) of a column, extended to 64 bits. */
static void
take_values(const struct trc_batch *b, enum trc_column c, size_t from, size_t n, uint64_t *v)
{
	const void *at = trc_batch_column(b, c);

	switch (trc_column[c].width) {
	case 1:
		for (size_t i = 0; i < n; i++)
			v[i] = ((const uint8_t *)at)[from + i];
		break;
	case 4:
		for (size_t i = 0; i < n; i++)
			v[i] = ((const uint32_t *)at)[from + i];
		break;
	default: memcpy(v, (const uint64_t *)at + from, n * sizeof(*v));
	}
}

/* Appends the low `bits` bits of 32 values, the lowest first. */
static void
put_packed(struct trc_buf *to, const uint64_t *v, unsigned bits)
{
	uint64_t word = 0;
	unsigned have = 0;

	for (unsigned i = 0; i < PART && bits > 0; i++) {
		word |= v[i] << have;
		have += bits;
		if (have < 64)
			continue;
		trc_put_le64(to->p + to->n, word);
		to->n += 8;
		have -= 64;
		word = have ? v[i] >> (bits - have) : 0;
	}
	for (; have > 0; have -= 8, word >>= 8)
		trc_buf_byte(to, (uint8_t)word);
}

/* Appends a block of `n` differences: the least of them, and the others relative to it. */
static int
put_block(struct trc_buf *to, uint64_t *delta, size_t n, bool wide, struct trc_err *err)
{
	int64_t least = INT64_MAX;
	uint8_t bits[PARTS];

	for (size_t i = 0; i < n; i++)
		least = (int64_t)delta[i] < least ? (int64_t)delta[i] : least;
	if (trc_buf_put_num(to, trc_zigzag((uint64_t)least), err) ||
	    trc_buf_room(to, PARTS + 8 * BLOCK, err))
		return -1;
	for (size_t i = 0; i < n; i++)
		delta[i] = (delta[i] - (uint64_t)least) & (wide ? UINT64_MAX : UINT32_MAX);
	for (size_t i = n; i < BLOCK; i++)
		delta[i] = 0;
	for (size_t k = 0; k < PARTS; k++) {
		uint64_t all = 0;

		for (size_t i = 0; i < PART; i++)
			all |= delta[k * PART + i];
		bits[k] = (uint8_t)(64 - trc_clz64(all));
	}
	memcpy(to->p + to->n, bits, PARTS);
	to->n += PARTS;
	for (size_t i = 0; i < PARTS && i * PART < n; i++)
		put_packed(to, delta + i * PART, bits[i]);
	return 0;
}

/* Returns a difference as a signed number of the width of the column. */
static uint64_t
signed_of(uint64_t v, bool wide)
{
	return wide ? v : (uint64_t)(int64_t)(int32_t)(uint32_t)v;
}

static int
put_deltas(struct trc_buf *to, const struct trc_batch *b, enum trc_column c, struct trc_err *err)
{
	const bool wide = physical_of(c) == INT64;
	uint64_t v[BLOCK + 1], delta[BLOCK];

	take_values(b, c, 0, 1, v);
	if (trc_buf_put_num(to, BLOCK, err) || trc_buf_put_num(to, PARTS, err) ||
	    trc_buf_put_num(to, b->n, err) ||
	    trc_buf_put_num(to, trc_zigzag(signed_of(v[0], wide)), err))
		return -1;
	for (size_t from = 1, n; from < b->n; from += n) {
		n = b->n - from < BLOCK ? b->n - from : BLOCK;
		take_values(b, c, from - 1, n + 1, v);
		for (size_t i = 0; i < n; i++)
			delta[i] = signed_of(v[i + 1] - v[i], wide);
		if (put_block(to, delta, n, wide, err))
			return -1;
	}
	return 0;
}

/* Appends a text after its length. */
static int
put_plain(struct trc_buf *to, const char *text, struct trc_err *err)
{
	uint8_t len[4];

	trc_put_le32(len, (uint32_t)strlen(text));
	return trc_buf_put(to, len, 4, err) || trc_buf_put(to, text, strlen(text), err) ? -1 : 0;
}

/* Appends the words of all types. */
static int
put_words(struct trc_buf *to, struct trc_err *err)
{
	char word[TRC_COLUMNAR_WORD];

	for (unsigned i = 0; i < TRC_COLUMNAR_WORDS; i++)
		if (put_plain(to, trc_columnar_word(i, word), err))
			return -1;
	return 0;
}

/* Appends the index of each type's word, as one run of groups of eight. */
static int
put_types(struct trc_buf *to, const struct trc_batch *b, struct trc_err *err)
{
	static const uint8_t bits = WORD_BITS;
	const size_t groups = (b->n + 7) / 8;

	if (trc_buf_put(to, &bits, 1, err) || trc_buf_put_num(to, groups << 1 | 1, err) ||
	    trc_buf_room(to, groups * WORD_BITS, err))
		return -1;
	for (size_t i = 0; i < groups * 8; i += 8) {
		uint64_t word = 0;

		for (size_t k = 0; k < 8 && i + k < b->n; k++)
			word |= (uint64_t)trc_columnar_word_of(b->type[i + k]) << WORD_BITS * k;
		for (int k = 0; k < WORD_BITS; k++, word >>= 8)
			trc_buf_byte(to, (uint8_t)word);
	}
	return 0;
}

/* Appends which rows have a text, as one run of groups of eight after its length, and the texts. */
static int
put_events(struct trc_buf *to, const struct trc_batch *b, struct trc_err *err)
{
	const size_t groups = (b->n + 7) / 8, start = to->n;

	if (trc_buf_put(to, "....", 4, err) || trc_buf_put_num(to, groups << 1 | 1, err) ||
	    trc_buf_room(to, groups, err))
		return -1;
	for (size_t i = 0; i < groups * 8; i += 8) {
		unsigned byte = 0;

		for (size_t k = 0; k < 8 && i + k < b->n; k++)
			byte |= (unsigned)trc_batch_is_event(b, i + k) << k;
		trc_buf_byte(to, (uint8_t)byte);
	}
	trc_put_le32(to->p + start, (uint32_t)(to->n - start - 4));
	for (size_t i = 0; i < b->n; i++)
		if (trc_batch_is_event(b, i) && put_plain(to, trc_batch_event(b, i), err))
			return -1;
	return 0;
}

/* Pages */

/* Compresses s->page into s->packed. */
static int
pack(struct sink *s, struct trc_err *err)
{
	struct trc_packer *p;
	int ret;

	s->packed.n = 0;
	if (!s->pack)
		return trc_buf_put(&s->packed, s->page.p, s->page.n, err);
	p = trc_pack_open(s->pack, s->pack->level, err);
	if (!p)
		return -1;
	ret = trc_pack_whole(p, s->page.p, s->page.n, &s->packed, err);
	trc_pack_close(p);
	return ret;
}

/* Sizes of a column in a group, before and after compression. */
struct sizes {
	uint64_t plain, packed;
};

/* Writes s->page as a page of `n` values. */
static int
put_page(struct sink *s, enum page type, enum encoding encoding, size_t n, struct sizes *sum,
         struct trc_err *err)
{
	struct thrift_struct head = { &s->head, 0 }, of = { &s->head, 0 };

	s->head.n = 0;
	if (pack(s, err) || put_int(&head, 1, TRC_THRIFT_I32, type, err) ||
	    put_int(&head, 2, TRC_THRIFT_I32, s->page.n, err) ||
	    put_int(&head, 3, TRC_THRIFT_I32, s->packed.n, err) ||
	    put_field(&head, type == DATA_PAGE ? 5 : 7, TRC_THRIFT_STRUCT, err) ||
	    put_int(&of, 1, TRC_THRIFT_I32, n, err) ||
	    put_int(&of, 2, TRC_THRIFT_I32, encoding, err))
		return -1;
	/* The encoding of levels; only events have some. */
	if (type == DATA_PAGE && (put_int(&of, 3, TRC_THRIFT_I32, RLE, err) ||
	                          put_int(&of, 4, TRC_THRIFT_I32, RLE, err)))
		return -1;
	if (put_stop(&of, err) || put_stop(&head, err) ||
	    trc_out_put(s->out, s->head.p, s->head.n, err) ||
	    trc_out_put(s->out, s->packed.p, s->packed.n, err))
		return -1;
	sum->plain += s->head.n + s->page.n;
	sum->packed += s->head.n + s->packed.n;
	s->page.n = 0;
	return 0;
}

static int
put_values(struct trc_buf *to, const struct trc_batch *b, enum trc_column c, struct trc_err *err)
{
	switch (c) {
	case TRC_COL_TYPE: return put_types(to, b, err);
	case TRC_COL_EVENT: return put_events(to, b, err);
	default: return put_deltas(to, b, c, err);
	}
}

/* Writes a column of the group, and its metadata into s->groups. */
static int
put_column(struct sink *s, enum trc_column c, uint64_t *total, struct trc_err *err)
{
	struct thrift_struct chunk = { &s->groups, 0 }, meta = { &s->groups, 0 };
	const uint64_t start = trc_out_offset(s->out);
	const bool words = c == TRC_COL_TYPE;
	struct sizes sum = { 0, 0 };
	uint64_t data;

	if (words && (put_words(&s->page, err) ||
	              put_page(s, DICTIONARY_PAGE, PLAIN, TRC_COLUMNAR_WORDS, &sum, err)))
		return -1;
	data = trc_out_offset(s->out);
	if (put_values(&s->page, &s->rows, c, err) ||
	    put_page(s, DATA_PAGE, encoding_of(c), s->rows.n, &sum, err))
		return -1;
	*total += sum.plain;
	if (put_int(&chunk, 2, TRC_THRIFT_I64, start, err) ||
	    put_field(&chunk, 3, TRC_THRIFT_STRUCT, err) ||
	    put_int(&meta, 1, TRC_THRIFT_I32, physical_of(c), err) ||
	    put_list(&meta, 2, TRC_THRIFT_I32, words ? 2 : 1, err) ||
	    trc_buf_put_num(&s->groups, trc_zigzag(encoding_of(c)), err) ||
	    (words && trc_buf_put_num(&s->groups, trc_zigzag(PLAIN), err)) ||
	    put_list(&meta, 3, TRC_THRIFT_BINARY, 1, err) ||
	    put_bytes(&s->groups, trc_column[c].name, err) ||
	    put_int(&meta, 4, TRC_THRIFT_I32, s->codec, err) ||
	    put_int(&meta, 5, TRC_THRIFT_I64, s->rows.n, err) ||
	    put_int(&meta, 6, TRC_THRIFT_I64, sum.plain, err) ||
	    put_int(&meta, 7, TRC_THRIFT_I64, sum.packed, err) ||
	    put_int(&meta, 9, TRC_THRIFT_I64, data, err) ||
	    (words && put_int(&meta, 11, TRC_THRIFT_I64, start, err)))
		return -1;
	return put_stop(&meta, err) || put_stop(&chunk, err) ? -1 : 0;
}

static unsigned
columns_of(uint32_t have)
{
	unsigned n = 0;

	for (; have; have &= have - 1)
		n++;
	return n;
}

static int
put_group(void *own, struct trc_err *err)
{
	struct sink *s = own;
	struct thrift_struct group = { &s->groups, 0 };
	uint64_t total = 0;

	if (s->rows.n == 0)
		return 0;
	if (put_list(&group, 1, TRC_THRIFT_STRUCT, columns_of(s->rows.have), err))
		return -1;
	for (int c = 0; c < TRC_COLUMNS; c++)
		if (s->rows.have >> c & 1 && put_column(s, (enum trc_column)c, &total, err))
			return -1;
	if (put_int(&group, 2, TRC_THRIFT_I64, total, err) ||
	    put_int(&group, 3, TRC_THRIFT_I64, s->rows.n, err) || put_stop(&group, err))
		return -1;
	s->n += s->rows.n;
	s->n_groups++;
	trc_batch_clear(&s->rows);
	return 0;
}

static int
put(struct trc_sink *sink, const struct trc_batch *b, struct trc_err *err)
{
	struct sink *s = (struct sink *)sink;

	return trc_columnar_gather("parquet", s->n, &s->rows, b, put_group, s, err);
}

/* Writes the root of the schema, and a number or text for each column; events are optional. */
static int
put_schema(struct trc_buf *to, uint32_t have, struct trc_err *err)
{
	struct thrift_struct root = { to, 0 };

	if (put_text(&root, 4, "trace", err) ||
	    put_int(&root, 5, TRC_THRIFT_I32, columns_of(have), err) || put_stop(&root, err))
		return -1;
	for (int c = 0; c < TRC_COLUMNS; c++) {
		struct thrift_struct t = { to, 0 };

		if (have >> c & 1 &&
		    (put_int(&t, 1, TRC_THRIFT_I32, physical_of((enum trc_column)c), err) ||
		     put_int(&t, 3, TRC_THRIFT_I32, c == TRC_COL_EVENT, err) ||
		     put_text(&t, 4, trc_column[c].name, err) ||
		     put_int(&t, 6, TRC_THRIFT_I32, converted_of((enum trc_column)c), err) ||
		     put_stop(&t, err)))
			return -1;
	}
	return 0;
}

static int
finish(struct trc_sink *sink, const struct trc_meta *meta, struct trc_err *err)
{
	struct sink *s = (struct sink *)sink;
	struct thrift_struct file = { &s->head, 0 };
	uint8_t tail[8] = "....PAR1";

	(void)meta;
	if (put_group(s, err))
		return -1;
	s->head.n = 0;
	if (put_int(&file, 1, TRC_THRIFT_I32, 1, err) ||
	    put_list(&file, 2, TRC_THRIFT_STRUCT, 1 + columns_of(s->rows.have), err) ||
	    put_schema(&s->head, s->rows.have, err) ||
	    put_int(&file, 3, TRC_THRIFT_I64, s->n, err) ||
	    put_list(&file, 4, TRC_THRIFT_STRUCT, s->n_groups, err) ||
	    trc_buf_put(&s->head, s->groups.p, s->groups.n, err) ||
	    put_text(&file, 6, "trc", err) || put_stop(&file, err))
		return -1;
	trc_put_le32(tail, (uint32_t)s->head.n);
	if (trc_out_put(s->out, s->head.p, s->head.n, err) ||
	    trc_out_put(s->out, tail, sizeof(tail), err))
		return -1;
	return trc_out_commit(s->out, err);
}

static void
close_sink(struct trc_sink *sink)
{
	struct sink *s = (struct sink *)sink;

	trc_out_close(s->out);
	trc_batch_release(&s->rows);
	trc_buf_release(&s->page);
	trc_buf_release(&s->packed);
	trc_buf_release(&s->head);
	trc_buf_release(&s->groups);
	free(s);
}

/* Chooses the compression of pages: that of the argument, else the best that trc was built with. */
static int
choose_codec(struct sink *s, unsigned choice, struct trc_err *err)
{
	if (choice == 0)
		choice = trc_packing_zst.pack_open ? 1 : trc_packing_gz.pack_open ? 2 : 3;
	s->codec = choice == 1 ? ZSTD : choice == 2 ? GZIP : UNCOMPRESSED;
	s->pack = choice == 1 ? &trc_packing_zst : choice == 2 ? &trc_packing_gz : NULL;
	return s->pack && !s->pack->pack_open ? trc_packing_missing(s->pack, err) : 0;
}

struct trc_sink *
trc_parquet_sink(struct trc_out *out, uint32_t have, const struct trc_meta *meta,
                 const void *settings, struct trc_err *err)
{
	const struct trc_parquet_to *set = settings;
	struct sink *s = trc_alloc(1, sizeof(*s), err);

	(void)meta;
	if (!s)
		return NULL;
	if (choose_codec(s, set->codec, err) || trc_batch_init(&s->rows, have, GROUP, err) ||
	    trc_out_put(out, "PAR1", 4, err)) {
		close_sink(&s->sink);
		return NULL;
	}
	s->sink = (struct trc_sink){ .put = put, .finish = finish, .close = close_sink };
	s->out = out;
	return &s->sink;
}
