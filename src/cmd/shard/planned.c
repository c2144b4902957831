/* SPDX-License-Identifier: MIT
 * Works by a plan file (plan_file.h), which stands in the place of a question and its inputs. */
#include <string.h>
#include <unistd.h>

#include "base/io/reads.h"
#include "cmd/shard/number.h"
#include "cmd/shard/one_shard.h"
#include "cmd/shard/plan.h"
#include "cmd/shard/parsed_query.h"

/* Refuses options that change the plan's question: no merge would take the result. */
static int
check_question(const struct trc_parsed_query *q, const struct trc_plan_file *plan,
               struct trc_err *err)
{
	const char *from = trc_job_in(&q->settings)->from;
	const struct trc_buf *recorded = &plan->head.words;
	struct trc_buf words = { 0 };
	int ret = trc_shard_words(&q->settings, &words, err);

	if (ret == 0 && ((from && (!plan->from || strcmp(from, plan->from) != 0)) ||
	                 words.n != recorded->n || memcmp(words.p, recorded->p, words.n) != 0))
		ret = trc_fail_as(
		        err, TRC_USAGE,
		        "--plan: the plan has a question with other options; give options when "
		        "the plan is made");
	trc_buf_release(&words);
	return ret;
}

/* Reads shards `first` to `last` of the plan: adds their files to *s, and sets *at to the last. */
static int
load(struct trc_plan_file *plan, uint64_t first, uint64_t last, struct trc_planned *at,
     struct trc_slices *s, struct trc_err *err)
{
	for (uint64_t i = first; i <= last; i++)
		if (trc_plan_read(plan, i, at, s, err))
			return -1;
	return 0;
}

/* With --force, `path` may be replaced: if it is no partial, it may be an input of another shard,
 * so all files of the plan are noted as inputs, which are never written over. */
static int
protect(struct trc_plan_file *plan, const char *path, struct trc_err *err)
{
	struct trc_slices s = { .n = 0 };
	struct trc_err none = { 0 };
	struct trc_planned at;
	int ret = 0;

	if (strcmp(path, "-") == 0 || access(path, F_OK) || trc_partial_at(path, &none) == 0)
		return 0;
	ret = load(plan, 1, plan->head.of, &at, &s, err);
	for (size_t i = 0; ret == 0 && i < s.n; i++)
		ret = trc_reads_add_path(s.file[i].path, err);
	trc_slices_release(&s);
	return ret;
}

/* Reads the shard with its files, and with those before it if it has to count their rows. */
static int
read_shard(struct trc_one_shard *one, const struct trc_query_run *a, struct trc_plan_file *plan,
           uint64_t i, struct trc_err *err)
{
	one->uncounted = plan->uncounted;
	if (load(plan, i, i, &one->at, one->s, err))
		return -1;
	if (!trc_one_shard_counts(one, a))
		return 0;
	trc_slices_forget(one->s);
	return load(plan, 1, i, &one->at, one->s, err);
}

static int
answer_shard(struct trc_query_run *a, struct trc_plan_file *plan, uint64_t i, const char *path,
             bool resume, struct trc_err *err)
{
	struct trc_job_in in = trc_job_in_each(a->query->in);
	struct trc_slices s = { .in = &in,
		                .plan = plan->path,
		                .format = trc_format_named(plan->head.format),
		                .have = plan->head.have,
		                .meta_at_end = plan->meta_at_end };
	struct trc_one_shard one = { .p = plan->head, .s = &s };
	int ret;

	if (!in.from)
		in.from = plan->from;
	ret = s.format ? read_shard(&one, a, plan, i, err) :
	                 trc_fail(err, "%s: no format '%s'", plan->path, plan->head.format);

	if (ret == 0)
		ret = trc_one_shard_write(&one, a, path, resume,
		                          trc_shard_force(a->query->settings), err);
	trc_one_shard_release(&one, a);
	trc_slices_release(&s);
	return ret;
}

/* Asks the plan's question of one shard. */
static int
ask(struct trc_parsed_query *q, struct trc_plan_file *plan, const struct trc_settings *settings,
    uint64_t i, bool resume, struct trc_err *err)
{
	const struct trc_query query = { .settings = &q->settings, .path = plan->head.name };
	const char *path = trc_shard_partial(settings);
	struct trc_query_run a;
	int ret = trc_query_begin(&a, q->action->query, &query, NULL, err);

	if (ret == 0 && trc_shard_force(settings))
		ret = protect(plan, path, err);
	if (ret == 0)
		ret = answer_shard(&a, plan, i, path, resume, err);
	trc_query_end(&a);
	return ret;
}

/* Prints the plan, or computes `shard`. */
static int
answer(const struct trc_settings *settings, struct trc_plan_file *plan, const char *shard,
       bool resume, struct trc_err *err)
{
	static const struct trc_opts *const except[] = { &trc_shard_opts_plan, &trc_shard_opts,
		                                         &trc_shard_opts_partial, NULL };
	struct trc_shard_number number;
	struct trc_parsed_query q;
	int ret;

	if (!shard)
		return trc_plan_print_file(plan, trc_answer_form(settings), err);
	if (trc_shard_number(shard, plan->head.of, trc_settings_named(settings, "quiet"), &number,
	                     err))
		return -1;
	ret = trc_parsed_query_find(&q, settings, &plan->head, plan->path, "plan", except, err);
	if (ret == 0)
		ret = check_question(&q, plan, err);
	if (ret == 0)
		ret = ask(&q, plan, settings, number.i, resume, err);
	trc_parsed_query_release(&q);
	return ret;
}

int
trc_shard_planned(const struct trc_settings *settings, const struct trc_args *args,
                  struct trc_err *err)
{
	struct trc_plan_file plan;
	const char *shard;
	bool resume;
	int ret;

	if (args->n > 0)
		return trc_fail_as(err, TRC_USAGE, "--plan: the plan names the inputs; omit '%s'",
		                   args->word[0]);
	if (trc_shard_of_plan(settings, &shard, &resume, err) ||
	    trc_plan_open(&plan, trc_shard_plan(settings), err))
		return -1;
	ret = answer(settings, &plan, shard, resume, err);
	trc_plan_close(&plan);
	return ret;
}
