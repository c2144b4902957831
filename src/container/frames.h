/* SPDX-License-Identifier: MIT
 *
 * From the frames of a file to raw blocks: what stands where, what is missing, what is not wanted.
 * All of it may run beside the caller of the source (read.c), who must not touch a struct
 * trc_frames while it does.
 */
#ifndef TRC_CONTAINER_FRAMES_H
#define TRC_CONTAINER_FRAMES_H

#include "container/index.h"
#include "container/unpack.h"

enum { TRC_SCHEDULE_MOST = 4 }; /* blocks that are laid out at a time, if there is the memory */

/* Which rows are wanted; the others may be left out. */
struct trc_wanted {
	bool some;                      /* not all */
	uint64_t from, to;              /* rows before the one and from the other on are not */
	uint64_t time_first, time_last; /* blocks with no time in between are not */
};

struct trc_frames {
	struct trc_in *in;
	bool salvage;
	uint64_t memlimit;
	uint32_t have;
	int threads, ahead; /* blocks that are laid out at a time */
	struct trc_memory_plan room;
	struct trc_wanted wanted;
	struct trc_meta head; /* by the first header */
	struct trc_meta meta; /* of the containers so far */

	/* The index of the file, if its end can be reached and tells it. */
	struct trc_file_index file;
	bool indexed;
	size_t part, joined; /* the next block is in, and which container that is */

	/* This container. */
	uint64_t start;           /* in the file; UINT64_MAX: its header is lost */
	uint64_t head_len;        /* bytes of its header; 0: it was not read */
	uint64_t base;            /* rows of the containers before it in the file */
	uint64_t index;           /* where its index is; 0: not seen yet */
	size_t gaps_before;       /* in the containers before it */
	bool first;               /* there is none before it */
	bool ended;               /* the last frame was its end */
	bool counted;             /* its index told how many rows it has */
	bool torn;                /* what stood behind the last frame was damaged */
	struct trc_contents told; /* by its index */

	struct trc_frame kept; /* by a search for the header, if has_kept */
	bool has_kept;
	uint64_t rows; /* that have come, or were passed over, or are known to be missing */
	bool grown;    /* the last frame was a part of the program */
	bool lost;     /* the program must begin anew */
	struct trc_gap *gap;
	size_t gaps, gap_cap;
};

/* Reads the header of the first container. */
int trc_frames_begin(struct trc_frames *c, struct trc_err *err) TRC_MUST_USE;
void trc_frames_release(struct trc_frames *c);

/* Reads the index, unless that was tried before. */
int trc_frames_index(struct trc_frames *c, struct trc_err *err) TRC_MUST_USE;

/* Reads up to the next block that is wanted. */
enum trc_flow trc_frames_next(struct trc_frames *c, struct trc_raw *r, struct trc_err *err);

/* In a salvage: says that a block was good. One that was not is a gap. */
int trc_frames_good(struct trc_frames *c, const struct trc_raw *r,
                    struct trc_err *err) TRC_MUST_USE;

#endif
