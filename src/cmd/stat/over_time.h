/* SPDX-License-Identifier: MIT
 *
 * What caches do in one window of a trace after the other.
 */
#ifndef TRC_CMD_STAT_OVER_TIME_H
#define TRC_CMD_STAT_OVER_TIME_H

#include "cmd/picture/answered.h"
#include "cmd/stat/stat.h"
#include "stage/simulate/cache/cache_shares.h"

struct trc_over_time {
	uint64_t every;  /* records of a window; 0: none are wanted */
	uint64_t warmup; /* in front of the first window */
	bool insns;      /* not records: instructions */
	uint64_t end;    /* records of the trace: there the last window ends */
	const struct trc_cache_shares *shares; /* one for each window */
	const char *const *name;               /* of the caches */
};

/* The window that the next record is of, behind so many; or TRC_CACHE_WARM. */
uint32_t trc_over_time_at(const struct trc_over_time *o, uint64_t records);

/* Answers with the misses of all caches in each window of the trace. */
void trc_over_time_answer(struct trc_over_time *o, struct trc_answered *a);

/* Sets the picture of `what` in windows, but for the axis upwards. */
void trc_over_time_plot(struct trc_answered *a, const char *what, uint64_t every, bool insns);

/* The windows of --over-time, *every of 0: it is not given. asked->insns is what they count, or the
 * warm-up. At the end of the trace, of which so many were `seen`, fails if these were too few. */
int trc_over_time_begin(struct trc_asked *asked, uint64_t *every, struct trc_err *err) TRC_MUST_USE;
int trc_over_time_end(const struct trc_asked *asked, uint64_t seen, const struct trc_meta *meta,
                      struct trc_err *err) TRC_MUST_USE;

/* The head of the column of their first record, or of their last. */
const char *trc_over_time_head(bool insns, bool last);

#endif
