/* SPDX-License-Identifier: MIT
 *
 * Other people's files in their own formats: each is recognised as what it is, has as many
 * references of each type as it should, and comes back out of the container, byte for byte where it
 * was written as trc writes it. They are in the folder samples.
 */
#include <string.h>
#include <unistd.h>

#include "../unit/generate.h"
#include "shared.h"

enum { LARGE = 1000000 }; /* rows, which sanitizers take a minute for */

static const struct sample {
	const char *file, *format;
	size_t rows, reads, writes, fetches, branches;
	bool same; /* written again it is the same bytes */
	size_t events;
} samples[] = {
	{ "champsim-8.trace", "champsim", 8, 0, 0, 8, 0, true, 0 },
	{ "champsim-1m.trace.xz", "champsim", 1421928, 302194, 119734, 1000000, 136819, true, 0 },
	{ "cloudphysics.oracleGeneral.bin.xz", "oracle", 113872, 0, 0, 0, 0, true, 0 },
	{ "drmemtrace.small.x64.trace", "drmemtrace", 231, 42, 14, 173, 14, false, 2 },
	{ "drmemtrace.simple_app.trace.zip", "drmemtrace", 179944, 31507, 12338, 136051, 29406,
	  false, 48 },
	{ "drmemtrace.allasm_x86_64.trace.zip", "drmemtrace", 206, 0, 0, 133, 16, false, 73 },
	{ "drmemtrace.threadsig.872805.4975.trace.zip", "drmemtrace", 32793, 6303, 3559, 22052,
	  4636, false, 879 },
	{ "gem5-packets.trc", "gem5", 2, 1, 1, 0, 0, false, 0 },
	{ "ramulator1-cpu.trace", "ramulator-inst", 8, 6, 2, 0, 0, true, 0 },
	{ "ramulator1-dram.trace", "ramulator-dram", 5, 3, 2, 0, 0, false, 0 },
	{ "ramulator1-namd.gz", "ramulator-inst", 24264, 21403, 2861, 0, 0, true, 0 },
	{ "ramulator2-inst.trace", "ramulator-inst", 10, 8, 2, 0, 0, true, 0 },
	{ "dramsim3.trace.xz", "dramsim3", 38374, 5365, 33009, 0, 0, false, 0 },
	{ "pinatrace-tid-head.out.xz", "pinatrace-tid", 30000, 30000, 0, 0, 0, false, 0 },
};

/* All bytes of a file, unpacked. */
static struct generate_bytes
unpacked(const char *path)
{
	struct generate_bytes bytes = { NULL, 0 };
	struct trc_err err;
	struct trc_in *in = trc_in_open(path, &err);

	CHECK_MSG(in, "%s", err.text);
	while (trc_in_fill(in, 1, &err) == 0 && in->p < in->end) {
		const size_t n = (size_t)(in->end - in->p);

		bytes.p = realloc(bytes.p, bytes.len + n);
		CHECK(bytes.p);
		memcpy(bytes.p + bytes.len, in->p, n);
		bytes.len += n;
		in->p = in->end;
	}
	trc_in_close(in);
	return bytes;
}

static void
check_counts(const struct sample *x, const struct trc_batch *b)
{
	size_t by_type[TRC_KERNEL * 2] = { 0 }, branches = 0;

	for (size_t i = 0; i < b->n; i++) {
		by_type[b->type ? b->type[i] % (TRC_KERNEL * 2) : TRC_MISC]++;
		branches += b->branch && b->branch[i] & TRC_BRANCH;
	}
	CHECK_MSG(b->n == x->rows && by_type[TRC_READ] == x->reads &&
	                  by_type[TRC_WRITE] == x->writes && by_type[TRC_FETCH] == x->fetches &&
	                  branches == x->branches && by_type[TRC_EVENT] == x->events,
	          "%s: %zu rows: %zu reads, %zu writes, %zu fetches, %zu branches, %zu events",
	          x->file, b->n, by_type[TRC_READ], by_type[TRC_WRITE], by_type[TRC_FETCH],
	          branches, by_type[TRC_EVENT]);
}

/* What came back out of the container is written as `f`: the same bytes, or else the same rows. */
static void
check_again(const struct sample *x, const struct trc_format *f, const struct trc_batch *rows,
            const struct generate_bytes *bytes)
{
	struct generate_bytes again;
	struct trc_batch back;
	struct trc_err err;
	char why[128];

	if (!trc_format_writes(f))
		return;
	if (generate_write(f, rows, 4096, NULL, &again, &err)) {
		CHECK_MSG(err.code == TRC_FAILED && strstr(err.text, "cannot hold") && !x->same,
		          "%s: %s", x->file, err.text);
		return;
	}
	if (x->same) {
		CHECK_MSG(again.len == bytes->len && memcmp(again.p, bytes->p, again.len) == 0,
		          "%s", x->file);
	} else {
		CHECK_MSG(generate_collect(generate_read(f, again.p, again.len, 65536, &err), 4096,
		                           &back, NULL, &err) == 0,
		          "%s: %s", x->file, err.text);
		/* What is written has the outcomes that old versions lack. */
		for (size_t i = 0; rows->have & TRC_HAS_BRANCH && i < rows->n; i++)
			if (rows->branch[i] & TRC_BRANCH_UNKNOWN)
				back.branch[i] = rows->branch[i];
		CHECK_MSG(generate_same(rows, &back, rows->have, why, sizeof(why)), "%s: %s",
		          x->file, why);
		trc_batch_release(&back);
	}
	free(again.p);
}

static void
check_sample(const struct sample *x)
{
	const struct trc_format *f = trc_format_named(x->format);
	struct generate_bytes bytes = unpacked(shared_path(x->file)), kept;
	struct trc_batch rows, back;
	struct trc_err err;
	struct trc_in *in;
	char why[128];

	in = generate_in(bytes.p, bytes.len, 65536);
	CHECK_MSG(trc_format_recognise(in, &err) == f, "%s: %s", x->file, err.text);
	trc_in_close(in);
	CHECK_MSG(generate_collect(generate_read(f, bytes.p, bytes.len, 65536, &err), 4096, &rows,
	                           NULL, &err) == 0,
	          "%s: %s", x->file, err.text);
	check_counts(x, &rows);
	CHECK_MSG(generate_write_as("trc", &rows, 4096, NULL, &kept, &err) == 0, "%s", err.text);
	CHECK(generate_collect(generate_read_as("trc", kept.p, kept.len, 65536, &err), 4096, &back,
	                       NULL, &err) == 0);
	CHECK_MSG(generate_same(&rows, &back, rows.have, why, sizeof(why)), "%s: %s", x->file, why);
	check_again(x, f, &back, &bytes);
	printf("%s: %zu bytes, %zu as trc\n", x->file, bytes.len, kept.len);
	trc_batch_release(&rows);
	trc_batch_release(&back);
	free(kept.p);
	free(bytes.p);
}

static void
samples_are_what_they_are(void)
{
	for (size_t i = 0; i < TRC_COUNT(samples); i++)
		if (access(shared_path(samples[i].file), R_OK) == 0 &&
		    (samples[i].rows < LARGE || test_step() <= TEST_STEP))
			check_sample(&samples[i]);
}

/* 72-byte records, in a file whose length is a multiple of 64, too. */
static void
a_fork_of_champsim_is_named(void)
{
	struct trc_err err;
	struct trc_in *in = trc_in_open(shared_path("champsim-fork-72byte.trace.xz"), &err);

	if (!in)
		return;
	CHECK(!trc_format_recognise(in, &err));
	CHECK_MSG(strstr(err.text, "72-byte records of a fork of ChampSim"), "%s", err.text);
	trc_in_close(in);
}

/* version,time,op,size,lbn */
static void
columns_of_others_are_read_by_number(void)
{
	struct generate_bytes bytes = unpacked(shared_path("cloudphysics-head.csv.xz"));
	struct trc_batch rows;
	struct trc_err err;

	CHECK(generate_collect(generate_read_as("csv:time=2,size=4,addr=5,header", bytes.p,
	                                        bytes.len, 4096, &err),
	                       4096, &rows, NULL, &err) == 0);
	CHECK(rows.n == 19999 && rows.time[0] == 5633898 && rows.size[0] == 512 &&
	      rows.addr[0] == 42932745);
	trc_batch_release(&rows);
	free(bytes.p);
}

int
main(int argc, char **argv)
{
	shared_start("samples", argc, argv);
	if (access(shared_path("champsim-8.trace"), R_OK) != 0)
		SKIP("the samples are not there; TRC_SHARED names the folder above them");
#ifndef TRC_WITH_ZLIB
	SKIP("some samples are packed with zip, and this trc was built without zlib");
#endif
	RUN(samples_are_what_they_are);
	RUN(a_fork_of_champsim_is_named);
	RUN(columns_of_others_are_read_by_number);
	return 0;
}
