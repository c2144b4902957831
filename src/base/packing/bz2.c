/* SPDX-License-Identifier: MIT
 * Packs and unpacks .bz2 with libbz2, if available. */
#include "base/io/packing.h"

#ifdef TRC_WITH_BZ2
#include <bzlib.h>
#include <stdlib.h>

static int
bz2_unpack_open(struct trc_unpacker *u, struct trc_err *err)
{
	bz_stream *z = trc_alloc(1, sizeof(*z), err);

	if (!z)
		return -1;
	if (BZ2_bzDecompressInit(z, 0, 0) != BZ_OK) {
		free(z);
		return trc_fail_as(err, TRC_NO_MEMORY, "not enough memory to unpack bz2");
	}
	u->state = z;
	return 0;
}

static enum trc_step
bz2_unpack_step(struct trc_unpacker *u, uint8_t *dst, size_t cap, size_t *got, struct trc_err *err)
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
		trc_fail_as(err, TRC_NO_MEMORY, "not enough memory to unpack bz2");
	else
		trc_fail(err, "the bz2 data is damaged");
	return TRC_STEP_FAILED;
}

static void
bz2_unpack_close(struct trc_unpacker *u)
{
	if (u->state)
		BZ2_bzDecompressEnd(u->state);
	free(u->state);
}

static int
bz2_pack_open(struct trc_packer *p, struct trc_err *err)
{
	bz_stream *z = trc_alloc(1, sizeof(*z), err);

	if (!z)
		return -1;
	if (BZ2_bzCompressInit(z, p->level, 0, 0) != BZ_OK) {
		free(z);
		return trc_fail_as(err, TRC_NO_MEMORY, "not enough memory to pack bz2");
	}
	p->state = z;
	return 0;
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
	free(p->state);
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
	.unpack_open = bz2_unpack_open,
	.unpack_step = bz2_unpack_step,
	.unpack_close = bz2_unpack_close,
	.pack_open = bz2_pack_open,
	.pack_step = bz2_pack_step,
	.pack_close = bz2_pack_close,
#endif
};
