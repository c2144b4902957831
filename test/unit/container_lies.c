/* SPDX-License-Identifier: MIT
 * Containers whose checksums are good and whose contents are not. */
#include "container_fixture.h"

static void
mutate(struct generator *m, struct generate_bytes *bytes, struct trc_frame f)
{
	uint8_t *p = bytes->p + f.offset + f.head;
	static const uint8_t extreme[] = { 0, 1, 0x7f, 0x80, 0xff };

	for (uint64_t times = 1 + generate_below(m, 3); times > 0 && f.len > 0; times--) {
		const uint64_t at =
		        generate_below(m, generate_below(m, 2) ? f.len : (f.len < 12 ? f.len : 12));

		p[at] = generate_below(m, 2) ? (uint8_t)generate_random(m) :
		                               extreme[generate_below(m, TRC_COUNT(extreme))];
	}
	container_mend(bytes, &f);
	if (generate_below(m, 8) == 0)
		container_number(bytes, &f, generate_value(m, f.number, 64));
}

/* What is wrong and where does not depend on who sees it first. */
static void
threads_meet_the_same_lies(void)
{
	const struct generate_program spec[] = {
		{ TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_SIZE, 60000, 200, 1, 0, false },
		{ TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_TASK | TRC_HAS_TIME, 60000, 80, 3, 0,
		  false },
		{ TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_INSN | TRC_HAS_BRANCH, 60000, 200, 1, 0,
		  false },
	};
	static struct trc_frame f[CONTAINER_FRAMES], changed[CONTAINER_FRAMES];
	struct generator m = { test_seed };

	for (size_t i = 0; i < TRC_COUNT(spec); i++) {
		struct generate_bytes bytes;
		struct trc_batch rows;
		size_t frames;

		generate_program_rows(&rows, &spec[i], test_seed);
		bytes = container_blocks(&rows, 4000);
		frames = container_frames(&bytes, f);
		for (size_t k = 0; k < 60; k += test_step_most(4)) {
			struct generate_bytes bad = container_copy(&bytes);
			struct trc_counts counts;
			struct trc_err err = { 0 };
			struct container_got one, many;
			char why[128] = "";

			mutate(&m, &bad, f[generate_below(&m, frames)]);
			frames = container_frames(&bad, changed);
			mutate(&m, &bad, changed[generate_below(&m, frames)]);
			container_read(&bad, "trc:threads=1", rows.n, &one);
			container_read(&bad, "trc:threads=4", rows.n, &many);
			CHECK_MSG(one.ret == many.ret &&
			                  (one.ret == 0 || !strcmp(one.err.text, many.err.text)),
			          "try %zu: %s; %s", k, one.err.text, many.err.text);
			CHECK_MSG(one.rows.n == many.rows.n &&
			                  (one.rows.n == 0 ||
			                   generate_same(&one.rows, &many.rows, rows.have, why,
			                                 sizeof(why))),
			          "try %zu: %s", k, why);
			CHECK_MSG(container_count(&bad, "trc:threads=4", &counts, &err) ==
			                          one.ret &&
			                  (one.ret == 0 || !strcmp(one.err.text, err.text)),
			          "try %zu: %s; %s", k, one.err.text, err.text);
			container_forget(&one);
			container_forget(&many);
			free(bad.p);
		}
		free(bytes.p);
		trc_batch_release(&rows);
	}
}

static void
payloads_that_lie_are_refused(void)
{
	struct generate_program spec[] = {
		{ TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_SIZE | TRC_HAS_TASK, 1500, 80, 3, 0,
		  false },
		{ TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_TIME, 1500, 80, 1, 900, false },
		{ TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_INSN | TRC_HAS_BRANCH | TRC_HAS_TASK, 1500,
		  80, 2, 1400, false },
	};
	static struct trc_frame f[CONTAINER_FRAMES];
	struct generator m = { test_seed };

	for (size_t i = 0; i < TRC_COUNT(spec); i++) {
		struct trc_batch rows;
		struct generate_bytes bytes;
		size_t frames;

		generate_program_rows(&rows, &spec[i], test_seed);
		bytes = container_blocks(&rows, 500);
		frames = container_frames(&bytes, f);
		for (size_t k = 0; k < 1000; k += test_step_most(5)) {
			const struct trc_frame *at = &f[generate_below(&m, frames)];
			struct generate_bytes bad = container_copy(&bytes);
			char why[128] = "";
			struct container_got g;

			mutate(&m, &bad, *at);
			container_read(&bad, k % 2 ? "trc:salvage,threads=1" : "trc:threads=1",
			               rows.n, &g);
			if (g.ret == 0 && g.rows.have == rows.have && g.gaps == 0 &&
			    g.rows.n == rows.n)
				CHECK_MSG(generate_same(&rows, &g.rows, rows.have, why,
				                        sizeof(why)),
				          "try %zu, frame %c: %s", k, at->kind, why);
			CHECK_MSG(g.ret == -1 || k % 2 == 1 || g.rows.n == rows.n,
			          "try %zu, frame %c: %zu rows", k, at->kind, g.rows.n);
			container_forget(&g);
			free(bad.p);
		}
		free(bytes.p);
		trc_batch_release(&rows);
	}
}

/* Bytes with a copy of frame `from` behind frame `to`; *copy is where it stands. */
static struct generate_bytes
copy_behind(const struct generate_bytes *bytes, const struct trc_frame *from,
            const struct trc_frame *to, struct trc_frame *copy)
{
	const size_t behind = (size_t)(to->offset + trc_frame_bytes(to));
	const size_t n = (size_t)trc_frame_bytes(from);
	struct generate_bytes more = { malloc(bytes->len + n), bytes->len + n };

	CHECK(more.p);
	memcpy(more.p, bytes->p, behind);
	memcpy(more.p + behind, bytes->p + from->offset, n);
	memcpy(more.p + behind + n, bytes->p + behind, bytes->len - behind);
	*copy = *from;
	copy->offset = behind;
	return more;
}

/* A salvage takes what it can: references that come once more, though the block has all of its
 * rows, or of no rows, must not take the place of those that it has. */
static void
references_that_come_twice_do_no_harm(void)
{
	const struct generate_program spec = { TRC_HAS_TYPE | TRC_HAS_ADDR, 6000, 90, 1, 0, false };
	struct trc_batch rows;

	generate_program_rows(&rows, &spec, test_seed);
	for (int empty = 0; empty < 2; empty++) {
		struct generate_bytes bytes = container_blocks(&rows, 2000), twice, bad;
		const struct trc_frame from = container_frame(&bytes, TRC_KIND_REFS, 0);
		const struct trc_frame to = container_frame(&bytes, TRC_KIND_REFS, 1);
		struct trc_frame copy;
		char why[128] = "";
		struct container_got g;

		twice = copy_behind(&bytes, &from, &to, &copy);
		/* 2000 rows take two bytes. */
		if (empty)
			memcpy(twice.p + copy.offset + copy.head + 1, "\x80\0", 2);
		container_number(&twice, &copy, to.number);
		bad = container_copy(&twice);
		container_read(&bad, "trc:salvage,threads=1", rows.n, &g);
		CHECK_MSG(g.ret == 0 && g.rows.n == rows.n, "%s", g.err.text);
		CHECK_MSG(generate_same(&rows, &g.rows, rows.have, why, sizeof(why)), "%s", why);
		container_forget(&g);
		container_read(&bad, "trc:threads=2", rows.n, &g);
		CHECK(g.ret == -1);
		container_forget(&g);
		free(bad.p);
		free(twice.p);
		free(bytes.p);
	}
	trc_batch_release(&rows);
}

/* The rows of a block still come out of the streams of its references when those of another are
 * unpacked and found to be damaged. */
static void
corrupt_references_of_another_block_do_no_harm(void)
{
	const struct generate_program spec = { TRC_HAS_TYPE | TRC_HAS_ADDR, 6000, 90, 1, 0, false };
	struct generator m = { test_seed };
	struct trc_batch rows;

	generate_program_rows(&rows, &spec, test_seed);
	for (size_t k = 0; k < 100; k += test_step_most(5)) {
		struct generate_bytes bytes = container_blocks(&rows, 2000), more;
		const struct trc_frame from = container_frame(&bytes, TRC_KIND_REFS, 1);
		const struct trc_frame to = container_frame(&bytes, TRC_KIND_REFS, 0);
		struct trc_frame copy;
		char why[128] = "";
		struct container_got g;
		size_t end;

		more = copy_behind(&bytes, &from, &to, &copy);
		end = (size_t)(copy.offset + trc_frame_bytes(&copy));
		more.p[end - 1 - generate_below(&m, (uint64_t)from.len / 2)] ^= 0x55;
		container_mend(&more, &copy);
		container_read(&more, "trc:salvage,threads=1", rows.n, &g);
		CHECK_MSG(g.ret == 0 && g.rows.n >= 4000, "%zu rows, %s", g.rows.n, g.err.text);
		CHECK_MSG(container_all_but_gaps(&g, &rows, why, sizeof(why)), "try %zu: %s", k,
		          why);
		container_forget(&g);
		free(more.p);
		free(bytes.p);
	}
	trc_batch_release(&rows);
}

/* ---- blocks that cannot be ---- */

/* Reads `bytes` to the end, which must fail with a message that has `why` in it. */
static void
is_refused(const struct generate_bytes *bytes, const char *how, size_t most, const char *why)
{
	struct container_got g;

	container_read(bytes, how, most, &g);
	CHECK_MSG(g.ret == -1 && strstr(g.err.text, why), "'%s' instead of '%s'",
	          g.ret ? g.err.text : "all is well", why);
	container_forget(&g);
}

/* What a block holds behind its columns and fingerprint. */
struct lie {
	const char *payload;
	size_t n;
	const char *why;
};

/* Puts a block in the place of the first one: these columns, any fingerprint, and these bytes. */
static void
put_block(struct generate_bytes *bytes, uint32_t have, const void *payload, size_t n)
{
	struct trc_frame f = container_frame(bytes, TRC_KIND_BLOCK, 0);
	struct trc_buf b = { 0 };
	struct trc_err err;

	CHECK(trc_buf_put_num(&b, have, &err) == 0 && trc_buf_put(&b, "fingerpr", 8, &err) == 0 &&
	      trc_buf_put(&b, payload, n, &err) == 0);
	container_put(bytes, &f, b.p, b.n);
	trc_buf_release(&b);
}

static void
blocks_that_cannot_be_are_refused(void)
{
	static const struct lie lie[] = {
		{ "\0\1\0", 3, "references of a block are damaged or missing" },
		{ "\0\1\x41", 3, "references of a block are damaged or missing" },
		{ "\0\1\1\0\1\1", 6, "references of a block are damaged or missing" },
		{ "\0\2\2\1", 4, "a block is damaged" },
		{ "\0\3\2\1\2", 5, "references of a block are damaged or missing" },
		{ "\5\1\1", 3, "pcs, but the trace has none" },
		{ "\3\1\0", 3, "events, but the trace has none" },
		{ "\4\0", 2, "a section of kind 4" },
		{ "\4", 1, "extends past its end" },
		{ "\0\4\1\0", 4, "extends past its end" },
		{ "\0\2\1\0", 4, "longer than its content" },
		{ "\1\0", 2, "damaged" },
		{ "\1\3\3\0\0", 5, "damaged" },
		{ "\1\2\0\7", 4, "damaged" },
		{ "\1\3\0\x40\0", 5,
		  "a column of a block is damaged; its checksum holds, so another "
		  "version of trc may have written it" },
		{ "\1\3\0\0\2", 5, "a block lacks a column" },
		{ "\1\3\0\0\2\1\3\0\0\2", 10, "a block" },
		{ "\2\0", 2, "rows of a block are damaged" },
		{ "\2\5\1\0\1\1\3", 7, "rows of a block are damaged" },
		{ "\2\6\2\0\1\xff\0\0", 8, "rows of a block are damaged" },
	};
	const struct generate_program spec = { TRC_HAS_TYPE | TRC_HAS_ADDR, 300, 40, 1, 0, false };
	struct trc_batch rows;
	struct generate_bytes bytes;

	generate_program_rows(&rows, &spec, test_seed);
	bytes = container_blocks(&rows, 300);
	for (size_t i = 0; i < TRC_COUNT(lie); i++) {
		struct generate_bytes bad = container_copy(&bytes);

		put_block(&bad, spec.have, lie[i].payload, lie[i].n);
		is_refused(&bad, "trc:threads=1", rows.n, lie[i].why);
		free(bad.p);
	}
	put_block(&bytes, TRC_HAS_TYPE, "", 0);
	is_refused(&bytes, "trc:threads=1", rows.n, "other columns than the trace");
	put_block(&bytes, TRC_HAS_ALL + 1, "", 0);
	is_refused(&bytes, "trc:threads=1", rows.n, "a column of number 16 is unknown");
	for (unsigned i = 0; i < 2; i++) {
		struct trc_frame f = container_frame(&bytes, TRC_KIND_BLOCK, 0);

		container_put(&bytes, &f, (const uint8_t *)(i ? "\x80" : "\3fing"), i ? 1 : 5);
		is_refused(&bytes, "trc:threads=1", rows.n,
		           i ? "the list of columns is damaged" : "no fingerprint");
	}
	free(bytes.p);
	trc_batch_release(&rows);
}

static void
events_that_cannot_be_are_refused(void)
{
	/* A packed stream that is stored: gaps, and texts with NUL behind them. */
	static const struct lie lie[] = {
		{ "\3\0\3\1a\0", 6, NULL },
		{ "\6\0\6\0a\0\1b\0", 9, NULL },
		{ "\3\0\3\5a\0", 6, "the events of a block are damaged" },
		{ "\6\0\6\0a\0\0b\0", 9, "the events of a block are damaged" },
		{ "\6\0\6\4a\0\1b\0", 9, "the events of a block are damaged" },
		{ "\1\0\1\x80", 4, "the events of a block are damaged" },
		{ "\2\0\2\1a", 5, "an event of a block is damaged" },
		{ "\1\0\1\1", 4, "an event of a block is damaged" },
	};
	enum { HAVE = TRC_HAS_TIME | TRC_HAS_EVENT, ROWS = 5 };
	struct trc_batch rows = generate_zeros(HAVE, ROWS);
	struct generate_bytes bytes;

	trc_batch_put_event(&rows, 0, "a", 1);
	bytes = container_blocks(&rows, ROWS);
	for (size_t i = 0; i < TRC_COUNT(lie); i++) {
		struct generate_bytes bad = container_copy(&bytes);
		uint8_t payload[32] = {
			TRC_SECTION_COLUMN, 3, TRC_COL_TIME, 0, 0, TRC_SECTION_EVENTS,
			(uint8_t)lie[i].n
		};

		memcpy(payload + 7, lie[i].payload, lie[i].n);
		put_block(&bad, HAVE, payload, 7 + lie[i].n);
		/* What is well formed is not what the fingerprint is of. */
		is_refused(&bad, "trc:threads=1", ROWS,
		           lie[i].why ? lie[i].why : "does not match its fingerprint");
		free(bad.p);
	}
	free(bytes.p);
	trc_batch_release(&rows);
}

/* References of two tasks, which no column distinguishes. */
static void
contexts_that_no_column_distinguishes_are_refused(void)
{
	const struct generate_program spec = {
		TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_TASK, 6000, 40, 2, 0, false
	};
	static struct trc_frame f[CONTAINER_FRAMES];
	struct trc_batch rows;
	struct generate_bytes bytes;
	size_t n;

	generate_program_rows(&rows, &spec, test_seed);
	bytes = container_blocks(&rows, 6000);
	n = container_frames(&bytes, f);
	CHECK(f[0].kind == TRC_KIND_TRACE && n > 4);
	for (size_t i = 0; i < n; i++)
		if (f[i].kind == TRC_KIND_TRACE || f[i].kind == TRC_KIND_PROGRAM) {
			const bool grows = f[i].kind == TRC_KIND_PROGRAM;
			uint8_t *have = bytes.p + f[i].offset + f[i].head + grows;

			CHECK(*have == spec.have);
			*have = TRC_HAS_TYPE | TRC_HAS_ADDR;
			container_mend(&bytes, &f[i]);
		}
	put_block(&bytes, TRC_HAS_TYPE | TRC_HAS_ADDR, "\0\3\2\0\1", 5);
	is_refused(&bytes, "pipe:threads=1", rows.n, "contexts that no column tells apart");
	free(bytes.p);
	trc_batch_release(&rows);
}

static void
frames_of_a_block_are_bounded(void)
{
	const struct generate_program spec = { TRC_HAS_TYPE | TRC_HAS_ADDR, 300, 40, 1, 0, false };
	struct generate_bytes bytes, more;
	struct trc_batch rows;

	generate_program_rows(&rows, &spec, test_seed);
	bytes = container_blocks(&rows, 300);
	for (int i = 0; i < 1200; i++) {
		const struct trc_frame from = container_frame(&bytes, TRC_KIND_REFS, 0);
		struct trc_frame copy;

		more = copy_behind(&bytes, &from, &from, &copy);
		free(bytes.p);
		bytes = more;
	}
	is_refused(&bytes, "pipe:threads=1", rows.n, "a block has too many frames");
	free(bytes.p);
	trc_batch_release(&rows);
}

static void
frames_of_later_versions_are_skipped(void)
{
	const struct generate_program spec = { TRC_HAS_TYPE | TRC_HAS_ADDR, 300, 40, 1, 0, false };
	struct generate_bytes bytes;
	struct trc_batch rows;
	struct trc_frame from, copy;
	char why[128] = "";
	struct container_got g;

	generate_program_rows(&rows, &spec, test_seed);
	bytes = container_blocks(&rows, 300);
	from = container_frame(&bytes, TRC_KIND_REFS, 0);
	for (int i = 0; i < 2; i++) {
		struct generate_bytes more = copy_behind(&bytes, &from, &from, &copy);

		more.p[copy.offset + 2] = 'x';
		container_mend(&more, &copy);
		container_read(&more, i ? "pipe:salvage,threads=1" : "pipe:threads=1", rows.n, &g);
		CHECK_MSG(generate_same(&rows, &g.rows, rows.have, why, sizeof(why)), "%s", why);
		container_forget(&g);
		free(more.p);
	}
	free(bytes.p);
	trc_batch_release(&rows);
}

static void
containers_of_another_version_are_named(void)
{
	struct trc_batch rows;
	struct generate_bytes bytes = container_small(&rows);
	struct trc_frame head = container_frame(&bytes, TRC_KIND_TRACE, 0);

	container_number(&bytes, &head, TRC_VERSION_NUMBER + 1);
	is_refused(&bytes, "trc", rows.n,
	           "a container of version 2 is unknown to this trc; read it with trc 2.0");
	free(bytes.p);
	trc_batch_release(&rows);
}

/* The last 8 bytes of a file are rows of its last container: file(1) reads them. */
static void
an_end_with_other_rows_is_refused(void)
{
	struct trc_batch rows;
	struct generate_bytes bytes = container_small(&rows);
	const struct trc_frame end = container_frame(&bytes, TRC_KIND_END, 0);

	CHECK(end.number == rows.n);
	CHECK(trc_le64(bytes.p + bytes.len - 8) == rows.n);
	bytes.p[bytes.len - 1]++;
	container_mend(&bytes, &end);
	is_refused(&bytes, "trc", rows.n, "the end frame is invalid");
	is_refused(&bytes, "pipe", rows.n, "the end frame is invalid");
	free(bytes.p);
	trc_batch_release(&rows);
}

/* Blocks stand where the index adds them up to, from its own place backwards: a second one that is
 * as large as the whole container begins before what was read already. */
static void
an_index_that_leads_back_is_refused(void)
{
	struct trc_batch rows;
	struct generate_bytes bytes = container_small(&rows);
	struct trc_frame index = container_frame(&bytes, TRC_KIND_INDEX, 0), end;
	const uint8_t *p = bytes.p + index.offset + index.head;
	struct trc_view v = { p, p + index.len };
	struct trc_contents c = { 0 };
	struct trc_buf payload = { 0 };
	uint64_t left = index.offset;
	struct container_got g;
	struct trc_err err;

	CHECK(trc_contents_read(&v, index.offset, index.number, rows.have, &c, &err) == 0);
	CHECK(c.parts.n == 3);
	for (size_t i = 0; i < c.parts.n; i++)
		left -= c.parts.part[i].bytes = TRC_FRAME_HEAD_LEAST;
	c.parts.part[1].bytes += left;
	c.parts.part[1].fresh = true;
	CHECK(trc_contents_write(&payload, &c, rows.have, &err) == 0);
	container_put(&bytes, &index, payload.p, payload.n);
	end = container_frame(&bytes, TRC_KIND_END, 0);
	container_end(&bytes, &end, index.offset);
	container_read_from(&bytes, "trc:threads=1", 99, 30, rows.n, &g);
	CHECK_MSG(g.ret == -1 && strstr(g.err.text, "the index leads back"), "%s", g.err.text);
	container_forget(&g);
	trc_parts_release(&c.parts);
	trc_buf_release(&payload);
	free(bytes.p);
	trc_batch_release(&rows);
}

int
main(void)
{
	test_start();
	RUN(payloads_that_lie_are_refused);
	RUN(references_that_come_twice_do_no_harm);
	RUN(corrupt_references_of_another_block_do_no_harm);
	RUN(blocks_that_cannot_be_are_refused);
	RUN(events_that_cannot_be_are_refused);
	RUN(contexts_that_no_column_distinguishes_are_refused);
	RUN(frames_of_a_block_are_bounded);
	RUN(frames_of_later_versions_are_skipped);
	RUN(containers_of_another_version_are_named);
	RUN(an_end_with_other_rows_is_refused);
	RUN(an_index_that_leads_back_is_refused);
	RUN(threads_meet_the_same_lies);
	return 0;
}
