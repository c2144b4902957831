/* SPDX-License-Identifier: MIT
 * .bz2 through libbz2, where it was found. */
#include "base/unpack.h"

#ifdef TRC_WITH_BZ2
#include <bzlib.h>
#include <stdlib.h>

static int
bz2_open(struct trc_unpacker *u, struct trc_err *err)
{
	bz_stream *z = trc_alloc(1, sizeof(*z), err);

	if (!z)
		return -1;
	if (BZ2_bzDecompressInit(z, 0, 0) != BZ_OK) {
		free(z);
		return trc_fail_as(err, TRC_NO_MEMORY, "no memory to unpack bz2");
	}
	u->state = z;
	return 0;
}

static enum trc_step
bz2_step(struct trc_unpacker *u, uint8_t *dst, size_t cap, size_t *got, struct trc_err *err)
{
	bz_stream *z = u->state;
	int ret;

	z->next_in = (char *)u->in + u->at;
	z->avail_in = (unsigned)(u->len - u->at);
	z->next_out = (char *)dst;
	z->avail_out = cap < UINT32_MAX ? (unsigned)cap : UINT32_MAX;
	ret = BZ2_bzDecompress(z);
	u->at = u->len - z->avail_in;
	*got = (size_t)((uint8_t *)z->next_out - dst);
	if (ret == BZ_STREAM_END)
		return TRC_STEP_MEMBER;
	if (ret == BZ_OK)
		return TRC_STEP_MORE;
	if (ret == BZ_MEM_ERROR)
		trc_fail_as(err, TRC_NO_MEMORY, "no memory to unpack bz2");
	else
		trc_fail(err, "the bz2 data is damaged");
	return TRC_STEP_FAILED;
}

static void
bz2_close(struct trc_unpacker *u)
{
	if (u->state)
		BZ2_bzDecompressEnd(u->state);
	free(u->state);
}
#endif

const struct trc_unpack trc_unpack_bz2 = {
	.name = "bz2",
	.library = "libbz2-dev",
	.magic = { 'B', 'Z', 'h' },
	.magic_len = 3,
#ifdef TRC_WITH_BZ2
	.open = bz2_open,
	.step = bz2_step,
	.close = bz2_close,
#endif
};
