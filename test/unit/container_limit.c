/* SPDX-License-Identifier: MIT
 * What reading a container needs is known, and refused beyond the limit, before it is taken. */
#include <stdlib.h> /* __GLIBC__ */
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <sys/resource.h>

#include "container_fixture.h"

/* The most memory that this process had, in KiB: getrusage() counts what the parent had, too. */
static long
most_memory(void)
{
	FILE *f = fopen("/proc/self/status", "r");
	char line[256];
	long kib = 0;

	while (f && fgets(line, sizeof(line), f))
		sscanf(line, "VmHWM: %ld", &kib);
	if (f)
		fclose(f);
	return kib;
}

/* Filling takes what is not used, too; an emulator, memory of its own. */
static bool
takes_more(void)
{
	const char *with = getenv("MALLOC_PERTURB_");

	return test_sanitized() || (with && strcmp(with, "0") != 0) || getenv("TRC_EMULATED");
}

/* Of the default block, which may have millions of rows; run first, as a maximum stays. */
static void
a_small_trace_takes_little(void)
{
	struct generate_program spec = { TRC_HAS_TYPE | TRC_HAS_ADDR, 2000, 700, 1, 0, false };
	struct generate_bytes bytes;
	struct trc_batch rows;
	long before, took;

#ifdef __GLIBC__
	/* As where no environment asks for large pieces. */
	mallopt(M_TOP_PAD, 128 << 10);
	mallopt(M_MMAP_THRESHOLD, 128 << 10);
#endif
	generate_program_rows(&rows, &spec, test_seed);
	before = most_memory();
	bytes = container_blocks(&rows, 0);
	container_holds(&bytes, "trc", &rows);
	took = most_memory() - before;
	CHECK_MSG(takes_more() || took < 4096, "%ld KiB", took);
	free(bytes.p);
	trc_batch_release(&rows);
}

static void
memory_beyond_the_limit_is_refused(void)
{
	struct generate_program spec = { TRC_HAS_TYPE | TRC_HAS_ADDR, 100, 60, 1, 0, false };
	struct generate_bytes bytes;
	struct trc_batch rows;
	struct container_got g;

	generate_program_rows(&rows, &spec, test_seed);
	bytes = container_blocks(&rows, 0);
	container_read(&bytes, "trc:memlimit=100MiB", rows.n, &g);
	CHECK_MSG(g.ret == -1 && strstr(g.err.text, "raise it with --memlimit"), "%s", g.err.text);
	container_holds(&bytes, "trc:memlimit=1GiB", &rows);
	container_read(&bytes, "trc:memlimit=1", rows.n, &g);
	CHECK_MSG(g.ret == -1 && strstr(g.err.text, "--memlimit"), "%s", g.err.text);
	free(bytes.p);
	trc_batch_release(&rows);
}

/* The largest program that a block may refer to has its limit, too. */
static void
large_programs_beyond_the_limit_are_refused(void)
{
	struct trc_batch rows = generate_zeros(TRC_HAS_TYPE | TRC_HAS_ADDR, 100000);
	struct generator m = { test_seed };
	struct generate_bytes bytes;
	struct container_got g;

	for (size_t i = 0; i < rows.n; i++) {
		rows.type[i] = i % 2 ? TRC_READ : TRC_FETCH;
		rows.addr[i] = i % 2 ? generate_below(&m, 1 << 20) : 4096 + i % 50000 * 2;
	}
	bytes = container_blocks(&rows, 100000);
	container_read(&bytes, "trc:memlimit=110MiB", rows.n, &g);
	CHECK_MSG(g.ret == -1 && strstr(g.err.text, "raise it with --memlimit"), "%s", g.err.text);
	CHECK_MSG(strstr(g.err.text, "program needs"), "%s", g.err.text);
	container_forget(&g);
	container_holds(&bytes, "trc:memlimit=160MiB", &rows);
	free(bytes.p);
	trc_batch_release(&rows);
}

/* A header of a few bytes that claims the largest blocks of all columns. */
static void
what_is_refused_takes_no_memory(void)
{
	struct generate_bytes bytes;
	struct trc_batch rows = generate_zeros(TRC_HAS_ALL, 1);
	struct trc_source *src;
	struct trc_err err;
	struct rlimit old, low;
	long before;

	bytes = container_blocks(&rows, 0);
	before = most_memory();
	src = container_open(&bytes, "trc:memlimit=64MiB", &err);
	CHECK_MSG(!src && strstr(err.text, "raise it with --memlimit"), "%s", err.text);
	CHECK(most_memory() - before < 4096);
	/* Where there is no memory at all, that is the message. */
	if (!test_sanitized()) {
		struct trc_in *in = generate_in(bytes.p, bytes.len, SIZE_MAX);

		CHECK(getrlimit(RLIMIT_AS, &old) == 0);
		low = old;
		low.rlim_cur = 1 << 20;
		CHECK(setrlimit(RLIMIT_AS, &low) == 0);
		src = trc_format_source(trc_format_named("trc"), NULL, in, &err);
		CHECK(setrlimit(RLIMIT_AS, &old) == 0);
		if (!src)
			trc_in_close(in);
		CHECK_MSG(src || err.code == TRC_NO_MEMORY, "%s", err.text);
		trc_source_close(src);
	}
	free(bytes.p);
	trc_batch_release(&rows);
}

int
main(void)
{
	test_start();
	RUN(a_small_trace_takes_little);
	RUN(memory_beyond_the_limit_is_refused);
	RUN(large_programs_beyond_the_limit_are_refused);
	RUN(what_is_refused_takes_no_memory);
	return 0;
}
