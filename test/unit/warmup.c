/* SPDX-License-Identifier: MIT
 *
 * Warm-ups: what counts behind the first N records, against memories and windows that are simulated
 * as they are defined and look at a clock; whatever stages make of a record.
 */
#include "stage/profile/warmup.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "generate.h"
#include "stage/profile/hot.h"
#include "stage/profile/reuse.h"
#include "stage/stage.h"
#include "test.h"

enum { BITS = 12, PAGES = 24, RECORDS = 150, TOUCHES_MOST = RECORDS * 2 * 4 };

/* ---- what records touch, by their definition ---- */

struct touch {
	uint64_t page, time;
	bool write, counts;
};

struct touches {
	struct touch of[TOUCHES_MOST];
	size_t n, refs, first_refs; /* references, and those that do not count */
	uint64_t pages;
};

static struct trc_batch
make_records(struct generator *m)
{
	static const uint8_t type[] = { TRC_READ,   TRC_WRITE,    TRC_FETCH,
		                        TRC_MODIFY, TRC_PREFETCH, TRC_COPY_BACK };
	struct trc_batch b = generate_zeros(TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_SIZE | TRC_HAS_PC,
	                                    1 + (size_t)generate_below(m, RECORDS));
	const uint64_t pages = 1 + generate_below(m, PAGES - 3);

	for (size_t i = 0; i < b.n; i++) {
		const uint64_t page = generate_below(m, 3) ? generate_below(m, pages) : i % pages;

		b.type[i] = type[generate_below(m, 6)];
		b.addr[i] = page << BITS | generate_below(m, 1 << BITS);
		b.size[i] = (uint32_t)(generate_below(m, 4) ? 4 : 1 + generate_below(m, 2 << BITS));
		b.pc[i] = generate_below(m, 4);
	}
	return b;
}

static void
touch_pages(struct touches *t, const struct trc_batch *b, size_t i, bool write, bool counts)
{
	const uint64_t last = (b->addr[i] + b->size[i] - 1) >> BITS;

	t->refs++;
	t->first_refs += !counts;
	for (uint64_t p = b->addr[i] >> BITS; p <= last; p++) {
		CHECK(t->n < TOUCHES_MOST);
		t->of[t->n++] = (struct touch){ p, t->refs, write, counts };
	}
}

static struct touches
touches_of(const struct trc_batch *b, size_t warm)
{
	struct touches t = { .n = 0 };
	bool seen[PAGES + 4] = { false };

	for (size_t i = 0; i < b->n; i++) {
		const uint8_t type = b->type[i];

		if (type == TRC_READ || type == TRC_FETCH || type == TRC_MODIFY)
			touch_pages(&t, b, i, false, i >= warm);
		if (type == TRC_WRITE || type == TRC_MODIFY)
			touch_pages(&t, b, i, true, i >= warm);
	}
	for (size_t i = 0; i < t.n; i++) {
		t.pages += !seen[t.of[i].page];
		seen[t.of[i].page] = true;
	}
	return t;
}

/* ---- memories ---- */

struct did {
	uint64_t misses, first, writebacks;
};

struct frame {
	uint64_t page, key; /* what has the least goes */
	bool dirty;
};

enum kind { LRU, FIFO, MIN, KINDS };

/* Less for what is used again later; of what is not, less for what was used later. */
static uint64_t
key_of(const struct touches *t, size_t i, enum kind kind)
{
	size_t k = i + 1;

	if (kind != MIN)
		return i;
	while (k < t->n && t->of[k].page != t->of[i].page)
		k++;
	return k < t->n ? 2 * TOUCHES_MOST - k : TOUCHES_MOST - 1 - i;
}

static struct did
memory(const struct touches *t, size_t size, enum kind kind)
{
	struct frame frame[PAGES + 4];
	bool seen[PAGES + 4] = { false }, owed[PAGES + 4] = { false };
	struct did did = { 0, 0, 0 };
	size_t n = 0;

	for (size_t i = 0; i < t->n; i++) {
		const struct touch *x = &t->of[i];
		size_t at = 0;

		while (at < n && frame[at].page != x->page)
			at++;
		if (at == n) {
			did.misses += x->counts && seen[x->page];
			did.first += x->counts && !seen[x->page];
			/* That of MIN is known when the page comes again. */
			did.writebacks += x->counts && owed[x->page];
			owed[x->page] = false;
			if (n == size) {
				at = 0;
				for (size_t k = 1; k < n; k++)
					at = frame[k].key < frame[at].key ? k : at;
				if (kind == MIN)
					owed[frame[at].page] = frame[at].dirty;
				else
					did.writebacks += x->counts && frame[at].dirty;
			} else {
				n++;
			}
			frame[at] = (struct frame){ x->page, key_of(t, i, kind), false };
		}
		if (kind != FIFO)
			frame[at].key = key_of(t, i, kind);
		frame[at].dirty |= x->write;
		seen[x->page] = true;
	}
	for (size_t p = 0; p < PAGES + 4; p++)
		did.writebacks += owed[p];
	return did;
}

/* ---- ways through trc ---- */

typedef struct trc_sink *open_fn(void *answer, bool first, uint32_t have, struct trc_err *err);

/* Both answers behind a warm-up. */
static int
run(const struct trc_batch *b, size_t warm, size_t most, open_fn *open, void *answer, void *before,
    struct trc_err *err)
{
	struct trc_warmup w = { .records = warm };
	uint64_t refs;
	struct trc_source *src = trc_warmup_source(generate_source(b, most), &w, err);
	struct trc_sink *sink;
	int ret;

	src = src ? trc_stage_page_ranges(src, BITS, &refs, err) : NULL;
	CHECK(src);
	sink = trc_warmup_sink(open(answer, false, src->have, err),
	                       open(before, true, src->have, err), &w, err);
	CHECK(sink);
	ret = trc_pump(src, sink, most, NULL, err);
	trc_sink_close(sink);
	trc_source_close(src);
	return ret;
}

static struct trc_sink *
open_lru(void *answer, bool first, uint32_t have, struct trc_err *err)
{
	(void)first;
	return trc_mrc_sink(answer, have, false, false, err);
}

static struct trc_sink *
open_opt(void *answer, bool first, uint32_t have, struct trc_err *err)
{
	return trc_mrc_opt_sink(answer, have, false, first, false, err);
}

static const uint64_t size[] = { 1, 2, 4, 8, 16, 32 };
static struct trc_memories_shape shape = { 0, 7, size, TRC_COUNT(size) };

static struct trc_sink *
open_memories(void *answer, bool first, uint32_t have, struct trc_err *err)
{
	return trc_mrc_memories_sink(answer, have, false, first, &shape, err);
}

static struct trc_memories_shape shape_of_min = { TRC_CACHE_OPT, 0, size, TRC_OPT_SIZES_MOST };

static struct trc_sink *
open_min_of_sizes(void *answer, bool first, uint32_t have, struct trc_err *err)
{
	return trc_mrc_memories_sink(answer, have, false, first, &shape_of_min, err);
}

static struct trc_sink *
open_reuse(void *answer, bool first, uint32_t have, struct trc_err *err)
{
	(void)first;
	return trc_reuse_sink(answer, have, false, err);
}

static uint64_t
misses_at(const struct trc_mrc_curve *c, uint64_t m)
{
	return trc_mrc_misses(c, m < c->pages ? m : c->pages);
}

static uint64_t
writebacks_at(const struct trc_mrc_curve *c, uint64_t m)
{
	return trc_mrc_writebacks(c, m < c->pages ? m : c->pages);
}

/* ---- laws ---- */

static void
check_curve(const struct trc_batch *b, size_t warm, size_t most, enum kind kind, bool sizes)
{
	const struct touches t = touches_of(b, warm);
	struct trc_mrc mrc, before;
	struct trc_err err = { 0 };
	const struct trc_mrc_curve *c;

	shape.policy = TRC_CACHE_FIFO;
	CHECK_MSG(run(b, warm, most,
	              kind == LRU           ? open_lru :
	              kind == MIN && !sizes ? open_opt :
	              kind == MIN           ? open_min_of_sizes :
	                                      open_memories,
	              &mrc, &before, &err) == 0,
	          "%s", err.text);
	CHECK(trc_mrc_subtract(&mrc, &before, &err) == 0 && mrc.n == 1);
	c = &mrc.curve[0];
	CHECK(c->refs == t.refs - t.first_refs && c->pages == t.pages);
	for (size_t m = 1; m <= t.pages + 1; m++) {
		struct did did;

		if ((kind == FIFO || sizes) && (m & (m - 1)))
			continue;
		if (kind == MIN && sizes && m > size[shape_of_min.n - 1] && m < t.pages)
			continue;
		did = memory(&t, m, kind);
		CHECK_MSG(
		        misses_at(c, m) == did.misses && c->pages - c->warm == did.first &&
		                writebacks_at(c, m) == did.writebacks,
		        "kind %d, %u of %u pages behind %u of %u records: %u, %u, %u, not %u, %u, "
		        "%u",
		        kind, (unsigned)m, (unsigned)t.pages, (unsigned)warm, (unsigned)b->n,
		        (unsigned)misses_at(c, m), (unsigned)(c->pages - c->warm),
		        (unsigned)writebacks_at(c, m), (unsigned)did.misses, (unsigned)did.first,
		        (unsigned)did.writebacks);
	}
	trc_mrc_release(&mrc);
	trc_mrc_release(&before);
}

static void
memories_are_warm_when_counting_begins(void)
{
	struct generator m = { test_seed };

	for (int round = 0; round < 200; round++) {
		struct trc_batch b = make_records(&m);
		const size_t warm = (size_t)generate_below(&m, b.n + 1);

		if (warm)
			check_curve(&b, warm, round % 5 ? 1 + generate_below(&m, 40) : 4096,
			            (enum kind)(round % KINDS), round / KINDS % 2);
		trc_batch_release(&b);
	}
}

/* The policies themselves are those of test/unit/policies.c. */
static void
every_policy_is_all_less_the_first(void)
{
	struct generator m = { test_seed };

	for (unsigned i = 0; trc_policy(i); i++) {
		struct trc_batch b = make_records(&m), few = b;
		struct trc_mrc mrc, before, all, none;
		struct trc_err err = { 0 };

		if (trc_policy(i)->ahead)
			shape.policy = TRC_CACHE_LRU;
		else
			shape.policy = i;
		few.n = (b.n + 1) / 2;
		CHECK(run(&b, few.n, 9, open_memories, &mrc, &before, &err) == 0);
		trc_mrc_release(&before);
		CHECK(run(&b, b.n, 50, open_memories, &all, &none, &err) == 0);
		trc_mrc_release(&none);
		CHECK(run(&few, few.n, 50, open_memories, &before, &none, &err) == 0);
		CHECK(trc_mrc_subtract(&mrc, &before, &err) == 0);
		for (size_t k = 0; k < TRC_COUNT(size); k++)
			CHECK_MSG(misses_at(&mrc.curve[0], size[k]) ==
			                          misses_at(&all.curve[0], size[k]) -
			                                  misses_at(&before.curve[0], size[k]) &&
			                  writebacks_at(&mrc.curve[0], size[k]) ==
			                          writebacks_at(&all.curve[0], size[k]) -
			                                  writebacks_at(&before.curve[0], size[k]),
			          "%s, %u pages", trc_policy(i)->name, (unsigned)size[k]);
		trc_mrc_release(&mrc);
		trc_mrc_release(&before);
		trc_mrc_release(&none);
		trc_mrc_release(&all);
		trc_batch_release(&b);
	}
}

/* Blocks of a million pages, all of them at a time: memories of whole blocks do as if a block was a
 * page. */
static void
ranges_are_warm_too(void)
{
	enum { BLOCK = 1 << 20, BLOCKS = 6, N = 60 };
	struct generator m = { test_seed };

	for (int round = 0; round < 4; round++) {
		struct trc_batch b = generate_zeros(TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_SIZE, N);
		const size_t warm = 1 + (size_t)generate_below(&m, N);
		struct touches t = { .n = 0 };
		struct trc_mrc mrc, before;
		struct trc_err err = { 0 };
		uint64_t seen = 0;

		for (size_t i = 0; i < N; i++) {
			const uint64_t block = generate_below(&m, BLOCKS);

			b.addr[i] = block * BLOCK << BITS;
			b.size[i] = UINT32_MAX;
			b.type[i] = generate_below(&m, 2) ? TRC_READ : TRC_WRITE;
			seen |= UINT64_C(1) << block;
			t.of[t.n++] = (struct touch){ block, i, b.type[i] == TRC_WRITE, i >= warm };
		}
		CHECK(run(&b, warm, 7, open_lru, &mrc, &before, &err) == 0);
		CHECK(trc_mrc_subtract(&mrc, &before, &err) == 0);
		for (size_t k = 1; k <= BLOCKS && seen == (1 << BLOCKS) - 1; k++) {
			const struct did did = memory(&t, k, LRU);

			CHECK(misses_at(&mrc.curve[0], k * BLOCK) == did.misses * BLOCK);
			CHECK(writebacks_at(&mrc.curve[0], k * BLOCK) == did.writebacks * BLOCK);
		}
		trc_mrc_release(&mrc);
		trc_mrc_release(&before);
		trc_batch_release(&b);
	}
}

/* Pages touched at instants (from, to]. */
static uint64_t
touched(const struct touches *t, int64_t from, int64_t to)
{
	bool in[PAGES + 4] = { false };
	uint64_t n = 0;

	for (size_t i = 0; i < t->n; i++)
		if ((int64_t)t->of[i].time > from && (int64_t)t->of[i].time <= to) {
			n += !in[t->of[i].page];
			in[t->of[i].page] = true;
		}
	return n;
}

static void
check_window(const struct touches *t, const struct trc_ws *ws, uint64_t window)
{
	const struct trc_ws_point p = trc_ws_at(ws, &ws->of[0], window);
	uint64_t misses = 0, sum = 0, whole = 0, windows = 0;

	for (size_t i = 0; i < t->n; i++) {
		size_t k = i;

		while (k-- > 0 && t->of[k].page != t->of[i].page)
			;
		misses += t->of[i].counts &&
		          (k == SIZE_MAX || t->of[i].time - t->of[k].time > window);
	}
	for (uint64_t at = t->first_refs + 1; at <= t->refs; at++) {
		const uint64_t in = touched(t, (int64_t)(at - window), (int64_t)at);

		sum += in;
		whole += at >= window ? in : 0;
		windows += at >= window;
	}
	CHECK(p.misses == misses);
	if (t->refs > t->first_refs)
		CHECK(fabs(p.size - (double)sum / (double)(t->refs - t->first_refs)) < 1e-6);
	CHECK(windows ? fabs(p.footprint - (double)whole / (double)windows) < 1e-6 :
	                p.footprint < 0);
}

static size_t
bin_of(uint64_t v)
{
	size_t k = 0;

	while (k < 64 && UINT64_C(1) << k < v)
		k++;
	return k;
}

static void
check_histogram(const struct touches *t, const struct trc_reuse *reuse)
{
	struct trc_reuse_histogram h, want = { .touches = 0 };

	trc_reuse_at(reuse, 0, &h);
	for (size_t i = 0; i < t->n; i++) {
		bool in[PAGES + 4] = { false };
		size_t k = i, distance = 0;

		if (!t->of[i].counts)
			continue;
		while (k-- > 0 && t->of[k].page != t->of[i].page) {
			distance += !in[t->of[k].page];
			in[t->of[k].page] = true;
		}
		want.touches++;
		want.cold += k == SIZE_MAX;
		if (k == SIZE_MAX)
			continue;
		want.distance[bin_of(distance + 1)]++;
		want.time[bin_of(t->of[i].time - t->of[k].time)]++;
	}
	CHECK(h.touches == want.touches && h.cold == want.cold);
	CHECK(memcmp(h.distance, want.distance, sizeof(h.distance)) == 0);
	CHECK(memcmp(h.time, want.time, sizeof(h.time)) == 0);
}

static void
windows_and_distances_reach_back(void)
{
	struct generator m = { test_seed };

	for (int round = 0; round < 60; round++) {
		struct trc_batch b = make_records(&m);
		const size_t warm = 1 + (size_t)generate_below(&m, b.n);
		const struct touches t = touches_of(&b, warm);
		struct trc_reuse reuse, before;
		struct trc_err err = { 0 };

		CHECK(run(&b, warm, 1 + generate_below(&m, 30), open_reuse, &reuse, &before,
		          &err) == 0);
		CHECK(trc_reuse_subtract(&reuse, &before, &err) == 0);
		for (uint64_t w = 1; w <= 128 && t.n > 0; w += 1 + w / 5)
			check_window(&t, &reuse.ws, w);
		if (t.n > 0)
			check_histogram(&t, &reuse);
		trc_reuse_release(&reuse);
		trc_reuse_release(&before);
		trc_batch_release(&b);
	}
}

/* ---- strides ---- */

/* By one instruction: references that count, and how many go on as before. */
static void
check_strides(const struct trc_batch *b, size_t warm, const struct trc_hot *hot, uint64_t pc)
{
	uint64_t refs = 0, regular = 0, n = 0, last = 0, step = 0;

	for (size_t i = 0; i < b->n; i++) {
		const uint8_t type = b->type[i];

		if (b->pc[i] != pc || type == TRC_PREFETCH || type == TRC_COPY_BACK)
			continue;
		refs += i >= warm ? 1 + (type == TRC_MODIFY) : 0;
		regular += i >= warm && n >= 2 && b->addr[i] - last == step;
		step = n ? b->addr[i] - last : 0;
		last = b->addr[i];
		n += 1 + (type == TRC_MODIFY); /* a load and its store are no way apart */
	}
	for (size_t k = 0; k < hot->n; k++)
		if (hot->entry[k].key == pc) {
			CHECK(trc_hot_refs(&hot->entry[k]) == refs);
			CHECK(hot->entry[k].regular == regular);
			return;
		}
	CHECK(refs == 0);
}

static void
strides_go_on(void)
{
	struct generator m = { test_seed };

	for (int round = 0; round < 40; round++) {
		struct trc_batch b = make_records(&m);
		const size_t warm = 1 + (size_t)generate_below(&m, b.n);
		struct trc_hot hot, before;
		struct trc_err err;
		struct trc_warmup w = { .records = warm };
		struct trc_source *src;
		struct trc_sink *sink;

		for (size_t i = 0; i < b.n; i++) {
			b.addr[i] = generate_below(&m, 8) ? i * 8 * b.pc[i] : b.addr[i];
			b.type[i] = b.type[i] == TRC_FETCH ? TRC_READ : b.type[i];
		}
		src = trc_warmup_source(generate_source(&b, 11), &w, &err);
		sink = trc_warmup_sink(trc_hot_sink(&hot, b.have, TRC_HOT_PC, 0, &err),
		                       trc_hot_sink(&before, b.have, TRC_HOT_PC, 0, &err), &w,
		                       &err);
		CHECK(src && sink && trc_pump(src, sink, 11, NULL, &err) == 0);
		CHECK(trc_hot_subtract(&hot, &before, &err) == 0);
		for (uint64_t pc = 0; pc < 4; pc++)
			check_strides(&b, warm, &hot, pc);
		trc_sink_close(sink);
		trc_source_close(src);
		trc_hot_release(&hot);
		trc_hot_release(&before);
		trc_batch_release(&b);
	}
}

static void
short_traces_have_no_warm_up(void)
{
	struct generator m = { test_seed };
	struct trc_batch b = make_records(&m);
	struct trc_mrc mrc, before;
	struct trc_err err = { 0 };

	CHECK(run(&b, b.n + 1, 5, open_lru, &mrc, &before, &err) == -1);
	CHECK(strstr(err.text, "has fewer than"));
	trc_mrc_release(&mrc);
	trc_mrc_release(&before);
	trc_batch_release(&b);
}

int
main(void)
{
	test_start();
	RUN(memories_are_warm_when_counting_begins);
	RUN(every_policy_is_all_less_the_first);
	RUN(ranges_are_warm_too);
	RUN(windows_and_distances_reach_back);
	RUN(strides_go_on);
	RUN(short_traces_have_no_warm_up);
	return 0;
}
