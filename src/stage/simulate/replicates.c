/* SPDX-License-Identifier: MIT */
#include "stage/simulate/replicates.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/map_find.h"
#include "stage/simulate/buckets.h"

enum { GROUPS = TRC_REPLICATES };

static const double Z = TRC_REPLICATES_Z, ERROR_MOST = 0.3, SIZE_MOST = 4503599627370496.0;

void
trc_replicates_close(struct trc_replicates *r)
{
	if (r)
		free(r->bucket);
	free(r);
}

int
trc_replicates_room(struct trc_replicates *r, uint32_t most, struct trc_err *err)
{
	const size_t need = trc_bucket_of(most) + 1;

	if (need > r->cap && trc_grow(&r->bucket, &r->cap, need, sizeof(*r->bucket), err))
		return -1;
	for (; r->n < need; r->n++)
		r->bucket[r->n] = (struct trc_replicate_bucket){ { 0 }, { 0 } };
	return 0;
}

unsigned
trc_replicates_group(uint32_t space, uint64_t page)
{
	return (unsigned)(trc_map_hash(space, page) % GROUPS);
}

void
trc_replicates_add(struct trc_replicates *r, unsigned group, uint32_t d)
{
	if (d == 0)
		r->pages[group]++;
	else
		r->bucket[trc_bucket_of(d)].misses[group]++;
}

void
trc_replicates_again(struct trc_replicates *r, unsigned group)
{
	r->pages[group]--;
	r->again[group]++;
}

void
trc_replicates_write_back(struct trc_replicates *r, unsigned group, uint32_t from, uint32_t to)
{
	r->bucket[trc_bucket_of(from)].writebacks[group]++;
	r->bucket[trc_bucket_of(to)].writebacks[group]--;
}

/* A memory of a bucket's edge misses the references in later buckets. */
void
trc_replicates_finish(struct trc_replicates *r)
{
	uint64_t misses[GROUPS] = { 0 }, writebacks[GROUPS] = { 0 };

	memcpy(misses, r->again, sizeof(misses));
	for (size_t i = r->n; i-- > 0;)
		for (size_t g = 0; g < GROUPS; g++) {
			const uint64_t here = r->bucket[i].misses[g];

			r->bucket[i].misses[g] = misses[g];
			misses[g] += here;
		}
	for (size_t i = 0; i < r->n; i++)
		for (size_t g = 0; g < GROUPS; g++)
			r->bucket[i].writebacks[g] = writebacks[g] += r->bucket[i].writebacks[g];
}

struct trc_replicates_sum
trc_replicates_estimate(const uint64_t *group, const uint64_t *more, uint64_t one_in)
{
	const double left = 1 - 1 / (double)one_in;
	struct trc_replicates_sum e = { 0, 0 };
	double squares = 0;

	for (size_t g = 0; g < GROUPS; g++)
		e.sum += (double)group[g] + (more ? (double)more[g] : 0);
	for (size_t g = 0; g < GROUPS; g++) {
		const double d = (double)group[g] + (more ? (double)more[g] : 0) - e.sum / GROUPS;

		squares += d * d;
	}
	e.error = sqrt(left * squares * GROUPS / (GROUPS - 1));
	return e;
}

bool
trc_replicates_is_even(struct trc_replicates_sum e)
{
	return e.sum > 0 && e.error <= ERROR_MOST * e.sum;
}

/* Returns how far the pages of m that are in the sample may differ from m / one_in. */
static double
spread(double m, double one_in)
{
	return Z * sqrt(m / one_in * (1 - 1 / one_in)) + 0.5;
}

/* Returns s-, the lower bound for the pages of the sample among m pages of the trace; below 0:
 * there is none. size_above() returns s+. */
static double
size_below(double m, double one_in)
{
	return floor(m / one_in - spread(m, one_in));
}

static double
size_above(double m, double one_in)
{
	return ceil((m - 1) / one_in + spread(m, one_in)) + 1;
}

uint64_t
trc_replicates_least(const struct trc_replicates *r, uint64_t one_in, uint64_t exact)
{
	const double n = (double)one_in, z = Z * sqrt(1 - 1 / n);
	size_t i = r->n;
	double least, root, m;

	for (; i > 0; i--) {
		const struct trc_replicates_sum e = trc_replicates_estimate(r->bucket[i - 1].misses,
		                                                            r->pages, one_in);

		if (!trc_replicates_is_even(e))
			break;
	}
	if (i == r->n)
		return UINT64_MAX;
	least = (double)trc_bucket_edge_at(i);
	if (exact > 1 && (double)trc_bucket_edge(exact) > least)
		least = (double)trc_bucket_edge(exact);
	/* x = m / n solves x - z sqrt(x) - 1 / 2 = least. */
	root = (z + sqrt(z * z + 4 * least + 2)) / 2;
	m = ceil(root * root * n);
	if (m > SIZE_MOST)
		return UINT64_MAX;
	while (size_below(m, n) < least)
		m++;
	return (uint64_t)m;
}

uint64_t
trc_replicates_low(struct trc_replicates_sum e, uint64_t one_in)
{
	const double v = (double)one_in * (e.sum - Z * e.error);

	return v > 0 ? (uint64_t)floor(v) : 0;
}

uint64_t
trc_replicates_high(struct trc_replicates_sum e, uint64_t one_in)
{
	const double v = (double)one_in * (e.sum + Z * e.error);

	return v < (double)UINT64_MAX / 2 ? (uint64_t)ceil(v) : UINT64_MAX / 2;
}

/* Returns the interval of a part of the misses: at most all but `less`. */
static struct trc_replicates_interval
part_of(struct trc_replicates_interval misses, uint64_t less, struct trc_replicates_sum low,
        uint64_t one_in)
{
	const uint64_t high = misses.high > less ? misses.high - less : 0;
	const uint64_t least = trc_replicates_low(low, one_in);

	return (struct trc_replicates_interval){ least < high ? least : high, high };
}

void
trc_replicates_at(const struct trc_replicates *r, uint64_t one_in, uint64_t m, bool first,
                  struct trc_replicates_interval *misses,
                  struct trc_replicates_interval *writebacks)
{
	const double n = (double)one_in, last = (double)trc_bucket_edge_at(r->n - 1);
	const double below = size_below((double)m, n), above = size_above((double)m, n);
	const uint64_t small = below < last ? (uint64_t)below : (uint64_t)last;
	const uint64_t pages = trc_replicates_low(trc_replicates_estimate(r->pages, NULL, one_in),
	                                          one_in);
	const struct trc_replicate_bucket *low, *high;
	size_t i = trc_bucket_of(small);

	i -= i > 0 && trc_bucket_edge_at(i) > small;
	high = &r->bucket[i];
	low = &r->bucket[above < last ? trc_bucket_of((uint64_t)above) : r->n - 1];
	misses->low = trc_replicates_low(trc_replicates_estimate(low->misses, r->pages, one_in),
	                                 one_in);
	misses->high = trc_replicates_high(trc_replicates_estimate(high->misses, r->pages, one_in),
	                                   one_in);
	*writebacks = part_of(*misses, m < pages ? m : pages,
	                      trc_replicates_estimate(low->writebacks, NULL, one_in), one_in);
	if (!first)
		*misses = part_of(*misses, pages,
		                  trc_replicates_estimate(low->misses, NULL, one_in), one_in);
}
