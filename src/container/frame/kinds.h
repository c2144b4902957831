/* SPDX-License-Identifier: MIT
 *
 * The kinds of frames in a container, and the meaning of their numbers. SPEC.md lists all of them.
 */
#ifndef TRC_CONTAINER_FRAME_KINDS_H
#define TRC_CONTAINER_FRAME_KINDS_H

#include "base/io/frame.h"

enum {
	TRC_KIND_TRACE = 'T',   /* begins a container */
	TRC_KIND_PROGRAM = 'P', /* growth of the program for the frames that follow */
	TRC_KIND_REFS = 'R',    /* references of one context of the next block */
	TRC_KIND_BLOCK = 'B',
	TRC_KIND_INDEX = 'I',
	TRC_KIND_BANDS = 'f',  /* parity of the preceding frames (bands.h) */
	TRC_KIND_PARITY = 'c', /* the same in traces of trc up to 1.1 (parity.h) */
	TRC_KIND_END = 'E',

	TRC_PAYLOAD_MOST = 1 << 28, /* bytes; no writer makes more, and readers refuse it */

	TRC_ROW_BITS = 24, /* low bits of a block's number: its rows; high bits: its first row */
};

/* What a reader does with a frame, section, fact or column whose number it does not know: it must
 * stop, or it may ignore it, or it may also copy it to a trace that it derives from this one. The
 * cases of the letters in PNG's chunk names serve the same purpose. */
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

/* Return the first row of the block of a frame, counted in its container, and its number of
 * rows. */
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
