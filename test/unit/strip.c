/* SPDX-License-Identifier: MIT
 *
 * Stripping against caches that are simulated in the most obvious way: on many small traces, for
 * every cache for which it is guaranteed, the same misses at the same references, by the same
 * types, replace the same lines, and the same lines are written back. And what a cache and memory
 * exchange is what such a cache does.
 */
#include "stage/reduce/strip.h"

#include <string.h>

#include "generate.h"
#include "stage/stage.h"
#include "test.h"

enum { WAYS_MOST = 8, SETS_MOST = 32, EVENTS_MOST = 8192, ROWS = 400, LINE_BITS = 4 };

/* What a cache does: fetches a line, or writes one back. */
struct event {
	uint64_t time; /* of the row that caused it */
	uint8_t type;  /* of the row; TRC_COPY_BACK for what goes back */
	uint32_t space;
	uint64_t line;
	bool whole;
};

struct events {
	struct event event[EVENTS_MOST];
	size_t n;
};

struct held {
	uint32_t space;
	uint64_t line;
	bool dirty;
};

struct cache {
	size_t sets, ways, n[SETS_MOST];
	bool fifo;
	struct held held[SETS_MOST][WAYS_MOST]; /* the next to go last */
};

static void
log_event(struct events *e, struct event event)
{
	CHECK(e->n < EVENTS_MOST);
	e->event[e->n++] = event;
}

/* The place of a line in its set, or the number of lines there. */
static size_t
find(const struct cache *c, uint32_t space, uint64_t line)
{
	const struct held *set = c->held[line % c->sets];
	size_t k = 0;

	while (k < c->n[line % c->sets] && (set[k].line != line || set[k].space != space))
		k++;
	return k;
}

static void
use_line(struct cache *c, struct event ref, struct events *e)
{
	const size_t set = ref.line % c->sets, at = find(c, ref.space, ref.line);
	struct held *held = c->held[set], mine = { ref.space, ref.line, false };
	const bool hit = at < c->n[set];

	if (hit && c->fifo) {
		held[at].dirty |= ref.type == TRC_WRITE;
		return;
	}
	if (hit) {
		mine = held[at];
		memmove(held + 1, held, at * sizeof(*held));
	} else {
		const bool full = c->n[set] == c->ways;
		const struct held gone = held[c->ways - 1];

		log_event(e, ref);
		if (full && gone.dirty)
			log_event(e, (struct event){ ref.time, TRC_COPY_BACK, gone.space, gone.line,
			                             false });
		c->n[set] += !full;
		memmove(held + 1, held, (c->n[set] - 1) * sizeof(*held));
	}
	held[0] = mine;
	held[0].dirty |= ref.type == TRC_WRITE;
}

static void
clean_line(struct cache *c, uint64_t time, size_t set, size_t at, struct events *e)
{
	struct held *held = &c->held[set][at];

	if (held->dirty)
		log_event(e, (struct event){ time, TRC_COPY_BACK, held->space, held->line, false });
	held->dirty = false;
}

/* A copy-back or an invalidate, of a line or of all: the last set first, and what goes next. */
static void
obey(struct cache *c, const struct trc_batch *b, size_t i, uint64_t byte, struct events *e)
{
	const uint64_t line = (b->addr[i] + byte) >> LINE_BITS;
	const size_t at = find(c, b->asid[i], line), in = line % c->sets;
	const bool drop = b->type[i] == TRC_INVALIDATE, all = b->size && b->size[i] == 0;

	if (!all && at < c->n[in] && drop) {
		c->n[in]--;
		memmove(&c->held[in][at], &c->held[in][at + 1],
		        (c->n[in] - at) * sizeof(**c->held));
	} else if (!all && at < c->n[in]) {
		clean_line(c, b->time[i], in, at, e);
	}
	for (size_t set = all ? c->sets : 0; set-- > 0;) {
		for (size_t k = drop ? 0 : c->n[set]; k-- > 0;)
			clean_line(c, b->time[i], set, k, e);
		c->n[set] = drop ? 0 : c->n[set];
	}
}

/* Runs the rows through a cache, or with 2 halves through one for data and one for fetches. */
static void
simulate(const struct trc_batch *b, size_t sets, size_t ways, bool fifo, size_t halves,
         struct events *e)
{
	static struct cache cache[2];

	e->n = 0;
	for (size_t k = 0; k < 2; k++)
		cache[k] = (struct cache){ .sets = sets, .ways = ways, .fifo = fifo };
	for (size_t i = 0; i < b->n; i++) {
		struct cache *c = &cache[halves == 2 && b->type[i] == TRC_FETCH];

		if (b->type[i] == TRC_COPY_BACK || b->type[i] == TRC_INVALIDATE) {
			obey(&cache[0], b, i, 0, e);
			for (uint64_t k = 0; b->type[i] == TRC_INVALIDATE &&
			                     (k == 0 || (b->size && k < b->size[i]));
			     k++)
				for (unsigned half = 0; half < 2; half++)
					obey(&cache[half], b, i, k, e);
			continue;
		}
		for (unsigned half = 0; half < trc_type_refs(b->type[i]); half++) {
			const uint64_t size = b->size ? b->size[i] + (b->size[i] == 0) : 4;
			const uint64_t addr = b->size ? b->addr[i] : b->addr[i] / 4 * 4;
			const bool modify = b->type[i] == TRC_MODIFY;

			for (uint64_t line = addr >> LINE_BITS;
			     line <= (addr + size - 1) >> LINE_BITS; line++) {
				const bool whole = line << LINE_BITS >= addr &&
				                   (line + 1) << LINE_BITS <= addr + size;
				struct event ref = { b->time[i], b->type[i], b->asid[i], line,
					             whole };

				if (modify)
					ref.type = half ? TRC_WRITE : TRC_READ;
				use_line(c, ref, e);
			}
		}
	}
}

/* Whether a write that misses is to all of its line counts, since then nothing is fetched from
 * below. */
static bool
same_events(const struct events *a, const struct events *b)
{
	if (a->n != b->n)
		return false;
	for (size_t i = 0; i < a->n; i++)
		if (a->event[i].time != b->event[i].time || a->event[i].type != b->event[i].type ||
		    a->event[i].line != b->event[i].line ||
		    a->event[i].space != b->event[i].space ||
		    (a->event[i].type == TRC_WRITE && a->event[i].whole != b->event[i].whole))
			return false;
	return true;
}

/* Rows of all types around a few lines of two spaces, in two regions of 4 GiB. */
static void
make_refs(struct generator *m, struct trc_batch *b, bool sizes, bool orders)
{
	const uint32_t have = TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_TIME | TRC_HAS_ASID |
	                      TRC_HAS_PC;
	const uint64_t lines = 4 + generate_below(m, 60);

	*b = generate_zeros(have | (sizes ? (uint32_t)TRC_HAS_SIZE : 0), ROWS);
	for (size_t i = 0; i < ROWS; i++) {
		const uint64_t line = generate_below(m, 2) || i == 0 ?
		                              generate_below(m, lines) :
		                              (b->addr[i - 1] >> LINE_BITS) % 64;

		b->type[i] = (uint8_t)generate_below(m, 5);
		if (orders && generate_below(m, 20) == 0)
			b->type[i] = generate_below(m, 2) ? TRC_COPY_BACK : TRC_INVALIDATE;
		b->addr[i] = line << LINE_BITS | generate_below(m, 1 << LINE_BITS);
		b->addr[i] |= generate_below(m, 4) ? 0 : UINT64_C(3) << 32;
		b->asid[i] = generate_below(m, 5) == 0;
		b->time[i] = i + 1;
		b->pc[i] = 1000 + i;
		if (sizes)
			b->size[i] = (uint32_t)(generate_below(m, 8) ? generate_below(m, 9) : 40);
	}
	b->n = ROWS;
}

static const size_t cuts[] = { 1, 2, 7, 4096 };

static struct trc_cache_shape
shape_of(size_t sets, size_t ways)
{
	return (struct trc_cache_shape){ .size = (sets * ways) << LINE_BITS,
		                         .ways = ways,
		                         .line = 1 << LINE_BITS };
}

/* Through halves alike, or one cache. */
static void
strip(struct generator *m, const struct trc_batch *rows, const struct trc_cache_shape *shape,
      size_t halves, bool behind, struct trc_batch *all, struct trc_meta *meta)
{
	const struct trc_cache_shape shapes[2] = { *shape, *shape };
	struct trc_source *src = generate_source(rows, cuts[generate_below(m, 4)]);
	const size_t most = cuts[generate_below(m, 4)];
	struct trc_batch again;
	uint64_t refs = 0, want = 0;
	struct trc_err err;

	for (size_t i = 0; i < rows->n; i++)
		want += trc_type_refs(rows->type[i]);
	src = trc_stage_strip(src, shapes, halves, behind, &refs, &err);
	CHECK(src && generate_collect(src, most, all, meta, &err) == 0);
	CHECK(refs == want && meta->totals && meta->refs == want);
	CHECK(meta->guarantee.sets == shape->size / shape->line / shape->ways);
	CHECK(meta->guarantee.line == shape->line);

	src = trc_stage_strip(generate_source(rows, 4096), shapes, halves, behind, &refs, &err);
	CHECK(src && generate_collect(src, 4096, &again, meta, &err) == 0);
	CHECK(generate_same(&again, all, all->have, (char[128]){ 0 }, 128));
	trc_batch_release(&again);
}

static void
check_guarantee(const struct trc_batch *rows, const struct trc_batch *all, size_t sets, size_t ways,
                size_t halves)
{
	static struct events a, b;

	for (size_t s = sets; s <= SETS_MOST; s *= 2)
		for (size_t w = ways; w <= WAYS_MOST; w++)
			for (int fifo = 0; fifo <= (ways == 1); fifo++) {
				simulate(rows, s, w, fifo, halves, &a);
				simulate(all, s, w, fifo, halves, &b);
				CHECK_MSG(same_events(&a, &b), "%s, %zu sets, %zu ways; filter %zu",
				          fifo ? "FIFO" : "LRU", s, w, sets);
			}
}

static void
caches_of_as_many_sets_see_no_difference(void)
{
	struct generator m = { test_seed };

	for (int round = 0; round < 300; round += (int)test_step_most(3)) {
		const size_t sets = (size_t)1 << generate_below(&m, 5),
		             halves = 1 + generate_below(&m, 2);
		const struct trc_cache_shape shape = shape_of(sets, 1);
		struct trc_batch rows, all;
		struct trc_meta meta;

		make_refs(&m, &rows, generate_below(&m, 2), generate_below(&m, 2));
		strip(&m, &rows, &shape, halves, false, &all, &meta);
		CHECK(meta.guarantee.ways == 1);
		CHECK(meta.guarantee.reduced == (halves == 2 ? TRC_SPLIT_CACHE : 0u));
		check_guarantee(&rows, &all, sets, 1, halves);
		for (size_t i = 0; i < all.n; i++)
			CHECK(all.pc[i] == 999 + all.time[i]);
		trc_batch_release(&rows);
		trc_batch_release(&all);
	}
}

static void
run_levels(const struct trc_batch *rows, const struct trc_cache_shape shape[2],
           struct trc_cache_counts count[2])
{
	struct trc_source *src = generate_source(rows, 100);
	struct trc_err err = { 0 };
	struct trc_sink *sink = trc_cache_sink(shape, 2, count, &err);

	CHECK_MSG(sink && trc_pump(src, sink, 100, NULL, &err) == 0, "%s", err.text);
	trc_sink_close(sink);
	trc_source_close(src);
}

/* What goes down from a first level, and so all that levels below do: a line written as a whole is
 * not fetched, others are. */
static void
levels_below_see_no_difference(void)
{
	struct generator m = { test_seed };

	for (int round = 0; round < 200; round += (int)test_step_most(3)) {
		const size_t sets = (size_t)1 << generate_below(&m, 4);
		const struct trc_cache_shape filter = shape_of(sets, 1);
		struct trc_cache_shape shape[2] = { shape_of(sets, 1 + generate_below(&m, 3)) };
		struct trc_cache_counts a[2], b[2];
		struct trc_batch rows, all;
		struct trc_meta meta;

		shape[1] = (struct trc_cache_shape){ .size = UINT64_C(256) << LINE_BITS,
			                             .ways = 4,
			                             .line = 2 << LINE_BITS };
		make_refs(&m, &rows, generate_below(&m, 2), generate_below(&m, 2));
		strip(&m, &rows, &filter, 1, false, &all, &meta);
		run_levels(&rows, shape, a);
		run_levels(&all, shape, b);
		memcpy(b[0].refs, a[0].refs, sizeof(a[0].refs));
		CHECK(memcmp(a, b, sizeof(a)) == 0);
		trc_batch_release(&rows);
		trc_batch_release(&all);
	}
}

static size_t too_much, tried;

/* Fewer sets than those of the filter would see one. */
static void
fewer_sets_are_not_guaranteed(void)
{
	struct generator m = { test_seed };

	too_much = tried = 0;
	for (int round = 0; round < 100; round++) {
		static struct events a, b;
		const struct trc_cache_shape shape = shape_of(16, 1);
		struct trc_batch rows, all;
		struct trc_meta meta;

		make_refs(&m, &rows, true, false);
		strip(&m, &rows, &shape, 1, false, &all, &meta);
		simulate(&rows, 8, 2, false, 1, &a);
		simulate(&all, 8, 2, false, 1, &b);
		too_much += !same_events(&a, &b);
		tried++;
		trc_batch_release(&rows);
		trc_batch_release(&all);
	}
	CHECK_MSG(too_much > tried / 2, "%zu of %zu", too_much, tried);
}

/* As trc reduce does it: through one way, then each set by itself. */
static void
caches_of_as_many_ways_see_no_difference(void)
{
	struct generator m = { test_seed };

	for (int round = 0; round < 300; round += (int)test_step_most(3)) {
		const size_t sets = (size_t)1 << generate_below(&m, 4),
		             ways = 2 + generate_below(&m, 4);
		const size_t halves = 1 + generate_below(&m, 2);
		const struct trc_cache_shape one = shape_of(sets, 1), shape = shape_of(sets, ways);
		const struct trc_cache_shape shapes[2] = { shape, shape };
		const struct trc_reduction how = { .r = ways, .scope.sets = sets * halves };
		const bool sizes = generate_below(&m, 2);
		struct trc_batch rows, less, all;
		struct trc_source *src;
		struct trc_meta meta;
		struct trc_err err;

		make_refs(&m, &rows, sizes, false);
		strip(&m, &rows, &one, halves, false, &less, &meta);
		src = generate_source(&less, cuts[generate_below(&m, 4)]);
		src->meta = meta;
		src = trc_stage_lines(src, shapes, halves, &err);
		src = trc_stage_drop(src, &how, &err);
		src = trc_stage_unlines(src, shapes, halves, sizes, &err);
		CHECK(generate_collect(src, cuts[generate_below(&m, 4)], &all, &meta, &err) == 0);
		CHECK(meta.guarantee.sets == sets && meta.guarantee.ways == ways);
		CHECK(meta.guarantee.line == 1 << LINE_BITS);
		CHECK(!meta.guarantee.sad && !meta.page_bits && all.n <= less.n);
		check_guarantee(&rows, &all, sets, ways, halves);
		trc_batch_release(&rows);
		trc_batch_release(&less);
		trc_batch_release(&all);
	}
}

/* Row for event: a read of a line, or a write of one that goes back. */
static void
check_exchange(const struct trc_batch *all, const struct events *e)
{
	size_t k = 0;

	for (size_t i = 0; i < e->n; i++) {
		const struct event *x = &e->event[i];
		const uint8_t type = x->type == TRC_COPY_BACK ? TRC_WRITE : TRC_READ;

		if (x->type == TRC_WRITE && x->whole)
			continue;
		CHECK(k < all->n && all->type[k] == type && all->time[k] == x->time);
		CHECK(all->addr[k] == x->line << LINE_BITS && all->asid[k] == x->space);
		CHECK(!all->size || all->size[k] == 1 << LINE_BITS);
		k++;
	}
	CHECK(k == all->n);
}

static void
memory_sees_what_the_cache_does(void)
{
	struct generator m = { test_seed };

	for (int round = 0; round < 500; round += (int)test_step_most(3)) {
		static struct events e;
		const size_t sets = (size_t)1 << generate_below(&m, 5),
		             ways = 1 + generate_below(&m, 8);
		const size_t halves = 1 + generate_below(&m, 2);
		struct trc_cache_shape shape = shape_of(sets, ways);
		struct trc_batch rows, all;
		struct trc_meta meta;

		shape.policy = generate_below(&m, 2) ? TRC_CACHE_FIFO : TRC_CACHE_LRU;
		make_refs(&m, &rows, generate_below(&m, 2), generate_below(&m, 2));
		strip(&m, &rows, &shape, halves, true, &all, &meta);
		CHECK(meta.guarantee.ways == ways && meta.guarantee.reduced & TRC_BELOW_CACHE);
		simulate(&rows, sets, ways, shape.policy == TRC_CACHE_FIFO, halves, &e);
		check_exchange(&all, &e);
		trc_batch_release(&rows);
		trc_batch_release(&all);
	}
}

static void
orders_are_refused_where_they_cannot_be_kept(void)
{
	const struct trc_cache_shape shape = shape_of(4, 2);
	struct trc_batch rows = generate_zeros(TRC_HAS_TYPE | TRC_HAS_ADDR, 1), all;
	struct trc_source *src;
	struct trc_err err;

	rows.n = 1;
	rows.type[0] = TRC_INVALIDATE;
	src = trc_stage_lines(generate_source(&rows, 1), &shape, 1, &err);
	CHECK(src && generate_collect(src, 1, &all, NULL, &err) != 0 &&
	      strstr(err.text, "operation"));
	trc_batch_release(&all);
	trc_batch_release(&rows);
}

static void
what_was_stripped_is_known(void)
{
	static const struct {
		struct trc_guarantee before;
		size_t sets, ways;
		bool behind;
		uint64_t sets_after; /* 0: refused */
	} row[] = {
		{ { .sad = 0 }, 4, 1, false, 4 },
		{ { .sets = 16, .ways = 1, .line = 1 << LINE_BITS }, 4, 1, false, 16 },
		{ { .sets = 2, .ways = 1, .line = 1 << LINE_BITS }, 4, 1, false, 4 },
		{ { .sets = 16, .ways = 1, .line = 64 }, 4, 1, false, 0 },
		{ { .sets = 16, .ways = 1, .line = 1 << LINE_BITS }, 4, 2, true, 0 },
		{ { .sets = 16, .ways = 2, .line = 1 << LINE_BITS }, 16, 1, true, 0 },
		{ { .sets = 4, .ways = 2, .line = 1 << LINE_BITS }, 8, 4, true, 8 },
		{ { .sets = 4, .ways = 2, .line = 64, .reduced = TRC_BELOW_CACHE }, 8, 4, true, 8 },
		{ { .sets = 4, .ways = 1, .line = 1 << LINE_BITS, .reduced = TRC_SPLIT_CACHE },
		  8,
		  1,
		  false,
		  0 },
		{ { .sad = 3 }, 4, 1, false, 0 },
		{ { .sample = 3 }, 4, 1, false, 0 },
	};
	struct trc_batch rows = generate_zeros(TRC_HAS_ADDR, 1), all;

	rows.n = 1;
	for (size_t i = 0; i < TRC_COUNT(row); i++) {
		const struct trc_cache_shape shape = shape_of(row[i].sets, row[i].ways);
		struct trc_source *src = generate_source(&rows, 1);
		struct trc_meta meta;
		struct trc_err err;
		uint64_t refs = 0;
		int ret;

		src->meta.guarantee = row[i].before;
		src = trc_stage_strip(src, &shape, 1, row[i].behind, &refs, &err);
		ret = generate_collect(src, 1, &all, &meta, &err);
		CHECK_MSG(ret == 0 ? meta.guarantee.sets == row[i].sets_after :
		                     !row[i].sets_after && err.code == TRC_USAGE,
		          "row %zu", i);
		trc_batch_release(&all);
	}
	trc_batch_release(&rows);
}

int
main(void)
{
	test_start();
	RUN(caches_of_as_many_sets_see_no_difference);
	RUN(levels_below_see_no_difference);
	RUN(fewer_sets_are_not_guaranteed);
	RUN(caches_of_as_many_ways_see_no_difference);
	RUN(memory_sees_what_the_cache_does);
	RUN(orders_are_refused_where_they_cannot_be_kept);
	RUN(what_was_stripped_is_known);
	return 0;
}
