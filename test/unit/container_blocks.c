/* SPDX-License-Identifier: MIT
 * Where blocks of a container end, and where its program is reset. */
#include "container_fixture.h"

/* A block as large as it can be, and what is behind it. */
static void
full_blocks_come_back(void)
{
	const size_t n = (size_t)TRC_BLOCK_MOST + 1;
	struct generate_program spec = { TRC_HAS_TYPE | TRC_HAS_ADDR, n, 500, 1, 0, false };
	const struct trc_container_to to = { .level = 1 + 1,
		                             .no_verify = true,
		                             .block_rows = TRC_BLOCK_MOST };
	const struct trc_index *index = NULL;
	struct generate_bytes bytes;
	struct trc_source *src;
	struct trc_batch rows, last;
	struct trc_err err;
	struct container_got g;
	char why[128];

	if (test_step() > 1)
		return;
	generate_program_rows(&rows, &spec, test_seed);
	bytes = container_write(&rows, to, 4096);
	container_holds(&bytes, "trc", &rows);
	src = container_open(&bytes, "trc", &err);
	CHECK(src && trc_source_index(src, &index, &err) == 0 && index && index->parts == 2);
	CHECK(index->part[0].rows == TRC_BLOCK_MOST && index->part[1].rows == 1);
	trc_source_close(src);
	last = container_slice(&rows, n - 3, 3);
	container_read_from(&bytes, "trc", 4096, n - 3, 3, &g);
	CHECK(g.ret == 0 && generate_same(&last, &g.rows, rows.have, why, sizeof(why)));
	container_forget(&g);
	free(bytes.p);
	trc_batch_release(&rows);
}

/* A block ends early where the texts of its events would be too much. */
static void
many_texts_make_more_blocks(void)
{
	enum { ROWS_OF_TEXT = 2500 };
	static char text[TRC_EVENT_MOST];
	struct trc_batch rows = generate_zeros(TRC_HAS_TYPE | TRC_HAS_EVENT, ROWS_OF_TEXT);
	struct generate_bytes bytes;

	memset(text, 'x', sizeof(text));
	for (size_t i = 0; i < rows.n; i++) {
		rows.type[i] = TRC_EVENT;
		text[0] = (char)('a' + i % 26);
		trc_batch_put_event(&rows, i, text, sizeof(text));
	}
	bytes = generate_round_trip("trc", "trc", &rows);
	free(bytes.p);
	trc_batch_release(&rows);
}

/* The trace of a program whose numbers of ops and edges are those of others, but not its code. */
static void
make_ring(struct trc_batch *b, uint64_t pc, size_t start)
{
	struct trc_err err;

	CHECK(trc_batch_init(b, TRC_HAS_TYPE | TRC_HAS_ADDR, 300, &err) == 0);
	for (; b->n < b->cap; b->n++) {
		b->type[b->n] = TRC_FETCH;
		b->addr[b->n] = pc + 4 * ((start + b->n) % 10);
	}
}

/* A program that is reset is another, even if it has as many ops and edges. */
static void
programs_of_one_size_are_distinguished(void)
{
	struct trc_batch all, ring[5];
	struct generate_bytes bytes = { NULL, 0 }, one, more;
	struct trc_err err;

	CHECK(trc_batch_init(&all, TRC_HAS_TYPE | TRC_HAS_ADDR, 1500, &err) == 0);
	for (size_t i = 0; i < TRC_COUNT(ring); i++) {
		make_ring(&ring[i], 4096 * (i + 1), i);
		trc_batch_append(&all, &ring[i], 0, ring[i].n);
		one = container_blocks(&ring[i], 1000);
		more = container_join(&bytes, &one);
		free(bytes.p);
		free(one.p);
		bytes = more;
		trc_batch_release(&ring[i]);
	}
	container_holds(&bytes, "trc", &all);
	free(bytes.p);
	trc_batch_release(&all);
}

/* The same where the writer resets it by itself, every 16 blocks. */
static void
programs_are_reset_at_another_place(void)
{
	struct generate_bytes bytes;
	struct trc_batch ring, rows;
	struct trc_err err;

	make_ring(&ring, 4096, 0);
	CHECK(trc_batch_init(&rows, ring.have, 1500, &err) == 0);
	for (int i = 0; i < 5; i++)
		trc_batch_append(&rows, &ring, 0, ring.n);
	bytes = container_blocks(&rows, 33);
	container_holds(&bytes, "trc", &rows);
	free(bytes.p);
	trc_batch_release(&rows);
	trc_batch_release(&ring);
}

/* How many blocks a container has; the largest of them is not above `most` bytes. */
static size_t
count_blocks(const struct generate_bytes *bytes, uint64_t most)
{
	const struct trc_index *index = NULL;
	struct trc_err err;
	struct trc_source *src = container_open(bytes, "trc", &err);
	size_t n;

	CHECK(src && trc_source_index(src, &index, &err) == 0 && index);
	n = index->parts;
	for (size_t i = 0; i < n; i++)
		CHECK(index->part[i].bytes <= most);
	trc_source_close(src);
	return n;
}

/* Damage took all of a trace of random addresses, which was one block of millions of rows. */
static void
addresses_without_a_pattern_end_blocks(void)
{
	enum { MANY = 200000, MIB = 1 << 20 };
	static const size_t batch[] = { 4096, 1000, MANY };
	const size_t some = TRC_COUNT(batch) - (test_step() > 1);
	struct trc_batch rows = generate_zeros(TRC_HAS_TYPE | TRC_HAS_ADDR, MANY);
	struct generate_bytes bytes[TRC_COUNT(batch)];

	for (size_t i = 0; i < rows.n; i++)
		rows.addr[i] = test_random() << 32 | test_random();
	for (size_t i = 0; i < some; i++) {
		const struct trc_container_to to = { .level = 1 + 1, .threads = 1 + i % 2 };

		bytes[i] = container_write(&rows, to, batch[i]);
		CHECK(bytes[i].len == bytes[0].len &&
		      !memcmp(bytes[i].p, bytes[0].p, bytes[0].len));
	}
	CHECK(count_blocks(&bytes[0], 2 * MIB) >= 2);
	container_holds(&bytes[0], "trc", &rows);
	for (size_t i = 0; i < some; i++)
		free(bytes[i].p);
	trc_batch_release(&rows);
}

/* Each block had the hashed keys of a cache again, so that xz made less of them. */
static void
keys_that_come_again_do_not_end_blocks(void)
{
	enum { MANY = 200000, KEYS = 50000 };
	static uint64_t key[KEYS];
	const struct trc_container_to to = { .level = 1 + 1, .no_verify = true };
	struct trc_batch rows = generate_zeros(TRC_HAS_ADDR, MANY);
	struct generate_bytes bytes;

	for (size_t i = 0; i < KEYS; i++)
		key[i] = test_random() << 32 | test_random();
	for (size_t i = 0; i < rows.n; i++)
		rows.addr[i] = key[test_random() % KEYS];
	bytes = container_write(&rows, to, 4096);
	CHECK(count_blocks(&bytes, UINT64_MAX) == 1);
	free(bytes.p);
	trc_batch_release(&rows);
}

/* Blocks of so many bytes, whatever they hold; they begin anew as often as that takes. */
static void
blocks_are_as_large_as_asked_for(void)
{
	enum { MANY = 200000, SIZE = 16384 };
	struct trc_batch rows = generate_zeros(TRC_HAS_TYPE | TRC_HAS_ADDR, MANY);
	const struct trc_container_to one = { .level = 1 + 1 },
	                              many = { .level = 1 + 1, .block_size = SIZE };
	struct generate_bytes bytes;

	for (size_t i = 0; i < rows.n; i++)
		rows.addr[i] = i % 8 ? 8 * i : 4096 * (test_random() % 256);
	bytes = container_write(&rows, one, 4096);
	CHECK(count_blocks(&bytes, UINT64_MAX) == 1);
	free(bytes.p);
	bytes = container_write(&rows, many, 4096);
	CHECK(count_blocks(&bytes, 2 * SIZE) > 2);
	container_holds(&bytes, "trc", &rows);
	free(bytes.p);
	trc_batch_release(&rows);
}

int
main(void)
{
	test_start();
	RUN(programs_of_one_size_are_distinguished);
	RUN(programs_are_reset_at_another_place);
	RUN(full_blocks_come_back);
	RUN(many_texts_make_more_blocks);
	RUN(addresses_without_a_pattern_end_blocks);
	RUN(keys_that_come_again_do_not_end_blocks);
	RUN(blocks_are_as_large_as_asked_for);
	return 0;
}
