/* SPDX-License-Identifier: MIT
 *
 * Computes the points of miss curves, in the units in which they are shown.
 */
#include "cmd/curve/curve.h"

uint64_t
trc_curve_least(const struct trc_curves *c)
{
	return c->from > 1 ? c->from : 1;
}

uint64_t
trc_curve_most(const struct trc_curves *c, const struct trc_mrc_curve *curve)
{
	const uint64_t most = curve->pages * c->sample, least = trc_curve_least(c);

	return most > least ? most : least;
}

uint64_t
trc_curve_refs(const struct trc_curves *c, const struct trc_mrc_curve *curve)
{
	if (c->reads)
		return curve->refs * c->sample;
	return c->reduced ? c->by_space ? 0 : c->refs : curve->refs;
}

uint64_t
trc_curve_touches(const struct trc_curves *c, const struct trc_mrc_curve *curve)
{
	const uint64_t touches = trc_mrc_touches(curve);

	if (c->reads)
		return touches * c->sample;
	if (c->reduced && c->touches)
		return c->by_space ? 0 : c->touches;
	if (touches == curve->refs)
		return trc_curve_refs(c, curve);
	return c->reduced ? 0 : touches;
}

bool
trc_curves_wide(const struct trc_curves *c)
{
	bool wide = c->reduced && c->touches;

	for (size_t i = 0; i < c->mrc.n; i++)
		wide |= trc_mrc_touches(&c->mrc.curve[i]) != c->mrc.curve[i].refs;
	return wide;
}

struct trc_curve_point
trc_curve_at(const struct trc_curves *c, const struct trc_mrc_curve *curve, uint64_t pages)
{
	const uint64_t touches = trc_curve_touches(c, curve), size = pages / c->sample;
	const uint64_t m = size < curve->pages ? size : curve->pages;
	struct trc_curve_point p = { .pages = pages, .ratio = -1 };

	p.first = (curve->pages - curve->warm) * c->sample;
	p.misses = trc_mrc_misses(curve, m) * c->sample + (c->first ? p.first : 0);
	p.writebacks = trc_mrc_writebacks(curve, m) * c->sample;
	p.missed_requests = trc_mrc_missed_requests(curve, m);
	p.missed_bytes = trc_mrc_missed_bytes(curve, m);
	if (c->sample > 1)
		trc_replicates_at(curve->groups, c->sample, pages, c->first, &p.misses_in,
		                  &p.writebacks_in);
	if (c->bytes && pages <= UINT64_MAX >> c->bits)
		p.bytes = pages << c->bits;
	/* An estimate may exceed the number of touches. */
	if (touches)
		p.ratio = p.misses < touches ? (double)p.misses / (double)touches : 1;
	return p;
}

uint64_t *
trc_curve_sizes(const struct trc_curves *c, const struct trc_mrc_curve *curve, size_t *n,
                struct trc_err *err)
{
	enum { CHOICE_MOST = 2 * 64 + 2, ALL_MOST = 1 << 26 };
	const uint64_t least = trc_curve_least(c), most = trc_curve_most(c, curve);
	const uint64_t first = (least + c->sample - 1) / c->sample, last = most / c->sample;
	uint64_t *size;

	*n = 0;
	if (c->all && last + 1 - first > ALL_MOST) {
		trc_fail(err, "--all-sizes: there are %llu sizes; choose some with --sizes",
		         (ull)(last + 2 - first));
		return NULL;
	}
	size = trc_alloc(c->sizes ? c->sizes :
	                 c->all   ? (size_t)(last + 2 - first) :
	                            CHOICE_MOST,
	                 sizeof(*size), err);
	if (!size)
		return NULL;
	if (c->sizes) {
		for (; *n < c->sizes; ++*n)
			size[*n] = c->size[*n];
		return size;
	}
	if (c->all) {
		for (uint64_t m = first; m <= last; m++)
			size[(*n)++] = m * c->sample;
		return size;
	}
	size[(*n)++] = least;
	for (uint64_t m = 1; m < most && m; m *= 2) {
		if (m > least)
			size[(*n)++] = m;
		if (m > 1 && m + m / 2 > least && m + m / 2 < most)
			size[(*n)++] = m + m / 2;
	}
	if (most > least)
		size[(*n)++] = most;
	return size;
}
