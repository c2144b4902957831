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

static void
store(void *at, size_t width, size_t i, uint64_t v)
{
	switch (width) {
	case 1: ((uint8_t *)at)[i] = (uint8_t)v; break;
	case 4: ((uint32_t *)at)[i] = (uint32_t)v; break;
	default: ((uint64_t *)at)[i] = v; break;
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

int
trc_batch_unpack(struct trc_view v, struct trc_batch *b, size_t rows, struct trc_err *err)
{
	uint64_t d, row = 0;

	for (int c = 0; c < TRC_COLUMNS; c++) {
		const size_t width = trc_column[c].width;
		void *at = trc_batch_column(b, (enum trc_column)c);
		uint64_t last = 0;

		for (size_t i = 0; at && c != TRC_COL_EVENT && i < rows; i++) {
			if (!trc_view_num(&v, &d))
				return trc_fail(err, "rows that were packed are damaged");
			last += trc_unzigzag(d);
			store(at, width, i, last);
		}
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
