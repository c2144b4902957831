/* SPDX-License-Identifier: MIT
 *
 * Stack distances against a list, and miss curves against a simulation of every memory.
 */
#include <string.h>

#include "generate.h"
#include "base/map_find.h"
#include "stage/simulate/mrc.h"
#include "stage/simulate/pages.h"
#include "stage/simulate/stack.h"
#include "stage/stage.h"
#include "test.h"

/* The definition: a list, the last used first. */
struct list {
	uint32_t *page;
	size_t n;
};

static uint32_t
list_touch(struct list *l, uint32_t page)
{
	uint32_t distance;
	size_t at = 0;

	while (at < l->n && l->page[at] != page)
		at++;
	distance = at < l->n ? (uint32_t)at + 1 : 0;
	l->n += at == l->n;
	memmove(l->page + 1, l->page, at * sizeof(*l->page));
	l->page[0] = page;
	return distance;
}

/* Pages by habits: any, mostly those used last, in turns, a working set that drifts. */
static uint32_t
next_page(struct generator *m, int habit, size_t i, uint32_t pages)
{
	const uint32_t any = (uint32_t)generate_below(m, pages);

	switch (habit) {
	case 0: return any;
	case 1: return generate_below(m, 8) ? any % (pages / 8 + 1) : any;
	case 2: return generate_below(m, 50) ? (uint32_t)(i % pages) : any;
	default: return (uint32_t)((i / 40 + any % 90) % pages);
	}
}

static void
check_distances(const struct trc_stack_kernel *kernel, struct generator *m, int habit,
                uint32_t pages, size_t refs)
{
	static const size_t most[] = { 1, 3, 64, 1000 };
	const size_t step = most[generate_below(m, 4)];
	uint32_t *id = malloc(refs * sizeof(*id)), *distance = malloc(refs * sizeof(*id));
	uint32_t *order = malloc(pages * sizeof(*order));
	struct list list = { malloc(pages * sizeof(uint32_t)), 0 };
	struct trc_stack s;
	struct trc_err err;

	CHECK(id && distance && order && list.page);
	trc_stack_init(&s);
	s.kernel = kernel;
	for (size_t i = 0; i < refs; i++)
		id[i] = next_page(m, habit, i, pages);
	for (size_t i = 0; i < refs; i += step) {
		const size_t n = refs - i < step ? refs - i : step;

		CHECK(trc_stack_refs(&s, id + i, n, pages, distance + i, &err) == 0);
	}
	for (size_t i = 0; i < refs; i++) {
		const uint32_t want = list_touch(&list, id[i]);

		CHECK_MSG(distance[i] == want, "%s, habit %d, %u pages, %zu: %u, not %u",
		          kernel->name, habit, (unsigned)pages, i, (unsigned)distance[i],
		          (unsigned)want);
	}
	CHECK(s.n == list.n);
	trc_stack_order(&s, order);
	CHECK(memcmp(order, list.page, list.n * sizeof(*order)) == 0);
	trc_stack_release(&s);
	free(id);
	free(distance);
	free(order);
	free(list.page);
}

static void
distances_are_positions_in_a_list(void)
{
	static const uint32_t pages[] = { 1, 2, 63, 64, 65, 66, 100, 129, 700, 3000 };
	struct generator m = { test_seed };

	for (size_t k = 0; trc_stack_kernel(k); k++) {
		for (size_t i = 0; i < TRC_COUNT(pages); i++)
			for (int habit = 0; habit < 4; habit++)
				check_distances(trc_stack_kernel(k), &m, habit, pages[i], 20000);
		/* More than one level of sums. */
		check_distances(trc_stack_kernel(k), &m, 0, 10000, 60000);
	}
}

/* Every page in order, again in order, backwards, and forwards: all distances are known. */
static void
many_pages_need_many_levels(void)
{
	enum { PAGES = 300000, STEP = 1000 };
	static uint32_t id[STEP], distance[STEP];

	for (size_t k = 0; trc_stack_kernel(k); k++) {
		struct trc_stack s;
		struct trc_err err;

		trc_stack_init(&s);
		s.kernel = trc_stack_kernel(k);
		for (uint32_t at = 0; at < 4 * PAGES; at += STEP) {
			const uint32_t pass = at / PAGES, first = at % PAGES;

			for (uint32_t i = 0; i < STEP; i++)
				id[i] = pass == 2 ? PAGES - 1 - first - i : first + i;
			CHECK(trc_stack_refs(&s, id, STEP, PAGES, distance, &err) == 0);
			for (uint32_t i = 0; i < STEP; i++)
				CHECK(distance[i] == (pass == 0 ? 0 :
				                      pass == 1 ? PAGES :
				                                  first + i + 1));
		}
		CHECK(s.ranks.levels == 3);
		trc_stack_release(&s);
	}
}

/* Page numbers and spaces that fall on the same places. */
static void
pages_have_numbers_in_order_of_first_touch(void)
{
	enum { REFS = 30000, STEP = 700 };
	struct generator m = { test_seed };
	struct trc_pages p;
	struct trc_err err;
	struct trc_map first;
	uint32_t next = 0;

	CHECK(trc_pages_init(&p, &err) == 0 && trc_map_init(&first, &err) == 0);
	for (size_t at = 0; at < REFS; at += STEP) {
		uint64_t page[STEP];
		uint32_t space[STEP], id[STEP];

		for (size_t i = 0; i < STEP; i++) {
			page[i] = generate_below(&m, 3000) << (generate_below(&m, 3) * 26);
			page[i] = generate_below(&m, 100) ? page[i] :
			                                    UINT64_MAX - generate_below(&m, 2);
			space[i] = (uint32_t)generate_below(&m, 3) - 1;
		}
		CHECK(trc_pages_number(&p, page, space, STEP, id, &err) == 0);
		for (size_t i = 0; i < STEP; i++) {
			const uint32_t known = trc_map_find(&first, space[i], page[i])->value;

			CHECK(id[i] == (known == TRC_MAP_NONE ? next : known));
			if (known == TRC_MAP_NONE)
				CHECK(trc_map_add(&first, space[i], page[i], next++, &err) == 0);
		}
	}
	CHECK(p.n == next);
	trc_pages_release(&p);
	trc_map_release(&first);
}

/* A memory of m pages, simulated. */
struct memory {
	struct {
		uint64_t page;
		bool dirty;
	} frame[64];
	size_t n;
	uint64_t misses, first, writebacks;
	bool seen[64];
};

static void
memory_touch(struct memory *mem, size_t m, uint64_t page, bool write)
{
	size_t at = 0;
	bool dirty = write;

	while (at < mem->n && mem->frame[at].page != page)
		at++;
	if (at < mem->n) {
		dirty |= mem->frame[at].dirty;
		mem->n--;
	} else {
		mem->first += !mem->seen[page];
		mem->misses += mem->seen[page];
		mem->seen[page] = true;
		if (mem->n == m) {
			at = 0;
			mem->writebacks += mem->frame[0].dirty;
			mem->n--;
		}
	}
	memmove(&mem->frame[at], &mem->frame[at + 1], (mem->n - at) * sizeof(mem->frame[0]));
	mem->frame[mem->n].page = page;
	mem->frame[mem->n++].dirty = dirty;
}

/* A made-up trace of `n` references to `pages` pages in `spaces` spaces. */
static struct trc_batch
make_trace(struct generator *m, int habit, uint32_t pages, uint32_t spaces, size_t n)
{
	struct trc_batch b = generate_zeros(TRC_HAS_TYPE | TRC_HAS_VPN | TRC_HAS_ASID, n);
	const unsigned writes = (unsigned)generate_below(m, 5);
	uint32_t space = 0;

	for (size_t i = 0; i < n; i++) {
		space = generate_below(m, 7) ? space : (uint32_t)generate_below(m, spaces);
		b.vpn[i] = next_page(m, habit, i, pages);
		b.asid[i] = space;
		b.type[i] = generate_below(m, 8) < writes ? TRC_WRITE : TRC_READ;
	}
	return b;
}

static void
curves_of(const struct trc_batch *rows, size_t most, bool by_space, struct trc_mrc *mrc)
{
	uint64_t refs;
	struct trc_err err;
	struct trc_source *src = trc_stage_page(generate_source(rows, most), 0, &refs, &err);
	struct trc_sink *sink;

	CHECK(src);
	sink = trc_mrc_sink(mrc, src->have, by_space, false, &err);
	CHECK(sink && trc_pump(src, sink, most, NULL, &err) == 0);
	trc_sink_close(sink);
	trc_source_close(src);
}

/* Every size of one curve; pages of different spaces are different pages. */
static void
check_curve(const struct trc_batch *rows, const struct trc_mrc_curve *curve, bool by_space,
            uint32_t pages)
{
	for (uint32_t m = 1; m <= curve->pages; m++) {
		struct memory mem = { .n = 0 };
		uint64_t refs = 0;

		for (size_t i = 0; i < rows->n; i++) {
			if (by_space && rows->asid[i] != curve->space)
				continue;
			memory_touch(&mem, m, rows->vpn[i] + (by_space ? 0 : rows->asid[i] * pages),
			             rows->type[i] == TRC_WRITE);
			refs++;
		}
		CHECK(curve->refs == refs && curve->pages == mem.first);
		CHECK_MSG(curve->misses[m] == mem.misses, "%u of %u pages", (unsigned)m,
		          (unsigned)curve->pages);
		CHECK_MSG(curve->writebacks[m] == mem.writebacks, "%u of %u pages: %llu, not %llu",
		          (unsigned)m, (unsigned)curve->pages,
		          (unsigned long long)curve->writebacks[m],
		          (unsigned long long)mem.writebacks);
	}
}

static void
curves_are_those_of_every_memory(void)
{
	static const size_t most[] = { 1, 2, 7, 4096 };
	struct generator m = { test_seed };

	for (int round = 0; round < 1500; round += (int)test_step_most(5)) {
		const uint32_t pages = 1 + (uint32_t)generate_below(&m, 20);
		const uint32_t spaces = 1 + (uint32_t)generate_below(&m, 3);
		struct trc_batch rows = make_trace(&m, round % 4, pages, spaces,
		                                   1 + generate_below(&m, 200));

		for (int by_space = 0; by_space < 2; by_space++) {
			struct trc_mrc mrc;

			curves_of(&rows, most[generate_below(&m, 4)], by_space, &mrc);
			CHECK(mrc.n >= 1 && mrc.n <= (by_space ? spaces : 1));
			for (size_t i = 0; i < mrc.n; i++) {
				CHECK(i == 0 || mrc.curve[i].space > mrc.curve[i - 1].space);
				check_curve(&rows, &mrc.curve[i], by_space, pages);
			}
			trc_mrc_release(&mrc);
		}
		trc_batch_release(&rows);
	}
}

static void
curve_of_many(const struct trc_batch *rows, uint32_t have, bool beside, struct trc_mrc *mrc)
{
	const struct trc_meta meta = { 0 };
	struct trc_err err;
	struct trc_sink *sink = trc_mrc_sink(mrc, have, false, false, &err);

	CHECK(sink);
	if (beside)
		trc_mrc_companion(sink);
	for (size_t i = 0, n; i < rows->n; i += n) {
		struct trc_batch b = { .type = rows->type + i,
			               .vpn = rows->vpn + i,
			               .rtime = rows->rtime + i };

		n = rows->n - i < 4000 ? rows->n - i : 4000;
		b.n = b.cap = n;
		CHECK(trc_sink_put(sink, &b, &err) == 0);
	}
	CHECK(trc_sink_finish(sink, &meta, &err) == 0);
	trc_sink_close(sink);
}

/* So many that distances are had on another thread; with deletes, from the first on no more. */
static void
many_pages_have_the_same_curve_on_two_threads(void)
{
	const uint32_t have = TRC_HAS_TYPE | TRC_HAS_VPN | TRC_HAS_RTIME;
	struct generator m = { test_seed };

	for (int round = 0; round < 4; round++) {
		struct trc_batch rows = generate_zeros(have, 600000);
		struct trc_mrc mrc[2];

		for (size_t i = 0; i < rows.n; i++) {
			rows.vpn[i] = next_page(&m, round, i, 200000);
			rows.rtime[i] = i + 1;
			rows.type[i] = generate_below(&m, 3) ? TRC_READ : TRC_WRITE;
		}
		if (round == 2)
			rows.type[rows.n / 2] = TRC_INVALIDATE;
		for (int beside = 0; beside < 2; beside++)
			curve_of_many(&rows, have, beside, &mrc[beside]);
		CHECK(mrc[0].curve->pages == mrc[1].curve->pages);
		CHECK(mrc[0].curve->refs == mrc[1].curve->refs);
		for (uint64_t k = 0; k <= mrc[0].curve->pages; k++) {
			CHECK(mrc[0].curve->misses[k] == mrc[1].curve->misses[k]);
			CHECK(mrc[0].curve->writebacks[k] == mrc[1].curve->writebacks[k]);
		}
		trc_mrc_release(&mrc[0]);
		trc_mrc_release(&mrc[1]);
		trc_batch_release(&rows);
	}
}

/* The curve of what SAD leaves is that of all references, from r pages on. */
static void
reduced_traces_have_the_same_curve(void)
{
	struct generator m = { test_seed };

	for (int round = 0; round < 300; round += (int)test_step_most(5)) {
		const uint32_t pages = 2 + (uint32_t)generate_below(&m, 20);
		const uint64_t r = 1 + generate_below(&m, pages);
		struct trc_batch rows = make_trace(&m, round % 4, pages, 1, 200), less;
		struct trc_mrc whole, reduced;
		struct trc_err err;
		const struct trc_reduction how = { .r = r };
		uint64_t refs;
		struct trc_source *src = trc_stage_page(generate_source(&rows, 100), 0, &refs,
		                                        &err);

		src = trc_stage_block(src, &err);
		CHECK(src && (src = trc_stage_drop(src, &how, &err)));
		CHECK((src = trc_stage_block(src, &err)));
		CHECK(generate_collect(src, 100, &less, NULL, &err) == 0);
		curves_of(&rows, 4096, false, &whole);
		curves_of(&less, 4096, false, &reduced);
		CHECK(whole.curve[0].pages == reduced.curve[0].pages);
		for (uint64_t k = r; k <= whole.curve[0].pages; k++) {
			CHECK(whole.curve[0].misses[k] == reduced.curve[0].misses[k]);
			CHECK(whole.curve[0].writebacks[k] == reduced.curve[0].writebacks[k]);
		}
		trc_mrc_release(&whole);
		trc_mrc_release(&reduced);
		trc_batch_release(&rows);
		trc_batch_release(&less);
	}
}

/* A load over the end of a page is one to each; a modify loads and stores; both are counted as the
 * references that they are. */
static void
crossing_references_touch_both_pages(void)
{
	struct trc_batch rows = generate_zeros(TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_SIZE, 3);
	struct trc_mrc mrc;
	struct trc_err err;
	struct trc_source *src;
	struct trc_sink *sink;
	uint64_t refs;

	rows.type[0] = TRC_MODIFY, rows.addr[0] = 62, rows.size[0] = 4;
	rows.type[1] = TRC_READ, rows.addr[1] = 128, rows.size[1] = 4;
	rows.type[2] = TRC_READ, rows.addr[2] = 0, rows.size[2] = 4;
	src = trc_stage_page(generate_source(&rows, 1), 6, &refs, &err);
	sink = trc_mrc_sink(&mrc, src->have, false, false, &err);
	CHECK(trc_pump(src, sink, 1, NULL, &err) == 0);
	CHECK(mrc.n == 1 && mrc.curve[0].pages == 3 && mrc.curve[0].refs == 4 && refs == 4);
	/* Pages 0 1 0w 1w 2 0. */
	CHECK(mrc.curve[0].misses[1] == 3 && mrc.curve[0].misses[2] == 1);
	CHECK(mrc.curve[0].misses[3] == 0);
	CHECK(mrc.curve[0].writebacks[1] == 2 && mrc.curve[0].writebacks[2] == 2);
	CHECK(mrc.curve[0].writebacks[3] == 0);
	trc_sink_close(sink);
	trc_source_close(src);
	trc_mrc_release(&mrc);
	trc_batch_release(&rows);
}

static void
nothing_has_an_empty_curve(void)
{
	struct trc_batch rows = generate_zeros(TRC_HAS_TYPE | TRC_HAS_VPN, 1);
	struct trc_mrc mrc;

	rows.n = 0;
	curves_of(&rows, 1, false, &mrc);
	CHECK(mrc.n == 1 && mrc.curve[0].pages == 0 && mrc.curve[0].misses[0] == 0);
	trc_mrc_release(&mrc);
	trc_batch_release(&rows);
}

int
main(void)
{
	test_start();
	RUN(distances_are_positions_in_a_list);
	RUN(many_pages_need_many_levels);
	RUN(pages_have_numbers_in_order_of_first_touch);
	RUN(curves_are_those_of_every_memory);
	RUN(many_pages_have_the_same_curve_on_two_threads);
	RUN(reduced_traces_have_the_same_curve);
	RUN(crossing_references_touch_both_pages);
	RUN(nothing_has_an_empty_curve);
	return 0;
}
