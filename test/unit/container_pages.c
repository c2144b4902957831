/* SPDX-License-Identifier: MIT
 * Columns of pages that go on from block to block. */
#include "crate.h"

/* What goes on from what was lost is lost, too, up to where the pages begin anew; of a block that
 * was lost behind its pages, nothing else is. */
static void
pages_go_on_for_some_blocks(void)
{
	const struct trc_gap second = { 400, 2800 }, last = { 7800, 200 }, third = { 400, 200 };
	struct make_bytes bytes;
	struct trc_batch rows;

	crate_pages(&rows, 8000);
	bytes = crate_blocks(&rows, 200);
	crate_holds(&bytes, "trc", &rows);
	crate_holds(&bytes, "pipe", &rows);
	crate_salvage(&bytes, &rows, TRC_KIND_TRACE, 0, NULL, 0);
	crate_salvage(&bytes, &rows, TRC_KIND_PAGES, 2, &second, 1);
	crate_salvage(&bytes, &rows, TRC_KIND_PAGES, 39, &last, 1);
	crate_salvage(&bytes, &rows, TRC_KIND_BLOCK, 2, &third, 1);
	free(bytes.p);
	trc_batch_release(&rows);
}

/* Whoever skips reads the pages before, as far as what is wanted goes on from them. */
static void
skipped_pages_are_gone_on_from(void)
{
	static const uint64_t skip[] = {
		1, 199, 200, 1555, 3199, 3200, 3201, 7999, 8000, 9999, 10000,
	};
	static const char *const how[] = { "trc", "pipe" };
	struct trc_batch rows, some;
	struct make_bytes one, two, bytes;

	crate_pages(&rows, 16000);
	rows.n = 8000;
	one = crate_blocks(&rows, 200);
	some = crate_slice(&rows, 0, 2200);
	two = crate_blocks(&some, 200);
	bytes = crate_join(&one, &two);
	trc_batch_append(&rows, &some, 0, some.n);
	for (size_t i = 0; i < TRC_COUNT(skip); i++)
		for (size_t h = 0; h < TRC_COUNT(how); h++) {
			const struct trc_batch rest =
				crate_slice(&rows, (size_t)skip[i], rows.n - (size_t)skip[i]);
			struct crate_got g;

			crate_read_from(&bytes, how[h], 333, skip[i], rows.n, &g);
			CHECK_SAY(g.ret == 0, "%s", g.err.text);
			CHECK_SAY(g.rows.n == rest.n &&
			                  memcmp(g.rows.vpn, rest.vpn,
			                         rest.n * sizeof(*rest.vpn)) == 0,
			          "%s from %d", how[h], (int)skip[i]);
			crate_forget(&g);
		}
	free(one.p);
	free(two.p);
	free(bytes.p);
	trc_batch_release(&rows);
}

/* More different pages than the table of a column that goes on has room for. */
static void
pages_begin_anew_where_there_are_too_many(void)
{
	struct make_bytes bytes;
	struct trc_batch rows;
	struct trc_err err;

	CHECK(trc_batch_init(&rows, TRC_HAS_VPN, 200000, &err) == 0);
	for (; rows.n < rows.cap; rows.n++)
		rows.vpn[rows.n] = rows.n / 40000 * 30000 + rows.n % 40000 * rows.n % 30000;
	bytes = crate_blocks(&rows, 40000);
	crate_holds(&bytes, "trc", &rows);
	free(bytes.p);
	trc_batch_release(&rows);
}

/* Pages that lie about what they go on from, or come twice, or behind the last block. */
static void
pages_that_do_not_belong_are_refused(void)
{
	struct make_bytes bytes, lost;
	struct trc_frame pages;
	struct trc_batch rows;
	struct crate_got g;

	crate_pages(&rows, 2000);
	bytes = crate_blocks(&rows, 200);
	pages = crate_frame(&bytes, TRC_KIND_PAGES, 3);
	lost = crate_without(&bytes, (size_t)pages.offset, TRC_FRAME_HEAD + (size_t)pages.len);
	crate_read(&lost, "pipe", rows.n, &g);
	CHECK_SAY(g.ret == -1 && strstr(g.err.text, "pages of a block are damaged or missing"),
	          "%s", g.err.text);
	crate_forget(&g);
	free(lost.p);
	/* Columns, the column, rows before: each in one byte, the last in two. */
	for (size_t at = 0; at < 4; at++) {
		struct make_bytes bad = crate_copy(&bytes);

		bad.p[pages.offset + TRC_FRAME_HEAD + at] ^= 1;
		crate_mend(&bad, &pages);
		crate_read(&bad, "trc", rows.n, &g);
		CHECK_SAY(g.ret == -1, "byte %zu", at);
		crate_forget(&g);
		free(bad.p);
	}
	free(bytes.p);
	trc_batch_release(&rows);
}

int
main(void)
{
	test_start();
	RUN(pages_go_on_for_some_blocks);
	RUN(skipped_pages_are_gone_on_from);
	RUN(pages_begin_anew_where_there_are_too_many);
	RUN(pages_that_do_not_belong_are_refused);
	return 0;
}
