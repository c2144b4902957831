/* SPDX-License-Identifier: MIT
 *
 * The reductions beside SAD against their definitions and promises, on many small traces: OLR-S,
 * windows, memories for each space, canonical pages, samples.
 */
#include <string.h>

#include "model.h"
#include "stage/stage.h"
#include "test.h"

static const size_t cuts[] = { 1, 2, 7, 4096 };

/* By the stage that `how` needs, in batches of any size. */
static void
reduce_rows(const struct trc_batch *rows, const struct trc_reduction *how, size_t give, size_t most,
            struct trc_batch *all)
{
	struct trc_source *from = make_source(rows, give), *src;
	struct trc_err err;

	src = how->lru_only ? trc_stage_olr(from, how, &err) : trc_stage_drop(from, how, &err);
	CHECK_SAY(src, "%s", err.text);
	CHECK_SAY(make_collect(src, most, all, NULL, &err) == 0, "%s", err.text);
}

static void
reduce(const struct trace *t, const struct trc_reduction *how, size_t give, size_t most,
       struct trace *out)
{
	struct trc_batch rows, all;

	model_rows(t, &rows);
	reduce_rows(&rows, how, give, most, &all);
	model_trace(&all, out);
	trc_batch_release(&all);
	trc_batch_release(&rows);
}

static void
olr(const struct trace *t, size_t r, struct trace *out)
{
	const struct trc_reduction how = { .r = r, .lru_only = true };

	reduce(t, &how, 4096, 4096, out);
}

/* ---- OLR ---- */

static void
check_olr(struct make *m, const struct trace *t, size_t r, size_t pages)
{
	struct trace got;

	(void)m;
	olr(t, r, &got);
	for (size_t mem = r; mem <= pages + 1; mem++)
		CHECK_SAY(model_exact_at(t, &got, mem, model_lru), "r=%zu, m=%zu", r, mem);
}

static void
lru_memories_of_r_pages_and_more_see_no_difference(void)
{
	model_for_each(2000, check_olr);
}

/* What LRU memories of r pages may hold, the most recent page in the lowest digit. */
struct state {
	uint32_t pages; /* 1 + page in each digit of 4 bits */
	size_t least;   /* references kept to come here */
};

enum { STATES_MOST = 4096 };

static void
reach(struct state *state, size_t *n, uint32_t pages, size_t least)
{
	size_t i = 0;

	while (i < *n && state[i].pages != pages)
		i++;
	CHECK(i < STATES_MOST);
	if (i == *n)
		state[(*n)++] = (struct state){ pages, least };
	else if (least < state[i].least)
		state[i].least = least;
}

/* The state after a reference; *victim is the digit that fell out, 0 for none. False: a fault. */
static bool
use(uint32_t *pages, uint32_t page, size_t r, uint32_t *victim)
{
	uint32_t at = 0, old = *pages, low;

	*victim = 0;
	while (at < r && (old >> 4 * at & 15) != 0 && (old >> 4 * at & 15) != page)
		at++;
	if (at < r && (old >> 4 * at & 15) == page) {
		low = old & ((1u << 4 * at) - 1);
		*pages = (old >> 4 * (at + 1) << 4 * (at + 1)) | low << 4 | page;
		return true;
	}
	if (at == r) {
		*victim = old >> 4 * (r - 1) & 15;
		old &= (1u << 4 * (r - 1)) - 1;
	}
	*pages = old << 4 | page;
	return false;
}

/* The length of the shortest subsequence that faults at the same references and throws out the same
 * pages, by trying them all. */
static size_t
shortest(const struct trace *t, size_t r)
{
	static struct state state[STATES_MOST], next[STATES_MOST];
	size_t n = 1, k, least = SIZE_MAX;
	uint32_t now = 0;

	state[0] = (struct state){ 0, 0 };
	for (size_t i = 0; i < t->n; i++) {
		const uint32_t page = (uint32_t)t->ref[i].page + 1;
		uint32_t want, victim;
		const bool hit = use(&now, page, r, &want);

		k = 0;
		for (size_t s = 0; s < n; s++) {
			uint32_t pages = state[s].pages;

			if (hit)
				reach(next, &k, pages, state[s].least);
			if (use(&pages, page, r, &victim) == hit && victim == want)
				reach(next, &k, pages, state[s].least + 1);
		}
		memcpy(state, next, k * sizeof(*state));
		n = k;
	}
	for (size_t s = 0; s < n; s++)
		least = state[s].least < least ? state[s].least : least;
	return least;
}

static void
nothing_shorter_is_exact(void)
{
	struct make m = { test_seed };

	for (int round = 0; round < 600; round++) {
		size_t pages = 3 + make_below(&m, 4), r = 1 + make_below(&m, pages - 1);
		struct trace t, got;

		model_make(&t, &m, round % 4, pages, 8 + make_below(&m, 40));
		olr(&t, r, &got);
		CHECK_SAY(got.n == shortest(&t, r), "%zu references of %zu, %zu are enough, r=%zu",
		          got.n, t.n, shortest(&t, r), r);
	}
}

static size_t longer, shorter;

static void
check_against_sad(struct make *m, const struct trace *t, size_t r, size_t pages)
{
	const struct trc_reduction how = { .r = r };
	struct trace a, b;

	(void)m, (void)pages;
	reduce(t, &how, 4096, 4096, &a);
	olr(t, r, &b);
	longer += b.n > a.n;
	shorter += b.n < a.n;
}

static void
it_is_never_longer_than_sad(void)
{
	model_for_each(300, check_against_sad);
	CHECK_SAY(longer == 0 && shorter > 0, "%zu longer, %zu shorter", longer, shorter);
}

static void
check_olr_twice(struct make *m, const struct trace *t, size_t r, size_t pages)
{
	struct trace once, twice;

	(void)m, (void)pages;
	olr(t, r, &once);
	olr(&once, r, &twice);
	CHECK(once.n == twice.n);
}

static void
reducing_twice_is_no_shorter(void)
{
	model_for_each(300, check_olr_twice);
}

/* What waits came after the last r + 1 faults that threw out a page. */
static void
check_waiting(struct make *m, const struct trace *t, size_t r, size_t pages)
{
	const struct trc_reduction how = { .r = r, .lru_only = true };
	struct trc_source *rows_source, *src;
	struct trc_batch rows, one;
	struct trace want;
	struct memory mem;
	struct trc_err err;
	size_t out = 0;

	(void)m, (void)pages;
	olr(t, r, &want);
	model_simulate(t, r, model_lru, &mem);
	model_rows(t, &rows);
	rows_source = make_source(&rows, 1);
	src = trc_stage_olr(rows_source, &how, &err);
	CHECK(src && trc_batch_init(&one, src->have, 1, &err) == 0);
	while (trc_source_next(src, &one, &err) == TRC_FLOW_ROWS) {
		uint64_t fault[REFS_MOST];
		size_t faults = 0, due = 0;

		for (size_t i = 0; i < mem.events; i++)
			if (mem.event[i].victim != NONE &&
			    mem.event[i].time < make_given(rows_source))
				fault[faults++] = mem.event[i].time;
		while (faults > r && want.ref[due].time < fault[faults - r - 1])
			due++;
		CHECK_SAY(out + 1 >= due, "%zu of %zu that are due, r=%zu", out, due, r);
		out++;
	}
	CHECK(out == want.n);
	trc_batch_release(&one);
	trc_batch_release(&rows);
	trc_source_close(src);
}

static void
no_record_waits_for_more_than_r_faults(void)
{
	model_for_each(100, check_waiting);
}

/* Between two faults references go round many times; what is too far from a fault to matter goes at
 * once, and nothing that matters with it. */
static void
long_ways_between_faults_are_exact(void)
{
	enum { LOOPS = 12 };
	struct make m = { test_seed };

	for (int round = 0; round < 2000; round++) {
		size_t r = 2 + make_below(&m, 8);
		struct trace t = { .n = 0 }, got;

		while (t.n + LOOPS + 1 < REFS_MOST) {
			size_t first = make_below(&m, PAGES_MOST), span = 1 + make_below(&m, r);

			for (size_t i = make_below(&m, LOOPS * 3); i > 0 && t.n < REFS_MOST; i--) {
				const uint64_t page = (first + make_below(&m, span)) % PAGES_MOST;

				t.ref[t.n] = (struct ref){ t.n + 1, page, make_below(&m, 4) == 0 };
				t.n++;
			}
		}
		olr(&t, r, &got);
		for (size_t mem = r; mem <= PAGES_MOST; mem++)
			CHECK_SAY(model_exact_at(&t, &got, mem, model_lru), "r=%zu, m=%zu", r, mem);
	}
}

/* ---- windows ---- */

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
spread_times(struct make *m, struct trace *t)
{
	uint64_t time = 0;

	for (size_t i = 0; i < t->n; i++)
		t->ref[i].time = time += make_below(m, 8) ? make_below(m, 3) : make_below(m, 60);
}

static void
check_windows(struct make *m, const struct trace *given, size_t r, size_t pages)
{
	/* model_rows() has cycles and instructions in proportion to references. */
	static const struct {
		enum trc_column clock;
		uint64_t scale;
	} clock[] = { { TRC_COL_RTIME, 1 }, { TRC_COL_ITIME, 3 }, { TRC_COL_TIME, 7 } };
	const size_t c = make_below(m, 3);
	const uint64_t window = 1 + make_below(m, 40);
	struct trc_reduction how = { .window = window * clock[c].scale, .clock = clock[c].clock };
	struct trace t = *given, got;

	spread_times(m, &t);
	how.r = make_below(m, 2) ? r : 0;
	reduce(&t, &how, cuts[make_below(m, 4)], cuts[make_below(m, 4)], &got);
	for (uint64_t w = window; w < window + 70; w++)
		for (int vmin = 0; vmin < 2; vmin++)
			CHECK_SAY(same_stays(&t, &got, w, vmin), "%s, T=%llu, window %llu",
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
check_window_bound(struct make *m, const struct trace *given, size_t r, size_t pages)
{
	const uint64_t window = 2 + make_below(m, 20);
	const struct trc_reduction how = { .window = window, .clock = TRC_COL_RTIME };
	struct trace t = *given, got;

	(void)r, (void)pages;
	spread_times(m, &t);
	reduce(&t, &how, 4096, 4096, &got);
	too_much += !same_stays(&t, &got, window - 1, false);
	tried++;
}

static void
smaller_windows_would_see_one(void)
{
	too_much = tried = 0;
	model_for_each(300, check_window_bound);
	CHECK_SAY(too_much > tried / 20, "%zu of %zu", too_much, tried);
}

/* Of three references to a page the middle one, again and again. */
static void
check_window_definition(struct make *m, const struct trace *given, size_t r, size_t pages)
{
	const uint64_t window = 1 + make_below(m, 40);
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
	reduce(&t, &how, 4096, 4096, &got);
	CHECK(model_same(&want, &got));
}

static void
windows_are_what_their_definition_says(void)
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
	src = trc_stage_drop(make_source(&rows, 9), &how, &err);
	CHECK(src && make_collect(src, 9, &all, NULL, &err) != 0);
	CHECK_SAY(err.code == TRC_FAILED && strstr(err.text, "backwards"), "%s", err.text);
	trc_batch_release(&all);
	trc_batch_release(&rows);
}

/* ---- spaces and canonical pages ---- */

enum { SPACES = 3 };

/* Rows of several spaces that take turns. */
static void
make_spaces(struct make *m, int habit, struct trc_batch *rows)
{
	size_t quantum = 1 + make_below(m, 20), space = 0;
	struct trace t;

	model_make(&t, m, habit, 2 + make_below(m, 8), 20 + make_below(m, 120));
	model_rows(&t, rows);
	for (size_t i = 0; i < rows->n; i++) {
		space = i % quantum ? space : make_below(m, SPACES);
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
	struct make m = { test_seed };

	for (int round = 0; round < 1500; round++) {
		struct trc_reduction how = { .r = 1 + make_below(&m, 6), .lru_only = round % 2,
			                     .scope.by_space = true };
		struct trc_batch rows, all;

		make_spaces(&m, round % 4, &rows);
		reduce_rows(&rows, &how, cuts[make_below(&m, 4)], cuts[make_below(&m, 4)], &all);
		for (size_t i = 1; i < all.n; i++)
			CHECK(all.rtime[i - 1] < all.rtime[i]);
		how.scope.by_space = false;
		for (size_t s = 0; s < SPACES; s++) {
			struct trace a, b, want;

			rows_of_space(&rows, s, &a);
			rows_of_space(&all, s, &b);
			reduce(&a, &how, 4096, 4096, &want);
			CHECK_SAY(model_same(&want, &b), "%zu references, %zu alone", b.n, want.n);
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
		                            .next = endless_next, .close = endless_close } };
	struct trc_source *src;
	struct trc_batch b;
	struct trc_err err;
	size_t rows = 0;

	src = trc_stage_drop(&endless.src, &how, &err);
	CHECK(src && trc_batch_init(&b, src->have, 1000, &err) == 0);
	while (rows < 100) {
		CHECK(trc_source_next(src, &b, &err) == TRC_FLOW_ROWS);
		rows += b.n;
		CHECK_SAY(endless.given < MOST, "%llu rows for %zu",
		          (unsigned long long)endless.given, rows);
	}
	trc_batch_release(&b);
	trc_source_close(src);
}

/* A mixed trace that was reduced as one does for each private space, too. */
static void
private_spaces_see_no_difference(void)
{
	struct make m = { test_seed };

	for (int round = 0; round < 800; round++) {
		const struct trc_reduction how = { .r = 1 + make_below(&m, 6), .lru_only = true };
		struct trc_batch rows, all;

		make_spaces(&m, round % 4, &rows);
		reduce_rows(&rows, &how, 7, 7, &all);
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
	struct make m = { test_seed };

	for (int round = 0; round < 800; round++) {
		struct trc_reduction how = { .r = 1 + make_below(&m, 6), .lru_only = round % 2,
			                     .scope.canonical = true };
		struct trc_batch plain, rows, all;
		struct trace t, want;
		struct trc_err err;

		model_make(&t, &m, round % 4, 2 + make_below(&m, 8), 100);
		model_rows(&t, &plain);
		CHECK(trc_batch_init(&rows, plain.have | TRC_HAS_CPN, t.n, &err) == 0);
		trc_batch_copy(&rows, &plain, plain.have, 0, t.n);
		for (size_t i = 0; i < t.n; i++) {
			rows.asid[i] = (uint32_t)make_below(&m, 3);
			rows.cpn[i] = rows.vpn[i];
			rows.vpn[i] = rows.cpn[i] * 10 + rows.asid[i];
		}
		rows.n = t.n;
		reduce_rows(&rows, &how, cuts[make_below(&m, 4)], cuts[make_below(&m, 4)], &all);
		how.scope.canonical = false;
		reduce(&t, &how, 4096, 4096, &want);
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
	struct trc_source *src =
		trc_stage_sample(make_source(rows, give), one_in, false, sampled, &err);

	CHECK(src && src->meta.sample == one_in);
	CHECK(make_collect(src, most, &all, meta, &err) == 0);
	return all;
}

static void
pages_are_sampled_whole(void)
{
	enum { ROWS = 40000, PAGES = 8192, PART = 8 };
	struct make m = { test_seed };
	struct trc_batch rows = make_zeros(TRC_HAS_TYPE | TRC_HAS_VPN | TRC_HAS_ASID, ROWS);
	struct trc_batch all, less;
	static bool in_sample[2][PAGES];
	struct trc_sampled sampled;
	struct trc_meta meta;
	size_t k = 0, pages = 0;

	for (size_t i = 0; i < ROWS; i++) {
		rows.vpn[i] = make_below(&m, PAGES);
		rows.asid[i] = (uint32_t)make_below(&m, 2);
	}
	rows.n = ROWS;
	all = sample(&rows, PART, 7, 4096, &sampled, &meta);
	CHECK(meta.sample == PART);
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
	CHECK_SAY(pages > 1750 - 235 && pages < 2048 + 255, "%zu pages", pages);
	CHECK(sampled.error_large > 0.018 && sampled.error_large < 0.025);
	CHECK(sampled.error_small >= sampled.error_large && sampled.error_small < 0.04);

	/* A sample of a sample is that of the trace. */
	less = sample(&all, 4 * PART, 4096, 7, &sampled, NULL);
	trc_batch_release(&all);
	all = sample(&rows, 4 * PART, 4096, 1, &sampled, NULL);
	CHECK(all.n == less.n && memcmp(all.vpn, less.vpn, all.n * sizeof(*all.vpn)) == 0);
	trc_batch_release(&less);
	trc_batch_release(&all);

	all = sample(&rows, 1, 4096, 4096, &sampled, &meta);
	CHECK(all.n == ROWS && meta.sample == 1 && sampled.error_large == 0);
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
check_blocks(struct make *m, const struct trace *t, size_t r, size_t pages)
{
	struct event a[REFS_MOST], b[REFS_MOST];
	struct trc_batch rows, all;
	struct trace got;
	struct trc_err err;

	(void)m, (void)pages;
	model_rows(t, &rows);
	CHECK(make_collect(trc_stage_block(make_source(&rows, 7), &err), 7, &all, NULL, &err) == 0);
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

/* ---- what is promised ---- */

static void
promises_are_kept_or_refused(void)
{
	static const struct trc_reduction sad = { .r = 8 }, olr8 = { .r = 8, .lru_only = true },
		window = { .window = 9, .clock = TRC_COL_RTIME },
		both = { .r = 8, .window = 9, .clock = TRC_COL_RTIME },
		spaces = { .r = 8, .scope.by_space = true },
		canonical = { .r = 8, .scope.canonical = true };
	static const struct {
		struct trc_meta before;
		const struct trc_reduction *how;
		struct trc_meta after; /* none of them: refused */
	} row[] = {
		{ { .sad = 0 }, &sad, { .sad = 8 } },
		{ { .sad = 64 }, &sad, { .sad = 64 } },
		{ { .sad = 4 }, &olr8, { .sad = 8, .reduced = TRC_LRU_ONLY } },
		{ { .sad = 4, .reduced = TRC_LRU_ONLY }, &sad,
		  { .sad = 8, .reduced = TRC_LRU_ONLY } },
		{ { .sad = 4, .sample = 3 }, &sad, { .sad = 8, .sample = 3 } },
		{ { .sad = 0 }, &window, { .window = 9, .clock = TRC_COL_RTIME } },
		{ { .sad = 0 }, &both, { .sad = 8, .window = 9, .clock = TRC_COL_RTIME } },
		{ { .sad = 4 }, &window, { .sad = 0 } },
		{ { .sad = 4 }, &both, { .sad = 0 } },
		{ { .window = 4, .clock = TRC_COL_RTIME }, &sad, { .sad = 0 } },
		{ { .window = 4, .clock = TRC_COL_TIME }, &window, { .sad = 0 } },
		{ { .window = 40, .clock = TRC_COL_RTIME }, &window,
		  { .window = 40, .clock = TRC_COL_RTIME } },
		{ { .sad = 9, .window = 4, .clock = TRC_COL_RTIME }, &sad, { .sad = 9 } },
		{ { .sad = 9, .window = 4, .clock = TRC_COL_RTIME }, &both,
		  { .sad = 9, .window = 9, .clock = TRC_COL_RTIME } },
		{ { .reduced = TRC_MERGED }, &window, { .sad = 0 } },
		{ { .reduced = TRC_MERGED }, &sad, { .sad = 8, .reduced = TRC_MERGED } },
		{ { .sad = 4 }, &spaces, { .sad = 8, .reduced = TRC_BY_SPACE } },
		{ { .sad = 4, .reduced = TRC_BY_SPACE }, &sad, { .sad = 0 } },
		{ { .sad = 4, .reduced = TRC_BY_SPACE }, &spaces,
		  { .sad = 8, .reduced = TRC_BY_SPACE } },
		{ { .sad = 4, .reduced = TRC_CANONICAL }, &sad, { .sad = 0 } },
		{ { .sad = 4 }, &canonical, { .sad = 8, .reduced = TRC_CANONICAL } },
		{ { .sets = 4, .ways = 1, .line = 64 }, &sad, { .sad = 0 } },
		{ { .sets = 4, .ways = 1, .line = 64, .reduced = TRC_BEHIND_CACHE }, &sad,
		  { .sad = 8, .reduced = TRC_BEHIND_CACHE } },
	};
	struct trace t = { .ref = { { 1, 1, false } }, .n = 1 };
	struct trc_batch rows = { .n = 0 }, all;

	model_rows(&t, &rows);
	for (size_t i = 0; i < rows.n; i++)
		rows.rtime[i] = 1;
	for (size_t i = 0; i < TRC_COUNT(row); i++) {
		const struct trc_reduction *how = row[i].how;
		struct trc_source *src = make_source(&rows, 4096);
		const bool refused = !row[i].after.sad && !row[i].after.window;
		struct trc_batch with = rows;
		struct trc_meta meta;
		struct trc_err err;
		int ret;

		if (how->scope.canonical) {
			trc_source_close(src);
			with.have |= TRC_HAS_CPN;
			with.cpn = with.vpn;
			src = make_source(&with, 4096);
		}
		src->meta = row[i].before;
		src = how->lru_only ? trc_stage_olr(src, how, &err) :
		                      trc_stage_drop(src, how, &err);
		CHECK(src);
		ret = make_collect(src, 4096, &all, &meta, &err);
		CHECK_SAY((ret != 0) == refused && (!refused || err.code == TRC_USAGE), "row %zu", i);
		if (!refused)
			CHECK_SAY(meta.sad == row[i].after.sad &&
			                  meta.window == row[i].after.window &&
			                  meta.clock == row[i].after.clock &&
			                  meta.sample == row[i].after.sample &&
			                  meta.reduced == row[i].after.reduced,
			          "row %zu", i);
		trc_batch_release(&all);
	}
	trc_batch_release(&rows);
}

/* Neighbours are further apart in time than they look. */
static void
blocking_what_was_reduced_for_windows_is_refused(void)
{
	static const struct trc_meta before[] = { { .window = 8 }, { .window = 8 },
		                                  { .window = 8, .sad = 3 }, { .sad = 0 } };
	struct trace t = { .ref = { { 1, 1, false }, { 9, 1, false } }, .n = 2 };
	struct trc_batch rows, all;
	struct trc_source *src;
	struct trc_meta meta;
	struct trc_err err;

	model_rows(&t, &rows);
	for (size_t i = 0; i < TRC_COUNT(before); i++) {
		src = make_source(&rows, 4096);
		src->meta = before[i];
		src = trc_stage_block(src, &err);
		CHECK(src);
		if (make_collect(src, 1 + 4095 * (i % 2), &all, &meta, &err) == 0)
			CHECK(i > 1 && all.n == 1 && !meta.window && meta.reduced == TRC_MERGED);
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
	RUN(lru_memories_of_r_pages_and_more_see_no_difference);
	RUN(nothing_shorter_is_exact);
	RUN(it_is_never_longer_than_sad);
	RUN(reducing_twice_is_no_shorter);
	RUN(no_record_waits_for_more_than_r_faults);
	RUN(long_ways_between_faults_are_exact);
	RUN(windows_of_t_and_more_see_no_difference);
	RUN(smaller_windows_would_see_one);
	RUN(windows_are_what_their_definition_says);
	RUN(windows_of_times_that_run_backwards_are_refused);
	RUN(spaces_with_memories_of_their_own_are_reduced_alone);
	RUN(a_space_that_rests_holds_the_others_back_but_for_a_while);
	RUN(private_spaces_see_no_difference);
	RUN(canonical_pages_are_the_same_in_all_spaces);
	RUN(pages_are_sampled_whole);
	RUN(blocks_are_exact_for_any_memory);
	RUN(promises_are_kept_or_refused);
	RUN(blocking_what_was_reduced_for_windows_is_refused);
	return 0;
}
