/* SPDX-License-Identifier: MIT */
#include "stage/simulate/policy/holes.h"

#include <string.h>

uint32_t
trc_holes_position(const struct trc_holes *h, uint32_t rank)
{
	size_t above = 0, most = h->n;

	while (above < most) {
		const size_t k = above + (most - above) / 2;

		if (h->hole[h->n - 1 - k] - k <= rank)
			above = k + 1;
		else
			most = k;
	}
	return rank + (uint32_t)above;
}

/* Inserts a hole; there is room. */
static void
put(struct trc_holes *h, uint32_t position)
{
	size_t at = h->n++;

	for (; at > 0 && h->hole[at - 1] < position; at--)
		h->hole[at] = h->hole[at - 1];
	h->hole[at] = position;
}

int
trc_holes_put(struct trc_holes *h, uint32_t position, struct trc_err *err)
{
	if (trc_grow(&h->hole, &h->cap, h->n + 1, sizeof(*h->hole), err))
		return -1;
	put(h, position);
	return 0;
}

uint32_t
trc_holes_fill(struct trc_holes *h, uint32_t position)
{
	const uint32_t first = h->n ? h->hole[h->n - 1] : 0;

	if (!first || (position && position < first))
		return 0;
	h->n--;
	if (position)
		put(h, position);
	return first;
}
