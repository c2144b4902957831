/* SPDX-License-Identifier: MIT
 *
 * What reductions share, against its definition, on many small traces: memories for each space,
 * canonical pages, samples, blocks, and what is guaranteed.
 */
#include <string.h>

#include "model.h"
#include "test.h"

/* ---- spaces and canonical pages ---- */

enum { SPACES = 3 };

/* Rows of several spaces that take turns. */
static void
make_spaces(struct generator *m, int habit, struct trc_batch *rows)
{
	size_t quantum = 1 + generate_below(m, 20), space = 0;
	struct trace t;

	model_make(&t, m, habit, 2 + generate_below(m, 8), 20 + generate_below(m, 120));
	model_rows(&t, rows);
	for (size_t i = 0; i < rows->n; i++) {
		space = i % quantum ? space : generate_below(m, SPACES);
		rows->asid[i] = (uint32_t)(space * 1000);
	}
}

static void
rows_of_space(const struct trc_batch *rows, size_t space, struct trace *t)
{
	t->n = 0;
	for (size_t i = 0; i < rows->n; i++)
		if (rows->asid[i] == space * 1000)
			t->ref[t->n++] = (struct ref){ rows->rtime[i], rows->vpn[i],
				                       rows->type[i] == TRC_WRITE };
}

/* Each space looks as if it had been alone. */
static void
spaces_with_memories_of_their_own_are_reduced_alone(void)
{
	struct generator m = { test_seed };

	for (int round = 0; round < 1500; round++) {
		struct trc_reduction how = { .r = 1 + generate_below(&m, 6),
			                     .lru_only = round % 2,
			                     .scope.by_space = true };
		struct trc_batch rows, all;

		make_spaces(&m, round % 4, &rows);
		model_reduce_rows(&rows, &how, model_cut(&m), model_cut(&m), &all);
		for (size_t i = 1; i < all.n; i++)
			CHECK(all.rtime[i - 1] < all.rtime[i]);
		how.scope.by_space = false;
		for (size_t s = 0; s < SPACES; s++) {
			struct trace a, b, want;

			rows_of_space(&rows, s, &a);
			rows_of_space(&all, s, &b);
			model_reduce(&a, &how, 4096, 4096, &want);
			CHECK_MSG(model_same(&want, &b), "%zu references, %zu alone", b.n, want.n);
		}
		trc_batch_release(&rows);
		trc_batch_release(&all);
	}
}

/* Space 0 uses two pages four times and rests; space 1 goes on, with a fault now and then. */
struct endless {
	struct trc_source src;
	uint64_t given;
};

static enum trc_flow
endless_next(struct trc_source *src, struct trc_batch *b, struct trc_err *err)
{
	struct endless *s = (struct endless *)src;

	(void)err;
	for (; b->n < b->cap; b->n++) {
		const uint64_t n = s->given++;

		b->type[b->n] = TRC_READ;
		b->asid[b->n] = n >= 8;
		b->vpn[b->n] = n < 8 ? n % 2 : n % 1000 ? n % 3 : n / 1000 % 7;
		b->rtime[b->n] = b->itime[b->n] = n + 1;
	}
	return TRC_FLOW_ROWS;
}

static void
endless_close(struct trc_source *src)
{
	(void)src;
}

/* What waits is bounded, though a page of the space that rests could still be used again. */
static void
a_space_that_rests_holds_the_others_back_but_for_a_while(void)
{
	enum { MOST = 6 << 20 };
	const struct trc_reduction how = { .r = 3, .scope.by_space = true };
	struct endless endless = { .src = { .have = TRC_HAS_TYPE | TRC_HAS_ASID | TRC_HAS_VPN |
		                                    TRC_HAS_ITIME | TRC_HAS_RTIME,
		                            .next = endless_next,
		                            .close = endless_close } };
	struct trc_source *src;
	struct trc_batch b;
	struct trc_err err;
	size_t rows = 0;

	src = trc_stage_drop(&endless.src, &how, &err);
	CHECK(src && trc_batch_init(&b, src->have, 1000, &err) == 0);
	while (rows < 100) {
		CHECK(trc_source_next(src, &b, &err) == TRC_FLOW_ROWS);
		rows += b.n;
		CHECK_MSG(endless.given < MOST, "%llu rows for %zu",
		          (unsigned long long)endless.given, rows);
	}
	trc_batch_release(&b);
	trc_source_close(src);
}

/* A mixed trace that was reduced as one does for each private space, too. */
static void
private_spaces_see_no_difference(void)
{
	struct generator m = { test_seed };

	for (int round = 0; round < 800; round++) {
		const struct trc_reduction how = { .r = 1 + generate_below(&m, 6),
			                           .lru_only = true };
		struct trc_batch rows, all;

		make_spaces(&m, round % 4, &rows);
		model_reduce_rows(&rows, &how, 7, 7, &all);
		for (size_t s = 0; s < SPACES; s++) {
			struct trace a, b;

			rows_of_space(&rows, s, &a);
			rows_of_space(&all, s, &b);
			for (size_t mem = how.r; mem <= PAGES_MOST; mem++)
				CHECK(model_exact_at(&a, &b, mem, model_lru));
		}
		trc_batch_release(&rows);
		trc_batch_release(&all);
	}
}

/* Whatever they are called in their spaces, canonical pages are reduced as pages are. */
static void
canonical_pages_are_the_same_in_all_spaces(void)
{
	struct generator m = { test_seed };

	for (int round = 0; round < 800; round++) {
		struct trc_reduction how = { .r = 1 + generate_below(&m, 6),
			                     .lru_only = round % 2,
			                     .scope.canonical = true };
		struct trc_batch plain, rows, all;
		struct trace t, want;
		struct trc_err err;

		model_make(&t, &m, round % 4, 2 + generate_below(&m, 8), 100);
		model_rows(&t, &plain);
		CHECK(trc_batch_init(&rows, plain.have | TRC_HAS_CPN, t.n, &err) == 0);
		trc_batch_copy(&rows, &plain, plain.have, 0, t.n);
		for (size_t i = 0; i < t.n; i++) {
			rows.asid[i] = (uint32_t)generate_below(&m, 3);
			rows.cpn[i] = rows.vpn[i];
			rows.vpn[i] = rows.cpn[i] * 10 + rows.asid[i];
		}
		rows.n = t.n;
		model_reduce_rows(&rows, &how, model_cut(&m), model_cut(&m), &all);
		how.scope.canonical = false;
		model_reduce(&t, &how, 4096, 4096, &want);
		CHECK(all.n == want.n);
		for (size_t i = 0; i < all.n; i++) {
			CHECK(all.rtime[i] == want.ref[i].time && all.cpn[i] == want.ref[i].page);
			CHECK((all.type[i] == TRC_WRITE) == want.ref[i].write);
			CHECK(all.vpn[i] == all.cpn[i] * 10 + all.asid[i]);
		}
		trc_batch_release(&plain);
		trc_batch_release(&rows);
		trc_batch_release(&all);
	}
}

/* ---- samples ---- */

static struct trc_batch
sample(const struct trc_batch *rows, uint64_t one_in, size_t give, size_t most,
       struct trc_sampled *sampled, struct trc_meta *meta)
{
	struct trc_batch all;
	struct trc_err err;
	struct trc_source *src = trc_stage_sample(generate_source(rows, give), one_in, false,
	                                          sampled, &err);

	CHECK(src && src->meta.guarantee.sample == one_in);
	CHECK(generate_collect(src, most, &all, meta, &err) == 0);
	return all;
}

static void
pages_are_sampled_whole(void)
{
	enum { ROWS = 40000, PAGES = 8192, PART = 8 };
	struct generator m = { test_seed };
	struct trc_batch rows = generate_zeros(TRC_HAS_TYPE | TRC_HAS_VPN | TRC_HAS_ASID, ROWS);
	struct trc_batch all, less;
	static bool in_sample[2][PAGES];
	struct trc_sampled sampled;
	struct trc_meta meta;
	size_t k = 0, pages = 0;

	for (size_t i = 0; i < ROWS; i++) {
		rows.vpn[i] = generate_below(&m, PAGES);
		rows.asid[i] = (uint32_t)generate_below(&m, 2);
	}
	rows.n = ROWS;
	all = sample(&rows, PART, 7, 4096, &sampled, &meta);
	CHECK(meta.guarantee.sample == PART);
	for (size_t i = 0; i < all.n; i++)
		in_sample[all.asid[i]][all.vpn[i]] = true;
	for (size_t i = 0; i < ROWS; i++)
		if (in_sample[rows.asid[i]][rows.vpn[i]]) {
			CHECK(k < all.n && all.vpn[k] == rows.vpn[i] &&
			      all.asid[k] == rows.asid[i]);
			k++;
		}
	CHECK(k == all.n);
	for (size_t i = 0; i < 2 * (size_t)PAGES; i++)
		pages += in_sample[i / PAGES][i % PAGES];
	CHECK(sampled.pages == pages);
	/* Six standard deviations. */
	CHECK_MSG(pages > 1750 - 235 && pages < 2048 + 255, "%zu pages", pages);
	CHECK(sampled.error > 0.018 && sampled.error < 0.025);

	/* A sample of a sample is that of the trace. */
	less = sample(&all, 4 * PART, 4096, 7, &sampled, NULL);
	trc_batch_release(&all);
	all = sample(&rows, 4 * PART, 4096, 1, &sampled, NULL);
	CHECK(all.n == less.n && memcmp(all.vpn, less.vpn, all.n * sizeof(*all.vpn)) == 0);
	trc_batch_release(&less);
	trc_batch_release(&all);

	all = sample(&rows, 1, 4096, 4096, &sampled, &meta);
	CHECK(all.n == ROWS && meta.guarantee.sample == 1 && sampled.error == 0);
	trc_batch_release(&all);
	trc_batch_release(&rows);
}

/* ---- blocks ---- */

/* FIFO faults, or those of CLOCK, whose use bits are set at faults, too. */
static size_t
turns(const struct trace *t, size_t m, bool clock, struct event *event)
{
	uint64_t page[PAGES_MOST + 1];
	bool used[PAGES_MOST + 1];
	size_t n = 0, hand = 0, events = 0;

	for (size_t i = 0; i < t->n; i++) {
		size_t at = 0;

		while (at < n && page[at] != t->ref[i].page)
			at++;
		if (at < n) {
			used[at] = true;
			continue;
		}
		event[events] = (struct event){ t->ref[i].time, t->ref[i].page, NONE, false };
		if (n == m) {
			for (; clock && used[hand]; hand = (hand + 1) % m)
				used[hand] = false;
			at = hand;
			hand = (hand + 1) % m;
			event[events].victim = (int)page[at];
		} else {
			n++;
		}
		page[at] = t->ref[i].page;
		used[at] = true;
		events++;
	}
	return events;
}

static void
check_blocks(struct generator *m, const struct trace *t, size_t r, size_t pages)
{
	struct event a[REFS_MOST], b[REFS_MOST];
	struct trc_batch rows, all;
	struct trace got;
	struct trc_err err;

	(void)m, (void)pages;
	model_rows(t, &rows);
	CHECK(generate_collect(trc_stage_block(generate_source(&rows, 7), &err), 7, &all, NULL,
	                       &err) == 0);
	model_trace(&all, &got);
	CHECK(model_exact_at(t, &got, r, model_lru) && model_exact_at(t, &got, r, model_opt));
	for (int clock = 0; clock < 2; clock++) {
		const size_t n = turns(t, r, clock, a);

		CHECK(turns(&got, r, clock, b) == n);
		for (size_t i = 0; i < n; i++)
			CHECK(a[i].time == b[i].time && a[i].victim == b[i].victim);
	}
	trc_batch_release(&rows);
	trc_batch_release(&all);
}

static void
blocks_are_exact_for_any_memory(void)
{
	model_for_each(300, check_blocks);
}

/* ---- what is guaranteed ---- */

static void
guarantees_are_kept_or_refused(void)
{
	static const struct trc_reduction sad = { .r = 8 }, olr8 = { .r = 8, .lru_only = true },
	                                  window = { .window = 9, .clock = TRC_COL_RTIME },
	                                  both = { .r = 8, .window = 9, .clock = TRC_COL_RTIME },
	                                  spaces = { .r = 8, .scope.by_space = true },
	                                  canonical = { .r = 8, .scope.canonical = true };
	static const struct {
		struct trc_guarantee before;
		const struct trc_reduction *how;
		struct trc_guarantee after; /* none of them: refused */
	} row[] = {
		{ { .sad = 0 }, &sad, { .sad = 8 } },
		{ { .sad = 64 }, &sad, { .sad = 64 } },
		{ { .sad = 4 }, &olr8, { .sad = 8, .reduced = TRC_LRU_ONLY } },
		{ { .sad = 4, .reduced = TRC_LRU_ONLY },
		  &sad,
		  { .sad = 8, .reduced = TRC_LRU_ONLY } },
		{ { .sad = 4, .sample = 3 }, &sad, { .sad = 8, .sample = 3 } },
		{ { .sad = 0 }, &window, { .window = 9, .clock = TRC_COL_RTIME } },
		{ { .sad = 0 }, &both, { .sad = 8, .window = 9, .clock = TRC_COL_RTIME } },
		{ { .sad = 4 }, &window, { .sad = 0 } },
		{ { .sad = 4 }, &both, { .sad = 0 } },
		{ { .window = 4, .clock = TRC_COL_RTIME }, &sad, { .sad = 0 } },
		{ { .window = 4, .clock = TRC_COL_TIME }, &window, { .sad = 0 } },
		{ { .window = 40, .clock = TRC_COL_RTIME },
		  &window,
		  { .window = 40, .clock = TRC_COL_RTIME } },
		{ { .sad = 9, .window = 4, .clock = TRC_COL_RTIME }, &sad, { .sad = 9 } },
		{ { .sad = 9, .window = 4, .clock = TRC_COL_RTIME },
		  &both,
		  { .sad = 9, .window = 9, .clock = TRC_COL_RTIME } },
		{ { .reduced = TRC_MERGED }, &window, { .sad = 0 } },
		{ { .reduced = TRC_MERGED }, &sad, { .sad = 8, .reduced = TRC_MERGED } },
		{ { .sad = 4 }, &spaces, { .sad = 8, .reduced = TRC_BY_SPACE } },
		{ { .sad = 4, .reduced = TRC_BY_SPACE }, &sad, { .sad = 0 } },
		{ { .sad = 4, .reduced = TRC_BY_SPACE },
		  &spaces,
		  { .sad = 8, .reduced = TRC_BY_SPACE } },
		{ { .sad = 4, .reduced = TRC_CANONICAL }, &sad, { .sad = 0 } },
		{ { .sad = 4 }, &canonical, { .sad = 8, .reduced = TRC_CANONICAL } },
		{ { .sets = 4, .ways = 1, .line = 64 }, &sad, { .sad = 0 } },
		{ { .sets = 4, .ways = 1, .line = 64, .reduced = TRC_BELOW_CACHE },
		  &sad,
		  { .sad = 8, .sets = 4, .ways = 1, .line = 64, .reduced = TRC_BELOW_CACHE } },
	};
	struct trace t = { .ref = { { 1, 1, false } }, .n = 1 };
	struct trc_batch rows = { .n = 0 }, all;

	model_rows(&t, &rows);
	for (size_t i = 0; i < rows.n; i++)
		rows.rtime[i] = 1;
	for (size_t i = 0; i < TRC_COUNT(row); i++) {
		const struct trc_reduction *how = row[i].how;
		struct trc_source *src = generate_source(&rows, 4096);
		const bool refused = !row[i].after.sad && !row[i].after.window;
		struct trc_batch with = rows;
		struct trc_meta meta;
		struct trc_err err;
		int ret;

		if (how->scope.canonical) {
			trc_source_close(src);
			with.have |= TRC_HAS_CPN;
			with.cpn = with.vpn;
			src = generate_source(&with, 4096);
		}
		src->meta.guarantee = row[i].before;
		src = how->lru_only ? trc_stage_olr(src, how, &err) :
		                      trc_stage_drop(src, how, &err);
		CHECK(src);
		ret = generate_collect(src, 4096, &all, &meta, &err);
		CHECK_MSG((ret != 0) == refused && (!refused || err.code == TRC_USAGE), "row %zu",
		          i);
		if (!refused)
			CHECK_MSG(trc_guarantee_same(&meta.guarantee, &row[i].after), "row %zu", i);
		trc_batch_release(&all);
	}
	trc_batch_release(&rows);
}

/* Neighbours are further apart in time than they look. */
static void
blocking_what_was_reduced_for_windows_is_refused(void)
{
	static const struct trc_guarantee before[] = {
		{ .window = 8 }, { .window = 8 }, { .window = 8, .sad = 3 }, { .sad = 0 }
	};
	struct trace t = { .ref = { { 1, 1, false }, { 9, 1, false } }, .n = 2 };
	struct trc_batch rows, all;
	struct trc_source *src;
	struct trc_meta meta;
	struct trc_err err;

	model_rows(&t, &rows);
	for (size_t i = 0; i < TRC_COUNT(before); i++) {
		src = generate_source(&rows, 4096);
		src->meta.guarantee = before[i];
		src = trc_stage_block(src, &err);
		CHECK(src);
		if (generate_collect(src, 1 + 4095 * (i % 2), &all, &meta, &err) == 0)
			CHECK(i > 1 && all.n == 1 && !meta.guarantee.window &&
			      meta.guarantee.reduced == TRC_MERGED);
		else
			CHECK(i < 2 && err.code == TRC_USAGE);
		trc_batch_release(&all);
	}
	trc_batch_release(&rows);
}

int
main(void)
{
	test_start();
	RUN(spaces_with_memories_of_their_own_are_reduced_alone);
	RUN(a_space_that_rests_holds_the_others_back_but_for_a_while);
	RUN(private_spaces_see_no_difference);
	RUN(canonical_pages_are_the_same_in_all_spaces);
	RUN(pages_are_sampled_whole);
	RUN(blocks_are_exact_for_any_memory);
	RUN(guarantees_are_kept_or_refused);
	RUN(blocking_what_was_reduced_for_windows_is_refused);
	return 0;
}
