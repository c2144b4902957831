/* SPDX-License-Identifier: MIT
 * .gz through zlib, where it was found. */
#include "base/unpack.h"

#ifdef TRC_WITH_ZLIB
#include <stdlib.h>
#include <zlib.h>

static int
gz_open(struct trc_unpacker *u, struct trc_err *err)
{
	z_stream *z = trc_alloc(1, sizeof(*z), err);

	if (!z)
		return -1;
	/* 15 bits of window, and the gzip header and trailer checked. */
	if (inflateInit2(z, 15 + 16) != Z_OK) {
		free(z);
		return trc_fail_as(err, TRC_NO_MEMORY, "no memory to unpack gz");
	}
	u->state = z;
	return 0;
}

static enum trc_step
gz_step(struct trc_unpacker *u, uint8_t *dst, size_t cap, size_t *got, struct trc_err *err)
{
	z_stream *z = u->state;
	int ret;

	z->next_in = u->in + u->at;
	z->avail_in = (uInt)(u->len - u->at);
	z->next_out = dst;
	z->avail_out = cap < UINT32_MAX ? (uInt)cap : UINT32_MAX;
	ret = inflate(z, Z_NO_FLUSH);
	u->at = u->len - z->avail_in;
	*got = (size_t)(z->next_out - dst);
	if (ret == Z_STREAM_END)
		return TRC_STEP_MEMBER;
	if (ret == Z_OK || ret == Z_BUF_ERROR)
		return TRC_STEP_MORE;
	if (ret == Z_MEM_ERROR)
		trc_fail_as(err, TRC_NO_MEMORY, "no memory to unpack gz");
	else
		trc_fail(err, "the gz data is damaged");
	return TRC_STEP_FAILED;
}

static void
gz_close(struct trc_unpacker *u)
{
	if (u->state)
		inflateEnd(u->state);
	free(u->state);
}
#endif

const struct trc_unpack trc_unpack_gz = {
	.name = "gz",
	.library = "zlib1g-dev",
	.magic = { 0x1f, 0x8b },
	.magic_len = 2,
#ifdef TRC_WITH_ZLIB
	.open = gz_open,
	.step = gz_step,
	.close = gz_close,
#endif
};
