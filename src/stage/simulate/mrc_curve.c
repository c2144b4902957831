/* SPDX-License-Identifier: MIT
 *
 * Reads finished miss curves.
 */
#include <stdlib.h>

#include "stage/simulate/mrc.h"

/* Returns the last step at or before `m`. */
static const struct trc_mrc_step *
step_of(const struct trc_mrc_curve *curve, uint64_t m)
{
	size_t low = 0, high = curve->steps;

	while (high - low > 1) {
		const size_t middle = low + (high - low) / 2;

		if (curve->step[middle].from <= m)
			low = middle;
		else
			high = middle;
	}
	return &curve->step[low];
}

uint64_t
trc_mrc_misses(const struct trc_mrc_curve *curve, uint64_t m)
{
	return curve->step ? step_of(curve, m)->misses : curve->misses[m];
}

uint64_t
trc_mrc_touches(const struct trc_mrc_curve *curve)
{
	return trc_mrc_misses(curve, 0) + curve->pages - curve->warm;
}

uint64_t
trc_mrc_writebacks(const struct trc_mrc_curve *curve, uint64_t m)
{
	const struct trc_mrc_step *s;

	if (curve->through)
		return curve->written;
	if (!curve->step)
		return curve->writebacks[m];
	s = step_of(curve, m);
	return s->writebacks + s->slope * (m - s->from);
}

uint64_t
trc_mrc_missed_requests(const struct trc_mrc_curve *curve, uint64_t m)
{
	if (curve->step)
		return step_of(curve, m)->missed_requests;
	return curve->missed_requests ? curve->missed_requests[m] : 0;
}

uint64_t
trc_mrc_missed_bytes(const struct trc_mrc_curve *curve, uint64_t m)
{
	if (curve->step)
		return step_of(curve, m)->missed_bytes;
	return curve->missed_bytes ? curve->missed_bytes[m] : 0;
}

void
trc_mrc_curve_release(struct trc_mrc_curve *curve)
{
	free(curve->misses);
	free(curve->writebacks);
	free(curve->step);
	free(curve->missed_requests);
	free(curve->missed_bytes);
	trc_replicates_close(curve->groups);
}

void
trc_mrc_release(void *of)
{
	struct trc_mrc *mrc = of;

	for (size_t i = 0; i < mrc->n; i++)
		trc_mrc_curve_release(&mrc->curve[i]);
	free(mrc->curve);
	*mrc = (struct trc_mrc){ 0 };
}
