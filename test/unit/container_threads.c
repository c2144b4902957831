/* SPDX-License-Identifier: MIT
 * Containers are the same, written and read, whatever the batches and threads. */
#include <stdatomic.h>

#include "cmd/job/pump_chunks.h"
#include "container_fixture.h"

static void
batches_and_threads_do_not_show(void)
{
	static const size_t cut[] = { 1, 2, 7, 4096 };
	static const uint64_t threads[] = { 1, 2, 8 };
	struct generate_program spec = { TRC_HAS_ALL, 3001, 60, 4, 0, false };
	struct trc_batch rows;
	struct generate_bytes first;

	generate_program_rows(&rows, &spec, test_seed);
	first = container_blocks(&rows, 700);
	for (size_t i = 0; i < TRC_COUNT(cut); i += test_step_most(3)) {
		struct container_got g;
		char why[128];

		container_read_from(&first, "trc:threads=2", cut[i], 0, rows.n, &g);
		CHECK_MSG(g.ret == 0 && generate_same(&rows, &g.rows, rows.have, why, sizeof(why)),
		          "batches of %zu", cut[i]);
		container_forget(&g);
		for (size_t k = 0; k < TRC_COUNT(threads); k++) {
			const struct trc_container_to to = { .block_rows = 700,
				                             .threads = threads[k],
				                             .no_verify = k == 1,
				                             .parity = 1 };
			struct generate_bytes bytes = container_write(&rows, to, cut[i]);

			CHECK_MSG(bytes.len == first.len &&
			                  memcmp(bytes.p, first.p, first.len) == 0,
			          "batches of %zu, %d threads", cut[i], (int)threads[k]);
			free(bytes.p);
		}
	}
	free(first.p);
	trc_batch_release(&rows);
}

static void
check_counts(const struct generate_bytes *bytes, const char *how, const struct trc_batch *rows)
{
	struct trc_tally *c;
	struct trc_counts want, got;
	struct trc_err err;

	c = trc_tally_open(TRC_COUNTS_PAGE_BITS, 0, &err);
	CHECK(c && trc_tally_add(c, rows, &err) == 0);
	want = trc_tally_counts(c);
	trc_tally_close(c);
	CHECK_MSG(container_count(bytes, how, &got, &err) == 0, "%s", err.text);
	CHECK_MSG(!trc_counts_differ(&want, &got), "%s: %s", how, trc_counts_differ(&want, &got));
}

/* A sink for rows in any order, with room for so many in it and its clones. */
struct full_sink {
	struct trc_sink sink;
	atomic_size_t *room;
};

static int
full_put(struct trc_sink *sink, const struct trc_batch *b, struct trc_err *err)
{
	const size_t n = atomic_fetch_sub(((struct full_sink *)sink)->room, b->n);

	return n < b->n || n > SIZE_MAX / 2 ? trc_fail(err, "full") : 0;
}

static int
full_finish(struct trc_sink *sink, const struct trc_meta *meta, struct trc_err *err)
{
	(void)sink, (void)meta, (void)err;
	return 0;
}

static int
full_absorb(struct trc_sink *sink, struct trc_sink *clone, struct trc_err *err)
{
	(void)sink, (void)clone, (void)err;
	return 0;
}

static void
full_close(struct trc_sink *sink)
{
	free(sink);
}

static struct trc_sink *
full_clone(struct trc_sink *sink, struct trc_err *err)
{
	struct full_sink *s = trc_alloc(1, sizeof(*s), err);

	CHECK(s);
	*s = *(struct full_sink *)sink;
	return &s->sink;
}

static int
pass(struct trc_watch *watch, size_t rows, struct trc_err *err)
{
	(void)watch, (void)rows, (void)err;
	return 0;
}

/* Who waits for a block that another thread has is not left waiting. */
static void
a_full_sink_ends_all_threads(void)
{
	const struct generate_program spec = {
		TRC_HAS_TYPE | TRC_HAS_ADDR, 60000, 200, 1, 0, false
	};
	static const struct trc_apart apart = { full_clone, full_absorb, false };
	struct generate_bytes bytes;
	struct trc_batch rows;

	generate_program_rows(&rows, &spec, test_seed);
	bytes = container_blocks(&rows, 4000);
	for (size_t room = 0; room <= rows.n; room += room < 100 ? 50 : 3300) {
		atomic_size_t left = room;
		struct full_sink sink = { { .put = full_put,
			                    .finish = full_finish,
			                    .close = full_close,
			                    .apart = &apart },
			                  &left };
		struct trc_watch watch = { pass };
		struct trc_err err;
		struct trc_source *src = container_open(&bytes, "trc:threads=4", &err);

		CHECK(src && trc_pump_has_chunks(src, &sink.sink));
		CHECK(trc_pump_chunks(src, &sink.sink, 4, &watch, &err) == -1 || room == rows.n);
		CHECK(room == rows.n || strcmp(err.text, "full") == 0);
		trc_source_close(src);
	}
	free(bytes.p);
	trc_batch_release(&rows);
}

/* Enough rows for blocks to be unpacked ahead of who reads them. */
static void
blocks_in_flight_do_not_show(void)
{
	static const char *const how[] = { "trc:threads=1", "trc:threads=2", "trc:threads=3",
		                           "trc:threads=9", "trc:threads=18446744073709551615" };
	const struct generate_program spec[] = {
		{ TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_SIZE, 120000, 900, 1, 0, false },
		{ TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_TASK | TRC_HAS_TIME, 120000, 300, 3, 0,
		  false },
		{ TRC_HAS_ALL, 60000, 60, 2, 50000, false },
		{ TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_PC, 60000, 300, 1, 0, true },
		{ TRC_HAS_ADDR | TRC_HAS_TASK, 60000, 300, 3, 0, true },
		{ TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_BRANCH | TRC_HAS_REGS, 120000, 20000, 1, 0,
		  false },
	};
	const size_t shorter = test_step_most(4);

	for (size_t i = 0; i < TRC_COUNT(spec); i += test_step_most(2)) {
		struct generate_program less = spec[i];
		struct generate_bytes bytes;
		struct trc_batch rows;

		less.rows /= shorter;
		less.wild /= shorter;
		generate_program_rows(&rows, &less, test_seed);
		bytes = container_blocks(&rows, 5000 / shorter);
		for (size_t k = 0; k < TRC_COUNT(how); k += test_step_most(3)) {
			container_holds(&bytes, how[k], &rows);
			check_counts(&bytes, how[k], &rows);
		}
		free(bytes.p);
		trc_batch_release(&rows);
	}
}

/* Takes all rows of a slice; `half` batches have half of them. */
static void
empty_slice(struct trc_source *src, struct trc_slice *slice, struct trc_batch *half)
{
	struct trc_err err;

	CHECK(trc_source_take(src, 0, slice, &err) == TRC_FLOW_ROWS);
	for (int i = 0; i < 2; i++)
		CHECK(trc_source_parse(src, slice, half, &err) == TRC_FLOW_ROWS &&
		      half->n == half->cap);
	CHECK(trc_source_parse(src, slice, half, &err) == TRC_FLOW_END);
}

/* Two threads have places for two blocks. While one empties the oldest, the other goes on. */
static void
a_younger_block_leaves_its_place(void)
{
	enum { BLOCK = 700 };
	const struct generate_program spec = { TRC_HAS_ADDR, 4 * BLOCK, 60, 1, 0, false };
	struct trc_slice older = { 0 }, younger = { 0 };
	struct generate_bytes bytes;
	struct trc_batch rows, half;
	struct trc_source *src;
	struct trc_err err;

	generate_program_rows(&rows, &spec, test_seed);
	bytes = container_blocks(&rows, BLOCK);
	CHECK((src = container_open(&bytes, "trc:threads=2", &err)));
	CHECK(trc_batch_init(&half, src->have, BLOCK / 2, &err) == 0);
	CHECK(trc_source_take(src, 0, &older, &err) == TRC_FLOW_ROWS);
	CHECK(trc_source_parse(src, &older, &half, &err) == TRC_FLOW_ROWS);
	empty_slice(src, &younger, &half);
	empty_slice(src, &younger, &half);
	CHECK(trc_source_parse(src, &older, &half, &err) == TRC_FLOW_ROWS);
	CHECK(trc_source_parse(src, &older, &half, &err) == TRC_FLOW_END);
	empty_slice(src, &older, &half);
	CHECK(trc_source_take(src, 0, &younger, &err) == TRC_FLOW_END);
	trc_slice_release(&older);
	trc_slice_release(&younger);
	trc_source_close(src);
	trc_batch_release(&half);
	trc_batch_release(&rows);
	free(bytes.p);
}

int
main(void)
{
	test_start();
	RUN(batches_and_threads_do_not_show);
	RUN(blocks_in_flight_do_not_show);
	RUN(a_full_sink_ends_all_threads);
	RUN(a_younger_block_leaves_its_place);
	return 0;
}
