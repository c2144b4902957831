/* SPDX-License-Identifier: MIT
 * Growths of a program that cannot be. */
#include <string.h>

#include "batch/batch.h"
#include "codec/growth/edges.h"
#include "codec/growth/growth.h"
#include "test.h"

enum { SHAPES = 4, OPS_MOST = 4, MANY = 5000 };

/* A growth: of these ops and edges, so many are claimed. The writer codes anything, up to where
 * it sees that nobody could read on. */
struct growth {
	uint32_t shape[OPS_MOST];
	size_t ops, ops_claimed;
	struct {
		uint32_t from, to;
	} edge[2];
	size_t edges;
	uint32_t landing; /* an op that the writer takes for one that was jumped to; 0: none */
};

static void
add_shapes(struct trc_program *p, size_t n, bool data)
{
	struct trc_shape s = { .rows = data ? 2 : 1, .type = { TRC_FETCH, TRC_READ } };
	struct trc_err err;

	CHECK(trc_shape_finish(&s));
	for (size_t i = 0; i < n; i++) {
		s.size[0] = (uint32_t)(4 + i);
		CHECK(trc_program_add_shape(p, &s, &err) == 0);
	}
}

static struct trc_edge_models *
new_models(void)
{
	struct trc_edge_models *m = malloc(sizeof(*m));

	CHECK(m);
	trc_edge_models_init(m);
	return m;
}

static void
write_growth(const struct growth *g, struct trc_buf *out)
{
	struct trc_edge_models *m = new_models();
	struct trc_program p = { 0 };
	struct trc_rc rc;
	struct trc_err err;

	add_shapes(&p, SHAPES, false);
	for (size_t i = 0; i < g->ops; i++)
		CHECK(trc_program_add_op(&p, 4096 * i, g->shape[i], &err) == 0);
	/* Edges as they are: adding them would look up their ops. */
	p.edge = calloc(g->edges + 1, sizeof(*p.edge));
	CHECK(p.edge);
	for (size_t i = 0; i < g->edges; i++) {
		p.edge[i].from = g->edge[i % 2].from;
		p.edge[i].to = g->edge[i % 2].to;
	}
	if (g->landing)
		trc_move_to_front_add(&m->history.landings, g->landing);
	trc_rc_write(&rc, out);
	(void)!trc_edges_code(&p, m, &rc, g->ops_claimed, g->edges, &err);
	CHECK(trc_rc_finish(&rc, &err) == 0);
	trc_program_release(&p);
	free(m);
}

/* Reads a growth by a program of so many shapes and slots; what came of it. */
static int
read_growth(const struct growth *g, const struct trc_buf *coded, size_t len, size_t shapes,
            bool full, struct trc_err *err)
{
	struct trc_edge_models *m = new_models();
	struct trc_program p = { 0 };
	struct trc_rc rc;
	int ret;

	add_shapes(&p, shapes, full);
	p.slots = full ? TRC_SLOTS_MOST : 0;
	trc_rc_read(&rc, coded->p, coded->p + len);
	ret = trc_edges_code(&p, m, &rc, g->ops_claimed, g->edges, err);
	trc_program_release(&p);
	free(m);
	return ret;
}

static void
growths_that_cannot_be_are_refused(void)
{
	static const struct {
		struct growth growth;
		size_t shapes; /* that the reader has */
		bool full;
		const char *why;
	} lie[] = {
		{ { { 3 }, 1, 1, { { 0 } }, 0, 0 }, SHAPES, false, NULL },
		{ { { 3 }, 1, 1, { { 0, 0 }, { 0, 0 } }, 2, 0 }, SHAPES, false, NULL },
		{ { { 3 }, 1, 1, { { 0 } }, 0, 0 }, SHAPES - 1, false, "shape of an op" },
		{ { { 3 }, 1, 1, { { 0 } }, 0, 0 }, SHAPES, true, "number of slots" },
		{ { { 3, 1 }, 2, 2, { { 0 } }, 0, 0 }, SHAPES, false, "number of ops" },
		{ { { 3 }, 1, 1, { { 0, 0 }, { 5, 0 } }, 2, 0 },
		  SHAPES,
		  false,
		  "start of an edge" },
		{ { { 3 }, 1, 1, { { 0, 5 } }, 1, 0 }, SHAPES, false, "end of an edge" },
		{ { { 3 }, 1, 1, { { 0, 9 } }, 1, 9 }, SHAPES, false, "landing" },
	};

	for (size_t i = 0; i < TRC_COUNT(lie); i++) {
		struct trc_buf coded = { 0 };
		struct trc_err err = { 0 };
		int ret;

		write_growth(&lie[i].growth, &coded);
		ret = read_growth(&lie[i].growth, &coded, coded.n, lie[i].shapes, lie[i].full,
		                  &err);
		CHECK_MSG((ret == 0) == !lie[i].why, "%zu: %s", i, err.text);
		CHECK_MSG(ret == 0 || strstr(err.text, lie[i].why), "%zu: %s", i, err.text);
		trc_buf_release(&coded);
	}
}

/* Cut anywhere it is an error, or what was cut is not missed; of many edges that are all alike, the
 * coder goes on to read what is not there. */
static void
growths_that_end_early_are_refused(void)
{
	const struct growth g = { { 3 }, 1, 1, { { 0, 0 }, { 0, 0 } }, MANY, 0 };
	struct trc_buf coded = { 0 };
	struct trc_err err = { 0 };
	size_t early = 0;

	write_growth(&g, &coded);
	for (size_t len = 0; len < coded.n; len++)
		if (read_growth(&g, &coded, len, SHAPES, false, &err))
			early += strstr(err.text, "it ends early") != NULL;
	CHECK(early > 0);
	trc_buf_release(&coded);
}

/* A growth has no bytes behind its last. */
static void
growths_with_bytes_behind_them_are_refused(void)
{
	for (unsigned more = 0; more < 5; more++) {
		struct trc_program p = { 0 }, q = { 0 };
		struct trc_buf coded = { 0 };
		struct trc_err err = { 0 };

		add_shapes(&p, 1, true);
		CHECK(trc_program_add_op(&p, 4096, 0, &err) == 0);
		CHECK(trc_growth_write(&p, NULL, &coded, &err) == 0);
		for (unsigned i = 0; i < more; i++)
			CHECK(trc_buf_put_byte(&coded, 0, &err) == 0);
		CHECK_MSG((trc_growth_read(&q, coded.p, coded.n, &err) == 0) == (more == 0), "%u",
		          more);
		CHECK(more == 0 || strstr(err.text, "left over"));
		trc_buf_release(&coded);
		trc_program_release(&p);
		trc_program_release(&q);
	}
}

int
main(void)
{
	test_start();
	RUN(growths_that_cannot_be_are_refused);
	RUN(growths_that_end_early_are_refused);
	RUN(growths_with_bytes_behind_them_are_refused);
	return 0;
}
