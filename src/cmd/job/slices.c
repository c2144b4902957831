/* SPDX-License-Identifier: MIT */
#include "cmd/job/slices.h"

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

#define ANEW "; if it was changed on purpose, 'trc stat --manifest' makes a new one"

/* The file must be what it was when the manifest was made. */
static int
compare(const struct trc_sliced *f, struct trc_err *err)
{
	const struct trc_manifest_file *entry = &f->entry;

	if (entry->sized && f->size != entry->size)
		return trc_fail(err, "%s: has %llu bytes, and %llu by the manifest" ANEW, f->path,
		                (unsigned long long)f->size, (unsigned long long)entry->size);
	if (entry->marked && f->fingerprint != entry->fingerprint)
		return trc_fail(err,
		                "%s: has the fingerprint %016llx, and %016llx by the manifest" ANEW,
		                f->path, (unsigned long long)f->fingerprint,
		                (unsigned long long)entry->fingerprint);
	return 0;
}

static int
fail_range(const struct trc_sliced *f, uint64_t n, const char *what, struct trc_err *err)
{
	return trc_fail(err, "%s: has %llu %s, and the range ends behind them", f->path,
	                (unsigned long long)n, what);
}

/* The rows of the range of a manifest. That of a text shows when it is read. */
static int
find_range(struct trc_sliced *f, const struct trc_index *index, struct trc_err *err)
{
	const struct trc_manifest_file *e = &f->entry;
	const bool open = e->last == UINT64_MAX;
	const uint64_t have = !index ? UINT64_MAX : e->blocks ? index->parts : index->counts.rows;

	if (e->blocks && !index)
		return trc_fail(err, "%s: only a container with an index has blocks; use records=",
		                f->path);
	if (index && (e->first > have || (!open && e->last > have)))
		return fail_range(f, have, e->blocks ? "blocks" : "records", err);
	f->skip = e->blocks ? index->part[e->first - 1].first : e->first - 1;
	if (open)
		f->most = index ? index->counts.rows - f->skip : UINT64_MAX;
	else if (e->blocks)
		f->most = index->part[e->last - 1].first + index->part[e->last - 1].rows - f->skip;
	else
		f->most = e->last - f->skip;
	return 0;
}

/* Two ranges of a file are two traces. */
static uint64_t
identity(const struct trc_sliced *f)
{
	char text[64];
	const int n = snprintf(text, sizeof(text), "%llu %llu", (unsigned long long)f->skip,
	                       (unsigned long long)f->most);

	return f->entry.ranged ? XXH3_64bits_withSeed(text, (size_t)n, f->fingerprint) :
	                         f->fingerprint;
}

/* The rows of a part that are in the range, counted from its beginning; false: none. */
static bool
clip(const struct trc_sliced *f, struct trc_part *part)
{
	const uint64_t end = f->skip + f->rows;
	uint64_t first = part->first, last = part->first + part->rows;

	first = first > f->skip ? first : f->skip;
	last = last < end ? last : end;
	if (first >= last)
		return false;
	part->first = first - f->skip;
	part->rows = last - first;
	return true;
}

/* The blocks of a container, if it has an index that leads to them. */
static int
take_index(struct trc_sliced *f, const struct trc_index *index, struct trc_err *err)
{
	if (!index)
		return 0;
	f->part = trc_alloc_room(index->parts + 1, sizeof(*f->part), err);
	if (!f->part)
		return -1;
	f->all_rows = index->counts.rows;
	f->rows = f->entry.ranged ? f->most : f->all_rows;
	for (size_t i = 0; i < index->parts; i++) {
		f->part[f->parts] = index->part[i];
		f->parts += clip(f, &f->part[f->parts]);
	}
	f->counts = index->counts;
	f->by = TRC_SLICE_BLOCKS;
	f->weight = f->rows * ROW_WEIGHT;
	return 0;
}

/* Why there is no place in a file to begin at; NULL: there may be some. */
static const char *
why_whole(const struct trc_sliced *f, const struct trc_job *job)
{
	if (!job->seekable)
		return "it is packed";
	if (job->format->chained)
		return "what its lines mean depends on those before them";
	/* Only who reads a text from its beginning finds one of its records. */
	if (f->entry.ranged && !(job->src->seek && job->src->seek->index))
		return "only from its beginning the records of a range are found";
	return NULL;
}

/* How a file can be cut. One that is packed has no place for any of its bytes. */
static int
look(struct trc_sliced *f, const struct trc_job *job, const struct trc_index *index,
     struct trc_err *err)
{
	const struct trc_format *format = job->format;

	f->weight = f->size;
	f->by = TRC_SLICE_FILES;
	f->why = why_whole(f, job);
	if (f->why)
		return 0;
	if (format->line) {
		f->by = TRC_SLICE_LINES;
	} else if (format->record) {
		f->by = TRC_SLICE_RECORDS;
		f->unit = format->record->size;
	} else if (!index) {
		f->why = "it has no index of places to begin at";
	}
	return take_index(f, index, err);
}

static bool
is_again(const struct trc_slices *s, const struct trc_sliced *f)
{
	for (const struct trc_sliced *before = s->file; before < f; before++)
		if (strcmp(f->path, "-") == 0 && strcmp(before->path, "-") == 0)
			return true;
	return false;
}

/* What an opened file has for the trace. */
static int
take_job(struct trc_slices *s, struct trc_sliced *f, const struct trc_job *job, bool cut,
         struct trc_err *err)
{
	const struct trc_index *index = NULL;

	f->format = job->format;
	if (f == s->file) {
		s->have = job->src->have;
		s->format = job->format;
		memcpy(s->changes, job->changes, sizeof(s->changes));
	}
	s->meta_at_end |= job->src->meta_at_end;
	if (job->src->have != s->have)
		return trc_fail(err, "'%s' has other columns than '%s'", f->path, s->file[0].path);
	if ((cut || f->entry.ranged) && trc_source_index(job->src, &index, err))
		return trc_err_in(err, "%s", f->path);
	if (f->entry.ranged && find_range(f, index, err))
		return -1;
	f->identity = identity(f);
	return cut ? look(f, job, index, err) : 0;
}

static int
take_file(struct trc_slices *s, struct trc_sliced *f, bool cut, struct trc_err *err)
{
	struct trc_err none = { 0 };
	struct trc_job job;
	int ret;

	if (is_again(s, f))
		return trc_fail_as(err, TRC_USAGE, "standard input can be read only once");
	if (f->manifest && trc_manifest_is(f->path))
		return trc_fail(err, "%s: is a manifest, too; name its files", f->path);
	if ((cut || f->entry.sized || f->entry.marked) && (fingerprint(f, err) || compare(f, err)))
		return -1;
	if (trc_job_open(&job, f->path, s->in, err))
		return -1;
	ret = take_job(s, f, &job, cut, err);
	if (ret == 0 && !cut && trc_job_again(f->path, "", &none))
		f->job = job;
	else
		trc_source_close(job.src);
	s->weight += f->weight;
	return ret;
}

int
trc_sliced_fail(const struct trc_sliced *f, struct trc_err *err)
{
	return f->manifest ? trc_err_in(err, "%s:%zu", f->manifest, f->entry.line) : -1;
}

/* Adds a file, and takes over the path of its entry. */
static int
add(struct trc_slices *s, struct trc_sliced f, bool cut, struct trc_err *err)
{
	if (trc_grow(&s->file, &s->cap, s->n + 1, sizeof(*s->file), err)) {
		free(f.entry.path);
		return -1;
	}
	s->file[s->n] = f;
	return take_file(s, &s->file[s->n++], cut, err) ? trc_sliced_fail(&f, err) : 0;
}

static int
add_manifest(struct trc_slices *s, const char *path, bool cut, struct trc_err *err)
{
	struct trc_manifest m;
	int ret = trc_manifest_read(&m, path, err);

	for (size_t i = 0; ret == 0 && i < m.n; i++) {
		ret = add(s,
		          (struct trc_sliced){
		                  .path = m.file[i].path, .manifest = path, .entry = m.file[i] },
		          cut, err);
		m.file[i].path = NULL;
	}
	trc_manifest_release(&m);
	return ret;
}

int
trc_slices_init(struct trc_slices *s, const char *const *path, size_t n,
                const struct trc_job_in *in, bool cut, struct trc_err *err)
{
	int ret = 0;

	*s = (struct trc_slices){ .in = in };
	for (size_t i = 0; ret == 0 && i < n; i++)
		ret = trc_manifest_is(path[i]) ?
		              add_manifest(s, path[i], cut, err) :
		              add(s, (struct trc_sliced){ .path = path[i] }, cut, err);
	if (ret)
		trc_slices_release(s);
	return ret;
}

void
trc_slices_release(struct trc_slices *s)
{
	for (size_t i = 0; i < s->n; i++) {
		trc_source_close(s->file[i].job.src);
		free(s->file[i].entry.path);
		free(s->file[i].part);
	}
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

uint64_t
trc_sliced_end(const struct trc_sliced *f)
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
			if (place->at < trc_sliced_end(f))
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
		const uint64_t end = i == to.file ? to.at : trc_sliced_end(f);

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

int
trc_slices_unchanged(const struct trc_slices *s, struct trc_place from, struct trc_place to,
                     struct trc_err *err)
{
	for (uint64_t i = from.file; i < s->n && i <= to.file; i++) {
		const struct trc_sliced *f = &s->file[i];
		struct trc_sliced now = *f;

		if (fingerprint(&now, err))
			return -1;
		if (now.size != f->size || now.fingerprint != f->fingerprint)
			return trc_fail(err, "%s: was changed while it was read", f->path);
	}
	return 0;
}

int
trc_slices_sum(const struct trc_slices *s, struct trc_place from, struct trc_place to,
               uint64_t *sum, struct trc_err *err)
{
	*sum = 0;
	for (uint64_t i = from.file; i < s->n && i <= to.file; i++) {
		const struct trc_sliced *f = &s->file[i];
		const uint64_t first = i == from.file ? from.at : 0;
		const uint64_t end = i == to.file ? to.at : trc_sliced_end(f);

		if (trc_sliced_by_bytes(f) && first < end &&
		    trc_in_sum_between(f->path, first, end, sum, err))
			return trc_err_in(err, "%s", f->path);
	}
	return 0;
}
