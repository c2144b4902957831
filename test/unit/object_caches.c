/* SPDX-License-Identifier: MIT
 *
 * Caches of whole objects: where all have one size they do what memories of that many pages do,
 * whose policies have oracles of their own (policies.c); of unequal sizes, what follows from the
 * definition, by lists that are searched.
 */
#include "generate.h"
#include "stage/simulate/buckets.h"
#include "stage/simulate/cache/cache_ways.h"
#include "stage/simulate/object/byte_curve.h"
#include "stage/simulate/object/byte_stack.h"
#include "stage/simulate/object/footprint.h"
#include "stage/simulate/object/object_caches.h"
#include "stage/simulate/object/popularity.h"
#include "test.h"

#include <string.h>

enum { OBJECTS = 50, REQUESTS = 3000, CAPACITIES = 5 };

static const uint32_t have = TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_SIZE;

static const struct trc_object_policy *
policy_named(const char *name)
{
	const struct trc_object_policy *p;

	for (size_t i = 0; (p = trc_object_policy(i)) != NULL && strcmp(p->name, name) != 0; i++)
		;
	return p;
}

/* Requests to few objects often and to others seldom, with a scan now and then. */
static struct trc_batch
make(struct generator *m, unsigned deletes, uint32_t largest, bool resized)
{
	struct trc_batch rows = generate_zeros(have, REQUESTS);
	uint32_t size[OBJECTS];

	for (size_t o = 0; o < OBJECTS; o++)
		size[o] = 1 + (uint32_t)generate_below(m, largest);
	for (size_t i = 0; i < rows.n; i++) {
		const uint64_t a = generate_below(m, OBJECTS), b = generate_below(m, OBJECTS);
		const uint64_t o = i % 700 < 60 ? i % 700 % OBJECTS : a < b ? a : b;

		if (resized && generate_below(m, 20) == 0)
			size[o] = 1 + (uint32_t)generate_below(m, largest);
		rows.addr[i] = o * 4096;
		rows.size[i] = size[o];
		rows.type[i] = generate_below(m, 100) < deletes ? TRC_INVALIDATE :
		               generate_below(m, 4)             ? TRC_READ :
		                                                  TRC_WRITE;
	}
	return rows;
}

static struct trc_object_lives lives;
static bool eager; /* what has expired leaves at once */

/* Runs one policy at some capacities. */
static struct trc_object_caches
run(const struct trc_batch *rows, const char *policy, const uint64_t *capacity, size_t n,
    enum trc_object_writes writes)
{
	const struct trc_object_shape shape = { .policy = { policy_named(policy) },
		                                .policies = 1,
		                                .capacity = capacity,
		                                .capacities = n,
		                                .threads = 2,
		                                .seed = 1,
		                                .writes = writes,
		                                .lives = lives,
		                                .eager = eager };
	struct trc_source *src = generate_source(rows, 70);
	struct trc_object_caches c;
	struct trc_err err;
	struct trc_sink *sink = trc_object_caches_sink(&c, rows->have, &shape, &err);

	CHECK(sink && trc_pump(src, sink, 70, NULL, &err) == 0 && c.n == n);
	for (size_t k = 0; k < n; k++)
		CHECK_MSG(c.cache[k].used <= capacity[k], "%s", policy);
	trc_sink_close(sink);
	trc_source_close(src);
	return c;
}

static uint64_t
misses(const struct trc_object_caches *c, size_t k)
{
	return c->cache[k].counts.misses[0] + c->cache[k].counts.misses[1];
}

static uint64_t
missed_bytes(const struct trc_object_caches *c, size_t k)
{
	return c->cache[k].counts.missed_bytes[0] + c->cache[k].counts.missed_bytes[1];
}

/* ---- objects of one size ---- */

/* The policy of lines that has this name, or none. */
static unsigned
lines_of(const char *name)
{
	unsigned i = 0;

	while (trc_policy(i) && strcmp(trc_policy(i)->name, name) != 0)
		i++;
	return i;
}

/* What a memory of `pages` pages misses. */
static uint64_t
misses_of_lines(const struct trc_batch *rows, unsigned policy, uint64_t pages)
{
	const struct trc_cache_shape shape = {
		.size = pages * 64, .ways = pages, .line = 64, .policy = policy, .seed = 1
	};
	struct trc_ways ways;
	struct trc_err err;
	uint64_t n = 0;

	CHECK(trc_ways_init(&ways, &shape, &err) == 0);
	for (size_t i = 0; i < rows->n; i++) {
		const uint64_t line = rows->addr[i] / 4096;

		if (rows->type[i] == TRC_INVALIDATE) {
			trc_ways_delete(&ways, &line);
		} else if (!trc_ways_use(&ways, line, 0)) {
			n++;
			(void)trc_ways_add(&ways, line, 0);
		}
	}
	trc_ways_release(&ways);
	return n;
}

/* 2Q limits the share of its main queue here, which only deletes can show. */
static void
objects_of_one_size_go_as_lines_do(void)
{
	static const uint64_t capacity[CAPACITIES] = { 20, 24, 28, 40, 48 };
	struct generator m = { test_seed };
	const struct trc_object_policy *p;
	size_t compared = 0;

	for (size_t i = 0; (p = trc_object_policy(i)) != NULL; i++)
		for (unsigned deletes = 0; deletes < 20; deletes += 10) {
			const unsigned lines = lines_of(p->name);
			struct trc_batch rows = make(&m, deletes, 1, false);
			struct trc_object_caches c;

			if (!p->ahead && trc_policy(lines) && strcmp(p->name, "random") != 0 &&
			    !(deletes && strcmp(p->name, "2q") == 0)) {
				c = run(&rows, p->name, capacity, CAPACITIES, TRC_WRITES_BACK);
				for (size_t k = 0; k < CAPACITIES; k++)
					CHECK_MSG(misses(&c, k) == misses_of_lines(&rows, lines,
					                                           capacity[k]),
					          "%s, %u", p->name, (unsigned)capacity[k]);
				trc_object_caches_release(&c);
				compared++;
			}
			trc_batch_release(&rows);
		}
	CHECK(compared == 15);
}

/* ---- of unequal sizes ---- */

/* An object that an oracle has, in the order of its last use. */
struct held {
	uint64_t object, size, uses, used, next, until;
	double value;
	bool dirty;
};

/* A cache of an oracle. */
struct oracle {
	struct held held[OBJECTS];
	size_t n;
	uint64_t capacity, used, misses, writebacks, now;
	double value;
	size_t (*goes)(const struct oracle *o); /* which of them */
};

static size_t
oldest(const struct oracle *o)
{
	size_t k = 0;

	for (size_t i = 1; i < o->n; i++)
		k = o->held[i].used < o->held[k].used ? i : k;
	return k;
}

static size_t
cheapest(const struct oracle *o)
{
	size_t k = 0;

	for (size_t i = 1; i < o->n; i++)
		k = o->held[i].value < o->held[k].value || (o->held[i].value == o->held[k].value &&
		                                            o->held[i].used < o->held[k].used) ?
		            i :
		            k;
	return k;
}

static size_t
latest(const struct oracle *o)
{
	size_t k = 0;

	for (size_t i = 1; i < o->n; i++)
		k = o->held[i].next > o->held[k].next || (o->held[i].next == o->held[k].next &&
		                                          o->held[i].used > o->held[k].used) ?
		            i :
		            k;
	return k;
}

/* Most bytes for most requests; never to be used again is most of all. */
static size_t
widest(const struct oracle *o)
{
	size_t k = 0;

	for (size_t i = 1; i < o->n; i++) {
		const struct held *x = &o->held[i], *y = &o->held[k];
		const bool over = x->next == UINT64_MAX, other = y->next == UINT64_MAX;
		const uint64_t wide = x->size * (over ? 1 : x->next - o->now);
		const uint64_t than = y->size * (other ? 1 : y->next - o->now);

		if (over != other      ? over :
		    wide != than       ? wide > than :
		    x->next != y->next ? x->next > y->next :
		                         x->used > y->used)
			k = i;
	}
	return k;
}

static void
take(struct oracle *o, size_t k)
{
	o->used -= o->held[k].size;
	o->held[k] = o->held[--o->n];
}

/* When the object of a row is asked for again, before it is deleted. */
static uint64_t
next_use(const struct trc_batch *rows, size_t i)
{
	for (size_t k = i + 1; k < rows->n; k++)
		if (rows->addr[k] == rows->addr[i])
			return rows->type[k] == TRC_INVALIDATE ? UINT64_MAX : k;
	return UINT64_MAX;
}

/* The last time at which what row `i` brings in may be used. */
static uint64_t
until(const struct trc_batch *rows, size_t i)
{
	const uint64_t ttl = rows->ttl && rows->ttl[i] ? rows->ttl[i] : lives.other;

	return lives.there && ttl ? rows->time[i] + ttl : UINT64_MAX;
}

static void
ask(struct oracle *o, const struct trc_batch *rows, size_t i)
{
	size_t k = 0;
	bool comes;

	o->now = i;
	for (size_t h = o->n; eager && h-- > 0;)
		if (rows->time[i] > o->held[h].until) {
			o->writebacks += o->held[h].dirty;
			take(o, h);
		}
	while (k < o->n && o->held[k].object != rows->addr[i])
		k++;
	if (rows->type[i] == TRC_INVALIDATE) {
		if (k < o->n)
			take(o, k);
		return;
	}
	if (k < o->n && lives.there && rows->time[i] > o->held[k].until) {
		o->writebacks += o->held[k].dirty;
		take(o, k);
		k = o->n;
	}
	comes = k == o->n || rows->type[i] == TRC_WRITE;
	if (k == o->n) {
		o->misses++;
		if (rows->size[i] > o->capacity)
			return;
		while (o->used + rows->size[i] > o->capacity) {
			const size_t goes = o->goes(o);

			o->value = o->held[goes].value;
			o->writebacks += o->held[goes].dirty;
			take(o, goes);
		}
		k = o->n++;
		o->held[k] = (struct held){ .object = rows->addr[i], .size = rows->size[i] };
		o->used += rows->size[i];
	}
	o->held[k].uses++;
	o->held[k].used = i;
	o->held[k].next = next_use(rows, i);
	if (comes)
		o->held[k].until = until(rows, i);
	o->held[k].value = o->value + (double)o->held[k].uses * 1e6 / (double)o->held[k].size;
	o->held[k].dirty |= rows->type[i] == TRC_WRITE;
}

static void
check_policy(const char *name, size_t (*goes)(const struct oracle *), const struct trc_batch *rows)
{
	static const uint64_t capacity[CAPACITIES] = { 30, 100, 300, 1000, 2500 };
	struct trc_object_caches c = run(rows, name, capacity, CAPACITIES, TRC_WRITES_BACK);

	for (size_t k = 0; k < CAPACITIES; k++) {
		struct oracle o = { .capacity = capacity[k], .goes = goes };

		for (size_t i = 0; i < rows->n; i++)
			ask(&o, rows, i);
		CHECK_MSG(o.misses == misses(&c, k) && o.writebacks == c.cache[k].counts.writebacks,
		          "%s, %u bytes", name, (unsigned)capacity[k]);
	}
	trc_object_caches_release(&c);
}

/* The rows with times; 1: some with a time to live; 2: and the rest for ever. */
static struct trc_batch
with_times(struct generator *m, const struct trc_batch *rows, unsigned own)
{
	struct trc_batch timed = generate_zeros(have | TRC_HAS_TIME | (own ? TRC_HAS_TTL : 0),
	                                        rows->n);
	uint64_t time = 5;

	for (size_t k = 0; k < rows->n; k++) {
		time += generate_below(m, 3);
		timed.addr[k] = rows->addr[k];
		timed.size[k] = rows->size[k];
		timed.type[k] = rows->type[k];
		timed.time[k] = time;
		if (own && generate_below(m, 2))
			timed.ttl[k] = 1 + generate_below(m, generate_below(m, 2) ? 30 : 900);
	}
	return timed;
}

/* What had expired before it was deleted was not written back, where it had to leave at once. */
static void
objects_expire_as_the_definition_has_it(void)
{
	struct generator m = { test_seed };

	for (unsigned i = 0; i < 24; i++) {
		struct trc_batch rows = make(&m, i % 2 * 10, 100, i % 4 > 1);
		struct trc_batch timed = with_times(&m, &rows, i / 8);

		eager = i / 4 % 2;
		lives.there = true;
		lives.other = i < 16 ? 1 + generate_below(&m, 200) : 0;
		check_policy("lru", oldest, &timed);
		lives = (struct trc_object_lives){ .there = false };
		eager = false;
		trc_batch_release(&timed);
		trc_batch_release(&rows);
	}
}

static void
objects_go_as_the_definition_has_it(void)
{
	struct generator m = { test_seed };

	for (unsigned i = 0; i < 8; i++) {
		struct trc_batch rows = make(&m, i % 2 * 10, 100, i % 4 > 1);

		check_policy("lru", oldest, &rows);
		check_policy("gdsf", cheapest, &rows);
		check_policy("opt", latest, &rows);
		check_policy("belady-size", widest, &rows);
		trc_batch_release(&rows);
	}
}

static void
no_policy_misses_less_than_the_bound(void)
{
	static const uint64_t capacity[CAPACITIES] = { 60, 200, 500, 1000, 2500 };
	struct generator m = { test_seed };
	const struct trc_object_policy *p;

	for (unsigned i = 0; i < 6; i++) {
		struct trc_batch rows = make(&m, i % 2 * 10, 100, i % 4 > 1);
		struct trc_object_caches bound = run(&rows, "bound", capacity, CAPACITIES,
		                                     TRC_WRITES_BACK);

		for (size_t k = 0; (p = trc_object_policy(k)) != NULL; k++) {
			struct trc_object_caches c = run(&rows, p->name, capacity, CAPACITIES,
			                                 TRC_WRITES_BACK);

			for (size_t s = 0; s < CAPACITIES; s++)
				CHECK_MSG(misses(&c, s) >= misses(&bound, s) &&
				                  missed_bytes(&c, s) >= missed_bytes(&bound, s),
				          "%s, %u bytes", p->name, (unsigned)capacity[s]);
			trc_object_caches_release(&c);
		}
		CHECK(misses(&bound, 0) > misses(&bound, 3));
		trc_object_caches_release(&bound);
		trc_batch_release(&rows);
	}
}

/* ---- all capacities ---- */

static struct trc_byte_curve
curve_of(const struct trc_batch *rows, uint64_t one_in, uint64_t objects)
{
	const struct trc_byte_shape shape = { .lives = lives,
		                              .one_in = one_in,
		                              .objects = objects };
	struct trc_source *src = generate_source(rows, 70);
	struct trc_byte_curve c;
	struct trc_err err;
	struct trc_sink *sink = trc_byte_curve_sink(&c, rows->have, &shape, &err);

	CHECK(sink && trc_pump(src, sink, 70, NULL, &err) == 0);
	trc_sink_close(sink);
	trc_source_close(src);
	return c;
}

/* At each edge of a bucket from the largest object on. */
static void
check_curve(const struct trc_batch *rows)
{
	struct trc_byte_curve curve = curve_of(rows, 0, 0);
	struct trc_object_counts counts = { .writebacks = 0 };

	for (size_t b = 0; b < curve.least.n; b++) {
		const uint64_t edge = trc_bucket_edge_at(b);
		struct trc_object_caches c;

		trc_byte_curve_add(&curve, &curve.least, b, &counts);
		if (edge < curve.totals.largest)
			continue;
		c = run(rows, "lru", &edge, 1, TRC_WRITES_BACK);
		CHECK_MSG(memcmp(&counts, &c.cache[0].counts, sizeof(counts)) == 0, "%u bytes",
		          (unsigned)edge);
		trc_object_caches_release(&c);
	}
	trc_byte_curve_release(&curve);
}

static void
the_curve_is_that_of_a_cache_of_each_capacity(void)
{
	struct generator m = { test_seed };

	for (unsigned i = 0; i < 10; i++) {
		struct trc_batch rows = make(&m, 0, i < 5 ? 100 : 3, false);

		check_curve(&rows);
		trc_batch_release(&rows);
	}
}

/* Each has copies of another age. Some requests have a time to live of their own, or all that have
 * one do. */
static void
the_curve_is_that_of_caches_with_a_time_to_live(void)
{
	struct generator m = { test_seed };

	for (unsigned i = 0; i < 18; i++) {
		struct trc_batch rows = make(&m, 0, i % 2 ? 100 : 3, false);
		struct trc_batch timed = with_times(&m, &rows, i / 6);

		for (size_t k = 0; i % 3 == 0 && k < rows.n; k++)
			timed.type[k] = TRC_READ;
		if (i < 12)
			lives.other = 1 + generate_below(&m, i % 6 < 3 ? 60 : 900);
		lives.there = true;
		check_curve(&timed);
		lives = (struct trc_object_lives){ .there = false };
		trc_batch_release(&timed);
		trc_batch_release(&rows);
	}
}

/* ---- the stack ---- */

/* Sums of bytes by the time of the last use, as a tree of Fenwick has them. */
enum { USES = 1150000, STACKED = 900000 };

static uint64_t
sum_up_to(const uint64_t *tree, size_t i)
{
	uint64_t sum = 0;

	for (; i > 0; i &= i - 1)
		sum += tree[i];
	return sum;
}

static void
add_at(uint64_t *tree, size_t i, uint64_t v)
{
	for (; i < USES; i += i & (~i + 1))
		tree[i] += v;
}

/* Of so many objects, there were 16 and some nodes where there may be 16. */
static void
rows_of_slots_may_have_any_length(void)
{
	uint64_t *tree = calloc(USES, sizeof(*tree)), sum = 0;
	uint32_t *last = calloc(STACKED, sizeof(*last)), *size = calloc(STACKED, sizeof(*size));
	struct trc_byte_stack s = { 0 };
	struct generator m = { test_seed };
	struct trc_err err;

	CHECK(tree && last && size);
	for (uint32_t i = 1; i < USES; i++) {
		const uint32_t id = i < STACKED ? i : (uint32_t)generate_below(&m, STACKED);
		const uint64_t want = last[id] ? sum - sum_up_to(tree, last[id]) + size[id] : 0;

		CHECK(trc_byte_stack_room(&s, STACKED, &err) == 0);
		if (last[id])
			add_at(tree, last[id], -(uint64_t)size[id]);
		sum -= size[id];
		size[id] = 1 + (uint32_t)generate_below(&m, 1000);
		CHECK(trc_byte_stack_refer(&s, id, size[id]) == want);
		add_at(tree, i, size[id]);
		sum += size[id];
		last[id] = i;
		CHECK(s.bytes == sum);
	}
	trc_byte_stack_release(&s);
	free(tree);
	free(last);
	free(size);
}

/* ---- samples ---- */

/* Of all objects, the estimate is what is there. */
static void
a_sample_of_all_has_the_misses_of_all(void)
{
	struct generator m = { test_seed };

	for (unsigned i = 0; i < 4; i++) {
		struct trc_batch rows = make(&m, i % 2 * 10, 100, false);
		struct trc_byte_curve all = curve_of(&rows, 0, 0);
		struct trc_byte_curve drawn = curve_of(&rows, i % 2, (i + 1) % 2 * OBJECTS);
		struct trc_object_counts counts = { .writebacks = 0 };
		size_t compared = 0;

		for (size_t b = 0; b < all.least.n; b++) {
			struct trc_byte_estimate e;

			trc_byte_curve_add(&all, &all.least, b, &counts);
			if (!trc_byte_sample_at(&drawn.least.sample, trc_bucket_edge_at(b), false,
			                        &e))
				continue;
			compared++;
			CHECK(e.misses == counts.misses[0] + counts.misses[1]);
			CHECK(e.in.low <= e.misses && e.misses <= e.in.high);
			if (trc_byte_sample_at(&drawn.least.sample, trc_bucket_edge_at(b), true,
			                       &e))
				CHECK(e.misses == counts.missed_bytes[0] + counts.missed_bytes[1]);
		}
		CHECK(compared > 0);
		trc_byte_curve_release(&all);
		trc_byte_curve_release(&drawn);
		trc_batch_release(&rows);
	}
}

/* How often the misses of one curve of all are outside of the intervals of a sample's; and `points`
 * in all. */
static size_t
count_outside(const struct trc_byte_curve *all, const struct trc_byte_buckets *exact,
              const struct trc_byte_buckets *drawn, size_t *points)
{
	struct trc_object_counts counts = { .writebacks = 0 };
	size_t outside = 0;

	for (size_t b = 0; b < exact->n; b++) {
		const uint64_t edge = trc_bucket_edge_at(b);

		trc_byte_curve_add(all, exact, b, &counts);
		for (int bytes = 0; bytes < 2; bytes++) {
			const uint64_t *of = bytes ? counts.missed_bytes : counts.misses;
			struct trc_byte_estimate e;

			if (edge < all->totals.largest ||
			    !trc_byte_sample_at(&drawn->sample, edge, bytes, &e))
				continue;
			++*points;
			outside += of[0] + of[1] < e.in.low || of[0] + of[1] > e.in.high;
		}
	}
	return outside;
}

/* Both curves, if there are deletes. */
static size_t
count_both(const struct trc_batch *rows, uint64_t one_in, uint64_t objects, size_t *points)
{
	struct trc_byte_curve all = curve_of(rows, 0, 0);
	struct trc_byte_curve drawn = curve_of(rows, one_in, objects);
	size_t outside = count_outside(&all, &all.least, &drawn.least, points);

	if (all.most.n > 0)
		outside += count_outside(&all, &all.most, &drawn.most, points);
	CHECK(!objects || drawn.least.sample.one_in > 1);
	CHECK(drawn.most.sample.one_in == (all.most.n ? drawn.least.sample.one_in : 0));
	trc_byte_curve_release(&all);
	trc_byte_curve_release(&drawn);
	return outside;
}

static void
intervals_of_samples_hold_the_truth(void)
{
	enum { ROWS = 20000, MANY = 4000 };
	struct generator m = { test_seed };
	size_t points = 0, outside = 0;

	for (unsigned i = 0; i < 24; i++) {
		struct trc_batch rows = generate_zeros(have, ROWS);
		const uint64_t largest = 1 + generate_below(&m, 400);

		for (size_t k = 0; k < rows.n; k++) {
			const uint64_t a = generate_below(&m, MANY), b = generate_below(&m, MANY);

			rows.addr[k] = i % 3 ? a < b ? a : b : k % 9 ? k % MANY : a;
			rows.size[k] = 1 + (uint32_t)(rows.addr[k] * 7919 % largest);
			rows.type[k] = generate_below(&m, 4) ? TRC_READ : TRC_WRITE;
			if (i % 4 > 1 && generate_below(&m, 20) == 0)
				rows.type[k] = TRC_INVALIDATE;
		}
		outside += count_both(&rows, i % 2 ? 4 : 0, i % 2 ? 0 : 900, &points);
		trc_batch_release(&rows);
	}
	CHECK_MSG(points > 1000 && outside * 20 <= points, "%zu of %zu", outside, points);
}

/* ---- memory ---- */

/* Peaks of trc less those of 2,000 requests, in MiB: each object once, or three uniform requests
 * for each (1,425,000 of 1,500,000); half of them writes; and with the state for a merge. */
static void
memory_is_planned_as_it_was_measured(void)
{
	static const struct {
		trc_footprint_fn *of;
		struct trc_footprint f;
		double mib;
	} row[] = {
		{ trc_footprint_by_bytes, { .objects = 1000000 }, 32.3 },
		{ trc_footprint_by_bytes, { .objects = 2300000 }, 67.1 },
		{ trc_footprint_by_bytes, { .objects = 4000000 }, 89.3 },
		{ trc_footprint_by_bytes, { .objects = 100000000 }, 2263 },
		{ trc_footprint_by_bytes, { .objects = 1425000 }, 46.8 },
		{ trc_footprint_by_bytes, { .objects = 1500000, .writes = 750000 }, 64.7 },
		{ trc_footprint_by_bytes,
		  { .objects = 1425000, .writes = 1, .saved = true },
		  178.7 },
		{ trc_footprint_by_count, { .objects = 1250000 }, 146.3 },
		{ trc_footprint_by_count, { .objects = 2300000 }, 319.1 },
		{ trc_footprint_by_count, { .objects = 4000000 }, 347.5 },
		{ trc_footprint_by_count, { .objects = 100000000 }, 7910 },
		{ trc_footprint_by_count, { .objects = 1425000 }, 149.6 },
		{ trc_footprint_by_count, { .objects = 1500000, .writes = 750000 }, 149.9 },
		{ trc_footprint_by_count, { .objects = 1425000, .saved = true }, 180.7 },
	};

	for (size_t i = 0; i < TRC_COUNT(row); i++) {
		const double planned = (double)row[i].of(&row[i].f) / (1 << 20);

		CHECK_MSG(planned > row[i].mib * 0.97 && planned < row[i].mib * 1.25,
		          "row %zu: %.1f, not %.1f", i, planned, row[i].mib);
	}
}

/* ---- deletes ---- */

static void
curves_of_deletes_enclose_what_caches_do(void)
{
	struct generator m = { test_seed };
	size_t strictly = 0;

	for (unsigned i = 0; i < 10; i++) {
		struct trc_batch rows = make(&m, 5 + i, i < 5 ? 100 : 3, false);
		struct trc_byte_curve curve = curve_of(&rows, 0, 0);
		struct trc_object_counts least = { .writebacks = 0 }, most = { .writebacks = 0 };

		CHECK(curve.most.n > 0 && curve.most.n >= curve.least.n);
		for (size_t b = 0; b < curve.least.n; b++) {
			const uint64_t edge = trc_bucket_edge_at(b);
			struct trc_object_caches c;

			trc_byte_curve_add(&curve, &curve.least, b, &least);
			trc_byte_curve_add(&curve, &curve.most, b, &most);
			if (edge < curve.totals.largest)
				continue;
			c = run(&rows, "lru", &edge, 1, TRC_WRITES_BACK);
			for (int k = 0; k < 2; k++) {
				const struct trc_object_counts *n = &c.cache[0].counts;

				CHECK_MSG(least.misses[k] <= n->misses[k] &&
				                  n->misses[k] <= most.misses[k] &&
				                  least.missed_bytes[k] <= n->missed_bytes[k] &&
				                  n->missed_bytes[k] <= most.missed_bytes[k],
				          "%u bytes", (unsigned)edge);
				strictly += least.misses[k] < most.misses[k];
			}
			trc_object_caches_release(&c);
		}
		trc_byte_curve_release(&curve);
		trc_batch_release(&rows);
	}
	CHECK(strictly > 100);
}

/* ---- writes ---- */

static void
writes_fill_or_go_past_or_through(void)
{
	static const uint8_t type[] = { TRC_WRITE, TRC_READ, TRC_WRITE, TRC_READ };
	static const struct {
		enum trc_object_writes writes;
		uint64_t reads, writes_missed, writebacks;
	} expected[] = {
		{ TRC_WRITES_BACK, 0, 1, 0 },
		{ TRC_WRITES_THROUGH, 0, 1, 2 },
		{ TRC_WRITES_AROUND, 1, 1, 2 },
		{ TRC_WRITES_NONE, 2, 2, 2 },
	};
	struct trc_batch rows = generate_zeros(have, TRC_COUNT(type));
	const uint64_t capacity = 100;

	for (size_t i = 0; i < rows.n; i++) {
		rows.type[i] = type[i];
		rows.size[i] = 10;
	}
	for (size_t i = 0; i < TRC_COUNT(expected); i++) {
		struct trc_object_caches c = run(&rows, "lru", &capacity, 1, expected[i].writes);
		const struct trc_object_counts *n = &c.cache[0].counts;

		CHECK_MSG(n->misses[0] == expected[i].reads &&
		                  n->misses[1] == expected[i].writes_missed &&
		                  n->writebacks == expected[i].writebacks,
		          "%u", (unsigned)i);
		trc_object_caches_release(&c);
	}
	trc_batch_release(&rows);
}

/* ---- popularity ---- */

/* A time that runs backwards is that of the request before. */
static void
periods_have_the_objects_that_are_asked_for_in_them(void)
{
	static const uint64_t time[] = { 3, 9, 9, 12, 8, 40, 41 };
	static const uint64_t object[] = { 1, 2, 1, 2, 3, 3, 9 };
	struct trc_batch rows = generate_zeros(have | TRC_HAS_TIME, TRC_COUNT(time));
	struct trc_popularity p;
	struct trc_source *src;
	struct trc_sink *sink;
	struct trc_err err;

	for (size_t i = 0; i < rows.n; i++) {
		rows.time[i] = time[i];
		rows.addr[i] = object[i];
		rows.size[i] = 10 * (uint32_t)object[i];
		rows.type[i] = i == 3 ? TRC_WRITE : i == 6 ? TRC_INVALIDATE : TRC_READ;
	}
	src = generate_source(&rows, 4);
	sink = trc_popularity_sink(&p, rows.have, 10, &err);
	CHECK(sink && trc_pump(src, sink, 4, NULL, &err) == 0 && p.periods == 3);
	CHECK(p.period[0].begin == 0 && p.period[0].objects == 2 && p.period[0].new_objects == 2);
	CHECK(p.period[0].object_bytes == 30 && p.period[0].bytes == 40);
	CHECK(p.period[1].begin == 10 && p.period[1].objects == 2 && p.period[1].new_bytes == 30);
	CHECK(p.period[1].requests[0] == 1 && p.period[1].requests[1] == 1);
	CHECK(p.period[2].begin == 40 && p.period[2].objects == 1 && p.period[2].new_objects == 0);
	CHECK(p.period[2].deletes == 1);
	trc_sink_close(sink);
	trc_source_close(src);
	trc_popularity_release(&p);
	trc_batch_release(&rows);
}

/* Of r^-1 requests for rank r, and of sizes 1 to n. */
static void
requests_by_zipfs_law_have_its_slope(void)
{
	enum { RANKS = 100, MOST = 10000 };
	struct trc_batch rows = generate_zeros(have | TRC_HAS_TIME, MOST * 6);
	struct trc_popularity p;
	struct trc_source *src;
	struct trc_sink *sink;
	struct trc_err err;

	rows.n = 0;
	for (uint64_t r = 1; r <= RANKS; r++)
		for (uint64_t i = 0; i < MOST / r; i++) {
			rows.addr[rows.n] = r * 512;
			rows.size[rows.n] = (uint32_t)r;
			rows.time[rows.n] = 7 + r;
			rows.n++;
		}
	rows.type[rows.n] = TRC_INVALIDATE;
	rows.addr[rows.n] = 512 * 1000;
	rows.time[rows.n++] = 3;
	src = generate_source(&rows, 70);
	sink = trc_popularity_sink(&p, rows.have, 0, &err);
	CHECK(sink && trc_pump(src, sink, 70, NULL, &err) == 0);
	CHECK(p.n == RANKS && p.requests[0] == MOST && p.requests[RANKS - 1] == MOST / RANKS);
	CHECK(p.totals.deletes == 1 && p.totals.objects == RANKS && p.once == 0);
	CHECK_MSG(p.slope > 0.999 && p.slope < 1.001 && p.fit > 0.999, "%g, %g", p.slope, p.fit);
	CHECK(p.decile[0] == 11 && p.decile[4] == 51 && p.decile[8] == 91);
	CHECK(p.first_time == 3 && p.last_time == 7 + RANKS);
	trc_sink_close(sink);
	trc_source_close(src);
	trc_popularity_release(&p);
	trc_batch_release(&rows);
}

int
main(void)
{
	test_start();
	RUN(objects_of_one_size_go_as_lines_do);
	RUN(objects_go_as_the_definition_has_it);
	RUN(objects_expire_as_the_definition_has_it);
	RUN(no_policy_misses_less_than_the_bound);
	RUN(the_curve_is_that_of_a_cache_of_each_capacity);
	RUN(the_curve_is_that_of_caches_with_a_time_to_live);
	RUN(rows_of_slots_may_have_any_length);
	RUN(a_sample_of_all_has_the_misses_of_all);
	RUN(intervals_of_samples_hold_the_truth);
	RUN(memory_is_planned_as_it_was_measured);
	RUN(curves_of_deletes_enclose_what_caches_do);
	RUN(writes_fill_or_go_past_or_through);
	RUN(requests_by_zipfs_law_have_its_slope);
	RUN(periods_have_the_objects_that_are_asked_for_in_them);
	return 0;
}
