/* SPDX-License-Identifier: MIT */
#include "cmd/split/direct.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	PARTS = 8,
	MANY = 256, /* this many rows are written directly, fewer are gathered first */
};

/* A part, and the rows gathered for it. */
struct part {
	uint64_t key;
	struct trc_job job; /* the stages around the feed */
	struct trc_sink *sink;
	struct trc_source *feed; /* closed with the stages */
	struct trc_batch rows;
	char *path; /* temporary name */
};

/* All parts. */
struct trc_split_direct {
	struct trc_split_each each;
	struct part part[PARTS];
	size_t n;
	size_t last; /* index of the part that got the previous rows */
};

/* Opens a source without rows below the stages of a part. None of them changes rows, but they add
 * properties of the part at its end. */
static struct trc_source *
feed_open(const struct trc_source *trace, struct trc_err *err)
{
	struct trc_source *f = trc_source_none(trace->have, &trace->meta, err);

	if (!f)
		return NULL;
	trc_meta_filtered(&f->meta);
	f->meta.format[0] = 0;
	return f;
}

/* Opens the sink of a part that has its feed. */
static int
begin_part(const struct trc_split_each *each, struct part *p, size_t number, struct trc_err *err)
{
	struct trc_job_out out = each->split->out;
	char name[32];

	snprintf(name, sizeof(name), "part-%zu", number);
	p->path = trc_folder_path(each->folder, name, err);
	out.publish.no_sync = true; /* the whole folder is synchronised instead */
	out.noted = true;
	if (!p->path || (each->fit && each->fit(&p->job, each->format, err)))
		return -1;
	p->sink = trc_job_begin(&p->job, p->path, each->format, &out, err);
	if (!p->sink)
		return -1;
	return trc_batch_init(&p->rows, p->job.src->have, TRC_BATCH_ROWS, err);
}

static struct part *
add_part(struct trc_split_direct *d, uint64_t key, struct trc_err *err)
{
	struct part *p = &d->part[d->n];

	*p = (struct part){ .key = key,
		            .feed = feed_open(d->each.job->src, err),
		            .job = { .gives = d->each.job->gives,
		                     .threads = d->each.job->threads } };
	if (!p->feed)
		return NULL;
	p->job.src = p->feed;
	d->n++; /* if the rest fails, it is closed with the others */
	return begin_part(&d->each, p, d->n, err) ? NULL : p;
}

/* Returns the index of the part `key`; d->n if there is none. */
static size_t
find_part(const struct trc_split_direct *d, uint64_t key)
{
	size_t i = d->last;

	if (i < d->n && d->part[i].key == key)
		return i;
	for (i = 0; i < d->n && d->part[i].key != key; i++)
		;
	return i;
}

static int
flush(struct part *p, struct trc_err *err)
{
	const int ret = p->rows.n > 0 ? trc_sink_put(p->sink, &p->rows, err) : 0;

	trc_batch_clear(&p->rows);
	return ret;
}

/* Writes rows directly from `b`, after those that were gathered. */
static int
put_through(struct part *p, const struct trc_batch *b, size_t from, size_t n, struct trc_err *err)
{
	struct trc_batch view = { .have = p->rows.have,
		                  .n = n,
		                  .cap = n,
		                  .text = b->text,
		                  .text_n = b->text_n,
		                  .text_lost = b->text_lost };

#define COLUMN(NAME, field, type, doc)     \
	if (p->rows.have & TRC_HAS_##NAME) \
		view.field = b->field + from;
#include "batch/columns.def"
#undef COLUMN
	return flush(p, err) ? -1 : trc_sink_put(p->sink, &view, err);
}

int
trc_split_direct_put(struct trc_split_direct *d, uint64_t key, const struct trc_batch *b,
                     size_t from, size_t n, bool *taken, struct trc_err *err)
{
	struct part *p;

	d->last = find_part(d, key);
	*taken = d->last < PARTS;
	if (!*taken)
		return 0;
	p = d->last < d->n ? &d->part[d->last] : add_part(d, key, err);
	if (p && n >= MANY)
		return put_through(p, b, from, n, err);
	while (p && n > 0) {
		const size_t room = p->rows.cap - p->rows.n, some = room < n ? room : n;

		trc_batch_append(&p->rows, b, from, some);
		from += some;
		n -= some;
		if (p->rows.n == p->rows.cap && flush(p, err))
			return -1;
	}
	return p ? 0 : -1;
}

int
trc_split_direct_finish(struct trc_split_direct *d, size_t i, const char *name,
                        const struct trc_meta *meta, struct trc_err *err)
{
	struct part *p = &d->part[i];
	char *path = trc_folder_path(d->each.folder, name, err);
	int ret = path ? flush(p, err) : -1;

	p->feed->meta = *meta;
	/* stages update the properties when their source ends */
	if (ret == 0)
		ret = trc_source_next(p->job.src, &p->rows, err) == TRC_FLOW_END ? 0 : -1;
	if (ret == 0)
		ret = trc_sink_finish(p->sink, &p->job.src->meta, err);
	if (ret == 0 && rename(p->path, path))
		ret = trc_fail_errno(err, errno, "cannot rename '%s'", p->path);
	trc_sink_close(p->sink);
	p->sink = NULL;
	free(path);
	return ret;
}

size_t
trc_split_direct_parts(const struct trc_split_direct *d)
{
	return d->n;
}

uint64_t
trc_split_direct_key(const struct trc_split_direct *d, size_t i)
{
	return d->part[i].key;
}

bool
trc_split_direct_can(const struct trc_split_each *each)
{
	const struct trc_job_out *out = &each->split->out;

	return trc_job_is_container(each->format) && !out->fit && !out->fitting && !out->preset &&
	       !trc_job_shapes(out);
}

struct trc_split_direct *
trc_split_direct_open(const struct trc_split_each *each, struct trc_err *err)
{
	struct trc_split_direct *d = trc_alloc(1, sizeof(*d), err);

	if (d)
		d->each = *each;
	return d;
}

void
trc_split_direct_close(struct trc_split_direct *d)
{
	if (!d)
		return;
	for (size_t i = 0; i < d->n; i++) {
		trc_sink_close(d->part[i].sink);
		trc_source_close(d->part[i].job.src);
		trc_batch_release(&d->part[i].rows);
		free(d->part[i].path);
	}
	free(d);
}
