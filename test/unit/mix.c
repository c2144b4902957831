/* SPDX-License-Identifier: MIT
 * Streams by mixing and by guessing: what comes out is what went in; damage is an error, or other
 * bytes of the same number, and never more. */
#include <string.h>

#include "codec/mix.h"
#include "codec/pack.h"
#include "codec/rank.h"
#include "test.h"

enum { MOST = 1 << 16, GUARD = 64 };

static uint8_t raw[MOST], back[MOST + 2 * GUARD];

static uint64_t
next_random(void)
{
	test_seed = test_seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return test_seed >> 33;
}

/* ---- what streams are made of ---- */

static void
make_random(size_t n)
{
	for (size_t i = 0; i < n; i++)
		raw[i] = (uint8_t)next_random();
}

static void
make_zeros(size_t n)
{
	memset(raw, 0, n);
}

static void
make_ones(size_t n)
{
	memset(raw, 255, n);
}

static void
make_periodic(size_t n)
{
	for (size_t i = 0; i < n; i++)
		raw[i] = (uint8_t)(i % 12 * 7);
}

/* Long repeats with changes, some of which come back. */
static void
make_text(size_t n)
{
	static const char word[8][8] = {
		"load ", "store ", "the ", "page ", "of ", "a ", "b ", "\n",
	};

	for (size_t i = 0; i < n;) {
		const char *w = word[next_random() % 8];
		size_t repeat = next_random() % 16 ? 0 : next_random() % 900;

		for (; *w && i < n; i++)
			raw[i] = (uint8_t)*w++;
		for (; repeat > 0 && i < n; repeat--, i++)
			raw[i] = i > 1000 ? raw[i - 1000] : 0;
	}
}

/* Fields of 4 bytes that grow, most significant byte first. */
static void
make_fields(size_t n)
{
	for (size_t i = 0; i < n; i++)
		raw[i] = (uint8_t)((i / 4 * 52 + (next_random() % 9 == 0)) >> (24 - i % 4 * 8));
}

/* Two or three bits a symbol: another number of bits in the stream. */
static void
make_narrow(size_t n)
{
	for (size_t i = 0; i < n; i++)
		raw[i] = (uint8_t)(next_random() % 100 ? i / 50 % 3 : next_random() % 9);
}

static void (*const make[])(size_t n) = {
	make_random, make_zeros, make_ones, make_periodic, make_text, make_fields, make_narrow,
};

/* ---- coders ---- */

static const struct coder {
	const char *name;
	size_t width;
	int (*write)(const uint8_t *, size_t, size_t, struct trc_buf *, struct trc_err *);
	int (*read)(const uint8_t *, size_t, size_t, uint8_t *, size_t, struct trc_err *);
} coders[] = {
	{ "mix", 1, trc_mix_write, trc_mix_read },    { "mix", 2, trc_mix_write, trc_mix_read },
	{ "mix", 4, trc_mix_write, trc_mix_read },    { "mix", 8, trc_mix_write, trc_mix_read },
	{ "rank", 1, trc_rank_write, trc_rank_read }, { "rank", 2, trc_rank_write, trc_rank_read },
};

static void
pack(const struct coder *c, size_t n, struct trc_buf *out)
{
	struct trc_err err = { 0 };

	out->n = 0;
	CHECK_SAY(c->write(raw, n, c->width, out, &err) == 0, "%s", err.text);
}

/* Reads a stream of `len` bytes that stands at the end of its memory, so that sanitizers see reads
 * behind it; sees to it that nothing around the `n` bytes of its place is written. */
static int
unpack(const struct coder *c, const uint8_t *p, size_t len, size_t n)
{
	struct trc_err err = { 0 };
	uint8_t *tight = malloc(len + 1);
	int ret;

	CHECK(tight);
	memcpy(tight + 1, p, len);
	memset(back, 0x5a, sizeof(back));
	ret = c->read(tight + 1, len, c->width, back + GUARD, n, &err);
	CHECK(ret == 0 || err.text[0]);
	for (size_t i = 0; i < GUARD; i++)
		CHECK(back[i] == 0x5a && back[GUARD + n + i] == 0x5a);
	free(tight);
	return ret;
}

static void
everything_comes_back(void)
{
	static const size_t len[] = { 1, 2, 3, 7, 8, 24, 127, 128, 129, 4096, 65535 };
	struct trc_buf out = { 0 };

	for (size_t m = 0; m < TRC_COUNT(make); m++)
		for (size_t c = 0; c < TRC_COUNT(coders); c++)
			for (size_t l = 0; l < TRC_COUNT(len); l++) {
				const size_t w = coders[c].width;
				/* Mixing takes fields that are cut, guessing does not. */
				const bool whole = coders[c].write == trc_rank_write;
				const size_t n = whole ? len[l] / w * w : len[l];

				if (n == 0)
					continue;
				make[m](n);
				pack(&coders[c], n, &out);
				CHECK_SAY(unpack(&coders[c], out.p, out.n, n) == 0 &&
				                  memcmp(back + GUARD, raw, n) == 0,
				          "%s %zu, maker %zu, %zu bytes", coders[c].name, w, m, n);
			}
	trc_buf_release(&out);
}

/* What repeats costs next to nothing, what is random little more than itself. */
static void
sizes_are_as_expected(void)
{
	struct trc_buf out = { 0 };

	for (size_t c = 0; c < TRC_COUNT(coders); c++) {
		make_zeros(MOST);
		pack(&coders[c], MOST, &out);
		CHECK_SAY(out.n < 400, "%zu", out.n);
		make_periodic(MOST);
		pack(&coders[c], MOST, &out);
		CHECK_SAY(out.n < 800, "%zu", out.n);
		make_random(MOST);
		pack(&coders[c], MOST, &out);
		CHECK_SAY(out.n < MOST + MOST / 16, "%zu", out.n);
	}
	trc_buf_release(&out);
}

/* The bytes of a stream are part of the format: the same on every machine and in every version. */
static void
bytes_stay(void)
{
	static const uint64_t expected[TRC_COUNT(coders)] = {
		UINT64_C(0xf1abc4642a047738), UINT64_C(0xf37f6c566043bd01),
		UINT64_C(0xbf82aeaa2f3f67a9), UINT64_C(0xc6e4aa6f877bd804),
		UINT64_C(0x4df54a86833c4978), UINT64_C(0x2a13bfb9f292906d),
	};
	struct trc_buf out = { 0 };
	const uint64_t seed = test_seed;

	for (size_t c = 0; c < TRC_COUNT(coders); c++) {
		uint64_t sum = 0;

		test_seed = 7;
		for (size_t m = 0; m < TRC_COUNT(make); m++) {
			make[m](5000);
			pack(&coders[c], 5000, &out);
			for (size_t i = 0; i < out.n; i++)
				sum = (sum + out.p[i]) * UINT64_C(0x9e3779b97f4a7c15);
		}
		CHECK_SAY(sum == expected[c], "%s %zu: 0x%016llx", coders[c].name, coders[c].width,
		          (unsigned long long)sum);
	}
	test_seed = seed;
	trc_buf_release(&out);
}

static void
cut_streams_are_errors(void)
{
	enum { N = 3000 };
	struct trc_buf out = { 0 };

	for (size_t c = 0; c < TRC_COUNT(coders); c++) {
		make_text(N);
		pack(&coders[c], N, &out);
		for (size_t len = 0; len < out.n; len += len < 20 ? 1 : 37)
			CHECK(unpack(&coders[c], out.p, len, N) == -1);
		CHECK(unpack(&coders[c], out.p, out.n - 1, N) == -1);
		/* Nor may there be more. */
		CHECK(trc_buf_put(&out, "", 1, &(struct trc_err){ 0 }) == 0);
		CHECK(unpack(&coders[c], out.p, out.n, N) == -1);
	}
	trc_buf_release(&out);
}

static void
damaged_streams_are_bounded(void)
{
	enum { N = 3000, TIMES = 20 };
	struct trc_buf out = { 0 };

	for (size_t c = 0; c < TRC_COUNT(coders); c++)
		for (size_t m = 0; m < TRC_COUNT(make); m++)
			for (int k = 0; k < TIMES; k++) {
				make[m](N);
				pack(&coders[c], N, &out);
				for (uint64_t times = next_random() % 4 + 1; times > 0; times--)
					out.p[next_random() % out.n] = (uint8_t)next_random();
				(void)unpack(&coders[c], out.p, out.n, N);
			}
	trc_buf_release(&out);
}

static void
noise_is_bounded(void)
{
	enum { N = 2000, TIMES = 200 };
	uint8_t noise[64];

	for (size_t c = 0; c < TRC_COUNT(coders); c++)
		for (int k = 0; k < TIMES; k++) {
			const size_t len = next_random() % sizeof(noise);

			for (size_t i = 0; i < len; i++)
				noise[i] = (uint8_t)next_random();
			if (len > 0 && k % 2)
				noise[0] = (uint8_t)(1 + next_random() % 8);
			(void)unpack(&coders[c], noise, len, N);
		}
}

/* Every kind at every level through the funnel that picks the method. */
static void
levels_come_back(void)
{
	enum { N = 4096 };
	struct trc_buf out = { 0 }, in = { 0 };
	struct trc_err err = { 0 };
	size_t small = 0, large = 0;

	for (int level = 0; level <= 9; level++)
		for (int i = TRC_PACK_BYTES; i <= TRC_PACK_INDEX2; i++)
			for (size_t m = 0; m < TRC_COUNT(make); m++) {
				const enum trc_pack_kind kind = (enum trc_pack_kind)i;
				const size_t n = i % 2 ? N : 0;
				struct trc_view v;

				make[m](N);
				out.n = 0;
				CHECK(trc_pack(raw, n, kind, level, &out, &err) == 0);
				CHECK(trc_pack(raw, N, kind, level, &out, &err) == 0);
				v = (struct trc_view){ out.p, out.p + out.n };
				CHECK(trc_unpack(&v, N, &in, &err) == 0 && in.n == n);
				CHECK(trc_unpack(&v, N, &in, &err) == 0 && in.n == N);
				CHECK(v.p == v.end);
				CHECK(memcmp(in.p, raw, N) == 0);
				v.p = out.p;
				CHECK(trc_unpack(&v, n ? n - 1 : 0, &in, &err) == (n ? -1 : 0));
				small += level == 9 ? out.n : 0;
				large += level == 6 ? out.n : 0;
			}
	CHECK_SAY(small < large, "%zu %zu", small, large);
	trc_buf_release(&out);
	trc_buf_release(&in);
}

/* Symbols of two bytes come in pairs. */
static void
half_a_symbol_is_refused(void)
{
	struct trc_buf out = { 0 };

	make_text(100);
	pack(&coders[5], 100, &out);
	CHECK(unpack(&coders[5], out.p, out.n, 99) == -1);
	trc_buf_release(&out);
}

int
main(void)
{
	test_start();
	RUN(everything_comes_back);
	RUN(sizes_are_as_expected);
	RUN(bytes_stay);
	RUN(cut_streams_are_errors);
	RUN(damaged_streams_are_bounded);
	RUN(noise_is_bounded);
	RUN(levels_come_back);
	RUN(half_a_symbol_is_refused);
	return 0;
}
