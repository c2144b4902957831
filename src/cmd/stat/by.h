/* SPDX-License-Identifier: MIT
 *
 * Misses of caches by page, line, instruction, task, space or type. What a record makes a level do
 * is counted for the key of the record, with what it wrote back there; what the end of the trace
 * writes, for none. A record that crosses pages or lines counts for the first.
 */
#ifndef TRC_CMD_STAT_BY_H
#define TRC_CMD_STAT_BY_H

#include "cmd/names/functions.h"
#include "cmd/picture/answered.h"
#include "cmd/stat/stat.h"
#include "stage/profile/keys.h"
#include "stage/simulate/cache/cache_shares.h"

/* A key, and what it did at one cache. */
struct trc_by_row {
	struct trc_key key;
	struct trc_cache_sum sum;
};

struct trc_by {
	size_t kind;   /* 1 + which; 0: not wanted */
	unsigned bits; /* of a page or line */
	struct trc_keys keys;
	size_t gone;                     /* of them, what is in others */
	struct trc_cache_shares *shares; /* one for each key, by its number; none while `now` is
	                                  * TRC_CACHE_WARM */
	struct trc_cache_counts *count;  /* of the caches, while they run */

	/* When it is printed: */
	struct trc_functions *functions; /* of instructions */
	const char *const *name;         /* of the caches */
	struct trc_by_row *row;          /* of the cache at hand, those with most misses first, */
	uint64_t misses;                 /* and of all of these */
};

/* Takes over `inner`, which counts into by->count and shares what it does, unless it fails; a trace
 * of `src`. It has parts if `inner` has. */
struct trc_sink *trc_by_sink(struct trc_by *by, struct trc_sink *inner,
                             const struct trc_source *src, struct trc_err *err) TRC_MUST_USE;
void trc_by_release(void *by);

/* Answers with those that have most misses of each cache; its picture is how much of all misses
 * these have. */
int trc_by_answer(struct trc_by *by, struct trc_answered *a, struct trc_err *err) TRC_MUST_USE;

#endif
