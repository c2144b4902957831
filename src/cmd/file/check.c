/* SPDX-License-Identifier: MIT
 *
 * trc stat --check: checks whether traces are what they claim to be, several at a time, and reports
 * them in order.
 *
 * A trace is read to its end, which verifies what its format can verify, including checksums.
 * stage/check.c checks its rows. A reduced trace is read a second time and reduced again, which
 * must drop nothing more. A trace with the same fingerprint as an earlier one is a duplicate,
 * whatever the formats of both, provided they have the same columns. A container may also be made
 * from another file, as the fingerprint of its source shows. A wrong byte at the beginning of a
 * file may turn it into one of another format; then its name contradicts its content.
 *
 * Findings are errors or warnings; --strict turns warnings into errors. With --for PROGRAM, what
 * stops that program is an error, and what misleads it a warning (program_check.h).
 */
#include "cmd/file/program_check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cores.h"
#include "base/pool.h"
#include "batch/index.h"
#include "cmd/conventions.h"
#include "cmd/names/files.h"
#include "cmd/job/inputs.h"
#include "cmd/file/origin.h"
#include "cmd/stat/stat.h"
#include "batch/fingerprint.h"
#include "stage/check.h"
#include "stage/stage.h"

/* The settings of --check. */
struct settings {
	bool chosen, nul;
	uint64_t jobs; /* files checked at a time; 0: one per core */
	const char *program;
};

static const struct trc_opts opts =
        TRC_OPTS(struct settings,
                 { 0, "check", NULL, "check the integrity of traces", TRC_OPT_FLAG, TRC_WORDS_NONE,
                   offsetof(struct settings, chosen) },
                 { 'j', "jobs", "N", "check N traces at a time (default: one per core)",
                   TRC_OPT_COUNT, TRC_WORDS_NONE, offsetof(struct settings, jobs) },
                 { 0, "for", "PROGRAM", "with --check: find what stops or misleads PROGRAM",
                   TRC_OPT_TEXT, TRC_WORDS_PRESET, offsetof(struct settings, program) },
                 { '0', "null", NULL, "with --check: names on standard input end in NUL",
                   TRC_OPT_FLAG, TRC_WORDS_NONE, offsetof(struct settings, nul) });

/* All files to check. */
struct corpus {
	const struct trc_stat *s;
	const struct settings *own;
	struct trc_finding_form form;
	struct trc_job_in in; /* settings for each */
	struct trc_files files;
	struct trc_out *out;

	struct trc_progress progress;
	struct trc_finding *verdict; /* of file `i`, at i % window */
	size_t window;

	/* Of the files reported so far: */
	struct trc_origins seen;
	size_t wrong, traces;
	struct trc_err *err;
};

/* ---- one file ---- */

/* A sink that computes the fingerprint, checks the rows, and counts what an index counts. */
struct check_sink {
	struct trc_sink sink, *rows;
	struct trc_fingerprint fingerprint;
	const struct trc_index *index; /* NULL: none */
	struct trc_tally *counter;
	struct trc_program_check *program; /* NULL: not for a program */
};

static int
check_put(struct trc_sink *sink, const struct trc_batch *b, struct trc_err *err)
{
	struct check_sink *s = (struct check_sink *)sink;

	trc_fingerprint_update(&s->fingerprint, b, 0, b->n);
	if (s->counter && trc_tally_add(s->counter, b, err))
		return -1;
	if (s->program && trc_program_check_put(s->program, b, err))
		return -1;
	return trc_sink_put(s->rows, b, err);
}

static int
check_finish(struct trc_sink *sink, const struct trc_meta *meta, struct trc_err *err)
{
	return trc_sink_finish(((struct check_sink *)sink)->rows, meta, err);
}

/* Opens a counter if there is an index to compare with. */
static int
open_counter(struct check_sink *s, struct trc_source *src, struct trc_err *err)
{
	if (trc_source_index(src, &s->index, err))
		return -1;
	if (!s->index)
		return 0;
	s->counter = trc_tally_open(TRC_COUNTS_PAGE_BITS, 0, err);
	return s->counter ? 0 : -1;
}

static int
pump_check(struct trc_job *job, struct trc_check *check, struct trc_program_check *program,
           struct trc_watch *watch, struct trc_finding *v, struct trc_err *err)
{
	const uint32_t sad = TRC_HAS_TYPE | TRC_HAS_VPN | TRC_HAS_ITIME | TRC_HAS_RTIME;
	const struct trc_line_format *line = job->format->line;
	/* csv, whose first line names its columns, can hold these as well but has no trailer. */
	const bool trailer = line && !line->first && (job->format->holds & sad) == sad;
	struct check_sink sink = { .sink = { .put = check_put, .finish = check_finish },
		                   .program = program };
	int ret = -1;

	if (trc_fingerprint_init(&sink.fingerprint, job->src->have, err))
		return -1;
	sink.rows = trc_check_sink(check, trailer, err);
	if (sink.rows && open_counter(&sink, job->src, err) == 0)
		ret = trc_pump(job->src, &sink.sink, TRC_BATCH_ROWS, watch, err);
	if (ret == 0 && sink.index) {
		const struct trc_counts counts = trc_tally_counts(sink.counter);

		trc_finding_counts(v, &sink.index->counts, &counts);
	}
	trc_tally_close(sink.counter);
	v->fingerprint = trc_fingerprint_all(&sink.fingerprint);
	v->rows = check->rows;
	v->have = job->src->have;
	trc_sink_close(sink.rows);
	trc_fingerprint_release(&sink.fingerprint);
	return ret;
}

/* Applies the same reduction again and counts the rows that remain. */
static int
reduce_again(const struct corpus *c, const char *path, const struct trc_reduction *how,
             uint64_t *rows, struct trc_err *err)
{
	struct trc_source *(*const again)(struct trc_source *, const struct trc_reduction *,
	                                  struct trc_err *) = how->lru_only ? trc_stage_olr :
	                                                                      trc_stage_drop;
	struct trc_job job;
	struct trc_batch b;
	enum trc_flow flow;
	uint64_t refs;

	*rows = 0;
	if (trc_inputs_open(&job, &path, 1, &c->in, true, err))
		return -1;
	if (trc_job_wrap(&job, trc_stage_page(job.src, job.src->meta.page_bits, &refs, err)) ||
	    trc_job_wrap(&job, again(job.src, how, err)) ||
	    trc_batch_init(&b, job.src->have, TRC_BATCH_ROWS, err)) {
		trc_source_close(job.src);
		return -1;
	}
	while ((flow = trc_source_next(job.src, &b, err)) == TRC_FLOW_ROWS)
		*rows += b.n;
	trc_batch_release(&b);
	trc_source_close(job.src);
	return flow == TRC_FLOW_END ? 0 : -1;
}

static int
check_reduction(const struct corpus *c, const char *path, const struct trc_meta *meta,
                struct trc_finding *v, struct trc_err *err)
{
	struct trc_reduction how;
	uint64_t rows;

	if (!trc_check_again(&meta->guarantee, v->have, &how))
		return 0;
	if (trc_job_again(path, "checking that it is fully reduced requires reading it twice",
	                  err)) {
		trc_finding_note(v, TRC_OUTCOME_ODD, "%s", err->text);
		return 0;
	}
	if (reduce_again(c, path, &how, &rows, err))
		return -1;
	trc_finding_dropped(v, rows);
	return 0;
}

/* Checks the rows of an open trace, except for reducing it again. */
static int
check_rows(struct corpus *c, struct trc_job *job, struct trc_check *check,
           struct trc_program_check **program, struct trc_finding *v, struct trc_err *err)
{
	const struct trc_preset *preset = c->own->program ? trc_preset_named(c->own->program) :
	                                                    NULL;

	v->format = job->format->name;
	if (preset && !(*program = trc_program_check_open(preset, job->src->have, err)))
		return -1;
	return pump_check(job, check, *program, &c->progress.watch, v, err);
}

/* Notes everything about the rows; warnings follow errors. */
static int
note_all(const struct corpus *c, const char *path, const struct trc_meta *meta,
         struct trc_check *check, struct trc_program_check *program, struct trc_finding *v,
         struct trc_err *err)
{
	v->whole = true;
	if (program) {
		trc_program_check_claim(program, check);
		trc_program_check_note(program, meta, false, v);
	}
	trc_finding_rows(v, check, meta->repaired);
	if (check_reduction(c, path, meta, v, err))
		return -1;
	trc_finding_end(v, check, path, c->in.from != NULL, meta->unended);
	if (program)
		trc_program_check_note(program, meta, true, v);
	return 0;
}

static int
check_trace(struct corpus *c, const char *path, struct trc_finding *v, struct trc_err *err)
{
	struct trc_program_check *program = NULL;
	struct trc_check check;
	struct trc_meta meta;
	struct trc_job job;
	int ret;

	if (trc_inputs_open(&job, &path, 1, &c->in, true, err))
		return -1;
	ret = check_rows(c, &job, &check, &program, v, err);
	meta = job.src->meta;
	v->origin = trc_origin_of(meta.provenance);
	/* Copies of one trace that were joined share a provenance, which describes each of them,
	 * not the whole. */
	v->origin.same = v->origin.same && !meta.joined;
	if (ret == 0)
		ret = note_all(c, path, &meta, &check, program, v, err);
	trc_source_close(job.src); /* which has the provenance */
	trc_program_check_close(program);
	return ret;
}

/* Returns true if a file found in a folder has no known format, neither by name nor by content. A
 * file that cannot be read or unpacked may be a trace. */
static bool
is_no_trace(const struct trc_file *file, struct trc_err *err)
{
	struct trc_in *in;
	bool no = false;

	if (!file->found || trc_format_ending(file->path))
		return false;
	in = trc_in_open(file->path, err);
	if (in && trc_in_fill(in, 1 << 16, err) == 0)
		no = !trc_format_recognise(in, err) && err->code == TRC_FAILED;
	trc_in_close(in);
	return no;
}

static void
check_file(void *arg, size_t i)
{
	struct corpus *c = arg;
	const struct trc_file *file = &c->files.file[i];
	struct trc_finding *v = &c->verdict[i % c->window];
	struct trc_err err = { 0 };

	memset(v, 0, sizeof(*v));
	if (!c->in.from && is_no_trace(file, &err)) {
		v->outcome = TRC_OUTCOME_NO_TRACE;
		snprintf(v->why, sizeof(v->why), "%s", err.text);
		return;
	}
	err = (struct trc_err){ 0 };
	if (check_trace(c, file->path, v, &err) == 0)
		return;
	/* The content of this file may cause any of these errors, so the next file is still
	 * checked. */
	if (err.code == TRC_FAILED || err.code == TRC_USAGE || err.code == TRC_SYSTEM)
		trc_finding_note(v, TRC_OUTCOME_WRONG, "%s", err.text);
	else
		v->err = err;
}

/* ---- reports ---- */

/* Looks for an earlier file with the same trace, or from which this one was made or vice versa, and
 * remembers this one. */
static int
find_origin(struct corpus *c, struct trc_finding *v, size_t i, struct trc_err *err)
{
	static const char *const words[] = {
		[TRC_ORIGIN_DUPLICATE] = "the same trace as '%s'",
		[TRC_ORIGIN_COPY] = "the same trace as '%s', its source",
		[TRC_ORIGIN_ORIGINAL] = "the same trace as '%s', which was made from it",
		[TRC_ORIGIN_DERIVED] = "made from '%s'",
		[TRC_ORIGIN_SOURCE] = "the source of '%s'",
		[TRC_ORIGIN_NOT_DERIVED] = "not made from '%s', by the fingerprint of its source",
		[TRC_ORIGIN_NOT_SOURCE] = "not the source of '%s', by the fingerprint stored there",
	};
	const struct trc_origin_trace one = {
		c->files.file[i].path, v->format, v->fingerprint, v->rows, v->have, v->origin
	};
	const char *path;
	enum trc_origin_relation relation;

	if (v->outcome > TRC_OUTCOME_ODD || v->rows == 0)
		return 0;
	if (trc_origins_add(&c->seen, &one, &relation, &path, err))
		return -1;
	switch (relation) {
	case TRC_ORIGIN_NONE: break;
	case TRC_ORIGIN_DUPLICATE:
		trc_finding_note(v, TRC_OUTCOME_ODD, words[relation], path);
		break;
	case TRC_ORIGIN_NOT_DERIVED:
	case TRC_ORIGIN_NOT_SOURCE:
		trc_finding_note(v, TRC_OUTCOME_WRONG, words[relation], path);
		break;
	default: trc_finding_note(v, TRC_OUTCOME_GOOD, words[relation], path); break;
	}
	return 0;
}

/* Prints the finding and flushes it, because the next may take long. */
static int
report(struct corpus *c, const struct trc_finding *v, size_t i)
{
	const char *path = c->files.file[i].path;
	int ret;

	trc_progress_hide(&c->progress);
	ret = trc_finding_print(v, path, i, c->form.tap, c->s->form, c->out, c->err);
	if (ret == 0)
		ret = trc_out_flush(c->out, c->err);
	trc_progress_go_on(&c->progress);
	return ret;
}

static bool
report_file(void *arg, size_t i)
{
	struct corpus *c = arg;
	struct trc_finding *v = &c->verdict[i % c->window];

	if (v->err.code != TRC_OK) {
		*c->err = v->err;
		return false;
	}
	if (find_origin(c, v, i, c->err))
		return false;
	if (c->form.strict && v->outcome == TRC_OUTCOME_ODD)
		v->outcome = TRC_OUTCOME_WRONG;
	c->wrong += v->outcome == TRC_OUTCOME_WRONG;
	c->traces += v->outcome != TRC_OUTCOME_NO_TRACE;
	c->progress.step++;
	return report(c, v, i) == 0;
}

/* ---- all ---- */

static int
check_all(struct corpus *c, struct trc_err *err)
{
	const int most = trc_threads(c->own->jobs);
	const int jobs = (size_t)most < c->files.n ? most : (int)c->files.n;

	/* A single file uses all cores; several files share them, one each. */
	c->in = *c->s->in;
	if (jobs > 1 && !c->in.threads)
		c->in.threads = 1;
	c->window = jobs * (size_t)4 < TRC_POOL_WINDOW ? (size_t)jobs * 4 : TRC_POOL_WINDOW;
	c->verdict = trc_alloc(c->window, sizeof(*c->verdict), err);
	if (!c->verdict || trc_origins_init(&c->seen, err))
		return -1;
	if (trc_finding_begin(c->files.n, c->form.tap, c->s->form, c->out, err))
		return -1;
	c->err = err;
	trc_progress_init(&c->progress, "records", c->s->quiet);
	c->progress.steps = "files";
	c->progress.of_steps = c->files.n;
	trc_pool_ordered(jobs, c->window, check_file, report_file, c, c->files.n);
	trc_progress_end(&c->progress);
	if (err->code != TRC_OK)
		return -1;
	return trc_out_commit(c->out, err);
}

static int
answer_check(const struct trc_settings *settings, const struct trc_args *args, struct trc_err *err)
{
	const struct trc_stat stat = trc_stat_of(settings), *s = &stat;
	const struct settings *own = trc_settings_of(settings, &opts);
	struct corpus c = { .s = s,
		            .own = own,
		            .form = *(const struct trc_finding_form *)trc_settings_of(
		                    settings, &trc_stat_opts_finding) };
	int ret = 0;

	if (args->n == 0)
		return trc_fail_as(err, TRC_USAGE,
		                   "--check needs files or folders, or - for a list of names on "
		                   "standard input");
	if (trc_check_usage(settings, err) || trc_job_words(args, 1, SIZE_MAX, err) ||
	    (own->program && trc_preset_check(own->program, err)))
		return -1;
	for (size_t i = 0; ret == 0 && i < args->n; i++)
		ret = trc_files_add(&c.files, args->word[i], own->nul, err);
	if (ret == 0 && c.files.n == 0)
		ret = trc_fail(err, "there are no files in the given folders");
	if (ret == 0)
		c.out = trc_out_open("-", false, err);
	if (ret == 0)
		ret = c.out ? check_all(&c, err) : -1;
	if (ret == 0)
		ret = trc_finding_fail(c.wrong, c.traces, err);
	trc_out_close(c.out);
	trc_origins_release(&c.seen);
	free(c.verdict);
	trc_files_release(&c.files);
	return ret;
}

const struct trc_action trc_stat_check = {
	.name = "--check",
	.takes = TRC_TAKES(&opts, &trc_stat_opts_finding, TRC_STAT_TAKES),
	.run = answer_check,
	.no_shards = "checksums and fingerprints need whole files; run it without --shard"
};
