/* SPDX-License-Identifier: MIT
 *
 * The curves of SIGMETRICS 1999: the page traces netscape and powerpnt, reduced by SAD, give the
 * LRU misses published with them at every memory of R pages and more, from as few records as
 * published; and the curve of the whole traces is the published one at every size. They are in the
 * folder corpus.
 */
#include <string.h>
#include <unistd.h>

#include "format/registry.h"
#include "shared.h"
#include "stage/simulate/mrc.h"
#include "stage/stage.h"

enum { PAGES_MOST = 8192, LIMITS = 5 };

static const uint64_t limit[LIMITS] = { 8, 16, 32, 64, 128 };

static const struct published {
	const char *trace, *misses;
	size_t refs;
	double factor[LIMITS]; /* references for each record left, at least */
} published[] = {
	{ "netscape-4k-blocked.bz2", "netscape.misses", 22077106, { 6.8, 13.4, 34, 89, 294 } },
	{ "powerpnt-4k-blocked.bz2", "powerpnt.misses", 37384786, { 4.7, 9.4, 26, 91, 283 } },
};

/* A trace of pages in memory, as a source: it is reduced several times. */
struct pages {
	struct trc_source src;
	const uint32_t *page;
	size_t n;
};

static enum trc_flow
pages_next(struct trc_source *src, struct trc_batch *b, struct trc_err *err)
{
	struct pages *s = (struct pages *)src;

	(void)err;
	for (; b->n < b->cap && s->n > 0; s->n--)
		b->vpn[b->n++] = *s->page++;
	return b->n ? TRC_FLOW_ROWS : TRC_FLOW_END;
}

static void
pages_close(struct trc_source *src)
{
	free(src);
}

static struct trc_source *
open_pages(const uint32_t *page, size_t n)
{
	struct pages *s = calloc(1, sizeof(*s));

	CHECK(s);
	*s = (struct pages){ { .have = TRC_HAS_VPN, .next = pages_next, .close = pages_close },
		             page,
		             n };
	return &s->src;
}

static uint32_t *
read_pages(const struct published *x)
{
	uint32_t *page = malloc(x->refs * sizeof(*page));
	enum trc_flow flow;
	struct trc_batch b;
	struct trc_err err;
	struct trc_in *in = trc_in_open(shared_path(x->trace), &err);
	struct trc_source *src;
	size_t n = 0;

	CHECK_MSG(page && in, "%s", err.text);
	CHECK(trc_format_recognise(in, &err) == trc_format_named("page"));
	src = trc_format_source(trc_format_named("page"), NULL, in, &err);
	CHECK(src && trc_batch_init(&b, src->have, TRC_BATCH_ROWS, &err) == 0);
	while ((flow = trc_source_next(src, &b, &err)) == TRC_FLOW_ROWS) {
		CHECK(b.n <= x->refs - n);
		for (size_t i = 0; i < b.n; i++)
			page[n++] = (uint32_t)b.vpn[i];
	}
	CHECK_MSG(flow == TRC_FLOW_END, "%s", err.text);
	CHECK(n == x->refs);
	trc_batch_release(&b);
	trc_source_close(src);
	return page;
}

/* The LRU stack; depth[d] counts references to the page at depth d, from 0. */
struct stack {
	uint32_t page[PAGES_MOST];
	size_t n;
	uint64_t depth[PAGES_MOST];
};

static void
touch(struct stack *s, uint32_t page)
{
	size_t d = 0;

	while (d < s->n && s->page[d] != page)
		d++;
	if (d < s->n)
		s->depth[d]++;
	else
		CHECK(s->n++ < PAGES_MOST);
	memmove(s->page + 1, s->page, d * sizeof(*s->page));
	s->page[0] = page;
}

static void
check_curve(const struct published *x, const struct stack *s, uint64_t r)
{
	FILE *f = fopen(shared_path(x->misses), "r");
	unsigned long long size, want;
	size_t lines = 0;

	CHECK(f);
	for (; fscanf(f, "%llu %llu", &size, &want) == 2; lines++) {
		uint64_t misses = 0;

		if (size < r)
			continue;
		for (size_t d = size; d < PAGES_MOST; d++)
			misses += s->depth[d];
		CHECK_MSG(misses == want, "%s, R=%llu: %llu misses at %llu pages, not %llu",
		          x->trace, (unsigned long long)r, (unsigned long long)misses, size, want);
	}
	CHECK(lines > 500);
	fclose(f);
}

static void
check_reduced(const struct published *x, const uint32_t *page, uint64_t r, double factor)
{
	static struct stack s;
	struct trc_source *src = open_pages(page, x->refs);
	const struct trc_reduction how = { .r = r };
	uint64_t refs, records = 0;
	struct trc_batch b;
	struct trc_err err;

	src = trc_stage_page(src, 12, &refs, &err);
	CHECK(src && (src = trc_stage_block(src, &err)));
	CHECK((src = trc_stage_drop(src, &how, &err)) && (src = trc_stage_block(src, &err)));
	CHECK(trc_batch_init(&b, src->have, TRC_BATCH_ROWS, &err) == 0);
	memset(&s, 0, sizeof(s));
	for (; trc_source_next(src, &b, &err) == TRC_FLOW_ROWS; records += b.n)
		for (size_t i = 0; i < b.n; i++)
			touch(&s, (uint32_t)b.vpn[i]);
	trc_batch_release(&b);
	trc_source_close(src);
	CHECK(refs == x->refs);
	printf("%s, R=%llu: factor %.2f\n", x->trace, (unsigned long long)r,
	       (double)refs / (double)records);
	CHECK((double)refs / (double)records >= factor);
	check_curve(x, &s, r);
}

/* As `trc stat --mrc` does. */
static void
check_whole(const struct published *x, const uint32_t *page)
{
	uint64_t refs;
	struct trc_err err;
	struct trc_mrc mrc;
	struct trc_source *src = trc_stage_page(open_pages(page, x->refs), 12, &refs, &err);
	struct trc_sink *sink = trc_mrc_sink(&mrc, src->have, false, false, &err);
	FILE *f = fopen(shared_path(x->misses), "r");
	unsigned long long size, want;
	size_t lines = 0;

	CHECK(f && sink && trc_pump(src, sink, TRC_BATCH_ROWS, NULL, &err) == 0);
	CHECK(mrc.n == 1 && mrc.curve[0].refs == x->refs);
	for (; fscanf(f, "%llu %llu", &size, &want) == 2; lines++) {
		const size_t m = size < mrc.curve[0].pages ? (size_t)size : mrc.curve[0].pages;

		CHECK_MSG(mrc.curve[0].misses[m] == want, "%s: %llu misses at %llu pages, not %llu",
		          x->trace, (unsigned long long)mrc.curve[0].misses[m], size, want);
	}
	CHECK(lines > 500);
	fclose(f);
	trc_sink_close(sink);
	trc_source_close(src);
	trc_mrc_release(&mrc);
}

static void
curves_are_those_published(void)
{
	for (size_t i = 0; i < TRC_COUNT(published); i++) {
		uint32_t *page = read_pages(&published[i]);

		check_whole(&published[i], page);
		for (size_t k = 0; k < LIMITS; k += test_step_most(2))
			check_reduced(&published[i], page, limit[k], published[i].factor[k]);
		free(page);
	}
}

int
main(int argc, char **argv)
{
	shared_start("corpus", argc, argv);
	if (access(shared_path(published[0].trace), R_OK) != 0)
		SKIP("the published traces are not there; TRC_SHARED names their folder");
#ifndef TRC_WITH_BZ2
	SKIP("the published traces are packed with bz2, and this trc was built without it");
#endif
	RUN(curves_are_those_published);
	return 0;
}
