/* SPDX-License-Identifier: MIT */
#include "base/frame.h"

#include <assert.h>
#include <xxhash.h>

static const uint8_t magic[3] = { 0xf5, 't', 'r' };

int
trc_frame_write(struct trc_out *out, uint8_t kind, uint64_t number, const struct trc_buf *payload,
		struct trc_err *err)
{
	uint8_t head[TRC_FRAME_HEAD] = { 0 };

	assert(payload->n <= UINT32_MAX);
	memcpy(head, magic, sizeof(magic));
	head[3] = kind;
	trc_put_le32(head + 4, (uint32_t)payload->n);
	trc_put_le64(head + 8, number);
	trc_put_le64(head + 16, XXH3_64bits(payload->n ? payload->p : head, payload->n));
	trc_put_le32(head + 24, (uint32_t)XXH3_64bits(head, 24));
	if (trc_out_put(out, head, sizeof(head), err))
		return -1;
	return trc_out_put(out, payload->p, payload->n, err);
}

bool
trc_frame_head(const uint8_t *p, size_t n, struct trc_frame *f)
{
	if (n < TRC_FRAME_HEAD || memcmp(p, magic, sizeof(magic)) != 0 ||
	    trc_le32(p + 24) != (uint32_t)XXH3_64bits(p, 24))
		return false;
	f->kind = p[3];
	f->len = trc_le32(p + 4);
	f->number = trc_le64(p + 8);
	f->hash = trc_le64(p + 16);
	return true;
}

enum trc_frame_found
trc_frame_peek(struct trc_in *in, struct trc_frame *f, struct trc_err *err)
{
	size_t n;

	if (trc_in_fill(in, TRC_FRAME_HEAD, err))
		return TRC_FRAME_FAILED;
	n = (size_t)(in->end - in->p);
	f->offset = trc_in_offset(in);
	if (n == 0)
		return TRC_FRAME_END;
	if (n < TRC_FRAME_HEAD)
		return memcmp(in->p, magic, n < 3 ? n : 3) == 0 ? TRC_FRAME_CUT : TRC_FRAME_BAD;
	return trc_frame_head(in->p, n, f) ? TRC_FRAME_GOOD : TRC_FRAME_BAD;
}

enum trc_frame_found
trc_frame_read(struct trc_in *in, uint64_t most, struct trc_frame *f, struct trc_err *err)
{
	const enum trc_frame_found found = trc_frame_peek(in, f, err);
	size_t n;

	if (found != TRC_FRAME_GOOD)
		return found;
	if (f->len > most) {
		trc_fail(err, "a frame of %llu bytes at byte %llu, where %llu are the most",
			 (unsigned long long)f->len, (unsigned long long)f->offset,
			 (unsigned long long)most);
		return TRC_FRAME_FAILED;
	}
	n = TRC_FRAME_HEAD + (size_t)f->len;
	if (trc_in_fill(in, n, err))
		return TRC_FRAME_FAILED;
	if ((size_t)(in->end - in->p) < n)
		return TRC_FRAME_CUT;
	f->payload = in->p + TRC_FRAME_HEAD;
	if (XXH3_64bits(f->payload, (size_t)f->len) != f->hash)
		return TRC_FRAME_BAD;
	in->p += n;
	return TRC_FRAME_GOOD;
}

int
trc_frame_read_at(struct trc_in *in, uint64_t at, struct trc_buf *payload, struct trc_frame *f,
		  bool *good, struct trc_err *err)
{
	const uint64_t size = trc_in_size(in);
	uint8_t head[TRC_FRAME_HEAD];

	*good = at <= size && size - at >= TRC_FRAME_HEAD &&
		trc_in_read_at(in, at, head, sizeof(head)) &&
		trc_frame_head(head, sizeof(head), f) && f->len <= size - at - TRC_FRAME_HEAD;
	if (!*good)
		return 0;
	payload->n = 0;
	if (trc_buf_room(payload, (size_t)f->len + 1, err))
		return -1;
	*good = trc_in_read_at(in, at + TRC_FRAME_HEAD, payload->p, (size_t)f->len) &&
		XXH3_64bits(payload->p, (size_t)f->len) == f->hash;
	payload->n = (size_t)f->len;
	f->offset = at;
	f->payload = payload->p;
	return 0;
}

int
trc_frame_search(struct trc_in *in, uint64_t *skipped, struct trc_err *err)
{
	struct trc_frame f;

	*skipped = 0;
	if (in->p == in->end)
		return 0;
	in->p++;
	++*skipped;
	for (;;) {
		const uint8_t *at;
		size_t n;

		if (trc_in_fill(in, TRC_FRAME_HEAD, err))
			return -1;
		n = (size_t)(in->end - in->p);
		at = n ? memchr(in->p, magic[0], n) : NULL;
		if (!at)
			at = in->end;
		*skipped += (uint64_t)(at - in->p);
		in->p = at;
		if (at == in->end && in->eof)
			return 0;
		if (trc_in_fill(in, TRC_FRAME_HEAD, err))
			return -1;
		n = (size_t)(in->end - in->p);
		if (n == 0 || trc_frame_head(in->p, n, &f))
			return 0;
		in->p++;
		++*skipped;
	}
}
