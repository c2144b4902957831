/* SPDX-License-Identifier: MIT
 * Texts of events, concatenated into one packed stream. */
#include "container/events.h"

#include <string.h>

#include "codec/stream/pack.h"
#include "container/container.h"

/* The most bytes of the number before a text. */
enum { GAP_BYTES = 4 };

_Static_assert(TRC_BLOCK_MOST <= 1 << 7 * GAP_BYTES, "rows of a block are numbered so");

size_t
trc_events_fit(const struct trc_batch *block, const struct trc_batch *b, size_t from, size_t n)
{
	size_t bytes = block->text_n ? block->text_n - 1 : 0;

	for (size_t i = 0; b->event && i < n; i++) {
		if (!b->event[from + i])
			continue;
		bytes += strlen(trc_batch_event(b, from + i)) + 1;
		if (bytes > TRC_EVENTS_BYTES)
			return i;
	}
	return n;
}

int
trc_events_write(const struct trc_batch *b, int level, struct trc_buf *out, struct trc_err *err)
{
	struct trc_buf plain = { 0 };
	size_t last = 0;
	int ret = 0;

	for (size_t i = 0; i < b->n && ret == 0; i++) {
		const char *text = trc_batch_event(b, i);

		if (!trc_batch_is_event(b, i))
			continue;
		if (trc_buf_put_num(&plain, i - last, err) ||
		    trc_buf_put(&plain, text, strlen(text) + 1, err))
			ret = -1;
		last = i;
	}
	if (ret == 0)
		ret = trc_pack(plain.p, plain.n, TRC_PACK_BYTES, level, out, err);
	trc_buf_release(&plain);
	return ret;
}

static int
take_texts(struct trc_view v, struct trc_batch *b, size_t rows, struct trc_err *err)
{
	uint64_t row = 0, gap;

	trc_batch_clear(b);
	memset(b->event, 0, rows * sizeof(*b->event));
	while (v.p < v.end) {
		const uint8_t *end;

		if (!trc_view_num(&v, &gap) || gap >= rows - row || b->event[row + gap])
			return trc_fail(err, "the events of a block are damaged");
		row += gap;
		end = memchr(v.p, 0, (size_t)(v.end - v.p));
		if (!end || end - v.p > TRC_EVENT_MOST)
			return trc_fail(err, "an event of a block is damaged");
		trc_batch_put_event(b, (size_t)row, (const char *)v.p, (size_t)(end - v.p));
		v.p = end + 1;
	}
	return trc_batch_check(b, err);
}

int
trc_events_read(struct trc_view *in, struct trc_batch *b, size_t rows, struct trc_err *err)
{
	struct trc_buf plain = { 0 };
	int ret;

	ret = trc_unpack(in, TRC_EVENTS_BYTES + GAP_BYTES * rows, &plain, err);
	if (ret == 0)
		ret = take_texts(trc_buf_view(&plain), b, rows, err);
	trc_buf_release(&plain);
	return ret;
}

int
trc_events_check(const struct trc_batch *b, size_t from, struct trc_err *err)
{
	bool wrong = false;

	for (size_t i = from; b->event && b->type && i < b->n; i++)
		wrong |= b->event[i] && b->type[i] != TRC_EVENT;
	return wrong ? trc_fail(err, "the text of an event stands on a row of another type") : 0;
}
