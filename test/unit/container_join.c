/* SPDX-License-Identifier: MIT
 * Several containers in a file are one trace, if they can be. */
#include "container_fixture.h"

/* Several containers in a file: what is lost at their borders shows, too. */
static void
borders_of_containers_are_watched(void)
{
	static struct trc_frame f[CONTAINER_FRAMES];
	struct trc_batch some, few, rows;
	struct generate_bytes one, two, bytes;
	struct trc_err err;
	size_t n;

	one = container_small(&some);
	CHECK(trc_batch_init(&rows, some.have, 2 * some.n, &err) == 0);
	few = container_slice(&some, 0, 50);
	two = container_blocks(&few, 30);
	trc_batch_append(&rows, &some, 0, some.n);
	trc_batch_append(&rows, &few, 0, few.n);
	bytes = container_join(&one, &two);
	container_holds(&bytes, "trc", &rows);
	n = container_frames(&bytes, f);
	for (size_t from = 1; from < n; from++)
		for (size_t to = from + 1; to < n; to += test_step_most(3)) {
			const size_t at = (size_t)f[from].offset, end = (size_t)f[to].offset;
			struct generate_bytes lost;
			struct container_got g;

			/* What is lost as a whole, between equal headers, was never there. */
			if (end - at == one.len)
				continue;
			lost = container_without(&bytes, at, end - at);
			container_read(&lost, "trc", rows.n, &g);
			CHECK_MSG(g.ret == -1, "frames %zu to %zu of %zu", from, to, n);
			container_forget(&g);
			container_read(&lost, "trc:salvage", rows.n, &g);
			/* Where an end fits by accident, rows may be missing without notice. */
			CHECK_MSG(g.ret == -1 || g.rows.n == rows.n || g.gaps > 0 ||
			                  f[to].kind == TRC_KIND_INDEX ||
			                  f[to].kind == TRC_KIND_END,
			          "salvage without frames %zu to %zu of %zu: %zu rows", from, to, n,
			          g.rows.n);
			container_forget(&g);
			free(lost.p);
		}
	free(bytes.p);
	free(one.p);
	free(two.p);
	trc_batch_release(&rows);
	trc_batch_release(&some);
}

/* Damage that takes all of a container, or more than its end, does not go unnoticed. */
static void
containers_do_not_vanish(void)
{
	struct trc_batch rows, two;
	struct generate_bytes one = container_small(&rows), pair = container_join(&one, &one);
	struct generate_bytes three = container_join(&pair, &one);
	const struct trc_frame index = container_frame(&one, TRC_KIND_INDEX, 0);
	struct trc_err err;
	struct container_got g;

	CHECK(trc_batch_init(&two, rows.have, 2 * rows.n, &err) == 0);
	trc_batch_append(&two, &rows, 0, rows.n);
	trc_batch_append(&two, &rows, 0, rows.n);
	memset(three.p + one.len, 0xf5, one.len);
	container_read(&three, "trc:salvage", two.n, &g);
	CHECK(g.ret == 0 && g.rows.n == two.n && g.gaps == 1);
	CHECK(g.gap[0].first == rows.n && g.gap[0].rows == TRC_GAP_UNKNOWN);
	container_forget(&g);
	/* Cut within the second, or within the index of the first. */
	pair.len = one.len + 9;
	container_read(&pair, "trc:salvage", two.n, &g);
	CHECK(g.ret == 0 && g.rows.n == rows.n && g.gaps == 1);
	CHECK(g.gap[0].first == rows.n && g.gap[0].rows == TRC_GAP_REST);
	container_forget(&g);
	pair.len = (size_t)index.offset + index.head;
	container_read(&pair, "trc:salvage", two.n, &g);
	CHECK(g.ret == 0 && g.rows.n == rows.n && g.gaps == 1);
	CHECK(g.gap[0].first == rows.n && g.gap[0].rows == TRC_GAP_REST);
	container_forget(&g);
	free(one.p);
	free(pair.p);
	free(three.p);
	trc_batch_release(&two);
	trc_batch_release(&rows);
}

/* Blocks of a later container may be larger than those that there was room for, if memory is. */
static void
later_containers_may_have_larger_blocks(void)
{
	const struct generate_program spec = { TRC_HAS_ALL, 3000, 20, 2, 0, false };
	struct generate_bytes small, large, bytes;
	struct trc_batch rows, both;
	struct trc_err err;
	struct container_got g;

	generate_program_rows(&rows, &spec, test_seed);
	CHECK(trc_batch_init(&both, rows.have, 2 * rows.n, &err) == 0);
	trc_batch_append(&both, &rows, 0, rows.n);
	trc_batch_append(&both, &rows, 0, rows.n);
	small = container_blocks(&rows, 300);
	large = container_blocks(&rows, 3000);
	bytes = container_join(&small, &large);
	container_holds(&bytes, "trc", &both);
	container_holds(&bytes, "trc:salvage", &both);
	free(bytes.p);
	free(large.p);
	large = container_blocks(&rows, 0);
	bytes = container_join(&small, &large);
	container_holds(&bytes, "trc", &both);
	container_read(&bytes, "trc:memlimit=200MiB", both.n, &g);
	CHECK_MSG(g.ret == -1 && strstr(g.err.text, "raise it with --memlimit"), "%s", g.err.text);
	CHECK(g.rows.n == rows.n);
	container_forget(&g);
	free(bytes.p);
	free(small.p);
	free(large.p);
	trc_batch_release(&both);
	trc_batch_release(&rows);
}

/* What cannot be one trace is refused where it begins. */
static void
containers_that_do_not_fit_are_refused(void)
{
	struct generate_program spec = { TRC_HAS_TYPE | TRC_HAS_ADDR, 300, 20, 1, 0, false };
	struct generate_bytes one, two, bytes;
	struct trc_batch rows;
	struct container_got g;

	generate_program_rows(&rows, &spec, test_seed);
	one = container_blocks(&rows, 100);
	trc_batch_release(&rows);
	spec.have |= TRC_HAS_SIZE;
	generate_program_rows(&rows, &spec, test_seed);
	two = container_blocks(&rows, 100);
	trc_batch_release(&rows);
	bytes = container_join(&one, &two);
	container_read(&bytes, "trc", 600, &g);
	CHECK_MSG(g.ret == -1 && strstr(g.err.text, "after 300 good records") &&
	                  strstr(g.err.text,
	                         "columns 'type,addr,size', those before it 'type,addr'"),
	          "%s", g.err.text);
	container_forget(&g);
	free(bytes.p);
	free(one.p);
	free(two.p);
}

/* Removes from the header how the trace was reduced: the index has it, as when that is known only
 * when the rows have ended. */
static void
forget_in_header(struct generate_bytes *bytes)
{
	struct trc_frame head = container_frame(bytes, TRC_KIND_TRACE, 0), index, end;
	const uint8_t *p = bytes->p + head.offset + head.head;
	struct trc_view v = { p, p + head.len };
	struct trc_buf payload = { 0 };
	struct trc_header h;
	struct trc_err err;

	CHECK(trc_header_read(&v, &h, &err) == 0);
	h.meta.guarantee = (struct trc_guarantee){ 0 };
	CHECK(trc_header_write(&payload, &h, &err) == 0);
	container_put(bytes, &head, payload.p, payload.n);
	trc_buf_release(&payload);
	index = container_frame(bytes, TRC_KIND_INDEX, 0);
	end = container_frame(bytes, TRC_KIND_END, 0);
	container_end(bytes, &end, index.offset);
}

/* Of a reduced trace and a whole one, what holds for the first holds for both. */
static const struct pair {
	struct trc_guarantee one, two, both;
	bool refused;
	uint32_t page_bits[2];
} pair[] = {
	{ { .sad = 64 }, { .sad = 100 }, { .sad = 100 }, false, { 0 } },
	{ { .sad = 64 }, { .sad = 0 }, { .sad = 64 }, false, { 0 } },
	{ { .sad = 0 }, { .sad = 64 }, { .sad = 64 }, false, { 0, 12 } },
	{ { .sad = 0 }, { .sad = 0 }, { .sad = 0 }, false, { 12, 12 } },
	{ { .sad = 0 }, { .sad = 0 }, { .sad = 0 }, true, { 12, 13 } },
	{ { .window = 9, .clock = TRC_COL_RTIME, .sad = 7 },
	  { .window = 5, .clock = TRC_COL_RTIME },
	  { .window = 9, .clock = TRC_COL_RTIME },
	  false,
	  { 0 } },
	{ { .window = 9, .clock = TRC_COL_RTIME }, { .sad = 64 }, { .sad = 0 }, true, { 0 } },
	{ { .window = 9, .clock = TRC_COL_RTIME },
	  { .window = 9, .clock = TRC_COL_TIME },
	  { .sad = 0 },
	  true,
	  { 0 } },
	{ { .sets = 4, .ways = 8, .line = 64 },
	  { .sets = 8, .ways = 2, .line = 64 },
	  { .sets = 8, .ways = 8, .line = 64 },
	  false,
	  { 0 } },
	{ { .sets = 4, .ways = 8, .line = 64 },
	  { .sets = 4, .ways = 8, .line = 32 },
	  { .sad = 0 },
	  true,
	  { 0 } },
	{ { .sample = 4 }, { .sad = 0 }, { .sad = 0 }, true, { 0 } },
	{ { .sad = 4, .reduced = TRC_LRU_ONLY }, { .sad = 4 }, { .sad = 0 }, true, { 0 } },
};

static struct generate_bytes
write_one_of(const struct pair *p, size_t i, const struct trc_batch *rows)
{
	const struct trc_meta meta = { .guarantee = i ? p->two : p->one,
		                       .page_bits = p->page_bits[i] };
	struct generate_bytes bytes;
	struct trc_err err;

	CHECK(generate_write_as("trc", rows, 7, &meta, &bytes, &err) == 0);
	return bytes;
}

static void
check_pairs(bool headers_describe)
{
	const struct generate_program spec = {
		TRC_HAS_VPN | TRC_HAS_TIME | TRC_HAS_RTIME, 20, 5, 1, 0, false
	};
	struct trc_batch rows;

	generate_program_rows(&rows, &spec, test_seed);
	for (size_t i = 0; i < 2 * TRC_COUNT(pair); i++) {
		const struct pair *p = &pair[i / 2];
		struct generate_bytes one = write_one_of(p, 0, &rows),
		                      two = write_one_of(p, 1, &rows);
		struct generate_bytes bytes;
		struct container_got g;

		if (!headers_describe) {
			forget_in_header(&one);
			forget_in_header(&two);
		}
		bytes = container_join(&one, &two);
		container_read(&bytes, i % 2 ? "pipe:threads=1" : "trc:threads=1", 2 * rows.n, &g);
		CHECK_MSG((g.ret == -1) == p->refused, "%zu: %s", i / 2, g.err.text);
		CHECK(g.ret == 0 || strstr(g.err.text, "or another reduction"));
		CHECK_MSG(g.ret == -1 || (trc_guarantee_same(&g.meta.guarantee, &p->both) &&
		                          g.meta.page_bits == (i / 2 == 3 ? 12u : 0u)),
		          "%zu", i / 2);
		container_forget(&g);
		free(bytes.p);
		free(one.p);
		free(two.p);
	}
	trc_batch_release(&rows);
}

/* The guarantee is not empty, which would mean that neither was reduced. */
static void
reductions_hold_of_joined_traces(void)
{
	check_pairs(true);
}

static void
reductions_that_only_indexes_have_hold_of_joined_traces(void)
{
	check_pairs(false);
}

/* Nor does the index alone show a guarantee that does not hold. */
static void
reductions_that_do_not_join_have_no_common_index(void)
{
	const struct generate_program spec = {
		.have = TRC_HAS_VPN, .rows = 20, .ops = 5, .tasks = 1
	};
	const struct trc_index *index = NULL;
	struct trc_batch rows;

	generate_program_rows(&rows, &spec, test_seed);
	for (size_t i = 0; i < TRC_COUNT(pair); i++) {
		struct generate_bytes one = write_one_of(&pair[i], 0, &rows);
		struct generate_bytes two = write_one_of(&pair[i], 1, &rows), bytes;
		struct trc_source *src;
		struct trc_err err;

		forget_in_header(&one);
		forget_in_header(&two);
		bytes = container_join(&one, &two);
		src = container_open(&bytes, "trc:threads=1", &err);
		CHECK(src && trc_source_index(src, &index, &err) == 0);
		CHECK_MSG(!index == pair[i].refused, "%zu", i);
		trc_source_close(src);
		free(bytes.p);
		free(one.p);
		free(two.p);
	}
	trc_batch_release(&rows);
}

int
main(void)
{
	test_start();
	RUN(borders_of_containers_are_watched);
	RUN(containers_do_not_vanish);
	RUN(later_containers_may_have_larger_blocks);
	RUN(containers_that_do_not_fit_are_refused);
	RUN(reductions_hold_of_joined_traces);
	RUN(reductions_that_only_indexes_have_hold_of_joined_traces);
	RUN(reductions_that_do_not_join_have_no_common_index);
	return 0;
}
