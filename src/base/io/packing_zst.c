/* SPDX-License-Identifier: MIT
 * .zst through libzstd, where it was found. */
#include "base/io/packing.h"

#ifdef TRC_WITH_ZSTD
#include <zstd.h>
#include <zstd_errors.h>

/* `zstd --ultra -22 --long=30` is the widest window that people use: 1 GiB. */
enum { WINDOW_LOG_MOST = 30 };

static int
zst_unpack_open(struct trc_unpacker *u, struct trc_err *err)
{
	ZSTD_DStream *z = ZSTD_createDStream();

	if (!z || ZSTD_isError(ZSTD_DCtx_setParameter(z, ZSTD_d_windowLogMax, WINDOW_LOG_MOST))) {
		ZSTD_freeDStream(z);
		return trc_fail_as(err, TRC_NO_MEMORY, "no memory to unpack zst");
	}
	u->state = z;
	return 0;
}

/* The window is allocated when the header of a frame is seen. */
static void
fail_to_unpack(size_t result, struct trc_err *err)
{
	switch (ZSTD_getErrorCode(result)) {
	case ZSTD_error_memory_allocation:
		trc_fail_as(err, TRC_NO_MEMORY, "no memory to unpack zst");
		break;
	case ZSTD_error_frameParameter_windowTooLarge:
		trc_fail(err, "the zst data takes more than 1 GiB of memory to unpack (--long=31); "
		              "unpack it by zstd and read it from a pipe");
		break;
	default: trc_fail(err, "the zst data is damaged (%s)", ZSTD_getErrorName(result)); break;
	}
}

static enum trc_step
zst_unpack_step(struct trc_unpacker *u, uint8_t *dst, size_t cap, size_t *got, struct trc_err *err)
{
	ZSTD_inBuffer in = { u->in + u->at, u->len - u->at, 0 };
	ZSTD_outBuffer out = { dst, cap, 0 };
	size_t left = ZSTD_decompressStream(u->state, &out, &in);

	u->at += in.pos;
	*got = out.pos;
	if (ZSTD_isError(left)) {
		fail_to_unpack(left, err);
		return TRC_STEP_FAILED;
	}
	return left == 0 ? TRC_STEP_MEMBER : TRC_STEP_MORE;
}

static void
zst_unpack_close(struct trc_unpacker *u)
{
	ZSTD_freeDStream(u->state);
}

static int
zst_pack_open(struct trc_packer *p, struct trc_err *err)
{
	ZSTD_CCtx *z = ZSTD_createCCtx();

	if (!z || ZSTD_isError(ZSTD_CCtx_setParameter(z, ZSTD_c_compressionLevel, p->level)) ||
	    ZSTD_isError(ZSTD_CCtx_setParameter(z, ZSTD_c_checksumFlag, 1))) {
		ZSTD_freeCCtx(z);
		return trc_fail_as(err, TRC_NO_MEMORY, "no memory to pack zst");
	}
	p->state = z;
	return 0;
}

static enum trc_step
zst_pack_step(struct trc_packer *p, bool last, struct trc_err *err)
{
	ZSTD_inBuffer in = { p->src, p->len, 0 };
	ZSTD_outBuffer out = { p->dst, p->room, 0 };
	size_t left = ZSTD_compressStream2(p->state, &out, &in,
	                                   last ? ZSTD_e_end : ZSTD_e_continue);

	p->src += in.pos;
	p->len -= in.pos;
	p->dst += out.pos;
	p->room -= out.pos;
	if (ZSTD_isError(left)) {
		if (ZSTD_getErrorCode(left) == ZSTD_error_memory_allocation)
			trc_fail_as(err, TRC_NO_MEMORY, "no memory to pack zst");
		else
			trc_fail(err, "libzstd cannot pack (%s)", ZSTD_getErrorName(left));
		return TRC_STEP_FAILED;
	}
	return last && left == 0 ? TRC_STEP_MEMBER : TRC_STEP_MORE;
}

static void
zst_pack_close(struct trc_packer *p)
{
	ZSTD_freeCCtx(p->state);
}
#endif

const struct trc_packing trc_packing_zst = {
	.name = "zst",
	.program = "zstd",
	.library = "libzstd-dev",
	.magic = { 0x28, 0xb5, 0x2f, 0xfd },
	.magic_len = 4,
	.level = 3,
	.least = 1,
	.most = 19,
#ifdef TRC_WITH_ZSTD
	.unpack_open = zst_unpack_open,
	.unpack_step = zst_unpack_step,
	.unpack_close = zst_unpack_close,
	.pack_open = zst_pack_open,
	.pack_step = zst_pack_step,
	.pack_close = zst_pack_close,
#endif
};
