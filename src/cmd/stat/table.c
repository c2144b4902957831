/* SPDX-License-Identifier: MIT
 *
 * trc stat for several traces: a row for each, in order, counted in parallel on all cores.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cores.h"
#include "base/pool.h"
#include "base/shown.h"
#include "cmd/stat/counted.h"

/* An input, from counting to printing its row. */
struct row {
	struct trc_counted counted;
	struct trc_err err;
};

/* All inputs. */
struct table {
	const struct trc_counting *how;
	const struct trc_settings *settings;
	const struct trc_traces *traces;
	struct trc_job_in in;
	struct trc_answer answer; /* columns; JSON has more, and a line for each trace */
	size_t window;
	struct row *row; /* input i is at i % window */
	struct trc_out *out;
	struct trc_progress progress;
	size_t failed;
	struct trc_err *err;
};

static void
count_input(void *arg, size_t i)
{
	struct table *t = arg;
	struct row *r = &t->row[i % t->window];

	r->err = (struct trc_err){ 0 };
	if (t->how->count(&r->counted, t->settings, t->traces->trace[i].path[0], &t->in, &r->err))
		return;
	trc_progress_passed(&t->progress, r->counted.found.counts.rows);
}

/* In text the name of the input is last. */
static const struct trc_column_decl column[] = {
	{ TRC_NAMED(input) },
	{ TRC_NAMED(format) },
	{ TRC_COLUMN(records, "records", 9) },
	{ TRC_COLUMN(references, "references", 10) },
	{ TRC_COLUMN(reads, "reads", 8) },
	{ TRC_COLUMN(writes, "writes", 8) },
	{ TRC_COLUMN(instructions, "instructions", 12) },
	{ TRC_COLUMN(pages, "pages", 6) },
	{ .head = "format", .width = -7 },
	{ .head = "input", .width = -1 },
};

static struct trc_value
known(bool is, uint64_t n)
{
	return is ? trc_count(n) : trc_unknown();
}

static int
put_row(const struct table *t, const struct trc_counted *c)
{
	const struct trc_counts *k = &c->found.counts;
	const uint32_t have = c->job.src->have;
	const bool types = have & TRC_HAS_TYPE;
	const bool pages = k->distinct && have & (TRC_HAS_ADDR | TRC_HAS_VPN);
	const struct trc_value input = trc_word(c->path), format = trc_word(c->job.format->name);
	const struct trc_value cell[] = {
		input,
		format,
		trc_count(k->rows),
		trc_count(k->refs),
		known(types, k->by_type[TRC_READ]),
		known(types, k->by_type[TRC_WRITE]),
		known(types, k->by_type[TRC_FETCH]),
		known(pages, k->pages),
		format,
		input,
	};

	return trc_answer_row(&t->answer, 0, cell, t->out, t->err);
}

static void
close_row(struct row *r)
{
	trc_source_close(r->counted.job.src);
	r->counted.job.src = NULL;
	trc_popularity_release(&r->counted.found);
}

static void
name_failed(struct table *t, const struct trc_err *why)
{
	struct trc_err shown = *why;

	trc_shown(shown.text);
	fprintf(stderr, "trc stat: %s\n", shown.text);
	t->failed++;
}

/* Prints the row of input `i`, or the reason of its failure. An interrupt stops all inputs. */
static bool
report(void *arg, size_t i)
{
	struct table *t = arg;
	struct row *r = &t->row[i % t->window];
	int ret = 0;

	trc_progress_hide(&t->progress);
	if (r->err.code == TRC_STOPPED || r->err.code == TRC_PIPE) {
		*t->err = r->err;
		ret = -1;
	} else if (r->err.code != TRC_OK) {
		name_failed(t, &r->err);
	} else {
		ret = t->answer.form == TRC_FORM_JSON ? t->how->json(&r->counted, t->out, t->err) :
		                                        put_row(t, &r->counted);
		if (ret == 0)
			ret = trc_out_flush(t->out, t->err);
	}
	trc_progress_go_on(&t->progress);
	t->progress.step++;
	close_row(r);
	return ret == 0;
}

static int
count_all(struct table *t, struct trc_err *err)
{
	const size_t n = t->traces->n;
	const int most = trc_threads(t->in.threads);
	const int jobs = (size_t)most < n ? most : (int)n;
	const struct trc_stat s = trc_stat_of(t->settings);

	/* If several are counted at a time, each uses one core. */
	if (jobs > 1)
		t->in.threads = 1;
	t->window = (size_t)jobs * 2 < TRC_POOL_WINDOW ? (size_t)jobs * 2 : TRC_POOL_WINDOW;
	t->row = trc_alloc(t->window, sizeof(*t->row), err);
	if (!t->row || trc_answer_begin(&t->answer, t->out, err) || trc_out_flush(t->out, err))
		return -1;
	trc_progress_init(&t->progress, "records", s.quiet);
	t->progress.steps = "files";
	t->progress.of_steps = n;
	trc_pool_ordered(jobs, t->window, count_input, report, t, n);
	trc_progress_end(&t->progress);
	for (size_t i = 0; i < t->window; i++)
		close_row(&t->row[i]);
	if (err->code != TRC_OK)
		return -1;
	return trc_out_commit(t->out, err);
}

int
trc_counted_table(const struct trc_counting *how, const struct trc_settings *settings,
                  const struct trc_traces *traces, struct trc_err *err)
{
	struct table t = { .how = how,
		           .settings = settings,
		           .traces = traces,
		           .in = *trc_job_in(settings),
		           .err = err };
	int ret;

	t.answer = (struct trc_answer){ .form = trc_answer_form(settings),
		                        TRC_TABLE(column),
		                        .lines = true };
	t.in.named = !trc_stat_of(settings).quiet;
	t.out = trc_out_open("-", false, err);
	ret = t.out ? count_all(&t, err) : -1;
	trc_out_close(t.out);
	free(t.row);
	if (ret == 0 && t.failed > 0)
		ret = trc_fail(err, "%zu of %zu inputs could not be counted", t.failed, traces->n);
	return ret;
}
