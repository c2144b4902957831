/* SPDX-License-Identifier: MIT
 *
 * trc stat --mrc --bytes: caches of whole objects with capacities in bytes: LRU at all capacities,
 * or any policy at given ones.
 */
#include "cmd/object/bytes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cores.h"
#include "cmd/geometry.h"

/* The options. */
struct settings {
	bool bytes, eager;
	const char *ttl;
	uint64_t sample_objects;
};

static const struct trc_opts opts =
        TRC_OPTS(struct settings,
                 { 0, "bytes", NULL, "with --mrc: caches of whole objects, sized in bytes",
                   TRC_OPT_FLAG, TRC_WORDS_NONE, offsetof(struct settings, bytes) },
                 { 0, "ttl", "TIME|column", "with --bytes or --objects: time to live of objects",
                   TRC_OPT_TEXT, TRC_WORDS_NONE, offsetof(struct settings, ttl) },
                 { 0, "eager", NULL, "with --ttl: expired objects leave at once", TRC_OPT_FLAG,
                   TRC_WORDS_NONE, offsetof(struct settings, eager) },
                 { 0, "sample-objects", "K", "with --bytes, --objects: estimate from about K",
                   TRC_OPT_COUNT, TRC_WORDS_NONE, offsetof(struct settings, sample_objects) });

static void
release(void *of)
{
	struct trc_bytes_found *f = of;

	trc_object_caches_release(&f->caches);
	trc_byte_curve_release(&f->curve);
}

static void
release_lines(void *of)
{
	struct trc_bytes_line **line = of;

	free(*line);
	*line = NULL;
}

/* ---- options ---- */

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

/* Adds a policy; random may have a seed. */
static int
add_policy(struct trc_bytes *a, const char *word, size_t len, struct trc_err *err)
{
	const char *seed = memchr(word, '=', len);
	const size_t letters = seed ? (size_t)(seed - word) : len;
	const struct trc_object_policy *p;
	char number[24] = "";

	if (a->shape.policies == TRC_OBJECT_POLICIES_MOST)
		return trc_fail_as(err, TRC_USAGE, "--policy: more than %d policies",
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
parse_policies(struct trc_bytes *a, struct trc_err *err)
{
	const char *p = trc_stat_policy(a->query.settings);

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

/* Sets the estimates of memory for the plan: the bytes of each cache, and of a shard's saved state,
 * per object; and the bytes per request of policies that look ahead. */
static void
plan_memory(struct trc_bytes *a)
{
	enum { CACHE_BYTES = 96, LIVES_BYTES = 96, AHEAD_BYTES = 80, BOUND_BYTES = 160 };

	a->query.page_bytes = a->shape.policies * a->sizes * CACHE_BYTES;
	if (!a->runs && !a->shape.lives.there && !a->curve_shape.one_in && !a->curve_shape.objects)
		a->query.footprint = trc_footprint_by_bytes;
	if (a->shape.lives.there)
		a->query.page_bytes += LIVES_BYTES;
	for (size_t i = 0; i < a->shape.policies; i++) {
		const struct trc_object_policy *p = a->shape.policy[i];
		const uint64_t bytes = p->bound ? BOUND_BYTES : p->ahead ? AHEAD_BYTES : 0;

		if (a->query.row_bytes < bytes)
			a->query.row_bytes = bytes;
	}
}

/* Returns examples of --sizes. */
static const char *
example_sizes(const struct trc_bytes *a)
{
	return a->ones ? "1000,10%" : "1G,10%";
}

static bool
is_lru(const struct trc_bytes *a)
{
	return a->shape.policies == 1 && strcmp(a->shape.policy[0]->name, "lru") == 0;
}

/* Only LRU has a curve of all capacities, and only if writes allocate. */
static int
check_curve(const struct trc_bytes *a, struct trc_err *err)
{
	const bool drawn = a->curve_shape.one_in || a->curve_shape.objects;

	if (a->curve_shape.one_in && a->curve_shape.objects)
		return trc_fail_as(err, TRC_USAGE,
		                   "--sample and --sample-objects exclude each other");
	if (drawn && a->query.warmup)
		return trc_fail_as(
		        err, TRC_USAGE,
		        "--sample and --warmup exclude each other: the objects seen in the "
		        "warm-up are unknown");
	if (a->curve_shape.objects && (!is_lru(a) || a->shape.writes == TRC_WRITES_AROUND))
		return trc_fail_as(
		        err, TRC_USAGE,
		        "--sample-objects supports only lru; --sample 1/N supports --policy and "
		        "--writes");
	for (size_t i = 0; i < a->shape.policies; i++)
		if (a->shape.one_in && a->shape.policy[i]->bound)
			return trc_fail_as(err, TRC_USAGE,
			                   "--policy bound needs all requests; omit --sample");
	if (a->runs)
		return 0;
	if (!is_lru(a))
		return trc_fail_as(
		        err, TRC_USAGE,
		        "--policy: each capacity is simulated by itself; give --sizes, like %s",
		        example_sizes(a));
	if (a->shape.writes == TRC_WRITES_AROUND)
		return trc_fail_as(
		        err, TRC_USAGE,
		        "--writes around: a larger cache may miss what a smaller one holds; give "
		        "--sizes, like %s",
		        example_sizes(a));
	return 0;
}

/* Only the curve can be computed in shards. */
static int
check_parts(const struct trc_bytes *a, const char *input, struct trc_err *err)
{
	if (input || !a->query.whole || a->query.one_shard)
		return 0;
	return trc_fail_as(
	        err, TRC_USAGE,
	        "--%s: what a cache holds depends on all earlier requests; run it without "
	        "--shard",
	        a->runs                ? "sizes" :
	        a->shape.lives.there   ? "ttl" :
	        a->curve_shape.none    ? "writes none" :
	        a->curve_shape.objects ? "sample-objects" :
	                                 "sample");
}

static int
check_options(const struct trc_bytes *a, const char *input, struct trc_err *err)
{
	const struct settings *own = trc_settings_of(a->query.settings, &opts);

	if (own->eager && !(own->ttl && a->runs))
		return trc_fail_as(
		        err, TRC_USAGE,
		        "--eager: the space freed early differs between caches; give --ttl TIME "
		        "and --sizes, like %s",
		        example_sizes(a));
	if (a->shown->no_first)
		return trc_fail_as(err, TRC_USAGE,
		                   "--no-first: in caches of bytes, first requests are always "
		                   "misses; use --warmup");
	for (size_t i = 0; i < a->sizes && !own->bytes && !a->ones; i++)
		if (!a->size[i].share && !a->size[i].pages.bytes)
			return trc_fail_as(err, TRC_USAGE,
			                   "--sizes: some are in bytes and some in objects; with "
			                   "--bytes, all are in bytes");
	if (a->shown->all_sizes && a->sizes > 0)
		return trc_fail_as(err, TRC_USAGE, "--all-sizes and --sizes exclude each other");
	for (size_t i = 0; i < a->shape.policies && (a->query.warmup || own->ttl); i++)
		if (a->shape.policy[i]->ahead)
			return trc_fail_as(err, TRC_USAGE,
			                   "--%s: not supported by %s, which looks ahead",
			                   a->query.warmup ? "warmup" : "ttl",
			                   a->shape.policy[i]->name);
	return check_curve(a, err) || check_parts(a, input, err) ? -1 : 0;
}

static int
parse_ttl(struct trc_bytes *a, const char *text, struct trc_err *err)
{
	a->shape.lives = a->curve_shape.lives = (struct trc_object_lives){ .there = text };
	return !text || strcmp(text, "column") == 0 ? 0 :
	                                              trc_duration_parse(&a->ttl, "ttl", text, err);
}

static int
begin(void *q, const char *input, struct trc_err *err)
{
	struct trc_bytes *a = q;
	const struct settings *own = trc_settings_of(a->query.settings, &opts);

	trc_stat_begin(&a->s, &a->query);
	a->query.unit = 1;
	a->query.single = true;
	a->query.objects = trc_stat_writes(a->query.settings) != TRC_WRITES_NONE;
	a->shown = trc_settings_of(a->query.settings, &trc_stat_opts_curves);
	a->ones = a->shape.ones = !own->bytes && !trc_sizes_of_bytes(&a->shown->sizes);
	a->shape.writes = trc_stat_writes(a->query.settings);
	a->shape.eager = own->eager;
	if (trc_sizes_parse(&a->shown->sizes, a->size, &a->sizes, &a->shares, err) ||
	    parse_policies(a, err) || trc_stat_count_reads(a->query.settings, &a->reads, err))
		return -1;
	a->curve_shape = (struct trc_byte_shape){ .one_in = *(const uint64_t *)trc_settings_of(
		                                          a->query.settings, &trc_stat_opts_sample),
		                                  .objects = own->sample_objects,
		                                  .reads = a->reads,
		                                  .none = a->shape.writes == TRC_WRITES_NONE,
		                                  .ones = a->ones };
	if (a->curve_shape.one_in && (a->shape.writes == TRC_WRITES_AROUND || !is_lru(a))) {
		a->shape.one_in = a->curve_shape.one_in;
		a->shape.reads = a->reads;
	}
	a->runs = a->sizes > 0 && !a->curve_shape.objects &&
	          (!a->curve_shape.one_in || a->shape.one_in);
	a->query.whole = a->runs || own->ttl || a->curve_shape.one_in || own->sample_objects ||
	                 a->curve_shape.none;
	if (parse_ttl(a, own->ttl, err))
		return -1;
	plan_memory(a);
	return check_options(a, input, err);
}

/* ---- the trace ---- */

/* Counts the bytes of all objects, in an extra pass. */
static int
count_bytes(const struct trc_bytes *a, const struct trc_job *job, uint64_t *bytes,
            struct trc_err *err)
{
	const struct trc_byte_shape plain = { .ones = a->ones };
	struct trc_byte_curve curve = { .least = { 0 } };
	struct trc_sink *sink = NULL;
	struct trc_job again;
	int ret;

	if (trc_stat_open_again(a->query.settings, job, &again, "bytes", err))
		return -1;
	sink = trc_byte_curve_sink(&curve, again.src->have, &plain, err);
	ret = sink ? trc_pump(again.src, sink, TRC_BATCH_ROWS, NULL, err) : -1;
	*bytes = curve.totals.object_bytes;
	trc_sink_close(sink);
	trc_source_close(again.src);
	trc_byte_curve_release(&curve);
	return ret;
}

/* Refuses caches of w-tinylfu without a window; those of a sample are as much smaller, or a little
 * more. */
static int
check_window(const struct trc_bytes *a, uint64_t objects, struct trc_err *err)
{
	const uint64_t least = a->shape.one_in ? 200 * a->shape.one_in : 100;

	for (size_t i = 0; i < a->shape.policies && objects < least; i++)
		if (strcmp(a->shape.policy[i]->name, "w-tinylfu") == 0)
			return trc_fail_as(err, TRC_USAGE,
			                   "--sizes: %llu objects of policy w-tinylfu: its window "
			                   "of 1 %% has none; give %llu or more",
			                   (ull)objects, (ull)least);
	return 0;
}

/* Sets the capacities; numbers without a unit are also bytes here. */
static int
choose_capacities(struct trc_bytes *a, const struct trc_job *job, struct trc_err *err)
{
	uint64_t bytes = 0;

	if (a->shares && count_bytes(a, job, &bytes, err))
		return -1;
	for (size_t i = 0; i < a->sizes; i++) {
		a->capacity[i] = trc_size_of(&a->size[i], bytes);
		if (a->ones && check_window(a, a->capacity[i], err))
			return -1;
	}
	a->shape.threads = trc_threads(job->threads);
	a->shape.capacity = a->capacity;
	a->shape.capacities = a->sizes;
	return 0;
}

/* What expires, in the unit of the trace. */
static int
choose_lives(struct trc_bytes *a, const struct trc_job *job, struct trc_err *err)
{
	const uint32_t have = job->src->have;
	uint64_t other = 0;

	a->ttl_passed = have & TRC_HAS_TTL && !a->shape.lives.there;
	if (!a->shape.lives.there)
		return 0;
	if (!(have & TRC_HAS_TIME))
		return trc_fail(err, "%s: has no times, which --ttl needs", a->query.path);
	if (!a->ttl.text && !(have & TRC_HAS_TTL))
		return trc_fail(err, "%s: has no column 'ttl'; --ttl TIME is of all objects",
		                a->query.path);
	if (a->ttl.text && trc_duration_of(&a->ttl, "ttl", job, &other, err))
		return -1;
	a->shape.lives.other = a->curve_shape.lives.other = other;
	return 0;
}

static int
check_columns(const struct trc_bytes *a, const struct trc_source *src, struct trc_err *err)
{
	if (!(src->have & TRC_HAS_ADDR))
		return trc_fail(err, "%s: has pages, but --%s needs addresses of objects",
		                a->query.path, a->ones ? "objects" : "bytes");
	if (!(src->have & TRC_HAS_SIZE) && !a->ones)
		return trc_fail(err,
		                "%s: has no sizes, which --bytes needs; use --objects to count "
		                "objects",
		                a->query.path);
	return 0;
}

static struct trc_sink *
open_sink(void *q, struct trc_job *job, struct trc_err *err)
{
	struct trc_bytes *a = q;

	if (!(a->runs && a->query.warmup_copy) &&
	    (check_columns(a, job->src, err) || choose_lives(a, job, err)))
		return NULL;
	if (!a->runs)
		return trc_byte_curve_sink(&a->found.curve, job->src->have, &a->curve_shape, err);
	if (!a->query.warmup_copy && choose_capacities(a, job, err))
		return NULL;
	return trc_object_caches_sink(&a->found.caches, job->src->have, &a->shape, err);
}

/* ---- the answer ---- */

/* Subtracts the counts of the warm-up. */
static int
subtract(void *found, void *warmup, struct trc_err *err)
{
	struct trc_bytes_found *f = found;
	const struct trc_bytes_found *w = warmup;

	(void)err;
	trc_object_caches_subtract(&f->caches, &w->caches);
	trc_byte_curve_subtract(&f->curve, &w->curve);
	return 0;
}

enum { OBJECT_BYTES = 40 }; /* names, and the stack of a curve */

const struct trc_action trc_stat_bytes = {
	.name = "--bytes",
	.takes = TRC_TAKES(&opts, &trc_stat_opts_mrc, &trc_stat_opts_policy, &trc_stat_opts_objects,
	                   &trc_stat_opts_sample, &trc_shard_opts_warmup, &trc_stat_opts_curves,
	                   &trc_stat_opts_plot, &trc_stat_opts_writes, &trc_stat_opts_count,
	                   TRC_STAT_SHARDS, TRC_STAT_TAKES),
	.run = trc_shard_answer,
	.query = TRC_QUERY(.size = sizeof(struct trc_bytes), .begin = begin, .open = open_sink,
	                   .owns = { { offsetof(struct trc_bytes, found), release },
	                             { offsetof(struct trc_bytes, line), release_lines } },
	                   .subtract = subtract, .answer = trc_bytes_answer,
	                   .page_bytes = OBJECT_BYTES),
};
