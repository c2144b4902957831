/* SPDX-License-Identifier: MIT
 * Answers questions of whole traces and of shards. */
#include "cmd/shard/shard.h"

#include <string.h>

#include "base/io/packing.h"
#include "cmd/conventions.h"
#include "cmd/shard/query.h"
#include "cmd/shard/compare.h"
#include "cmd/shard/number.h"
#include "cmd/shard/one_shard.h"
#include "cmd/shard/plan.h"
#include "version.def"

/* The settings of shards. */
struct settings {
	uint64_t shards;
	const char *shard;
	bool resume, measure;
};

/* What follows from the settings. */
struct written {
	const char *partial;
};

const struct trc_opts trc_shard_opts =
        TRC_OPTS(struct settings,
                 { 0, "shards", "N", "print where N shards would be cut", TRC_OPT_COUNT,
                   TRC_WORDS_NONE, offsetof(struct settings, shards) },
                 { 0, "shard", "I/N", "compute shard I of N (auto: of a job array)", TRC_OPT_TEXT,
                   TRC_WORDS_NONE, offsetof(struct settings, shard) },
                 { 0, "measure", NULL, "with --shards: measure memory by computing each shard",
                   TRC_OPT_FLAG, TRC_WORDS_NONE, offsetof(struct settings, measure) },
                 { 0, "resume", NULL, "with --shard: keep an intact partial that fits",
                   TRC_OPT_FLAG, TRC_WORDS_NONE, offsetof(struct settings, resume) });
const struct trc_opts trc_shard_opts_partial = TRC_OPTS(
        struct written, { 0, "partial", "FILE", "write a partial for --merge, print no answer",
                          TRC_OPT_TEXT, TRC_WORDS_OUTPUT, offsetof(struct written, partial) });
const struct trc_opts trc_shard_opts_plan = TRC_OPTS(
        const char *, { 0, "plan", "FILE", "the shards and INPUTs that --shards N -o FILE wrote",
                        TRC_OPT_TEXT, TRC_WORDS_FILE, 0 });
const struct trc_opts trc_shard_opts_merge =
        TRC_OPTS_FLAG("merge", "print the answer of all shards; INPUTs are partials");
const struct trc_opts *const trc_shard_owners[] = { &trc_shard_opts, &trc_shard_opts_partial,
	                                            &trc_shard_opts_plan, &trc_shard_opts_merge,
	                                            NULL };

const char *
trc_shard_plan(const struct trc_settings *settings)
{
	return *(const char *const *)trc_settings_of(settings, &trc_shard_opts_plan);
}

const char *
trc_shard_partial(const struct trc_settings *settings)
{
	return ((const struct written *)trc_settings_of(settings, &trc_shard_opts_partial))
	        ->partial;
}

bool
trc_shard_wanted(const struct trc_settings *settings)
{
	return trc_settings_given(settings, &trc_shard_opts) || trc_shard_partial(settings);
}

bool
trc_shard_whole(const struct trc_settings *settings)
{
	const struct settings *own = trc_settings_of(settings, &trc_shard_opts);

	return own->shards == 1 && !own->shard && !own->measure &&
	       (!trc_conventions_answer(settings) || trc_answer_form(settings) != TRC_FORM_TEXT);
}

bool
trc_shard_force(const struct trc_settings *settings)
{
	return trc_settings_named(settings, "force");
}

/* Returns the options that --merge takes: those for how answers are printed. */
static const struct trc_opts *const *
merge_takes(const struct trc_command *c)
{
	for (const struct trc_action *const *a = c->action; *a; a++)
		if ((*a)->takes[0] == &trc_shard_opts_merge)
			return (*a)->takes;
	return NULL;
}

static bool
is_shown(const struct trc_settings *settings, const struct trc_opts *owner)
{
	for (const struct trc_opts *const *shown = merge_takes(settings->command); *shown; shown++)
		if (*shown == owner)
			return true;
	return false;
}

/* Owners of options that partials do not record: how the answer is printed, and which shard. */
enum { EXCEPT_MOST = 24 };

static void
list_except(const struct trc_settings *settings, const struct trc_opts **except)
{
	const struct trc_opts *const *shown = merge_takes(settings->command);
	size_t n = 0;

	while (shown[n] && n < EXCEPT_MOST - 5) {
		except[n] = shown[n];
		n++;
	}
	except[n++] = &trc_traces_opts;
	except[n++] = &trc_shard_opts;
	except[n++] = &trc_conventions_opts_force;
	except[n] = NULL;
}

int
trc_shard_words(const struct trc_settings *settings, struct trc_buf *words, struct trc_err *err)
{
	const char *command = settings->command->name;
	const struct trc_opts *except[EXCEPT_MOST];

	list_except(settings, except);
	return trc_buf_put(words, command, strlen(command) + 1, err) ||
	                       trc_settings_words(settings, except, words, err) ?
	               -1 :
	               0;
}

/* ---- a shard ---- */

/* Shards need all records, of files that can be read again. */
static int
check_inputs(const struct trc_settings *settings, const struct trc_args *args, uint64_t of,
             struct trc_err *err)
{
	static const char *const part[] = { "skip", "limit", "from-time", "to-time", "salvage" };

	if (of > TRC_SHARDS_MOST)
		return trc_fail_as(err, TRC_USAGE, "%llu shards; the limit is %d", (ull)of,
		                   TRC_SHARDS_MOST);
	for (size_t i = 0; i < TRC_COUNT(part); i++)
		if (trc_settings_named(settings, part[i]))
			return trc_fail_as(err, TRC_USAGE,
			                   "--%s: shards cover all records; select records with "
			                   "encode first",
			                   part[i]);
	for (size_t i = 0; i < args->n; i++)
		if (trc_job_again(args->word[i], "each shard reads the input", err))
			return -1;
	return 0;
}

/* Names the command that makes a container, which can be cut. */
static int
fail_cut(const char *path, const char *why, struct trc_err *err)
{
	const struct trc_packing *packing = trc_packing_ending(path);
	size_t len = strlen(path) - (packing ? strlen(packing->name) + 1 : 0);
	const bool same = len > 4 && memcmp(path + len - 4, ".trc", 4) == 0;

	len -= same ? 4 : 0;
	return trc_fail(err,
	                "%s: cannot be cut into shards: %s; encode it first: trc encode %s "
	                "%.*s%s.trc",
	                path, why, path, (int)len, path, same ? ".whole" : "");
}

static int
check_cut(const struct trc_slices *s, uint64_t of, struct trc_err *err)
{
	if (s->n > 1 || of == 1 || s->file[0].by != TRC_SLICE_FILES || s->file[0].size == 0)
		return 0;
	return fail_cut(s->file[0].path, s->file[0].why, err);
}

/* Fills in what all partials share, from the command line and the files. */
static int
describe(struct trc_partial *p, const struct trc_query_run *a, const struct trc_slices *s,
         uint64_t of, struct trc_err *err)
{
	*p = (struct trc_partial){ .have = s->have,
		                   .of = of,
		                   .several = a->query->files > 1,
		                   .files = s->n,
		                   .trace = trc_slices_identity(s) };
	p->version = trc_strdup(TRC_VERSION, err);
	p->name = trc_strdup(a->query->name, err);
	p->format = trc_strdup(s->format->name, err);
	if (!p->version || !p->name || !p->format ||
	    trc_shard_words(a->query->settings, &p->words, err))
		return -1;
	return 0;
}

/* Returns true if an index has no numbers of distinct pages. */
static bool
is_uncounted(const struct trc_slices *s)
{
	return s->n == 1 && !s->file[0].manifest && s->file[0].by == TRC_SLICE_BLOCKS &&
	       !s->file[0].counts.distinct;
}

/* Describes shard `i` of these files as a plan file would. */
static int
cut_one(struct trc_one_shard *one, const struct trc_query_run *a, struct trc_slices *s,
        struct trc_shard_number shard, struct trc_err *err)
{
	const struct trc_place start = { 0, 0 };
	struct trc_planned *at = &one->at;
	uint64_t bytes;

	*one = (struct trc_one_shard){ .s = s, .uncounted = is_uncounted(s) };
	at->i = shard.i;
	if (describe(&one->p, a, s, shard.of, err) ||
	    trc_slices_cut(s, shard.i - 1, shard.of, &at->from, err) ||
	    trc_slices_cut(s, shard.i, shard.of, &at->to, err))
		return -1;
	trc_slices_measure(s, start, at->from, &bytes, &at->before, &at->counted);
	return 0;
}

/* ---- the options ---- */

/* A shard that --measure computes for the plan. */
struct rehearsal {
	struct trc_query_run *a;
	struct trc_slices *s;
	struct trc_shard_number shard;
};

static int
rehearse(void *arg, struct trc_measured *m, struct trc_err *err)
{
	struct rehearsal *r = arg;
	struct trc_one_shard one;

	r->a->query->quiet = true;
	if (cut_one(&one, r->a, r->s, r->shard, err) || trc_one_shard_compute(&one, r->a, err))
		return -1;
	m->rows = one.p.found.rows;
	return 0;
}

static int
measure(void *arg, uint64_t i, struct trc_measured *m, struct trc_err *err)
{
	struct rehearsal *r = arg;

	r->shard.i = i;
	return trc_measure(rehearse, r, m, err);
}

/* Tries a shard without rows, and fails if all shards would: a plan has to be computable. */
static int
try_question(const struct trc_query_run *a, struct trc_slices *s, struct trc_err *err)
{
	const struct trc_query query = { .settings = a->query->settings,
		                         .path = a->query->path,
		                         .files = a->query->files };
	struct trc_one_shard one = { .s = s };
	struct trc_query_run again;
	int ret = trc_query_begin(&again, a->ops, &query, NULL, err);

	if (ret == 0)
		ret = trc_one_shard_try(&one, &again, err);
	trc_one_shard_release(&one, &again);
	trc_query_end(&again);
	return ret;
}

static int
print_plan(struct trc_query_run *a, struct trc_slices *s, uint64_t of, bool measured,
           struct trc_err *err)
{
	struct rehearsal r = { a, s, { 1, of } };
	const enum trc_form form = trc_answer_form(a->query->settings);
	struct trc_plan plan = {
		.measure = measured ? measure : NULL,
		.arg = &r,
		.path = form == TRC_FORM_TEXT ? trc_conventions_answer(a->query->settings) : NULL,
		.row_bytes = a->ops->row_bytes + a->query->row_bytes,
		.page_bytes = (a->ops->page_bytes << a->query->twice) + a->query->page_bytes,
		.footprint = a->query->footprint,
		.saved = !a->query->one_shard,
		.unit = a->query->unit,
		.single = a->query->single,
		.unindexed = a->query->unindexed,
		.objects = a->query->objects,
		.form = form,
		.quiet = a->query->quiet
	};
	const char *from = a->query->in->from;
	int ret = describe(&plan.file.head, a, s, of, err);

	if (ret == 0 && from) {
		plan.file.from = trc_strdup(from, err);
		ret = plan.file.from ? 0 : -1;
	}
	plan.file.meta_at_end = s->meta_at_end;
	plan.file.uncounted = is_uncounted(s);
	if (ret == 0)
		ret = trc_plan_print(s, &plan, err);
	trc_plan_close(&plan.file);
	return ret;
}

static int
answer_shard(struct trc_query_run *a, struct trc_slices *s, struct trc_shard_number shard,
             bool resume, struct trc_err *err)
{
	struct trc_one_shard one = { .s = s };
	int ret = check_cut(s, shard.of, err) || cut_one(&one, a, s, shard, err) ? -1 : 0;

	if (ret == 0)
		ret = trc_one_shard_write(&one, a, trc_shard_partial(a->query->settings), resume,
		                          trc_shard_force(a->query->settings), err);
	trc_one_shard_release(&one, a);
	trc_partial_release(&one.p);
	return ret;
}

static int
answer_cut(struct trc_query_run *a, const struct settings *own, const struct trc_args *args,
           struct trc_err *err)
{
	struct trc_shard_number shard = { 1, own->shards };
	struct trc_job_in each = trc_job_in_each(a->query->in);
	struct trc_slices s;
	int ret;

	each.verbose = false; /* each file is opened several times */
	if (own->shard && trc_shard_number(own->shard, 0, a->query->quiet, &shard, err))
		return -1;
	if (check_inputs(a->query->settings, args, shard.of, err) ||
	    trc_slices_init(&s, args->word, args->n, &each, true, err))
		return -1;
	if (own->shard)
		ret = answer_shard(a, &s, shard, own->resume, err);
	else
		ret = check_cut(&s, shard.of, err) || (shard.of > 1 && try_question(a, &s, err)) ||
		                      print_plan(a, &s, shard.of, own->measure, err) ?
		              -1 :
		              0;
	trc_slices_release(&s);
	return ret;
}

static bool
is_among(const char *name, const char *const *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(list[i], name) == 0)
			return true;
	return false;
}

/* Refuses options for how an answer is printed where none is; a plan has a form, too. */
static int
check_shown(const struct trc_settings *settings, bool plan, struct trc_err *err)
{
	static const char *const always[] = { "quiet", "force", "partial", "output", "plan" };

	for (size_t i = 0; i < settings->rows.n; i++) {
		const struct trc_opts *owner = settings->rows.owner[i];
		const char *name = settings->rows.row[i].name;

		if (settings->given[i] && is_shown(settings, owner) &&
		    !is_among(name, always, TRC_COUNT(always)) &&
		    !(plan && owner == &trc_answer_opts))
			return trc_fail_as(err, TRC_USAGE,
			                   "--%s: a shard prints no answer; use it with --merge",
			                   name);
	}
	return 0;
}

static int
check_options(const struct trc_query_ops *q, const struct trc_settings *settings,
              const struct settings *own, struct trc_err *err)
{
	const char *partial = trc_shard_partial(settings);

	if (own->shards && (own->shard || partial))
		return trc_fail_as(err, TRC_USAGE, "--shards only prints the plan; drop %s",
		                   own->shard ? "--shard" : "--partial");
	if (own->shard && !partial)
		return trc_fail_as(err, TRC_USAGE, "--shard needs --partial FILE for its result");
	if ((partial || (own->shards && !trc_shard_whole(settings))) &&
	    check_shown(settings, own->shards, err))
		return -1;
	if (!own->shard && (partial || own->resume))
		return trc_fail_as(err, TRC_USAGE, "--%s needs --shard I/N",
		                   partial ? "partial" : "resume");
	if (own->measure && !own->shards)
		return trc_fail_as(err, TRC_USAGE, "--measure needs --shards N");
	if (trc_shard_force(settings) && !partial && !(q && q->draws) &&
	    !trc_settings_named(settings, "plot") && !trc_settings_named(settings, "output"))
		return trc_fail_as(err, TRC_USAGE, "--force: no file is written");
	return 0;
}

static int
answer_whole(const struct trc_query_ops *q, const struct trc_settings *settings,
             const struct trc_trace *t, struct trc_err *err)
{
	const struct trc_query query = { .settings = settings, .path = t->path[0], .files = t->n };
	struct trc_query_run a;
	int ret = trc_query_begin(&a, q, &query, t->path[0], err);

	if (ret == 0)
		ret = trc_query_answer(&a, t, a.query->in, err) || trc_query_print(&a, err) ? -1 :
		                                                                              0;
	trc_query_end(&a);
	return ret;
}

/* Prints the plan, or computes one shard of it. */
static int
plan_or_shard(const struct trc_query_ops *q, const struct trc_settings *settings,
              const struct trc_args *args, struct trc_err *err)
{
	const struct trc_query query = { .settings = settings,
		                         .path = args->word[0],
		                         .files = args->n,
		                         .one_shard = trc_shard_whole(settings) };
	struct trc_query_run a;
	int ret = trc_query_begin(&a, q, &query, NULL, err);

	if (ret == 0)
		ret = answer_cut(&a, trc_settings_of(settings, &trc_shard_opts), args, err);
	trc_query_end(&a);
	return ret;
}

int
trc_shard_answer(const struct trc_settings *settings, const struct trc_args *args,
                 struct trc_err *err)
{
	const struct trc_query_ops *q = settings->action->query;
	const struct settings *own = trc_settings_of(settings, &trc_shard_opts);
	struct trc_traces traces;
	int ret;

	if (check_options(q, settings, own, err) || trc_job_words(args, 1, SIZE_MAX, err))
		return -1;
	if (own->shards || own->shard)
		return plan_or_shard(q, settings, args, err);
	ret = trc_traces_list(&traces, settings, args->word, args->n,
	                      trc_settings_named(settings, "quiet"), err);
	if (ret == 0)
		ret = trc_compare_wanted(q, settings, &traces) ?
		              trc_compare_answer(q, settings, &traces, err) :
		              answer_whole(q, settings, &traces.trace[0], err);
	trc_traces_release(&traces);
	return ret;
}

int
trc_shard_of_plan(const struct trc_settings *settings, const char **shard, bool *resume,
                  struct trc_err *err)
{
	const struct settings *own = trc_settings_of(settings, &trc_shard_opts);

	*shard = own->shard;
	*resume = own->resume;
	if (own->shards || own->measure)
		return trc_fail_as(err, TRC_USAGE, "--%s makes a plan; --plan reads one",
		                   own->shards ? "shards" : "measure");
	return check_options(NULL, settings, own, err);
}
