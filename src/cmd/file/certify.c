/* SPDX-License-Identifier: MIT
 * trc stat --certify: a reduced trace against its original. */
#include "cmd/file/certify.h"

#include "cmd/file/certified.h"
#include "cmd/job/inputs.h"
#include "cmd/stat/stat.h"

static int
certify(struct trc_certified *x, const struct trc_settings *all, struct trc_job *original,
        struct trc_err *err)
{
	const struct trc_certify_part whole = { .first = true };
	struct trc_sink *sink = trc_certified_open(x, all, original, whole, err);
	int ret = sink ? trc_job_pump(original, sink, trc_stat_of(all).quiet, err) : -1;

	trc_sink_close(sink);
	return ret ? trc_certified_print_parted(x, all, err) : trc_certified_print(x, all, err);
}

static int
answer_whole(const struct trc_settings *all, const struct trc_args *args, struct trc_err *err)
{
	struct trc_certified x = { .path = { args->word[0], args->word[1] } };
	const struct trc_stat s = trc_stat_of(all);
	struct trc_job original;
	int ret = trc_certified_look(&x, all, err);

	if (ret == 0)
		ret = trc_inputs_open(&original, &x.path[1], 1, s.in, s.quiet, err);
	if (ret == 0) {
		ret = certify(&x, all, &original, err);
		trc_source_close(original.src);
	}
	trc_certified_release(&x);
	return ret;
}

static int
answer_certify(const struct trc_settings *all, const struct trc_args *args, struct trc_err *err)
{
	if (args->n != 2)
		return trc_fail_as(err, TRC_USAGE, "--certify needs two traces: REDUCED ORIGINAL");
	return trc_shard_wanted(all) ? trc_shard_answer(all, args, err) :
	                               answer_whole(all, args, err);
}

static const struct trc_opts *const takes[] = { &trc_certified_opts,     &trc_stat_opts_page_size,
	                                        &trc_stat_opts_by_space, TRC_STAT_TAKES,
	                                        &trc_shard_opts,         &trc_shard_opts_partial,
	                                        &trc_habits_opts_force,  NULL };

const struct trc_action trc_stat_certify = { "--certify", takes, answer_certify,
	                                     &trc_certify_question };
