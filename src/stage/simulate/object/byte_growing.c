/* SPDX-License-Identifier: MIT */
#include "stage/simulate/object/byte_growing.h"

#include <stdlib.h>

int
trc_byte_buckets_room(struct trc_byte_buckets *c, uint64_t distance, struct trc_err *err)
{
	const size_t i = trc_bucket_of(distance);

	if (i < c->n)
		return 0;
	if (trc_grow_zeros(&c->bucket, &c->room, i + 1, sizeof(*c->bucket), err))
		return -1;
	c->n = i + 1;
	return 0;
}

void
trc_byte_side_release(struct trc_byte_side *s)
{
	for (size_t k = 0; k < s->aged; k++)
		free(s->ages[k].age);
	trc_byte_stack_release(&s->stack);
	free(s->ages);
	free(s->object);
	free(s->holes.hole);
}
