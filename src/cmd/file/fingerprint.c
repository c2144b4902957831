/* SPDX-License-Identifier: MIT
 *
 * trc stat --fingerprint: prints the same as `trc encode --to hash`.
 */
#include "cmd/stat/stat.h"

#include <stdio.h>
#include <string.h>

#include "batch/fingerprint.h"

static const struct trc_opts opts = TRC_OPTS_FLAG("fingerprint",
                                                  "print the fingerprint of each column");

/* The state of the question, and its sink. */
struct query {
	struct trc_query query;
	struct trc_sink sink;
	struct trc_fingerprint fingerprint;
	uint32_t have;
};

static struct query *
query_of(struct trc_sink *sink)
{
	return (struct query *)((char *)sink - offsetof(struct query, sink));
}

static int
sink_put(struct trc_sink *sink, const struct trc_batch *b, struct trc_err *err)
{
	(void)err;
	trc_fingerprint_update(&query_of(sink)->fingerprint, b, 0, b->n);
	return 0;
}

static struct trc_sink *
open_sink(void *q, struct trc_job *job, struct trc_err *err)
{
	struct query *a = q;

	a->sink = (struct trc_sink){ .put = sink_put };
	return trc_fingerprint_init(&a->fingerprint, job->src->have, err) ? NULL : &a->sink;
}

static int
describe(void *of, size_t i, struct trc_answer_group *g, struct trc_err *err)
{
	const struct query *a = of;

	(void)i, (void)err;
	snprintf(g->title, sizeof(g->title), "rows %llu\n", (ull)a->fingerprint.rows);
	TRC_FACTS(g, { TRC_FACT(records, NULL, trc_count(a->fingerprint.rows)) },
	          { TRC_FACT(fingerprint, NULL,
	                     trc_value(TRC_VALUE_HASH, trc_fingerprint_all(&a->fingerprint))) });
	for (int c = 0; c < TRC_COLUMNS; c++)
		g->rows += a->have >> c & 1;
	return 0;
}

static void
row(void *of, size_t i, size_t k, struct trc_value *cell)
{
	const struct query *a = of;
	int c = 0;

	(void)i;
	for (size_t before = 0; !(a->have >> c & 1) || before++ < k; c++)
		;
	TRC_VALUES(cell, trc_word(trc_column[c].name),
	           trc_value(TRC_VALUE_HASH,
	                     trc_fingerprint_column(&a->fingerprint, (enum trc_column)c)));
}

static int
answer(void *q, const struct trc_job *job, struct trc_answered *to, struct trc_err *err)
{
	struct query *a = q;

	(void)err;
	a->have = job->src->have;
	TRC_ANSWERED_TABLE(to, { TRC_COLUMN(column, "", -1) }, { TRC_COLUMN(fingerprint, "", 16) });
	to->answer.group = describe;
	to->answer.row = row;
	return 0;
}

const struct trc_action trc_stat_fingerprint = {
	.name = "--fingerprint",
	.takes = TRC_TAKES(&opts, &trc_traces_opts, TRC_STAT_TAKES),
	.run = trc_shard_answer,
	.query = TRC_QUERY(.size = sizeof(struct query), .open = open_sink,
	                   .owns = { { offsetof(struct query, fingerprint),
	                               trc_fingerprint_release } },
	                   .answer = answer),
	.no_shards = "columns are hashed from their first byte to the last; run it without "
	             "--shard"
};
