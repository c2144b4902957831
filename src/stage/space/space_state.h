/* SPDX-License-Identifier: MIT
 *
 * The state of spaces: what translating pages (space.c), kernel events (space_events.c) and the
 * pages of objects (space_objects.c) share.
 */
#ifndef TRC_STAGE_SPACE_SPACE_STATE_H
#define TRC_STAGE_SPACE_SPACE_STATE_H

#include "stage/space/lives.h"
#include "stage/space/ranges.h"
#include "stage/space/recent.h"
#include "stage/space/tables.h"

/* A page of its own, by a copy on write, that was not touched since. */
#define TRC_SPACES_FRESH UINT32_MAX

enum { TRC_NO_PLACE = 0 }; /* of spaces, tasks and objects, which count from 1 */

/* An address space. */
struct trc_space {
	struct trc_page_table pages;
	struct trc_ranges ranges;
	uint32_t asid;
	uint32_t tasks; /* that live in it */
	uint32_t owner; /* place of the task that its process began with */
	bool dead;      /* the last of its tasks exited */
};

/* A task: a thread, or a process of one. */
struct trc_task {
	uint64_t id;      /* as of trc_lives_task() */
	uint32_t space;   /* place of it, or TRC_NO_PLACE */
	uint32_t process; /* place of the task that its process began with */
};

/* A file or a segment of shared memory; space_objects.c keeps its pages. */
struct trc_object {
	struct trc_page_table pages;
	struct trc_ranges runs; /* pages whose numbers follow each other, from index on */
	struct trc_ranges read; /* pages that were read, and so have numbers */
};

/* The state of a system at one moment of its trace. */
struct trc_spaces {
	unsigned bits;
	uint32_t running;
	bool runs;
	uint32_t numbers; /* handed out */
	uint32_t tables;  /* ids of tables given */

	struct trc_tables pages;
	struct trc_lives lives;
	struct trc_map by_asid, by_pid; /* (0, number), (tasks of that pid before, pid) -> place */
	struct trc_map devices;         /* (major, minor) -> device, from 1 */
	struct trc_map by_inode;        /* (device, inode), (0, shm) -> object */
	struct trc_space *space;
	struct trc_task *task;
	struct trc_object *object;
	size_t spaces, space_cap, tasks, task_cap, objects, object_cap;
	struct trc_page_table kernel; /* pages of the kernel's own */
	struct trc_spaces_recent recent[TRC_SPACES_RECENT];
};

/* The place that a map has for (space, key); none if it has no such key. */
uint32_t trc_spaces_place(const struct trc_map *m, uint32_t space, uint64_t key);

/* The place of the space called `asid`, of the task called `pid` now, of a file (device, inode) or
 * segment (0, number): made if there is none; none if that fails. A task is made as a process. */
uint32_t trc_spaces_space(struct trc_spaces *s, uint32_t asid, struct trc_err *err) TRC_MUST_USE;
uint32_t trc_spaces_task(struct trc_spaces *s, uint32_t pid, struct trc_err *err) TRC_MUST_USE;
uint32_t trc_spaces_object(struct trc_spaces *s, uint32_t device, uint64_t inode,
                           struct trc_err *err) TRC_MUST_USE;

/* Forgets the last translations of pages first to last of a space. */
void trc_spaces_forget(struct trc_spaces *s, uint32_t asid, uint64_t first, uint64_t last);

/* Takes pages first to last, or all, out of a space. */
int trc_spaces_unmap(struct trc_spaces *s, struct trc_space *x, uint64_t first, uint64_t last,
                     struct trc_err *err) TRC_MUST_USE;
void trc_spaces_unmap_all(struct trc_spaces *s, struct trc_space *x);

/* Hands out `n` canonical numbers that follow each other: the first; 0 if that fails. */
uint32_t trc_spaces_number(struct trc_spaces *s, uint64_t n, struct trc_err *err) TRC_MUST_USE;

/* The number of a page of an object, handed out if it has none; 0 if that fails. */
uint32_t trc_spaces_object_page(struct trc_spaces *s, uint32_t object, uint64_t index,
                                struct trc_err *err) TRC_MUST_USE;

/* Hands out numbers to pages first to last of an object, in order, where they have none. */
int trc_spaces_object_read(struct trc_spaces *s, uint32_t object, uint64_t first, uint64_t last,
                           struct trc_err *err) TRC_MUST_USE;

/* Pages of an object from `first` on have numbers no more. */
int trc_spaces_object_cut(struct trc_spaces *s, uint32_t object, uint64_t first,
                          struct trc_err *err) TRC_MUST_USE;

#endif
