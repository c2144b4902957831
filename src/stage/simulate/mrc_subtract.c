/* SPDX-License-Identifier: MIT
 *
 * Miss curves after a warm-up: the curves of all records less those of the first records.
 */
#include <stdlib.h>

#include "base/numbers.h"
#include "stage/simulate/mrc.h"

/* Returns the counts of a memory of `m` pages for the first records. If it holds all their pages,
 * it only fetched them. */
static struct trc_mrc_step
step_at(const struct trc_mrc_curve *c, uint64_t m)
{
	const uint64_t size = m < c->pages ? m : c->pages;
	struct trc_mrc_step at = { .from = m };

	if (c->pages == 0)
		return at;
	at.misses = trc_mrc_misses(c, size);
	at.writebacks = trc_mrc_writebacks(c, size);
	at.missed_requests = trc_mrc_missed_requests(c, size);
	at.missed_bytes = trc_mrc_missed_bytes(c, size);
	for (size_t i = 0; m < c->pages && i < c->steps && c->step[i].from <= m; i++)
		at.slope = c->step[i].slope;
	return at;
}

/* Returns a new array of the sizes at which either curve has a step, each once. */
static uint64_t *
sizes_of(const struct trc_mrc_curve *c, const struct trc_mrc_curve *before, size_t *n,
         struct trc_err *err)
{
	const size_t most = c->steps + before->steps + (before->step ? 0 : before->pages) + 2;
	uint64_t *size = trc_alloc(most, sizeof(*size), err);
	size_t k = 0;

	if (!size)
		return NULL;
	for (size_t i = 0; i < c->steps; i++)
		size[k++] = c->step[i].from;
	for (size_t i = 0; i < before->steps; i++)
		size[k++] = before->step[i].from;
	for (uint64_t m = 0; !before->step && m < before->pages; m++)
		size[k++] = m;
	size[k++] = before->pages;
	*n = trc_numbers_distinct(size, k);
	return size;
}

/* Subtracts curves that consist of steps, at the sizes of both. */
static int
steps_behind(struct trc_mrc_curve *c, const struct trc_mrc_curve *before, struct trc_err *err)
{
	struct trc_mrc_step *step;
	uint64_t *size;
	size_t n, at = 0;

	size = sizes_of(c, before, &n, err);
	step = size ? trc_alloc(n, sizeof(*step), err) : NULL;
	for (size_t i = 0; step && i < n; i++) {
		const struct trc_mrc_step less = step_at(before, size[i]);

		while (at + 1 < c->steps && c->step[at + 1].from <= size[i])
			at++;
		step[i] = (struct trc_mrc_step){
			.from = size[i],
			.misses = c->step[at].misses - less.misses,
			.writebacks = trc_mrc_writebacks(c, size[i]) - less.writebacks,
			.slope = c->step[at].slope - less.slope,
			.missed_requests = c->step[at].missed_requests - less.missed_requests,
			.missed_bytes = c->step[at].missed_bytes - less.missed_bytes,
		};
	}
	free(size);
	if (!step)
		return -1;
	free(c->step);
	c->step = step;
	c->steps = n;
	return 0;
}

static int
curve_behind(struct trc_mrc_curve *c, const struct trc_mrc_curve *before, struct trc_err *err)
{
	c->warm += before->pages - before->warm;
	c->refs -= before->refs;
	c->again -= before->again;
	c->written -= before->written;
	if (c->step)
		return steps_behind(c, before, err);
	for (uint64_t m = 0; m <= c->pages; m++) {
		const bool evicts = m <= before->pages;

		c->misses[m] -= evicts ? before->misses[m] : before->again;
		c->writebacks[m] -= evicts ? before->writebacks[m] : 0;
		if (c->missed_requests && before->pages) {
			c->missed_requests[m] -=
			        before->missed_requests[evicts ? m : before->pages];
			c->missed_bytes[m] -= before->missed_bytes[evicts ? m : before->pages];
		}
	}
	return 0;
}

int
trc_mrc_subtract(void *all, void *first, struct trc_err *err)
{
	const struct trc_mrc *before = first;
	struct trc_mrc *mrc = all;

	for (size_t i = 0; i < before->n; i++)
		for (size_t k = 0; k < mrc->n; k++)
			if (mrc->curve[k].space == before->curve[i].space &&
			    curve_behind(&mrc->curve[k], &before->curve[i], err))
				return -1;
	return 0;
}
