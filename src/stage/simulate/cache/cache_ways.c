/* SPDX-License-Identifier: MIT */
#include "stage/simulate/cache/cache_ways.h"

#include <stdlib.h>
#include <string.h>

#include "base/map_find.h"
#include "base/random.h"

enum { FEW = 32 }; /* number of ways up to which a set is searched linearly */

/* A way in a cache of many ways. Node 0 is not used. */
struct trc_ways_node {
	uint64_t entry;        /* 0: not in use */
	uint32_t older, newer; /* neighbours in the set, in the order of the policy */
	uint32_t chain;        /* next node with this hash; of unused nodes, the next unused one */
};

/* The nodes of a set of many ways, as a list: by last use for LRU, else by insertion. */
struct trc_ways_list {
	uint32_t newest, oldest;
	uint32_t used;  /* nodes that were ever in use */
	uint32_t spare; /* first node of those that are unused again */
};

/* Returns true if `entry`, clean or dirty, is `line`. */
static inline bool
is_line(uint64_t entry, uint64_t line)
{
	return (entry | TRC_WAY_DIRTY) == (line << TRC_WAY_SHIFT | TRC_WAY_HELD | TRC_WAY_DIRTY);
}

int
trc_ways_init(struct trc_ways *w, const struct trc_cache_shape *shape, struct trc_err *err)
{
	const uint64_t lines = shape->size / shape->line, sets = lines / shape->ways;
	const struct trc_policy *rules = trc_policy(shape->policy);
	const bool few = !rules->size && shape->ways <= FEW;
	const bool ordered = few && shape->policy == TRC_CACHE_LRU;
	size_t buckets = 1;

	*w = (struct trc_ways){ .set_mask = sets - 1,
		                .ways = (size_t)shape->ways,
		                .policy = shape->policy,
		                .rules = rules->size ? rules : NULL,
		                .random = shape->seed,
		                .stride = 1 };
	if (few) {
		w->way = trc_alloc((size_t)lines, sizeof(*w->way), err);
		if (!w->way)
			return -1;
	} else {
		while (buckets < lines)
			buckets *= 2;
		w->bucket_mask = buckets - 1;
		w->bucket = trc_alloc(buckets, sizeof(*w->bucket), err);
		w->node = w->bucket ? trc_alloc((size_t)lines + 1, sizeof(*w->node), err) : NULL;
		w->list = w->node ? trc_alloc((size_t)sets, sizeof(*w->list), err) : NULL;
		if (!w->list)
			return -1;
	}
	if (ordered) {
		w->recent = w->way;
		w->stride = w->ways;
		return 0;
	}
	w->state = rules->size ? trc_policy_open(rules, (size_t)sets, w->ways, err) : NULL;
	if (rules->size && !w->state)
		return -1;
	w->recent = trc_alloc((size_t)sets, sizeof(*w->recent), err);
	return w->recent ? 0 : -1;
}

void
trc_ways_release(struct trc_ways *w)
{
	if (w->state)
		trc_policy_close(w->rules, w->state);
	if (w->recent != w->way)
		free(w->recent);
	free(w->way);
	free(w->list);
	free(w->node);
	free(w->bucket);
}

/* ---- few ---- */

/* Returns the index of `line` in its set; the number of ways if it is not there. */
static size_t
search(const struct trc_ways *w, const uint64_t *set, uint64_t line)
{
	size_t k = 0;

	while (k < w->ways && !is_line(set[k], line))
		k++;
	return k;
}

/* Puts `entry` first, in place of the entry at index k. */
static void
to_front(uint64_t *set, size_t k, uint64_t entry)
{
	for (; k > 0; k--)
		set[k] = set[k - 1];
	set[0] = entry;
}

static uint64_t *
few_use(struct trc_ways *w, uint64_t *set, uint64_t line, uint64_t dirty)
{
	const size_t k = search(w, set, line);

	if (k == w->ways)
		return NULL;
	set[k] |= dirty;
	if (w->policy != TRC_CACHE_LRU)
		return &set[k];
	to_front(set, k, set[k]);
	return set;
}

static uint64_t
few_add(struct trc_ways *w, uint64_t *set, uint64_t entry)
{
	size_t k = w->ways - 1;
	uint64_t gone;

	if (w->policy == TRC_CACHE_RANDOM) {
		for (k = 0; k < w->ways && set[k];)
			k++;
		k = k < w->ways ? k : (size_t)(trc_random(&w->random) % w->ways);
		gone = set[k];
		set[k] = entry;
		return gone;
	}
	gone = set[k];
	to_front(set, k, entry);
	return gone;
}

static void
few_drop(struct trc_ways *w, uint64_t *set, size_t k)
{
	for (; k + 1 < w->ways; k++)
		set[k] = set[k + 1];
	set[k] = 0;
}

/* ---- many ---- */

static uint32_t *
bucket_of(const struct trc_ways *w, uint64_t line)
{
	return &w->bucket[trc_map_hash(0, line) & w->bucket_mask];
}

TRC_NO_INLINE static uint32_t
look_up(struct trc_ways *w, uint64_t line)
{
	uint32_t id = *bucket_of(w, line);

	while (id && !is_line(w->node[id].entry, line))
		id = w->node[id].chain;
	w->hint[line % TRC_WAY_HINTS] = id;
	return id;
}

/* Returns the node of `line`, 0 if the set lacks it. Node 0 and unused nodes have no entry. */
static inline uint32_t
many_find(struct trc_ways *w, uint64_t line)
{
	const uint32_t id = w->hint[line % TRC_WAY_HINTS];

	return TRC_LIKELY(is_line(w->node[id].entry, line)) ? id : look_up(w, line);
}

static void
link_newest(struct trc_ways *w, struct trc_ways_list *list, uint32_t id)
{
	w->node[id].newer = 0;
	w->node[id].older = list->newest;
	if (list->newest)
		w->node[list->newest].newer = id;
	else
		list->oldest = id;
	list->newest = id;
}

static void
unlink_node(struct trc_ways *w, struct trc_ways_list *list, uint32_t id)
{
	const struct trc_ways_node *x = &w->node[id];

	if (x->newer)
		w->node[x->newer].older = x->older;
	else
		list->newest = x->older;
	if (x->older)
		w->node[x->older].newer = x->newer;
	else
		list->oldest = x->newer;
}

/* Returns the first node of a set. */
static uint32_t
first_of(const struct trc_ways *w, uint64_t set)
{
	return (uint32_t)(set * w->ways + 1);
}

static uint64_t *
many_use(struct trc_ways *w, uint64_t set, uint64_t line, uint64_t dirty)
{
	struct trc_ways_list *list = &w->list[set];
	const uint32_t id = many_find(w, line);

	if (!id)
		return NULL;
	w->node[id].entry |= dirty;
	if (w->policy == TRC_CACHE_LRU && list->newest != id) {
		unlink_node(w, list, id);
		link_newest(w, list, id);
	}
	if (w->rules)
		w->rules->use(w->state, (size_t)set, id - first_of(w, set));
	return &w->node[id].entry;
}

static void
many_drop(struct trc_ways *w, struct trc_ways_list *list, uint32_t id)
{
	uint32_t *at = bucket_of(w, w->node[id].entry >> TRC_WAY_SHIFT);

	while (*at != id)
		at = &w->node[*at].chain;
	*at = w->node[id].chain;
	unlink_node(w, list, id);
	w->node[id].entry = 0;
	w->node[id].chain = list->spare;
	list->spare = id;
}

/* Returns the node of a full set whose line is replaced. */
static uint32_t
victim(struct trc_ways *w, uint64_t set)
{
	if (w->rules)
		return first_of(w, set) + w->rules->victim(w->state, (size_t)set);
	if (w->policy == TRC_CACHE_RANDOM)
		return first_of(w, set) + (uint32_t)(trc_random(&w->random) % w->ways);
	return w->list[set].oldest;
}

static uint64_t
many_add(struct trc_ways *w, uint64_t set, uint64_t line, uint64_t dirty)
{
	struct trc_ways_list *list = &w->list[set];
	uint32_t *bucket = bucket_of(w, line);
	uint64_t gone = 0;
	uint32_t id;

	if (w->rules && w->rules->miss)
		w->rules->miss(w->state, (size_t)set, line);
	if (!list->spare && list->used == w->ways) {
		id = victim(w, set);
		gone = w->node[id].entry;
		many_drop(w, list, id);
	}
	id = list->spare;
	if (id)
		list->spare = w->node[id].chain;
	else
		id = first_of(w, set) + list->used++;
	w->node[id].entry = line << TRC_WAY_SHIFT | TRC_WAY_HELD | dirty;
	w->node[id].chain = *bucket;
	*bucket = id;
	w->hint[line % TRC_WAY_HINTS] = id;
	link_newest(w, list, id);
	if (w->rules)
		w->rules->fill(w->state, (size_t)set, id - first_of(w, set), line);
	return gone;
}

/* ---- both ---- */

/* Notes the most recently used line of the set. */
static void
note_recent(struct trc_ways *w, uint64_t set, uint64_t entry)
{
	w->recent[set * w->stride] = w->rules && w->rules->counts ? 0 : entry;
}

bool
trc_ways_use(struct trc_ways *w, uint64_t line, uint64_t dirty)
{
	const uint64_t set = line & w->set_mask;
	const uint64_t *entry = w->way ? few_use(w, w->way + set * w->ways, line, dirty) :
	                                 many_use(w, set, line, dirty);

	if (entry)
		note_recent(w, set, *entry);
	return entry;
}

uint64_t
trc_ways_add(struct trc_ways *w, uint64_t line, uint64_t dirty)
{
	const uint64_t set = line & w->set_mask;
	const uint64_t entry = line << TRC_WAY_SHIFT | TRC_WAY_HELD | dirty;
	const uint64_t gone = w->way ? few_add(w, w->way + set * w->ways, entry) :
	                               many_add(w, set, line, dirty);

	note_recent(w, set, entry);
	return gone;
}

/* Removes a node of a cache of many ways, also from its policy. */
static void
drop_node(struct trc_ways *w, uint64_t set, uint32_t id)
{
	if (w->rules && w->rules->drop)
		w->rules->drop(w->state, (size_t)set, id - first_of(w, set));
	many_drop(w, &w->list[set], id);
}

void
trc_ways_drop(struct trc_ways *w, uint64_t line)
{
	const uint64_t set = line & w->set_mask;

	if (w->way) {
		uint64_t *way = w->way + set * w->ways;
		const size_t k = search(w, way, line);

		if (k == w->ways)
			return;
		few_drop(w, way, k);
		if (w->recent == w->way)
			return;
	} else {
		const uint32_t id = many_find(w, line);

		if (!id)
			return;
		drop_node(w, set, id);
	}
	note_recent(w, set, 0);
}

void
trc_ways_drop_all(struct trc_ways *w)
{
	for (uint64_t set = 0; set <= w->set_mask; set++) {
		for (size_t k = 0; w->way && k < w->ways; k++)
			w->way[set * w->ways + k] = 0;
		while (!w->way && w->list[set].newest)
			drop_node(w, set, w->list[set].newest);
		note_recent(w, set, 0);
	}
}

void
trc_ways_delete(struct trc_ways *w, const uint64_t *line)
{
	const uint64_t first = line ? *line & w->set_mask : 0;
	const uint64_t last = line ? first : w->set_mask;

	if (line)
		trc_ways_drop(w, *line);
	else
		trc_ways_drop_all(w);
	for (uint64_t set = first; w->rules && set <= last; set++)
		trc_policy_forget(w->rules, w->state, (size_t)set, line);
}

/* Returns the entry of `line`; NULL if it is not there. */
static uint64_t *
find_entry(struct trc_ways *w, uint64_t line)
{
	const uint64_t set = line & w->set_mask;

	if (w->way) {
		const size_t k = search(w, w->way + set * w->ways, line);

		return k < w->ways ? w->way + set * w->ways + k : NULL;
	}
	return many_find(w, line) ? &w->node[many_find(w, line)].entry : NULL;
}

bool
trc_ways_has(struct trc_ways *w, uint64_t line)
{
	return find_entry(w, line);
}

bool
trc_ways_is_dirty(struct trc_ways *w, uint64_t line)
{
	const uint64_t *entry = find_entry(w, line);

	return entry && *entry & TRC_WAY_DIRTY;
}

bool
trc_ways_clean(struct trc_ways *w, uint64_t line)
{
	const uint64_t set = line & w->set_mask;
	uint64_t *entry = find_entry(w, line);

	if (!entry || !(*entry & TRC_WAY_DIRTY))
		return false;
	*entry &= ~(uint64_t)TRC_WAY_DIRTY;
	if (is_line(w->recent[set * w->stride], line))
		note_recent(w, set, *entry);
	return true;
}

uint64_t
trc_ways_clean_next(struct trc_ways *w, uint64_t set, size_t *at)
{
	uint64_t *recent = &w->recent[set * w->stride];
	uint64_t *entry;

	if (w->recent != w->way)
		*recent &= ~(uint64_t)TRC_WAY_DIRTY;
	for (;;) {
		if (w->way) {
			if (*at == w->ways)
				return 0;
			entry = &w->way[set * w->ways + (w->ways - 1 - (*at)++)];
		} else {
			*at = *at ? w->node[*at].newer : w->list[set].oldest;
			if (*at == 0)
				return 0;
			entry = &w->node[*at].entry;
		}
		if (*entry & TRC_WAY_DIRTY) {
			*entry &= ~(uint64_t)TRC_WAY_DIRTY;
			return *entry;
		}
	}
}

void
trc_ways_copy(const struct trc_ways *w, uint64_t *entry)
{
	const size_t sets = (size_t)w->set_mask + 1;

	if (w->way) {
		memcpy(entry, w->way, sets * w->ways * sizeof(*entry));
		return;
	}
	memset(entry, 0, sets * w->ways * sizeof(*entry));
	for (size_t set = 0; set < sets; set++) {
		size_t k = set * w->ways;

		for (uint32_t id = w->list[set].oldest; id; id = w->node[id].newer)
			entry[k++] = w->node[id].entry;
	}
}

/* Moves the line of an entry, if it is used. */
static void
move(uint64_t *entry, uint64_t lines)
{
	if (*entry)
		*entry += lines << TRC_WAY_SHIFT;
}

void
trc_ways_move(struct trc_ways *w, uint64_t lines)
{
	const size_t sets = (size_t)w->set_mask + 1;

	for (size_t i = 0; w->way && i < sets * w->ways; i++)
		move(&w->way[i], lines);
	for (size_t set = 0; w->recent != w->way && set < sets; set++)
		move(&w->recent[set], lines);
	if (w->way)
		return;
	memset(w->bucket, 0, (w->bucket_mask + 1) * sizeof(*w->bucket));
	for (size_t i = 1; i <= sets * w->ways; i++) {
		uint32_t *bucket;

		/* Unused nodes are chained in another list. */
		if (!w->node[i].entry)
			continue;
		move(&w->node[i].entry, lines);
		bucket = bucket_of(w, w->node[i].entry >> TRC_WAY_SHIFT);
		w->node[i].chain = *bucket;
		*bucket = (uint32_t)i;
	}
}
