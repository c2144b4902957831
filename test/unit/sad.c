/* SPDX-License-Identifier: MIT
 *
 * SAD against its definition and its guarantee, on many small traces:
 *
 *   definition  of three consecutive surviving references to a page the middle one is dropped if
 *               fewer than r distinct other pages lie between the first and the third
 *   guarantee   at every memory of m >= r pages LRU and demand OPT fault at the same references
 *               and choose the same victims, clean or dirty alike
 */
#include <string.h>

#include "model.h"
#include "stage/stage.h"
#include "test.h"

static size_t
others_between(const struct trace *t, size_t a, size_t c)
{
	unsigned seen = 0;
	size_t n = 0;

	for (size_t i = a + 1; i < c; i++)
		if (t->ref[i].page != t->ref[a].page && !(seen >> t->ref[i].page & 1)) {
			seen |= 1u << t->ref[i].page;
			n++;
		}
	return n;
}

/* The surviving reference before `at` to the page of `at`, or NONE. */
static int
previous(const struct trace *t, size_t at)
{
	int i = (int)at - 1;

	while (i >= 0 && t->ref[i].page != t->ref[at].page)
		i--;
	return i;
}

static void
append_by_definition(struct trace *out, struct ref ref, size_t r)
{
	size_t c = out->n++;
	int a, b;

	out->ref[c] = ref;
	b = previous(out, c);
	a = b == NONE ? NONE : previous(out, (size_t)b);
	if (a == NONE || others_between(out, (size_t)a, c) >= r)
		return;
	out->ref[c].write |= out->ref[b].write;
	memmove(&out->ref[b], &out->ref[b + 1], (c - (size_t)b) * sizeof(*out->ref));
	out->n--;
}

static void
reduce_by_definition(const struct trace *t, size_t r, struct trace *out)
{
	out->n = 0;
	for (size_t i = 0; i < t->n; i++)
		append_by_definition(out, t->ref[i], r);
}

static struct trc_source *
stage(struct trc_source *(*open)(struct trc_source *from, struct trc_err *err),
      struct trc_source *from)
{
	struct trc_err err;
	struct trc_source *src = open(from, &err);

	CHECK(src);
	return src;
}

static struct trc_source *
sad(struct trc_source *from, size_t r)
{
	const struct trc_reduction how = { .r = r };
	struct trc_err err;
	struct trc_source *src = trc_stage_drop(from, &how, &err);

	CHECK_MSG(src, "%s", err.text);
	return src;
}

static void
collect(struct trc_source *src, size_t most, struct trace *out)
{
	struct trc_batch b;
	struct trc_err err;

	CHECK(generate_collect(src, most, &b, NULL, &err) == 0);
	model_trace(&b, out);
	trc_batch_release(&b);
}

/* By the stages, with blocking before and after if `block`. */
static void
reduce(const struct trace *t, size_t r, bool block, size_t give, size_t most, struct trace *out)
{
	struct trc_batch rows;
	struct trc_source *src;

	model_rows(t, &rows);
	src = generate_source(&rows, give);
	if (block)
		src = stage(trc_stage_block, src);
	src = sad(src, r);
	if (block)
		src = stage(trc_stage_block, src);
	collect(src, most, out);
	trc_batch_release(&rows);
}

static void
check_definition(struct generator *m, const struct trace *t, size_t r, size_t pages)
{
	static const size_t most[] = { 1, 2, 3, 7, 4096 };
	struct trace want, got;

	(void)pages;
	reduce_by_definition(t, r, &want);
	reduce(t, r, false, most[generate_below(m, 5)], most[generate_below(m, 5)], &got);
	CHECK_MSG(model_same(&want, &got), "%zu references of %zu, %zu by definition", got.n, t->n,
	          want.n);
}

static void
sad_follows_its_definition(void)
{
	model_for_each(2000, check_definition);
}

static void
check_cuts(struct generator *m, const struct trace *t, size_t r, size_t pages)
{
	static const size_t most[] = { 1, 2, 7, 4096 };
	struct trace want, got;

	(void)m, (void)pages;
	for (int block = 0; block < 2; block++) {
		reduce(t, r, block, 4096, 4096, &want);
		for (size_t i = 0; i < 16; i++) {
			reduce(t, r, block, most[i / 4], most[i % 4], &got);
			CHECK(model_same(&want, &got));
		}
	}
}

static void
cuts_do_not_matter(void)
{
	model_for_each(40, check_cuts);
}

static void
check_guarantee(struct generator *m, const struct trace *t, size_t r, size_t pages)
{
	struct trace got;

	(void)m;
	for (int block = 0; block < 2; block++) {
		reduce(t, r, block, 4096, 4096, &got);
		for (size_t mem = r; mem <= pages + 1; mem++) {
			CHECK_MSG(model_exact_at(t, &got, mem, model_lru), "LRU, r=%zu, m=%zu", r,
			          mem);
			CHECK_MSG(model_exact_at(t, &got, mem, model_opt), "OPT, r=%zu, m=%zu", r,
			          mem);
		}
	}
}

static void
memories_of_r_pages_and_more_see_no_difference(void)
{
	model_for_each(1000, check_guarantee);
}

/* The faulting references have their own types. */
static void
check_fault_types(struct generator *m, const struct trace *t, size_t r, size_t pages)
{
	struct trace got;
	struct memory mem;

	(void)m;
	reduce(t, r, false, 4096, 4096, &got);
	for (size_t k = r; k <= pages; k++) {
		model_simulate(&got, k, model_lru, &mem);
		for (size_t e = 0, i = 0; e < mem.events; e++) {
			while (got.ref[i].time != mem.event[e].time)
				i++;
			CHECK(got.ref[i].write == t->ref[got.ref[i].time - 1].write);
		}
	}
}

static void
a_read_fault_stays_a_read_fault(void)
{
	model_for_each(300, check_fault_types);
}

static size_t too_much, tried;

static void
check_bound(struct generator *m, const struct trace *t, size_t r, size_t pages)
{
	struct trace got;

	(void)m;
	if (r >= pages)
		return;
	reduce(t, r + 1, false, 4096, 4096, &got);
	too_much += !model_exact_at(t, &got, r, model_lru);
	tried++;
}

static void
one_page_more_would_be_too_much(void)
{
	too_much = tried = 0;
	model_for_each(300, check_bound);
	CHECK_MSG(too_much > tried / 20, "%zu of %zu", too_much, tried);
}

static void
check_idempotent(struct generator *m, const struct trace *t, size_t r, size_t pages)
{
	struct trace once, twice;

	(void)m, (void)pages;
	for (int block = 0; block < 2; block++) {
		reduce(t, r, block, 4096, 4096, &once);
		reduce(&once, r, block, 4096, 4096, &twice);
		CHECK(model_same(&once, &twice));
	}
}

static void
reducing_twice_changes_nothing(void)
{
	model_for_each(300, check_idempotent);
}

/* What is held back is never more than 2r records: the survivors so far less those that are out. */
static void
check_memory(struct generator *m, const struct trace *t, size_t r, size_t pages)
{
	struct trc_source *rows_source, *src;
	struct trc_batch rows, one;
	struct trace want;
	struct trc_err err;
	size_t out = 0, fed = 0;

	(void)m, (void)pages;
	model_rows(t, &rows);
	rows_source = generate_source(&rows, 1);
	src = sad(rows_source, r);
	CHECK(trc_batch_init(&one, src->have, 1, &err) == 0);
	want.n = 0;
	while (trc_source_next(src, &one, &err) == TRC_FLOW_ROWS) {
		out++;
		for (; fed < generate_given(rows_source); fed++)
			append_by_definition(&want, t->ref[fed], r);
		CHECK_MSG(want.n - out <= 2 * r, "%zu records held, r=%zu", want.n - out, r);
	}
	trc_batch_release(&one);
	trc_batch_release(&rows);
	trc_source_close(src);
}

static void
no_more_than_2r_records_are_held(void)
{
	model_for_each(300, check_memory);
}

/* Several private spaces with the same page numbers: each by itself sees no difference. */
static void
spaces_see_no_difference(void)
{
	struct generator m = { test_seed };

	for (int round = 0; round < 500; round += (int)test_step_most(5)) {
		enum { SPACES = 3 };
		size_t pages = 2 + generate_below(&m, 6), n = 20 + generate_below(&m, 60);
		size_t r = 1 + generate_below(&m, 6), quantum = 1 + generate_below(&m, 6),
		       space = 0;
		struct trc_batch rows, all;
		struct trc_err err;
		struct trace t;

		model_make(&t, &m, round % 4, pages, n);
		model_rows(&t, &rows);
		for (size_t i = 0; i < n; i++) {
			space = i % quantum ? space : generate_below(&m, SPACES);
			rows.asid[i] = (uint32_t)space;
		}
		CHECK(generate_collect(sad(generate_source(&rows, 7), r), 7, &all, NULL, &err) ==
		      0);
		for (size_t s = 0; s < SPACES; s++) {
			struct trace a = { .n = 0 }, b = { .n = 0 };

			for (size_t i = 0; i < n; i++)
				if (rows.asid[i] == s)
					a.ref[a.n++] = t.ref[i];
			for (size_t i = 0; i < all.n; i++)
				if (all.asid[i] == s)
					b.ref[b.n++] = (struct ref){ all.rtime[i], all.vpn[i],
						                     all.type[i] == TRC_WRITE };
			for (size_t mem = r; mem <= pages; mem++)
				CHECK(model_exact_at(&a, &b, mem, model_lru));
		}
		trc_batch_release(&rows);
		trc_batch_release(&all);
	}
}

/* From addresses: fetches, modifies and references that cross pages, as stage.h has them. */
static void
expand(const struct trc_batch *b, unsigned page_bits, struct trace *t, uint64_t *itime)
{
	uint64_t refs = 0, insns = 0;

	t->n = 0;
	for (size_t i = 0; i < b->n; i++) {
		const uint64_t first = b->addr[i] >> page_bits;
		const uint64_t last = (b->addr[i] + b->size[i] - 1) >> page_bits;

		for (unsigned k = 0; k < trc_type_refs(b->type[i]); k++) {
			refs++;
			insns += b->type[i] == TRC_FETCH;
			for (uint64_t page = first; page <= last; page++) {
				itime[t->n] = insns;
				t->ref[t->n++] = (struct ref){ refs, page,
					                       b->type[i] == TRC_WRITE || k == 1 };
			}
		}
	}
}

static void
make_addresses(struct trc_batch *b, struct generator *m, size_t pages, size_t n)
{
	struct trc_err err;

	CHECK(trc_batch_init(b, TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_SIZE, n, &err) == 0);
	for (; b->n < n; b->n++) {
		b->type[b->n] = (uint8_t)generate_below(m, 5);
		b->addr[b->n] = generate_below(m, 2) ? generate_below(m, pages * 16) :
		                                       generate_below(m, pages) * 16 + 14;
		b->size[b->n] = (uint32_t)(generate_below(m, 6) ? 1 + generate_below(m, 4) : 17);
		if (b->type[b->n] == TRC_MISC)
			b->type[b->n] = (uint8_t)generate_below(m, TRC_TYPES);
		/* deletes.c has these. */
		if (b->type[b->n] == TRC_INVALIDATE)
			b->type[b->n] = TRC_PREFETCH;
	}
}

static void
addresses_become_pages(void)
{
	static const size_t most[] = { 1, 2, 7, 4096 };
	struct generator m = { test_seed };

	for (int round = 0; round < 800; round += (int)test_step_most(5)) {
		uint64_t itime[REFS_MOST], refs = 0;
		struct trc_batch rows, got;
		struct trc_source *src;
		struct trc_meta meta;
		struct trc_err err;
		struct trace t, back;
		size_t r = 1 + generate_below(&m, 5), pages = 2 + generate_below(&m, 6);

		make_addresses(&rows, &m, pages, 5 + generate_below(&m, 20));
		expand(&rows, 4, &t, itime);
		src = trc_stage_page(generate_source(&rows, most[round % 4]), 4, &refs, &err);
		CHECK(generate_collect(src, most[round / 4 % 4], &got, &meta, &err) == 0);
		model_trace(&got, &back);
		CHECK(model_same(&t, &back));
		CHECK(memcmp(got.itime, itime, got.n * sizeof(*itime)) == 0);
		CHECK(meta.totals && meta.page_bits == 4 && meta.refs == refs);
		CHECK(t.n == 0 || (refs == t.ref[t.n - 1].time && meta.insns == itime[t.n - 1]));

		src = stage(trc_stage_block, trc_stage_page(generate_source(&rows, most[round % 4]),
		                                            4, &refs, &err));
		collect(stage(trc_stage_block, sad(src, r)), most[round / 4 % 4], &back);
		for (size_t mem = r; mem <= PAGES_MOST; mem++)
			CHECK(model_exact_at(&t, &back, mem, model_lru));
		trc_batch_release(&rows);
		trc_batch_release(&got);
	}
}

static void
what_was_guaranteed_before_still_holds(void)
{
	struct trace t = { .ref = { { 1, 1, false }, { 2, 2, false } }, .n = 2 };
	static const size_t before[] = { 0, 8, 64, 100 };

	for (size_t i = 0; i < TRC_COUNT(before); i++) {
		struct trc_source *src;
		struct trc_batch rows, all;
		struct trc_meta meta;
		struct trc_err err;

		model_rows(&t, &rows);
		src = generate_source(&rows, 4096);
		src->meta.guarantee.sad = before[i];
		CHECK(generate_collect(sad(src, 64), 4096, &all, &meta, &err) == 0);
		CHECK_MSG(meta.guarantee.sad == (before[i] > 64 ? before[i] : 64),
		          "r=%llu after %zu", (unsigned long long)meta.guarantee.sad, before[i]);
		trc_batch_release(&rows);
		trc_batch_release(&all);
	}
}

static void
memories_of_too_many_pages_are_refused(void)
{
	const struct trc_reduction how = { .r = UINT64_MAX };
	struct trace t = { .n = 0 };
	struct trc_batch rows;
	struct trc_source *src;
	struct trc_err err;

	model_rows(&t, &rows);
	src = generate_source(&rows, 1);
	CHECK(!trc_stage_drop(src, &how, &err) && err.code == TRC_USAGE);
	trc_source_close(src);
	trc_batch_release(&rows);
}

int
main(void)
{
	test_start();
	RUN(sad_follows_its_definition);
	RUN(cuts_do_not_matter);
	RUN(memories_of_r_pages_and_more_see_no_difference);
	RUN(a_read_fault_stays_a_read_fault);
	RUN(one_page_more_would_be_too_much);
	RUN(reducing_twice_changes_nothing);
	RUN(no_more_than_2r_records_are_held);
	RUN(spaces_see_no_difference);
	RUN(addresses_become_pages);
	RUN(memories_of_too_many_pages_are_refused);
	RUN(what_was_guaranteed_before_still_holds);
	return 0;
}
