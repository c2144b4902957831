/* SPDX-License-Identifier: MIT
 * Columns of pages. */
#include "container_fixture.h"

/* A block that is lost takes no pages of others with it. */
static void
pages_of_a_block_stand_alone(void)
{
	const struct trc_gap second = { 400, 200, NULL };
	struct generate_bytes bytes;
	struct trc_batch rows;

	container_pages(&rows, 8000);
	bytes = container_blocks(&rows, 200);
	container_holds(&bytes, "trc", &rows);
	container_holds(&bytes, "pipe", &rows);
	container_salvage(&bytes, &rows, TRC_KIND_TRACE, 0, NULL, 0);
	container_salvage(&bytes, &rows, TRC_KIND_BLOCK, 2, &second, 1);
	free(bytes.p);
	trc_batch_release(&rows);
}

/* From any place, in a file that can be sought and in a pipe. */
static void
pages_are_skipped(void)
{
	static const uint64_t skip[] = {
		1, 199, 200, 1555, 3199, 3200, 3201, 7999, 8000, 9999, 10000,
	};
	static const char *const how[] = { "trc", "pipe" };
	struct trc_batch rows, some;
	struct generate_bytes one, two, bytes;

	container_pages(&rows, 16000);
	rows.n = 8000;
	one = container_blocks(&rows, 200);
	some = container_slice(&rows, 0, 2200);
	two = container_blocks(&some, 200);
	bytes = container_join(&one, &two);
	trc_batch_append(&rows, &some, 0, some.n);
	for (size_t i = 0; i < TRC_COUNT(skip); i++)
		for (size_t h = 0; h < TRC_COUNT(how); h++) {
			const struct trc_batch rest = container_slice(&rows, (size_t)skip[i],
			                                              rows.n - (size_t)skip[i]);
			struct container_got g;

			container_read_from(&bytes, how[h], 333, skip[i], rows.n, &g);
			CHECK_MSG(g.ret == 0, "%s", g.err.text);
			CHECK_MSG(g.rows.n == rest.n && memcmp(g.rows.vpn, rest.vpn,
			                                       rest.n * sizeof(*rest.vpn)) == 0,
			          "%s from %d", how[h], (int)skip[i]);
			container_forget(&g);
		}
	free(one.p);
	free(two.p);
	free(bytes.p);
	trc_batch_release(&rows);
}

/* Whoever limits the rows gets just these: of a block that has more, the others are not
 * unpacked. */
static void
pages_end_at_a_limit(void)
{
	static const struct {
		uint64_t skip, limit;
	} part[] = {
		{ 0, 1 },    { 0, 1000 },          { 0, 3000 },   { 999, 2 },
		{ 1500, 7 }, { 1500, UINT64_MAX }, { 2999, 100 }, { 500, 1700 },
	};
	static const char *const how[] = { "trc", "pipe", "trc:threads=1" };
	struct generate_bytes bytes;
	struct trc_batch rows;

	container_pages(&rows, 3000);
	bytes = container_blocks(&rows, 1000);
	for (size_t i = 0; i < TRC_COUNT(part); i++)
		for (size_t h = 0; h < TRC_COUNT(how); h++) {
			const uint64_t skip = part[i].skip, left = rows.n - skip;
			const uint64_t n = part[i].limit < left ? part[i].limit : left;
			struct trc_err err;
			struct trc_source *src = container_open(&bytes, how[h], &err);
			struct container_got g = { .ret = -1 };

			CHECK(src && src->seek->skip(src, skip, &err) == 0);
			src->seek->limit(src, part[i].limit);
			container_read_source(src, 64, rows.n, &g);
			CHECK_MSG(g.ret == 0, "%s", g.err.text);
			CHECK_MSG(g.rows.n == n && memcmp(g.rows.vpn, rows.vpn + skip,
			                                  n * sizeof(*rows.vpn)) == 0,
			          "%s: %d of %d", how[h], (int)g.rows.n, (int)n);
			container_forget(&g);
		}
	free(bytes.p);
	trc_batch_release(&rows);
}

/* More different pages than a table of them has room for. */
static void
pages_may_be_too_many_for_a_table(void)
{
	struct generate_bytes bytes;
	struct trc_batch rows;
	struct trc_err err;

	CHECK(trc_batch_init(&rows, TRC_HAS_VPN, 200000, &err) == 0);
	for (; rows.n < rows.cap; rows.n++)
		rows.vpn[rows.n] = rows.n / 40000 * 30000 + rows.n % 40000 * rows.n % 80000;
	bytes = container_blocks(&rows, 100000);
	container_holds(&bytes, "trc", &rows);
	free(bytes.p);
	trc_batch_release(&rows);
}

/* What split writes of a trace that was not reduced: a page follows from an address, and each
 * reference from the one before, so both take few bytes, and are not packed as visits to pages. */
static void
pages_beside_addresses_are_small(void)
{
	enum { N = 200000, LOOP = 1000 };
	const uint32_t have = TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_SIZE | TRC_HAS_TIME |
	                      TRC_HAS_RTIME | TRC_HAS_CPN;
	struct generate_bytes bytes;
	struct trc_batch rows;
	struct trc_err err;

	CHECK(trc_batch_init(&rows, have, N, &err) == 0);
	for (size_t i = 0; i < N; i++, rows.n++) {
		const uint64_t at = i % LOOP, data = i % 3 == 1;

		rows.type[i] = data ? TRC_READ : TRC_FETCH;
		rows.addr[i] = data ? 0x70000 + i / 3 % 5000 * 8 : 0x4000 + at * 4;
		rows.size[i] = data ? 8 : 4;
		rows.rtime[i] = i + 1;
		rows.time[i] = i + 7 + i / 1013;
		rows.cpn[i] = rows.addr[i] / 4096 * 3 + 1;
	}
	bytes = container_blocks(&rows, N);
	container_holds(&bytes, "trc", &rows);
	CHECK_MSG(bytes.len < 1000, "%d bytes", (int)bytes.len);
	free(bytes.p);
	trc_batch_release(&rows);
}

int
main(void)
{
	test_start();
	RUN(pages_of_a_block_stand_alone);
	RUN(pages_are_skipped);
	RUN(pages_end_at_a_limit);
	RUN(pages_may_be_too_many_for_a_table);
	RUN(pages_beside_addresses_are_small);
	return 0;
}
