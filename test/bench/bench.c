/* SPDX-License-Identifier: MIT
 *
 * bench RUNS NAME FILE [COMMAND...]: how fast the library works on the trace in FILE, which lies in
 * memory while it is measured, and how fast each COMMAND of the shell does, for comparison. Prints
 * a table; every time is the median of RUNS runs, which take turns.
 *
 *   read    text or records in memory -> batches
 *   write   batches in memory -> the format they came from, at /dev/null
 *   pages   batches in memory -> page references, blocked
 *   sad R   page references in memory, not blocked -> what SAD leaves of them
 *   olr R, window T  the same by OLR, and for working sets
 *   strip   batches in memory -> what misses a direct-mapped cache of 32 KiB, lines of 64 bytes
 *   reduce  text in memory -> blocked, SAD at 64, blocked: `trc reduce --sad 64` but its output
 *
 * Cycles are those of the processor's time stamp counter, where it has one, which runs at its
 * nominal frequency. References are the records of FILE.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "format/registry.h"
#include "stage/stage.h"
#include "stage/reduce/strip.h"

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

enum { RUNS_MOST = 99, JOBS_MOST = 32, STEP = 256 << 10, PAGE_BITS = 12 };

/* The trace in both of its forms. */
struct trace {
	const char *name;
	uint8_t *text;
	size_t len;
	const struct trc_format *format;
	struct trc_batch *batch;
	size_t n, cap; /* batches */
	uint64_t rows;
};

struct measure {
	double seconds, cycles;
};

/* Batches in memory as a source. */
struct replay {
	struct trc_source src;
	const struct trace *t;
	size_t at;
};

static void
die(const struct trc_err *err)
{
	fprintf(stderr, "bench: %s\n", err->text);
	exit(1);
}

static struct measure
now(void)
{
	struct timespec t;
	struct measure m = { 0 };

	clock_gettime(CLOCK_MONOTONIC, &t);
	m.seconds = (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
#if defined(__x86_64__)
	m.cycles = (double)__rdtsc();
#endif
	return m;
}

static enum trc_flow
replay_next(struct trc_source *src, struct trc_batch *b, struct trc_err *err)
{
	struct replay *r = (struct replay *)src;

	(void)err;
	if (r->at == r->t->n)
		return TRC_FLOW_END;
	trc_batch_append(b, &r->t->batch[r->at], 0, r->t->batch[r->at].n);
	r->at++;
	return TRC_FLOW_ROWS;
}

static void
replay_close(struct trc_source *src)
{
	free(src);
}

static struct trc_source *
open_replay(const struct trace *t, struct trc_err *err)
{
	struct replay *r = trc_alloc(1, sizeof(*r), err);

	if (!r)
		die(err);
	*r = (struct replay){
		{ .have = t->batch[0].have, .next = replay_next, .close = replay_close }, t, 0
	};
	return &r->src;
}

static struct trc_source *
open_text(const struct trace *t, struct trc_err *err)
{
	struct trc_stream *s = trc_stream_memory(t->text, t->len, STEP, err);
	struct trc_in *in = s ? trc_in_stream(s, t->name, err) : NULL;
	struct trc_source *src = in ? trc_format_source(t->format, NULL, in, err) : NULL;

	if (!src)
		die(err);
	return src;
}

static struct trc_source *
open_pages(struct trc_source *from, bool block, struct trc_err *err)
{
	static uint64_t refs;
	struct trc_source *src = trc_stage_page(from, PAGE_BITS, &refs, err);

	if (src && block)
		src = trc_stage_block(src, err);
	if (!src)
		die(err);
	return src;
}

static struct trc_source *
open_sad(struct trc_source *from, uint64_t r, struct trc_err *err)
{
	const struct trc_reduction how = { .r = r };
	struct trc_source *src = trc_stage_drop(from, &how, err);

	if (!src)
		die(err);
	return src;
}

static struct trc_source *
open_other(struct trc_source *from, const struct trc_reduction *how, struct trc_err *err)
{
	struct trc_source *src = how->window ? trc_stage_drop(from, how, err) :
	                                       trc_stage_olr(from, how, err);

	if (!src)
		die(err);
	return src;
}

static struct trc_source *
open_strip(struct trc_source *from, struct trc_err *err)
{
	static const struct trc_cache_shape shape = { .size = 32 << 10, .ways = 1, .line = 64 };
	static uint64_t refs;
	struct trc_source *src = trc_stage_strip(from, &shape, 1, false, &refs, err);

	if (!src)
		die(err);
	return src;
}

/* Pulls everything, and keeps it in `into` unless NULL. */
static void
drain(struct trc_source *src, struct trace *into, struct trc_err *err)
{
	struct trc_batch b;
	enum trc_flow flow;

	if (trc_batch_init(&b, src->have, TRC_BATCH_ROWS, err))
		die(err);
	while ((flow = trc_source_next(src, &b, err)) == TRC_FLOW_ROWS) {
		struct trc_batch *copy;

		if (!into)
			continue;
		if (trc_grow(&into->batch, &into->cap, into->n + 1, sizeof(*into->batch), err))
			die(err);
		copy = &into->batch[into->n++];
		if (trc_batch_init(copy, src->have, b.n, err))
			die(err);
		trc_batch_append(copy, &b, 0, b.n);
		into->rows += b.n;
	}
	if (flow == TRC_FLOW_FAILED)
		die(err);
	trc_batch_release(&b);
	trc_source_close(src);
}

static void
release(struct trace *t)
{
	for (size_t i = 0; i < t->n; i++)
		trc_batch_release(&t->batch[i]);
	free(t->batch);
	free(t->text);
}

static void
write_all(const struct trace *t, struct trc_err *err)
{
	struct trc_out *out = trc_out_open("/dev/null", false, err);
	const struct trc_meta meta = { 0 };
	struct trc_sink *sink = NULL;

	if (out)
		sink = trc_format_sink(t->format, NULL, out, t->batch[0].have, &meta, err);

	for (size_t i = 0; sink && i < t->n; i++)
		if (trc_sink_put(sink, &t->batch[i], err))
			die(err);
	if (!sink || trc_sink_finish(sink, &meta, err))
		die(err);
	trc_sink_close(sink);
}

/* What is measured: one of the library's, or a command of the shell. */
enum what { READ, WRITE, PAGES, SAD, OLR, WINDOW, STRIP, REDUCE, COMMAND };

struct job {
	const char *name; /* or the command */
	enum what what;
	const struct trace *t;
	uint64_t r;
	struct measure run[RUNS_MOST];
};

static struct trc_source *
open_reduce(const struct job *j, struct trc_err *err)
{
	struct trc_source *src = open_pages(open_text(j->t, err), true, err);

	src = trc_stage_block(open_sad(src, j->r, err), err);
	if (!src)
		die(err);
	return src;
}

static void
run_once(const struct job *j, struct trc_err *err)
{
	const struct trc_reduction olr = { .r = j->r };
	const struct trc_reduction window = { .window = j->r, .clock = TRC_COL_RTIME };

	switch (j->what) {
	case READ: drain(open_text(j->t, err), NULL, err); break;
	case WRITE: write_all(j->t, err); break;
	case PAGES: drain(open_pages(open_replay(j->t, err), true, err), NULL, err); break;
	case SAD: drain(open_sad(open_replay(j->t, err), j->r, err), NULL, err); break;
	case OLR: drain(open_other(open_replay(j->t, err), &olr, err), NULL, err); break;
	case WINDOW: drain(open_other(open_replay(j->t, err), &window, err), NULL, err); break;
	case STRIP: drain(open_strip(open_replay(j->t, err), err), NULL, err); break;
	case REDUCE: drain(open_reduce(j, err), NULL, err); break;
	case COMMAND:
		if (system(j->name) != 0) {
			trc_fail(err, "'%s' failed", j->name);
			die(err);
		}
	}
}

static int
by_seconds(const void *a, const void *b)
{
	const struct measure *x = a, *y = b;

	return x->seconds < y->seconds ? -1 : x->seconds > y->seconds;
}

/* Runs every job once, then every job again: a machine that gets slower does so for all. */
static void
measure_all(struct job *job, size_t n, int runs, struct trc_err *err)
{
	for (int i = 0; i < runs; i++)
		for (struct job *j = job; j < job + n; j++) {
			struct measure start = now(), end;

			run_once(j, err);
			end = now();
			j->run[i].seconds = end.seconds - start.seconds;
			j->run[i].cycles = end.cycles - start.cycles;
		}
	for (struct job *j = job; j < job + n; j++)
		qsort(j->run, (size_t)runs, sizeof(j->run[0]), by_seconds);
}

/* One line of the table: references a second, cycles a reference, and time as a multiple of the
 * first job's. */
static void
print_line(const struct job *j, int runs, uint64_t rows, const struct job *first)
{
	const struct measure m = j->run[runs / 2];
	const char *aside = strstr(j->name, " >/dev/null");

	printf("  %-44.*s %8.1f %8.1f %8.2f\n", aside ? (int)(aside - j->name) : 44, j->name,
	       (double)rows / m.seconds / 1e6, m.cycles / (double)rows,
	       m.seconds / first->run[runs / 2].seconds);
}

static void
load(struct trace *t, const char *path, struct trc_err *err)
{
	uint64_t size;
	struct trc_stream *s = trc_stream_file(path, &size, err);
	struct trc_in *in;
	size_t got = 0;

	if (!s)
		die(err);
	t->text = trc_alloc((size_t)size, 1, err);
	if (!t->text)
		die(err);
	do {
		t->len += got;
		if (s->read(s, t->text + t->len, (size_t)size - t->len, &got, err))
			die(err);
	} while (got > 0 && t->len + got < size);
	t->len += got;
	trc_stream_close(s);
	s = trc_stream_memory(t->text, t->len, STEP, err);
	in = s ? trc_in_stream(s, path, err) : NULL;
	t->format = in ? trc_format_recognise(in, err) : NULL;
	if (!t->format)
		die(err);
	trc_in_close(in);
	drain(open_text(t, err), t, err);
	if (t->n == 0) {
		trc_fail(err, "'%s' has no records", path);
		die(err);
	}
}

/* The library's jobs. */
static size_t
add_jobs(struct job *job, const struct trace *text, const struct trace *pages)
{
	const struct job all[] = {
		{ .name = "read", .what = READ, .t = text },
		{ .name = "write", .what = WRITE, .t = text },
		{ .name = "pages", .what = PAGES, .t = text },
		{ .name = "sad 16", .what = SAD, .t = pages, .r = 16 },
		{ .name = "sad 64", .what = SAD, .t = pages, .r = 64 },
		{ .name = "sad 1024", .what = SAD, .t = pages, .r = 1024 },
		{ .name = "olr 64", .what = OLR, .t = pages, .r = 64 },
		{ .name = "window 10k", .what = WINDOW, .t = pages, .r = 10000 },
		{ .name = "strip", .what = STRIP, .t = text },
		{ .name = "reduce", .what = REDUCE, .t = text, .r = 64 },
	};

	memcpy(job, all, sizeof(all));
	return TRC_COUNT(all);
}

int
main(int argc, char **argv)
{
	struct job job[JOBS_MOST] = { 0 };
	struct trc_err err = { 0 };
	struct trace text = { 0 }, pages = { 0 };
	const int runs = argc > 3 ? atoi(argv[1]) : 0;
	size_t n = 0;

	if (runs < 1 || runs > RUNS_MOST || argc > JOBS_MOST - 8) {
		fprintf(stderr, "usage: bench RUNS NAME FILE [COMMAND...], RUNS from 1 to %d\n",
		        RUNS_MOST);
		return 2;
	}
	text.name = argv[2];
	load(&text, argv[3], &err);
	drain(open_pages(open_replay(&text, &err), false, &err), &pages, &err);
	for (int i = 4; i < argc; i++)
		job[n++] = (struct job){ .name = argv[i], .what = COMMAND };
	n += add_jobs(job + n, &text, &pages);
	measure_all(job, n, runs, &err);
	printf("%s: %llu records of %s, %.1f bytes each\n", text.name,
	       (unsigned long long)text.rows, text.format->name,
	       (double)text.len / (double)text.rows);
	printf("  %-44s %8s %8s %8s\n", "", "M refs/s", "cycles", "times");
	for (size_t i = 0; i < n; i++)
		print_line(&job[i], runs, text.rows, &job[0]);
	release(&text);
	release(&pages);
	return 0;
}
