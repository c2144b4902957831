/* SPDX-License-Identifier: MIT
 * trc stat --mrc --bytes: caches of so many bytes of whole objects, LRU at every capacity, or any
 * policy at given ones. */
#include "cmd/stat/stat.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cores.h"
#include "cmd/geometry.h"
#include "cmd/stat/sizes.h"
#include "stage/simulate/buckets.h"
#include "stage/simulate/object/byte_curve.h"

/* The option. */
struct settings {
	bool bytes;
	unsigned writes;
	uint64_t ttl, sample_objects;
};

static const struct trc_opt options[] = {
	{ 0, "bytes", NULL, "with --mrc: caches of whole objects, sized in bytes", TRC_OPT_FLAG,
	  TRC_WORDS_NONE, offsetof(struct settings, bytes) },
	{ 0, "writes", "back|through|around|none", "with --bytes: write policy (default back)",
	  TRC_OPT_CHOICE, TRC_WORDS_NONE, offsetof(struct settings, writes) },
	{ 0, "ttl", "TIME", "with --bytes: expire objects after TIME", TRC_OPT_COUNT,
	  TRC_WORDS_NONE, offsetof(struct settings, ttl) },
	{ 0, "sample-objects", "K", "with --bytes: estimate from about K objects", TRC_OPT_COUNT,
	  TRC_WORDS_NONE, offsetof(struct settings, sample_objects) },
};

static const struct trc_opts opts = { options, TRC_COUNT(options), sizeof(struct settings), NULL };

/* What a cache did, in a row of the answer. */
struct line {
	const char *policy;
	uint64_t capacity;
	struct trc_object_counts counts;
	bool enclosing; /* one of two curves that have the misses between them, and no more */
	struct trc_byte_estimate requests, bytes; /* of a sample, instead */
	bool known;                               /* the latter */
};

/* What is found: caches at given capacities, or the curve of LRU. */
struct found {
	struct trc_object_caches caches;
	struct trc_byte_curve curve;
};

/* The question, while it is asked. */
struct asking {
	struct trc_asked asked;
	struct trc_stat s;
	const struct trc_stat_curves *shown;
	struct found found;
	struct trc_object_shape shape;
	struct trc_byte_shape curve_shape;
	bool runs; /* caches at given sizes, not the curve */
	struct trc_size size[TRC_SIZES_MOST];
	uint64_t capacity[TRC_SIZES_MOST];
	size_t sizes;
	bool shares;
	struct line *line;
	size_t lines;
	const struct trc_object_totals *totals;
};

static void
release(void *of)
{
	struct found *f = of;

	trc_object_caches_release(&f->caches);
	trc_byte_curve_release(&f->curve);
}

static void
release_lines(void *of)
{
	struct line **line = of;

	free(*line);
	*line = NULL;
}

/* ---- the options ---- */

static int
fail_policy(const char *word, size_t len, struct trc_err *err)
{
	const struct trc_object_policy *p;
	char text[256] = "";

	for (size_t i = 0; (p = trc_object_policy(i)) != NULL; i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%s", i ? ", " : "",
		         p->name);
	return trc_fail_as(err, TRC_USAGE, "--policy: '%.*s' is not one of %s", (int)len, word,
	                   text);
}

/* One policy; random may have a seed. */
static int
add_policy(struct asking *a, const char *word, size_t len, struct trc_err *err)
{
	const char *seed = memchr(word, '=', len);
	const size_t letters = seed ? (size_t)(seed - word) : len;
	const struct trc_object_policy *p;
	char number[24] = "";

	if (a->shape.policies == TRC_OBJECT_POLICIES_MOST)
		return trc_fail_as(err, TRC_USAGE, "--policy: more than %d of them",
		                   TRC_OBJECT_POLICIES_MOST);
	for (size_t i = 0; (p = trc_object_policy(i)) != NULL; i++)
		if (trc_geometry_is_policy(p->name, word, letters))
			break;
	if (seed)
		snprintf(number, sizeof(number), "%.*s", (int)(len - letters - 1), seed + 1);
	if (!p || (seed && (strcmp(p->name, "random") != 0 ||
	                    !trc_opt_number(number, false, &a->shape.seed))))
		return fail_policy(word, len, err);
	a->shape.policy[a->shape.policies++] = p;
	return 0;
}

static int
parse_policies(struct asking *a, struct trc_err *err)
{
	const char *p = trc_stat_policy(a->asked.all);

	a->shape.seed = 1;
	if (!p)
		return add_policy(a, "lru", 3, err);
	for (size_t len;; p += len + 1) {
		len = strcspn(p, ",");
		if (add_policy(a, p, len, err))
			return -1;
		if (!p[len])
			return 0;
	}
}

/* Bytes for the plan: what each cache has of an object, in arrays with room to grow, and what a
 * part has of it for its state; and what those that look ahead keep of a request. */
static void
plan_memory(struct asking *a)
{
	enum { CACHE_BYTES = 96, PART_BYTES = 70, AHEAD_BYTES = 80, BOUND_BYTES = 160 };

	a->asked.page_bytes = a->shape.policies * a->sizes * CACHE_BYTES;
	if (!trc_shard_one(a->asked.all))
		a->asked.page_bytes += PART_BYTES;
	for (size_t i = 0; i < a->shape.policies; i++) {
		const struct trc_object_policy *p = a->shape.policy[i];
		const uint64_t bytes = p->bound ? BOUND_BYTES : p->ahead ? AHEAD_BYTES : 0;

		if (a->asked.row_bytes < bytes)
			a->asked.row_bytes = bytes;
	}
}

/* Only LRU has a curve of all capacities, and only of writes that fill. */
static int
check_curve(const struct asking *a, struct trc_err *err)
{
	const bool drawn = a->curve_shape.one_in || a->curve_shape.objects;

	if (a->curve_shape.one_in && a->curve_shape.objects)
		return trc_fail_as(err, TRC_USAGE, "--sample and --sample-objects: one of them");
	if (drawn && (a->shape.policies > 1 || strcmp(a->shape.policy[0]->name, "lru") != 0 ||
	              a->shape.writes != TRC_WRITES_BACK || a->asked.warmup))
		return trc_fail_as(err, TRC_USAGE,
		                   "--sample%s: estimates are of curves of LRU alone, without --%s",
		                   a->curve_shape.objects ? "-objects" : "",
		                   a->asked.warmup                    ? "warmup" :
		                   a->shape.writes != TRC_WRITES_BACK ? "writes" :
		                                                        "policy");
	if (a->runs)
		return 0;
	if (a->shape.policies > 1 || strcmp(a->shape.policy[0]->name, "lru") != 0)
		return trc_fail_as(
		        err, TRC_USAGE,
		        "--policy: each capacity is simulated by itself; give --sizes, like "
		        "1G,10%%");
	if (a->shape.writes != TRC_WRITES_BACK)
		return trc_fail_as(
		        err, TRC_USAGE,
		        "--writes: each capacity is a cache that is run; --sizes 1G,10%% "
		        "gives them");
	return 0;
}

/* Parts are of the curve alone. */
static int
check_parts(const struct asking *a, const char *input, struct trc_err *err)
{
	if (input || !a->asked.whole || trc_shard_one(a->asked.all))
		return 0;
	return trc_fail_as(
	        err, TRC_USAGE,
	        "--%s: what a cache holds depends on all requests before; run it without "
	        "--shard",
	        a->runs                ? "sizes" :
	        a->shape.ttl           ? "ttl" :
	        a->curve_shape.objects ? "sample-objects" :
	                                 "sample");
}

static int
check_options(const struct asking *a, const char *input, struct trc_err *err)
{
	const struct settings *own = trc_settings_of(a->asked.all, &opts);

	if (a->shown->no_first)
		return trc_fail_as(err, TRC_USAGE,
		                   "--no-first: in caches of bytes, first requests are always "
		                   "misses; use --warmup");
	for (size_t i = 0; i < a->sizes && !own->bytes; i++)
		if (!a->size[i].share && !a->size[i].pages.bytes)
			return trc_fail_as(err, TRC_USAGE,
			                   "--sizes: some are in bytes and some in objects; with "
			                   "--bytes, all are in bytes");
	if (a->shown->all_sizes && a->sizes > 0)
		return trc_fail_as(err, TRC_USAGE, "--all-sizes and --sizes exclude each other");
	for (size_t i = 0; i < a->shape.policies && (a->asked.warmup || a->shape.ttl); i++)
		if (a->shape.policy[i]->ahead)
			return trc_fail_as(err, TRC_USAGE,
			                   "--%s: not supported by %s, which looks ahead",
			                   a->asked.warmup ? "warmup" : "ttl",
			                   a->shape.policy[i]->name);
	return check_curve(a, err) || check_parts(a, input, err) ? -1 : 0;
}

static int
begin(void *q, const char *input, struct trc_err *err)
{
	struct asking *a = q;
	const struct settings *own = trc_settings_of(a->asked.all, &opts);

	trc_stat_begin(&a->s, &a->asked);
	a->asked.unit = 1;
	a->asked.single = true;
	a->shown = trc_settings_of(a->asked.all, &trc_stat_opts_curves);
	a->shape.writes = own->writes ? own->writes - 1 : TRC_WRITES_BACK;
	a->shape.ttl = own->ttl;
	if (trc_sizes_parse(&a->shown->sizes, a->size, &a->sizes, &a->shares, err) ||
	    parse_policies(a, err))
		return -1;
	a->curve_shape = (struct trc_byte_shape){
		own->ttl, *(const uint64_t *)trc_settings_of(a->asked.all, &trc_stat_opts_sample),
		own->sample_objects
	};
	a->runs = a->sizes > 0 && !a->curve_shape.one_in && !a->curve_shape.objects;
	a->asked.whole = a->runs || own->ttl || a->curve_shape.one_in || own->sample_objects;
	plan_memory(a);
	return check_options(a, input, err);
}

/* ---- the trace ---- */

/* Counts the bytes of all objects, in a pass that comes before. */
static int
count_bytes(const struct asking *a, const struct trc_job *job, uint64_t *bytes, struct trc_err *err)
{
	static const struct trc_byte_shape plain = { 0 };
	struct trc_byte_curve curve = { .least = { 0 } };
	struct trc_sink *sink = NULL;
	struct trc_job again;
	int ret;

	if (trc_stat_open_again(a->asked.all, job, &again, "bytes", err))
		return -1;
	sink = trc_byte_curve_sink(&curve, again.src->have, &plain, err);
	ret = sink ? trc_pump(again.src, sink, TRC_BATCH_ROWS, NULL, err) : -1;
	*bytes = curve.totals.object_bytes;
	trc_sink_close(sink);
	trc_source_close(again.src);
	trc_byte_curve_release(&curve);
	return ret;
}

/* Bare numbers are of bytes here, too. */
static int
choose_capacities(struct asking *a, const struct trc_job *job, struct trc_err *err)
{
	uint64_t bytes = 0;

	if (a->shares && count_bytes(a, job, &bytes, err))
		return -1;
	for (size_t i = 0; i < a->sizes; i++)
		a->capacity[i] = a->size[i].share ? trc_size_share(bytes, a->size[i].share) :
		                                    a->size[i].pages.n;
	a->shape.threads = trc_threads(job->threads);
	a->shape.capacity = a->capacity;
	a->shape.capacities = a->sizes;
	return 0;
}

static int
check_columns(const struct asking *a, const struct trc_source *src, struct trc_err *err)
{
	if (!(src->have & TRC_HAS_ADDR))
		return trc_fail(err, "%s: has pages, but --bytes needs addresses of objects",
		                a->asked.path);
	if (!(src->have & TRC_HAS_SIZE))
		return trc_fail(err,
		                "%s: has no sizes, which --bytes needs; use --objects to count "
		                "objects",
		                a->asked.path);
	if (a->shape.ttl && !(src->have & TRC_HAS_TIME))
		return trc_fail(err, "%s: has no times, which --ttl needs", a->asked.path);
	return 0;
}

static struct trc_sink *
open_sink(void *q, struct trc_job *job, struct trc_err *err)
{
	struct asking *a = q;

	if (!a->runs)
		return check_columns(a, job->src, err) ?
		               NULL :
		               trc_byte_curve_sink(&a->found.curve, job->src->have, &a->curve_shape,
		                                   err);
	if (!a->asked.goes_on &&
	    (check_columns(a, job->src, err) || choose_capacities(a, job, err)))
		return NULL;
	return trc_object_caches_sink(&a->found.caches, job->src->have, &a->shape, err);
}

/* ---- the answer ---- */

/* Leaves out what a beginning of the trace counted. */
static int
subtract(void *found, void *warmup, struct trc_err *err)
{
	struct found *f = found;
	const struct found *w = warmup;

	(void)err;
	trc_object_caches_subtract(&f->caches, &w->caches);
	trc_byte_curve_subtract(&f->curve, &w->curve);
	return 0;
}

static uint64_t
both(const uint64_t *of)
{
	return of[0] + of[1];
}

/* A row for each cache that was run. */
static void
take_caches(struct asking *a)
{
	for (size_t k = 0; k < a->found.caches.n; k++) {
		const struct trc_object_cache *c = &a->found.caches.cache[k];

		a->line[a->lines++] = (struct line){ .policy = c->policy->name,
			                             .capacity = c->capacity,
			                             .counts = c->counts };
	}
}

/* A row for each edge that is shown, from the largest object up to all of them. */
static void
take_side(struct asking *a, const char *name, const struct trc_byte_buckets *b)
{
	const struct trc_object_totals *t = a->totals;
	struct trc_object_counts counts = { .writebacks = 0 };
	const bool all = a->shown->all_sizes || trc_stat_plot(a->asked.all);

	for (size_t i = 0; i < b->n; i++) {
		const uint64_t edge = trc_bucket_edge_at(i);
		const bool last = i + 1 == b->n || edge >= t->object_bytes;

		trc_byte_curve_add(&a->found.curve, b, i, &counts);
		if (edge < t->largest)
			continue;
		if (all || last || (edge & (edge - 1)) == 0)
			a->line[a->lines++] = (struct line){ .policy = name,
				                             .capacity = edge,
				                             .counts = counts,
				                             .enclosing = t->deletes > 0 };
		if (last)
			return;
	}
}

/* A capacity of a sample, if there is an estimate for it. */
static void
take_estimate(struct asking *a, const char *name, const struct trc_byte_buckets *b,
              uint64_t capacity)
{
	struct line l = { .policy = name, .capacity = capacity };
	const struct trc_object_totals *t = a->totals;

	if (capacity < t->largest || !trc_byte_sample_at(&b->sample, capacity, false, &l.requests))
		return;
	l.known = trc_byte_sample_at(&b->sample, capacity, true, &l.bytes);
	trc_byte_estimate_limit(&l.requests, both(t->requests));
	trc_byte_estimate_limit(&l.bytes, both(t->bytes));
	a->line[a->lines++] = l;
}

/* From here on there is nothing more to see: a cache that has room for all. */
static uint64_t
room_for_all(const struct asking *a)
{
	const struct trc_object_totals *t = a->totals;

	return t->object_bytes > t->largest ? t->object_bytes : t->largest;
}

/* Those that were asked for, or powers of two, or all edges. */
static void
take_sample(struct asking *a, const char *name, const struct trc_byte_buckets *b)
{
	const bool all = a->shown->all_sizes || trc_stat_plot(a->asked.all);
	const uint64_t bytes = a->totals->object_bytes, most = room_for_all(a);

	for (size_t i = 0; i < a->sizes; i++)
		take_estimate(a, name, b,
		              a->size[i].share ? trc_size_share(bytes, a->size[i].share) :
		                                 a->size[i].pages.n);
	for (size_t i = 0; a->sizes == 0; i++) {
		const uint64_t edge = trc_bucket_edge_at(i);

		if (all || edge >= most || (edge & (edge - 1)) == 0)
			take_estimate(a, name, b, edge);
		if (edge >= most)
			return;
	}
}

/* Where there are deletes, what LRU does is between two curves. */
static void
take_curve(struct asking *a)
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
	const struct asking *a = of;
	const struct trc_object_totals *t = a->totals;

	(void)i, (void)err;
	g->rows = a->lines;
	TRC_FACTS(g, { TRC_FACT(requests, "requests", trc_count(both(t->requests))) },
	          { TRC_FACT(requested_bytes, "bytes asked for", trc_count(both(t->bytes))) },
	          { TRC_FACT(reads, "reads", trc_count(t->requests[0])) },
	          { TRC_FACT(writes, "writes", trc_count(t->requests[1])) },
	          { TRC_FACT(invalidates, "deletes", trc_count(t->deletes)) },
	          { TRC_FACT(objects, "different objects", trc_count(t->objects)) },
	          { TRC_FACT(object_bytes, "their bytes", trc_count(t->object_bytes)) },
	          { TRC_FACT(largest, "bytes of the largest", trc_count(t->largest)) },
	          { TRC_FACT(sample, "approximate: one object in",
	                     trc_count_some(a->found.curve.least.sample.one_in)) });
	return 0;
}

static void
row(void *of, size_t i, size_t k, struct trc_value *cell)
{
	const struct asking *a = of;
	const struct line *l = &a->line[k];
	const struct trc_object_totals *t = a->totals;
	const bool drawn = a->found.curve.least.sample.one_in;
	const uint64_t misses = drawn ? l->requests.misses : both(l->counts.misses);
	const uint64_t missed = drawn ? l->bytes.misses : both(l->counts.missed_bytes);
	const bool known = l->known || !drawn;

	(void)i;
	TRC_VALUES(cell, trc_word(l->policy), trc_count(l->capacity), trc_count(misses),
	           trc_count(l->requests.in.low), trc_count(l->requests.in.high),
	           trc_ratio(misses, both(t->requests)), trc_count_if(known, missed),
	           trc_count_if(l->known, l->bytes.in.low),
	           trc_count_if(l->known, l->bytes.in.high),
	           known ? trc_ratio(missed, both(t->bytes)) : trc_unknown(),
	           trc_count(l->counts.misses[0]), trc_ratio(l->counts.misses[0], t->requests[0]),
	           l->enclosing ? trc_unknown() : trc_count(l->counts.writebacks),
	           l->enclosing ? trc_unknown() : trc_count(l->counts.written_bytes));
}

/* What does not hold for all of it. */
static void
note_exact(const struct asking *a)
{
	const struct trc_object_totals *t = a->totals;

	if (t->empty && !a->s.quiet)
		fprintf(stderr, "note: %llu requests have 0 bytes; their objects always fit\n",
		        (unsigned long long)t->empty);
	if (a->runs)
		return;
	if (t->deletes && !a->s.quiet)
		fprintf(stderr,
		        "note: %llu deletes free different space in different caches; the misses "
		        "of LRU lie between 'lru least' and 'lru most'; --sizes 1G,10%% is "
		        "exact\n",
		        (unsigned long long)t->deletes);
	if (t->resized && !a->s.quiet)
		fprintf(stderr,
		        "note: %llu requests change the size of their object; the curve is an "
		        "estimate that uses the latest size, --sizes 1G,10%% is exact\n",
		        (unsigned long long)t->resized);
}

/* As many rows as there can be. */
static size_t
lines_most(const struct asking *a)
{
	const struct trc_byte_curve *c = &a->found.curve;

	return a->found.caches.n + c->least.n + c->most.n +
	       2 * (a->sizes + trc_bucket_of(room_for_all(a)) + 2);
}

static int
answer(void *q, const struct trc_job *job, struct trc_answered *to, struct trc_err *err)
{
	struct asking *a = q;
	const bool drawn = a->found.curve.least.sample.one_in;

	(void)job;
	a->totals = a->runs ? &a->found.caches.totals : &a->found.curve.totals;
	a->line = trc_alloc(lines_most(a), sizeof(*a->line), err);
	if (!a->line)
		return -1;
	note_exact(a);
	if (a->runs)
		take_caches(a);
	else
		take_curve(a);
	if (drawn && a->lines == 0)
		return trc_fail(err,
		                "too few objects are in the sample for an estimate at any size; "
		                "take more of them");
	TRC_ANSWERED_TABLE(
	        to, { TRC_COLUMN(policy, "policy", -8), .key = true, .curves = true },
	        { TRC_COLUMN(bytes, "capacity", 15), .key = true, .across = true },
	        { TRC_COLUMN(misses, "misses", 12) },
	        { TRC_COLUMN(misses_low, "95 % from", 12), .off = !drawn },
	        { TRC_COLUMN(misses_high, "to", 12), .off = !drawn },
	        { TRC_COLUMN(miss_ratio, "miss ratio", 11), .digits = 6, .curve = "miss ratio" },
	        { TRC_NAMED(missed_bytes) }, { TRC_NAMED(missed_bytes_low), .off = !drawn },
	        { TRC_NAMED(missed_bytes_high), .off = !drawn },
	        { TRC_COLUMN(byte_miss_ratio, "of bytes", 9), .digits = 6 },
	        { TRC_NAMED(read_misses), .off = drawn },
	        { TRC_COLUMN(read_miss_ratio, "of reads", 9), .digits = 6, .off = drawn },
	        { TRC_COLUMN(writebacks, "write-backs", 12), .off = drawn },
	        { TRC_NAMED(written_bytes), .off = drawn });
	to->answer.group = describe;
	to->answer.row = row;
	to->plot.what = "Misses";
	to->plot.x = (struct trc_axis){ "bytes", TRC_UNIT_COUNT, TRC_AXIS_AUTO, 0 };
	to->plot.y = (struct trc_axis){ "miss ratio", TRC_UNIT_PART, TRC_AXIS_AUTO, 0 };
	return 0;
}

enum { OBJECT_BYTES = 80 }; /* names, stack, levels, with room to grow */

static const struct trc_question question = { .size = sizeof(struct asking),
	                                      .begin = begin,
	                                      .open = open_sink,
	                                      .owns = { { offsetof(struct asking, found), release },
	                                                { offsetof(struct asking, line),
	                                                  release_lines } },
	                                      .subtract = subtract,
	                                      .answer = answer,
	                                      .page_bytes = OBJECT_BYTES };

static const struct trc_opts *const takes[] = { &opts,
	                                        &trc_stat_opts_mrc,
	                                        &trc_stat_opts_policy,
	                                        &trc_stat_opts_objects,
	                                        &trc_stat_opts_sample,
	                                        &trc_shard_opts_warmup,
	                                        &trc_stat_opts_curves,
	                                        &trc_stat_opts_plot,

	                                        TRC_STAT_SHARDS,
	                                        TRC_STAT_TAKES,
	                                        NULL };

const struct trc_action trc_stat_bytes = {
	.name = "--bytes", .takes = takes, .run = trc_shard_answer, .question = &question
};
