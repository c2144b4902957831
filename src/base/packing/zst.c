/* SPDX-License-Identifier: MIT
 * Packs and unpacks .zst with libzstd, if available; and unpacks .zstf, which the stf_lib of
 * Sparcians writes, and format/stf/zstf.c. */
#include "base/io/packing.h"

#ifdef TRC_WITH_ZSTD
#include <string.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "base/bytes.h"

/* The widest window in use is that of `zstd --ultra -22 --long=30`: 1 GiB. */
enum { WINDOW_LOG_MOST = 30, ZSTF_HEAD = 20 };

static bool
zst_unpack_open(struct trc_unpacker *u)
{
	ZSTD_DStream *z = ZSTD_createDStream();

	u->state = z;
	return z && !ZSTD_isError(ZSTD_DCtx_setParameter(z, ZSTD_d_windowLogMax, WINDOW_LOG_MOST));
}

/* Reports an error. The window is allocated only when the header of a frame is read, so memory may
 * run out here. */
static enum trc_step
fail_to_unpack(size_t result, struct trc_err *err)
{
	switch (ZSTD_getErrorCode(result)) {
	case ZSTD_error_memory_allocation: return TRC_STEP_NO_MEMORY;
	case ZSTD_error_frameParameter_windowTooLarge:
		trc_fail(err, "the zst data needs more than 1 GiB of memory to unpack "
		              "(--long=31); unpack it with zstd and read it from a pipe");
		break;
	default: trc_fail(err, "the zst data is damaged (%s)", ZSTD_getErrorName(result)); break;
	}
	return TRC_STEP_FAILED;
}

static enum trc_step
zst_unpack_step(struct trc_unpacker *u, uint8_t *dst, size_t cap, size_t *got, struct trc_err *err)
{
	ZSTD_inBuffer in = { u->in + u->at, u->len - u->at, 0 };
	ZSTD_outBuffer out = { dst, cap, 0 };
	size_t left = ZSTD_decompressStream(u->state, &out, &in);

	u->at += in.pos;
	*got = out.pos;
	if (ZSTD_isError(left))
		return fail_to_unpack(left, err);
	return left == 0 ? TRC_STEP_MEMBER : TRC_STEP_MORE;
}

static void
zst_unpack_close(struct trc_unpacker *u)
{
	ZSTD_freeDStream(u->state);
}

/* The state of unpacking .zstf. */
struct zstf {
	struct trc_unpacker frames; /* its state is that of .zst */
	uint8_t head[ZSTF_HEAD];    /* of the file; then of the index, its number of chunks */
	size_t n, want;             /* bytes of the head read so far; in total */
	uint64_t left;              /* bytes of frames or of the index left */
	bool whole, index;          /* the last frame is complete; we are in the index */
};

static bool
zstf_unpack_open(struct trc_unpacker *u)
{
	struct zstf *s = u->state;

	s->want = ZSTF_HEAD;
	return zst_unpack_open(&s->frames);
}

/* Reads more of a head; returns false if it is damaged. */
static bool
zstf_head(struct trc_unpacker *u, struct zstf *s)
{
	while (s->n < s->want && u->at < u->len)
		s->head[s->n++] = u->in[u->at++];
	if (s->n < s->want)
		return true;
	s->left = s->index ? trc_le64(s->head) * 24 : trc_le64(s->head + 12) - ZSTF_HEAD;
	return s->left - 1 < UINT64_C(1) << 62 && (s->index || memcmp(s->head, "ZSTF", 4) == 0);
}

static enum trc_step
zstf_unpack_step(struct trc_unpacker *u, uint8_t *dst, size_t cap, size_t *got, struct trc_err *err)
{
	struct zstf *s = u->state;
	const size_t there = u->len - u->at < s->left ? u->len - u->at : (size_t)s->left;
	bool good = true;

	if (s->n < s->want) {
		good = zstf_head(u, s);
	} else if (s->index) {
		u->at += there;
		s->left -= there;
		return s->left ? TRC_STEP_MORE : TRC_STEP_MEMBER;
	} else if (s->left == 0 && s->whole) {
		s->index = true;
		s->n = 0;
		s->want = 8;
	} else {
		s->frames.in = u->in;
		s->frames.at = u->at;
		s->frames.len = u->at + there;
		switch (zst_unpack_step(&s->frames, dst, cap, got, err)) {
		case TRC_STEP_NO_MEMORY: return TRC_STEP_NO_MEMORY;
		case TRC_STEP_FAILED: return TRC_STEP_FAILED;
		case TRC_STEP_MEMBER: s->whole = true; break;
		default: s->whole = false; break;
		}
		s->left -= s->frames.at - u->at;
		u->at = s->frames.at;
		good = s->left > 0 || s->whole || *got > 0;
	}
	if (!good)
		trc_fail(err, "the zstf data is damaged, or was not finished");
	return good ? TRC_STEP_MORE : TRC_STEP_FAILED;
}

static void
zstf_unpack_close(struct trc_unpacker *u)
{
	zst_unpack_close(&((struct zstf *)u->state)->frames);
}

static bool
zst_pack_open(struct trc_packer *p)
{
	ZSTD_CCtx *z = ZSTD_createCCtx();

	p->state = z;
	if (z && !ZSTD_isError(ZSTD_CCtx_setParameter(z, ZSTD_c_compressionLevel, p->level)) &&
	    !ZSTD_isError(ZSTD_CCtx_setParameter(z, ZSTD_c_checksumFlag, 1)))
		return true;
	ZSTD_freeCCtx(z);
	return false;
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
			trc_fail_as(err, TRC_NO_MEMORY, "not enough memory to pack zst");
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

const struct trc_packing trc_packing_zstf = {
	.name = "zstf",
	.library = "libzstd-dev",
	.magic = { 'Z', 'S', 'T', 'F' },
	.magic_len = 4,
	.unpacks_only = true,
#ifdef TRC_WITH_ZSTD
	.unpack_room = sizeof(struct zstf),
	.unpack_open = zstf_unpack_open,
	.unpack_step = zstf_unpack_step,
	.unpack_close = zstf_unpack_close,
#endif
};
