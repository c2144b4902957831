/* SPDX-License-Identifier: MIT
 * trc stat --shared: pages that several processes touch. */
#include <stdio.h>

#include "cmd/report.h"
#include "cmd/job/inputs.h"
#include "cmd/stat/stat.h"
#include "stage/space/shared.h"

static const struct trc_opt options[] = {
	{ 0, "shared", NULL, "canonical pages that several processes touch", TRC_OPT_FLAG,
	  TRC_WORDS_NONE, 0 },
};

static const struct trc_opts opts = { options, TRC_COUNT(options), sizeof(bool), NULL };

static int
report(const struct trc_shared *k, bool json, struct trc_err *err)
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
	struct trc_out *out = trc_out_open("-", false, err);
	int ret = out ? 0 : -1;

	for (size_t i = 0; i < TRC_COUNT(fact) && ret == 0; i++)
		ret = json ? trc_report(out, err, "%s\"%s\": %llu", i ? ", " : "{", fact[i].key,
		                        (unsigned long long)fact[i].value) :
		             trc_report_fact(out, fact[i].name, fact[i].value, err);
	if (ret == 0 && json)
		ret = trc_report(out, err, "}\n");
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
	struct trc_sink *sink;
	struct trc_job job;
	char names[64];
	int ret = -1;

	if (trc_job_words(args, 1, 1, err) ||
	    trc_inputs_open(&job, args->word, 1, s->in, s->quiet, err))
		return -1;
	if ((job.src->have & needs) != needs) {
		trc_fail(err, "%s: has no column '%s'; trc split --kernel makes such traces",
		         args->word[0],
		         trc_columns_text(needs & ~job.src->have, names, sizeof(names)));
		trc_source_close(job.src);
		return -1;
	}
	sink = trc_shared_sink(&shared, err);
	if (sink && trc_job_pump(&job, sink, s->quiet, err) == 0)
		ret = report(&shared, s->json, err);
	trc_sink_close(sink);
	trc_source_close(job.src);
	return ret;
}

static const struct trc_opts *const takes[] = { &opts, TRC_STAT_TAKES, NULL };

const struct trc_action trc_stat_shared = { "--shared", takes, answer_shared, NULL };
