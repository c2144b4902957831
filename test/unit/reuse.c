/* SPDX-License-Identifier: MIT
 *
 * reuse FOLDER: histograms of stack distances and reuse times, and footprints, against counting one
 * by one: on random rows, and on a real trace of the folder.
 */
#include "stage/profile/reuse.h"

#include <stdio.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "generate.h"
#include "stage/stage.h"
#include "test.h"

enum {
	ROWS = 3000,
	HAVE = TRC_HAS_TYPE | TRC_HAS_VPN | TRC_HAS_RTIME | TRC_HAS_ASID,
};

/* References to pages of three spaces, some near, some anywhere; one in ten is to two pages. */
static struct trc_batch
random_rows(uint64_t seed)
{
	struct trc_batch b = generate_zeros(HAVE, ROWS);
	struct generator m = { seed };

	for (size_t i = 0; i < b.n; i++) {
		b.vpn[i] = generate_below(&m, 4) ? i / 100 + generate_below(&m, 9) :
		                                   generate_below(&m, 400);
		b.asid[i] = (uint32_t)generate_below(&m, 3) * 5;
		b.rtime[i] = (i ? b.rtime[i - 1] : 0) + (i == 0 || generate_below(&m, 10) > 0);
	}
	return b;
}

/* The first rows of a trace of the folder, in pages. */
static struct trc_batch
real_rows(const char *folder, unsigned bits)
{
	char path[1024];
	uint64_t refs;
	struct trc_batch b;
	struct trc_err err;
	const struct trc_format *f;
	struct trc_source *src;
	struct trc_in *in;

	snprintf(path, sizeof(path), "%s/sort.lackey.xz", folder);
	in = trc_in_open(path, &err);
	f = in ? trc_format_recognise(in, &err) : NULL;
	src = f ? trc_format_source(f, NULL, in, &err) : NULL;
	CHECK_MSG(src, "%s: %s", path, err.text);
	src = trc_stage_range(src, 200000, 20000, &err);
	src = src ? trc_stage_page(src, bits, &refs, &err) : NULL;
	CHECK(src && generate_collect(src, TRC_BATCH_ROWS, &b, NULL, &err) == 0);
	return b;
}

static struct trc_reuse
run(const struct trc_batch *rows, bool by_space, size_t most)
{
	struct trc_source *src = generate_source(rows, most);
	struct trc_err err = { 0 };
	struct trc_reuse reuse;
	struct trc_sink *sink = trc_reuse_sink(&reuse, rows->have, by_space, &err);

	CHECK(sink);
	CHECK_MSG(trc_pump(src, sink, most, NULL, &err) == 0, "%s", err.text);
	trc_sink_close(sink);
	trc_source_close(src);
	return reuse;
}

static uint32_t
space_of(const struct trc_batch *b, size_t i)
{
	return b->asid ? b->asid[i] : 0;
}

/* The definition: a list of all pages, the last used first, with the time of that. */
struct list {
	struct touched {
		uint64_t page, time;
		uint32_t space;
	} * page;
	size_t n;
};

/* How far from the front the page of row `i` is, of all or of those of its space, and since when;
 * 0: nowhere. It moves to the front. */
static size_t
touch(struct list *l, const struct trc_batch *b, size_t i, bool by_space, uint64_t *time)
{
	const struct touched t = { b->vpn[i], b->rtime[i], space_of(b, i) };
	size_t at = 0, distance = 0;

	for (; at < l->n && (l->page[at].page != t.page || l->page[at].space != t.space); at++)
		distance += !by_space || l->page[at].space == t.space;
	*time = at < l->n ? t.time - l->page[at].time : 0;
	distance = at < l->n ? distance + 1 : 0;
	l->n += at == l->n;
	memmove(l->page + 1, l->page, at * sizeof(*l->page));
	l->page[0] = t;
	return distance;
}

/* The bin of a number from 1 on, by its definition. */
static size_t
bin_of(uint64_t v)
{
	size_t k = 0;

	while (trc_reuse_edge(k) < v)
		k++;
	return k;
}

static struct trc_reuse_histogram
plain(const struct trc_batch *b, uint32_t space, bool by_space)
{
	struct trc_reuse_histogram h = { .space = space };
	struct list l = { malloc((b->n + 1) * sizeof(*l.page)), 0 };

	CHECK(l.page);
	for (size_t i = 0; i < b->n; i++) {
		uint64_t time;
		const size_t distance = touch(&l, b, i, by_space, &time);

		if (by_space && space_of(b, i) != space)
			continue;
		h.touches++;
		h.cold += distance == 0;
		if (distance == 0)
			continue;
		h.distance[bin_of(distance)]++;
		/* Twice by one reference is near. */
		h.time[bin_of(time)]++;
	}
	free(l.page);
	return h;
}

static void
check_histograms(const struct trc_batch *b, bool by_space)
{
	struct trc_reuse reuse = run(b, by_space, 100);

	CHECK(trc_reuse_count(&reuse) == (by_space ? 3 : 1));
	for (size_t i = 0; i < trc_reuse_count(&reuse); i++) {
		struct trc_reuse_histogram h, want;
		uint64_t distances = 0, times = 0;

		trc_reuse_at(&reuse, i, &h);
		want = plain(b, h.space, by_space);
		CHECK(h.touches == want.touches && h.cold == want.cold);
		for (size_t k = 0; k < TRC_REUSE_BINS; k++) {
			CHECK_MSG(h.distance[k] == want.distance[k],
			          "distances in bin %zu: %llu, "
			          "not %llu",
			          k, (unsigned long long)h.distance[k],
			          (unsigned long long)want.distance[k]);
			CHECK_MSG(h.time[k] == want.time[k], "times in bin %zu: %llu, not %llu", k,
			          (unsigned long long)h.time[k], (unsigned long long)want.time[k]);
			distances += h.distance[k];
			times += h.time[k];
			CHECK(k < h.bins || (!h.distance[k] && !h.time[k]));
		}
		CHECK(distances + h.cold == h.touches && times + h.cold == h.touches);
	}
	trc_reuse_release(&reuse);
}

static void
histograms_are_as_counted_one_by_one(void)
{
	for (unsigned k = 0; k < 6; k++) {
		struct trc_batch b = random_rows(test_seed + k);

		check_histograms(&b, k % 2);
		trc_batch_release(&b);
	}
}

/* A trace without references has nothing; one of a single page is all at distance 1. */
static void
small_traces_have_small_histograms(void)
{
	for (size_t n = 0; n < 4; n++) {
		struct trc_batch b = generate_zeros(HAVE, n);
		struct trc_reuse_histogram h;
		struct trc_reuse reuse;

		for (size_t i = 0; i < n; i++)
			b.rtime[i] = i + 1;
		reuse = run(&b, false, 10);
		trc_reuse_at(&reuse, 0, &h);
		CHECK(h.touches == n && h.cold == (n > 0) && h.bins == (n > 1));
		CHECK(h.distance[0] == (n > 0 ? n - 1 : 0) && h.time[0] == h.distance[0]);
		trc_reuse_release(&reuse);
		trc_batch_release(&b);
	}
}

static void
reduced_traces_are_refused(void)
{
	struct trc_batch b = random_rows(test_seed);

	for (unsigned k = 0; k < 4; k++) {
		struct trc_source *src = generate_source(&b, 100);
		struct trc_err err = { 0 };
		struct trc_reuse reuse;
		struct trc_sink *sink = trc_reuse_sink(&reuse, b.have, false, &err);

		src->meta.guarantee.sad = k == 0;
		src->meta.guarantee.window = k == 1;
		src->meta.guarantee.sample = k == 2 ? 4 : 0;
		src->meta.guarantee.reduced = k == 3 ? TRC_MERGED : 0;
		CHECK(sink && trc_pump(src, sink, 100, NULL, &err) == -1);
		CHECK(strstr(err.text, "use the original"));
		trc_sink_close(sink);
		trc_source_close(src);
		trc_reuse_release(&reuse);
	}
	trc_batch_release(&b);
}

/* The number of each row's page, among `*pages`. */
static uint32_t *
number_pages(const struct trc_batch *b, size_t *pages)
{
	uint32_t *id = malloc(b->n * sizeof(*id));
	uint64_t *page = malloc(b->n * sizeof(*page));

	CHECK(id && page);
	*pages = 0;
	for (size_t i = 0; i < b->n; i++) {
		for (id[i] = 0; id[i] < *pages && page[id[i]] != b->vpn[i]; id[i]++)
			;
		if (id[i] == *pages)
			page[(*pages)++] = b->vpn[i];
	}
	free(page);
	return id;
}

/* The sum of the pages in all whole windows: one that slides. */
static uint64_t
plain_footprint(const struct trc_batch *b, const uint32_t *id, size_t pages, uint64_t window)
{
	uint32_t *in = calloc(pages + 1, sizeof(*in));
	uint64_t sum = 0, here = 0;
	size_t first = 0, next = 0;

	CHECK(in);
	for (uint64_t t = window; t <= b->rtime[b->n - 1]; t++) {
		for (; next < b->n && b->rtime[next] <= t; next++)
			here += in[id[next]]++ == 0;
		for (; b->rtime[first] + window <= t; first++)
			here -= --in[id[first]] == 0;
		sum += here;
	}
	free(in);
	return sum;
}

static void
footprints_are_means_of_whole_windows(const struct trc_batch *b)
{
	struct trc_reuse reuse = run(b, false, TRC_BATCH_ROWS);
	const uint64_t end = b->rtime[b->n - 1];
	size_t pages;
	uint32_t *id = number_pages(b, &pages);

	CHECK(reuse.ws.begin == 1 && reuse.ws.end == end);
	for (uint64_t w = 1; w <= end; w = trc_ws_window(w + w / 3 + 1)) {
		const struct trc_ws_point p = trc_ws_at(&reuse.ws, &reuse.ws.of[0], w);
		const double mean = (double)plain_footprint(b, id, pages, w) /
		                    (double)(end - w + 1);

		CHECK_MSG(fabs(p.footprint - mean) < 1e-6, "window %llu: %g, not %g",
		          (unsigned long long)w, p.footprint, mean);
	}
	free(id);
	trc_reuse_release(&reuse);
}

static void
real_traces_are_as_counted_one_by_one(const char *folder)
{
	for (unsigned bits = 6; bits <= 12; bits += 3) {
		struct trc_batch b = real_rows(folder, bits);

		check_histograms(&b, false);
		footprints_are_means_of_whole_windows(&b);
		trc_batch_release(&b);
	}
}

int
main(int argc, char **argv)
{
	const char *folder = test_start_in(argc, argv);

	RUN(histograms_are_as_counted_one_by_one);
	RUN(small_traces_have_small_histograms);
	RUN(reduced_traces_are_refused);
	test_name = "real_traces_are_as_counted_one_by_one";
	real_traces_are_as_counted_one_by_one(folder);
	return 0;
}
