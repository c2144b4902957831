/* SPDX-License-Identifier: MIT */
#include "stage/space/ranges.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

void
trc_ranges_release(struct trc_ranges *r)
{
	free(r->range);
	*r = (struct trc_ranges){ 0 };
}

size_t
trc_ranges_at(const struct trc_ranges *r, uint64_t page)
{
	size_t low = 0, high = r->n;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (r->range[middle].last < page)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

const struct trc_range *
trc_ranges_find(const struct trc_ranges *r, uint64_t page)
{
	const size_t at = trc_ranges_at(r, page);

	return at < r->n && r->range[at].first <= page ? &r->range[at] : NULL;
}

/* Replaces `old` ranges at `at` by room for `now` ranges. */
static int
replace(struct trc_ranges *r, size_t at, size_t old, size_t now, struct trc_err *err)
{
	if (trc_grow(&r->range, &r->cap, r->n + now, sizeof(*r->range), err))
		return -1;
	memmove(r->range + at + now, r->range + at + old, (r->n - at - old) * sizeof(*r->range));
	r->n += now;
	r->n -= old;
	return 0;
}

static struct trc_range
from_page(struct trc_range range, uint64_t first)
{
	range.index += first - range.first;
	range.first = first;
	return range;
}

int
trc_ranges_cut(struct trc_ranges *r, uint64_t first, uint64_t last, struct trc_err *err)
{
	const size_t at = trc_ranges_at(r, first);
	struct trc_range left[2];
	size_t old = 0, now = 0;

	while (at + old < r->n && r->range[at + old].first <= last) {
		const struct trc_range *x = &r->range[at + old++];

		if (x->first < first) {
			left[now] = *x;
			left[now++].last = first - 1;
		}
		if (x->last > last)
			left[now++] = from_page(*x, last + 1);
	}
	if (old == 0)
		return 0;
	if (replace(r, at, old, now, err))
		return -1;
	memcpy(r->range + at, left, now * sizeof(*left));
	return 0;
}

/* Returns true if `b` continues where `a` ends. */
static bool
continues(const struct trc_range *a, const struct trc_range *b)
{
	return a->last + 1 == b->first && a->object == b->object &&
	       (a->object == 0 || a->index + (b->first - a->first) == b->index);
}

int
trc_ranges_put(struct trc_ranges *r, struct trc_range range, struct trc_err *err)
{
	size_t at;

	if (trc_ranges_cut(r, range.first, range.last, err))
		return -1;
	at = trc_ranges_at(r, range.first);
	if (at > 0 && continues(&r->range[at - 1], &range)) {
		r->range[at - 1].last = range.last;
		return 0;
	}
	if (replace(r, at, 0, 1, err))
		return -1;
	r->range[at] = range;
	return 0;
}
