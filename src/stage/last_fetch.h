/* SPDX-License-Identifier: MIT
 *
 * The instruction of a reference in a trace without column pc: the last fetch of its task. A zeroed
 * struct can be released.
 */
#ifndef TRC_STAGE_LAST_FETCH_H
#define TRC_STAGE_LAST_FETCH_H

#include "base/map.h"
#include "batch/batch.h"

/* The columns that identify fetches and their addresses. */
enum { TRC_LAST_FETCH_NEEDS = TRC_HAS_TYPE | TRC_HAS_ADDR };

static inline bool
trc_last_fetch_shows(uint32_t have)
{
	return (have & TRC_LAST_FETCH_NEEDS) == TRC_LAST_FETCH_NEEDS;
}

/* The last fetch of each task. */
struct trc_last_fetch {
	struct trc_last_fetch_task {
		uint32_t task;
		uint64_t pc;
	} * task;
	size_t n; /* number of tasks with a fetch */

	/* Private. */
	size_t cap;
	uint32_t recent;   /* entry of the task found last, if n > 0 */
	struct trc_map at; /* task -> its entry */
};

int trc_last_fetch_init(struct trc_last_fetch *l, struct trc_err *err) TRC_MUST_USE;
void trc_last_fetch_release(struct trc_last_fetch *l);

/* Records that the task fetched at `pc`. */
int trc_last_fetch_set(struct trc_last_fetch *l, uint32_t task, uint64_t pc,
                       struct trc_err *err) TRC_MUST_USE;

/* Returns the last fetch of a task, or NULL if it has none yet. */
const uint64_t *trc_last_fetch_of(struct trc_last_fetch *l, uint32_t task);

/* Finds *pc of row `i`, which has the columns TRC_LAST_FETCH_NEEDS, and records the row if it is a
 * fetch. Returns 1 if the pc is known; 0 if it is not, and *pc is 0; -1 if out of memory. Rows
 * must be passed once, in order. */
int trc_last_fetch_row(struct trc_last_fetch *l, const struct trc_batch *b, size_t i, uint64_t *pc,
                       struct trc_err *err) TRC_MUST_USE;

#endif
