/* SPDX-License-Identifier: MIT
 * Windowed input, of bytes and of lines; output that is there whole or not at all. */
#include <string.h>
#include <unistd.h>

#include "base/io/reads.h"
#include "base/text.h"
#include "generate.h"
#include "test.h"

/* Reads all of `in` by windows of `want` bytes and checks what comes, and where. */
static void
check_windows(const uint8_t *p, size_t len, size_t step, size_t want)
{
	struct trc_in *in = generate_in(p, len, step);
	struct trc_err err;
	size_t at = 0;

	for (;;) {
		size_t n;

		CHECK(trc_in_fill(in, want, &err) == 0);
		n = (size_t)(in->end - in->p);
		CHECK(trc_in_offset(in) == at);
		CHECK_MSG(n >= want || n == len - at, "%zu bytes at %zu", n, at);
		if (n == 0)
			break;
		/* The others are looked at when they are in front. */
		n = n < want ? n : want;
		CHECK(memcmp(in->p, p + at, n) == 0);
		in->p += n;
		at += n;
	}
	CHECK(at == len && in->eof);
	trc_in_close(in);
}

static void
windows_show_the_data(void)
{
	static const size_t step[] = { 1, 7, 4096, 65536, SIZE_MAX };
	static const size_t want[] = { 1, 18, 4096, 65537, 300000, 700000 };
	const size_t len = 600001;
	struct generator m = { test_seed };
	uint8_t *p = malloc(len);

	CHECK(p);
	for (size_t i = 0; i < len; i++)
		p[i] = (uint8_t)generate_random(&m);
	for (size_t i = 0; i < TRC_COUNT(step); i++)
		for (size_t k = i ? 0 : 3; k < TRC_COUNT(want); k += i ? 1 : test_step_most(3))
			check_windows(p, len, step[i], want[k]);
	for (size_t n = 0; n < 20; n++)
		check_windows(p, n, 7, 3);
	free(p);
}

/* Reads all lines and checks them against `p`, which has `len` bytes. */
static void
check_lines(const uint8_t *p, size_t len, size_t step)
{
	struct trc_in *in = generate_in(p, len, step);
	const uint8_t *stop;
	struct trc_err err;
	size_t at = 0;

	for (;;) {
		size_t n;

		CHECK(trc_in_lines(in, &stop, &err) == 0);
		n = (size_t)(stop - in->p);
		if (n == 0)
			break;
		CHECK(trc_in_offset(in) == at && stop[-1] == '\n');
		CHECK(at + n <= len || (at + n == len + 1 && p[len - 1] != '\n'));
		CHECK(memcmp(in->p, p + at, at + n <= len ? n : n - 1) == 0);
		in->p += n;
		at += n;
	}
	CHECK(at == len || (at == len + 1 && p[len - 1] != '\n'));
	trc_in_close(in);
}

/* Lines whose ends stand around the places where the buffer fills, slides and grows. */
static void
lines_are_whole(void)
{
	static const size_t edge[] = { 1, 61, 65533, 262141, 524285, TRC_LINE_MOST - 2 };
	static const size_t step[] = { 7, 65536, SIZE_MAX };
	const size_t room = TRC_LINE_MOST + 1000;
	uint8_t *p = malloc(room);

	CHECK(p);
	for (size_t e = 0; e < TRC_COUNT(edge); e++)
		for (size_t len = edge[e]; len <= edge[e] + 3 && len <= TRC_LINE_MOST;
		     len += test_step_most(3))
			for (size_t s = edge[e] > 100000 ? 1 : 0; s < TRC_COUNT(step); s++) {
				memset(p, 'x', room);
				check_lines(p, len, step[s]);
				p[len - 1] = '\n';
				check_lines(p, len, step[s]);
				check_lines(p, len + 10, step[s]);
				p[len + 99] = '\n';
				check_lines(p, len + 100, step[s]);
			}
	for (size_t len = 0; len < 300; len++) {
		for (size_t i = 0; i < len; i++)
			p[i] = i % 7 % 5 % 3 ? 'x' : '\n';
		check_lines(p, len, 1);
	}
	free(p);
}

static void
endless_lines_are_refused(void)
{
	const size_t len = 3 << 20;
	uint8_t *p = malloc(len);
	const uint8_t *stop;
	struct trc_err err;
	struct trc_in *in;

	CHECK(p);
	memset(p, 'x', len);
	in = generate_in(p, len, 65536);
	CHECK(trc_in_lines(in, &stop, &err) == -1 && strstr(err.text, "longer than 1 MiB"));
	trc_in_close(in);
	free(p);
}

/* The first half of a text is a text, too: it was taken for all of it. */
static void
input_that_shrinks_is_refused(void)
{
	static const char text[] = "0 10\n0 20\n";
	static char big[1 << 20];
	struct trc_in *in;
	struct trc_err err;

	for (size_t i = 0; i < sizeof(big); i++)
		big[i] = text[i % 10];
	generate_file(generate_path("shrinks"), big, sizeof(big));
	in = trc_in_open(generate_path("shrinks"), &err);
	CHECK(in && trc_in_fill(in, 10, &err) == 0);
	CHECK(truncate(generate_path("shrinks"), 700000) == 0);
	CHECK(trc_in_fill(in, sizeof(big), &err) == -1);
	CHECK_MSG(strstr(err.text, "truncated to 700000 of 1048576 bytes"), "%s", err.text);
	trc_in_close(in);
}

static void
output_is_there_whole_or_not_at_all(void)
{
	static uint8_t big[TRC_OUT_ROOM + 5];
	const char *path = generate_path("out");
	struct generate_bytes got;
	struct trc_err err;
	struct trc_out *out = trc_out_open(path, false, &err);

	CHECK(out && trc_out_put(out, "abc", 3, &err) == 0);
	CHECK(trc_out_offset(out) == 3);
	trc_out_close(out);
	CHECK(access(path, F_OK) != 0);

	memset(big, 'x', sizeof(big));
	out = trc_out_open(path, false, &err);
	CHECK(out && trc_out_put(out, "abc", 3, &err) == 0);
	CHECK(trc_out_put(out, big, sizeof(big), &err) == 0);
	CHECK(trc_out_room(out, TRC_OUT_ROOM, &err) == 0 && out->end - out->p >= TRC_OUT_ROOM);
	CHECK(trc_out_offset(out) == 3 + sizeof(big));
	CHECK(access(path, F_OK) != 0);
	CHECK(trc_out_commit(out, &err) == 0);
	trc_out_close(out);
	got = generate_file_bytes(path);
	CHECK(got.len == 3 + sizeof(big) && memcmp(got.p + 3, big, sizeof(big)) == 0);
	free(got.p);

	CHECK(!trc_out_open(path, false, &err) && strstr(err.text, "--force"));
	CHECK(!trc_out_open("/", true, &err) && strstr(err.text, "directory"));
	CHECK(!trc_out_open("/no/such/folder/x", true, &err));
}

static void
output_does_not_replace_what_came_meanwhile(void)
{
	const char *path = generate_path("meanwhile");
	struct generate_bytes got;
	struct trc_err err;
	struct trc_out *out = trc_out_open(path, false, &err);

	CHECK(out && trc_out_put(out, "new", 3, &err) == 0);
	generate_file(path, "old", 3);
	CHECK(trc_out_commit(out, &err) == -1 && strstr(err.text, "exists"));
	trc_out_close(out);
	got = generate_file_bytes(path);
	CHECK(got.len == 3 && memcmp(got.p, "old", 3) == 0);
	free(got.p);
}

/* Two processes that bear one number, as in two containers or on two hosts, once wrote into one
 * file, and neither output came out. */
static void
two_writers_of_one_target_do_not_meet(void)
{
	const char *path = generate_path("contested");
	struct generate_bytes got;
	struct trc_err err;
	struct trc_out *a = trc_out_open(path, true, &err);
	struct trc_out *b = trc_out_open(path, true, &err);

	CHECK(a && b);
	CHECK(trc_out_put(a, "aaaaaaaa", 8, &err) == 0 && trc_out_flush(a, &err) == 0);
	CHECK(trc_out_put(b, "bbb", 3, &err) == 0 && trc_out_flush(b, &err) == 0);
	CHECK(trc_out_commit(a, &err) == 0 && trc_out_commit(b, &err) == 0);
	trc_out_close(a);
	trc_out_close(b);
	got = generate_file_bytes(path);
	CHECK(got.len == 3 && memcmp(got.p, "bbb", 3) == 0);
	free(got.p);
}

/* A link planted under the name that output had until it was whole led it to its victim. */
static void
a_planted_link_is_not_followed(void)
{
	const char *path = generate_path("victim");
	char target[4096], planted[4200];
	struct generate_bytes got;
	struct trc_err err;
	struct trc_out *out;

	generate_file(path, "precious", 8);
	snprintf(target, sizeof(target), "%s.target", path);
	snprintf(planted, sizeof(planted), "%s.part-%ld", target, (long)getpid());
	CHECK(symlink(path, planted) == 0);
	out = trc_out_open(target, true, &err);
	CHECK(out && trc_out_put(out, "abc", 3, &err) == 0 && trc_out_commit(out, &err) == 0);
	trc_out_close(out);
	got = generate_file_bytes(path);
	CHECK(got.len == 8 && memcmp(got.p, "precious", 8) == 0);
	free(got.p);
	CHECK(unlink(planted) == 0 && unlink(target) == 0);
}

/* It replaced the trace that was read, where nobody had compared the names. */
static void
output_never_replaces_what_is_read(void)
{
	const char *path = generate_path("read");
	struct generate_bytes got;
	struct trc_err err;
	struct trc_out *out;
	struct trc_in *in;

	generate_file(path, "old", 3);
	out = trc_out_open(path, true, &err);
	CHECK(out && trc_out_put(out, "new", 3, &err) == 0);
	in = trc_in_open(path, &err); /* behind the output */
	CHECK(in);
	trc_in_close(in);
	CHECK(trc_out_commit(out, &err) == -1 && strstr(err.text, "is also an input"));
	trc_out_close(out);
	CHECK(!trc_out_open(path, true, &err) && strstr(err.text, "is also an input"));
	got = generate_file_bytes(path);
	CHECK(got.len == 3 && memcmp(got.p, "old", 3) == 0);
	free(got.p);
	trc_reads_forget(path);
	out = trc_out_open_over_input(path, &err);
	CHECK(out && trc_out_commit(out, &err) == 0);
	trc_out_close(out);
}

int
main(void)
{
	test_start();
	RUN(windows_show_the_data);
	RUN(lines_are_whole);
	RUN(endless_lines_are_refused);
	RUN(input_that_shrinks_is_refused);
	RUN(output_is_there_whole_or_not_at_all);
	RUN(output_does_not_replace_what_came_meanwhile);
	RUN(two_writers_of_one_target_do_not_meet);
	RUN(a_planted_link_is_not_followed);
	RUN(output_never_replaces_what_is_read);
	return 0;
}
