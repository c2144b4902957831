/* SPDX-License-Identifier: MIT */
#include "stage/simulate/object/byte_ages.h"

#include <string.h>

/* Makes room for `n` ranges. There are many objects, and few have more than one or two, so room for
 * two is enough at first. */
static int
make_room(struct trc_byte_ages *a, uint32_t n, struct trc_err *err)
{
	size_t room = a->room ? a->room : 2;

	if (n <= a->room)
		return 0;
	if (trc_grow_more(&a->age, &room, n, sizeof(*a->age), err))
		return -1;
	a->room = (uint32_t)room;
	return 0;
}

/* Makes `distance` the beginning of the first range, with all ranges below in one. */
static int
cut(struct trc_byte_ages *a, uint64_t distance, struct trc_err *err)
{
	uint64_t until = a->until;
	uint32_t i = 0;

	if (make_room(a, a->n + 1, err))
		return -1;
	for (; i < a->n && a->age[i].from <= distance; i++)
		until = a->age[i].until;
	memmove(a->age + 1, a->age + i, (a->n - i) * sizeof(*a->age));
	a->n = a->n - i + 1;
	a->age[0] = (struct trc_byte_age){ distance, until };
	return 0;
}

int
trc_byte_ages_use(struct trc_byte_ages *a, const struct trc_byte_use *use, trc_byte_hit_fn *hit,
                  void *of, bool *over, struct trc_err *err)
{
	uint64_t last = use->until;
	uint32_t n = 0;

	*over = false;
	if (use->distance == 0)
		a->n = 0;
	else if (cut(a, use->distance, err))
		return -1;
	a->until = use->until;
	for (uint32_t k = 0; k < a->n; k++) {
		struct trc_byte_age age = a->age[k];

		*over = use->now > age.until;
		if (!*over)
			hit(of, age.from, k + 1 < a->n ? a->age[k + 1].from : UINT64_MAX);
		if (*over || use->write)
			age.until = use->until;
		if (age.until != last)
			a->age[n++] = age;
		last = age.until;
	}
	a->n = n;
	return 0;
}
