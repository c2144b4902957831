/* SPDX-License-Identifier: MIT
 *
 * Miss curves. A reference at stack distance d faults in memories of fewer than d pages
 * (stage/simulate/stack.h), so a histogram of distances gives the faults of all sizes.
 *
 * Write-backs need one more number for each page, its dirty level: the largest distance among the
 * references to it after its last write, at least 1; 0 if it was never written.
 *
 *   A page with dirty level l > 0 is dirty in exactly those memories of m >= l pages that hold it.
 *
 * If m >= l, no reference after the last write faulted: the page has stayed there since, dirty. If
 * m < l, the reference of distance l faulted and fetched a clean page, and no write came after it.
 * (A write leaves the page dirty at every size, whether it faults or not: l = 1.)
 *
 * When the page is used again at distance d, each memory of m < d pages has evicted it once since
 * its last use, and it was not written meanwhile: those of l <= m < d wrote it back. A read then
 * makes the level max(l, d), a write 1. When the trace ends, a page at position p of the stack has
 * been evicted by the memories of m < p pages: those of l <= m < p wrote it back. Each write-back
 * adds 1 to a range of sizes. It is stored as differences at both ends, which are summed up once.
 *
 * MIN is a stack algorithm, too (policy/opt_stack.h): its distances and depths, in place of those
 * of LRU, give its curve.
 *
 * Consecutive references to one page are merged into one, a write if any of them is: the others
 * have distance 1, and change nothing else.
 *
 * If references span ranges of many pages, ranges are processed as a whole from some point on
 * (stage/simulate/mrc_ranges.h); the curve is the same.
 *
 * Generalises the dirty levels of J. G. Thompson and A. J. Smith, "Efficient (stack) algorithms for
 * analysis of write-back and sector memories", ACM TOCS 7(1), 1989.
 */
#include "stage/simulate/mrc.h"

#include <stdlib.h>
#include <string.h>

#include "base/map_find.h"
#include "batch/page_merge.h"
#include "stage/simulate/mrc_companion.h"
#include "stage/stage.h"

enum {
	RUN = TRC_MRC_RUN,
	COMPANION = 1 << 15, /* pages; with fewer, another thread does not pay */
};

/* Rows of one curve, each a reference to one page. */
struct rows {
	const uint64_t *page;
	const uint32_t *space; /* NULL: all rows are of one space */
	const uint8_t *type;
	const uint32_t *weight; /* NULL: bytes do not count */
	size_t n, merged;       /* `merged`: number of further rows that were merged into these */
};

/* The sink of miss curves. */
struct mrc_sink {
	struct trc_sink sink;
	struct trc_mrc *mrc;
	bool by_space, spaces, groups, opt, bypass, companion;
	bool unfinished; /* of MIN: the last evictions are unknown, since more rows follow */
	const struct trc_memories_shape *shape; /* NULL: all sizes */
	struct trc_map map;                     /* space -> its curve */
	struct trc_mrc_growing **growing;       /* an array of pointers, since it grows */
	size_t n, cap;
	struct trc_mrc_rule rule;
};

static struct trc_mrc_growing *
growing_open(const struct mrc_sink *s, uint32_t space, struct trc_err *err)
{
	struct trc_mrc_growing *g = trc_alloc(1, sizeof(*g), err);

	if (!g)
		return NULL;
	g->space = space;
	g->kept = s->sink.partial;
	g->opt = s->opt;
	g->rule = s->rule;
	g->requests.kept = g->kept && g->rule.page;
	g->unfinished = s->unfinished;
	g->groups = s->groups ? trc_alloc(1, sizeof(*g->groups), err) : NULL;
	g->memories = s->shape ? trc_alloc(1, sizeof(*g->memories), err) : NULL;
	if ((s->groups && !g->groups) || (s->shape && !g->memories) ||
	    trc_pages_init(&g->pages, err) ||
	    (s->shape && trc_memories_init(g->memories, s->shape, err)) ||
	    (g->opt && trc_opt_stack_init(&g->optimal, err))) {
		trc_mrc_growing_close(g);
		return NULL;
	}
	if (g->memories)
		g->memories->rule = s->rule;
	g->optimal.bypass = s->bypass;
	g->may_wait = s->companion && !g->kept && !g->groups && !s->rule.page && !s->rule.around;
	if (!g->opt)
		trc_stack_init(&g->stack);
	return g;
}

/* Runs of consecutive references to one page, made of at most RUN references. */
struct runs {
	uint64_t page[RUN];
	uint32_t space[RUN];
	uint8_t type[RUN]; /* TRC_WRITE if any of them is a write, else TRC_READ */
};

/* Merges references into runs, and returns the number of runs. */
static size_t
merge(struct runs *to, const struct rows *r)
{
	return trc_page_merge_form(0)(&(struct trc_page_merge){ .from = r->type,
	                                                        .page = r->page,
	                                                        .vpn = to->page,
	                                                        .type = to->type },
	                              r->n);
}

/* Does the same for references to several spaces. There are no branches: each reference is stored
 * where the next run begins, and stays there if it begins a run. */
static size_t
merge_spaces(struct runs *to, const struct rows *r)
{
	const uint64_t *const page = r->page;
	const uint8_t *const type = r->type;
	uint64_t last = ~page[0];
	uint32_t last_space = 0;
	bool write = false;
	size_t n = 0;

	for (size_t i = 0; i < r->n; i++) {
		const bool same = page[i] == last && r->space[i] == last_space;

		to->page[n] = last = page[i];
		to->space[n] = last_space = r->space[i];
		n += !same;
		write = (write & same) | (type[i] == TRC_WRITE);
		to->type[n - 1] = write ? TRC_WRITE : TRC_READ;
	}
	return n;
}

/* Returns true if a page that is used again at once has distance 1. Then all that matters besides
 * is whether one of these references is a write. */
static bool
may_merge(const struct trc_mrc_growing *g)
{
	return !g->memories && !g->gone && !g->groups && !g->rule.reads && !g->rule.page &&
	       !g->optimal.bypass && !g->rule.around;
}

/* Counts at most RUN references, and the merged ones. */
static int
take_touches(struct trc_mrc_growing *g, const struct rows *r, struct trc_err *err)
{
	uint32_t id[RUN], distance[RUN], known = g->pages.n;

	if (g->companion)
		return trc_mrc_companion_take(g, r->page, r->space, r->type, r->n, r->merged, err);
	if (trc_pages_number(&g->pages, r->page, r->space, r->n, id, err))
		return -1;
	if (g->memories && g->gone && trc_mrc_after_deletes(g, id, r->type, r->n, distance, err))
		return -1;
	for (size_t i = 0; i < r->n && g->memories && g->rule.reads; i++) {
		g->passed += id[i] == known && !trc_mrc_counts(&g->rule, r->type[i]);
		known += id[i] == known;
	}
	if (g->memories)
		return trc_memories_refer(g->memories, id, r->type, r->weight, r->n, g->pages.n,
		                          err);
	g->weight = r->weight;
	if (trc_mrc_numbered(g, id, r->type, r->n, g->pages.n, err))
		return -1;
	g->distances[1] += r->merged;
	return g->may_wait && g->pages.n >= COMPANION ? trc_mrc_companion_open(g, err) : 0;
}

/* Counts at most RUN references. */
static int
take_pages(struct trc_mrc_growing *g, const struct rows *r, struct trc_err *err)
{
	struct runs runs;
	struct rows merged = { runs.page, r->space ? runs.space : NULL, runs.type, NULL, 0, 0 };

	if (!may_merge(g))
		return take_touches(g, r, err);
	merged.n = r->space ? merge_spaces(&runs, r) : merge(&runs, r);
	merged.merged = r->n - merged.n;
	return take_touches(g, &merged, err);
}

/* Counts references as ranges of one page. */
static int
take_as_ranges(struct trc_mrc_growing *g, const struct rows *r, struct trc_err *err)
{
	for (size_t i = 0; i < r->n; i++)
		if (trc_mrc_ranges_refer(g->ranges, r->space ? r->space[i] : 0, r->page[i], 1,
		                         r->type[i] == TRC_WRITE, err))
			return -1;
	return 0;
}

/* Copies the pages so far, in order of their last use, and the counts into ranges. */
static int
put_into_ranges(const struct trc_mrc_growing *g, struct trc_mrc_ranges *ranges, struct trc_err *err)
{
	uint32_t *id = trc_alloc((size_t)g->pages.n + 1, sizeof(*id), err);
	int ret = id ? 0 : -1;

	if (id)
		trc_stack_order(&g->stack, id);
	for (uint32_t p = g->pages.n; p-- > 0 && ret == 0;)
		ret = trc_mrc_ranges_put(ranges, g->pages.name[id[p]].space,
		                         g->pages.name[id[p]].page, g->level[id[p]], err);
	for (uint32_t m = 1; m <= g->pages.n && ret == 0; m++)
		if (g->distances[m] || g->dirty[m])
			ret = trc_mrc_ranges_change(ranges, m, g->distances[m], g->dirty[m], err);
	free(id);
	return ret;
}

/* Switches to ranges. */
static int
begin_ranges(struct trc_mrc_growing *g, struct trc_err *err)
{
	struct trc_mrc_ranges *ranges;

	if (g->deletes)
		return trc_pages_no_deletes(true, g->deletes, err);
	if (trc_mrc_companion_end(g, err))
		return -1;
	ranges = trc_alloc(1, sizeof(*ranges), err);
	if (!ranges)
		return -1;
	trc_mrc_ranges_init(ranges);
	ranges->reads = g->rule.reads;
	ranges->passed = trc_mrc_passed(g);
	if (put_into_ranges(g, ranges, err)) {
		trc_mrc_ranges_release(ranges);
		free(ranges);
		return -1;
	}
	g->ranges = ranges;
	trc_mrc_release_pages(g);
	return 0;
}

/* Counts a row of several pages. */
static int
take_range(struct trc_mrc_growing *g, uint32_t space, uint64_t first, uint64_t pages, uint8_t type,
           uint64_t bytes, struct trc_err *err)
{
	uint32_t weight[RUN], next = (uint32_t)bytes;
	uint64_t page[RUN];
	uint32_t spaces[RUN];
	uint8_t types[RUN];

	g->in_ranges += pages;
	if (g->kept && !g->rule.page && trc_extents_pay(g->in_ranges, g->rows))
		return trc_fail_as(err, TRC_ONLY_WHOLE,
		                   "single references span so many pages that slices cannot be "
		                   "joined; use larger pages or --objects, or run it without "
		                   "--shard");
	if (!g->ranges && !g->opt && !g->memories && !g->rule.none && !g->rule.page &&
	    !g->rule.around && trc_extents_pay(g->in_ranges, g->rows) && begin_ranges(g, err))
		return -1;
	if (g->ranges)
		return trc_mrc_ranges_refer(g->ranges, space, first, pages, type == TRC_WRITE, err);
	while (pages > 0) {
		struct rows r = { page,
			          spaces,
			          types,
			          g->rule.page ? weight : NULL,
			          pages < RUN ? (size_t)pages : RUN,
			          0 };

		for (size_t i = 0; i < r.n; i++) {
			page[i] = first++;
			spaces[i] = space;
			types[i] = type;
			weight[i] = i + 1 < pages ? next | TRC_TOUCH_MORE : (uint32_t)(bytes >> 32);
			next = (uint32_t)g->rule.page;
		}
		if (take_pages(g, &r, err))
			return -1;
		pages -= r.n;
	}
	return 0;
}

/* Counts references of rows; several rows may belong to one reference. */
static void
count_references(struct trc_mrc_growing *g, const struct trc_batch *b, size_t from, size_t n)
{
	const uint64_t *rtime = b->rtime + from;
	size_t changes = 0;

	if (g->rows == 0)
		g->first_rtime = b->rtime[from];
	g->rows += n;
	g->refs += rtime[0] != g->last_rtime;
	for (size_t i = 1; i < n; i++)
		changes += rtime[i] != rtime[i - 1];
	g->refs += changes;
	g->last_rtime = rtime[n - 1];
}

/* Counts references of rows under a rule. */
static void
count_by_rule(struct trc_mrc_growing *g, const struct trc_batch *b, size_t from, size_t n)
{
	for (size_t i = from; i < from + n; i++) {
		if (b->type[i] == TRC_WRITE)
			g->written += b->size ? b->size[i] : 1;
		if (trc_mrc_counts(&g->rule, b->type[i]))
			count_references(g, b, i, 1);
	}
}

/* Counts rows of one curve: at most RUN of one page each, or one of several pages. */
static int
count_rows(struct trc_mrc_growing *g, const struct trc_batch *b, size_t from, size_t n, bool spaces,
           struct trc_err *err)
{
	const uint32_t *space = spaces ? b->asid + from : NULL;
	uint32_t weight[RUN];
	const struct rows r = {
		b->vpn + from, space, b->type + from, g->rule.page ? weight : NULL, n, 0
	};

	for (size_t i = 0; g->rule.page && i < n; i++)
		weight[i] = (uint32_t)b->addr[from + i];
	if (g->rule.reads || g->rule.through)
		count_by_rule(g, b, from, n);
	else
		count_references(g, b, from, n);
	if (b->size && b->size[from] > 1)
		return take_range(g, space ? *space : 0, *r.page, b->size[from], *r.type,
		                  g->rule.page ? b->addr[from] : 0, err);
	return g->ranges ? take_as_ranges(g, &r, err) : take_pages(g, &r, err);
}

/* Returns the curve of a space; makes one if necessary. */
static struct trc_mrc_growing *
curve_of(struct mrc_sink *s, uint32_t space, struct trc_err *err)
{
	const uint32_t known = trc_map_find(&s->map, space, 0)->value;

	if (known != TRC_MAP_NONE)
		return s->growing[known];
	if (s->n == TRC_MRC_SPACES_MOST) {
		trc_fail(err,
		         "more than %d address spaces, each with its own curve; choose some with "
		         "--space",
		         TRC_MRC_SPACES_MOST);
		return NULL;
	}
	if (trc_grow(&s->growing, &s->cap, s->n + 1, sizeof(*s->growing), err))
		return NULL;
	s->growing[s->n] = growing_open(s, space, err);
	if (!s->growing[s->n])
		return NULL;
	if (trc_map_add(&s->map, space, 0, (uint32_t)s->n, err)) {
		trc_mrc_growing_close(s->growing[s->n]);
		return NULL;
	}
	return s->growing[s->n++];
}

/* Returns the number of rows from `from` on that belong to one curve: at most RUN of one page, or
 * one of several. */
static size_t
run_length(const struct mrc_sink *s, const struct trc_batch *b, size_t from)
{
	size_t n = 1, most = trc_page_rows(b, from, b->n - from < RUN ? b->n - from : RUN);

	if (!s->by_space)
		return most ? most : 1;
	while (n < most && b->asid[from + n] == b->asid[from])
		n++;
	return n;
}

/* Returns the first row that removes pages; NULL if there is none. */
static const uint8_t *
first_gone(const struct mrc_sink *s, const uint8_t *type, size_t n)
{
	if (!s->rule.none)
		return memchr(type, TRC_INVALIDATE, n);
	for (size_t i = 0; i < n; i++)
		if (type[i] == TRC_INVALIDATE || type[i] == TRC_WRITE)
			return type + i;
	return NULL;
}

/* Returns the bytes of a row. */
static uint64_t
bytes_of(const struct trc_mrc_rule *rule, uint64_t ends, uint64_t pages)
{
	const uint64_t first = (uint32_t)ends, last = ends >> 32;

	return pages > 1 ? first + last + (pages - 2) * rule->page : first;
}

/* Processes a row that removes pages. */
static int
take_out(const struct mrc_sink *s, struct trc_mrc_growing *g, const struct trc_batch *b, size_t i,
         struct trc_err *err)
{
	const uint32_t space = s->spaces && !s->by_space ? b->asid[i] : 0;
	const uint64_t pages = b->size ? b->size[i] : 1;

	if (trc_mrc_companion_end(g, err))
		return -1;
	if (b->type[i] == TRC_INVALIDATE)
		return trc_mrc_delete(g, space, b->vpn[i], pages, err);
	count_by_rule(g, b, i, 1);
	return trc_mrc_write_out(g, space, b->vpn[i], pages,
	                         s->rule.page ? bytes_of(&s->rule, b->addr[i], pages) : 0, err);
}

static int
mrc_put(struct trc_sink *sink, const struct trc_batch *b, struct trc_err *err)
{
	struct mrc_sink *s = (struct mrc_sink *)sink;

	for (size_t i = 0, n; i < b->n; i += n) {
		struct trc_mrc_growing *g = curve_of(s, s->by_space ? b->asid[i] : 0, err);
		const uint8_t *gone;

		if (!g)
			return -1;
		n = run_length(s, b, i);
		gone = first_gone(s, b->type + i, n);
		if (gone == b->type + i) {
			n = 1;
			if (take_out(s, g, b, i, err))
				return -1;
			continue;
		}
		n = gone ? (size_t)(gone - (b->type + i)) : n;
		if (count_rows(g, b, i, n, s->spaces && !s->by_space, err))
			return -1;
	}
	return 0;
}

static int
by_space(const void *a, const void *b)
{
	const struct trc_mrc_curve *x = a, *y = b;

	return x->space < y->space ? -1 : x->space > y->space;
}

static int
mrc_finish(struct trc_sink *sink, const struct trc_meta *meta, struct trc_err *err)
{
	struct mrc_sink *s = (struct mrc_sink *)sink;

	(void)meta;
	/* The curve of all pages exists even without rows. */
	if (!s->by_space && !curve_of(s, 0, err))
		return -1;
	s->mrc->curve = trc_alloc(s->n, sizeof(*s->mrc->curve), err);
	if (!s->mrc->curve)
		return -1;
	for (; s->mrc->n < s->n; s->mrc->n++)
		if (trc_mrc_finish(s->growing[s->mrc->n], &s->mrc->curve[s->mrc->n], err))
			return -1;
	qsort(s->mrc->curve, s->mrc->n, sizeof(*s->mrc->curve), by_space);
	return 0;
}

/* Saves or restores the curves, one after another: the number of each space, and its state. */
static void
mrc_state(struct trc_sink *sink, struct trc_state *t)
{
	struct mrc_sink *s = (struct mrc_sink *)sink;
	size_t n = s->n;

	trc_state_count(t, &n, UINT32_MAX);
	for (size_t i = 0; i < n && !t->failed; i++) {
		uint32_t space = t->writes ? s->growing[i]->space : 0;
		struct trc_mrc_growing *g;

		trc_state_u32(t, &space);
		g = t->failed ? NULL : curve_of(s, space, t->err);
		if (!g)
			t->failed = true;
		else
			trc_mrc_state(g, t, sink->counted & TRC_HAS_RTIME);
		sink->pages += t->writes ? s->growing[i]->pages.n : 0;
	}
}

static void
mrc_close(struct trc_sink *sink)
{
	struct mrc_sink *s = (struct mrc_sink *)sink;

	for (size_t i = 0; i < s->n; i++)
		trc_mrc_growing_close(s->growing[i]);
	free(s->growing);
	trc_map_release(&s->map);
	free(s);
}

static struct mrc_sink *
sink_open(struct trc_mrc *mrc, uint32_t have, bool by_space_too, struct trc_err *err)
{
	struct mrc_sink *s = trc_alloc(1, sizeof(*s), err);

	*mrc = (struct trc_mrc){ 0 };
	if (!s)
		return NULL;
	s->sink = (struct trc_sink){ .put = mrc_put, .finish = mrc_finish, .close = mrc_close };
	s->mrc = mrc;
	s->spaces = have & TRC_HAS_ASID;
	s->by_space = by_space_too && s->spaces;
	if (trc_map_init(&s->map, err)) {
		mrc_close(&s->sink);
		return NULL;
	}
	return s;
}

struct trc_sink *
trc_mrc_sink(struct trc_mrc *mrc, uint32_t have, bool by_space_too, bool groups,
             struct trc_err *err)
{
	struct mrc_sink *s = sink_open(mrc, have, by_space_too, err);

	if (!s)
		return NULL;
	s->groups = groups;
	s->sink.state = mrc_state;
	return &s->sink;
}

void
trc_mrc_companion(struct trc_sink *sink)
{
	struct mrc_sink *s = (struct mrc_sink *)sink;

	s->companion = !s->by_space;
}

void
trc_mrc_set_rule(struct trc_sink *sink, const struct trc_mrc_rule *rule)
{
	struct mrc_sink *s = (struct mrc_sink *)sink;

	s->rule = *rule;
	if (rule->none || rule->around)
		sink->state = NULL;
}

struct trc_sink *
trc_mrc_opt_sink(struct trc_mrc *mrc, uint32_t have, bool by_space_too, bool unfinished,
                 bool bypass, struct trc_err *err)
{
	struct mrc_sink *s = sink_open(mrc, have, by_space_too, err);

	if (!s)
		return NULL;
	s->opt = true;
	s->bypass = bypass;
	s->unfinished = unfinished;
	return &s->sink;
}

struct trc_sink *
trc_mrc_memories_sink(struct trc_mrc *mrc, uint32_t have, bool by_space_too, bool unfinished,
                      const struct trc_memories_shape *shape, struct trc_err *err)
{
	struct mrc_sink *s = sink_open(mrc, have, by_space_too, err);

	if (!s)
		return NULL;
	s->shape = shape;
	s->unfinished = unfinished;
	return &s->sink;
}
