/* SPDX-License-Identifier: MIT
 * What unpacks the pages of Parquet and the buffers of Arrow: Snappy here, all else by the rows of
 * base/io/packing.h. */
#include "format/columnar/unpack.h"

enum { AT_ONCE = 1 << 20 };

/* Of gzip and zstd. Room is made as bytes come, since a damaged file may promise any number. */
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

/* ---- Snappy: a length, then literals and copies of what came before ---- */

/* The next `n` bytes as a number, the lowest first. */
static bool
take_number(struct trc_view *v, unsigned n, size_t *number)
{
	const uint8_t *p = trc_view_bytes(v, n);

	*number = 0;
	for (unsigned i = 0; p && i < n; i++)
		*number |= (size_t)p[i] << 8 * i;
	return p;
}

/* A copy may reach into what it writes: then that repeats. */
static void
copy_back(uint8_t *dst, size_t back, size_t n)
{
	const uint8_t *from = dst - back;

	if (back >= n)
		memcpy(dst, from, n);
	else
		for (size_t i = 0; i < n; i++)
			dst[i] = from[i];
}

static bool
snap(struct trc_view *v, uint8_t *start, size_t want)
{
	uint8_t *dst = start, *const end = start + want;

	while (v->p < v->end) {
		const unsigned tag = *v->p++, kind = tag & 3;
		size_t n = (tag >> 2) + 1, back = 0;
		const uint8_t *bytes;

		if (kind == 0) {
			if (n > 60 && (!take_number(v, (unsigned)n - 60, &n) || ++n == 0))
				return false;
			if (n > (size_t)(end - dst) || !(bytes = trc_view_bytes(v, n)))
				return false;
			memcpy(dst, bytes, n);
			dst += n;
			continue;
		}
		if (!take_number(v, kind == 3 ? 4 : kind, &back))
			return false;
		if (kind == 1) {
			n = (tag >> 2 & 7) + 4;
			back |= (size_t)(tag >> 5) << 8;
		}
		if (back == 0 || back > (size_t)(dst - start) || n > (size_t)(end - dst))
			return false;
		copy_back(dst, back, n);
		dst += n;
	}
	return dst == end;
}

int
trc_unpack_snappy(const uint8_t *p, size_t n, size_t want, struct trc_buf *to, struct trc_err *err)
{
	enum { RATIO_MOST = 22 }; /* three bytes copy 64 */
	struct trc_view v = { p, p + n };
	uint64_t len;

	if (!trc_view_num(&v, &len) || len != want || want / RATIO_MOST > n)
		return trc_fail(err, "its Snappy data is not of %zu bytes", want);
	if (trc_buf_room(to, want + TRC_UNPACK_SLACK, err))
		return -1;
	if (!snap(&v, to->p + to->n, want))
		return trc_fail(err, "its Snappy data is damaged");
	to->n += want;
	return 0;
}
