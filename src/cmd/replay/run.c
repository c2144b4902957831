/* SPDX-License-Identifier: MIT
 *
 * The actions of trc replay that read packages.
 */
#include "cmd/replay/replay.h"

#include <stdio.h>
#include <string.h>

#include "base/cores.h"
#include "cmd/annotate.h"
#include "cmd/replay/verdict.h"
#include "cmd/report.h"
#include "machine/bus/prune.h"
#include "stage/stage.h"

/* The settings of a replay. */
struct run_settings {
	uint64_t skip; /* in instructions */
	const char *against;
	bool strict, json;
};

static const struct trc_opts opts_run =
        TRC_OPTS(struct run_settings,
                 { 0, "skip", "N", "skip the first N instructions", TRC_OPT_NUMBER, TRC_WORDS_NONE,
                   offsetof(struct run_settings, skip) },
                 { 0, "against", "BUS", "also compare each line of this bus trace", TRC_OPT_TEXT,
                   TRC_WORDS_FILE, offsetof(struct run_settings, against) },
                 { 0, "strict", NULL, "fail unless everything can be proved", TRC_OPT_FLAG,
                   TRC_WORDS_NONE, offsetof(struct run_settings, strict) },
                 { 0, "json", NULL, "print the report as JSON on standard output", TRC_OPT_FLAG,
                   TRC_WORDS_NONE, offsetof(struct run_settings, json) });

/* Opens the output of a package before the work, so that errors are reported early. */
static struct trc_out *
open_package(const struct trc_replay_options *s, const struct trc_args *args, struct trc_err *err)
{
	struct trc_out *out = trc_job_create(trc_replay_output(s, args, 2, "-"), &s->publish, err);

	if (!out || !trc_out_terminal(out))
		return out;
	trc_fail_as(err, TRC_USAGE,
	            "a package is binary and cannot be written to a terminal; name an output file "
	            "or use a pipe");
	trc_out_close(out);
	return NULL;
}

static bool
has_cores(const struct trc_replay_options *s)
{
	return (s->threads ? s->threads : (uint64_t)trc_cores()) > 1;
}

/* Replays a package to make its checkpoints. */
static int
mark(const struct trc_replay_options *s, struct trc_package *p, struct trc_err *err)
{
	const struct trc_marker_how marks = { s->checkpoints, s->level, has_cores(s) };
	struct trc_replay_report r;
	struct trc_progress progress;
	int ret;

	if (!s->checkpoints)
		return 0;
	trc_progress_init(&progress, "instructions", s->quiet);
	progress.of = p->count;
	ret = trc_replay_mark(p, &marks, trc_replay_memory(s), &progress.watch, &r, err);
	trc_progress_end(&progress);
	return ret;
}

static int
do_extract(const struct trc_settings *settings, const struct trc_args *args, struct trc_err *err)
{
	const struct trc_replay_options replay = trc_replay_of(settings), *s = &replay;
	struct trc_package p;
	struct trc_out *out;
	bool bus;
	int ret;

	if (trc_replay_words(s, args, err))
		return -1;
	if (args->n < 2)
		return trc_fail_as(err, TRC_USAGE, "extract needs a bus trace");
	out = open_package(s, args, err);
	if (!out || trc_replay_load(s, args->word[1], &p, &bus, err)) {
		trc_out_close(out);
		return -1;
	}
	ret = bus ? 0 : trc_fail(err, "'%s' is already a package, not a bus trace", args->word[1]);
	if (ret == 0)
		ret = mark(s, &p, err);
	if (ret == 0)
		ret = trc_package_write(&p, s->level, out, err);
	trc_out_close(out);
	trc_package_release(&p);
	return ret;
}

static int
prune(const struct trc_replay_options *s, const struct trc_package *from, struct trc_out *out,
      struct trc_err *err)
{
	struct trc_progress progress;
	const struct trc_prune_how how = { .memory = trc_replay_memory(s),
		                           .every = s->checkpoints,
		                           .level = s->level,
		                           .beside = has_cores(s),
		                           .count = &progress.watch };
	struct trc_package to;
	int ret;

	trc_progress_init(&progress, "instructions", s->quiet);
	progress.of = from->count < UINT64_MAX / 2 ? 2 * from->count : 0;
	ret = trc_prune(from, &how, &to, err);
	trc_progress_end(&progress);
	if (ret)
		return -1;
	if (!s->quiet)
		fprintf(stderr, "image %zu bytes of %zu, events %llu of %llu\n", to.image.bytes.n,
		        from->image.bytes.n, (ull)to.events.n, (ull)from->events.n);
	ret = trc_package_write(&to, s->level, out, err);
	trc_package_release(&to);
	return ret;
}

static int
do_prune(const struct trc_settings *settings, const struct trc_args *args, struct trc_err *err)
{
	const struct trc_replay_options replay = trc_replay_of(settings), *s = &replay;
	struct trc_package from;
	struct trc_out *out;
	int ret;

	if (trc_replay_words(s, args, err))
		return -1;
	if (args->n < 2)
		return trc_fail_as(err, TRC_USAGE, "prune needs a package");
	out = open_package(s, args, err);
	if (!out || trc_replay_load(s, args->word[1], &from, NULL, err)) {
		trc_out_close(out);
		return -1;
	}
	ret = prune(s, &from, out, err);
	trc_out_close(out);
	trc_package_release(&from);
	return ret;
}

static int
report_checkpoints(struct trc_out *out, const struct trc_checkpoints *all, struct trc_err *err)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < all->n; i++)
		bytes += all->c[i].packed.n;
	if (trc_report_fact(out, "checkpoints", all->n, err))
		return -1;
	if (all->n == 0)
		return 0;
	if (trc_report_fact(out, "checkpoint bytes", bytes, err) ||
	    trc_report_fact(out, "first checkpoint after", all->c[0].count, err) ||
	    trc_report_fact(out, "last checkpoint after", all->c[all->n - 1].count, err))
		return -1;
	return 0;
}

static int
report_package(struct trc_out *out, const struct trc_package *p, struct trc_err *err)
{
	const struct {
		const char *name;
		uint64_t value;
	} fact[] = {
		{ "instructions", p->count },
		{ "user mode only", p->head.user },
		{ "pruned", p->pruned },
		{ "registers at the start", p->first.n },
		{ "registers at the end", p->last.n },
		{ "image bytes", p->image.bytes.n },
		{ "image runs", p->image.runs },
		{ "events", p->events.n },
		{ "event data bytes", p->events.stream[TRC_EVENTS_DATA].n },
		{ "hashes of the trace", p->truths },
		{ "memory digest known", p->digest != 0 },
	};

	for (size_t i = 0; i < TRC_COUNT(fact); i++)
		if (trc_report_fact(out, fact[i].name, fact[i].value, err))
			return -1;
	return report_checkpoints(out, &p->checkpoints, err);
}

static int
do_info(const struct trc_settings *settings, const struct trc_args *args, struct trc_err *err)
{
	const struct trc_replay_options replay = trc_replay_of(settings), *s = &replay;
	struct trc_out *out = NULL;
	struct trc_package p;
	int ret = -1;

	if (trc_replay_words(s, args, err))
		return -1;
	if (args->n < 2)
		return trc_fail_as(err, TRC_USAGE, "info needs a package or a bus trace");
	if (args->n > 2)
		return trc_fail_as(err, TRC_USAGE, "unexpected argument '%s'", args->word[2]);
	if (trc_replay_load(s, args->word[1], &p, NULL, err))
		return -1;
	out = trc_out_open("-", false, err);
	if (out && report_package(out, &p, err) == 0)
		ret = trc_out_commit(out, err);
	trc_out_close(out);
	trc_package_release(&p);
	return ret;
}

/* Opens the bus trace to compare with: --against, or the input itself. */
static int
open_against(const char *path, struct trc_bus **bus, struct trc_err *err)
{
	struct trc_in *in = trc_in_open(path, err);

	if (!in)
		return -1;
	*bus = trc_bus_open(in, err);
	if (*bus)
		return 0;
	trc_in_close(in);
	return -1;
}

/* Returns the columns to compute that the format can use. Words and sizes are dropped without a
 * message, since the package has them. Branches and registers follow from words, so they are needed
 * only if the format has no words. Format null needs neither. */
static uint32_t
columns_for(const struct trc_package *p, const struct trc_format *format, bool annotate)
{
	const uint32_t derived = TRC_HAS_BRANCH | TRC_HAS_REGS,
	               holds = strcmp(format->name, "null") == 0 ? 0 :
	                                                           format->holds | format->takes,
	               tasks = trc_events_have(&p->events, TRC_BUS_TASK) ? TRC_HAS_TASK : 0;

	return TRC_HART_HAS | tasks | (annotate ? TRC_HAS_INSN : holds & TRC_HAS_INSN) |
	       (annotate || !(holds & TRC_HAS_INSN) ? holds & derived : 0);
}

/* Returns the last instruction of the window. */
static uint64_t
last_of(const struct trc_replay_how *how, const struct trc_package *p)
{
	const bool cut = how->limit && how->skip < p->count && how->limit < p->count - how->skip;

	return cut ? how->skip + how->limit : p->count;
}

/* With --strict, fails unless everything can be compared. */
static int
foresee(const struct run_settings *own, const struct trc_replay_how *how,
        const struct trc_package *p, uint64_t from, struct trc_verdict *v, struct trc_err *err)
{
	char gaps[TRC_VERDICT_TEXT];

	trc_verdict_precheck(v, p, how->against, from, last_of(how, p));
	if (!own->strict || v->n == 0)
		return 0;
	trc_verdict_gaps(v, gaps);
	return trc_fail(err, "--strict: not everything can be proved; not compared: %s", gaps);
}

static int
report(const struct trc_verdict *v, const struct trc_replay_report *r, bool against,
       const struct run_settings *own, bool quiet, struct trc_err *err)
{
	if (own->json)
		return trc_verdict_json(v, r, err);
	if (!quiet)
		trc_verdict_print(v, r, against);
	return 0;
}

/* Begins the provenance of the computed trace. `list` holds the data of the machine, and must
 * outlive job->src. */
static int
begin_provenance(struct trc_job *job, const struct trc_package *p, const char *kind,
                 struct trc_buf *list, struct trc_err *err)
{
	if ((*p->head.isa && trc_provenance_text(list, "isa", p->head.isa, err)) ||
	    trc_provenance_text(list, "addresses", "virtual", err))
		return -1;
	job->src->meta.provenance = trc_buf_view(list);
	return trc_job_wrap(job, trc_stage_origin(job->src, kind, false, err));
}

static int
compute(const struct trc_settings *settings, const struct trc_package *p, struct trc_bus *bus,
        const char *kind, const char *path, const struct trc_format *format, struct trc_err *err)
{
	const struct run_settings *own = trc_settings_of(settings, &opts_run);
	const struct trc_replay_options s = trc_replay_of(settings);
	struct trc_progress progress;
	const struct trc_replay_how how = { .skip = own->skip,
		                            .limit = s.limit,
		                            .against = bus,
		                            .memory = trc_replay_memory(&s),
		                            .count = &progress.watch };
	const uint32_t useless = (TRC_HAS_INSN | TRC_HAS_SIZE) & ~(format->holds | format->takes);
	struct trc_job_out out = trc_job_out(settings);
	struct trc_replay_report r;
	struct trc_verdict verdict;
	const uint32_t types = 1 << TRC_READ | 1 << TRC_WRITE | 1 << TRC_FETCH;
	struct trc_job job = { .progress = &progress,
		               .types = types | types << TRC_KERNEL,
		               .threads = s.threads };
	struct trc_buf list = { 0 };
	int ret;

	job.src = trc_replay_source(p, &how, columns_for(p, format, trc_annotate_given(settings)),
	                            &r, err);
	if (!job.src)
		return -1;
	trc_progress_init(&progress, "instructions", trc_job_quiet(&out, path, format));
	progress.of = last_of(&how, p) - r.from;
	progress.at_source = true;
	out.done = &trc_stage_row_annotate;
	ret = foresee(own, &how, p, r.from, &verdict, err);
	if (ret == 0)
		ret = begin_provenance(&job, p, kind, &list, err);
	if (ret == 0)
		ret = trc_job_drop(&job, useless, err);
	if (ret == 0)
		ret = trc_job_write(&job, path, format, &out, err);
	trc_source_close(job.src);
	trc_buf_release(&list);
	trc_progress_end(&progress);
	return ret ? -1 : report(&verdict, &r, bus, own, s.quiet, err);
}

static int
do_run(const struct trc_settings *settings, const struct trc_args *args, struct trc_err *err)
{
	const struct trc_replay_options replay = trc_replay_of(settings), *s = &replay;
	const struct run_settings *own = trc_settings_of(settings, &opts_run);
	const struct trc_job_out out = trc_job_out(settings);
	const char *path = trc_replay_output(s, args, 2, NULL);
	const struct trc_format *format;
	const char *against = own->against;
	struct trc_bus *bus = NULL;
	struct trc_package p;
	bool is_bus;
	int ret;

	if (trc_replay_words(s, args, err))
		return -1;
	if (args->n < 2)
		return trc_fail_as(err, TRC_USAGE, "run needs a package or a bus trace");
	if (!path && !out.to && out.compress)
		return trc_fail_as(err, TRC_USAGE, "--compress: there is no OUTPUT");
	format = path || out.to ? trc_job_format(&out, path ? path : "-", NULL, err) :
	                          trc_format_named("null");
	if (!format)
		return -1;
	/* the format null writes nothing */
	if (own->json && (path ? strcmp(path, "-") == 0 : strcmp(format->name, "null") != 0))
		return trc_fail_as(err, TRC_USAGE,
		                   "--json: the trace itself goes to standard output; -o names a "
		                   "file for it");
	if (trc_replay_load(s, args->word[1], &p, &is_bus, err))
		return -1;
	if (is_bus && strcmp(args->word[1], "-") != 0 && !against)
		against = args->word[1];
	if (against && p.pruned)
		ret = trc_fail_as(err, TRC_USAGE,
		                  "--against: '%s' is pruned and lacks some bytes of lines; "
		                  "compare the package it was made from",
		                  args->word[1]);
	else
		ret = against ? open_against(against, &bus, err) : 0;
	if (ret == 0)
		ret = compute(settings, &p, bus, is_bus ? "bus" : "package", path ? path : "-",
		              format, err);
	trc_bus_close(bus);
	trc_package_release(&p);
	return ret;
}

static const struct trc_opts *const takes_package[] = {
	&trc_job_opts_level,     &trc_replay_opts_checkpoints,
	&trc_replay_opts_memory, &trc_replay_opts_output,
	&trc_job_opts_publish,   &trc_job_opts_quiet,
	&trc_replay_opts_work,   NULL,
};
const struct trc_action trc_replay_extract = { .name = "extract",
	                                       .takes = takes_package,
	                                       .run = do_extract };
const struct trc_action trc_replay_run = {
	.name = "run",
	.takes = TRC_TAKES(&opts_run, &trc_replay_opts_limit, &trc_replay_opts_memory,
	                   &trc_replay_opts_output, &trc_replay_opts_work, TRC_JOB_TAKES_OUT),
	.run = do_run
};
const struct trc_action trc_replay_prune = { .name = "prune",
	                                     .takes = takes_package,
	                                     .run = do_prune };
const struct trc_action trc_replay_info = {
	.name = "info",
	.takes = TRC_TAKES(&trc_replay_opts_memory, &trc_job_opts_quiet, &trc_replay_opts_work),
	.run = do_info
};
