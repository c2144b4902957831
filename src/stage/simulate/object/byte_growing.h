/* SPDX-License-Identifier: MIT
 *
 * A curve of capacities in bytes under construction (byte_curve.h), and its state.
 *
 * A slice of a trace knows the distances of all its requests except the first to each object. For
 * these it stores the bytes of the objects that were used in the slice before. In the whole trace,
 * these are above the object, together with those of earlier slices that lie above it and were not
 * used in this one. So a join takes the objects of the later slice out of the stack, in order of
 * their first request, and puts them on top, in order of their last.
 *
 * The write-backs that a join adds follow from the largest distance up to the first write in the
 * slice, or the last request (`open`): this is how deep the object went before it was written
 * again.
 */
#ifndef TRC_STAGE_SIMULATE_OBJECT_BYTE_GROWING_H
#define TRC_STAGE_SIMULATE_OBJECT_BYTE_GROWING_H

#include "stage/simulate/buckets.h"
#include "stage/simulate/object/byte_ages.h"
#include "stage/simulate/object/byte_curve.h"
#include "stage/simulate/object/byte_stack.h"
#include "stage/simulate/object/requests.h"
#include "stage/simulate/policy/holes.h"

/* The data of an object. A level is 1 + the bucket of a capacity; 0: none. */
struct trc_byte_object {
	uint32_t written; /* bytes of its last write */
	uint16_t level;   /* smallest caches that have it dirty */
	uint16_t open;    /* in a slice: the level of the largest distance before its first write */
};

/* The first request to an object in a slice. */
struct trc_byte_first {
	uint64_t above; /* bytes of the objects used before it in the slice */
	uint32_t size;
	bool write;
};

/* One of the two curves. In the one where deleted objects stay, an object that returns gets a new
 * number. */
struct trc_byte_side {
	struct trc_byte_buckets *to;
	struct trc_byte_stack stack;
	struct trc_holes holes;         /* of the stack, if capacities are in objects */
	struct trc_byte_object *object; /* for each number; NULL: no writes so far */
	struct trc_byte_ages *ages;     /* for each number, with a time to live; else NULL */
	size_t numbers;                 /* limit of the numbers */
	size_t objects, aged;           /* room */
};

/* The sink. */
struct trc_byte_growing {
	struct trc_sink sink;
	struct trc_byte_curve *curve;
	const struct trc_byte_shape *shape;
	struct trc_requests requests;
	struct trc_byte_side least, most;
	bool deletes; /* deletes occurred, so both sides exist */

	/* The number of an object in `most` is its entry in `number` less 1. If the entry is 0, it
	 * is the object's own number if that is below `begun`, else it has none yet. */
	uint32_t begun, *number;
	size_t room;
	uint32_t *owner;  /* for each number: its object, if the sample will be halved */
	size_t owners;    /* room */
	uint32_t numbers; /* numbers given out so far */

	struct trc_byte_first *first; /* for each object, if the state will be saved; else NULL */
	size_t firsts;                /* room */
	uint32_t known;               /* entries of `first` */
	unsigned halves;              /* halvings of the sample */
};

static inline uint16_t
trc_byte_level(uint64_t distance)
{
	return (uint16_t)(1 + trc_bucket_of(distance));
}

/* Counts a hit of `bytes` bytes in caches from a level on. */
static inline void
trc_byte_hit(struct trc_byte_buckets *c, uint16_t level, bool write, uint64_t bytes)
{
	struct trc_byte_bucket *b = &c->bucket[level - 1];

	b->hits[write]++;
	b->hit_bytes[write] += bytes;
}

/* Counts a write-back in caches from the object's level up to below level `to`. */
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

/* Makes room for the bucket of a distance. */
int trc_byte_buckets_room(struct trc_byte_buckets *c, uint64_t distance,
                          struct trc_err *err) TRC_MUST_USE;

void trc_byte_side_release(struct trc_byte_side *s);

/* ---- samples ---- */

/* Returns the sample data of the last request taken. */
struct trc_byte_sampled trc_byte_sampled_of(const struct trc_byte_growing *g,
                                            const struct trc_request *r);

/* Halves the sample while it has too many objects. */
int trc_byte_curve_thin(struct trc_byte_growing *g, struct trc_err *err) TRC_MUST_USE;

/* Completes a sample at the end of the trace. */
int trc_byte_curve_end_sample(struct trc_byte_growing *g, struct trc_byte_side *s,
                              struct trc_err *err) TRC_MUST_USE;

/* ---- slices ---- */

/* Saves or restores the state of the sink. */
void trc_byte_curve_state(struct trc_sink *sink, struct trc_state *t);

#endif
