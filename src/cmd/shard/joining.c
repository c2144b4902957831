/* SPDX-License-Identifier: MIT */
#include "cmd/shard/joining.h"

#include "cmd/job/origins.h"

/* Returns what is known about the trace from its files. */
static struct trc_meta
meta_of(const struct trc_partial *p)
{
	struct trc_meta meta = p->begun.meta;

	meta.provenance = trc_begun_provenance(&p->begun);
	return meta;
}

/* Opens a source without rows, of the trace that the partials are of. */
static int
open_nothing(struct trc_job *job, const struct trc_partial *of, const struct trc_meta *meta,
             struct trc_err *err)
{
	*job = (struct trc_job){ .format = trc_format_named(of->format),
		                 .inputs = (size_t)of->files };
	if (!job->format)
		return trc_fail(err, "unknown format '%s'", of->format);
	job->gives = of->files == 1 ? job->format : NULL;
	job->src = trc_source_none(of->have, meta, err);
	return job->src ? 0 : -1;
}

int
trc_joining_begin(struct trc_joining *j, const struct trc_partial *of, const char *path,
                  const struct trc_meta *meta, struct trc_err *err)
{
	static const struct trc_opts *const except[] = { &trc_shard_opts_merge,
		                                         &trc_shard_opts_plan, &trc_shard_opts,
		                                         &trc_shard_opts_partial, NULL };
	int ret = trc_parsed_query_find(&j->parsed, j->settings, of, path, "partial", except, err);

	if (ret)
		return -1;
	j->open = true;
	ret = trc_query_begin(&j->a, j->parsed.action->query,
	                      &(struct trc_query){ .settings = &j->parsed.settings,
	                                           .path = of->name },
	                      NULL, err);
	if (ret)
		return -1;
	j->a.query->output = j->output;
	return open_nothing(&j->a.job, of, meta, err) || trc_query_open(&j->a, true, err) ? -1 : 0;
}

int
trc_joining_add(struct trc_joining *j, struct trc_partial *p, const char *path, struct trc_err *err)
{
	int ret = trc_query_append(&j->a, &p->found, p->have, err);

	trc_buf_release(&p->found.state);
	if (ret == 0 && j->n > 0) {
		ret = trc_partial_join(&j->sum, p, err);
	} else if (ret == 0) {
		j->sum = *p;
		*p = (struct trc_partial){ 0 };
	}
	j->n += ret == 0;
	return ret ? trc_err_in(err, "%s", path) : 0;
}

static int
print(struct trc_query_run *a, const struct trc_partial *sum, struct trc_err *err)
{
	struct trc_provenances files = { .n = 0 };
	const struct trc_meta meta = meta_of(sum);
	int ret;

	ret = trc_query_finish(a, &meta, err) ||
	                      trc_origins_join(trc_buf_view(&sum->begun.origins), &files,
	                                       &a->query->origins, err) ||
	                      trc_query_print(a, err) ?
	              -1 :
	              0;
	trc_provenances_release(&files);
	return ret;
}

static int
save(struct trc_query_run *a, struct trc_partial *sum, const char *path, bool force,
     struct trc_err *err)
{
	if (trc_sink_save(a->sink, &sum->found.state, err))
		return -1;
	return trc_query_write(sum, path, force, err);
}

int
trc_joining_finish(struct trc_joining *j, struct trc_err *err)
{
	const char *path = trc_shard_partial(j->settings);

	return path ? save(&j->a, &j->sum, path, trc_shard_force(j->settings), err) :
	              print(&j->a, &j->sum, err);
}

void
trc_joining_end(struct trc_joining *j)
{
	if (j->open)
		trc_query_end(&j->a);
	/* The source used the provenance of the sum. */
	trc_partial_release(&j->sum);
	trc_parsed_query_release(&j->parsed);
	*j = (struct trc_joining){ .settings = j->settings, .output = j->output };
}
