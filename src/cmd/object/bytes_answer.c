/* SPDX-License-Identifier: MIT
 *
 * The answer of trc stat --mrc --bytes.
 */
#include "cmd/object/bytes.h"

#include <stdio.h>
#include <stdlib.h>

#include "stage/simulate/buckets.h"

static uint64_t
of_both(const uint64_t *of)
{
	return of[0] + of[1];
}

/* Returns the sum of the requests that count. */
static uint64_t
counted(const struct trc_bytes *a, const uint64_t *of)
{
	return a->reads ? of[0] : of_both(of);
}

/* Adds a row for each sampled cache that has an estimate. */
static void
take_sampled_caches(struct trc_bytes *a)
{
	const struct trc_object_caches *c = &a->found.caches;

	for (size_t k = 0; k < c->n; k += TRC_CACHE_SAMPLE_FACTORS) {
		struct trc_bytes_line l = {
			.policy = c->cache[k].policy->name,
			.capacity = a->capacity[k / TRC_CACHE_SAMPLE_FACTORS % a->sizes]
		};

		if (!trc_cache_sample_at(&c->cache[k], &c->missed[k], &c->sample, false,
		                         &l.requests))
			continue;
		l.known = trc_cache_sample_at(&c->cache[k], &c->missed[k], &c->sample, true,
		                              &l.bytes);
		trc_byte_estimate_limit(&l.requests, counted(a, a->totals->requests));
		trc_byte_estimate_limit(&l.bytes, counted(a, a->totals->bytes));
		a->line[a->lines++] = l;
	}
}

/* Returns the sampling factor: one object in this many; 0: all objects. */
static uint64_t
drawn_of(const struct trc_bytes *a)
{
	return a->shape.one_in ? a->shape.one_in : a->found.curve.least.sample.one_in;
}

/* Adds a row for each simulated cache. */
static void
take_caches(struct trc_bytes *a)
{
	for (size_t k = 0; k < a->found.caches.n; k++) {
		const struct trc_object_cache *c = &a->found.caches.cache[k];

		a->line[a->lines++] = (struct trc_bytes_line){ .policy = c->policy->name,
			                                       .capacity = c->capacity,
			                                       .counts = c->counts };
	}
}

/* Returns true if a capacity is shown: powers of two, or all edges of buckets. */
static bool
is_shown(const struct trc_bytes *a, uint64_t edge)
{
	return (edge & (edge - 1)) == 0 || a->shown->all_sizes || trc_stat_plot(a->query.settings);
}

/* Adds a row for each capacity shown, from the largest object up to the size of all objects. */
static void
take_side(struct trc_bytes *a, const char *name, const struct trc_byte_buckets *b)
{
	const struct trc_object_totals *t = a->totals;
	const bool enclosing = t->deletes && a->shape.writes == TRC_WRITES_BACK && !a->ones;
	struct trc_object_counts counts = { .writebacks = 0 };

	for (size_t i = 0; i < b->n; i++) {
		const uint64_t edge = trc_bucket_edge_at(i);
		const bool last = i + 1 == b->n || edge >= t->object_bytes;

		trc_byte_curve_add(&a->found.curve, b, i, &counts);
		if (a->shape.writes != TRC_WRITES_BACK) {
			counts.writebacks = t->requests[1];
			counts.written_bytes = t->bytes[1];
		}
		if (edge < t->largest)
			continue;
		if (last || is_shown(a, edge))
			a->line[a->lines++] = (struct trc_bytes_line){ .policy = name,
				                                       .capacity = edge,
				                                       .counts = counts,
				                                       .enclosing = enclosing };
		if (last)
			return;
	}
}

/* Adds a row for a capacity of a sampled curve, if it has an estimate. */
static void
take_estimate(struct trc_bytes *a, const char *name, const struct trc_byte_buckets *b,
              uint64_t capacity)
{
	struct trc_bytes_line l = { .policy = name, .capacity = capacity };
	const struct trc_object_totals *t = a->totals;

	if (capacity < t->largest || !trc_byte_sample_at(&b->sample, capacity, false, &l.requests))
		return;
	l.known = trc_byte_sample_at(&b->sample, capacity, true, &l.bytes);
	trc_byte_estimate_limit(&l.requests, counted(a, t->requests));
	trc_byte_estimate_limit(&l.bytes, counted(a, t->bytes));
	a->line[a->lines++] = l;
}

/* Returns the capacity that holds all objects: larger ones have the same misses. */
static uint64_t
room_for_all(const struct trc_bytes *a)
{
	const struct trc_object_totals *t = a->totals;

	return t->object_bytes > t->largest ? t->object_bytes : t->largest;
}

/* Adds rows for the requested sizes, or powers of two, or all edges of buckets. */
static void
take_sample(struct trc_bytes *a, const char *name, const struct trc_byte_buckets *b)
{
	const uint64_t most = room_for_all(a);

	for (size_t i = 0; i < a->sizes; i++)
		take_estimate(a, name, b, trc_size_of(&a->size[i], a->totals->object_bytes));
	for (size_t i = 0; a->sizes == 0; i++) {
		const uint64_t edge = trc_bucket_edge_at(i);

		if (edge >= most || is_shown(a, edge))
			take_estimate(a, name, b, edge);
		if (edge >= most)
			return;
	}
}

/* With deletes, the misses of LRU are known only as bounds: two curves. */
static void
take_curve(struct trc_bytes *a)
{
	const struct trc_byte_curve *c = &a->found.curve;

	if (c->least.sample.one_in) {
		const bool deletes = c->most.sample.one_in;

		take_sample(a, deletes ? "lru least" : "lru", &c->least);
		if (deletes)
			take_sample(a, "lru most", &c->most);
		return;
	}
	take_side(a, c->most.n ? "lru least" : "lru", &c->least);
	if (c->most.n)
		take_side(a, "lru most", &c->most);
}

static int
describe(void *of, size_t i, struct trc_answer_group *g, struct trc_err *err)
{
	const struct trc_bytes *a = of;
	const struct trc_object_totals *t = a->totals;

	(void)i, (void)err;
	g->rows = a->lines;
	TRC_FACTS(g, { TRC_FACT(unit, NULL, trc_word(a->ones ? "object" : NULL)) },
	          { TRC_FACT(requests, "requests", trc_count(of_both(t->requests))) },
	          { TRC_FACT(requested_bytes, "bytes requested",
	                     trc_count_if(!a->ones, of_both(t->bytes))) },
	          { TRC_FACT(reads, "reads", trc_count(t->requests[0])) },
	          { TRC_FACT(writes, "writes", trc_count(t->requests[1])) },
	          { TRC_FACT(writes_do, "", trc_word(trc_stat_writes_name(a->shape.writes))) },
	          { TRC_FACT(counted, "", trc_word(a->reads ? "reads" : NULL)) },
	          { TRC_FACT(invalidates, "deletes", trc_count(t->deletes)) },
	          { TRC_FACT(distinct, "different objects", trc_count_if(a->ones, t->objects)) },
	          { TRC_FACT(objects, "different objects", trc_count_if(!a->ones, t->objects)) },
	          { TRC_FACT(object_bytes, "bytes of objects",
	                     trc_count_if(!a->ones, t->object_bytes)) },
	          { TRC_FACT(largest,
	                     "largest request, "
	                     "bytes",
	                     trc_count_if(!a->ones, t->largest)) },
	          { TRC_FACT(sample, "approximate: one object in", trc_count_some(drawn_of(a))) });
	return 0;
}

static void
row(void *of, size_t i, size_t k, struct trc_value *cell)
{
	const struct trc_bytes *a = of;
	const struct trc_bytes_line *l = &a->line[k];
	const struct trc_object_totals *t = a->totals;
	const bool drawn = drawn_of(a);
	const uint64_t misses = drawn ? l->requests.misses : counted(a, l->counts.misses);
	const uint64_t missed = drawn ? l->bytes.misses : counted(a, l->counts.missed_bytes);
	const bool known = l->known || !drawn;

	(void)i;
	TRC_VALUES(cell, trc_word(l->policy), trc_count(l->capacity), trc_count(misses),
	           trc_count(l->requests.in.low), trc_count(l->requests.in.high),
	           trc_ratio(misses, counted(a, t->requests)), trc_count_if(known, missed),
	           trc_count_if(l->known, l->bytes.in.low),
	           trc_count_if(l->known, l->bytes.in.high),
	           known ? trc_ratio(missed, counted(a, t->bytes)) : trc_unknown(),
	           trc_count(l->counts.misses[0]), trc_ratio(l->counts.misses[0], t->requests[0]),
	           l->enclosing ? trc_unknown() : trc_count(l->counts.writebacks),
	           l->enclosing ? trc_unknown() : trc_count(l->counts.written_bytes));
}

/* Notes the limits of the answer. */
static void
note_exact(const struct trc_bytes *a)
{
	const struct trc_object_totals *t = a->totals;

	if (a->ttl_passed && !a->s.quiet)
		fprintf(stderr, "note: no object expires; --ttl column expires them by the column "
		                "'ttl'\n");
	if (t->empty && !a->s.quiet)
		fprintf(stderr, "note: %llu requests have 0 bytes; their objects always fit\n",
		        (ull)t->empty);
	if (a->runs || a->ones)
		return;
	if (a->shape.writes == TRC_WRITES_NONE && t->requests[1] && !a->s.quiet)
		fprintf(stderr,
		        "note: %llu writes free different space in different caches; the misses "
		        "of LRU lie between 'lru least' and 'lru most'; --sizes 1G,10%% is "
		        "exact\n",
		        (ull)t->requests[1]);
	else if (t->deletes && !a->s.quiet)
		fprintf(stderr,
		        "note: %llu deletes free different space in different caches; the misses "
		        "of LRU lie between 'lru least' and 'lru most'; --sizes 1G,10%% is "
		        "exact\n",
		        (ull)t->deletes);
	if (t->resized && !a->s.quiet)
		fprintf(stderr,
		        "note: %llu requests change the size of their object; the curve is an "
		        "estimate that uses the latest size, --sizes 1G,10%% is exact\n",
		        (ull)t->resized);
}

/* Returns the maximum number of rows. */
static size_t
lines_most(const struct trc_bytes *a)
{
	const struct trc_byte_curve *c = &a->found.curve;

	return a->found.caches.n + c->least.n + c->most.n +
	       2 * (a->sizes + trc_bucket_of(room_for_all(a)) + 2);
}

int
trc_bytes_answer(void *q, const struct trc_job *job, struct trc_answered *to, struct trc_err *err)
{
	struct trc_bytes *a = q;
	const bool drawn = drawn_of(a), ones = a->ones;

	(void)job;
	a->totals = a->runs ? &a->found.caches.totals : &a->found.curve.totals;
	a->line = trc_alloc(lines_most(a), sizeof(*a->line), err);
	if (!a->line)
		return -1;
	note_exact(a);
	if (a->shape.one_in)
		take_sampled_caches(a);
	else if (a->runs)
		take_caches(a);
	else
		take_curve(a);
	if (drawn && a->lines == 0)
		return trc_fail(err, "the sample has too few objects for an estimate at any size; "
		                     "use a larger sample");
	TRC_ANSWERED_TABLE(
	        to, { TRC_COLUMN(policy, "policy", -11), .key = true, .curves = true },
	        { .name = ones ? TRC_NAME_objects : TRC_NAME_bytes,
	          .head = ones ? "objects" : "capacity",
	          .width = 15,
	          .key = true,
	          .across = true },
	        { TRC_COLUMN(misses, "misses", 12) },
	        { TRC_COLUMN(misses_low, "95 % from", 12), .off = !drawn },
	        { TRC_COLUMN(misses_high, "to", 12), .off = !drawn },
	        { TRC_COLUMN(miss_ratio, "miss ratio", 11), .digits = 6, .curve = "miss ratio" },
	        { TRC_NAMED(missed_bytes), .off = ones },
	        { TRC_NAMED(missed_bytes_low), .off = !drawn || ones },
	        { TRC_NAMED(missed_bytes_high), .off = !drawn || ones },
	        { TRC_COLUMN(byte_miss_ratio, "of bytes", 9), .digits = 6, .off = ones },
	        { TRC_NAMED(read_misses), .off = drawn },
	        { TRC_COLUMN(read_miss_ratio, "of reads", 9), .digits = 6, .off = drawn },
	        { TRC_COLUMN(writebacks, "write-backs", 12), .off = drawn },
	        { TRC_NAMED(written_bytes), .off = drawn || ones });
	to->answer.group = describe;
	to->answer.row = row;
	to->plot.what = "Misses";
	to->plot.x = (struct trc_axis){ ones ? "objects" : "bytes", TRC_UNIT_COUNT, TRC_AXIS_AUTO,
		                        0 };
	to->plot.y = (struct trc_axis){ "miss ratio", TRC_UNIT_PART, TRC_AXIS_AUTO, 0 };
	return 0;
}
