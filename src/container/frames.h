/* SPDX-License-Identifier: MIT
 *
 * From the frames of a file to packed blocks: those that are selected, one behind the other. All of
 * it may run beside the caller of the source (read.c), who must not touch a struct trc_frames while
 * it does.
 */
#ifndef TRC_CONTAINER_FRAMES_H
#define TRC_CONTAINER_FRAMES_H

#include "container/directory.h"
#include "container/packed_block.h"
#include "container/sequence.h"

enum { TRC_IN_FLIGHT_MOST = 4 }; /* blocks that are unpacked at a time, if there is the memory */

/* A demultiplexer, as of multimedia containers: it finds frames, seeks by the directory, finds the
 * next frame behind damage, and gives them block by block. */
struct trc_frames {
	struct trc_in *in;
	struct trc_read_settings set;
	struct trc_selection selection;
	struct trc_sequence sequence;

	/* If the end of the file can be reached and leads to it. */
	struct trc_directory directory;
	size_t part, joined; /* place of the next block in the directory, and the number of its
	                      * container */

	bool was_repaired;               /* as far as that can be done */
	uint64_t repaired;               /* sectors */
	const struct trc_patched *whole; /* that is read then, in which places are others */
	bool cut; /* the file begins or ends within a container, all of whose rows are there:
	           * others may have been joined to it, so this is an error but in a salvage */
	struct trc_frame kept; /* by a search for the header, if has_kept */
	bool has_kept;
	uint64_t vain; /* what a salvage has spent on frames that are none */
	bool grown;    /* the last frame was a part of the program */
};

/* Reads the header of the first container. What `in`, salvage, threads and the limit of memory are,
 * the caller has set. */
int trc_frames_begin(struct trc_frames *c, struct trc_err *err) TRC_MUST_USE;
void trc_frames_release(struct trc_frames *c);

/* Reads the directory, unless that was tried before. */
int trc_frames_index(struct trc_frames *c, struct trc_err *err) TRC_MUST_USE;

/* Reads up to the next block that is selected. */
enum trc_flow trc_frames_next(struct trc_frames *c, struct trc_packed_block *b,
                              struct trc_err *err);

/* In a salvage: a block was good. One that was not is a gap. */
int trc_frames_good(struct trc_frames *c, const struct trc_packed_block *b,
                    struct trc_err *err) TRC_MUST_USE;

#endif
