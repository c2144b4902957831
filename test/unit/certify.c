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

static const struct trc_certify_part whole_part = { .first = true };

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
	CHECK((sink = trc_certify_sink(c, b, r, &scope, &whole_part, a->have, &err)));
	ret = trc_pump(a, sink, most[generate_below(m, 4)], NULL, &err);
	CHECK_MSG(ret == 0 || c->parted, "%s", err.text);
	CHECK(ret == 0 || strstr(err.text, "they part at "));
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

	for (int round = 0; round < rounds; round++) {
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
	CHECK_MSG(broken > 100, "%zu", broken);
}

/* Any subsequence, with any writes, certified just if it is by definition. */
static void
any_subsequence_is_judged_right(void)
{
	struct generator m = { test_seed };
	size_t yes = 0;

	for (int round = 0; round < 20000; round++) {
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
	CHECK_MSG(yes > 1000, "%zu", yes);
}

/* What is reduced for the memory of each space is certified for it. */
/* Reductions with memories of each space, or over canonical pages that have other virtual ones. */
static void
check_scope(struct trc_scope scope)
{
	struct generator m = { test_seed };

	for (int round = 0; round < 500; round++) {
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
	struct generator m = { test_seed };
	size_t yes = 0;

	for (int round = 0; round < 3000; round++) {
		enum { SPACES = 3 };
		const size_t pages = 1 + generate_below(&m, 5), r = 1 + generate_below(&m, pages);
		const size_t n = 5 + generate_below(&m, 60), gone = generate_below(&m, 2 * n);
		struct trc_batch rows = generate_zeros(
		        TRC_HAS_TYPE | TRC_HAS_VPN | TRC_HAS_RTIME | TRC_HAS_ASID, n);
		struct trc_batch less = generate_zeros(rows.have, n);
		struct trc_certificate c;
		struct trace t;
		bool want = true;

		make_trace(&t, &m, round % 4, pages, n);
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
	CHECK_MSG(yes > 1000 && yes < 2900, "%zu", yes);
}

/* ---- in parts ---- */

/* What is found of two traces. */
struct verdict {
	int ret;
	struct trc_err err;
	struct trc_certificate c;
};

/* Two traces, and how they are compared. */
struct pair {
	struct trc_batch whole, reduced;
	size_t r;
	struct trc_scope scope;
	struct trc_certify_part part; /* with what the reduced trace has of the other */
	struct trc_meta meta;         /* of the whole, at its end */
};

static struct trc_batch
rows_between(const struct trc_batch *rows, size_t from, size_t to)
{
	struct trc_batch b = generate_zeros(rows->have, to - from + 1);

	b.n = 0;
	trc_batch_append(&b, rows, from, to - from);
	return b;
}

/* Compares rows of the original; with `state`, as a part that is kept. */
static struct verdict
judge_rows(struct pair *p, struct trc_batch *rows, const struct trc_certify_part *part,
           struct trc_buf *state, struct generator *m)
{
	struct trc_source *a = generate_source(rows, 1 + generate_below(m, 9)),
	                  *b = generate_source(&p->reduced, 1 + generate_below(m, 9));
	const uint32_t counted = (TRC_HAS_RTIME | TRC_HAS_ITIME) & ~a->have;
	struct verdict v = { .ret = 0 };
	struct trc_sink *sink;
	uint64_t refs;

	CHECK((a = trc_stage_page(a, 12, &refs, &v.err)));
	CHECK((b = trc_stage_page(b, 0, &refs, &v.err)));
	CHECK((sink = trc_certify_sink(&v.c, b, p->r, &p->scope, part, a->have, &v.err)));
	sink->kept = state;
	sink->counted = counted;
	v.ret = trc_pump(a, sink, 1 + generate_below(m, 9), NULL, &v.err);
	if (state)
		CHECK_MSG(v.ret == 0 && sink->save(sink, state, &v.err) == 0, "%s", v.err.text);
	else
		p->meta = a->meta;
	trc_sink_close(sink);
	trc_source_close(a);
	trc_source_close(b);
	return v;
}

static struct trc_sink *
open_joined(const struct pair *p, struct verdict *v)
{
	static const struct trc_certify_part none;
	const struct trc_scope scope = { .by_space = false };
	struct trc_sink *sink;

	*v = (struct verdict){ .ret = 0 };
	sink = trc_certify_sink(&v->c, NULL, 0, &scope, &none, p->whole.have, &v->err);
	CHECK(sink);
	sink->kept = true;
	return sink;
}

static void
append_state(struct trc_sink *sink, struct trc_buf *state)
{
	struct trc_view view = trc_buf_view(state);
	struct trc_err err = { 0 };

	CHECK_MSG(sink->append(sink, &view, &err) == 0, "%s", err.text);
	CHECK(view.p == view.end);
	trc_buf_release(state);
	*state = (struct trc_buf){ 0 };
}

enum { PARTS_MOST = 9 };

/* The states of parts of the original, cut anywhere. */
static void
judge_parts(struct pair *p, struct trc_buf *state, size_t parts, struct generator *m)
{
	const uint32_t have = p->whole.have;
	struct trc_certify_part part = p->part;
	size_t from = 0;

	for (size_t k = 0; k < parts; k++) {
		const size_t left = p->whole.n - from;
		const size_t to = k + 1 == parts ? p->whole.n : from + generate_below(m, left + 1);
		struct trc_batch rows = rows_between(&p->whole, from, to);

		part.first = k == 0;
		part.refs = have & TRC_HAS_RTIME ? 12345 : from;
		part.insns = 0;
		for (size_t i = 0; i < from && !(have & TRC_HAS_ITIME); i++)
			part.insns += (p->whole.type[i] & TRC_TYPE_MASK) == TRC_FETCH;
		state[k] = (struct trc_buf){ 0 };
		(void)judge_rows(p, &rows, &part, &state[k], m);
		trc_batch_release(&rows);
		from = to;
	}
}

/* Joins neighbours until there is one, and finishes. */
static struct verdict
join_parts(struct pair *p, struct trc_buf *state, size_t n, struct generator *m)
{
	struct verdict v;
	struct trc_sink *sink;

	for (; n > 1; n--) {
		const size_t at = generate_below(m, n - 1);

		sink = open_joined(p, &v);
		append_state(sink, &state[at]);
		append_state(sink, &state[at + 1]);
		CHECK(sink->save(sink, &state[at], &v.err) == 0);
		memmove(state + at + 1, state + at + 2, (n - at - 2) * sizeof(*state));
		trc_sink_close(sink);
	}
	sink = open_joined(p, &v);
	append_state(sink, &state[0]);
	sink->kept = false;
	v.ret = trc_sink_finish(sink, &p->meta, &v.err);
	trc_sink_close(sink);
	return v;
}

static size_t agreed, parted;

static void
check_parts(struct pair *p, struct generator *m)
{
	struct trc_certify_part all = p->part;
	struct trc_buf state[PARTS_MOST];
	struct verdict whole, joined;

	all.first = true;
	whole = judge_rows(p, &p->whole, &all, NULL, m);
	for (size_t parts = 1; parts <= PARTS_MOST; parts += 2) {
		judge_parts(p, state, parts, m);
		joined = join_parts(p, state, parts, m);
		CHECK_MSG(joined.ret == whole.ret && strcmp(joined.err.text, whole.err.text) == 0,
		          "%zu parts, r=%zu: '%s', not '%s'", parts, p->r, joined.err.text,
		          whole.err.text);
		CHECK(joined.c.parted == whole.c.parted && joined.c.where == whole.c.where);
		if (whole.ret == 0)
			CHECK(memcmp(&joined.c, &whole.c, sizeof(whole.c)) == 0);
	}
	agreed += whole.ret == 0;
	parted += whole.ret != 0;
}

/* The original: with times of its own, or counted; pages, or addresses in them with fetches. */
static struct trc_batch
original_of(const struct trace *t, bool pages, struct trc_scope scope, struct generator *m)
{
	const uint32_t more = (scope.by_space ? TRC_HAS_ASID : 0) |
	                      (scope.canonical ? TRC_HAS_CPN : 0) |
	                      (generate_below(m, 2) ? TRC_HAS_TIME : 0);
	struct trc_batch b = generate_zeros(
	        TRC_HAS_TYPE | more |
	                (pages ? TRC_HAS_VPN | TRC_HAS_RTIME | TRC_HAS_ITIME : TRC_HAS_ADDR),
	        t->n);

	for (size_t i = 0; i < t->n; i++) {
		b.type[i] = t->ref[i].write               ? TRC_WRITE :
		            pages || generate_below(m, 2) ? TRC_READ :
		                                            TRC_FETCH;
		if (b.addr)
			b.addr[i] = t->ref[i].page << 12 | generate_below(m, 4096);
		if (b.vpn)
			b.vpn[i] = scope.canonical ? generate_below(m, 3) : t->ref[i].page;
		if (b.cpn)
			b.cpn[i] = t->ref[i].page;
		if (b.rtime)
			b.rtime[i] = t->ref[i].time;
		if (b.itime)
			b.itime[i] = i / 3;
		if (b.time)
			b.time[i] = 5 * i + 7;
		if (b.asid)
			b.asid[i] = generate_below(m, 4) ? b.asid[i ? i - 1 : 0] :
			                                   (uint32_t)generate_below(m, 3);
	}
	return b;
}

/* What a reduction makes of it, or any of its references. */
static struct trc_batch
reduced_of(const struct pair *p, bool olr, bool any, struct generator *m)
{
	const struct trc_reduction how = { .r = p->r, .lru_only = olr, .scope = p->scope };
	struct trc_batch all, less;
	struct trc_err err;
	uint64_t refs;
	struct trc_source *src = generate_source(&p->whole, 20);

	CHECK((src = trc_stage_page(src, 12, &refs, &err)));
	if (!any)
		CHECK((src = (olr ? trc_stage_olr : trc_stage_drop)(src, &how, &err)));
	CHECK(generate_collect(src, 20, &all, NULL, &err) == 0);
	if (!any)
		return all;
	less = generate_zeros(all.have, all.n + 1);
	less.n = 0;
	for (uint32_t i = 0; i < all.n; i++)
		if (generate_below(m, 9))
			trc_batch_pick(&less, &all, &i, 1);
	trc_batch_release(&all);
	return less;
}

/* One of the ways in which it goes wrong, or has stamps that were made up. */
static void
break_rows(struct trc_batch *b, struct trc_certify_part *part, struct generator *m)
{
	const size_t i = b->n ? generate_below(m, b->n) : 0;
	const bool all = generate_below(m, 2);

	if (b->n == 0)
		return;
	switch (generate_below(m, 9)) {
	case 0: b->type[i] ^= TRC_READ ^ TRC_WRITE; break;
	case 1: b->vpn[i] += generate_below(m, 2); break;
	case 2: b->rtime[i] += generate_below(m, 3) - 1; break;
	case 3: b->n = i; break;
	case 4: part->total.refs += generate_below(m, 2); break;
	case 5:
		for (size_t k = all ? 0 : i; k < b->n; k++)
			b->itime[k] = 0;
		break;
	case 6:
		for (size_t k = all ? 0 : i; k < b->n && b->time; k++)
			b->time[k] = b->rtime[k];
		break;
	case 7: b->itime[i]++; break;
	default: break;
	}
}

static void
parts_find_what_the_whole_does(void)
{
	static const struct trc_scope scope[] = { { .by_space = false },
		                                  { .by_space = true },
		                                  { .canonical = true } };
	struct generator m = { test_seed };

	agreed = parted = 0;
	for (int round = 0; round < 700; round++) {
		const size_t pages = 1 + generate_below(&m, PAGES_MOST - 1);
		struct pair p = { .r = 1 + generate_below(&m, pages + 1),
			          .scope = scope[round % 3] };
		struct trace t;

		make_trace(&t, &m, round % 4, pages, 1 + generate_below(&m, 60));
		for (size_t i = 0; i < t.n && round % 8 < 4; i++)
			t.ref[i].time = 3 * i + 2;
		p.whole = original_of(&t, round % 8 < 4 || p.scope.canonical, p.scope, &m);
		p.reduced = reduced_of(&p, round % 5 == 0, round % 7 == 0, &m);
		p.part.totals = !(p.whole.have & TRC_HAS_RTIME);
		p.part.total.refs = t.n;
		for (size_t i = 0; i < t.n; i++)
			p.part.total.insns += p.whole.type[i] == TRC_FETCH;
		p.part.total.last_time = p.whole.time ? p.whole.time[t.n - 1] : t.n;
		if (round % 3)
			break_rows(&p.reduced, &p.part, &m);
		check_parts(&p, &m);
		trc_batch_release(&p.whole);
		trc_batch_release(&p.reduced);
	}
	CHECK_MSG(agreed > 50 && parted > 50, "%zu and %zu", agreed, parted);
}

/* Frames have checks, but who makes them may be anyone. */
static void
damaged_states_are_refused_or_harmless(void)
{
	struct generator m = { test_seed };

	for (int round = 0; round < 300; round++) {
		struct pair p = { .r = 1 + generate_below(&m, 8),
			          .scope = { .by_space = round % 2 } };
		struct trc_buf state[2];
		struct trace t;
		struct verdict v;
		struct trc_sink *sink = NULL;

		make_trace(&t, &m, round % 4, 8, 60);
		p.whole = original_of(&t, false, p.scope, &m);
		p.reduced = reduced_of(&p, false, false, &m);
		judge_parts(&p, state, 2, &m);
		state[1].p[generate_below(&m, state[1].n)] ^= (uint8_t)(1 << generate_below(&m, 8));
		state[1].n -= round % 3 ? 0 : generate_below(&m, state[1].n);
		sink = open_joined(&p, &v);
		append_state(sink, &state[0]);
		for (int k = 0; k < 2; k++) {
			struct trc_view view = trc_buf_view(&state[1]);

			CHECK(sink->append(sink, &view, &v.err) == 0 || *v.err.text);
		}
		sink->kept = false;
		CHECK(trc_sink_finish(sink, &p.meta, &v.err) == 0 || *v.err.text);
		trc_sink_close(sink);
		trc_buf_release(&state[1]);
		trc_batch_release(&p.whole);
		trc_batch_release(&p.reduced);
	}
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
	RUN(parts_find_what_the_whole_does);
	RUN(damaged_states_are_refused_or_harmless);
	return 0;
}
