/* SPDX-License-Identifier: MIT
 *
 * TLBs against lists of translations, which know nothing of caches: pages of two sizes, halves,
 * levels, spaces.
 */
#include "stage/simulate/cache/tlb.h"

#include <stdlib.h>
#include <string.h>

#include "generate.h"
#include "stage/simulate/cache/cache.h"
#include "test.h"

enum { BITS = 8, HUGE_BITS = 12, RECORDS = 400, ENTRIES_MOST = 64 };

/* ---- the definition ---- */

struct entry {
	uint64_t page;
	uint32_t space;
	bool huge;
};

/* A TLB: all entries of all sets, the last used first. */
struct tlb {
	struct entry entry[ENTRIES_MOST];
	size_t n;
	uint64_t sets, ways;
	uint64_t refs[3], misses[3]; /* fetches, loads, stores */
};

static bool
look_up(struct tlb *t, struct entry e, int kind)
{
	size_t at = 0, in_set = 0, last = 0;
	bool hit;

	while (at < t->n && (t->entry[at].page != e.page || t->entry[at].huge != e.huge ||
	                     t->entry[at].space != e.space))
		at++;
	hit = at < t->n;
	t->refs[kind]++;
	t->misses[kind] += !hit;
	for (size_t k = 0; k < t->n && !hit; k++)
		if (t->entry[k].page % t->sets == e.page % t->sets) {
			in_set++;
			last = k;
		}
	if (!hit && in_set == t->ways)
		at = last;
	else if (!hit)
		at = t->n++;
	memmove(t->entry + 1, t->entry, at * sizeof(e));
	t->entry[0] = e;
	return hit;
}

static bool
is_huge(const struct trc_tlb_range *range, size_t n, uint64_t addr)
{
	const uint64_t first = addr >> HUGE_BITS << HUGE_BITS;
	bool all = true;

	/* Each byte of the block in one of them: they overlap, or touch, or not. */
	for (uint64_t a = first; a < first + (1 << HUGE_BITS) && all; a++) {
		bool in = false;

		for (size_t k = 0; k < n; k++)
			in |= range[k].first <= a && a <= range[k].last;
		all = in;
	}
	return all;
}

struct hierarchy {
	struct tlb level[3]; /* halves, or one of them alone; what is below */
	bool split, by_size;
};

static void
refer(struct hierarchy *h, const struct trc_tlb_range *range, size_t n, const struct trc_batch *b,
      size_t i, int kind)
{
	const uint64_t last = b->addr[i] + (b->size[i] ? b->size[i] - 1 : 0);
	struct entry before = { UINT64_MAX, 0, false };

	for (uint64_t a = b->addr[i]; a <= last; a = (a >> BITS << BITS) + (1 << BITS)) {
		const bool huge = is_huge(range, n, a);
		const struct entry e = { a >> (huge ? HUGE_BITS : BITS), b->asid[i], huge };
		const bool second = h->by_size ? huge : kind != 0;

		if (e.page == before.page && e.huge == before.huge)
			continue;
		before = e;
		if (!look_up(&h->level[h->split && second], e, kind))
			(void)look_up(&h->level[2], e, kind);
	}
}

/* ---- laws ---- */

static struct trc_batch
make_records(struct generator *m)
{
	static const uint8_t type[] = { TRC_READ, TRC_WRITE, TRC_FETCH,    TRC_MODIFY,
		                        TRC_MISC, TRC_FETCH, TRC_PREFETCH, TRC_INVALIDATE };
	struct trc_batch b =
	        generate_zeros(TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_SIZE | TRC_HAS_ASID, RECORDS);
	const uint64_t far = 1 + generate_below(m, 16);

	for (size_t i = 0; i < b.n; i++) {
		b.type[i] = type[generate_below(m, 8)];
		b.addr[i] = generate_below(m, 3) ? generate_below(m, far << HUGE_BITS) :
		                                   generate_below(m, 1 << HUGE_BITS);
		b.size[i] = (uint32_t)generate_below(m, generate_below(m, 20) ? 9 : 3 << HUGE_BITS);
		b.asid[i] = generate_below(m, 4) ? 0 : (uint32_t)generate_below(m, 3) * 0x7fffffff;
	}
	return b;
}

static void
shape_one(struct generator *m, struct trc_cache_shape *shape, struct tlb *t,
          enum trc_cache_part part)
{
	t->sets = UINT64_C(1) << generate_below(m, 3);
	t->ways = 1 + generate_below(m, ENTRIES_MOST / t->sets);
	*shape = (struct trc_cache_shape){ .size = t->sets * t->ways * TRC_TLB_LINE,
		                           .ways = t->ways,
		                           .line = TRC_TLB_LINE,
		                           .policy = TRC_CACHE_LRU,
		                           .part = part };
}

static void
check_level(const struct trc_cache_counts *c, const struct tlb *t, bool by_size, int level)
{
	static const enum trc_type type[] = { TRC_FETCH, TRC_READ, TRC_MISC };
	uint64_t refs = 0, misses = 0, want_refs = 0, want_misses = 0;

	for (int k = 0; k < 3; k++) {
		CHECK_MSG(by_size || (c->refs[type[k]] == t->refs[k] &&
		                      c->misses[type[k]] == t->misses[k]),
		          "level %d, kind %d: %u of %u, not %u of %u", level, k,
		          (unsigned)c->misses[type[k]], (unsigned)c->refs[type[k]],
		          (unsigned)t->misses[k], (unsigned)t->refs[k]);
		refs += c->refs[type[k]];
		misses += c->misses[type[k]];
		want_refs += t->refs[k];
		want_misses += t->misses[k];
	}
	CHECK(refs == want_refs && misses == want_misses && c->writebacks[TRC_MISC] == 0);
}

static void
look_ups_are_as_lists_have_them(void)
{
	struct generator m = { test_seed };

	for (int round = 0; round < 40; round++) {
		struct hierarchy h = { .split = round & 1, .by_size = (round & 3) == 3 };
		struct trc_tlb_pages pages = { .bits = BITS, .huge_bits = HUGE_BITS };
		struct trc_tlb_range range[8];
		struct trc_cache_shape shape[3];
		struct trc_cache_counts count[3];
		struct trc_batch b = make_records(&m);
		const size_t first = h.split ? 2 : 1, ranges = (size_t)generate_below(&m, 8);
		struct trc_err err;
		struct trc_sink *sink;
		struct trc_source *src = generate_source(&b, 1 + generate_below(&m, 100));

		for (size_t k = 0; k < ranges; k++) {
			range[k].first = generate_below(&m, 20 << HUGE_BITS);
			range[k].last = range[k].first + generate_below(&m, 4 << HUGE_BITS);
			if (generate_below(&m, 3) == 0)
				range[k].first &= ~(uint64_t)((1 << HUGE_BITS) - 1);
			pages.huge[pages.n++] = range[k];
		}
		pages.by_size = h.by_size;
		trc_tlb_pages_sort(&pages);
		for (size_t i = 0; i < first; i++)
			shape_one(&m, &shape[i], &h.level[i],
			          !h.split ? TRC_CACHE_UNIFIED :
			          i        ? TRC_CACHE_DATA :
			                     TRC_CACHE_FETCHES);
		shape_one(&m, &shape[first], &h.level[2], TRC_CACHE_UNIFIED);
		for (size_t i = 0; i < b.n; i++) {
			const uint8_t type = b.type[i];

			if (type == TRC_FETCH)
				refer(&h, range, ranges, &b, i, 0);
			if (type == TRC_READ || type == TRC_MODIFY || type == TRC_MISC)
				refer(&h, range, ranges, &b, i, 1);
			if (type == TRC_WRITE || type == TRC_MODIFY)
				refer(&h, range, ranges, &b, i, 2);
		}
		sink = trc_cache_sink(shape, first + 1, count, &err);
		sink = sink ? trc_tlb_sink(sink, &pages, b.have, &err) : NULL;
		CHECK(sink && trc_pump(src, sink, 50, NULL, &err) == 0);
		for (size_t i = 0; i < first; i++)
			check_level(&count[i], &h.level[i], h.by_size, (int)i);
		check_level(&count[first], &h.level[2], h.by_size, 2);
		trc_sink_close(sink);
		trc_source_close(src);
		trc_batch_release(&b);
	}
}

/* The ends of all addresses, and what a trace of pages has. */
static void
extremes_have_pages(void)
{
	struct trc_tlb_pages pages = { .bits = 12, .huge_bits = 21, .n = 1 };
	const struct trc_cache_shape shape = { 4 * TRC_TLB_LINE, 4,    TRC_TLB_LINE,
		                               TRC_CACHE_LRU,    1,    TRC_CACHE_UNIFIED,
		                               TRC_CACHE_NINE,   { 0 } };
	struct trc_batch b = generate_zeros(TRC_HAS_ADDR, 3);
	struct trc_batch v = generate_zeros(TRC_HAS_VPN, 3);
	struct trc_cache_counts count;
	struct trc_err err;

	b.addr[0] = UINT64_MAX;
	b.addr[1] = UINT64_MAX - (1 << 21) + 1;
	v.vpn[0] = UINT64_MAX >> 12;
	v.vpn[1] = (UINT64_MAX >> 12) - 511;
	pages.huge[0] = (struct trc_tlb_range){ UINT64_MAX - (1 << 22), UINT64_MAX };
	trc_tlb_pages_sort(&pages);
	CHECK(pages.n == 1);
	for (int k = 0; k < 2; k++) {
		struct trc_batch *rows = k ? &v : &b;
		struct trc_source *src = generate_source(rows, 2);
		struct trc_sink *sink = trc_cache_sink(&shape, 1, &count, &err);

		sink = trc_tlb_sink(sink, &pages, rows->have, &err);
		CHECK(sink && trc_pump(src, sink, 10, NULL, &err) == 0);
		CHECK(count.refs[TRC_READ] == 3 && count.misses[TRC_READ] == 2);
		trc_sink_close(sink);
		trc_source_close(src);
	}
	trc_batch_release(&b);
	/* A page whose address has more than 64 bits. */
	v.vpn[2] = UINT64_MAX;
	{
		struct trc_source *src = generate_source(&v, 2);
		struct trc_sink *sink = trc_cache_sink(&shape, 1, &count, &err);

		sink = trc_tlb_sink(sink, &pages, v.have, &err);
		CHECK(sink && trc_pump(src, sink, 10, NULL, &err) == -1);
		trc_sink_close(sink);
		trc_source_close(src);
	}
	trc_batch_release(&v);
	pages = (struct trc_tlb_pages){ .bits = 12, .huge_bits = 21, .n = 2 };
	pages.huge[0] = (struct trc_tlb_range){ 1, (4 << 20) - 2 };
	pages.huge[1] = (struct trc_tlb_range){ 0, (2 << 20) - 2 };
	trc_tlb_pages_sort(&pages);
	CHECK(pages.n == 1 && pages.huge[0].first == 0 && pages.huge[0].last == (2 << 20) - 1);
	pages.huge[0] = (struct trc_tlb_range){ 1, (4 << 20) - 2 };
	trc_tlb_pages_sort(&pages);
	CHECK(pages.n == 0);
}

int
main(void)
{
	test_start();
	RUN(look_ups_are_as_lists_have_them);
	RUN(extremes_have_pages);
	return 0;
}
