/* SPDX-License-Identifier: MIT
 *
 * The counts of caches in consecutive windows of a trace.
 */
#ifndef TRC_CMD_STAT_OVER_TIME_H
#define TRC_CMD_STAT_OVER_TIME_H

#include "cmd/picture/answered.h"
#include "cmd/stat/stat.h"
#include "stage/simulate/cache/cache_shares.h"

struct trc_over_time {
	uint64_t every;  /* records per window; 0: no windows */
	uint64_t warmup; /* records before the first window */
	bool insns;      /* windows count instructions instead of records */
	bool tlb;        /* the caches are TLBs, which write nothing back */
	uint64_t end;    /* records of the trace, where the last window ends */
	const struct trc_cache_shares *shares; /* one for each window */
	const char *const *name;               /* names of the caches */
};

/* Returns the window of the next record, after `records` records; or TRC_CACHE_WARM. */
uint32_t trc_over_time_at(const struct trc_over_time *o, uint64_t records);

/* Answers with the misses of all caches in each window of the trace. */
void trc_over_time_answer(struct trc_over_time *o, struct trc_answered *a);

/* Sets the picture of `what` by window, except for the vertical axis. */
void trc_over_time_plot(struct trc_answered *a, const char *what, uint64_t every, bool insns);

/* Parse and check the windows of --over-time; *every is 0 if it is not given. query->insns is set
 * if windows, or the warm-up, count instructions. At the end of the trace, of which `seen` records
 * were read, the second fails if these were too few. */
int trc_over_time_begin(struct trc_query *query, uint64_t *every, struct trc_err *err) TRC_MUST_USE;
int trc_over_time_end(const struct trc_query *query, uint64_t seen, const struct trc_meta *meta,
                      struct trc_err *err) TRC_MUST_USE;

/* Returns the head of the column of a window's first record, or of its last. */
const char *trc_over_time_head(bool insns, bool last);

#endif
