/* SPDX-License-Identifier: MIT
 *
 * Deletes (rows of type invalidate) in memories of every size, LRU and MIN, against a simulation of
 * each: what is deleted is missed next, is not written back, and leaves its place free.
 */
#include <string.h>

#include "generate.h"
#include "stage/profile/reuse.h"
#include "stage/reduce/certify.h"
#include "stage/reduce/lru.h"
#include "stage/simulate/mrc.h"
#include "stage/stage.h"
#include "test.h"

enum { ROWS = 90, PAGES = 12, DELETES = 20 };

/* What a memory did. */
struct did {
	uint64_t misses, writebacks;
};

/* References to few pages, some of which are deleted. */
static struct trc_batch
rows_for(uint64_t seed, size_t n, uint64_t pages)
{
	struct trc_batch b = generate_zeros(TRC_HAS_TYPE | TRC_HAS_VPN, n);
	struct generator m = { seed };
	const uint64_t of_100 = generate_below(&m, 40);

	for (size_t i = 0; i < b.n; i++) {
		const uint64_t any = generate_below(&m, pages);

		b.vpn[i] = generate_below(&m, 3) ? any % (pages / 3 + 1) : any;
		b.type[i] = generate_below(&m, 100) < of_100 ? TRC_INVALIDATE :
		            generate_below(&m, 3)            ? TRC_READ :
		                                               TRC_WRITE;
	}
	return b;
}

static struct did
lru(const struct trc_batch *b, size_t size)
{
	uint64_t page[PAGES];
	bool dirty[PAGES] = { false };
	struct did did = { 0, 0 };
	size_t n = 0;

	for (size_t i = 0; i < b->n; i++) {
		size_t at = 0;

		while (at < n && page[at] != b->vpn[i])
			at++;
		if (b->type[i] == TRC_INVALIDATE) {
			dirty[b->vpn[i]] = false;
			n -= at < n;
			memmove(page + at, page + at + 1, (n - (at < n ? at : n)) * sizeof(*page));
			continue;
		}
		if (at == n) {
			did.misses++;
			if (n == size) {
				at--;
				did.writebacks += dirty[page[at]];
				dirty[page[at]] = false;
			} else {
				n++;
			}
		}
		memmove(page + 1, page, at * sizeof(*page));
		page[0] = b->vpn[i];
		dirty[page[0]] |= b->type[i] == TRC_WRITE;
	}
	return did;
}

/* When row i's page is used again; SIZE_MAX: not, or it is deleted first. */
static size_t
next_use(const struct trc_batch *b, size_t i)
{
	for (size_t k = i + 1; k < b->n; k++)
		if (b->vpn[k] == b->vpn[i])
			return b->type[k] == TRC_INVALIDATE ? SIZE_MAX : k;
	return SIZE_MAX;
}

/* The misses of the policy that evicts what is used again last. */
static uint64_t
fewest_misses(const struct trc_batch *b, size_t size)
{
	uint64_t page[PAGES], misses = 0;
	size_t next[PAGES], n = 0;

	for (size_t i = 0; i < b->n; i++) {
		size_t at = 0, last = 0;

		while (at < n && page[at] != b->vpn[i])
			at++;
		if (b->type[i] == TRC_INVALIDATE) {
			if (at < n) {
				n--;
				page[at] = page[n];
				next[at] = next[n];
			}
			continue;
		}
		misses += at == n;
		for (size_t k = 0; k < n; k++)
			last = next[k] > next[last] ? k : last;
		if (at == n && n == size)
			at = last;
		n += at == n;
		page[at] = b->vpn[i];
		next[at] = next_use(b, i);
	}
	return misses;
}

/* MIN as it is defined: a reference hits if that makes no other miss that came before. What is
 * deleted was evicted if a reference would miss, and what is left at the end if it is missed when
 * each page is used once more, the one used longest ago first; but the last one is there. */
static struct did
min(const struct trc_batch *rows, size_t size)
{
	struct trc_batch b = generate_zeros(TRC_HAS_TYPE | TRC_HAS_VPN, rows->n + PAGES);
	bool dirty[PAGES] = { false }, there[PAGES] = { false };
	uint64_t last[PAGES] = { 0 }, before = 0, newest = PAGES;
	struct did did = { 0, 0 };

	for (b.n = 1; b.n <= rows->n + PAGES; b.n++) {
		const size_t i = b.n - 1;
		bool gone = false;

		if (i < rows->n) {
			b.vpn[i] = rows->vpn[i];
			gone = rows->type[i] == TRC_INVALIDATE;
		} else {
			b.vpn[i] = PAGES;
			for (uint64_t p = 0; p < PAGES; p++)
				if (there[p] && p != newest &&
				    (b.vpn[i] == PAGES || last[p] < last[b.vpn[i]]))
					b.vpn[i] = p;
			if (b.vpn[i] == PAGES)
				break;
			there[b.vpn[i]] = false;
		}
		b.type[i] = TRC_READ;
		if (fewest_misses(&b, size) > before) {
			did.misses += !gone && i < rows->n;
			before += !gone;
			did.writebacks += dirty[b.vpn[i]];
			dirty[b.vpn[i]] = false;
		}
		if (i >= rows->n)
			continue;
		b.type[i] = gone ? TRC_INVALIDATE : TRC_READ;
		there[b.vpn[i]] = !gone;
		last[b.vpn[i]] = i;
		newest = gone ? newest : b.vpn[i];
		dirty[b.vpn[i]] = !gone && (dirty[b.vpn[i]] || rows->type[i] == TRC_WRITE);
	}
	trc_batch_release(&b);
	return did;
}

/* The curve by a sink; of MIN, of the sizes of `shape` if that is there. */
static struct trc_mrc
curve_of(const struct trc_batch *b, bool opt, const struct trc_memories_shape *shape, size_t most)
{
	struct trc_err err = { 0 };
	struct trc_mrc mrc;
	struct trc_sink *sink;
	uint64_t refs;
	struct trc_source *src = trc_stage_page(generate_source(b, most), 12, &refs, &err);

	CHECK(src);
	sink = shape ? trc_mrc_memories_sink(&mrc, src->have, false, false, shape, &err) :
	       opt   ? trc_mrc_opt_sink(&mrc, src->have, false, false, false, &err) :
	               trc_mrc_sink(&mrc, src->have, false, false, &err);
	CHECK_MSG(sink && trc_pump(src, sink, most, NULL, &err) == 0, "%s", err.text);
	trc_sink_close(sink);
	trc_source_close(src);
	CHECK(mrc.n == 1);
	return mrc;
}

static void
check_size(const struct trc_mrc *mrc, uint64_t size, struct did want, const char *policy)
{
	const struct trc_mrc_curve *c = &mrc->curve[0];
	const uint64_t m = size < c->pages ? size : c->pages;
	const uint64_t misses = trc_mrc_misses(c, m) + c->pages;

	CHECK_MSG(misses == want.misses, "%s, %u pages: %u misses, not %u", policy, (unsigned)size,
	          (unsigned)misses, (unsigned)want.misses);
	CHECK_MSG(trc_mrc_writebacks(c, m) == want.writebacks, "%s, %u pages: %u, not %u", policy,
	          (unsigned)size, (unsigned)trc_mrc_writebacks(c, m), (unsigned)want.writebacks);
}

static void
lru_memories_of_all_sizes_miss_what_is_deleted(void)
{
	for (uint64_t round = 0; round < 400; round += test_step_most(3)) {
		struct trc_batch b = rows_for(test_seed + round, ROWS, PAGES);
		struct trc_mrc mrc = curve_of(&b, false, NULL, round % 2 ? 7 : ROWS);

		for (size_t size = 1; size <= PAGES + 1; size++)
			check_size(&mrc, size, lru(&b, size), "lru");
		trc_mrc_release(&mrc);
		trc_batch_release(&b);
	}
}

static void
min_of_all_sizes_misses_what_is_deleted(void)
{
	for (uint64_t round = 0; round < 60; round++) {
		static const uint64_t some[] = { 1, 2, 3, 7 };
		const struct trc_memories_shape shape = { TRC_CACHE_OPT, 0, some, 4 };
		struct trc_batch b = rows_for(test_seed + round, ROWS, PAGES);
		struct trc_mrc all = curve_of(&b, true, NULL, round % 2 ? 7 : ROWS);
		struct trc_mrc few = curve_of(&b, true, &shape, ROWS);

		for (size_t size = 1; size <= PAGES + 1; size++)
			check_size(&all, size, min(&b, size), "opt");
		for (size_t k = 0; k < shape.n; k++)
			check_size(&few, some[k], min(&b, (size_t)some[k]), "opt of a few sizes");
		trc_mrc_release(&all);
		trc_mrc_release(&few);
		trc_batch_release(&b);
	}
}

/* Over times that are numbered anew, while the last but one is of a page that was deleted. */
static void
min_of_a_few_sizes_keeps_places_when_times_are_renumbered(void)
{
	for (uint64_t round = 0; round < 40; round++) {
		static const uint64_t some[] = { 2, 5, 9, 11 };
		const struct trc_memories_shape shape = { TRC_CACHE_OPT, 1, some, 4 };
		struct trc_batch b = rows_for(test_seed + round, 2000, PAGES);
		struct trc_mrc all = curve_of(&b, true, NULL, 4096);
		struct trc_mrc few = curve_of(&b, true, &shape, 4096);
		const struct trc_mrc_curve *c = &all.curve[0];

		for (size_t k = 0; k < shape.n; k++)
			check_size(&few, some[k],
			           (struct did){ trc_mrc_misses(c, some[k]) + c->pages,
			                         trc_mrc_writebacks(c, some[k]) },
			           "opt of a few sizes");
		trc_mrc_release(&all);
		trc_mrc_release(&few);
		trc_batch_release(&b);
	}
}

/* Of many pages, which are in more than the top of a stack, and whose slots are given anew. */
static void
many_pages_are_deleted_as_few_are(void)
{
	for (uint64_t round = 0; round < 6; round++) {
		static const uint64_t some[] = { 5, 50, 200, 600 };
		struct trc_batch b = rows_for(test_seed + round, 60000, 1000);
		const struct trc_memories_shape lists = { TRC_CACHE_LRU, 1, some, 4 };
		const struct trc_memories_shape optimal = { TRC_CACHE_OPT, 1, some, 4 };
		struct trc_mrc mrc[] = { curve_of(&b, false, NULL, 4096),
			                 curve_of(&b, false, &lists, 4096),
			                 curve_of(&b, true, NULL, 4096),
			                 curve_of(&b, true, &optimal, 4096) };

		for (size_t i = 0; i < 4; i += 2)
			for (size_t k = 0; k < 4; k++) {
				const struct trc_mrc_curve *c = &mrc[i + 1].curve[0];

				check_size(&mrc[i], some[k],
				           (struct did){ trc_mrc_misses(c, some[k]) + c->pages,
				                         trc_mrc_writebacks(c, some[k]) },
				           i ? "opt" : "lru");
			}
		for (size_t i = 0; i < 4; i++)
			trc_mrc_release(&mrc[i]);
		trc_batch_release(&b);
	}
}

/* What SAD leaves of the rows as they are referred to; with `parts`, of several at once. */
static struct trc_batch
reduced_of(const struct trc_batch *b, uint64_t r, uint64_t window, bool block, bool parts)
{
	const struct trc_reduction how = { .r = r, .window = window, .clock = TRC_COL_RTIME };
	struct trc_source *src = generate_source(b, 50), *next = NULL;
	struct trc_err err = { 0 };
	struct trc_batch left;
	struct trc_meta meta;
	static uint64_t refs;

	if (parts) {
		next = trc_stage_drop_chunks(src, 12, block, &how, 2, &refs, &err);
	} else {
		src = trc_stage_page(src, 12, &refs, &err);
		src = block && src ? trc_stage_block(src, &err) : src;
		next = src ? trc_stage_drop(src, &how, &err) : NULL;
	}
	CHECK_MSG(next, "%s", err.text);
	if (block)
		next = trc_stage_block(next, &err);
	CHECK(generate_collect(next, 60, &left, &meta, &err) == 0);
	return left;
}

static void
certify(const struct trc_batch *b, const struct trc_batch *left, uint64_t r, bool want)
{
	const struct trc_scope scope = { 0 };
	struct trc_err err = { 0 };
	struct trc_certificate c;
	uint64_t refs;
	struct trc_source *src = trc_stage_page(generate_source(b, 60), 12, &refs, &err);
	struct trc_source *reduced = generate_source(left, 60);
	struct trc_sink *sink;

	CHECK(src);
	sink = trc_certify_sink(&c, reduced, r, &scope, NULL, src->have, &err);
	CHECK(sink);
	CHECK_MSG((trc_pump(src, sink, 60, NULL, &err) == 0) == want, "%s", err.text);
	CHECK(!want || c.references == refs);
	trc_sink_close(sink);
	trc_source_close(src);
	trc_source_close(reduced);
}

static size_t
count_deletes(const struct trc_batch *b)
{
	size_t n = 0;

	for (size_t i = 0; i < b->n; i++)
		n += b->type[i] == TRC_INVALIDATE;
	return n;
}

static void
sad_keeps_what_deletes_make_matter(void)
{
	for (uint64_t round = 0; round < 300; round += test_step_most(3)) {
		const uint64_t r = 1 + round % 6;
		const bool block = round % 5 == 0;
		struct trc_batch b = rows_for(test_seed + round, ROWS, PAGES);
		struct trc_batch left = reduced_of(&b, r, 0, block, false);
		struct trc_batch again = reduced_of(&left, r, 0, block, false);

		CHECK(count_deletes(&left) == count_deletes(&b) && again.n == left.n);
		for (size_t size = (size_t)r; size <= PAGES + 1; size++) {
			const struct did all = lru(&b, size), few = lru(&left, size);

			CHECK_MSG(all.misses == few.misses && all.writebacks == few.writebacks,
			          "r %u, %u pages", (unsigned)r, (unsigned)size);
			CHECK(fewest_misses(&b, size) == fewest_misses(&left, size));
		}
		certify(&b, &left, r, true);
		trc_batch_release(&again);
		trc_batch_release(&left);
		trc_batch_release(&b);
	}
}

/* One delete less, or one of another page, is another trace. */
static void
a_certificate_wants_all_deletes(void)
{
	struct trc_batch b = rows_for(test_seed, ROWS, PAGES), left;
	size_t at = 0;

	for (size_t i = 20; i < ROWS; i += 7)
		b.type[i] = TRC_INVALIDATE;
	left = reduced_of(&b, 2, 0, false, false);
	certify(&b, &left, 2, true);
	while (left.type[at] != TRC_INVALIDATE)
		at++;
	left.vpn[at]++;
	certify(&b, &left, 2, false);
	left.vpn[at]--;
	left.type[at] = TRC_READ;
	certify(&b, &left, 2, false);
	b.type[20] = TRC_READ;
	left.type[at] = TRC_INVALIDATE;
	certify(&b, &left, 2, false);
	trc_batch_release(&left);
	trc_batch_release(&b);
}

/* Misses of working sets with windows of `window` references, of rows with their times. */
static uint64_t
window_misses(const struct trc_batch *b, uint64_t window)
{
	uint64_t misses = 0, last[PAGES] = { 0 };

	for (size_t i = 0; i < b->n; i++) {
		const bool gone = b->type[i] == TRC_INVALIDATE;
		const uint64_t was = last[b->vpn[i]];

		misses += !gone && (was == 0 || b->rtime[i] - was > window);
		last[b->vpn[i]] = gone ? 0 : b->rtime[i];
	}
	return misses;
}

static void
windows_keep_what_deletes_make_matter(void)
{
	for (uint64_t round = 0; round < 100; round++) {
		const uint64_t window = 3 + round % 9;
		struct trc_batch b = rows_for(test_seed + round, ROWS, PAGES);
		struct trc_batch all, left;

		all = reduced_of(&b, TRC_LRU_PAGES_MOST, 1, false, false);
		left = reduced_of(&b, 0, window, false, false);
		for (uint64_t w = window; w < 60; w++)
			CHECK(window_misses(&all, w) == window_misses(&left, w));
		CHECK(count_deletes(&left) == count_deletes(&b));
		trc_batch_release(&all);
		trc_batch_release(&left);
		trc_batch_release(&b);
	}
}

/* Whether chunks have deletes, all, some or none. */
static void
parts_with_deletes_are_reduced_as_the_whole(void)
{
	enum { MANY = 500000 };

	for (uint64_t round = 0; round < 4; round++) {
		struct trc_batch b = rows_for(test_seed + round, MANY, 3000), whole, parts;
		char why[200];

		for (size_t i = 0; i < MANY; i++)
			if (b.type[i] == TRC_INVALIDATE &&
			    (round == 2 || (round == 3 && i > MANY / 3 && i < MANY / 2)))
				b.type[i] = TRC_READ;
		whole = reduced_of(&b, 50 << 2 * round, 0, round % 2, false);
		parts = reduced_of(&b, 50 << 2 * round, 0, round % 2, true);
		CHECK_MSG(generate_same(&whole, &parts, whole.have, why, sizeof(why)), "%s", why);
		trc_batch_release(&whole);
		trc_batch_release(&parts);
		trc_batch_release(&b);
	}
}

static void
a_reduction_that_cannot_keep_deletes_names_them(void)
{
	const struct trc_reduction how = { .r = 3, .lru_only = true };
	struct trc_batch b = rows_for(test_seed, ROWS, PAGES), left;
	struct trc_err err = { 0 };
	struct trc_meta meta;
	uint64_t refs;
	struct trc_source *src = trc_stage_page(generate_source(&b, 60), 12, &refs, &err);

	for (size_t i = 0; i < b.n; i++)
		b.type[i] = i % 30 ? TRC_READ : TRC_INVALIDATE;
	src = trc_stage_olr(src, &how, &err);
	CHECK(generate_collect(src, 60, &left, &meta, &err) != 0);
	CHECK(strstr(err.text, "the trace has 3") && strstr(err.text, "--drop invalidate"));
	trc_batch_release(&left);
	trc_batch_release(&b);
}

/* A range, and all pages, by a size of 0; what has no page is no reference to it. */
static void
a_delete_is_of_all_pages_that_it_names(void)
{
	static const struct {
		uint64_t addr;
		uint32_t size, type;
	} row[] = { { 0, 1, TRC_READ },
		    { 4096, 1, TRC_READ },
		    { 8192, 1, TRC_READ },
		    { 100, 5000, TRC_INVALIDATE },
		    { 0, 8193, TRC_READ },
		    { 0, 0, TRC_INVALIDATE },
		    { 1 << 30, UINT32_MAX, TRC_INVALIDATE },
		    { 0, 8193, TRC_READ } };
	struct trc_batch b = generate_zeros(TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_SIZE,
	                                    TRC_COUNT(row));
	struct trc_err err = { 0 };
	struct trc_source *src;
	struct trc_sink *sink;
	struct trc_reuse reuse;
	struct trc_reuse_histogram h;
	uint64_t refs;

	for (size_t i = 0; i < b.n; i++) {
		b.addr[i] = row[i].addr;
		b.size[i] = row[i].size;
		b.type[i] = (uint8_t)row[i].type;
	}
	src = trc_stage_page_ranges(generate_source(&b, 3), 12, &refs, &err);
	sink = trc_reuse_sink(&reuse, src->have, false, &err);
	CHECK(sink && trc_pump(src, sink, 3, NULL, &err) == 0);
	trc_sink_close(sink);
	trc_source_close(src);
	CHECK(refs == 5 && reuse.mrc.curve[0].pages == 3 && reuse.mrc.curve[0].again == 5);
	trc_reuse_at(&reuse, 0, &h);
	CHECK(h.touches == 9 && h.cold == 8);
	for (size_t k = 0; k < TRC_REUSE_BINS; k++)
		CHECK(h.distance[k] == (k == 2) && h.time[k] == (k == 0));
	trc_reuse_release(&reuse);
	trc_batch_release(&b);
}

/* Deletes, and pages that are too many to be taken one by one: in any order. */
static void
ranges_with_deletes_are_refused(void)
{
	for (size_t at = 0; at < 2; at++) {
		struct trc_batch b = generate_zeros(TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_SIZE, 2);
		struct trc_err err = { 0 };
		struct trc_reuse reuse;
		struct trc_source *src;
		struct trc_sink *sink;
		uint64_t refs;

		b.size[1 - at] = 3 << 20;
		b.size[at] = 1;
		b.type[at] = TRC_INVALIDATE;
		src = trc_stage_page_ranges(generate_source(&b, 3), 0, &refs, &err);
		sink = trc_reuse_sink(&reuse, src->have, false, &err);
		CHECK(sink && trc_pump(src, sink, 3, NULL, &err) != 0);
		CHECK(strstr(err.text, "--drop invalidate"));
		trc_sink_close(sink);
		trc_source_close(src);
		trc_reuse_release(&reuse);
		trc_batch_release(&b);
	}
}

int
main(void)
{
	test_start();
	RUN(lru_memories_of_all_sizes_miss_what_is_deleted);
	RUN(min_of_all_sizes_misses_what_is_deleted);
	RUN(min_of_a_few_sizes_keeps_places_when_times_are_renumbered);
	RUN(many_pages_are_deleted_as_few_are);
	RUN(a_delete_is_of_all_pages_that_it_names);
	RUN(ranges_with_deletes_are_refused);
	RUN(sad_keeps_what_deletes_make_matter);
	RUN(a_certificate_wants_all_deletes);
	RUN(windows_keep_what_deletes_make_matter);
	RUN(parts_with_deletes_are_reduced_as_the_whole);
	RUN(a_reduction_that_cannot_keep_deletes_names_them);
	return 0;
}
