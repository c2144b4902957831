/* SPDX-License-Identifier: MIT
 *
 * Which task a pid is. Systems give out pids again: one that is forked (F) after it was forked or
 * exited (T) before is another task, and what happened to the first stays the first's.
 */
#ifndef TRC_STAGE_SPACE_LIVES_H
#define TRC_STAGE_SPACE_LIVES_H

#include "base/map.h"

/* Which tasks have had a pid: pids are used again. */
struct trc_lives {
	/* Pid -> 1 + twice the tasks that had it before; none if it neither began nor ended. */
	struct trc_map map;
};

int trc_lives_init(struct trc_lives *l, struct trc_err *err) TRC_MUST_USE;
void trc_lives_release(struct trc_lives *l);

/* The task that is called `pid` now: the pid, and in the upper half how many had it before. */
uint64_t trc_lives_task(const struct trc_lives *l, uint32_t pid);

/* A task called `pid` was forked; it exited. */
int trc_lives_begin(struct trc_lives *l, uint32_t pid, struct trc_err *err) TRC_MUST_USE;
int trc_lives_end(struct trc_lives *l, uint32_t pid, struct trc_err *err) TRC_MUST_USE;

/* Applies the kernel event `text`. */
int trc_lives_event(struct trc_lives *l, const char *text, struct trc_err *err) TRC_MUST_USE;

#endif
