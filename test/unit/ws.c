/* SPDX-License-Identifier: MIT
 *
 * Working sets against their definition (stage/simulate/ws.h): the pages referred to in each
 * window, counted one by one, on small traces of several shapes.
 */
#include "stage/simulate/ws.h"

#include <string.h>

#include "generate.h"
#include "stage/stage.h"
#include "test.h"

enum {
	ROWS = 300,
	PAGES = 12,
	HAVE = TRC_HAS_TYPE | TRC_HAS_VPN | TRC_HAS_ITIME | TRC_HAS_RTIME | TRC_HAS_TIME |
	       TRC_HAS_ASID,
};

/* References to few pages of two spaces, at cycles that go on by 0 to 3, at reference times that go
 * on by 0 or 1. */
static struct trc_batch
rows_for(uint64_t seed)
{
	struct trc_batch b = generate_zeros(HAVE, ROWS);
	struct generator m = { seed };

	for (size_t i = 0; i < b.n; i++) {
		const uint64_t step = i == 0 || generate_below(&m, 8) > 0;

		b.vpn[i] = (i / 50 + generate_below(&m, PAGES - 4)) % PAGES;
		b.asid[i] = (uint32_t)generate_below(&m, 2) * 7;
		b.rtime[i] = (i ? b.rtime[i - 1] : 0) + step;
		b.itime[i] = (i ? b.itime[i - 1] : 0) + (step && generate_below(&m, 2));
		b.time[i] = (i ? b.time[i - 1] : 1000) + generate_below(&m, 4);
	}
	return b;
}

/* The same with deletes, which are at the reference time of the row before. */
static struct trc_batch
rows_with_deletes(uint64_t seed)
{
	struct trc_batch b = rows_for(seed);
	struct generator m = { seed + 1 };

	for (size_t i = 1; i < b.n; i++) {
		const uint64_t step = b.type[i - 1] == TRC_INVALIDATE || generate_below(&m, 8) > 0;

		if (generate_below(&m, 5) == 0)
			b.type[i] = TRC_INVALIDATE;
		b.rtime[i] = b.rtime[i - 1] + (b.type[i] != TRC_INVALIDATE && step);
	}
	b.type[b.n - 1] = TRC_READ;
	return b;
}

/* The next delete of the page of a row; b->n if there is none. */
static size_t
next_delete(const struct trc_batch *b, size_t from)
{
	size_t i = from + 1;

	while (i < b->n && (b->type[i] != TRC_INVALIDATE || b->vpn[i] != b->vpn[from] ||
	                    b->asid[i] != b->asid[from]))
		i++;
	return i;
}

static struct trc_ws
run(const struct trc_batch *rows, const struct trc_meta *meta, enum trc_column clock, bool by_space,
    size_t most)
{
	struct trc_source *src = generate_source(rows, most);
	struct trc_err err = { 0 };
	struct trc_ws ws;
	struct trc_sink *sink = trc_ws_sink(&ws, clock, by_space, &err);

	CHECK(sink);
	src->meta = *meta;
	CHECK_MSG(trc_pump(src, sink, most, NULL, &err) == 0, "%s", err.text);
	trc_sink_close(sink);
	trc_source_close(src);
	return ws;
}

/* The sum of |W(t, T)| over all instants, and the misses, of one space or of all (-1). */
static uint64_t
plain_sum(const struct trc_batch *b, const uint64_t *time, uint64_t begin, uint64_t end,
          uint64_t window, int64_t space)
{
	uint64_t sum = 0;

	uint64_t gone[ROWS]; /* the instant at which each row's page is deleted */

	for (size_t i = 0; i < b->n; i++) {
		const size_t k = next_delete(b, i);

		gone[i] = k == b->n ? UINT64_MAX : time[k] + (time == b->rtime);
	}
	for (uint64_t t = begin; t <= end; t++) {
		bool in[2][PAGES] = { { false } };

		for (size_t i = 0; i < b->n; i++)
			if (time[i] <= t && time[i] + window > t && b->type[i] != TRC_INVALIDATE &&
			    gone[i] > t && (space < 0 || b->asid[i] == space))
				in[b->asid[i] != 0][b->vpn[i]] = true;
		for (size_t k = 0; k < 2 * PAGES; k++)
			sum += in[k / PAGES][k % PAGES];
	}
	return sum;
}

static uint64_t
plain_misses(const struct trc_batch *b, const uint64_t *time, uint64_t window, int64_t space)
{
	uint64_t misses = 0;

	for (size_t i = 0; i < b->n; i++) {
		bool hit = b->type[i] == TRC_INVALIDATE;

		for (size_t k = 0; k < i; k++)
			hit |= b->vpn[k] == b->vpn[i] && b->asid[k] == b->asid[i] &&
			       b->type[k] != TRC_INVALIDATE && time[i] - time[k] <= window &&
			       next_delete(b, k) >= i;
		misses += !hit && (space < 0 || b->asid[i] == space);
	}
	return misses;
}

static void
check_as_defined(const struct trc_batch *b, enum trc_column clock, bool by_space)
{
	const struct trc_meta none = { 0 };
	const uint64_t *time = trc_batch_column(b, clock);
	struct trc_ws ws = run(b, &none, clock, by_space, 100);

	CHECK(ws.n == 1u + by_space && ws.end == time[b->n - 1]);
	CHECK(ws.begin == (clock == TRC_COL_TIME ? time[0] : 1));
	CHECK(ws.refs == b->rtime[b->n - 1]);
	for (uint64_t w = 1; w < 1000; w = trc_ws_window(w + w / 20 + 1))
		for (size_t i = 0; i < ws.n; i++) {
			const int64_t space = by_space ? (int64_t)ws.of[i].space : -1;
			const struct trc_ws_point p = trc_ws_at(&ws, &ws.of[i], w);
			const double span = (double)(ws.end - ws.begin + 1);
			const double sum = (double)plain_sum(b, time, ws.begin, ws.end, w, space);

			CHECK_MSG(p.size * span > sum - 0.01 && p.size * span < sum + 0.01,
			          "window %llu: %g, not %g", (unsigned long long)w, p.size * span,
			          sum);
			CHECK(p.misses == plain_misses(b, time, w, space));
			CHECK((p.footprint >= 0) == (w <= ws.end - ws.begin + 1));
			if (p.footprint >= 0) {
				const double n = (double)(ws.end - ws.begin + 2 - w);
				const double want = (double)plain_sum(b, time, ws.begin + w - 1,
				                                      ws.end, w, space);

				CHECK_MSG(p.footprint * n > want - 0.01 &&
				                  p.footprint * n < want + 0.01,
				          "footprint of %llu: %g, not %g", (unsigned long long)w,
				          p.footprint * n, want);
			}
		}
	trc_ws_release(&ws);
}

static void
working_sets_are_as_defined(void)
{
	static const enum trc_column clock[] = { TRC_COL_RTIME, TRC_COL_ITIME, TRC_COL_TIME };

	for (size_t k = 0; k < 2 * TRC_COUNT(clock); k++) {
		struct trc_batch b = rows_for(test_seed + k);

		check_as_defined(&b, clock[k / 2], k % 2);
		trc_batch_release(&b);
	}
}

static void
a_delete_takes_its_page_out_of_the_working_set(void)
{
	static const enum trc_column clock[] = { TRC_COL_RTIME, TRC_COL_ITIME, TRC_COL_TIME };

	for (size_t k = 0; k < 2 * TRC_COUNT(clock); k++) {
		struct trc_batch b = rows_with_deletes(test_seed + k);

		check_as_defined(&b, clock[k / 2], k % 2);
		trc_batch_release(&b);
	}
}

/* A mean over n instructions divides by n, though data before the first are at the time 0. */
static void
data_before_the_first_instruction_add_no_instant(void)
{
	for (size_t early = 0; early < 40; early += 3) {
		struct trc_batch b = rows_for(test_seed);
		const uint64_t first = b.itime[early];

		for (size_t i = 0; i < b.n; i++)
			b.itime[i] = i < early ? 0 : b.itime[i] - first + 1;
		check_as_defined(&b, TRC_COL_ITIME, early % 2);
		trc_batch_release(&b);
	}
}

static void
cuts_do_not_matter_to_working_sets(void)
{
	static const size_t cuts[] = { 1, 2, 7, 4096 };
	const struct trc_meta none = { 0 };
	struct trc_batch b = rows_for(test_seed);
	struct trc_ws want = run(&b, &none, TRC_COL_RTIME, false, 100);

	for (size_t c = 0; c < TRC_COUNT(cuts); c++) {
		struct trc_ws ws = run(&b, &none, TRC_COL_RTIME, false, cuts[c]);

		CHECK(ws.of[0].buckets == want.of[0].buckets);
		CHECK(memcmp(ws.of[0].bucket, want.of[0].bucket,
		             want.of[0].buckets * sizeof(*want.of[0].bucket)) == 0);
		trc_ws_release(&ws);
	}
	trc_ws_release(&want);
	trc_batch_release(&b);
}

/* Every window up to 128, the powers of two, and the first behind any other. */
static void
windows_that_are_exact(void)
{
	struct generator m = { test_seed };

	for (uint64_t w = 1; w <= 128; w++)
		CHECK(trc_ws_window(w) == w);
	for (int bit = 0; bit < 64; bit++)
		CHECK(trc_ws_window(UINT64_C(1) << bit) == UINT64_C(1) << bit);
	CHECK(trc_ws_window(129) == 130 && trc_ws_window(130) == 130 && trc_ws_window(257) == 260);
	for (int i = 0; i < 10000; i++) {
		const uint64_t w = (generate_random(&m) >> (1 + generate_below(&m, 62))) + 1;
		const uint64_t exact = trc_ws_window(w);

		CHECK(exact >= w && exact - w <= w / 64 && trc_ws_window(exact) == exact);
	}
	CHECK(trc_ws_window(UINT64_MAX) == UINT64_MAX);
}

/* Only the first and the last of three references within the window are left. */
static void
traces_reduced_for_windows_have_the_same_working_sets(void)
{
	const struct trc_meta none = { 0 };
	const struct trc_meta meta = { .guarantee = { .window = 20, .clock = TRC_COL_RTIME },
		                       .totals = true,
		                       .refs = ROWS,
		                       .insns = ROWS,
		                       .last_time = ROWS };
	struct trc_batch b = generate_zeros(TRC_HAS_VPN | TRC_HAS_RTIME, ROWS);
	struct trc_batch left = generate_zeros(TRC_HAS_VPN | TRC_HAS_RTIME, ROWS);
	struct trc_ws all, few;
	struct generator m = { test_seed };

	left.n = 0;
	for (size_t i = 0; i < b.n; i++) {
		/* Page 0 is referred to at every second time; few of these are left. */
		b.vpn[i] = i % 2 ? 0 : 1 + generate_below(&m, PAGES - 1);
		b.rtime[i] = i + 1;
		if (i % 2 == 0 || i == 1 || i + 2 >= b.n || i % 20 == 1)
			trc_batch_append(&left, &b, i, 1);
	}
	all = run(&b, &none, TRC_COL_RTIME, false, 100);
	few = run(&left, &meta, TRC_COL_RTIME, false, 100);
	CHECK(few.refs == all.refs && few.end == all.end && left.n < b.n);
	for (uint64_t w = 20; w < 500; w++) {
		const uint64_t exact = trc_ws_window(w);
		const struct trc_ws_point p = trc_ws_at(&all, &all.of[0], exact);
		const struct trc_ws_point q = trc_ws_at(&few, &few.of[0], exact);

		CHECK(p.size == q.size && p.misses == q.misses);
	}
	trc_ws_release(&all);
	trc_ws_release(&few);
	trc_batch_release(&b);
	trc_batch_release(&left);
}

static void
refused(struct trc_batch *b, const struct trc_meta *meta, enum trc_column clock, const char *part)
{
	struct trc_source *src = generate_source(b, 100);
	struct trc_err err = { 0 };
	struct trc_ws ws;
	struct trc_sink *sink = trc_ws_sink(&ws, clock, false, &err);

	CHECK(sink);
	src->meta = *meta;
	CHECK(trc_pump(src, sink, 100, NULL, &err) == -1);
	CHECK_MSG(strstr(err.text, part), "%s", err.text);
	trc_sink_close(sink);
	trc_source_close(src);
	trc_ws_release(&ws);
}

static void
traces_that_do_not_have_all_are_refused(void)
{
	const struct trc_meta none = { 0 };
	const struct trc_meta sad = { .guarantee = { .sad = 4 }, .totals = true, .refs = 1000 };
	const struct trc_meta cycles = { .guarantee = { .window = 4, .clock = TRC_COL_TIME } };
	const struct trc_meta far = { .guarantee = { .window = 4, .clock = TRC_COL_RTIME },
		                      .totals = true,
		                      .refs = UINT64_MAX };
	struct trc_batch b = rows_for(test_seed);

	refused(&b, &sad, TRC_COL_RTIME, "lacks references");
	refused(&b, &cycles, TRC_COL_RTIME, "another clock");
	refused(&b, &far, TRC_COL_RTIME, "too far");
	memset(b.itime, 0, b.n * sizeof(*b.itime));
	refused(&b, &none, TRC_COL_ITIME, "no instructions");
	b.rtime[50] = 1;
	refused(&b, &none, TRC_COL_RTIME, "reference 1: its time");
	trc_batch_release(&b);
}

int
main(void)
{
	test_start();
	RUN(working_sets_are_as_defined);
	RUN(a_delete_takes_its_page_out_of_the_working_set);
	RUN(data_before_the_first_instruction_add_no_instant);
	RUN(cuts_do_not_matter_to_working_sets);
	RUN(windows_that_are_exact);
	RUN(traces_reduced_for_windows_have_the_same_working_sets);
	RUN(traces_that_do_not_have_all_are_refused);
	return 0;
}
