/* SPDX-License-Identifier: MIT
 * Containers whose checksums are good and whose contents are not. */
#include "crate.h"

static void
mutate(struct make *m, struct make_bytes *bytes, struct trc_frame f)
{
	uint8_t *p = bytes->p + f.offset + f.head;
	static const uint8_t extreme[] = { 0, 1, 0x7f, 0x80, 0xff };

	for (uint64_t times = 1 + make_below(m, 3); times > 0 && f.len > 0; times--) {
		const uint64_t at = make_below(m, make_below(m, 2) ? f.len :
		                                                     (f.len < 12 ? f.len : 12));

		p[at] = make_below(m, 2) ? (uint8_t)make_random(m) :
					   extreme[make_below(m, TRC_COUNT(extreme))];
	}
	crate_mend(bytes, &f);
	if (make_below(m, 8) == 0)
		crate_number(bytes, &f, make_value(m, f.number, 64));
}

/* What is wrong and where does not depend on who sees it first. */
static void
threads_meet_the_same_lies(void)
{
	const struct make_program spec[] = {
		{ TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_SIZE, 60000, 200, 1, 0, false },
		{ TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_TASK | TRC_HAS_TIME,
		  60000, 80, 3, 0, false },
	};
	static struct trc_frame f[CRATE_FRAMES], changed[CRATE_FRAMES];
	struct make m = { test_seed };

	for (size_t i = 0; i < TRC_COUNT(spec); i++) {
		struct make_bytes bytes;
		struct trc_batch rows;
		size_t frames;

		make_program_rows(&rows, &spec[i], test_seed);
		bytes = crate_blocks(&rows, 4000);
		frames = crate_frames(&bytes, f);
		for (int k = 0; k < 60; k++) {
			struct make_bytes bad = crate_copy(&bytes);
			struct trc_counts counts;
			struct trc_err err = { 0 };
			struct crate_got one, many;
			char say[128] = "";

			mutate(&m, &bad, f[make_below(&m, frames)]);
			frames = crate_frames(&bad, changed);
			mutate(&m, &bad, changed[make_below(&m, frames)]);
			crate_read(&bad, "trc:threads=1", rows.n, &one);
			crate_read(&bad, "trc:threads=4", rows.n, &many);
			CHECK_SAY(one.ret == many.ret &&
					  (one.ret == 0 || !strcmp(one.err.text, many.err.text)),
				  "try %d: %s; %s", k, one.err.text, many.err.text);
			CHECK_SAY(one.rows.n == many.rows.n &&
					  (one.rows.n == 0 ||
			                   make_same(&one.rows, &many.rows, rows.have, say,
			                             sizeof(say))),
				  "try %d: %s", k, say);
			CHECK_SAY(crate_count(&bad, "trc:threads=4", &counts, &err) == one.ret &&
			                  (one.ret == 0 || !strcmp(one.err.text, err.text)),
			          "try %d: %s; %s", k, one.err.text, err.text);
			crate_forget(&one);
			crate_forget(&many);
			free(bad.p);
		}
		free(bytes.p);
		trc_batch_release(&rows);
	}
}

static void
payloads_that_lie_are_refused(void)
{
	struct make_program spec[] = {
		{ TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_SIZE | TRC_HAS_TASK,
		  1500, 80, 3, 0, false },
		{ TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_TIME, 1500, 80, 1, 900, false },
	};
	static struct trc_frame f[CRATE_FRAMES];
	struct make m = { test_seed };

	for (size_t i = 0; i < TRC_COUNT(spec); i++) {
		struct trc_batch rows;
		struct make_bytes bytes;
		size_t frames;

		make_program_rows(&rows, &spec[i], test_seed);
		bytes = crate_blocks(&rows, 500);
		frames = crate_frames(&bytes, f);
		for (int k = 0; k < 1000; k++) {
			const struct trc_frame *at = &f[make_below(&m, frames)];
			struct make_bytes bad = crate_copy(&bytes);
			char say[128] = "";
			struct crate_got g;

			mutate(&m, &bad, *at);
			crate_read(&bad, k % 2 ? "trc:salvage,threads=1" : "trc:threads=1", rows.n,
				&g);
			if (g.ret == 0 && g.rows.have == rows.have && g.gaps == 0 &&
			    g.rows.n == rows.n)
				CHECK_SAY(make_same(&rows, &g.rows, rows.have, say, sizeof(say)),
					  "try %d, frame %c: %s", k, at->kind, say);
			CHECK_SAY(g.ret == -1 || k % 2 == 1 || g.rows.n == rows.n,
				  "try %d, frame %c: %zu rows", k, at->kind, g.rows.n);
			crate_forget(&g);
			free(bad.p);
		}
		free(bytes.p);
		trc_batch_release(&rows);
	}
}

/* Bytes with a copy of frame `from` behind frame `to`; *copy is where it stands. */
static struct make_bytes
copy_behind(const struct make_bytes *bytes, const struct trc_frame *from,
            const struct trc_frame *to, struct trc_frame *copy)
{
	const size_t behind = (size_t)(to->offset + trc_frame_bytes(to));
	const size_t n = (size_t)trc_frame_bytes(from);
	struct make_bytes more = { malloc(bytes->len + n), bytes->len + n };

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
	const struct make_program spec = { TRC_HAS_TYPE | TRC_HAS_ADDR, 6000, 90, 1, 0, false };
	struct trc_batch rows;

	make_program_rows(&rows, &spec, test_seed);
	for (int empty = 0; empty < 2; empty++) {
		struct make_bytes bytes = crate_blocks(&rows, 2000), twice, bad;
		const struct trc_frame from = crate_frame(&bytes, TRC_KIND_REFS, 0);
		const struct trc_frame to = crate_frame(&bytes, TRC_KIND_REFS, 1);
		struct trc_frame copy;
		char say[128] = "";
		struct crate_got g;

		twice = copy_behind(&bytes, &from, &to, &copy);
		/* 2000 rows take two bytes. */
		if (empty)
			memcpy(twice.p + copy.offset + copy.head + 1, "\x80\0", 2);
		crate_number(&twice, &copy, to.number);
		bad = crate_copy(&twice);
		crate_read(&bad, "trc:salvage,threads=1", rows.n, &g);
		CHECK_SAY(g.ret == 0 && g.rows.n == rows.n, "%s", g.err.text);
		CHECK_SAY(make_same(&rows, &g.rows, rows.have, say, sizeof(say)), "%s", say);
		crate_forget(&g);
		crate_read(&bad, "trc:threads=2", rows.n, &g);
		CHECK(g.ret == -1);
		crate_forget(&g);
		free(bad.p);
		free(twice.p);
		free(bytes.p);
	}
	trc_batch_release(&rows);
}

/* The rows of a block still come out of the streams of its references when those of another are
 * unpacked and found to be damaged. */
static void
damaged_references_of_another_block_do_no_harm(void)
{
	const struct make_program spec = { TRC_HAS_TYPE | TRC_HAS_ADDR, 6000, 90, 1, 0, false };
	struct make m = { test_seed };
	struct trc_batch rows;

	make_program_rows(&rows, &spec, test_seed);
	for (int k = 0; k < 100; k++) {
		struct make_bytes bytes = crate_blocks(&rows, 2000), more;
		const struct trc_frame from = crate_frame(&bytes, TRC_KIND_REFS, 1);
		const struct trc_frame to = crate_frame(&bytes, TRC_KIND_REFS, 0);
		struct trc_frame copy;
		char say[128] = "";
		struct crate_got g;
		size_t end;

		more = copy_behind(&bytes, &from, &to, &copy);
		end = (size_t)(copy.offset + trc_frame_bytes(&copy));
		more.p[end - 1 - make_below(&m, (uint64_t)from.len / 2)] ^= 0x55;
		crate_mend(&more, &copy);
		crate_read(&more, "trc:salvage,threads=1", rows.n, &g);
		CHECK_SAY(g.ret == 0 && g.rows.n >= 4000, "%zu rows, %s", g.rows.n, g.err.text);
		CHECK_SAY(crate_all_but_gaps(&g, &rows, say, sizeof(say)), "try %d: %s", k, say);
		crate_forget(&g);
		free(more.p);
		free(bytes.p);
	}
	trc_batch_release(&rows);
}

int
main(void)
{
	test_start();
	RUN(payloads_that_lie_are_refused);
	RUN(references_that_come_twice_do_no_harm);
	RUN(damaged_references_of_another_block_do_no_harm);
	RUN(threads_meet_the_same_lies);
	return 0;
}
