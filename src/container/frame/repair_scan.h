/* SPDX-License-Identifier: MIT
 *
 * Finds the groups of a damaged file by their intact parity frames.
 */
#ifndef TRC_CONTAINER_FRAME_REPAIR_SCAN_H
#define TRC_CONTAINER_FRAME_REPAIR_SCAN_H

#include "container/frame/bands.h"
#include "container/frame/parity.h"

#define TRC_NOWHERE UINT64_MAX

/* The bytes [at, at + n) of the file; `at` is TRC_NOWHERE if they were not found. */
struct trc_span {
	uint64_t at;
	size_t n;
};

/* A parity frame, and the offset of the parity in it. */
struct trc_parity_place {
	struct trc_span frame;
	uint64_t parity;
};

/* A group of which at least one parity frame, or the header of one, was found. */
struct trc_parity_group {
	uint64_t bytes; /* of its data */
	bool last;      /* of its container */
	uint64_t reach; /* the most bytes that may be lost or inserted */
	bool banded;
	struct trc_bands bands;         /* if banded; otherwise: */
	struct trc_parity_shape shape;  /* its sums belong to the group */
	struct trc_parity_place *place; /* of each parity frame */
	size_t places;                  /* number of parity frames found */
	uint64_t end;                   /* end of its data, according to its parity frames */
	uint64_t tail;                  /* end of the last parity frame found */
	struct trc_span close;          /* the first end frame after it, if it is a last group */
};

/* All groups of a file, in order, and all intact frames. A zeroed struct is empty; release
 * frees. */
struct trc_groups {
	struct trc_parity_group *group;
	size_t n, cap;
	struct trc_span *good;
	size_t goods, good_cap;
};

/* Finds all groups of the stream `s`. */
int trc_groups_find(struct trc_groups *g, struct trc_stream *s, struct trc_err *err) TRC_MUST_USE;
void trc_groups_release(struct trc_groups *g);

#endif
