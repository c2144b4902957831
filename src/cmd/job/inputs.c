/* SPDX-License-Identifier: MIT */
#include "cmd/job/inputs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/shown.h"
#include "cmd/names/files.h"
#include "cmd/names/folder.h"
#include "cmd/job/progress.h"
#include "cmd/job/slices.h"
#include "stage/partition.h"
#include "stage/stage.h"

enum {
	OPEN_MOST = 64, /* files open at a time; with more, all go through a spill file */
	SPILLED_ROWS = 256,
};

/* The source of all inputs. Either it merges them (from `spill` to `files`), or it reads one after
 * another (`path` to `begun`). */
struct inputs {
	struct trc_source src;
	struct trc_source *from;
	struct trc_partition
	        *spill;        /* the rows of all files; NULL: the files themselves are read */
	struct trc_meta *meta; /* of each spilled file, including its gaps */
	struct trc_files files;

	/* For inputs in order: */
	const char **path;
	struct trc_job_in in;
	struct trc_slices slices;
	struct trc_begun begun;

	bool folder;         /* there is one input: a folder, an archive or a manifest */
	const char *regions; /* a folder of regions, which are separate traces; NULL: none */
	const char *name;    /* the first input */
	bool quiet;          /* no progress line while files are spilled */
};

static enum trc_flow
inputs_next(struct trc_source *src, struct trc_batch *b, struct trc_err *err)
{
	struct inputs *s = (struct inputs *)src;
	const enum trc_flow flow = trc_source_next(s->from, b, err);

	src->meta = s->from->meta;
	return flow;
}

/* Frees what keep_meta() copied. */
static void
release_meta(struct trc_meta *meta)
{
	free((void *)meta->gap);
	free((void *)meta->provenance.p);
}

static void
inputs_close(struct trc_source *src)
{
	struct inputs *s = (struct inputs *)src;

	trc_source_close(s->from);
	trc_partition_close(s->spill);
	for (size_t i = 0; s->meta && i < s->files.n; i++)
		release_meta(&s->meta[i]);
	free(s->meta);
	trc_slices_release(&s->slices);
	trc_begun_release(&s->begun);
	free(s->path);
	trc_files_release(&s->files);
	free(s);
}

static const char *
path_of(const struct inputs *s, size_t i)
{
	return s->files.file[i].path;
}

/* Removes manifests found in a folder: the files that they name may be in it as well. */
static void
leave_out_manifests(struct trc_files *files, size_t from)
{
	size_t n = from;

	for (size_t i = from; i < files->n; i++) {
		const struct trc_file file = files->file[i];

		if (file.found && trc_manifest_is(file.path))
			free(file.path);
		else
			files->file[n++] = file;
	}
	files->n = n;
}

static int
add_files(struct inputs *s, const char *const *path, size_t n, struct trc_err *err)
{
	s->folder = n == 1;
	for (size_t i = 0; i < n; i++) {
		const size_t before = s->files.n;

		if (trc_files_named(&s->files, path[i], err))
			return -1;
		if (s->files.n > before + 1 && trc_regions_in(path[i]))
			s->regions = path[i];
		leave_out_manifests(&s->files, before);
		if (s->files.n == before)
			return trc_fail(err, "'%s' contains no files", path[i]);
	}
	return 0;
}

/* Reads the hexadecimal number in [p, end); "kernel" is 0. */
static bool
number_in_name(const char *p, const char *end, uint32_t *v)
{
	static const char digits[] = "0123456789abcdef";

	*v = 0;
	if (end - p == 6 && memcmp(p, "kernel", 6) == 0)
		return true;
	for (const char *digit = p; digit < end; digit++) {
		const char *at = strchr(digits, *digit);

		if (!at || *v >> 28)
			return false;
		*v = *v << 4 | (uint32_t)(at - digits);
	}
	return end > p;
}

/* Derives an address space from a folder name "PID" or "PID.2", PID in hexadecimal: the suffix,
 * which counts from 1, goes into the upper 8 bits. */
static bool
space_in_name(const char *name, const char *end, uint32_t *v)
{
	const char *dot = memchr(name, '.', (size_t)(end - name));
	unsigned long nth = 1;

	if (!number_in_name(name, dot ? dot : end, v))
		return false;
	if (dot)
		nth = strtoul(dot + 1, NULL, 10);
	/* PIDs have at most 22 bits on every system, so 24 bits are enough for them. */
	if (nth < 1 || nth > 256 || (nth > 1 && *v >> 24))
		return false;
	*v += (uint32_t)(nth - 1) << 24;
	return true;
}

/* Takes process and task from a path "PROCESS/TASK.merge", because the lines of such a file have
 * neither. */
static int
supply(struct trc_job *job, const char *path, struct trc_err *err)
{
	struct trc_fill fill[2];
	size_t fills = 0;
	const char *name = strrchr(path, '/'), *folder = name;
	uint32_t task, process;

	if (!job->format || strcmp(job->format->name, "merge") != 0 || !name)
		return 0;
	while (folder > path && folder[-1] != '/')
		folder--;
	if (!number_in_name(name + 1, name + 1 + strcspn(name + 1, "."), &task) ||
	    !space_in_name(folder, name, &process))
		return 0;
	fill[fills++] = (struct trc_fill){ .column = TRC_COL_TASK, .value = task };
	fill[fills++] = (struct trc_fill){ .column = TRC_COL_ASID, .value = process };
	return trc_job_wrap(job, trc_stage_columns(job->src, 0, 0, fill, fills, err));
}

static int
open_one(struct inputs *s, size_t i, const struct trc_job_in *in, struct trc_job *job,
         struct trc_err *err)
{
	const char *path = path_of(s, i);

	if (trc_manifest_is(path) ? trc_inputs_concat(job, &path, 1, in, err) :
	                            trc_job_open(job, path, in, err))
		return -1;
	if (supply(job, path_of(s, i), err) == 0)
		return 0;
	trc_source_close(job->src);
	return -1;
}

/* Reads one file into the spill. */
static int
spill_one(struct inputs *s, size_t i, struct trc_source *src, struct trc_progress *progress,
          struct trc_err *err)
{
	enum trc_flow flow = TRC_FLOW_FAILED;
	struct trc_batch b;

	if (!s->spill)
		s->spill = trc_partition_open(src->have, err);
	if (!s->spill || trc_batch_init(&b, src->have, TRC_BATCH_ROWS, err))
		return -1;
	/* An empty first batch registers the trace, even if the file has no rows. */
	if (trc_partition_put(s->spill, i, &b, 0, 0, err) == 0)
		flow = TRC_FLOW_ROWS;
	while (flow == TRC_FLOW_ROWS && (flow = trc_source_next(src, &b, err)) == TRC_FLOW_ROWS) {
		trc_progress_passed(progress, b.n);
		if (trc_partition_put(s->spill, i, &b, 0, b.n, err)) {
			flow = TRC_FLOW_FAILED;
			break;
		}
	}
	trc_batch_release(&b);
	return flow == TRC_FLOW_END ? 0 : -1;
}

/* Copies the metadata of a file that will be closed. */
static int
keep_meta(struct trc_meta *meta, const struct trc_meta *from, struct trc_err *err)
{
	struct trc_gap *gap = trc_alloc(from->gaps + 1, sizeof(*gap), err);
	struct trc_buf list = { 0 };
	const size_t len = (size_t)(from->provenance.end - from->provenance.p);

	if (!gap || (len && trc_buf_put(&list, from->provenance.p, len, err))) {
		free(gap);
		return -1;
	}
	for (size_t i = 0; i < from->gaps; i++)
		gap[i] = from->gap[i];
	*meta = *from;
	meta->gap = gap;
	meta->provenance = trc_buf_view(&list);
	meta->copied = (struct trc_view){ 0 };
	return 0;
}

/* Reads all files, one after another, into a spill. */
static int
spill_files(struct inputs *s, const struct trc_job_in *in, struct trc_job *first,
            struct trc_progress *progress, struct trc_err *err)
{
	uint32_t have = 0;

	for (size_t i = 0; i < s->files.n; i++, progress->step++) {
		struct trc_job job;
		int ret = -1;

		if (open_one(s, i, in, &job, err))
			return -1;
		if (i == 0) {
			have = job.src->have;
			first->format = job.format;
			memcpy(first->changes, job.changes, sizeof(first->changes));
		}
		if (job.src->have == have)
			ret = spill_one(s, i, job.src, progress, err) ||
			                      keep_meta(&s->meta[i], &job.src->meta, err) ?
			              -1 :
			              0;
		else
			trc_fail(err, "'%s' and '%s' have different columns", path_of(s, i),
			         path_of(s, 0));
		trc_source_close(job.src);
		if (ret)
			return -1;
	}
	return trc_partition_finish(s->spill, err);
}

/* Spills all files and opens a source for each. */
static int
open_spilled(struct inputs *s, const struct trc_job_in *in, struct trc_merging *from, size_t *n,
             struct trc_job *first, struct trc_err *err)
{
	struct trc_progress progress;
	int ret;

	s->meta = trc_alloc(s->files.n, sizeof(*s->meta), err);
	if (!s->meta)
		return -1;
	trc_progress_init(&progress, "records", s->quiet);
	progress.steps = "files";
	progress.of_steps = s->files.n;
	ret = spill_files(s, in, first, &progress, err);
	trc_progress_end(&progress);
	if (ret)
		return -1;
	for (; *n < trc_partition_traces(s->spill); ++*n) {
		from[*n].src = trc_partition_source(s->spill, *n, err);
		if (!from[*n].src)
			return -1;
		from[*n].src->meta = s->meta[*n];
		from[*n].name = path_of(s, *n);
		from[*n].rows = SPILLED_ROWS;
	}
	return 0;
}

static int
open_files(struct inputs *s, const struct trc_job_in *in, struct trc_merging *from, size_t *n,
           struct trc_job *job, struct trc_err *err)
{
	for (; *n < s->files.n; ++*n) {
		struct trc_job one;

		if (open_one(s, *n, in, &one, err))
			return -1;
		from[*n] = (struct trc_merging){ one.src, path_of(s, *n), TRC_BATCH_ROWS };
		if (*n == 0)
			*job = one;
	}
	return 0;
}

/* Chooses the clock to merge by: reference time for the parts of one folder, or if cycle times are
 * missing; else cycle time. */
static enum trc_column
merge_clock(const struct inputs *s, const struct trc_merging *from, size_t n)
{
	uint32_t all = TRC_HAS_ALL;

	for (size_t i = 0; i < n; i++)
		all &= from[i].src->have;
	return all & TRC_HAS_RTIME && (s->folder || !(all & TRC_HAS_TIME)) ? TRC_COL_RTIME :
	                                                                     TRC_COL_TIME;
}

/* If traces cannot be merged because times are missing, adds that --concat joins them in order. */
static void
explain_order(const struct trc_merging *from, size_t n, enum trc_column clock, struct trc_err *err)
{
	const size_t len = strlen(err->text);

	for (size_t i = 0; i < n; i++)
		if (!(from[i].src->have >> clock & 1)) {
			snprintf(err->text + len, sizeof(err->text) - len,
			         "; trc encode --concat joins traces in order");
			return;
		}
}

/* Returns the length of the folder name in `path`. Windows of a recording are subfolders, so for
 * these it is the folder of the recording. */
static size_t
folder_of(const char *path)
{
	const char *window = strstr(path, "/window."), *end = window ? window : strrchr(path, '/');

	return end ? (size_t)(end - path) : 0;
}

/* Refuses threads of different recordings: those of one are in one folder. Also notes that files
 * are merged by time if only their times suggest that they belong together; files with events are
 * parts of a split. */
static int
check_folder(const struct inputs *s, const struct trc_format *format, enum trc_column clock,
             struct trc_err *err)
{
	const size_t len = folder_of(path_of(s, 0));
	char text[512];

	for (size_t i = 1; s->folder && format && format->threads && i < s->files.n; i++)
		if (folder_of(path_of(s, i)) != len || memcmp(path_of(s, i), path_of(s, 0), len))
			return trc_fail(err, "'%s' and '%s' are from different recordings",
			                path_of(s, 0), path_of(s, i));
	if (s->quiet || !s->folder || clock != TRC_COL_TIME || s->from->have & TRC_HAS_EVENT)
		return 0;
	snprintf(text, sizeof(text),
	         "note: the files of '%.300s' are read as one trace, in order of time", s->name);
	trc_shown(text);
	fprintf(stderr, "%s\n", text);
	return 0;
}

/* Opens the files as one source in order of time. */
static int
open_merged(struct inputs *s, const struct trc_job_in *settings, struct trc_job *job,
            struct trc_err *err)
{
	struct trc_job_in in = trc_job_in_each(settings);
	struct trc_merging *from;
	enum trc_column clock;
	size_t n = 0;
	int ret = -1;

	if (s->regions)
		return trc_fail_as(err, TRC_USAGE,
		                   "'%s' has regions of a trace, which are separate traces: name "
		                   "its files, or an output folder, like 'out/'; --concat joins "
		                   "them",
		                   s->regions);
	from = trc_alloc(s->files.n, sizeof(*from), err);
	if (from)
		ret = s->files.n > OPEN_MOST ? open_spilled(s, &in, from, &n, job, err) :
		                               open_files(s, &in, from, &n, job, err);
	clock = merge_clock(s, from, n);
	if (ret == 0)
		s->from = trc_stage_merge(from, n, clock, err);
	if (ret == 0 && !s->from)
		explain_order(from, n, clock, err);
	if (!s->from)
		for (size_t i = 0; i < n; i++)
			trc_source_close(from[i].src);
	free(from);
	return s->from ? check_folder(s, job->format, clock, err) : -1;
}

/* Adds to an error that a folder is read as one trace, since the user may have meant something
 * else. */
static void
explain_folder(const struct inputs *s, const char *path, struct trc_err *err)
{
	const size_t len = strlen(err->text);

	if (s->files.n && s->files.file[0].found && s->folder && !s->regions &&
	    (err->code == TRC_FAILED || err->code == TRC_USAGE))
		snprintf(err->text + len, sizeof(err->text) - len,
		         "; all files of the %s '%s' are read as parts of one trace",
		         trc_folder_is(path) ? "folder" : "archive", path);
}

/* Opens the files one after another. */
static int
open_in_order(struct inputs *s, const struct trc_job_in *settings, struct trc_job *job,
              struct trc_err *err)
{
	s->in = trc_job_in_each(settings);
	s->in.verbose = false; /* each file is opened several times, but is reported at most once */
	s->path = trc_alloc(s->files.n, sizeof(*s->path), err);
	if (!s->path)
		return -1;
	for (size_t i = 0; i < s->files.n; i++)
		s->path[i] = path_of(s, i);
	if (trc_slices_init(&s->slices, s->path, s->files.n, &s->in, false, err) ||
	    trc_slices_open(job, &s->slices, (struct trc_place){ 0, 0 },
	                    (struct trc_place){ s->slices.n, 0 }, &s->begun, err))
		return -1;
	s->from = job->src;
	return 0;
}

typedef int open_fn(struct inputs *s, const struct trc_job_in *in, struct trc_job *job,
                    struct trc_err *err);

static int
open_several(struct trc_job *job, const char *const *path, size_t n, const struct trc_job_in *in,
             bool quiet, open_fn *open, struct trc_err *err)
{
	struct inputs *s = trc_alloc(1, sizeof(*s), err);
	struct trc_job first = { 0 };

	*job = (struct trc_job){ 0 };
	if (!s)
		return -1;
	s->src = (struct trc_source){ .next = inputs_next, .close = inputs_close };
	s->quiet = quiet;
	s->name = path[0];
	if (add_files(s, path, n, err) || open(s, in, &first, err)) {
		explain_folder(s, path[0], err);
		inputs_close(&s->src);
		return -1;
	}
	s->src.have = s->from->have;
	s->src.meta_at_end = s->from->meta_at_end;
	s->src.meta = s->from->meta;
	job->src = &s->src;
	job->format = first.format;
	memcpy(job->changes, first.changes, sizeof(job->changes));
	job->threads = in->threads;
	if (trc_job_select(job, in, err)) {
		trc_source_close(job->src);
		job->src = NULL;
		return -1;
	}
	job->input = path;
	job->inputs = n;
	return 0;
}

int
trc_inputs_concat(struct trc_job *job, const char *const *path, size_t n,
                  const struct trc_job_in *in, struct trc_err *err)
{
	return open_several(job, path, n, in, true, open_in_order, err);
}

int
trc_inputs_open(struct trc_job *job, const char *const *path, size_t n, const struct trc_job_in *in,
                bool quiet, struct trc_err *err)
{
	bool several = n > 1;

	/* If an archive is truncated, its only file may still be salvaged. */
	if (!several && trc_files_several(path[0], &several, err) && !in->salvage)
		return -1;
	if (several)
		return open_several(job, path, n, in, quiet, open_merged, err);
	if (trc_manifest_is(path[0]))
		return trc_inputs_concat(job, path, 1, in, err);
	if (trc_job_open(job, path[0], in, err))
		return -1;
	job->input = path;
	job->inputs = n;
	return 0;
}
