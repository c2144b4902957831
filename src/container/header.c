/* SPDX-License-Identifier: MIT
 * Headers of containers. */
#include "container/header.h"

#include <stddef.h>
#include <string.h>

#include "container/container.h"

enum { PAGE_BITS_MOST = 63 };

int
trc_columns_read(struct trc_view *v, uint32_t *have, struct trc_err *err)
{
	uint64_t columns;

	*have = 0;
	if (!trc_view_num(v, &columns))
		return trc_fail(err, "the list of columns is damaged");
	if (columns & ~(uint64_t)TRC_HAS_ALL)
		return trc_fail(err, "has columns that this trc does not know; a newer one may");
	*have = (uint32_t)columns;
	return 0;
}

/* ---- facts ---- */

/* Facts by their numbers in the file, from 1. */
static const size_t fact[] = {
	offsetof(struct trc_guarantee, window),  offsetof(struct trc_guarantee, clock),
	offsetof(struct trc_guarantee, sets),    offsetof(struct trc_guarantee, ways),
	offsetof(struct trc_guarantee, line),    offsetof(struct trc_guarantee, sample),
	offsetof(struct trc_guarantee, reduced),
};

int
trc_facts_write(struct trc_buf *b, const struct trc_guarantee *p, struct trc_err *err)
{
	for (size_t i = 0; i < TRC_COUNT(fact); i++) {
		uint64_t v;

		memcpy(&v, (const char *)p + fact[i], sizeof(v));
		if (v && (trc_buf_put_num(b, i + 1, err) || trc_buf_put_num(b, v, err)))
			return -1;
	}
	return 0;
}

bool
trc_facts_read(struct trc_view *v, struct trc_guarantee *p)
{
	while (v->p < v->end) {
		uint64_t number, value;

		if (!trc_view_num(v, &number) || !trc_view_num(v, &value))
			return false;
		if (number >= 1 && number <= TRC_COUNT(fact))
			memcpy((char *)p + fact[number - 1], &value, sizeof(value));
	}
	return p->window == 0 || p->clock == TRC_COL_TIME || p->clock == TRC_COL_ITIME ||
	       p->clock == TRC_COL_RTIME;
}

/* ---- header ---- */

int
trc_header_write(struct trc_buf *b, const struct trc_header *h, struct trc_err *err)
{
	const uint64_t number[] = { h->have, h->block_rows, h->meta.page_bits,
		                    h->meta.guarantee.sad, strlen(h->meta.format) };

	for (size_t i = 0; i < TRC_COUNT(number); i++)
		if (trc_buf_put_num(b, number[i], err))
			return -1;
	return trc_buf_put(b, h->meta.format, strlen(h->meta.format), err) ?
	               -1 :
	               trc_facts_write(b, &h->meta.guarantee, err);
}

int
trc_header_read(struct trc_view *v, struct trc_header *h, struct trc_err *err)
{
	uint64_t rows, page_bits, len;
	const uint8_t *format;

	*h = (struct trc_header){ 0 };
	if (trc_columns_read(v, &h->have, err))
		return -1;
	if (!trc_view_num(v, &rows) || rows == 0 || rows > TRC_BLOCK_MOST ||
	    !trc_view_num(v, &page_bits) || page_bits > PAGE_BITS_MOST ||
	    !trc_view_num(v, &h->meta.guarantee.sad) || !trc_view_num(v, &len) ||
	    len >= sizeof(h->meta.format) || !(format = trc_view_bytes(v, (size_t)len)))
		return trc_fail(err, "the header is damaged");
	h->block_rows = (size_t)rows;
	h->meta.page_bits = (uint32_t)page_bits;
	memcpy(h->meta.format, format, (size_t)len);
	return trc_facts_read(v, &h->meta.guarantee) ? 0 : trc_fail(err, "the header is damaged");
}
