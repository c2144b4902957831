/* SPDX-License-Identifier: MIT
 *
 * MIN: the curve of all sizes against a memory of each size that looks ahead in the trace, and the
 * stack against that of Mattson, page by page, with the priorities that the next uses give.
 */
#include "generate.h"
#include "stage/simulate/cache/cache.h"
#include "stage/simulate/mrc.h"
#include "stage/simulate/policy/opt_stack_kernels.h"
#include "stage/stage.h"
#include "test.h"

#include <string.h>

/* ---- the definition ---- */

/* When the page of reference `i` is used next. Those that are not come behind the end, in the order
 * of their last uses. */
static uint64_t
next_use(const struct trc_batch *rows, size_t i)
{
	for (size_t j = i + 1; j < rows->n; j++)
		if (rows->vpn[j] == rows->vpn[i])
			return j;
	return rows->n + i;
}

/* A page in a memory. */
struct frame {
	uint64_t page, next;
	bool dirty;
};

/* What a memory of m pages did. */
struct did {
	uint64_t misses, first, writebacks;
	uint64_t left; /* dirty pages at the end */
};

/* Evicts the page whose next use is last; with `bypass`, the one that came may be that. */
static struct did
simulate(const struct trc_batch *rows, const uint64_t *next, size_t m, bool bypass)
{
	struct frame *frame = calloc(m, sizeof(*frame));
	struct did did = { 0, 0, 0, 0 };
	size_t n = 0;

	CHECK(frame);
	for (size_t i = 0; i < rows->n; i++) {
		size_t at = 0, victim = 0;
		bool seen = false;

		for (size_t j = 0; j < i && !seen; j++)
			seen = rows->vpn[j] == rows->vpn[i];
		while (at < n && frame[at].page != rows->vpn[i])
			at++;
		if (at == n) {
			did.first += !seen;
			did.misses += seen;
			for (size_t k = 1; k < n; k++)
				victim = frame[k].next > frame[victim].next ? k : victim;
			if (n == m && bypass && next[i] > frame[victim].next) {
				did.writebacks += rows->type[i] == TRC_WRITE;
				continue;
			}
			if (n == m) {
				did.writebacks += frame[victim].dirty;
				at = victim;
			} else {
				n++;
			}
			frame[at] = (struct frame){ rows->vpn[i], 0, false };
		}
		frame[at].next = next[i];
		frame[at].dirty |= rows->type[i] == TRC_WRITE;
	}
	for (size_t k = 0; k < n; k++)
		did.left += frame[k].dirty;
	free(frame);
	return did;
}

/* The stack by its definition: each size keeps what it has but the page with the last next use. */
struct mattson {
	struct frame *at; /* in order of depth */
	size_t n;
};

static uint32_t
mattson_touch(struct mattson *s, uint64_t page, uint64_t next)
{
	struct frame carried;
	size_t depth = 0;

	while (depth < s->n && s->at[depth].page != page)
		depth++;
	if (s->n > 0) {
		carried = s->at[0];
		for (size_t k = 1; k < depth; k++)
			if (carried.next < s->at[k].next) {
				const struct frame more = s->at[k];

				s->at[k] = carried;
				carried = more;
			}
	}
	if (depth > 0)
		s->at[depth] = carried;
	s->at[0] = (struct frame){ page, next, false };
	if (depth < s->n)
		return (uint32_t)depth + 1;
	s->n++;
	return 0;
}

/* ---- made-up traces ---- */

/* Pages by habits: any, mostly few, in turns, a working set that drifts, two in turns. */
static uint64_t
next_page(struct generator *m, int habit, size_t i, uint64_t pages)
{
	const uint64_t any = generate_below(m, pages);

	switch (habit) {
	case 0: return any;
	case 1: return generate_below(m, 8) ? any % (pages / 8 + 1) : any;
	case 2: return generate_below(m, 50) ? i % pages : any;
	case 3: return (i / 40 + any % 9) % pages;
	default: return generate_below(m, 4) ? i % 2 : any;
	}
}

static struct trc_batch
make_trace(struct generator *m, int habit, uint64_t pages, uint32_t spaces, size_t n)
{
	struct trc_batch b = generate_zeros(TRC_HAS_TYPE | TRC_HAS_VPN | TRC_HAS_ASID, n);
	const unsigned writes = (unsigned)generate_below(m, 5);

	for (size_t i = 0; i < n; i++) {
		b.vpn[i] = next_page(m, habit, i, pages);
		b.asid[i] = (uint32_t)generate_below(m, spaces);
		b.type[i] = generate_below(m, 8) < writes ? TRC_WRITE : TRC_READ;
	}
	return b;
}

/* ---- laws ---- */

/* The curve of a few sizes, each by itself; of all if there are none. */
static struct trc_mrc
curve_of(const struct trc_batch *rows, const uint64_t *size, size_t n, bool unfinished)
{
	const struct trc_memories_shape shape = { TRC_CACHE_OPT, 0, size, n };
	uint64_t refs;
	struct trc_err err;
	struct trc_source *src = trc_stage_page(generate_source(rows, 700), 0, &refs, &err);
	struct trc_mrc mrc;
	struct trc_sink *sink =
	        n ? trc_mrc_memories_sink(&mrc, TRC_HAS_VPN, false, unfinished, &shape, &err) :
	            trc_mrc_opt_sink(&mrc, TRC_HAS_VPN, false, unfinished, false, &err);

	CHECK(sink && trc_pump(src, sink, 700, NULL, &err) == 0 && mrc.n == 1);
	trc_sink_close(sink);
	trc_source_close(src);
	return mrc;
}

static void
check_point(const struct trc_mrc_curve *c, uint64_t m, int habit, uint64_t misses,
            uint64_t writebacks)
{
	const uint64_t at = m < c->pages ? m : c->pages;

	CHECK_MSG(trc_mrc_misses(c, at) == misses && trc_mrc_writebacks(c, at) == writebacks,
	          "habit %d, alone %u of %u pages: %u misses, %u write-backs, not %u, %u", habit,
	          (unsigned)m, (unsigned)c->pages, (unsigned)trc_mrc_misses(c, at),
	          (unsigned)trc_mrc_writebacks(c, at), (unsigned)misses, (unsigned)writebacks);
}

/* Memories of all sizes by the definition, three at a time, and one with room for more. */
static void
check_sizes(const struct trc_batch *rows, const uint64_t *next, uint64_t pages, int habit)
{
	for (uint64_t m = 1; m <= pages; m += 3) {
		const uint64_t size[] = { m + 2, m, UINT64_MAX, m + 1 };
		struct trc_mrc mrc = curve_of(rows, size, TRC_COUNT(size), false);

		CHECK(mrc.curve[0].pages == pages && mrc.curve[0].refs == rows->n);
		for (size_t k = 0; k < TRC_COUNT(size); k++) {
			const uint64_t all = size[k] < pages ? size[k] : pages;
			const struct did did = simulate(rows, next, (size_t)all, false);

			check_point(&mrc.curve[0], size[k], habit, did.misses, did.writebacks);
		}
		trc_mrc_release(&mrc);
	}
}

static void
check_policy(const struct trc_batch *rows, int habit, bool bypass)
{
	uint64_t *next = calloc(rows->n, sizeof(*next)), refs;
	struct trc_err err;
	struct trc_source *src = trc_stage_page(generate_source(rows, 50), 0, &refs, &err);
	struct trc_mrc mrc;
	struct trc_sink *sink =
	        src ? trc_mrc_opt_sink(&mrc, TRC_HAS_VPN, false, false, bypass, &err) : NULL;

	CHECK(next && sink && trc_pump(src, sink, 50, NULL, &err) == 0 && mrc.n == 1);
	for (size_t i = 0; i < rows->n; i++)
		next[i] = next_use(rows, i);
	CHECK(mrc.curve[0].refs == rows->n);
	for (uint64_t m = 1; m <= mrc.curve[0].pages; m++) {
		const struct did did = simulate(rows, next, (size_t)m, bypass);

		CHECK(mrc.curve[0].pages == did.first);
		CHECK_MSG(trc_mrc_misses(&mrc.curve[0], m) == did.misses &&
		                  trc_mrc_writebacks(&mrc.curve[0], m) == did.writebacks,
		          "habit %d, %u of %u pages: %u misses, %u write-backs, not %u, %u", habit,
		          (unsigned)m, (unsigned)did.first,
		          (unsigned)trc_mrc_misses(&mrc.curve[0], m),
		          (unsigned)trc_mrc_writebacks(&mrc.curve[0], m), (unsigned)did.misses,
		          (unsigned)did.writebacks);
	}
	if (!bypass)
		check_sizes(rows, next, mrc.curve[0].pages, habit);
	trc_sink_close(sink);
	trc_source_close(src);
	trc_mrc_release(&mrc);
	free(next);
}

static void
check_curve(const struct trc_batch *rows, int habit)
{
	check_policy(rows, habit, false);
	check_policy(rows, habit, true);
}

static void
curves_are_those_of_memories_that_look_ahead(void)
{
	struct generator m = { test_seed };

	for (int round = 0; round < 120; round++) {
		const uint64_t pages = 1 + generate_below(&m, round % 3 ? 12 : 60);
		struct trc_batch rows = make_trace(&m, round % 5, pages, 1,
		                                   1 + (size_t)generate_below(&m, 400));

		check_curve(&rows, round % 5);
		trc_batch_release(&rows);
	}
}

/* To and fro, each time a bit less or more far, so that pages hit in the order opposite to that of
 * their uses, and among the oldest. */
static void
go_to_and_fro(struct generator *m, struct trc_batch *rows, uint64_t pages)
{
	uint64_t page = 0, left = 1;
	bool up = false;

	for (size_t i = 0; i < rows->n; i++) {
		if (--left == 0) {
			up = !up;
			left = 1 + generate_below(m, pages);
		}
		page = (page + (up ? 1 : pages - 1)) % pages;
		rows->vpn[i] = page;
	}
}

/* Traces of so many pages and uses that times are numbered anew, in more room. */
static void
a_size_alone_does_what_it_does_among_all(void)
{
	struct generator m = { test_seed };

	for (int round = 0; round < 24; round++) {
		const uint64_t pages = 1 + generate_below(&m, round % 4 ? 900 : 4000);
		struct trc_batch rows = make_trace(&m, round % 6, pages, 1, 30000);
		const uint64_t size[] = { 1 + generate_below(&m, 4), 1 + generate_below(&m, pages),
			                  1 + generate_below(&m, 60), pages - pages / 9 };
		struct trc_mrc all, few;

		if (round % 6 == 5)
			go_to_and_fro(&m, &rows, pages);
		for (int unfinished = 0; unfinished < 2; unfinished++) {
			all = curve_of(&rows, NULL, 0, unfinished);
			few = curve_of(&rows, size, TRC_COUNT(size), unfinished);
			CHECK(all.curve[0].pages == few.curve[0].pages);
			for (size_t k = 0; k < TRC_COUNT(size); k++) {
				const struct trc_mrc_curve *c = &all.curve[0];
				const uint64_t at = size[k] < c->pages ? size[k] : c->pages;

				check_point(&few.curve[0], size[k], round % 6,
				            trc_mrc_misses(c, at), trc_mrc_writebacks(c, at));
			}
			trc_mrc_release(&all);
			trc_mrc_release(&few);
		}
		trc_batch_release(&rows);
	}
}

/* The depths of the end, too: these are the memories that a trace leaves. */
static void
check_stack(const struct trc_opt_stack_kernel *kernel, const struct trc_batch *rows, uint64_t pages,
            struct generator *m, int habit)
{
	struct mattson by_definition = { calloc(pages, sizeof(struct frame)), 0 };
	uint32_t *id = calloc(rows->n, sizeof(*id)), *distance = calloc(rows->n, sizeof(*id));
	uint32_t *order = calloc(pages, sizeof(*order));
	struct trc_opt_stack s;
	struct trc_err err;

	CHECK(by_definition.at && id && distance && order && trc_opt_stack_init(&s, &err) == 0);
	s.kernel = kernel;
	for (size_t i = 0; i < rows->n; i++)
		id[i] = (uint32_t)rows->vpn[i];
	for (size_t i = 0, n; i < rows->n; i += n) {
		n = 1 + (size_t)generate_below(m, 100);
		n = n < rows->n - i ? n : rows->n - i;
		CHECK(trc_opt_stack_refs(&s, id + i, n, (uint32_t)pages, distance + i, &err) == 0);
	}
	for (size_t i = 0; i < rows->n; i++) {
		const uint32_t want = mattson_touch(&by_definition, rows->vpn[i],
		                                    next_use(rows, i));

		CHECK_MSG(distance[i] == want, "%s, habit %d, %u pages, %u: %u, not %u",
		          kernel->name, habit, (unsigned)pages, (unsigned)i, (unsigned)distance[i],
		          (unsigned)want);
	}
	CHECK(s.n == by_definition.n);
	trc_opt_stack_order(&s, order);
	for (size_t k = 0; k < s.n; k++)
		CHECK(order[k] == by_definition.at[k].page);
	trc_opt_stack_release(&s);
	free(by_definition.at);
	free(distance);
	free(order);
	free(id);
}

static void
distances_are_depths_in_the_stack_of_mattson(void)
{
	struct generator m = { test_seed };

	for (int round = 0; round < 41; round++) {
		const uint64_t pages = round == 40 ? 3000 :
		                                     1 + generate_below(&m, round % 4 ? 60 : 900);
		struct trc_batch rows = make_trace(&m, round % 5, pages, 1,
		                                   round == 40 ? 20000 : 4000);

		for (size_t k = 0; trc_opt_stack_kernel(k); k++)
			check_stack(trc_opt_stack_kernel(k), &rows, pages, &m, round % 5);
		trc_batch_release(&rows);
	}
}

/* Two pages in turns, a new one, and those again: LRU of 2 misses each time. */
static void
a_loop_larger_than_the_memory_is_not_lost(void)
{
	struct trc_batch rows = generate_zeros(TRC_HAS_TYPE | TRC_HAS_VPN, 300);
	struct did did;
	uint64_t next[300];

	for (size_t i = 0; i < rows.n; i++)
		rows.vpn[i] = i % 3;
	for (size_t i = 0; i < rows.n; i++)
		next[i] = next_use(&rows, i);
	did = simulate(&rows, next, 2, false);
	CHECK(did.first == 3 && did.misses == 148);
	check_curve(&rows, 2);
	trc_batch_release(&rows);
}

/* Each space alone has the curve that its own rows have. */
static void
each_space_has_a_curve_of_its_own(void)
{
	struct generator m = { test_seed };
	struct trc_batch rows;
	struct trc_err err;
	struct trc_source *src;
	struct trc_sink *sink;
	struct trc_mrc mrc;
	uint64_t refs;

	rows = make_trace(&m, 1, 40, 3, 600);
	src = trc_stage_page(generate_source(&rows, 64), 0, &refs, &err);
	sink = src ? trc_mrc_opt_sink(&mrc, src->have, true, false, false, &err) : NULL;
	CHECK(sink && trc_pump(src, sink, 64, NULL, &err) == 0 && mrc.n == 3);
	for (size_t c = 0; c < mrc.n; c++) {
		struct trc_batch own = generate_zeros(TRC_HAS_TYPE | TRC_HAS_VPN, rows.n);
		uint64_t next[600];

		own.n = 0;
		for (size_t i = 0; i < rows.n; i++)
			if (rows.asid[i] == mrc.curve[c].space) {
				own.vpn[own.n] = rows.vpn[i];
				own.type[own.n++] = rows.type[i];
			}
		for (size_t i = 0; i < own.n; i++)
			next[i] = next_use(&own, i);
		for (uint64_t k = 1; k <= mrc.curve[c].pages; k++) {
			const struct did did = simulate(&own, next, (size_t)k, false);

			CHECK(trc_mrc_misses(&mrc.curve[c], k) == did.misses);
			CHECK(trc_mrc_writebacks(&mrc.curve[c], k) == did.writebacks);
		}
		trc_batch_release(&own);
	}
	trc_sink_close(sink);
	trc_source_close(src);
	trc_mrc_release(&mrc);
	trc_batch_release(&rows);
}

static void
nothing_has_an_empty_curve(void)
{
	struct trc_batch rows = generate_zeros(TRC_HAS_TYPE | TRC_HAS_VPN, 1);

	rows.n = 0;
	check_curve(&rows, 0);
	trc_batch_release(&rows);
}

/* The curve of all sizes. */
static struct trc_mrc
opt_curve(const struct trc_batch *rows, bool bypass)
{
	uint64_t refs;
	struct trc_err err;
	struct trc_source *src = trc_stage_page(generate_source(rows, 70), 0, &refs, &err);
	struct trc_mrc mrc;
	struct trc_sink *sink = trc_mrc_opt_sink(&mrc, TRC_HAS_VPN, false, false, bypass, &err);

	CHECK(src && sink && trc_pump(src, sink, 70, NULL, &err) == 0 && mrc.n == 1);
	trc_sink_close(sink);
	trc_source_close(src);
	return mrc;
}

/* The fewest misses that a memory of m pages can have, from every set of pages that it may hold,
 * where a page that is missed may be refused. */
static unsigned
fewest_misses(const struct trc_batch *rows, unsigned m)
{
	enum { SETS = 1 << 6, NEVER = 9999 };
	unsigned misses[SETS], after[SETS], least = NEVER;

	for (unsigned set = 0; set < SETS; set++)
		misses[set] = set ? NEVER : 0;
	for (size_t i = 0; i < rows->n; i++) {
		const unsigned page = 1u << rows->vpn[i];
		const bool gone = rows->type[i] == TRC_INVALIDATE;

		for (unsigned set = 0; set < SETS; set++)
			after[set] = NEVER;
		for (unsigned set = 0; set < SETS; set++) {
			const unsigned n = misses[set] + (!gone && !(set & page));

			/* All that it holds of these, or fewer, afterwards. */
			for (unsigned kept = 0; kept < SETS && n < NEVER; kept++)
				if (!(kept & ~(set | page)) && !(gone && kept & page) &&
				    (unsigned)__builtin_popcount(kept) <= m && n < after[kept])
					after[kept] = n;
		}
		memcpy(misses, after, sizeof(misses));
	}
	for (unsigned set = 0; set < SETS; set++)
		least = misses[set] < least ? misses[set] : least;
	return least;
}

/* Of every size, also where pages are deleted. */
static void
what_may_refuse_pages_misses_as_few_as_any_can(void)
{
	struct generator m = { test_seed };

	for (int round = 0; round < 60; round++) {
		const uint64_t pages = 1 + generate_below(&m, 6);
		struct trc_batch rows = make_trace(&m, round % 5, pages, 1, 40);
		struct trc_mrc mrc;

		for (size_t i = 0; i < rows.n && round % 2; i++)
			if (generate_below(&m, 6) == 0)
				rows.type[i] = TRC_INVALIDATE;
		mrc = opt_curve(&rows, true);
		for (uint64_t size = 1; size <= mrc.curve->pages; size++)
			CHECK(trc_mrc_misses(mrc.curve, size) + mrc.curve->pages ==
			      fewest_misses(&rows, (unsigned)size));
		trc_mrc_release(&mrc);
		trc_batch_release(&rows);
	}
}

/* A reference to a page of its own behind each other one takes the place that must be filled. */
static void
refusing_is_one_place_less_and_a_page_between(void)
{
	struct generator m = { test_seed };

	for (int round = 0; round < 6; round++) {
		const uint64_t pages = 20 + generate_below(&m, 900);
		struct trc_batch rows = make_trace(&m, round % 5, pages, 1, 20000);
		struct trc_batch both = generate_zeros(TRC_HAS_TYPE | TRC_HAS_VPN, 2 * rows.n);
		struct trc_mrc few, all;

		for (size_t i = 0; i < rows.n; i++) {
			both.type[2 * i] = rows.type[i];
			both.vpn[2 * i] = rows.vpn[i];
			both.vpn[2 * i + 1] = pages + i;
		}
		few = opt_curve(&rows, true);
		all = opt_curve(&both, false);
		for (uint64_t size = 1; size <= few.curve->pages; size++)
			CHECK(trc_mrc_misses(few.curve, size) ==
			      trc_mrc_misses(all.curve, size + 1));
		trc_mrc_release(&few);
		trc_mrc_release(&all);
		trc_batch_release(&rows);
		trc_batch_release(&both);
	}
}

/* ---- caches of sets ---- */

static struct trc_cache_counts
run_cache(const struct trc_batch *rows, const struct trc_cache_shape *shape, size_t n)
{
	struct trc_source *src = generate_source(rows, 50);
	struct trc_cache_counts count[2];
	struct trc_err err;
	struct trc_sink *sink = trc_cache_sink(shape, n, count, &err);

	CHECK(sink && trc_pump(src, sink, 50, NULL, &err) == 0);
	trc_sink_close(sink);
	trc_source_close(src);
	return count[n - 1];
}

static uint64_t
sum(const uint64_t *by_type)
{
	uint64_t all = 0;

	for (size_t t = 0; t < TRC_TYPES; t++)
		all += by_type[t];
	return all;
}

/* The references to a set, as pages. */
static struct trc_batch
rows_of_set(const struct trc_batch *rows, uint64_t sets, uint64_t set)
{
	struct trc_batch b = generate_zeros(TRC_HAS_TYPE | TRC_HAS_VPN, rows->n);

	b.n = 0;
	for (size_t i = 0; i < rows->n; i++)
		if (rows->addr[i] / 64 % sets == set) {
			b.vpn[b.n] = rows->addr[i] / 64;
			b.type[b.n++] = rows->type[i];
		}
	return b;
}

static void
check_sets(const struct trc_batch *rows, uint64_t sets, uint64_t ways)
{
	const struct trc_cache_shape shape = { sets * ways * 64,  ways, 64,   TRC_CACHE_OPT, 1,
		                               TRC_CACHE_UNIFIED, 0,    { 0 } };
	const struct trc_cache_counts got = run_cache(rows, &shape, 1);
	uint64_t misses = 0, writebacks = 0;

	for (uint64_t set = 0; set < sets; set++) {
		struct trc_batch own = rows_of_set(rows, sets, set);
		uint64_t *next = calloc(own.n + 1, sizeof(*next));
		struct did did;

		CHECK(next);
		for (size_t i = 0; i < own.n; i++)
			next[i] = next_use(&own, i);
		did = simulate(&own, next, (size_t)ways, false);
		misses += did.misses + did.first;
		writebacks += did.writebacks + did.left;
		free(next);
		trc_batch_release(&own);
	}
	CHECK(sum(got.refs) == rows->n && got.filled == misses);
	CHECK_MSG(sum(got.misses) == misses &&
	                  sum(got.writebacks) + got.writebacks_end == writebacks,
	          "%u sets of %u ways: %u misses, %u write-backs, not %u, %u", (unsigned)sets,
	          (unsigned)ways, (unsigned)sum(got.misses),
	          (unsigned)(sum(got.writebacks) + got.writebacks_end), (unsigned)misses,
	          (unsigned)writebacks);
}

static struct trc_batch
lines_of(struct generator *m, int habit)
{
	struct trc_batch pages = make_trace(m, habit, 1 + generate_below(m, 60), 1, 500);
	struct trc_batch rows = generate_zeros(TRC_HAS_TYPE | TRC_HAS_ADDR, pages.n);

	for (size_t i = 0; i < rows.n; i++) {
		rows.addr[i] = pages.vpn[i] * 64 + generate_below(m, 16) * 4;
		rows.type[i] = pages.type[i];
	}
	trc_batch_release(&pages);
	return rows;
}

static void
sets_of_caches_look_ahead(void)
{
	struct generator m = { test_seed };

	for (int round = 0; round < 40; round++) {
		struct trc_batch rows = lines_of(&m, round % 5);

		for (uint64_t sets = 1; sets <= 8; sets *= 2)
			for (uint64_t ways = 1; ways <= 5; ways++)
				check_sets(&rows, sets, ways);
		trc_batch_release(&rows);
	}
}

/* LRU misses no less in what another level leaves. */
static void
the_last_level_looks_ahead_in_what_comes_to_it(void)
{
	const struct trc_cache_shape shape[] = {
		{ 4 * 64, 2, 64, TRC_CACHE_LRU, 1, TRC_CACHE_UNIFIED, 0, { 0 } },
		{ 16 * 64, 4, 64, TRC_CACHE_OPT, 1, TRC_CACHE_UNIFIED, 0, { 0 } },
	};
	struct trc_cache_shape lru = shape[1];
	struct generator m = { test_seed };

	lru.policy = TRC_CACHE_LRU;
	for (int round = 0; round < 20; round++) {
		struct trc_batch rows = lines_of(&m, round % 5);
		const struct trc_cache_shape other[] = { shape[0], lru };
		const struct trc_cache_counts opt = run_cache(&rows, shape, 2);
		const struct trc_cache_counts by_lru = run_cache(&rows, other, 2);

		CHECK(sum(opt.refs) == sum(by_lru.refs));
		CHECK(sum(opt.misses) <= sum(by_lru.misses));
		trc_batch_release(&rows);
	}
	CHECK(trc_cache_level_wrong(shape, 2, 0) == NULL);
	CHECK(trc_cache_level_wrong(&shape[1], 2, 0) != NULL);
}

int
main(void)
{
	test_start();
	RUN(curves_are_those_of_memories_that_look_ahead);
	RUN(a_size_alone_does_what_it_does_among_all);
	RUN(distances_are_depths_in_the_stack_of_mattson);
	RUN(a_loop_larger_than_the_memory_is_not_lost);
	RUN(each_space_has_a_curve_of_its_own);
	RUN(what_may_refuse_pages_misses_as_few_as_any_can);
	RUN(refusing_is_one_place_less_and_a_page_between);
	RUN(sets_of_caches_look_ahead);
	RUN(the_last_level_looks_ahead_in_what_comes_to_it);
	RUN(nothing_has_an_empty_curve);
	return 0;
}
