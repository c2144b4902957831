/* SPDX-License-Identifier: MIT
 *
 * OLR, against memories simulated in the most obvious way: it is exact, and nothing shorter is.
 */
#include <string.h>

#include "model.h"
#include "test.h"

static void
olr(const struct trace *t, size_t r, struct trace *out)
{
	const struct trc_reduction how = { .r = r, .lru_only = true };

	model_reduce(t, &how, 4096, 4096, out);
}

static void
check_olr(struct generator *m, const struct trace *t, size_t r, size_t pages)
{
	struct trace got;

	(void)m;
	olr(t, r, &got);
	for (size_t mem = r; mem <= pages + 1; mem++)
		CHECK_MSG(model_exact_at(t, &got, mem, model_lru), "r=%zu, m=%zu", r, mem);
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
	struct generator m = { test_seed };

	for (int round = 0; round < 600; round += (int)test_step_most(5)) {
		size_t pages = 3 + generate_below(&m, 4), r = 1 + generate_below(&m, pages - 1);
		struct trace t, got;

		model_make(&t, &m, round % 4, pages, 8 + generate_below(&m, 40));
		olr(&t, r, &got);
		CHECK_MSG(got.n == shortest(&t, r), "%zu references of %zu, %zu are enough, r=%zu",
		          got.n, t.n, shortest(&t, r), r);
	}
}

static size_t longer, shorter;

static void
check_against_sad(struct generator *m, const struct trace *t, size_t r, size_t pages)
{
	const struct trc_reduction how = { .r = r };
	struct trace a, b;

	(void)m, (void)pages;
	model_reduce(t, &how, 4096, 4096, &a);
	olr(t, r, &b);
	longer += b.n > a.n;
	shorter += b.n < a.n;
}

static void
it_is_never_longer_than_sad(void)
{
	model_for_each(300, check_against_sad);
	CHECK_MSG(longer == 0 && shorter > 0, "%zu longer, %zu shorter", longer, shorter);
}

static void
check_olr_twice(struct generator *m, const struct trace *t, size_t r, size_t pages)
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
check_waiting(struct generator *m, const struct trace *t, size_t r, size_t pages)
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
	rows_source = generate_source(&rows, 1);
	src = trc_stage_olr(rows_source, &how, &err);
	CHECK(src && trc_batch_init(&one, src->have, 1, &err) == 0);
	while (trc_source_next(src, &one, &err) == TRC_FLOW_ROWS) {
		uint64_t fault[REFS_MOST];
		size_t faults = 0, due = 0;

		for (size_t i = 0; i < mem.events; i++)
			if (mem.event[i].victim != NONE &&
			    mem.event[i].time < generate_given(rows_source))
				fault[faults++] = mem.event[i].time;
		while (faults > r && want.ref[due].time < fault[faults - r - 1])
			due++;
		CHECK_MSG(out + 1 >= due, "%zu of %zu that are due, r=%zu", out, due, r);
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
	struct generator m = { test_seed };

	for (int round = 0; round < 2000; round += (int)test_step_most(5)) {
		size_t r = 2 + generate_below(&m, 8);
		struct trace t = { .n = 0 }, got;

		while (t.n + LOOPS + 1 < REFS_MOST) {
			size_t first = generate_below(&m, PAGES_MOST),
			       span = 1 + generate_below(&m, r);

			for (size_t i = generate_below(&m, LOOPS * 3); i > 0 && t.n < REFS_MOST;
			     i--) {
				const uint64_t page = (first + generate_below(&m, span)) %
				                      PAGES_MOST;

				t.ref[t.n] = (struct ref){ t.n + 1, page,
					                   generate_below(&m, 4) == 0 };
				t.n++;
			}
		}
		olr(&t, r, &got);
		for (size_t mem = r; mem <= PAGES_MOST; mem++)
			CHECK_MSG(model_exact_at(&t, &got, mem, model_lru), "r=%zu, m=%zu", r, mem);
	}
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
	return 0;
}
