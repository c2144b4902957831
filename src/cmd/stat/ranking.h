/* SPDX-License-Identifier: MIT
 *
 * Pictures of what is spread over many: how much of all the first so many have.
 */
#ifndef TRC_CMD_STAT_RANKING_H
#define TRC_CMD_STAT_RANKING_H

#include "cmd/picture/plotting.h"

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
