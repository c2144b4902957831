/* SPDX-License-Identifier: MIT
 * Packs and unpacks .gz with zlib, if available. */
#include "base/io/packing.h"

#ifdef TRC_WITH_ZLIB
#include <zlib.h>

/* 15: window bits; 16: gzip header and trailer, which are verified. */
static bool
gz_unpack_open(struct trc_unpacker *u)
{
	return inflateInit2((z_stream *)u->state, 15 + 16) == Z_OK;
}

static enum trc_step
gz_unpack_step(struct trc_unpacker *u, uint8_t *dst, size_t cap, size_t *got, struct trc_err *err)
{
	z_stream *z = u->state;
	int ret;

	(void)err;
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
	return ret == Z_MEM_ERROR ? TRC_STEP_NO_MEMORY : TRC_STEP_DAMAGED;
}

static void
gz_unpack_close(struct trc_unpacker *u)
{
	inflateEnd(u->state);
}

/* 15: window bits; 16: a gzip header, without name and time. */
static bool
gz_pack_open(struct trc_packer *p)
{
	return deflateInit2((z_stream *)p->state, p->level, Z_DEFLATED, 15 + 16, 8,
	                    Z_DEFAULT_STRATEGY) == Z_OK;
}

static enum trc_step
gz_pack_step(struct trc_packer *p, bool last, struct trc_err *err)
{
	const uInt len = p->len < UINT32_MAX ? (uInt)p->len : UINT32_MAX;
	const uInt room = p->room < UINT32_MAX ? (uInt)p->room : UINT32_MAX;
	z_stream *z = p->state;
	int ret;

	z->next_in = (Bytef *)(uintptr_t)p->src;
	z->avail_in = len;
	z->next_out = p->dst;
	z->avail_out = room;
	ret = deflate(z, last && len == p->len ? Z_FINISH : Z_NO_FLUSH);
	p->src = z->next_in;
	p->len -= len - z->avail_in;
	p->dst = z->next_out;
	p->room -= room - z->avail_out;
	if (ret == Z_STREAM_END)
		return TRC_STEP_MEMBER;
	if (ret == Z_OK || ret == Z_BUF_ERROR)
		return TRC_STEP_MORE;
	trc_fail(err, "zlib cannot pack");
	return TRC_STEP_FAILED;
}

static void
gz_pack_close(struct trc_packer *p)
{
	deflateEnd(p->state);
}
#endif

const struct trc_packing trc_packing_gz = {
	.name = "gz",
	.program = "gzip",
	.library = "zlib1g-dev",
	.magic = { 0x1f, 0x8b },
	.magic_len = 2,
	.level = 6,
	.least = 1,
	.most = 9,
#ifdef TRC_WITH_ZLIB
	.unpack_room = sizeof(z_stream),
	.pack_room = sizeof(z_stream),
	.unpack_open = gz_unpack_open,
	.unpack_step = gz_unpack_step,
	.unpack_close = gz_unpack_close,
	.pack_open = gz_pack_open,
	.pack_step = gz_pack_step,
	.pack_close = gz_pack_close,
#endif
};
