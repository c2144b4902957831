/* SPDX-License-Identifier: MIT
 * Packed output: what comes out is what went in, by every library that is there. */
#include <string.h>
#include <unistd.h>

#include "base/io/packing.h"
#include "generate.h"
#include "test.h"

enum { MOST = 3000000 };

static uint8_t data[MOST], back[MOST + 1];

static const char *
path_of(const struct trc_packing *row)
{
	char name[32];

	snprintf(name, sizeof(name), "packed.%s", row->name);
	return generate_path(name);
}

/* Writes data[0, len), `step` bytes a time. */
static void
write_packed(const struct trc_packing *row, int level, size_t len, size_t step)
{
	struct trc_err err = { 0 };
	struct trc_out *out = trc_out_open_over_input(path_of(row), &err);

	CHECK(out && trc_out_pack(out, row, level, &err) == 0);
	for (size_t i = 0; i < len; i += step)
		CHECK(trc_out_put(out, data + i, len - i < step ? len - i : step, &err) == 0);
	CHECK(trc_out_offset(out) == len);
	CHECK_MSG(trc_out_commit(out, &err) == 0, "%s", err.text);
	trc_out_close(out);
}

static size_t
read_back(const struct trc_packing *row)
{
	struct trc_err err = { 0 };
	struct trc_in *in = trc_in_open(path_of(row), &err);
	size_t len;

	CHECK_MSG(in, "%s", err.text);
	CHECK(trc_in_fill(in, sizeof(back), &err) == 0 && in->eof);
	len = (size_t)(in->end - in->p);
	memcpy(back, in->p, len);
	trc_in_close(in);
	return len;
}

static void
everything_comes_back(void)
{
	static const size_t len[] = {
		0, 1, 1000, TRC_OUT_ROOM - 1, TRC_OUT_ROOM, TRC_OUT_ROOM + 1, MOST
	};
	static const size_t step[] = { 4096, MOST, 777 };
	const struct trc_packing *row = NULL;
	struct generator m = { test_seed };

	for (size_t i = 0; i < MOST; i++)
		data[i] = (uint8_t)(i < MOST / 2 ? generate_random(&m) : i / 1000);
	while ((row = trc_packing_next(row)))
		for (size_t i = 0; row->pack_open && i < TRC_COUNT(len); i++) {
			const int level = i == 2 ? row->least : i == 3 ? row->most : row->level;

			write_packed(row, level, len[i], step[i % TRC_COUNT(step)]);
			CHECK_MSG(read_back(row) == len[i] && memcmp(back, data, len[i]) == 0,
			          "%s %zu", row->name, len[i]);
		}
}

static void
rows_are_found(void)
{
	const struct trc_packing *row = NULL;
	char path[64];

	CHECK(!trc_packing_ending("x") && !trc_packing_ending("x.din") &&
	      !trc_packing_ending("x."));
	CHECK(!trc_packing_named("x", 1) && !trc_packing_named("xz:6", 4));
	while ((row = trc_packing_next(row))) {
		CHECK(trc_packing_named(row->name, strlen(row->name)) == row);
		CHECK(row->magic_len == 0 || trc_packing_of(row->magic, row->magic_len) == row);
		CHECK(row->least <= row->level && row->level <= row->most);
		snprintf(path, sizeof(path), "a.b/x.din.%s", row->name);
		CHECK(trc_packing_ending(path) == row);
		CHECK(trc_format_ending(path) == trc_format_named("din"));
		snprintf(path, sizeof(path), "din.%s", row->name);
		CHECK(trc_format_ending(path) == trc_format_named(row->name)); /* .zstf is both */
	}
}

static void
a_full_disk_is_an_error(void)
{
	const struct trc_packing *row = NULL;
	struct trc_err err = { 0 };

	if (access("/dev/full", W_OK) != 0)
		return;
	while ((row = trc_packing_next(row))) {
		struct trc_out *out = trc_out_open("/dev/full", false, &err);

		if (!row->pack_open) {
			CHECK(trc_out_pack(out, row, row->level, &err) == -1);
			CHECK(strstr(err.text, row->unpacks_only ? "not written" : row->library));
		} else {
			CHECK(trc_out_pack(out, row, row->level, &err) == 0);
			CHECK(trc_out_put(out, data, 1000, &err) == 0);
			CHECK(trc_out_commit(out, &err) == -1);
		}
		trc_out_close(out);
	}
}

int
main(void)
{
	test_start();
	RUN(rows_are_found);
	RUN(everything_comes_back);
	RUN(a_full_disk_is_an_error);
	return 0;
}
