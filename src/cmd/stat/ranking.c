/* SPDX-License-Identifier: MIT */
#include "cmd/stat/ranking.h"

#include <ctype.h>
#include <stdio.h>

#include "cmd/job/job.h"
#include "cmd/job/modules.h"

enum { ROWS = 20 };

const struct trc_opts trc_stat_opts_rows =
        TRC_OPTS(uint64_t, { 0, "rows", "N", "with --top, --by, --strides: N rows (default 20)",
                             TRC_OPT_COUNT, TRC_WORDS_NONE, 0 });

const struct trc_opts trc_stat_opts_functions =
        TRC_OPTS(struct trc_opt_list, { 0, "functions", "FILE[@BASE]",
                                        "with pcs: name functions by the symbols of a program",
                                        TRC_OPT_LIST, TRC_WORDS_FILE, 0 });

const struct trc_ranked trc_ranked[] = {
	{ "page", TRC_HOT_PAGE, TRC_NAME_page },
	{ "line", TRC_HOT_PAGE, TRC_NAME_line },
	{ "pc", TRC_HOT_PC, TRC_NAME_pc },
	{ "task", TRC_HOT_TASK, TRC_NAME_task },
	{ "space", TRC_HOT_SPACE, TRC_NAME_space },
	{ "type", TRC_HOT_TYPE, TRC_NAME_type },
	{ "function", TRC_HOT_PC, TRC_NAME_function },
};

uint64_t
trc_stat_rows(const struct trc_settings *settings)
{
	const uint64_t *rows = trc_settings_of(settings, &trc_stat_opts_rows);

	return *rows ? *rows : ROWS;
}

int
trc_stat_functions(const struct trc_settings *settings, const struct trc_ranked *of,
                   struct trc_functions *f, struct trc_err *err)
{
	const struct trc_opt_list *list = trc_settings_of(settings, &trc_stat_opts_functions);

	if (list->n && (!of || of->by != TRC_HOT_PC))
		return trc_fail_as(err, TRC_USAGE,
		                   "--functions goes with --top pcs or functions, and --by pc or "
		                   "function");
	for (size_t i = 0; i < list->n; i++)
		if (trc_functions_add(f, list->word[i], err))
			return -1;
	return 0;
}

/* Returns the provenance of a container that is a file, valid while *job is open. */
static struct trc_view
provenance_of(const char *path, struct trc_job *job)
{
	const struct trc_index *index = NULL;
	const struct trc_job_in in = { .from = NULL };
	struct trc_err none;

	*job = (struct trc_job){ .inputs = 1, .input = &path };
	if (!trc_job_of_files(job) || trc_job_open(job, path, &in, &none) ||
	    trc_source_index(job->src, &index, &none) || !index)
		return (struct trc_view){ NULL, NULL };
	return index->meta.provenance;
}

static void
note_lost(const struct trc_modules_lost *lost, bool quiet)
{
	if (lost->changed && !quiet)
		fprintf(stderr,
		        "note: the functions of %zu files are unknown: they are not what they were "
		        "when the program was recorded\n",
		        lost->changed);
	if (lost->shared && !quiet)
		fprintf(stderr,
		        "note: the functions of %zu files are unknown: others were at the same "
		        "addresses\n",
		        lost->shared);
}

int
trc_ranked_functions(struct trc_functions *f, const struct trc_ranked *of, const char *path,
                     struct trc_view provenance, bool quiet, struct trc_err *err)
{
	struct trc_modules_lost lost = { 0 };
	struct trc_job job = { .src = NULL };
	struct trc_buf log = { 0 };
	int ret;

	if (!of || of->by != TRC_HOT_PC || f->n || f->tried)
		return 0;
	ret = trc_modules_functions(f, provenance, &lost, err);
	if (ret == 0 && path && f->n == 0)
		ret = trc_modules_functions(f, provenance_of(path, &job), &lost, err) ||
		      trc_modules_put_log(&log, path, err) ||
		      trc_modules_functions(f, trc_buf_view(&log), &lost, err);
	trc_source_close(job.src);
	trc_buf_release(&log);
	note_lost(&lost, quiet);
	f->tried = f->n || lost.changed || lost.shared;
	return ret ? -1 : 0;
}

int
trc_ranked_check_functions(const struct trc_functions *f, const struct trc_ranked *of,
                           struct trc_err *err)
{
	if (f->n || !of || !trc_ranked_sums(of))
		return 0;
	return trc_fail_as(
	        err, TRC_USAGE,
	        "the trace does not record the functions of its program; name it with --functions "
	        "FILE[@BASE]");
}

bool
trc_ranked_sums(const struct trc_ranked *r)
{
	return r->column == TRC_NAME_function;
}

struct trc_value
trc_ranked_function(struct trc_functions *f, uint32_t space, uint64_t pc)
{
	const char *name = trc_functions_at(f, space, pc);

	return name ? trc_word(name) : trc_unknown();
}

struct trc_value
trc_ranked_name(const struct trc_functions *f, size_t number)
{
	return number ? trc_word(trc_functions_name(f, number)) : trc_unknown();
}

bool
trc_ranked_in_space(const struct trc_ranked *r)
{
	return r->by == TRC_HOT_PAGE || (r->by == TRC_HOT_PC && !trc_ranked_sums(r));
}

int
trc_ranked_check(const struct trc_ranked *r, const struct trc_source *src, struct trc_err *err)
{
	if (r->by != TRC_HOT_PC || src->have & TRC_HAS_PC || !(src->fetched & TRC_FETCHED_GAPS))
		return 0;
	return trc_fail_as(err, TRC_USAGE,
	                   "the trace has no 'pc', and --only or --addr filters out the "
	                   "fetches that give it; add it with 'trc encode --fill "
	                   "pc=fetch'");
}

struct trc_value
trc_ranked_value(const struct trc_ranked *r, uint64_t key, unsigned bits)
{
	if (r->by == TRC_HOT_TYPE)
		return trc_word(trc_type_name[key]);
	if (!trc_ranked_in_space(r))
		return trc_count(key);
	return trc_value(TRC_VALUE_ADDRESS, key << (r->by == TRC_HOT_PAGE ? bits : 0));
}

void
trc_ranked_answer(const struct trc_ranked *r, const char *of, const char *what, uint64_t rows,
                  struct trc_answered *a)
{
	struct trc_answer_plot *p = &a->plot;

	p->what = of;
	snprintf(p->after, sizeof(p->after), "by %s", r->name);
	snprintf(p->below, sizeof(p->below), "%ss, those with most %c%s first", r->name,
	         tolower((unsigned char)*of), of + 1);
	snprintf(p->left, sizeof(p->left), "share of all %s", what);
	p->x = (struct trc_axis){ .unit = TRC_UNIT_COUNT, .scale = TRC_AXIS_LOG };
	p->y = (struct trc_axis){ .unit = TRC_UNIT_PART, .scale = TRC_AXIS_LINEAR };
	p->shares = p->ranks = true;
	a->answer.most = rows;
}
