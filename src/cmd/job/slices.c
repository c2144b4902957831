/* SPDX-License-Identifier: MIT */
#include "cmd/job/slices.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <xxhash.h>

#include "base/map.h"

enum {
	SAMPLES = 18,  /* per file, for its fingerprint: both ends, and between them */
	SAMPLE = 4096, /* in bytes */
};

/* ---- looking at files ---- */

/* Computes XXH3 of the size and of samples at regular distances, including both ends. This takes
 * the same time for every size, and a file that was written anew very probably differs in some
 * sample. Returns false if the samples cannot be read. */
static bool
find_fingerprint(struct trc_stream *stream, uint64_t size, uint64_t *sum)
{
	uint8_t sample[SAMPLE];

	*sum = size;
	for (uint64_t i = 0; i < SAMPLES && size > 0; i++) {
		const size_t n = size < SAMPLE ? (size_t)size : SAMPLE;
		const uint64_t room = size - n;
		const uint64_t at = room / (SAMPLES - 1) * i +
		                    (i == SAMPLES - 1 ? room % (SAMPLES - 1) : 0);

		if (!stream->read_at || !stream->read_at(stream, at, sample, n))
			return false;
		*sum = XXH3_64bits_withSeed(sample, n, *sum);
	}
	return true;
}

static int
take_fingerprint(struct trc_sliced *f, struct trc_stream *stream, struct trc_err *err)
{
	f->size = stream ? stream->size : 0;
	f->marked = stream && find_fingerprint(stream, f->size, &f->fingerprint);
	return f->marked ?
	               0 :
	               trc_fail_as(err, TRC_USAGE,
	                           "%s: must be a regular file, to be read in any order", f->path);
}

int
trc_sliced_unchanged(const struct trc_sliced *f, struct trc_stream *stream, const char *plan,
                     struct trc_err *err)
{
	uint64_t sum;
	struct stat st;

	if (!f->marked || (stream && stat(f->path, &st) == 0 && (uint64_t)st.st_size == f->size &&
	                   find_fingerprint(stream, f->size, &sum) && sum == f->fingerprint))
		return 0;
	return plan ? trc_fail(err,
	                       "%s: is not what it was when '%s' was made; if it was changed on "
	                       "purpose, make a new plan",
	                       f->path, plan) :
	              trc_fail(err, "%s: changed while being read", f->path);
}

#define ANEW "; if this is intended, make a new manifest with 'trc stat --manifest'"

/* Fails if the file differs from what it was when the manifest was made. */
static int
compare(const struct trc_sliced *f, struct trc_err *err)
{
	const struct trc_manifest_file *entry = &f->entry;

	if (entry->sized && f->size != entry->size)
		return trc_fail(err, "%s: has %llu bytes, but %llu in the manifest" ANEW, f->path,
		                (ull)f->size, (ull)entry->size);
	if (entry->marked && f->fingerprint != entry->fingerprint)
		return trc_fail(err,
		                "%s: has fingerprint %016llx, but %016llx in the manifest" ANEW,
		                f->path, (ull)f->fingerprint, (ull)entry->fingerprint);
	return 0;
}

static int
fail_range(const struct trc_sliced *f, uint64_t n, const char *what, struct trc_err *err)
{
	return trc_fail(err, "%s: has %llu %s, but the range ends after that", f->path, (ull)n,
	                what);
}

/* Sets the rows that the manifest's range selects. The range of a text is checked when it is
 * read. */
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

/* Returns the identity of a file or range: two ranges of the same file are different traces. */
static uint64_t
identity(const struct trc_sliced *f)
{
	char text[64];
	const int n = snprintf(text, sizeof(text), "%llu %llu", (ull)f->skip, (ull)f->most);

	return f->entry.ranged ? XXH3_64bits_withSeed(text, (size_t)n, f->fingerprint) :
	                         f->fingerprint;
}

/* Clips a block to the range of the file, counting rows from the start of the range. Returns false
 * if no row is left. */
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

/* Takes the blocks of a container from its index, if it has one. */
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
	return 0;
}

/* Returns why a file cannot be cut inside, or NULL if it may have places to cut. */
static const char *
why_whole(const struct trc_sliced *f, const struct trc_job *job)
{
	if (!job->seekable)
		return "it is packed";
	if (job->format->chained)
		return "its lines depend on those before them";
	/* The records of a text can only be counted from its beginning. */
	if (f->entry.ranged && !(job->src->seek && job->src->seek->index))
		return "its records can only be found from the beginning";
	return NULL;
}

/* Finds out how a file can be cut. A packed file cannot be cut, because its bytes cannot be
 * addressed. */
static int
find_cuts(struct trc_sliced *f, const struct trc_job *job, const struct trc_index *index,
          struct trc_err *err)
{
	const struct trc_format *format = job->format;

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
		f->why = "it has no index";
	}
	return take_index(f, index, err);
}

static bool
is_again(const struct trc_slices *s, const struct trc_sliced *f)
{
	const bool standard = strcmp(f->path, "-") == 0;

	for (const struct trc_sliced *before = s->file; standard && before < f; before++)
		if (strcmp(before->path, "-") == 0)
			return true;
	return false;
}

/* Records what an opened file contributes to the trace. */
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
		return trc_fail(err, "'%s' and '%s' have different columns", f->path,
		                s->file[0].path);
	if ((cut || f->entry.ranged) && trc_source_index(job->src, &index, err))
		return trc_err_in(err, "%s", f->path);
	if (f->entry.ranged && find_range(f, index, err))
		return -1;
	f->identity = identity(f);
	return cut ? find_cuts(f, job, index, err) : 0;
}

/* If the file differs from its entry in the manifest, replaces the error of opening it, because
 * that is the cause. */
static int
explain(struct trc_sliced *f, struct trc_err *err)
{
	struct trc_err why = { 0 };
	uint64_t size;
	struct trc_stream *stream = trc_stream_file(f->path, &size, &why);

	if (stream && (take_fingerprint(f, stream, &why) || compare(f, &why)))
		*err = why;
	trc_stream_close(stream);
	return -1;
}

static int
take_file(struct trc_slices *s, struct trc_sliced *f, bool cut, struct trc_err *err)
{
	const bool marked = f->entry.sized || f->entry.marked;
	struct trc_err none = { 0 };
	struct trc_job job;
	int ret = 0;

	if (is_again(s, f))
		return trc_fail_as(err, TRC_USAGE, "standard input can be read only once");
	if (f->manifest && trc_manifest_is(f->path))
		return trc_fail(err, "%s: is itself a manifest; name its files", f->path);
	if (trc_job_open(&job, f->path, s->in, err))
		return marked ? explain(f, err) : -1;
	if ((cut || marked) && (take_fingerprint(f, job.in->file, err) || compare(f, err)))
		ret = -1;
	if (ret == 0)
		ret = take_job(s, f, &job, cut, err);
	/* An input that cannot be opened again stays open until it is read. */
	if (ret == 0 && !cut && trc_job_again(f->path, "", &none))
		f->job = job;
	else
		trc_source_close(job.src);
	return ret;
}

uint64_t
trc_slices_identity(const struct trc_slices *s)
{
	uint64_t sum = s->n;

	for (size_t i = 0; i < s->n; i++) {
		uint8_t file[2 * sizeof(uint64_t)];

		trc_put_be64(file, s->file[i].size);
		trc_put_be64(file + sizeof(uint64_t), s->file[i].identity);
		sum = XXH3_64bits_withSeed(file, sizeof(file), sum);
	}
	return sum;
}

int
trc_sliced_fail(const struct trc_sliced *f, struct trc_err *err)
{
	return f->manifest ? trc_err_in(err, "%s:%zu", f->manifest, f->entry.line) : -1;
}

int
trc_slices_add(struct trc_slices *s, struct trc_sliced f, struct trc_err *err)
{
	if (trc_grow(&s->file, &s->cap, s->n + 1, sizeof(*s->file), err)) {
		free(f.entry.path);
		return -1;
	}
	s->file[s->n++] = f;
	return 0;
}

static int
add(struct trc_slices *s, struct trc_sliced f, bool cut, struct trc_err *err)
{
	struct trc_sliced *now;

	f.ahead = trc_slices_weight(s);
	if (trc_slices_add(s, f, err))
		return -1;
	now = &s->file[s->n - 1];
	return take_file(s, now, cut, err) ? trc_sliced_fail(now, err) : 0;
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
trc_slices_forget(struct trc_slices *s)
{
	for (size_t i = 0; i < s->n; i++) {
		trc_source_close(s->file[i].job.src);
		free(s->file[i].entry.path);
		free(s->file[i].part);
	}
	free(s->file);
	s->file = NULL;
	s->n = s->cap = 0;
	s->first = 0;
}

void
trc_slices_release(struct trc_slices *s)
{
	trc_slices_forget(s);
	*s = (struct trc_slices){ 0 };
}

/* ---- the sum of current bytes ---- */

/* Adds the sum of [first, end) of a file that is cut by bytes; of other files, only checks that
 * they are unchanged. */
static int
add_sum(const struct trc_slices *s, const struct trc_sliced *f, uint64_t first, uint64_t end,
        uint64_t *sum, struct trc_err *err)
{
	uint64_t size;
	struct trc_stream *stream = trc_stream_file(f->path, &size, err);

	if (!stream)
		return trc_err_in(err, "%s", f->path);
	if (trc_sliced_unchanged(f, stream, s->plan, err)) {
		trc_stream_close(stream);
		return -1;
	}
	if (trc_sliced_by_bytes(f))
		return trc_in_sum_between(stream, first, end, sum, err) ?
		               trc_err_in(err, "%s", f->path) :
		               0;
	trc_stream_close(stream);
	return 0;
}

int
trc_slices_sum(const struct trc_slices *s, struct trc_place from, struct trc_place to,
               uint64_t *sum, struct trc_err *err)
{
	*sum = 0;
	for (uint64_t i = from.file; i < s->first + s->n && i <= to.file; i++) {
		const struct trc_sliced *f = trc_slices_at(s, i);
		const uint64_t first = i == from.file ? from.at : 0;
		const uint64_t end = i == to.file ? to.at : trc_sliced_end(f);

		if (first < end && add_sum(s, f, first, end, sum, err))
			return -1;
	}
	return 0;
}
