/* SPDX-License-Identifier: MIT
 * trc stat --ws: working sets against windows. */
#include "cmd/stat/stat.h"

#include "cmd/stat/ws_answer.h"
#include "stage/stage.h"

/* The settings of --ws. */
struct settings {
	bool chosen;
	unsigned clock; /* 1 references, 2 instructions, 3 cycles; 0: not given */
};

static const struct trc_opt options[] = {
	{ 0, "ws", NULL, "print working-set sizes and misses for all windows", TRC_OPT_FLAG,
	  TRC_WORDS_NONE, offsetof(struct settings, chosen) },
	{ 0, "clock", "references|instructions|cycles", "with --ws: unit of windows",
	  TRC_OPT_CHOICE, TRC_WORDS_NONE, offsetof(struct settings, clock) },
};

static const struct trc_opts opts = { options, TRC_COUNT(options), sizeof(struct settings), NULL };

static const struct {
	enum trc_column column;
	const char *name;
} clock_of[] = {
	{ TRC_COL_RTIME, "references" },
	{ TRC_COL_ITIME, "instructions" },
	{ TRC_COL_TIME, "cycles" },
};

/* The question, while it is asked: what is reported, and where. */
struct report {
	struct trc_asked asked;
	struct trc_stat s;
	const struct settings *own;
	struct trc_ws_shown shown;
};

static int
begin(void *q, const char *input, struct trc_err *err)
{
	struct report *r = q;

	(void)input, (void)err;
	trc_stat_begin(&r->s, &r->asked);
	r->own = trc_settings_of(r->asked.all, &opts);
	return 0;
}

/* Wraps the source in references to pages, and finds the clock. */
static struct trc_sink *
open_sink(void *q, struct trc_job *job, struct trc_err *err)
{
	struct report *r = q;
	const size_t at = r->own->clock ? r->own->clock - 1 : 0;
	const enum trc_column clock = clock_of[at].column;
	struct trc_stat_unit unit;

	if (r->asked.goes_on)
		return trc_ws_sink(&r->shown.ws, clock, r->s.by_space, err);
	r->shown.clock = clock_of[at].name;
	if (clock == TRC_COL_TIME && !(job->src->have & TRC_HAS_TIME)) {
		trc_fail(err, "the trace has no cycle times, which --clock cycles needs");
		return NULL;
	}
	if (trc_stat_objects(&r->s, job, err) || trc_stat_unit(&r->s, job->src, &unit, err))
		return NULL;
	r->shown.unit = unit.name;
	if (trc_job_wrap(job, trc_stage_page_ranges(job->src, unit.bits, &r->asked.sum[0], err)))
		return NULL;
	return trc_ws_sink(&r->shown.ws, clock, r->s.by_space, err);
}

static int
answer(void *q, const struct trc_job *job, struct trc_answered *to, struct trc_err *err)
{
	struct report *r = q;
	const struct trc_meta *meta = &job->src->meta;

	(void)err;
	r->shown.among = r->asked.among;
	r->shown.by_space = r->s.by_space;
	r->shown.bytes = meta->page_bits ? UINT64_C(1) << meta->page_bits : 0;
	r->shown.from = meta->guarantee.window ? meta->guarantee.window : 1;
	trc_ws_answer(&r->shown, to);
	return 0;
}

enum { PAGE_BYTES = 128 }; /* names and times, with room to grow */

static const struct trc_question question = {
	.size = sizeof(struct report),
	.begin = begin,
	.open = open_sink,
	.owns = { { offsetof(struct report, shown.ws), trc_ws_release },
	          { offsetof(struct report, shown), trc_ws_shown_release } },
	.subtract = trc_ws_subtract,
	.answer = answer,
	.cores = true,
	.page_bytes = PAGE_BYTES
};

static const struct trc_opts *const takes[] = { &opts,
	                                        &trc_shard_opts_warmup,
	                                        &trc_stat_opts_plot,
	                                        TRC_STAT_UNITS,
	                                        &trc_stat_opts_by_space,
	                                        TRC_STAT_SHARDS,
	                                        TRC_STAT_TAKES,
	                                        NULL };

const struct trc_action trc_stat_ws = {
	.name = "--ws", .takes = takes, .run = trc_shard_answer, .question = &question
};
