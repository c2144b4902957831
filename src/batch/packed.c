/* SPDX-License-Identifier: MIT */
#include "batch/packed.h"

#include <string.h>

static uint64_t
value_of(const void *at, size_t width, size_t i)
{
	switch (width) {
	case 1: return ((const uint8_t *)at)[i];
	case 4: return ((const uint32_t *)at)[i];
	default: return ((const uint64_t *)at)[i];
	}
}

static inline void
put_num(struct trc_buf *out, uint64_t v)
{
	for (; v >= 0x80; v >>= 7)
		trc_buf_byte(out, (uint8_t)(v | 0x80));
	trc_buf_byte(out, (uint8_t)v);
}

static int
pack_events(const struct trc_batch *b, struct trc_buf *out, struct trc_err *err)
{
	size_t last = 0;

	for (size_t i = 0; i < b->n; i++) {
		const char *text = trc_batch_event(b, i);

		if (!trc_batch_is_event(b, i))
			continue;
		if (trc_buf_put_num(out, i - last, err) ||
		    trc_buf_put(out, text, strlen(text) + 1, err))
			return -1;
		last = i;
	}
	return 0;
}

int
trc_batch_pack(const struct trc_batch *b, struct trc_buf *out, struct trc_err *err)
{
	if (trc_buf_room(out, b->n * TRC_COLUMNS * 10, err))
		return -1;
	for (int c = 0; c < TRC_COLUMNS; c++) {
		const size_t width = trc_column[c].width;
		const void *at = trc_batch_column(b, (enum trc_column)c);
		uint64_t last = 0;

		for (size_t i = 0; at && c != TRC_COL_EVENT && i < b->n; i++) {
			const uint64_t v = value_of(at, width, i);

			put_num(out, trc_zigzag(v - last));
			last = v;
		}
	}
	return b->event ? pack_events(b, out, err) : 0;
}

/* Reads a number like trc_view_num(), faster for the common short ones. */
static TRC_ALWAYS_INLINE bool
get_num(struct trc_view *v, uint64_t *value)
{
	const uint8_t *p = v->p;

	if (TRC_UNLIKELY(v->end - p < 2))
		return trc_view_num(v, value);
	if (p[0] < 128) {
		*value = p[0];
		v->p = p + 1;
		return true;
	}
	if (p[1] < 128) {
		*value = (p[0] & 127u) | (uint64_t)p[1] << 7;
		v->p = p + 2;
		return true;
	}
	return trc_view_num(v, value);
}

/* Unpacks a column of `width` bytes per value; returns false if `from` ends before `rows` rows. */
static TRC_ALWAYS_INLINE bool
unpack_column(struct trc_view *from, void *at, size_t width, size_t rows)
{
	struct trc_view v = *from;
	uint64_t d, last = 0;

	for (size_t i = 0; i < rows; i++) {
		if (!get_num(&v, &d))
			return false;
		last += trc_unzigzag(d);
		switch (width) {
		case 1: ((uint8_t *)at)[i] = (uint8_t)last; break;
		case 4: ((uint32_t *)at)[i] = (uint32_t)last; break;
		default: ((uint64_t *)at)[i] = last; break;
		}
	}
	*from = v;
	return true;
}

static bool
unpack_any(struct trc_view *v, void *at, size_t width, size_t rows)
{
	switch (width) {
	case 1: return unpack_column(v, at, 1, rows);
	case 4: return unpack_column(v, at, 4, rows);
	default: return unpack_column(v, at, 8, rows);
	}
}

int
trc_batch_unpack(struct trc_view v, struct trc_batch *b, size_t rows, struct trc_err *err)
{
	uint64_t d, row = 0;

	for (int c = 0; c < TRC_COLUMNS; c++) {
		void *at = trc_batch_column(b, (enum trc_column)c);

		if (at && c != TRC_COL_EVENT && !unpack_any(&v, at, trc_column[c].width, rows))
			return trc_fail(err, "rows that were packed are damaged");
	}
	b->n = rows;
	if (b->event)
		memset(b->event, 0, rows * sizeof(*b->event));
	while (v.p < v.end) {
		const uint8_t *end;

		if (!trc_view_num(&v, &d) || !b->event || d >= rows - row ||
		    !(end = memchr(v.p, 0, (size_t)(v.end - v.p))))
			return trc_fail(err, "rows that were packed are damaged");
		row += d;
		trc_batch_put_event(b, (size_t)row, (const char *)v.p, (size_t)(end - v.p));
		v.p = end + 1;
	}
	return trc_batch_check(b, err);
}

enum { NUMBERS_MOST = 2 * TRC_NUM_MOST };

int
trc_rows_pack(const struct trc_batch *b, struct trc_buf *out, struct trc_err *err)
{
	uint8_t numbers[NUMBERS_MOST];
	const size_t before = out->n;
	size_t n;

	/* Packs after room for the two numbers, which depend on the result. */
	if (trc_buf_room(out, NUMBERS_MOST, err))
		return -1;
	out->n += NUMBERS_MOST;
	if (trc_batch_pack(b, out, err))
		return -1;
	n = trc_put_num(numbers, b->n);
	n += trc_put_num(numbers + n, out->n - before - NUMBERS_MOST);
	memmove(out->p + before + n, out->p + before + NUMBERS_MOST,
	        out->n - before - NUMBERS_MOST);
	memcpy(out->p + before, numbers, n);
	out->n -= NUMBERS_MOST - n;
	return 0;
}

/* Takes the next packed batch; returns false if it is damaged or missing. */
static bool
next_batch(struct trc_view *v, uint64_t *rows, struct trc_view *packed)
{
	uint64_t bytes;

	if (!trc_view_num(v, rows) || !trc_view_num(v, &bytes) || *rows == 0 ||
	    *rows > TRC_BATCH_ROWS || bytes > (uint64_t)(v->end - v->p))
		return false;
	packed->p = v->p;
	packed->end = v->p += bytes;
	return true;
}

int
trc_rows_unpack(struct trc_view *v, struct trc_batch *b, struct trc_err *err)
{
	struct trc_view packed;
	uint64_t rows;

	trc_batch_clear(b);
	if (!next_batch(v, &rows, &packed) || rows > b->cap)
		return trc_fail(err, "rows that were packed are damaged");
	return trc_batch_unpack(packed, b, (size_t)rows, err);
}

bool
trc_rows_check(struct trc_view v, uint64_t rows)
{
	struct trc_view packed;
	uint64_t n;

	while (v.p < v.end) {
		if (!next_batch(&v, &n, &packed) || n > rows)
			return false;
		rows -= n;
	}
	return rows == 0;
}
