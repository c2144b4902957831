/* SPDX-License-Identifier: MIT
 *
 * Shared by all reductions: the memories that they simulate, and the records that are still
 * pending.
 *
 * A memory is an LRU list of pages. There is one for the whole trace, or one for each group of
 * pages: of a space, or of a set of a cache. The records of all groups together are in order of
 * time. Pages and records are numbered from 1; 0 is none; numbers are reused.
 */
#ifndef TRC_STAGE_REDUCE_LRU_H
#define TRC_STAGE_REDUCE_LRU_H

#include "base/map.h"
#include "stage/stage.h"

enum { TRC_LRU_STEPS = 6, TRC_LRU_HINTS = 1024, TRC_LRU_PAGES_MOST = UINT32_MAX / 4 };

/* Neighbours in a list; record 0 and page 0 are its two ends. */
struct trc_links {
	uint32_t older, newer;
};

/* A reference that may still be dropped, or waits for older ones. */
struct trc_record {
	/* In the list of all records; in that of its group, if there is one. */
	struct trc_links all, group;

	/* The page in memory that may still change this record; 0: the record is final. */
	uint32_t page;
	uint32_t next; /* next record of the same page */
	uint64_t now;  /* its row number in the trace, from 1 */
	bool kept;
	uint8_t type;
	uint32_t asid, task;
	uint32_t pops; /* for SAD of a slice: struct trc_mark */
	uint64_t vpn, cpn, time, itime, rtime;

	/* Text of a kernel event, which waits for its turn; NULL: it is a reference. */
	char *event;
};

/* A page in memory, and its records. */
struct trc_lru_page {
	struct trc_links lru;
	uint32_t group, space;
	uint64_t page;
	uint32_t first, last, kept;   /* records */
	bool far;                     /* for OLR: `last` may be replaced */
	uint64_t now, before;         /* row numbers of the latest record, and of the */
	uint64_t clock, clock_before; /* record before it, and their times */
	uint64_t rtime;               /* of the latest reference, if SAD has groups */

	/* For SAD of a slice: further candidates for the record before the latest, from the second
	 * to the last, by number; whether one from before the slice may be one; and the number of
	 * candidates, including that. */
	uint32_t second, newest;
	bool outside;
	uint32_t queue;
};

/* A memory: of one space, of one set of a cache, or the only one. */
struct trc_group {
	struct trc_links lru; /* ends of the list: `newer` is the oldest page, `older` the newest */
	struct trc_links records; /* the same for its records */
	uint64_t pages;

	/* Row number of the last use of the page evicted last; 0: none was evicted. */
	uint64_t evicted;
	uint64_t fetched; /* row number of the last fetch, for SAD of a slice */

	/* For OLR: the row number of the last fault, the number of records after it, and the row
	 * number of the latest reference that is k + 1 steps from there. */
	uint64_t fault, since, step[TRC_LRU_STEPS];
};

/* All memories, with pages and records by number, as SAD and OLR use them. */
struct trc_lru {
	struct trc_scope scope;
	struct trc_map map;           /* page in memory -> its number */
	uint32_t hint[TRC_LRU_HINTS]; /* the numbers of some pages; 0: look in the map */
	struct trc_lru_page *page;
	size_t pages, page_cap;
	uint32_t spare_page; /* list of unused numbers, through lru.newer */
	struct trc_record *record;
	size_t records, record_cap;
	uint32_t spare_record;
	struct trc_group *group;
	size_t groups, group_cap;
	struct trc_map spaces; /* space -> its group */
	uint32_t last_space, last_group;
};

/* Refuses memories of more pages than can be numbered. */
int trc_lru_check(uint64_t pages, struct trc_err *err) TRC_MUST_USE;

int trc_lru_init(struct trc_lru *l, const struct trc_scope *scope,
                 struct trc_err *err) TRC_MUST_USE;
void trc_lru_release(struct trc_lru *l);

/* Returns the group of row `i`, making it if necessary; UINT32_MAX if memory runs out. */
uint32_t trc_lru_group(struct trc_lru *l, const struct trc_batch *in, size_t i,
                       struct trc_err *err) TRC_MUST_USE;

/* Adds a page of row `i` that is not in memory, as the newest of its group; returns 0 if memory
 * runs out. */
uint32_t trc_lru_add(struct trc_lru *l, uint32_t group, const struct trc_batch *in, size_t i,
                     struct trc_err *err) TRC_MUST_USE;
void trc_lru_remove(struct trc_lru *l, uint32_t page);

/* Adds row `i`, which may be an event, as the newest record; returns 0 if memory runs out. */
uint32_t trc_lru_append(struct trc_lru *l, const struct trc_batch *in, size_t i, uint64_t now,
                        struct trc_err *err) TRC_MUST_USE;

/* Takes a record out of the list of all records. */
void trc_lru_drop(struct trc_lru *l, uint32_t record);

/* Moves the oldest record to `b`. */
void trc_lru_emit(struct trc_lru *l, struct trc_batch *b);

static inline uint32_t
trc_lru_space(const struct trc_lru *l, const struct trc_batch *in, size_t i)
{
	return in->asid && !l->scope.canonical ? in->asid[i] : 0;
}

static inline uint64_t
trc_lru_name(const struct trc_lru *l, const struct trc_batch *in, size_t i)
{
	return l->scope.canonical ? in->cpn[i] : in->vpn[i];
}

/* Returns the page with this name; 0 if it is not in memory. */
uint32_t trc_lru_look_up(struct trc_lru *l, uint32_t space, uint64_t name);

/* Returns the page of row `i`; 0 if it is not in memory. */
static inline uint32_t
trc_lru_find(struct trc_lru *l, const struct trc_batch *in, size_t i)
{
	const uint32_t space = trc_lru_space(l, in, i);
	const uint64_t name = trc_lru_name(l, in, i);
	const uint32_t id = l->hint[name % TRC_LRU_HINTS];
	const struct trc_lru_page *x = &l->page[id];

	if (TRC_LIKELY(id && x->page == name && x->space == space))
		return id;
	return trc_lru_look_up(l, space, name);
}

/* Copies the columns of row `i`, except its type, to a record. */
static inline void
trc_lru_stamp(struct trc_record *x, const struct trc_batch *in, size_t i, uint64_t now)
{
	const uint64_t vpn = in->vpn[i], itime = in->itime[i], rtime = in->rtime[i];

	x->now = now;
	x->vpn = vpn;
	x->itime = itime;
	x->rtime = rtime;
	if (!(in->have & (TRC_HAS_TIME | TRC_HAS_ASID | TRC_HAS_TASK | TRC_HAS_CPN)))
		return;
	if (in->time)
		x->time = in->time[i];
	if (in->asid)
		x->asid = in->asid[i];
	if (in->task)
		x->task = in->task[i];
	if (in->cpn)
		x->cpn = in->cpn[i];
}

/* Makes a page the newest of its group. */
static inline void
trc_lru_touch(struct trc_lru *l, uint32_t id)
{
	struct trc_lru_page *x = &l->page[id];
	struct trc_group *g = &l->group[x->group];

	if (g->lru.older == id)
		return;
	if (x->lru.older)
		l->page[x->lru.older].lru.newer = x->lru.newer;
	else
		g->lru.newer = x->lru.newer;
	l->page[x->lru.newer].lru.older = x->lru.older;
	x->lru.older = g->lru.older;
	x->lru.newer = 0;
	l->page[g->lru.older].lru.newer = id;
	g->lru.older = id;
}

/* Makes a record the newest. */
static inline void
trc_lru_renew(struct trc_lru *l, uint32_t id)
{
	struct trc_record *x = &l->record[id], *end = &l->record[0];

	if (end->all.older == id)
		return;
	l->record[x->all.older].all.newer = x->all.newer;
	l->record[x->all.newer].all.older = x->all.older;
	x->all.older = end->all.older;
	x->all.newer = 0;
	l->record[end->all.older].all.newer = id;
	end->all.older = id;
}

#endif
