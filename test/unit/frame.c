/* SPDX-License-Identifier: MIT
 * Frames: written, read in order and anywhere, damaged, and found again behind damage. */
#include "base/io/frame.h"

#include <string.h>
#include <xxhash.h>

#include "generate.h"
#include "test.h"

enum { FRAMES = 200, KINDS = 7, LEN_MOST = 300, MOST = 1 << 20 };

struct row {
	struct trc_frame f[FRAMES];
	uint8_t bytes[FRAMES * (TRC_FRAME_HEAD_MOST + LEN_MOST)];
	size_t len;
};

/* Frames of any kind, number and payload, one behind the other. */
static void
make_row(struct row *r, size_t n)
{
	struct generator m = { test_seed };

	r->len = 0;
	for (size_t i = 0; i < n; i++) {
		struct trc_frame *f = &r->f[i];
		uint8_t payload[LEN_MOST];

		f->kind = (uint8_t)generate_below(&m, KINDS);
		f->number = generate_value(&m, 0, 64);
		f->len = generate_below(&m, generate_below(&m, 2) ? 3 : LEN_MOST);
		f->offset = r->len;
		for (size_t k = 0; k < f->len; k++)
			payload[k] = generate_below(&m, 4) ? (uint8_t)generate_random(&m) : 0xf5;
		f->head = trc_frame_put_head(r->bytes + r->len, f->kind, f->number, payload,
		                             (size_t)f->len);
		CHECK(f->head >= TRC_FRAME_HEAD_LEAST && f->head <= TRC_FRAME_HEAD_MOST);
		f->payload = r->bytes + r->len + f->head;
		memcpy(r->bytes + r->len + f->head, payload, (size_t)f->len);
		r->len += (size_t)trc_frame_bytes(f);
	}
}

static bool
are_same(const struct trc_frame *a, const struct trc_frame *b)
{
	return a->kind == b->kind && a->number == b->number && a->len == b->len &&
	       a->head == b->head && a->offset == b->offset &&
	       memcmp(a->payload, b->payload, (size_t)a->len) == 0;
}

static void
frames_come_back_in_order(void)
{
	static const size_t step[] = { 1, 19, SIZE_MAX };
	static struct row r;

	make_row(&r, FRAMES);
	for (size_t s = 0; s < TRC_COUNT(step); s++) {
		struct trc_in *in = generate_in(r.bytes, r.len, step[s]);
		struct trc_frame f;
		struct trc_err err;

		for (size_t i = 0; i < FRAMES; i++) {
			CHECK(trc_frame_peek(in, &f, &err) == TRC_FRAME_GOOD);
			CHECK(trc_frame_read(in, MOST, &f, &err) == TRC_FRAME_GOOD);
			CHECK_MSG(are_same(&f, &r.f[i]), "frame %zu", i);
		}
		CHECK(trc_frame_read(in, MOST, &f, &err) == TRC_FRAME_END);
		trc_in_close(in);
	}
}

/* At its offset, and by where it ends: by nothing but its kind and how long it may be. */
static void
frames_are_found_anywhere(void)
{
	const char *path = generate_path("frames");
	struct trc_buf payload = { 0 };
	static struct row r;
	struct trc_frame f;
	struct trc_err err;
	struct trc_out *out;
	struct trc_in *in;
	bool good;

	make_row(&r, FRAMES);
	out = trc_out_open(path, true, &err);
	CHECK(out && trc_out_put(out, r.bytes, r.len, &err) == 0 && trc_out_commit(out, &err) == 0);
	trc_out_close(out);
	in = trc_in_open(path, &err);
	CHECK(in);
	for (size_t i = 0; i < FRAMES; i++) {
		const uint64_t at = r.f[i].offset, end = at + trc_frame_bytes(&r.f[i]);
		const uint8_t kind = r.f[i].kind;

		CHECK(trc_frame_read_at(in, at, LEN_MOST, &payload, &f, &good, &err) == 0);
		CHECK_MSG(good && are_same(&f, &r.f[i]), "frame %zu", i);
		CHECK(trc_frame_read_at(in, at + 1, LEN_MOST, &payload, &f, &good, &err) == 0 &&
		      !good);
		CHECK(trc_frame_read_before(in, end, kind, LEN_MOST, &payload, &f, &good, &err) ==
		      0);
		CHECK_MSG(good && are_same(&f, &r.f[i]), "frame %zu", i);
		CHECK(trc_frame_read_before(in, end, kind + 1, LEN_MOST, &payload, &f, &good,
		                            &err) == 0 &&
		      !good);
		CHECK(trc_frame_read_before(in, end - 1, kind, LEN_MOST, &payload, &f, &good,
		                            &err) == 0 &&
		      (!good || f.offset < at));
	}
	trc_in_close(in);
	trc_buf_release(&payload);
}

/* A file larger than memory that holds nothing but the header of a frame as large. */
struct vast {
	struct trc_stream stream;
	uint8_t head[TRC_FRAME_HEAD_MOST];
};

static bool
read_vast(struct trc_stream *s, uint64_t at, uint8_t *dst, size_t n)
{
	CHECK_MSG(at == 0 && n <= TRC_FRAME_HEAD_MOST, "%zu bytes", n);
	memcpy(dst, ((struct vast *)s)->head, n);
	return true;
}

/* The payload of an index was as long as its header claimed: where a size has 32 bits, one more
 * byte than the longest was none. */
static void
no_frame_takes_more_memory_than_it_may(void)
{
	static const uint64_t len[] = { MOST + 1, UINT64_C(1) << 31, UINT32_MAX };
	struct vast vast = { .stream = { .read_at = read_vast, .size = UINT64_C(1) << 40 } };
	struct trc_in in = { .stream = &vast.stream };
	struct trc_buf payload = { 0 };
	struct trc_frame f;
	struct trc_err err;
	bool good;

	for (size_t i = 0; i < TRC_COUNT(len); i++) {
		const uint8_t words[] = { 0xf5, 't', 'I' };
		uint8_t *p = vast.head + sizeof(words);

		memcpy(vast.head, words, sizeof(words));
		p += trc_put_num(p, len[i]);
		p += trc_put_num(p, 0);
		trc_put_le16(p, (uint16_t)XXH3_64bits(vast.head, (size_t)(p - vast.head)));
		CHECK(trc_frame_head(vast.head, sizeof(vast.head), &f) && f.len == len[i]);
		CHECK(trc_frame_read_at(&in, 0, MOST, &payload, &f, &good, &err) == 0 && !good);
		CHECK(payload.cap == 0);
	}
}

static enum trc_frame_found
read_one(const uint8_t *p, size_t len)
{
	struct trc_in *in = generate_in(p, len, SIZE_MAX);
	struct trc_frame f;
	struct trc_err err;
	const enum trc_frame_found found = trc_frame_read(in, MOST, &f, &err);

	trc_in_close(in);
	return found;
}

static void
each_flip_and_each_cut_shows(void)
{
	static struct row r;

	make_row(&r, 30);
	for (size_t i = 0; i < 30; i++) {
		uint8_t *p = r.bytes + r.f[i].offset;
		const size_t n = (size_t)trc_frame_bytes(&r.f[i]);

		for (size_t bit = 0; bit < 8 * n; bit++) {
			p[bit / 8] ^= (uint8_t)(1 << bit % 8);
			CHECK_MSG(read_one(p, n) != TRC_FRAME_GOOD, "frame %zu bit %zu", i, bit);
			p[bit / 8] ^= (uint8_t)(1 << bit % 8);
		}
		CHECK(read_one(p, n) == TRC_FRAME_GOOD && read_one(p, 0) == TRC_FRAME_END);
		for (size_t cut = 1; cut < n; cut++)
			CHECK_MSG(read_one(p, cut) == TRC_FRAME_CUT, "frame %zu at %zu", i, cut);
	}
}

/* Payloads are full of bytes that headers begin with. */
static void
frames_are_found_behind_damage(void)
{
	static struct row r;
	struct generator m = { test_seed };
	struct trc_in *in;
	struct trc_err err;

	make_row(&r, FRAMES);
	for (size_t i = 0; i < FRAMES; i += 2)
		r.bytes[r.f[i].offset + generate_below(&m, trc_frame_bytes(&r.f[i]))] ^= 0x10;
	in = generate_in(r.bytes, r.len, 97);
	for (size_t i = 1; i < FRAMES; i += 2) {
		struct trc_frame f;
		uint64_t skipped;

		while (trc_frame_read(in, MOST, &f, &err) != TRC_FRAME_GOOD)
			CHECK(trc_frame_search(in, &skipped, &err) == 0 && skipped > 0);
		CHECK_MSG(are_same(&f, &r.f[i]), "frame %zu", i);
	}
	trc_in_close(in);
}

/* Headers that hold, each of a frame up to the end of the bytes, which does not hold: the sums of
 * all were 4 GB in 360 KB. A frame some way behind them is found all the same. */
static void
frames_that_are_none_cost_time_in_proportion(void)
{
	enum { FAKES = 20000, HEAD = 18, GAP = 200, PAYLOAD = 500 };
	static uint8_t bytes[FAKES * HEAD + GAP + TRC_FRAME_HEAD_MOST + PAYLOAD];
	uint8_t payload[PAYLOAD] = { 1 };
	uint64_t vain = TRC_FRAME_VAIN, skipped;
	struct trc_frame f = { .len = 0 };
	struct trc_err err;
	struct trc_in *in;
	size_t n = FAKES * HEAD + GAP, tried = 0;

	n += trc_frame_put_head(bytes + n, 'B', 7, payload, sizeof(payload));
	memcpy(bytes + n, payload, sizeof(payload));
	n += sizeof(payload);
	for (size_t i = 0; i < FAKES; i++)
		CHECK(trc_frame_put_head(bytes + i * HEAD, 'B', 1, payload, 0) <= HEAD);
	for (size_t i = 0; i < FAKES; i++) {
		uint8_t *p = bytes + i * HEAD;
		const size_t head = 3 + trc_put_num(p + 3, n - HEAD * (i + 1));

		p[head] = 1;
		trc_put_le16(p + head + 1, (uint16_t)XXH3_64bits(p, head + 1));
		CHECK(trc_frame_head(p, TRC_FRAME_HEAD_MOST, &f));
	}
	in = generate_in(bytes, n, SIZE_MAX);
	while (trc_frame_try(in, MOST, &vain, &f, &err) != TRC_FRAME_GOOD) {
		CHECK(vain - TRC_FRAME_VAIN <= TRC_FRAME_TRIES * trc_in_offset(in));
		CHECK(trc_frame_search(in, &skipped, &err) == 0 && skipped > 0);
		tried++;
	}
	CHECK_MSG(tried >= FAKES && f.number == 7 && f.len == PAYLOAD, "%zu tried", tried);
	trc_in_close(in);
}

int
main(void)
{
	test_start();
	RUN(frames_come_back_in_order);
	RUN(frames_are_found_anywhere);
	RUN(no_frame_takes_more_memory_than_it_may);
	RUN(each_flip_and_each_cut_shows);
	RUN(frames_are_found_behind_damage);
	RUN(frames_that_are_none_cost_time_in_proportion);
	return 0;
}
