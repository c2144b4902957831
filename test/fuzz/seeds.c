/* SPDX-License-Identifier: MIT
 *
 * seeds FOLDER: containers to begin fuzzing with, small, of several blocks, and together with every
 * way of packing that any level uses, with parity and without, provenance of one trace and of
 * several, and what only later versions know. Before each stand the two bytes that container.c
 * takes.
 */
#include "../unit/container_fixture.h"

enum { HOW = 2, ROWS = 150 };

static const char *folder;
static unsigned written;

static void
add(struct trc_buf *list, const char *key, const char *text)
{
	struct trc_err err;

	CHECK(trc_provenance_text(list, key, text, &err) == 0);
}

/* Where the trace `nth` came from: nowhere, of one source, of several. */
static void
put_provenance(struct trc_buf *list, unsigned nth)
{
	if (nth % 3 == 0)
		return;
	add(list, "part", "1");
	add(list, "source", "lackey");
	add(list, "fingerprint", "a4b4abf3e1e564aa");
	add(list, "command", "./a.out x");
	if (nth % 3 == 2) {
		add(list, "part", "2");
		add(list, "source", "csv");
		add(list, "joined", "2");
		add(list, "left-out", "9");
	}
	add(list, "trc", "1.0.0 encode --skip 1");
	add(list, "note", "machine=lab3");
}

/* Writes one container. */
static struct generate_bytes
write_one(const struct trc_batch *rows, struct trc_container_to how, unsigned nth)
{
	static const uint64_t parity[] = { 0, 1, 1 + 40 };
	static const uint8_t copied[] = { 'p', 0, 2, 1, 2, 'q', 7, 0 };
	struct trc_meta meta = { .format = "din", .page_bits = 12 };
	struct trc_buf list = { 0 };
	struct generate_bytes c;

	put_provenance(&list, nth);
	meta.provenance = trc_buf_view(&list);
	if (nth % 4 == 0) {
		meta.fact[meta.facts++] = (struct trc_fact){ 48, nth };
		meta.copied = (struct trc_view){ copied, copied + sizeof(copied) };
	}
	how.parity = parity[nth / 2 % TRC_COUNT(parity)];
	c = container_write_meta(rows, how, 999, &meta);
	trc_buf_release(&list);
	return c;
}

/* Writes rows in blocks of half of them, at each of some levels. */
static void
put(const struct trc_batch *rows)
{
	static const struct trc_container_to to[] = {
		{ .level = 1 + 0 }, { .level = 1 + 2 }, { .level = 1 + 6 },
		{ .level = 1 + 7 }, { .level = 1 + 9 }, { .level = 1 + 9, .extreme = true },
	};

	for (size_t i = 0; i < TRC_COUNT(to); i++) {
		struct trc_container_to how = to[i];
		struct generate_bytes c, out;
		char path[4096];

		how.threads = 1;
		how.block_rows = rows->n / 2 + 1;
		c = write_one(rows, how, written);
		if (written % 8 == 7) {
			const struct generate_bytes one = c;

			c = container_join(&one, &one);
			free(one.p);
		}
		out = (struct generate_bytes){ malloc(c.len + HOW), c.len + HOW };
		CHECK(out.p);
		out.p[0] = (uint8_t)written;
		out.p[1] = written % 3 ? 0 : (uint8_t)(rows->n / 3);
		memcpy(out.p + HOW, c.p, c.len);
		snprintf(path, sizeof(path), "%s/seed-%03u", folder, written++);
		generate_file(path, out.p, out.len);
		free(out.p);
		free(c.p);
	}
}

/* One instruction that any of several hundred follows: choices that no byte holds. */
static void
put_far(void)
{
	struct trc_batch rows = generate_zeros(TRC_HAS_TYPE | TRC_HAS_ADDR, 4 * ROWS);
	struct generator m = { test_seed };

	for (size_t i = 0; i < rows.n; i++) {
		rows.type[i] = TRC_FETCH;
		rows.addr[i] = i % 2 ? 4096 + 64 * generate_below(&m, 400) : 1024;
	}
	put(&rows);
	trc_batch_release(&rows);
}

/* Pages as a reduction leaves them. */
static void
put_visits(uint32_t have)
{
	struct trc_batch rows = generate_zeros(have, ROWS);
	struct generator m = { test_seed };
	uint64_t time = 1;

	for (size_t i = 0; i < rows.n; i++, time += 1 + generate_below(&m, 30)) {
		const uint64_t page = generate_below(&m, 4) ? i % 11 : generate_below(&m, 40);

		if (rows.type)
			rows.type[i] = page % 3 == 0 ? TRC_WRITE : TRC_READ;
		rows.vpn[i] = 1000 + 7 * page;
		rows.rtime[i] = time;
		if (rows.itime)
			rows.itime[i] = time / 2;
	}
	put(&rows);
	trc_batch_release(&rows);
}

static void
put_pages(void)
{
	struct trc_batch rows;

	container_pages(&rows, 4 * ROWS);
	put(&rows);
	trc_batch_release(&rows);
}

/* Slots with successor tables: of one task, and of two that take turns. */
static void
put_lookups(void)
{
	static const uint32_t have[] = {
		TRC_HAS_TYPE | TRC_HAS_ADDR,
		TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_PC,
		TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_TASK,
	};

	for (size_t i = 0; i < TRC_COUNT(have); i++) {
		struct trc_batch rows = generate_lookups(have[i], 20 * ROWS, test_seed);

		for (size_t k = 0; rows.task && k < rows.n; k++)
			rows.task[k] = k / 4 % 2;
		put(&rows);
		trc_batch_release(&rows);
	}
}

static void
put_programs(void)
{
	static const struct generate_program spec[] = {
		{ .rows = ROWS, .ops = 20, .tasks = 1 },
		{ .rows = 9 * ROWS, .ops = 90, .tasks = 1 },
		{ .rows = ROWS, .ops = 40, .tasks = 3, .wild = 2 * ROWS / 3 },
		{ .rows = ROWS, .ops = 30, .tasks = 2, .data = true },
	};

	for (size_t i = 0; i < CONTAINER_SUBSETS; i++)
		for (size_t k = 0; k < TRC_COUNT(spec); k++) {
			struct generate_program with = spec[k];
			struct trc_batch rows;

			with.have = container_subset[i];
			generate_program_rows(&rows, &with, test_seed + i);
			put(&rows);
			trc_batch_release(&rows);
		}
}

int
main(int argc, char **argv)
{
	folder = test_start_in(argc, argv);
	put_programs();
	put_lookups();
	put_pages();
	put_visits(TRC_HAS_TYPE | TRC_HAS_VPN | TRC_HAS_RTIME | TRC_HAS_ITIME);
	put_visits(TRC_HAS_VPN | TRC_HAS_RTIME);
	put_far();
	return 0;
}
