/* SPDX-License-Identifier: MIT
 *
 * A curve of capacities in bytes while it grows (byte_curve.h), and its state.
 *
 * A part of a trace knows the distances of all its requests but the first to each object. Of these
 * it keeps the bytes of the objects that were used in the part before: in the whole trace these are
 * above, and those of the parts before that lie above the object and were not used in this one. So
 * a join takes the objects of the later part out of the stack, in order of their first request, and
 * puts them on top, in order of their last.
 *
 * What a join adds to write-backs follows from the largest distance up to the first write in the
 * part, or the last request (`open`): that is how far down the object went before it was written
 * anew.
 */
#ifndef TRC_STAGE_SIMULATE_OBJECT_BYTE_GROWING_H
#define TRC_STAGE_SIMULATE_OBJECT_BYTE_GROWING_H

#include "stage/simulate/buckets.h"
#include "stage/simulate/object/byte_ages.h"
#include "stage/simulate/object/byte_curve.h"
#include "stage/simulate/object/byte_stack.h"
#include "stage/simulate/object/requests.h"

/* What is kept of an object. A level is 1 + the bucket of a capacity; 0: none. */
struct trc_byte_object {
	uint32_t written; /* bytes of its last write */
	uint16_t level;   /* caches from here on have it dirty */
	uint16_t open;    /* of a part: that of the largest distance before its first write */
};

/* The first request for an object in a part. */
struct trc_byte_first {
	uint64_t above; /* bytes of what was used in the part before */
	uint32_t size;
	bool write;
};

/* One of the two curves. Where deleted objects stay, one that comes back has another number in the
 * stack. */
struct trc_byte_side {
	struct trc_byte_buckets *to;
	struct trc_byte_stack stack;
	struct trc_byte_object *object; /* of each number; NULL: there were no writes */
	struct trc_byte_ages *ages;     /* likewise, with a time to live; else NULL */
	size_t numbers;                 /* that there may be */
	size_t objects, aged;           /* room */
};

/* The sink. */
struct trc_byte_growing {
	struct trc_sink sink;
	struct trc_byte_curve *curve;
	const struct trc_byte_shape *shape;
	struct trc_requests requests;
	struct trc_byte_side least, most;
	bool deletes; /* some came, so both sides are there */

	/* In `most`, an object has the number that is 1 less than `number`; if that is 0, its own,
	 * if it is below `begun`, and none yet if not. */
	uint32_t begun, *number;
	size_t room;
	uint32_t numbers; /* so far */

	struct trc_byte_first *first; /* of each object, if it will be saved; else NULL */
	size_t firsts;                /* room */
	uint32_t known;               /* of these so far */
	unsigned halves;              /* of all objects that were left out */
};

static inline uint16_t
trc_byte_level(uint64_t distance)
{
	return (uint16_t)(1 + trc_bucket_of(distance));
}

/* Adds a hit of `bytes` in caches from a level on. */
static inline void
trc_byte_hit(struct trc_byte_buckets *c, uint16_t level, bool write, uint64_t bytes)
{
	struct trc_byte_bucket *b = &c->bucket[level - 1];

	b->hits[write]++;
	b->hit_bytes[write] += bytes;
}

/* Caches from the object's level up to below level `to` have written it back. */
static inline void
trc_byte_write_back(struct trc_byte_buckets *c, const struct trc_byte_object *o, uint16_t to)
{
	if (o->level == 0 || o->level >= to)
		return;
	c->bucket[o->level - 1].writebacks++;
	c->bucket[o->level - 1].written_bytes += o->written;
	c->bucket[to - 1].writebacks--;
	c->bucket[to - 1].written_bytes -= o->written;
}

/* Room for the bucket of a distance. */
int trc_byte_buckets_room(struct trc_byte_buckets *c, uint64_t distance,
                          struct trc_err *err) TRC_MUST_USE;

void trc_byte_side_release(struct trc_byte_side *s);

/* ---- samples ---- */

/* The request that was taken last, where objects are drawn. */
struct trc_byte_sampled trc_byte_sampled_of(const struct trc_byte_growing *g,
                                            const struct trc_request *r);

/* Leaves half of the objects out, as often as there are too many. */
int trc_byte_curve_thin(struct trc_byte_growing *g, struct trc_err *err) TRC_MUST_USE;

/* The trace ends. */
int trc_byte_curve_end_sample(struct trc_byte_growing *g, struct trc_byte_side *s,
                              struct trc_err *err) TRC_MUST_USE;

/* ---- parts ---- */

/* What the curve has so far: the state of its sink. */
void trc_byte_curve_state(struct trc_sink *sink, struct trc_state *t);

#endif
