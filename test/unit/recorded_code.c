/* SPDX-License-Identifier: MIT
 * Lines of valgrind's own among those of its lackey, wherever they are split. */
#include "cmd/record/code.h"

#include <string.h>

#include "test.h"

enum { BLOCK = 4096, LONGEST = 3 * BLOCK };

/* Reads `text` through the watch, at most `step` bytes at a time, and gives how much comes. */
static size_t
watched(const char *text, size_t step, bool *crashed)
{
	struct trc_err err;
	struct trc_record_code *code = trc_record_code_open(&err);
	struct trc_stream *pipe = trc_stream_memory(text, strlen(text), step, &err), *lines;
	uint8_t dst[LONGEST];
	size_t got, n = 0;

	CHECK(code && pipe);
	lines = trc_record_code_watch(code, pipe, &err);
	CHECK(lines);
	do {
		CHECK(lines->read(lines, dst, sizeof(dst), &got, &err) == 0);
		n += got;
	} while (got > 0);
	*crashed = trc_record_code_crashed(code);
	trc_stream_close(lines);
	trc_record_code_close(code);
	return n;
}

/* Records of `n` bytes, and behind them an assertion that fails. */
static void
put_crash(char *text, size_t n)
{
	static const char line[] = "Lackey: lk_main.c:529 (f): Assertion 'a == b' failed.\n";

	text[0] = '\0';
	while (strlen(text) + 40 < n)
		strcat(text, "I  04001234,3\n");
	snprintf(text + strlen(text), 120, "I  %0*d,3\n%s", (int)(n - strlen(text) - 6), 0, line);
}

static void
a_crash_is_seen_where_it_is_split(void)
{
	char text[LONGEST];
	bool crashed;

	for (size_t n = BLOCK - 100; n < BLOCK + 100; n++) {
		put_crash(text, n);
		CHECK_MSG(watched(text, LONGEST, &crashed) == n && crashed, "%zu", n);
	}
}

static void
records_are_no_crash(void)
{
	char text[LONGEST];
	bool crashed;

	for (size_t step = BLOCK - 20; step < BLOCK + 20; step++) {
		put_crash(text, 2 * BLOCK);
		*strstr(text, "Lackey") = '\0';
		CHECK(watched(text, step, &crashed) == 2 * BLOCK && !crashed);
	}
}

int
main(void)
{
	test_start();
	RUN(a_crash_is_seen_where_it_is_split);
	RUN(records_are_no_crash);
	return 0;
}
