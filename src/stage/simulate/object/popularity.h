/* SPDX-License-Identifier: MIT
 *
 * How often objects are requested, and their sizes: the first look at a trace of requests.
 */
#ifndef TRC_STAGE_SIMULATE_OBJECT_POPULARITY_H
#define TRC_STAGE_SIMULATE_OBJECT_POPULARITY_H

#include "batch/counts.h"
#include "stage/simulate/object/object_caches.h"

enum { TRC_DECILES = 9, TRC_PERIODS_MOST = 1 << 20 };

/* The requests in a period of time. Requests whose times run backwards belong to the current
 * period. */
struct trc_period {
	uint64_t begin, requests[2], deletes, bytes;
	uint64_t objects, object_bytes;  /* distinct objects and their bytes: the working set */
	uint64_t new_objects, new_bytes; /* objects that were never requested before */
};

struct trc_popularity {
	uint32_t have;            /* columns of the trace */
	uint64_t second;          /* in its times; 0: unknown. Set by who prints it. */
	struct trc_counts counts; /* of all rows; trc_popularity_counts_sink() */
	struct trc_object_totals totals;
	uint64_t *requests; /* for each requested object, in decreasing order */
	size_t n;
	uint64_t once;                /* objects that are requested once */
	uint64_t decile[TRC_DECILES]; /* of the sizes of objects, each as of its last request */

	/* Zipf's law: the object of rank r has about c r^-slope requests. Fitted by least squares
	 * of the logarithms, where rank r weighs 1/r, so that each power of ten weighs the same;
	 * `fit` is R^2. Both are 0 with fewer than 3 objects. */
	double slope, fit;
	uint64_t first_time, last_time; /* lowest and highest; equal if there are none */

	struct trc_period *period; /* periods with requests, if there are periods */
	size_t periods, room;
};

/* Makes a sink for rows with the columns `have`, which include addresses; sizes may be missing.
 * *popularity must outlive it, and is complete after finish; release it in any case. Periods have
 * the length `every`; 0: no periods. A slice has none. */
struct trc_sink *trc_popularity_sink(struct trc_popularity *popularity, uint32_t have,
                                     uint64_t every, struct trc_err *err) TRC_MUST_USE;

/* The same without periods, which also counts all rows, with pages of 2^page_bits bytes. */
struct trc_sink *trc_popularity_counts_sink(struct trc_popularity *popularity, uint32_t have,
                                            unsigned page_bits, struct trc_err *err) TRC_MUST_USE;
void trc_popularity_release(void *popularity);

#endif
