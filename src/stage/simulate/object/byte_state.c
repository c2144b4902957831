/* SPDX-License-Identifier: MIT
 *
 * The state of a curve of capacities (byte_growing.h): the totals, the data of each object, by
 * first request, and the counts.
 */
#include <stdlib.h>

#include "stage/simulate/object/byte_growing.h"

enum { RUN = 256 };

/* An object in a state. */
struct part {
	uint64_t page, above;

	/* Of the first request: its bytes, and whether it was a write. */
	uint32_t space, first, write;
	uint32_t size, order; /* bytes of the last request, and its rank among the last requests */
	uint32_t written, level, open;
};

/* Ranks the last requests, from the oldest on. */
struct ranking {
	struct part *part;
	uint32_t n;
};

static void
rank(void *of, uint32_t id, uint64_t distance)
{
	struct ranking *r = of;

	(void)distance;
	r->part[id].order = --r->n;
}

static int
list_parts(const struct trc_byte_growing *g, struct part *p, uint32_t n, struct trc_err *err)
{
	struct ranking r = { p, n };

	for (uint32_t id = 0; id < n; id++) {
		const struct trc_byte_first *f = &g->first[id];
		const struct trc_byte_object *o = &g->least.object[id];

		p[id] = (struct part){ .page = g->requests.objects.name[id],
			               .space = trc_names_space(&g->requests.objects, id),
			               .above = f->above,
			               .first = f->size,
			               .write = f->write,
			               .size = (uint32_t)trc_byte_stack_size(&g->least.stack, id),
			               .written = o->written,
			               .level = o->level,
			               .open = o->open };
	}
	return trc_byte_stack_each(&g->least.stack, rank, &r, err);
}

/* Returns the level of the largest possible distance. */
static uint16_t
last_level(void)
{
	return trc_byte_level(UINT64_MAX);
}

static void
parts_state(struct part *p, size_t n, struct trc_state *t)
{
	const unsigned near = TRC_STATE_DELTA | TRC_STATE_SIGNED;
	uint32_t *const small[] = { &p->first, &p->size, &p->written };

	trc_state_array(t, TRC_STRIDED(&p->page, sizeof(*p)), n, near, UINT64_MAX);
	trc_state_array(t, TRC_STRIDED(&p->space, sizeof(*p)), n, near, UINT32_MAX);
	trc_state_array(t, TRC_STRIDED(&p->above, sizeof(*p)), n, near, UINT64_MAX);
	for (size_t i = 0; i < TRC_COUNT(small); i++)
		trc_state_array(t, TRC_STRIDED(small[i], sizeof(*p)), n, 0, UINT32_MAX);
	trc_state_array(t, TRC_STRIDED(&p->write, sizeof(*p)), n, 0, 1);
	trc_state_array(t, TRC_STRIDED(&p->level, sizeof(*p)), n, 0, last_level());
	trc_state_array(t, TRC_STRIDED(&p->open, sizeof(*p)), n, 0, last_level());
	trc_state_array(t, TRC_STRIDED(&p->order, sizeof(*p)), n, 0, n - 1);
}

/* ---- to join ---- */

/* Joins an object that was requested before the slice: the distance of its first request is known
 * now. */
static int
go_on(struct trc_byte_growing *g, uint32_t id, struct part *p, struct trc_err *err)
{
	struct trc_byte_side *side = &g->least;
	struct trc_byte_object *o = &side->object[id];
	uint64_t distance = trc_byte_stack_distance(&side->stack, id);
	const uint64_t size = trc_byte_stack_size(&side->stack, id);
	uint16_t most;

	if (distance == UINT64_MAX)
		return trc_state_fail(err);
	distance += p->above;
	distance += distance == 0;
	trc_byte_stack_remove(&side->stack, id);
	if (trc_byte_buckets_room(side->to, distance, err))
		return -1;
	most = trc_byte_level(distance);
	trc_byte_hit(side->to, most, p->write, p->first);
	most = most > p->open ? most : (uint16_t)p->open;
	trc_byte_write_back(side->to, o, most);
	if (p->level == 0 && o->level) {
		p->written = o->written;
		p->level = o->level > most ? o->level : most;
	}
	p->open = o->level || o->open > most ? o->open : most;
	g->requests.totals.resized += p->first != size;
	return 0;
}

/* Joins a new object; above it are the objects used before it in the slice, and the rest of those
 * before the slice. */
static int
begin(struct trc_byte_growing *g, uint32_t id, const struct part *p, struct trc_err *err)
{
	g->requests.totals.objects++;
	g->requests.totals.object_bytes += p->first;
	if (!g->sink.partial)
		return 0;
	if (trc_grow_tight(&g->first, &g->firsts, (size_t)id + 1, sizeof(*g->first), err))
		return -1;
	g->first[id] = (struct trc_byte_first){ g->least.stack.bytes + p->above, p->first,
		                                p->write };
	return 0;
}

static int
join_run(struct trc_byte_growing *g, struct part *p, size_t n, uint32_t before, uint32_t *id,
         struct trc_err *err)
{
	struct trc_requests *r = &g->requests;
	uint64_t page[RUN];
	uint32_t space[RUN], levels = 1;

	for (size_t i = 0; i < n; i++) {
		page[i] = p[i].page;
		space[i] = p[i].space;
		levels = p[i].level > levels ? p[i].level : levels;
		levels = p[i].open > levels ? p[i].open : levels;
	}
	if (trc_byte_buckets_room(g->least.to, trc_bucket_edge_at(levels - 1), err) ||
	    trc_names_number(&r->objects, page, space, n, id, err) || trc_requests_room(r, err) ||
	    trc_grow_zeros(&g->least.object, &g->least.objects, r->objects.n,
	                   sizeof(*g->least.object), err))
		return -1;
	for (size_t i = 0; i < n; i++) {
		if (id[i] >= before && trc_requests_asked(r, id[i]))
			return trc_state_fail(err);
		if (id[i] < before ? go_on(g, id[i], &p[i], err) : begin(g, id[i], &p[i], err))
			return -1;
		trc_requests_ask(r, id[i], p[i].size);
		g->least.object[id[i]] = (struct trc_byte_object){ p[i].written,
			                                           (uint16_t)p[i].level,
			                                           (uint16_t)p[i].open };
	}
	return 0;
}

/* Puts the objects of a slice on top, the most recently used last. */
static int
put_on_top(struct trc_byte_growing *g, const struct part *p, const uint32_t *id, size_t n,
           struct trc_err *err)
{
	struct trc_byte_stack *stack = &g->least.stack;
	/* 1 + the index of the object with each rank */
	uint32_t *at = trc_alloc(n, sizeof(*at), err);
	int ret = at ? 0 : -1;

	for (size_t i = 0; i < n && ret == 0; i++) {
		ret = at[p[i].order] ? trc_state_fail(err) : 0;
		at[p[i].order] = (uint32_t)i + 1;
	}
	for (size_t k = 0; k < n && ret == 0; k++) {
		ret = trc_byte_stack_room(stack, g->requests.objects.n, err);
		if (ret == 0)
			(void)trc_byte_stack_refer(stack, id[at[k] - 1], p[at[k] - 1].size);
	}
	free(at);
	return ret;
}

static int
join(struct trc_byte_growing *g, struct part *p, size_t n, struct trc_err *err)
{
	const uint32_t before = g->requests.objects.n;
	uint32_t *id = trc_alloc(n + 1, sizeof(*id), err);
	int ret = id ? trc_byte_stack_room(&g->least.stack, before, err) : -1;

	for (size_t i = 0; i < n && ret == 0; i += RUN)
		ret = join_run(g, p + i, n - i < RUN ? n - i : RUN, before, id + i, err);
	if (ret == 0)
		ret = put_on_top(g, p, id, n, err);
	free(id);
	return ret;
}

/* ---- the state ---- */

static void
buckets_state(struct trc_byte_buckets *b, struct trc_state *t)
{
	size_t n = b->n;

	trc_state_count(t, &n, last_level());
	if (t->failed || n == 0 ||
	    (!t->writes &&
	     trc_state_failed(t, trc_byte_buckets_room(b, trc_bucket_edge_at(n - 1), t->err))))
		return;
	for (size_t k = 0; k < 2; k++) {
		trc_state_array(t, TRC_STRIDED(&b->bucket->hits[k], sizeof(*b->bucket)), n,
		                TRC_STATE_SUM, UINT64_MAX);
		trc_state_array(t, TRC_STRIDED(&b->bucket->hit_bytes[k], sizeof(*b->bucket)), n,
		                TRC_STATE_SUM, UINT64_MAX);
	}
	trc_state_array(t, TRC_STRIDED(&b->bucket->writebacks, sizeof(*b->bucket)), n,
	                TRC_STATE_SUM | TRC_STATE_SIGNED, UINT64_MAX);
	trc_state_array(t, TRC_STRIDED(&b->bucket->written_bytes, sizeof(*b->bucket)), n,
	                TRC_STATE_SUM | TRC_STATE_SIGNED, UINT64_MAX);
}

void
trc_byte_curve_state(struct trc_sink *sink, struct trc_state *t)
{
	struct trc_byte_growing *g = (struct trc_byte_growing *)sink;
	size_t n = g->requests.objects.n;
	struct part *p;

	trc_object_totals_state(&g->requests.totals, t);
	buckets_state(&g->curve->least, t);
	trc_state_count(t, &n, TRC_NAMES_MOST);
	p = n > 0 ? trc_state_room(t, n, sizeof(*p)) : NULL;
	if (!p)
		return;
	if (!t->writes || !trc_state_failed(t, list_parts(g, p, (uint32_t)n, t->err)))
		parts_state(p, n, t);
	if (!t->writes && !t->failed)
		trc_state_failed(t, join(g, p, n, t->err));
	free(p);
}
