/* SPDX-License-Identifier: MIT */
#include "cmd/shard/asking.h"

#include <stdlib.h>

int
trc_asking_begin(struct trc_asking *a, const struct trc_question *q, const struct trc_asked *asked,
                 const char *input, struct trc_err *err)
{
	*a = (struct trc_asking){ .q = q };
	a->asked = trc_alloc(1, q->size, err);
	if (!a->asked)
		return -1;
	*a->asked = *asked;
	a->asked->name = trc_inputs_name(&asked->path, asked->files, a->name);
	return q->begin ? q->begin(a->asked, input, err) : 0;
}

int
trc_asking_open(struct trc_asking *a, bool kept, struct trc_err *err)
{
	const uint32_t have = a->job.src->have;

	a->sink = a->q->open(a->asked, &a->job, err);
	if (!a->sink)
		return -1;
	if (kept && !a->sink->state)
		return trc_fail(err, "this question cannot be answered in shards");
	a->sink->kept = kept;
	a->sink->counted = (TRC_HAS_RTIME | TRC_HAS_ITIME) & ~have;
	return 0;
}

void
trc_asking_end(struct trc_asking *a)
{
	trc_sink_close(a->sink);
	if (a->asked && a->q->end)
		a->q->end(a->asked);
	trc_source_close(a->job.src);
	free(a->asked);
}

int
trc_asking_write(const struct trc_partial *p, const char *path, bool force, struct trc_err *err)
{
	struct trc_out *out = trc_out_open(path, force, err);
	int ret = out ? trc_partial_write(p, out, err) : -1;

	if (ret == 0)
		ret = trc_out_commit(out, err);
	trc_out_close(out);
	return ret;
}
