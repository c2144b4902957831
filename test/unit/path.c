/* SPDX-License-Identifier: MIT
 * Branches by the path model: what is written comes back, whatever the graph and the path through
 * it, and nothing that is read does harm. */
#include "codec/program/path.h"

#include <string.h>

#include "generate.h"
#include "test.h"

enum { PATH_OPS = 60000 };

/* A graph as it grows: where each op may lead. */
struct graph {
	uint32_t ops, most_edges;
	unsigned loop;  /* of so many steps, which the path goes again and again; 0: none */
	unsigned noise; /* one step in so many is any */
};

static struct trc_path_model *writer, *reader;
static struct trc_path_run path_op[PATH_OPS]; /* each op is a run */
static uint8_t path_edge[PATH_OPS];

/* The ordinal of the edge between two ops, which is new if it has to be. */
static uint32_t
edge_to(struct trc_program *p, uint32_t from, uint32_t to)
{
	uint32_t ordinal = 0;
	struct trc_err err;

	for (uint32_t e = p->op[from].edge; e != TRC_NONE; e = p->edge[e].next, ordinal++)
		if (p->edge[e].to == to)
			return ordinal;
	CHECK(trc_program_add_edge(p, from, to, &err) == 0);
	return ordinal;
}

/* Where the path goes from an op, at step `i`. */
static uint32_t
step(struct generator *m, const struct graph *g, uint32_t from, size_t i)
{
	struct generator fixed = { from * 977u + (g->loop ? (uint32_t)(i % g->loop) : 0) + 1 };

	if (g->noise && generate_below(m, g->noise) == 0)
		fixed.state = generate_random(m);
	return (uint32_t)((from * 31u + generate_below(&fixed, g->most_edges)) % g->ops);
}

/* Goes `n` steps from `from`, and codes them, with the growth of the program, to `out`. */
static size_t
write_path(struct trc_program *p, struct generator *m, const struct graph *g, size_t n,
           struct trc_buf *out, size_t *old_edges)
{
	struct trc_buf far = { 0 };
	struct trc_path path = { p, p->edges, path_op, path_edge, NULL, n, { 0 } };
	struct trc_err err;
	uint32_t at = (uint32_t)generate_below(m, g->ops);
	size_t branches;

	for (size_t i = 0; i < n; i++) {
		const uint32_t to = step(m, g, at, i);

		path_op[i] = (struct trc_path_run){ (uint32_t)i + 1, at };
		if (i + 1 < n) {
			const uint32_t ordinal = edge_to(p, at, to);

			path_edge[i] = ordinal < TRC_PATH_FAR ? (uint8_t)ordinal : TRC_PATH_FAR;
			if (ordinal >= TRC_PATH_FAR)
				CHECK(trc_buf_put_num(&far, ordinal, &err) == 0);
		}
		at = to;
	}
	*old_edges = path.old_edges;
	path.far = trc_buf_view(&far);
	out->n = 0;
	CHECK(trc_path_write(writer, &path, out, &branches, &err) == 0);
	CHECK((branches == 0) == (out->n == 0));
	trc_buf_release(&far);
	return branches;
}

/* Goes the same path by the branches; false if they are damaged. */
static bool
follow(const struct trc_program *p, size_t old_edges, const struct trc_buf *coded, size_t branches,
       size_t n, bool check)
{
	uint32_t at = n ? path_op[0].last : 0;
	struct trc_err err;

	if (branches == 0)
		return true;
	CHECK(trc_path_begin(reader, p, old_edges, coded->p, coded->n, branches, &err) == 0);
	for (size_t i = 0; i + 1 < n; i++) {
		uint32_t edge = p->op[at].edge, taken = 0;

		CHECK(!check || at == path_op[i].last);
		if (edge == TRC_NONE)
			return false;
		if (p->op[at].edges >= 2) {
			const uint32_t branch_op = trc_path_branch_op(reader, at, &err);

			CHECK(branch_op != TRC_NONE);
			taken = trc_path_next(reader, branch_op);
			if (taken == TRC_NONE)
				return false;
			CHECK(taken < p->op[at].edges);
		}
		for (; taken > 0; taken--)
			edge = p->edge[edge].next;
		at = p->edge[edge].to;
	}
	return trc_path_ended(reader);
}

/* Programs of `g` that grow through several blocks. */
static void
check_graph(const struct graph *g, const size_t *len, size_t blocks, struct generator *m,
            bool damage)
{
	const struct trc_shape shape = { .rows = 1, .fetch = true, .type = { 2 } };
	struct trc_program p = { 0 };
	struct trc_buf coded = { 0 };
	struct trc_err err;
	size_t old_edges;

	CHECK(trc_program_add_shape(&p, &shape, &err) == 0);
	for (uint32_t i = 0; i < g->ops; i++)
		CHECK(trc_program_add_op(&p, 4 * i, 0, &err) == 0);
	for (size_t k = 0; k < blocks; k++) {
		const size_t branches = write_path(&p, m, g, len[k], &coded, &old_edges);

		CHECK_MSG(follow(&p, old_edges, &coded, branches, len[k], true), "ops %u block %zu",
		          g->ops, k);
		for (int tries = 0; damage && coded.n > 0 && tries < 30; tries++) {
			const size_t at = generate_below(m, coded.n);
			const uint8_t was = coded.p[at];

			coded.p[at] = (uint8_t)generate_random(m);
			(void)follow(&p,
			             generate_below(m, 2) ? old_edges :
			                                    generate_below(m, p.edges + 2),
			             &coded, 1 + generate_below(m, 2 * branches), len[k], false);
			coded.p[at] = was;
			coded.n--;
			CHECK(!follow(&p, old_edges, &coded, branches, len[k], false));
			coded.n++;
		}
	}
	trc_buf_release(&coded);
	trc_program_release(&p);
}

static void
a_path_comes_back(void)
{
	static const struct graph graphs[] = {
		{ 1, 1, 0, 0 },        { 1, 1, 0, 1 },         { 2, 2, 0, 3 },
		{ 2, 2, 7, 0 },        { 3, 3, 50, 100 },      { 5, 2, 0, 2 },
		{ 40, 2, 1000, 0 },    { 40, 3, 1000, 50 },    { 300, 300, 0, 2 },
		{ 700, 700, 5000, 9 }, { 2000, 4, 0, 20 },     { 20000, 3, 300, 2000 },
		{ 100, 100, 0, 1 },    { 50000, 50000, 0, 1 },
	};
	static const size_t len[] = { 0, 1, 2, 3, 50, 1000, 30000, 17, PATH_OPS };
	struct generator m = { test_seed };

	for (size_t i = 0; i < TRC_COUNT(graphs); i++)
		check_graph(&graphs[i], len, TRC_COUNT(len), &m, false);
}

static void
graphs_of_all_kinds(void)
{
	struct generator m = { test_seed + 1 };

	for (int i = 0; i < 300; i++) {
		const uint32_t ops = 1 + (uint32_t)generate_below(&m, i % 3 ? 12 : 400);
		const struct graph g = { ops, 1 + (uint32_t)generate_below(&m, ops),
			                 (unsigned)generate_below(&m, i % 2 ? 2 : 200),
			                 (unsigned)generate_below(&m, 40) };
		const size_t len[] = { generate_below(&m, 3000), generate_below(&m, 500),
			               generate_below(&m, 3000) };

		check_graph(&g, len, TRC_COUNT(len), &m, i % 4 == 0);
	}
}

/* The same path again costs next to nothing, however long it is. */
static void
repetition_is_free(void)
{
	const struct trc_shape shape = { .rows = 1, .fetch = true, .type = { 2 } };
	const struct graph g = { 50, 3, 500, 0 };
	struct trc_program p = { 0 };
	struct trc_buf coded = { 0 };
	struct generator m = { test_seed };
	struct trc_err err;
	size_t old_edges, branches;

	CHECK(trc_program_add_shape(&p, &shape, &err) == 0);
	for (uint32_t i = 0; i < g.ops; i++)
		CHECK(trc_program_add_op(&p, 4 * i, 0, &err) == 0);
	branches = write_path(&p, &m, &g, PATH_OPS, &coded, &old_edges);
	CHECK_MSG(branches > PATH_OPS / 4 && coded.n < 500, "%zu branches, %zu bytes", branches,
	          coded.n);
	trc_buf_release(&coded);
	trc_program_release(&p);
}

/* What a damaged block may claim; the sanitizers see what is done with no ops. */
static void
branches_of_a_program_without_ops_begin(void)
{
	struct trc_path_model *c;
	struct trc_program p = { 0 };
	const uint8_t bytes[8] = { 0 };
	struct trc_err err;

	c = trc_path_model_open(&err);
	CHECK(c);
	CHECK(trc_path_begin(c, &p, 0, bytes, sizeof(bytes), 10, &err) == 0);
	CHECK(!trc_path_ended(c));
	trc_path_model_close(c);
	trc_program_release(&p);
}

int
main(void)
{
	struct trc_err err;

	test_start();
	writer = trc_path_model_open(&err);
	reader = trc_path_model_open(&err);
	CHECK(writer && reader);
	RUN(a_path_comes_back);
	RUN(graphs_of_all_kinds);
	RUN(repetition_is_free);
	RUN(branches_of_a_program_without_ops_begin);
	trc_path_model_close(writer);
	trc_path_model_close(reader);
	return 0;
}
