/* SPDX-License-Identifier: MIT */
#include "cmd/record/executed.h"

#include <stdlib.h>
#include <string.h>

#include "base/map_find.h"
#include "stage/wrap.h"

/* What a key of trc_executed.at is. */
enum { PID, SPACE };

/* The source. */
struct watch {
	struct trc_wrap wrap;
	struct trc_executed *all;
	size_t last; /* index of the space of the last fetch */
};

int
trc_executed_init(struct trc_executed *x, struct trc_err *err)
{
	*x = (struct trc_executed){ .n = 0 };
	if (trc_lives_init(&x->lives, err))
		return -1;
	if (trc_map_init(&x->at, err) == 0)
		return 0;
	trc_lives_release(&x->lives);
	return -1;
}

void
trc_executed_release(struct trc_executed *x)
{
	for (size_t i = 0; i < x->n; i++)
		trc_record_mapped_release(&x->space[i].mapped);
	free(x->space);
	trc_map_release(&x->at);
	trc_lives_release(&x->lives);
}

/* Returns the space of a pid, or of a space's number; NULL if it is unknown. */
static struct trc_executed_space *
find_space(const struct trc_executed *x, uint32_t kind, uint64_t key)
{
	const uint32_t at = trc_map_find(&x->at, kind, key)->value;

	return at == TRC_MAP_NONE ? NULL : &x->space[at];
}

static int
set(struct trc_executed *x, uint32_t kind, uint64_t key, size_t at, struct trc_err *err)
{
	struct trc_map_entry *e = trc_map_find(&x->at, kind, key);

	if (e->value == TRC_MAP_NONE)
		return trc_map_add(&x->at, kind, key, (uint32_t)at, err);
	e->value = (uint32_t)at;
	return 0;
}

/* Gives a process a space. That of the program which executed this one has no mappings any more. */
static int
add_space(struct trc_executed *x, uint32_t pid, uint32_t space, struct trc_err *err)
{
	const uint64_t process = trc_lives_task(&x->lives, pid);
	struct trc_executed_space *before = find_space(x, PID, pid);

	if (before && before->process == process)
		trc_record_mapped_clear(&before->mapped);
	if (trc_grow(&x->space, &x->cap, x->n + 1, sizeof(*x->space), err))
		return -1;
	x->space[x->n] = (struct trc_executed_space){ .space = space, .process = process };
	x->n++;
	return set(x, PID, pid, x->n - 1, err) || set(x, SPACE, space, x->n - 1, err) ? -1 : 0;
}

/* A forked task shares the space of its parent, until it gets its own. */
static int
add_task(struct trc_executed *x, uint32_t pid, uint32_t parent, struct trc_err *err)
{
	const struct trc_executed_space *of = find_space(x, PID, parent);

	return of ? set(x, PID, pid, (size_t)(of - x->space), err) : 0;
}

static int
duplicate(struct trc_executed *x, uint32_t from, uint32_t to, struct trc_err *err)
{
	const struct trc_executed_space *a = find_space(x, SPACE, from);
	struct trc_executed_space *b = find_space(x, SPACE, to);

	return a && b ? trc_record_mapped_copy(&b->mapped, &a->mapped, err) : 0;
}

static int
take_event(struct trc_executed *x, const char *text, struct trc_err *err)
{
	struct trc_executed_space *of;
	struct trc_event e;

	if (!strchr("ADFMTU@msu", *text))
		return 0;
	if (trc_event_parse(&e, text, err) || trc_lives_event(&x->lives, text, err))
		return -1;
	switch (e.tag) {
	case 'A': return add_space(x, (uint32_t)e.field[0], (uint32_t)e.field[1], err);
	case 'D': return duplicate(x, (uint32_t)e.field[0], (uint32_t)e.field[1], err);
	case 'F': return add_task(x, (uint32_t)e.field[0], (uint32_t)e.field[1], err);
	case 'T': return 0;
	}
	of = find_space(x, e.tag == 'u' ? SPACE : PID, e.field[0]);
	if (of && e.tag == 'u')
		trc_record_mapped_clear(&of->mapped);
	return of && e.tag != 'u' ? trc_record_mapped_event(&of->mapped, &e, err) : 0;
}

static int
take_fetch(struct watch *w, uint32_t space, uint64_t pc, struct trc_err *err)
{
	const struct trc_executed *x = w->all;
	const struct trc_executed_space *of;

	if (w->last >= x->n || x->space[w->last].space != space) {
		of = find_space(x, SPACE, space);
		if (!of)
			return 0;
		w->last = (size_t)(of - x->space);
	}
	return trc_record_mapped_fetch(&x->space[w->last].mapped, pc, err);
}

static enum trc_flow
watch_next(struct trc_source *src, struct trc_batch *b, struct trc_err *err)
{
	struct watch *w = (struct watch *)src;
	const enum trc_flow flow = trc_wrap_next(&w->wrap, b, err);

	for (size_t i = 0; flow == TRC_FLOW_ROWS && i < b->n; i++)
		if (trc_batch_is_event(b, i) ?
		            take_event(w->all, trc_batch_event(b, i), err) :
		            b->type[i] == TRC_FETCH && take_fetch(w, b->asid[i], b->addr[i], err))
			return TRC_FLOW_FAILED;
	return flow;
}

struct trc_source *
trc_executed_watch(struct trc_source *from, struct trc_executed *x, struct trc_err *err)
{
	struct watch *w = trc_wrap_pass(sizeof(*w), from, watch_next, err);

	if (!w)
		return NULL;
	w->all = x;
	return &w->wrap.src;
}
