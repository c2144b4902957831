/* SPDX-License-Identifier: MIT
 * Reads a list of files as one trace. */
#include "cmd/job/slices.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/job/origins.h"

/* ---- what is known about files ---- */

void
trc_begun_release(struct trc_begun *b)
{
	trc_buf_release(&b->origins);
	*b = (struct trc_begun){ 0 };
}

int
trc_begun_join(struct trc_begun *b, const struct trc_begun *next, struct trc_err *err)
{
	if (!next->any)
		return 0;
	if (b->any) {
		const bool counted = b->meta.rows && next->meta.rows;

		if (!trc_meta_alike(&b->meta, &next->meta))
			return trc_fail(err, "files of the trace were reduced in different ways, "
			                     "or have pages of different sizes");
		trc_meta_join(&b->meta, &next->meta);
		b->meta.rows = counted ? b->meta.rows : 0;
	} else {
		b->any = true;
		b->meta = next->meta;
	}
	return trc_buf_put(&b->origins, next->origins.p, next->origins.n, err);
}

struct trc_view
trc_begun_provenance(const struct trc_begun *b)
{
	struct trc_view from = trc_buf_view(&b->origins), format, list;

	if (from.p < from.end && trc_origin_next(&from, &format, &list) && from.p == from.end &&
	    list.p < list.end)
		return list;
	return (struct trc_view){ 0 };
}

/* ---- reading ---- */

/* A source of the rows between two positions. */
struct slices_source {
	struct trc_source src;
	struct trc_slices *s;
	struct trc_place at, to;
	struct trc_begun *begun;
	struct trc_job job; /* the file being read; without a source: none */
	uint64_t left;      /* rows left to read in it */
	bool counted;       /* `left` is known */
	uint64_t passed;    /* rows read from it */
	struct trc_begun file;
	struct trc_job_bytes bytes;
	char *name; /* the name in `bytes` */

	/* Of all files so far: */
	struct trc_provenances provenances;
	struct trc_gap *gap;
	size_t gap_cap;
};

/* Returns the part of the metadata that stays valid after the source is closed. */
static struct trc_meta
lasting(const struct trc_sliced *f, const struct trc_meta *meta)
{
	struct trc_meta kept = *meta;

	if (f->entry.ranged) {
		trc_meta_excerpt(&kept);
		kept.rows = 0;
	}
	kept.provenance = kept.copied = (struct trc_view){ 0 };
	kept.facts = kept.gaps = 0;
	kept.gap = NULL;
	return kept;
}

static int
keep_meta(struct slices_source *s, const struct trc_sliced *f, const struct trc_meta *meta,
          struct trc_err *err)
{
	s->file.any = true;
	s->file.meta = lasting(f, meta);
	s->file.origins.n = 0;
	return trc_origin_put(&s->file.origins, f->format->name, meta->provenance, err);
}

/* Adds the gaps that salvage found in the file just read, and its other losses and caveats. */
static int
add_gaps(struct slices_source *s, struct trc_err *err)
{
	const struct trc_meta *m = &s->job.src->meta;
	struct trc_meta *all = &s->src.meta;

	if (trc_meta_add_gaps(all, m, trc_slices_at(s->s, s->at.file)->path, &s->gap, &s->gap_cap,
	                      err))
		return -1;
	all->repaired += m->repaired;
	all->cut |= m->cut;
	all->unended |= m->unended;
	for (size_t i = 0; i < TRC_CAVEATS; i++)
		trc_caveat_add(all->caveat, &m->caveat[i]);
	return 0;
}

/* Positions an opened container at its first row, and limits it to the wanted rows. */
static int
limit_rows(struct slices_source *s, const struct trc_sliced *f, uint64_t first, uint64_t end,
           struct trc_err *err)
{
	struct trc_source *src = s->job.src;
	const struct trc_index *index = NULL;

	s->counted = true;
	s->left = end - first;
	if (trc_source_index(src, &index, err))
		return -1;
	if (!index || index->counts.rows != f->all_rows)
		return trc_fail(err, "%s: has changed", f->path);
	if (first == 0 && keep_meta(s, f, &index->meta, err))
		return -1;
	if (f->skip + first > 0 && src->seek->skip(src, f->skip + first, err))
		return -1;
	src->seek->limit(src, s->left);
	return 0;
}

/* If the file changed since it was described, replaces the error, because that is the cause. */
static int
explain(const struct trc_sliced *f, const char *plan, struct trc_err *err)
{
	struct trc_err why = { 0 };
	uint64_t size;
	struct trc_stream *stream = f->marked ? trc_stream_file(f->path, &size, &why) : NULL;

	if (stream && trc_sliced_unchanged(f, stream, plan, &why))
		*err = why;
	trc_stream_close(stream);
	return -1;
}

static int
open_file(struct slices_source *s, struct trc_err *err)
{
	struct trc_sliced *f = trc_slices_at(s->s, s->at.file);
	const uint64_t first = s->at.at,
	               end = s->at.file == s->to.file ? s->to.at : trc_sliced_end(f);
	struct trc_job_in in = *s->s->in;

	s->counted = s->file.any = false;
	s->passed = 0;
	if (f->entry.ranged && f->by == TRC_SLICE_FILES) {
		in.skip = f->skip;
		in.limit = f->most < UINT64_MAX ? f->most : 0;
	}
	if (trc_sliced_by_bytes(f)) {
		const size_t room = strlen(f->path) + 64;

		free(s->name);
		s->name = trc_alloc(1, room, err);
		if (!s->name)
			return -1;
		snprintf(s->name, room, first ? "%s, after byte %llu" : "%s", f->path, (ull)first);
		s->bytes = (struct trc_job_bytes){ first, end, s->name, &s->begun->sum };
		in.bytes = &s->bytes;
	}
	if (f->job.src) {
		s->job = f->job;
		f->job.src = NULL;
	} else if (trc_job_open(&s->job, f->path, &in, err)) {
		return explain(f, s->s->plan, err);
	}
	f->format = s->job.format;
	if (s->s->plan && trc_sliced_unchanged(f, s->job.in->file, s->s->plan, err))
		return -1;
	if (s->job.src->have != s->s->have)
		return trc_fail(err, "%s: has changed", f->path);
	return f->by == TRC_SLICE_BLOCKS ? limit_rows(s, f, first, end, err) : 0;
}

/* Returns true if the range in the manifest reaches beyond the end of the file. */
static bool
lacks_rows(const struct slices_source *s, const struct trc_sliced *f)
{
	return f->entry.ranged && f->by == TRC_SLICE_FILES &&
	       (s->passed == 0 || (f->most < UINT64_MAX && s->passed < f->most));
}

/* Finishes a file: checks that it is complete and unchanged, and adds what is known about it. */
static int
end_file(struct slices_source *s, struct trc_err *err)
{
	const struct trc_sliced *f = trc_slices_at(s->s, s->at.file);
	const bool begins = s->at.at == 0;

	if (lacks_rows(s, f))
		return trc_fail(err, "%s: has only %llu records of that range", f->path,
		                (ull)s->passed);
	if (s->counted && s->left > 0)
		return trc_fail(err, "%s: has fewer records than its index says", f->path);
	if (trc_sliced_unchanged(f, s->job.in->file, NULL, err))
		return -1;
	if (begins && !s->file.any && keep_meta(s, f, &s->job.src->meta, err))
		return -1;
	if (begins && trc_begun_join(s->begun, &s->file, err))
		return trc_err_in(err, "%s", f->path);
	if (add_gaps(s, err) ||
	    (s->s->in->provenance &&
	     trc_provenances_add(&s->provenances, s->job.src->meta.provenance, err)))
		return -1;
	trc_source_close(s->job.src);
	s->job.src = NULL;
	s->at = (struct trc_place){ s->at.file + 1, 0 };
	return 0;
}

static bool
is_past_end(const struct slices_source *s)
{
	return s->at.file > s->to.file || (s->at.file == s->to.file && s->at.at >= s->to.at);
}

/* Sets the metadata of all files together. */
static enum trc_flow
end(struct slices_source *s, struct trc_err *err)
{
	struct trc_meta *meta = &s->src.meta;
	const struct trc_meta lost = *meta;

	if (!s->begun->any) {
		trc_meta_excerpt(meta);
		return TRC_FLOW_END;
	}
	*meta = s->begun->meta;
	meta->gap = lost.gap;
	meta->gaps = lost.gaps;
	meta->repaired = lost.repaired;
	meta->cut = lost.cut;
	meta->unended = lost.unended;
	memcpy(meta->caveat, lost.caveat, sizeof(meta->caveat));
	meta->provenance = trc_begun_provenance(s->begun);
	if (s->s->in->provenance && trc_provenances_view(&s->provenances, &meta->provenance, err))
		return TRC_FLOW_FAILED;
	return TRC_FLOW_END;
}

static enum trc_flow
fail_file(const struct slices_source *s, struct trc_err *err)
{
	if (err->code == TRC_FAILED || err->code == TRC_SYSTEM)
		(void)trc_sliced_fail(trc_slices_at(s->s, s->at.file), err);
	return TRC_FLOW_FAILED;
}

static enum trc_flow
slices_next(struct trc_source *src, struct trc_batch *b, struct trc_err *err)
{
	struct slices_source *s = (struct slices_source *)src;

	while (b->n == 0) {
		enum trc_flow flow;

		if (!s->job.src && is_past_end(s))
			return end(s, err);
		if (!s->job.src && open_file(s, err))
			return fail_file(s, err);
		/* Also called after the last row, because repairs are only known at the end of the
		 * source. */
		flow = trc_source_next(s->job.src, b, err);
		s->passed += b->n;
		if (s->counted && s->left == 0 && flow == TRC_FLOW_ROWS) {
			b->n = 0;
			flow = TRC_FLOW_END;
		}
		if (flow == TRC_FLOW_FAILED || (flow == TRC_FLOW_END && end_file(s, err)))
			return fail_file(s, err);
		if (s->counted) {
			b->n = b->n < s->left ? b->n : (size_t)s->left;
			s->left -= b->n;
		}
	}
	return TRC_FLOW_ROWS;
}

static void
slices_close(struct trc_source *src)
{
	struct slices_source *s = (struct slices_source *)src;

	trc_source_close(s->job.src);
	trc_begun_release(&s->file);
	trc_provenances_release(&s->provenances);
	free(s->gap);
	free(s->name);
	free(s);
}

/* Takes what is known about the first file before it is read. */
static void
take_head(struct slices_source *s, const struct trc_sliced *f, const struct trc_job *job)
{
	s->src.meta = lasting(f, &job->src->meta);
	s->src.meta.repaired = 0;
	s->src.meta.cut = false;
	s->src.meta.unended = 0;
}

/* Does the same for a source without rows, which exists if there are fewer places to cut than
 * shards. */
static int
take_nothing(struct slices_source *s, struct trc_err *err)
{
	const uint64_t last = s->s->first + s->s->n - 1;
	struct trc_sliced *f = trc_slices_at(s->s, s->at.file < last ? s->at.file : last);
	struct trc_job job = f->job;

	if (!job.src && trc_job_open(&job, f->path, s->s->in, err))
		return explain(f, s->s->plan, err);
	f->format = job.format;
	take_head(s, f, &job);
	if (job.src != f->job.src)
		trc_source_close(job.src);
	return 0;
}

static int
take_first(struct slices_source *s, struct trc_err *err)
{
	if (is_past_end(s))
		return take_nothing(s, err);
	if (open_file(s, err)) {
		fail_file(s, err);
		return -1;
	}
	take_head(s, trc_slices_at(s->s, s->at.file), &s->job);
	return 0;
}

int
trc_slices_open(struct trc_job *job, struct trc_slices *slices, struct trc_place from,
                struct trc_place to, struct trc_begun *begun, struct trc_err *err)
{
	struct slices_source *s = trc_alloc(1, sizeof(*s), err);

	*job = (struct trc_job){ 0 };
	if (!s)
		return -1;
	s->src = (struct trc_source){ .have = slices->have,
		                      .next = slices_next,
		                      .close = slices_close };
	s->s = slices;
	s->at = from;
	s->to = to;
	s->begun = begun;
	s->src.meta_at_end = slices->meta_at_end;
	if (take_first(s, err)) {
		slices_close(&s->src);
		return -1;
	}
	job->src = &s->src;
	job->format = slices->format;
	memcpy(job->changes, slices->plan && s->job.src ? s->job.changes : slices->changes,
	       sizeof(job->changes));
	job->threads = slices->in->threads;
	job->inputs = slices->n;
	return 0;
}
