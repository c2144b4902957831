/* SPDX-License-Identifier: MIT
 *
 * Writes PNG (ISO/IEC 15948:2004): eight bits per colour, one block of compressed data, each row as
 * the difference from the one above (filter 2).
 */
#include "cmd/picture/raster.h"

#include <stdlib.h>

#ifdef TRC_WITH_ZLIB
#include <string.h>
#include <zlib.h>

static void
put32(uint8_t *dst, uint32_t v)
{
	for (int i = 0; i < 4; i++)
		dst[i] = (uint8_t)(v >> (24 - 8 * i));
}

static int
chunk(struct trc_out *out, const char *type, const uint8_t *data, size_t n, struct trc_err *err)
{
	uint8_t head[8], sum[4];
	uLong crc;

	put32(head, (uint32_t)n);
	memcpy(head + 4, type, 4);
	crc = crc32(0, head + 4, 4);
	if (n)
		crc = crc32(crc, data, (uInt)n);
	put32(sum, (uint32_t)crc);
	return trc_out_put(out, head, sizeof(head), err) || trc_out_put(out, data, n, err) ||
	                       trc_out_put(out, sum, sizeof(sum), err) ?
	               -1 :
	               0;
}

/* Produces the rows as they are compressed: a byte that names the filter, and three bytes per
 * pixel. */
static void
filter_rows(const uint32_t *pixel, unsigned width, unsigned height, uint8_t *dst)
{
	for (size_t y = 0; y < height; y++) {
		const uint32_t *row = pixel + y * width;

		*dst++ = 2;
		for (size_t x = 0; x < width; x++) {
			const uint32_t above = y ? pixel[(y - 1) * width + x] : 0;

			for (int shift = 16; shift >= 0; shift -= 8)
				*dst++ = (uint8_t)((row[x] >> shift) - (above >> shift));
		}
	}
}

int
trc_png(const uint32_t *pixel, unsigned width, unsigned height, struct trc_out *out,
        struct trc_err *err)
{
	static const uint8_t signature[] = { 137, 'P', 'N', 'G', 13, 10, 26, 10 };
	const size_t bytes = (size_t)height * (3 * (size_t)width + 1);
	uLongf packed_bytes = compressBound((uLong)bytes);
	uint8_t *rows = trc_alloc(bytes, 1, err), *packed = trc_alloc(packed_bytes, 1, err);
	uint8_t head[13] = { [8] = 8, [9] = 2 };
	int ret = -1;

	if (rows && packed) {
		filter_rows(pixel, width, height, rows);
		put32(head, width);
		put32(head + 4, height);
		if (compress2(packed, &packed_bytes, rows, (uLong)bytes, 9) != Z_OK)
			ret = trc_fail(err, "not enough memory to pack a picture");
		else
			ret = trc_out_put(out, signature, sizeof(signature), err) ||
			                      chunk(out, "IHDR", head, sizeof(head), err) ||
			                      chunk(out, "IDAT", packed, packed_bytes, err) ||
			                      chunk(out, "IEND", head, 0, err) ?
			              -1 :
			              0;
	}
	free(rows);
	free(packed);
	return ret;
}
#else
int
trc_png(const uint32_t *pixel, unsigned width, unsigned height, struct trc_out *out,
        struct trc_err *err)
{
	(void)pixel, (void)width, (void)height, (void)out;
	return trc_fail(err, "this trc was built without zlib, which PNG needs; write .svg");
}
#endif
