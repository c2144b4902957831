/* SPDX-License-Identifier: MIT */
#include "cmd/stat/ranking.h"

#include <ctype.h>
#include <stdio.h>

enum { ROWS = 20 };

static const struct trc_opt option_rows[] = {
	{ 0, "rows", "N", "with --top and --by: so many, not 20", TRC_OPT_COUNT, TRC_WORDS_NONE,
	  0 },
};

const struct trc_opts trc_stat_opts_rows = { option_rows, 1, sizeof(uint64_t), NULL };

const struct trc_ranked trc_ranked[] = {
	{ "page", TRC_HOT_PAGE, TRC_NAME_page },    { "line", TRC_HOT_PAGE, TRC_NAME_line },
	{ "pc", TRC_HOT_PC, TRC_NAME_pc },          { "task", TRC_HOT_TASK, TRC_NAME_task },
	{ "space", TRC_HOT_SPACE, TRC_NAME_space }, { "type", TRC_HOT_TYPE, TRC_NAME_type },
};

bool
trc_ranked_in_space(const struct trc_ranked *r)
{
	return r->by == TRC_HOT_PAGE || r->by == TRC_HOT_PC;
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

int
trc_ranked_print(struct trc_answer *a, const struct trc_ranked *r, const char *of, const char *what,
                 const char *trace, const struct trc_settings *all, struct trc_plotting *g,
                 struct trc_err *err)
{
	const uint64_t *rows = trc_settings_of(all, &trc_stat_opts_rows);
	char rank[64], left[64];
	struct trc_answer_plot how = { .all = all,
		                       .x = { rank, TRC_UNIT_COUNT, TRC_AXIS_LOG, 0 },
		                       .y = { left, TRC_UNIT_PART, TRC_AXIS_LINEAR, 0 },
		                       .shares = true,
		                       .ranks = true };

	snprintf(how.title, sizeof(how.title), "%c%s of %.100s by %s", toupper((unsigned char)*of),
	         of + 1, trace, r->name);
	snprintf(rank, sizeof(rank), "%ss, those with most %s first", r->name, of);
	snprintf(left, sizeof(left), "share of all %s", what);
	a->most = *rows ? *rows : ROWS;
	return trc_answer_plot(a, &how, g, err);
}
