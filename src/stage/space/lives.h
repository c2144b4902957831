/* SPDX-License-Identifier: MIT
 *
 * Maps pids to tasks, because systems reuse pids: a pid that is forked (F) after it was forked or
 * exited (T) before is a new task, and the history of the old task is not attributed to it.
 */
#ifndef TRC_STAGE_SPACE_LIVES_H
#define TRC_STAGE_SPACE_LIVES_H

#include "base/map.h"

/* The tasks that have had each pid. */
struct trc_lives {
	/* Pid -> 1 + twice the number of tasks that had it before; no entry if no task of this pid
	 * began or ended. */
	struct trc_map map;
};

int trc_lives_init(struct trc_lives *l, struct trc_err *err) TRC_MUST_USE;
void trc_lives_release(struct trc_lives *l);

/* Returns the task that has `pid` now: the pid and, in the upper half, how many tasks had it
 * before. */
uint64_t trc_lives_task(const struct trc_lives *l, uint32_t pid);

/* Record that a task with this pid was forked, or that it exited. */
int trc_lives_begin(struct trc_lives *l, uint32_t pid, struct trc_err *err) TRC_MUST_USE;
int trc_lives_end(struct trc_lives *l, uint32_t pid, struct trc_err *err) TRC_MUST_USE;

/* Applies the kernel event `text`. */
int trc_lives_event(struct trc_lives *l, const char *text, struct trc_err *err) TRC_MUST_USE;

#endif
