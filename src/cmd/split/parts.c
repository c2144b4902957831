/* SPDX-License-Identifier: MIT
 *
 * Splits a trace into many by a column: rows are partitioned by a spill, then each part is written.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/names/folder.h"
#include "cmd/recording.h"
#include "cmd/split/direct.h"
#include "cmd/split/split.h"
#include "stage/partition.h"
#include "stage/space/lives.h"
#include "stage/space/space.h"
#include "stage/stage.h"

/* The part for events, if the trace is split by a column that only references have. */
#define EVENTS UINT64_MAX

/* A sink that partitions the rows. */
struct deal {
	struct trc_sink sink;
	struct trc_partition *spill;
	struct trc_split_direct *direct; /* for the first parts; NULL: all use the spill */
	unsigned by;
	struct trc_lives lives; /* maps reused pids to tasks */
};

static uint64_t
key_of(const struct deal *d, const struct trc_batch *b, size_t i)
{
	switch (d->by) {
	case TRC_SPLIT_SPACE: return trc_batch_is_event(b, i) ? EVENTS : b->asid[i];
	case TRC_SPLIT_TYPE: return b->type[i];
	default: return trc_lives_task(&d->lives, b->task[i]);
	}
}

/* Returns true if row `i` is not an event, and belongs to the same part as the row before. */
static bool
is_same_part(const struct deal *d, const struct trc_batch *b, size_t i)
{
	if (trc_batch_is_event(b, i))
		return false;
	switch (d->by) {
	case TRC_SPLIT_SPACE: return b->asid[i] == b->asid[i - 1] && !trc_batch_is_event(b, i - 1);
	case TRC_SPLIT_TYPE: return b->type[i] == b->type[i - 1];
	default: return b->task[i] == b->task[i - 1];
	}
}

static int
deal_put(struct trc_sink *sink, const struct trc_batch *b, struct trc_err *err)
{
	struct deal *d = (struct deal *)sink;

	for (size_t i = 0, n; i < b->n; i += n) {
		bool taken = false;
		uint64_t key;

		if (trc_batch_is_event(b, i) &&
		    trc_lives_event(&d->lives, trc_batch_event(b, i), err))
			return -1;
		key = key_of(d, b, i);
		for (n = 1; i + n < b->n && is_same_part(d, b, i + n); n++)
			;
		if (d->direct && trc_split_direct_put(d->direct, key, b, i, n, &taken, err))
			return -1;
		if (!taken && trc_partition_put(d->spill, key, b, i, n, err))
			return -1;
	}
	return 0;
}

static int
deal_finish(struct trc_sink *sink, const struct trc_meta *meta, struct trc_err *err)
{
	(void)meta;
	return trc_partition_finish(((struct deal *)sink)->spill, err);
}

/* The settings for writing parts. */
struct parts {
	const struct trc_split *s;
	const struct trc_format *format;
	const struct trc_spaces *spaces;
	trc_split_fit fit;
	struct trc_folder folder;
	struct deal deal;
	struct trc_meta whole, meta; /* of the trace, and of a part */
	struct trc_buf list;         /* the provenance of a part of a recording */
	uint64_t threads;
	const struct trc_format *gives; /* the format of the trace */
	struct trc_progress *progress;  /* of writing */
};

char *
trc_split_ending(const struct trc_split *s, const struct trc_format *format, char *dst)
{
	const char *how = s->out.compress;
	const struct trc_packing *row = how ? trc_packing_named(how, strcspn(how, ":")) : NULL;

	if (format->ending)
		snprintf(dst, 32, "%.16s", format->ending);
	else
		snprintf(dst, 32, ".%.16s", format->name);
	if (row)
		snprintf(dst + strlen(dst), 32 - strlen(dst), ".%s", row->name);
	return dst;
}

/* Formats "PID", or "PID.2" for the second task with that pid. Returns dst. */
static char *
name_task(uint64_t task, char *dst, size_t room)
{
	const unsigned before = (unsigned)(task >> 32);

	if (before == 0)
		snprintf(dst, room, "%x", (unsigned)task);
	else
		snprintf(dst, room, "%x.%u", (unsigned)task, before + 1);
	return dst;
}

/* Formats the file name of part `key`; the kernel and the idle task share one. */
static void
name_part(const struct parts *p, uint64_t key, char *dst, size_t room)
{
	const char *by = key & TRC_KERNEL ? "kernel-" : "";
	char ending[32], process[32], task[32];

	trc_split_ending(p->s, p->format, ending);
	if (p->s->opt->by == TRC_SPLIT_TYPE && (key & TRC_TYPE_MASK) < TRC_TYPES)
		snprintf(dst, room, "%s%s%s", by, trc_type_name[key & TRC_TYPE_MASK], ending);
	else if (key == EVENTS)
		snprintf(dst, room, "events%s", ending);
	else if (p->spaces && p->s->opt->by != TRC_SPLIT_SPACE && key == 0)
		snprintf(dst, room, "%skernel%s", p->s->opt->by ? "" : "kernel/", ending);
	else if (p->spaces && p->s->opt->by == TRC_SPLIT_NOT)
		snprintf(dst, room, "%s/%s%s",
		         name_task(trc_spaces_process(p->spaces, key), process, sizeof(process)),
		         name_task(key, task, sizeof(task)), ending);
	else
		snprintf(dst, room, "%s%s", name_task(key, task, sizeof(task)), ending);
}

/* A part, for of_part(). */
struct part_key {
	const struct parts *p;
	uint64_t key;
};

/* Returns true if an address space is of the part, or may be. */
static bool
of_part(const void *part, const struct trc_executed_space *space)
{
	const struct trc_spaces *spaces = ((const struct part_key *)part)->p->spaces;
	const uint64_t key = ((const struct part_key *)part)->key;

	switch (((const struct part_key *)part)->p->s->opt->by) {
	case TRC_SPLIT_TYPE: return true;
	case TRC_SPLIT_SPACE: return space->space == key;
	default:
		return trc_spaces_process(spaces, space->process) ==
		       trc_spaces_process(spaces, key);
	}
}

/* Sets p->meta to the properties of part `key`: those of the trace, and the files whose code its
 * process executed. */
static int
set_meta(struct parts *p, uint64_t key, struct trc_err *err)
{
	const struct trc_view before = p->whole.provenance;
	const struct part_key part = { p, key };

	p->meta = p->whole;
	if (!p->s->recorded || !p->s->in->provenance)
		return 0;
	p->list.n = 0;
	if (trc_buf_put(&p->list, before.p, (size_t)(before.end - before.p), err) ||
	    trc_recording_files(p->s->recorded, of_part, &part, &p->list, err))
		return -1;
	p->meta.provenance = trc_buf_view(&p->list);
	return 0;
}

/* Writes `src`, and closes it, to the file `name`; `look`: removes the file again. */
static int
write_file(struct parts *p, struct trc_source *src, const char *name, bool look,
           struct trc_err *err)
{
	struct trc_job part = {
		.gives = p->gives, .src = src, .threads = p->threads, .progress = p->progress
	};
	struct trc_job_out out = p->s->out;
	char *path = trc_folder_path(&p->folder, name, err);
	int ret = path ? 0 : -1;

	src->meta = p->meta;
	out.publish.no_sync = true; /* the whole folder is synchronised instead */
	out.noted = !look;
	if (ret == 0 && p->fit)
		ret = p->fit(&part, p->format, err);
	if (ret == 0)
		ret = trc_job_write(&part, path, p->format, &out, err);
	if (ret == 0 && look)
		unlink(path);
	trc_source_close(part.src);
	free(path);
	return ret;
}

/* Does the same for part `key`. */
static int
write_part(struct parts *p, struct trc_source *src, uint64_t key, struct trc_err *err)
{
	char name[96];
	int ret;

	name_part(p, key, name, sizeof(name));
	if (set_meta(p, key, err)) {
		trc_source_close(src);
		return -1;
	}
	ret = write_file(p, src, name, false, err);
	p->progress->step++;
	if (ret && err->code == TRC_FAILED)
		trc_err_in(err, "%s", name);
	return ret;
}

/* Writes a part without rows, and removes it. This reports columns that the format cannot hold
 * before the trace is read. */
static int
try_part(struct parts *p, uint32_t have, struct trc_err *err)
{
	struct trc_partition *spill = trc_partition_open(have, err);
	struct trc_source *none = NULL;
	struct trc_batch b = { 0 };
	int ret;

	if (spill && trc_batch_init(&b, have, 1, err) == 0 &&
	    trc_partition_put(spill, 0, &b, 0, 0, err) == 0 &&
	    trc_partition_finish(spill, err) == 0)
		none = trc_partition_source(spill, 0, err);
	ret = none ? write_file(p, none, "none", true, err) : -1;
	trc_batch_release(&b);
	trc_partition_close(spill);
	return ret;
}

/* Renames the parts that were written while the trace was read: their names are known only now. */
static int
finish_direct(struct parts *p, struct trc_err *err)
{
	struct trc_split_direct *d = p->deal.direct;
	char name[96];

	for (size_t i = 0; d && i < trc_split_direct_parts(d); i++) {
		name_part(p, trc_split_direct_key(d, i), name, sizeof(name));
		if (set_meta(p, trc_split_direct_key(d, i), err))
			return -1;
		if (trc_split_direct_finish(d, i, name, &p->meta, err))
			return err->code == TRC_FAILED ? trc_err_in(err, "%s", name) : -1;
	}
	return 0;
}

static int
write_traces(struct parts *p, struct trc_err *err)
{
	for (size_t i = 0; i < trc_partition_traces(p->deal.spill); i++) {
		struct trc_source *src = trc_partition_source(p->deal.spill, i, err);

		if (!src || write_part(p, src, trc_partition_key(p->deal.spill, i), err))
			return -1;
	}
	return 0;
}

/* Returns the merged tasks of the process of trace `first`. Earlier traces are of other
 * processes. */
static struct trc_source *
process_source(struct parts *p, struct trc_merging *from, bool *done, size_t first,
               struct trc_err *err)
{
	struct trc_partition *spill = p->deal.spill;
	const uint64_t process = trc_spaces_process(p->spaces, trc_partition_key(spill, first));
	struct trc_source *merged = NULL;
	bool good = set_meta(p, process, err) == 0;
	size_t n = 0;

	for (size_t i = first; good && i < trc_partition_traces(spill); i++) {
		if (trc_spaces_process(p->spaces, trc_partition_key(spill, i)) != process)
			continue;
		done[i] = true;
		from[n] = (struct trc_merging){ trc_partition_source(spill, i, err), "a task",
			                        256 };
		good = from[n].src;
		if (good)
			from[n++].src->meta.provenance = p->meta.provenance;
	}
	if (good)
		merged = trc_stage_merge(from, n, TRC_COL_RTIME, err);
	for (size_t i = 0; !merged && i < n; i++)
		trc_source_close(from[i].src);
	return merged;
}

static int
write_processes(struct parts *p, struct trc_err *err)
{
	const size_t n = trc_partition_traces(p->deal.spill);
	struct trc_merging *from = trc_alloc(n + 1, sizeof(*from), err);
	bool *done = from ? trc_alloc(n + 1, sizeof(*done), err) : NULL;
	int ret = done ? 0 : -1;

	for (size_t i = 0; i < n && ret == 0; i++) {
		const uint64_t task = trc_partition_key(p->deal.spill, i);
		struct trc_source *src;

		if (done[i])
			continue;
		src = process_source(p, from, done, i, err);
		ret = src ? write_part(p, src, trc_spaces_process(p->spaces, task), err) : -1;
	}
	free(from);
	free(done);
	return ret;
}

/* Writes all parts, which have `rows` rows together. */
static int
write_all(struct parts *p, uint64_t rows, struct trc_err *err)
{
	struct trc_progress progress;
	int ret;

	trc_progress_init(&progress, "records written", p->s->out.quiet);
	progress.of = rows;
	p->progress = &progress;
	if (p->s->opt->by == TRC_SPLIT_PROCESS) {
		ret = write_processes(p, err);
	} else {
		progress.steps = "parts";
		progress.of_steps = trc_partition_traces(p->deal.spill);
		ret = write_traces(p, err);
	}
	trc_progress_end(&progress);
	return ret;
}

static int
check_column(const struct trc_split *s, const struct trc_job *job, struct trc_err *err)
{
	const enum trc_column column = s->opt->by == TRC_SPLIT_SPACE ? TRC_COL_ASID :
	                               s->opt->by == TRC_SPLIT_TYPE  ? TRC_COL_TYPE :
	                                                               TRC_COL_TASK;
	char names[128];

	if (job->src->have >> column & 1)
		return 0;
	return trc_fail(err, "the trace has no column '%s' to split by, only '%s'",
	                trc_column[column].name,
	                trc_columns_text(job->src->have, names, sizeof(names)));
}

/* Opens the sink that partitions the rows of job->src. */
static int
open_deal(struct parts *p, const struct trc_job *job, struct trc_err *err)
{
	const struct trc_split_each each = { p->s, p->format, &p->folder, job, p->fit };
	const unsigned by = p->s->opt->by;

	p->deal.sink = (struct trc_sink){ .put = deal_put, .finish = deal_finish };
	p->deal.by = by;
	p->deal.spill = trc_partition_open(job->src->have, err);
	if (!p->deal.spill || try_part(p, job->src->have, err))
		return -1;
	if (!p->s->recorded || (by != TRC_SPLIT_NOT && by != TRC_SPLIT_TASK) ||
	    !trc_split_direct_can(&each))
		return 0;
	p->deal.direct = trc_split_direct_open(&each, err);
	return p->deal.direct ? 0 : -1;
}

/* Returns the number of parts. */
static size_t
parts_of(const struct deal *d)
{
	return trc_partition_traces(d->spill) + (d->direct ? trc_split_direct_parts(d->direct) : 0);
}

int
trc_split_parts(const struct trc_split *s, struct trc_job *job, const char *path,
                const struct trc_format *format, const struct trc_spaces *spaces, trc_split_fit fit,
                struct trc_err *err)
{
	struct parts p = { .s = s,
		           .format = format,
		           .spaces = spaces,
		           .fit = fit,
		           .threads = job->threads,
		           .gives = job->gives };
	int ret = -1;

	if (check_column(s, job, err) || trc_lives_init(&p.deal.lives, err))
		return -1;
	if (trc_folder_open(&p.folder, path, err)) {
		trc_lives_release(&p.deal.lives);
		return -1;
	}
	if (open_deal(&p, job, err) == 0 &&
	    trc_job_pump(job, &p.deal.sink, s->out.quiet || s->recorded, err) == 0) {
		p.whole = job->src->meta;
		if (parts_of(&p.deal) > 1)
			trc_meta_filtered(&p.whole);
		if (spaces)
			p.whole.format[0] = 0;
		ret = finish_direct(&p, err) || write_all(&p, job->rows, err) ? -1 : 0;
	}
	trc_split_direct_close(p.deal.direct);
	trc_partition_close(p.deal.spill);
	trc_lives_release(&p.deal.lives);
	trc_buf_release(&p.list);
	if (ret == 0)
		ret = trc_folder_commit(&p.folder, !s->out.publish.no_sync, err);
	trc_folder_close(&p.folder);
	return ret;
}
