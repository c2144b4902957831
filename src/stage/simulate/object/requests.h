/* SPDX-License-Identifier: MIT
 *
 * Converts rows to requests to numbered objects, for all simulations of object caches.
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
	uint64_t size, time; /* 0 if the trace has none */
	uint32_t id;
	uint8_t kind;
	uint8_t group; /* of replicates, in a sample */
};

/* The requests of a trace, in portions. A zeroed struct may be released. */
struct trc_requests {
	struct trc_request request[TRC_REQUESTS_MOST]; /* of the rows that were taken last */
	size_t n;
	struct trc_object_lives lives; /* may be set after init: */
	bool ones;                     /* likewise: the size of each request is 1 */
	bool stacked;                  /* likewise: a stack has the sizes, and counts `resized` */
	uint64_t until[TRC_REQUESTS_MOST]; /* when what comes in with each of those has expired:
	                                    * later than this; UINT64_MAX: never */
	struct trc_object_totals totals;

	struct trc_names objects; /* all that occurred, requested or deleted */
	uint32_t *size;           /* of the last request to each object, 0: none; if not stacked */
	uint64_t *asked;          /* a bit for each object: it was requested */
	size_t sizes, asks;       /* room */
	bool spaces, types;       /* the columns of the trace */

	/* One object in this many is sampled, by its hash: requests to others only count in the
	 * totals, except for objects. 0: all objects. */
	uint64_t one_in, hash_most;
	uint64_t hash[TRC_REQUESTS_MOST]; /* of the objects of the requests that were taken */
	double squares;                   /* sum of the squares of the sizes of all requests */
};

int trc_requests_init(struct trc_requests *r, uint32_t have, struct trc_err *err) TRC_MUST_USE;
void trc_requests_release(struct trc_requests *r);

/* Takes rows from *at on, as many as fit, and advances *at. All objects have numbers below
 * r->objects.n. */
int trc_requests_take(struct trc_requests *r, const struct trc_batch *b, size_t *at,
                      struct trc_err *err) TRC_MUST_USE;

/* Makes room for the data of all numbered objects. */
int trc_requests_room(struct trc_requests *r, struct trc_err *err) TRC_MUST_USE;

/* Return true if an object was requested; note that it is, with this size. */
static inline bool
trc_requests_asked(const struct trc_requests *r, uint32_t id)
{
	return r->asked[id / 64] >> id % 64 & 1;
}

static inline void
trc_requests_ask(struct trc_requests *r, uint32_t id, uint32_t size)
{
	r->asked[id / 64] |= UINT64_C(1) << id % 64;
	if (!r->stacked)
		r->size[id] = size;
}

/* Saves or restores the totals of a slice, except for its objects, which are counted when it is
 * joined. */
void trc_object_totals_state(struct trc_object_totals *totals, struct trc_state *t);

/* At the end of a sample, returns the mean size of the object that a byte belongs to. */
double trc_requests_mean(const struct trc_requests *r);

/* The hash of trc_stage_sample(). */
uint64_t trc_requests_hash(uint32_t space, uint64_t name);

#endif
