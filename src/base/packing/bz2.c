/* SPDX-License-Identifier: MIT
 * Packs and unpacks .bz2 with libbz2, if available. */
#include "base/io/packing.h"

#ifdef TRC_WITH_BZ2
#include <bzlib.h>

static bool
bz2_unpack_open(struct trc_unpacker *u)
{
	return BZ2_bzDecompressInit(u->state, 0, 0) == BZ_OK;
}

static enum trc_step
bz2_unpack_step(struct trc_unpacker *u, uint8_t *dst, size_t cap, size_t *got, struct trc_err *err)
{
	bz_stream *z = u->state;
	int ret;

	(void)err;
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
	return ret == BZ_MEM_ERROR ? TRC_STEP_NO_MEMORY : TRC_STEP_DAMAGED;
}

static void
bz2_unpack_close(struct trc_unpacker *u)
{
	BZ2_bzDecompressEnd(u->state);
}

static bool
bz2_pack_open(struct trc_packer *p)
{
	return BZ2_bzCompressInit(p->state, p->level, 0, 0) == BZ_OK;
}

static enum trc_step
bz2_pack_step(struct trc_packer *p, bool last, struct trc_err *err)
{
	const unsigned len = p->len < UINT32_MAX ? (unsigned)p->len : UINT32_MAX;
	const unsigned room = p->room < UINT32_MAX ? (unsigned)p->room : UINT32_MAX;
	bz_stream *z = p->state;
	int ret = BZ_RUN_OK;

	z->next_in = (char *)(uintptr_t)p->src;
	z->avail_in = len;
	z->next_out = (char *)p->dst;
	z->avail_out = room;
	/* The library treats a call without input as an error, except with BZ_FINISH. */
	if (last && len == p->len)
		ret = BZ2_bzCompress(z, BZ_FINISH);
	else if (len > 0)
		ret = BZ2_bzCompress(z, BZ_RUN);
	p->src += len - z->avail_in;
	p->len -= len - z->avail_in;
	p->dst += room - z->avail_out;
	p->room -= room - z->avail_out;
	if (ret == BZ_STREAM_END)
		return TRC_STEP_MEMBER;
	if (ret == BZ_RUN_OK || ret == BZ_FINISH_OK)
		return TRC_STEP_MORE;
	trc_fail(err, "libbz2 cannot pack");
	return TRC_STEP_FAILED;
}

static void
bz2_pack_close(struct trc_packer *p)
{
	BZ2_bzCompressEnd(p->state);
}
#endif

const struct trc_packing trc_packing_bz2 = {
	.name = "bz2",
	.program = "bzip2",
	.library = "libbz2-dev",
	.magic = { 'B', 'Z', 'h' },
	.magic_len = 3,
	.level = 9,
	.least = 1,
	.most = 9,
#ifdef TRC_WITH_BZ2
	.unpack_room = sizeof(bz_stream),
	.pack_room = sizeof(bz_stream),
	.unpack_open = bz2_unpack_open,
	.unpack_step = bz2_unpack_step,
	.unpack_close = bz2_unpack_close,
	.pack_open = bz2_pack_open,
	.pack_step = bz2_pack_step,
	.pack_close = bz2_pack_close,
#endif
};
