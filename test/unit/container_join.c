/* SPDX-License-Identifier: MIT
 * Several containers in a file are one trace, if they can be. */
#include "crate.h"

/* Several containers in a file: what is lost at their borders shows, too. */
static void
borders_of_containers_are_watched(void)
{
	static struct trc_frame f[CRATE_FRAMES];
	struct trc_batch some, few, rows;
	struct make_bytes one, two, bytes;
	struct trc_err err;
	size_t n;

	one = crate_small(&some);
	CHECK(trc_batch_init(&rows, some.have, 2 * some.n, &err) == 0);
	few = crate_slice(&some, 0, 50);
	two = crate_blocks(&few, 30);
	trc_batch_append(&rows, &some, 0, some.n);
	trc_batch_append(&rows, &few, 0, few.n);
	bytes = crate_join(&one, &two);
	crate_holds(&bytes, "trc", &rows);
	n = crate_frames(&bytes, f);
	for (size_t from = 1; from < n; from++)
		for (size_t to = from + 1; to < n; to += test_step_most(3)) {
			const size_t at = (size_t)f[from].offset, end = (size_t)f[to].offset;
			struct make_bytes lost;
			struct crate_got g;

			/* What is lost as a whole, between equal headers, was never there. */
			if (end - at == one.len)
				continue;
			lost = crate_without(&bytes, at, end - at);
			crate_read(&lost, "trc", rows.n, &g);
			CHECK_SAY(g.ret == -1, "frames %zu to %zu of %zu", from, to, n);
			crate_forget(&g);
			crate_read(&lost, "trc:salvage", rows.n, &g);
			/* Where an end fits by accident, rows may be missing without notice. */
			CHECK_SAY(g.ret == -1 || g.rows.n == rows.n || g.gaps > 0 ||
					  f[to].kind == TRC_KIND_INDEX ||
					  f[to].kind == TRC_KIND_END,
				  "salvage without frames %zu to %zu of %zu: %zu rows", from, to,
				  n, g.rows.n);
			crate_forget(&g);
			free(lost.p);
		}
	free(bytes.p);
	free(one.p);
	free(two.p);
	trc_batch_release(&rows);
	trc_batch_release(&some);
}

/* Damage that takes all of a container, or more than its end, does not go unnoticed. */
static void
containers_do_not_vanish(void)
{
	struct trc_batch rows, two;
	struct make_bytes one = crate_small(&rows), pair = crate_join(&one, &one);
	struct make_bytes three = crate_join(&pair, &one);
	const struct trc_frame index = crate_frame(&one, TRC_KIND_INDEX, 0);
	struct trc_err err;
	struct crate_got g;

	CHECK(trc_batch_init(&two, rows.have, 2 * rows.n, &err) == 0);
	trc_batch_append(&two, &rows, 0, rows.n);
	trc_batch_append(&two, &rows, 0, rows.n);
	memset(three.p + one.len, 0xf5, one.len);
	crate_read(&three, "trc:salvage", two.n, &g);
	CHECK(g.ret == 0 && g.rows.n == two.n && g.gaps == 1);
	CHECK(g.gap[0].first == rows.n && g.gap[0].rows == TRC_GAP_UNKNOWN);
	crate_forget(&g);
	/* Cut within the second, or within the index of the first. */
	pair.len = one.len + 9;
	crate_read(&pair, "trc:salvage", two.n, &g);
	CHECK(g.ret == 0 && g.rows.n == rows.n && g.gaps == 1);
	CHECK(g.gap[0].first == rows.n && g.gap[0].rows == TRC_GAP_REST);
	crate_forget(&g);
	pair.len = (size_t)index.offset + index.head;
	crate_read(&pair, "trc:salvage", two.n, &g);
	CHECK(g.ret == 0 && g.rows.n == rows.n && g.gaps == 1);
	CHECK(g.gap[0].first == rows.n && g.gap[0].rows == TRC_GAP_REST);
	crate_forget(&g);
	free(one.p);
	free(pair.p);
	free(three.p);
	trc_batch_release(&two);
	trc_batch_release(&rows);
}

/* Blocks of a later container may be larger than those that there was room for, if memory is. */
static void
later_containers_may_have_larger_blocks(void)
{
	const struct make_program spec = { TRC_HAS_ALL, 3000, 20, 2, 0, false };
	struct make_bytes small, large, bytes;
	struct trc_batch rows, both;
	struct trc_err err;
	struct crate_got g;

	make_program_rows(&rows, &spec, test_seed);
	CHECK(trc_batch_init(&both, rows.have, 2 * rows.n, &err) == 0);
	trc_batch_append(&both, &rows, 0, rows.n);
	trc_batch_append(&both, &rows, 0, rows.n);
	small = crate_blocks(&rows, 100);
	large = crate_blocks(&rows, 3000);
	bytes = crate_join(&small, &large);
	crate_holds(&bytes, "trc", &both);
	crate_holds(&bytes, "trc:salvage", &both);
	free(bytes.p);
	free(large.p);
	large = crate_blocks(&rows, 0);
	bytes = crate_join(&small, &large);
	crate_holds(&bytes, "trc", &both);
	crate_read(&bytes, "trc:memlimit=200MiB", both.n, &g);
	CHECK_SAY(g.ret == -1 && strstr(g.err.text, "--memlimit raises it"), "%s", g.err.text);
	CHECK(g.rows.n == rows.n);
	crate_forget(&g);
	free(bytes.p);
	free(small.p);
	free(large.p);
	trc_batch_release(&both);
	trc_batch_release(&rows);
}

/* What cannot be one trace is refused where it begins. */
static void
containers_that_do_not_fit_are_refused(void)
{
	struct make_program spec = { TRC_HAS_TYPE | TRC_HAS_ADDR, 300, 20, 1, 0, false };
	struct make_bytes one, two, bytes;
	struct trc_batch rows;
	struct crate_got g;

	make_program_rows(&rows, &spec, test_seed);
	one = crate_blocks(&rows, 100);
	trc_batch_release(&rows);
	spec.have |= TRC_HAS_SIZE;
	make_program_rows(&rows, &spec, test_seed);
	two = crate_blocks(&rows, 100);
	trc_batch_release(&rows);
	bytes = crate_join(&one, &two);
	crate_read(&bytes, "trc", 600, &g);
	CHECK_SAY(g.ret == -1 && strstr(g.err.text, "after 300 good records") &&
			  strstr(g.err.text, "columns 'type,addr,size', those before it 'type,addr'"),
		  "%s", g.err.text);
	crate_forget(&g);
	free(bytes.p);
	free(one.p);
	free(two.p);
}

/* Of a reduced trace and a whole one, what holds for the first holds for both; and not nothing is
 * promised, which would say that neither was reduced. */
static void
reductions_hold_of_joined_traces(void)
{
	static const struct {
		struct trc_meta one, two, both;
		bool refused;
	} pair[] = {
		{ { .sad = 64 }, { .sad = 100 }, { .sad = 100 }, false },
		{ { .sad = 64 }, { .sad = 0 }, { .sad = 64 }, false },
		{ { .sad = 0 }, { .sad = 64, .page_bits = 12 }, { .sad = 64 }, false },
		{ { .page_bits = 12 }, { .page_bits = 12 }, { .page_bits = 12 }, false },
		{ { .page_bits = 12 }, { .page_bits = 13 }, { .sad = 0 }, true },
		{ { .window = 9, .clock = TRC_COL_RTIME, .sad = 7 },
		  { .window = 5, .clock = TRC_COL_RTIME },
		  { .window = 9, .clock = TRC_COL_RTIME }, false },
		{ { .window = 9, .clock = TRC_COL_RTIME }, { .sad = 64 }, { .sad = 0 }, true },
		{ { .window = 9, .clock = TRC_COL_RTIME },
		  { .window = 9, .clock = TRC_COL_TIME }, { .sad = 0 }, true },
		{ { .sets = 4, .ways = 8, .line = 64 }, { .sets = 8, .ways = 2, .line = 64 },
		  { .sets = 8, .ways = 8, .line = 64 }, false },
		{ { .sets = 4, .ways = 8, .line = 64 }, { .sets = 4, .ways = 8, .line = 32 },
		  { .sad = 0 }, true },
		{ { .sample = 4 }, { .sad = 0 }, { .sad = 0 }, true },
		{ { .sad = 4, .reduced = TRC_LRU_ONLY }, { .sad = 4 }, { .sad = 0 }, true },
	};
	const struct make_program spec = { TRC_HAS_VPN | TRC_HAS_TIME | TRC_HAS_RTIME,
		                           20, 5, 1, 0, false };
	struct trc_batch rows;

	make_program_rows(&rows, &spec, test_seed);
	for (size_t i = 0; i < 2 * TRC_COUNT(pair); i++) {
		const struct trc_meta *want = &pair[i / 2].both, *got;
		struct make_bytes one, two, bytes;
		struct crate_got g;
		struct trc_err err;

		CHECK(make_write_as("trc", &rows, 7, &pair[i / 2].one, &one, &err) == 0 &&
		      make_write_as("trc", &rows, 7, &pair[i / 2].two, &two, &err) == 0);
		bytes = crate_join(&one, &two);
		crate_read(&bytes, i % 2 ? "pipe:threads=1" : "trc:threads=1", 2 * rows.n, &g);
		got = &g.meta;
		CHECK_SAY((g.ret == -1) == pair[i / 2].refused, "%zu: %s", i / 2, g.err.text);
		CHECK(g.ret == 0 || strstr(g.err.text, "was reduced in another way"));
		CHECK_SAY(g.ret == -1 || (got->sad == want->sad && got->window == want->window &&
		                          got->clock == want->clock && got->sets == want->sets &&
		                          got->ways == want->ways && got->line == want->line &&
		                          got->page_bits == want->page_bits), "%zu", i / 2);
		crate_forget(&g);
		free(bytes.p);
		free(one.p);
		free(two.p);
	}
	trc_batch_release(&rows);
}

int
main(void)
{
	test_start();
	RUN(borders_of_containers_are_watched);
	RUN(containers_do_not_vanish);
	RUN(later_containers_may_have_larger_blocks);
	RUN(containers_that_do_not_fit_are_refused);
	RUN(reductions_hold_of_joined_traces);
	return 0;
}
