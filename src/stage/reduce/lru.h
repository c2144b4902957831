/* SPDX-License-Identifier: MIT
 *
 * What reductions share: the memories that they simulate, and the records that they have not yet
 * let go.
 *
 * A memory is an LRU list of pages. There is one for the whole trace, or one for each group of
 * pages: of a space, or of a set of a cache. Records, of all groups together, are in order of
 * time. Pages and records are numbered from 1, and 0 is none; a number is used again.
 */
#ifndef TRC_STAGE_REDUCE_LRU_H
#define TRC_STAGE_REDUCE_LRU_H

#include "base/map.h"
#include "stage/stage.h"

enum { TRC_LRU_STEPS = 6, TRC_LRU_HINTS = 1024, TRC_LRU_PAGES_MOST = UINT32_MAX / 4 };

/* Of a list: record 0 and page 0 are its two ends. */
struct trc_links {
	uint32_t older, newer;
};

/* A reference that may still be dropped, or waits for older ones. */
struct trc_record {
	struct trc_links all, group; /* records of all groups; of its own, where that is kept */
	uint32_t page; /* the page in memory that may still change this record; 0: final */
	uint32_t next; /* of the same page */
	uint64_t now;  /* place in the trace, from 1 */
	bool kept;
	uint8_t type;
	uint32_t asid, task;
	uint32_t pops; /* for SAD of a part: struct trc_mark */
	uint64_t vpn, cpn, time, itime, rtime;
	char *event; /* the text of a kernel event, which waits for its turn; NULL: a reference */
};

/* A page in memory, with its records. */
struct trc_lru_page {
	struct trc_links lru;
	uint32_t group, space;
	uint64_t page;
	uint32_t first, last, kept;   /* records */
	bool far;                     /* for OLR: `last` may be replaced */
	uint64_t now, before;         /* places in the trace: of the latest reference, and of the */
	uint64_t clock, clock_before; /* record before it, and their times */
	uint64_t rtime;               /* of the latest reference, if SAD has groups */

	/* For SAD of a part: other records that may be the one before, from the second to the last,
	 * by number; whether one of those before the part may be; how many that makes, with it. */
	uint32_t second, newest;
	bool outside;
	uint32_t queue;
};

/* A memory: that of one space, of one set of a cache, or the only one. */
struct trc_group {
	struct trc_links lru;     /* oldest and newest page, as `newer` and `older` of their end */
	struct trc_links records; /* the same of its records */
	uint64_t pages;
	uint64_t evicted; /* `now` of what was used last of the last page evicted; 0: none was */
	uint64_t fetched; /* `now` of the last page that came, for SAD of a part */

	/* For OLR: `now` of the last fault, how many records are behind it, and `now` of the latest
	 * reference that is k + 1 steps from there. */
	uint64_t fault, behind, step[TRC_LRU_STEPS];
};

/* All memories, with pages and records by number; what SAD and OLR share. */
struct trc_lru {
	struct trc_scope scope;
	struct trc_map map;           /* page in memory -> its number */
	uint32_t hint[TRC_LRU_HINTS]; /* the same, of few pages; 0: look in the map */
	struct trc_lru_page *page;
	size_t pages, page_cap;
	uint32_t spare_page; /* list, through lru.newer, of numbers that are not in use */
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

/* The group of row `i`, made if it is new; UINT32_MAX if there is no memory. */
uint32_t trc_lru_group(struct trc_lru *l, const struct trc_batch *in, size_t i,
                       struct trc_err *err) TRC_MUST_USE;

/* A page of row `i` that is not in memory, as the newest of its group; 0 if there is no memory. */
uint32_t trc_lru_add(struct trc_lru *l, uint32_t group, const struct trc_batch *in, size_t i,
                     struct trc_err *err) TRC_MUST_USE;
void trc_lru_remove(struct trc_lru *l, uint32_t page);

/* Row `i`, which may be an event, as the newest record; 0 if there is no memory. */
uint32_t trc_lru_append(struct trc_lru *l, const struct trc_batch *in, size_t i, uint64_t now,
                        struct trc_err *err) TRC_MUST_USE;

/* Takes a record out of the list of all. */
void trc_lru_drop(struct trc_lru *l, uint32_t record);

/* Moves the oldest record out into `b`. */
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

/* The page of this name; 0 if it is not in memory. */
uint32_t trc_lru_look_up(struct trc_lru *l, uint32_t space, uint64_t name);

/* The page of row `i`. */
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

/* Gives a record what row `i` has besides its type. */
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
