/* SPDX-License-Identifier: MIT
 *
 * Decompresses the pages of Parquet and the buffers of Arrow: with Snappy, and the rows of
 * base/io/packing.h.
 */
#include "format/columnar/unpack.h"

#include "base/packing/snappy.h"

enum { AT_ONCE = 1 << 20 };

/* For gzip and zstd. Room is made as bytes arrive, since a damaged file may give any length. */
static int
unpack(struct trc_stream *s, size_t want, struct trc_buf *to, struct trc_err *err)
{
	const size_t end = to->n + want;
	size_t got = 1;
	uint8_t more;

	while (to->n < end && got > 0) {
		const size_t left = end - to->n, n = left < AT_ONCE ? left : AT_ONCE;

		if (trc_buf_room(to, n + TRC_UNPACK_SLACK, err) ||
		    s->read(s, to->p + to->n, n, &got, err))
			return -1;
		to->n += got;
	}
	if (got > 0 && s->read(s, &more, 1, &got, err))
		return -1;
	return to->n < end || got > 0 ? trc_fail(err, "it unpacks to %s than %zu bytes",
	                                         got ? "more" : "fewer", want) :
	                                0;
}

int
trc_unpack_bytes(const struct trc_packing *row, const uint8_t *p, size_t n, size_t want,
                 struct trc_buf *to, struct trc_err *err)
{
	struct trc_stream *inner, *s;
	int ret;

	if (trc_buf_room(to, TRC_UNPACK_SLACK, err))
		return -1;
	inner = trc_stream_memory(p, n, n, err);
	s = inner ? trc_unpack_open(row, inner, p, 0, NULL, err) : NULL;
	if (!s) {
		trc_stream_close(inner);
		return -1;
	}
	ret = unpack(s, want, to, err);
	trc_stream_close(s);
	return ret;
}

int
trc_unpack_snappy(const uint8_t *p, size_t n, size_t want, struct trc_buf *to, struct trc_err *err)
{
	struct trc_view v = { p, p + n };
	uint64_t len;

	if (!trc_snappy_length(&v, &len) || len != want || want / TRC_SNAPPY_RATIO > n)
		return trc_fail(err, "its Snappy data does not unpack to %zu bytes", want);
	if (trc_buf_room(to, want + TRC_UNPACK_SLACK, err))
		return -1;
	if (!trc_snappy_unpack(&v, to->p + to->n, want))
		return trc_fail(err, "its Snappy data is damaged");
	to->n += want;
	return 0;
}
