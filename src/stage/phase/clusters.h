/* SPDX-License-Identifier: MIT
 *
 * Clusters points by k-means, and chooses the number of clusters.
 *
 * Centers are moved to the mean of the points nearest to them until nothing changes (S. P. Lloyd,
 * IEEE Transactions on Information Theory 28(2), 1982). Initial centers are drawn from the points,
 * with a probability that grows with the distance from the other centers (k-means++; D. Arthur, S.
 * Vassilvitskii, SODA 2007). The best of several starts is used.
 *
 * To choose the number of clusters, each number k from 1 on is rated by the Bayesian information
 * criterion: the likelihood of the points under one spherical Gaussian per cluster, minus the cost
 * of its parameters (D. Pelleg, A. Moore, "X-means", ICML 2000). The smallest k is chosen whose
 * criterion is at least 90 % of the way from the lowest to the highest (G. Hamerly, E. Perelman, J.
 * Lau, B. Calder, "SimPoint 3.0: faster and more flexible program phase analysis", JILP 7, 2005).
 *
 * Points count by their weights. The result depends only on the points and the seed.
 */
#ifndef TRC_STAGE_PHASE_CLUSTERS_H
#define TRC_STAGE_PHASE_CLUSTERS_H

#include "base/base.h"
#include "stage/phase/points.h"

struct trc_clusters {
	size_t k;                       /* number of clusters, none of which is empty */
	uint32_t *label;                /* the cluster of each point */
	struct trc_phase_point *center; /* their weight is that of all points of the cluster */
	double distortion;              /* mean squared distance of points from their centers */

	double *far; /* private: squared distance of each point from its center */
};

/* Allocates room for at most k clusters of n > 0 points. Must be released even if it failed. */
int trc_clusters_init(struct trc_clusters *c, size_t n, size_t k, struct trc_err *err) TRC_MUST_USE;
void trc_clusters_release(struct trc_clusters *c);

/* Draws c->k centers from the points; fewer if there are fewer distinct points. */
void trc_clusters_draw(struct trc_clusters *c, const struct trc_phase_point *p, size_t n,
                       uint64_t *state);

/* Assigns each point to its nearest center, computes c->distortion, and moves the centers; a center
 * without points stays. Returns true if a point changed its cluster. */
bool trc_clusters_step(struct trc_clusters *c, const struct trc_phase_point *p, size_t n);

/* Returns the Bayesian information criterion; higher is better. */
double trc_clusters_bic(const struct trc_clusters *c, size_t n);

/* Returns the number of clusters to choose, given the criteria for 1, 2, ..., n > 0 clusters. */
size_t trc_clusters_enough(const double *bic, size_t n);

/* Finds the best clusters of n > 0 points, at most `most` > 0 of them. They are sorted by their
 * nearest points, whose numbers are stored in nearest[], which must have room for `most`. */
int trc_clusters_find(struct trc_clusters *c, const struct trc_phase_point *p, size_t n,
                      size_t most, uint64_t seed, uint32_t *nearest,
                      struct trc_err *err) TRC_MUST_USE;

#endif
