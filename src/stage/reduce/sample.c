/* SPDX-License-Identifier: MIT
 *
 * Spatially hashed sampling, SHARDS (C. A. Waldspurger, N. Park, A. Garthwaite, I. Ahmad,
 * "Efficient MRC construction with SHARDS", FAST 2015): a hash of the name of a page decides
 * whether all or none of its references are kept. With one page in n, a memory of m pages behaves
 * approximately like one of m / n with the sample, and its misses are about n times as many. This
 * is an estimate, for any policy.
 *
 * The hash is XXH3 with the seed "sample" of the page and its space, 8 bytes little-endian each (of
 * the canonical page and 0). A page is kept if its hash is at most (2^64 - 1) / n. So samples of
 * several traces have the same pages, and a sample of a larger sample equals a sample of the trace.
 *
 * Pages are kept independently with probability p = 1 / n, so n times the pages of the sample
 * estimates the number of all pages, with the relative standard error sqrt((1 - p) / pages). The
 * error of misses is estimated with their curve: stage/simulate/replicates.h.
 */
#include <math.h>

#include "base/bytes.h"
#include "base/map_find.h"
#include "stage/stage.h"
#include "stage/wrap.h"

/* The stage. */
struct sample {
	struct trc_wrap wrap;
	uint64_t one_in;
	bool canonical;
	struct trc_sampled *sampled;
	uint32_t row[TRC_BATCH_ROWS];

	/* The page of the previous row. */
	bool any, last_kept, last_counted;
	uint64_t last_page;
	uint32_t last_space;

	struct trc_map map; /* pages of the sample */
};

static bool
is_kept(const struct sample *s, uint32_t space, uint64_t page)
{
	uint8_t name[16];

	trc_put_le64(name, page);
	trc_put_le64(name + 8, space);
	return XXH3_64bits_withSeed(name, sizeof(name), 0x656c706d6173) <= UINT64_MAX / s->one_in;
}

static int
count_page(struct sample *s, uint32_t space, uint64_t page, struct trc_err *err)
{
	if (trc_map_find(&s->map, space, page)->value != TRC_MAP_NONE)
		return 0;
	return trc_map_add(&s->map, space, page, 0, err);
}

/* Selects the rows of the sample. */
static int
choose(struct sample *s, size_t *n, struct trc_err *err)
{
	const struct trc_batch *in = &s->wrap.in;

	*n = 0;
	for (size_t i = 0; i < in->n; i++) {
		const uint32_t space = in->asid && !s->canonical ? in->asid[i] : 0;
		const uint64_t page = s->canonical ? in->cpn[i] : in->vpn[i];

		if (trc_batch_is_event(in, i)) {
			s->row[(*n)++] = (uint32_t)i;
			continue;
		}
		if (!s->any || page != s->last_page || space != s->last_space) {
			s->any = true;
			s->last_page = page;
			s->last_space = space;
			s->last_kept = is_kept(s, space, page);
			s->last_counted = false;
		}
		if (s->last_kept && !s->last_counted && in->type[i] != TRC_INVALIDATE) {
			s->last_counted = true;
			if (count_page(s, space, page, err))
				return -1;
		}
		s->row[*n] = (uint32_t)i;
		*n += s->last_kept;
	}
	return 0;
}

static void
estimate(struct sample *s)
{
	const double p = 1 / (double)s->one_in;

	s->sampled->pages = s->map.n;
	s->sampled->error = s->map.n ? sqrt((1 - p) / (double)s->map.n) : 1;
}

static enum trc_flow
sample_next(struct trc_source *src, struct trc_batch *b, struct trc_err *err)
{
	struct sample *s = (struct sample *)src;
	struct trc_wrap *w = &s->wrap;

	while (b->n == 0) {
		const enum trc_flow flow = trc_wrap_pull_for(w, b, err);
		size_t n;

		if (src->meta.guarantee.sample < s->one_in)
			src->meta.guarantee.sample = s->one_in;
		if (flow == TRC_FLOW_END)
			estimate(s);
		if (flow != TRC_FLOW_ROWS)
			return flow;
		if (choose(s, &n, err))
			return TRC_FLOW_FAILED;
		trc_batch_pick(b, &w->in, s->row, n);
	}
	return TRC_FLOW_ROWS;
}

static void
sample_close(struct trc_source *src)
{
	struct sample *s = (struct sample *)src;

	trc_map_release(&s->map);
	trc_wrap_close(src);
}

struct trc_source *
trc_stage_sample(struct trc_source *from, uint64_t one_in, bool canonical,
                 struct trc_sampled *sampled, struct trc_err *err)
{
	struct sample *s = trc_wrap_open(sizeof(*s), from, from->have, sample_next, err);

	if (!s)
		return NULL;
	s->one_in = one_in;
	s->canonical = canonical;
	s->sampled = sampled;
	s->wrap.src.close = sample_close;
	if (s->wrap.src.meta.guarantee.sample < one_in)
		s->wrap.src.meta.guarantee.sample = one_in;
	if (trc_map_init(&s->map, err))
		return trc_wrap_fail(&s->wrap.src);
	return &s->wrap.src;
}
