/* SPDX-License-Identifier: MIT
 *
 * trc stat --fingerprint: what `trc encode --to hash` prints, which shards of a trace can answer,
 * too: how many records are in front of it, an index has, or they are counted.
 */
#include "cmd/stat/stat.h"

#include "cmd/report.h"
#include "stage/stage.h"

static const struct trc_opt options[] = {
	{ 0, "fingerprint", NULL, "print a fingerprint of each column", TRC_OPT_FLAG,
	  TRC_WORDS_NONE, 0 },
};

static const struct trc_opts opts = { options, TRC_COUNT(options), sizeof(bool), NULL };

/* The question, while it is asked. */
struct asking {
	struct trc_asked asked;
	struct trc_stat s;
	struct trc_fingerprints fingerprints;
};

static int
begin(void *q, const char *input, struct trc_err *err)
{
	struct asking *a = q;

	(void)input, (void)err;
	a->s = trc_stat_of(a->asked.all);
	a->asked.quiet = a->s.quiet;
	a->asked.numbered = UINT64_MAX;
	return 0;
}

static struct trc_sink *
open_sink(void *q, struct trc_job *job, struct trc_err *err)
{
	struct asking *a = q;

	return trc_fingerprints_sink(&a->fingerprints, job->src->have, a->asked.before, err);
}

static int
report(const struct trc_fingerprints *f, uint32_t have, bool json, struct trc_out *out,
       struct trc_err *err)
{
	if (trc_report(out, err, json ? "{\"rows\": %llu" : "rows %llu\n",
	               (unsigned long long)f->rows))
		return -1;
	for (int c = 0; c < TRC_COLUMNS; c++)
		if (have >> c & 1 &&
		    trc_report(out, err, json ? ", \"%s\": \"%016llx\"" : "%s %016llx\n",
		               trc_column[c].name, (unsigned long long)f->column[c]))
			return -1;
	return json ? trc_report(out, err, ", \"fingerprint\": \"%016llx\"}\n",
	                         (unsigned long long)f->all) :
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
	ret = report(&a->fingerprints, job->src->have, a->s.json, out, err);
	if (ret == 0)
		ret = trc_out_commit(out, err);
	trc_out_close(out);
	return ret;
}

static const struct trc_opts *const shown[] = { TRC_STAT_SHOWN, NULL };

/* 64 of 1024 bytes of each column, in a list with room to grow, and packed behind it. */
enum { ROW_BYTES = 4 };

static const struct trc_question question = { .size = sizeof(struct asking),
	                                      .begin = begin,
	                                      .open = open_sink,
	                                      .print = print,
	                                      .row_bytes = ROW_BYTES,
	                                      .shown = shown };

static const struct trc_opts *const takes[] = { &opts, TRC_STAT_SHARDS, TRC_STAT_TAKES, NULL };

const struct trc_action trc_stat_fingerprint = { "--fingerprint", takes, trc_shard_answer,
	                                         &question };
