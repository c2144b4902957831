/* SPDX-License-Identifier: MIT
 * The instruction of a reference by what its task fetched last, against a search for it in all
 * rows: filled, and chosen by; and what cannot be known. */
#include "stage/filter.h"
#include "stage/stage.h"

#include <string.h>

#include "generate.h"
#include "test.h"

enum { ROWS = 20000 };

#define HAVE (TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_TASK | TRC_HAS_EVENT)

static const struct trc_fill by_fetch = { .column = TRC_COL_PC, .how = TRC_FILL_FETCH };

/* Tasks that take turns, the last of which never fetches. */
static struct trc_batch
made_up(uint32_t have)
{
	struct generator m = { test_seed };
	struct trc_batch b = generate_zeros(have, ROWS);
	uint32_t task = 0;

	for (size_t i = 0; i < b.n; i++) {
		if (generate_below(&m, 4) == 0)
			task = (uint32_t)generate_below(&m, 9);
		b.addr[i] = 4096 + generate_below(&m, 300);
		b.type[i] = (uint8_t)(task == 8 ? TRC_READ : generate_below(&m, TRC_EVENT));
		b.type[i] |= generate_below(&m, 9) ? 0 : TRC_KERNEL;
		if (b.task)
			b.task[i] = task;
		if (b.event && generate_below(&m, 50) == 0) {
			b.type[i] = TRC_EVENT;
			b.addr[i] = 0;
			trc_batch_put_event(&b, i, "! cpu-id 3", 10);
		}
	}
	return b;
}

/* The last fetch up to row `i` of its task; NULL: there is none. */
static const uint64_t *
wanted(const struct trc_batch *b, size_t i)
{
	if (trc_batch_is_event(b, i))
		return NULL;
	for (size_t k = i + 1; k-- > 0;)
		if (!trc_batch_is_event(b, k) && (b->type[k] & TRC_TYPE_MASK) == TRC_FETCH &&
		    (!b->task || b->task[k] == b->task[i]))
			return &b->addr[k];
	return NULL;
}

static void
check_filled(const struct trc_batch *b, size_t most, size_t pull)
{
	struct trc_batch all;
	struct trc_meta meta;
	struct trc_err err;
	uint64_t unknown = 0;
	char why[256];

	CHECK(generate_collect(trc_stage_columns(generate_source(b, most), 0, 0, &by_fetch, 1,
	                                         &err),
	                       pull, &all, &meta, &err) == 0);
	CHECK(all.n == b->n && all.have == (b->have | TRC_HAS_PC));
	for (size_t i = 0; i < b->n; i++) {
		const uint64_t *pc = wanted(b, i);

		CHECK_MSG(all.pc[i] == (pc ? *pc : 0), "row %zu", i);
		unknown += !pc && !trc_batch_is_event(b, i);
	}
	CHECK(meta.caveat[0].rows == unknown && (!b->task || unknown > 0));
	CHECK_MSG(generate_same(b, &all, b->have, why, sizeof(why)), "%s", why);
	trc_batch_release(&all);
}

static void
the_last_fetch_of_the_task_is_the_instruction(void)
{
	static const uint32_t without[] = { 0, TRC_HAS_TASK, TRC_HAS_EVENT };

	for (size_t k = 0; k < TRC_COUNT(without); k++) {
		struct trc_batch b = made_up(HAVE & ~without[k]);

		check_filled(&b, 1, 1);
		check_filled(&b, 4096, 4096);
		check_filled(&b, 1000, 77);
		trc_batch_release(&b);
	}
}

/* Fetches that are left out show it all the same. */
static void
fetches_that_go_show_it_too(void)
{
	struct trc_batch b = made_up(HAVE), all;
	struct trc_err err;
	size_t n = 0;

	CHECK(generate_collect(trc_stage_columns(generate_source(&b, 999), 0, 1 << TRC_FETCH,
	                                         &by_fetch, 1, &err),
	                       500, &all, NULL, &err) == 0);
	for (size_t i = 0; i < b.n; i++) {
		const uint64_t *pc = wanted(&b, i);

		if (!trc_batch_is_event(&b, i) && (b.type[i] & TRC_TYPE_MASK) == TRC_FETCH)
			continue;
		CHECK_MSG(n < all.n && all.pc[n] == (pc ? *pc : 0), "row %zu", i);
		n++;
	}
	CHECK(n == all.n);
	trc_batch_release(&all);
	trc_batch_release(&b);
}

/* Chosen by ranges, with and without another choice, as by a column. */
static void
rows_are_chosen_by_it_as_by_a_column(void)
{
	const struct trc_filter f[] = { { .pc = "4100-4200" },
		                        { .pc = "0,4300-", .only = "read,fetch", .task = "2-8" } };
	struct trc_batch b = made_up(HAVE), want, got;
	struct trc_err err;
	char why[256];

	for (size_t k = 0; k < TRC_COUNT(f); k++) {
		struct trc_source *filled = trc_stage_columns(generate_source(&b, 4096), 0, 0,
		                                              &by_fetch, 1, &err);

		CHECK(generate_collect(trc_stage_filter(filled, &f[k], &err), 4096, &want, NULL,
		                       &err) == 0);
		for (size_t pull = 1; pull <= 4096; pull *= 64) {
			CHECK(generate_collect(trc_stage_filter(generate_source(&b, 4096), &f[k],
			                                        &err),
			                       pull, &got, NULL, &err) == 0);
			CHECK(got.n == want.n && got.n > 0 && got.have == b.have);
			CHECK_MSG(generate_same(&want, &got, b.have, why, sizeof(why)), "%s", why);
			trc_batch_release(&got);
		}
		trc_batch_release(&want);
	}
	trc_batch_release(&b);
}

/* Whether filling behind such a filter is refused. */
static bool
refused(const struct trc_batch *b, const struct trc_filter *f)
{
	struct trc_err err;
	struct trc_source *chosen = trc_stage_filter(generate_source(b, 4096), f, &err),
	                  *filled = trc_stage_columns(chosen, 0, 0, &by_fetch, 1, &err);

	trc_source_close(filled ? filled : chosen);
	return !filled;
}

static void
what_lost_fetches_is_not_filled(void)
{
	struct trc_batch b = made_up(HAVE);

	CHECK(refused(&b, &(struct trc_filter){ .only = "read" }));
	CHECK(refused(&b, &(struct trc_filter){ .addr = "4096-4100" }));
	CHECK(!refused(&b, &(struct trc_filter){ .only = "read,fetch" }));
	CHECK(!refused(&b, &(struct trc_filter){ .task = "3" }));
	CHECK(!refused(&b, &(struct trc_filter){ .pc = "4096-4100" }));
	trc_batch_release(&b);
}

static void
without_fetches_nothing_is_filled(void)
{
	struct trc_batch b = made_up(HAVE), all, none = generate_zeros(TRC_HAS_ADDR, 9);
	struct trc_source *src = generate_source(&none, 9);
	struct trc_err err;

	for (size_t i = 0; i < b.n; i++)
		if ((b.type[i] & TRC_TYPE_MASK) == TRC_FETCH)
			b.type[i] = TRC_WRITE;
	CHECK(generate_collect(trc_stage_columns(generate_source(&b, 99), 0, 0, &by_fetch, 1, &err),
	                       99, &all, NULL, &err) == -1);
	CHECK(strstr(err.text, "no fetches"));
	trc_batch_release(&all);
	CHECK(generate_collect(trc_stage_filter(generate_source(&b, 99),
	                                        &(struct trc_filter){ .pc = "0-" }, &err),
	                       99, &all, NULL, &err) == -1);
	CHECK(strstr(err.text, "neither 'pc' nor fetches"));
	trc_batch_release(&all);
	CHECK(!trc_stage_columns(src, 0, 0, &by_fetch, 1, &err) && strstr(err.text, "no fetches"));
	trc_source_close(src);
	trc_batch_release(&none);
	trc_batch_release(&b);
}

int
main(void)
{
	test_start();
	RUN(the_last_fetch_of_the_task_is_the_instruction);
	RUN(fetches_that_go_show_it_too);
	RUN(rows_are_chosen_by_it_as_by_a_column);
	RUN(what_lost_fetches_is_not_filled);
	RUN(without_fetches_nothing_is_filled);
	return 0;
}
