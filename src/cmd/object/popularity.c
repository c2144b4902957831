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
	return a->every.text && trc_duration_of(&a->every, "every", job, &period, err) ?
	               NULL :
	               trc_popularity_sink(&a->found, job->src->have, period, err);
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

static int
describe(void *of, size_t i, struct trc_answer_group *g, struct trc_err *err)
{
	const struct query *a = of;
	const struct trc_popularity *p = &a->found;
	const struct trc_object_totals *t = &p->totals;
	const uint64_t bytes = t->bytes[0] + t->bytes[1], n = requests_of(a);
	const uint64_t lasted = p->last_time - p->first_time;

	(void)i, (void)err;
	g->rows = a->every.text ? p->periods : a->ranks;
	TRC_FACTS(
	        g, { TRC_FACT(requests, "requests", trc_count(n)) },
	        { TRC_FACT(reads, "reads", trc_count(t->requests[0])) },
	        { TRC_FACT(writes, "writes", trc_count(t->requests[1])) },
	        { TRC_FACT(invalidates, "deletes", trc_count(t->deletes)) },
	        { TRC_FACT(first_cycle, "first time", trc_count_if(a->times, p->first_time)) },
	        { TRC_FACT(last_cycle, "last time", trc_count_if(a->times, p->last_time)) },
	        { TRC_FACT(requests_in_time, "requests per unit of time",
	                   trc_real_if(a->times && lasted > 0,
	                               lasted ? (double)n / (double)lasted : 0)),
	          .digits = 3 },
	        { TRC_FACT(requested_bytes, "bytes requested", trc_count_if(a->sizes, bytes)) },
	        { TRC_FACT(mean_bytes, "mean bytes of a request",
	                   trc_real_if(a->sizes && n, n ? (double)bytes / (double)n : 0)),
	          .digits = 1 },
	        { TRC_FACT(largest, "largest request, bytes", trc_count_if(a->sizes, t->largest)) },
	        { TRC_FACT(objects, "different objects", trc_count(p->n)) },
	        { TRC_FACT(object_bytes, "bytes of objects",
	                   trc_count_if(a->sizes, t->object_bytes)) },
	        { TRC_FACT(once, "requested once", trc_count(p->once)) },
	        { TRC_FACT(decile_1, "object size, 10 % below",
	                   trc_count_if(a->sizes, p->decile[0])) },
	        { TRC_FACT(decile_2, NULL, trc_count_if(a->sizes, p->decile[1])) },
	        { TRC_FACT(decile_3, NULL, trc_count_if(a->sizes, p->decile[2])) },
	        { TRC_FACT(decile_4, NULL, trc_count_if(a->sizes, p->decile[3])) },
	        { TRC_FACT(decile_5, "object size, median", trc_count_if(a->sizes, p->decile[4])) },
	        { TRC_FACT(decile_6, NULL, trc_count_if(a->sizes, p->decile[5])) },
	        { TRC_FACT(decile_7, NULL, trc_count_if(a->sizes, p->decile[6])) },
	        { TRC_FACT(decile_8, NULL, trc_count_if(a->sizes, p->decile[7])) },
	        { TRC_FACT(decile_9, "object size, 90 % below",
	                   trc_count_if(a->sizes, p->decile[8])) },
	        { TRC_FACT(zipf_slope, "Zipf exponent", trc_real_if(p->n > 2, p->slope)),
	          .digits = 4 },
	        { TRC_FACT(zipf_fit, "Zipf fit, R^2", trc_real_if(p->n > 2, p->fit)),
	          .digits = 4 });
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
