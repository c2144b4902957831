/* SPDX-License-Identifier: MIT
 *
 * Caches against a plain simulator of their definition (stage/simulate/cache/cache.h), which keeps
 * lines with stamps and looks at all of them, and against what is known of LRU: a fully associative
 * cache of n lines misses just what has a stack distance above n, and with more ways nothing is
 * missed that was a hit before.
 */
#include "stage/simulate/cache/cache.h"

#include <string.h>

#include "base/bytes.h"
#include "generate.h"
#include "stage/simulate/cache/cache_sweep.h"
#include "test.h"

enum { ROWS = 4000, LINES_MOST = 512 };

/* ---- the plain simulator ---- */

struct plain_line {
	bool held, dirty;
	uint32_t space;
	uint64_t line, used, born; /* stamps */
};

struct plain {
	struct trc_cache_shape shape;
	struct plain_line line[LINES_MOST];
	uint64_t now;
	struct trc_cache_counts count;
	struct plain *below;
};

static void plain_refer(struct plain *p, uint32_t space, uint64_t addr, uint64_t size, int type);

static uint64_t
plain_lines(const struct plain *p)
{
	return p->shape.size / p->shape.line;
}

static uint64_t
plain_sets(const struct plain *p)
{
	return plain_lines(p) / p->shape.ways;
}

static struct plain_line *
plain_find(struct plain *p, uint32_t space, uint64_t line)
{
	for (size_t i = 0; i < plain_lines(p); i++)
		if (p->line[i].held && p->line[i].line == line && p->line[i].space == space)
			return &p->line[i];
	return NULL;
}

/* The place for a line: one of its set that is free, else the one whose stamp is the oldest. Set k
 * is the lines k, k + sets, k + 2 sets, ... */
static struct plain_line *
plain_victim(struct plain *p, uint64_t line)
{
	const uint64_t sets = plain_sets(p);
	struct plain_line *victim = &p->line[line % sets];

	for (uint64_t i = line % sets; i < plain_lines(p); i += sets) {
		struct plain_line *x = &p->line[i];

		if (!victim->held)
			break;
		if (!x->held || (p->shape.policy == TRC_CACHE_LRU ? x->used < victim->used :
		                                                    x->born < victim->born))
			victim = x;
	}
	return victim;
}

static void
plain_write_back(struct plain *p, struct plain_line *x)
{
	x->dirty = false;
	if (p->below)
		plain_refer(p->below, x->space, x->line * p->shape.line, p->shape.line, TRC_WRITE);
}

static void
plain_line(struct plain *p, uint32_t space, uint64_t line, uint64_t size, int type)
{
	struct plain_line *x = plain_find(p, space, line), gone;

	p->now++;
	p->count.refs[type]++;
	if (x) {
		x->used = p->now;
		x->dirty |= type == TRC_WRITE;
		return;
	}
	p->count.misses[type]++;
	x = plain_victim(p, line);
	gone = *x;
	p->count.evictions[type] += gone.held;
	*x = (struct plain_line){ true, type == TRC_WRITE, space, line, p->now, p->now };
	if (type != TRC_WRITE || size < p->shape.line) {
		p->count.filled++;
		if (p->below)
			plain_refer(p->below, space, line * p->shape.line, p->shape.line,
			            type == TRC_WRITE ? TRC_READ : type);
	}
	if (gone.held && gone.dirty) {
		p->count.writebacks[type]++;
		plain_write_back(p, &gone);
	}
}

static void
plain_refer(struct plain *p, uint32_t space, uint64_t addr, uint64_t size, int type)
{
	const uint64_t bytes = p->shape.line;

	while (size > 0) {
		const uint64_t room = bytes - addr % bytes, n = size < room ? size : room;

		plain_line(p, space, addr / bytes, n, type);
		addr += n;
		size -= n;
	}
}

/* Copies back what is dirty: the last set first, in it what goes next first. */
static uint64_t
plain_copy_back_all(struct plain *p)
{
	uint64_t n = 0;

	for (uint64_t set = plain_sets(p); set-- > 0;)
		for (;;) {
			struct plain_line *next = NULL;

			for (uint64_t i = set; i < plain_lines(p); i += plain_sets(p)) {
				struct plain_line *x = &p->line[i];

				if (x->held && x->dirty &&
				    (!next ||
				     (p->shape.policy == TRC_CACHE_LRU ? x->used < next->used :
				                                         x->born < next->born)))
					next = x;
			}
			if (!next)
				break;
			plain_write_back(p, next);
			n++;
		}
	return n;
}

static void
plain_copy_back(struct plain *p, uint32_t space, uint64_t addr, bool all)
{
	for (; p; p = p->below) {
		struct plain_line *x = plain_find(p, space, addr / p->shape.line);

		if (all) {
			p->count.writebacks[TRC_COPY_BACK] += plain_copy_back_all(p);
		} else if (x && x->dirty) {
			p->count.writebacks[TRC_COPY_BACK]++;
			plain_write_back(p, x);
		}
	}
}

static void
plain_invalidate(struct plain *p, uint32_t space, uint64_t addr, bool all)
{
	for (; p; p = p->below)
		for (size_t i = 0; i < LINES_MOST; i++)
			if (all ||
			    (p->line[i].space == space && p->line[i].line == addr / p->shape.line))
				p->line[i].held = false;
}

static void
plain_row(struct plain *fetches, struct plain *data, const struct trc_batch *b, size_t i)
{
	const int type = b->type ? b->type[i] & TRC_TYPE_MASK : TRC_READ;
	const uint64_t addr = b->size ? b->addr[i] : b->addr[i] / 4 * 4;
	const uint64_t size = !b->size ? 4 : b->size[i] ? b->size[i] : 1;
	const uint32_t space = b->asid ? b->asid[i] : 0;
	const bool all = b->size && b->size[i] == 0;

	switch (type) {
	case TRC_FETCH: plain_refer(fetches, space, addr, size, type); break;
	case TRC_MODIFY:
		plain_refer(data, space, addr, size, TRC_READ);
		plain_refer(data, space, addr, size, TRC_WRITE);
		break;
	case TRC_COPY_BACK: plain_copy_back(data, space, addr, all); break;
	case TRC_INVALIDATE:
		/* Each byte of what has a size. */
		for (uint64_t k = 0; k == 0 || (b->size && k < b->size[i]); k++) {
			plain_invalidate(fetches, space, b->addr[i] + k, all);
			plain_invalidate(data, space, b->addr[i] + k, all);
		}
		break;
	case TRC_PREFETCH: break;
	default: plain_refer(data, space, addr, size, type); break;
	}
}

/* ---- both ---- */

static void
run_plain(const struct trc_batch *b, const struct trc_cache_shape *shape, size_t n,
          struct trc_cache_counts *count)
{
	const size_t first = shape[0].part == TRC_CACHE_UNIFIED ? 1 : 2;
	struct plain *p = calloc(n, sizeof(*p));

	CHECK(p);
	for (size_t i = 0; i < n; i++) {
		const size_t below = i + 1 < first ? first : i + 1;

		p[i].shape = shape[i];
		p[i].below = below < n ? &p[below] : NULL;
	}
	for (size_t i = 0; i < b->n; i++)
		plain_row(&p[0], &p[first - 1], b, i);
	for (size_t i = first - 1; i < n; i++)
		p[i].count.writebacks_end = plain_copy_back_all(&p[i]);
	for (size_t i = 0; i < n; i++)
		count[i] = p[i].count;
	free(p);
}

static void
run_cut(const struct trc_batch *b, size_t most, const struct trc_cache_shape *shape, size_t n,
        struct trc_cache_counts *count)
{
	struct trc_source *src = generate_source(b, most);
	struct trc_err err = { 0 };
	struct trc_sink *sink = trc_cache_sink(shape, n, count, &err);

	CHECK_MSG(sink, "%s", err.text);
	CHECK_MSG(trc_pump(src, sink, most, NULL, &err) == 0, "%s", err.text);
	trc_sink_close(sink);
	trc_source_close(src);
}

static void
run(const struct trc_batch *b, const struct trc_cache_shape *shape, size_t n,
    struct trc_cache_counts *count)
{
	run_cut(b, TRC_BATCH_ROWS, shape, n, count);
}

static uint64_t
misses(const struct trc_cache_counts *count)
{
	uint64_t n = 0;

	for (int t = 0; t < TRC_TYPES; t++)
		n += count->misses[t];
	return n;
}

/* Rows that hit and miss: a few thousand bytes, sizes that cross lines, now and then a high one. */
static void
rows_for(struct trc_batch *rows, uint32_t have, uint64_t seed)
{
	struct generate_spec spec = { .have = have, .rows = ROWS };
	struct generator m = { seed };

	spec.bits[TRC_COL_SIZE] = 7;
	spec.bits[TRC_COL_ASID] = 1;
	generate_rows(rows, &spec, seed);
	for (size_t i = 0; i < rows->n; i++) {
		rows->addr[i] = generate_below(&m, 50) ?
		                        0 :
		                        UINT64_MAX << (20 + generate_below(&m, 40));
		rows->addr[i] += generate_below(&m, UINT64_C(64) << generate_below(&m, 9));
		/* All of a cache at once is rare. */
		if (rows->size && rows->size[i] == 0 && generate_below(&m, 8))
			rows->size[i] = 1;
	}
}

#define LRU TRC_CACHE_LRU
#define FIFO TRC_CACHE_FIFO
#define I TRC_CACHE_FETCHES
#define D TRC_CACHE_DATA

static const struct {
	struct trc_cache_shape shape[3];
	size_t n;
} hierarchy[] = {
	{ { { 1024, 1, 16, LRU, 1, 0, 0, { 0 } } }, 1 },
	{ { { 1024, 4, 16, LRU, 1, 0, 0, { 0 } } }, 1 },
	{ { { 1024, 4, 16, FIFO, 1, 0, 0, { 0 } } }, 1 },
	{ { { 4, 1, 4, LRU, 1, 0, 0, { 0 } } }, 1 },
	{ { { 96, 3, 8, LRU, 1, 0, 0, { 0 } } }, 1 },
	{ { { 2048, 64, 8, LRU, 1, 0, 0, { 0 } } }, 1 },
	{ { { 2048, 64, 8, FIFO, 1, 0, 0, { 0 } } }, 1 },
	{ { { 512, 2, 16, LRU, 1, 0, 0, { 0 } }, { 2048, 4, 32, LRU, 1, 0, 0, { 0 } } }, 2 },
	{ { { 512, 2, 64, FIFO, 1, 0, 0, { 0 } },
	    { 4096, 128, 8, LRU, 1, 0, 0, { 0 } },
	    { 4096, 64, 16, FIFO, 1, 0, 0, { 0 } } },
	  3 },
	{ { { 512, 2, 32, LRU, 1, I, 0, { 0 } },
	    { 256, 4, 16, LRU, 1, D, 0, { 0 } },
	    { 1024, 2, 16, FIFO, 1, 0, 0, { 0 } } },
	  3 },
};

static const uint32_t columns[] = {
	TRC_HAS_ADDR,
	TRC_HAS_ADDR | TRC_HAS_TYPE,
	TRC_HAS_ADDR | TRC_HAS_TYPE | TRC_HAS_SIZE,
	TRC_HAS_ADDR | TRC_HAS_TYPE | TRC_HAS_SIZE | TRC_HAS_ASID,
};

static void
caches_count_by_their_definition(void)
{
	struct trc_cache_counts want[3], got[3];
	struct trc_batch rows;

	for (size_t c = 0; c < TRC_COUNT(columns); c++)
		for (size_t i = 0; i < TRC_COUNT(hierarchy); i++) {
			const size_t n = hierarchy[i].n;

			rows_for(&rows, columns[c], test_seed + i);
			run_plain(&rows, hierarchy[i].shape, n, want);
			run(&rows, hierarchy[i].shape, n, got);
			for (size_t k = 0; k < n; k++)
				CHECK_MSG(
				        memcmp(&want[k], &got[k], sizeof(want[k])) == 0,
				        "columns %zu, hierarchy %zu, cache %zu: %llu misses, not %llu",
				        c, i, k, (unsigned long long)misses(&got[k]),
				        (unsigned long long)misses(&want[k]));
			CHECK(misses(&got[n - 1]) > 0);
			trc_batch_release(&rows);
		}
}

static void
cuts_do_not_matter_to_caches(void)
{
	static const size_t cuts[] = { 1, 2, 7 };
	const struct trc_cache_shape shape[] = { { 512, 2, 16, TRC_CACHE_RANDOM, 7, 0, 0, { 0 } } };
	struct trc_cache_counts want, got;
	struct trc_batch rows;

	rows_for(&rows, columns[3], test_seed);
	run(&rows, shape, 1, &want);
	for (size_t i = 0; i < TRC_COUNT(cuts); i++) {
		run_cut(&rows, cuts[i], shape, 1, &got);
		CHECK(memcmp(&want, &got, sizeof(want)) == 0);
	}
	trc_batch_release(&rows);
}

/* Reads at one of `lines` lines of 64 bytes, mostly at those that were read last. */
static struct trc_batch
local_reads(size_t lines, uint64_t seed)
{
	struct trc_batch b = generate_zeros(TRC_HAS_ADDR, ROWS);
	struct generator m = { seed };

	for (size_t i = 0; i < b.n; i++)
		b.addr[i] = i && generate_below(&m, 3) ?
		                    b.addr[i - 1 - generate_below(&m, i < 20 ? i : 20)] :
		                    64 * generate_below(&m, lines);
	return b;
}

static void
full_lru_caches_miss_by_stack_distance(void)
{
	struct trc_batch b = local_reads(300, test_seed);
	uint64_t far[LINES_MOST + 1] = { 0 }; /* references with a stack distance above n */
	struct trc_cache_counts count;

	for (size_t i = 0; i < b.n; i++) {
		size_t distance = 1, k = i;
		bool seen[512] = { false };

		while (k-- > 0 && b.addr[k] != b.addr[i]) {
			distance += !seen[b.addr[k] / 64];
			seen[b.addr[k] / 64] = true;
		}
		for (size_t n = 1; n <= LINES_MOST; n++)
			far[n] += k == SIZE_MAX || distance > n;
	}
	for (uint64_t n = 1; n <= LINES_MOST; n *= 2) {
		const struct trc_cache_shape shape = { 64 * n, n, 64, LRU, 1, 0, 0, { 0 } };

		run(&b, &shape, 1, &count);
		CHECK_MSG(misses(&count) == far[n], "%llu lines: %llu misses, not %llu",
		          (unsigned long long)n, (unsigned long long)misses(&count),
		          (unsigned long long)far[n]);
	}
	trc_batch_release(&b);
}

static void
more_ways_of_lru_miss_less(void)
{
	struct trc_batch b = local_reads(500, test_seed);
	uint64_t before = UINT64_MAX;

	for (uint64_t ways = 1; ways <= 64; ways++) {
		const struct trc_cache_shape shape = {
			64 * 4 * ways, ways, 64, LRU, 1, 0, 0, { 0 }
		};
		struct trc_cache_counts count;

		run(&b, &shape, 1, &count);
		CHECK(misses(&count) <= before);
		before = misses(&count);
	}
	CHECK(before < ROWS / 2);
	trc_batch_release(&b);
}

static void
random_replacement_is_by_its_seed(void)
{
	struct trc_batch b = local_reads(500, test_seed);

	for (uint64_t ways = 4; ways <= 64; ways *= 16) {
		struct trc_cache_shape shape = {
			64 * 64, ways, 64, TRC_CACHE_RANDOM, 1, 0, 0, { 0 }
		};
		struct trc_cache_counts one, again, other, all;
		bool differs = false;

		run(&b, &shape, 1, &one);
		run(&b, &shape, 1, &again);
		CHECK(memcmp(&one, &again, sizeof(one)) == 0);
		while (shape.seed < 20 && !differs) {
			shape.seed++;
			run(&b, &shape, 1, &other);
			differs = misses(&one) != misses(&other);
		}
		CHECK(differs);
		/* With room for all, each line misses once. */
		shape.size *= 64;
		shape.ways *= 64;
		run(&b, &shape, 1, &all);
		CHECK(misses(&all) <= 500 && misses(&all) < misses(&one));
	}
	trc_batch_release(&b);
}

static void
lines_of_other_spaces_are_others(void)
{
	const struct trc_cache_shape shape = { 4096, 4, 64, LRU, 1, 0, 0, { 0 } };
	struct trc_batch b = generate_zeros(TRC_HAS_ADDR | TRC_HAS_ASID, 6);
	struct trc_cache_counts count;

	for (size_t i = 0; i < b.n; i++)
		b.asid[i] = (uint32_t)(i % 3) * (UINT32_MAX / 2);
	run(&b, &shape, 1, &count);
	CHECK(count.refs[TRC_READ] == 6 && misses(&count) == 3);
	trc_batch_release(&b);
}

static void
events_are_no_references(void)
{
	const struct trc_cache_shape shape = { 4096, 4, 64, LRU, 1, 0, 0, { 0 } };
	struct trc_batch b = generate_zeros(TRC_HAS_ADDR | TRC_HAS_EVENT, 3);
	struct trc_cache_counts count;

	trc_batch_put_event(&b, 1, "S 1", 3);
	run(&b, &shape, 1, &count);
	CHECK(count.refs[TRC_READ] == 2 && misses(&count) == 1);
	trc_batch_release(&b);
}

static void
shapes_that_cannot_be_are_refused(void)
{
	static const struct trc_cache_shape wrong[] = {
		{ 0, 1, 64, LRU, 1, 0, 0, { 0 } },
		{ 4096, 0, 64, LRU, 1, 0, 0, { 0 } },
		{ 4096, 1, 0, LRU, 1, 0, 0, { 0 } },
		{ 4096, 1, 48, LRU, 1, 0, 0, { 0 } },
		{ 4096, 3, 64, LRU, 1, 0, 0, { 0 } },
		{ 64 * 3, 1, 64, LRU, 1, 0, 0, { 0 } },
		{ 32, 1, 64, LRU, 1, 0, 0, { 0 } },
		{ 4096, UINT64_MAX, 64, LRU, 1, 0, 0, { 0 } },
		{ UINT64_C(1) << 40, 1, 64, LRU, 1, 0, 0, { 0 } },
		{ UINT64_C(1) << 63, 16, UINT64_C(1) << 31, LRU, 1, 0, 0, { 0 } },
	};

	for (size_t i = 0; i < TRC_COUNT(wrong); i++)
		CHECK_MSG(trc_cache_shape_wrong(&wrong[i]), "%zu", i);
	for (size_t i = 0; i < TRC_COUNT(hierarchy); i++)
		CHECK(!trc_cache_shape_wrong(&hierarchy[i].shape[0]));
}

/* A line `w 0 ffffffff` of xdin took seconds: each line of it was a reference by itself. Ranges of
 * up to 256 KB, among others, do what the definition does line by line. */
static void
ranges_do_what_their_lines_do(void)
{
	enum { RANGES = 60 };
	const size_t step = test_step_most(test_step() > TEST_STEP ? 9 : 3);
	struct trc_cache_counts want[3], got[3];
	struct trc_batch rows;

	for (size_t c = 2; c < TRC_COUNT(columns); c++)
		for (size_t i = 0; i < TRC_COUNT(hierarchy); i += step) {
			struct generator m = { test_seed + i };
			const size_t n = hierarchy[i].n;

			rows_for(&rows, columns[c], test_seed + i);
			rows.n = 10 * RANGES;
			for (size_t k = 0; k < rows.n; k++)
				if (generate_below(&m, 10) == 0)
					rows.size[k] = (uint32_t)generate_below(
					        &m, UINT64_C(1) << (8 + generate_below(&m, 11)));
			run_plain(&rows, hierarchy[i].shape, n, want);
			run(&rows, hierarchy[i].shape, n, got);
			for (size_t k = 0; k < n; k++)
				CHECK_MSG(memcmp(&want[k], &got[k], sizeof(want[k])) == 0,
				          "columns %zu, hierarchy %zu, cache %zu: %llu misses, not "
				          "%llu",
				          c, i, k, (unsigned long long)misses(&got[k]),
				          (unsigned long long)misses(&want[k]));
			trc_batch_release(&rows);
		}
}

/* A cache, and how many lines it was referred to. */
struct counting {
	struct trc_ways ways;
	struct trc_cache_counts count;
	uint64_t steps;
};

static void
refer_to_lines(void *what, uint64_t first, uint64_t n)
{
	struct counting *c = what;

	c->steps += n;
	for (uint64_t i = first; i < first + n; i++)
		if (!trc_ways_use(&c->ways, i, 0)) {
			c->count.misses[TRC_READ]++;
			(void)!trc_ways_add(&c->ways, i, 0);
		}
}

/* By the number of lines that are looked at. */
static void
a_long_range_costs_what_the_cache_does(void)
{
	const uint64_t lines = UINT64_C(1) << 50;

	for (size_t i = 0; i < TRC_COUNT(hierarchy); i++) {
		const struct trc_cache_shape *shape = &hierarchy[i].shape[0];
		const uint64_t held = shape->size / shape->line;
		struct counting c = { .steps = 0 };
		struct trc_swept level = { &c.ways, &c.count, (unsigned)trc_ctz64(shape->line) };
		const struct trc_sweep s = { &level, 1, 5, lines, refer_to_lines, &c };
		struct trc_err err;

		CHECK(trc_ways_init(&c.ways, shape, &err) == 0);
		CHECK(trc_cache_sweep(&s, &err) == 0);
		CHECK_MSG(c.steps <= 8 * held, "hierarchy %zu: %llu of %llu lines", i,
		          (unsigned long long)c.steps, (unsigned long long)held);
		CHECK(c.count.misses[TRC_READ] == lines);
		for (uint64_t k = 0; k < held; k++)
			CHECK(trc_ways_use(&c.ways, 5 + lines - held + k, 0));
		trc_ways_release(&c.ways);
	}
}

int
main(void)
{
	test_start();
	RUN(caches_count_by_their_definition);
	RUN(ranges_do_what_their_lines_do);
	RUN(a_long_range_costs_what_the_cache_does);
	RUN(cuts_do_not_matter_to_caches);
	RUN(full_lru_caches_miss_by_stack_distance);
	RUN(more_ways_of_lru_miss_less);
	RUN(random_replacement_is_by_its_seed);
	RUN(lines_of_other_spaces_are_others);
	RUN(events_are_no_references);
	RUN(shapes_that_cannot_be_are_refused);
	return 0;
}
