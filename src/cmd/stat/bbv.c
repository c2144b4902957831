/* SPDX-License-Identifier: MIT
 * trc stat --bbv: basic-block vectors, as SimPoint reads them. */
#include <string.h>

#include "base/text.h"
#include "cmd/job/traces.h"
#include "cmd/report.h"
#include "cmd/stat/stat.h"
#include "stage/phase/bbv.h"

static const struct trc_opts opts =
        TRC_OPTS(uint64_t, { 0, "bbv", "N", "print basic-block vectors, every N instructions",
                             TRC_OPT_COUNT, TRC_WORDS_NONE, 0 });

/* The state of the question. */
struct query {
	struct trc_sink sink;
	struct trc_bbv_taker taker;
	struct trc_bbv bbv;
	struct trc_stat s;
	struct trc_out *out;
	struct trc_answer answer;
	const struct trc_bbv_interval *at;
	const char *input; /* name of one of several traces; NULL: there is only one */
};

static struct query *
query_of(struct trc_bbv_taker *t)
{
	return (struct query *)((char *)t - offsetof(struct query, taker));
}

/* Prints "T:1:48 :3:24", a line of SimPoint's frequency vector file. */
static int
print_vector(struct trc_bbv_taker *t, const struct trc_bbv_interval *v, struct trc_err *err)
{
	struct trc_out *out = query_of(t)->out;

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

static const struct trc_column_decl column[] = {
	{ TRC_NAMED(input) },        { TRC_NAMED(interval) }, { TRC_NAMED(first_record) },
	{ TRC_NAMED(block) },        { TRC_NAMED(space) },    { TRC_NAMED(address) },
	{ TRC_NAMED(instructions) },
};

static void
set_row(const struct query *a, const struct trc_bbv_interval *v, size_t i, struct trc_value *cell)
{
	const struct trc_page_name *block = trc_bbv_block(&a->bbv, v->entry[i].block);

	TRC_VALUES(cell, trc_word(a->input), trc_count(v->number), trc_count(v->first + 1),
	           trc_count(v->entry[i].block), trc_count(block->space),
	           trc_value(TRC_VALUE_ADDRESS, block->page), trc_count(v->entry[i].insns));
}

static int
print_csv(struct trc_bbv_taker *t, const struct trc_bbv_interval *v, struct trc_err *err)
{
	struct query *a = query_of(t);
	struct trc_value cell[TRC_COUNT(column)];

	for (size_t i = 0; i < v->n; i++) {
		set_row(a, v, i, cell);
		if (trc_answer_row(&a->answer, i, cell, a->out, err))
			return -1;
	}
	return 0;
}

static int
describe(void *of, size_t i, struct trc_answer_group *g, struct trc_err *err)
{
	const struct query *a = of;
	const struct trc_bbv_interval *v = a->at;

	(void)i, (void)err;
	TRC_FACTS(g, { TRC_FACT(input, NULL, trc_word(a->input)) },
	          { TRC_FACT(interval, NULL, trc_count(v->number)) },
	          { TRC_FACT(first_record, NULL, trc_count(v->first + 1)) },
	          { TRC_FACT(records, NULL, trc_count(v->rows)) },
	          { TRC_FACT(instructions, NULL, trc_count(v->insns)) });
	g->rows = v->n;
	return 0;
}

static void
row(void *of, size_t i, size_t k, struct trc_value *cell)
{
	const struct query *a = of;

	(void)i;
	set_row(a, a->at, k, cell);
}

/* Prints an interval as an object on a line. */
static int
print_json(struct trc_bbv_taker *t, const struct trc_bbv_interval *v, struct trc_err *err)
{
	struct query *a = query_of(t);

	a->at = v;
	return trc_answer_put(&a->answer, a->out, err);
}

static int
bbv_put(struct trc_sink *sink, const struct trc_batch *b, struct trc_err *err)
{
	return trc_bbv_put(&((struct query *)sink)->bbv, b, err);
}

static int
bbv_finish(struct trc_sink *sink, const struct trc_meta *meta, struct trc_err *err)
{
	(void)meta;
	return trc_bbv_end(&((struct query *)sink)->bbv, err);
}

/* Notes the numbers of intervals and blocks for people, since the vectors are for programs. */
static int
note(const struct query *a, struct trc_err *err)
{
	if (trc_out_flush(a->out, err))
		return -1;
	if (!a->s.quiet)
		trc_report_note("%s%s%llu instructions in %llu intervals, %lu basic blocks\n",
		                a->input ? a->input : "", a->input ? ": " : "", (ull)a->bbv.insns,
		                (ull)a->bbv.interval.number, (unsigned long)a->bbv.blocks.n);
	return 0;
}

/* Runs the question for one trace. */
static int
ask(struct query *a, const struct trc_settings *settings, const struct trc_trace *t,
    struct trc_err *err)
{
	struct trc_job job;
	int ret = -1;

	if (trc_trace_open(&job, t, a->s.in, a->s.quiet, err))
		return -1;
	if (trc_bbv_init(&a->bbv, job.src->have,
	                 *(const uint64_t *)trc_settings_of(settings, &opts), &a->taker, err) == 0)
		ret = trc_job_pump(&job, &a->sink, a->s.quiet, err);
	if (ret == 0)
		ret = note(a, err);
	trc_bbv_release(&a->bbv);
	trc_source_close(job.src);
	return ret;
}

/* Runs the question for one trace after another, since vectors are printed as they come. */
static int
ask_all(struct query *a, const struct trc_settings *settings, const struct trc_traces *traces,
        struct trc_err *err)
{
	struct trc_column_decl columns[TRC_COUNT(column)];

	memcpy(columns, column, sizeof(column));
	columns[0].off = traces->n == 1;
	a->sink = (struct trc_sink){ .put = bbv_put, .finish = bbv_finish };
	a->taker.take = a->s.form == TRC_FORM_JSON ? print_json :
	                a->s.form == TRC_FORM_CSV  ? print_csv :
	                                             print_vector;
	a->answer = (struct trc_answer){ .form = a->s.form,
		                         TRC_TABLE(columns),
		                         .lines = true,
		                         .of = a,
		                         .group = describe,
		                         .row = row };
	if (a->s.form == TRC_FORM_CSV && trc_answer_begin(&a->answer, a->out, err))
		return -1;
	for (size_t i = 0; i < traces->n; i++) {
		a->input = traces->n > 1 ? traces->trace[i].path[0] : NULL;
		if (ask(a, settings, &traces->trace[i], err))
			return a->input ? trc_err_in(err, "%s", a->input) : -1;
	}
	return trc_out_commit(a->out, err);
}

/* In text there is no separator between the vectors of several traces, so they are refused. */
static int
check_form(const struct query *a, size_t traces, struct trc_err *err)
{
	if (traces == 1 || a->s.form != TRC_FORM_TEXT)
		return 0;
	return trc_fail_as(err, TRC_USAGE,
	                   "--bbv: SimPoint reads the vectors of one trace, not %zu; use --csv or "
	                   "--json, or join the traces with --concat",
	                   traces);
}

static int
answer_bbv(const struct trc_settings *settings, const struct trc_args *args, struct trc_err *err)
{
	struct query a = { .s = trc_stat_of(settings) };
	struct trc_traces traces = { 0 };
	int ret = -1;

	if (trc_job_words(args, 1, SIZE_MAX, err) == 0 &&
	    trc_traces_list(&traces, settings, args->word, args->n, a.s.quiet, err) == 0 &&
	    check_form(&a, traces.n, err) == 0 && (a.out = trc_out_open("-", false, err)))
		ret = ask_all(&a, settings, &traces, err);
	trc_out_close(a.out);
	trc_traces_release(&traces);
	return ret;
}

const struct trc_action trc_stat_bbv = {
	.name = "--bbv",
	.takes = TRC_TAKES(&opts, &trc_traces_opts, TRC_STAT_TAKES),
	.run = answer_bbv,
	.no_shards = "intervals and blocks continue from shard to shard; run it without --shard"
};
