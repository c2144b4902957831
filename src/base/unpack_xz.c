/* SPDX-License-Identifier: MIT
 *
 * .xz through liblzma, several blocks at a time where the file has several. liblzma reads
 * concatenated streams and their padding itself.
 */
#include "base/unpack.h"

#include <lzma.h>
#include <stdlib.h>

#include "base/cores.h"

/* `xz -9` needs 65 MiB to decode; a file that asks for more than this is not one of ours. */
#define MEMORY_MOST (UINT64_C(1) << 30)

static int
init(lzma_stream *z)
{
#if LZMA_VERSION >= 50040002 && !defined(TRC_ONE_THREAD)
	lzma_mt mt = {
		.flags = LZMA_CONCATENATED,
		.threads = (uint32_t)trc_cores(),
		.memlimit_threading = MEMORY_MOST / 4,
		.memlimit_stop = MEMORY_MOST,
	};

	if (mt.threads > 1)
		return lzma_stream_decoder_mt(z, &mt) == LZMA_OK ? 0 : -1;
#endif
	return lzma_stream_decoder(z, MEMORY_MOST, LZMA_CONCATENATED) == LZMA_OK ? 0 : -1;
}

static int
xz_open(struct trc_unpacker *u, struct trc_err *err)
{
	static const lzma_stream empty = LZMA_STREAM_INIT;
	lzma_stream *z = trc_alloc(1, sizeof(*z), err);

	if (!z)
		return -1;
	*z = empty;
	if (init(z)) {
		free(z);
		return trc_fail_as(err, TRC_NO_MEMORY, "no memory to unpack xz");
	}
	u->state = z;
	return 0;
}

static enum trc_step
fail(lzma_ret ret, struct trc_err *err)
{
	if (ret == LZMA_MEM_ERROR)
		trc_fail_as(err, TRC_NO_MEMORY, "no memory to unpack xz");
	else if (ret == LZMA_MEMLIMIT_ERROR)
		trc_fail(err, "the xz data asks for more than 1 GiB to unpack");
	else if (ret == LZMA_BUF_ERROR)
		trc_fail(err, "the xz data is cut short");
	else if (ret == LZMA_OPTIONS_ERROR)
		trc_fail(err, "the xz data uses an option that this liblzma does not know");
	else
		trc_fail(err, "the xz data is damaged");
	return TRC_STEP_FAILED;
}

static enum trc_step
xz_step(struct trc_unpacker *u, uint8_t *dst, size_t cap, size_t *got, struct trc_err *err)
{
	lzma_stream *z = u->state;
	lzma_ret ret;

	z->next_in = u->in + u->at;
	z->avail_in = u->len - u->at;
	z->next_out = dst;
	z->avail_out = cap;
	ret = lzma_code(z, u->ended ? LZMA_FINISH : LZMA_RUN);
	u->at = u->len - z->avail_in;
	*got = cap - z->avail_out;
	if (ret == LZMA_STREAM_END)
		return TRC_STEP_MEMBER;
	/* A call that could neither read nor write is no error while input may come. */
	if (ret == LZMA_OK || (ret == LZMA_BUF_ERROR && !u->ended))
		return TRC_STEP_MORE;
	return fail(ret, err);
}

static void
xz_close(struct trc_unpacker *u)
{
	if (u->state)
		lzma_end(u->state);
	free(u->state);
}

const struct trc_unpack trc_unpack_xz = {
	.name = "xz",
	.library = "liblzma-dev",
	.magic = { 0xfd, '7', 'z', 'X', 'Z', 0 },
	.magic_len = 6,
	.open = xz_open,
	.step = xz_step,
	.close = xz_close,
};
