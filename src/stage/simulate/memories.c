/* SPDX-License-Identifier: MIT */
#include "stage/simulate/memories.h"

#include <assert.h>
#include <stdlib.h>

#include "stage/simulate/mrc.h"

enum { UNIT = 4 }; /* bytes of a page in the shape of a cache */

/* A fully associative cache whose lines are pages. */
struct trc_page_memory {
	uint64_t size;
	struct trc_memory_counts counts;
	struct trc_ways ways;
};

static struct trc_cache_shape
shape_of(unsigned policy, uint64_t seed, uint64_t size)
{
	return (struct trc_cache_shape){
		.size = size * UNIT, .ways = size, .line = UNIT, .policy = policy, .seed = seed
	};
}

const char *
trc_memories_wrong(unsigned policy, uint64_t size)
{
	const struct trc_cache_shape shape = shape_of(policy, 1, size);

	if (size > UINT64_MAX / UNIT)
		return "a memory cannot have that many pages";
	return trc_cache_shape_wrong(&shape);
}

static int
by_size(const void *a, const void *b)
{
	const struct trc_page_memory *x = a, *y = b;

	return x->size < y->size ? -1 : x->size > y->size;
}

/* Initialises MIN for the sizes of the memories. */
static int
init_optimal(struct trc_memories *m, size_t n, struct trc_err *err)
{
	uint64_t size[TRC_OPT_SIZES_MOST];

	assert(n <= TRC_OPT_SIZES_MOST);
	m->optimal = trc_alloc(1, sizeof(*m->optimal), err);
	if (!m->optimal)
		return -1;
	for (m->n = 0; m->n < n; m->n++)
		size[m->n] = m->memory[m->n].size;
	return trc_opt_sizes_init(m->optimal, size, n, err);
}

int
trc_memories_init(struct trc_memories *m, const struct trc_memories_shape *shape,
                  struct trc_err *err)
{
	*m = (struct trc_memories){ .n = 0 };
	m->memory = trc_alloc(shape->n, sizeof(*m->memory), err);
	if (!m->memory)
		return -1;
	for (size_t i = 0; i < shape->n; i++)
		m->memory[i].size = shape->size[i];
	qsort(m->memory, shape->n, sizeof(*m->memory), by_size);
	if (shape->policy == TRC_CACHE_OPT)
		return init_optimal(m, shape->n, err);
	while (m->n < shape->n) {
		struct trc_page_memory *x = &m->memory[m->n++];
		const struct trc_cache_shape one = shape_of(shape->policy, shape->seed, x->size);

		if (trc_ways_init(&x->ways, &one, err))
			return -1;
	}
	return 0;
}

void
trc_memories_release(struct trc_memories *m)
{
	for (size_t i = 0; i < m->n; i++)
		trc_ways_release(&m->memory[i].ways);
	if (m->optimal)
		trc_opt_sizes_release(m->optimal);
	free(m->optimal);
	free(m->memory);
	free(m->held);
	*m = (struct trc_memories){ .n = 0 };
}

/* A reference to one page as a part of a request. */
struct touch {
	uint32_t id, bytes;
	bool write, counts, more;
};

static void
count(struct trc_memory_counts *c, const struct touch *t, bool miss)
{
	if (!t->counts)
		return;
	c->misses += miss;
	c->missed_bytes += miss ? t->bytes : 0;
	c->missed |= miss;
	if (t->more)
		return;
	c->missed_requests += c->missed;
	c->missed = false;
}

/* Refers to one page under a rule that not all references count or bring pages in. Returns true for
 * a miss. */
static bool
use_by_rule(const struct trc_memories *m, struct trc_page_memory *x, const struct touch *t)
{
	const uint64_t dirty = t->write && !m->rule.around ? TRC_WAY_DIRTY : 0;

	if (trc_ways_use(&x->ways, t->id, dirty))
		return false;
	if (!(t->write && m->rule.around))
		x->counts.writebacks += (trc_ways_add(&x->ways, t->id, dirty) & TRC_WAY_DIRTY) != 0;
	return true;
}

static int
refer_by_rule(struct trc_memories *m, const uint32_t *id, const uint8_t *type,
              const uint32_t *weight, size_t n, uint32_t pages, struct trc_err *err)
{
	if (trc_grow_zeros(&m->held, &m->holds, pages, sizeof(*m->held), err))
		return -1;
	for (size_t i = 0; i < n; i++) {
		const uint32_t w = weight ? weight[i] : 0;
		const struct touch t = { id[i], w & ~TRC_TOUCH_MORE, type[i] == TRC_WRITE,
			                 trc_mrc_counts(&m->rule, type[i]), w & TRC_TOUCH_MORE };

		m->touches += t.counts;
		count(&m->none, &t, true);
		count(&m->all, &t, !m->held[t.id]);
		m->held[t.id] |= !(t.write && m->rule.around);
		for (size_t k = 0; k < m->n; k++)
			count(&m->memory[k].counts, &t, use_by_rule(m, &m->memory[k], &t));
	}
	return 0;
}

static void
miss(struct trc_memory_counts *c, uint64_t pages, uint64_t bytes)
{
	c->misses += pages;
	c->missed_requests++;
	c->missed_bytes += bytes;
}

void
trc_memories_miss(struct trc_memories *m, uint64_t pages, uint64_t bytes)
{
	m->touches += pages;
	miss(&m->none, pages, bytes);
	miss(&m->all, pages, bytes);
	for (size_t k = 0; k < m->n; k++)
		miss(&m->memory[k].counts, pages, bytes);
}

int
trc_memories_refer(struct trc_memories *m, const uint32_t *id, const uint8_t *type,
                   const uint32_t *weight, size_t n, uint32_t pages, struct trc_err *err)
{
	if (m->rule.reads || m->rule.through || weight)
		return refer_by_rule(m, id, type, weight, n, pages, err);
	m->touches += n;
	if (m->optimal)
		return trc_opt_sizes_refer(m->optimal, id, type, TRC_WRITE, n, pages, err);
	for (size_t k = 0; k < m->n; k++) {
		struct trc_page_memory *x = &m->memory[k];

		for (size_t i = 0; i < n; i++) {
			const uint64_t dirty = type[i] == TRC_WRITE ? TRC_WAY_DIRTY : 0;

			if (trc_ways_use(&x->ways, id[i], dirty))
				continue;
			x->counts.misses++;
			x->counts.writebacks += (trc_ways_add(&x->ways, id[i], dirty) &
			                         TRC_WAY_DIRTY) != 0;
		}
	}
	return 0;
}

void
trc_memories_remove(struct trc_memories *m, uint32_t id)
{
	const uint64_t line = id;

	if (m->optimal)
		trc_opt_sizes_remove(m->optimal, id);
	if (id < m->holds)
		m->held[id] = 0;
	for (size_t k = 0; k < m->n && !m->optimal; k++)
		trc_ways_delete(&m->memory[k].ways, &line);
}

/* Copies the counts of MIN to the memories. */
static int
finish_optimal(struct trc_memories *m, bool unfinished, struct trc_err *err)
{
	if (!unfinished && trc_opt_sizes_end(m->optimal, err))
		return -1;
	for (size_t k = 0; k < m->n; k++) {
		m->memory[k].counts.misses = m->optimal->size[k].misses;
		m->memory[k].counts.writebacks = m->optimal->size[k].writebacks;
	}
	return 0;
}

static struct trc_mrc_step
step_of(const struct trc_memory_counts *c, uint64_t from, uint64_t first)
{
	return (struct trc_mrc_step){ .from = from,
		                      .misses = c->misses - first,
		                      .writebacks = c->writebacks,
		                      .missed_requests = c->missed_requests,
		                      .missed_bytes = c->missed_bytes };
}

int
trc_memories_finish(struct trc_memories *m, bool unfinished, struct trc_mrc_curve *curve,
                    struct trc_err *err)
{
	const uint64_t first = curve->pages - curve->warm;
	struct trc_mrc_step *step;

	if (m->optimal && finish_optimal(m, unfinished, err))
		return -1;
	step = curve->step = trc_alloc(m->n + 2, sizeof(*step), err);
	if (!step)
		return -1;
	m->none.misses = m->touches;
	m->all.misses = m->rule.around ? m->all.misses : curve->again + first;
	*step++ = step_of(&m->none, 0, first);
	for (size_t k = 0; k < m->n && m->memory[k].size < curve->pages; k++)
		*step++ = step_of(&m->memory[k].counts, m->memory[k].size, first);
	*step++ = step_of(&m->all, curve->pages, first);
	curve->steps = (size_t)(step - curve->step);
	return 0;
}
