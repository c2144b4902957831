/* SPDX-License-Identifier: MIT
 * Requests: what comes out is what went in, sizes cost what is new in them, damage is an error or
 * other rows of the same number. */
#include "codec/column/requests.h"
#include "container_fixture.h"
#include "test.h"

enum { ROWS = 3000, OBJECTS = 200 };

static uint64_t addr[ROWS];
static uint32_t size[ROWS];

static uint64_t
random64(void)
{
	return test_random() << 40 ^ test_random() << 20 ^ test_random();
}

/* Streams of blocks, some of which begin elsewhere now and then. */
static void
make_blocks(size_t n)
{
	uint64_t at[4] = { 0 };

	for (size_t i = 0; i < n; i++) {
		const size_t k = test_random() % TRC_COUNT(at);

		if (test_random() % 20 == 0)
			at[k] = test_random() % (1 << 26);
		addr[i] = at[k];
		size[i] = 512 * (1 + (uint32_t)test_random() % 4 * 32);
		at[k] += size[i] / 512;
	}
}

/* Objects under names without order, which come again, and keep their sizes. */
static void
make_objects(size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const uint64_t object = test_random() % OBJECTS;

		addr[i] = (object + 1) * UINT64_C(0x9e3779b97f4a7c15);
		size[i] = (uint32_t)(addr[i] >> 50) + 100;
	}
}

/* Sizes change, and are such that few models would expect. */
static void
make_changes(size_t n)
{
	static const uint32_t odd[] = { 0, 1, 0xfffffe, 0xffffff, 0x1000000, UINT32_MAX };

	make_objects(n);
	for (size_t i = 0; i < n; i++)
		if (addr[i] >> 60 < 3)
			size[i] = test_random() % 2 ? odd[test_random() % TRC_COUNT(odd)] :
			                              (uint32_t)random64();
}

/* All addresses that there are, back and forth. */
static void
make_extremes(size_t n)
{
	for (size_t i = 0; i < n; i++) {
		addr[i] = i % 3 == 0 ? UINT64_MAX - test_random() % 3 : i % 3 == 1 ? 0 : random64();
		size[i] = (uint32_t)random64();
	}
}

static void
make_zeros(size_t n)
{
	memset(addr, 0, n * sizeof(*addr));
	memset(size, 0, n * sizeof(*size));
}

static void (*const maker[])(size_t n) = { make_blocks, make_objects, make_changes, make_extremes,
	                                   make_zeros };

static void
write_requests(size_t n, struct trc_buf *out)
{
	const struct trc_request_rows r = { n, addr, size };
	struct trc_err err;

	out->n = 0;
	CHECK_MSG(trc_requests_write(&r, out, &err) == 0, "%s", err.text);
}

/* Reads the first of `n` requests; -1 if they are refused. */
static int
read_requests(const struct trc_buf *packed, size_t n, size_t first, bool compare)
{
	/* As much as there is, so that tools see what is read beyond it. */
	uint64_t *a = malloc(n * sizeof(*a));
	uint32_t *s = malloc(n * sizeof(*s));
	struct trc_request_rows r = { n, a, s };
	struct trc_view in = { packed->p, packed->p + packed->n };
	struct trc_err err = { 0 };
	const int ret = trc_requests_read(&r, &in, first, &err);

	CHECK(ret == 0 || err.text[0]);
	CHECK(!compare || (ret == 0 && in.p == in.end));
	CHECK(!compare || memcmp(a, addr, first * sizeof(*a)) == 0);
	CHECK(!compare || memcmp(s, size, first * sizeof(*s)) == 0);
	free(a);
	free(s);
	return ret;
}

static void
requests_come_back(void)
{
	static const size_t len[] = { 1, 2, 3, 127, ROWS };
	struct trc_buf out = { 0 };

	for (size_t m = 0; m < TRC_COUNT(maker); m++)
		for (size_t l = 0; l < TRC_COUNT(len); l++) {
			maker[m](len[l]);
			write_requests(len[l], &out);
			read_requests(&out, len[l], len[l], true);
		}
	trc_buf_release(&out);
}

static void
first_requests_come_back(void)
{
	static const size_t first[] = { 0, 1, 100, ROWS - 1 };
	struct trc_buf out = { 0 };

	make_changes(ROWS);
	write_requests(ROWS, &out);
	for (size_t i = 0; i < TRC_COUNT(first); i++)
		read_requests(&out, ROWS, first[i], true);
	trc_buf_release(&out);
}

/* A model has so many rows: behind them another begins. */
static void
many_requests_come_back(void)
{
	const size_t n = (1 << 21) + 3, some = (1 << 21) + 1;
	uint64_t *a = malloc(2 * n * sizeof(*a));
	uint32_t *s = malloc(2 * n * sizeof(*s));
	const struct trc_request_rows r = { n, a, s };
	struct trc_request_rows again = { n, a + n, s + n };
	struct trc_buf out = { 0 };
	struct trc_view in;
	struct trc_err err;

	for (size_t i = 0; i < n; i++) {
		a[i] = 8 * i;
		s[i] = 4096;
	}
	CHECK(trc_requests_write(&r, &out, &err) == 0);
	in = trc_buf_view(&out);
	CHECK(trc_requests_read(&again, &in, some, &err) == 0);
	CHECK(memcmp(a, a + n, some * sizeof(*a)) == 0 && memcmp(s, s + n, some * sizeof(*s)) == 0);
	in = trc_buf_view(&out);
	CHECK(trc_requests_read(&again, &in, 5, &err) == 0 && in.p == in.end);
	trc_buf_release(&out);
	free(a);
	free(s);
}

/* Bytes of `n` requests for objects, whose sizes are alike or not. */
static size_t
bytes_of(size_t n, bool alike)
{
	const uint64_t seed = test_seed;
	struct trc_buf out = { 0 };
	size_t bytes;

	make_objects(ROWS);
	for (size_t i = 0; alike && i < ROWS; i++)
		size[i] = 100;
	write_requests(n, &out);
	bytes = out.n;
	trc_buf_release(&out);
	test_seed = seed;
	return bytes;
}

/* What comes again has its size. */
static void
objects_keep_their_sizes(void)
{
	const size_t differ = bytes_of(ROWS, false) - bytes_of(ROWS / 2, false);
	const size_t alike = bytes_of(ROWS, true) - bytes_of(ROWS / 2, true);

	CHECK_MSG(differ < alike + ROWS / 2 / 32, "%zu, %zu", differ, alike);
}

/* A name costs about what there are of them, however long it is, and in no order. */
static void
names_without_order_are_short(void)
{
	const size_t bytes = bytes_of(ROWS, true) - bytes_of(ROWS / 2, true);

	CHECK_MSG(bytes < ROWS / 2 * 17 / 16, "%zu", bytes);
}

/* The bytes of requests are part of the format, as those of streams are. */
static void
bytes_of_requests_stay(void)
{
	static const uint64_t expected[TRC_COUNT(maker)] = { UINT64_C(0xcca3daec3ddf0c56),
		                                             UINT64_C(0x28ec982612d1e01f),
		                                             UINT64_C(0x6e01801e7d39f545),
		                                             UINT64_C(0x9a46b0aaff7e236c),
		                                             UINT64_C(0xff7ca29cbe4deea6) };
	const uint64_t seed = test_seed;
	struct trc_buf out = { 0 };

	for (size_t m = 0; m < TRC_COUNT(maker); m++) {
		uint64_t sum;

		test_seed = 7;
		maker[m](ROWS);
		write_requests(ROWS, &out);
		sum = test_sum(0, out.p, out.n);
		CHECK_MSG(sum == expected[m], "%zu: 0x%016llx", m, (unsigned long long)sum);
	}
	test_seed = seed;
	trc_buf_release(&out);
}

static void
damaged_requests_are_bounded(void)
{
	struct trc_buf out = { 0 };

	for (size_t k = 0; k < 300; k += test_step_most(5)) {
		maker[k % TRC_COUNT(maker)](500);
		write_requests(500, &out);
		for (uint64_t times = test_random() % 3 + 1; times > 0; times--)
			out.p[test_random() % out.n] = (uint8_t)test_random();
		if (k % 3 == 0)
			out.n = test_random() % out.n;
		(void)read_requests(&out, 500, 500, false);
	}
	trc_buf_release(&out);
}

/* Heads that cannot be, and streams that are longer than their rows. */
static void
requests_that_cannot_be_are_refused(void)
{
	static const uint8_t head[][2] = { { 0, 9 }, { 65, 9 }, { 26, 17 } };
	struct trc_buf out = { 0 };

	make_changes(500);
	write_requests(500, &out);
	for (size_t i = 0; i < TRC_COUNT(head); i++) {
		memcpy(out.p, head[i], sizeof(head[i]));
		CHECK(read_requests(&out, 500, 500, false) == -1);
	}
	out.n = 1;
	CHECK(read_requests(&out, 500, 500, false) == -1);
	trc_buf_release(&out);
}

static void
sizes_show_requests(void)
{
	static const uint32_t few[] = { 512, 4096, 8, 4 }, more[] = { 512, 4096, 100, 8 };
	static const uint32_t fetched[] = { 64, 64, 32, 16 };

	CHECK(!trc_are_requests(few, TRC_COUNT(few)) && trc_are_requests(more, TRC_COUNT(more)));
	CHECK(!trc_are_requests(fetched, TRC_COUNT(fetched)));
}

/* Containers have them, with columns beside, from which rows may be skipped. */
static void
containers_hold_requests(void)
{
	struct trc_batch rows = generate_zeros(TRC_HAS_ADDR | TRC_HAS_SIZE | TRC_HAS_TIME, ROWS);
	struct generate_bytes bytes;
	struct container_got g;

	for (size_t m = 0; m < TRC_COUNT(maker) - 2; m++) {
		maker[m](ROWS);
		for (size_t i = 0; i < ROWS; i++) {
			rows.addr[i] = addr[i] / 2;
			rows.size[i] = size[i];
			rows.time[i] = i / 10;
		}
		bytes = container_write(&rows,
		                        (struct trc_container_to){ .block_rows = 1000, .level = 6 },
		                        999);
		container_holds(&bytes, "trc", &rows);
		container_read_from(&bytes, "trc", 100, 1500, ROWS, &g);
		CHECK(g.ret == 0 && g.rows.n == ROWS - 1500);
		CHECK(memcmp(g.rows.addr, rows.addr + 1500, g.rows.n * 8) == 0);
		container_forget(&g);
		free(bytes.p);
	}
	trc_batch_release(&rows);
}

int
main(void)
{
	test_start();
	RUN(requests_come_back);
	RUN(first_requests_come_back);
	if (!test_is_elsewhere())
		RUN(many_requests_come_back);
	RUN(objects_keep_their_sizes);
	RUN(names_without_order_are_short);
	RUN(bytes_of_requests_stay);
	RUN(damaged_requests_are_bounded);
	RUN(requests_that_cannot_be_are_refused);
	RUN(sizes_show_requests);
	RUN(containers_hold_requests);
	return 0;
}
