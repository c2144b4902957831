/* SPDX-License-Identifier: MIT
 *
 * Regions that stand for the whole: basic-block vectors by their definition, row by row with tables
 * that are searched; clusters by what they have to be; misses against miss curves.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "generate.h"
#include "stage/phase/bbv.h"
#include "stage/phase/clusters.h"
#include "stage/phase/misses.h"
#include "stage/simulate/mrc.h"
#include "stage/stage.h"
#include "test.h"

/* ---- basic-block vectors ---- */

enum { BLOCKS_MOST = 4096, FLOWS_MOST = 64 };

/* What the intervals of a trace should be, and where the comparison is. */
struct expected {
	struct trc_bbv_taker taker;
	const struct trc_batch *b;
	uint64_t every, intervals;
	size_t at; /* the next row */
	uint64_t insns;
	struct {
		uint64_t start;
		uint32_t space;
	} block[BLOCKS_MOST];
	size_t blocks;
	struct {
		uint32_t who;
		size_t last, block; /* its last row, and the number of its block */
	} flow[FLOWS_MOST];
	size_t flows;
};

static bool
is_fetch(const struct trc_batch *b, size_t i)
{
	return (b->type[i] & TRC_TYPE_MASK) == TRC_FETCH && !trc_batch_is_event(b, i);
}

static size_t
block_of(struct expected *e, uint64_t start, uint32_t space)
{
	size_t i;

	for (i = 0; i < e->blocks; i++)
		if (e->block[i].start == start && e->block[i].space == space)
			return i;
	CHECK(e->blocks < BLOCKS_MOST);
	e->block[e->blocks].start = start;
	e->block[e->blocks].space = space;
	return e->blocks++;
}

/* The block of the fetch of row `i`, by the one before of the same task or space. */
static size_t
execute(struct expected *e, size_t i)
{
	const struct trc_batch *b = e->b;
	const uint32_t space = b->asid ? b->asid[i] : 0, who = b->task ? b->task[i] : space;
	bool goes_on = false;
	size_t f, last;

	for (f = 0; f < e->flows && e->flow[f].who != who; f++)
		;
	if (f < e->flows) {
		last = e->flow[f].last;
		if (b->size && b->size[last])
			goes_on = b->addr[i] == b->addr[last] + b->size[last];
		else
			goes_on = b->addr[i] > b->addr[last] && b->addr[i] <= b->addr[last] + 15 &&
			          !(b->branch && b->branch[last] & TRC_BRANCH_TAKEN);
		goes_on = goes_on && (!b->asid || b->asid[last] == space);
	} else {
		CHECK(e->flows < FLOWS_MOST);
		e->flow[e->flows++].who = who;
	}
	e->flow[f].last = i;
	if (!goes_on)
		e->flow[f].block = block_of(e, b->addr[i], space);
	return e->flow[f].block;
}

static int
compare(struct trc_bbv_taker *t, const struct trc_bbv_interval *v, struct trc_err *err)
{
	static uint64_t count[BLOCKS_MOST];
	struct expected *e = (struct expected *)t;
	const size_t first = e->at;
	uint64_t insns = 0;
	size_t n = 0;

	(void)err;
	memset(count, 0, sizeof(count));
	for (; e->at < e->b->n; e->at++) {
		if (!is_fetch(e->b, e->at))
			continue;
		if (insns == e->every)
			break;
		count[execute(e, e->at)]++;
		insns++;
	}
	CHECK(v->number == e->intervals++ && v->insns == insns);
	CHECK(v->first == first && v->rows == e->at - first);
	for (size_t k = 0; k < e->blocks; k++)
		if (count[k]) {
			CHECK(n < v->n && v->entry[n].block == k + 1);
			CHECK(v->entry[n].insns == count[k]);
			n++;
		}
	CHECK(v->n == n);
	e->insns += insns;
	return 0;
}

/* Puts `rows` into the vectors, `most` at a time. */
static void
check_vectors(const struct trc_batch *rows, uint64_t every, size_t most)
{
	struct expected *e = calloc(1, sizeof(*e));
	struct trc_source *src = generate_source(rows, most);
	struct trc_bbv v;
	struct trc_batch b;
	struct trc_err err = { 0 };

	CHECK(e != NULL);
	e->taker.take = compare;
	e->b = rows;
	e->every = every;
	CHECK(trc_bbv_init(&v, rows->have, every, &e->taker, &err) == 0);
	CHECK(trc_batch_init(&b, src->have, TRC_BATCH_ROWS, &err) == 0);
	while (trc_source_next(src, &b, &err) == TRC_FLOW_ROWS)
		CHECK(trc_bbv_put(&v, &b, &err) == 0);
	CHECK_MSG(trc_bbv_end(&v, &err) == 0, "%s", err.text);
	CHECK(e->at == rows->n && v.insns == e->insns && v.blocks.n == e->blocks);
	for (size_t k = 0; k < e->blocks; k++)
		CHECK(trc_bbv_block(&v, (uint32_t)k + 1)->page == e->block[k].start &&
		      trc_bbv_block(&v, (uint32_t)k + 1)->space == e->block[k].space);
	trc_bbv_release(&v);
	trc_batch_release(&b);
	trc_source_close(src);
	free(e);
}

/* Programs with sizes and without, with branches, tasks, spaces, and what is no program. */
static void
vectors_are_what_blocks_execute(void)
{
	static const uint32_t with[] = { 0,
		                         TRC_HAS_SIZE,
		                         TRC_HAS_SIZE | TRC_HAS_TASK | TRC_HAS_ASID,
		                         TRC_HAS_ASID,
		                         TRC_HAS_BRANCH,
		                         TRC_HAS_ALL };

	for (size_t i = 0; i < TRC_COUNT(with); i++) {
		const struct generate_program spec = {
			.have = with[i] | TRC_HAS_TYPE | TRC_HAS_ADDR,
			.rows = 3000,
			.ops = 200,
			.tasks = 3,
			.wild = 2500,
		};
		struct trc_batch rows;

		generate_program_rows(&rows, &spec, test_seed + i);
		check_vectors(&rows, 100, TRC_BATCH_ROWS);
		check_vectors(&rows, 1, 7);
		check_vectors(&rows, 333, 1);
		check_vectors(&rows, 1000000, 500);
		trc_batch_release(&rows);
	}
}

static int
keep_vector(struct trc_bbv_taker *t, const struct trc_bbv_interval *v, struct trc_err *err)
{
	(void)t, (void)err;
	CHECK(v->number == 0 && v->insns == 6 && v->n == 3);
	/* 16 and 20, 16 again; 100 by a branch; 200 too far behind 102. */
	CHECK(v->entry[0].insns == 3 && v->entry[1].insns == 2 && v->entry[2].insns == 1);
	return 0;
}

static void
blocks_of_unknown_sizes_end_at_branches_and_far_away(void)
{
	static const uint64_t pc[] = { 16, 20, 16, 30, 31, 200 };
	struct trc_batch b = generate_zeros(TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_BRANCH, 6);
	struct trc_bbv_taker taker = { keep_vector };
	struct trc_err err = { 0 };
	struct trc_bbv v;

	for (size_t i = 0; i < b.n; i++) {
		b.type[i] = TRC_FETCH;
		b.addr[i] = pc[i];
		b.branch[i] = i == 2 ? TRC_BRANCH | TRC_BRANCH_TAKEN : 0;
	}
	CHECK(trc_bbv_init(&v, b.have, 10, &taker, &err) == 0 && trc_bbv_put(&v, &b, &err) == 0);
	CHECK(trc_bbv_end(&v, &err) == 0 && v.blocks.n == 3);
	trc_bbv_release(&v);
	trc_batch_release(&b);
}

static void
traces_without_instructions_have_no_vectors(void)
{
	struct trc_batch b = generate_zeros(TRC_HAS_TYPE | TRC_HAS_ADDR, 3);
	struct trc_bbv_taker taker = { compare };
	struct trc_err err = { 0 };
	struct trc_bbv v;

	CHECK(trc_bbv_init(&v, TRC_HAS_TYPE | TRC_HAS_VPN, 10, &taker, &err) == -1);
	trc_bbv_release(&v);
	CHECK(trc_bbv_init(&v, TRC_HAS_ADDR, 10, &taker, &err) == -1);
	trc_bbv_release(&v);
	CHECK(trc_bbv_init(&v, b.have, 10, &taker, &err) == 0 && trc_bbv_put(&v, &b, &err) == 0);
	CHECK(trc_bbv_end(&v, &err) == -1 && strstr(err.text, "no record of a fetch"));
	trc_bbv_release(&v);
	trc_batch_release(&b);
}

/* ---- points and clusters ---- */

static bool
near(double a, double b)
{
	return fabs(a - b) <= 1e-9 * (fabs(a) + fabs(b) + 1);
}

/* A point is a mean of directions: vectors of twice the counts have the same, and that of two
 * intervals together lies between theirs. */
static void
points_are_means_of_directions(void)
{
	const struct trc_bbv_entry a[] = { { 1, 30 }, { 7, 10 } },
	                           twice[] = { { 1, 60 }, { 7, 20 } };
	const struct trc_bbv_entry b[] = { { 7, 20 }, { 9, 100 } };
	const struct trc_bbv_entry both[] = { { 1, 30 }, { 7, 30 }, { 9, 100 } };
	const struct trc_phase_point p = trc_phase_point_of(a, 2, 5),
	                             q = trc_phase_point_of(b, 2, 5),
	                             r = trc_phase_point_of(both, 3, 5),
	                             s = trc_phase_point_of(twice, 2, 5),
	                             other = trc_phase_point_of(a, 2, 6);

	CHECK(p.weight == 40 && q.weight == 120 && r.weight == 160);
	for (size_t d = 0; d < TRC_PHASE_ROOM; d++) {
		CHECK(near(r.at[d], (p.at[d] * 40 + q.at[d] * 120) / 160));
		CHECK(near(p.at[d], s.at[d]) && fabs(p.at[d]) <= 1);
		CHECK(d < TRC_PHASE_DIMS || p.at[d] == 0);
	}
	CHECK(trc_phase_point_distance2(&p, &other) > 0 && trc_phase_point_distance2(&p, &p) == 0);
}

/* `n` points around `k` places, the i-th around place i mod k. */
static struct trc_phase_point *
made_up(struct generator *m, size_t n, size_t k, double spread)
{
	struct trc_phase_point *p = calloc(n, sizeof(*p)), place[16] = { 0 };

	CHECK(p && k <= TRC_COUNT(place));
	for (size_t i = 0; i < k; i++)
		for (size_t d = 0; d < TRC_PHASE_DIMS; d++)
			place[i].at[d] = (double)generate_below(m, 1000) / 1000;
	for (size_t i = 0; i < n; i++) {
		p[i] = place[i % k];
		p[i].weight = (double)(1 + generate_below(m, 9));
		for (size_t d = 0; d < TRC_PHASE_DIMS; d++)
			p[i].at[d] += spread * ((double)generate_below(m, 1000) / 1000 - 0.5);
	}
	return p;
}

static void
steps_never_make_clusters_worse(void)
{
	struct generator m = { test_seed };

	for (size_t k = 1; k <= 12; k += test_step_most(3)) {
		struct trc_phase_point *p = made_up(&m, 200, 1 + k / 2, 0.5);
		struct trc_clusters c;
		struct trc_err err = { 0 };
		double before = HUGE_VAL;
		size_t steps = 0;

		CHECK(trc_clusters_init(&c, 200, k, &err) == 0);
		trc_clusters_draw(&c, p, 200, &m.state);
		CHECK(c.k == k);
		while (trc_clusters_step(&c, p, 200)) {
			CHECK_MSG(c.distortion <= before + 1e-12, "step %zu of %zu clusters", steps,
			          k);
			before = c.distortion;
			CHECK(++steps < 1000);
		}
		trc_clusters_release(&c);
		free(p);
	}
}

/* Each point is with the center that is nearest, each center is the mean of its points, and what
 * stands for it is nearest to it. The distortion is the mean by weight, too. */
static void
check_clusters(const struct trc_clusters *c, const struct trc_phase_point *p, size_t n,
               const uint32_t *nearest)
{
	double sum = 0, weight = 0;

	for (size_t i = 0; i < n; i++) {
		sum += p[i].weight * trc_phase_point_distance2(&p[i], &c->center[c->label[i]]);
		weight += p[i].weight;
	}
	CHECK(near(sum / weight, c->distortion));
	for (size_t k = 0; k < c->k; k++) {
		struct trc_phase_point mean = { { 0 }, 0 };

		CHECK(c->label[nearest[k]] == k && (k == 0 || nearest[k - 1] < nearest[k]));
		for (size_t i = 0; i < n; i++) {
			const double d = trc_phase_point_distance2(&p[i], &c->center[k]);

			CHECK(d >=
			      trc_phase_point_distance2(&p[i], &c->center[c->label[i]]) - 1e-12);
			if (c->label[i] != k)
				continue;
			CHECK(d >= trc_phase_point_distance2(&p[nearest[k]], &c->center[k]));
			mean.weight += p[i].weight;
			for (size_t x = 0; x < TRC_PHASE_DIMS; x++)
				mean.at[x] += p[i].at[x] * p[i].weight;
		}
		CHECK(near(mean.weight, c->center[k].weight) && mean.weight > 0);
		for (size_t x = 0; x < TRC_PHASE_DIMS; x++)
			CHECK(near(mean.at[x] / mean.weight, c->center[k].at[x]));
	}
}

static void
clusters_that_are_there_are_found(void)
{
	struct generator m = { test_seed };

	for (size_t k = 1; k <= 8; k += test_step_most(3)) {
		struct trc_phase_point *p = made_up(&m, 300, k, 0.01);
		uint32_t nearest[20], again[20];
		struct trc_clusters c, d;
		struct trc_err err = { 0 };

		CHECK(trc_clusters_find(&c, p, 300, 20, test_seed, nearest, &err) == 0);
		CHECK_MSG(c.k == k, "%zu instead of %zu", c.k, k);
		for (size_t i = 0; i < 300; i++)
			CHECK(c.label[i] == c.label[i % k]);
		check_clusters(&c, p, 300, nearest);
		CHECK(trc_clusters_find(&d, p, 300, 20, test_seed, again, &err) == 0);
		CHECK(d.k == c.k && memcmp(again, nearest, c.k * sizeof(*nearest)) == 0);
		trc_clusters_release(&c);
		trc_clusters_release(&d);
		free(p);
	}
}

static void
points_without_clusters_have_some_all_the_same(void)
{
	struct generator m = { test_seed };
	struct trc_phase_point *p = made_up(&m, 100, 16, 3);
	uint32_t nearest[100];
	struct trc_clusters c;
	struct trc_err err = { 0 };

	for (size_t n = 1; n <= 100; n += 11 * test_step_most(3)) {
		CHECK(trc_clusters_find(&c, p, n, 100, test_seed, nearest, &err) == 0);
		CHECK(c.k >= 1 && c.k <= n);
		check_clusters(&c, p, n, nearest);
		trc_clusters_release(&c);
	}
	for (size_t i = 0; i < 100; i++)
		p[i] = p[0];
	CHECK(trc_clusters_find(&c, p, 100, 10, test_seed, nearest, &err) == 0);
	CHECK(c.k == 1 && nearest[0] == 0 && c.distortion < 1e-20);
	trc_clusters_release(&c);
	free(p);
}

static void
as_many_clusters_as_are_nearly_best(void)
{
	const double rising[] = { 0, 50, 89, 90, 100, 95 }, one[] = { 3 }, first[] = { 9, 8, 7 };
	const double flat[] = { 5, 5, 5 }, negative[] = { -100, -11, -9, 0 };

	CHECK(trc_clusters_enough(rising, 6) == 4);
	CHECK(trc_clusters_enough(one, 1) == 1);
	CHECK(trc_clusters_enough(first, 3) == 1);
	CHECK(trc_clusters_enough(flat, 3) == 1);
	CHECK(trc_clusters_enough(negative, 4) == 3);
}

/* ---- misses ---- */

static struct trc_misses_count
count_misses(const struct trc_batch *rows, size_t warm, const uint64_t *size, size_t n)
{
	struct trc_misses *m = calloc(1, sizeof(*m));
	struct trc_misses_count count;
	struct trc_err err = { 0 };

	CHECK(m && trc_misses_init(m, 6, size, n, &err) == 0);
	CHECK(trc_misses_put(m, rows, 0, warm, &err) == 0 && trc_misses_settle(m, &err) == 0);
	m->count = (struct trc_misses_count){ 0 };
	CHECK(trc_misses_put(m, rows, warm, rows->n, &err) == 0);
	CHECK(trc_misses_settle(m, &err) == 0);
	count = m->count;
	trc_misses_release(m);
	free(m);
	return count;
}

static struct trc_mrc
curve_of(struct trc_batch *rows, size_t n)
{
	const size_t all = rows->n;
	struct trc_err err = { 0 };
	struct trc_mrc mrc;
	struct trc_sink *sink;
	struct trc_source *src;
	uint64_t refs;

	rows->n = n;
	src = trc_stage_page(generate_source(rows, 100), 6, &refs, &err);
	sink = src ? trc_mrc_sink(&mrc, src->have, false, false, &err) : NULL;
	CHECK(sink && trc_pump(src, sink, 100, NULL, &err) == 0);
	trc_sink_close(sink);
	trc_source_close(src);
	rows->n = all;
	return mrc;
}

static uint64_t
misses_of(const struct trc_mrc *mrc, uint64_t size)
{
	const struct trc_mrc_curve *c = &mrc->curve[0];

	return c->pages + (c->pages ? trc_mrc_misses(c, size < c->pages ? size : c->pages) : 0);
}

static void
misses_are_those_of_miss_curves(void)
{
	static const uint64_t size[] = { 1, 2, 7, 50, 300, UINT64_MAX };
	const struct generate_spec spec = {
		.have = TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_SIZE | TRC_HAS_ASID,
		.rows = 4000,
		.within = true,
		.bits = { [TRC_COL_ADDR] = 14, [TRC_COL_SIZE] = 7, [TRC_COL_ASID] = 1 },
	};
	struct trc_batch rows;
	struct trc_mrc whole, part;

	generate_rows(&rows, &spec, test_seed);
	whole = curve_of(&rows, rows.n);
	for (size_t warm = 0; warm <= rows.n; warm += 1000) {
		const struct trc_misses_count c = count_misses(&rows, warm, size, TRC_COUNT(size));

		part = curve_of(&rows, warm);
		CHECK(c.refs == whole.curve[0].refs - part.curve[0].refs);
		for (size_t i = 0; i < TRC_COUNT(size); i++)
			CHECK_MSG(c.misses[i] ==
			                  misses_of(&whole, size[i]) - misses_of(&part, size[i]),
			          "size %zu behind %zu rows", i, warm);
		trc_mrc_release(&part);
	}
	trc_mrc_release(&whole);
	trc_batch_release(&rows);
}

int
main(void)
{
	test_start();
	RUN(vectors_are_what_blocks_execute);
	RUN(blocks_of_unknown_sizes_end_at_branches_and_far_away);
	RUN(traces_without_instructions_have_no_vectors);
	RUN(points_are_means_of_directions);
	RUN(steps_never_make_clusters_worse);
	RUN(clusters_that_are_there_are_found);
	RUN(points_without_clusters_have_some_all_the_same);
	RUN(as_many_clusters_as_are_nearly_best);
	RUN(misses_are_those_of_miss_curves);
	return 0;
}
