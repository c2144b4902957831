/* SPDX-License-Identifier: MIT
 *
 * References to ranges of pages, taken as ranges, against the same page by page: miss curves and
 * working sets.
 */
#include "generate.h"
#include "stage/simulate/mrc.h"
#include "stage/simulate/ws.h"
#include "stage/stage.h"
#include "test.h"

enum {
	HAVE = TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_SIZE | TRC_HAS_ASID,
	LARGE = 3 << 20, /* more pages than are taken one by one */
};

/* References to some of `bytes` bytes of a few spaces, all types among them. */
static struct trc_batch
make_ranges(struct generator *m, size_t n, uint64_t bytes)
{
	struct trc_batch b = generate_zeros(HAVE, n);
	const unsigned reads = (unsigned)generate_below(m, 4);

	for (size_t i = 0; i < n; i++) {
		b.type[i] = (uint8_t)(generate_below(m, 5) < reads ? TRC_READ :
		                                                     generate_below(m, TRC_TYPES));
		b.addr[i] = generate_below(m, bytes);
		b.size[i] = (uint32_t)generate_below(m, generate_below(m, 4) ? 4 : bytes);
		b.asid[i] = (uint32_t)generate_below(m, 2);
		/* What was used before, again. */
		if (i > 0 && generate_below(m, 4) == 0) {
			const size_t k = generate_below(m, i);

			b.addr[i] = b.addr[k];
			b.size[i] = b.size[k];
		}
		/* deletes.c has these. */
		if (b.type[i] == TRC_INVALIDATE)
			b.type[i] = TRC_COPY_BACK;
		/* Up to the last address, or nearly so. */
		if (generate_below(m, 40) == 0)
			b.addr[i] = 0 - (uint64_t)(b.size[i] + (b.size[i] == 0)) -
			            generate_below(m, 3);
	}
	return b;
}

static struct trc_source *
open_pages(const struct trc_batch *rows, bool ranges, size_t most)
{
	static uint64_t refs;
	struct trc_err err;
	struct trc_source *src = generate_source(rows, most);

	src = ranges ? trc_stage_page_ranges(src, 0, &refs, &err) :
	               trc_stage_page(src, 0, &refs, &err);
	CHECK(src);
	return src;
}

static void
pump(struct trc_source *src, struct trc_sink *sink, size_t most)
{
	struct trc_err err;

	CHECK(sink);
	CHECK_MSG(trc_pump(src, sink, most, NULL, &err) == 0, "%s", err.text);
	trc_sink_close(sink);
	trc_source_close(src);
}

static void
curves_of(const struct trc_batch *rows, bool ranges, bool by_space, size_t most,
          struct trc_mrc *mrc)
{
	struct trc_err err;
	struct trc_source *src = open_pages(rows, ranges, most);

	pump(src, trc_mrc_sink(mrc, src->have, by_space, false, &err), most);
}

static void
check_size(const struct trc_mrc_curve *want, const struct trc_mrc_curve *got, uint64_t m)
{
	const unsigned long long size = m;

	CHECK_MSG(trc_mrc_misses(got, m) == trc_mrc_misses(want, m), "%llu pages: %llu, not %llu",
	          size, (unsigned long long)trc_mrc_misses(got, m),
	          (unsigned long long)trc_mrc_misses(want, m));
	CHECK_MSG(trc_mrc_writebacks(got, m) == trc_mrc_writebacks(want, m),
	          "%llu pages: %llu, not %llu", size,
	          (unsigned long long)trc_mrc_writebacks(got, m),
	          (unsigned long long)trc_mrc_writebacks(want, m));
}

static void
rows_of_ranges_are_those_of_their_pages(void)
{
	struct generator m = { test_seed };

	for (int round = 0; round < 50; round++) {
		struct trc_batch rows = make_ranges(&m, 100, 60), want, got;
		struct trc_err err;
		size_t k = 0;

		CHECK(generate_collect(open_pages(&rows, false, 7), 5, &want, NULL, &err) == 0);
		CHECK(generate_collect(open_pages(&rows, true, 7), 3, &got, NULL, &err) == 0);
		for (size_t i = 0; i < got.n; i++)
			for (uint32_t j = 0; j < got.size[i]; j++, k++)
				CHECK(k < want.n && want.vpn[k] == got.vpn[i] + j &&
				      want.type[k] == got.type[i] &&
				      want.rtime[k] == got.rtime[i] &&
				      want.itime[k] == got.itime[i] && want.asid[k] == got.asid[i]);
		CHECK(k == want.n && got.n < want.n);
		trc_batch_release(&rows);
		trc_batch_release(&want);
		trc_batch_release(&got);
	}
}

/* All sizes of small memories. */
static void
curves_of_ranges_are_those_of_their_pages(void)
{
	struct generator m = { test_seed };

	for (size_t round = 0; round < 600; round += test_step_most(4)) {
		struct trc_batch rows = make_ranges(&m, 1 + generate_below(&m, 200), 80), all;
		struct trc_mrc_curve got = { .space = 0 };
		struct trc_mrc_ranges ranges;
		struct trc_mrc want;
		struct trc_err err;

		curves_of(&rows, false, false, 100, &want);
		CHECK(generate_collect(open_pages(&rows, true, 100), 100, &all, NULL, &err) == 0);
		trc_mrc_ranges_init(&ranges);
		for (size_t i = 0; i < all.n; i++)
			CHECK(trc_mrc_ranges_refer(&ranges, all.asid[i], all.vpn[i], all.size[i],
			                           all.type[i] == TRC_WRITE, &err) == 0);
		CHECK(trc_mrc_ranges_finish(&ranges, &got.step, &got.steps, &err) == 0);
		got.pages = ranges.extents.pages;
		CHECK(got.pages == want.curve[0].pages);
		for (uint64_t size = got.pages > 0; size <= got.pages; size++)
			check_size(&want.curve[0], &got, size);
		trc_mrc_ranges_release(&ranges);
		trc_mrc_curve_release(&got);
		trc_mrc_release(&want);
		trc_batch_release(&all);
		trc_batch_release(&rows);
	}
}

/* A large range among the rows: what came before it, by pages, is gone on with by ranges. */
static void
set_large(struct trc_batch *rows, struct generator *m)
{
	const size_t at = generate_below(m, rows->n);

	rows->type[at] = TRC_WRITE;
	rows->addr[at] = generate_below(m, 400);
	rows->size[at] = LARGE;
}

/* `stat --mrc --line-size 1` of requests for objects did not end. */
static void
a_large_range_changes_no_curve(void)
{
	struct generator m = { test_seed };

	for (int round = 0; round < 4; round++) {
		struct trc_batch rows = make_ranges(&m, 300, 400);
		const bool by_space = round % 2;
		struct trc_mrc want, got;

		set_large(&rows, &m);
		curves_of(&rows, false, by_space, TRC_BATCH_ROWS, &want);
		curves_of(&rows, true, by_space, 1 + generate_below(&m, 100), &got);
		CHECK(want.n == got.n);
		for (size_t i = 0; i < want.n; i++) {
			const struct trc_mrc_curve *x = &want.curve[i], *y = &got.curve[i];

			CHECK(x->pages == y->pages && x->refs == y->refs && x->space == y->space);
			CHECK(!x->step && (by_space || y->step));
			for (uint64_t size = 1; size <= x->pages; size++)
				check_size(x, y, size);
		}
		trc_mrc_release(&want);
		trc_mrc_release(&got);
		trc_batch_release(&rows);
	}
}

static void
working_sets_of_ranges_are_those_of_their_pages(void)
{
	struct generator m = { test_seed };

	for (int round = 0; round < 6; round++) {
		struct trc_batch rows = make_ranges(&m, 300, 400);
		const enum trc_column clock = round % 3 ? TRC_COL_RTIME : TRC_COL_ITIME;
		struct trc_ws ws[2];
		struct trc_err err;

		if (round % 4)
			set_large(&rows, &m);
		for (int k = 0; k < 2; k++)
			pump(open_pages(&rows, k, 64), trc_ws_sink(&ws[k], clock, round % 2, &err),
			     64);
		CHECK(ws[0].n == ws[1].n && ws[0].begin == ws[1].begin && ws[0].end == ws[1].end &&
		      ws[0].refs == ws[1].refs);
		for (size_t i = 0; i < ws[0].n; i++) {
			CHECK(ws[0].of[i].pages == ws[1].of[i].pages);
			CHECK(ws[0].of[i].refs == ws[1].of[i].refs);
			for (uint64_t w = 1; w < 1000; w = trc_ws_window(w + 1)) {
				const struct trc_ws_point a = trc_ws_at(&ws[0], &ws[0].of[i], w);
				const struct trc_ws_point b = trc_ws_at(&ws[1], &ws[1].of[i], w);

				CHECK(a.misses == b.misses && a.size == b.size);
			}
		}
		trc_ws_release(&ws[0]);
		trc_ws_release(&ws[1]);
		trc_batch_release(&rows);
	}
}

/* By the extents that there are: a range leaves one, and cuts two at most. */
static void
ranges_cost_what_their_number_does(void)
{
	enum { RANGES = 5000 };
	struct trc_mrc_ranges ranges;
	struct generator m = { test_seed };
	struct trc_mrc_step *step;
	struct trc_err err;
	size_t steps;

	trc_mrc_ranges_init(&ranges);
	for (size_t i = 0; i < RANGES; i++) {
		const uint64_t n = 1 + generate_below(&m, UINT64_C(1) << 40);

		CHECK(trc_mrc_ranges_refer(&ranges, 0, generate_below(&m, UINT64_C(1) << 44), n,
		                           true, &err) == 0);
	}
	CHECK_MSG(ranges.extents.n <= 3 * RANGES, "%u extents", (unsigned)ranges.extents.n);
	CHECK(trc_mrc_ranges_finish(&ranges, &step, &steps, &err) == 0);
	CHECK(step[0].from == 0 && step[steps - 1].misses == 0 && step[steps - 1].writebacks == 0);
	CHECK(steps < 40 * RANGES);
	free(step);
	trc_mrc_ranges_release(&ranges);
}

/* What a row has in its first page, and in its last. */
static void
rows_of_requests_have_the_bytes_at_both_ends(void)
{
	static const uint64_t row[][5] = { /* address, size; pages, bytes */
		                           { 0, 4096, 1, 4096, 4096 },
		                           { 4000, 96, 1, 96, 96 },
		                           { 4000, 97, 2, 96, 1 },
		                           { 5, 8192, 3, 4091, 5 },
		                           { 7, 0, 1, 1, 1 }
	};
	struct trc_batch b = generate_zeros(TRC_HAS_ADDR | TRC_HAS_SIZE, TRC_COUNT(row)), all;
	struct trc_meta meta;
	struct trc_err err;
	uint64_t refs;

	for (size_t i = 0; i < b.n; i++) {
		b.addr[i] = row[i][0];
		b.size[i] = (uint32_t)row[i][1];
	}
	CHECK(generate_collect(trc_stage_page_requests(generate_source(&b, 3), 12, &refs, &err), 3,
	                       &all, &meta, &err) == 0);
	for (size_t i = 0; i < b.n; i++)
		CHECK(all.size[i] == row[i][2] && (uint32_t)all.addr[i] == row[i][3] &&
		      all.addr[i] >> 32 == row[i][4]);
	trc_batch_release(&all);
	trc_batch_release(&b);
}

int
main(void)
{
	test_start();
	RUN(rows_of_requests_have_the_bytes_at_both_ends);
	RUN(rows_of_ranges_are_those_of_their_pages);
	RUN(curves_of_ranges_are_those_of_their_pages);
	RUN(a_large_range_changes_no_curve);
	RUN(working_sets_of_ranges_are_those_of_their_pages);
	RUN(ranges_cost_what_their_number_does);
	return 0;
}
