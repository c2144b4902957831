/* SPDX-License-Identifier: MIT */
#include "cmd/stat/ranking.h"

#include <ctype.h>
#include <stdio.h>

enum { ROWS = 20 };

static const struct trc_opt option_rows[] = {
	{ 0, "rows", "N", "with --top, --by, --strides: print N (default 20)", TRC_OPT_COUNT,
	  TRC_WORDS_NONE, 0 },
};

const struct trc_opts trc_stat_opts_rows = { option_rows, 1, sizeof(uint64_t), NULL };

static const struct trc_opt option_functions[] = {
	{ 0, "functions", "FILE[@BASE]", "with pcs: name functions by the symbols of a program",
	  TRC_OPT_LIST, TRC_WORDS_FILE, 0 },
};

const struct trc_opts trc_stat_opts_functions = { option_functions, 1, sizeof(struct trc_opt_list),
	                                          NULL };

const struct trc_ranked trc_ranked[] = {
	{ "page", TRC_HOT_PAGE, TRC_NAME_page },    { "line", TRC_HOT_PAGE, TRC_NAME_line },
	{ "pc", TRC_HOT_PC, TRC_NAME_pc },          { "task", TRC_HOT_TASK, TRC_NAME_task },
	{ "space", TRC_HOT_SPACE, TRC_NAME_space }, { "type", TRC_HOT_TYPE, TRC_NAME_type },
};

uint64_t
trc_stat_rows(const struct trc_settings *all)
{
	const uint64_t *rows = trc_settings_of(all, &trc_stat_opts_rows);

	return *rows ? *rows : ROWS;
}

int
trc_stat_functions(const struct trc_settings *all, const struct trc_ranked *of,
                   struct trc_functions *f, struct trc_err *err)
{
	const struct trc_opt_list *list = trc_settings_of(all, &trc_stat_opts_functions);

	if (list->n && (!of || of->by != TRC_HOT_PC))
		return trc_fail_as(err, TRC_USAGE, "--functions goes with --top pcs or --by pc");
	for (size_t i = 0; i < list->n; i++)
		if (trc_functions_add(f, list->word[i], err))
			return -1;
	return 0;
}

struct trc_value
trc_ranked_function(struct trc_functions *f, uint64_t pc)
{
	const char *name = trc_functions_at(f, pc);

	return name ? trc_word(name) : trc_unknown();
}

bool
trc_ranked_in_space(const struct trc_ranked *r)
{
	return r->by == TRC_HOT_PAGE || r->by == TRC_HOT_PC;
}

int
trc_ranked_check(const struct trc_ranked *r, const struct trc_source *src, struct trc_err *err)
{
	return r->by != TRC_HOT_PC || src->have & TRC_HAS_PC || !(src->fetched & TRC_FETCHED_GAPS) ?
	               0 :
	               trc_fail_as(err, TRC_USAGE,
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
trc_ranked_answer(const struct trc_ranked *r, const char *of, const char *what,
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
	a->answer.most = trc_stat_rows(p->all);
}
