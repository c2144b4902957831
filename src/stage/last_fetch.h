/* SPDX-License-Identifier: MIT
 *
 * The instruction of a reference in a trace without column pc: what its task fetched last. Zeroed
 * memory may be released.
 */
#ifndef TRC_STAGE_LAST_FETCH_H
#define TRC_STAGE_LAST_FETCH_H

#include "base/map.h"
#include "batch/batch.h"

/* Columns that have fetches and where they are. */
enum { TRC_LAST_FETCH_NEEDS = TRC_HAS_TYPE | TRC_HAS_ADDR };

static inline bool
trc_last_fetch_shows(uint32_t have)
{
	return (have & TRC_LAST_FETCH_NEEDS) == TRC_LAST_FETCH_NEEDS;
}

/* What each task fetched last. */
struct trc_last_fetch {
	struct trc_last_fetch_task {
		uint32_t task;
		uint64_t pc;
	} * task;
	size_t n; /* tasks that fetched */

	/* Private. */
	size_t cap;
	uint32_t recent;   /* place of the task that was looked for last, if n > 0 */
	struct trc_map at; /* task -> its place */
};

int trc_last_fetch_init(struct trc_last_fetch *l, struct trc_err *err) TRC_MUST_USE;
void trc_last_fetch_release(struct trc_last_fetch *l);

/* The task fetched at `pc`. */
int trc_last_fetch_set(struct trc_last_fetch *l, uint32_t task, uint64_t pc,
                       struct trc_err *err) TRC_MUST_USE;

/* Where it did last, or NULL: nowhere yet. */
const uint64_t *trc_last_fetch_of(struct trc_last_fetch *l, uint32_t task);

/* Finds *pc of row `i`, which has columns TRC_LAST_FETCH_NEEDS, and notes where that fetches. 1: it
 * is known; 0: it is not, and *pc is 0; -1: no memory. Rows come once, in order. */
int trc_last_fetch_row(struct trc_last_fetch *l, const struct trc_batch *b, size_t i, uint64_t *pc,
                       struct trc_err *err) TRC_MUST_USE;

#endif
