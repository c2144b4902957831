/* SPDX-License-Identifier: MIT
 *
 * What is reduced for windows of time, against policies that look at times alone: working sets and
 * VMIN.
 */
#include <string.h>

#include "model.h"
#include "test.h"

/* What a policy that looks at times alone does: when pages come, when they leave, and how dirty. */
struct stay {
	uint64_t page, from, to;
	bool dirty;
};

/* The stays by working sets of `window`, or by VMIN. */
static size_t
stays(const struct trace *t, uint64_t window, bool vmin, struct stay *stay)
{
	size_t n = 0, last[PAGES_MOST];

	memset(last, 0xff, sizeof(last));
	for (size_t i = 0; i < t->n; i++) {
		const struct ref *ref = &t->ref[i];
		size_t *k = &last[ref->page], next = i + 1;

		if (*k == SIZE_MAX || stay[*k].to < ref->time) {
			*k = n;
			stay[n++] = (struct stay){ ref->page, ref->time, 0, false };
		}
		while (next < t->n && t->ref[next].page != ref->page)
			next++;
		stay[*k].dirty |= ref->write;
		stay[*k].to = ref->time + window;
		if (vmin && (next == t->n || t->ref[next].time - ref->time > window))
			stay[*k].to = ref->time;
	}
	return n;
}

static bool
same_stays(const struct trace *a, const struct trace *b, uint64_t window, bool vmin)
{
	struct stay x[REFS_MOST], y[REFS_MOST];
	size_t n = stays(a, window, vmin, x);

	if (stays(b, window, vmin, y) != n)
		return false;
	for (size_t i = 0; i < n; i++)
		if (x[i].page != y[i].page || x[i].from != y[i].from || x[i].to != y[i].to ||
		    x[i].dirty != y[i].dirty)
			return false;
	return true;
}

/* Times that stand still and that jump. */
static void
spread_times(struct generator *m, struct trace *t)
{
	uint64_t time = 0;

	for (size_t i = 0; i < t->n; i++)
		t->ref[i].time = time += generate_below(m, 8) ? generate_below(m, 3) :
		                                                generate_below(m, 60);
}

static void
check_windows(struct generator *m, const struct trace *given, size_t r, size_t pages)
{
	/* model_rows() has cycles and instructions in proportion to references. */
	static const struct {
		enum trc_column clock;
		uint64_t scale;
	} clock[] = { { TRC_COL_RTIME, 1 }, { TRC_COL_ITIME, 3 }, { TRC_COL_TIME, 7 } };
	const size_t c = generate_below(m, 3);
	const uint64_t window = 1 + generate_below(m, 40);
	struct trc_reduction how = { .window = window * clock[c].scale, .clock = clock[c].clock };
	struct trace t = *given, got;

	spread_times(m, &t);
	how.r = generate_below(m, 2) ? r : 0;
	model_reduce(&t, &how, model_cut(m), model_cut(m), &got);
	for (uint64_t w = window; w < window + 70; w++)
		for (int vmin = 0; vmin < 2; vmin++)
			CHECK_MSG(same_stays(&t, &got, w, vmin), "%s, T=%llu, window %llu",
			          vmin ? "VMIN" : "working set", (unsigned long long)window,
			          (unsigned long long)w);
	for (size_t mem = how.r; mem && mem <= pages + 1; mem++)
		CHECK(model_exact_at(&t, &got, mem, model_lru) &&
		      model_exact_at(&t, &got, mem, model_opt));
}

static void
windows_of_t_and_more_see_no_difference(void)
{
	model_for_each(1500, check_windows);
}

static size_t too_much, tried;

static void
check_window_bound(struct generator *m, const struct trace *given, size_t r, size_t pages)
{
	const uint64_t window = 2 + generate_below(m, 20);
	const struct trc_reduction how = { .window = window, .clock = TRC_COL_RTIME };
	struct trace t = *given, got;

	(void)r, (void)pages;
	spread_times(m, &t);
	model_reduce(&t, &how, 4096, 4096, &got);
	too_much += !same_stays(&t, &got, window - 1, false);
	tried++;
}

static void
smaller_windows_would_see_one(void)
{
	too_much = tried = 0;
	model_for_each(300, check_window_bound);
	CHECK_MSG(too_much > tried / 20, "%zu of %zu", too_much, tried);
}

/* Of three references to a page the middle one, again and again. */
static void
check_window_definition(struct generator *m, const struct trace *given, size_t r, size_t pages)
{
	const uint64_t window = 1 + generate_below(m, 40);
	const struct trc_reduction how = { .window = window, .clock = TRC_COL_RTIME };
	struct trace t = *given, got, want = { .n = 0 };

	(void)r, (void)pages;
	spread_times(m, &t);
	for (size_t i = 0; i < t.n; i++) {
		struct ref *ref = &want.ref[want.n++], *before[2] = { NULL, NULL };

		*ref = t.ref[i];
		for (struct ref *x = want.ref; x < ref; x++)
			if (x->page == ref->page) {
				before[0] = before[1];
				before[1] = x;
			}
		if (!before[0] || ref->time - before[0]->time > window)
			continue;
		ref->write |= before[1]->write;
		memmove(before[1], before[1] + 1, (size_t)(ref - before[1]) * sizeof(*ref));
		want.n--;
	}
	model_reduce(&t, &how, 4096, 4096, &got);
	CHECK(model_same(&want, &got));
}

static void
windows_follow_their_definition(void)
{
	model_for_each(500, check_window_definition);
}

static void
windows_of_times_that_run_backwards_are_refused(void)
{
	const struct trc_reduction how = { .window = 5, .clock = TRC_COL_TIME };
	struct trace t = { .ref = { { 1, 1, false }, { 2, 2, false } }, .n = 2 };
	struct trc_batch rows, all;
	struct trc_source *src;
	struct trc_err err;

	model_rows(&t, &rows);
	rows.time[1] = rows.time[0] - 1;
	src = trc_stage_drop(generate_source(&rows, 9), &how, &err);
	CHECK(src && generate_collect(src, 9, &all, NULL, &err) != 0);
	CHECK_MSG(err.code == TRC_FAILED && strstr(err.text, "backwards"), "%s", err.text);
	trc_batch_release(&all);
	trc_batch_release(&rows);
}

int
main(void)
{
	test_start();
	RUN(windows_of_t_and_more_see_no_difference);
	RUN(smaller_windows_would_see_one);
	RUN(windows_follow_their_definition);
	RUN(windows_of_times_that_run_backwards_are_refused);
	return 0;
}
