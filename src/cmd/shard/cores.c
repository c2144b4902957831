/* SPDX-License-Identifier: MIT
 *
 * A question on all cores of one machine: what shards are over many, chunks of some rows are here.
 * Each chunk has a sink of its own, whose state is appended to the one that prints, in order.
 */
#include <stdlib.h>
#include <string.h>

#include "base/cores.h"
#include "cmd/shard/asking.h"
#include "stage/chunks.h"
#include "stage/stage.h"

/* Each leaves a state that is appended: 2^18 rows, 2^20. */
static const struct trc_chunk_sizes sizes = { .read = 64, .most = 256, .any = true };

/* What a chunk found. */
struct found {
	uint64_t sum[TRC_QUESTION_SUMS];
	uint64_t rows;
	bool counted; /* these were: */
	struct trc_page_totals totals;
	struct trc_buf state;
};

/* What chunks are asked: the question before any row, of rows with these columns. */
struct common {
	const struct trc_question *q;
	const struct trc_asked *asked;
	struct trc_job job;
	struct trc_warmup warmup;
	uint32_t have;
};

static void
forget(void *result)
{
	struct found *f = result;

	if (f)
		trc_buf_release(&f->state);
	free(f);
}

/* Asks the rows of a->job, and keeps what they leave. */
static int
ask(struct trc_asking *a, const struct trc_chunk *chunk, struct found *f, struct trc_err *err)
{
	const struct trc_meta *meta;

	if (trc_asking_open(a, true, err) ||
	    trc_pump(a->job.src, a->sink, TRC_BATCH_ROWS, NULL, err) ||
	    trc_sink_save(a->sink, &f->state, err))
		return -1;
	meta = &a->job.src->meta;
	memcpy(f->sum, a->asked->sum, sizeof(f->sum));
	f->rows = chunk->rows;
	f->counted = meta->totals;
	f->totals = (struct trc_page_totals){ meta->refs, meta->insns, meta->last_time,
		                              trc_meta_touches(meta) };
	return 0;
}

/* The question, asked of one chunk: what it keeps is that of the whole before any row. */
static int
work(void *arg, struct trc_chunk *chunk, struct trc_err *err)
{
	const struct common *c = arg;
	struct trc_asking a = { .q = c->q, .job = c->job, .warmup = c->warmup };
	struct found *f = trc_alloc(1, sizeof(*f), err);
	int ret = -1;

	chunk->result = f;
	chunk->meta.totals = false; /* its own are to be counted */
	a.asked = trc_alloc(1, a.q->size, err);
	a.job.src = trc_chunk_source(chunk, c->have, err);
	if (f && a.asked && a.job.src) {
		memcpy(a.asked, c->asked, a.q->size);
		a.asked->before = chunk->before;
		ret = ask(&a, chunk, f, err);
	}
	trc_sink_close(a.sink);
	trc_source_close(a.job.src);
	free(a.asked);
	free(a.first);
	return ret;
}

/* Adds what a chunk found. */
static int
append(struct trc_asking *a, const struct found *f, struct found *all, struct trc_err *err)
{
	for (size_t i = 0; i < TRC_QUESTION_SUMS; i++)
		a->asked->sum[i] += f->sum[i];
	a->job.rows += f->rows;
	all->counted = f->counted;
	all->totals.refs += f->totals.refs;
	all->totals.insns += f->totals.insns;
	all->totals.touches += f->totals.touches;
	if (f->rows > 0)
		all->totals.last_time = f->totals.last_time;
	return trc_sink_append(a->sink, trc_buf_view(&f->state), err);
}

static int
append_all(struct trc_asking *a, struct trc_chunks *chunks, struct found *all, struct trc_err *err)
{
	struct trc_chunk *chunk;

	while (trc_chunks_next(chunks, &chunk, err) == 0) {
		if (!chunk)
			return 0;
		if (append(a, chunk->result, all, err))
			return -1;
		forget(chunk->result);
		chunk->result = NULL;
	}
	return -1;
}

/* The rows have ended: what is known of them, by their source or by what was counted. */
static int
end_meta(struct trc_asking *a, const struct trc_source *rows, struct found *all,
         struct trc_err *err)
{
	struct trc_meta *meta = &a->job.src->meta;
	const uint32_t page_bits = meta->page_bits;

	/* Where there are no times, it is how many references there were. */
	if (!(rows->have & TRC_HAS_TIME))
		all->totals.last_time = all->totals.refs;
	*meta = rows->meta;
	return trc_meta_pages(meta, page_bits, all->counted ? &all->totals : NULL, err);
}

static int
pump_chunks(struct trc_asking *a, struct trc_source *rows, const struct common *common, int threads,
            struct trc_err *err)
{
	struct found all = { .rows = 0 };
	struct trc_chunk_sizes numbered = sizes;
	struct trc_chunks *chunks;
	int ret;

	numbered.numbered = a->asked->numbered;
	chunks = trc_chunks_open(rows, numbered, threads, work, forget, (void *)common, err);
	if (!chunks)
		return -1;
	a->sink->kept = true;
	ret = append_all(a, chunks, &all, err);
	a->sink->kept = false;
	trc_chunks_close(chunks);
	if (ret || end_meta(a, rows, &all, err))
		return -1;
	return trc_sink_finish(a->sink, &a->job.src->meta, err);
}

/* As before any row. */
static void
forget_rows(struct trc_asking *a, const struct trc_asked *asked)
{
	a->sink->kept = true; /* there is no answer */
	trc_sink_close(a->sink);
	a->sink = NULL;
	memcpy(a->asked, asked, a->q->size);
}

/* Opens the sink, and puts all rows of a->job into it, which finishes: on all cores where the sink
 * can be asked of shards. With a->chunks_failed it failed there, and is as before. */
static int
pump(struct trc_asking *a, struct trc_err *err)
{
	const int threads = trc_threads(a->job.threads);
	struct common common = {
		.q = a->q, .job = a->job, .warmup = a->warmup, .have = a->job.src->have
	};
	struct trc_asked *asked = trc_alloc(1, a->q->size, err);
	struct trc_source *rows = a->job.src;
	struct trc_progress progress;
	int ret;

	if (!asked)
		return -1;
	memcpy(asked, a->asked, a->q->size);
	common.asked = asked;
	trc_job_note(&a->job, a->asked->quiet);
	trc_job_begin_progress(&a->job, &progress, a->asked->quiet);
	ret = trc_job_wrap(&a->job, trc_progress_source(rows, &progress, err));
	rows = a->job.src;
	if (ret == 0)
		ret = trc_asking_open(a, false, err);
	if (ret == 0 && a->sink->state && threads > 1 && !a->one_thread &&
	    a->asked->numbered < UINT64_MAX) {
		ret = pump_chunks(a, rows, &common, threads, err);
		a->chunks_failed = ret && (err->code == TRC_FAILED || err->code == TRC_ONLY_WHOLE);
		if (a->chunks_failed)
			forget_rows(a, asked);
		else if (ret == 0)
			ret = trc_job_report(&a->job, a->asked->quiet, err);
	} else if (ret == 0) {
		ret = trc_job_pump(&a->job, a->sink, a->asked->quiet, err);
	}
	trc_progress_end(&progress);
	a->job.progress = NULL;
	free(asked);
	return ret;
}

static int
ask_trace(struct trc_asking *a, const struct trc_args *trace, const struct trc_job_in *in,
          struct trc_err *err)
{
	bool known = false;

	if (trc_inputs_open_one(&a->job, a->asked->all, trace, in, a->asked->quiet, err) ||
	    (a->q->know && a->q->know(a->asked, &a->job, &known, err)))
		return -1;
	if (known || a->q->cores)
		return known ? 0 : pump(a, err);
	return trc_asking_open(a, false, err) ?
	               -1 :
	               trc_job_pump(&a->job, a->sink, a->asked->quiet, err);
}

int
trc_asking_answer(struct trc_asking *a, const struct trc_args *trace, const struct trc_job_in *in,
                  struct trc_err *err)
{
	struct trc_err none;
	int ret;

	for (size_t i = 0; i < trace->n; i++)
		a->one_thread |= trc_job_again(trace->word[i], "", &none) != 0;
	ret = ask_trace(a, trace, in, err);
	if (!a->chunks_failed)
		return ret;
	trc_source_close(a->job.src);
	a->job.src = NULL;
	a->one_thread = true;
	*err = (struct trc_err){ 0 };
	return ask_trace(a, trace, in, err);
}
