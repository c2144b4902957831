/* SPDX-License-Identifier: MIT
 * trc stat --bbv: basic-block vectors, as SimPoint reads them. */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "cmd/job/inputs.h"
#include "cmd/report.h"
#include "cmd/stat/stat.h"
#include "stage/phase/bbv.h"

static const struct trc_opt options[] = {
	{ 0, "bbv", "N", "basic-block vectors of intervals of N instructions", TRC_OPT_COUNT,
	  TRC_WORDS_NONE, 0 },
};

static const struct trc_opts opts = { options, TRC_COUNT(options), sizeof(uint64_t), NULL };

typedef unsigned long long ull; /* for printf */

/* The question, while it is asked. */
struct asking {
	struct trc_sink sink;
	struct trc_bbv_taker taker;
	struct trc_bbv bbv;
	struct trc_stat s;
	struct trc_out *out;
};

static struct asking *
asking_of(struct trc_bbv_taker *t)
{
	return (struct asking *)((char *)t - offsetof(struct asking, taker));
}

/* "T:1:48 :3:24": a line of SimPoint's frequency vector file. */
static int
print_vector(struct trc_bbv_taker *t, const struct trc_bbv_interval *v, struct trc_err *err)
{
	struct trc_out *out = asking_of(t)->out;

	for (size_t i = 0; i < v->n; i++) {
		if (trc_out_room(out, 64, err))
			return -1;
		*out->p++ = i ? ' ' : 'T';
		*out->p++ = ':';
		out->p = trc_text_put_dec(out->p, v->entry[i].block);
		*out->p++ = ':';
		out->p = trc_text_put_dec(out->p, v->entry[i].insns);
	}
	return trc_out_put(out, "\n", 1, err);
}

static int
print_csv(struct trc_bbv_taker *t, const struct trc_bbv_interval *v, struct trc_err *err)
{
	struct asking *a = asking_of(t);

	for (size_t i = 0; i < v->n; i++) {
		const struct trc_page_name *block = trc_bbv_block(&a->bbv, v->entry[i].block);

		if (trc_report(a->out, err, "%llu,%llu,%lu,%lu,0x%llx,%llu\n", (ull)v->number,
		               (ull)v->first + 1, (unsigned long)v->entry[i].block,
		               (unsigned long)block->space, (ull)block->page,
		               (ull)v->entry[i].insns))
			return -1;
	}
	return 0;
}

static int
print_json(struct trc_bbv_taker *t, const struct trc_bbv_interval *v, struct trc_err *err)
{
	struct asking *a = asking_of(t);

	if (trc_report(a->out, err,
	               "{\"interval\": %llu, \"first\": %llu, \"records\": %llu, "
	               "\"instructions\": %llu, \"blocks\": [",
	               (ull)v->number, (ull)v->first + 1, (ull)v->rows, (ull)v->insns))
		return -1;
	for (size_t i = 0; i < v->n; i++) {
		const struct trc_page_name *block = trc_bbv_block(&a->bbv, v->entry[i].block);

		if (trc_report(a->out, err,
		               "%s{\"block\": %lu, \"space\": %lu, \"address\": \"0x%llx\", "
		               "\"instructions\": %llu}",
		               i ? ", " : "", (unsigned long)v->entry[i].block,
		               (unsigned long)block->space, (ull)block->page,
		               (ull)v->entry[i].insns))
			return -1;
	}
	return trc_report(a->out, err, "]}\n");
}

static int
bbv_put(struct trc_sink *sink, const struct trc_batch *b, struct trc_err *err)
{
	return trc_bbv_put(&((struct asking *)sink)->bbv, b, err);
}

static int
bbv_finish(struct trc_sink *sink, const struct trc_meta *meta, struct trc_err *err)
{
	(void)meta;
	return trc_bbv_end(&((struct asking *)sink)->bbv, err);
}

/* Of which intervals and blocks it was, for people: the vectors are for programs. */
static void
note(const struct asking *a)
{
	if (!a->s.quiet)
		fprintf(stderr, "%llu instructions in %llu intervals, %lu basic blocks\n",
		        (ull)a->bbv.insns, (ull)a->bbv.interval.number,
		        (unsigned long)a->bbv.blocks.n);
}

static int
pump(struct asking *a, struct trc_job *job, uint64_t every, struct trc_err *err)
{
	a->sink = (struct trc_sink){ .put = bbv_put, .finish = bbv_finish };
	a->taker.take = a->s.json ? print_json : a->s.csv ? print_csv : print_vector;
	if (trc_bbv_init(&a->bbv, job->src->have, every, &a->taker, err) ||
	    (a->s.csv &&
	     trc_report(a->out, err, "interval,first_record,block,space,address,instructions\n")) ||
	    trc_job_pump(job, &a->sink, a->s.quiet, err))
		return -1;
	return trc_out_commit(a->out, err);
}

static int
answer_bbv(const struct trc_settings *all, const struct trc_args *args, struct trc_err *err)
{
	const uint64_t every = *(const uint64_t *)trc_settings_of(all, &opts);
	struct asking a = { .s = trc_stat_of(all) };
	struct trc_job job;
	int ret = -1;

	if (trc_job_words(args, 1, SIZE_MAX, err) ||
	    trc_inputs_open_one(&job, all, args, a.s.in, a.s.quiet, err))
		return -1;
	a.out = trc_out_open("-", false, err);
	if (a.out)
		ret = pump(&a, &job, every, err);
	if (ret == 0)
		note(&a);
	trc_bbv_release(&a.bbv);
	trc_out_close(a.out);
	trc_source_close(job.src);
	return ret;
}

static const struct trc_opts *const takes[] = { &opts, &trc_stat_opts_csv, &trc_inputs_opts,
	                                        TRC_STAT_TAKES, NULL };

const struct trc_action trc_stat_bbv = {
	.name = "--bbv",
	.takes = takes,
	.run = answer_bbv,
	.no_shards = "intervals count the instructions of the whole trace, and a block "
	             "goes on from shard to shard; ask without --shard"
};
