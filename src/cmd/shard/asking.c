/* SPDX-License-Identifier: MIT */
#include "cmd/shard/asking.h"

#include <stdlib.h>
#include <string.h>

#include "cmd/shard/counting.h"
#include "stage/last_fetch.h"

static const struct trc_opt option_warmup[] = {
	{ 0, "warmup", "N[i]", "warm up with the first N records (Ni: instructions)",
	  TRC_OPT_EXTENT, TRC_WORDS_NONE, 0 },
};

const struct trc_opts trc_shard_opts_warmup = { option_warmup, 1, sizeof(uint64_t), NULL };

static void *
found(const struct trc_question *q, struct trc_asked *asked)
{
	return (char *)asked + q->owns[0].at;
}

static int
subtract(struct trc_warmup *w, struct trc_err *err)
{
	struct trc_asking *a =
	        (struct trc_asking *)((char *)w - offsetof(struct trc_asking, warmup));

	if (a->q->subtract)
		return a->q->subtract(found(a->q, a->asked), found(a->q, a->first), err);
	trc_counting_subtract(a->q, a->asked, a->first);
	return 0;
}

int
trc_asking_begin(struct trc_asking *a, const struct trc_question *q, const struct trc_asked *asked,
                 const char *input, struct trc_err *err)
{
	*a = (struct trc_asking){ .q = q };
	a->asked = trc_alloc(1, q->size, err);
	if (!a->asked)
		return -1;
	*a->asked = *asked;
	a->asked->name = trc_traces_name(&asked->path, asked->files, a->name);
	a->asked->plotting = &a->plotting;
	if (trc_settings_takes(asked->all, &trc_stat_opts_plot))
		trc_plotting_init(&a->plotting, asked->all);
	a->asked->quiet = trc_settings_named(asked->all, "quiet");
	if (trc_settings_takes(asked->all, &trc_shard_opts_warmup)) {
		const uint64_t n = *(const uint64_t *)trc_settings_of(asked->all,
		                                                      &trc_shard_opts_warmup);

		a->asked->warmup = n & ~TRC_OPT_INSNS;
		a->asked->insns = n & TRC_OPT_INSNS;
	}
	if (q->begin && q->begin(a->asked, input, err))
		return -1;
	if (asked->nth == 0 && !q->draws && a->plotting.how && trc_plotting_open(&a->plotting, err))
		return -1;
	if ((q->subtract || q->reference) && a->asked->warmup) {
		a->warmup.records = a->asked->warmup;
		a->warmup.insns = a->asked->insns;
		a->warmup.subtract = subtract;
		a->asked->twice = true;
		if (a->asked->numbered < a->asked->warmup)
			a->asked->numbered = a->asked->warmup;
	}
	return 0;
}

static int
check_needs(const struct trc_asking *a, struct trc_err *err)
{
	const uint32_t lacks = a->q->needs & ~a->job.src->have;
	char names[64];

	return lacks ? trc_fail(err, "%s: has no column '%s', which %s needs%s", a->asked->path,
	                        trc_columns_text(lacks, names, sizeof(names)),
	                        a->asked->all->action->name,
	                        lacks == TRC_HAS_PC && trc_last_fetch_shows(a->job.src->have) ?
	                                "; add it with 'trc encode --fill pc=fetch'" :
	                                "") :
	               0;
}

static struct trc_sink *
open_one(struct trc_asking *a, struct trc_asked *asked, struct trc_err *err)
{
	return a->q->reference ? trc_counting_sink(a->q, asked, err) :
	                         a->q->open(asked, &a->job, err);
}

/* Opens the sink of the question. With a warm-up, a second sink for a copy of the question, and one
 * around both that passes rows on. */
static struct trc_sink *
open_sinks(struct trc_asking *a, struct trc_err *err)
{
	struct trc_warmup *w = &a->warmup;
	struct trc_sink *all;

	w->seen = a->asked->before < w->records ? a->asked->before : w->records;
	if (w->records && trc_job_wrap(&a->job, trc_warmup_source(a->job.src, w, err)))
		return NULL;
	if (check_needs(a, err))
		return NULL;
	all = open_one(a, a->asked, err);
	if (!all || !w->records)
		return all;
	free(a->first);
	a->first = trc_alloc(1, a->q->size, err);
	if (!a->first) {
		trc_sink_close(all);
		return NULL;
	}
	memcpy(a->first, a->asked, a->q->size);
	a->first->goes_on = true;
	return trc_warmup_sink(all, open_one(a, a->first, err), w, err);
}

int
trc_asking_open(struct trc_asking *a, bool kept, struct trc_err *err)
{
	const uint32_t have = a->job.src->have;

	a->sink = open_sinks(a, err);
	if (!a->sink)
		return -1;
	if (kept && !a->sink->state)
		return trc_fail(err, "this question cannot be answered in shards%s",
		                a->asked->insns ? ": it is not known how many instructions are "
		                                  "in front of one" :
		                                  "");
	a->sink->kept = kept;
	a->sink->counted = (TRC_HAS_RTIME | TRC_HAS_ITIME) & ~have;
	return 0;
}

/* Releases the first `owns` parts of what a question keeps: all, or only the result of a warm-up.
 * */
static void
release(const struct trc_question *q, struct trc_asked *asked, size_t owns)
{
	if (!asked)
		return;
	trc_counting_release(q, asked);
	for (size_t i = 0; i < owns && q->owns[i].release; i++)
		q->owns[i].release((char *)asked + q->owns[i].at);
}

void
trc_asking_end(struct trc_asking *a)
{
	trc_sink_close(a->sink);
	release(a->q, a->asked, TRC_QUESTION_OWNS);
	release(a->q, a->first, 1);
	trc_plotting_close(&a->plotting);
	trc_source_close(a->job.src);
	free(a->asked);
	free(a->first);
}

int
trc_asking_keep(struct trc_asking *a, struct trc_err *err)
{
	const struct trc_settings *all = a->asked->all;

	if (!a->q->answer)
		return a->q->settle(a->asked, &a->job, err);
	a->answered = (struct trc_answered){
		.answer = { .form = trc_answer_form(all), .of = a->asked },
		.plot = { .g = &a->plotting, .name = a->asked->name },
	};
	return a->q->answer(a->asked, &a->job, &a->answered, err);
}

int
trc_asking_print(struct trc_asking *a, struct trc_err *err)
{
	void *const one = a->asked;

	if (a->q->print)
		return a->q->print(a->asked, &a->job, err);
	if (trc_asking_keep(a, err))
		return -1;
	return a->q->answer ? trc_answered_print(&a->answered, err) :
	                      a->q->compare(&one, 1, 1, err);
}

int
trc_asking_write(const struct trc_partial *p, const char *path, bool force, struct trc_err *err)
{
	struct trc_out *out = trc_out_open(path, force, err);
	int ret = out ? trc_partial_write(p, out, err) : -1;

	if (ret == 0)
		ret = trc_out_commit(out, err);
	trc_out_close(out);
	return ret;
}
