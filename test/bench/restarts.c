/* SPDX-License-Identifier: MIT
 *
 * restarts FILE...: what reading from anywhere costs in bytes. Writes each trace as a container of
 * the default level twice: in blocks, as ever, and as one block, so that nothing is learnt or
 * stored a second time, but all has to be read for any record. Prints the bytes of both and their
 * ratio, and in the last line the geometric mean of ratios.
 *
 * The one block is larger than readers allow; it is written to be counted alone.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "container/container.h"
#include "format/registry.h"

static void
die(const char *file, const struct trc_err *err)
{
	fprintf(stderr, "restarts: %s: %s\n", file, err->text);
	exit(1);
}

static struct trc_source *
open_trace(const char *file)
{
	struct trc_err err;
	struct trc_in *in = trc_in_open(file, &err);
	const struct trc_format *format = in ? trc_format_recognise(in, &err) : NULL;
	struct trc_source *src = format ? trc_format_source(format, NULL, in, &err) : NULL;

	if (!src)
		die(file, &err);
	return src;
}

/* Rows of a trace. */
static size_t
count(const char *file)
{
	struct trc_source *src = open_trace(file);
	struct trc_batch b;
	struct trc_err err;
	enum trc_flow flow;
	size_t n = 0;

	if (trc_batch_init(&b, src->have, TRC_BATCH_ROWS, &err))
		die(file, &err);
	while ((flow = trc_source_next(src, &b, &err)) == TRC_FLOW_ROWS)
		n += b.n;
	if (flow != TRC_FLOW_END)
		die(file, &err);
	trc_batch_release(&b);
	trc_source_close(src);
	return n;
}

/* Bytes of a trace as a container, in blocks of so many rows, 0 for those of the level. */
static uint64_t
size_in_blocks(const char *file, size_t block_rows)
{
	const struct trc_container_to to = { .block_rows = block_rows, .no_verify = true };
	struct trc_source *src = open_trace(file);
	struct trc_err err;
	struct trc_out *out = trc_out_open("/dev/null", true, &err);
	struct trc_sink *sink = out ? trc_container_sink(out, src->have, &src->meta, &to, &err) :
	                              NULL;
	uint64_t bytes;

	if (!sink || trc_pump(src, sink, TRC_BATCH_ROWS, NULL, &err))
		die(file, &err);
	bytes = trc_out_offset(out);
	trc_sink_close(sink);
	trc_source_close(src);
	return bytes;
}

int
main(int argc, char **argv)
{
	double logs = 0;

	if (argc < 2) {
		fprintf(stderr, "usage: restarts FILE...\n");
		return 2;
	}
	printf("%-28s %11s %11s %7s\n", "trace", "in blocks", "as one", "ratio");
	for (int i = 1; i < argc; i++) {
		const char *slash = strrchr(argv[i], '/');
		const uint64_t blocks = size_in_blocks(argv[i], 0);
		const uint64_t one = size_in_blocks(argv[i], count(argv[i]) + 1);
		const double ratio = (double)blocks / (double)one;

		logs += log(ratio);
		printf("%-28s %11llu %11llu %7.3f\n", slash ? slash + 1 : argv[i],
		       (unsigned long long)blocks, (unsigned long long)one, ratio);
	}
	printf("%-28s %11s %11s %7.3f\n", "geometric mean", "", "", exp(logs / (argc - 1)));
	return 0;
}
