/* SPDX-License-Identifier: MIT
 *
 * A binary heap of numbers, each with a key; the lowest key is first. A zeroed struct is empty, and
 * may be released.
 */
#ifndef TRC_STAGE_SIMULATE_OBJECT_HEAP_H
#define TRC_STAGE_SIMULATE_OBJECT_HEAP_H

#include <stdint.h>

#include "base/base.h"

/* Compares by `first`, then by `then`. */
struct trc_heap_key {
	double first;
	uint64_t then;
};

struct trc_heap {
	struct trc_heap_node {
		struct trc_heap_key key;
		uint32_t id;
	} * node;
	uint32_t *place; /* index in `node` of each number in the heap */
	uint32_t n;
	size_t nodes, places; /* room */
};

/* Makes room for numbers up to `most`. */
int trc_heap_room(struct trc_heap *h, uint32_t most, struct trc_err *err) TRC_MUST_USE;
void trc_heap_release(struct trc_heap *h);

/* Add a number that is not in the heap; change the key of one that is; remove one. There must be
 * room. */
void trc_heap_add(struct trc_heap *h, uint32_t id, struct trc_heap_key key);
void trc_heap_change(struct trc_heap *h, uint32_t id, struct trc_heap_key key);
void trc_heap_take(struct trc_heap *h, uint32_t id);

#endif
