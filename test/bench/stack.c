/* SPDX-License-Identifier: MIT
 *
 * stack RUNS REFS [FILE:BITS...]: how fast LRU stack distances are had, one thread, everything in
 * memory. For each FILE, in pages of 2^BITS bytes, and for made-up traces of REFS references:
 *
 *   ours     pages.h and stack.h: number the pages, then their distances, and a histogram of them
 *   curve    the sink of --mrc: the same, with write-backs
 *   fenwick  what one writes first: a hash table, and a Fenwick tree over times that is made anew
 *            when it is full
 *
 * All histograms must be the same. A time is that of the processor, the least of RUNS, which take
 * turns. With REFS 1 there are no made-up traces, else these:
 *
 *   zipf     a million lines, line k as often as 1 / k
 *   cyclic   a million pages in turns: all distances are a million
 *   random   any of ten million pages
 *   new      no page twice
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "format/registry.h"
#include "stage/simulate/mrc.h"
#include "stage/simulate/pages.h"
#include "stage/simulate/stack.h"
#include "stage/stage.h"

struct trace {
	const char *name;
	uint64_t *page;
	uint8_t *type;
	size_t n, cap, types;
};

static void
die(const char *what)
{
	fprintf(stderr, "stack: %s\n", what);
	exit(1);
}

static void *
must(void *p)
{
	if (!p)
		die("no memory");
	return p;
}

static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* A histogram of distances, 0 for first references, grown as needed. */
struct histogram {
	uint64_t *n;
	size_t cap;
};

static void
histogram_room(struct histogram *h, size_t distances)
{
	const size_t old = h->cap;
	struct trc_err err;

	if (trc_grow(&h->n, &h->cap, distances, sizeof(*h->n), &err))
		die(err.text);
	memset(h->n + old, 0, (h->cap - old) * sizeof(*h->n));
}

/* ours */

static void
run_ours(const struct trace *t, struct histogram *h)
{
	static uint32_t id[TRC_BATCH_ROWS], distance[TRC_BATCH_ROWS];
	struct trc_pages pages;
	struct trc_stack stack;
	struct trc_err err;

	trc_stack_init(&stack);
	if (trc_pages_init(&pages, &err))
		die(err.text);
	for (size_t i = 0; i < t->n; i += TRC_BATCH_ROWS) {
		const size_t n = t->n - i < TRC_BATCH_ROWS ? t->n - i : TRC_BATCH_ROWS;

		if (trc_pages_number(&pages, t->page + i, NULL, n, id, &err) ||
		    trc_stack_refs(&stack, id, n, pages.n, distance, &err))
			die(err.text);
		histogram_room(h, pages.n + 1);
		for (size_t k = 0; k < n; k++)
			h->n[distance[k]]++;
	}
	trc_stack_release(&stack);
	trc_pages_release(&pages);
}

/* curve: the histogram is had back from it, to be compared. */

static void
run_curve(const struct trace *t, struct histogram *h)
{
	static uint64_t rtime[TRC_BATCH_ROWS];
	const struct trc_meta meta = { 0 };
	struct trc_mrc mrc;
	struct trc_err err;
	struct trc_sink *sink = trc_mrc_sink(&mrc, TRC_HAS_TYPE | TRC_HAS_VPN | TRC_HAS_RTIME,
	                                     false, false, &err);
	const struct trc_mrc_curve *curve;

	for (size_t i = 0; i < TRC_BATCH_ROWS; i++)
		rtime[i] = i + 1;
	for (size_t i = 0; sink && i < t->n; i += TRC_BATCH_ROWS) {
		const size_t n = t->n - i < TRC_BATCH_ROWS ? t->n - i : TRC_BATCH_ROWS;
		const struct trc_batch b = {
			.n = n, .cap = n, .type = t->type + i, .vpn = t->page + i, .rtime = rtime
		};

		if (trc_sink_put(sink, &b, &err))
			die(err.text);
	}
	if (!sink || trc_sink_finish(sink, &meta, &err))
		die(err.text);
	curve = &mrc.curve[0];
	histogram_room(h, (size_t)curve->pages + 1);
	h->n[0] = curve->pages;
	for (size_t m = 1; m <= curve->pages; m++)
		h->n[m] = curve->misses[m - 1] - curve->misses[m];
	trc_sink_close(sink);
	trc_mrc_release(&mrc);
}

/* fenwick */

struct fenwick {
	uint64_t *key; /* hash table: pages, and the time of each, 0 for a free place */
	uint32_t *time;
	size_t mask, used;
	uint32_t *sum;  /* the tree, from 1: how many of these times are the last of a page */
	uint32_t *last; /* of each time: the place of its page, or UINT32_MAX */
	size_t times, next;
};

static size_t
fenwick_find(const struct fenwick *f, uint64_t page)
{
	size_t at = (size_t)(page * UINT64_C(0x9e3779b97f4a7c15) >> 20);

	while (f->time[at & f->mask] && f->key[at & f->mask] != page)
		at++;
	return at & f->mask;
}

static void
fenwick_add(struct fenwick *f, size_t at, uint32_t v)
{
	for (; at < f->times; at += at & -at)
		f->sum[at] += v;
}

static void
fenwick_grow(struct fenwick *f)
{
	struct fenwick old = *f;

	f->mask = old.key ? 2 * old.mask + 1 : 4095;
	f->key = must(calloc(f->mask + 1, sizeof(*f->key)));
	f->time = must(calloc(f->mask + 1, sizeof(*f->time)));
	for (size_t i = 0; old.key && i <= old.mask; i++)
		if (old.time[i]) {
			const size_t at = fenwick_find(f, old.key[i]);

			f->key[at] = old.key[i];
			f->time[at] = old.time[i];
			f->last[f->time[at]] = (uint32_t)at;
		}
	free(old.key);
	free(old.time);
}

static void
fenwick_renumber(struct fenwick *f)
{
	uint32_t *last = f->last;
	const size_t next = f->next;

	f->times = 4 * f->used + 4096;
	f->last = must(malloc(f->times * sizeof(*f->last)));
	free(f->sum);
	f->sum = must(calloc(f->times, sizeof(*f->sum)));
	f->next = 1;
	for (size_t i = 1; i < next; i++)
		if (last[i] != UINT32_MAX) {
			f->last[f->next] = last[i];
			f->time[last[i]] = (uint32_t)f->next;
			fenwick_add(f, f->next++, 1);
		}
	free(last);
}

static void
run_fenwick(const struct trace *t, struct histogram *h)
{
	struct fenwick f = { .next = 1 };

	fenwick_grow(&f);
	fenwick_renumber(&f);
	for (size_t i = 0; i < t->n; i++) {
		size_t at, distance = 0;

		if (f.next == f.times)
			fenwick_renumber(&f);
		at = fenwick_find(&f, t->page[i]);
		if (f.time[at]) {
			distance = f.used;
			for (size_t k = f.time[at] - 1; k; k -= k & -k)
				distance -= f.sum[k];
			fenwick_add(&f, f.time[at], UINT32_MAX);
			f.last[f.time[at]] = UINT32_MAX;
		} else {
			f.used++;
			f.key[at] = t->page[i];
			histogram_room(h, f.used + 1);
		}
		f.time[at] = (uint32_t)f.next;
		f.last[f.next] = (uint32_t)at;
		fenwick_add(&f, f.next++, 1);
		h->n[distance]++;
		if (2 * f.used > f.mask)
			fenwick_grow(&f);
	}
	free(f.key);
	free(f.time);
	free(f.sum);
	free(f.last);
}

static const struct engine {
	const char *name;
	void (*run)(const struct trace *t, struct histogram *h);
} engine[] = {
	{ "ours", run_ours },
	{ "curve", run_curve },
	{ "fenwick", run_fenwick },
};

static void
measure(const struct trace *t, int runs)
{
	struct histogram h[TRC_COUNT(engine)] = { 0 };
	double best[TRC_COUNT(engine)];

	for (int run = 0; run < runs; run++)
		for (size_t e = 0; e < TRC_COUNT(engine); e++) {
			double start, taken;

			free(h[e].n);
			h[e] = (struct histogram){ 0 };
			start = now();
			engine[e].run(t, &h[e]);
			taken = now() - start;
			if (run == 0 || taken < best[e])
				best[e] = taken;
		}
	printf("%-28s %9zu", t->name, t->n);
	for (size_t e = 0; e < TRC_COUNT(engine); e++) {
		const size_t n = h[e].cap < h[0].cap ? h[e].cap : h[0].cap;

		if (memcmp(h[e].n, h[0].n, n * sizeof(*h[e].n)) != 0)
			die("the histograms differ");
		printf(" %9.1f", (double)t->n / best[e] / 1e6);
	}
	printf(" %9.1f\n", best[TRC_COUNT(engine) - 1] / best[0]);
	for (size_t e = 0; e < TRC_COUNT(engine); e++)
		free(h[e].n);
}

/* FILE:BITS */
static void
load(struct trace *t, char *word)
{
	char *colon = strrchr(word, ':');
	uint64_t refs;
	struct trc_batch b;
	struct trc_err err;
	struct trc_in *in;
	const struct trc_format *format;
	struct trc_source *src;

	if (!colon)
		die("a file is given as FILE:BITS");
	*colon = 0;
	in = trc_in_open(word, &err);
	format = in ? trc_format_recognise(in, &err) : NULL;
	src = format ? trc_format_source(format, NULL, in, &err) : NULL;
	if (src)
		src = trc_stage_page(src, (unsigned)atoi(colon + 1), &refs, &err);
	if (!src || trc_batch_init(&b, src->have, TRC_BATCH_ROWS, &err))
		die(err.text);
	while (trc_source_next(src, &b, &err) == TRC_FLOW_ROWS) {
		if (trc_grow(&t->page, &t->cap, t->n + b.n, sizeof(*t->page), &err) ||
		    trc_grow(&t->type, &t->types, t->n + b.n, sizeof(*t->type), &err))
			die(err.text);
		memcpy(t->page + t->n, b.vpn, b.n * sizeof(*b.vpn));
		memcpy(t->type + t->n, b.type, b.n);
		t->n += b.n;
	}
	trc_batch_release(&b);
	trc_source_close(src);
	*colon = ':';
	t->name = strrchr(word, '/') ? strrchr(word, '/') + 1 : word;
}

static uint64_t
random64(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

enum made { ZIPF, CYCLIC, RANDOM, NEW, MADE };

static void
make(struct trace *t, enum made what, size_t n)
{
	static const char *const name[] = { "zipf", "cyclic", "random", "new" };
	enum { MILLION = 1000000 };
	double *sum = must(calloc(MILLION + 1, sizeof(*sum)));
	uint64_t state = 1;

	t->page = must(calloc(n, sizeof(*t->page)));
	t->type = must(calloc(n, 1));
	t->n = n;
	t->name = name[what];
	for (int k = 1; k <= MILLION; k++)
		sum[k] = sum[k - 1] + 1.0 / k;
	for (size_t i = 0; i < n; i++) {
		const uint64_t random = random64(&state);

		switch (what) {
		case ZIPF: {
			const double at = (double)(random >> 11) * 0x1p-53 * sum[MILLION];
			size_t low = 0, high = MILLION;

			while (high - low > 1) {
				const size_t mid = (low + high) / 2;

				*(sum[mid] <= at ? &low : &high) = mid;
			}
			t->page[i] = low * UINT64_C(0x9e3779b97f4a7c15) >> 6;
			break;
		}
		case CYCLIC: t->page[i] = i % MILLION; break;
		case RANDOM: t->page[i] = random % (10 * MILLION); break;
		default: t->page[i] = i; break;
		}
		t->type[i] = random % 10 < 3 ? TRC_WRITE : TRC_READ;
	}
	free(sum);
}

int
main(int argc, char **argv)
{
	const int runs = argc > 2 ? atoi(argv[1]) : 0;
	const long refs = argc > 2 ? atol(argv[2]) : 0;

	if (runs < 1 || refs < 1) {
		fprintf(stderr, "usage: stack RUNS REFS [FILE:BITS...]\n");
		return 2;
	}
	printf("%-28s %9s", "M references/s", "");
	for (size_t e = 0; e < TRC_COUNT(engine); e++)
		printf(" %9s", engine[e].name);
	printf(" %9s\n", "times");
	for (int i = 3; i < argc + (refs > 1 ? MADE : 0); i++) {
		struct trace t = { 0 };

		if (i < argc)
			load(&t, argv[i]);
		else
			make(&t, (enum made)(i - argc), (size_t)refs);
		measure(&t, runs);
		free(t.page);
		free(t.type);
	}
	return 0;
}
