/* SPDX-License-Identifier: MIT
 *
 * What caches do in one window of a trace after the other.
 */
#ifndef TRC_CMD_STAT_OVER_TIME_H
#define TRC_CMD_STAT_OVER_TIME_H

#include "cmd/picture/plotting.h"
#include "cmd/stat/stat.h"
#include "stage/simulate/cache/cache_shares.h"

struct trc_over_time {
	uint64_t every;  /* records of a window; 0: none are wanted */
	uint64_t warmup; /* in front of the first window */
	uint64_t end;    /* records of the trace: there the last window ends */
	const struct trc_cache_shares *shares; /* one for each window */
};

/* The window that the next record is of, behind so many; or TRC_CACHE_WARM. */
uint32_t trc_over_time_at(const struct trc_over_time *o, uint64_t records);

/* A table, CSV or JSON as `s` has it; names[] are those of the caches. */
/* Prints the misses of the caches of those names in each window of the trace, and draws them. */
int trc_over_time_print(const struct trc_over_time *o, const char *const *names, const char *trace,
                        const struct trc_settings *all, struct trc_plotting *g,
                        struct trc_err *err) TRC_MUST_USE;

/* The records of --over-time; 0: not given. */
uint64_t trc_over_time_of(const struct trc_settings *all);

#endif
