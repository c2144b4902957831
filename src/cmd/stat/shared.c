/* SPDX-License-Identifier: MIT
 * trc stat --shared: pages that several processes touch. */
#include <string.h>

#include "cmd/stat/stat.h"
#include "stage/space/shared.h"

static const struct trc_opts opts = TRC_OPTS_FLAG("shared",
                                                  "count pages shared by several processes");

static int
describe(void *of, size_t i, struct trc_answer_group *g, struct trc_err *err)
{
	const struct trc_shared *k = of;

	(void)i, (void)err;
	TRC_FACTS(g, { TRC_FACT(references, "", trc_count(k->refs)) },
	          { TRC_FACT(canonical_pages, "", trc_count(k->pages)) },
	          { TRC_FACT(shared_pages, "", trc_count(k->shared_pages)) },
	          { TRC_FACT(shared_pages_written, "shared pages written",
	                     trc_count(k->written_pages)) },
	          { TRC_FACT(references_to_shared_pages, "references to them",
	                     trc_count(k->shared_refs)) });
	g->rows = k->n > 1 ? k->n - 1 : 0;
	return 0;
}

/* Rows are by the number of processes that touch a page. */
static void
row(void *of, size_t i, size_t k, struct trc_value *cell)
{
	const struct trc_shared *s = of;

	(void)i;
	TRC_VALUES(cell, trc_count(k + 1), trc_count(s->by[k + 1].pages),
	           trc_count(s->by[k + 1].written), trc_count(s->by[k + 1].refs));
}

/* The state of the question. */
struct query {
	struct trc_query query;
	struct trc_shared shared;
};

static struct trc_sink *
open_sink(void *q, struct trc_job *job, struct trc_err *err)
{
	const uint32_t needs = TRC_HAS_CPN | TRC_HAS_ASID, lacks = needs & ~job->src->have;
	struct query *a = q;
	char names[64];

	if (!lacks)
		return trc_shared_sink(&a->shared, err);
	trc_fail(err, "%s: has no column '%s'; trc split --kernel writes such traces",
	         a->query.path, trc_columns_text(lacks, names, sizeof(names)));
	return NULL;
}

static int
answer(void *q, const struct trc_job *job, struct trc_answered *to, struct trc_err *err)
{
	static const struct trc_column_decl column[] = {
		{ TRC_NAMED(processes), .across = true },
		{ TRC_NAMED(pages), .curve = "pages" },
		{ TRC_NAMED(written) },
		{ TRC_NAMED(references), .curve = "references" },
	};
	struct query *a = q;
	struct trc_answer_plot *p = &to->plot;

	(void)job, (void)err;
	to->answer.column = column;
	to->answer.columns = TRC_COUNT(column);
	to->answer.of = &a->shared;
	to->answer.group = describe;
	to->answer.row = row;
	p->x = (struct trc_axis){ "processes that touch a page", TRC_UNIT_COUNT, TRC_AXIS_LINEAR,
		                  0 };
	p->y = (struct trc_axis){ "share of all", TRC_UNIT_PART, TRC_AXIS_LINEAR, 0 };
	p->shares = p->dots = true;
	p->what = "Sharing of pages";
	return 0;
}

const struct trc_action trc_stat_shared = {
	.name = "--shared",
	.takes = TRC_TAKES(&opts, &trc_stat_opts_plot, &trc_traces_opts, TRC_STAT_TAKES),
	.run = trc_shard_answer,
	.query = TRC_QUERY(.size = sizeof(struct query), .open = open_sink,
	                   .owns = { { offsetof(struct query, shared), trc_shared_release } },
	                   .answer = answer),
	.no_shards = "shared pages depend on all events before a shard; run it without --shard"
};
