/* SPDX-License-Identifier: MIT
 *
 * Clusters of points by k-means, and how many there should be.
 *
 * Centers are moved to the mean of the points that are nearest to them until nothing changes (S. P.
 * Lloyd, IEEE Transactions on Information Theory 28(2), 1982), from centers that are drawn among
 * the points, the further away the likelier (k-means++; D. Arthur, S. Vassilvitskii, SODA 2007).
 * The best of several starts counts.
 *
 * How many clusters: each number k from 1 on has a Bayesian information criterion, the likelihood
 * of the points under a spherical Gaussian for each cluster, less what its parameters cost (D.
 * Pelleg, A. Moore, "X-means", ICML 2000). The least k is taken whose criterion is at least 90 % of
 * the way from the lowest to the highest (G. Hamerly, E. Perelman, J. Lau, B. Calder, "SimPoint
 * 3.0: faster and more flexible program phase analysis", JILP 7, 2005).
 *
 * Points count by their weights. What comes out depends on them and on the seed alone.
 */
#ifndef TRC_STAGE_PHASE_CLUSTERS_H
#define TRC_STAGE_PHASE_CLUSTERS_H

#include "base/base.h"
#include "stage/phase/points.h"

struct trc_clusters {
	size_t k;                       /* clusters, none of them empty */
	uint32_t *label;                /* of each point: its cluster */
	struct trc_phase_point *center; /* its weight is that of all points of the cluster */
	double distortion; /* mean of the squared distances of points to their centers */

	double *far; /* private: the square of how far each point is from its center */
};

/* Room for clusters of n > 0 points, at most k. Release what init left, also when it failed. */
int trc_clusters_init(struct trc_clusters *c, size_t n, size_t k, struct trc_err *err) TRC_MUST_USE;
void trc_clusters_release(struct trc_clusters *c);

/* Draws c->k centers among the points; fewer, if there are not so many different ones. */
void trc_clusters_draw(struct trc_clusters *c, const struct trc_phase_point *p, size_t n,
                       uint64_t *state);

/* Gives each point to the center that is nearest, whence c->distortion, and then moves the centers;
 * one without points stays. True if a point changed its cluster. */
bool trc_clusters_step(struct trc_clusters *c, const struct trc_phase_point *p, size_t n);

/* The criterion: the higher, the better. */
double trc_clusters_bic(const struct trc_clusters *c, size_t n);

/* Of the criteria for 1, 2, ..., n > 0 clusters: the number of clusters to take. */
size_t trc_clusters_enough(const double *bic, size_t n);

/* Finds the best clusters of n > 0 points, at most `most` > 0 of them. They are in order of their
 * nearest points, of which nearest[] gets the numbers, and has room for `most`. */
int trc_clusters_find(struct trc_clusters *c, const struct trc_phase_point *p, size_t n,
                      size_t most, uint64_t seed, uint32_t *nearest,
                      struct trc_err *err) TRC_MUST_USE;

#endif
