/* SPDX-License-Identifier: MIT
 *
 * Rankings, of what references or misses are most of, and their pictures: how much of all the first
 * so many have.
 */
#ifndef TRC_CMD_STAT_RANKING_H
#define TRC_CMD_STAT_RANKING_H

#include "cmd/answer/answer.h"
#include "cmd/picture/plotting.h"
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

/* The rows of --rows, or 20. */
extern const struct trc_opts trc_stat_opts_rows;
uint64_t trc_ranked_rows(const struct trc_settings *all);

/* A curve: the value of each of `n`, in the order of their ranks. */
struct trc_ranking {
	const char *name;
	uint64_t (*value)(const void *of, size_t i);
	const void *of;
	size_t n;
	uint64_t all; /* their sum */
};

/* Draws the share of `what`, like "misses", that the first `rank`, like "pages", have: `curves` of
 * them, at most TRC_PLOT_SERIES; nothing where no picture is wanted. */
int trc_ranking_draw(const struct trc_ranking *r, size_t curves, const char *title,
                     const char *rank, const char *what, const struct trc_settings *all,
                     struct trc_plotting *g, struct trc_err *err) TRC_MUST_USE;

#endif
