/* SPDX-License-Identifier: MIT
 * Containers are begun anywhere: by number, by time, by their index, in a pipe. */
#include "container_fixture.h"
#include "stage/stage.h"

static const char *const ways[] = { "trc", "trc:threads=1", "pipe" };

/* Ends the test unless skipping leaves out rows, and no others, wherever it leads. */
static void
check_skips(const struct generate_bytes *bytes, const struct trc_batch *rows, size_t block)
{
	struct container_got g;
	char why[128];

	/* The program is reset every 16 blocks, which has no part in common with 5. */
	for (size_t at = 0; at <= rows->n; at += test_step_most(5) * block)
		for (int k = 0; k < 5 * (int)TRC_COUNT(ways); k++) {
			const char *way = ways[k / 5];
			const size_t n = at + (size_t)(k % 5) - 2;
			struct trc_batch want;

			if (n > rows->n + 2)
				continue;
			want = n < rows->n ? container_slice(rows, n, rows->n - n) :
			                     container_slice(rows, 0, 0);
			container_read_from(bytes, way, 77, n, rows->n, &g);
			CHECK_MSG(g.ret == 0, "%s, skip %zu: %s", way, n, g.err.text);
			CHECK_MSG(generate_same(&want, &g.rows, rows->have, why, sizeof(why)),
			          "%s, skip %zu: %s", way, n, why);
			container_forget(&g);
		}
	for (size_t i = 0; i < TRC_COUNT(ways); i++) {
		container_read_from(bytes, ways[i], 77, UINT64_MAX, rows->n, &g);
		CHECK(g.ret == 0 && g.rows.n == 0);
		container_forget(&g);
	}
}

static void
skipping_is_leaving_out(void)
{
	struct generate_program spec = {
		TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_TIME | TRC_HAS_TASK, 3000, 60, 3, 1800, false
	};
	struct generate_bytes once, bytes;
	struct trc_batch rows, some;
	struct trc_err err;

	generate_program_rows(&some, &spec, test_seed);
	CHECK(trc_batch_init(&rows, some.have, 2 * some.n, &err) == 0);
	trc_batch_append(&rows, &some, 0, some.n);
	trc_batch_append(&rows, &some, 0, some.n);
	once = container_blocks(&some, 500);
	bytes = container_join(&once, &once);
	check_skips(&bytes, &rows, 500);
	free(once.p);
	free(bytes.p);
	trc_batch_release(&rows);
	trc_batch_release(&some);
}

/* References that are skipped leave the slots of the part before them old. */
static void
skipped_references_make_slots_old(void)
{
	struct generator m = { test_seed };
	struct generate_bytes bytes;
	struct trc_batch rows;
	struct trc_err err;

	CHECK(trc_batch_init(&rows, TRC_HAS_TYPE | TRC_HAS_ADDR, 4000, &err) == 0);
	for (; rows.n < rows.cap; rows.n++) {
		const bool fetch = rows.n % 2 == 0;

		rows.type[rows.n] = fetch ? TRC_FETCH : TRC_READ;
		rows.addr[rows.n] = fetch ? 4096 + rows.n % 10 : generate_below(&m, 1 << 20);
	}
	/* Anew every 16 blocks: what is skipped to lies before and behind that. */
	bytes = container_blocks(&rows, 100);
	check_skips(&bytes, &rows, 100);
	free(bytes.p);
	trc_batch_release(&rows);
}

/* Times of blocks of 100 rows that overlap, jump, and run back. */
static void
make_times(struct trc_batch *b)
{
	struct generator m = { test_seed };

	for (size_t i = 0; i < b->n; i++)
		b->time[i] = 1000 * (i / 100 * 7 % 20) + generate_below(&m, 1500);
}

/* Rows within a time are those that are; where there is an index, others are not even read. */
static void
windows_of_time_are_exact(void)
{
	/* The first two are the first and the last time of a block. */
	uint64_t window[][2] = { { 0, 0 },       { 0, 0 },         { 0, UINT64_MAX },
		                 { 0, 0 },       { 500, 2300 },    { 7000, 7000 },
		                 { 9000, 9999 }, { 19000, 19500 }, { 21000, 30000 } };
	struct generate_program spec = {
		TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_TIME, 2000, 60, 1, 0, false
	};
	struct trc_batch rows, two, want;
	struct generate_bytes once, bytes;
	struct trc_err err;

	generate_program_rows(&rows, &spec, test_seed);
	make_times(&rows);
	trc_times_range(rows.time + 300, 100, &window[0][0], &window[1][0]);
	window[0][1] = window[0][0];
	window[1][1] = window[1][0];
	once = container_blocks(&rows, 100);
	bytes = container_join(&once, &once);
	CHECK(trc_batch_init(&two, rows.have, 2 * rows.n, &err) == 0);
	CHECK(trc_batch_init(&want, rows.have, 2 * rows.n, &err) == 0);
	trc_batch_append(&two, &rows, 0, rows.n);
	trc_batch_append(&two, &rows, 0, rows.n);
	for (size_t i = 0; i < TRC_COUNT(window) * TRC_COUNT(ways); i++) {
		const char *way = ways[i % TRC_COUNT(ways)];
		const uint64_t *w = window[i / TRC_COUNT(ways)];
		struct trc_source *src = container_open(&bytes, way, &err);
		struct container_got g = { .ret = -1 };
		char why[128];

		trc_batch_clear(&want);
		for (size_t k = 0; k < two.n; k++)
			if (two.time[k] >= w[0] && two.time[k] <= w[1])
				trc_batch_append(&want, &two, k, 1);
		CHECK(src && src->seek->within(src, w[0], w[1], &err) == 0);
		container_read_source(src, 77, two.n, &g);
		CHECK_MSG(g.ret == 0, "%s: %s", way, g.err.text);
		CHECK(g.rows.n == two.n || (i % TRC_COUNT(ways) < 2 && w[1] - w[0] < UINT64_MAX));
		CHECK(g.rows.n < two.n || i % TRC_COUNT(ways) == 2 || want.n == two.n);
		container_forget(&g);
		src = container_open(&bytes, way, &err);
		src = trc_stage_times(src, w[0], w[1], &err);
		CHECK(src);
		container_read_source(src, 77, two.n, &g);
		CHECK(g.ret == 0);
		CHECK_MSG(generate_same(&want, &g.rows, rows.have, why, sizeof(why)), "%s: %s", way,
		          why);
		container_forget(&g);
	}
	free(once.p);
	free(bytes.p);
	trc_batch_release(&want);
	trc_batch_release(&two);
	trc_batch_release(&rows);
}

/* Reading a block shows that the index has wrong times of it; its checksum is good. */
static void
an_index_that_lies_about_times_is_found(void)
{
	struct generate_program spec = {
		TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_TIME, 2000, 60, 1, 0, false
	};
	struct trc_batch rows;
	struct generate_bytes bytes;
	struct trc_frame index;
	struct trc_source *src;
	struct trc_err err;
	struct container_got g;

	generate_program_rows(&rows, &spec, test_seed);
	make_times(&rows);
	bytes = container_blocks(&rows, 100);
	index = container_frame(&bytes, TRC_KIND_INDEX, 0);
	/* Last of all stands how far the times of the last block reach. */
	bytes.p[index.offset + trc_frame_bytes(&index) - 1] ^= 1;
	container_mend(&bytes, &index);
	for (int within = 0; within < 2; within++) {
		const struct trc_index *seen = NULL;

		src = container_open(&bytes, "trc", &err);
		CHECK(src && (within ? src->seek->within(src, 1, UINT64_MAX, &err) :
		                       trc_source_index(src, &seen, &err)) == 0);
		container_read_source(src, 77, rows.n, &g);
		CHECK(g.ret != 0 && strstr(g.err.text, "does not match the times"));
		container_forget(&g);
	}
	/* Without an index, and in a salvage, all is there. */
	container_holds(&bytes, "pipe", &rows);
	src = container_open(&bytes, "trc:salvage", &err);
	CHECK(src && src->seek->within(src, 0, UINT64_MAX, &err) == 0);
	container_read_source(src, 77, rows.n, &g);
	CHECK(g.ret == 0 && g.rows.n == rows.n);
	container_forget(&g);
	free(bytes.p);
	trc_batch_release(&rows);
}

static bool
same_counts(const struct trc_counts *a, const struct trc_counts *b)
{
	return a->rows == b->rows && a->refs == b->refs && a->by_kernel == b->by_kernel &&
	       memcmp(a->by_type, b->by_type, sizeof(a->by_type)) == 0 &&
	       a->addr_first == b->addr_first && a->addr_last == b->addr_last &&
	       a->time_first == b->time_first && a->time_last == b->time_last &&
	       a->distinct == b->distinct && a->pages == b->pages && a->spaces == b->spaces &&
	       a->tasks == b->tasks;
}

/* What there is, counted. */
static struct trc_counts
count_rows(const struct trc_batch *rows)
{
	struct trc_tally *c;
	struct trc_counts counts;
	struct trc_err err;

	c = trc_tally_open(TRC_COUNTS_PAGE_BITS, 0, &err);
	CHECK(c && trc_tally_add(c, rows, &err) == 0);
	counts = trc_tally_counts(c);
	trc_tally_close(c);
	return counts;
}

static void
check_index(const struct trc_batch *rows)
{
	struct generate_bytes once = container_blocks(rows, 300),
	                      bytes = container_join(&once, &once);
	struct trc_counts counts = count_rows(rows);
	const struct trc_index *index = NULL;
	struct trc_source *src;
	struct trc_err err;
	uint64_t at = 0;

	src = container_open(&once, "trc", &err);
	CHECK(src && trc_source_index(src, &index, &err) == 0 && index);
	CHECK(same_counts(&index->counts, &counts));
	CHECK(strcmp(index->meta.format, "din") == 0 && index->meta.page_bits == 12);
	trc_source_close(src);
	src = container_open(&bytes, "trc", &err);
	CHECK(src && trc_source_index(src, &index, &err) == 0 && index);
	CHECK(index->counts.rows == 2 * rows->n && !index->counts.distinct);
	CHECK(index->counts.refs == 2 * counts.refs);
	CHECK(index->counts.addr_last == counts.addr_last);
	for (size_t i = 0; i < index->parts; i++) {
		const struct trc_part *p = &index->part[i];

		CHECK(p->first == at && p->rows > 0 && p->rows <= 300);
		CHECK(i == 0 || p->at >= p[-1].at + p[-1].bytes);
		CHECK(p->at + p->bytes < bytes.len);
		at += p->rows;
	}
	CHECK(at == 2 * rows->n);
	trc_source_close(src);
	src = container_open(&bytes, "pipe", &err);
	CHECK(src && trc_source_index(src, &index, &err) == 0 && !index);
	trc_source_close(src);
	free(once.p);
	free(bytes.p);
}

static void
indexes_have_what_there_is(void)
{
	container_each_program(check_index);
}

/* Blocks that are skipped leave the parts of the program, and the pages, that others go on
 * from: only those since the last reset count. */
static void
check_passing_over(const struct trc_batch *rows)
{
	const struct generate_bytes once = container_blocks(rows, 40),
	                            twice = container_join(&once, &once);
	const struct trc_batch last = container_slice(rows, rows->n - 100, 100);
	char why[128];
	struct container_got g;

	container_read_from(&twice, "pipe", 997, 2 * rows->n - 100, 100, &g);
	CHECK_MSG(g.ret == 0, "%s", g.err.text);
	CHECK_MSG(generate_same(&last, &g.rows, rows->have, why, sizeof(why)), "%s", why);
	container_forget(&g);
	free(twice.p);
	free(once.p);
}

static void
many_blocks_are_skipped_in_a_pipe(void)
{
	struct trc_batch rows = generate_zeros(TRC_HAS_TYPE | TRC_HAS_ADDR, 60000);

	/* Each block has new instructions. */
	for (size_t k = 0; k < rows.n; k++) {
		rows.type[k] = TRC_FETCH;
		rows.addr[k] = 4 * k;
	}
	check_passing_over(&rows);
	trc_batch_release(&rows);
	container_pages(&rows, 60000);
	check_passing_over(&rows);
	trc_batch_release(&rows);
}

int
main(void)
{
	test_start();
	RUN(skipping_is_leaving_out);
	RUN(skipped_references_make_slots_old);
	RUN(windows_of_time_are_exact);
	RUN(an_index_that_lies_about_times_is_found);
	RUN(indexes_have_what_there_is);
	RUN(many_blocks_are_skipped_in_a_pipe);
	return 0;
}
