/* SPDX-License-Identifier: MIT
 * trc stat --shared: pages that several processes touch. */
#include <stdio.h>
#include <string.h>

#include "cmd/job/inputs.h"
#include "cmd/picture/answer_plot.h"
#include "cmd/stat/stat.h"
#include "stage/space/shared.h"

static const struct trc_opt options[] = {
	{ 0, "shared", NULL, "canonical pages that several processes touch", TRC_OPT_FLAG,
	  TRC_WORDS_NONE, 0 },
};

static const struct trc_opts opts = { options, TRC_COUNT(options), sizeof(bool), NULL };

static int
describe(void *of, size_t i, struct trc_answer_group *g, struct trc_err *err)
{
	const struct trc_shared *k = of;

	(void)i, (void)err;
	TRC_FACTS(g, { TRC_FACT(references, "", trc_count(k->refs)) },
	          { TRC_FACT(canonical_pages, "", trc_count(k->pages)) },
	          { TRC_FACT(shared_pages, "", trc_count(k->shared_pages)) },
	          { TRC_FACT(shared_pages_written, "of these written",
	                     trc_count(k->written_pages)) },
	          { TRC_FACT(references_to_shared_pages, "references to them",
	                     trc_count(k->shared_refs)) });
	g->rows = k->n > 1 ? k->n - 1 : 0;
	return 0;
}

/* By how many processes touch a page. */
static void
row(void *of, size_t i, size_t k, struct trc_value *cell)
{
	const struct trc_shared *s = of;

	(void)i;
	TRC_VALUES(cell, trc_count(k + 1), trc_count(s->by[k + 1].pages),
	           trc_count(s->by[k + 1].written), trc_count(s->by[k + 1].refs));
}

static int
report(struct trc_shared *k, const struct trc_settings *all, const char *name,
       struct trc_plotting *g, struct trc_err *err)
{
	static const struct trc_column_decl column[] = {
		{ TRC_NAMED(processes), .across = true },
		{ TRC_NAMED(pages), .curve = "pages" },
		{ TRC_NAMED(written) },
		{ TRC_NAMED(references), .curve = "references" },
	};
	struct trc_answer answer = { .form = trc_answer_form(all),
		                     TRC_TABLE(column),
		                     .of = k,
		                     .group = describe,
		                     .row = row };
	struct trc_answer_plot how = {
		.all = all,
		.x = { "processes that touch a page", TRC_UNIT_COUNT, TRC_AXIS_LINEAR, 0 },
		.y = { "share of all", TRC_UNIT_PART, TRC_AXIS_LINEAR, 0 },
		.shares = true,
		.dots = true,
	};

	snprintf(how.title, sizeof(how.title), "Sharing of pages of %.120s", name);
	return trc_answer_plot(&answer, &how, g, err);
}

static int
answer_shared(const struct trc_settings *all, const struct trc_args *args, struct trc_err *err)
{
	const struct trc_stat stat = trc_stat_of(all), *s = &stat;
	const uint32_t needs = TRC_HAS_CPN | TRC_HAS_ASID;
	struct trc_shared shared;
	struct trc_plotting plotting;
	struct trc_sink *sink;
	struct trc_job job;
	char names[64], name[TRC_INPUTS_NAME];
	int ret = -1;

	if (trc_job_words(args, 1, 1, err) || trc_plotting_open(&plotting, all, err))
		return -1;
	if (trc_inputs_open(&job, args->word, 1, s->in, s->quiet, err)) {
		trc_plotting_close(&plotting);
		return -1;
	}
	if ((job.src->have & needs) != needs) {
		trc_fail(err, "%s: has no column '%s'; trc split --kernel makes such traces",
		         args->word[0],
		         trc_columns_text(needs & ~job.src->have, names, sizeof(names)));
		trc_source_close(job.src);
		trc_plotting_close(&plotting);
		return -1;
	}
	sink = trc_shared_sink(&shared, err);
	if (sink && trc_job_pump(&job, sink, s->quiet, err) == 0)
		ret = report(&shared, all, trc_inputs_name(args->word, 1, name), &plotting, err);
	trc_shared_release(&shared);
	trc_plotting_close(&plotting);
	trc_sink_close(sink);
	trc_source_close(job.src);
	return ret;
}

static const struct trc_opts *const takes[] = { &opts, &trc_stat_opts_plot, TRC_STAT_TAKES, NULL };

const struct trc_action trc_stat_shared = {
	.name = "--shared",
	.takes = takes,
	.run = answer_shared,
	.no_shards = "which pages are the same follows from all events in front of a "
	             "shard; ask without --shard"
};
