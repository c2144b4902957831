/* SPDX-License-Identifier: MIT
 *
 * trc stat --strides: distances between consecutive data references of an instruction.
 */
#include "cmd/stat/ranking.h"
#include "cmd/stat/stat.h"

static const struct trc_opts opts = TRC_OPTS_FLAG("strides",
                                                  "count the strides of each instruction");

/* The state of the question. The addresses of an instruction are values of its counter. */
struct query {
	struct trc_query query;
	struct trc_census strides, pcs;
	uint64_t all;
};

/* Counts a stride: `next` follows `e`, and is of the same instruction. */
static int
count(void *q, const struct trc_census_entry *e, const struct trc_census_entry *next,
      struct trc_err *err)
{
	struct query *a = q;

	return trc_census_add(&a->strides, 0, next->first - e->last, err);
}

static int
reference(void *q, const struct trc_batch *b, size_t i, uint8_t type, struct trc_err *err)
{
	struct query *a = q;

	const struct trc_census_entry next = { b->pc[i], 1, b->addr[i], b->addr[i],
		                               b->asid ? b->asid[i] : 0 };

	return type == TRC_FETCH ? 0 : trc_census_count(&a->pcs, &next, count, a, err);
}

static void
row(void *of, size_t i, size_t k, struct trc_value *cell)
{
	const struct query *a = of;
	const struct trc_census_entry *e = &a->strides.entry[k];

	(void)i;
	TRC_VALUES(cell, trc_integer((int64_t)e->key), trc_count(e->n), trc_ratio(e->n, a->all));
}

static int
answer(void *q, const struct trc_job *job, struct trc_answered *to, struct trc_err *err)
{
	struct query *a = q;

	(void)job, (void)err;
	a->all = trc_census_rank(&a->strides);
	TRC_ANSWERED_TABLE(to, { TRC_COLUMN(stride, "stride", 20) },
	                   { TRC_COLUMN(references, "references", 14) },
	                   { TRC_COLUMN(share, "share", 11), .digits = 4, .percent = true });
	to->answer.rows = a->strides.n;
	to->answer.row = row;
	to->answer.most = trc_stat_rows(a->query.settings);
	return 0;
}

const struct trc_action trc_stat_strides = {
	.name = "--strides",
	.takes = TRC_TAKES(&opts, &trc_shard_opts_warmup, &trc_stat_opts_rows, TRC_STAT_SHARDS,
	                   TRC_STAT_TAKES),
	.run = trc_shard_answer,
	.query = TRC_QUERY(.size = sizeof(struct query), .needs = TRC_HAS_PC | TRC_HAS_ADDR,
	                   .reference = reference,
	                   .counters = { offsetof(struct query, strides), 2 }, .seam = count,
	                   .answer = answer, .cores = true),
};
