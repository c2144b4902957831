/* SPDX-License-Identifier: MIT */
#include "base/io/frame.h"

#include <assert.h>
#include <xxhash.h>

enum {
	CHECK = 2, /* bytes of a header's checksum */
	SUM = 8,
};

static const uint8_t magic[2] = { 0xf5, 't' };

/* ---- headers ---- */

static uint64_t
sum_of(const uint8_t *p, size_t n, uint64_t seed)
{
	static const uint8_t none;

	return XXH3_64bits_withSeed(n ? p : &none, n, seed);
}

/* Reads the fields of a header before its checksums, which may be missing or wrong. */
static enum trc_frame_found
read_words(const uint8_t *p, size_t n, struct trc_frame *f, size_t *words)
{
	struct trc_view v = { p, p + n };
	const uint8_t *kind;

	if (n == 0)
		return TRC_FRAME_END;
	if (memcmp(p, magic, n < sizeof(magic) ? n : sizeof(magic)) != 0)
		return TRC_FRAME_BAD;
	if (n < sizeof(magic))
		return TRC_FRAME_CUT;
	v.p += sizeof(magic);
	kind = trc_view_bytes(&v, 1);
	if (!kind || !trc_view_num(&v, &f->len) || !trc_view_num(&v, &f->number))
		return v.p == v.end ? TRC_FRAME_CUT : TRC_FRAME_BAD;
	*words = (size_t)(v.p - p);
	if (f->len > UINT32_MAX)
		return TRC_FRAME_BAD;
	f->kind = *kind;
	f->head = *words + CHECK + SUM;
	f->seed = sum_of(p, *words, 0);
	return f->head > n ? TRC_FRAME_CUT : TRC_FRAME_GOOD;
}

/* Reads a header and verifies its short checksum. */
static enum trc_frame_found
read_head(const uint8_t *p, size_t n, struct trc_frame *f)
{
	size_t words;
	const enum trc_frame_found found = read_words(p, n, f, &words);

	if (found != TRC_FRAME_GOOD)
		return found;
	f->sum = trc_le64(p + words + CHECK);
	return trc_le16(p + words) == (uint16_t)f->seed ? TRC_FRAME_GOOD : TRC_FRAME_BAD;
}

bool
trc_frame_head(const uint8_t *p, size_t n, struct trc_frame *f)
{
	return read_head(p, n, f) == TRC_FRAME_GOOD;
}

static bool
is_good(const struct trc_frame *f, const uint8_t *payload)
{
	return sum_of(payload, (size_t)f->len, f->seed) == f->sum;
}

/* ---- writing ---- */

/* Writes the checksums of a frame after the fields of its header. */
static void
put_checks(uint8_t *at, uint64_t seed, const uint8_t *payload, size_t len)
{
	trc_put_le16(at, (uint16_t)seed);
	trc_put_le64(at + CHECK, sum_of(payload, len, seed));
}

size_t
trc_frame_put_head(uint8_t head[TRC_FRAME_HEAD_MOST], uint8_t kind, uint64_t number,
                   const uint8_t *payload, size_t len)
{
	size_t n = sizeof(magic);

	assert(len <= UINT32_MAX);
	memcpy(head, magic, sizeof(magic));
	head[n++] = kind;
	n += trc_put_num(head + n, len);
	n += trc_put_num(head + n, number);
	put_checks(head + n, sum_of(head, n, 0), payload, len);
	return n + CHECK + SUM;
}

size_t
trc_frame_mend(uint8_t *p, size_t n)
{
	struct trc_frame f;
	size_t words;

	if (read_words(p, n, &f, &words) != TRC_FRAME_GOOD || f.len > n - f.head)
		return 0;
	put_checks(p + words, f.seed, p + f.head, (size_t)f.len);
	return (size_t)trc_frame_bytes(&f);
}

int
trc_frame_write(struct trc_out *out, uint8_t kind, uint64_t number, const struct trc_buf *payload,
                struct trc_err *err)
{
	uint8_t head[TRC_FRAME_HEAD_MOST];
	const size_t n = trc_frame_put_head(head, kind, number, payload->p, payload->n);

	if (trc_out_put(out, head, n, err))
		return -1;
	return trc_out_put(out, payload->p, payload->n, err);
}

int
trc_frame_put(struct trc_buf *frame, uint8_t kind, uint64_t number, const struct trc_buf *payload,
              struct trc_err *err)
{
	uint8_t head[TRC_FRAME_HEAD_MOST];
	const size_t n = trc_frame_put_head(head, kind, number, payload->p, payload->n);

	if (trc_buf_put(frame, head, n, err))
		return -1;
	return trc_buf_put(frame, payload->p, payload->n, err);
}

/* ---- sequential reading ---- */

enum trc_frame_found
trc_frame_peek(struct trc_in *in, struct trc_frame *f, struct trc_err *err)
{
	if (trc_in_fill(in, TRC_FRAME_HEAD_MOST, err))
		return TRC_FRAME_FAILED;
	f->offset = trc_in_offset(in);
	return read_head(in->p, (size_t)(in->end - in->p), f);
}

enum trc_frame_found
trc_frame_read(struct trc_in *in, uint64_t most, struct trc_frame *f, struct trc_err *err)
{
	const enum trc_frame_found found = trc_frame_peek(in, f, err);
	size_t n;

	if (found != TRC_FRAME_GOOD)
		return found;
	if (f->len > most) {
		trc_fail(err,
		         "a frame of %llu bytes at byte %llu is too large; the limit is %llu "
		         "bytes",
		         (ull)f->len, (ull)f->offset, (ull)most);
		return TRC_FRAME_FAILED;
	}
	n = (size_t)trc_frame_bytes(f);
	if (trc_in_fill(in, n, err))
		return TRC_FRAME_FAILED;
	if ((size_t)(in->end - in->p) < n)
		return TRC_FRAME_CUT;
	f->payload = in->p + f->head;
	if (!is_good(f, f->payload))
		return TRC_FRAME_BAD;
	in->p += n;
	return TRC_FRAME_GOOD;
}

enum trc_frame_found
trc_frame_try(struct trc_in *in, uint64_t most, uint64_t *vain, struct trc_frame *f,
              struct trc_err *err)
{
	const uint64_t allowed = TRC_FRAME_TRIES * trc_in_offset(in) + TRC_FRAME_VAIN;
	enum trc_frame_found found = trc_frame_peek(in, f, err);
	const bool whole = in->eof; /* then a cut frame costs no more reading */

	if (found != TRC_FRAME_GOOD)
		return found;
	if (f->len <= most && *vain + f->len > allowed)
		return TRC_FRAME_BAD;
	found = trc_frame_read(in, most, f, err);
	if (found == TRC_FRAME_BAD)
		*vain += f->len;
	if (found == TRC_FRAME_CUT && !whole)
		*vain += (uint64_t)(in->end - in->p);
	return found;
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

		if (trc_in_fill(in, TRC_FRAME_HEAD_MOST, err))
			return -1;
		n = (size_t)(in->end - in->p);
		at = n ? memchr(in->p, magic[0], n) : NULL;
		if (!at)
			at = in->end;
		*skipped += (uint64_t)(at - in->p);
		in->p = at;
		if (at == in->end && in->eof)
			return 0;
		if (trc_in_fill(in, TRC_FRAME_HEAD_MOST, err))
			return -1;
		n = (size_t)(in->end - in->p);
		if (n == 0 || trc_frame_head(in->p, n, &f))
			return 0;
		in->p++;
		++*skipped;
	}
}

/* ---- random access ---- */

/* Reads the header at offset `at`; returns false if there is none, or the frame ends after `end`,
 * or has more than `most` bytes of payload. */
static bool
read_head_at(struct trc_in *in, uint64_t at, uint64_t end, size_t most, struct trc_frame *f)
{
	const size_t n = end - at < TRC_FRAME_HEAD_MOST ? (size_t)(end - at) : TRC_FRAME_HEAD_MOST;
	uint8_t head[TRC_FRAME_HEAD_MOST];

	f->offset = at;
	return trc_in_read_at(in, at, head, n) && trc_frame_head(head, n, f) &&
	       f->len <= end - at - f->head && f->len <= most;
}

/* Reads the payload of a frame after its header. */
static int
read_payload_at(struct trc_in *in, struct trc_buf *payload, struct trc_frame *f, bool *good,
                struct trc_err *err)
{
	payload->n = 0;
	if (trc_buf_room(payload, (size_t)f->len + 1, err))
		return -1;
	*good = trc_in_read_at(in, f->offset + f->head, payload->p, (size_t)f->len) &&
	        is_good(f, payload->p);
	payload->n = (size_t)f->len;
	f->payload = payload->p;
	return 0;
}

int
trc_frame_read_at(struct trc_in *in, uint64_t at, size_t most, struct trc_buf *payload,
                  struct trc_frame *f, bool *good, struct trc_err *err)
{
	const uint64_t size = trc_in_size(in);

	*good = at <= size && read_head_at(in, at, size, most, f);
	return *good ? read_payload_at(in, payload, f, good, err) : 0;
}

int
trc_frame_read_before(struct trc_in *in, uint64_t end, uint8_t kind, size_t most,
                      struct trc_buf *payload, struct trc_frame *f, bool *good, struct trc_err *err)
{
	const size_t bytes = TRC_FRAME_HEAD_MOST + most;
	size_t left = end < bytes ? (size_t)end : bytes;
	const uint8_t *p;

	*good = false;
	payload->n = 0;
	if (trc_buf_room(payload, left + 1, err))
		return -1;
	if (!trc_in_read_at(in, end - left, payload->p, left))
		return 0;
	/* Tries each offset at which the header of such a frame may begin. */
	for (p = payload->p; !*good && left >= TRC_FRAME_HEAD_LEAST; p++, left--)
		*good = trc_frame_head(p, left, f) && f->kind == kind && f->len <= most &&
		        f->len == left - f->head && is_good(f, p + f->head);
	if (*good) {
		f->offset = end - left - 1;
		f->payload = p - 1 + f->head;
	}
	return 0;
}
