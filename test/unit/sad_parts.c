/* SPDX-License-Identifier: MIT
 *
 * Traces reduced in parts, each without what stands before it: what is left of them, one behind
 * the other, reduced again, is to the last stamp what is left of the whole.
 */
#include <string.h>

#include "model.h"
#include "stage/stage.h"
#include "test.h"

enum { ROWS = 6000 };

/* Rows from one habit to the next, of some spaces, with times that stand still and that jump. */
static void
make_rows(struct generator *m, size_t n, size_t pages, struct trc_batch *rows)
{
	const size_t spaces = 1 + generate_below(m, 3), local = 1 + generate_below(m, pages);
	uint64_t time = 0, rtime = 0, start = 0, space = 0;
	struct trc_err err;

	CHECK(trc_batch_init(rows,
	                     TRC_HAS_TYPE | TRC_HAS_VPN | TRC_HAS_ITIME | TRC_HAS_RTIME |
	                             TRC_HAS_TIME | TRC_HAS_ASID,
	                     n, &err) == 0);
	for (; rows->n < n; rows->n++) {
		const size_t i = rows->n;

		if (generate_below(m, 100) == 0)
			start = generate_below(m, pages);
		if (generate_below(m, 20) == 0)
			space = generate_below(m, spaces);
		time += generate_below(m, 8) ? generate_below(m, 3) : generate_below(m, 60);
		rtime += generate_below(m, 1000) ? 1 : 3u << 21;
		rows->type[i] = (uint8_t)(generate_below(m, 2) |
		                          (generate_below(m, 8) ? 0 : TRC_KERNEL));
		rows->vpn[i] = generate_below(m, 50) ? (start + generate_below(m, local)) % pages :
		                                       generate_below(m, pages);
		rows->asid[i] = (uint32_t)space;
		rows->rtime[i] = rtime;
		rows->itime[i] = 3 * rtime;
		rows->time[i] = time;
	}
}

static struct trc_reduction
make_reduction(struct generator *m, size_t pages)
{
	const bool windows = generate_below(m, 3) == 0;
	struct trc_reduction how = { .r = 1 + generate_below(m, pages + 1) };

	if (windows) {
		how.window = 1 + generate_below(m, 200);
		how.clock = TRC_COL_TIME;
		how.r = generate_below(m, 2) ? how.r : 0;
	}
	switch (generate_below(m, 3)) {
	case 0: how.scope.by_space = true; break;
	case 1: how.scope.sets = UINT64_C(1) << generate_below(m, 3); break;
	default: break;
	}
	return how;
}

/* Rows reduced in `n` parts that begin anywhere, some of them empty; appended to `left`. */
static void
reduce_parts(struct generator *m, const struct trc_batch *rows, struct trc_reduction how, size_t n,
             struct trc_batch *left)
{
	for (size_t i = 0, at = 0; i < n; i++) {
		const size_t stop = i + 1 < n ? at + generate_below(m, rows->n - at + 1) : rows->n;
		struct trc_batch part, all;
		struct trc_err err;

		CHECK(trc_batch_init(&part, rows->have, stop - at + 1, &err) == 0);
		trc_batch_append(&part, rows, at, stop - at);
		how.part = at > 0;
		model_reduce_rows(&part, &how, model_cut(m), model_cut(m), &all);
		trc_batch_append(left, &all, 0, all.n);
		trc_batch_release(&part);
		trc_batch_release(&all);
		at = stop;
	}
}

/* Rows in 2 to 9 parts. */
static void
check_parts(struct generator *m, size_t n, size_t pages)
{
	const struct trc_reduction how = make_reduction(m, pages);
	struct trc_batch rows, left, want, got;
	struct trc_err err;
	char why[100];

	make_rows(m, n, pages, &rows);
	CHECK(trc_batch_init(&left, rows.have, n, &err) == 0);
	reduce_parts(m, &rows, how, 2 + generate_below(m, 8), &left);
	model_reduce_rows(&rows, &how, 4096, 4096, &want);
	model_reduce_rows(&left, &how, 4096, 4096, &got);
	CHECK_MSG(generate_same(&want, &got, rows.have, why, sizeof(why)),
	          "r %llu, window %llu, by space %d, sets %llu: %s", (unsigned long long)how.r,
	          (unsigned long long)how.window, how.scope.by_space,
	          (unsigned long long)how.scope.sets, why);
	trc_batch_release(&rows);
	trc_batch_release(&left);
	trc_batch_release(&want);
	trc_batch_release(&got);
}

static void
parts_reduced_again_are_the_whole(void)
{
	struct generator m = { test_seed };

	for (size_t i = 0; i < 3000; i += test_step())
		check_parts(&m, 5 + generate_below(&m, 100), 2 + generate_below(&m, 8));
	for (size_t i = 0; i < 300; i += test_step())
		check_parts(&m, 500 + generate_below(&m, ROWS), 10 + generate_below(&m, 90));
}

/* What parts keep that the whole drops is a small share of what came. */
static void
parts_keep_little_more(void)
{
	const struct trc_reduction how = { .r = 50 };
	struct generator m = { test_seed };
	struct trc_batch rows, left, want;
	struct trc_err err;

	make_rows(&m, 100000, 100, &rows);
	CHECK(trc_batch_init(&left, rows.have, rows.n, &err) == 0);
	reduce_parts(&m, &rows, how, 4, &left);
	model_reduce_rows(&rows, &how, 4096, 4096, &want);
	CHECK_MSG(left.n < want.n + rows.n / 50, "%zu and %zu of %zu", left.n, want.n, rows.n);
	trc_batch_release(&rows);
	trc_batch_release(&left);
	trc_batch_release(&want);
}

/* The pages of `rows`, reduced by one thread, or by `threads`. */
static void
reduce_pages(const struct trc_batch *rows, size_t give, const struct trc_reduction *how, bool block,
             int threads, struct trc_batch *all, struct trc_meta *meta)
{
	enum { PAGE_BITS = 6 };
	struct trc_source *src = generate_source(rows, give);
	struct trc_err err;
	uint64_t refs = 0;

	CHECK(trc_drop_has_chunks(src, how));
	if (threads) {
		src = trc_stage_drop_chunks(src, PAGE_BITS, block, how, threads, &refs, &err);
	} else {
		src = trc_stage_page(src, PAGE_BITS, &refs, &err);
		src = block ? trc_stage_block(src, &err) : src;
		src = trc_stage_drop(src, how, &err);
	}
	src = block ? trc_stage_block(src, &err) : src;
	CHECK_MSG(generate_collect(src, 1000, all, meta, &err) == 0, "%s", err.text);
	CHECK(!meta->totals || refs == meta->refs);
}

/* Parts are of some batches of the source, so small batches make many of them. */
static void
threads_make_no_difference(void)
{
	static const uint32_t more[] = { 0, TRC_HAS_TIME, TRC_HAS_ASID | TRC_HAS_EVENT,
		                         TRC_HAS_RTIME | TRC_HAS_ITIME };
	struct generator m = { test_seed };

	for (size_t i = 0; i < 400; i += test_step()) {
		struct generate_spec spec = {
			.have = TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_SIZE | more[i % 4],
			.rows = generate_below(&m, 3000),
			.within = true,
			.bits = { [TRC_COL_ADDR] = 7 + i % 5,
			          [TRC_COL_SIZE] = 3,
			          [TRC_COL_ASID] = 1 },
		};
		struct trc_reduction how = { .r = 1 + generate_below(&m, 20) };
		const size_t give = 1 + generate_below(&m, 40);
		const bool block = generate_below(&m, 2);
		struct trc_meta meta, same;
		struct trc_batch rows, want, got;
		char why[100];

		how.scope.by_space = spec.have & TRC_HAS_ASID && generate_below(&m, 2);
		generate_rows(&rows, &spec, generate_random(&m));
		reduce_pages(&rows, give, &how, block, 0, &want, &meta);
		reduce_pages(&rows, give, &how, block, 1 + (int)generate_below(&m, 4), &got, &same);
		CHECK_MSG(want.have == got.have &&
		                  generate_same(&want, &got, want.have, why, sizeof(why)),
		          "%s: %zu rows, %zu at a time, block %d", why, rows.n, give, block);
		CHECK(meta.totals == same.totals && meta.refs == same.refs &&
		      meta.insns == same.insns && meta.last_time == same.last_time &&
		      meta.page_bits == same.page_bits &&
		      memcmp(&meta.guarantee, &same.guarantee, sizeof(same.guarantee)) == 0);
		trc_batch_release(&rows);
		trc_batch_release(&want);
		trc_batch_release(&got);
	}
}

/* What goes wrong in any part, or while it is read, ends the whole. */
static void
a_part_that_fails_ends_all(void)
{
	const struct generate_spec spec = { .have = TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_SIZE,
		                            .rows = 2000,
		                            .within = true,
		                            .bits = { [TRC_COL_ADDR] = 10, [TRC_COL_SIZE] = 3 } };
	const struct trc_reduction how = { .r = 3 };
	struct generator m = { test_seed };

	for (int i = 0; i < 50; i++) {
		struct trc_batch rows, all;
		struct trc_source *src;
		struct trc_err err;
		uint64_t refs;
		size_t bad;

		generate_rows(&rows, &spec, generate_random(&m));
		bad = generate_below(&m, rows.n);
		rows.type[bad] = TRC_READ;
		rows.addr[bad] = UINT64_MAX;
		rows.size[bad] = 9;
		src = trc_stage_drop_chunks(generate_source(&rows, 5), 6, true, &how, 1 + i % 4,
		                            &refs, &err);
		CHECK(generate_collect(src, 1000, &all, NULL, &err) != 0);
		CHECK_MSG(strstr(err.text, "goes past the last address"), "%s", err.text);
		trc_batch_release(&all);
		trc_batch_release(&rows);
	}
}

int
main(void)
{
	test_start();
	RUN(parts_reduced_again_are_the_whole);
	RUN(parts_keep_little_more);
	RUN(threads_make_no_difference);
	RUN(a_part_that_fails_ends_all);
	return 0;
}
