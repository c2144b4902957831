/* SPDX-License-Identifier: MIT
 * Damage to a container is found wherever it is, and a salvage loses no more than what was
 * damaged. */
#include "container_fixture.h"

#include <xxhash.h>

/* Damaged bytes are refused; what came before are the first rows. A salvage reports what it
 * lacks. */
static void
check_damage(const struct generate_bytes *bytes, const struct trc_batch *rows, size_t place)
{
	struct trc_batch first;
	struct container_got g;
	char why[128] = "";

	container_read(bytes, "trc:threads=1", rows->n, &g);
	CHECK_MSG(g.ret == -1, "damage at %zu is not seen", place);
	first = container_slice(rows, 0, g.rows.n);
	CHECK_MSG(!g.rows.mem || (g.rows.have == rows->have &&
	                          generate_same(&first, &g.rows, rows->have, why, sizeof(why))),
	          "damage at %zu: %s", place, why);
	container_forget(&g);
	container_read(bytes, "trc:salvage,threads=1", rows->n, &g);
	CHECK_MSG(g.ret == -1 || container_all_but_gaps(&g, rows, why, sizeof(why)),
	          "salvage of damage at %zu: %s", place, why);
	container_forget(&g);
	/* Who skips does not see all damage, but gets no wrong rows. */
	container_read_from(bytes, "trc:threads=1", 997, rows->n / 2, rows->n, &g);
	first = container_slice(rows, rows->n / 2, g.rows.n);
	CHECK_MSG(g.ret == -1 || (g.rows.n == rows->n - rows->n / 2 &&
	                          generate_same(&first, &g.rows, rows->have, why, sizeof(why))),
	          "damage at %zu, skipping: %s", place, why);
	container_forget(&g);
}

/* Pages and their times, as a reduced trace has them: sections of rows and of columns. */
static struct generate_bytes
make_small_pages(struct trc_batch *rows)
{
	const struct generate_program spec = { TRC_HAS_TYPE | TRC_HAS_VPN | TRC_HAS_ITIME |
		                                       TRC_HAS_RTIME | TRC_HAS_ASID | TRC_HAS_PC,
		                               60,
		                               8,
		                               2,
		                               0,
		                               false };
	const struct trc_container_to to = {
		.block_rows = 30, .threads = 1, .level = 1, .parity = 1
	};

	generate_program_rows(rows, &spec, test_seed);
	return container_write(rows, to, 999);
}

static void
flip_bits(struct generate_bytes bytes, struct trc_batch *rows, size_t every)
{
	for (size_t bit = 0; bit < 8 * bytes.len; bit += every) {
		bytes.p[bit / 8] ^= (uint8_t)(1 << bit % 8);
		check_damage(&bytes, rows, bit / 8);
		bytes.p[bit / 8] ^= (uint8_t)(1 << bit % 8);
	}
	free(bytes.p);
	trc_batch_release(rows);
}

static void
each_bit_flip_is_found(void)
{
	struct trc_batch rows;

	flip_bits(container_small(&rows), &rows, test_step());
	flip_bits(make_small_pages(&rows), &rows, 3 * test_step());
}

static void
each_cut_is_found(void)
{
	struct trc_batch rows;
	const struct generate_bytes bytes = container_small(&rows);

	for (size_t len = 0; len < bytes.len; len += test_step()) {
		const struct generate_bytes cut = { bytes.p, len };

		check_damage(&cut, &rows, len);
	}
	free(bytes.p);
	trc_batch_release(&rows);
}

/* Frames that are lost without a trace, one or several in a row. */
static void
each_lost_frame_is_found(void)
{
	static struct trc_frame f[CONTAINER_FRAMES];
	struct trc_batch rows;
	struct generate_bytes bytes = container_small(&rows);
	const size_t n = container_frames(&bytes, f);

	for (size_t from = 0; from < n; from++)
		for (size_t to = from + 1; to < n; to++) {
			struct generate_bytes lost =
			        container_without(&bytes, (size_t)f[from].offset,
			                          (size_t)(f[to].offset - f[from].offset));

			check_damage(&lost, &rows, (size_t)f[from].offset);
			free(lost.p);
		}
	free(bytes.p);
	trc_batch_release(&rows);
}

static void
a_salvage_loses_what_is_corrupt_and_no_more(void)
{
	struct generate_program spec = {
		TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_SIZE, 4000, 30, 1, 0, false
	};
	const struct trc_gap third = { 200, 100, NULL };
	const struct trc_gap program_lost = { 0, 1600, NULL };
	struct generate_bytes bytes;
	struct trc_batch rows;

	generate_program_rows(&rows, &spec, test_seed);
	bytes = container_blocks(&rows, 100);
	container_salvage(&bytes, &rows, TRC_KIND_TRACE, 0, NULL, 0);
	container_salvage(&bytes, &rows, TRC_KIND_BLOCK, 2, &third, 1);
	container_salvage(&bytes, &rows, TRC_KIND_REFS, 2, &third, 1);
	container_salvage(&bytes, &rows, TRC_KIND_REFS, 0, &(struct trc_gap){ 0, 100, NULL }, 1);
	container_salvage(&bytes, &rows, TRC_KIND_BLOCK, 39, &(struct trc_gap){ 3900, 100, NULL },
	                  1);
	container_salvage(&bytes, &rows, TRC_KIND_PROGRAM, 0, &program_lost, 1);
	container_salvage(&bytes, &rows, TRC_KIND_INDEX, 0, NULL, 0);
	container_salvage(&bytes, &rows, TRC_KIND_END, 0, NULL, 0);
	free(bytes.p);
	trc_batch_release(&rows);
}

/* References that stand right behind a part of the program, and are lost, do not make those of the
 * next block unreadable: its slots are no longer new. */
static void
slots_are_new_but_once(void)
{
	const struct trc_gap first = { 0, 1000, NULL };
	struct generator m = { test_seed };
	struct generate_bytes bytes;
	struct trc_batch rows;
	struct trc_err err;

	CHECK(trc_batch_init(&rows, TRC_HAS_TYPE | TRC_HAS_ADDR, 8000, &err) == 0);
	for (; rows.n < rows.cap; rows.n++) {
		const bool fetch = rows.n % 2 == 0;

		rows.type[rows.n] = fetch ? TRC_FETCH : TRC_READ;
		rows.addr[rows.n] = fetch ? 4096 + rows.n % 10 : generate_below(&m, 1 << 20);
	}
	bytes = container_blocks(&rows, 1000);
	container_salvage(&bytes, &rows, TRC_KIND_REFS, 0, &first, 1);
	container_salvage(&bytes, &rows, TRC_KIND_BLOCK, 0, &first, 1);
	free(bytes.p);
	trc_batch_release(&rows);
}

/* References where they do not belong are damage, even behind the last block. */
static void
stray_references_are_refused(void)
{
	struct trc_batch rows;
	struct generate_bytes bytes = container_small(&rows);
	const struct trc_frame refs = container_frame(&bytes, TRC_KIND_REFS, 0);
	const struct trc_frame end = container_frame(&bytes, TRC_KIND_END, 0);
	const struct trc_frame index = container_frame(&bytes, TRC_KIND_INDEX, 0);
	const size_t at = (size_t)end.offset, n = (size_t)trc_frame_bytes(&refs);
	struct generate_bytes bad = container_replace(&bytes, at, 0, bytes.p + refs.offset, n);
	struct trc_frame moved = end;
	struct container_got g;

	moved.offset += n;
	container_end(&bad, &moved, index.offset);
	container_read(&bad, "trc", rows.n, &g);
	CHECK_MSG(g.ret == -1 && strstr(g.err.text, "references of another block"), "%s",
	          g.err.text);
	container_forget(&g);
	free(bad.p);
	free(bytes.p);
	trc_batch_release(&rows);
}

/* A header that holds, and claims more bytes than there may be, is damage like any other. */
static void
a_salvage_passes_over_what_claims_too_much(void)
{
	struct trc_batch rows;
	struct generate_bytes bytes = container_small(&rows), bad;
	const struct trc_frame at = container_frame(&bytes, TRC_KIND_REFS, 1);
	const struct generate_bytes front = { bytes.p, (size_t)at.offset };
	const struct generate_bytes back = { bytes.p + at.offset, bytes.len - (size_t)at.offset };
	uint8_t claim[] = {
		0xf5, 't', TRC_KIND_REFS, 0xff, 0xff, 0xff, 0xff, 0x0f, 0, 0, 0, 0, 0, 0, 0, 0, 0,
		0,    0
	};
	const struct generate_bytes large = { claim, sizeof(claim) };
	struct generate_bytes half;
	struct trc_frame f;
	struct container_got g;

	trc_put_le16(claim + 9, (uint16_t)XXH3_64bits(claim, 9));
	CHECK(trc_frame_head(claim, sizeof(claim), &f) && f.len == UINT32_MAX);
	half = container_join(&front, &large);
	bad = container_join(&half, &back);
	container_read(&bad, "trc", rows.n, &g);
	CHECK_MSG(g.ret == -1 && strstr(g.err.text, "is too large"), "%s", g.err.text);
	container_forget(&g);
	container_read(&bad, "trc:salvage", rows.n, &g);
	CHECK_MSG(g.ret == 0 && g.rows.n == rows.n, "%s", g.err.text);
	container_forget(&g);
	free(half.p);
	free(bad.p);
	free(bytes.p);
	trc_batch_release(&rows);
}

int
main(void)
{
	test_start();
	RUN(each_bit_flip_is_found);
	RUN(each_cut_is_found);
	RUN(each_lost_frame_is_found);
	RUN(a_salvage_loses_what_is_corrupt_and_no_more);
	RUN(a_salvage_passes_over_what_claims_too_much);
	RUN(slots_are_new_but_once);
	RUN(stray_references_are_refused);
	return 0;
}
