/* SPDX-License-Identifier: MIT */
#include "cmd/shard/query.h"

#include <stdlib.h>
#include <string.h>

#include "cmd/shard/counting.h"
#include "stage/last_fetch.h"

const struct trc_opts trc_shard_opts_warmup = TRC_OPTS(
        uint64_t, { 0, "warmup", "N[i]", "warm up with the first N records (Ni: instructions)",
                    TRC_OPT_EXTENT, TRC_WORDS_NONE, 0 });

static void *
found(const struct trc_query_ops *q, struct trc_query *query)
{
	return (char *)query + q->owns[0].at;
}

static int
subtract(struct trc_warmup *w, struct trc_err *err)
{
	struct trc_query_run *a =
	        (struct trc_query_run *)((char *)w - offsetof(struct trc_query_run, warmup));

	if (a->ops->subtract)
		return a->ops->subtract(found(a->ops, a->query), found(a->ops, a->first), err);
	trc_counting_subtract(a->ops, a->query, a->first);
	return 0;
}

int
trc_query_begin(struct trc_query_run *a, const struct trc_query_ops *q,
                const struct trc_query *query, const char *input, struct trc_err *err)
{
	*a = (struct trc_query_run){ .ops = q };
	a->query = trc_alloc(1, q->size, err);
	if (!a->query)
		return -1;
	*a->query = *query;
	a->query->in = trc_job_in(query->settings);
	a->query->name = trc_traces_name(&query->path, query->files, a->name);
	a->query->plotting = &a->plotting;
	if (trc_settings_takes(query->settings, &trc_stat_opts_plot))
		trc_plotting_init(&a->plotting, query->settings);
	a->query->quiet = trc_settings_named(query->settings, "quiet");
	if (trc_settings_takes(query->settings, &trc_shard_opts_warmup)) {
		const uint64_t n = *(const uint64_t *)trc_settings_of(query->settings,
		                                                      &trc_shard_opts_warmup);

		a->query->warmup = n & ~TRC_OPT_INSNS;
		a->query->insns = n & TRC_OPT_INSNS;
	}
	if (q->begin && q->begin(a->query, input, err))
		return -1;
	if (query->nth == 0 && !q->draws && a->plotting.how && trc_plotting_open(&a->plotting, err))
		return -1;
	if ((q->subtract || q->reference) && a->query->warmup) {
		a->warmup.records = a->query->warmup;
		a->warmup.insns = a->query->insns;
		a->warmup.subtract = subtract;
		a->query->twice = true;
		if (a->query->numbered < a->query->warmup)
			a->query->numbered = a->query->warmup;
	}
	return 0;
}

static int
check_needs(const struct trc_query_run *a, struct trc_err *err)
{
	const uint32_t lacks = a->ops->needs & ~a->job.src->have;
	char names[64];

	return lacks ? trc_fail(err, "%s: has no column '%s', which %s needs%s", a->query->path,
	                        trc_columns_text(lacks, names, sizeof(names)),
	                        a->query->settings->action->name,
	                        lacks == TRC_HAS_PC && trc_last_fetch_shows(a->job.src->have) ?
	                                "; add it with 'trc encode --fill pc=fetch'" :
	                                "") :
	               0;
}

static struct trc_sink *
open_one(struct trc_query_run *a, struct trc_query *query, struct trc_err *err)
{
	return a->ops->reference ? trc_counting_sink(a->ops, query, err) :
	                           a->ops->open(query, &a->job, err);
}

/* Opens the sink of the question. With a warm-up, a second sink for a copy of the question, and one
 * around both that passes rows on. */
static struct trc_sink *
open_sinks(struct trc_query_run *a, struct trc_err *err)
{
	struct trc_warmup *w = &a->warmup;
	struct trc_sink *all;

	w->seen = a->query->before < w->records ? a->query->before : w->records;
	if (w->records && trc_job_wrap(&a->job, trc_warmup_source(a->job.src, w, err)))
		return NULL;
	if (check_needs(a, err))
		return NULL;
	all = open_one(a, a->query, err);
	if (!all || !w->records)
		return all;
	free(a->first);
	a->first = trc_alloc(1, a->ops->size, err);
	if (!a->first) {
		trc_sink_close(all);
		return NULL;
	}
	memcpy(a->first, a->query, a->ops->size);
	a->first->warmup_copy = true;
	return trc_warmup_sink(all, open_one(a, a->first, err), w, err);
}

int
trc_query_open(struct trc_query_run *a, bool kept, struct trc_err *err)
{
	const uint32_t have = a->job.src->have;

	a->sink = open_sinks(a, err);
	if (!a->sink)
		return -1;
	if (kept && !a->sink->state)
		return trc_fail(err, "this question cannot be answered in shards%s",
		                a->query->insns ?
		                        ": the number of instructions before a shard is unknown" :
		                        "");
	a->sink->partial = kept;
	a->sink->counted = (TRC_HAS_RTIME | TRC_HAS_ITIME) & ~have;
	return 0;
}

/* Releases the first `owns` parts of what a question keeps: all, or only the result of a warm-up.
 * */
static void
release(const struct trc_query_ops *q, struct trc_query *query, size_t owns)
{
	if (!query)
		return;
	trc_counting_release(q, query);
	for (size_t i = 0; i < owns && q->owns[i].release; i++)
		q->owns[i].release((char *)query + q->owns[i].at);
}

void
trc_query_end(struct trc_query_run *a)
{
	trc_sink_close(a->sink);
	release(a->ops, a->query, TRC_QUERY_OWNS);
	release(a->ops, a->first, 1);
	trc_plotting_close(&a->plotting);
	trc_source_close(a->job.src);
	free(a->query);
	free(a->first);
}

int
trc_query_keep(struct trc_query_run *a, struct trc_err *err)
{
	const struct trc_settings *settings = a->query->settings;

	if (!a->ops->answer)
		return a->ops->settle(a->query, &a->job, err);
	a->answered = (struct trc_answered){
		.answer = { .form = trc_answer_form(settings), .of = a->query },
		.plot = { .g = &a->plotting, .name = a->query->name },
	};
	return a->ops->answer(a->query, &a->job, &a->answered, err);
}

int
trc_query_print(struct trc_query_run *a, struct trc_err *err)
{
	void *const one = a->query;

	if (a->ops->print)
		return a->ops->print(a->query, &a->job, err);
	if (trc_query_keep(a, err))
		return -1;
	return a->ops->answer ? trc_answered_print(&a->answered, err) :
	                        a->ops->compare(&one, 1, 1, err);
}

int
trc_query_write(const struct trc_partial *p, const char *path, bool force, struct trc_err *err)
{
	struct trc_out *out = trc_out_open(path, force, err);
	int ret = out ? trc_partial_write(p, out, err) : -1;

	if (ret == 0)
		ret = trc_out_commit(out, err);
	trc_out_close(out);
	return ret;
}
