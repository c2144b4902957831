/* SPDX-License-Identifier: MIT
 *
 * Finds the op of a pc and a shape: a hash table of cache lines. Most new ops are next to the last
 * one in memory, so the hash keeps neighbours together: ops of the same few bytes of code are in
 * the same line, or in one of the next if it is full.
 */
#ifndef TRC_CODEC_PROGRAM_OP_INDEX_H
#define TRC_CODEC_PROGRAM_OP_INDEX_H

#include <stdbool.h>

#include "base/map.h"

/* The data of an op needed to follow it, in half a cache line: the last successor, as in a branch
 * target buffer (J. Lee, A. Smith, 1984). */
struct trc_op_follow {
	uint64_t pc;
	uint64_t types; /* of its rows, and that of a fetch after them; see follow() */
	uint32_t shape;
	uint32_t to;  /* the op to which it was last left */
	uint8_t edge; /* the edge to it; TRC_PATH_FAR: not left yet, or the number is far */
	uint8_t rows, data;
	bool fetch;
};

/* An op in the table. */
struct trc_op_entry {
	uint32_t tag; /* of its pc and shape, so that other ops are not looked at */
	uint32_t id;  /* TRC_MAP_NONE: the entry is free */
};

/* The table. A zeroed struct may be released. */
struct trc_op_index {
	void *mem;
	struct trc_op_entry *entry; /* in `mem` */
	size_t mask;                /* number of lines - 1 */
};

int trc_op_index_init(struct trc_op_index *x, struct trc_err *err) TRC_MUST_USE;
void trc_op_index_release(struct trc_op_index *x);

/* Returns the entry of an op among `step`, or the free one where it would be. */
struct trc_op_entry *trc_op_index_find(const struct trc_op_index *x,
                                       const struct trc_op_follow *step, uint64_t pc,
                                       uint32_t shape);

/* Adds op `id`, which comes after all others, at the entry that was found for it. */
int trc_op_index_add(struct trc_op_index *x, const struct trc_op_follow *step,
                     struct trc_op_entry *at, uint32_t id, struct trc_err *err) TRC_MUST_USE;

/* Prefetches the line of the ops at a pc. */
void trc_op_index_request(const struct trc_op_index *x, uint64_t pc);

#endif
