/* SPDX-License-Identifier: MIT
 *
 * Counts the contents of a trace. Different pages and spaces are kept in hash maps; a small
 * direct-mapped table in front of each answers for recent ones.
 */
#include "batch/counts.h"

#include <stdlib.h>
#include <string.h>

#include "base/map_find.h"

enum {
	RECENT = 512,
	SPAN_AHEAD = 8,       /* pages of a reference that are requested ahead, where there are */
	SPAN_NEAR = 1 << 14,  /* more than these, which are in a cache of the processor */
	SPAN_MOST = 256,      /* pages in one reference; for larger references: */
	SPANS_MOST = 1 << 22, /* pages in all of them together */
};

#if defined(__GNUC__) && defined(__x86_64__) && !defined(TRC_NO_SIMD)
#define TRC_SIMD 1
#else
#define TRC_SIMD 0
#endif

/* A set of pages, spaces or tasks, with a direct-mapped cache in front. */
struct set {
	struct trc_map map;
	/* The last page and space that were added at each index, (page ^ space) % RECENT. */
	uint64_t recent_page[RECENT];
	uint32_t recent_space[RECENT];
};

/* The state of a counter: the counts so far, and the sets of different pages, spaces and tasks. */
struct trc_tally {
	struct trc_counts counts;
	unsigned page_bits;
	size_t most;    /* entries in each set */
	uint64_t spans; /* pages in references of more than SPAN_MOST pages */
	struct set pages, spaces, tasks;

	/* A faster count_known() for rows without spaces, and how many batches do without it, as
	 * their pages are hardly ever in the table; NULL if this processor has none. */
	unsigned without_many;
	size_t (*many)(struct trc_tally *c, const struct trc_batch *b, size_t i, size_t n);
};

static int
set_init(struct set *set, struct trc_err *err)
{
	/* Initially, each entry has a page that belongs to another index, so nothing is found. */
	for (size_t at = 0; at < RECENT; at++)
		set->recent_page[at] = at + 1;
	return trc_map_init(&set->map, err);
}

/* Returns true if the table in front has the page. */
static inline bool
set_has_recent(const struct set *set, uint32_t space, uint64_t page)
{
	const size_t at = (page ^ space) % RECENT;

	return set->recent_page[at] == page && set->recent_space[at] == space;
}

static int
set_add(struct trc_tally *c, struct set *set, uint32_t space, uint64_t page, struct trc_err *err)
{
	const size_t at = (page ^ space) % RECENT;

	if (set_has_recent(set, space, page))
		return 0;
	set->recent_page[at] = page;
	set->recent_space[at] = space;
	if (trc_map_find(&set->map, space, page)->value != TRC_MAP_NONE)
		return 0;
	if (set->map.n == c->most) {
		c->counts.distinct = false;
		return 0;
	}
	return trc_map_add(&set->map, space, page, 0, err);
}

/* Returns the limit of `spans`, above which pages are not counted. */
static uint64_t
spans_most(const struct trc_tally *c)
{
	return c->most == SIZE_MAX ? SPANS_MOST : 0;
}

/* Counts the pages from that of `first` to that of `last`. A few bytes of garbage can be a
 * reference to 4 GiB, so the work on such references is bounded; no real trace comes near the
 * bound. */
static int
count_span(struct trc_tally *c, uint32_t space, uint64_t first, uint64_t last, struct trc_err *err)
{
	uint64_t page = first >> c->page_bits;
	const uint64_t end = last >> c->page_bits;
	const bool far = c->pages.map.n > SPAN_NEAR;

	if (end - page > SPAN_MOST)
		c->spans += end - page;
	if (c->spans > spans_most(c)) {
		c->counts.distinct = false;
		return 0;
	}
	if (set_add(c, &c->pages, space, page, err))
		return -1;
	for (uint64_t next = page + 1; far && next <= end && next < page + SPAN_AHEAD; next++)
		TRC_PREFETCH(trc_map_place(&c->pages.map, space, next));
	while (page < end) {
		if (far && end - page >= SPAN_AHEAD)
			TRC_PREFETCH(trc_map_place(&c->pages.map, space, page + SPAN_AHEAD));
		if (set_add(c, &c->pages, space, ++page, err))
			return -1;
	}
	return 0;
}

/* Updates the lowest and highest address for the rows from `i` on. Stops at row `n`, or at the
 * first row that is not within a single page in the table, and returns that row. */
static TRC_ALWAYS_INLINE size_t
count_known(struct trc_tally *c, const struct trc_batch *b, size_t i, size_t n, unsigned bits,
            bool sizes, bool spaces)
{
	const uint64_t *const addr = b->addr, *const recent = c->pages.recent_page;
	const uint32_t *const size = b->size, *const asid = b->asid;
	const uint32_t *const recent_space = c->pages.recent_space;
	uint64_t low = c->counts.addr_first, high = c->counts.addr_last;

	for (; i < n; i++) {
		const uint64_t first = addr[i], page = first >> bits;
		const uint64_t last = first + (sizes ? size[i] - (size[i] > 0) : 0);
		const size_t at = (page ^ (spaces ? asid[i] : 0)) % RECENT;

		if (TRC_UNLIKELY(recent[at] != page || (sizes && last >> bits != page) ||
		                 (spaces && recent_space[at] != asid[i])))
			break;
		low = first < low ? first : low;
		high = last > high ? last : high;
	}
	c->counts.addr_first = low;
	c->counts.addr_last = high;
	return i;
}

#if TRC_SIMD
#include <immintrin.h>

/* Does the same for eight rows at a time, without spaces. Stops at the first eight of which one is
 * not within a single page in the table, or where fewer are left. */
TRC_TARGET("avx512f")
static size_t
count_eights(struct trc_tally *c, const struct trc_batch *b, size_t i, size_t n)
{
	const __m128i bits = _mm_cvtsi32_si128((int)c->page_bits);
	const __m512i one = _mm512_set1_epi64(1), within = _mm512_set1_epi64(RECENT - 1);
	__m512i low = _mm512_set1_epi64((long long)c->counts.addr_first);
	__m512i high = _mm512_set1_epi64((long long)c->counts.addr_last);

	for (; n - i >= 8; i += 8) {
		const __m512i first = _mm512_loadu_si512(b->addr + i);
		const __m512i page = _mm512_srl_epi64(first, bits);
		const __m512i known = _mm512_i64gather_epi64(_mm512_and_si512(page, within),
		                                             c->pages.recent_page, 8);
		__m512i last = first;
		__mmask8 other = _mm512_cmpneq_epi64_mask(known, page);

		if (b->size) {
			const __m512i size = _mm512_cvtepu32_epi64(
			        _mm256_loadu_si256((const __m256i *)(b->size + i)));

			last = _mm512_add_epi64(first, size);
			last = _mm512_mask_sub_epi64(last, _mm512_test_epi64_mask(size, size), last,
			                             one);
			other |= _mm512_cmpneq_epi64_mask(_mm512_srl_epi64(last, bits), page);
		}
		if (TRC_UNLIKELY(other))
			break;
		low = _mm512_min_epu64(low, first);
		high = _mm512_max_epu64(high, last);
	}
	c->counts.addr_first = _mm512_reduce_min_epu64(low);
	c->counts.addr_last = _mm512_reduce_max_epu64(high);
	return i;
}

/* Does the same as count_known() for any number of rows without spaces. */
static size_t
count_many(struct trc_tally *c, const struct trc_batch *b, size_t i, size_t n)
{
	while (i < n) {
		const size_t at = count_eights(c, b, i, n), stop = n - at < 8 ? n : at + 8;

		i = b->size ? count_known(c, b, at, stop, c->page_bits, true, false) :
		              count_known(c, b, at, stop, c->page_bits, false, false);
		if (i < stop)
			break;
	}
	return i;
}
#endif

/* Updates the lowest and highest address, and the pages, for any row. */
static int
count_row(struct trc_tally *c, const struct trc_batch *b, size_t i, struct trc_err *err)
{
	const uint64_t first = b->addr[i];
	uint64_t last = first + (b->size ? b->size[i] - (b->size[i] > 0) : 0);

	if (trc_batch_is_event(b, i))
		return 0;
	last = last < first ? UINT64_MAX : last;
	if (first < c->counts.addr_first)
		c->counts.addr_first = first;
	if (last > c->counts.addr_last)
		c->counts.addr_last = last;
	return c->counts.distinct ? count_span(c, b->asid ? b->asid[i] : 0, first, last, err) : 0;
}

/* Returns the first event from row `i` on, or b->n. */
static size_t
next_event(const struct trc_batch *b, size_t i)
{
	if (!b->event)
		return b->n;
	while (i < b->n && !b->event[i])
		i++;
	return i;
}

/* Skips events, whose addresses have no meaning. */
static int
count_addresses(struct trc_tally *c, const struct trc_batch *b, struct trc_err *err)
{
	enum { MANY = 32, BATCHES = 64 }; /* rows for each unknown one; batches */
	const unsigned bits = c->page_bits;
	const bool many = c->many && !b->asid && c->without_many == 0;
	size_t others = 0;

	for (size_t i = 0, end = 0; i < b->n; i++, others++) {
		if (i >= end)
			end = next_event(b, i);
		if (many)
			i = c->many(c, b, i, end);
		else if (b->asid)
			i = b->size ? count_known(c, b, i, end, bits, true, true) :
			              count_known(c, b, i, end, bits, false, true);
		else if (bits == TRC_COUNTS_PAGE_BITS)
			i = b->size ? count_known(c, b, i, end, TRC_COUNTS_PAGE_BITS, true, false) :
			              count_known(c, b, i, end, TRC_COUNTS_PAGE_BITS, false, false);
		else
			i = count_known(c, b, i, end, bits, b->size != NULL, false);
		if (i < b->n && count_row(c, b, i, err))
			return -1;
	}
	c->without_many -= c->without_many > 0;
	if (many && others > b->n / MANY + 1)
		c->without_many = BATCHES;
	return 0;
}

static int
count_pages(struct trc_tally *c, const struct trc_batch *b, struct trc_err *err)
{
	if (!b->vpn)
		return count_addresses(c, b, err);
	for (size_t i = 0; i < b->n && c->counts.distinct; i++)
		if (!trc_batch_is_event(b, i) &&
		    set_add(c, &c->pages, b->asid ? b->asid[i] : 0, b->vpn[i], err))
			return -1;
	return 0;
}

/* Counts the usual types at once, with vectors. Other types are counted in several arrays by turns,
 * because incrementing the same counter twice in a row would stall. */
static void
count_types(struct trc_counts *k, const struct trc_batch *b)
{
	enum { LANES = 4, ROOM = 32, MOST = 240 }; /* rows that a byte counts, in whole vectors */
	uint64_t by[LANES][ROOM] = { { 0 } };

	for (size_t at = 0, end; b->type && at < b->n; at = end) {
		uint8_t reads = 0, writes = 0, fetches = 0, modifies = 0;

		end = b->n - at < MOST ? b->n : at + MOST;
		for (size_t i = at; i < end; i++) {
			reads = (uint8_t)(reads + (b->type[i] == TRC_READ));
			writes = (uint8_t)(writes + (b->type[i] == TRC_WRITE));
			fetches = (uint8_t)(fetches + (b->type[i] == TRC_FETCH));
			modifies = (uint8_t)(modifies + (b->type[i] == TRC_MODIFY));
		}
		if (TRC_LIKELY((size_t)reads + writes + fetches + modifies == end - at)) {
			by[0][TRC_READ] += reads;
			by[0][TRC_WRITE] += writes;
			by[0][TRC_FETCH] += fetches;
			by[0][TRC_MODIFY] += modifies;
			continue;
		}
		for (size_t i = at; i < end; i++)
			by[i % LANES][b->type[i] % ROOM]++;
	}
	for (size_t i = 0; !b->type && i < b->n; i++)
		by[0][trc_batch_is_event(b, i) ? TRC_EVENT : TRC_READ]++;
	for (uint8_t t = 0; t < ROOM; t++) {
		const uint64_t n = by[0][t] + by[1][t] + by[2][t] + by[3][t];

		k->refs += n * trc_type_refs(t);
		if (t & TRC_KERNEL)
			k->by_kernel += n;
		if ((t & TRC_TYPE_MASK) < TRC_TYPES)
			k->by_type[t & TRC_TYPE_MASK] += n;
	}
}

static void
count_times(struct trc_counts *k, const struct trc_batch *b)
{
	uint64_t first = k->rows == 0 ? b->time[0] : k->time_first;
	uint64_t last = k->rows == 0 ? b->time[0] : k->time_last;

	for (size_t i = 0; i < b->n; i++) {
		first = b->time[i] < first ? b->time[i] : first;
		last = b->time[i] > last ? b->time[i] : last;
	}
	k->time_first = first;
	k->time_last = last;
}

/* Counts different spaces or tasks; `v` is their column in `b`. */
static int
count_numbers(struct trc_tally *c, struct set *set, const struct trc_batch *b, const uint32_t *v,
              struct trc_err *err)
{
	bool any = false;
	uint32_t last = 0;

	for (size_t i = 0; i < b->n; i++) {
		if ((any && v[i] == last) || trc_batch_is_event(b, i))
			continue;
		any = true;
		last = v[i];
		if (set_add(c, set, v[i], 0, err))
			return -1;
	}
	return 0;
}

int
trc_tally_add(struct trc_tally *c, const struct trc_batch *b, struct trc_err *err)
{
	count_types(&c->counts, b);
	if (b->time && b->n > 0)
		count_times(&c->counts, b);
	if ((b->addr || b->vpn) && c->page_bits < TRC_COUNTS_NO_PAGES && count_pages(c, b, err))
		return -1;
	if ((b->asid && count_numbers(c, &c->spaces, b, b->asid, err)) ||
	    (b->task && count_numbers(c, &c->tasks, b, b->task, err)))
		return -1;
	c->counts.rows += b->n;
	return 0;
}

static int
join_sets(struct trc_tally *c, struct set *set, const struct set *other, struct trc_err *err)
{
	const struct trc_map_entry *e = other->map.entry;

	for (size_t i = 0; i <= other->map.mask; i++)
		if (e[i].value != TRC_MAP_NONE && set_add(c, set, e[i].space, e[i].page, err))
			return -1;
	return 0;
}

/* Adds all counts except those of the sets. */
static void
join_numbers(struct trc_tally *c, const struct trc_counts *o, uint64_t spans)
{
	struct trc_counts *k = &c->counts;

	if (k->rows == 0 || (o->rows > 0 && o->time_first < k->time_first))
		k->time_first = o->time_first;
	k->time_last = o->time_last > k->time_last ? o->time_last : k->time_last;
	k->rows += o->rows;
	for (int t = 0; t < TRC_TYPES; t++)
		k->by_type[t] += o->by_type[t];
	k->by_kernel += o->by_kernel;
	k->refs += o->refs;
	k->addr_first = o->addr_first < k->addr_first ? o->addr_first : k->addr_first;
	k->addr_last = o->addr_last > k->addr_last ? o->addr_last : k->addr_last;
	c->spans += spans;
	k->distinct &= o->distinct && c->spans <= spans_most(c);
}

int
trc_tally_join(struct trc_tally *c, const struct trc_tally *other, struct trc_err *err)
{
	join_numbers(c, &other->counts, other->spans);
	if (join_sets(c, &c->pages, &other->pages, err) ||
	    join_sets(c, &c->spaces, &other->spaces, err) ||
	    join_sets(c, &c->tasks, &other->tasks, err))
		return -1;
	return 0;
}

/* ---- between processes ---- */

/* Returns byte `at` of the sort key, from the lowest: first the page, then the space. */
static inline unsigned
digit(const struct trc_map_entry *e, unsigned at)
{
	return at < 8 ? e->page >> 8 * at & 255 : e->space >> 8 * (at - 8) & 255;
}

/* Sorts by space and page with an LSD radix sort; `other` is a buffer of the same size. Returns the
 * one of the two that has the result. */
static struct trc_map_entry *
sort_pages(struct trc_map_entry *e, struct trc_map_entry *other, size_t n)
{
	enum { DIGITS = 12 };

	for (unsigned at = 0; n > 1 && at < DIGITS; at++) {
		size_t from[256] = { 0 }, sum = 0;
		struct trc_map_entry *const was = e;

		for (size_t i = 0; i < n; i++)
			from[digit(&e[i], at)]++;
		if (from[digit(e, at)] == n)
			continue;
		for (size_t d = 0; d < 256; d++) {
			const size_t entries = from[d];

			from[d] = sum;
			sum += entries;
		}
		for (size_t i = 0; i < n; i++)
			other[from[digit(&e[i], at)]++] = e[i];
		e = other;
		other = was;
	}
	return e;
}

/* Lists the entries of a set in order; `e` has room for twice as many. */
static struct trc_map_entry *
list_pages(const struct set *set, struct trc_map_entry *e)
{
	size_t n = 0;

	for (size_t i = 0; i <= set->map.mask; i++)
		if (set->map.entry[i].value != TRC_MAP_NONE)
			e[n++] = set->map.entry[i];
	return sort_pages(e, e + n, n);
}

/* Adds pages to a set. In a large set, entries are prefetched ahead of their use. */
static int
fill_set(struct trc_tally *c, struct set *set, const struct trc_map_entry *e, size_t n,
         struct trc_err *err)
{
	enum { AHEAD = 16 };

	for (size_t i = 0; i < n; i++) {
		if (i + AHEAD < n)
			TRC_PREFETCH(
			        trc_map_place(&set->map, e[i + AHEAD].space, e[i + AHEAD].page));
		if (set_add(c, set, e[i].space, e[i].page, err))
			return -1;
	}
	return 0;
}

static void
set_state(struct trc_tally *c, struct set *set, struct trc_state *s)
{
	struct trc_map_entry *all, *e;
	size_t n = set->map.n;

	trc_state_count(s, &n, UINT32_MAX);
	e = all = trc_state_room(s, s->writes ? 2 * n : n, sizeof(*all));
	if (!all)
		return;
	if (s->writes)
		e = list_pages(set, all);
	trc_state_array(s, TRC_STRIDED(&e->page, sizeof(*e)), n, TRC_STATE_DELTA, UINT64_MAX);
	trc_state_array(s, TRC_STRIDED(&e->space, sizeof(*e)), n, 0, UINT32_MAX);
	if (!s->writes && !s->failed)
		s->failed = fill_set(c, set, e, n, s->err) != 0;
	free(all);
}

void
trc_tally_state(struct trc_tally *c, struct trc_state *s)
{
	struct trc_tally next = s->writes ? *c : (struct trc_tally){ .most = c->most };
	struct trc_counts *k = &next.counts;

	for (size_t t = 0; t < TRC_TYPES; t++)
		trc_state_num(s, &k->by_type[t]);
	trc_state_nums(s, &k->rows, &k->by_kernel, &k->refs, &k->addr_first, &k->addr_last,
	               &k->time_first, &k->time_last, &next.spans);
	trc_state_flag(s, &k->distinct);
	if (s->failed)
		return;
	if (!s->writes)
		join_numbers(c, k, next.spans);
	set_state(c, &c->pages, s);
	set_state(c, &c->spaces, s);
	set_state(c, &c->tasks, s);
}

struct trc_counts
trc_tally_counts(const struct trc_tally *c)
{
	struct trc_counts k = c->counts;

	if (k.distinct) {
		k.pages = c->pages.map.n;
		k.spaces = c->spaces.map.n;
		k.tasks = c->tasks.map.n;
	}
	return k;
}

void
trc_tally_close(struct trc_tally *c)
{
	if (!c)
		return;
	trc_map_release(&c->pages.map);
	trc_map_release(&c->spaces.map);
	trc_map_release(&c->tasks.map);
	free(c);
}

struct trc_tally *
trc_tally_open(unsigned page_bits, size_t most, struct trc_err *err)
{
	struct trc_tally *c = trc_alloc(1, sizeof(*c), err);

	if (!c)
		return NULL;
	c->page_bits = page_bits;
#if TRC_SIMD
	if (__builtin_cpu_supports("avx512f"))
		c->many = count_many;
#endif
	c->most = most ? most : SIZE_MAX;
	c->counts = (struct trc_counts){ .addr_first = UINT64_MAX, .distinct = true };
	if (set_init(&c->pages, err) || set_init(&c->spaces, err) || set_init(&c->tasks, err)) {
		trc_tally_close(c);
		return NULL;
	}
	return c;
}

const char *
trc_counts_differ(const struct trc_counts *a, const struct trc_counts *b)
{
	const bool distinct = a->distinct && b->distinct;

	if (a->rows != b->rows)
		return "records";
	if (a->refs != b->refs || memcmp(a->by_type, b->by_type, sizeof(a->by_type)) != 0)
		return "references";
	if (a->by_kernel != b->by_kernel)
		return "references by the kernel";
	if (a->addr_first != b->addr_first || a->addr_last != b->addr_last)
		return "addresses";
	if (a->time_first != b->time_first || a->time_last != b->time_last)
		return "times";
	if (distinct && a->pages != b->pages)
		return "pages";
	if (distinct && (a->spaces != b->spaces || a->tasks != b->tasks))
		return "spaces or tasks";
	return NULL;
}
