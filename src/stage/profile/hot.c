/* SPDX-License-Identifier: MIT */
#include "stage/profile/hot.h"

#include <stdlib.h>

#include "base/map.h"

/* The sink. */
struct hot_sink {
	struct trc_sink sink;
	struct trc_hot *hot;
	struct trc_map map; /* space and key -> entry */
	enum trc_hot_by by;
	unsigned bits;
	struct trc_map pcs; /* task -> entry of `pc`, where instructions are known by fetches */
	uint64_t *pc;
	size_t tasks, tasks_cap;
};

uint64_t
trc_hot_refs(const struct trc_hot_entry *e)
{
	return e->reads + e->writes + e->fetches;
}

static struct trc_hot_entry *
find(struct hot_sink *s, uint32_t space, uint64_t key, struct trc_err *err)
{
	struct trc_hot *h = s->hot;
	const uint32_t at = trc_map_find(&s->map, space, key)->value;

	if (at != TRC_MAP_NONE)
		return &h->entry[at];
	if (h->n >= TRC_MAP_NONE) {
		trc_fail(err, "more different ones than 32 bits can count");
		return NULL;
	}
	if (trc_grow(&h->entry, &h->cap, h->n + 1, sizeof(*h->entry), err) ||
	    trc_map_add(&s->map, space, key, (uint32_t)h->n, err))
		return NULL;
	h->entry[h->n] = (struct trc_hot_entry){ .space = space, .key = key };
	return &h->entry[h->n++];
}

/* The last instruction of a task. */
static uint64_t *
pc_of(struct hot_sink *s, uint32_t task, struct trc_err *err)
{
	const uint32_t at = trc_map_find(&s->pcs, 0, task)->value;

	if (at != TRC_MAP_NONE)
		return &s->pc[at];
	if (trc_grow(&s->pc, &s->tasks_cap, s->tasks + 1, sizeof(*s->pc), err) ||
	    trc_map_add(&s->pcs, 0, task, (uint32_t)s->tasks, err))
		return NULL;
	s->pc[s->tasks] = 0;
	return &s->pc[s->tasks++];
}

/* The instruction of row `i`. */
static int
instruction(struct hot_sink *s, const struct trc_batch *b, size_t i, uint8_t type, uint64_t *key,
            struct trc_err *err)
{
	uint64_t *pc;

	if (type == TRC_FETCH && b->addr) {
		*key = b->addr[i];
		if (b->pc)
			return 0;
	} else if (b->pc) {
		*key = b->pc[i];
		return 0;
	}
	pc = pc_of(s, b->task ? b->task[i] : 0, err);
	if (!pc)
		return -1;
	*pc = type == TRC_FETCH ? *key : *pc;
	*key = *pc;
	return 0;
}

static int
key_of(struct hot_sink *s, const struct trc_batch *b, size_t i, uint8_t type, uint32_t *space,
       uint64_t *key, struct trc_err *err)
{
	*space = b->asid ? b->asid[i] : 0;
	switch (s->by) {
	case TRC_HOT_PC: return instruction(s, b, i, type, key, err);
	case TRC_HOT_PAGE: *key = b->addr ? b->addr[i] >> s->bits : b->vpn[i]; return 0;
	default:
		*key = s->by == TRC_HOT_TASK ? b->task[i] : s->by == TRC_HOT_SPACE ? *space : type;
		*space = 0;
		return 0;
	}
}

static void
stride(struct trc_hot_entry *e, uint64_t address)
{
	const int64_t step = (int64_t)(address - e->last);
	const uint64_t before = e->reads + e->writes;

	e->regular += before >= 2 && step == e->stride;
	e->stride = before >= 1 ? step : 0;
	e->last = address;
}

static int
hot_put(struct trc_sink *sink, const struct trc_batch *b, struct trc_err *err)
{
	struct hot_sink *s = (struct hot_sink *)sink;

	for (size_t i = 0; i < b->n; i++) {
		const uint8_t type = (b->type ? b->type[i] : TRC_READ) & TRC_TYPE_MASK;
		struct trc_hot_entry *e;
		uint32_t space;
		uint64_t key = 0;

		if (trc_batch_is_event(b, i) || trc_type_refs(type) == 0)
			continue;
		if (key_of(s, b, i, type, &space, &key, err))
			return -1;
		e = find(s, space, key, err);
		if (!e)
			return -1;
		if (s->by == TRC_HOT_PC && type != TRC_FETCH)
			stride(e, b->addr ? b->addr[i] : b->vpn[i]);
		e->fetches += type == TRC_FETCH;
		e->writes += type == TRC_WRITE || type == TRC_MODIFY;
		e->reads += type == TRC_READ || type == TRC_MODIFY || type == TRC_MISC;
		s->hot->refs += trc_type_refs(type);
	}
	return 0;
}

static int
by_refs(const void *a, const void *b)
{
	const struct trc_hot_entry *x = a, *y = b;
	const uint64_t m = trc_hot_refs(x), n = trc_hot_refs(y);

	if (m != n)
		return m > n ? -1 : 1;
	if (x->space != y->space)
		return x->space < y->space ? -1 : 1;
	return x->key < y->key ? -1 : x->key > y->key;
}

static int
hot_finish(struct trc_sink *sink, const struct trc_meta *meta, struct trc_err *err)
{
	struct hot_sink *s = (struct hot_sink *)sink;

	(void)meta, (void)err;
	if (s->hot->n)
		qsort(s->hot->entry, s->hot->n, sizeof(*s->hot->entry), by_refs);
	return 0;
}

static void
hot_close(struct trc_sink *sink)
{
	struct hot_sink *s = (struct hot_sink *)sink;

	trc_map_release(&s->map);
	trc_map_release(&s->pcs);
	free(s->pc);
	free(s);
}

/* What is missing to count by; NULL: nothing. */
static const char *
lacks(uint32_t have, enum trc_hot_by by)
{
	const bool places = have & (TRC_HAS_ADDR | TRC_HAS_VPN);
	const bool fetches = (have & (TRC_HAS_TYPE | TRC_HAS_ADDR)) ==
	                     (TRC_HAS_TYPE | TRC_HAS_ADDR);

	if (by == TRC_HOT_TASK && !(have & TRC_HAS_TASK))
		return "tasks";
	if (by == TRC_HOT_SPACE && !(have & TRC_HAS_ASID))
		return "address spaces";
	if (by == TRC_HOT_PC && (!places || !(have & TRC_HAS_PC || fetches)))
		return "instructions";
	return by == TRC_HOT_PAGE && !places ? "addresses" : NULL;
}

struct trc_sink *
trc_hot_sink(struct trc_hot *hot, uint32_t have, enum trc_hot_by by, unsigned bits,
             struct trc_err *err)
{
	const char *without = lacks(have, by);
	struct hot_sink *s;

	*hot = (struct trc_hot){ 0 };
	if (without) {
		trc_fail(err, "the trace has no %s to count by", without);
		return NULL;
	}
	s = trc_alloc(1, sizeof(*s), err);
	if (!s)
		return NULL;
	*s = (struct hot_sink){
		.sink = { .put = hot_put, .finish = hot_finish, .close = hot_close },
		.hot = hot,
		.by = by,
		.bits = bits,
	};
	if (trc_map_init(&s->map, err) || trc_map_init(&s->pcs, err)) {
		hot_close(&s->sink);
		return NULL;
	}
	return &s->sink;
}

void
trc_hot_release(struct trc_hot *hot)
{
	free(hot->entry);
	hot->entry = NULL;
}
