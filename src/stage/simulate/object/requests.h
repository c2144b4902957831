/* SPDX-License-Identifier: MIT
 *
 * Rows as requests to objects, which have numbers: what all who simulate caches of objects take.
 */
#ifndef TRC_STAGE_SIMULATE_OBJECT_REQUESTS_H
#define TRC_STAGE_SIMULATE_OBJECT_REQUESTS_H

#include "batch/flow.h"
#include "stage/simulate/object/object_caches.h"
#include "stage/simulate/pages.h"

enum { TRC_REQUESTS_MOST = 1024 };

enum trc_request_kind { TRC_REQUEST_READ, TRC_REQUEST_WRITE, TRC_REQUEST_DELETE };

struct trc_request {
	uint64_t size, time; /* 0: the trace has none */
	uint32_t id;
	uint8_t kind;
};

/* Zeroed memory may be released. */
struct trc_requests {
	struct trc_request request[TRC_REQUESTS_MOST]; /* those of the rows that were taken last */
	size_t n;
	struct trc_object_totals totals;

	struct trc_pages objects; /* all that occur, asked for or deleted */
	uint64_t *size;           /* 1 + that each object was asked for with last; 0: it was not */
	size_t sizes;
	bool spaces, types; /* columns that there are */
};

int trc_requests_init(struct trc_requests *r, uint32_t have, struct trc_err *err) TRC_MUST_USE;
void trc_requests_release(struct trc_requests *r);

/* Takes some of the rows from *at on, and sets that behind them. All objects have numbers below
 * r->objects.n. */
int trc_requests_take(struct trc_requests *r, const struct trc_batch *b, size_t *at,
                      struct trc_err *err) TRC_MUST_USE;

#endif
