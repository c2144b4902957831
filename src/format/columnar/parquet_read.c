/* SPDX-License-Identifier: MIT
 *
 * Reads Parquet. The metadata at the end of the file stays in memory; for each requested column, so
 * do one page and the dictionary of its chunk. Rows are read row group by row group.
 */
#include "format/columnar/parquet.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/io/spill.h"
#include "format/columnar/parquet_values.h"
#include "format/columnar/thrift.h"
#include "format/columnar/unpack.h"

enum { TAIL = 8, SPOOLED = 1 << 16, HEAD_FIRST = 1 << 12, HEAD_MOST = 1 << 24 };

enum { DATA_PAGE, INDEX_PAGE, DICTIONARY_PAGE, DATA_PAGE_V2 };

/* A column, and the state of reading it. */
struct chunk {
	enum trc_parquet_physical physical;
	bool optional;
	unsigned codec;
	uint64_t at, end;               /* the rest of the column in this row group, in the file */
	uint64_t left;                  /* remaining values */
	size_t page_left;               /* those in the current page */
	struct trc_parquet_runs levels; /* which rows have values */
	struct trc_parquet_values values;
	struct trc_buf page, words; /* decompressed */
	union trc_datum *dictionary;
	size_t dictionary_cap;
};

struct reader {
	struct trc_columnar t;
	struct trc_in *in;
	int spool; /* a copy of input that cannot seek; -1: none */
	uint64_t size;
	struct trc_buf tail, raw; /* metadata; compressed bytes */
	struct trc_columnar_column *column;
	struct chunk *chunk; /* one for each column */
	struct trc_view groups;
	uint64_t groups_left, rows; /* rows of the groups before */
};

/* ---- bytes ---- */

static int
spool(struct reader *r, struct trc_err *err)
{
	r->spool = trc_spill_open(err);
	if (r->spool < 0)
		return -1;
	for (size_t n;; r->in->p += n, r->size += n) {
		if (trc_in_fill(r->in, SPOOLED, err))
			return -1;
		n = (size_t)(r->in->end - r->in->p);
		if (n == 0)
			return 0;
		if (trc_spill_write(r->spool, r->in->p, n, r->size, err))
			return -1;
	}
}

static int
read_at(struct reader *r, uint64_t at, uint64_t n, struct trc_buf *to, struct trc_err *err)
{
	if (n > SIZE_MAX - TRC_UNPACK_SLACK || trc_buf_room(to, (size_t)n + TRC_UNPACK_SLACK, err))
		return -1;
	if (r->spool >= 0) {
		if (trc_spill_read(r->spool, to->p + to->n, (size_t)n, at, err))
			return -1;
	} else if (!trc_in_read_at(r->in, at, to->p + to->n, (size_t)n)) {
		return trc_in_cut(at, r->size, err);
	}
	r->in->raw_at += r->spool < 0 ? n : 0;
	to->n += (size_t)n;
	return 0;
}

/* Adds the position and the column to an error. */
static int
fail_at(const struct reader *r, size_t c, struct trc_err *err)
{
	const struct trc_field name = r->column[c].name;

	return trc_err_in(err, "%s: byte %llu: column '%.*s'", r->in->name,
	                  (unsigned long long)r->chunk[c].at, (int)(name.len < 64 ? name.len : 64),
	                  (const char *)name.p);
}

/* ---- pages ---- */

/* The header of a page. */
struct page {
	uint64_t kind, packed, bytes, n, encoding;
	uint64_t levels; /* in bytes; only in version 2 */
	bool is_packed;
	uint64_t start; /* in the file, after the header */
};

static bool
parse_head(struct trc_view *v, struct page *p)
{
	static const unsigned field[] = {
		[DATA_PAGE] = 5, [DICTIONARY_PAGE] = 7, [DATA_PAGE_V2] = 8
	};
	struct trc_thrift head[TRC_THRIFT_FIELDS], of[TRC_THRIFT_FIELDS];

	if (!trc_thrift_struct(v, head) || head[2].number < 0 || head[3].number < 0)
		return false;
	*p = (struct page){ .kind = (uint64_t)head[1].number,
		            .packed = (uint64_t)head[3].number,
		            .bytes = (uint64_t)head[2].number,
		            .is_packed = true };
	if (p->kind == INDEX_PAGE)
		return true;
	if (p->kind >= TRC_COUNT(field) || !trc_thrift_inner(&head[field[p->kind]], of))
		return false;
	p->n = (uint64_t)of[1].number;
	p->encoding = (uint64_t)of[p->kind == DATA_PAGE_V2 ? 4 : 2].number;
	if (p->kind == DATA_PAGE)
		return of[3].number == TRC_PARQUET_RLE;
	if (p->kind == DATA_PAGE_V2) {
		p->levels = (uint64_t)of[5].number;
		p->is_packed = of[7].type != TRC_THRIFT_FALSE;
		return of[6].number == 0 && p->levels <= p->bytes && p->levels <= p->packed;
	}
	return true;
}

/* Reads the header at k->at, whose length is only known when it is parsed. */
static int
read_head(struct reader *r, struct chunk *k, struct page *p, struct trc_err *err)
{
	const uint64_t left = k->end - k->at;
	struct trc_view v;

	for (uint64_t room = HEAD_FIRST;; room *= 2) {
		const uint64_t n = room < left ? room : left;

		r->raw.n = 0;
		if (read_at(r, k->at, n, &r->raw, err))
			return -1;
		v = trc_buf_view(&r->raw);
		if (parse_head(&v, p))
			break;
		if (n == left || room >= HEAD_MOST)
			return trc_fail(err, "this is not the header of a flat page with levels "
			                     "in runs");
	}
	p->start = k->at + (uint64_t)(v.p - r->raw.p);
	return p->packed > k->end - p->start ?
	               trc_fail(err, "a page of %llu bytes, but its column has %llu left",
	                        (unsigned long long)p->packed,
	                        (unsigned long long)(k->end - p->start)) :
	               0;
}

static int
unpack(const struct chunk *k, const uint8_t *p, size_t n, size_t want, struct trc_buf *to,
       struct trc_err *err)
{
	switch (k->codec) {
	case 0:
		return n == want ? trc_buf_put(to, p, n, err) ||
		                           trc_buf_room(to, TRC_UNPACK_SLACK, err) :
		                   trc_fail(err, "a page of %zu bytes unpacks to %zu", want, n);
	case 1: return trc_unpack_snappy(p, n, want, to, err);
	case 2: return trc_unpack_bytes(&trc_packing_gz, p, n, want, to, err);
	case 6: return trc_unpack_bytes(&trc_packing_zst, p, n, want, to, err);
	default:
		return trc_fail(err,
		                "its pages are packed with LZ4, Brotli or similar; write it with "
		                "zstd, for example DuckDB's COPY ... (COMPRESSION zstd)");
	}
}

/* Reads and decompresses the bytes of a page; levels of version 2 are not compressed. */
static int
read_page(struct reader *r, struct chunk *k, const struct page *p, struct trc_buf *to,
          struct trc_err *err)
{
	const size_t levels = (size_t)p->levels;

	r->raw.n = to->n = 0;
	if (read_at(r, p->start, p->packed, &r->raw, err) || trc_buf_put(to, r->raw.p, levels, err))
		return -1;
	if (!p->is_packed)
		return trc_buf_put(to, r->raw.p + levels, r->raw.n - levels, err) ||
		                       trc_buf_room(to, TRC_UNPACK_SLACK, err) ?
		               -1 :
		               0;
	/* Empty data may be stored without compression. */
	if (r->raw.n == levels && p->bytes == p->levels)
		return trc_buf_room(to, TRC_UNPACK_SLACK, err);
	return unpack(k, r->raw.p + levels, r->raw.n - levels, (size_t)p->bytes - levels, to, err);
}

static int
take_dictionary(struct reader *r, struct chunk *k, const struct page *p, struct trc_err *err)
{
	struct trc_parquet_values v = k->values;

	if (read_page(r, k, p, &k->words, err))
		return -1;
	v.encoding = TRC_PARQUET_PLAIN;
	v.v = trc_buf_view(&k->words);
	v.entries = 0;
	/* Each value has at least four bytes, except bits, which have no dictionary. */
	if (p->n > k->words.n / 4)
		return trc_fail(err, "a dictionary of %llu entries in %zu bytes",
		                (unsigned long long)p->n, k->words.n);
	if (trc_grow(&k->dictionary, &k->dictionary_cap, (size_t)p->n, sizeof(*k->dictionary), err))
		return -1;
	(void)trc_parquet_values_begin(&v);
	for (size_t n; v.entries < p->n; v.entries += n) {
		n = (size_t)p->n - v.entries;
		n = n < TRC_COLUMNAR_ROWS ? n : TRC_COLUMNAR_ROWS;
		if (!trc_parquet_values_take(&v, n, k->dictionary + v.entries))
			return trc_fail(err, "the dictionary ends within its entries");
	}
	k->values.dictionary = k->dictionary;
	k->values.entries = v.entries;
	return 0;
}

static int
take_data(struct reader *r, struct chunk *k, const struct page *p, struct trc_err *err)
{
	struct trc_view v, levels;

	if (p->n > k->left)
		return trc_fail(err, "a page of %llu values, but %llu are left",
		                (unsigned long long)p->n, (unsigned long long)k->left);
	if (read_page(r, k, p, &k->page, err))
		return -1;
	v = trc_buf_view(&k->page);
	levels = (struct trc_view){ v.p, v.p + p->levels };
	if (k->optional && p->kind == DATA_PAGE) {
		const uint8_t *len = trc_view_bytes(&v, 4);
		const uint32_t n = len ? trc_le32(len) : 0;

		if (!len || !(levels.p = trc_view_bytes(&v, n)))
			return trc_fail(err, "the levels are longer than their page");
		levels.end = levels.p + n;
	} else {
		v.p = levels.end;
	}
	k->levels = (struct trc_parquet_runs){ .v = levels, .width = 1 };
	k->values.v = v;
	k->values.encoding = (enum trc_parquet_encoding)p->encoding;
	k->page_left = (size_t)p->n;
	return trc_parquet_values_begin(&k->values) ?
	               0 :
	               trc_fail(err, "values of encoding %llu are damaged or not supported",
	                        (unsigned long long)p->encoding);
}

static int
next_page(struct reader *r, struct chunk *k, struct trc_err *err)
{
	struct page p;

	if (k->at == k->end)
		return trc_fail(err, "%llu values are missing", (unsigned long long)k->left);
	if (read_head(r, k, &p, err))
		return -1;
	k->at = p.start;
	if (p.kind == DICTIONARY_PAGE ? take_dictionary(r, k, &p, err) :
	    p.kind != INDEX_PAGE      ? take_data(r, k, &p, err) :
	                                0)
		return -1;
	k->at += p.packed;
	return 0;
}

/* ---- cells ---- */

/* Moves the values to the rows that are not null, from the last on. */
static void
spread(struct trc_data *to, size_t from, size_t n, size_t values)
{
	for (size_t i = n; i-- > 0;)
		if (to->null[from + i])
			to->cell[from + i].number = 0;
		else
			to->cell[from + i] = to->cell[from + --values];
}

static bool
take_cells(struct chunk *k, size_t from, size_t n, struct trc_data *to)
{
	uint32_t level[TRC_COLUMNAR_ROWS];
	size_t values = n;

	if (k->optional) {
		if (!trc_parquet_runs_take(&k->levels, n, level))
			return false;
		values = 0;
		for (size_t i = 0; i < n; i++) {
			to->null[from + i] = !level[i];
			values += level[i];
		}
		to->nulls |= values < n;
	}
	if (!trc_parquet_values_take(&k->values, values, to->cell + from))
		return false;
	if (values < n)
		spread(to, from, n, values);
	return true;
}

static int
read_column(struct trc_columnar *t, size_t c, size_t n, struct trc_data *to, struct trc_err *err)
{
	struct reader *r = (struct reader *)t;
	struct chunk *k = &r->chunk[c];

	to->nulls = false;
	for (size_t from = 0, some; from < n; from += some) {
		while (k->page_left == 0)
			if (next_page(r, k, err))
				return fail_at(r, c, err);
		some = k->page_left < n - from ? k->page_left : n - from;
		if (!take_cells(k, from, some, to))
			return trc_fail(err, "the page before here is damaged"), fail_at(r, c, err);
		k->page_left -= some;
		k->left -= some;
	}
	return 0;
}

/* ---- metadata ---- */

/* Reads the metadata of a column in a row group. */
static int
take_chunk(struct reader *r, struct chunk *k, struct trc_view *v, uint64_t rows,
           struct trc_err *err)
{
	struct trc_thrift of[TRC_THRIFT_FIELDS], meta[TRC_THRIFT_FIELDS];
	uint64_t bytes;

	if (!trc_thrift_struct(v, of) || of[1].type || !trc_thrift_inner(&of[3], meta))
		return trc_fail(err, "a column without its metadata, or in another file");
	k->at = (uint64_t)meta[9].number;
	if (meta[11].type && meta[11].number > 0 && (uint64_t)meta[11].number < k->at)
		k->at = (uint64_t)meta[11].number;
	bytes = (uint64_t)meta[7].number;
	k->codec = (unsigned)meta[4].number;
	k->left = rows;
	k->page_left = 0;
	k->values.entries = 0;
	if (k->at > r->size || bytes > r->size - k->at)
		return trc_fail(err, "a column of %llu bytes at byte %llu, in a file of %llu",
		                (unsigned long long)bytes, (unsigned long long)k->at,
		                (unsigned long long)r->size);
	k->end = k->at + bytes;
	if (r->column[k - r->chunk].kind != TRC_DATUM_UNREADABLE &&
	    (uint64_t)meta[5].number != rows)
		return trc_fail(err, "a column of %llu values in a group of %llu rows",
		                (unsigned long long)meta[5].number, (unsigned long long)rows);
	if ((uint64_t)meta[1].number != k->physical)
		return trc_fail(err, "a column has another type than in the schema");
	return 0;
}

static int
next_rows(struct trc_columnar *t, uint64_t *n, struct trc_err *err)
{
	struct reader *r = (struct reader *)t;
	struct trc_thrift group[TRC_THRIFT_FIELDS];
	struct trc_view v;
	uint64_t columns;

	*n = 0;
	if (r->groups_left == 0 && r->rows != t->rows)
		return trc_fail(err, "%s: the metadata has %llu rows, its row groups have %llu",
		                r->in->name, (unsigned long long)t->rows,
		                (unsigned long long)r->rows);
	while (*n == 0 && r->groups_left > 0) {
		if (!trc_thrift_struct(&r->groups, group) || group[3].number < 0 ||
		    !trc_thrift_structs(&group[1], &v, &columns) || columns != t->columns)
			return trc_fail(err, "%s: the metadata has a row group that is damaged",
			                r->in->name);
		*n = (uint64_t)group[3].number;
		r->rows += *n;
		r->groups_left--;
		for (size_t c = 0; c < t->columns; c++)
			if (take_chunk(r, &r->chunk[c], &v, *n, err))
				return trc_err_in(err, "%s: metadata", r->in->name);
	}
	return 0;
}

static void
set_column(const struct trc_thrift *of, bool inner, struct trc_columnar_column *c, struct chunk *k)
{
	enum { DECIMAL = 5, UINT_8 = 11, UINT_64 = 14, LOGICAL_INTEGER = 10 };
	struct trc_thrift logical[TRC_THRIFT_FIELDS], integer[TRC_THRIFT_FIELDS];
	const int64_t converted = of[6].type ? of[6].number : -1, repetition = of[3].number;
	bool has_sign = converted < UINT_8 || converted > UINT_64;

	if (trc_thrift_inner(&of[10], logical) &&
	    trc_thrift_inner(&logical[LOGICAL_INTEGER], integer))
		has_sign = integer[2].type != TRC_THRIFT_FALSE;
	k->physical = (enum trc_parquet_physical)of[1].number;
	k->optional = repetition == 1;
	k->values.physical = k->physical;
	k->values.has_sign = has_sign;
	c->name = (struct trc_field){ of[4].bytes.p, (size_t)(of[4].bytes.end - of[4].bytes.p) };
	switch (inner || repetition > 1 || converted == DECIMAL ? TRC_PARQUET_FIXED : k->physical) {
	case TRC_PARQUET_BOOLEAN: c->kind = TRC_DATUM_UNSIGNED; break;
	case TRC_PARQUET_INT32:
	case TRC_PARQUET_INT64: c->kind = has_sign ? TRC_DATUM_SIGNED : TRC_DATUM_UNSIGNED; break;
	case TRC_PARQUET_FLOAT:
	case TRC_PARQUET_DOUBLE: c->kind = TRC_DATUM_REAL; break;
	case TRC_PARQUET_BYTE_ARRAY: c->kind = TRC_DATUM_TEXT; break;
	default: c->kind = TRC_DATUM_UNREADABLE;
	}
}

/* The schema is a tree in preorder: a root, then columns, some of which may be nested. */
static bool
take_schema(struct reader *r, const struct trc_thrift *list, struct trc_err *err)
{
	struct trc_thrift of[TRC_THRIFT_FIELDS];
	struct trc_view v;
	uint64_t n, inner = 0;

	if (!trc_thrift_structs(list, &v, &n) || n < 1 || n > (uint64_t)(v.end - v.p) ||
	    !trc_thrift_struct(&v, of)) {
		trc_fail(err, "the metadata has no schema");
		return false;
	}
	r->column = trc_alloc((size_t)n, sizeof(*r->column), err);
	r->chunk = r->column ? trc_alloc((size_t)n, sizeof(*r->chunk), err) : NULL;
	r->t.column = r->column;
	for (uint64_t i = 1; r->chunk && i < n; i++) {
		if (!trc_thrift_struct(&v, of) || of[4].type != TRC_THRIFT_BINARY) {
			trc_fail(err, "the schema is damaged");
			return false;
		}
		if (!of[5].number) {
			set_column(of, inner > 0, &r->column[r->t.columns],
			           &r->chunk[r->t.columns]);
			r->t.columns++;
		}
		inner -= inner > 0;
		inner += (uint64_t)of[5].number;
	}
	return r->chunk;
}

static int
read_metadata(struct reader *r, struct trc_err *err)
{
	struct trc_thrift file[TRC_THRIFT_FIELDS];
	struct trc_view v;
	uint64_t len;

	if (r->size < 4 + TAIL)
		return trc_fail(err, "%llu bytes is too short for a Parquet file",
		                (unsigned long long)r->size);
	if (read_at(r, r->size - TAIL, TAIL, &r->tail, err))
		return -1;
	if (memcmp(r->tail.p + 4, "PAR1", 4) != 0)
		return trc_fail(err,
		                memcmp(r->tail.p + 4, "PARE", 4) == 0 ?
		                        "is encrypted, which is not supported" :
		                        "does not end with PAR1: it is truncated, or not Parquet");
	len = trc_le32(r->tail.p);
	if (len > r->size - 4 - TAIL)
		return trc_fail(err, "the metadata has %llu bytes, the file %llu",
		                (unsigned long long)len, (unsigned long long)r->size);
	r->tail.n = 0;
	if (read_at(r, r->size - TAIL - len, len, &r->tail, err))
		return -1;
	v = trc_buf_view(&r->tail);
	if (!trc_thrift_struct(&v, file) ||
	    !trc_thrift_structs(&file[4], &r->groups, &r->groups_left))
		return trc_fail(err, "the metadata before byte %llu is damaged",
		                (unsigned long long)(r->size - TAIL));
	r->t.rows = (uint64_t)file[3].number;
	r->size -= TAIL + len; /* the range of the columns */
	return take_schema(r, &file[2], err) ? 0 : -1;
}

static void
close_reader(struct trc_columnar *t)
{
	struct reader *r = (struct reader *)t;

	trc_in_close(r->in);
	for (size_t c = 0; c < r->t.columns; c++) {
		trc_buf_release(&r->chunk[c].page);
		trc_buf_release(&r->chunk[c].words);
		free(r->chunk[c].dictionary);
	}
	if (r->spool >= 0)
		close(r->spool);
	trc_buf_release(&r->tail);
	trc_buf_release(&r->raw);
	free(r->column);
	free(r->chunk);
	free(r);
}

struct trc_source *
trc_parquet_source(struct trc_in *in, const void *settings, struct trc_err *err)
{
	struct reader *r = trc_alloc(1, sizeof(*r), err);
	struct trc_source *src = NULL;

	if (!r)
		return NULL;
	r->t = (struct trc_columnar){ .format = "parquet",
		                      .next_rows = next_rows,
		                      .read_column = read_column,
		                      .close = close_reader };
	r->in = in;
	r->spool = -1;
	r->size = trc_in_size(in);
	if ((r->size == 0 && spool(r, err)) || read_metadata(r, err))
		trc_err_in(err, "%s", in->name);
	else
		src = trc_columnar_source(&r->t, in, settings, err);
	if (!src) {
		r->in = NULL; /* stays the caller's */
		close_reader(&r->t);
	}
	return src;
}
