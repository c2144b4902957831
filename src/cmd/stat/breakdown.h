/* SPDX-License-Identifier: MIT
 *
 * Breaks the misses of caches down by page, line, instruction, task, space or type. The effects of
 * a record in a level count for the key of the record, including write-backs; write-backs at the
 * end of the trace count for no key. A record that crosses pages or lines counts for the first.
 */
#ifndef TRC_CMD_STAT_BREAKDOWN_H
#define TRC_CMD_STAT_BREAKDOWN_H

#include "cmd/names/functions.h"
#include "cmd/picture/answered.h"
#include "cmd/stat/stat.h"
#include "stage/profile/keys.h"
#include "stage/simulate/cache/cache_shares.h"

/* A key, and its counts at one cache. */
struct trc_breakdown_row {
	struct trc_key key;
	struct trc_cache_sum sum;
};

struct trc_breakdown {
	size_t kind;   /* 1 + index of the kind of key; 0: not requested */
	unsigned bits; /* of a page or line */
	struct trc_keys keys;
	size_t gone; /* number of keys that were merged into others */

	/* One for each key, by its number; none while `now` is TRC_CACHE_WARM. */
	struct trc_cache_shares *shares;
	struct trc_cache_counts *count; /* of the caches, during the run */

	/* For printing: */
	struct trc_functions *functions; /* for instructions */
	const char *const *name;         /* names of the caches */
	struct trc_breakdown_row *row;   /* of the current cache, in decreasing order of misses */
	uint64_t misses;                 /* sum over all rows */
};

/* Makes a sink around `inner`, which counts in by->count and splits the counts into shares; takes
 * `inner` over unless it fails. `src` is the source of the trace. The state can be saved if that of
 * `inner` can. */
struct trc_sink *trc_breakdown_sink(struct trc_breakdown *by, struct trc_sink *inner,
                                    const struct trc_source *src, struct trc_err *err) TRC_MUST_USE;
void trc_breakdown_release(void *by);

/* Answers with the `rows` keys that have the most misses in each cache; the picture shows their
 * cumulative share. */
int trc_breakdown_answer(struct trc_breakdown *by, uint64_t rows, struct trc_answered *a,
                         struct trc_err *err) TRC_MUST_USE;

#endif
