/* SPDX-License-Identifier: MIT
 *
 * Drives a question over rows: each part of a trace gets a sink of its own, whose state is
 * appended, in order, to the sink that prints.
 *
 *   whole    one part, whose sink is the one that prints
 *   threads  chunks of rows, each a part
 *   shard    one part, whose state goes to a file
 *   merge    no rows; the parts come from files
 */
#include <stdlib.h>
#include <string.h>

#include "cmd/shard/query.h"
#include "stage/chunks.h"

/* The state of each chunk is appended, which should cost little beside its 2^18 to 2^20 rows. */
static const struct trc_chunk_sizes sizes = { .read = 64, .most = 256, .any = true };

enum {
	EARLY = 1 << 23, /* rows */
	MANY = 1 << 15,  /* pages */
};

/* ---- a part ---- */

int
trc_query_part(struct trc_query_run *a, bool watched, struct trc_found *f, struct trc_err *err)
{
	const struct trc_source *rows = a->job.src;
	const struct trc_meta *meta;

	if (trc_query_open(a, true, err) ||
	    (watched ? trc_job_pump(&a->job, a->sink, a->query->quiet, err) :
	               trc_pump(a->job.src, a->sink, TRC_BATCH_ROWS, NULL, err)) ||
	    trc_sink_save(a->sink, &f->state, err))
		return -1;
	meta = &a->job.src->meta;
	memcpy(f->sum, a->query->sum, sizeof(f->sum));
	f->pages = a->sink->pages;
	f->rows = a->job.rows;
	f->counted = meta->totals && !rows->meta.totals;
	if (f->counted)
		f->totals = (struct trc_page_totals){ meta->refs, meta->insns, meta->last_time,
			                              trc_meta_touches(meta) };
	return 0;
}

int
trc_query_append(struct trc_query_run *a, const struct trc_found *f, uint32_t have,
                 struct trc_err *err)
{
	trc_found_join(&a->found, f, have);
	a->job.rows = a->found.rows;
	memcpy(a->query->sum, a->found.sum, sizeof(a->found.sum));
	return trc_sink_append(a->sink, trc_buf_view(&f->state), err);
}

int
trc_query_finish(struct trc_query_run *a, const struct trc_meta *rows, struct trc_err *err)
{
	struct trc_meta *meta = &a->job.src->meta;
	const uint32_t page_bits = meta->page_bits;

	*meta = *rows;
	a->sink->partial = false;
	return trc_meta_pages(meta, page_bits, a->found.counted ? &a->found.totals : NULL, err) ||
	                       trc_sink_finish(a->sink, meta, err) ?
	               -1 :
	               0;
}

/* ---- threads ---- */

/* What all chunks start from: the question before the first row, and the columns of the rows. */
struct common {
	struct trc_query_run begun;
	uint32_t have;
};

static void
forget(void *result)
{
	struct trc_found *f = result;

	if (f)
		trc_buf_release(&f->state);
	free(f);
}

/* Asks the question of one chunk, by a copy of what the whole kept before the first row. A chunk is
 * no file: of that all is noted already, and another thread is reading it. */
static int
work(void *arg, struct trc_chunk *chunk, struct trc_err *err)
{
	const struct common *c = arg;
	struct trc_query_run a = c->begun;
	struct trc_found *f = trc_alloc(1, sizeof(*f), err);
	int ret = -1;

	chunk->result = f;
	chunk->meta.totals = false; /* the whole trace's; the chunk counts its own */
	a.query = trc_alloc(1, a.ops->size, err);
	a.job.src = trc_chunk_source(chunk, c->have, err);
	a.job.file = NULL;
	a.job.inputs = 0;
	a.job.whole = false;
	if (f && a.query && a.job.src) {
		memcpy(a.query, c->begun.query, a.ops->size);
		a.query->before = chunk->before;
		ret = trc_query_part(&a, false, f, err);
		f->rows = chunk->rows;
	}
	trc_sink_close(a.sink);
	trc_source_close(a.job.src);
	free(a.query);
	free(a.first);
	return ret;
}

/* Returns true if a chunk has so many distinct pages that joining the chunks would be slower than
 * one thread. The rows read so far are then read again, so this is decided early or not at all. */
static bool
leaves_much(const struct trc_query_run *a, const struct trc_found *f)
{
	return f->pages >= MANY && f->pages >= f->rows / 4 && a->found.rows < EARLY;
}

static int
append_all(struct trc_query_run *a, struct trc_chunks *chunks, uint32_t have, struct trc_err *err)
{
	struct trc_chunk *chunk;

	while (trc_chunks_next(chunks, &chunk, err) == 0) {
		if (!chunk)
			return 0;
		if (leaves_much(a, chunk->result))
			return trc_fail_as(err, TRC_ONLY_WHOLE, "chunks have too many pages");
		if (trc_query_append(a, chunk->result, have, err))
			return -1;
		forget(chunk->result);
		chunk->result = NULL;
	}
	return -1;
}

static int
pump_chunks(struct trc_query_run *a, struct trc_source *rows, struct common *common, int threads,
            struct trc_err *err)
{
	struct trc_chunk_sizes numbered = sizes;
	struct trc_chunks *chunks;
	int ret;

	numbered.numbered = a->query->numbered;
	chunks = trc_chunks_open(rows, numbered, threads, work, forget, common, err);
	if (!chunks)
		return -1;
	a->sink->partial = true;
	ret = append_all(a, chunks, rows->have, err);
	trc_chunks_close(chunks);
	return ret ? ret : trc_query_finish(a, &rows->meta, err);
}

/* Resets *a to its state before the first row, of which `query` is a copy. */
static void
forget_rows(struct trc_query_run *a, const struct trc_query *query)
{
	a->sink->partial = true; /* so that closing it does not expect an answer */
	trc_sink_close(a->sink);
	a->sink = NULL;
	memcpy(a->query, query, a->ops->size);
}

/* Returns true if the rows can be read in chunks. The sink is open. */
static bool
has_chunks(const struct trc_query_run *a, int threads)
{
	return threads > 1 && a->sink->state && !a->one_thread && !a->query->whole &&
	       a->query->numbered < UINT64_MAX;
}

/* Opens the sink, puts all rows of a->job into it, and finishes it; on all cores if it can be asked
 * in chunks. If those fail in a way that one thread might not, sets a->chunks_failed and resets *a.
 * */
static int
pump(struct trc_query_run *a, struct trc_err *err)
{
	const int threads = trc_job_threads(&a->job);
	struct common common = { *a, a->job.src->have };
	struct trc_query *query = common.begun.query = trc_alloc(1, a->ops->size, err);
	struct trc_source *rows = a->job.src;
	struct trc_progress progress;
	int ret;

	if (!query)
		return -1;
	memcpy(query, a->query, a->ops->size);
	a->job.noted |= a->query->again;
	trc_job_note(&a->job, a->query->quiet);
	trc_job_begin_progress(&a->job, &progress, a->query->quiet);
	ret = trc_job_wrap(&a->job, trc_progress_source(rows, &progress, err));
	rows = a->job.src;
	if (ret == 0)
		ret = trc_query_open(a, false, err);
	if (ret == 0 && has_chunks(a, threads)) {
		ret = pump_chunks(a, rows, &common, threads, err);
		a->chunks_failed = ret && (err->code == TRC_FAILED || err->code == TRC_ONLY_WHOLE);
		if (a->chunks_failed)
			forget_rows(a, query);
		else if (ret == 0)
			ret = trc_job_report(&a->job, a->query->quiet, err);
	} else if (ret == 0) {
		ret = trc_job_pump(&a->job, a->sink, a->query->quiet, err);
	}
	trc_progress_end(&progress);
	a->job.progress = NULL;
	free(query);
	return ret;
}

static int
open_trace(struct trc_query_run *a, const struct trc_trace *trace, const struct trc_job_in *in,
           bool *known, struct trc_err *err)
{
	return trc_trace_open(&a->job, trace, in, a->query->quiet, err) ||
	                       (a->ops->know && a->ops->know(a->query, &a->job, known, err)) ?
	               -1 :
	               0;
}

int
trc_query_answer(struct trc_query_run *a, const struct trc_trace *trace,
                 const struct trc_job_in *in, struct trc_err *err)
{
	bool known = false;
	struct trc_err none;
	int ret;

	for (size_t i = 0; i < trace->n; i++)
		a->one_thread |= trc_job_again(trace->path[i], "", &none) != 0;
	if (open_trace(a, trace, in, &known, err))
		return -1;
	if (known)
		return 0;
	if (!a->ops->cores)
		return trc_query_open(a, false, err) ?
		               -1 :
		               trc_job_pump(&a->job, a->sink, a->query->quiet, err);
	ret = pump(a, err);
	if (!a->chunks_failed)
		return ret;
	trc_source_close(a->job.src);
	a->job.src = NULL;
	a->one_thread = true;
	a->query->again = true;
	*err = (struct trc_err){ 0 };
	return open_trace(a, trace, in, &known, err) ? -1 : pump(a, err);
}
