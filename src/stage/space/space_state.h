/* SPDX-License-Identifier: MIT
 *
 * The state of address spaces, shared by the translation of pages (space.c), kernel events
 * (space_events.c) and the pages of objects (space_objects.c).
 */
#ifndef TRC_STAGE_SPACE_SPACE_STATE_H
#define TRC_STAGE_SPACE_SPACE_STATE_H

#include "stage/space/lives.h"
#include "stage/space/ranges.h"
#include "stage/space/recent.h"
#include "stage/space/tables.h"

/* A private copy of a page, made by a copy on write, that was not touched since. */
#define TRC_SPACES_FRESH UINT32_MAX

enum { TRC_NO_PLACE = 0 }; /* index of no space, task or object; real ones count from 1 */

/* An address space. */
struct trc_space {
	struct trc_page_table pages;
	struct trc_ranges ranges;
	uint32_t asid;
	uint32_t tasks; /* number of tasks that live in it */
	uint32_t owner; /* index of the task that its process began with */
	bool dead;      /* its last task has exited */
};

/* A task: a thread, or a process of one. */
struct trc_task {
	uint64_t id;      /* see trc_lives_task() */
	uint32_t space;   /* index of its space, or TRC_NO_PLACE */
	uint32_t process; /* index of the task that its process began with */
};

/* A file or a shared memory segment; space_objects.c handles its pages. */
struct trc_space_object {
	struct trc_page_table pages;
	struct trc_ranges runs; /* pages with consecutive numbers, which begin at `index` */
	struct trc_ranges read; /* pages that were read, so that they have numbers */
};

/* The state of a system at one moment of the trace. */
struct trc_spaces {
	unsigned bits;
	uint32_t running;
	bool runs;
	uint32_t numbers; /* number of canonical pages so far */
	uint32_t tables;  /* number of table ids assigned */

	struct trc_tables pages;
	struct trc_lives lives;
	struct trc_map by_asid, by_pid; /* (0, asid) -> index; (earlier tasks with that pid, pid) ->
	                                 * index */
	struct trc_map devices;         /* (major, minor) -> device, from 1 */
	struct trc_map by_inode;        /* (device, inode) or (0, shm) -> object */
	struct trc_space *space;
	struct trc_task *task;
	struct trc_space_object *object;
	size_t spaces, space_cap, tasks, task_cap, objects, object_cap;
	struct trc_page_table kernel; /* the kernel's own pages */
	struct trc_spaces_recent recent[TRC_SPACES_RECENT];
};

/* Returns the index that a map has for (space, key), or TRC_NO_PLACE. */
uint32_t trc_spaces_place(const struct trc_map *m, uint32_t space, uint64_t key);

/* Return the index of the space `asid`, of the task that has `pid` now, or of a file (device,
 * inode) or segment (0, number). Each is created if it does not exist, a task as a process of its
 * own; TRC_NO_PLACE if that fails. */
uint32_t trc_spaces_space(struct trc_spaces *s, uint32_t asid, struct trc_err *err) TRC_MUST_USE;
uint32_t trc_spaces_task(struct trc_spaces *s, uint32_t pid, struct trc_err *err) TRC_MUST_USE;
uint32_t trc_spaces_object(struct trc_spaces *s, uint32_t device, uint64_t inode,
                           struct trc_err *err) TRC_MUST_USE;

/* Removes recent translations of pages first to last of a space. */
void trc_spaces_forget(struct trc_spaces *s, uint32_t asid, uint64_t first, uint64_t last);

/* Remove pages first to last, or all pages, from a space. */
int trc_spaces_unmap(struct trc_spaces *s, struct trc_space *x, uint64_t first, uint64_t last,
                     struct trc_err *err) TRC_MUST_USE;
void trc_spaces_unmap_all(struct trc_spaces *s, struct trc_space *x);

/* Assigns `n` consecutive canonical numbers and returns the first; 0 if that fails. */
uint32_t trc_spaces_number(struct trc_spaces *s, uint64_t n, struct trc_err *err) TRC_MUST_USE;

/* Returns the number of a page of an object, assigning one if necessary; 0 if that fails. */
uint32_t trc_spaces_object_page(struct trc_spaces *s, uint32_t object, uint64_t index,
                                struct trc_err *err) TRC_MUST_USE;

/* Assigns numbers, in order, to those of the pages first to last of an object that have none. */
int trc_spaces_object_read(struct trc_spaces *s, uint32_t object, uint64_t first, uint64_t last,
                           struct trc_err *err) TRC_MUST_USE;

/* Removes the numbers of the pages of an object from `first` on. */
int trc_spaces_object_cut(struct trc_spaces *s, uint32_t object, uint64_t first,
                          struct trc_err *err) TRC_MUST_USE;

#endif
