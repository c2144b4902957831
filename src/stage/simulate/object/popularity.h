/* SPDX-License-Identifier: MIT
 *
 * How often objects are asked for, and how large they are: what is looked at first in a trace of
 * requests.
 */
#ifndef TRC_STAGE_SIMULATE_OBJECT_POPULARITY_H
#define TRC_STAGE_SIMULATE_OBJECT_POPULARITY_H

#include "stage/simulate/object/object_caches.h"

enum { TRC_DECILES = 9, TRC_PERIODS_MOST = 1 << 20 };

/* What was asked for in some time. Times that run backwards are those of the requests before. */
struct trc_period {
	uint64_t begin, requests[2], deletes, bytes;
	uint64_t objects, object_bytes;  /* different ones: the working set */
	uint64_t new_objects, new_bytes; /* that were never asked for before */
};

struct trc_popularity {
	struct trc_object_totals totals;
	uint64_t *requests; /* for each object that is asked for, those with most first */
	size_t n;
	uint64_t once;                /* objects that are asked for once */
	uint64_t decile[TRC_DECILES]; /* of the sizes of objects, each as it was last asked for */

	/* Zipf's law: the object of rank r has about as many requests as r^-slope times a constant.
	 * Least squares of the logarithms, where ranks weigh 1/r, so that each power of ten weighs
	 * as much; `fit` is R^2. Both are 0 for less than 3 objects. */
	double slope, fit;
	uint64_t first_time, last_time; /* lowest and highest; equal where there are none */

	struct trc_period *period; /* those that have requests, if they were asked for */
	size_t periods, room;
};

/* A sink for rows of the columns `have`, addresses among them; sizes may be missing. *popularity,
 * which must outlive it, is complete when it has finished; release it in any case. Periods are
 * `every` long, a part of a trace has none; 0: there are none. */
struct trc_sink *trc_popularity_sink(struct trc_popularity *popularity, uint32_t have,
                                     uint64_t every, struct trc_err *err) TRC_MUST_USE;
void trc_popularity_release(void *popularity);

#endif
