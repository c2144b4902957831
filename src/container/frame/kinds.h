/* SPDX-License-Identifier: MIT
 *
 * Kinds of the frames of a container, and what their numbers count. SPEC.md has all of them.
 */
#ifndef TRC_CONTAINER_FRAME_KINDS_H
#define TRC_CONTAINER_FRAME_KINDS_H

#include "base/io/frame.h"

enum {
	TRC_KIND_TRACE = 'T',   /* begins a container */
	TRC_KIND_PROGRAM = 'P', /* growth of the program for what follows */
	TRC_KIND_REFS = 'R',    /* references of one context of the block that follows */
	TRC_KIND_BLOCK = 'B',
	TRC_KIND_INDEX = 'I',
	TRC_KIND_BANDS = 'f',  /* corrects the frames before it (bands.h) */
	TRC_KIND_PARITY = 'c', /* the same in traces of trc up to 1.1 (parity.h) */
	TRC_KIND_END = 'E',

	TRC_ROW_BITS = 24, /* of a block's number that count its rows; the others, its first row */
};

/* What a reader that does not know it does with a frame, section, fact or column, by its number: it
 * has to stop, may pass it over, and may copy it besides to a trace that it makes of this one. As
 * the cases of letters in the names of PNG's chunks. */
enum { TRC_MAY_PASS = 1 << 5, TRC_MAY_COPY = 1 << 4 };

static inline bool
trc_may_pass(uint64_t number)
{
	return number & TRC_MAY_PASS;
}

static inline bool
trc_may_copy(uint64_t number)
{
	return number & TRC_MAY_PASS && number & TRC_MAY_COPY;
}

/* Of a frame that belongs to a block: its first row in the container, and how many it has. */
static inline uint64_t
trc_frame_first(const struct trc_frame *f)
{
	return f->number >> TRC_ROW_BITS;
}

static inline uint64_t
trc_frame_rows(const struct trc_frame *f)
{
	return f->number & ((1u << TRC_ROW_BITS) - 1);
}

#endif
