/* SPDX-License-Identifier: MIT */
#include "stage/reduce/lru.h"
#include "base/map_find.h"

#include <stdlib.h>

int
trc_lru_check(uint64_t pages, struct trc_err *err)
{
	if (pages <= TRC_LRU_PAGES_MOST)
		return 0;
	return trc_fail_as(err, TRC_USAGE, "a simulated memory has 1 to %d pages, not %llu",
	                   TRC_LRU_PAGES_MOST, (ull)pages);
}

int
trc_lru_init(struct trc_lru *l, const struct trc_scope *scope, struct trc_err *err)
{
	*l = (struct trc_lru){ .scope = *scope };
	if (trc_map_init(&l->map, err) || trc_map_init(&l->spaces, err) ||
	    trc_grow(&l->page, &l->page_cap, 1, sizeof(*l->page), err) ||
	    trc_grow(&l->group, &l->group_cap, scope->sets ? (size_t)scope->sets : 1,
	             sizeof(*l->group), err) ||
	    trc_grow(&l->record, &l->record_cap, 1, sizeof(*l->record), err)) {
		trc_lru_release(l);
		return -1;
	}
	l->page[0] = (struct trc_lru_page){ 0 };
	l->record[0] = (struct trc_record){ 0 };
	l->pages = l->records = 1;
	if (!scope->by_space)
		l->groups = scope->sets ? (size_t)scope->sets : 1;
	memset(l->group, 0, l->group_cap * sizeof(*l->group));
	return 0;
}

void
trc_lru_release(struct trc_lru *l)
{
	trc_map_release(&l->map);
	trc_map_release(&l->spaces);
	for (uint32_t id = l->record ? l->record[0].all.newer : 0; id; id = l->record[id].all.newer)
		free(l->record[id].event);
	free(l->page);
	free(l->record);
	free(l->group);
	*l = (struct trc_lru){ 0 };
}

static uint32_t
group_of_space(struct trc_lru *l, uint32_t space, struct trc_err *err)
{
	const struct trc_map_entry *e = trc_map_find(&l->spaces, space, 0);

	if (l->groups == 0 || e->value == TRC_MAP_NONE) {
		if (trc_grow(&l->group, &l->group_cap, l->groups + 1, sizeof(*l->group), err) ||
		    trc_map_add(&l->spaces, space, 0, (uint32_t)l->groups, err))
			return UINT32_MAX;
		l->group[l->groups] = (struct trc_group){ 0 };
		l->last_group = (uint32_t)l->groups++;
	} else {
		l->last_group = e->value;
	}
	l->last_space = space;
	return l->last_group;
}

uint32_t
trc_lru_group(struct trc_lru *l, const struct trc_batch *in, size_t i, struct trc_err *err)
{
	const uint32_t space = in->asid ? in->asid[i] : 0;

	if (l->scope.sets)
		return (uint32_t)(in->vpn[i] & (l->scope.sets - 1));
	if (!l->scope.by_space)
		return 0;
	if (l->groups > 0 && l->last_space == space)
		return l->last_group;
	return group_of_space(l, space, err);
}

uint32_t
trc_lru_look_up(struct trc_lru *l, uint32_t space, uint64_t name)
{
	const struct trc_map_entry *e = trc_map_find(&l->map, space, name);

	if (e->value == TRC_MAP_NONE)
		return 0;
	l->hint[name % TRC_LRU_HINTS] = e->value;
	return e->value;
}

uint32_t
trc_lru_add(struct trc_lru *l, uint32_t group, const struct trc_batch *in, size_t i,
            struct trc_err *err)
{
	const uint32_t space = trc_lru_space(l, in, i);
	const uint64_t name = trc_lru_name(l, in, i);
	struct trc_group *g = &l->group[group];
	uint32_t id = l->spare_page;

	if (id) {
		l->spare_page = l->page[id].lru.newer;
	} else {
		if (trc_grow(&l->page, &l->page_cap, l->pages + 1, sizeof(*l->page), err))
			return 0;
		id = (uint32_t)l->pages++;
	}
	if (trc_map_add(&l->map, space, name, id, err))
		return 0;
	l->page[id] = (struct trc_lru_page){
		.lru = { .older = g->lru.older }, .group = group, .space = space, .page = name
	};
	if (g->lru.older)
		l->page[g->lru.older].lru.newer = id;
	else
		g->lru.newer = id;
	g->lru.older = id;
	g->pages++;
	return id;
}

void
trc_lru_remove(struct trc_lru *l, uint32_t id)
{
	struct trc_lru_page *x = &l->page[id];
	struct trc_group *g = &l->group[x->group];

	if (x->lru.older)
		l->page[x->lru.older].lru.newer = x->lru.newer;
	else
		g->lru.newer = x->lru.newer;
	if (x->lru.newer)
		l->page[x->lru.newer].lru.older = x->lru.older;
	else
		g->lru.older = x->lru.older;
	g->pages--;
	if (l->hint[x->page % TRC_LRU_HINTS] == id)
		l->hint[x->page % TRC_LRU_HINTS] = 0;
	trc_map_remove(&l->map, x->space, x->page);
	x->lru.newer = l->spare_page;
	l->spare_page = id;
}

uint32_t
trc_lru_append(struct trc_lru *l, const struct trc_batch *in, size_t i, uint64_t now,
               struct trc_err *err)
{
	uint32_t id = l->spare_record;
	struct trc_record *x, *end;
	char *event = NULL;

	if (trc_batch_is_event(in, i)) {
		event = trc_strdup(trc_batch_event(in, i), err);
		if (!event)
			return 0;
	}
	if (id) {
		l->spare_record = l->record[id].all.newer;
	} else if (trc_grow(&l->record, &l->record_cap, l->records + 1, sizeof(*l->record), err)) {
		free(event);
		return 0;
	} else {
		id = (uint32_t)l->records++;
	}
	x = &l->record[id];
	end = &l->record[0];
	x->all = (struct trc_links){ end->all.older, 0 };
	x->page = x->next = x->pops = 0;
	x->type = in->type[i];
	x->kept = event != NULL;
	x->event = event;
	l->record[end->all.older].all.newer = id;
	end->all.older = id;
	trc_lru_stamp(x, in, i, now);
	return id;
}

void
trc_lru_drop(struct trc_lru *l, uint32_t id)
{
	struct trc_record *x = &l->record[id];

	l->record[x->all.older].all.newer = x->all.newer;
	l->record[x->all.newer].all.older = x->all.older;
	x->all.newer = l->spare_record;
	l->spare_record = id;
}

void
trc_lru_emit(struct trc_lru *l, struct trc_batch *b)
{
	const uint32_t id = l->record[0].all.newer;
	const struct trc_record *x = &l->record[id];
	const size_t n = b->n++;

	b->type[n] = x->type;
	b->vpn[n] = x->vpn;
	b->itime[n] = x->itime;
	b->rtime[n] = x->rtime;
	if (b->time)
		b->time[n] = x->time;
	if (b->asid)
		b->asid[n] = x->asid;
	if (b->task)
		b->task[n] = x->task;
	if (b->cpn)
		b->cpn[n] = x->cpn;
	if (b->event)
		b->event[n] = 0;
	if (x->event)
		trc_batch_put_event(b, n, x->event, strlen(x->event));
	free(x->event);
	trc_lru_drop(l, id);
}
