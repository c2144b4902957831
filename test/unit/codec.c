/* SPDX-License-Identifier: MIT
 * Streams, columns and range coded numbers by themselves: round trips, and readers that are given
 * anything. */
#include <string.h>

#include "codec/column/column.h"
#include "codec/entropy/move_to_front.h"
#include "codec/growth/growth.h"
#include "generate.h"
#include "test.h"

enum { MOST = 20000, NOISE = 600 };

static void
fill_noise(struct generator *m, uint8_t *p, size_t n)
{
	const uint64_t how = generate_below(m, 3);

	for (size_t i = 0; i < n; i++)
		p[i] = how == 0 ? (uint8_t)generate_random(m) :
		       how == 1 ? (uint8_t)generate_below(m, 3) :
		                  (uint8_t)(generate_random(m) >> generate_below(m, 64));
}

static void
packed_streams_come_back(void)
{
	static const size_t len[] = { 0, 1, 2, 8, 100, 4095, 4096, 4097, MOST };
	static uint8_t raw[MOST];
	struct generator m = { test_seed };
	struct trc_buf out = { 0 }, back = { 0 };
	struct trc_err err;

	for (size_t i = 0; i < TRC_COUNT(len); i++)
		for (int kind = TRC_PACK_BYTES; kind <= TRC_PACK_WORDS8; kind++) {
			const int level = (int)generate_below(&m, 10);
			struct trc_view v;

			fill_noise(&m, raw, len[i]);
			out.n = 0;
			CHECK(trc_pack(raw, len[i], (enum trc_pack_kind)kind, level, &out, &err) ==
			      0);
			v = (struct trc_view){ out.p, out.p + out.n };
			CHECK_MSG(trc_unpack(&v, len[i], &back, &err) == 0, "%s", err.text);
			CHECK(v.p == v.end && back.n == len[i]);
			CHECK(len[i] == 0 || memcmp(back.p, raw, len[i]) == 0);
			v = (struct trc_view){ out.p, out.p + out.n };
			CHECK(len[i] == 0 || trc_unpack(&v, len[i] - 1, &back, &err) == -1);
		}
	trc_buf_release(&out);
	trc_buf_release(&back);
}

/* Slow methods take the place of a fast one where a byte is worth enough, and only there. */
static void
streams_are_packed_slowly_where_that_is_worth_it(void)
{
	static const uint64_t worth[] = { 0, 100, 10000, 1000000 };
	static uint8_t raw[MOST];
	struct generator m = { test_seed };
	struct trc_buf out = { 0 }, back = { 0 };
	size_t last = SIZE_MAX, first = 0;
	struct trc_err err;

	/* What LZMA does not see: each byte is the one 7 before it, or nearly. */
	for (size_t i = 0; i < MOST; i++)
		raw[i] = i < 7 || generate_below(&m, 16) == 0 ? (uint8_t)generate_below(&m, 4) :
		                                                raw[i - 7];
	for (size_t i = 0; i < TRC_COUNT(worth); i++) {
		struct trc_view v;

		out.n = 0;
		CHECK(trc_pack(raw, MOST, TRC_PACK_BYTES, 8, &out, &err) == 0);
		first = out.n;
		CHECK(trc_pack_by_models(raw, MOST, TRC_PACK_BYTES, 8,
		                         &(struct trc_pack_budget){ worth[i], UINT64_MAX }, &out,
		                         &err) == 0);
		CHECK(out.n <= last && (worth[i] > 0 || out.n == first));
		last = out.n;
		v = (struct trc_view){ out.p, out.p + out.n };
		CHECK_MSG(trc_unpack(&v, MOST, &back, &err) == 0, "%s", err.text);
		CHECK(v.p == v.end && back.n == MOST && memcmp(back.p, raw, MOST) == 0);
	}
	CHECK(last < first);
	trc_buf_release(&out);
	trc_buf_release(&back);
}

/* Places in a table at random: their upper halves are nearly all the same. */
static void
halves_are_packed_apart_where_that_is_smaller(void)
{
	enum { HALVES = 8, AT = 3 /* bytes of the length of the stream */ };
	static uint8_t raw[MOST * 4];
	struct generator m = { test_seed };
	struct trc_buf out = { 0 }, back = { 0 };
	struct trc_err err;
	struct trc_view v;

	for (size_t i = 0; i < sizeof(raw); i += 4) {
		raw[i + 1] = (uint8_t)(i / 4 % 97 == 0);
		trc_put_be16(raw + i + 2, (uint16_t)(0x2300 + 4 * generate_below(&m, 256)));
	}
	CHECK(trc_pack(raw, sizeof(raw), TRC_PACK_WORDS4, 6, &out, &err) == 0);
	CHECK(out.p[AT] == HALVES);
	v = (struct trc_view){ out.p, out.p + out.n };
	CHECK_MSG(trc_unpack(&v, sizeof(raw), &back, &err) == 0, "%s", err.text);
	CHECK(back.n == sizeof(raw) && memcmp(back.p, raw, sizeof(raw)) == 0);
	trc_buf_release(&out);
	trc_buf_release(&back);
}

static void
columns_come_back(void)
{
	static const size_t len[] = { 1, 2, 3, 5, 255, 4096, 10007 };
	static uint64_t v[MOST], back[MOST];
	struct generator m = { test_seed };
	struct trc_buf out = { 0 };
	struct trc_err err;

	/* The last two have as many values as an index of a byte can number, and one more. */
	for (unsigned how = 0; how < 10; how++)
		for (size_t i = 0; i < TRC_COUNT(len); i++) {
			struct trc_view view;

			for (size_t k = 0; k < len[i]; k++)
				v[k] = how == 0 ? UINT64_MAX :
				       how == 1 ? k * 8 :
				       how == 2 ? generate_random(&m) :
				       how == 3 ? generate_below(&m, 3) << 62 :
				       how == 4 ? k * k * UINT64_C(1000003) :
				       how == 5 ? generate_below(&m, 300) * 77777 :
				       how == 6 ? (k % 100 ? k : generate_random(&m)) :
				       how >= 8 ? generate_below(&m, 248 + how) * 77777 :
				                  generate_value(&m, k ? v[k - 1] : 0, 64);
			out.n = 0;
			CHECK(trc_column_write(v, len[i], 1, &out, &err) == 0);
			view = (struct trc_view){ out.p, out.p + out.n };
			CHECK_MSG(trc_column_read(&view, back, len[i], &err) == 0, "%u: %s", how,
			          err.text);
			CHECK(view.p == view.end && memcmp(v, back, len[i] * sizeof(*v)) == 0);
			/* What changes by as much each time is the first and that. */
			CHECK_MSG(how > 1 || out.n < 24, "%u: %zu bytes", how, out.n);
		}
	trc_buf_release(&out);
}

/* An index behind the table, and a value that claims a place where there is nothing. */
static void
columns_that_point_at_nothing_are_refused(void)
{
	static const struct {
		const char *p;
		size_t n;
		bool good;
	} column[] = {
		{ "\5\x8\0\x8\0\0\0\0\0\0\0\x9\2\0\2\0\0", 17, true },
		{ "\5\x8\0\x8\0\0\0\0\0\0\0\x9\2\0\2\0\1", 17, false },
		{ "\6\x8\0\x8\0\0\0\0\0\0\0\x9\4\0\4\0\0\1\0", 19, false },
		{ "\5\7\0\7\0\0\0\0\0\0\0\2\0\2\0\0", 16, false },
		{ "\7\2\0\2\xfe\xff\x8\0\x8\0\0\0\0\0\0\0\x9", 17, false }, /* no form */
	};

	for (size_t i = 0; i < TRC_COUNT(column); i++) {
		const uint8_t *p = (const uint8_t *)column[i].p;
		struct trc_view v = { p, p + column[i].n };
		uint64_t value[2] = { 0 };
		struct trc_err err = { 0 };
		const bool good = trc_column_read(&v, value, 2, &err) == 0;

		CHECK_MSG(good == column[i].good, "%zu: %s", i, err.text);
		CHECK(!good || (v.p == v.end && value[1] == 9));
	}
}

/* Of columns of any form, a part comes back without the other values. */
static void
parts_of_columns_come_back(void)
{
	enum { N = 10007 };
	static const struct {
		size_t from, to;
	} part[] = {
		{ 0, 0 },       { 0, 1 },     { 0, 2 }, { 1, 2 },    { 0, 4096 },
		{ 4095, 4096 }, { 0, N - 1 }, { 0, N }, { 4096, N }, { N, N },
	};
	static uint64_t v[N], back[N + 1];
	struct generator m = { test_seed };
	struct trc_buf out = { 0 };
	struct trc_err err;

	for (unsigned how = 0; how < 7; how++) {
		for (size_t k = 0; k < N; k++)
			v[k] = how == 0 ? 77 :
			       how == 1 ? k * 8 :
			       how == 2 ? generate_random(&m) :
			       how == 3 ? generate_below(&m, 300) * 77777 :
			       how == 4 ? k * k * UINT64_C(1000003) + generate_below(&m, 3) :
			       how == 5 ? (generate_below(&m, 40) ? k % 250 : generate_random(&m)) :
			                  generate_below(&m, 200) << 50;
		out.n = 0;
		CHECK(trc_column_write(v, N, 6, &out, &err) == 0);
		for (size_t i = 0; i < TRC_COUNT(part); i++) {
			struct trc_view view = { out.p, out.p + out.n };
			const size_t from = part[i].from, to = part[i].to;

			memset(back, 0, sizeof(back));
			back[to] = 1234;
			CHECK_MSG(trc_column_read_part(&view, back, N, from, to, &err) == 0,
			          "%u: %s", how, err.text);
			CHECK_MSG(view.p == view.end && back[to] == 1234 &&
			                  memcmp(v + from, back + from, (to - from) * sizeof(*v)) ==
			                          0,
			          "%u: %zu to %zu", how, from, to);
		}
	}
	trc_buf_release(&out);
}

/* What fits the sample in the middle of a column may not fit its ends. */
static void
columns_that_change_outside_their_sample_come_back(void)
{
	enum { ROWS = 1 << 18 };
	uint64_t *v = calloc(ROWS, sizeof(*v)), *back = calloc(ROWS, sizeof(*v));
	struct trc_buf out = { 0 };
	struct trc_view view;
	struct trc_err err;

	CHECK(v && back);
	v[0] = UINT64_MAX;
	v[ROWS - 1] = UINT64_C(1) << 40;
	CHECK(trc_column_write(v, ROWS, 0, &out, &err) == 0);
	view = (struct trc_view){ out.p, out.p + out.n };
	CHECK_MSG(trc_column_read(&view, back, ROWS, &err) == 0, "%s", err.text);
	CHECK(memcmp(v, back, ROWS * sizeof(*v)) == 0);
	trc_buf_release(&out);
	free(back);
	free(v);
}

/* Codes `n` bits, symbols and numbers as `m` gives them; when reading, checks that they come. */
static void
code_anything(struct trc_rc *rc, struct generator *m, size_t n, bool check)
{
	struct trc_num *num = malloc(sizeof(*num));
	struct trc_bit bit = TRC_BIT_EVEN, tree[256];

	CHECK(num);
	trc_num_init(num, 1);
	for (size_t i = 0; i < TRC_COUNT(tree); i++)
		tree[i] = TRC_BIT_EVEN;
	for (size_t i = 0; i < n; i++) {
		const unsigned b = generate_below(m, 50) == 0;
		const unsigned s = (unsigned)(generate_below(m, 3) ? 7 : generate_below(m, 256));
		const uint64_t v = generate_value(m, i, 64);
		const unsigned got_b = trc_rc_bit(rc, &bit, rc->out ? b : 0);
		const unsigned got_s = trc_rc_tree(rc, tree, 8, rc->out ? s : 0);
		const uint64_t got_v = trc_rc_num(rc, num, rc->out ? v : 0);

		CHECK_MSG(!check || (b == got_b && s == got_s && v == got_v), "symbol %zu", i);
	}
	free(num);
}

static void
range_coded_numbers_come_back(void)
{
	static const size_t len[] = { 0, 1, 2, 100, MOST };
	struct trc_err err;

	for (size_t i = 0; i < TRC_COUNT(len); i++) {
		struct trc_buf out = { 0 };
		struct generator m = { test_seed + i };
		struct trc_rc rc;

		trc_rc_write(&rc, &out);
		code_anything(&rc, &m, len[i], false);
		CHECK(trc_rc_finish(&rc, &err) == 0);
		m.state = test_seed + i;
		trc_rc_read(&rc, out.p, out.p + out.n);
		code_anything(&rc, &m, len[i], true);
		CHECK(trc_rc_ended(&rc));
		trc_buf_release(&out);
	}
}

/* Bits in whose interval a border of four bytes lies for long: what is written is 0xff after 0xff,
 * until a carry goes through all of it. */
static void
a_carry_goes_through_all_bytes(void)
{
	enum { BITS = 600 };
	static const uint8_t border[64] = { [3] = 1 };
	struct generator m = { test_seed };
	struct trc_buf out = { 0 };
	uint32_t zero[BITS];
	unsigned bit[BITS];
	struct trc_err err;
	struct trc_rc rc;

	trc_rc_read(&rc, border, border + sizeof(border));
	for (size_t i = 0; i < BITS; i++) {
		zero[i] = (uint32_t)(1 + generate_below(&m, 65535));
		bit[i] = trc_rc_code(&rc, zero[i], 0);
	}
	for (size_t n = 1; n <= BITS; n += 7) {
		out.n = 0;
		trc_rc_write(&rc, &out);
		for (size_t i = 0; i < n; i++)
			trc_rc_code(&rc, zero[i], bit[i]);
		CHECK(trc_rc_finish(&rc, &err) == 0);
		trc_rc_read(&rc, out.p, out.p + out.n);
		for (size_t i = 0; i < n; i++)
			CHECK_MSG(trc_rc_code(&rc, zero[i], 0) == bit[i], "bit %zu of %zu", i, n);
	}
	trc_buf_release(&out);
}

static void
what_was_used_last_is_in_front(void)
{
	static struct trc_move_to_front r;
	struct generator m = { test_seed };

	for (uint32_t i = 0; i < 3 * TRC_MOVE_TO_FRONT_MOST; i++) {
		const uint32_t count = trc_move_to_front_count(&r);

		CHECK(count == (i < TRC_MOVE_TO_FRONT_MOST ? i : TRC_MOVE_TO_FRONT_MOST));
		CHECK(trc_move_to_front_find(&r, i) == count);
		trc_move_to_front_add(&r, i);
		CHECK(trc_move_to_front_at(&r, 0) == i && trc_move_to_front_find(&r, i) == 0);
		if (i > 0 && i % 5 == 0) {
			const uint32_t at = (uint32_t)generate_below(&m, count);
			const uint32_t item = trc_move_to_front_at(&r, at);

			CHECK(trc_move_to_front_use(&r, at) == item &&
			      trc_move_to_front_at(&r, 0) == item);
			CHECK(at == 0 || trc_move_to_front_at(&r, 1) == i);
		}
	}
}

/* Readers take any bytes: they fail, or give something. */
static void
noise_does_no_harm(void)
{
	static uint64_t v[MOST];
	static uint8_t noise[NOISE];
	struct generator m = { test_seed };
	struct trc_buf raw = { 0 };
	struct trc_err err;

	for (size_t i = 0; i < 3000; i += test_step_most(2)) {
		const size_t n = generate_below(&m, NOISE);
		struct trc_program p = { 0 };
		struct trc_view view = { noise, noise + n };

		fill_noise(&m, noise, n);
		(void)!trc_unpack(&view, MOST, &raw, &err);
		for (unsigned form = 0; n > 0 && form < 48; form += 16) {
			noise[0] = (uint8_t)(form + generate_below(&m, 8));
			view.p = noise;
			(void)!trc_column_read(&view, v, 1 + generate_below(&m, 100), &err);
		}
		(void)!trc_growth_read(&p, noise, n, &err);
		trc_program_release(&p);
	}
	trc_buf_release(&raw);
}

int
main(void)
{
	test_start();
	RUN(packed_streams_come_back);
	RUN(streams_are_packed_slowly_where_that_is_worth_it);
	RUN(halves_are_packed_apart_where_that_is_smaller);
	RUN(columns_come_back);
	RUN(parts_of_columns_come_back);
	RUN(columns_that_point_at_nothing_are_refused);
	RUN(columns_that_change_outside_their_sample_come_back);
	RUN(range_coded_numbers_come_back);
	RUN(a_carry_goes_through_all_bytes);
	RUN(what_was_used_last_is_in_front);
	RUN(noise_does_no_harm);
	return 0;
}
