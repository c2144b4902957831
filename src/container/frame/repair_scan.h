/* SPDX-License-Identifier: MIT
 *
 * Where the groups of a damaged file are, by those of their parity frames that are whole.
 */
#ifndef TRC_CONTAINER_FRAME_REPAIR_SCAN_H
#define TRC_CONTAINER_FRAME_REPAIR_SCAN_H

#include "container/frame/bands.h"
#include "container/frame/parity.h"

#define TRC_NOWHERE UINT64_MAX

/* Bytes [at, at + n) of the file; TRC_NOWHERE: not found. */
struct trc_extent {
	uint64_t at;
	size_t n;
};

/* One frame of parity, and where in it the parity is. */
struct trc_parity_place {
	struct trc_extent frame;
	uint64_t parity;
};

/* A group as it was found: at least one of its parity frames was, or the header of one. */
struct trc_group {
	uint64_t bytes; /* of its data */
	bool last;      /* of its container */
	uint64_t reach; /* bytes that may be missing or too many, at most */
	bool banded;
	struct trc_bands bands;         /* if so; else: */
	struct trc_parity_shape shape;  /* its sums are the group's */
	struct trc_parity_place *place; /* of each parity frame */
	size_t places;                  /* that were found */
	uint64_t end;                   /* of its data, by its parity frames */
	uint64_t tail;                  /* behind the last of these */
	struct trc_extent close;        /* the first end frame behind it, if it is a last one */
};

/* All groups of a file, in order, and all frames that are whole. Zeroed memory is none; release
 * frees. */
struct trc_groups {
	struct trc_group *group;
	size_t n, cap;
	struct trc_extent *good;
	size_t goods, good_cap;
};

/* Finds them in the `size` bytes of `s`. */
int trc_groups_find(struct trc_groups *g, struct trc_stream *s, struct trc_err *err) TRC_MUST_USE;
void trc_groups_release(struct trc_groups *g);

#endif
