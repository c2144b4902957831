/* SPDX-License-Identifier: MIT
 *
 * What caches do in one window of a trace after the other.
 */
#ifndef TRC_CMD_STAT_OVER_TIME_H
#define TRC_CMD_STAT_OVER_TIME_H

#include "cmd/picture/plotting.h"
#include "cmd/stat/stat.h"
#include "stage/simulate/cache/cache.h"

/* What one cache did in a window. */
struct trc_over_time_sum {
	uint64_t refs, misses, writebacks;
};

/* A window: records up to `to`, from where the one before ends. */
struct trc_over_time_window {
	uint64_t from, to;
	struct trc_over_time_sum of[TRC_CACHES_MOST];
};

struct trc_over_time {
	uint64_t every; /* records; 0: no windows are wanted */
	struct trc_over_time_window *window;
	size_t n, cap, caches;

	/* Private: where the next window begins. */
	uint64_t from;
	struct trc_over_time_sum before[TRC_CACHES_MOST];
};

/* Ends a window at `records`, when caches have counted so much; with `count` false, it is left out:
 * it was a warm-up. Release it in any case. */
int trc_over_time_add(struct trc_over_time *o, uint64_t records, bool count,
                      const struct trc_cache_counts *counts, size_t n,
                      struct trc_err *err) TRC_MUST_USE;
void trc_over_time_release(struct trc_over_time *o);

/* A table, CSV or JSON as `s` has it; names[] are those of the caches. */
int trc_over_time_print(const struct trc_over_time *o, const char *const *names,
                        const struct trc_stat *s, struct trc_out *out,
                        struct trc_err *err) TRC_MUST_USE;

/* The picture, if one is wanted, or with `out` in a terminal: miss ratios over records. */
int trc_over_time_draw(const struct trc_over_time *o, const char *const *names, const char *trace,
                       const struct trc_settings *all, struct trc_plotting *g, struct trc_out *out,
                       struct trc_err *err) TRC_MUST_USE;

/* The records of --over-time; 0: not given. */
uint64_t trc_over_time_of(const struct trc_settings *all);

#endif
