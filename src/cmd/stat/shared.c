/* SPDX-License-Identifier: MIT
 * trc stat --shared: pages that several processes touch. */
#include <stdio.h>
#include <stdlib.h>

#include "cmd/report.h"
#include "cmd/job/inputs.h"
#include "cmd/picture/plotting.h"
#include "cmd/stat/stat.h"
#include "stage/space/shared.h"

static const struct trc_opt options[] = {
	{ 0, "shared", NULL, "canonical pages that several processes touch", TRC_OPT_FLAG,
	  TRC_WORDS_NONE, 0 },
};

static const struct trc_opts opts = { options, TRC_COUNT(options), sizeof(bool), NULL };

typedef unsigned long long ull; /* for printf */

static int
print_facts(const struct trc_shared *k, bool json, struct trc_out *out, struct trc_err *err)
{
	const struct {
		const char *name, *key;
		uint64_t value;
	} fact[] = {
		{ "references", "references", k->refs },
		{ "canonical pages", "canonical_pages", k->pages },
		{ "shared pages", "shared_pages", k->shared_pages },
		{ "of these written", "shared_pages_written", k->written_pages },
		{ "references to them", "references_to_shared_pages", k->shared_refs },
	};

	for (size_t i = 0; i < TRC_COUNT(fact); i++)
		if (json ? trc_report(out, err, "%s\"%s\": %llu", i ? ", " : "{", fact[i].key,
		                      (ull)fact[i].value) :
		           trc_report_fact(out, fact[i].name, fact[i].value, err))
			return -1;
	return 0;
}

/* By how many processes touch a page. */
static int
print_by(const struct trc_shared *k, bool json, struct trc_out *out, struct trc_err *err)
{
	if (trc_report(out, err,
	               json ? ", \"by_processes\": [" : "processes,pages,written,references\n"))
		return -1;
	for (size_t i = 1; i < k->n; i++)
		if (trc_report(out, err,
		               json ? "%s\n {\"processes\": %zu, \"pages\": %llu, "
		                      "\"written\": %llu, \"references\": %llu}" :
		                      "%s%zu,%llu,%llu,%llu\n",
		               json && i > 1 ? "," : "", i, (ull)k->by[i].pages,
		               (ull)k->by[i].written, (ull)k->by[i].refs))
			return -1;
	return json ? trc_report(out, err, "]}\n") : 0;
}

static int
draw(const struct trc_shared *k, const struct trc_settings *all, const char *name,
     struct trc_plotting *g, struct trc_err *err)
{
	const size_t n = k->n > 1 ? k->n - 1 : 0;
	double *at = g->kind ? trc_alloc(3 * n + 1, sizeof(*at), err) : NULL;
	char title[160];
	int ret;

	if (!at)
		return g->kind ? -1 : 0;
	for (size_t i = 0; i < n; i++) {
		at[i] = (double)(i + 1);
		at[n + i] = (double)k->by[i + 1].pages / (double)k->pages;
		at[2 * n + i] = k->refs ? (double)k->by[i + 1].refs / (double)k->refs : 0;
	}
	snprintf(title, sizeof(title), "Sharing of pages of %.120s", name);
	ret = trc_plotting_write(
	        g, NULL, all,
	        &(struct trc_plot){
	                .title = title,
	                .x = { "processes that touch a page", TRC_UNIT_COUNT, TRC_AXIS_LINEAR, 0 },
	                .y = { "share of all", TRC_UNIT_PART, TRC_AXIS_LINEAR, 0 },
	                .series = (const struct trc_series[]){ { "pages", at, at + n, n, true },
	                                                       { "references", at, at + 2 * n, n,
	                                                         true } },
	                .n = 2 },
	        err);
	free(at);
	return ret;
}

static int
report(const struct trc_shared *k, const struct trc_stat *s, struct trc_err *err)
{
	struct trc_out *out = trc_out_open("-", false, err);
	int ret = out ? 0 : -1;

	if (ret == 0 && !s->csv)
		ret = print_facts(k, s->json, out, err);
	if (ret == 0 && (s->csv || s->json))
		ret = print_by(k, s->json, out, err);
	if (ret == 0)
		ret = trc_out_commit(out, err);
	trc_out_close(out);
	return ret;
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
		ret = report(&shared, s, err) ?
		              -1 :
		              draw(&shared, all, trc_inputs_name(args->word, 1, name), &plotting,
		                   err);
	trc_shared_release(&shared);
	trc_plotting_close(&plotting);
	trc_sink_close(sink);
	trc_source_close(job.src);
	return ret;
}

static const struct trc_opts *const takes[] = { &opts, &trc_stat_opts_plot, &trc_stat_opts_csv,
	                                        TRC_STAT_TAKES, NULL };

const struct trc_action trc_stat_shared = {
	.name = "--shared",
	.takes = takes,
	.run = answer_shared,
	.no_shards = "which pages are the same follows from all events in front of a "
	             "shard; ask without --shard"
};
