/* SPDX-License-Identifier: MIT
 * Streams by mixing and by guessing: what comes out is what went in; damage is an error, or other
 * bytes of the same number, and never more. */
#include <string.h>

#include "codec/stream/literals.h"
#include "codec/stream/context_mixing.h"
#include "codec/stream/pack.h"
#include "codec/stream/ranking.h"
#include "codec/stream/tokens.h"
#include "test.h"

enum { MOST = 1 << 16, GUARD = 64 };

static uint8_t raw[MOST], back[MOST + 2 * GUARD];

/* ---- what streams are made of ---- */

static void
generate_random(size_t n)
{
	for (size_t i = 0; i < n; i++)
		raw[i] = (uint8_t)test_random();
}

static void
generate_zeros(size_t n)
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
		"load ", "store ", "the ", "page ", "of ", "a ", "b ", "\n"
	};

	for (size_t i = 0; i < n;) {
		const char *w = word[test_random() % 8];
		size_t k;

		for (; *w && i < n; i++)
			raw[i] = (uint8_t)*w++;
		for (k = test_random() % 16 ? 0 : test_random() % 900; k > 0 && i < n; k--, i++)
			raw[i] = i > 1000 ? raw[i - 1000] : 0;
	}
}

/* Fields of 4 bytes that grow, most significant byte first. */
static void
make_fields(size_t n)
{
	for (size_t i = 0; i < n; i++)
		raw[i] = (uint8_t)((i / 4 * 52 + (test_random() % 9 == 0)) >> (24 - i % 4 * 8));
}

/* Two or three bits a symbol: another number of bits in the stream. */
static void
make_narrow(size_t n)
{
	for (size_t i = 0; i < n; i++)
		raw[i] = (uint8_t)(test_random() % 100 ? i / 50 % 3 : test_random() % 9);
}

static void (*const make[])(size_t n) = {
	generate_random, generate_zeros, make_ones,   make_periodic,
	make_text,       make_fields,    make_narrow,
};

/* ---- coders ---- */

static const struct coder {
	const char *name;
	enum { MIXED, TOKENS, LITERALS, RANKED } is;
	int shape;    /* of mixing, or width of symbols */
	size_t whole; /* bytes that a stream has a multiple of */
} coders[] = {
	{ "mixed bytes", MIXED, TRC_MIX_1, 1 },
	{ "mixed 2", MIXED, TRC_MIX_2, 1 },
	{ "mixed 4", MIXED, TRC_MIX_4, 1 },
	{ "mixed 8", MIXED, TRC_MIX_8, 1 },
	{ "tokens", TOKENS, 1, 1 },
	{ "literals", LITERALS, 4, 4 },
	{ "ranked bytes", RANKED, 1, 1 },
	{ "ranked pairs", RANKED, 2, 2 },
};

static int
write_by(const struct coder *c, size_t n, struct trc_buf *out, struct trc_err *err)
{
	switch (c->is) {
	case TOKENS: return trc_tokens_write(raw, n, out, err);
	case LITERALS: return trc_literals_write(raw, n, out, err);
	case RANKED: return trc_rank_write(raw, n, (size_t)c->shape, 6, out, err);
	default: return trc_mix_write(raw, n, (enum trc_mix_shape)c->shape, out, err);
	}
}

static int
read_by(const struct coder *c, const uint8_t *p, size_t len, uint8_t *dst, size_t n,
        struct trc_err *err)
{
	switch (c->is) {
	case TOKENS: return trc_tokens_read(p, len, dst, n, err);
	case LITERALS: return trc_literals_read(p, len, dst, n, err);
	case RANKED: return trc_rank_read(p, len, (size_t)c->shape, dst, n, 0, n, err);
	default: return trc_mix_read(p, len, (enum trc_mix_shape)c->shape, dst, n, err);
	}
}

/* Packs what was made; for tokens it becomes such. */
static void
pack(const struct coder *c, size_t n, struct trc_buf *out)
{
	struct trc_err err = { 0 };

	for (size_t i = 0; c->is == TOKENS && i < n; i++)
		raw[i] %= TRC_TOKEN_MOST + 1;
	out->n = 0;
	CHECK_MSG(write_by(c, n, out, &err) == 0, "%s", err.text);
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
	ret = read_by(c, tight + 1, len, back + GUARD, n, &err);
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
				const size_t n = len[l] / coders[c].whole * coders[c].whole;

				if (n == 0 || (n > 4096 && (m + c) % test_step_most(5)))
					continue;
				make[m](n);
				pack(&coders[c], n, &out);
				CHECK_MSG(unpack(&coders[c], out.p, out.n, n) == 0 &&
				                  memcmp(back + GUARD, raw, n) == 0,
				          "%s, maker %zu, %zu bytes", coders[c].name, m, n);
			}
	trc_buf_release(&out);
}

/* What repeats costs next to nothing, what is random little more than itself. */
static void
sizes_are_as_expected(void)
{
	struct trc_buf out = { 0 };

	for (size_t c = 0; c < TRC_COUNT(coders); c++) {
		generate_zeros(MOST);
		pack(&coders[c], MOST, &out);
		CHECK_MSG(out.n < 400, "%zu", out.n);
		make_periodic(MOST);
		pack(&coders[c], MOST, &out);
		CHECK_MSG(out.n < 800, "%zu", out.n);
		generate_random(MOST);
		pack(&coders[c], MOST, &out);
		CHECK_MSG(out.n < MOST + MOST / 16, "%zu", out.n);
	}
	trc_buf_release(&out);
}

/* The bytes of a stream are part of the format: the same on every machine and in every version. */
static void
bytes_stay(void)
{
	static const uint64_t expected[TRC_COUNT(coders)] = {
		UINT64_C(0x5caf545bc8bec696), UINT64_C(0x2380a2d2f85fca73),
		UINT64_C(0x4345b2e7c6e58024), UINT64_C(0x150e4e5c34ca5c32),
		UINT64_C(0xd0bc524d091765c8), UINT64_C(0x229d86a031aa5fb9),
		UINT64_C(0x547b287a31848785), UINT64_C(0x38c0d2eba12fceff),
	};
	struct trc_buf out = { 0 };
	const uint64_t seed = test_seed;

	for (size_t c = 0; c < TRC_COUNT(coders); c++) {
		uint64_t sum = 0;

		test_seed = 7;
		for (size_t m = 0; m < TRC_COUNT(make); m++) {
			make[m](5000);
			pack(&coders[c], 5000, &out);
			sum = test_sum(sum, out.p, out.n);
		}
		CHECK_MSG(sum == expected[c], "%s: 0x%016llx", coders[c].name,
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
			for (size_t k = 0; k < TIMES; k += test_step_most(4)) {
				make[m](N);
				pack(&coders[c], N, &out);
				for (uint64_t times = test_random() % 4 + 1; times > 0; times--)
					out.p[test_random() % out.n] = (uint8_t)test_random();
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
			const size_t len = test_random() % sizeof(noise);

			for (size_t i = 0; i < len; i++)
				noise[i] = (uint8_t)test_random();
			if (len > 0 && k % 2)
				noise[0] = (uint8_t)(1 + test_random() % 8);
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
		for (int kind = TRC_PACK_BYTES; kind <= TRC_PACK_INDEX2; kind++)
			for (size_t m = 0; m < TRC_COUNT(make); m++) {
				const enum trc_pack_kind k = (enum trc_pack_kind)kind;
				const size_t n = kind % 2 ? N : 0;
				struct trc_view v;

				make[m](N);
				out.n = 0;
				CHECK(trc_pack(raw, n, k, level, &out, &err) == 0);
				CHECK(trc_pack(raw, N, k, level, &out, &err) == 0);
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
	CHECK_MSG(small < large, "%zu %zu", small, large);
	trc_buf_release(&out);
	trc_buf_release(&in);
}

/* Symbols of two bytes come in pairs, literals by fours. */
static void
half_a_symbol_is_refused(void)
{
	struct trc_buf out = { 0 };

	for (size_t c = 0; c < TRC_COUNT(coders); c++) {
		if (coders[c].whole == 1)
			continue;
		make_text(100);
		pack(&coders[c], 100, &out);
		CHECK(unpack(&coders[c], out.p, out.n, 99) == -1);
	}
	trc_buf_release(&out);
}

/* Runs that repeat at once, after few symbols or after many, with a symbol now and then that is
 * another. */
static void
runs_are_copied(void)
{
	enum { RUN = 1 << 20 };
	static const size_t period[] = { 1, 2, 7, 8, 9, 1000, 70000 };
	uint16_t *symbol = calloc(RUN, sizeof(*symbol));
	uint8_t *bytes = calloc(RUN, 2), *got = calloc(RUN, 2);
	struct trc_buf out = { 0 };
	struct trc_err err;

	CHECK(symbol && bytes && got);
	for (size_t k = 0; k < TRC_COUNT(period); k++) {
		for (size_t i = 0; i < RUN; i++) {
			symbol[i] = i < period[k] || test_random() % 3000 == 0 ?
			                    (uint16_t)(test_random() % 999) :
			                    symbol[i - period[k]];
			trc_put_be16(bytes + 2 * i, symbol[i]);
		}
		out.n = 0;
		CHECK(trc_rank_write(bytes, 2 * RUN, 2, 6, &out, &err) == 0);
		CHECK(trc_rank_read(out.p, out.n, 2, got, 2 * RUN, 0, 2 * RUN, &err) == 0);
		CHECK_MSG(memcmp(bytes, got, 2 * RUN) == 0, "period %zu", period[k]);
		CHECK_MSG(out.n < RUN / 80 + 3 * period[k], "period %zu: %zu bytes", period[k],
		          out.n);
	}
	trc_buf_release(&out);
	free(symbol);
	free(bytes);
	free(got);
}

/* Symbols whose shape comes again, though they themselves never do: what was near comes again. The
 * largest symbols look like distances. */
static void
shapes_come_again(void)
{
	enum { RUN = 1 << 16, PERIOD = 50 };
	uint8_t *bytes = calloc(RUN, 2), *got = calloc(RUN, 2);
	uint8_t shape[PERIOD];
	struct trc_buf out = { 0 };
	struct trc_err err;

	CHECK(bytes && got);
	for (size_t i = 0; i < PERIOD; i++)
		shape[i] = (uint8_t)(i % 6 ? 1 + test_random() % 5 : 0);
	for (size_t i = 0; i < RUN; i++) {
		const unsigned away = i < 6 ? 0 : shape[i % PERIOD];

		trc_put_be16(bytes + 2 * i, away ? trc_be16(bytes + 2 * (i - away)) :
		                                   (uint16_t)(65535 - test_random() % 600));
	}
	CHECK(trc_rank_write(bytes, 2 * RUN, 2, 6, &out, &err) == 0);
	CHECK(trc_rank_read(out.p, out.n, 2, got, 2 * RUN, 0, 2 * RUN, &err) == 0);
	CHECK(memcmp(bytes, got, 2 * RUN) == 0);
	/* A sixth of them are new, 9.2 bits each. */
	CHECK_MSG(out.n < RUN * 3 / 8, "%zu bytes", out.n);
	trc_buf_release(&out);
	free(bytes);
	free(got);
}

int
main(void)
{
	test_start();
	RUN(everything_comes_back);
	if (!test_is_elsewhere()) /* sizes follow from bytes */
		RUN(sizes_are_as_expected);
	RUN(bytes_stay);
	RUN(cut_streams_are_errors);
	RUN(damaged_streams_are_bounded);
	RUN(noise_is_bounded);
	RUN(levels_come_back);
	RUN(half_a_symbol_is_refused);
	RUN(runs_are_copied);
	RUN(shapes_come_again);
	return 0;
}
