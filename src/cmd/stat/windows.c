/* SPDX-License-Identifier: MIT
 *
 * trc stat --over-time: references, and the pages that they touch, by window.
 */
#include "stage/profile/windows.h"

#include <stdio.h>
#include <string.h>

#include "cmd/stat/over_time.h"
#include "cmd/stat/stat.h"

/* The state of the question. */
struct query {
	struct trc_query query;
	struct trc_stat s;
	struct trc_stat_unit unit;
	struct trc_windows windows;
	char new[32]; /* a column head */
};

static int
describe(void *of, size_t i, struct trc_answer_group *g, struct trc_err *err)
{
	const struct query *a = of;

	(void)i, (void)err;
	TRC_FACTS(g, { TRC_FACT(unit, NULL, trc_word(a->unit.name)) },
	          { TRC_FACT(page_size, NULL,
	                     trc_count_if(a->unit.bits, UINT64_C(1) << a->unit.bits)) },
	          { TRC_FACT(distinct, NULL, trc_count(a->windows.pages)) });
	g->rows = a->windows.n;
	return 0;
}

static void
row(void *of, size_t i, size_t k, struct trc_value *cell)
{
	const struct trc_window *w = &((const struct query *)of)->windows.window[k];

	(void)i;
	TRC_VALUES(cell, trc_count(w->from + 1), trc_count(w->to), trc_count(w->refs),
	           trc_count(w->reads), trc_count(w->writes), trc_count(w->fetches),
	           trc_count(w->pages), trc_count(w->first));
}

static int
answer(void *q, const struct trc_job *job, struct trc_answered *to, struct trc_err *err)
{
	struct query *a = q;
	const enum trc_name pages = trc_name_of_unit(TRC_NAME_pages, a->unit.name);

	if (trc_over_time_end(&a->query, a->windows.seen, &job->src->meta, err))
		return -1;
	snprintf(a->new, sizeof(a->new), "new %ss", a->unit.name);
	TRC_ANSWERED_TABLE(
	        to,
	        { TRC_COLUMN(from, trc_over_time_head(a->windows.insns, false), 14), .key = true },
	        { TRC_COLUMN(to, trc_over_time_head(a->windows.insns, true), 14), .key = true,
	          .across = true },
	        { TRC_COLUMN(references, "references", 14) }, { TRC_COLUMN(reads, "reads", 14) },
	        { TRC_COLUMN(writes, "writes", 14) }, { TRC_COLUMN(fetches, "fetches", 14) },
	        { .name = pages,
	          .head = trc_name_row[pages].name,
	          .width = 12,
	          .curve = "footprint" },
	        { .name = trc_name_of_unit(TRC_NAME_new_pages, a->unit.name),
	          .head = a->new,
	          .width = 12,
	          .curve = a->new });
	to->answer.group = describe;
	to->answer.row = row;
	trc_over_time_plot(to, "Footprint", a->windows.every, a->windows.insns);
	to->plot.y = (struct trc_axis){ trc_name_row[pages].name, TRC_UNIT_COUNT, TRC_AXIS_AUTO,
		                        0 };
	return 0;
}

static int
begin(void *q, const char *input, struct trc_err *err)
{
	struct query *a = q;

	(void)input;
	trc_stat_begin(&a->s, &a->query);
	a->query.numbered = UINT64_MAX;
	a->windows.warmup = a->query.warmup;
	if (trc_over_time_begin(&a->query, &a->windows.every, err))
		return -1;
	a->windows.insns = a->query.insns;
	return 0;
}

static struct trc_sink *
open_sink(void *q, struct trc_job *job, struct trc_err *err)
{
	struct query *a = q;

	if (trc_stat_objects(&a->s, job, err) || trc_stat_unit(&a->s, job->src, &a->unit, err))
		return NULL;
	a->windows.seen = a->query.before;
	return trc_windows_sink(&a->windows, job->src->have, a->unit.bits, err);
}

enum { PAGE_BYTES = 160 }; /* for names and windows, with room to grow, and their saved form */

const struct trc_action trc_stat_windows = {
	.name = "--over-time",
	.takes = TRC_TAKES(&trc_stat_opts_over_time, &trc_shard_opts_warmup, &trc_stat_opts_plot,
	                   TRC_STAT_UNITS, TRC_STAT_SHARDS, TRC_STAT_TAKES),
	.run = trc_shard_answer,
	.query = TRC_QUERY(.size = sizeof(struct query), .begin = begin, .open = open_sink,
	                   .owns = { { offsetof(struct query, windows), trc_windows_release } },
	                   .answer = answer, .page_bytes = PAGE_BYTES),
};
