/* SPDX-License-Identifier: MIT
 * The format that the recipe of src/README.md shows, compiled from there, reads and writes. */
#include <string.h>

#include "generate.h"
#include "test.h"

extern const struct trc_format trc_family_loads[];

static int
read_rows(const char *text, struct trc_batch *rows, struct trc_err *err)
{
	return generate_collect(generate_read(trc_family_loads, text, strlen(text), 64, err), 4096,
	                        rows, NULL, err);
}

static const char text[] = " load 7ffe10\nstore 0\n load ffffffffffffffff\n";

static void
lines_are_read_and_written_again(void)
{
	struct trc_batch rows;
	struct generate_bytes bytes;
	struct trc_err err;

	CHECK(read_rows(text, &rows, &err) == 0);
	CHECK(rows.n == 3 && rows.type[1] == TRC_WRITE && rows.addr[0] == 0x7ffe10);
	CHECK(generate_write(trc_family_loads, &rows, 4096, NULL, &bytes, &err) == 0);
	CHECK(bytes.len == strlen(text) && memcmp(bytes.p, text, bytes.len) == 0);
	free(bytes.p);

	rows.type[1] = TRC_FETCH;
	CHECK(generate_write(trc_family_loads, &rows, 4096, NULL, &bytes, &err) < 0);
	trc_batch_release(&rows);
}

static void
what_is_no_such_line_is_named(void)
{
	static const char *const bad[] = { "load\n", "fetch 10\n", "load 1x\n", "stores 10\n" };
	struct trc_batch rows;
	struct trc_err err;

	for (size_t i = 0; i < TRC_COUNT(bad); i++) {
		CHECK(read_rows(bad[i], &rows, &err) < 0);
		CHECK_MSG(strstr(err.text, "expected 'load|store ADDRESS'"), "%s", err.text);
		trc_batch_release(&rows);
	}
}

int
main(void)
{
	test_start();
	RUN(lines_are_read_and_written_again);
	RUN(what_is_no_such_line_is_named);
	return 0;
}
