/* SPDX-License-Identifier: MIT */
#include "stage/simulate/object/byte_ages.h"

#include <string.h>

/* Makes `distance` the beginning of a range, and merges all ranges below it. */
static int
cut(struct trc_byte_ages *a, uint64_t distance, struct trc_err *err)
{
	size_t i = 0;

	while (i + 1 < a->n && a->age[i + 1].from <= distance)
		i++;
	if (trc_grow(&a->age, &a->room, a->n - i + 1, sizeof(*a->age), err))
		return -1;
	memmove(a->age + 1, a->age + i, (a->n - i) * sizeof(*a->age));
	a->n = a->n - i + 1;
	a->age[1].from = distance;
	return 0;
}

int
trc_byte_ages_use(struct trc_byte_ages *a, const struct trc_byte_use *use, trc_byte_hit_fn *hit,
                  void *of, bool *over, struct trc_err *err)
{
	size_t n = 1;

	*over = false;
	if (use->distance == 0)
		a->n = 1;
	if (use->distance ? cut(a, use->distance, err) :
	                    trc_grow(&a->age, &a->room, 1, sizeof(*a->age), err))
		return -1;
	a->age[0] = (struct trc_byte_age){ 0, use->until };
	for (size_t k = 1; k < a->n; k++) {
		struct trc_byte_age age = a->age[k];

		*over = use->now > age.until;
		if (!*over)
			hit(of, age.from, k + 1 < a->n ? a->age[k + 1].from : UINT64_MAX);
		if (*over || use->write)
			age.until = use->until;
		if (age.until != a->age[n - 1].until)
			a->age[n++] = age;
	}
	a->n = n;
	return 0;
}
