/* SPDX-License-Identifier: MIT
 *
 * trc stat --fingerprint: what `trc encode --to hash` prints.
 */
#include "cmd/stat/stat.h"

#include "batch/fingerprint.h"
#include "cmd/report.h"

static const struct trc_opt options[] = {
	{ 0, "fingerprint", NULL, "print a fingerprint of each column", TRC_OPT_FLAG,
	  TRC_WORDS_NONE, 0 },
};

static const struct trc_opts opts = { options, TRC_COUNT(options), sizeof(bool), NULL };

/* The question, while it is asked, and its sink. */
struct asking {
	struct trc_asked asked;
	struct trc_stat s;
	struct trc_sink sink;
	struct trc_fingerprint fingerprint;
};

static int
begin(void *q, const char *input, struct trc_err *err)
{
	struct asking *a = q;

	(void)input, (void)err;
	a->s = trc_stat_of(a->asked.all);
	a->asked.quiet = a->s.quiet;
	return 0;
}

static struct asking *
asking_of(struct trc_sink *sink)
{
	return (struct asking *)((char *)sink - offsetof(struct asking, sink));
}

static int
sink_put(struct trc_sink *sink, const struct trc_batch *b, struct trc_err *err)
{
	(void)err;
	trc_fingerprint_update(&asking_of(sink)->fingerprint, b, 0, b->n);
	return 0;
}

static struct trc_sink *
open_sink(void *q, struct trc_job *job, struct trc_err *err)
{
	struct asking *a = q;

	a->sink = (struct trc_sink){ .put = sink_put };
	return trc_fingerprint_init(&a->fingerprint, job->src->have, err) ? NULL : &a->sink;
}

static void
end(void *q)
{
	trc_fingerprint_release(&((struct asking *)q)->fingerprint);
}

static int
report(const struct trc_fingerprint *f, uint32_t have, bool json, struct trc_out *out,
       struct trc_err *err)
{
	if (trc_report(out, err, json ? "{\"rows\": %llu" : "rows %llu\n",
	               (unsigned long long)f->rows))
		return -1;
	for (int c = 0; c < TRC_COLUMNS; c++)
		if (have >> c & 1 &&
		    trc_report(out, err, json ? ", \"%s\": \"%016llx\"" : "%s %016llx\n",
		               trc_column[c].name,
		               (unsigned long long)trc_fingerprint_column(f, (enum trc_column)c)))
			return -1;
	return json ? trc_report(out, err, ", \"fingerprint\": \"%016llx\"}\n",
	                         (unsigned long long)trc_fingerprint_all(f)) :
	              0;
}

static int
print(void *q, const struct trc_job *job, struct trc_err *err)
{
	const struct asking *a = q;
	struct trc_out *out = trc_out_open("-", false, err);
	int ret;

	if (!out)
		return -1;
	ret = report(&a->fingerprint, job->src->have, a->s.json, out, err);
	if (ret == 0)
		ret = trc_out_commit(out, err);
	trc_out_close(out);
	return ret;
}

static const struct trc_question question = {
	.size = sizeof(struct asking), .begin = begin, .open = open_sink, .print = print, .end = end
};

static const struct trc_opts *const takes[] = { &opts, &trc_inputs_opts, TRC_STAT_TAKES, NULL };

const struct trc_action trc_stat_fingerprint = {
	.name = "--fingerprint",
	.takes = takes,
	.run = trc_shard_answer,
	.question = &question,
	.no_shards = "columns are hashed from their first byte to the last; run it whole"
};
