/* SPDX-License-Identifier: MIT
 *
 * Pairs of LRU memories of r pages, one for a trace and one for its reduced form; one pair for all
 * spaces, or one for each.
 */
#ifndef TRC_STAGE_REDUCE_LRU_PAIRS_H
#define TRC_STAGE_REDUCE_LRU_PAIRS_H

#include "stage/simulate/pages.h"
#include "stage/stage.h"

#define TRC_LRU_NOBODY UINT32_MAX

enum trc_lru_side { TRC_LRU_ORIGINAL, TRC_LRU_REDUCED, TRC_LRU_SIDES };

/* The position of a page in one of the two memories. */
struct trc_lru_pairs_place {
	uint32_t older, newer;
	bool in, dirty;
};

/* A page, with its position in both memories. */
struct trc_lru_pairs_page {
	uint64_t number; /* virtual or canonical page */
	uint32_t space;
	bool seen; /* occurred in the original */
	struct trc_lru_pairs_place place[TRC_LRU_SIDES];
};

/* An LRU memory of r pages: the ends of its list, and how many it holds. */
struct trc_lru_pairs_memory {
	uint32_t oldest, newest;
	uint64_t n;
};

/* The memories of one space, or of all. */
struct trc_lru_pair {
	uint32_t space;
	struct trc_lru_pairs_memory of[TRC_LRU_SIDES];
};

/* The effect of a reference on a memory. */
struct trc_lru_pairs_event {
	bool fault, dirty; /* dirty: the victim was dirty */
	uint32_t victim;   /* TRC_LRU_NOBODY: there was no victim */
};

/* All pairs. A zeroed struct may be released. */
struct trc_lru_pairs {
	uint64_t r;
	struct trc_scope scope;

	struct trc_pages pages;
	struct trc_lru_pairs_page *page; /* by number */
	size_t known, cap;               /* pages with an entry; room */
	struct trc_lru_pair *pair;
	size_t n, pairs_cap;
	struct trc_map map; /* space -> its pair */
};

int trc_lru_pairs_init(struct trc_lru_pairs *t, uint64_t r, const struct trc_scope *scope,
                       struct trc_err *err) TRC_MUST_USE;
void trc_lru_pairs_release(struct trc_lru_pairs *t);

/* Numbers `n` pages of these spaces (NULL: of one), and initialises the entries of new ones. */
int trc_lru_pairs_number(struct trc_lru_pairs *t, const uint64_t *page, const uint32_t *space,
                         size_t n, uint32_t *id, struct trc_err *err) TRC_MUST_USE;

/* Returns the pair of a space; NULL if there are too many. */
struct trc_lru_pair *trc_lru_pairs_of(struct trc_lru_pairs *t, uint32_t space, struct trc_err *err);

static inline void
trc_lru_pairs_take_out(struct trc_lru_pairs *t, struct trc_lru_pairs_memory *m,
                       enum trc_lru_side side, uint32_t id)
{
	const struct trc_lru_pairs_place *p = &t->page[id].place[side];

	*(p->older == TRC_LRU_NOBODY ? &m->oldest :
	                               &t->page[p->older].place[side].newer) = p->newer;
	*(p->newer == TRC_LRU_NOBODY ? &m->newest :
	                               &t->page[p->newer].place[side].older) = p->older;
	m->n--;
}

static inline void
trc_lru_pairs_put_in(struct trc_lru_pairs *t, struct trc_lru_pairs_memory *m,
                     enum trc_lru_side side, uint32_t id)
{
	struct trc_lru_pairs_place *p = &t->page[id].place[side];

	p->older = m->newest;
	p->newer = TRC_LRU_NOBODY;
	*(m->newest == TRC_LRU_NOBODY ? &m->oldest : &t->page[m->newest].place[side].newer) = id;
	m->newest = id;
	m->n++;
}

/* Evicts the least recently used page. */
static inline void
trc_lru_pairs_evict(struct trc_lru_pairs *t, struct trc_lru_pairs_memory *m, enum trc_lru_side side)
{
	struct trc_lru_pairs_place *p = &t->page[m->oldest].place[side];

	trc_lru_pairs_take_out(t, m, side, m->oldest);
	p->in = p->dirty = false;
}

/* Refers to a page. */
static inline struct trc_lru_pairs_event
trc_lru_pairs_refer(struct trc_lru_pairs *t, struct trc_lru_pair *pair, enum trc_lru_side side,
                    uint32_t id, bool write)
{
	struct trc_lru_pairs_memory *m = &pair->of[side];
	struct trc_lru_pairs_place *p = &t->page[id].place[side];
	struct trc_lru_pairs_event e = { .victim = TRC_LRU_NOBODY };

	if (m->newest == id) {
		p->dirty |= write;
		return e;
	}
	if (p->in) {
		trc_lru_pairs_take_out(t, m, side, id);
	} else {
		e.fault = true;
		if (m->n == t->r) {
			e.victim = m->oldest;
			e.dirty = t->page[m->oldest].place[side].dirty;
			trc_lru_pairs_evict(t, m, side);
		}
	}
	trc_lru_pairs_put_in(t, m, side, id);
	p->in = true;
	p->dirty |= write;
	return e;
}

/* Deletes a page. */
static inline void
trc_lru_pairs_delete(struct trc_lru_pairs *t, struct trc_lru_pair *pair, enum trc_lru_side side,
                     uint32_t id)
{
	struct trc_lru_pairs_place *p = &t->page[id].place[side];

	if (p->in)
		trc_lru_pairs_take_out(t, &pair->of[side], side, id);
	p->in = p->dirty = false;
}

#endif
