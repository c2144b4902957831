/* SPDX-License-Identifier: MIT
 *
 * Traces reduced in parts, each without what stands before it: what is left of them, one behind
 * the other, reduced again, is to the last stamp what is left of the whole.
 */
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

int
main(void)
{
	test_start();
	RUN(parts_reduced_again_are_the_whole);
	RUN(parts_keep_little_more);
	return 0;
}
