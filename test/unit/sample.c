/* SPDX-License-Identifier: MIT
 *
 * sample FOLDER: what is claimed of samples against what holds, on real traces whose pages are
 * named anew at random, 200 times each. A name decides whether its page is in the sample, so this
 * is as many samples of one trace.
 */
#include <stdio.h>
#include <math.h>

#include "generate.h"
#include "stage/simulate/mrc.h"
#include "stage/stage.h"
#include "test.h"

enum { NAMINGS = 200, SIZES_MOST = 64 };

/* A trace of the folder, in pages that make it large, and one page in how many is taken. */
struct sampled {
	const char *file;
	uint64_t page_size_bits;
	uint64_t one_in;
};

/* How often a size was claimed, and what for. */
struct tally {
	unsigned claimed, misses, again, writebacks;
};

/* Neighbours merged, as `trc reduce` does. */
static struct trc_batch
read_pages(const char *folder, const struct sampled *x)
{
	char path[1024];
	uint64_t refs;
	struct trc_batch all;
	struct trc_err err;
	const struct trc_format *f;
	struct trc_source *src;
	struct trc_in *in;

	snprintf(path, sizeof(path), "%s/%s", folder, x->file);
	in = trc_in_open(path, &err);
	f = in ? trc_format_recognise(in, &err) : NULL;
	src = f ? trc_format_source(f, NULL, in, &err) : NULL;
	CHECK_MSG(src, "%s: %s", path, err.text);
	src = trc_stage_page(src, (unsigned)x->page_size_bits, &refs, &err);
	CHECK(src &&
	      generate_collect(trc_stage_block(src, &err), TRC_BATCH_ROWS, &all, NULL, &err) == 0);
	return all;
}

static void
curve_of(struct trc_source *src, struct trc_mrc *mrc)
{
	struct trc_err err;
	struct trc_sink *sink = src ? trc_mrc_sink(mrc, src->have, false, true, &err) : NULL;

	CHECK(sink && trc_pump(src, sink, TRC_BATCH_ROWS, NULL, &err) == 0 && mrc->n == 1);
	trc_sink_close(sink);
	trc_source_close(src);
}

/* Names pages anew: odd factors and shifts can be undone. */
static void
name_pages(const struct trc_batch *rows, struct trc_batch *named, struct generator *m)
{
	const uint64_t factor = generate_random(m) | 1, more = generate_random(m);

	for (size_t i = 0; i < rows->n; i++) {
		uint64_t page = (rows->vpn[i] + more) * factor;

		page ^= page >> 29;
		named->vpn[i] = page * factor;
	}
}

static bool
is_in(struct trc_replicates_interval i, uint64_t truth)
{
	return i.low <= truth && truth <= i.high;
}

/* One sample: what is claimed of each size. */
static void
compare(const struct trc_mrc_curve *truth, const struct trc_batch *named, uint64_t one_in,
        const uint64_t *size, size_t sizes, struct tally *tally, double *pages)
{
	struct trc_replicates_interval misses, again, writebacks;
	struct trc_sampled sampled;
	struct trc_err err;
	struct trc_source *src = trc_stage_sample(generate_source(named, TRC_BATCH_ROWS), one_in,
	                                          false, &sampled, &err);
	struct trc_mrc mrc;
	uint64_t least;

	CHECK(src);
	curve_of(trc_stage_block(src, &err), &mrc);
	*pages += (double)(sampled.pages * one_in);
	least = trc_replicates_least(mrc.curve[0].groups, one_in, 0);
	for (size_t i = 0; i < sizes; i++) {
		const uint64_t m = size[i] < truth->pages ? size[i] : truth->pages;

		if (size[i] < least)
			continue;
		trc_replicates_at(mrc.curve[0].groups, one_in, size[i], true, &misses, &writebacks);
		trc_replicates_at(mrc.curve[0].groups, one_in, size[i], false, &again, &writebacks);
		tally[i].claimed++;
		tally[i].misses += is_in(misses, truth->misses[m] + truth->pages);
		tally[i].again += is_in(again, truth->misses[m]);
		tally[i].writebacks += is_in(writebacks, truth->writebacks[m]);
	}
	trc_mrc_release(&mrc);
}

/* Powers of two and halfway between. */
static size_t
choose_sizes(uint32_t pages, uint64_t *size)
{
	size_t n = 0;

	for (uint64_t m = 4; m <= 2 * (uint64_t)pages; m *= 2) {
		size[n++] = m;
		size[n++] = m + m / 2;
	}
	return n;
}

/* At 16 pages the estimate of an interpreter was 56 times the truth, with a standard error of 9 to
 * 36 % claimed. */
static void
claims_of_samples_hold_as_often_as_they_claim(const char *folder, const struct sampled *x)
{
	const size_t tries = NAMINGS / test_step_most(10);
	struct generator m = { test_seed };
	struct trc_batch rows = read_pages(folder, x);
	struct trc_batch named = generate_zeros(rows.have, rows.n);
	struct tally tally[SIZES_MOST] = { { 0 } };
	uint64_t size[SIZES_MOST];
	unsigned claimed = 0;
	double pages = 0;
	struct trc_mrc mrc;
	size_t sizes;

	trc_batch_clear(&named);
	trc_batch_append(&named, &rows, 0, rows.n);
	curve_of(generate_source(&rows, TRC_BATCH_ROWS), &mrc);
	sizes = choose_sizes(mrc.curve[0].pages, size);
	for (size_t i = 0; i < tries; i++) {
		name_pages(&rows, &named, &m);
		compare(&mrc.curve[0], &named, x->one_in, size, sizes, tally, &pages);
	}
	for (size_t i = 0; i < sizes; i++) {
		const struct tally *t = &tally[i];
		/* Chance may have some more: three standard deviations. */
		const unsigned least = t->claimed -
		                       (unsigned)(0.05 * t->claimed + 0.66 * sqrt(t->claimed));

		CHECK_MSG(t->misses >= least && t->again >= least && t->writebacks >= least,
		          "%s, one in %u: at %u pages %u, %u, %u of %u claims hold", x->file,
		          (unsigned)x->one_in, (unsigned)size[i], t->misses, t->again,
		          t->writebacks, t->claimed);
		claimed += t->claimed;
		/* Where it is small, the memory of the sample is uncertain by a half and more. */
		CHECK(size[i] >= 4 * x->one_in || t->claimed == 0);
	}
	CHECK_MSG(claimed > 4 * tries, "%s: %u claims", x->file, claimed);
	/* Pages are estimated without bias. */
	pages /= (double)tries * mrc.curve[0].pages;
	CHECK_MSG(fabs(pages - 1) < 0.05, "%s: %f of the pages", x->file, pages);
	trc_mrc_release(&mrc);
	trc_batch_release(&named);
	trc_batch_release(&rows);
}

/* Forth and back: a memory of nearly all pages misses those at the ends alone, and a sample may
 * have none of these. */
static void
nothing_is_claimed_where_a_few_pages_have_most_misses(void)
{
	enum { PAGES = 100, SWEEPS = 3000, ROWS = PAGES * SWEEPS, ONE_IN = 4 };
	struct trc_batch rows = generate_zeros(TRC_HAS_TYPE | TRC_HAS_VPN | TRC_HAS_RTIME, ROWS);
	struct trc_mrc mrc;

	for (size_t i = 0; i < ROWS; i++) {
		rows.vpn[i] = i / PAGES % 2 ? PAGES - 1 - i % PAGES : i % PAGES;
		rows.rtime[i] = i + 1;
	}
	rows.n = ROWS;
	curve_of(generate_source(&rows, TRC_BATCH_ROWS), &mrc);
	CHECK(mrc.curve[0].misses[PAGES - 4] > 2 * PAGES);
	CHECK(trc_replicates_least(mrc.curve[0].groups, ONE_IN, 0) > (PAGES - 4) * ONE_IN);
	trc_mrc_release(&mrc);

	/* Too few pages for anything. */
	for (size_t i = 0; i < ROWS; i++)
		rows.vpn[i] = i % 5;
	curve_of(generate_source(&rows, TRC_BATCH_ROWS), &mrc);
	CHECK(trc_replicates_least(mrc.curve[0].groups, ONE_IN, 0) == UINT64_MAX);
	trc_mrc_release(&mrc);
	trc_batch_release(&rows);
}

/* A sample that was reduced for R of its pages has nothing of fewer. */
static void
a_reduced_sample_counts_its_own_pages(void)
{
	enum { ROWS = 100000, PAGES = 5000, ONE_IN = 4 };
	struct trc_batch rows = generate_zeros(TRC_HAS_TYPE | TRC_HAS_VPN | TRC_HAS_RTIME, ROWS);
	struct generator m = { test_seed };
	struct trc_mrc mrc;

	for (size_t i = 0; i < ROWS; i++) {
		rows.vpn[i] = generate_below(&m, PAGES);
		rows.rtime[i] = i + 1;
	}
	rows.n = ROWS;
	curve_of(generate_source(&rows, TRC_BATCH_ROWS), &mrc);
	CHECK(trc_replicates_least(mrc.curve[0].groups, ONE_IN, 0) < 64);
	CHECK(trc_replicates_least(mrc.curve[0].groups, ONE_IN, 64) > 64 * ONE_IN);
	CHECK(trc_replicates_least(mrc.curve[0].groups, ONE_IN, UINT64_MAX) == UINT64_MAX);
	trc_mrc_release(&mrc);
	trc_batch_release(&rows);
}

int
main(int argc, char **argv)
{
	static const struct sampled x[] = {
		{ "sort.lackey.xz", 8, 4 },           { "sort.lackey.xz", 8, 16 },
		{ "sort.lackey.xz", 12, 4 },          { "threads.laplace-diff.xz", 8, 4 },
		{ "threads.laplace-diff.xz", 12, 4 }, { "threads.laplace-diff.xz", 7, 16 },
	};
	const char *folder = test_start_in(argc, argv);

	for (size_t i = 0; i < TRC_COUNT(x); i++) {
		test_name = "claims_of_samples_hold_as_often_as_they_claim";
		claims_of_samples_hold_as_often_as_they_claim(folder, &x[i]);
	}
	RUN(nothing_is_claimed_where_a_few_pages_have_most_misses);
	RUN(a_reduced_sample_counts_its_own_pages);
	return 0;
}
