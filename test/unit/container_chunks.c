/* SPDX-License-Identifier: MIT
 * Chunks of containers, whose blocks are slices that threads share: all rows, in order. */
#include "container_fixture.h"
#include "stage/chunks.h"

/* What a chunk is worked on with: its rows are collected, but for one that begins at row `fails`,
 * which fails. */
struct collecting {
	uint32_t have;
	uint64_t fails;
};

static void
forget(void *result)
{
	struct trc_batches *l = result;

	if (l)
		trc_batches_release(l);
	free(l);
}

static int
collect(void *arg, struct trc_chunk *chunk, struct trc_err *err)
{
	const struct collecting *c = arg;
	struct trc_source *src = trc_chunk_source(chunk, c->have, err);
	struct trc_batches *l = trc_alloc(1, sizeof(*l), err);
	enum trc_flow flow = TRC_FLOW_ROWS;

	CHECK(src && l);
	chunk->result = l;
	while (flow == TRC_FLOW_ROWS) {
		struct trc_batch *b = trc_batches_next(l, c->have, err);

		CHECK(b);
		flow = trc_source_next(src, b, err);
		l->n += flow == TRC_FLOW_ROWS;
		if (b->n > 0 && b->addr[0] == c->fails)
			flow = trc_fail(err, "worked out badly");
	}
	trc_source_close(src);
	return flow == TRC_FLOW_END ? 0 : -1;
}

/* Reads a container in chunks, and puts their rows one behind the other. */
static void
read_chunks(const struct generate_bytes *bytes, int threads, uint64_t fails, size_t most,
            struct container_got *g)
{
	const struct trc_chunk_sizes sizes = { .read = 1, .most = 4, .any = true };
	struct collecting how = { .fails = fails };
	struct trc_chunk *chunk = NULL;
	struct trc_chunks *chunks;
	struct trc_source *src;
	char open[32];

	memset(g, 0, sizeof(*g));
	snprintf(open, sizeof(open), "trc:threads=%d", threads);
	src = container_open(bytes, open, &g->err);
	g->ret = src ? 0 : -1;
	if (!src)
		return;
	CHECK(src->slices->at_once > 0);
	how.have = src->have;
	CHECK(trc_batch_init(&g->rows, src->have, most + 1, &g->err) == 0);
	chunks = trc_chunks_open(src, sizes, threads, collect, forget, &how, &g->err);
	CHECK(chunks);
	while ((g->ret = trc_chunks_next(chunks, &chunk, &g->err)) == 0 && chunk) {
		const struct trc_batches *l = chunk->result;

		for (size_t i = 0; i < l->n; i++) {
			CHECK(l->batch[i].n <= g->rows.cap - g->rows.n);
			trc_batch_append(&g->rows, &l->batch[i], 0, l->batch[i].n);
		}
	}
	trc_chunks_close(chunks);
	g->meta = src->meta;
	trc_source_close(src);
}

static void
rows_of_blocks_come_in_order(void)
{
	static const struct generate_program spec[] = {
		{ TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_SIZE, 25000, 300, 1, 0, false },
		{ TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_TASK | TRC_HAS_TIME, 12000, 100, 3, 0,
		  false },
		{ TRC_HAS_ALL, 9000, 60, 2, 7000, false },
	};
	static const size_t blocks[] = { 1, 2, 7 };
	static const int threads[] = { 2, 3, 7 };

	for (size_t i = 0; i < TRC_COUNT(spec); i++) {
		struct trc_batch rows;

		generate_program_rows(&rows, &spec[i], test_seed);
		for (size_t k = 0; k < TRC_COUNT(blocks); k += test_step_most(2)) {
			struct generate_bytes bytes = container_blocks(&rows, rows.n / blocks[k]);

			for (size_t t = 0; t < TRC_COUNT(threads); t++) {
				struct container_got g;
				char why[128];

				read_chunks(&bytes, threads[t], 0, rows.n, &g);
				CHECK_MSG(g.ret == 0, "%s", g.err.text);
				CHECK_MSG(generate_same(&rows, &g.rows, rows.have, why,
				                        sizeof(why)),
				          "%zu blocks, %d threads: %s", blocks[k], threads[t], why);
				CHECK(g.meta.rows == rows.n);
				container_forget(&g);
			}
			free(bytes.p);
		}
		trc_batch_release(&rows);
	}
}

/* What is wrong with a container is what one thread finds, behind the rows before it. */
static void
damage_is_what_one_thread_finds(void)
{
	const struct generate_program spec = {
		TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_SIZE, 8000, 300, 1, 0, false
	};
	struct generate_bytes bytes;
	struct trc_batch rows;
	size_t bad = 0;

	generate_program_rows(&rows, &spec, test_seed);
	bytes = container_blocks(&rows, 1000);
	for (size_t i = 40; i < bytes.len; i += bytes.len / 29 * test_step_most(3)) {
		struct generate_bytes copy = container_copy(&bytes);
		struct container_got one, all;

		copy.p[i] ^= 0x10;
		container_read(&copy, "trc:threads=1", rows.n, &one);
		read_chunks(&copy, 3, 0, rows.n, &all);
		CHECK_MSG(one.ret == all.ret, "byte %zu", i);
		CHECK_MSG(one.ret == 0 || strcmp(one.err.text, all.err.text) == 0, "'%s', not '%s'",
		          all.err.text, one.err.text);
		bad += one.ret != 0;
		container_forget(&one);
		container_forget(&all);
		free(copy.p);
	}
	CHECK(bad > 0);
	free(bytes.p);
	trc_batch_release(&rows);
}

/* Chunks before the one that failed are taken, and those behind it are not. */
static void
work_that_fails_ends_all_threads(void)
{
	const struct generate_program spec = {
		TRC_HAS_TYPE | TRC_HAS_ADDR, 24000, 200, 1, 0, false
	};
	struct generate_bytes bytes;
	struct trc_batch rows;

	generate_program_rows(&rows, &spec, test_seed);
	bytes = container_blocks(&rows, 4000);
	for (size_t i = 0; i < 24000; i += 8000) {
		struct container_got g;
		char why[128];

		read_chunks(&bytes, 3, rows.addr[i], rows.n, &g);
		CHECK(g.ret == -1 && strcmp(g.err.text, "worked out badly") == 0);
		CHECK(g.rows.n <= i);
		rows.n = g.rows.n;
		CHECK_MSG(generate_same(&rows, &g.rows, rows.have, why, sizeof(why)), "%s", why);
		rows.n = 24000;
		container_forget(&g);
	}
	free(bytes.p);
	trc_batch_release(&rows);
}

/* Who has seen enough does not wait for blocks to be read to their ends. */
static void
chunks_can_be_left(void)
{
	const struct generate_program spec = {
		TRC_HAS_TYPE | TRC_HAS_ADDR, 24000, 200, 1, 0, false
	};
	const struct trc_chunk_sizes sizes = { .read = 1, .any = true };
	struct generate_bytes bytes;
	struct trc_batch rows;

	generate_program_rows(&rows, &spec, test_seed);
	bytes = container_blocks(&rows, 12000);
	for (int n = 0; n < 4; n++) {
		struct collecting how = { .have = rows.have };
		struct trc_chunk *chunk = NULL;
		struct trc_chunks *chunks;
		struct trc_source *src;
		struct trc_err err;

		src = container_open(&bytes, "trc:threads=2", &err);
		CHECK(src);
		chunks = trc_chunks_open(src, sizes, 2, collect, forget, &how, &err);
		CHECK(chunks);
		for (int i = 0; i < n; i++)
			CHECK(trc_chunks_next(chunks, &chunk, &err) == 0);
		trc_chunks_close(chunks);
		trc_source_close(src);
	}
	free(bytes.p);
	trc_batch_release(&rows);
}

int
main(void)
{
	test_start();
	RUN(rows_of_blocks_come_in_order);
	RUN(damage_is_what_one_thread_finds);
	RUN(work_that_fails_ends_all_threads);
	RUN(chunks_can_be_left);
	return 0;
}
