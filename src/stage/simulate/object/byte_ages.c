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
	struct trc_byte_age first = { distance, a->until, a->until };
	uint32_t i = 0;

	if (make_room(a, a->n + 1, err))
		return -1;
	for (; i < a->n && a->age[i].from <= distance; i++)
		first = a->age[i];
	first.from = distance;
	memmove(a->age + 1, a->age + i, (a->n - i) * sizeof(*a->age));
	a->n = a->n - i + 1;
	a->age[0] = first;
	return 0;
}

/* Makes `distance`, which is in some range, the beginning of a range. */
static int
cut_within(struct trc_byte_ages *a, uint64_t distance, struct trc_err *err)
{
	uint32_t i = a->n;

	while (a->age[i - 1].from > distance)
		i--;
	if (a->age[i - 1].from == distance)
		return 0;
	if (make_room(a, a->n + 1, err))
		return -1;
	memmove(a->age + i + 1, a->age + i, (a->n - i) * sizeof(*a->age));
	a->age[i] = a->age[i - 1];
	a->age[i].from = distance;
	a->n++;
	return 0;
}

/* Updates a range. Returns false if its copies had expired. */
static bool
renew(struct trc_byte_age *age, const struct trc_byte_use *use, bool *sure)
{
	const bool there = use->now <= age->until;

	*sure = use->sure && age->from >= use->sure && use->now <= age->sure;
	if (!there || use->write) {
		age->until = age->sure = use->until;
	} else if (!*sure) {
		/* A copy that has expired, or was missing, is new now. */
		age->sure = age->sure > use->now ? age->sure : use->now;
		age->sure = age->sure < use->until ? age->sure : use->until;
		age->until = age->until > use->until ? age->until : use->until;
	}
	return there;
}

int
trc_byte_ages_use(struct trc_byte_ages *a, const struct trc_byte_use *use, trc_byte_hit_fn *hit,
                  void *of, bool *over, struct trc_err *err)
{
	struct trc_byte_age last = { 0, use->until, use->until };
	uint32_t n = 0;

	*over = false;
	if (use->distance == 0)
		a->n = 0;
	else if (cut(a, use->distance, err) ||
	         (use->sure > use->distance && cut_within(a, use->sure, err)))
		return -1;
	a->until = use->until;
	for (uint32_t k = 0; k < a->n; k++) {
		const uint64_t to = k + 1 < a->n ? a->age[k + 1].from : UINT64_MAX;
		struct trc_byte_age age = a->age[k];
		bool sure;

		*over = !renew(&age, use, &sure);
		if (!*over)
			hit(of, age.from, to, sure);
		if (age.until != last.until || age.sure != last.sure)
			a->age[n++] = age;
		last = age;
	}
	a->n = n;
	return 0;
}
