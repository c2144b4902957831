/* SPDX-License-Identifier: MIT */
#include "cmd/shard/slices.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"

enum {
	ROW_WEIGHT = 8,     /* bytes of text that take as long as a row of a container */
	SAMPLES = 18,       /* of a file, for its fingerprint: its ends, and between them */
	SAMPLE = 4096,      /* bytes */
	PROGRAM_SHARE = 16, /* of reading rows is reading the program in front of them */
	STEP = 4096,        /* bytes that are looked at for the end of a line */
};

/* ---- looking at files ---- */

/* XXH3 of the size and of samples at even distances, the ends among them: it takes the same time
 * whatever the size is, and a file that was written anew differs somewhere. */
static int
fingerprint(struct trc_sliced *f, struct trc_err *err)
{
	uint8_t sample[SAMPLE];
	struct trc_stream *stream = trc_stream_file(f->path, &f->size, err);
	uint64_t sum;

	if (!stream)
		return trc_err_in(err, "%s", f->path);
	sum = f->size;
	for (uint64_t i = 0; i < SAMPLES && f->size > 0; i++) {
		const size_t n = f->size < SAMPLE ? (size_t)f->size : SAMPLE;
		const uint64_t room = f->size - n;
		const uint64_t at = room / (SAMPLES - 1) * i +
		                    (i == SAMPLES - 1 ? room % (SAMPLES - 1) : 0);

		if (!stream->read_at || !stream->read_at(stream, at, sample, n)) {
			trc_stream_close(stream);
			return trc_fail_as(err, TRC_USAGE,
			                   "%s: cannot be read in any order, as a file can",
			                   f->path);
		}
		sum = XXH3_64bits_withSeed(sample, n, sum);
	}
	trc_stream_close(stream);
	f->fingerprint = sum;
	return 0;
}

/* The blocks of a container, if it has an index that leads to them. */
static int
take_index(struct trc_sliced *f, const struct trc_job *job, struct trc_err *err)
{
	const struct trc_index *index = NULL;

	if (!job->src->index)
		return 0;
	if (job->src->index(job->src, &index, err))
		return trc_err_in(err, "%s", f->path);
	if (!index)
		return 0;
	f->part = trc_alloc_room(index->parts + 1, sizeof(*f->part), err);
	if (!f->part)
		return -1;
	if (index->parts > 0)
		memcpy(f->part, index->part, index->parts * sizeof(*f->part));
	f->parts = index->parts;
	f->rows = index->counts.rows;
	f->distinct = index->counts.distinct;
	f->pages = index->counts.pages;
	f->by = TRC_SLICE_BLOCKS;
	f->weight = f->rows * ROW_WEIGHT;
	return 0;
}

/* How a file can be cut. One that is packed has no place for any of its bytes. */
static int
look(struct trc_sliced *f, const struct trc_job *job, struct trc_err *err)
{
	const struct trc_format *format = job->format;

	f->weight = f->size;
	f->by = TRC_SLICE_FILES;
	if (!job->seekable)
		return 0;
	if (format->line && !format->chained && !format->line->first &&
	    !(format->more && format->more->head)) {
		f->by = TRC_SLICE_LINES;
	} else if (format->record) {
		f->by = TRC_SLICE_RECORDS;
		f->unit = format->record->size;
	}
	return take_index(f, job, err);
}

static int
take_file(struct trc_slices *s, size_t i, bool cut, struct trc_err *err)
{
	struct trc_sliced *f = &s->file[i];
	struct trc_job job;
	int ret = 0;

	if (cut && fingerprint(f, err))
		return -1;
	if (trc_job_open(&job, f->path, s->in, err))
		return -1;
	if (i == 0) {
		s->have = job.src->have;
		s->format = job.format;
	}
	if (job.src->have != s->have)
		ret = trc_fail(err, "'%s' has other columns than '%s'", f->path, s->file[0].path);
	else if (cut)
		ret = look(f, &job, err);
	trc_source_close(job.src);
	s->weight += f->weight;
	return ret;
}

int
trc_slices_init(struct trc_slices *s, const char *const *path, size_t n,
                const struct trc_job_in *in, bool cut, struct trc_err *err)
{
	*s = (struct trc_slices){ .in = in };
	s->file = trc_alloc(n, sizeof(*s->file), err);
	if (!s->file)
		return -1;
	for (s->n = 0; s->n < n; s->n++) {
		s->file[s->n].path = path[s->n];
		if (take_file(s, s->n, cut, err)) {
			s->n++;
			trc_slices_release(s);
			return -1;
		}
	}
	return 0;
}

void
trc_slices_release(struct trc_slices *s)
{
	for (size_t i = 0; i < s->n; i++)
		free(s->file[i].part);
	free(s->file);
	*s = (struct trc_slices){ 0 };
}

/* ---- cutting ---- */

/* The part of `whole` that `i` of `of` are, rounded down. */
static uint64_t
share(uint64_t whole, uint64_t i, uint64_t of)
{
	return whole / of * i + whole % of * i / of;
}

/* The end of the file, where the next one begins. */
static uint64_t
end_of(const struct trc_sliced *f)
{
	switch (f->by) {
	case TRC_SLICE_BLOCKS: return f->rows;
	case TRC_SLICE_LINES:
	case TRC_SLICE_RECORDS: return f->size;
	default: return 1;
	}
}

/* What beginning at a block costs, in rows: how far it is from where it should be, and a share of
 * what lies between it and where its program begins. */
static uint64_t
cost_of(const struct trc_sliced *f, size_t part, uint64_t row)
{
	const uint64_t first = f->part[part].first;
	size_t fresh = part;

	while (fresh > 0 && !f->part[fresh].fresh)
		fresh--;
	return (first > row ? first - row : row - first) +
	       (first - f->part[fresh].first) / PROGRAM_SHARE;
}

/* The block to begin at, for a cut near `row`; the end of the file is as good as a block. The cost
 * of a block grows with its distance, so the search ends. */
static uint64_t
cut_blocks(const struct trc_sliced *f, uint64_t row)
{
	uint64_t least = f->rows - row, best = f->rows;

	for (size_t i = 0; i < f->parts; i++) {
		const uint64_t cost = cost_of(f, i, row);

		if (cost < least) {
			least = cost;
			best = f->part[i].first;
		}
	}
	return best;
}

/* Behind the line that byte `at` - 1 is in. */
static int
cut_lines(const struct trc_sliced *f, uint64_t at, uint64_t *line, struct trc_err *err)
{
	uint64_t size, from = at - 1;
	struct trc_stream *s = trc_stream_file(f->path, &size, err);
	uint8_t bytes[STEP];

	*line = f->size;
	for (bool found = false; s && !found && from < f->size; from += STEP) {
		const size_t n = f->size - from < STEP ? (size_t)(f->size - from) : STEP;
		const uint8_t *end;

		if (!s->read_at || !s->read_at(s, from, bytes, n)) {
			trc_stream_close(s);
			return trc_fail(err, "%s: cannot read the line at byte %llu", f->path,
			                (unsigned long long)at);
		}
		end = memchr(bytes, '\n', n);
		found = end;
		if (end)
			*line = from + (uint64_t)(end - bytes) + 1;
	}
	if (!s)
		return trc_err_in(err, "%s", f->path);
	trc_stream_close(s);
	return 0;
}

static int
cut_file(const struct trc_sliced *f, uint64_t weight, uint64_t *at, struct trc_err *err)
{
	*at = weight;
	if (weight == 0)
		return 0;
	switch (f->by) {
	case TRC_SLICE_FILES: *at = 2 * weight >= f->weight; return 0;
	case TRC_SLICE_BLOCKS: *at = cut_blocks(f, weight / ROW_WEIGHT); return 0;
	case TRC_SLICE_RECORDS: *at = weight / f->unit * f->unit; return 0;
	default: return cut_lines(f, weight, at, err);
	}
}

int
trc_slices_cut(const struct trc_slices *s, uint64_t i, uint64_t of, struct trc_place *place,
               struct trc_err *err)
{
	uint64_t weight = i < of ? share(s->weight, i, of) : s->weight;

	*place = (struct trc_place){ s->n, 0 };
	if (i == of)
		return 0;
	*place = (struct trc_place){ 0, 0 };
	if (i == 0)
		return 0;
	for (; place->file < s->n; place->file++) {
		const struct trc_sliced *f = &s->file[place->file];

		if (weight < f->weight) {
			if (cut_file(f, weight, &place->at, err))
				return -1;
			if (place->at < end_of(f))
				return 0;
			*place = (struct trc_place){ place->file + 1, 0 };
			return 0;
		}
		weight -= f->weight;
	}
	return 0;
}

void
trc_slices_measure(const struct trc_slices *s, struct trc_place from, struct trc_place to,
                   uint64_t *bytes, uint64_t *rows, bool *known)
{
	*bytes = *rows = 0;
	*known = true;
	for (uint64_t i = from.file; i < s->n && i <= to.file; i++) {
		const struct trc_sliced *f = &s->file[i];
		const uint64_t first = i == from.file ? from.at : 0;
		const uint64_t end = i == to.file ? to.at : end_of(f);

		if (first == end)
			continue;
		if (f->by != TRC_SLICE_BLOCKS) {
			*bytes += f->by == TRC_SLICE_FILES ? f->size : end - first;
			*known &= f->by == TRC_SLICE_RECORDS;
			*rows += f->by == TRC_SLICE_RECORDS ? (end - first) / f->unit : 0;
			continue;
		}
		*rows += end - first;
		for (size_t k = 0; k < f->parts; k++)
			if (f->part[k].first >= first && f->part[k].first < end)
				*bytes += f->part[k].bytes;
	}
}

/* ---- what is known of files ---- */

void
trc_begun_release(struct trc_begun *b)
{
	trc_buf_release(&b->provenance);
	*b = (struct trc_begun){ 0 };
}

int
trc_begun_join(struct trc_begun *b, const struct trc_begun *next, struct trc_err *err)
{
	if (!next->any)
		return 0;
	if (b->any) {
		if (!trc_meta_alike(&b->meta, &next->meta))
			return trc_fail(err, "files of the trace were reduced in different ways, "
			                     "or have pages of different sizes");
		trc_meta_join(&b->meta, &next->meta);
		return 0;
	}
	b->any = true;
	b->meta = next->meta;
	return next->provenance.n ?
	               trc_buf_put(&b->provenance, next->provenance.p, next->provenance.n, err) :
	               0;
}

/* ---- reading ---- */

/* A source of the rows between two places. */
struct slices_source {
	struct trc_source src;
	const struct trc_slices *s;
	struct trc_place at, to;
	struct trc_begun *begun;
	struct trc_job job; /* the file that is read; no source: none */
	uint64_t left;      /* of its rows */
	bool counted;       /* these are known */
	struct trc_begun file;
	struct trc_job_bytes bytes;
	char *name; /* of those bytes */
};

/* Keeps what stays true when the source is closed. */
static int
keep_meta(struct slices_source *s, const struct trc_meta *meta, struct trc_err *err)
{
	const struct trc_view list = meta->provenance;

	s->file.any = true;
	s->file.meta = *meta;
	s->file.meta.provenance = s->file.meta.copied = (struct trc_view){ 0 };
	s->file.meta.facts = s->file.meta.gaps = 0;
	s->file.meta.gap = NULL;
	s->file.provenance.n = 0;
	/* That of several is not that of the trace. */
	if (s->s->n > 1 || list.p == list.end)
		return 0;
	return trc_buf_put(&s->file.provenance, list.p, (size_t)(list.end - list.p), err);
}

/* Limits an opened container to its rows. */
static int
limit_rows(struct slices_source *s, const struct trc_sliced *f, uint64_t first, uint64_t end,
           struct trc_err *err)
{
	struct trc_source *src = s->job.src;
	const struct trc_index *index = NULL;

	s->counted = true;
	s->left = end - first;
	if (!src->index || src->index(src, &index, err))
		return -1;
	if (!index || index->counts.rows != f->rows)
		return trc_fail(err, "%s: is not what it was", f->path);
	if (first == 0 && keep_meta(s, &index->meta, err))
		return -1;
	if (first > 0 && src->skip(src, first, err))
		return -1;
	src->limit(src, s->left);
	return 0;
}

static int
open_file(struct slices_source *s, struct trc_err *err)
{
	const struct trc_sliced *f = &s->s->file[s->at.file];
	const uint64_t first = s->at.at, end = s->at.file == s->to.file ? s->to.at : end_of(f);
	struct trc_job_in in = *s->s->in;

	s->counted = s->file.any = false;
	if ((f->by == TRC_SLICE_LINES || f->by == TRC_SLICE_RECORDS) &&
	    (first > 0 || end < f->size)) {
		const size_t room = strlen(f->path) + 64;

		free(s->name);
		s->name = trc_alloc(1, room, err);
		if (!s->name)
			return -1;
		snprintf(s->name, room, first ? "%s, behind byte %llu" : "%s", f->path,
		         (unsigned long long)first);
		s->bytes = (struct trc_job_bytes){ first, end, s->name };
		in.bytes = &s->bytes;
	}
	if (trc_job_open(&s->job, f->path, &in, err))
		return -1;
	if (s->job.src->have != s->s->have)
		return trc_fail(err, "%s: is not what it was", f->path);
	return f->by == TRC_SLICE_BLOCKS ? limit_rows(s, f, first, end, err) : 0;
}

/* The end of what is read of a file. */
static int
end_file(struct slices_source *s, struct trc_err *err)
{
	const bool begins = s->at.at == 0;

	if (s->counted && s->left > 0)
		return trc_fail(err, "%s: has fewer records than its index says",
		                s->s->file[s->at.file].path);
	if (begins && !s->file.any && keep_meta(s, &s->job.src->meta, err))
		return -1;
	if (begins && trc_begun_join(s->begun, &s->file, err))
		return trc_err_in(err, "%s", s->s->file[s->at.file].path);
	trc_source_close(s->job.src);
	s->job.src = NULL;
	s->at = (struct trc_place){ s->at.file + 1, 0 };
	return 0;
}

static bool
is_behind(const struct slices_source *s)
{
	return s->at.file > s->to.file || (s->at.file == s->to.file && s->at.at >= s->to.at);
}

static enum trc_flow
end(struct slices_source *s)
{
	struct trc_meta *meta = &s->src.meta;

	if (s->begun->any) {
		*meta = s->begun->meta;
		meta->provenance = trc_buf_view(&s->begun->provenance);
	} else {
		trc_meta_part(meta);
	}
	return TRC_FLOW_END;
}

static enum trc_flow
slices_next(struct trc_source *src, struct trc_batch *b, struct trc_err *err)
{
	struct slices_source *s = (struct slices_source *)src;

	while (b->n == 0) {
		enum trc_flow flow = TRC_FLOW_END;

		if (!s->job.src && is_behind(s))
			return end(s);
		if (!s->job.src && open_file(s, err))
			return TRC_FLOW_FAILED;
		if (!s->counted || s->left > 0)
			flow = trc_source_next(s->job.src, b, err);
		if (flow == TRC_FLOW_FAILED || (flow == TRC_FLOW_END && end_file(s, err)))
			return TRC_FLOW_FAILED;
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
	free(s->name);
	free(s);
}

/* What is known of a file before it is read, for a source that begins in it, or has no rows. */
static int
take_head(struct slices_source *s, struct trc_err *err)
{
	const uint64_t last = s->s->n - 1, file = s->at.file < last ? s->at.file : last;
	struct trc_job job;

	if (trc_job_open(&job, s->s->file[file].path, s->s->in, err))
		return -1;
	if (keep_meta(s, &job.src->meta, err) == 0)
		s->src.meta = s->file.meta;
	s->src.meta_at_end = job.src->meta_at_end;
	s->file.any = false;
	trc_source_close(job.src);
	return 0;
}

int
trc_slices_open(struct trc_job *job, const struct trc_slices *slices, struct trc_place from,
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
	if (take_head(s, err)) {
		slices_close(&s->src);
		return -1;
	}
	job->src = &s->src;
	job->format = slices->format;
	job->threads = slices->in->threads;
	job->inputs = slices->n;
	return 0;
}
