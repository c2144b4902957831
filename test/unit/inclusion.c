/* SPDX-License-Identifier: MIT
 *
 * Levels that include or exclude others, against a plain simulator of what cache.h has of them: it
 * looks at all lines, and asks the rows of policies which of them goes. It goes through a table of
 * hierarchies and through random ones, and all that it counts is compared. After each reference,
 * all that levels hold is looked at: an inclusive one has what is above it, an exclusive one
 * nothing of what the level above has. After the end nothing is dirty, whichever half of a split
 * level has it.
 */
#include "stage/simulate/cache/cache.h"

#include <string.h>

#include "generate.h"
#include "test.h"

enum { ROWS = 2500, LINES_MOST = 512, LEVELS_MOST = 5 };

/* ---- the plain simulator ---- */

struct plain_line {
	bool held, dirty;
	uint64_t line, stamp; /* of its last use, or of FIFO when it came */
};

/* Way w of set s is at s * ways + w. */
struct plain {
	struct trc_cache_shape shape;
	struct trc_cache_counts count;
	struct plain_line at[LINES_MOST];
	size_t empty[LINES_MOST],
	        empties[LINES_MOST];    /* of a set: ways, the next to be filled last */
	const struct trc_policy *rules; /* NULL: by stamps */
	void *state;
	uint64_t now;
};

/* All levels, and which of them are the first. */
struct system {
	struct plain *level;
	size_t n, first;
};

static size_t
sets_of(const struct plain *p)
{
	return (size_t)(p->shape.size / p->shape.line / p->shape.ways);
}

static void
plain_init(struct plain *p, const struct trc_cache_shape *shape)
{
	const struct trc_policy *rules = trc_policy(shape->policy);
	struct trc_err err;

	*p = (struct plain){ .shape = *shape };
	for (size_t s = 0; s < sets_of(p); s++)
		for (size_t w = shape->ways; w-- > 0;)
			p->empty[s * shape->ways + p->empties[s]++] = w;
	if (!rules->size)
		return;
	p->rules = rules;
	p->state = trc_policy_open(rules, sets_of(p), (size_t)shape->ways, &err);
	CHECK(p->state);
}

static struct plain_line *
plain_find(struct plain *p, uint64_t line)
{
	for (size_t i = 0; i < sets_of(p) * p->shape.ways; i++)
		if (p->at[i].held && p->at[i].line == line)
			return &p->at[i];
	return NULL;
}

static uint32_t
way_of(const struct plain *p, const struct plain_line *x)
{
	return (uint32_t)((size_t)(x - p->at) % p->shape.ways);
}

static bool
plain_use(struct plain *p, uint64_t line, bool write)
{
	struct plain_line *x = plain_find(p, line);

	if (!x)
		return false;
	x->dirty |= write;
	if (p->shape.policy == TRC_CACHE_LRU)
		x->stamp = ++p->now;
	if (p->rules)
		p->rules->use(p->state, line % sets_of(p), way_of(p, x));
	return true;
}

static void
plain_drop(struct plain *p, struct plain_line *x)
{
	const size_t set = x->line % sets_of(p), way = way_of(p, x);

	if (p->rules && p->rules->drop)
		p->rules->drop(p->state, set, (uint32_t)way);
	x->held = false;
	p->empty[set * p->shape.ways + p->empties[set]++] = way;
}

/* Returns the line that it replaces, which is not held if there is none. */
static struct plain_line
plain_add(struct plain *p, uint64_t line, bool dirty)
{
	const size_t set = line % sets_of(p), ways = p->shape.ways;
	struct plain_line *x = &p->at[set * ways], gone = { 0 };

	if (p->rules && p->rules->miss)
		p->rules->miss(p->state, set, line);
	if (p->empties[set] > 0) {
		x += p->empty[set * ways + --p->empties[set]];
	} else if (p->rules) {
		x += p->rules->victim(p->state, set);
		gone = *x;
	} else {
		for (size_t w = 1; w < ways; w++)
			x = p->at[set * ways + w].stamp < x->stamp ? &p->at[set * ways + w] : x;
		gone = *x;
	}
	*x = (struct plain_line){ true, dirty, line, ++p->now };
	if (p->rules)
		p->rules->fill(p->state, set, way_of(p, x), line);
	return gone;
}

static size_t
below(const struct system *s, size_t k)
{
	return k < s->first ? s->first : k + 1;
}

static bool
is_exclusive(const struct system *s, size_t k)
{
	return k < s->n && s->level[k].shape.inclusion == TRC_CACHE_EXCLUSIVE;
}

/* The first level below `k` that excludes none. */
static size_t
refers_to(const struct system *s, size_t k)
{
	for (k = below(s, k); is_exclusive(s, k);)
		k++;
	return k;
}

static bool
is_included(const struct system *s, size_t k)
{
	for (k = below(s, k); k < s->n; k++)
		if (s->level[k].shape.inclusion == TRC_CACHE_INCLUSIVE)
			return true;
	return false;
}

static void refer(struct system *s, size_t k, uint64_t addr, uint64_t size, int type);

/* Drops what is above of a line of an inclusive level; true if some of it was dirty. */
static bool
drop_above(struct system *s, size_t k, uint64_t line, int cause, bool count)
{
	const uint64_t bytes = s->level[k].shape.line;
	bool dirty = false;

	for (size_t u = 0; u < k && s->level[k].shape.inclusion == TRC_CACHE_INCLUSIVE; u++) {
		struct plain *p = &s->level[u];

		for (uint64_t a = line * bytes; a < (line + 1) * bytes; a += p->shape.line) {
			struct plain_line *x = plain_find(p, a / p->shape.line);

			if (!x)
				continue;
			dirty |= x->dirty;
			p->count.writebacks[cause] += count && x->dirty;
			p->count.invalidated += count;
			plain_drop(p, x);
		}
	}
	return dirty;
}

/* A line leaves level k for good. */
static void
leave(struct system *s, size_t k, struct plain_line gone, int cause)
{
	struct plain *p = &s->level[k];

	if (!gone.held)
		return;
	p->count.evictions[cause]++;
	if (drop_above(s, k, gone.line, cause, true))
		gone.dirty = true;
	p->count.writebacks[cause] += gone.dirty;
	if (is_exclusive(s, below(s, k))) {
		p->count.victims += !gone.dirty;
		if (!plain_use(&s->level[below(s, k)], gone.line, gone.dirty))
			leave(s, below(s, k),
			      plain_add(&s->level[below(s, k)], gone.line, gone.dirty), cause);
	} else if (gone.dirty) {
		refer(s, refers_to(s, k), gone.line * p->shape.line, p->shape.line, TRC_WRITE);
	}
}

static void
refer_line(struct system *s, size_t k, uint64_t line, bool whole, int type)
{
	struct plain *p = &s->level[k];
	const int want = type == TRC_WRITE ? TRC_READ : type;
	/* An inclusive level must still have the line that is written to it. */
	const bool early = is_included(s, k);
	const bool fetch = early || is_exclusive(s, below(s, k)) || !whole || type != TRC_WRITE;
	bool dirty = type == TRC_WRITE, found = false;
	struct plain_line gone;

	p->count.refs[type]++;
	if (plain_use(p, line, dirty))
		return;
	p->count.misses[type]++;
	p->count.filled += fetch;
	for (size_t e = below(s, k); is_exclusive(s, e) && !found; e++) {
		struct plain_line *x = plain_find(&s->level[e], line);

		s->level[e].count.refs[want]++;
		s->level[e].count.misses[want] += !x;
		if (x) {
			found = true;
			dirty |= x->dirty;
			plain_drop(&s->level[e], x);
		}
	}
	gone = plain_add(p, line, dirty);
	if (early)
		leave(s, k, gone, type);
	if (fetch && !found)
		refer(s, refers_to(s, k), line * p->shape.line, p->shape.line, want);
	if (!early)
		leave(s, k, gone, type);
}

static void
refer(struct system *s, size_t k, uint64_t addr, uint64_t size, int type)
{
	while (k < s->n && size > 0) {
		const uint64_t bytes = s->level[k].shape.line, room = bytes - addr % bytes;
		const uint64_t n = size < room ? size : room;

		refer_line(s, k, addr / bytes, n == bytes, type);
		addr += n;
		size -= n;
	}
}

static void
copy_back(struct system *s, size_t k, struct plain_line *x, uint64_t *count)
{
	const struct plain *p = &s->level[k];

	x->dirty = false;
	++*count;
	refer(s, refers_to(s, k), x->line * p->shape.line, p->shape.line, TRC_WRITE);
}

/* Of a level of stamps in order of these. */
static void
copy_back_all(struct system *s, size_t k, uint64_t *count)
{
	struct plain *p = &s->level[k];

	for (size_t set = sets_of(p); set-- > 0;)
		for (struct plain_line *next;;) {
			next = NULL;
			for (size_t w = 0; w < p->shape.ways; w++) {
				struct plain_line *x = &p->at[set * p->shape.ways + w];

				if (x->held && x->dirty && (!next || x->stamp < next->stamp))
					next = x;
			}
			if (!next)
				break;
			copy_back(s, k, next, count);
		}
}

static void
invalidate(struct system *s, size_t k, uint64_t addr)
{
	for (; k < s->n; k = below(s, k)) {
		const uint64_t line = addr / s->level[k].shape.line;
		struct plain_line *x = plain_find(&s->level[k], line);

		(void)drop_above(s, k, line, 0, false);
		if (x)
			plain_drop(&s->level[k], x);
	}
}

static void
take_row(struct system *s, const struct trc_batch *b, size_t i)
{
	const int type = b->type[i];
	const size_t data = s->first - 1;

	switch (type) {
	case TRC_MODIFY:
		refer(s, data, b->addr[i], b->size[i], TRC_READ);
		refer(s, data, b->addr[i], b->size[i], TRC_WRITE);
		break;
	case TRC_COPY_BACK:
		for (size_t k = 0; k < s->n; k++) {
			struct plain *p = &s->level[k];
			struct plain_line *x = plain_find(p, b->addr[i] / p->shape.line);

			if (x && x->dirty)
				copy_back(s, k, x, &p->count.writebacks[TRC_COPY_BACK]);
		}
		break;
	case TRC_INVALIDATE:
		for (uint64_t k = 0; k < b->size[i]; k++) {
			invalidate(s, 0, b->addr[i] + k);
			invalidate(s, data, b->addr[i] + k);
		}
		break;
	default: refer(s, type == TRC_FETCH ? 0 : data, b->addr[i], b->size[i], type);
	}
}

/* What is held where it should be, and nowhere else. */
static void
check_held(struct system *s)
{
	for (size_t k = s->first; k < s->n; k++)
		for (size_t u = 0; u < k; u++) {
			struct plain *low = &s->level[k], *up = &s->level[u];
			const bool next = u + 1 == k && s->first == 1;

			for (size_t i = 0; i < sets_of(up) * up->shape.ways; i++) {
				const struct plain_line *x = &up->at[i];
				const uint64_t line = x->line * up->shape.line / low->shape.line;

				if (x->held && low->shape.inclusion == TRC_CACHE_INCLUSIVE)
					CHECK(plain_find(low, line));
				if (x->held && low->shape.inclusion == TRC_CACHE_EXCLUSIVE && next)
					CHECK(!plain_find(low, line));
			}
		}
}

/* ---- both ---- */

static void
run_plain(const struct trc_batch *b, const struct trc_cache_shape *shape, size_t n,
          struct trc_cache_counts *count)
{
	struct system s = { calloc(n, sizeof(struct plain)), n,
		            shape[0].part == TRC_CACHE_UNIFIED ? 1 : 2 };

	CHECK(s.level);
	for (size_t k = 0; k < n; k++)
		plain_init(&s.level[k], &shape[k]);
	for (size_t i = 0; i < b->n; i++) {
		take_row(&s, b, i);
		if (i % 16 == 0)
			check_held(&s);
	}
	for (size_t k = 0; k < n; k++)
		copy_back_all(&s, k, &s.level[k].count.writebacks_end);
	for (size_t k = 0; k < n; k++) {
		for (size_t i = 0; i < LINES_MOST; i++)
			CHECK(!s.level[k].at[i].held || !s.level[k].at[i].dirty);
		count[k] = s.level[k].count;
		if (s.level[k].rules)
			trc_policy_close(s.level[k].rules, s.level[k].state);
	}
	free(s.level);
}

static void
run(const struct trc_batch *b, const struct trc_cache_shape *shape, size_t n,
    struct trc_cache_counts *count)
{
	struct trc_source *src = generate_source(b, 100);
	struct trc_err err;
	struct trc_sink *sink = trc_cache_sink(shape, n, count, &err);

	CHECK(sink && trc_pump(src, sink, 100, NULL, &err) == 0);
	trc_sink_close(sink);
	trc_source_close(src);
}

/* Mostly near what came before; sizes that cross lines, and now and then many of them. */
static struct trc_batch
make_rows(struct generator *m, bool events, bool ranges)
{
	static const uint8_t types[] = { TRC_FETCH, TRC_READ,   TRC_READ,      TRC_WRITE,
		                         TRC_WRITE, TRC_MODIFY, TRC_COPY_BACK, TRC_INVALIDATE };
	const unsigned bits = 8 + (unsigned)generate_below(m, 6);
	struct trc_batch b = generate_zeros(TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_SIZE, ROWS);

	for (size_t i = 0; i < b.n; i++) {
		const bool rare = generate_below(m, 8) == 0;

		b.addr[i] = i && generate_below(m, 3) ?
		                    b.addr[i - 1 - generate_below(m, i < 30 ? i : 30)] :
		                    generate_below(m, UINT64_C(1) << bits);
		b.type[i] = types[generate_below(m, events && rare ? 8 : 6)];
		b.size[i] = (uint32_t)(1 + generate_below(m, rare ? 130 : 8));
		if (ranges && generate_below(m, 100) == 0)
			b.size[i] = (uint32_t)generate_below(m, 60000) + 1;
	}
	return b;
}

#define NINE TRC_CACHE_NINE
#define INCL TRC_CACHE_INCLUSIVE
#define EXCL TRC_CACHE_EXCLUSIVE
#define I TRC_CACHE_FETCHES
#define D TRC_CACHE_DATA

static const struct {
	struct trc_cache_shape shape[LEVELS_MOST];
	size_t n;
} hierarchy[] = {
	{ { { 512, 2, 32, 0, 1, 0, NINE, { 0 } }, { 1024, 4, 32, 0, 1, 0, INCL, { 0 } } }, 2 },
	{ { { 512, 2, 32, 0, 1, 0, NINE, { 0 } }, { 1024, 4, 32, 0, 1, 0, EXCL, { 0 } } }, 2 },
	{ { { 512, 16, 32, 0, 1, 0, NINE, { 0 } }, { 512, 2, 32, 0, 1, 0, EXCL, { 0 } } }, 2 },
	{ { { 512, 4, 16, 0, 1, 0, NINE, { 0 } }, { 1024, 2, 64, 0, 1, 0, INCL, { 0 } } }, 2 },
	{ { { 2048, 64, 32, 0, 1, 0, NINE, { 0 } }, { 2048, 64, 32, 0, 1, 0, INCL, { 0 } } }, 2 },
	{ { { 256, 2, 32, 0, 1, I, NINE, { 0 } },
	    { 256, 2, 16, 0, 1, D, NINE, { 0 } },
	    { 1024, 4, 32, 0, 1, 0, INCL, { 0 } } },
	  3 },
	{ { { 256, 2, 32, 0, 1, I, NINE, { 0 } },
	    { 256, 4, 32, 0, 1, D, NINE, { 0 } },
	    { 1024, 4, 32, 0, 1, 0, EXCL, { 0 } } },
	  3 },
	{ { { 256, 2, 16, 0, 1, 0, NINE, { 0 } },
	    { 512, 4, 32, 0, 1, 0, NINE, { 0 } },
	    { 1024, 4, 32, 0, 1, 0, INCL, { 0 } } },
	  3 },
	{ { { 256, 2, 16, 0, 1, 0, NINE, { 0 } },
	    { 512, 4, 16, 0, 1, 0, INCL, { 0 } },
	    { 1024, 4, 16, 0, 1, 0, EXCL, { 0 } } },
	  3 },
	{ { { 256, 2, 16, 0, 1, 0, NINE, { 0 } },
	    { 512, 4, 16, 0, 1, 0, EXCL, { 0 } },
	    { 1024, 4, 32, 0, 1, 0, INCL, { 0 } } },
	  3 },
	{ { { 256, 2, 16, 0, 1, 0, NINE, { 0 } },
	    { 512, 4, 16, 0, 1, 0, EXCL, { 0 } },
	    { 1024, 4, 16, 0, 1, 0, EXCL, { 0 } },
	    { 1024, 4, 32, 0, 1, 0, NINE, { 0 } } },
	  4 },
	{ { { 256, 2, 16, 0, 1, 0, NINE, { 0 } },
	    { 512, 4, 64, 0, 1, 0, INCL, { 0 } },
	    { 1024, 4, 64, 0, 1, 0, INCL, { 0 } } },
	  3 },
	{ { { 256, 2, 32, 0, 1, I, NINE, { 0 } },
	    { 256, 4, 16, 0, 1, D, NINE, { 0 } },
	    { 1024, 8, 32, 0, 1, 0, NINE, { 0 } },
	    { 2048, 8, 64, 0, 1, 0, INCL, { 0 } } },
	  4 },
};

/* `name` is of the hierarchy. */
static void
check_shapes(size_t name, const struct trc_cache_shape *shape, size_t n, bool ranges,
             struct generator *m)
{
	struct trc_cache_counts want[LEVELS_MOST], got[LEVELS_MOST];
	bool by_stamps = true;
	struct trc_batch rows;

	for (size_t k = 0; k < n; k++) {
		CHECK(!trc_cache_shape_wrong(&shape[k]) && !trc_cache_inclusion_wrong(shape, k));
		by_stamps &= !trc_policy(shape[k].policy)->size;
	}
	rows = make_rows(m, by_stamps, ranges);
	run_plain(&rows, shape, n, want);
	run(&rows, shape, n, got);
	for (size_t k = 0; k < n; k++) {
		/* What the end writes is in no order of stamps for policies that have none. */
		if (!by_stamps && k > 0) {
			want[k].refs[TRC_WRITE] = got[k].refs[TRC_WRITE] = 0;
			want[k].misses[TRC_WRITE] = got[k].misses[TRC_WRITE] = 0;
		}
		CHECK_MSG(memcmp(&want[k], &got[k], sizeof(want[k])) == 0,
		          "hierarchy %zu of %s and %s, level %zu", name,
		          trc_policy(shape[0].policy)->name, trc_policy(shape[n - 1].policy)->name,
		          k);
	}
	trc_batch_release(&rows);
}

/* With `upper` in the levels above the last, and `lower` in that. */
static void
check_hierarchy(size_t h, unsigned upper, unsigned lower, bool ranges, struct generator *m)
{
	const size_t n = hierarchy[h].n;
	struct trc_cache_shape shape[LEVELS_MOST];

	for (size_t k = 0; k < n; k++) {
		shape[k] = hierarchy[h].shape[k];
		shape[k].policy = k + 1 < n ? upper : lower;
	}
	check_shapes(h, shape, n, ranges, m);
}

/* Any levels that may stand one below the other, small enough to lose lines: how many. */
static size_t
make_shapes(struct generator *m, struct trc_cache_shape *shape)
{
	const bool split = generate_below(m, 2);
	const size_t first = split ? 2 : 1;
	const size_t n = first + 1 + (size_t)generate_below(m, LEVELS_MOST - first);

	for (size_t k = 0; k < n;) {
		const uint64_t line = UINT64_C(16) << generate_below(m, 3);
		const uint64_t ways = 1 + generate_below(m, 4);
		const uint64_t sets = UINT64_C(1) << generate_below(m, k < first ? 3 : 5);

		shape[k] = (struct trc_cache_shape){ sets * ways * line,
			                             ways,
			                             line,
			                             (unsigned)generate_below(m, 2),
			                             1,
			                             !split || k >= first ? TRC_CACHE_UNIFIED :
			                             k == 0               ? I :
			                                                    D,
			                             NINE,
			                             { 0 } };
		if (k >= first)
			shape[k].inclusion = (enum trc_cache_inclusion)generate_below(m, 3);
		k += !trc_cache_inclusion_wrong(shape, k);
		/* No level excludes halves of different lines. */
		if (split && k == 2 && shape[0].line != shape[1].line && generate_below(m, 4))
			k = 0;
	}
	return n;
}

static void
random_hierarchies_count_as_defined(void)
{
	struct generator m = { test_seed };

	for (size_t round = 0; round < 400; round += test_step()) {
		struct trc_cache_shape shape[LEVELS_MOST];
		const size_t n = make_shapes(&m, shape);

		check_shapes(round, shape, n, round % 4 == 0, &m);
	}
}

static void
levels_include_and_exclude_as_defined(void)
{
	struct generator m = { test_seed };

	for (size_t h = 0; h < TRC_COUNT(hierarchy); h++)
		for (unsigned upper = 0; upper < 2; upper++)
			for (unsigned lower = 0; lower < 2; lower++)
				check_hierarchy(h, upper, lower, false, &m);
}

static void
ranges_go_through_them_as_their_lines_do(void)
{
	struct generator m = { test_seed };

	for (size_t h = 0; h < TRC_COUNT(hierarchy); h++)
		check_hierarchy(h, (unsigned)generate_below(&m, 2), (unsigned)generate_below(&m, 2),
		                true, &m);
}

/* Counts of references to `n` lines of 64 bytes, each of its type. */
static void
run_lines(const uint8_t *line, const uint8_t *type, size_t n, const struct trc_cache_shape *shape,
          size_t levels, struct trc_cache_counts *count)
{
	struct trc_batch b = generate_zeros(TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_SIZE, n);

	for (size_t i = 0; i < n; i++) {
		b.addr[i] = line[i] * UINT64_C(64);
		b.type[i] = type[i];
		b.size[i] = 4;
	}
	run(&b, shape, levels, count);
	trc_batch_release(&b);
}

/* The data has line 0 dirty, loses it, and a fetch takes it up. */
static void
a_dirty_line_that_fetches_took_up_is_written_back(void)
{
	const struct trc_cache_shape shape[] = { { 64, 1, 64, 0, 1, I, NINE, { 0 } },
		                                 { 64, 1, 64, 0, 1, D, NINE, { 0 } },
		                                 { 128, 2, 64, 0, 1, 0, EXCL, { 0 } } };
	const uint8_t line[] = { 0, 1, 0, 0 };
	const uint8_t type[] = { TRC_WRITE, TRC_READ, TRC_FETCH, TRC_COPY_BACK };
	struct trc_cache_counts count[3];

	run_lines(line, type, 3, shape, 3, count);
	CHECK(count[0].writebacks_end == 1);
	run_lines(line, type, 4, shape, 3, count);
	CHECK(count[0].writebacks[TRC_COPY_BACK] == 1 && count[0].writebacks_end == 0);
}

/* Line 0 leaves the exclusive level, dirty, when line 2 is fetched. The last level has then lost
 * it to that; the other way around line 1 would be lost, and nothing missed. */
static void
below_an_exclusive_level_the_fetch_is_first(void)
{
	const struct trc_cache_shape shape[] = { { 64, 1, 64, 0, 1, 0, NINE, { 0 } },
		                                 { 64, 1, 64, 0, 1, 0, EXCL, { 0 } },
		                                 { 128, 2, 64, 0, 1, 0, NINE, { 0 } } };
	const uint8_t line[] = { 0, 1, 2 };
	const uint8_t type[] = { TRC_WRITE, TRC_READ, TRC_READ };
	struct trc_cache_counts count[3];

	run_lines(line, type, 3, shape, 3, count);
	CHECK(count[2].refs[TRC_WRITE] == 1 && count[2].misses[TRC_WRITE] == 1);
}

static void
all_policies_can_include_and_exclude(void)
{
	struct generator m = { test_seed };

	for (unsigned p = 0; trc_policy(p); p++) {
		if (p == TRC_CACHE_RANDOM || trc_policy(p)->ahead)
			continue;
		for (size_t h = 0; h < TRC_COUNT(hierarchy); h++) {
			check_hierarchy(h, 0, p, false, &m);
			check_hierarchy(h, p, 0, false, &m);
			check_hierarchy(h, p, p, false, &m);
		}
	}
}

static void
lines_that_cannot_include_or_exclude_are_named(void)
{
	const struct trc_cache_shape smaller[] = { { 512, 2, 64, 0, 1, 0, NINE, { 0 } },
		                                   { 1024, 4, 32, 0, 1, 0, INCL, { 0 } } };
	const struct trc_cache_shape other[] = { { 512, 2, 32, 0, 1, 0, NINE, { 0 } },
		                                 { 1024, 4, 64, 0, 1, 0, EXCL, { 0 } } };
	const struct trc_cache_shape first[] = { { 512, 2, 32, 0, 1, 0, INCL, { 0 } } };

	CHECK(trc_cache_inclusion_wrong(smaller, 1) && trc_cache_inclusion_wrong(other, 1));
	CHECK(trc_cache_inclusion_wrong(first, 0) && !trc_cache_inclusion_wrong(other, 0));
}

int
main(void)
{
	test_start();
	RUN(levels_include_and_exclude_as_defined);
	RUN(ranges_go_through_them_as_their_lines_do);
	RUN(random_hierarchies_count_as_defined);
	RUN(a_dirty_line_that_fetches_took_up_is_written_back);
	RUN(below_an_exclusive_level_the_fetch_is_first);
	RUN(all_policies_can_include_and_exclude);
	RUN(lines_that_cannot_include_or_exclude_are_named);
	return 0;
}
