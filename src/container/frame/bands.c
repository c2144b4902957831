/* SPDX-License-Identifier: MIT
 * The layouts of bands, and their parity. */
#include "container/frame/bands.h"

#include <stdlib.h>
#include <string.h>

#include "container/frame/kinds.h"

enum {
	SINGLE = 1024,  /* bytes; larger bands have a frame each, smaller ones share three */
	TILE = 1 << 12, /* codewords computed at once, which fit in the cache */
	DISK_SECTOR = 512,
	SMALL_PERCENT = 6,
	END = 52, /* the most bytes of an end frame */
};

/* ---- layouts ---- */

bool
trc_bands_make(struct trc_bands *b)
{
	const unsigned most = TRC_RS8_MOST - b->parity;

	if (b->parity < TRC_BANDS_PARITY_LEAST || b->parity > TRC_BANDS_PARITY_MOST ||
	    b->bytes == 0 || b->bytes > UINT32_MAX)
		return false;
	b->band = (size_t)((b->bytes + most - 1) / most);
	b->data = (unsigned)((b->bytes + b->band - 1) / b->band);
	b->frames = b->band < SINGLE ? 3 : b->parity;
	return true;
}

uint64_t
trc_bands_number(const struct trc_bands *b, unsigned nth)
{
	return b->bytes << 17 | (uint64_t)b->parity << 9 | (uint64_t)nth << 1 | b->last;
}

/* Returns the first parity band of a frame. Of three frames the last has two bands, so that no
 * burst that can be repaired covers all headers. */
unsigned
trc_bands_first(const struct trc_bands *b, unsigned nth)
{
	if (b->band >= SINGLE)
		return nth;
	return nth == 0 ? 0 : nth == 1 ? (b->parity - 1) / 2 : nth == 2 ? b->parity - 2 : b->parity;
}

size_t
trc_bands_bytes(const struct trc_bands *b, unsigned nth)
{
	return (trc_bands_first(b, nth + 1) - trc_bands_first(b, nth)) * b->band;
}

static uint64_t
head_of(const struct trc_bands *b, unsigned nth)
{
	uint8_t number[TRC_NUM_MOST];

	return TRC_FRAME_HEAD_LEAST - 2 + trc_put_num(number, trc_bands_bytes(b, nth)) +
	       trc_put_num(number, trc_bands_number(b, nth));
}

uint64_t
trc_bands_frame(const struct trc_bands *b, unsigned nth)
{
	uint64_t at = b->bytes;

	for (unsigned f = 0; f < nth; f++)
		at += head_of(b, f) + trc_bands_bytes(b, f);
	return at;
}

uint64_t
trc_bands_payload(const struct trc_bands *b, unsigned nth)
{
	return trc_bands_frame(b, nth) + head_of(b, nth);
}

uint64_t
trc_bands_at(const struct trc_bands *b, unsigned i)
{
	unsigned nth = 0;

	if (i < b->data)
		return i ? i * (uint64_t)b->band - trc_bands_before(b) : 0;
	while (trc_bands_first(b, nth + 1) <= i - b->data)
		nth++;
	return trc_bands_payload(b, nth) +
	       (i - b->data - trc_bands_first(b, nth)) * (uint64_t)b->band;
}

/* Returns the size of a burst, in bytes, that a container should survive. For a small container it
 * is at least a disk sector or SMALL_PERCENT, whichever is less. */
static uint64_t
burst_of(uint64_t bytes, unsigned percent)
{
	const uint64_t burst = (bytes * percent + 99) / 100;
	const uint64_t part = bytes * SMALL_PERCENT / 100;
	const uint64_t least = part < DISK_SECTOR ? part : DISK_SECTOR;

	return burst > least ? burst : least;
}

/* Takes two more parity bands than a burst may hit, because that many can always be located. */
struct trc_bands
trc_bands_choose(uint64_t bytes, unsigned percent, bool last)
{
	struct trc_bands b = { .bytes = bytes, .last = last, .parity = TRC_BANDS_PARITY_LEAST };

	for (; trc_bands_make(&b) && b.parity < TRC_BANDS_PARITY_MOST; b.parity++) {
		const uint64_t whole = trc_bands_frame(&b, b.frames) + END;

		if ((burst_of(whole, percent) + b.band - 1) / b.band + 2 <= b.parity)
			break;
	}
	return b;
}

bool
trc_bands_read(struct trc_bands *b, unsigned *nth, const struct trc_frame *f)
{
	*b = (struct trc_bands){ .bytes = f->number >> 17,
		                 .parity = f->number >> 9 & 0xff,
		                 .last = f->number & 1 };
	*nth = f->number >> 1 & 0xff;
	return f->kind == TRC_KIND_BANDS && trc_bands_make(b) && *nth < b->frames &&
	       f->len == trc_bands_bytes(b, *nth);
}

/* ---- parity ---- */

/* Computes TRC_RS8_LANES parity bands, from band `lane` on, of codewords [from, from + n). */
static void
add_tile(const struct trc_rs8 *code, const struct trc_bands *b, const uint8_t *group,
         const uint8_t *factor, size_t from, size_t n, uint64_t *sum)
{
	const size_t before = trc_bands_before(b);

	memset(sum, 0, n * sizeof(*sum));
	for (unsigned i = 0; i < b->data; i++) {
		const size_t at = i * b->band + from;
		const size_t skip = at >= before ? 0 : before - at < n ? before - at : n;

		if (skip < n)
			trc_rs8_add(code, sum + skip, group + (at + skip - before), n - skip,
			            factor + i * (TRC_RS8_MOST + 1));
	}
}

static void
put_tile(const struct trc_bands *b, unsigned lane, size_t from, size_t n, const uint64_t *sum,
         uint8_t *parity)
{
	for (unsigned j = lane; j < b->parity && j < lane + TRC_RS8_LANES; j++)
		for (size_t p = 0; p < n; p++)
			parity[j * b->band + from + p] = (uint8_t)(sum[p] >> 8 * (j - lane));
}

int
trc_bands_parity(const struct trc_bands *b, const uint8_t *group, uint8_t *parity,
                 struct trc_err *err)
{
	uint64_t *sum = trc_alloc_room(TILE, sizeof(*sum), err);
	uint8_t *factor = sum ? trc_alloc(b->data, TRC_RS8_MOST + 1, err) : NULL;
	struct trc_rs8 code;

	if (!factor) {
		free(sum);
		return -1;
	}
	trc_rs8_init(&code, b->data + b->parity, b->parity);
	for (unsigned i = b->data; i-- > 0;) {
		uint8_t *own = factor + i * (TRC_RS8_MOST + 1);

		if (i + 1 < b->data)
			memcpy(own, own + TRC_RS8_MOST + 1, b->parity);
		else
			own[0] = 1;
		trc_rs8_parity_before(&code, own);
	}
	for (size_t from = 0; from < b->band; from += TILE) {
		const size_t n = b->band - from < TILE ? b->band - from : TILE;

		for (unsigned lane = 0; lane < b->parity; lane += TRC_RS8_LANES) {
			add_tile(&code, b, group, factor + lane, from, n, sum);
			put_tile(b, lane, from, n, sum, parity);
		}
	}
	free(factor);
	free(sum);
	return 0;
}
