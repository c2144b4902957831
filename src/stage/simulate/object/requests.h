/* SPDX-License-Identifier: MIT
 *
 * Rows as requests to objects, which have numbers: what all who simulate caches of objects take.
 */
#ifndef TRC_STAGE_SIMULATE_OBJECT_REQUESTS_H
#define TRC_STAGE_SIMULATE_OBJECT_REQUESTS_H

#include "base/state.h"
#include "batch/flow.h"
#include "stage/simulate/object/names.h"
#include "stage/simulate/object/object_caches.h"

enum { TRC_REQUESTS_MOST = 1024 };

enum trc_request_kind { TRC_REQUEST_READ, TRC_REQUEST_WRITE, TRC_REQUEST_DELETE };

struct trc_request {
	uint64_t size, time; /* 0: the trace has none */
	uint32_t id;
	uint8_t kind;
	uint8_t group; /* of replicates, in a sample */
};

/* Zeroed memory may be released. */
struct trc_requests {
	struct trc_request request[TRC_REQUESTS_MOST]; /* those of the rows that were taken last */
	size_t n;
	struct trc_object_totals totals;

	struct trc_names objects; /* all that occur, asked for or deleted */
	uint32_t *size;           /* that each object was asked for with last; 0 if it was not */
	uint64_t *asked;          /* a bit for each: it was */
	size_t sizes, asks;       /* room */
	bool spaces, types;       /* columns that there are */

	/* Where objects are drawn, one in so many, by their hash: requests for others count in the
	 * totals, but for objects. 0: all are there. */
	uint64_t one_in, hash_most;
	uint64_t hash[TRC_REQUESTS_MOST]; /* of each of those that were taken */
	double squares;                   /* of the bytes of all requests */
};

int trc_requests_init(struct trc_requests *r, uint32_t have, struct trc_err *err) TRC_MUST_USE;
void trc_requests_release(struct trc_requests *r);

/* Takes some of the rows from *at on, and sets that behind them. All objects have numbers below
 * r->objects.n. */
int trc_requests_take(struct trc_requests *r, const struct trc_batch *b, size_t *at,
                      struct trc_err *err) TRC_MUST_USE;

/* Room for what is kept of all objects that have a number. */
int trc_requests_room(struct trc_requests *r, struct trc_err *err) TRC_MUST_USE;

/* Whether an object was asked for; and that it is, with so many bytes. */
static inline bool
trc_requests_asked(const struct trc_requests *r, uint32_t id)
{
	return r->asked[id / 64] >> id % 64 & 1;
}

static inline void
trc_requests_ask(struct trc_requests *r, uint32_t id, uint32_t size)
{
	r->asked[id / 64] |= UINT64_C(1) << id % 64;
	r->size[id] = size;
}

/* The totals of a part, but for its objects: those are counted when it is joined. */
void trc_object_totals_state(struct trc_object_totals *totals, struct trc_state *t);

/* Of a sample, at its end: the mean size of the object that a byte belongs to. */
double trc_requests_mean(const struct trc_requests *r);

/* The hash of trc_stage_sample(). */
uint64_t trc_requests_hash(uint32_t space, uint64_t name);

#endif
