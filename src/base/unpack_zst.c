/* SPDX-License-Identifier: MIT
 * .zst through libzstd, where it was found. */
#include "base/unpack.h"

#ifdef TRC_WITH_ZSTD
#include <zstd.h>

/* `zstd --ultra -22 --long=30` is the widest window that people use: 1 GiB. */
enum { WINDOW_LOG_MOST = 30 };

static int
zst_open(struct trc_unpacker *u, struct trc_err *err)
{
	ZSTD_DStream *z = ZSTD_createDStream();

	if (!z || ZSTD_isError(ZSTD_DCtx_setParameter(z, ZSTD_d_windowLogMax, WINDOW_LOG_MOST))) {
		ZSTD_freeDStream(z);
		return trc_fail_as(err, TRC_NO_MEMORY, "no memory to unpack zst");
	}
	u->state = z;
	return 0;
}

static enum trc_step
zst_step(struct trc_unpacker *u, uint8_t *dst, size_t cap, size_t *got, struct trc_err *err)
{
	ZSTD_inBuffer in = { u->in + u->at, u->len - u->at, 0 };
	ZSTD_outBuffer out = { dst, cap, 0 };
	size_t left = ZSTD_decompressStream(u->state, &out, &in);

	u->at += in.pos;
	*got = out.pos;
	if (ZSTD_isError(left)) {
		trc_fail(err, "the zst data is damaged (%s)", ZSTD_getErrorName(left));
		return TRC_STEP_FAILED;
	}
	return left == 0 ? TRC_STEP_MEMBER : TRC_STEP_MORE;
}

static void
zst_close(struct trc_unpacker *u)
{
	ZSTD_freeDStream(u->state);
}
#endif

const struct trc_unpack trc_unpack_zst = {
	.name = "zst",
	.library = "libzstd-dev",
	.magic = { 0x28, 0xb5, 0x2f, 0xfd },
	.magic_len = 4,
#ifdef TRC_WITH_ZSTD
	.open = zst_open,
	.step = zst_step,
	.close = zst_close,
#endif
};
