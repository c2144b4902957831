/* SPDX-License-Identifier: MIT
 *
 * Cuts a trace into windows, which are written while it is read. The guarantees of a reduced trace
 * may be known only at its end, after windows that must state them were written. Such a trace is
 * then cut once more. An index has the guarantees at the beginning.
 */
#include <stdio.h>
#include <stdlib.h>

#include "batch/extent.h"
#include "batch/index.h"
#include "cmd/names/folder.h"
#include "cmd/job/inputs.h"
#include "cmd/split/split.h"

/* A sink that writes windows one after another. */
struct windows {
	struct trc_sink sink;
	const struct trc_split *s;
	const struct trc_job *job;
	const struct trc_format *format;
	const struct trc_meta *known; /* of the whole trace; NULL: its end may change it */
	struct trc_meta first;        /* of the first window */
	struct trc_folder folder;
	uint64_t at[TRC_OPT_LIST_MOST]; /* positions of cuts, unless --every is given */
	uint64_t number;                /* number of this window, from 1 */
	uint64_t refs, end;             /* references or instructions so far; end of this window */
	struct trc_sink *now;           /* NULL: none is open */
	struct trc_batch rows;          /* rows of a window, if a batch has several windows */
};

static uint64_t
end_of(const struct windows *w, uint64_t number)
{
	const uint64_t every = w->s->opt->every & ~TRC_OPT_INSNS;

	if (every)
		return number > UINT64_MAX / every ? UINT64_MAX : number * every;
	return number <= w->s->opt->at.n ? w->at[number - 1] : UINT64_MAX;
}

static int
begin(struct windows *w, struct trc_err *err)
{
	struct trc_job_out out = w->s->out;
	char name[64], ending[32], *path;

	out.publish.no_sync = true; /* the whole folder is synchronised instead */
	w->end = end_of(w, ++w->number);
	snprintf(name, sizeof(name), "%llu%s", (ull)w->number,
	         trc_split_ending(w->s, w->format, ending));
	path = trc_folder_path(&w->folder, name, err);
	w->now = path ? trc_job_sink(w->job, path, w->format, &out, err) : NULL;
	free(path);
	return w->now ? 0 : -1;
}

/* Ends the window; `last`: it is the last. */
static int
end(struct windows *w, bool last, struct trc_err *err)
{
	struct trc_meta meta = w->job->src->meta;
	int ret;

	if (w->known) {
		meta.guarantee = w->known->guarantee;
		meta.page_bits = w->known->page_bits;
	}
	if (!last || w->number > 1)
		trc_meta_excerpt(&meta);
	if (w->number == 1)
		w->first = meta;
	ret = trc_sink_finish(w->now, &meta, err);
	trc_sink_close(w->now);
	w->now = NULL;
	return ret;
}

/* Returns the number of rows from `i` on that belong to this window. A modify that crosses the end
 * belongs to it. */
static size_t
rows_before_end(struct windows *w, const struct trc_batch *b, size_t i)
{
	size_t n = 0;

	if (w->s->opt->every & TRC_OPT_INSNS) {
		uint64_t left = w->end - w->refs;

		n = trc_extent_rows(b, i, b->n - i, &left, true);
		w->refs = w->end - left;
		return n;
	}
	for (; i + n < b->n; n++) {
		const unsigned refs = trc_batch_is_event(b, i + n) ? 0 :
		                      b->type                      ? trc_type_refs(b->type[i + n]) :
		                                                     1;

		if (refs > 0 && w->refs >= w->end)
			break;
		w->refs += refs;
	}
	return n;
}

static int
windows_put(struct trc_sink *sink, const struct trc_batch *b, struct trc_err *err)
{
	struct windows *w = (struct windows *)sink;

	for (size_t i = 0, n; i < b->n; i += n) {
		if (!w->now && begin(w, err))
			return -1;
		n = rows_before_end(w, b, i);
		trc_batch_clear(&w->rows);
		trc_batch_append(&w->rows, b, i, n);
		if (trc_sink_put(w->now, &w->rows, err))
			return -1;
		if (i + n < b->n && end(w, false, err))
			return -1;
	}
	return 0;
}

static int
windows_finish(struct trc_sink *sink, const struct trc_meta *meta, struct trc_err *err)
{
	struct windows *w = (struct windows *)sink;

	(void)meta;
	if (w->s->opt->every & TRC_OPT_INSNS && w->now && w->refs == 0)
		return trc_extent_fail_none(err);
	/* A trace without records becomes one empty window. */
	if (!w->now && w->number == 0 && begin(w, err))
		return -1;
	return w->now ? end(w, true, err) : 0;
}

static int
parse_cuts(struct windows *w, struct trc_err *err)
{
	const struct trc_opt_list *list = &w->s->opt->at;

	for (size_t i = 0; i < list->n; i++)
		if (!trc_opt_number(list->word[i], false, &w->at[i]) || w->at[i] == 0 ||
		    (i > 0 && w->at[i] <= w->at[i - 1]))
			return trc_fail_as(err, TRC_USAGE,
			                   "--at: '%s' is not a number of references above %llu",
			                   list->word[i], i > 0 ? (ull)w->at[i - 1] : 0);
	return 0;
}

/* Returns true if earlier windows lack properties that were known only at the end. */
static bool
is_late(const struct windows *w)
{
	const struct trc_meta *meta = &w->job->src->meta;

	return w->number > 1 && !w->known &&
	       (w->first.page_bits != meta->page_bits ||
	        !trc_guarantee_same(&w->first.guarantee, &meta->guarantee));
}

/* Cuts the trace. Sets *late, and writes nothing, if it must be cut again. */
static int
cut(const struct trc_split *s, struct trc_job *job, const char *path,
    const struct trc_format *format, const struct trc_meta *known, bool *late, struct trc_err *err)
{
	struct windows w = { .sink = { .put = windows_put, .finish = windows_finish },
		             .s = s,
		             .job = job,
		             .format = format,
		             .known = known };
	const struct trc_view *all = known && known->provenance.p ? &known->provenance :
	                                                            &job->src->meta.provenance;
	int ret = -1;

	if (parse_cuts(&w, err) || trc_job_shape(job, &s->out, err) ||
	    trc_job_fit(job, format, &s->out, err) ||
	    trc_job_step(job, format, &s->out, all, err) || trc_folder_open(&w.folder, path, err))
		return -1;
	if (trc_batch_init(&w.rows, job->src->have, TRC_BATCH_ROWS, err) == 0)
		ret = trc_job_pump(job, &w.sink, s->out.quiet, err);
	if (ret && err->unfit)
		trc_job_explain(job, format, &s->out, err);
	trc_sink_close(w.now);
	*late = ret == 0 && is_late(&w);
	if (ret == 0 && !*late)
		ret = trc_folder_commit(&w.folder, !s->out.publish.no_sync, err);
	trc_folder_close(&w.folder);
	trc_batch_release(&w.rows);
	return ret;
}

int
trc_split_windows(const struct trc_split *s, struct trc_job *job, const char *input,
                  const char *path, const struct trc_format *format, struct trc_err *err)
{
	const struct trc_index *index = NULL;
	struct trc_meta known;
	struct trc_job again;
	bool late;
	int ret;

	if (trc_source_index(job->src, &index, err))
		return -1;
	ret = cut(s, job, path, format, index ? &index->meta : NULL, &late, err);
	if (ret || !late)
		return ret;
	known = job->src->meta;
	known.provenance = (struct trc_view){ 0 };
	if (trc_job_again(input, "cutting a reduced trace with a trailer reads it twice", err) ||
	    trc_inputs_open(&again, &input, 1, s->in, s->out.quiet, err))
		return -1;
	ret = cut(s, &again, path, format, &known, &late, err);
	trc_source_close(again.src);
	return ret;
}
