/* SPDX-License-Identifier: MIT
 *
 * Determines the sizes for which the curves of a reduced trace, or of a sample, are valid.
 */
#include <stdio.h>

#include "cmd/curve/curve.h"

/* Checks for overflows: a file may claim any numbers. */
static int
check_scale(const struct trc_curves *c, struct trc_err *err)
{
	for (size_t i = 0; i < c->mrc.n; i++) {
		const struct trc_mrc_curve *curve = &c->mrc.curve[i];

		/* The smallest size has the most misses, and write-backs do not exceed misses. */
		if (trc_mrc_misses(curve, curve->pages > 0) + curve->pages >
		    UINT64_MAX / 2 / c->sample)
			return trc_fail(err,
			                "the trace claims to be a sample of one page in %llu, "
			                "whose estimates exceed 64 bits",
			                (ull)c->sample);
	}
	if (c->from > UINT64_MAX / 2)
		return trc_fail(err,
		                "the trace claims to be reduced for %llu pages, more than a "
		                "memory can have",
		                (ull)c->from);
	return 0;
}

/* Sets the smallest size at which estimates have valid intervals. Curves with too few pages have
 * none, and are removed. */
static int
find_claims(struct trc_curves *c, uint64_t exact, bool quiet, struct trc_err *err)
{
	size_t n = 0;

	for (size_t i = 0; i < c->mrc.n; i++) {
		struct trc_mrc_curve *curve = &c->mrc.curve[i];
		const uint64_t least = curve->groups ? trc_replicates_least(curve->groups,
		                                                            c->sample, exact) :
		                                       UINT64_MAX;

		if (least == UINT64_MAX) {
			if (c->by_space && !quiet)
				fprintf(stderr,
				        "space %u is omitted: too few of its pages are in the "
				        "sample for an estimate\n",
				        (unsigned)curve->space);
			trc_mrc_curve_release(curve);
			continue;
		}
		c->from = least > c->from ? least : c->from;
		c->mrc.curve[n++] = *curve;
	}
	c->mrc.n = n;
	if (n == 0)
		return trc_fail(err,
		                "the sample has too few pages (one in %llu) for an estimate at "
		                "any size; take a larger sample",
		                (ull)c->sample);
	return 0;
}

int
trc_curves_take_meta(struct trc_curves *c, const struct trc_meta *meta, uint64_t refs, bool quiet,
                     struct trc_err *err)
{
	const struct trc_guarantee *p = &meta->guarantee;

	if (meta->page_bits) {
		c->bits = meta->page_bits;
		c->bytes = true;
	}
	c->sample = p->sample > 1 ? p->sample : 1;
	c->reduced = p->sad || c->sample > 1 || p->reduced & TRC_MERGED ||
	             (trc_meta_own_totals(meta) && meta->refs > refs);
	c->refs = trc_meta_own_totals(meta) ? meta->refs : 0;
	c->touches = c->refs ? meta->touches : 0;
	c->from = p->sad;
	if (p->reduced & TRC_BY_SPACE && !c->by_space)
		return trc_fail(err,
		                "the trace was reduced for separate memories of address spaces; "
		                "use --by-space");
	if (p->reduced & TRC_CANONICAL)
		return trc_fail(err,
		                "the trace was reduced over canonical pages, so it has no curve "
		                "of virtual pages");
	if (!p->sad && !(p->reduced & TRC_BELOW_CACHE) && (p->window || p->sets))
		return trc_fail(err, "the trace was not reduced for LRU memories, so it has no "
		                     "curve");
	if (check_scale(c, err))
		return -1;
	return c->sample > 1 ? find_claims(c, p->sad, quiet, err) : 0;
}
