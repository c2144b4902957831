/* SPDX-License-Identifier: MIT
 *
 * Policies against the pseudocode of their papers, written down once more with plain lists that are
 * searched: which lines hit, and which line goes, reference by reference.
 */
#include "generate.h"
#include "stage/simulate/cache/cache_ways.h"
#include "stage/simulate/mrc.h"
#include "stage/stage.h"
#include "test.h"

#include <string.h>

enum { LINES_MOST = 256, STEPS = 3000 };

#define NOTHING UINT64_MAX

/* ---- lists: the newest at 0 ---- */

struct list {
	uint64_t line[LINES_MOST];
	uint64_t mark[LINES_MOST]; /* uses, or a bit */
	size_t n;
};

static size_t
list_find(const struct list *l, uint64_t line)
{
	size_t k = 0;

	while (k < l->n && l->line[k] != line)
		k++;
	return k;
}

static bool
list_has(const struct list *l, uint64_t line)
{
	return list_find(l, line) < l->n;
}

static void
list_insert(struct list *l, size_t at, uint64_t line, uint64_t mark)
{
	memmove(l->line + at + 1, l->line + at, (l->n - at) * sizeof(*l->line));
	memmove(l->mark + at + 1, l->mark + at, (l->n - at) * sizeof(*l->mark));
	l->line[at] = line;
	l->mark[at] = mark;
	l->n++;
}

static void
list_put(struct list *l, uint64_t line, uint64_t mark)
{
	list_insert(l, 0, line, mark);
}

static uint64_t
list_take(struct list *l, size_t at)
{
	const uint64_t line = l->line[at];

	l->n--;
	memmove(l->line + at, l->line + at + 1, (l->n - at) * sizeof(*l->line));
	memmove(l->mark + at, l->mark + at + 1, (l->n - at) * sizeof(*l->mark));
	return line;
}

static bool
list_drop(struct list *l, uint64_t line)
{
	const size_t at = list_find(l, line);

	if (at == l->n)
		return false;
	(void)list_take(l, at);
	return true;
}

/* ---- one set ---- */

/* What an oracle keeps: c lines at most, in lists whose meaning is its own. */
struct set {
	size_t c;
	struct list a, b, ghost, ghost2;
	uint64_t hand; /* a line of a, or NOTHING */
	double p;
	uint64_t way[LINES_MOST]; /* for policies of ways: the line there, or NOTHING */
	int value[LINES_MOST];
	size_t empty[LINES_MOST], empties; /* ways, the next to be filled last */
	uint64_t gone;                     /* by the last touch, or NOTHING */
};

/* A policy by its paper: touch() returns whether it hits. */
struct oracle {
	const char *name;
	bool (*touch)(struct set *s, uint64_t line);
};

static bool
touch_lru(struct set *s, uint64_t line)
{
	const bool hit = list_drop(&s->a, line);

	if (!hit && s->a.n == s->c)
		s->gone = list_take(&s->a, s->a.n - 1);
	list_put(&s->a, line, 0);
	return hit;
}

static bool
touch_fifo(struct set *s, uint64_t line)
{
	if (list_has(&s->a, line))
		return true;
	if (s->a.n == s->c)
		s->gone = list_take(&s->a, s->a.n - 1);
	list_put(&s->a, line, 0);
	return false;
}

static bool
touch_clock(struct set *s, uint64_t line)
{
	const size_t at = list_find(&s->a, line);

	if (at < s->a.n) {
		s->a.mark[at] = 1;
		return true;
	}
	while (s->a.n == s->c) {
		const uint64_t mark = s->a.mark[s->a.n - 1];
		const uint64_t last = list_take(&s->a, s->a.n - 1);

		if (mark)
			list_put(&s->a, last, 0);
		else
			s->gone = last;
	}
	list_put(&s->a, line, 0);
	return false;
}

/* Algorithm 1 of the paper. */
static bool
touch_sieve(struct set *s, uint64_t line)
{
	const size_t found = list_find(&s->a, line);

	if (found < s->a.n) {
		s->a.mark[found] = 1;
		return true;
	}
	if (s->a.n == s->c) {
		size_t at = s->hand == NOTHING ? s->a.n - 1 : list_find(&s->a, s->hand);

		while (s->a.mark[at]) {
			s->a.mark[at] = 0;
			at = at == 0 ? s->a.n - 1 : at - 1;
		}
		s->hand = at == 0 ? NOTHING : s->a.line[at - 1];
		s->gone = list_take(&s->a, at);
	}
	list_put(&s->a, line, 0);
	return false;
}

/* The list is in order of the last use. */
static bool
touch_lfu(struct set *s, uint64_t line)
{
	const size_t found = list_find(&s->a, line);
	const bool hit = found < s->a.n;
	const uint64_t uses = hit ? s->a.mark[found] + 1 : 1;
	size_t rarest = 0;

	for (size_t k = 0; k < s->a.n; k++)
		rarest = s->a.mark[k] <= s->a.mark[rarest] ? k : rarest;
	if (hit)
		(void)list_take(&s->a, found);
	else if (s->a.n == s->c)
		s->gone = list_take(&s->a, rarest);
	list_put(&s->a, line, uses);
	return hit;
}

static size_t
share(size_t n, size_t percent)
{
	return n * percent / 100 ? n * percent / 100 : 1;
}

/* a: Am, b: A1in, ghost: A1out. */
static bool
touch_2q(struct set *s, uint64_t line)
{
	bool again;

	if (list_drop(&s->a, line)) {
		list_put(&s->a, line, 0);
		return true;
	}
	if (list_has(&s->b, line))
		return true;
	again = list_drop(&s->ghost, line);
	if (s->a.n + s->b.n == s->c && (s->b.n > share(s->c, 25) || s->a.n == 0)) {
		s->gone = list_take(&s->b, s->b.n - 1);
		if (s->ghost.n == share(s->c, 50))
			(void)list_take(&s->ghost, s->ghost.n - 1);
		list_put(&s->ghost, s->gone, 0);
	} else if (s->a.n + s->b.n == s->c) {
		s->gone = list_take(&s->a, s->a.n - 1);
	}
	list_put(again ? &s->a : &s->b, line, 0);
	return false;
}

/* a: T1, b: T2, ghost: B1, ghost2: B2. REPLACE(x, p) of the paper. */
static void
arc_replace(struct set *s, bool in_b2)
{
	const double t1 = (double)s->a.n;

	if ((s->a.n > 0 && ((in_b2 && t1 == s->p) || t1 > s->p)) || s->b.n == 0) {
		s->gone = list_take(&s->a, s->a.n - 1);
		list_put(&s->ghost, s->gone, 0);
	} else {
		s->gone = list_take(&s->b, s->b.n - 1);
		list_put(&s->ghost2, s->gone, 0);
	}
}

/* Figure 4 of the paper; REPLACE only of a full cache, which ours is unless lines were dropped. */
static bool
touch_arc(struct set *s, uint64_t line)
{
	const double b1 = (double)s->ghost.n, b2 = (double)s->ghost2.n;
	const bool full = s->a.n + s->b.n == s->c;

	if (list_drop(&s->a, line) || list_drop(&s->b, line)) {
		list_put(&s->b, line, 0);
		return true;
	}
	if (list_drop(&s->ghost, line)) {
		const double step = b1 >= b2 ? 1 : b2 / b1; /* rounded to a double */

		s->p += step;
		s->p = s->p > (double)s->c ? (double)s->c : s->p;
		if (full)
			arc_replace(s, false);
		list_put(&s->b, line, 0);
		return false;
	}
	if (list_drop(&s->ghost2, line)) {
		const double step = b2 >= b1 ? 1 : b1 / b2;

		s->p -= step;
		s->p = s->p < 0 ? 0 : s->p;
		if (full)
			arc_replace(s, true);
		list_put(&s->b, line, 0);
		return false;
	}
	if (full && s->a.n + s->ghost.n >= s->c) {
		if (s->a.n < s->c) {
			(void)list_take(&s->ghost, s->ghost.n - 1);
			arc_replace(s, false);
		} else {
			s->gone = list_take(&s->a, s->a.n - 1);
		}
	} else if (full) {
		if (s->a.n + s->b.n + s->ghost.n + s->ghost2.n >= 2 * s->c && s->ghost2.n > 0)
			(void)list_take(&s->ghost2, s->ghost2.n - 1);
		arc_replace(s, false);
	}
	list_put(&s->a, line, 0);
	return false;
}

/* a: main, b: small. */
static void
s3_fifo_evict(struct set *s)
{
	if (s->a.n <= s->c - share(s->c, 10))
		while (s->b.n > 0) {
			const uint64_t uses = s->b.mark[s->b.n - 1];
			const uint64_t last = list_take(&s->b, s->b.n - 1);

			if (uses >= 2) {
				list_put(&s->a, last, 0);
				continue;
			}
			if (s->ghost.n == share(s->c, 90))
				(void)list_take(&s->ghost, s->ghost.n - 1);
			list_put(&s->ghost, s->gone = last, 0);
			return;
		}
	while (s->gone == NOTHING) {
		const uint64_t uses = s->a.mark[s->a.n - 1];
		const uint64_t last = list_take(&s->a, s->a.n - 1);

		if (uses > 0)
			list_put(&s->a, last, (uses < 3 ? uses : 3) - 1);
		else
			s->gone = last;
	}
}

static bool
touch_s3_fifo(struct set *s, uint64_t line)
{
	struct list *in = list_has(&s->a, line) ? &s->a : list_has(&s->b, line) ? &s->b : NULL;
	bool again;

	if (in) {
		in->mark[list_find(in, line)]++;
		return true;
	}
	again = list_drop(&s->ghost, line);
	if (s->a.n + s->b.n == s->c)
		s3_fifo_evict(s);
	list_put(again ? &s->a : &s->b, line, 0);
	return false;
}

/* The way of a line, that of an empty one, or c. */
static size_t
way_of(const struct set *s, uint64_t line)
{
	size_t w = 0;

	while (w < s->c && s->way[w] != line)
		w++;
	return w;
}

/* Where a line comes that is missing; `full` chooses in a full set. */
static size_t
way_for(struct set *s, uint64_t line, size_t (*full)(struct set *s))
{
	size_t w;

	if (s->empties > 0) {
		w = s->empty[--s->empties];
	} else {
		w = full(s);
		s->gone = s->way[w];
	}
	s->way[w] = line;
	return w;
}

/* The value of the first way of a half is that of the node above both: true if the second half goes
 * first. */
static size_t
plru_full(struct set *s)
{
	size_t first = 0, n = s->c;

	for (; n > 1; n /= 2)
		first += s->value[first + n / 2] ? n / 2 : 0;
	return first;
}

static bool
touch_plru(struct set *s, uint64_t line)
{
	const bool hit = way_of(s, line) < s->c;
	const size_t w = hit ? way_of(s, line) : way_for(s, line, plru_full);
	size_t first = 0;

	/* A node is named by the first way of its second half. */
	for (size_t n = s->c; n > 1; n /= 2) {
		const bool second = w >= first + n / 2;

		s->value[first + n / 2] = !second;
		first += second ? n / 2 : 0;
	}
	return hit;
}

static size_t
srrip_full(struct set *s)
{
	for (;;) {
		for (size_t w = 0; w < s->c; w++)
			if (s->value[w] == 3)
				return w;
		for (size_t w = 0; w < s->c; w++)
			s->value[w]++;
	}
}

static bool
touch_srrip(struct set *s, uint64_t line)
{
	const bool hit = way_of(s, line) < s->c;
	const size_t w = hit ? way_of(s, line) : way_for(s, line, srrip_full);

	s->value[w] = hit ? 0 : 2;
	return hit;
}

static const struct oracle oracles[] = {
	{ "lru", touch_lru },     { "fifo", touch_fifo },       { "clock", touch_clock },
	{ "sieve", touch_sieve }, { "lfu", touch_lfu },         { "2q", touch_2q },
	{ "arc", touch_arc },     { "s3-fifo", touch_s3_fifo }, { "plru", touch_plru },
	{ "srrip", touch_srrip },
};

static void
set_init(struct set *s, size_t c)
{
	memset(s, 0, sizeof(*s));
	s->c = c;
	s->hand = NOTHING;
	for (size_t w = 0; w < c; w++) {
		s->way[w] = NOTHING;
		s->empty[s->empties++] = c - 1 - w;
	}
}

/* Forgets a line that is gone, as libCacheSim does where it removes an object. */
static void
set_forget(struct set *s, uint64_t line)
{
	(void)(list_drop(&s->ghost, line) || list_drop(&s->ghost2, line));
}

/* Drops a line, if it is there; ghosts stay. */
static void
set_drop(struct set *s, uint64_t line)
{
	const size_t w = way_of(s, line), at = list_find(&s->a, line);

	if (s->hand == line && at < s->a.n)
		s->hand = at == 0 ? NOTHING : s->a.line[at - 1];
	if (!list_drop(&s->a, line))
		(void)list_drop(&s->b, line);
	if (w < s->c) {
		s->way[w] = NOTHING;
		s->empty[s->empties++] = w;
	}
}

/* ---- laws ---- */

static unsigned
number_of(const char *name)
{
	unsigned i = 0;

	while (trc_policy(i) && strcmp(trc_policy(i)->name, name) != 0)
		i++;
	CHECK_MSG(trc_policy(i), "no policy %s", name);
	return i;
}

/* Lines by habits: any, few mostly, in turns, few that change. */
static uint64_t
next_line(struct generator *m, int habit, size_t i, uint64_t lines)
{
	const uint64_t any = generate_below(m, lines);

	switch (habit) {
	case 0: return any;
	case 1: return generate_below(m, 4) ? any % (lines / 4 + 1) : any;
	case 2: return generate_below(m, 10) ? i % lines : any;
	default: return (i / 50 + any % 7) % lines;
	}
}

/* One step by both. */
static void
step(const struct oracle *o, struct trc_ways *w, struct set *set, bool *dirty, uint64_t line,
     bool write)
{
	struct set *s = &set[line & w->set_mask];
	uint64_t gone = 0;
	bool hit, want;

	s->gone = NOTHING;
	want = o->touch(s, line);
	hit = trc_ways_use(w, line, write ? TRC_WAY_DIRTY : 0);
	if (!hit)
		gone = trc_ways_add(w, line, write ? TRC_WAY_DIRTY : 0);
	CHECK_MSG(hit == want, "%s of %u ways: line %u %s", o->name, (unsigned)w->ways,
	          (unsigned)line, want ? "hits" : "misses");
	CHECK_MSG((gone == 0 && s->gone == NOTHING) || (gone && gone >> TRC_WAY_SHIFT == s->gone),
	          "%s of %u ways: %u goes, not %u", o->name, (unsigned)w->ways,
	          (unsigned)(gone >> TRC_WAY_SHIFT), (unsigned)s->gone);
	if (gone) {
		CHECK(dirty[s->gone] == !!(gone & TRC_WAY_DIRTY));
		dirty[s->gone] = false;
	}
	dirty[line] |= write;
}

static void
check_policy(struct generator *m, const struct oracle *o, uint64_t sets, uint64_t ways, int habit,
             bool drops)
{
	const struct trc_cache_shape shape = { sets * ways * 64,  ways, 64,   number_of(o->name), 1,
		                               TRC_CACHE_UNIFIED, 0,    { 0 } };
	const uint64_t lines = 1 + generate_below(m, 4 * sets * ways);
	struct set *set = calloc(sets, sizeof(*set));
	bool *dirty = calloc(lines, sizeof(*dirty));
	struct trc_ways w;
	struct trc_err err;

	CHECK(set && dirty && trc_ways_init(&w, &shape, &err) == 0);
	for (uint64_t k = 0; k < sets; k++)
		set_init(&set[k], ways);
	for (size_t i = 0; i < STEPS; i++) {
		const uint64_t line = next_line(m, habit, i, lines);

		if (drops && generate_below(m, 20) == 0) {
			const bool forget = generate_below(m, 2);

			if (forget)
				trc_ways_delete(&w, &line);
			else
				trc_ways_drop(&w, line);
			if (forget)
				set_forget(&set[line & w.set_mask], line);
			set_drop(&set[line & w.set_mask], line);
			dirty[line] = false;
		} else {
			step(o, &w, set, dirty, line, generate_below(m, 4) == 0);
		}
	}
	trc_ways_release(&w);
	free(dirty);
	free(set);
}

static void
lines_go_as_the_papers_have_it(void)
{
	struct generator m = { test_seed };

	for (size_t i = 0; i < TRC_COUNT(oracles); i++)
		for (int round = 0; round < 40; round++) {
			const bool pairs = trc_policy(number_of(oracles[i].name))->pairs;
			const uint64_t any = 1 + generate_below(&m, round % 4 ? 12 : 60);
			const uint64_t ways = pairs ? UINT64_C(1) << any % 6 : any;

			check_policy(&m, &oracles[i], UINT64_C(1) << generate_below(&m, 3), ways,
			             round % 4, round % 3 == 0);
		}
}

static void
every_policy_has_an_oracle(void)
{
	for (size_t i = 0; trc_policy(i); i++) {
		bool known = i == TRC_CACHE_RANDOM;

		for (size_t k = 0; k < TRC_COUNT(oracles); k++)
			known |= strcmp(oracles[k].name, trc_policy(i)->name) == 0;
		/* test/unit/opt.c has its. */
		known |= trc_policy(i)->ahead;
		CHECK_MSG(known, "%s", trc_policy(i)->name);
	}
}

/* What goes to a cache may hit the line that was used last, which the sink looks at first. */
static void
the_sink_counts_what_the_ways_do(void)
{
	struct generator m = { test_seed };

	for (unsigned i = 0; trc_policy(i); i++) {
		const struct trc_cache_shape shape = { 16 * 4 * 64,       16, 64,   i, 1,
			                               TRC_CACHE_UNIFIED, 0,  { 0 } };
		struct trc_batch rows = generate_zeros(TRC_HAS_TYPE | TRC_HAS_ADDR, STEPS);
		struct trc_cache_counts count;
		struct trc_err err;
		struct trc_source *src;
		struct trc_sink *sink;
		struct trc_ways w;
		uint64_t misses = 0, writebacks = 0;

		if (trc_policy(i)->ahead) {
			trc_batch_release(&rows);
			continue;
		}
		CHECK(trc_ways_init(&w, &shape, &err) == 0);
		for (size_t k = 0; k < rows.n; k++) {
			const uint64_t line = next_line(&m, 1, k, 200) /
			                      (1 + generate_below(&m, 2));
			const uint64_t dirty = generate_below(&m, 3) ? 0 : TRC_WAY_DIRTY;

			rows.addr[k] = line * 64;
			rows.type[k] = dirty ? TRC_WRITE : TRC_READ;
			if (!trc_ways_use(&w, line, dirty)) {
				misses++;
				writebacks += !!(trc_ways_add(&w, line, dirty) & TRC_WAY_DIRTY);
			}
		}
		src = generate_source(&rows, 100);
		sink = trc_cache_sink(&shape, 1, &count, &err);
		CHECK(sink && trc_pump(src, sink, 100, NULL, &err) == 0);
		CHECK_MSG(count.misses[TRC_READ] + count.misses[TRC_WRITE] == misses, "%s",
		          trc_policy(i)->name);
		CHECK(count.writebacks[TRC_READ] + count.writebacks[TRC_WRITE] == writebacks);
		trc_sink_close(sink);
		trc_source_close(src);
		trc_ways_release(&w);
		trc_batch_release(&rows);
	}
}

/* Faults that are no first references, and write-backs, of the rows of one space. */
static void
check_memory(const struct oracle *o, const struct trc_batch *rows, size_t size,
             const struct trc_mrc_curve *curve)
{
	struct set s;
	bool dirty[LINES_MOST] = { false }, seen[LINES_MOST] = { false };
	uint64_t misses = 0, writebacks = 0;

	set_init(&s, size);
	for (size_t i = 0; i < rows->n; i++) {
		const uint64_t page = rows->vpn[i];

		if (rows->asid[i] != curve->space)
			continue;
		if (rows->type[i] == TRC_INVALIDATE) {
			set_drop(&s, page);
			set_forget(&s, page);
			dirty[page] = false;
			continue;
		}
		s.gone = NOTHING;
		misses += !o->touch(&s, page) && seen[page];
		if (s.gone != NOTHING) {
			writebacks += dirty[s.gone];
			dirty[s.gone] = false;
		}
		dirty[page] |= rows->type[i] == TRC_WRITE;
		seen[page] = true;
	}
	CHECK_MSG(trc_mrc_misses(curve, size) == misses &&
	                  trc_mrc_writebacks(curve, size) == writebacks,
	          "%s, %u pages", o->name, (unsigned)size);
}

static void
check_memories(unsigned deletes)
{
	static const uint64_t size[] = { 16, 1, 2, 4, 32 };
	struct generator m = { test_seed };

	for (size_t i = 0; i < TRC_COUNT(oracles); i++) {
		const struct trc_memories_shape shape = { number_of(oracles[i].name), 1, size,
			                                  TRC_COUNT(size) };
		struct trc_batch rows = generate_zeros(TRC_HAS_TYPE | TRC_HAS_VPN | TRC_HAS_ASID,
		                                       STEPS);
		struct trc_source *src;
		struct trc_sink *sink;
		struct trc_mrc mrc;
		struct trc_err err;
		uint64_t refs;

		for (size_t k = 0; k < rows.n; k++) {
			rows.vpn[k] = next_line(&m, (int)(i % 4), k, 60);
			rows.asid[k] = (uint32_t)generate_below(&m, 2);
			rows.type[k] = generate_below(&m, 100) < deletes ? TRC_INVALIDATE :
			               generate_below(&m, 4)             ? TRC_READ :
			                                                   TRC_WRITE;
		}
		src = trc_stage_page(generate_source(&rows, 70), 0, &refs, &err);
		sink = src ? trc_mrc_memories_sink(&mrc, src->have, true, false, &shape, &err) :
		             NULL;
		CHECK(sink && trc_pump(src, sink, 70, NULL, &err) == 0 && mrc.n == 2);
		for (size_t k = 0; k < TRC_COUNT(size); k++)
			for (size_t c = 0; c < mrc.n; c++)
				check_memory(&oracles[i], &rows, (size_t)size[k], &mrc.curve[c]);
		CHECK(trc_mrc_misses(&mrc.curve[0], mrc.curve[0].pages) == mrc.curve[0].again);
		CHECK((mrc.curve[0].again > 0) == (deletes > 0));
		trc_sink_close(sink);
		trc_source_close(src);
		trc_mrc_release(&mrc);
		trc_batch_release(&rows);
	}
}

static void
memories_of_each_size_do_as_the_papers_have_it(void)
{
	check_memories(0);
}

static void
memories_do_not_keep_what_is_deleted(void)
{
	check_memories(5);
	check_memories(40);
}

static void
ways_that_a_policy_cannot_have_are_named(void)
{
	struct trc_cache_shape shape = { 3 * 64, 3,    64, number_of("plru"), 1, TRC_CACHE_UNIFIED,
		                         0,      { 0 } };

	CHECK(trc_cache_shape_wrong(&shape));
	shape.policy = number_of("srrip");
	CHECK(!trc_cache_shape_wrong(&shape));
	CHECK(trc_memories_wrong(number_of("plru"), 12) && !trc_memories_wrong(0, 12));
	CHECK(trc_memories_wrong(0, UINT64_MAX) && trc_memories_wrong(0, UINT64_C(1) << 31));
}

int
main(void)
{
	test_start();
	RUN(lines_go_as_the_papers_have_it);
	RUN(every_policy_has_an_oracle);
	RUN(the_sink_counts_what_the_ways_do);
	RUN(memories_of_each_size_do_as_the_papers_have_it);
	RUN(memories_do_not_keep_what_is_deleted);
	RUN(ways_that_a_policy_cannot_have_are_named);
	return 0;
}
