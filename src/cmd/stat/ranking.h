/* SPDX-License-Identifier: MIT
 *
 * Rankings, of what references or misses are most of, and their pictures: how much of all the first
 * so many have.
 */
#ifndef TRC_CMD_STAT_RANKING_H
#define TRC_CMD_STAT_RANKING_H

#include "cmd/picture/answer_plot.h"
#include "stage/profile/hot.h"

/* What is ranked, in the order of --top and --by. */
struct trc_ranked {
	const char *name;
	enum trc_hot_by by;
	enum trc_name column;
};

extern const struct trc_ranked trc_ranked[];

/* Whether a key is of a space: pages and instructions are. */
bool trc_ranked_in_space(const struct trc_ranked *r);

/* A key; pages and lines have 2^bits bytes. */
struct trc_value trc_ranked_value(const struct trc_ranked *r, uint64_t key, unsigned bits);

extern const struct trc_opts trc_stat_opts_rows;

/* Prints a ranking by `of`, "references" or "misses", as many rows as --rows has it, and draws the
 * share of all `what` that the first 1, 2, ... rows have. */
int trc_ranked_print(struct trc_answer *a, const struct trc_ranked *r, const char *of,
                     const char *what, const char *trace, const struct trc_settings *all,
                     struct trc_plotting *g, struct trc_err *err) TRC_MUST_USE;

#endif
