/* SPDX-License-Identifier: MIT
 * Parity of sectors, which trc wrote up to 1.1, repairs what it promised to: any flipped byte,
 * and any sector that is overwritten, missing or too much, wherever in a container, its index,
 * its end and its parity. */
#include "container_fixture.h"

#include <xxhash.h>

#include "container/frame/reed_solomon.h"
#include "container/frame/parity.h"

enum { SECTORS = 40, PARITY = 12, SECTOR = 64 };

/* Sectors that are lost come back from as many of parity, whichever these are. */
static void
any_sectors_are_solved_from_any_parity(void)
{
	static uint8_t data[SECTORS][SECTOR], parity[PARITY][SECTOR];
	struct generator m = { test_seed };

	for (size_t i = 0; i < SECTORS; i++)
		for (size_t b = 0; b < SECTOR; b++)
			data[i][b] = (uint8_t)generate_random(&m);
	for (size_t j = 0; j < PARITY; j++)
		for (size_t i = 0; i < SECTORS; i++)
			trc_rs_add(parity[j], data[i], SECTOR, trc_rs_factor(j, i));
	for (size_t n = 0; n <= PARITY; n++) {
		uint32_t lost[PARITY], by[PARITY];
		uint8_t room[PARITY][SECTOR], *sector[PARITY];
		const size_t from = generate_below(&m, SECTORS / PARITY);
		struct trc_err err;

		for (size_t k = 0; k < n; k++) {
			lost[k] = (uint32_t)(from + k * (SECTORS / PARITY));
			by[k] = (uint32_t)(PARITY - 1 - k);
			sector[k] = memcpy(room[k], parity[by[k]], SECTOR);
			for (size_t i = 0, next = 0; i < SECTORS; i++) {
				if (next < n && from + next * (SECTORS / PARITY) == i)
					next++;
				else
					trc_rs_add(sector[k], data[i], SECTOR,
					           trc_rs_factor(by[k], i));
			}
		}
		CHECK(trc_rs_solve(sector, SECTOR, by, lost, n, &err) == 0);
		for (size_t k = 0; k < n; k++)
			CHECK(memcmp(sector[k], data[lost[k]], SECTOR) == 0);
	}
}

/* The field is that of the specification: 2 * 0x8000 = 0x100b, and 1 / (x + y) is an inverse. */
static void
field_is_as_specified(void)
{
	uint8_t two[2] = { 2, 0 }, half[2] = { 0, 0x80 }, sum[2] = { 0 };

	trc_rs_add(sum, two, 2, 0x8000);
	CHECK(trc_le16(sum) == 0x100b);
	memset(sum, 0, 2);
	trc_rs_add(sum, half, 2, trc_rs_factor(0, 0)); /* 0x8000 / 0x8000 */
	CHECK(trc_le16(sum) == 1);
}

/* Sums are repeated in each frame. With sectors of the root of eight times the bytes they are an
 * eighth of the parity. */
static struct trc_parity_shape
shape_of(uint64_t bytes, unsigned percent)
{
	struct trc_parity_shape s = { .bytes = bytes, .last = true };
	uint64_t sector = SECTOR;

	while (sector * sector < 8 * bytes)
		sector += sector / 8 / 2 * 2;
	s.sector = (size_t)sector;
	s.sectors = (size_t)((bytes + sector - 1) / sector);
	s.parity = (s.sectors * percent + 99) / 100;
	s.parity = s.parity < 2 ? 2 : s.parity;
	return s;
}

/* Adds parity frame `j` of the group `data`. */
static void
add_parity(struct trc_buf *b, const uint8_t *data, const struct trc_parity_shape *shape, size_t j)
{
	uint8_t *parity = calloc(2, shape->sector);
	struct trc_err err;

	CHECK(parity);
	for (size_t i = 0; i < shape->sectors; i++) {
		memset(parity + shape->sector, 0, shape->sector);
		memcpy(parity + shape->sector, data + trc_parity_sector_at(shape, i),
		       trc_parity_sector_bytes(shape, i));
		trc_rs_add(parity, parity + shape->sector, shape->sector, trc_rs_factor(j, i));
	}
	CHECK(trc_parity_frame_write(b, shape, j, b->n, parity, &err) == 0);
	free(parity);
}

/* Puts parity between the index and the end of a container that has none. */
static struct generate_bytes
protect(const struct generate_bytes *bytes, unsigned percent)
{
	struct trc_frame end = container_frame(bytes, TRC_KIND_END, 0);
	const uint64_t index = container_frame(bytes, TRC_KIND_INDEX, 0).offset;
	struct trc_parity_shape shape = shape_of(end.offset, percent);
	uint8_t *sums = malloc(TRC_PARITY_SUM * shape.sectors);
	struct trc_buf b = { 0 };
	struct generate_bytes r;
	struct trc_err err;

	CHECK(sums && trc_buf_put(&b, bytes->p, (size_t)end.offset, &err) == 0);
	for (size_t i = 0; i < shape.sectors; i++)
		trc_put_le16(sums + TRC_PARITY_SUM * i,
		             trc_parity_sum(bytes->p + trc_parity_sector_at(&shape, i),
		                            trc_parity_sector_bytes(&shape, i)));
	shape.sums = sums;
	for (size_t j = 0; j < shape.parity; j++)
		add_parity(&b, bytes->p, &shape, j);
	CHECK(trc_buf_put(&b, bytes->p + end.offset, bytes->len - (size_t)end.offset, &err) == 0);
	free(sums);
	r = (struct generate_bytes){ b.p, b.n };
	end = container_frame(&r, TRC_KIND_END, 0);
	container_end(&r, &end, index);
	return r;
}

static struct generate_bytes
make(struct trc_batch *rows, unsigned percent)
{
	const struct generate_program spec = {
		TRC_REFS_COLUMNS | TRC_HAS_TIME, 90, 8, 2, 0, false
	};
	const struct trc_container_to to = {
		.block_rows = 30, .threads = 1, .level = 1, .parity = 1
	};
	struct generate_bytes plain, r;

	generate_program_rows(rows, &spec, test_seed);
	plain = container_write(rows, to, 999);
	r = protect(&plain, percent);
	free(plain.p);
	return r;
}

/* All before the parity. */
static uint64_t
data_bytes(const struct generate_bytes *bytes)
{
	return container_frame(bytes, TRC_KIND_PARITY, 0).offset;
}

static void
each_flip_is_repaired(void)
{
	struct trc_batch rows;
	const struct generate_bytes bytes = make(&rows, 2);

	container_flips_are_repaired(&bytes, &rows);
	free(bytes.p);
	trc_batch_release(&rows);
}

/* `bytes` with `n` zeros at `at` in place of `less` bytes. */
static struct generate_bytes
replace(const struct generate_bytes *bytes, size_t at, size_t less, size_t n)
{
	uint8_t *zeros = calloc(n + 1, 1);
	struct generate_bytes r;

	CHECK(zeros);
	r = container_replace(bytes, at, less, zeros, n);
	free(zeros);
	return r;
}

/* A sector that stands anywhere lies in two. Bytes that were put before the second, or behind the
 * last, could be those of another container, of which nothing may be lost. */
static void
each_sector_is_repaired(void)
{
	static const struct {
		const char *what;
		bool removed, added;
	} way[] = { { "overwritten", true, true }, { "cut", true, false }, { "put", false, true } };
	struct trc_batch rows;
	const struct generate_bytes bytes = make(&rows, 2);
	const struct trc_parity_shape shape = shape_of(data_bytes(&bytes), 2);
	const size_t end = (size_t)container_frame(&bytes, TRC_KIND_END, 0).offset;

	for (size_t w = 0; w < TRC_COUNT(way); w++)
		for (size_t at = way[w].removed ? 0 : trc_parity_sector_bytes(&shape, 0);
		     at < (way[w].removed ? bytes.len : data_bytes(&bytes)); at += test_step()) {
			const size_t left = bytes.len - at;
			const size_t n = shape.sector < left ? shape.sector : left;
			const struct generate_bytes harmed =
			        replace(&bytes, at, way[w].removed ? n : 0, way[w].added ? n : 0);

			container_is_repaired(&harmed, &rows, way[w].what, at,
			                      !way[w].added &&
			                              (at < trc_parity_sector_bytes(&shape, 0) ||
			                               at + n > end));
			free(harmed.p);
		}
	free(bytes.p);
	trc_batch_release(&rows);
}

/* Any sectors, as many as there are of parity, and bursts of as many bytes less one sector. */
static void
share_is_repaired(void)
{
	struct trc_batch rows;
	const struct generate_bytes bytes = make(&rows, 30);
	const struct trc_parity_shape shape = shape_of(data_bytes(&bytes), 30);
	const size_t burst = (shape.parity - 1) * shape.sector + 1;
	struct generator m = { test_seed };

	CHECK(shape.parity >= 3);
	for (size_t at = 0; at + burst <= shape.bytes; at += test_step()) {
		const struct generate_bytes harmed = replace(&bytes, at, burst, burst);

		container_is_repaired(&harmed, &rows, "burst", at, false);
		free(harmed.p);
	}
	for (size_t try = 0; try < 300 / test_step() + 1; try++) {
		struct generate_bytes harmed = container_copy(&bytes);

		for (size_t k = 0; k < shape.parity; k++)
			harmed.p[generate_below(&m, (uint32_t)shape.bytes)] ^= 1;
		container_is_repaired(&harmed, &rows, "scattered", try, false);
		free(harmed.p);
	}
	free(bytes.p);
	trc_batch_release(&rows);
}

/* Damages sector `i` so that its sum of 16 bits is right by chance. */
static void
damage_unseen(struct generate_bytes *bytes, const struct trc_parity_shape *shape, size_t i,
              struct generator *m)
{
	uint8_t *sector = bytes->p + trc_parity_sector_at(shape, i);
	const size_t n = trc_parity_sector_bytes(shape, i);
	const uint16_t sum = trc_parity_sum(sector, n);

	do
		trc_put_le32(sector + generate_below(m, (uint32_t)n - 3),
		             (uint32_t)generate_random(m));
	while (trc_parity_sum(sector, n) != sum);
}

/* Alone, and where all other parity is needed besides. */
static void
sector_of_same_sum_is_repaired(void)
{
	struct trc_batch rows;
	const struct generate_bytes bytes = make(&rows, 2);
	const struct trc_parity_shape shape = shape_of(data_bytes(&bytes), 2);
	struct generator m = { test_seed };

	for (size_t i = 0; i + 1 < shape.sectors; i += test_step())
		for (size_t more = 0; more < shape.parity; more++) {
			struct generate_bytes harmed = container_copy(&bytes);

			damage_unseen(&harmed, &shape, i, &m);
			for (size_t k = 1; k <= more; k++)
				harmed.p[trc_parity_sector_at(&shape, (i + k) % shape.sectors)] ^=
				        4;
			container_is_repaired(&harmed, &rows, "damage of the same sum", i, false);
			free(harmed.p);
		}
	free(bytes.p);
	trc_batch_release(&rows);
}

/* Containers that are joined are repaired each by its own parity. */
static void
joined_are_repaired(void)
{
	struct trc_batch rows;
	const struct generate_bytes one = make(&rows, 2);

	container_joined_are_repaired(&one, &rows);
	free(one.p);
	trc_batch_release(&rows);
}

/* Bytes that are too many, or too few, leave a salvage nothing to miss, wherever they are. */
static void
salvage_of_what_was_repaired_is_whole(void)
{
	struct trc_batch rows;
	const struct generate_bytes bytes = make(&rows, 2);
	const size_t end = (size_t)container_frame(&bytes, TRC_KIND_END, 0).offset;
	const struct trc_parity_shape shape = shape_of(data_bytes(&bytes), 2);

	for (size_t at = trc_parity_sector_bytes(&shape, 0); at < end; at += test_step()) {
		struct generate_bytes more = container_replace(&bytes, at, 0, (const uint8_t *)"!",
		                                               1);
		struct generate_bytes fewer = container_without(&bytes, at, 1);
		struct generate_bytes *const tried[] = { &more, &fewer };

		for (size_t k = 0; k < 2; k++) {
			struct container_got g;

			container_read(tried[k], "trc:salvage,threads=1", rows.n, &g);
			CHECK_MSG(g.ret == 0 && g.rows.n == rows.n && g.gaps == 0 && !g.meta.cut,
			          "at %zu, way %zu", at, k);
			container_forget(&g);
			free(tried[k]->p);
		}
	}
	free(bytes.p);
	trc_batch_release(&rows);
}

/* Parity that is none, though all sums are right and all else is where it should be, is nothing to
 * repair by: a salvage has all rows, and the end. */
static void
sound_file_is_left_alone(void)
{
	for (int k = 0; k < 4; k++) {
		struct trc_batch rows;
		struct generate_bytes bytes = make(&rows, 2);
		struct trc_frame c = container_frame(&bytes, TRC_KIND_PARITY, 1), end;
		uint8_t payload[4096] = { 0 };
		struct container_got g;

		memcpy(payload, bytes.p + c.offset + c.head, (size_t)c.len);
		container_put(&bytes, &c, payload, (size_t)c.len + (k % 2 ? 50 : 0) - 20);
		end = container_frame(&bytes, TRC_KIND_END, 0);
		if (k < 2)
			container_end(&bytes, &end,
			              container_frame(&bytes, TRC_KIND_INDEX, 0).offset);
		container_read(&bytes, "trc:salvage,threads=1", rows.n, &g);
		CHECK_MSG(g.ret == 0 && g.rows.n == rows.n, "%s", g.err.text);
		CHECK(g.gaps == 0 && !g.meta.cut && g.meta.repaired == 0);
		container_forget(&g);
		free(bytes.p);
		trc_batch_release(&rows);
	}
}

/* What is beyond parity is refused, and what a salvage gets is right. */
static void
more_is_refused(void)
{
	struct trc_batch rows, first;
	const struct generate_bytes bytes = make(&rows, 2);
	const size_t n = bytes.len / 4;
	struct container_got g;
	char why[128] = "";

	for (size_t at = 0; at + n < bytes.len / 2; at += test_step()) {
		const struct generate_bytes harmed = replace(&bytes, at, n, n);

		container_read(&harmed, "trc:threads=1", rows.n, &g);
		CHECK_MSG(g.ret == -1, "%zu zeros at %zu", n, at);
		first = container_slice(&rows, 0, g.rows.n);
		CHECK_MSG(!g.rows.mem ||
		                  generate_same(&first, &g.rows, rows.have, why, sizeof(why)),
		          "%zu zeros at %zu: %s", n, at, why);
		container_forget(&g);
		container_read(&harmed, "trc:salvage,threads=1", rows.n, &g);
		CHECK_MSG(g.ret == -1 || container_all_but_gaps(&g, &rows, why, sizeof(why)),
		          "salvage of %zu zeros at %zu: %s", n, at, why);
		container_forget(&g);
		free(harmed.p);
	}
	free(bytes.p);
	trc_batch_release(&rows);
}

int
main(void)
{
	test_start();
	RUN(any_sectors_are_solved_from_any_parity);
	RUN(field_is_as_specified);
	RUN(each_flip_is_repaired);
	RUN(each_sector_is_repaired);
	RUN(share_is_repaired);
	RUN(sector_of_same_sum_is_repaired);
	RUN(joined_are_repaired);
	RUN(salvage_of_what_was_repaired_is_whole);
	RUN(sound_file_is_left_alone);
	RUN(more_is_refused);
	return 0;
}
