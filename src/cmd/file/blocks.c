/* SPDX-License-Identifier: MIT
 * trc stat --blocks: lists the contents of a container by its index. */
#include "cmd/stat/stat.h"

#include <stdlib.h>
#include <string.h>

#include "batch/index.h"

static const struct trc_opts opts = TRC_OPTS_FLAG("blocks", "list the blocks of a container");

/* The state of the question. The blocks are copied, because the index belongs to the source. */
struct query {
	struct trc_query query;
	struct trc_part *part;
	size_t parts;
};

static void
release(void *of)
{
	struct trc_part **part = of;

	free(*part);
	*part = NULL;
}

static void
row(void *of, size_t i, size_t k, struct trc_value *cell)
{
	const struct trc_part *p = &((const struct query *)of)->part[k];

	(void)i;
	TRC_VALUES(cell, trc_count(k + 1), trc_count(p->first + 1), trc_count(p->rows),
	           trc_count(p->at), trc_count(p->bytes), trc_word(p->fresh ? "new" : "-"),
	           trc_yes(p->fresh), trc_count(p->time_first), trc_count(p->time_last));
}

static int
know(void *q, struct trc_job *job, bool *known, struct trc_err *err)
{
	const struct trc_index *index = NULL;
	struct query *a = q;

	if (trc_source_index(job->src, &index, err))
		return -1;
	if (!index)
		return trc_fail(err,
		                "--blocks: %s has no index; it must be a complete container, "
		                "neither packed nor a pipe",
		                job->format->name);
	a->part = trc_alloc(index->parts + 1, sizeof(*a->part), err);
	if (!a->part)
		return -1;
	for (; a->parts < index->parts; a->parts++)
		a->part[a->parts] = index->part[a->parts];
	*known = true;
	return 0;
}

static int
answer(void *q, const struct trc_job *job, struct trc_answered *to, struct trc_err *err)
{
	const bool times = job->src->have & TRC_HAS_TIME;

	(void)err;
	TRC_ANSWERED_TABLE(to, { TRC_COLUMN(block, "block", 6), .key = true },
	                   { TRC_COLUMN(first_record, "first record", 14) },
	                   { TRC_COLUMN(records, "records", 10) },
	                   { TRC_COLUMN(offset, "offset", 14) }, { TRC_COLUMN(bytes, "bytes", 10) },
	                   { .head = "program", .width = 7 }, { TRC_NAMED(new_program) },
	                   { TRC_COLUMN(first_cycle, "first cycle", 15), .off = !times },
	                   { TRC_COLUMN(last_cycle, "last cycle", 15), .off = !times });
	to->answer.rows = ((struct query *)q)->parts;
	to->answer.row = row;
	return 0;
}

const struct trc_action trc_stat_blocks = {
	.name = "--blocks",
	.takes = TRC_TAKES(&opts, TRC_STAT_TAKES),
	.run = trc_shard_answer,
	.query = TRC_QUERY(.size = sizeof(struct query), .know = know,
	                   .owns = { { offsetof(struct query, part), release } }, .answer = answer),
	.no_shards = "it reads only the index; run it without --shard"
};
