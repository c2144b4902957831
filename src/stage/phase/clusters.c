/* SPDX-License-Identifier: MIT */
#include "stage/phase/clusters.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/interrupt.h"

enum { STARTS = 5, STEPS_MOST = 100 };

/* The variance of points that count as equal: less than one instruction in ten thousand is in
 * another block. Without a minimum, clusters of equal points would have an infinite likelihood. */
#define LEAST_VARIANCE 1e-8

int
trc_clusters_init(struct trc_clusters *c, size_t n, size_t k, struct trc_err *err)
{
	*c = (struct trc_clusters){ .k = k };
	c->label = trc_alloc(n, sizeof(*c->label), err);
	c->far = c->label ? trc_alloc(n, sizeof(*c->far), err) : NULL;
	c->center = c->far ? trc_alloc(k, sizeof(*c->center), err) : NULL;
	return c->center ? 0 : -1;
}

void
trc_clusters_release(struct trc_clusters *c)
{
	free(c->label);
	free(c->far);
	free(c->center);
	*c = (struct trc_clusters){ 0 };
}

/* ---- a given number of clusters ---- */

/* Returns the center nearest to a point, the first of equal ones. */
static size_t
nearest_of(const struct trc_clusters *c, const struct trc_phase_point *p, double *distance2)
{
	size_t best = 0;

	*distance2 = trc_phase_point_distance2(p, &c->center[0]);
	for (size_t i = 1; i < c->k; i++) {
		const double d = trc_phase_point_distance2(p, &c->center[i]);

		if (d < *distance2) {
			*distance2 = d;
			best = i;
		}
	}
	return best;
}

/* Draws a point with a probability proportional to its weight times c->far. Returns false if all
 * points are centers. */
static bool
draw_one(const struct trc_clusters *c, const struct trc_phase_point *p, size_t n, uint64_t *state,
         size_t *drawn)
{
	double sum = 0, upto;

	for (size_t i = 0; i < n; i++)
		sum += c->far[i] * p[i].weight;
	if (!(sum > 0))
		return false;
	upto = trc_phase_point_chance(state) * sum;
	for (size_t i = 0; i < n; i++) {
		if (!(c->far[i] * p[i].weight > 0))
			continue;
		*drawn = i;
		upto -= c->far[i] * p[i].weight;
		if (upto < 0)
			break;
	}
	return true;
}

void
trc_clusters_draw(struct trc_clusters *c, const struct trc_phase_point *p, size_t n,
                  uint64_t *state)
{
	const size_t wanted = c->k;
	size_t drawn = 0;

	for (size_t i = 0; i < n; i++)
		c->far[i] = 1;
	for (c->k = 0; c->k < wanted && draw_one(c, p, n, state, &drawn); c->k++) {
		c->center[c->k] = p[drawn];
		for (size_t i = 0; i < n; i++) {
			const double d = trc_phase_point_distance2(&p[i], &p[drawn]);

			if (c->k == 0 || d < c->far[i])
				c->far[i] = d;
		}
	}
	memset(c->label, 0xff, n * sizeof(*c->label));
}

/* Moves each center to the mean of its points. */
static void
move(struct trc_clusters *c, const struct trc_phase_point *p, size_t n)
{
	for (size_t i = 0; i < c->k; i++)
		c->center[i].weight = 0;
	for (size_t i = 0; i < n; i++) {
		struct trc_phase_point *to = &c->center[c->label[i]];

		if (to->weight == 0)
			memset(to->at, 0, sizeof(to->at));
		to->weight += p[i].weight;
		for (size_t d = 0; d < TRC_PHASE_ROOM; d++)
			to->at[d] += p[i].at[d] * p[i].weight;
	}
	for (size_t i = 0; i < c->k; i++)
		for (size_t d = 0; c->center[i].weight > 0 && d < TRC_PHASE_ROOM; d++)
			c->center[i].at[d] /= c->center[i].weight;
}

bool
trc_clusters_step(struct trc_clusters *c, const struct trc_phase_point *p, size_t n)
{
	double sum = 0, weight = 0;
	bool changed = false;

	for (size_t i = 0; i < n; i++) {
		double d;
		const uint32_t label = (uint32_t)nearest_of(c, &p[i], &d);

		changed |= label != c->label[i];
		c->label[i] = label;
		sum += d * p[i].weight;
		weight += p[i].weight;
	}
	c->distortion = sum / weight;
	move(c, p, n);
	return changed;
}

/* Removes clusters without points. */
static void
drop_empty(struct trc_clusters *c, size_t n)
{
	size_t kept = 0;

	for (size_t i = 0; i < c->k; i++) {
		if (c->center[i].weight == 0)
			continue;
		for (size_t k = 0; k < n; k++)
			if (c->label[k] == i)
				c->label[k] = (uint32_t)kept;
		c->center[kept++] = c->center[i];
	}
	c->k = kept;
}

static void
copy(struct trc_clusters *to, const struct trc_clusters *from, size_t n)
{
	to->k = from->k;
	to->distortion = from->distortion;
	memcpy(to->label, from->label, n * sizeof(*to->label));
	memcpy(to->center, from->center, from->k * sizeof(*to->center));
}

/* Finds the best of several starts for `k` clusters. */
static int
best_of_starts(struct trc_clusters *best, struct trc_clusters *tried,
               const struct trc_phase_point *p, size_t n, size_t k, uint64_t *state,
               struct trc_err *err)
{
	for (int start = 0; start < STARTS; start++) {
		tried->k = k;
		trc_clusters_draw(tried, p, n, state);
		for (int i = 0; i < STEPS_MOST && trc_clusters_step(tried, p, n); i++)
			if (trc_interrupted(err))
				return -1;
		drop_empty(tried, n);
		if (start == 0 || tried->distortion < best->distortion)
			copy(best, tried, n);
	}
	return 0;
}

/* ---- the number of clusters ---- */

double
trc_clusters_bic(const struct trc_clusters *c, size_t n)
{
	const double k = (double)c->k, points = (double)n, dims = TRC_PHASE_DIMS;
	const double pi = 3.14159265358979323846, free_points = points - k;
	double variance = free_points > 0 ? c->distortion * points / (dims * free_points) : 0;
	double all = 0, likelihood = 0;

	if (!(variance > LEAST_VARIANCE))
		variance = LEAST_VARIANCE;
	for (size_t i = 0; i < c->k; i++)
		all += c->center[i].weight;
	for (size_t i = 0; i < c->k; i++) {
		const double share = c->center[i].weight / all;

		likelihood += points * share * log(share);
	}
	likelihood -= points * dims / 2 * log(2 * pi * variance);
	likelihood -= c->distortion * points / (2 * variance);
	return likelihood - ((k - 1) + k * dims + 1) / 2 * log(points);
}

size_t
trc_clusters_enough(const double *bic, size_t n)
{
	double low = bic[0], high = bic[0];
	size_t k;

	for (size_t i = 1; i < n; i++) {
		low = bic[i] < low ? bic[i] : low;
		high = bic[i] > high ? bic[i] : high;
	}
	for (k = 1; k < n && bic[k - 1] < low + 0.9 * (high - low); k++)
		;
	return k;
}

/* ---- representatives ---- */

/* Finds the point nearest to the center of each cluster, the first of equal ones. */
static void
find_nearest(const struct trc_clusters *c, const struct trc_phase_point *p, size_t n,
             uint32_t *nearest)
{
	for (size_t k = 0; k < c->k; k++) {
		double least = -1;

		for (size_t i = 0; i < n; i++) {
			double d;

			if (c->label[i] != k)
				continue;
			d = trc_phase_point_distance2(&p[i], &c->center[k]);
			if (least < 0 || d < least) {
				least = d;
				nearest[k] = (uint32_t)i;
			}
		}
	}
}

/* Sorts the clusters in order of their nearest points. */
static void
sort(struct trc_clusters *c, size_t n, uint32_t *nearest)
{
	for (size_t i = 0; i < c->k; i++) {
		struct trc_phase_point center;
		size_t least = i;
		uint32_t first;

		for (size_t k = i + 1; k < c->k; k++)
			if (nearest[k] < nearest[least])
				least = k;
		first = nearest[least];
		center = c->center[least];
		nearest[least] = nearest[i];
		c->center[least] = c->center[i];
		nearest[i] = first;
		c->center[i] = center;
		for (size_t k = 0; k < n; k++)
			if (c->label[k] == i || c->label[k] == least)
				c->label[k] = (uint32_t)(c->label[k] == i ? least : i);
	}
}

/* Finds clusters for each number of clusters up to `most`, and leaves the best in *best. */
static int
find_all(struct trc_clusters *best, struct trc_clusters *tried, double *bic,
         const struct trc_phase_point *p, size_t n, size_t most, uint64_t seed, struct trc_err *err)
{
	size_t enough;

	for (size_t k = 1; k <= most; k++) {
		uint64_t state = seed ^ (uint64_t)k << 32;

		if (best_of_starts(best, tried, p, n, k, &state, err))
			return -1;
		bic[k - 1] = trc_clusters_bic(best, n);
	}
	enough = trc_clusters_enough(bic, most);
	if (enough < most) {
		uint64_t state = seed ^ (uint64_t)enough << 32;

		return best_of_starts(best, tried, p, n, enough, &state, err);
	}
	return 0;
}

int
trc_clusters_find(struct trc_clusters *c, const struct trc_phase_point *p, size_t n, size_t most,
                  uint64_t seed, uint32_t *nearest, struct trc_err *err)
{
	struct trc_clusters tried = { 0 };
	double *bic = NULL;
	int ret = -1;

	most = most < n ? most : n;
	if (trc_clusters_init(c, n, most, err) == 0 &&
	    trc_clusters_init(&tried, n, most, err) == 0 &&
	    (bic = trc_alloc(most, sizeof(*bic), err)) &&
	    find_all(c, &tried, bic, p, n, most, seed, err) == 0) {
		find_nearest(c, p, n, nearest);
		sort(c, n, nearest);
		ret = 0;
	}
	trc_clusters_release(&tried);
	free(bic);
	return ret;
}
