/* SPDX-License-Identifier: MIT
 *
 * Packs and unpacks .xz with liblzma, several blocks at a time if the file has several. liblzma
 * itself handles concatenated streams and their padding. Packing divides the data into blocks, one
 * per thread.
 */
#include "base/io/packing.h"

#include <lzma.h>

#include "base/cores.h"

/* `xz -9` needs 65 MiB to decode. A file that needs more than this limit was not made for us. */
#define MEMORY_MOST (UINT64_C(1) << 30)

static bool
xz_unpack_open(struct trc_unpacker *u)
{
#if LZMA_VERSION >= 50040002 && !defined(TRC_ONE_THREAD)
	lzma_mt mt = {
		.flags = LZMA_CONCATENATED,
		.threads = (uint32_t)trc_cores(),
		.memlimit_threading = MEMORY_MOST / 4,
		.memlimit_stop = MEMORY_MOST,
	};

	if (mt.threads > 1)
		return lzma_stream_decoder_mt(u->state, &mt) == LZMA_OK;
#endif
	return lzma_stream_decoder(u->state, MEMORY_MOST, LZMA_CONCATENATED) == LZMA_OK;
}

static enum trc_step
fail(lzma_ret ret, struct trc_err *err)
{
	if (ret == LZMA_MEM_ERROR)
		return TRC_STEP_NO_MEMORY;
	if (ret == LZMA_MEMLIMIT_ERROR)
		trc_fail(err,
		         "the xz data needs more than 1 GiB of memory to unpack (--lzma2=dict); "
		         "unpack it with xz and read it from a pipe");
	else if (ret == LZMA_BUF_ERROR)
		trc_fail(err, "the xz data is truncated");
	else if (ret == LZMA_OPTIONS_ERROR)
		trc_fail(err, "the xz data uses an option that this liblzma does not know");
	else
		return TRC_STEP_DAMAGED;
	return TRC_STEP_FAILED;
}

static double
xz_unpack_given(const struct trc_unpacker *u)
{
	lzma_stream *z = u->state;
	uint64_t in, out;

	lzma_get_progress(z, &in, &out);
	return out > z->total_out ? (double)z->total_out / (double)out : 1;
}

static enum trc_step
xz_unpack_step(struct trc_unpacker *u, uint8_t *dst, size_t cap, size_t *got, struct trc_err *err)
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
	/* A call that can neither read nor write is not an error while more input may come. */
	if (ret == LZMA_OK || (ret == LZMA_BUF_ERROR && !u->ended))
		return TRC_STEP_MORE;
	return fail(ret, err);
}

static void
xz_unpack_close(struct trc_unpacker *u)
{
	lzma_end(u->state);
}

/* Threads work on blocks, each a Stream Block of its own. They have as many dictionaries as with
 * `xz -T`, independent of the number of threads. */
enum { DICTIONARIES = 3 };

/* Uses one thread per processor, but no more than fit 4 GiB of memory; `-9` needs 1.3 GiB each. */
#define PACK_MEMORY_MOST (UINT64_C(4) << 30)

static bool
xz_pack_open(struct trc_packer *p)
{
	lzma_mt mt = {
		.threads = (uint32_t)trc_cores(),
		.preset = (uint32_t)p->level,
		.check = LZMA_CHECK_CRC64,
	};
	lzma_options_lzma preset;

	if (lzma_lzma_preset(&preset, mt.preset))
		return false;
	mt.block_size = (uint64_t)preset.dict_size * DICTIONARIES;
	while (mt.threads > 1 && lzma_stream_encoder_mt_memusage(&mt) > PACK_MEMORY_MOST)
		mt.threads--;
	return lzma_stream_encoder_mt(p->state, &mt) == LZMA_OK;
}

static enum trc_step
xz_pack_step(struct trc_packer *p, bool last, struct trc_err *err)
{
	lzma_stream *z = p->state;
	lzma_ret ret;

	z->next_in = p->src;
	z->avail_in = p->len;
	z->next_out = p->dst;
	z->avail_out = p->room;
	ret = lzma_code(z, last ? LZMA_FINISH : LZMA_RUN);
	p->src = z->next_in;
	p->len = z->avail_in;
	p->dst = z->next_out;
	p->room = z->avail_out;
	if (ret == LZMA_STREAM_END)
		return TRC_STEP_MEMBER;
	if (ret == LZMA_OK)
		return TRC_STEP_MORE;
	trc_fail_as(err, TRC_NO_MEMORY, "not enough memory to pack xz");
	return TRC_STEP_FAILED;
}

static void
xz_pack_close(struct trc_packer *p)
{
	lzma_end(p->state);
}

const struct trc_packing trc_packing_xz = {
	.name = "xz",
	.library = "liblzma-dev",
	.magic = { 0xfd, '7', 'z', 'X', 'Z', 0 },
	.magic_len = 6,
	.level = 6,
	.least = 0,
	.most = 9,
	.unpack_room = sizeof(lzma_stream),
	.pack_room = sizeof(lzma_stream),
	.unpack_open = xz_unpack_open,
	.unpack_step = xz_unpack_step,
	.unpack_close = xz_unpack_close,
	.unpack_given = xz_unpack_given,
	.pack_open = xz_pack_open,
	.pack_step = xz_pack_step,
	.pack_close = xz_pack_close,
};
