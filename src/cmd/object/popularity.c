/* SPDX-License-Identifier: MIT
 *
 * trc stat --popularity: summarises a trace of requests, and the share of requests of the most
 * popular objects.
 */
#include "cmd/stat/stat.h"

#include "cmd/object/duration.h"
#include "stage/simulate/object/popularity.h"

static const struct trc_opts opts =
        TRC_OPTS_FLAG("popularity", "count requests for objects, and rank the objects");

static const struct trc_opts opts_every = TRC_OPTS(
        const char *, { 0, "every", "TIME", "with --popularity: print the working set of each TIME",
                        TRC_OPT_TEXT, TRC_WORDS_NONE, 0 });

enum { RANKS_MOST = 64 };

/* The state of the question. */
struct query {
	struct trc_query query;
	struct trc_stat s;
	struct trc_popularity found;
	bool sizes, times;
	struct trc_duration every; /* length of a period; not given: rows are ranks */

	/* The ranks shown. */
	uint64_t rank[RANKS_MOST], so_far[RANKS_MOST];
	size_t ranks;
};

static int
begin(void *q, const char *input, struct trc_err *err)
{
	struct query *a = q;
	const char *every = *(const char *const *)trc_settings_of(a->query.settings, &opts_every);

	trc_stat_begin(&a->s, &a->query);
	a->query.unit = 1;
	a->query.single = a->query.objects = true;
	if (every && trc_duration_parse(&a->every, "every", every, err))
		return -1;
	a->query.whole = every;
	if (every && !input && !a->query.one_shard)
		return trc_fail_as(
		        err, TRC_USAGE,
		        "--every: new objects are known only for the whole trace; run it without "
		        "--shard");
	return 0;
}

static struct trc_sink *
open_sink(void *q, struct trc_job *job, struct trc_err *err)
{
	struct query *a = q;
	uint64_t period = 0;
	struct trc_sink *sink;

	if (!(job->src->have & TRC_HAS_ADDR)) {
		trc_fail(err, "%s: has pages, but --popularity needs addresses of objects",
		         a->query.path);
		return NULL;
	}
	a->sizes = job->src->have & TRC_HAS_SIZE;
	a->times = job->src->have & TRC_HAS_TIME;
	if (a->every.text && !a->times) {
		trc_fail(err, "%s: has no times, which --every needs", a->query.path);
		return NULL;
	}
	if (a->every.text && trc_duration_of(&a->every, "every", job, &period, err))
		return NULL;
	sink = trc_popularity_sink(&a->found, job->src->have, period, err);
	a->found.second = trc_duration_second(job);
	return sink;
}

struct trc_sink *
trc_stat_popularity_counts(struct trc_popularity *found, const struct trc_job *job,
                           unsigned page_bits, struct trc_err *err)
{
	struct trc_sink *sink = trc_popularity_counts_sink(found, job->src->have, page_bits, err);

	found->second = trc_duration_second(job);
	return sink;
}

/* Chooses ranks 1, 2, 4, ..., and the last. */
static void
choose_ranks(struct query *a)
{
	uint64_t next = 1, sum = 0;

	for (size_t r = 1; r <= a->found.n; r++) {
		sum += a->found.requests[r - 1];
		if (r != next && r != a->found.n)
			continue;
		a->rank[a->ranks] = r;
		a->so_far[a->ranks++] = sum;
		next *= 2;
	}
}

static uint64_t
requests_of(const struct query *a)
{
	return a->found.totals.requests[0] + a->found.totals.requests[1];
}

void
trc_stat_popularity_facts(const struct trc_popularity *p, struct trc_answer_group *g)
{
	const struct trc_object_totals *t = &p->totals;
	const bool sizes = p->have & TRC_HAS_SIZE;
	const uint64_t bytes = t->bytes[0] + t->bytes[1], n = t->requests[0] + t->requests[1];
	const uint64_t lasted = p->last_time - p->first_time; /* 0 if there are no times */
	const double times = (double)lasted, second = (double)p->second;
	const bool known = lasted > 0 && p->second > 0;

	TRC_FACTS_ADD(
	        g,
	        { TRC_FACT(seconds, "seconds", trc_real_if(known, known ? times / second : 0)),
	          .digits = 3 },
	        { TRC_FACT(requests_in_time, known ? NULL : "requests per unit of time",
	                   trc_real_if(lasted > 0, lasted ? (double)n / times : 0)),
	          .digits = 3 },
	        { TRC_FACT(requests_per_second, "requests per second",
	                   trc_real_if(known, known ? (double)n * second / times : 0)),
	          .digits = 3 },
	        { TRC_FACT(requested_bytes, "bytes requested", trc_count_if(sizes, bytes)) },
	        { TRC_FACT(mean_bytes, "mean bytes of a request",
	                   trc_real_if(sizes && n, n ? (double)bytes / (double)n : 0)),
	          .digits = 1 },
	        { TRC_FACT(largest, "largest request, bytes", trc_count_if(sizes, t->largest)) },
	        { TRC_FACT(objects, "different objects", trc_count(p->n)) },
	        { TRC_FACT(object_bytes, "bytes of objects",
	                   trc_count_if(sizes, t->object_bytes)) },
	        { TRC_FACT(once, "requested once", trc_count(p->once)) },
	        { TRC_FACT(decile_1, "object size, 10 % below",
	                   trc_count_if(sizes, p->decile[0])) },
	        { TRC_FACT(decile_2, NULL, trc_count_if(sizes, p->decile[1])) },
	        { TRC_FACT(decile_3, NULL, trc_count_if(sizes, p->decile[2])) },
	        { TRC_FACT(decile_4, NULL, trc_count_if(sizes, p->decile[3])) },
	        { TRC_FACT(decile_5, "object size, median", trc_count_if(sizes, p->decile[4])) },
	        { TRC_FACT(decile_6, NULL, trc_count_if(sizes, p->decile[5])) },
	        { TRC_FACT(decile_7, NULL, trc_count_if(sizes, p->decile[6])) },
	        { TRC_FACT(decile_8, NULL, trc_count_if(sizes, p->decile[7])) },
	        { TRC_FACT(decile_9, "object size, 90 % below",
	                   trc_count_if(sizes, p->decile[8])) },
	        { TRC_FACT(zipf_slope, "Zipf exponent", trc_real_if(p->n > 2, p->slope)),
	          .digits = 4 },
	        { TRC_FACT(zipf_fit, "Zipf fit, R^2", trc_real_if(p->n > 2, p->fit)),
	          .digits = 4 });
}

static int
describe(void *of, size_t i, struct trc_answer_group *g, struct trc_err *err)
{
	const struct query *a = of;
	const struct trc_popularity *p = &a->found;
	const struct trc_object_totals *t = &p->totals;

	(void)i, (void)err;
	g->rows = a->every.text ? p->periods : a->ranks;
	TRC_FACTS(g, { TRC_FACT(requests, "requests", trc_count(requests_of(a))) },
	          { TRC_FACT(reads, "reads", trc_count(t->requests[0])) },
	          { TRC_FACT(writes, "writes", trc_count(t->requests[1])) },
	          { TRC_FACT(invalidates, "deletes", trc_count(t->deletes)) },
	          { TRC_FACT(first_cycle, "first time", trc_count_if(a->times, p->first_time)) },
	          { TRC_FACT(last_cycle, "last time", trc_count_if(a->times, p->last_time)) });
	trc_stat_popularity_facts(p, g);
	return 0;
}

static void
row(void *of, size_t i, size_t k, struct trc_value *cell)
{
	const struct query *a = of;

	(void)i;
	TRC_VALUES(cell, trc_count(a->rank[k]), trc_count(a->found.requests[a->rank[k] - 1]),
	           trc_ratio(a->so_far[k], requests_of(a)));
}

static void
period_row(void *of, size_t i, size_t k, struct trc_value *cell)
{
	const struct query *a = of;
	const struct trc_period *p = &a->found.period[k];
	const uint64_t n = p->requests[0] + p->requests[1];

	(void)i;
	TRC_VALUES(cell, trc_count(p->begin), trc_count(n), trc_count(p->requests[0]),
	           trc_count(p->requests[1]), trc_count(p->deletes),
	           trc_count_if(a->sizes, p->bytes), trc_count(p->objects),
	           trc_count_if(a->sizes, p->object_bytes), trc_count(p->new_objects),
	           trc_count_if(a->sizes, p->new_bytes));
}

/* Answers with the requests of each period. */
static void
answer_periods(struct trc_answered *to)
{
	TRC_ANSWERED_TABLE(to, { TRC_COLUMN(time, "from time", 20), .key = true, .across = true },
	                   { TRC_COLUMN(requests, "requests", 12) }, { TRC_NAMED(reads) },
	                   { TRC_NAMED(writes) }, { TRC_NAMED(invalidates) },
	                   { TRC_NAMED(requested_bytes) },
	                   { TRC_COLUMN(objects, "objects", 12), .curve = "objects" },
	                   { TRC_COLUMN(object_bytes, "object bytes", 16) },
	                   { TRC_COLUMN(new_objects, "new objects", 12), .curve = "new objects" },
	                   { TRC_NAMED(new_bytes) });
	to->answer.group = describe;
	to->answer.row = period_row;
	to->plot.what = "Different objects";
	to->plot.x = (struct trc_axis){ "time", TRC_UNIT_COUNT, TRC_AXIS_LINEAR, 0 };
	to->plot.y = (struct trc_axis){ "objects", TRC_UNIT_COUNT, TRC_AXIS_AUTO, 0 };
}

static int
answer(void *q, const struct trc_job *job, struct trc_answered *to, struct trc_err *err)
{
	const struct query *a = q;

	(void)job, (void)err;
	if (a->every.text) {
		answer_periods(to);
		return 0;
	}
	TRC_ANSWERED_TABLE(to, { TRC_COLUMN(rank, "rank", 14), .across = true },
	                   { TRC_COLUMN(requests, "requests", 14), .curve = "requests" },
	                   { TRC_COLUMN(share_so_far, "share so far", 14), .digits = 6 });
	choose_ranks(q);
	to->answer.group = describe;
	to->answer.row = row;
	to->plot.what = "Requests for objects";
	to->plot.x = (struct trc_axis){ "rank of the object", TRC_UNIT_COUNT, TRC_AXIS_LOG, 0 };
	to->plot.y = (struct trc_axis){ "requests", TRC_UNIT_COUNT, TRC_AXIS_LOG, 0 };
	return 0;
}

enum { OBJECT_BYTES = 80 }; /* a name, its index, a count and a size */

const struct trc_action trc_stat_popularity = {
	.name = "--popularity",
	.takes = TRC_TAKES(&opts, &opts_every, &trc_stat_opts_plot, TRC_STAT_SHARDS,
	                   TRC_STAT_TAKES),
	.run = trc_shard_answer,
	.query = TRC_QUERY(.size = sizeof(struct query), .begin = begin, .open = open_sink,
	                   .owns = { { offsetof(struct query, found), trc_popularity_release } },
	                   .answer = answer, .page_bytes = OBJECT_BYTES),
};
