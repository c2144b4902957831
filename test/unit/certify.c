/* SPDX-License-Identifier: MIT
 *
 * Certificates against the definition, on many small traces. A reduced trace is certified for r
 * just if
 *
 *   its records are references of the original, in their order;
 *   in every LRU memory of m >= r pages, simulated, both fault at the same references, evict the
 *   same pages, clean or dirty alike, and have the same pages at the end, as dirty; and
 *   no write has become a read.
 *
 * So what SAD and OLR-S leave is certified, and what is then broken is certified only if nobody
 * could see it.
 */
#include <string.h>

#include "generate.h"
#include "stage/reduce/certify.h"
#include "stage/stage.h"
#include "test.h"

enum { PAGES_MOST = 12, REFS_MOST = 160 };

struct ref {
	uint64_t time, page;
	bool write;
};

struct trace {
	struct ref ref[REFS_MOST];
	size_t n;
};

struct event {
	uint64_t time, page, victim;
	bool dirty;
};

struct memory {
	struct event event[REFS_MOST];
	size_t events, n;
	struct ref frame[PAGES_MOST + 1]; /* the least recently used first; write: dirty */
};

static void
simulate(const struct trace *t, size_t m, struct memory *mem)
{
	mem->n = mem->events = 0;
	for (size_t i = 0; i < t->n; i++) {
		struct ref now = t->ref[i];
		size_t at = 0;

		while (at < mem->n && mem->frame[at].page != now.page)
			at++;
		if (at == mem->n) {
			struct event *e = &mem->event[mem->events++];

			*e = (struct event){ now.time, now.page, UINT64_MAX, false };
			if (mem->n == m) {
				at = 0;
				e->victim = mem->frame[0].page;
				e->dirty = mem->frame[0].write;
			}
		} else {
			now.write |= mem->frame[at].write;
		}
		if (at < mem->n)
			memmove(&mem->frame[at], &mem->frame[at + 1],
			        (--mem->n - at) * sizeof(now));
		mem->frame[mem->n++] = now;
	}
}

static bool
same_at(const struct trace *a, const struct trace *b, size_t m)
{
	static struct memory x, y;
	bool dirty[2][PAGES_MOST] = { { false } }, in[2][PAGES_MOST] = { { false } };

	simulate(a, m, &x);
	simulate(b, m, &y);
	if (x.events != y.events || x.n != y.n)
		return false;
	for (size_t i = 0; i < x.events; i++)
		if (x.event[i].time != y.event[i].time || x.event[i].page != y.event[i].page ||
		    x.event[i].victim != y.event[i].victim || x.event[i].dirty != y.event[i].dirty)
			return false;
	for (size_t i = 0; i < x.n; i++) {
		in[0][x.frame[i].page] = in[1][y.frame[i].page] = true;
		dirty[0][x.frame[i].page] = x.frame[i].write;
		dirty[1][y.frame[i].page] = y.frame[i].write;
	}
	return memcmp(in[0], in[1], sizeof(in[0])) == 0 &&
	       memcmp(dirty[0], dirty[1], sizeof(dirty[0])) == 0;
}

static bool
by_definition(const struct trace *whole, const struct trace *reduced, size_t r)
{
	size_t k = 0;

	for (size_t i = 0; i < whole->n && k < reduced->n; i++)
		k += whole->ref[i].time == reduced->ref[k].time &&
		     whole->ref[i].page == reduced->ref[k].page &&
		     whole->ref[i].write <= reduced->ref[k].write;
	if (k < reduced->n)
		return false;
	for (size_t m = r; m <= PAGES_MOST + 1; m++)
		if (!same_at(whole, reduced, m))
			return false;
	return true;
}

static struct trc_batch
to_batch(const struct trace *t)
{
	struct trc_batch b = generate_zeros(TRC_HAS_TYPE | TRC_HAS_VPN | TRC_HAS_RTIME, REFS_MOST);

	b.n = t->n;
	for (size_t i = 0; i < t->n; i++) {
		b.type[i] = t->ref[i].write ? TRC_WRITE : TRC_READ;
		b.vpn[i] = t->ref[i].page;
		b.rtime[i] = t->ref[i].time;
	}
	return b;
}

static bool
certified_in(const struct trc_batch *whole, const struct trc_batch *reduced, size_t r,
             struct trc_scope scope, struct generator *m, struct trc_certificate *c)
{
	static const size_t most[] = { 1, 2, 7, 4096 };
	uint64_t refs;
	struct trc_err err = { 0 };
	struct trc_source *a = generate_source(whole, most[generate_below(m, 4)]);
	struct trc_source *b = generate_source(reduced, most[generate_below(m, 4)]);
	struct trc_sink *sink;
	int ret;

	CHECK((a = trc_stage_page(a, 0, &refs, &err)) && (b = trc_stage_page(b, 0, &refs, &err)));
	CHECK((sink = trc_certify_sink(c, b, r, &scope, NULL, a->have, &err)));
	ret = trc_pump(a, sink, most[generate_below(m, 4)], NULL, &err);
	CHECK_MSG(ret == 0 || c->parted, "%s", err.text);
	CHECK(ret == 0 || strstr(err.text, "first difference at ") ||
	      strstr(err.text, "differ at the end"));
	trc_sink_close(sink);
	trc_source_close(a);
	trc_source_close(b);
	return ret == 0;
}

static bool
certified(const struct trace *whole, const struct trace *reduced, size_t r, struct generator *m,
          struct trc_certificate *c)
{
	struct trc_batch a = to_batch(whole), b = to_batch(reduced);
	const bool ret = certified_in(&a, &b, r, (struct trc_scope){ 0 }, m, c);

	trc_batch_release(&a);
	trc_batch_release(&b);
	return ret;
}

static void
make_trace(struct trace *t, struct generator *m, int habit, size_t pages, size_t n)
{
	for (t->n = 0; t->n < n; t->n++) {
		const uint64_t any = generate_below(m, pages);

		t->ref[t->n] = (struct ref){ t->n + 1, any, generate_below(m, 10) < 3 };
		if (habit == 1)
			t->ref[t->n].page = generate_below(m, 6) ? any % (pages / 2 + 1) : any;
		else if (habit == 2)
			t->ref[t->n].page = generate_below(m, 5) ? t->n % pages : any;
		else if (habit == 3)
			t->ref[t->n].page = (t->n / 7 + any % 3) % pages;
	}
}

static void
reduce(const struct trace *t, size_t r, bool block, bool olr, struct trace *out)
{
	const struct trc_reduction how = { .r = r, .lru_only = olr };
	struct trc_batch rows = to_batch(t), got;
	uint64_t refs;
	struct trc_err err;
	struct trc_source *src = trc_stage_page(generate_source(&rows, 50), 0, &refs, &err);

	if (block)
		CHECK((src = trc_stage_block(src, &err)));
	CHECK((src = (olr ? trc_stage_olr : trc_stage_drop)(src, &how, &err)));
	if (block)
		CHECK((src = trc_stage_block(src, &err)));
	CHECK(generate_collect(src, 50, &got, NULL, &err) == 0);
	for (out->n = 0; out->n < got.n; out->n++)
		out->ref[out->n] = (struct ref){ got.rtime[out->n], got.vpn[out->n],
			                         got.type[out->n] == TRC_WRITE };
	trc_batch_release(&got);
	trc_batch_release(&rows);
}

/* Calls `check` with traces of all habits, every r that matters, and what SAD or OLR-S makes of
 * them. */
static void
for_each_reduced(int rounds, void (*check)(struct generator *m, const struct trace *whole,
                                           const struct trace *reduced, size_t r))
{
	struct generator m = { test_seed };
	struct trace whole, reduced;

	for (int round = 0; round < rounds; round += (int)test_step_most(5)) {
		const size_t pages = 2 + generate_below(&m, PAGES_MOST - 2);

		make_trace(&whole, &m, round % 4, pages, 5 + generate_below(&m, 120));
		for (size_t r = 1; r <= pages + 1; r++) {
			reduce(&whole, r, generate_below(&m, 2), generate_below(&m, 2), &reduced);
			check(&m, &whole, &reduced, r);
		}
	}
}

static void
check_certified(struct generator *m, const struct trace *whole, const struct trace *reduced,
                size_t r)
{
	static struct memory mem;
	struct trc_certificate c;
	uint64_t evictions = 0, dirty = 0;

	CHECK(by_definition(whole, reduced, r));
	CHECK(certified(whole, reduced, r, m, &c));
	CHECK(certified(whole, whole, r, m, &c) && c.became_writes == 0);
	simulate(whole, r, &mem);
	for (size_t i = 0; i < mem.events; i++) {
		evictions += mem.event[i].victim != UINT64_MAX;
		dirty += mem.event[i].dirty;
	}
	CHECK(c.faults == mem.events && c.evictions == evictions && c.dirty == dirty);
	CHECK(c.references == whole->n && c.records == whole->n);
}

static void
what_reductions_leave_is_certified(void)
{
	for_each_reduced(400, check_certified);
}

static size_t broken, unseen;

/* One of the ways in which a reduced trace goes wrong. */
static void
break_one(struct generator *m, struct trace *t)
{
	const size_t i = generate_below(m, t->n), k = i + 1 < t->n ? i + 1 : i;
	const struct ref ref = t->ref[i];

	switch (generate_below(m, 6)) {
	case 0: memmove(&t->ref[i], &t->ref[i + 1], (--t->n - i) * sizeof(ref)); break;
	case 1:
		t->ref[i] = t->ref[k];
		t->ref[k] = ref;
		break;
	case 2:
		t->ref[i].page = t->ref[k].page;
		t->ref[k].page = ref.page;
		break;
	case 3: t->ref[i].write = !ref.write; break;
	case 4: t->ref[i].page = generate_below(m, PAGES_MOST); break;
	default: t->ref[i].time += generate_below(m, 3) - 1; break;
	}
}

static void
check_broken(struct generator *m, const struct trace *whole, const struct trace *reduced, size_t r)
{
	for (int i = 0; i < 12; i++) {
		struct trace t = *reduced;
		struct trc_certificate c;
		bool want;

		break_one(m, &t);
		want = by_definition(whole, &t, r);
		CHECK_MSG(certified(whole, &t, r, m, &c) == want, "r=%zu", r);
		broken += !want;
		unseen += want;
	}
}

static void
what_is_broken_is_not_certified(void)
{
	broken = unseen = 0;
	for_each_reduced(250, check_broken);
	CHECK_MSG(broken > 4 * unseen && unseen > 0, "%zu and %zu", broken, unseen);
}

/* What was reduced for r pages does not hold for r - 1, and that is found. */
static void
check_bound(struct generator *m, const struct trace *whole, const struct trace *reduced, size_t r)
{
	struct trc_certificate c;
	bool want;

	if (r < 2)
		return;
	want = by_definition(whole, reduced, r - 1);
	CHECK(certified(whole, reduced, r - 1, m, &c) == want);
	broken += !want;
}

static void
one_page_less_is_too_little(void)
{
	broken = 0;
	for_each_reduced(250, check_bound);
	CHECK_MSG(broken * test_step_most(5) > 500, "%zu", broken);
}

/* Any subsequence, with any writes, certified just if it is by definition. */
static void
any_subsequence_is_judged_right(void)
{
	struct generator m = { test_seed };
	size_t yes = 0;

	for (int round = 0; round < 20000; round += (int)test_step_most(5)) {
		const size_t pages = 1 + generate_below(&m, 5),
		             r = 1 + generate_below(&m, pages + 1);
		const uint64_t keep = 2 + generate_below(&m, 12);
		struct trace whole, less = { .n = 0 };
		struct trc_certificate c;
		bool want;

		make_trace(&whole, &m, round % 4, pages, 1 + generate_below(&m, 16));
		for (size_t i = 0; i < whole.n; i++)
			if (generate_below(&m, keep)) {
				less.ref[less.n] = whole.ref[i];
				less.ref[less.n++].write ^= generate_below(&m, 2 * keep) == 0;
			}
		want = by_definition(&whole, &less, r);
		CHECK(certified(&whole, &less, r, &m, &c) == want);
		yes += want;
	}
	CHECK_MSG(yes * test_step_most(5) > 5000, "%zu", yes);
}

/* What is reduced for the memory of each space is certified for it. */
/* Reductions with memories of each space, or over canonical pages that have other virtual ones. */
static void
check_scope(struct trc_scope scope)
{
	struct generator m = { test_seed };

	for (int round = 0; round < 500; round += (int)test_step_most(5)) {
		const size_t pages = 2 + generate_below(&m, 8), n = 5 + generate_below(&m, 120);
		const struct trc_reduction how = { .r = 1 + generate_below(&m, pages),
			                           .lru_only = round / 4 % 2,
			                           .scope = scope };
		struct trc_batch rows = generate_zeros(TRC_HAS_TYPE | TRC_HAS_VPN | TRC_HAS_RTIME |
		                                               TRC_HAS_ITIME | TRC_HAS_ASID |
		                                               TRC_HAS_CPN,
		                                       n),
		                 less;
		struct trc_certificate c;
		struct trc_err err;
		struct trc_source *src;
		struct trace t;

		make_trace(&t, &m, round % 4, pages, n);
		for (size_t i = 0; i < n; i++) {
			rows.type[i] = t.ref[i].write ? TRC_WRITE : TRC_READ;
			rows.cpn[i] = rows.vpn[i] = t.ref[i].page;
			if (scope.canonical)
				rows.vpn[i] = generate_below(&m, 3);
			rows.rtime[i] = t.ref[i].time;
			rows.asid[i] = generate_below(&m, 4) ? rows.asid[i ? i - 1 : 0] :
			                                       (uint32_t)generate_below(&m, 3);
		}
		src = generate_source(&rows, 20);
		CHECK((src = (how.lru_only ? trc_stage_olr : trc_stage_drop)(src, &how, &err)));
		CHECK(generate_collect(src, 20, &less, NULL, &err) == 0);
		CHECK(certified_in(&rows, &less, how.r, scope, &m, &c));
		trc_batch_release(&rows);
		trc_batch_release(&less);
	}
}

static void
reductions_by_space_are_certified(void)
{
	check_scope((struct trc_scope){ .by_space = true });
}

static void
reductions_over_canonical_pages_are_certified(void)
{
	check_scope((struct trc_scope){ .canonical = true });
}

/* With a memory for each space, each is judged by itself. */
static void
spaces_are_judged_each(void)
{
	const struct trc_scope scope = { .by_space = true };
	const size_t step = test_step_most(5);
	struct generator m = { test_seed };
	size_t yes = 0;

	for (size_t round = 0; round < 3000; round += step) {
		enum { SPACES = 3 };
		const size_t pages = 1 + generate_below(&m, 5), r = 1 + generate_below(&m, pages);
		const size_t n = 5 + generate_below(&m, 60), gone = generate_below(&m, 2 * n);
		struct trc_batch rows = generate_zeros(
		        TRC_HAS_TYPE | TRC_HAS_VPN | TRC_HAS_RTIME | TRC_HAS_ASID, n);
		struct trc_batch less = generate_zeros(rows.have, n);
		struct trc_certificate c;
		struct trace t;
		bool want = true;

		make_trace(&t, &m, (int)(round % 4), pages, n);
		less.n = 0;
		for (uint32_t i = 0; i < n; i++) {
			rows.type[i] = t.ref[i].write ? TRC_WRITE : TRC_READ;
			rows.vpn[i] = t.ref[i].page;
			rows.rtime[i] = t.ref[i].time;
			rows.asid[i] = (uint32_t)generate_below(&m, SPACES);
			if (i != gone)
				trc_batch_pick(&less, &rows, &i, 1);
		}
		for (uint32_t s = 0; s < SPACES; s++) {
			struct trace a = { .n = 0 }, b = { .n = 0 };

			for (size_t i = 0; i < n; i++)
				if (rows.asid[i] == s) {
					a.ref[a.n++] = t.ref[i];
					if (i != gone)
						b.ref[b.n++] = t.ref[i];
				}
			want &= by_definition(&a, &b, r);
		}
		CHECK(certified_in(&rows, &less, r, scope, &m, &c) == want);
		yes += want;
		trc_batch_release(&rows);
		trc_batch_release(&less);
	}
	CHECK_MSG(yes * step > 1000 && yes * step < 2900, "%zu", yes);
}

int
main(void)
{
	test_start();
	RUN(what_reductions_leave_is_certified);
	RUN(what_is_broken_is_not_certified);
	RUN(one_page_less_is_too_little);
	RUN(any_subsequence_is_judged_right);
	RUN(spaces_are_judged_each);
	RUN(reductions_by_space_are_certified);
	RUN(reductions_over_canonical_pages_are_certified);
	return 0;
}
